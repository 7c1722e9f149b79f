//! Accepting an agent's work: one step on the files of the parent's working tree, and its undo (A16, A39). Neither the
//! index nor a ref of the user's is touched, and the copy is only read.

mod carry;
mod draft;
mod kept;
mod merge;
mod record;
mod stage;
mod state;
mod steps;

use std::collections::BTreeSet;

use self::carry::Carrier;
use self::draft::{Draft, Drafted, drafted};
use self::kept::{keep, record_of};
use self::record::{Record, worktree_name};
use self::state::State;
use self::steps::{Doing, Steps, UnderWay, held};
use super::changes::Changes;
use super::error::LendError;
use super::folder::LentFolder;
use super::marks::ParentMarks;
use super::notes::{Notes, PARENT};
use super::parent::{Author, Parent};
use super::plan::{AcceptPlan, Clash};
use super::standing;
use crate::files::folders::Folders;

/// A moment between two writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment<'a> {
    /// The journal says what is under way.
    Begun,
    /// The ref holds what stood there before.
    Kept,
    /// A path is about to be looked at and changed.
    Ready(&'a [u8]),
    /// A path is changed.
    Changed(&'a [u8]),
    /// The files are as they are to be; nothing else is noted yet.
    Settled,
    /// Everything is noted, and the journal still there.
    Noted,
}

/// Hears of each moment as it comes, for a caller that shows how far it is.
pub type Watch<'a> = &'a dyn Fn(Moment<'_>);

/// What is accepted.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    /// What nobody has accepted yet, as [`super::changes::unaccepted`] tells, or some of it.
    pub changes: &'a Changes,
    /// What was proposed for them, and a person said yes to.
    pub plan: &'a AcceptPlan,
    /// In whose name is kept what stood there.
    pub by: Author<'a>,
    pub watch: Watch<'a>,
}

/// Why a path is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    Clash(Clash),
    /// Both changed the same lines; the text with git's markers, to be shown.
    Overlap(Vec<u8>),
}

/// A path at which both sides do not fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    pub path: Vec<u8>,
    pub why: Why,
}

/// A step that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The ref that keeps what stood there; none where nothing was to be done.
    pub reference: Option<String>,
    /// The paths that were changed.
    pub paths: Vec<Vec<u8>>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Applied {
    Accepted(Accepted),
    /// Nothing was written.
    Conflicts(Vec<Conflict>),
}

/// A step that is taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The ref that kept what stands there again.
    pub reference: String,
    pub paths: Vec<Vec<u8>>,
}

/// Carries a plan out, all of it or nothing.
pub fn apply(parent: &Parent<'_>, folder: &LentFolder, order: &Order<'_>) -> Result<Applied, LendError> {
    let clashes = order.plan.clashes.iter();
    let clashes: Vec<Conflict> =
        clashes.map(|(path, clash)| Conflict { path: path.clone(), why: Why::Clash(clash.clone()) }).collect();
    if !clashes.is_empty() {
        return Ok(Applied::Conflicts(clashes));
    }
    let _held = held(parent)?;
    let steps = Steps::of(folder)?;
    mended(parent, folder, &steps, order.watch)?;
    let notes = Notes::of(folder);
    if notes.accepted()? != order.changes.before {
        return Err(LendError::Wrong(format!("other work of {} was accepted meanwhile", folder.handle())));
    }
    let folders = opened(parent)?;
    let draft = match drafted(parent, folder, &folders, &steps, order)? {
        Drafted::Ready(draft) => *draft,
        Drafted::Conflicts(conflicts) => return Ok(Applied::Conflicts(conflicts)),
    };
    let Draft { record, staged, copies } = draft;
    let paths: Vec<Vec<u8>> = record.paths().map(<[u8]>::to_vec).collect();
    if paths.is_empty() {
        notes.write_accepted(record.bases.1)?;
        return Ok(Applied::Accepted(Accepted { reference: None, paths }));
    }
    let number = steps.next(parent)?;
    let (name, reference) = (format!("{}-{number}", folder.handle()), folder.accept_reference(number));
    let commit = keep(parent, steps.notes(), &copies, &record, &name, order.by)?;
    let step = Step { under_way: UnderWay { doing: Doing::Accept, number, commit }, record: &record };
    steps.begin(step.under_way)?;
    (order.watch)(Moment::Begun);
    let carrier = Carrier::of(&folders, &record, &name, order.watch);
    let done = parent.point(&reference, None, Some(commit)).and_then(|()| {
        (order.watch)(Moment::Kept);
        carrier.forth(&staged)
    });
    if let Err(error) = done {
        let written = carrier.changed();
        let left = step.take_back(parent, folder, &steps, &folders, order.watch, Some(&written))?;
        return Err(if left.is_empty() { error } else { LendError::NotTakenBack { paths: left, reference } });
    }
    (order.watch)(Moment::Settled);
    notes.write_accepted(record.bases.1)?;
    expect(&notes, &folders, &record)?;
    steps.add(number)?;
    (order.watch)(Moment::Noted);
    steps.end()?;
    Ok(Applied::Accepted(Accepted { reference: Some(reference), paths }))
}

