//! One finding: how it comes about, what is said of it, and what mends it.

use git_grill::app::ports::Code;
use serde_json::Value;

use crate::bench::Bench;
use crate::faults::traces::{assert_same, everything};
use crate::mending::{PUT, WORDS};

/// What makes a finding go away.
#[derive(Clone, Copy)]
pub enum Way {
    Fix,
    /// The how many-th of its commands, typed after this line.
    Typed(usize, &'static str),
    /// Nothing; the command that shows it prints this.
    Shown(&'static str),
}

pub struct Row {
    pub code: Code,
    /// Options of `git init`.
    pub format: &'static str,
    pub before: &'static str,
    pub by: &'static str,
    /// Who finds it: `doctor` or `fsck`.
    pub verb: &'static str,
    pub severity: &'static str,
    pub what: &'static str,
    pub why: &'static str,
    pub way: Way,
}

/// A session of three questions.
pub const STARTED: &str = "git grill start --research off 'rate limiting' && git grill answer 'requests per client' && \
    git grill answer 'ten per second'";

pub const ROW: Row = Row {
    code: Code::NotExamined,
    format: "",
    before: STARTED,
    by: "",
    verb: "doctor",
    severity: "error",
    what: "",
    why: "",
    way: Way::Fix,
};

/// What is found, as JSON. The exit code says whether something is wrong.
pub fn looked(bench: &Bench, line: &str) -> Value {
    let ran = bench.run(&format!("{line} --json"));
    let told: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{line}: {error}: {ran}"));
    let wrong = told["findings"].as_array().unwrap().iter().any(|one| one["severity"] == "error");
    assert_eq!(ran.code, i32::from(wrong), "{ran}");
    told
}

/// The findings of one kind.
pub fn of(told: &Value, code: Code) -> Vec<Value> {
    told["findings"].as_array().unwrap().iter().filter(|one| one["code"] == code.word()).cloned().collect()
}

/// A finding says what it is, why it matters, and what can be typed; in words as well.
pub fn assert_said(finding: &Value, severity: &str, what: &str, why: &str, text: &str, when: &str) {
    assert_eq!(finding["severity"], severity, "{when}: {finding}");
    for (key, wanted) in [("what", what), ("why", why)] {
        let said = finding[key].as_str().unwrap();
        assert!(!wanted.is_empty() && said.contains(wanted), "{when}: no '{wanted}' in {finding}");
        assert!(text.contains(said), "{when}: {text}");
    }
    let said = |label: &str, command: &Value| {
        let command = command.as_str().unwrap();
        assert!(text.contains(&format!("  {label}: {command}\n")), "{when}: {label} in {text}");
        assert!(!command.contains('\n'), "{when}: {finding}");
    };
    for (label, key) in [("mend it", "mend"), ("see it", "show")] {
        if !finding[key].is_null() {
            said(label, &finding[key]);
        }
    }
    for other in finding["orElse"].as_array().unwrap() {
        said("or else", other);
    }
    assert!(!finding["mend"].is_null() || !finding["show"].is_null(), "{when}: nothing can be typed: {finding}");
}

/// A finding is made, looked at without a trace, and mended.
pub fn played(row: &Row) {
    let Row { code, format, before, by, verb, severity, what, why, way } = *row;
    let when = format!("{} by {by}", code.word());
    if !format.is_empty() && Bench::nowhere().run(&format!("git init -q {format} probe")).code != 0 {
        return; // This git has no such repositories.
    }
    let bench = Bench::with_init(format);
    if before.contains("git grill approve") {
        bench.scripts_may_approve();
    }
    bench.run(before).assert_code(0);
    // A day later: what the rows damage has no copy any more.
    bench.run("rm -rf .git/grill/copies").assert_code(0);
    let rule = || bench.run("git grill hooks status --json").stdout;
    if code == Code::HookNotCalled && rule().contains("\"rule\":\"configured\"") {
        return; // Hooks in this git's configuration take nobody's place.
    }
    bench.run(&format!("{WORDS}{PUT}{by}")).assert_code(0);

    let traces = everything(bench.repo());
    let look = format!("git grill {verb}");
    let told = looked(&bench, &look);
    let text = bench.run(&look).stdout;
    assert_same(&traces, &everything(bench.repo()), &when);
    let found = of(&told, code);
    let finding = found.iter().find(|one| one["what"].as_str().unwrap().contains(what));
    let finding = finding.unwrap_or_else(|| panic!("{when}: {told}"));
    assert_said(finding, severity, what, why, &text, &when);

    match way {
        Way::Fix => {
            assert_eq!(finding["fixable"], true, "{when}: {finding}");
            let fixed = bench.run("git grill doctor --fix");
            assert!(fixed.code == 0 && fixed.stdout.contains("mended: "), "{when}: {fixed}");
        }
        Way::Typed(nth, first) => {
            assert_eq!(finding["fixable"], false, "{when}: {finding}");
            let commands: Vec<&Value> =
                std::iter::once(&finding["mend"]).chain(finding["orElse"].as_array().unwrap()).collect();
            if !first.is_empty() {
                bench.run(first).assert_code(0);
            }
            let command = commands[nth].as_str().unwrap().replace("PATH-OF-A-COPY", "../copy.git");
            let typed = bench.run(&command);
            assert_eq!(typed.code, 0, "{when}: {typed}");
        }
        Way::Shown(says) => {
            assert_eq!(finding["mend"], Value::Null, "{when}: {finding}");
            let shown = bench.run(finding["show"].as_str().unwrap());
            assert!(shown.code <= 1 && shown.stdout.contains(says), "{when}: {shown}");
            return;
        }
    }
    let after = looked(&bench, &look);
    assert!(of(&after, code).is_empty(), "{when}: {after}");
}
