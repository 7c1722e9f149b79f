//! Baselines whose objects git has deleted: git fails on the ref to one, whatever else it is asked to collect. And those
//! of active sessions whose ref somebody deleted or moved.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use crate::app::error::AppError;
use crate::app::ports::{Code, Finding, Held, Severity, StoreError};
use crate::domain::ids::SessionId;
use crate::git::tree::GITLINK;
use crate::git::worktrees::{Worktree, present};
use crate::git::{Because, Error, Oid, Repo};
use crate::repo::baseline::{Noted, disown};
use crate::repo::open::open;
use crate::store::active;
use crate::store::mending::tip::{TipState, standing};

use super::super::guardian::HookProtection;
use super::Section;

/// Refs of baselines, and of what a restore replaced.
const FOLDER: &str = "refs/grill/local/";
/// Tips that were put aside are looked at elsewhere.
const KEPT: &str = "refs/grill/local/recovered/";
/// Entries of one tree that are looked at, at most.
const MOST: usize = 200_000;

/// Snapshots of the working tree.
pub(super) struct Baselines<'a> {
    pub guardian: &'a HookProtection<'a>,
}

impl Section for Baselines<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let repo = open(&self.guardian.env)?.repo;
        let mut found: Vec<Finding> = broken(&repo)?.iter().map(|(name, _)| of_ref(name)).collect();
        found.extend(lost(&repo)?.iter().map(|one| of_lost(&repo, one)));
        Ok(found)
    }

    fn mend(&self) -> Result<Vec<String>, AppError> {
        let opened = open(&self.guardian.env)?;
        let (repo, through_git) = (&opened.repo, opened.through_git(&self.guardian.env.process));
        let because = |message| Because { name: "git grill", email: "git-grill@localhost", seconds: 0, message };
        let (mut done, mut removed) = (Vec::new(), HashSet::new());
        for (name, commit) in broken(repo)? {
            through_git
                .point(&name, Some(commit), None, &because("grill: lost"))
                .map_err(|error| failed(format!("removing {name}"), error))?;
            done.push(format!("removed {name}, which named {commit}: git had deleted objects of it"));
            removed.insert(name);
        }
        for Lost { id, git_dir, noted } in lost(repo)? {
            let name = &noted.name;
            if let Some(whole) = newest_whole(repo, &noted) {
                through_git
                    .point(name, noted.tip, Some(whole), &because("grill: found again"))
                    .map_err(|error| failed(format!("setting {name}"), error))?;
                done.push(format!("set {name} again, to {whole}, which was taken in that worktree"));
            } else if removed.contains(name) {
                // It was told, and nothing of it can come back.
                disown(&git_dir, &id)?;
            }
        }
        Ok(done)
    }

    fn look(&self) -> String {
        format!("git for-each-ref {FOLDER}")
    }
}

fn of_ref(name: &str) -> Finding {
    let what = format!("objects of {name} are missing");
    let why = "git gc fails on it; a git gc --prune=now deleted them. Without that snapshot git grill can no longer \
               tell what changed during that session";
    Finding::new(Code::BaselineBroken, Severity::Error, what, why).fixable()
}

/// A baseline whose ref does not lead to it any more, of a session that is active in a worktree.
struct Lost {
    id: SessionId,
    git_dir: PathBuf,
    noted: Noted,
}

fn of_lost(repo: &Repo, Lost { id, noted, .. }: &Lost) -> Finding {
    let what = format!("the record of how things were at the start of session {id} is gone: {}", noted.why());
    let why = "what changed since cannot be named, neither by git grill verify nor at its end";
    let finding = Finding::new(Code::BaselineLost, Severity::Error, what, why).of(id);
    match newest_whole(repo, noted) {
        Some(_) => finding.fixable(),
        // Then what changes from now on is named.
        None => finding.typed(["git grill resume".to_owned()]),
    }
}

/// The lost baselines of the sessions that are active in some worktree. One that is over needs none.
fn lost(repo: &Repo) -> Result<Vec<Lost>, AppError> {
    let mut found = Vec::new();
    for Worktree { git_dir, .. } in present(repo.common_dir()) {
        let Ok(Some(id)) = active::pointer(repo, &git_dir) else { continue };
        let noted = Noted::of(repo, &git_dir, &id)?;
        let is_over = |standing: TipState| matches!(standing, TipState::Sound { session, .. } if session.is_closed());
        if noted.held() == Held::Lost && !is_over(standing(repo, &id)?) {
            found.push(Lost { id, git_dir, noted });
        }
    }
    Ok(found)
}

/// The newest snapshot of which nothing is missing.
fn newest_whole(repo: &Repo, noted: &Noted) -> Option<Oid> {
    let mut whole = HashSet::new();
    noted.taken.iter().copied().find(|commit| is_whole(repo, *commit, &mut whole).unwrap_or(false))
}

fn failed(doing: String, error: Error) -> StoreError {
    StoreError::Git { doing, why: error.0 }
}

/// Whether git left objects of this repository with a remote: packs of such a clone are marked.
fn is_partial(repo: &Repo) -> bool {
    let packs = fs::read_dir(repo.common_dir().join("objects/pack"));
    packs.into_iter().flatten().flatten().any(|entry| entry.path().extension().is_some_and(|end| end == "promisor"))
}

/// The refs whose commits are not whole.
fn broken(repo: &Repo) -> Result<Vec<(String, Oid)>, StoreError> {
    // What a partial clone left out is not lost: git fetches it when it is needed.
    if is_partial(repo) {
        return Ok(Vec::new());
    }
    let named = repo.below(FOLDER).map_err(|error| failed(format!("listing {FOLDER}"), error))?;
    let mut whole = HashSet::new();
    let ours = named.into_iter().filter(|(name, _)| !name.starts_with(KEPT));
    Ok(ours.filter(|(_, commit)| !is_whole(repo, *commit, &mut whole).unwrap_or(false)).collect())
}

/// Whether a commit and all in its tree are there. What is known to be whole is not looked at twice.
fn is_whole(repo: &Repo, commit: Oid, whole: &mut HashSet<Oid>) -> Result<bool, Error> {
    let Some(commit) = repo.commit(commit)? else { return Ok(false) };
    let (mut waiting, mut seen, mut met) = (vec![commit.tree], 0, HashSet::new());
    while let Some(tree) = waiting.pop() {
        if whole.contains(&tree) || !met.insert(tree) {
            continue;
        }
        for entry in repo.tree(tree)? {
            seen += 1;
            if entry.mode == GITLINK || seen > MOST {
                continue;
            }
            if entry.is_folder() {
                waiting.push(entry.id);
            } else if !whole.contains(&entry.id) && met.insert(entry.id) && !repo.seems_to_hold(entry.id) {
                return Ok(false);
            }
        }
    }
    whole.extend(met);
    Ok(commit.parents.iter().all(|parent| repo.seems_to_hold(*parent)))
}