/// Takes the newest step of a session back that stands. A step that was cut off is taken back instead, if there is one.
pub fn undo(parent: &Parent<'_>, folder: &LentFolder, watch: Watch<'_>) -> Result<Undone, LendError> {
    let _held = held(parent)?;
    let steps = Steps::of(folder)?;
    if let Some(undone) = mended(parent, folder, &steps, watch)? {
        return Ok(undone);
    }
    let nothing = || LendError::Wrong(format!("nothing of {} was accepted that can be undone", folder.handle()));
    let number = steps.newest()?.ok_or_else(nothing)?;
    let reference = folder.accept_reference(number);
    let gone = || LendError::Wrong(format!("{reference}, which kept what stood there, is gone"));
    let commit = parent.named(&reference)?.ok_or_else(gone)?;
    let record = record_of(parent, commit)?;
    is_here(parent, &record)?;
    let folders = opened(parent)?;
    let paths = changed_since(&folders, &record)?;
    if !paths.is_empty() {
        return Err(LendError::ChangedSince { paths });
    }
    let step = Step { under_way: UnderWay { doing: Doing::Undo, number, commit }, record: &record };
    steps.begin(step.under_way)?;
    watch(Moment::Begun);
    let left = step.take_back(parent, folder, &steps, &folders, watch, None)?;
    let paths = record.paths().map(<[u8]>::to_vec).collect();
    if left.is_empty() {
        Ok(Undone { reference, paths })
    } else {
        Err(LendError::NotTakenBack { paths: left, reference })
    }
}

/// The newest step of a session that stands.
pub fn newest(parent: &Parent<'_>, folder: &LentFolder) -> Result<Option<Undone>, LendError> {
    if folder.accepts().symlink_metadata().is_err() {
        return Ok(None);
    }
    let Some(number) = Steps::of(folder)?.newest()? else { return Ok(None) };
    let reference = folder.accept_reference(number);
    let Some(commit) = parent.named(&reference)? else { return Ok(None) };
    let paths = record_of(parent, commit)?.paths().map(<[u8]>::to_vec).collect();
    Ok(Some(Undone { reference, paths }))
}

/// Takes back what was cut off in the middle, or does an undo to its end; what was done so.
pub fn mend(parent: &Parent<'_>, folder: &LentFolder) -> Result<Option<Undone>, LendError> {
    if folder.accepts().symlink_metadata().is_err() || Steps::of(folder)?.under_way()?.is_none() {
        return Ok(None);
    }
    let _held = held(parent)?;
    mended(parent, folder, &Steps::of(folder)?, &|_| ())
}

