//! Golden sessions: Markdown whose `console` blocks are run with the real program and compared with what they show.
//!
//! In such a block a line `$ command` is run by a shell, `> ` lines right below continue it, and what follows is its
//! output: standard output as it is, standard error behind `2| `, a last line `[exit 3]` unless the code is 0. All
//! commands of a file run one after another in one bench. Above them, comments choose the world:
//!
//! ```text
//! <!-- bench: new | agent (one knows `scripted`, which plays ../script.json) | empty | spaced | bare | nowhere | project <name of a folder in fixtures/projects> -->
//! <!-- global-config: grill.approval=script -->
//! ```
//!
//! Right below a command, `? text` and `< keys` have a person type it at a terminal: once a prompt stands below the text,
//! the keys are typed, and Enter. `?` alone is a terminal at which nothing is typed. What follows is the screen as it
//! stands in the end.
//!
//! What differs from run to run is normalised: the temporary directory is `$DIR`, object ids are `<oid>`, question
//! and answer ids `q-#1`, `a-#1` and session ids `20261121-slug-#1`, numbered as they appear in the file; a command
//! names them as `{q-#1}` and `{session-#1}`. An expected line `...` stands for any number of lines. An output line
//! that looks like part of this form has a backslash in front, and control characters are spelt out.
//!
//! `GRILL_BLESS=1 cargo test golden` rewrites what does not match, but no file in which a command ends with another exit
//! code: `GRILL_BLESS=ends` does.

mod compare;
pub mod names;
mod planted;
pub mod play;
mod replayed;
pub mod script;

use std::path::{Path, PathBuf};

use compare::Mismatch;
use play::play;

use crate::bench::side_by_side;

/// Every golden session, and the README once there is one.
fn sessions() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("fixtures/sessions").read_dir().unwrap();
    let mut all: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    all.extend(Some(root.join("README.md")).filter(|readme| readme.exists()));
    all.sort();
    all
}

#[test]
fn golden_sessions_play_as_written() {
    let sessions = sessions();
    assert!(!sessions.is_empty(), "there is no golden session");
    let reports = side_by_side(&sessions, |path| check(path)).concat();
    assert!(reports.is_empty(), "{reports}");
}

/// Plays one file; gives what did not match, unless it was asked to write that down as the new truth.
fn check(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let played = play(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let ends_otherwise = played.mismatches.iter().any(Mismatch::ends_otherwise);
    if std::env::var_os("GRILL_BLESS").is_some_and(|bless| bless == "ends" || !ends_otherwise) {
        if played.blessed != text {
            std::fs::write(path, played.blessed).unwrap();
        }
        return String::new();
    }
    let report = |mismatch| format!("\n{}:{mismatch}", path.display());
    played.mismatches.iter().map(report).collect()
}
