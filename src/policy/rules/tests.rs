//! Every posture with every attempt.

use super::*;
use crate::policy::ref_line::{RefLine, RefName, parse};
use crate::policy::refs::{CommitShape, PackedRefs, RefFacts, Unreadable};
use crate::policy::surroundings::Empty;

const INTERVIEW: Posture = Posture::ReadOnly { phase: ReadOnlyPhase::Interview };
const SELECTION: Posture = Posture::ReadOnly { phase: ReadOnlyPhase::OutputSelection };

fn output() -> Posture {
    Posture::Output { paths: vec!["docs/adr.md".to_owned(), "out/".to_owned()] }
}

/// What is expected of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Allow,
    Refuse,
    Ask,
}
use Says::{Allow, Ask, Refuse};

fn says(verdict: &Verdict) -> Says {
    match verdict {
        Verdict::Allow => Allow,
        Verdict::Refuse(_) => Refuse,
        Verdict::Ask(_) => Ask,
    }
}

/// A repository of which nothing is known: only what needs no facts passes.
struct Dark;

impl RefFacts for Dark {
    fn current(&self, _: &RefName) -> Result<Option<crate::policy::ref_line::RefValue>, Unreadable> {
        Err(Unreadable("dark".to_owned()))
    }
    fn packed_refs(&self) -> PackedRefs {
        PackedRefs::Unlocked
    }
    fn is_hidden(&self, _name: &RefName) -> bool {
        false
    }

    fn packed(&self, _: &RefName) -> Result<Option<String>, Unreadable> {
        Err(Unreadable("dark".to_owned()))
    }
    fn head_branch(&self) -> Result<Option<RefName>, Unreadable> {
        Err(Unreadable("dark".to_owned()))
    }
    fn commit(&self, _: &str) -> Result<CommitShape, Unreadable> {
        Err(Unreadable("dark".to_owned()))
    }
    fn pointed_to(&self) -> Option<RefName> {
        None
    }
    fn under_way(&self) -> Option<crate::policy::half_done::UnderWay> {
        None
    }
}

fn lines(name: &str) -> Vec<RefLine> {
    parse(format!("{} {} {name}\n", "0".repeat(40), "a".repeat(40)).as_bytes()).unwrap()
}

fn write(asked: &'static str, place: Place<'static>) -> Attempt<'static> {
    Attempt::WriteFile(File { asked, place })
}

fn delete(asked: &'static str, place: Place<'static>) -> Attempt<'static> {
    Attempt::DeleteFile(File { asked, place })
}

fn shell(command: &str) -> Attempt<'_> {
    Attempt::Shell { command, folder: "", around: &Empty }
}

