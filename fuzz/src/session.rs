//! The files of a session's commit: what reads is written to files that read as the same, and everything that is ever
//! made of a session can be made of it.

use git_grill::app::ports::{Batch, StoreError};
use git_grill::domain::ids::QuestionId;
use git_grill::domain::session::Session;
use git_grill::interviewer;
use git_grill::render::status_line;
use git_grill::store::changes::{Change, between};
use git_grill::store::files::{Broken, read_session};
use git_grill::term::fit::width;

use super::tree::{Tree, tree};

pub fn run(data: &[u8]) {
    let files = tree(data);
    let session = match read_session(&files) {
        Ok(session) => session,
        Err(Broken::Newer { found }) => {
            assert!(found.parse::<u32>().is_ok_and(|format| format > 1), "{found}");
            return;
        }
        Err(Broken::Corrupt { what, why }) => {
            assert!(!what.is_empty() && !why.is_empty());
            return;
        }
    };
    // Anew from nothing.
    if let Some(written) = committed(&Tree::new(), None, &session) {
        let read = read_session(&written).unwrap_or_else(|broken| panic!("{broken:?}:\n{}", shown(&written)));
        assert_eq!(read, session, "{}", shown(&written));
    }
    // On top of what stood there, whoever wrote it.
    if let Some(written) = committed(&files, Some(&session), &session) {
        assert_eq!(read_session(&written).as_ref(), Ok(&session), "{}", shown(&written));
    }
    made_of(&session);
}

/// The files after a commit without events; none when a record is too large, or a draft has no place.
pub fn committed(parent: &Tree, before: Option<&Session>, after: &Session) -> Option<Tree> {
    let changes = match between(before, parent, Batch { events: &[], after, base: None }) {
        Ok(changes) => changes,
        Err(StoreError::TooLarge { .. } | StoreError::Git { .. }) => return None,
        Err(other) => panic!("{other:?}"),
    };
    let mut files = parent.clone();
    for (path, change) in changes {
        match change {
            Change::Put(bytes) => drop(files.insert(path, bytes)),
            Change::Remove => drop(files.remove(&path)),
        }
    }
    Some(files)
}

/// What the rest of the program asks of a session.
fn made_of(session: &Session) {
    let _ = session.pending();
    let _ = session.cited();
    let _ = session.open_question();
    let _ = session.to_reopen();
    let progress = session.transcript.progress();
    let all = progress.resolved + progress.unknown + progress.open + progress.deferred;
    assert!(usize::try_from(all).is_ok_and(|all| all <= session.transcript.asked.len()), "{progress:?}");
    let id = QuestionId::from_nonce(7);
    let _ = interviewer::next(session, id);
    for asked in &session.transcript.asked {
        let _ = interviewer::reword(session, asked);
    }
    let _ = interviewer::findings(session);
    for columns in [1, 40, 200] {
        let line = status_line(session, columns);
        assert!(width(&line) <= columns, "{line:?} in {columns} columns");
    }
}

pub fn shown(files: &Tree) -> String {
    files.iter().map(|(path, bytes)| format!("=== {path}\n{}", String::from_utf8_lossy(bytes))).collect()
}
