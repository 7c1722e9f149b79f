//! Accepting an agent's work: one step on the files of the parent's working tree, and its undo (A16, A39). Neither the
//! index nor a ref of the user's is touched, and the copy is only read.

mod back;
mod bases;
mod carry;
mod draft;
mod kept;
mod merge;
mod place;
mod record;
mod stage;
mod state;
mod steps;

use std::collections::BTreeSet;

use self::back::{Step, mended, others_are_whole};
use self::carry::Carrier;
use self::draft::{Draft, Drafted, drafted};
use self::kept::keep;
use self::record::Record;
use self::steps::{Doing, Stands, Steps, UnderWay, held};
use super::changes::Changes;
use super::error::LendError;
use super::folder::LentFolder;
use super::marks::ParentMarks;
use super::notes::{Notes, PARENT};
use super::parent::{Author, Parent};
use super::plan::{AcceptPlan, Act, Clash};
use crate::files::folders::Folders;
use crate::git::Oid;

pub use self::back::{Undone, is_cut_off, mend, newest, paths_of, standing_steps, undo};

/// A moment between two writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment<'a> {
    /// The journal says what is under way.
    Begun,
    /// The ref holds what stood there before.
    Kept,
    /// A path is about to be looked at and changed.
    Ready(&'a [u8]),
    /// It is about to take its place, or to go.
    Placing(&'a [u8]),
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
    /// The number of the step, and the ref that keeps what stood there; none where nothing was to be done.
    pub step: Option<(u32, String)>,
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

/// Carries a plan out, all of it or nothing.
pub fn apply(parent: &Parent<'_>, folder: &LentFolder, order: &Order<'_>) -> Result<Applied, LendError> {
    let clashes = order.plan.clashes.iter();
    let clashes: Vec<Conflict> =
        clashes.map(|(path, clash)| Conflict { path: path.clone(), why: Why::Clash(clash.clone()) }).collect();
    if !clashes.is_empty() {
        return Ok(Applied::Conflicts(clashes));
    }
    let _held = held(parent)?;
    others_are_whole(parent, folder)?;
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
        return Ok(Applied::Accepted(Accepted { step: None, paths }));
    }
    let number = steps.next(parent)?;
    let reference = folder.accept_reference(number);
    let name = format!("{}-{number}", folder.handle());
    let commit = keep(parent, steps.notes(), &copies, &record, &name, order.by)?;
    let step = Step { under_way: UnderWay { doing: Doing::Accept, number, commit }, record: &record };
    steps.begin(step.under_way)?;
    (order.watch)(Moment::Begun);
    let carrier = Carrier::of(&folders, &record, commit, order.watch);
    let done = || {
        parent.point(&reference, None, Some(commit))?;
        (order.watch)(Moment::Kept);
        carrier.forth(&staged)?;
        (order.watch)(Moment::Settled);
        notes.write_accepted(record.bases.1)?;
        expect(&notes, &folders, &record)?;
        steps.add(Stands { number, commit })
    };
    if let Err(error) = done() {
        return Err(step.given_up(parent, folder, &steps, &carrier, error));
    }
    (order.watch)(Moment::Noted);
    // It stands, and the next command takes away what is left of the journal.
    let _ = steps.end();
    Ok(Applied::Accepted(Accepted { step: Some((number, reference)), paths }))
}

/// What the merges of a plan come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreseen {
    pub conflicts: Vec<Conflict>,
    /// Paths at which the user has what comes of it already.
    pub already: BTreeSet<Vec<u8>>,
    /// The trees of the changes, with what the user has and what comes of it where both changed a file.
    pub trees: Option<(Oid, Oid)>,
}

/// What the merges of a plan come to, as [`apply`] would find; nothing is written.
pub fn foresee(
    parent: &Parent<'_>,
    folder: &LentFolder,
    changes: &Changes,
    plan: &AcceptPlan,
) -> Result<Foreseen, LendError> {
    if plan.steps.iter().any(|step| matches!(step.act, Act::Merge { .. })) {
        draft::foreseen(parent, folder, &Steps::of(folder)?, changes, plan)
    } else {
        Ok(Foreseen::default())
    }
}

fn opened(parent: &Parent<'_>) -> Result<Folders, LendError> {
    Folders::open(&parent.top).map_err(|error| LendError::failed("opening the working tree", error))
}

/// What stands at these paths now is no surprise later.
fn expect(notes: &Notes, folders: &Folders, record: &Record) -> Result<(), LendError> {
    match notes.read(PARENT)?.and_then(|bytes| ParentMarks::from_bytes(&bytes)) {
        Some(marks) => notes.write(PARENT, &marks.expecting(folders, record.paths()).to_bytes()),
        None => Ok(()),
    }
}
