//! What a process does next, and which of its noes are allowed.

/// A command with everything that it may come to.
pub struct Verb {
    /// How it is called in the table.
    pub name: &'static str,
    /// The shell line after the program's name; `TOKEN` stands for words that no other command writes, `QUESTION` for
    /// the question that was open a moment ago.
    pub line: &'static str,
    pub stdin: &'static str,
    /// Whether the words are in the history once it ended well.
    pub records: bool,
    /// The codes of refusals (exit code 1) that the session's state may call for.
    pub refusals: &'static [&'static str],
}

const fn reads(name: &'static str, line: &'static str) -> Verb {
    Verb { name, line, stdin: "", records: false, refusals: &[] }
}

const fn records(name: &'static str, line: &'static str, refusals: &'static [&'static str]) -> Verb {
    Verb { name, line, stdin: "", records: true, refusals }
}

const fn tool(name: &'static str, line: &'static str, stdin: &'static str, refusals: &'static [&'static str]) -> Verb {
    Verb { name, line, stdin, records: true, refusals }
}

/// A gate that stands open, which the built-in interviewer opens when it has asked enough.
const GATE: &str = "wrong_phase";

/// The question is not the one that can be answered now.
const NONE_OPEN: &[&str] = &["no_such_question", "no_question", "in_discussion", GATE];

const ASK: Verb = tool(
    "tool ask_question",
    "tool ask_question --json",
    r#"{"question":"TOKEN?","options":[{"label":"we"},{"label":"they"}],"noChange":"n"}"#,
    &["question_open", "in_discussion", GATE, "not_yours"],
);
const UPDATE: Verb = tool(
    "tool update_checkpoint",
    "tool grill_update_checkpoint --json",
    r##"{"markdown":"# Shared Understanding\n\n- TOKEN\n","changeSummary":"TOKEN"}"##,
    &[],
);
const REPORT: Verb = tool(
    "tool record_answer",
    "tool grill_record_answer --json",
    r#"{"question":"QUESTION","answer":"TOKEN"}"#,
    NONE_OPEN,
);
const REVISE: Verb = tool(
    "tool revise_answer",
    "tool grill_revise_answer --json",
    r#"{"question":"1","answer":"TOKEN"}"#,
    &["no_question", "no_such_question", "question_open", "in_discussion", "not_yours", GATE],
);
const WAIVE: Verb = reads_or("waive", "waive --json area:risks", &[]);
const ANSWER: Verb = records("answer", "answer --json --question QUESTION TOKEN", NONE_OPEN);
const SKIP: Verb = reads_or("skip", "skip --json --question QUESTION", NONE_OPEN);
const UNKNOWN: Verb = reads_or("unknown", "unknown --json --question QUESTION", NONE_OPEN);
const BACK: Verb = reads_or("back", "back --json 1", &["in_discussion", "question_open", GATE]);
const DISCUSS: Verb = reads_or("discuss", "discuss --json", &["in_discussion", GATE]);
const DONE: Verb = records("discuss --done", "discuss --json --done TOKEN", &["no_discussion", GATE]);
const NEXT: Verb = reads_or("next", "next --json", &["in_discussion", "nothing_left_to_ask"]);

const fn reads_or(name: &'static str, line: &'static str, refusals: &'static [&'static str]) -> Verb {
    Verb { name, line, stdin: "", records: false, refusals }
}

/// What every process goes through, each from another place on; the numbers of commands between two of a kind share no
/// factor with the number of processes, so that every two kinds meet.
pub const VERBS: &[Verb] = &[
    ASK,
    ANSWER,
    UPDATE,
    reads("status --json", "status --json"),
    ANSWER,
    ASK,
    reads("intensity", "intensity --json hard"),
    REPORT,
    reads("sessions", "sessions --json"),
    ASK,
    SKIP,
    reads("checkpoint log", "checkpoint log --json"),
    UPDATE,
    REVISE,
    WAIVE,
    BACK,
    ANSWER,
    reads("status --short", "status --short"),
    WAIVE,
    DISCUSS,
    DONE,
    REVISE,
    ASK,
    UNKNOWN,
    reads("intensity", "intensity --json gentle"),
    NEXT,
    ANSWER,
    reads("verify", "verify --json"),
    UPDATE,
    reads("research", "research --json"),
    DONE,
    reads("checkpoint diff", "checkpoint diff --json"),
    reads("doctor", "doctor --json"),
    ASK,
    REPORT,
];
