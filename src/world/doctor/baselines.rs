//! Baselines whose objects git has deleted. git fails on the ref to one, whatever else it is asked to collect.

use std::collections::HashSet;
use std::fs;

use crate::app::error::AppError;
use crate::app::ports::{Code, Finding, Severity, StoreError};
use crate::git::tree::GITLINK;
use crate::git::{Because, Error, Oid, Repo};
use crate::repo::open::open;

use super::super::guardian::HookGuardian;
use super::Section;

/// Refs of baselines, and of what a restore replaced.
const FOLDER: &str = "refs/grill/local/";
/// Tips that were put aside are looked at elsewhere.
const KEPT: &str = "refs/grill/local/recovered/";
/// Entries of one tree that are looked at, at most.
const MOST: usize = 200_000;

/// Snapshots of the working tree.
pub(super) struct Baselines<'a> {
    pub guardian: &'a HookGuardian<'a>,
}

impl Section for Baselines<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let repo = open(&self.guardian.env)?.repo;
        Ok(broken(&repo)?.iter().map(|(name, _)| of_ref(name)).collect())
    }

    fn mend(&self) -> Result<Vec<String>, AppError> {
        let opened = open(&self.guardian.env)?;
        let (repo, through_git) = (&opened.repo, opened.through_git(&self.guardian.env.process));
        let because = Because { name: "git grill", email: "git-grill@localhost", seconds: 0, message: "grill: lost" };
        let mut done = Vec::new();
        for (name, commit) in broken(repo)? {
            through_git
                .point(&name, Some(commit), None, &because)
                .map_err(|error| failed(format!("removing {name}"), error))?;
            done.push(format!("removed {name}, which named {commit}: git had deleted objects of it"));
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
