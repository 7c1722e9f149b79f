//! Everything that a step needs, before anything is written in the parent: what stands there, copied; the plan, made
//! again and compared; merges; the new files, converted; the note.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use rustix::fs::FileType;

use super::carry::TEMPORARY;
use super::kept::copied;
use super::merge::{Merged, Sides, merged};
use super::record::{Record, Turn, worktree_name};
use super::stage::{Entry, staged};
use super::state::{Shape, State, permissions_for};
use super::steps::{NEW, OLD, Steps};
use super::{Conflict, Foreseen, Order, Why, bases};
use crate::files::folders::{Folders, split, upwards};
use crate::git::Oid;
use crate::git::paths::{pieces, shortened};
use crate::git::tree::GITLINK;
use crate::lend::aside::Aside;
use crate::lend::changes::Changes;
use crate::lend::error::LendError;
use crate::lend::folder::LentFolder;
use crate::lend::notes::Notes;
use crate::lend::parent::Parent;
use crate::lend::plan::{AcceptPlan, Act, Clash, Planned};
use crate::lend::standing::propose;

const DOING: &str = "preparing the accept";

/// A step that can begin.
pub(super) struct Draft {
    pub record: Record,
    /// The new files.
    pub staged: Folders,
    /// The folder with copies of what stands.
    pub copies: PathBuf,
}

pub(super) enum Drafted {
    Ready(Box<Draft>),
    Conflicts(Vec<Conflict>),
}

pub(super) fn drafted(
    parent: &Parent<'_>,
    folder: &LentFolder,
    folders: &Folders,
    steps: &Steps,
    order: &Order<'_>,
) -> Result<Drafted, LendError> {
    let Order { changes, plan, .. } = *order;
    let (notes, naming) = (Notes::of(folder), changes.before.kind());
    plan.steps.iter().try_for_each(|step| is_ours(folders, step))?;
    // The copies come first: what is compared with the plan is what is kept, or it is found out.
    let copies = steps.emptied(OLD)?;
    let before = copied(folders, naming, &copies, plan.steps.iter().map(|step| step.path.as_slice()))?;
    let again = propose(parent, folder, changes)?;
    if again != *plan {
        return Err(LendError::ChangedMeanwhile { paths: differing(&again, plan) });
    }
    let aside = Aside::of(parent, &notes);
    let (entries, conflicts) = sides(&aside, folder, steps, plan)?;
    if !conflicts.is_empty() {
        return Ok(Drafted::Conflicts(conflicts));
    }
    let staged = staged(&aside, naming, folders, &steps.emptied(NEW)?, &entries)?;
    let turns = plan.steps.iter().zip(before).map(|(step, before)| {
        let after = after(&staged, step, before)?;
        Ok(Turn { path: step.path.clone(), before, after })
    });
    let mut turns = turns.collect::<Result<Vec<Turn>, LendError>>()?;
    // A merge may come to what the user has.
    turns.retain(|turn| turn.before != turn.after);
    let (stood, made) = around(folders, &turns).map_err(|error| LendError::failed(DOING, error))?;
    let record = Record {
        head: parent.start()?.commit,
        bases: (changes.before, bases::with_accepted(parent, &notes, changes, &turns)?),
        worktree: worktree_name(&parent.git_dir, &parent.common_dir),
        top: parent.top.as_os_str().as_bytes().to_vec(),
        index: in_index(parent, &turns)?,
        turns,
        stood,
        made,
    };
    Ok(Drafted::Ready(Box::new(Draft { record, staged, copies })))
}