#[test]
fn g37_every_posture_with_every_attempt() {
    let (ours, main) = (lines("refs/grill/sessions/x"), lines("refs/heads/main"));
    // The attempt, then what the two read-only phases and the output phase say; an inactive worktree allows all of it.
    let table: Vec<(Attempt<'_>, Says, Says)> = vec![
        (shell("git status"), Allow, Allow),
        (shell("ls docs"), Allow, Allow),
        (shell("rm docs/adr.md"), Refuse, Refuse),
        (shell("git add docs/adr.md"), Refuse, Allow),
        (shell("git add docs/adr.md && git commit -m 'a decision' && git status"), Refuse, Allow),
        (shell("git add docs/adr.md && rm x"), Refuse, Refuse),
        (shell("git add ."), Refuse, Refuse),
        (shell("git commit -am x"), Refuse, Refuse),
        // Nothing is run, so nothing changes.
        (shell(""), Allow, Allow),
        (write("docs/adr.md", Place::Inside("docs/adr.md")), Refuse, Allow),
        (write("out/a/b", Place::Inside("out/a/b")), Refuse, Allow),
        (write("out", Place::Inside("out")), Refuse, Refuse),
        (write("DOCS/ADR.md", Place::Inside("DOCS/ADR.md")), Refuse, Refuse),
        (write("link.md", Place::Inside("src/main.rs")), Refuse, Refuse),
        (write("docs/../src/main.rs", Place::Inside("docs/../src/main.rs")), Refuse, Refuse),
        (write("out/.git/config", Place::Inside("out/.git/config")), Refuse, Refuse),
        (write("/etc/passwd", Place::Outside), Refuse, Refuse),
        (write("docs/adr.md", Place::Unclear), Refuse, Refuse),
        (delete("docs/adr.md", Place::Inside("docs/adr.md")), Refuse, Ask),
        (delete("src/main.rs", Place::Inside("src/main.rs")), Refuse, Refuse),
        (delete("/etc/passwd", Place::Outside), Refuse, Refuse),
        (Attempt::RefUpdate { lines: &ours, facts: &Dark }, Allow, Allow),
        (Attempt::RefUpdate { lines: &main, facts: &Dark }, Refuse, Refuse),
        (Attempt::Push { stdin: b"refs/grill/x 1 refs/grill/x 2\n" }, Allow, Allow),
        (Attempt::Push { stdin: b"refs/heads/main 1 refs/heads/main 2\n" }, Refuse, Refuse),
        (Attempt::Git { operation: "rebase" }, Refuse, Refuse),
        (Attempt::Network { what: "post the summary" }, Refuse, Ask),
        (Attempt::OurTool { name: "ask_question" }, Allow, Allow),
        (Attempt::Read { what: "Read" }, Allow, Allow),
        (Attempt::Unknown { what: "frobnicate" }, Refuse, Refuse),
    ];
    for (attempt, reading, producing) in &table {
        let judged = |posture: &Posture| says(&judge(posture, attempt, &Allowed::none()));
        assert_eq!(judged(&Posture::Inactive), Allow, "{attempt:?}");
        assert_eq!(judged(&INTERVIEW), *reading, "{attempt:?}");
        assert_eq!(judged(&SELECTION), *reading, "{attempt:?}");
        assert_eq!(judged(&output()), *producing, "{attempt:?}");
        if matches!(attempt, Attempt::WriteFile(_) | Attempt::DeleteFile(_)) {
            let nothing = Posture::Output { paths: Vec::new() };
            assert_eq!(judged(&nothing), Refuse, "{attempt:?}");
        }
    }
}

#[test]
fn g37_a_reason_quotes_what_was_refused_and_names_the_next_step() {
    let table = [
        (shell("rm a\u{1b}[2J b"), INTERVIEW, "`rm a␛[2J b` was not run", "git grill select"),
        (shell("rm x"), SELECTION, "choosing the output is read-only", "git grill approve"),
        (write("src/a.rs", Place::Inside("src/a.rs")), INTERVIEW, "`src/a.rs` was not written", "git grill status"),
        (write("l", Place::Inside("src/a.rs")), output(), "it leads to `src/a.rs`", "git grill finish"),
        (delete("docs/adr.md", Place::Inside("docs/adr.md")), output(), "a person's word", "git grill status"),
        (Attempt::Unknown { what: "mcp__x__y" }, INTERVIEW, "`mcp__x__y` was not let through", "git grill status"),
        (Attempt::Git { operation: "rebase" }, INTERVIEW, "`rebase` was stopped", "git grill status"),
    ];
    for (attempt, posture, says, hint) in table {
        let refusal = judge(&posture, &attempt, &Allowed::none()).unasked().unwrap_err();
        assert!(refusal.reason.contains(says), "{}", refusal.reason);
        assert!(!refusal.reason.chars().any(char::is_control), "{}", refusal.reason);
        assert!(refusal.hints.join("; ").contains(hint), "{:?}", refusal.hints);
        assert!(refusal.hints.iter().all(|hint| hint.starts_with("git grill ")), "{:?}", refusal.hints);
    }
}

#[test]
fn g33_a_folder_of_the_worktree_counts_for_what_is_committed_there() {
    let attempt = |folder| Attempt::Shell { command: "git add adr.md", folder, around: &Empty };
    assert_eq!(judge(&output(), &attempt("docs"), &Allowed::none()), Verdict::Allow);
    assert!(matches!(judge(&output(), &attempt(""), &Allowed::none()), Verdict::Refuse(_)));
    assert!(matches!(judge(&output(), &attempt("docs/.."), &Allowed::none()), Verdict::Refuse(_)));
}