/// [`mend`] with the lock held.
fn mended(
    parent: &Parent<'_>,
    folder: &LentFolder,
    steps: &Steps,
    watch: Watch<'_>,
) -> Result<Option<Undone>, LendError> {
    let Some(under_way) = steps.under_way()? else { return Ok(None) };
    if under_way.doing == Doing::Accept && steps.stands(under_way.number)? {
        // All of it was noted.
        steps.end()?;
        return Ok(None);
    }
    let record = record_of(parent, under_way.commit)?;
    is_here(parent, &record)?;
    let left = Step { under_way, record: &record }.take_back(parent, folder, steps, &opened(parent)?, watch, None)?;
    let reference = folder.accept_reference(under_way.number);
    if left.is_empty() {
        Ok(Some(Undone { reference, paths: record.paths().map(<[u8]>::to_vec).collect() }))
    } else {
        Err(LendError::NotTakenBack { paths: left, reference })
    }
}

struct Step<'r> {
    under_way: UnderWay,
    record: &'r Record,
}

impl Step<'_> {
    /// Brings back what was kept, and notes it; the paths that the user changed meanwhile, which stay. Where it is
    /// known which ones were written, the others do not count.
    fn take_back(
        &self,
        parent: &Parent<'_>,
        folder: &LentFolder,
        steps: &Steps,
        folders: &Folders,
        watch: Watch<'_>,
        written: Option<&BTreeSet<&[u8]>>,
    ) -> Result<Vec<Vec<u8>>, LendError> {
        let UnderWay { number, commit, .. } = self.under_way;
        let name = format!("{}-{number}", folder.handle());
        let left = Carrier::of(folders, self.record, &name, watch).back(parent)?;
        let counts = |path: &&&[u8]| written.is_none_or(|written| written.contains(**path));
        let left: Vec<Vec<u8>> = left.iter().filter(counts).map(|path| path.to_vec()).collect();
        watch(Moment::Settled);
        let notes = Notes::of(folder);
        if notes.are_there() {
            let (before, after) = self.record.bases;
            if notes.accepted()? == after {
                notes.write_accepted(before)?;
            }
            expect(&notes, folders, self.record)?;
        }
        steps.forget(number)?;
        let reference = folder.accept_reference(number);
        // What could not be brought back is to be found there.
        if left.is_empty() && parent.named(&reference)? == Some(commit) {
            parent.point(&reference, Some(commit), None)?;
        }
        watch(Moment::Noted);
        steps.end()?;
        Ok(left)
    }
}

fn opened(parent: &Parent<'_>) -> Result<Folders, LendError> {
    Folders::open(&parent.top).map_err(|error| LendError::failed("opening the working tree", error))
}

/// Refuses a step of another worktree.
fn is_here(parent: &Parent<'_>, record: &Record) -> Result<(), LendError> {
    if worktree_name(&parent.git_dir, &parent.common_dir) == record.worktree {
        return Ok(());
    }
    Err(LendError::Wrong("the work was accepted in another worktree of the repository".to_owned()))
}

/// What stands at these paths now is no surprise later.
fn expect(notes: &Notes, folders: &Folders, record: &Record) -> Result<(), LendError> {
    match notes.read(PARENT)?.and_then(|bytes| ParentMarks::from_bytes(&bytes)) {
        Some(marks) => notes.write(PARENT, &marks.expecting(folders, record.paths()).to_bytes()),
        None => Ok(()),
    }
}

/// The paths at which something else stands than the step left there.
fn changed_since(folders: &Folders, record: &Record) -> Result<Vec<Vec<u8>>, LendError> {
    let mut changed = BTreeSet::new();
    let left: BTreeSet<&[u8]> =
        record.turns.iter().filter(|turn| turn.after.is_some()).map(|turn| turn.path.as_slice()).collect();
    for turn in &record.turns {
        let now = State::at(folders, record.head.kind(), &turn.path);
        let now = now.map_err(|error| LendError::failed("reading what was accepted", error))?;
        if now != turn.after {
            changed.insert(turn.path.clone());
        }
        // A folder that the step made where a file was, and what the user has put in it.
        if turn.after.is_none() && folders.folder(&turn.path).is_ok() {
            let mut below = BTreeSet::new();
            standing::below(folders, &turn.path, &mut below)?;
            changed.extend(below.into_iter().filter(|path| !left.contains(path.as_slice())));
        }
    }
    Ok(changed.into_iter().collect())
}
