//! The verdict on a push. Refs elsewhere are what others see, so only our own sessions leave while one is active.

use crate::domain::posture::Posture;
use crate::policy::ref_line::{MAX_INPUT, Malformed, printable};
use crate::policy::refs::{next_steps, not_understood, read_only_because};
use crate::policy::verdict::{Refusal, Verdict};

/// Rules on what `pre-push` reads from standard input: `<local ref> <id> <remote ref> <id>` a line.
pub(super) fn judge_push(posture: &Posture, stdin: &[u8]) -> Verdict {
    let why = match posture {
        Posture::Inactive | Posture::Open => return Verdict::Allow,
        Posture::ReadOnly { phase } => read_only_because(*phase),
        Posture::Output { paths: _ } => "while output is produced commits stay here until the phase ends".to_owned(),
    };
    let pushed = match pushed_refs(stdin) {
        Err(malformed) => return Verdict::Refuse(not_understood("the push", &malformed)),
        Ok(pushed) => pushed,
    };
    let refuse = |name: &[u8], why: &str| {
        let reason = format!("'{}' was not pushed: {why}", printable(name));
        Verdict::Refuse(Refusal { reason, hints: next_steps() })
    };
    for Pushed { local, name } in pushed {
        if [local, name].into_iter().any(|side| side.starts_with(b"refs/grill/local/")) {
            return refuse(name, "it holds files of yours that were never committed, and is for this repository alone");
        }
        if !name.starts_with(b"refs/grill/") {
            return refuse(name, &why);
        }
    }
    Verdict::Allow
}

struct Pushed<'a> {
    /// What is pushed, as it was typed.
    local: &'a [u8],
    /// The ref at the remote.
    name: &'a [u8],
}

/// The refs that would change at the remote. Fields are counted from the end: the local side is whatever the user
/// typed, and that may contain spaces.
fn pushed_refs(stdin: &[u8]) -> Result<Vec<Pushed<'_>>, Malformed> {
    if stdin.len() > MAX_INPUT {
        return Err(Malformed::TooLong);
    }
    let Some(body) = stdin.strip_suffix(b"\n") else {
        return if stdin.is_empty() { Ok(Vec::new()) } else { Err(Malformed::CutOff) };
    };
    body.split(|byte| *byte == b'\n')
        .enumerate()
        .map(|(index, line)| {
            let fields: Vec<&[u8]> = line.rsplitn(4, |byte| *byte == b' ').collect();
            match fields.as_slice() {
                [_, name, _, local] if !name.is_empty() && !local.is_empty() => Ok(Pushed { local, name }),
                _ => Err(Malformed::Line(index + 1)),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::posture::ReadOnlyPhase;

    const INTERVIEW: Posture = Posture::ReadOnly { phase: ReadOnlyPhase::Interview };
    const MAIN: &[u8] = b"refs/heads/main 1111 refs/heads/main 2222\n";
    const OURS: &[u8] = b"refs/grill/sessions/a 1111 refs/grill/sessions/a 0000\n";

    fn reason(posture: &Posture, stdin: &[u8]) -> Option<String> {
        match judge_push(posture, stdin) {
            Verdict::Allow => None,
            Verdict::Refuse(refusal) => Some(refusal.reason),
            Verdict::Ask(question) => panic!("git's hooks ask nobody: {question:?}"),
        }
    }

    #[test]
    fn pushes_wait_in_every_phase_and_our_own_sessions_pass() {
        let output = Posture::Output { paths: vec!["docs/".to_owned()] };
        let selection = Posture::ReadOnly { phase: ReadOnlyPhase::OutputSelection };
        for posture in [&INTERVIEW, &selection, &output] {
            assert!(reason(posture, MAIN).unwrap().contains("'refs/heads/main' was not pushed"));
            assert_eq!(reason(posture, OURS), None);
            assert_eq!(reason(posture, b""), None);
            assert!(reason(posture, &[OURS, MAIN].concat()).is_some());
            // A snapshot holds what nobody committed.
            let snapshot = b"refs/grill/local/a/baseline 1 refs/grill/local/a/baseline 2\n";
            assert!(reason(posture, snapshot).unwrap().contains("never committed"));
            assert!(reason(posture, b"refs/grill/local/a/baseline 1 refs/grill/b 2\n").is_some());
            // A session pushed over somebody's branch is a push of that branch.
            assert!(reason(posture, b"refs/grill/sessions/a 1111 refs/heads/main 2222\n").is_some());
        }
        assert_eq!(reason(&Posture::Inactive, MAIN), None);
        assert_eq!(reason(&Posture::Inactive, b"garbage"), None);
    }

    #[test]
    fn deletions_and_typed_expressions_are_read() {
        assert!(reason(&INTERVIEW, b"(delete) 0000 refs/heads/x 1111\n").unwrap().contains("'refs/heads/x'"));
        assert!(reason(&INTERVIEW, b"HEAD^{/fix it} 11 refs/tags/x 22\n").unwrap().contains("'refs/tags/x'"));
        assert_eq!(reason(&INTERVIEW, b"HEAD^{/fix it} 11 refs/grill/x 22\n"), None);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for bad in [b"refs/grill/a 1 refs/grill/a".as_slice(), b"a b c d", b"a\n", b"\n", b"a 1  2\n"] {
            assert!(reason(&INTERVIEW, bad).unwrap().contains("could not be read"), "{}", bad.escape_ascii());
        }
    }
}
