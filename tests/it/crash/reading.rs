//! What changes nothing that a person has or has said, so that killing it can lose nothing; each is run under watch, and
//! writes nowhere but where its row says.

use super::rows::{ANSWER, START};
use super::watched::{Fault, is_said, watched};
use crate::bench::Bench;
use crate::faults::traces::{assert_same, everything};

pub struct Reads {
    /// The verb, or the verb and an option of it; a tool as `tool <name>`.
    pub what: &'static str,
    line: &'static str,
    why: &'static str,
    /// Below which paths it writes all the same.
    writes: &'static [&'static str],
}

const fn reads(what: &'static str, line: &'static str, why: &'static str) -> Reads {
    Reads { what, line, why, writes: &[] }
}

pub const READS: &[Reads] = &[
    reads("", "git-grill", "without a terminal it shows the open question"),
    reads("checkpoint", "git-grill checkpoint", "shows the checkpoint"),
    reads("checkpoint show", "git-grill checkpoint show @1", "shows the checkpoint"),
    reads("checkpoint diff", "git-grill checkpoint diff @1", "compares two versions"),
    reads("checkpoint log", "git-grill checkpoint log", "lists the commits"),
    Reads {
        what: "status",
        line: "git-grill status --short",
        why: "what a prompt shows is kept to be shown faster, and made anew where it is missing",
        writes: &["repo/.git/grill/glimpse"],
    },
    reads("plan show", "git-grill plan show", "shows the plan"),
    reads("debate status", "git-grill debate status", "says how the debate stands"),
    reads("debate show", "git-grill debate show", "shows the debate"),
    reads("debate prompt", "git-grill debate prompt", "shows what a role is told"),
    reads("debate log", "git-grill debate log", "lists what happened in debates"),
    reads("why", "git-grill why", "says why the open question matters"),
    reads("sessions", "git-grill sessions", "lists the sessions"),
    Reads {
        what: "run",
        line: "git-grill run -- true",
        why: "itself it makes nothing but folders for what it runs, and takes them away again",
        // The first is the place of all this in the run's own `/tmp`.
        writes: &["", "tmp/git-grill-run-", "home/.local"],
    },
    reads("guard", "git-grill guard --explain ls", "judges a call"),
    reads("tool --list", "git-grill tool --list", "lists the tools"),
    Reads {
        what: "tool grill_status",
        line: "git-grill tool grill_status <../tmp/empty.json",
        why: "it notes which version of the checkpoint the agent was shown",
        writes: &["repo/.git/grill/shown"],
    },
    reads(
        "tool questionnaire",
        "git-grill tool questionnaire <../tmp/form.json",
        "without a terminal nothing is asked; each commit is one of a question or an answer, which have rows",
    ),
    reads("instructions", "git-grill instructions", "says what an agent is told"),
    reads("agent install --list", "git-grill agent install --list", "lists the agents"),
    reads("agent install --dry-run", "git-grill agent install --dry-run claude", "shows what would be written"),
    reads("agent status", "git-grill agent status", "lists the agents that work is lent to"),
    reads("agent result", "git-grill agent result g1", "shows what an agent said"),
    reads("agent changes", "git-grill agent changes g1", "shows what an agent changed"),
    reads("agent log", "git-grill agent log g1", "shows a ledger"),
    reads("agent uninstall --dry-run", "git-grill agent uninstall --dry-run claude", "shows what would be taken out"),
    Reads {
        what: "demo",
        line: "git-grill demo",
        why: "has a repository of its own that is thrown away, or did not exist before",
        writes: &["tmp/git-grill-demo-"],
    },
    reads("hooks status", "git-grill hooks status", "looks at the hooks"),
    Reads {
        what: "hooks status --trial",
        line: "git-grill hooks status --trial",
        why: "git locks the ref that it is refused to change, and only one at a time tries",
        writes: &["repo/.git/refs/", "repo/.git/grill"],
    },
    reads("extensions", "git-grill extensions", "lists them, and starts none"),
    reads("doctor", "git-grill doctor", "without --fix it examines"),
    reads("fsck", "git-grill fsck", "without --fix it compares"),
    reads("help", "git-grill help", "explains the verbs"),
];

#[test]
fn p1_what_only_reads_changes_nothing() {
    let requests = r#"echo '{}' >../tmp/empty.json; echo '{"questions":[{"id":"a","prompt":"b"}]}' >../tmp/form.json"#;
    // Not in memory, which the walls around `run` leave open.
    let bench = Bench::on_disk(Bench::new);
    for line in [START, ANSWER, requests] {
        bench.run(line).assert_code(0);
    }
    for row in READS {
        assert!(!row.why.is_empty(), "{}", row.what);
        let before = everything(bench.repo());
        let ran = watched(&bench, &format!("exec {}", row.line), Fault::None);
        assert!([0, 1, 3, 6].contains(&ran.output.code), "{}", ran.output);
        let is_allowed = |path: &str| {
            row.writes.iter().any(|start| match *start {
                "" => path.is_empty(),
                start => path.starts_with(start),
            })
        };
        for step in ran.steps.iter().filter(|step| !is_said(step)) {
            let paths: Vec<String> = step.paths.iter().map(|path| path.display().to_string()).collect();
            assert!(paths.iter().all(|path| is_allowed(path)), "`{}` only reads, and there is {step}", row.line);
        }
        let mut after = everything(bench.repo());
        after.retain(|path, _| before.contains_key(path) || !is_allowed(&format!("repo/{}", path.display())));
        assert_same(&before, &after, row.line);
    }
}
