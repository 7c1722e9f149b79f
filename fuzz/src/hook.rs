//! What git tells hooks: in a read-only phase only what changes nothing passes, and what cannot be read does not.

use std::ffi::OsString;

use git_grill::domain::posture::{Posture, ReadOnlyPhase};
use git_grill::hooks::run_hook;
use git_grill::policy::half_done::UnderWay;
use git_grill::policy::ref_line::{RefName, RefValue, parse};
use git_grill::policy::refs::{CommitShape, PackedRefs, RefFacts, Unreadable};

/// Where every ref of the repository stands.
const NOW: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/// A repository on `main` whose refs all stand at [`NOW`].
struct Facts;

impl RefFacts for Facts {
    fn current(&self, name: &RefName) -> Result<Option<RefValue>, Unreadable> {
        Ok(Some(match name.as_bytes() {
            b"HEAD" => RefValue::Symbolic(b"refs/heads/main".to_vec()),
            _ => RefValue::Object(NOW.to_owned()),
        }))
    }

    fn packed_refs(&self) -> PackedRefs {
        PackedRefs::Unlocked
    }

    fn is_hidden(&self, _name: &RefName) -> bool {
        false
    }

    fn packed(&self, _name: &RefName) -> Result<Option<String>, Unreadable> {
        Ok(None)
    }

    fn head_branch(&self) -> Result<Option<RefName>, Unreadable> {
        Ok(Some(RefName::new(*b"refs/heads/main")))
    }

    fn commit(&self, id: &str) -> Result<CommitShape, Unreadable> {
        let paths = if id.starts_with('b') { vec![b"docs/a.md".to_vec()] } else { vec![b"src/main.rs".to_vec()] };
        Ok(CommitShape { parents: vec![NOW.to_owned()], paths, no_files: Vec::new(), message: Vec::new() })
    }

    fn pointed_to(&self) -> Option<RefName> {
        Some(RefName::new(*b"refs/grill/sessions/x"))
    }

    fn under_way(&self) -> Option<UnderWay> {
        None
    }
}

pub fn run(data: &[u8]) {
    let Some((&which, stdin)) = data.split_first() else { return };
    lines(stdin);
    let (name, args): (&str, Vec<OsString>) = match which {
        b'p' => ("pre-push", vec!["origin".into(), "url".into()]),
        _ => ("reference-transaction", vec!["prepared".into()]),
    };
    let reading = |phase| Posture::ReadOnly { phase };
    let postures = [
        reading(ReadOnlyPhase::Interview),
        reading(ReadOnlyPhase::OutputSelection),
        Posture::Output { paths: vec!["docs/a.md".to_owned()] },
        Posture::Inactive,
    ];
    for posture in postures {
        let outcome = run_hook(name, &args, &mut &*stdin, &posture, &Facts);
        let passed = outcome.code == 0;
        assert_eq!(passed, outcome.stderr.is_empty(), "a no says why, a yes nothing: {outcome:?}");
        match &posture {
            Posture::Inactive | Posture::Open => assert!(passed),
            Posture::ReadOnly { .. } if name == "pre-push" => assert!(!passed || only_ours_leave(stdin)),
            Posture::ReadOnly { .. } => assert!(!passed || nothing_moves(stdin), "{}", stdin.escape_ascii()),
            Posture::Output { .. } if name == "pre-push" => assert!(!passed || only_ours_leave(stdin)),
            Posture::Output { .. } => assert!(!passed || branches_take_the_plan(stdin), "{}", stdin.escape_ascii()),
        }
        assert!(!outcome.stderr.chars().any(|one| one != '\n' && one.is_control()), "{:?}", outcome.stderr);
    }
}

/// What reads as the lines of a transaction is what was written there.
fn lines(stdin: &[u8]) {
    let Ok(lines) = parse(stdin) else { return };
    let count = stdin.split(|byte| *byte == b'\n').count() - 1;
    assert_eq!(lines.len(), count);
    for (line, told) in lines.iter().zip(stdin.split(|byte| *byte == b'\n')) {
        assert!(told.ends_with(line.name.as_bytes()));
        assert_eq!(told.split(|byte| *byte == b' ').count(), 3);
    }
}

/// Only our own sessions leave, read from the end of each line.
fn only_ours_leave(stdin: &[u8]) -> bool {
    let lines = stdin.strip_suffix(b"\n").map(|body| body.split(|byte| *byte == b'\n'));
    stdin.is_empty()
        || lines.is_some_and(|mut lines| {
            lines.all(|line| {
                let name = line.rsplit(|byte| *byte == b' ').nth(1).unwrap_or_default();
                name.starts_with(b"refs/grill/") && !name.starts_with(b"refs/grill/local/")
            })
        })
}

fn each_line(stdin: &[u8], holds: impl Fn(&[u8], &[u8], &[u8]) -> bool) -> bool {
    stdin.is_empty()
        || stdin.strip_suffix(b"\n").is_some_and(|body| {
            body.split(|byte| *byte == b'\n').all(|line| {
                let fields: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
                matches!(*fields.as_slice(), [old, new, name] if holds(old, new, name))
            })
        })
}

/// No branch, tag or HEAD gets another value than the one that it has.
fn nothing_moves(stdin: &[u8]) -> bool {
    each_line(stdin, |_, new, name| match name {
        b"HEAD" | b"ORIG_HEAD" => false,
        _ if name.starts_with(b"refs/heads/") || name.starts_with(b"refs/tags/") || name == b"refs/stash" => {
            new == NOW.as_bytes()
        }
        _ => true,
    })
}

/// A branch that moves goes to a commit of planned files.
fn branches_take_the_plan(stdin: &[u8]) -> bool {
    each_line(stdin, |_, new, name| {
        !name.starts_with(b"refs/heads/")
            || new == NOW.as_bytes()
            || new.first() == Some(&b'b')
            || new.iter().all(|byte| *byte == b'0')
    })
}
