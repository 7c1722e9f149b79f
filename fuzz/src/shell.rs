//! Shell commands: any text ends in a verdict, and no wrapping makes a refused command an allowed one.

use git_grill::policy::shell::{Allowed, judge};
use git_grill::policy::surroundings::Empty;

use super::text;

fn passes(command: &str) -> bool {
    judge(command, &Allowed::none(), &Empty).is_ok()
}

/// What changes something, behind whatever stands before it. The line break ends a comment.
const BEHIND: &[&str] =
    &["\nrm x", "\n; rm x", "\n(rm x)", "\n$(rm x)", "\n{ rm x\n}", "\necho y > x", "\nsh -c 'rm x'"];
/// The same on one line.
const BESIDE: &[&str] = &["; rm x", " && rm x", " || rm x", " | tee x", " & rm x"];

/// What a command may stand behind and between, and which text would end that early.
const AROUND: &[(&str, &str, &[&str])] = &[
    ("ls; ", "", &[]),
    ("ls\n", "", &[]),
    ("ls &&\n", "", &[]),
    ("ls || ", "", &[]),
    ("( ", "\n)", &[")"]),
    ("{ ", "\n}", &["}"]),
    ("if true; then ", "\nfi", &["fi", "el"]),
    ("while false; do ", "\ndone", &["done"]),
    ("echo \"$(", "\n)\"", &[")", "\""]),
    ("echo $(", "\n)", &[")"]),
    ("cat <(", "\n)", &[")"]),
];

/// The shells that a text can be handed to as one word.
const RUN_BY: &[&str] = &["sh -c ", "bash -c ", "eval ", "env sh -c ", "command bash -c ", "xargs sh -c "];

pub fn run(data: &[u8]) {
    let Some(command) = text(data) else { return };
    if passes(command) {
        for behind in BEHIND {
            let both = format!("{command}{behind}");
            assert!(!passes(&both), "let through: {both}");
        }
        for beside in BESIDE.iter().filter(|_| !command.contains('#')) {
            let both = format!("{command}{beside}");
            assert!(!passes(&both), "let through: {both}");
        }
        let more = Allowed::parse(["cargo check"]).expect("plain words");
        assert!(judge(command, &more, &Empty).is_ok(), "what a person allows takes nothing away: {command}");
    } else if does_something(command) {
        for (before, after, ending) in AROUND {
            let wrapped = format!("{before}{command}{after}");
            assert!(ending.iter().any(|end| command.contains(end)) || !passes(&wrapped), "let through: {wrapped}");
        }
        let quoted = format!("'{}'", command.replace('\'', r"'\''"));
        for shell in RUN_BY {
            let wrapped = format!("{shell}{quoted}");
            assert!(!passes(&wrapped), "let through: {wrapped}");
        }
    }
}

/// Whether there is anything to run: nothing at all is refused too, and is harmless behind something.
fn does_something(command: &str) -> bool {
    command.lines().any(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
}
