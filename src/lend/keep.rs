//! Keeping what is in a working copy, tracked and untracked, as a commit on a ref of ours in the parent, before
//! anything is tidied (A26), and beside it what the agent committed elsewhere. The ref only ever moves forward. Files
//! that `.worktreeinclude` brought in are left out.

use std::collections::BTreeSet;

use super::commits::{Commits, Tip, commits, forget, take_in};
use super::error::LendError;
use super::folder::LentFolder;
use super::left_out::{LeftOut, Why, ignored_in_words};
use super::notes::{Notes, TIDYING};
use super::own_git::ObjectsIn;
use super::parent::{Author, NewWork, Parent, named};
use super::survey::{Survey, survey};
use crate::domain::agents::beyond::Beyond;
use crate::git::object::parsed;
use crate::git::paths::shortened;
use crate::git::{Git, Oid};

/// How much of a commit's name a sentence shows.
const SHOWN: usize = 12;

/// Work that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptWork {
    /// The commit with all of it; the one the copy began at where nothing was changed.
    pub commit: Oid,
    pub reference: String,
    /// Whether the agent changed anything in its files.
    pub is_changed: bool,
    /// What else of the agent's is kept.
    pub commits: Vec<KeptCommits>,
    /// What is in the copy and is not kept.
    pub left_out: BTreeSet<LeftOut>,
    handle: String,
}

/// Commits of the agent's that are kept beside its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptCommits {
    pub id: Oid,
    pub reference: String,
    /// None where that is not known any more.
    pub what: Option<Beyond>,
}

impl KeptCommits {
    /// With the command that shows it, or brings it back.
    fn in_words(&self) -> String {
        let Self { reference, what, .. } = self;
        let Some(what) = what else {
            return format!("{reference} keeps more that the agent committed: git log {reference}");
        };
        match (what.is_stash(), what.commits) {
            (true, _) => format!("{what} is kept in {reference}: git stash apply {reference}"),
            (false, 0) => format!("{what} is kept in {reference}: git show {reference}"),
            (false, 1) => format!("{what} is kept in {reference}: git log {reference}"),
            (false, _) => format!("{what} are kept in {reference}: git log {reference}"),
        }
    }
}

