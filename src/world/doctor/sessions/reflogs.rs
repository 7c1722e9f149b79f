//! Entries of reflogs that would have git's `gc` fail, left when mending was cut off.

use crate::app::ports::{Code, Finding, Severity};
use crate::git::{Oid, Program};
use crate::repo::open::Opened;
use crate::store::mending::{keeping, reflog, tip};

/// Those that name a commit of which a note says that it is lost.
pub(super) fn entries(opened: &Opened, program: &Program) -> Vec<Finding> {
    let repo = &opened.repo;
    let mut found = Vec::new();
    for (id, lost) in keeping::noted(repo.common_dir()) {
        let logged = reflog::logged(repo, &id.ref_name()).unwrap_or_default();
        let now = tip::named(program, &id.ref_name()).ok().and_then(|named| named.object());
        let broken = |commit: &&Oid| {
            Some(**commit) != now
                && logged.iter().any(|entry| entry.commit == **commit)
                && keeping::pieces(repo, **commit).is_ok_and(|pieces| !pieces.whole)
        };
        if let Some(commit) = lost.iter().find(broken) {
            let what = format!("the reflog of session {id} names {commit}, of which something is missing");
            let why = "git gc and git fsck stumble over it";
            found.push(Finding::new(Code::ReflogEntry, Severity::Error, what, why).fixable().of(&id));
        }
    }
    found
}
