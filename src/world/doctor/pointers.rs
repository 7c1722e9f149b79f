//! Whether the pointer of each worktree leads to a session.

use std::path::Path;

use crate::app::ending::of_ended;
use crate::app::error::AppError;
use crate::app::ports::{Code, Finding, Listed, ListedState, Severity, StoreError};
use crate::domain::ids::SessionId;
use crate::files::regular;
use crate::git::Repo;
use crate::git::object::parsed;
use crate::git::worktrees::{Worktree, is_same, present};
use crate::repo::open::open;
use crate::store::active::{self, POINTER};
use crate::store::files;
use crate::store::listing;
use crate::store::mending::tip::{TipState, standing};
use crate::store::tree::CommitFiles;

use super::super::guardian::HookProtection;
use super::{Section, shell_word};

/// The pointers of all worktrees.
pub(super) struct Pointers<'a> {
    pub guardian: &'a HookProtection<'a>,
}

impl Section for Pointers<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let repo = open(&self.guardian.env)?.repo;
        let here = &self.guardian.place.git_dir;
        let mut found = broken(&repo, here)?;
        found.extend(ended(&repo, here)?);
        Ok(found)
    }

    fn mend(&self) -> Result<Vec<String>, AppError> {
        let opened = open(&self.guardian.env)?;
        let through_git = Repo::Program(opened.through_git(&self.guardian.env.process));
        Ok(mend(&opened.repo, &through_git)?)
    }

    fn look(&self) -> String {
        "git worktree list".to_owned()
    }
}

/// The pointers that name no session. One whose session is gone is found with the session.
fn broken(repo: &Repo, here: &Path) -> Result<Vec<Finding>, AppError> {
    let mut found = Vec::new();
    for Worktree { git_dir, folder } in present(repo.common_dir()) {
        let error = match active::pointer(repo, &git_dir) {
            Ok(_) => continue,
            Err(error @ StoreError::BadPointer { .. }) => error,
            Err(other) => return Err(other.into()),
        };
        let StoreError::BadPointer { why: what } = error else { continue };
        let what = format!("{POINTER} in {} is broken: {what}", folder.display());
        let finding = |why: String| Finding::new(Code::BadPointer, Severity::Error, what, why);
        if let Some(id) = detached(repo, &git_dir) {
            let why = format!("it names a commit of session {id} instead of the session, which git gc does not keep");
            found.push(finding(why).fixable());
            continue;
        }
        let place = place(&git_dir, here, &folder);
        let unknown = finding("nobody knows which session is active there; what it was is for you to say".to_owned());
        let stop = format!("git{place} grill stop --without-output");
        found.push(match resumable(repo)? {
            Some(id) => unknown.typed([format!("git{place} grill resume {id}"), stop]),
            None => unknown.typed([stop]),
        });
    }
    Ok(found)
}

/// The pointers to sessions that are over: whoever ended them was cut off before taking them away.
fn ended(repo: &Repo, here: &Path) -> Result<Vec<Finding>, AppError> {
    let mut found = Vec::new();
    for Worktree { git_dir, folder } in present(repo.common_dir()) {
        let Ok(Some(id)) = active::pointer(repo, &git_dir) else { continue };
        let TipState::Sound { session, .. } = standing(repo, &id)? else { continue };
        if session.is_closed() {
            let finding = of_ended(&id, &folder.display().to_string());
            found.push(match place(&git_dir, here, &folder).as_str() {
                "" => finding,
                place => finding.typed([format!("git{place} grill stop")]),
            });
        }
    }
    Ok(found)
}

/// What git has to be told to work in a worktree: nothing here.
pub(super) fn place(git_dir: &Path, here: &Path, folder: &Path) -> String {
    if is_same(git_dir, here) { String::new() } else { format!(" -C {}", shell_word(folder)) }
}

/// What a worktree could go on with: the unfinished session that is active nowhere and changed last, this clone's own first,
/// if there is one.
fn resumable(repo: &Repo) -> Result<Option<SessionId>, StoreError> {
    let unfinished = |state: &ListedState| state.phase != "closed";
    let ids: Vec<SessionId> = listing::ids(repo)?.into_iter().rev().collect();
    let mut listed = listing::list_entries(repo, &ids);
    listed.sort_by_key(|one| !listing::recorded_here(repo, &one.id));
    let likely = |one: &&Listed| one.active_in.is_none() && one.state.as_ref().is_ok_and(unfinished);
    Ok(listed.iter().find(likely).map(|one| one.id.clone()))
}

/// The session of which a pointer names a commit instead of the ref, if the session can be read and is active nowhere.
fn detached(repo: &Repo, git_dir: &Path) -> Option<SessionId> {
    if repo.is_reftable() {
        // There git says of such a one that there is none.
        return None;
    }
    let text = regular::text(git_dir.join(POINTER), regular::SHORT).ok()?;
    let session = files::read_session(&CommitFiles::plainly(repo, parsed(text.trim())?).ok()?).ok()?;
    let taken = present(repo.common_dir())
        .iter()
        .any(|other| matches!(active::pointer(repo, &other.git_dir), Ok(Some(active)) if active == session.id));
    let sound = matches!(standing(repo, &session.id), Ok(TipState::Sound { .. }));
    (sound && !taken).then_some(session.id)
}

/// Has the pointers that name a commit name its session; what was done.
fn mend(repo: &Repo, through_git: &Repo) -> Result<Vec<String>, StoreError> {
    let Repo::Program(program) = through_git else { return Ok(Vec::new()) };
    let mut done = Vec::new();
    for Worktree { git_dir, folder } in present(repo.common_dir()) {
        if let Some(id) = detached(repo, &git_dir) {
            let doing = || format!("setting {POINTER} in {}", folder.display());
            program
                .at(&git_dir)
                .point_symbolic(POINTER, &id.ref_name(), "grill: active")
                .map_err(|error| StoreError::Git { doing: doing(), why: error.0 })?;
            done.push(format!("{POINTER} in {} names session {id} again", folder.display()));
        }
    }
    Ok(done)
}