impl KeptWork {
    /// How to get it back, in a sentence, and in one more for each that is kept beside it.
    pub fn in_words(&self) -> String {
        let Self { commit, reference, handle, is_changed, commits, left_out } = self;
        let short = &commit.to_string()[..SHOWN];
        let kept = if *is_changed {
            format!(
                "the work of {handle} is kept in {reference} ({short}); to make it a branch: git switch -c {handle} {reference}"
            )
        } else if commits.is_empty() {
            format!("{handle} changed nothing")
        } else {
            format!("{handle} changed no file")
        };
        let ignored = ignored_in_words(left_out);
        let ignored = (!ignored.is_empty()).then(|| format!("not kept: {ignored}"));
        let lines = std::iter::once(kept).chain(commits.iter().map(KeptCommits::in_words)).chain(ignored);
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Keeps the work of a session. Done twice, it adds nothing.
pub fn keep(parent: &Parent<'_>, folder: &LentFolder, by: Author<'_>) -> Result<KeptWork, LendError> {
    let start = Notes::of(folder).start()?;
    let Survey { tree, mut left_out } = survey(parent, folder, ObjectsIn::Parent)?;
    let commits = keep_commits(parent, folder, &mut left_out)?;
    let reference = folder.reference();
    let tip = parent.named(&reference)?;
    let is_changed = tree != start.tree;
    let has_it = match tip {
        Some(tip) => tree_of(parent, tip)? == Some(tree),
        None => !is_changed,
    };
    let commit = if has_it {
        tip.unwrap_or(start.commit)
    } else {
        let message =
            format!("work of {}\n\nEverything in its working copy, tracked and untracked.\n", folder.handle());
        let parents = [tip.unwrap_or(start.commit)];
        let commit = parent.commit(&NewWork { tree, parents: &parents, by, message: &message })?;
        parent.point(&reference, tip, Some(commit))?;
        commit
    };
    Ok(KeptWork { commit, reference, is_changed, commits, left_out, handle: folder.handle().to_owned() })
}

/// Whether the ref for the work of a session is there.
pub fn has_work(parent: &Parent<'_>, folder: &LentFolder) -> Result<bool, LendError> {
    Ok(parent.named(&folder.reference())?.is_some())
}

/// Keeps what the agent's own refs lead to, each on a ref of ours; one that leads there already is enough.
fn keep_commits(
    parent: &Parent<'_>,
    folder: &LentFolder,
    left_out: &mut BTreeSet<LeftOut>,
) -> Result<Vec<KeptCommits>, LendError> {
    let mut kept = commits_before(parent, folder)?;
    let Commits { tips, mut unkept } = commits(parent, folder)?;
    left_out.append(&mut unkept);
    if take_in(parent, folder, &tips).is_err() {
        let unread = |tip: Tip| LeftOut { path: tip.what.name.into_bytes(), why: Why::Commits };
        left_out.extend(tips.into_iter().map(unread));
        return Ok(kept);
    }
    let last = kept.iter().filter_map(|one| number(folder, &one.reference)).max().unwrap_or(0);
    for (tip, number) in tips.into_iter().zip(last + 1..) {
        let reference = folder.commits_reference(number);
        parent.point(&reference, None, Some(tip.id))?;
        kept.push(KeptCommits { id: tip.id, reference, what: Some(tip.what) });
    }
    Ok(kept)
}

/// The refs that keep commits of the agent's already.
fn commits_before(parent: &Parent<'_>, folder: &LentFolder) -> Result<Vec<KeptCommits>, LendError> {
    let pattern = format!("{}*", folder.commits_references());
    let told = parent.ask("listing what is kept", &["for-each-ref", "--format=%(objectname) %(refname)", &pattern])?;
    let told = String::from_utf8_lossy(&told).into_owned();
    let line = |line: &str| {
        let (id, reference) = line.split_once(' ')?;
        number(folder, reference)?;
        Some(KeptCommits { id: parsed(id)?, reference: reference.to_owned(), what: None })
    };
    Ok(told.lines().filter_map(line).collect())
}

fn number(folder: &LentFolder, reference: &str) -> Option<u32> {
    reference.strip_prefix(&folder.commits_references())?.parse().ok()
}

/// What was kept of a session when it was last done.
pub(super) fn kept_before(parent: &Parent<'_>, folder: &LentFolder) -> Result<KeptWork, LendError> {
    let start = Notes::of(folder).start()?;
    let reference = folder.reference();
    let commit = parent.named(&reference)?.unwrap_or(start.commit);
    let is_changed = tree_of(parent, commit)? != Some(start.tree);
    let (commits, handle) = (commits_before(parent, folder)?, folder.handle().to_owned());
    Ok(KeptWork { commit, reference, is_changed, commits, left_out: BTreeSet::new(), handle })
}

/// What a cleanup would keep, and what it would not, in a line each.
pub fn would_keep(parent: &Parent<'_>, folder: &LentFolder) -> Result<Vec<String>, LendError> {
    let notes = Notes::of(folder);
    if notes.read(TIDYING)?.is_some() {
        return Ok(kept_before(parent, folder)?.in_words().lines().map(str::to_owned).collect());
    }
    let (start, reference, handle) = (notes.start()?, folder.reference(), folder.handle());
    let Survey { tree, mut left_out } = survey(parent, folder, ObjectsIn::Own)?;
    let Commits { tips, mut unkept } = commits(parent, folder)?;
    left_out.append(&mut unkept);
    forget(folder);
    let before = commits_before(parent, folder)?;
    let is_kept = tree != start.tree || parent.named(&reference)?.is_some_and(|tip| tip != start.commit);
    let mut lines = Vec::new();
    lines.push(match (is_kept, tips.is_empty() && before.is_empty()) {
        (true, _) => format!("its work would be kept in {reference}"),
        (false, true) => format!("{handle} changed nothing"),
        (false, false) => format!("{handle} changed no file"),
    });
    lines.extend(before.iter().map(KeptCommits::in_words));
    lines.extend(tips.iter().map(|tip| format!("{} would be kept in a ref of its own", tip.what)));
    let ignored = ignored_in_words(&left_out);
    if !ignored.is_empty() {
        lines.push(format!("not kept: {ignored}"));
    }
    let lost: Vec<String> = left_out.iter().filter(|one| one.why.is_loss()).map(|one| shortened(&one.path)).collect();
    if !lost.is_empty() {
        lines.push(format!("this cannot be kept, and you are asked before it goes: {}", lost.join(", ")));
    }
    Ok(lines)
}

fn tree_of(parent: &Parent<'_>, commit: Oid) -> Result<Option<Oid>, LendError> {
    let name = format!("{commit}^{{tree}}");
    let git = Git::new(["rev-parse", "-q", "--verify", &name]).inside(&parent.common_dir).silent().reading();
    named(git, parent.process).map_err(|error| LendError::failed("reading what is kept", error))
}