/// Where the two do not fit together, and where a merge comes to what the user has.
pub(super) fn foreseen(
    parent: &Parent<'_>,
    folder: &LentFolder,
    steps: &Steps,
    changes: &Changes,
    plan: &AcceptPlan,
) -> Result<Foreseen, LendError> {
    let notes = Notes::of(folder);
    let (entries, conflicts) = sides(&Aside::of(parent, &notes), folder, steps, plan)?;
    let entries: BTreeMap<&[u8], Option<(u32, Oid)>> = entries.into_iter().collect();
    let (mut here, mut then): (Vec<Entry<'_>>, Vec<Entry<'_>>) = (Vec::new(), Vec::new());
    for step in &plan.steps {
        if let (Act::Merge { mode, ours, .. }, Some(side)) = (step.act, entries.get(step.path.as_slice())) {
            here.push((&step.path, Some((mode, ours))));
            then.push((&step.path, *side));
        }
    }
    let tree = |tree: Oid, entries: &[Entry<'_>]| bases::changed(parent, &notes, tree, entries);
    let trees = (tree(changes.before, &here)?, tree(changes.now, &then)?);
    let is_had = |step: &&Planned| match step.act {
        Act::Merge { ours, .. } => {
            !step.changes_mode
                && entries.get(step.path.as_slice()).is_some_and(|side| side.is_some_and(|(_, id)| id == ours))
        }
        Act::Write { .. } | Act::Delete | Act::Mode { .. } => false,
    };
    let already = plan.steps.iter().filter(is_had).map(|step| step.path.clone()).collect();
    Ok(Foreseen { conflicts, already, trees: Some(trees) })
}

/// Refuses what is another repository's, and names of ours.
fn is_ours(folders: &Folders, step: &Planned) -> Result<(), LendError> {
    let refused = |why: String| Err(LendError::failed(format!("accepting {}", shortened(&step.path)), why));
    if split(&step.path).1.starts_with(TEMPORARY.as_bytes()) {
        return refused("git grill itself writes files of such names".to_owned());
    }
    if matches!(step.act, Act::Write { mode: GITLINK, .. }) {
        return refused("it is a submodule".to_owned());
    }
    match folders.repository_around(&step.path) {
        Some(theirs) => refused(format!("{} is a repository of its own", shortened(theirs))),
        None => Ok(()),
    }
}

/// The paths at which two plans are not the same.
fn differing(one: &AcceptPlan, other: &AcceptPlan) -> Vec<Vec<u8>> {
    let acts = |plan: &AcceptPlan| -> BTreeMap<Vec<u8>, Act> {
        plan.steps.iter().map(|step| (step.path.clone(), step.act)).collect()
    };
    let (acts_of_one, acts_of_other) = (acts(one), acts(other));
    let paths: BTreeSet<&Vec<u8>> =
        acts_of_one.keys().chain(acts_of_other.keys()).chain(one.clashes.keys()).chain(&one.already).collect();
    let is_other = |path: &&&Vec<u8>| {
        acts_of_one.get(**path) != acts_of_other.get(**path) || one.clashes.get(**path) != other.clashes.get(**path)
    };
    paths.iter().filter(is_other).map(|path| (*path).clone()).collect()
}

/// What each path is to be in the form that git commits, and where that cannot be.
fn sides<'p>(
    aside: &Aside<'_>,
    folder: &LentFolder,
    steps: &Steps,
    plan: &'p AcceptPlan,
) -> Result<(Vec<Entry<'p>>, Vec<Conflict>), LendError> {
    let place = steps.emptied("merge")?;
    let (mut entries, mut conflicts): (Vec<Entry<'p>>, _) = (Vec::new(), Vec::new());
    for Planned { path, act, .. } in &plan.steps {
        let conflict = |why: Why| Conflict { path: path.clone(), why };
        match *act {
            Act::Write { mode, id } => entries.push((path.as_slice(), Some((mode, id)))),
            Act::Delete => entries.push((path.as_slice(), None)),
            // Its content is not converted anew.
            Act::Mode { .. } => {}
            Act::Merge { mode, base, ours, theirs } => {
                match merged(aside, &place, folder.handle(), path, &Sides { base, ours, theirs })? {
                    Merged::Whole(id) => entries.push((path.as_slice(), Some((mode, id)))),
                    Merged::Overlap(text) => conflicts.push(conflict(Why::Overlap(text))),
                    Merged::Binary => conflicts.push(conflict(Why::Clash(Clash::BothChanged))),
                }
            }
        }
    }
    let _ = steps.emptied("merge");
    Ok((entries, conflicts))
}

/// What stands at a path after the step.
///
/// Permissions change where git sees another mode alone: with `core.fileMode` off, those on the disk are the user's own.
fn after(staged: &Folders, step: &Planned, before: Option<State>) -> Result<Option<State>, LendError> {
    let failed = |why: &dyn std::fmt::Display| LendError::failed(format!("converting {}", shortened(&step.path)), why);
    let kept = |mode: u32| {
        let of = |before: u32| if step.changes_mode { permissions_for(mode, before) } else { before & 0o777 };
        before.map(|before| of(before.permissions))
    };
    Ok(match step.act {
        Act::Delete => None,
        Act::Mode { mode } => before.map(|before| State { permissions: kept(mode).unwrap_or(0), ..before }),
        Act::Write { id, .. } | Act::Merge { theirs: id, .. } => {
            let new = State::at(staged, id.kind(), &step.path).map_err(|error| failed(&error))?;
            let new = new.ok_or_else(|| failed(&"git wrote no file"))?;
            let was_file = before.is_some_and(|before| before.shape == Shape::File);
            Some(match kept(new.mode()) {
                Some(permissions) if was_file && new.shape == Shape::File => State { permissions, ..new },
                Some(_) | None => new,
            })
        }
    })
}

/// Folders with their permissions.
type Permissions = Vec<(Vec<u8>, u32)>;

/// The folders that may be left empty, with their permissions, and those that are made.
fn around(folders: &Folders, turns: &[Turn]) -> io::Result<(Permissions, Vec<Vec<u8>>)> {
    let (mut stood, mut made) = (BTreeMap::new(), BTreeSet::new());
    for turn in turns {
        for folder in upwards(split(&turn.path).0) {
            let found = folders.look(folder)?.filter(|found| found.kind == FileType::Directory);
            match (found, turn.after) {
                (Some(found), None) => {
                    stood.insert(folder.to_vec(), found.permissions());
                }
                (None, Some(_)) => {
                    made.insert(folder.to_vec());
                }
                (Some(_), Some(_)) | (None, None) => {}
            }
        }
    }
    Ok((stood.into_iter().collect(), made.into_iter().collect()))
}

/// What the index has at the paths, as git lists it.
pub(super) fn in_index(parent: &Parent<'_>, turns: &[Turn]) -> Result<Vec<Vec<u8>>, LendError> {
    let paths: BTreeSet<&[u8]> = turns.iter().map(|turn| turn.path.as_slice()).collect();
    let told = parent.ask(DOING, &["ls-files", "-z", "-s"])?;
    let is_meant = |line: &&[u8]| {
        let tab = line.iter().position(|byte| *byte == b'\t');
        tab.is_some_and(|tab| paths.contains(&line[tab + 1..]))
    };
    Ok(pieces(&told).filter(is_meant).map(<[u8]>::to_vec).collect())
}
