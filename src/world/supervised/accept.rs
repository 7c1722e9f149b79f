//! Taking an agent's work over into the working tree that we are called in, and taking that back (A16, A39). The files and
//! the journal of a step are `lend`'s; here is when a step may be, and that the ledger tells of it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Supervised;
use super::copy::{Held, held, id, in_words};
use super::errors::{declined, kept, no_copy, not_accepted, not_undone};
use super::parent::{author, copy_folder, parent_of};
use super::steps::{Deed, acceptance, whole};
use crate::app::error::AppError;
use crate::app::ports::{AcceptConflict, AcceptFate, AcceptOutcome, AcceptStep, Accepting, Offer, OfferedFile, ToUndo};
use crate::domain::agents::acceptance::{AcceptedBy, MayAccept};
use crate::domain::agents::changed::ChangedFiles;
use crate::domain::agents::{AgentHandle, Refusal};
use crate::git::object::parsed;
use crate::git::paths::{quoted, shortened};
use crate::ledger::SessionFolder;
use crate::ledger::reader::read;
use crate::lend::accept::{Applied, Foreseen, Order, Undone, Why, apply, foresee, newest, undo};
use crate::lend::caution::Caution;
use crate::lend::changes::{ChangedFile, Changes, Reader, accepted_paths, diff, unaccepted};
use crate::lend::keep::has_work;
use crate::lend::plan::{AcceptPlan, Act, Clash};
use crate::lend::standing::propose;
use crate::lend::{LendError, LentFolder, Parent, Why as NotTaken};
use crate::world::clock::GitClock;
use crate::world::failure::failed;
use crate::world::interrupted::Interrupted;

const DEED: &str = "nothing was accepted";
const UNDO: &str = "nothing was taken back";

/// The most changed lines of a file that are shown.
const MOST_LINES: u64 = 20_000;
/// Files whose difference git is asked for at once.
const AT_ONCE: usize = 500;
/// The most bytes of a difference that are shown.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// A session's copy, with nobody else at it.
struct AtCopy {
    folder: SessionFolder,
    copy: LentFolder,
    parent: Parent<'static>,
    held: Held,
}

impl Accepting for Supervised<'_> {
    fn may_accept(&self) -> Result<MayAccept, AppError> {
        Ok(self.config.may_accept()?)
    }

    fn offer(&self, handle: AgentHandle) -> Result<Offer, AppError> {
        let refused = |error: LendError| not_accepted(&error);
        let (place, cut_off) = self.place(handle)?;
        let (changes, plan) = place.compared().map_err(refused)?;
        let below = place.parent.below_top(&self.environment.cwd).unwrap_or_default();
        let foreseen = foresee(&place.parent, &place.copy, &changes, &plan).map_err(refused)?;
        let mut files: Vec<&ChangedFile> = changes.files.iter().collect();
        let rank =
            |file: &&ChangedFile| plan.steps.iter().position(|step| step.path == file.path).unwrap_or(plan.steps.len());
        files.sort_by_key(rank);
        let left_out = changes
            .left_out
            .iter()
            .filter(|one| one.why != NotTaken::Ignored)
            .map(|one| (shortened(&one.path), one.why.in_words()))
            .collect();
        let (before, now) = foreseen.trees.unwrap_or((changes.before, changes.now));
        Ok(Offer {
            files: files.into_iter().map(|file| offered(file, &plan, &foreseen)).collect(),
            left_out,
            undone: cut_off.map(|undone| step(undone, false, None)),
            accepted: accepted_paths(&place.parent, &place.copy).map_err(refused)?,
            below: below.into_os_string().into_encoded_bytes(),
            unnamed: 0,
            trees: (before.to_string(), now.to_string()),
        })
    }

    fn difference(&self, handle: AgentHandle, offer: &Offer, files: &[&OfferedFile]) -> Result<String, AppError> {
        let (place, _) = self.place(handle)?;
        let ids = (parsed(&offer.trees.0), parsed(&offer.trees.1));
        let (Some(before), Some(now)) = ids else { return Ok(String::new()) };
        let (left_out, none) = (BTreeSet::new(), Vec::new());
        let changes = Changes { before, now, files: Vec::new(), left_out, parent: none };
        let (short, long): (Vec<_>, Vec<_>) = files.iter().copied().partition(|file| file.file.size() <= MOST_LINES);
        let mut bytes = Vec::new();
        for some in short.chunks(AT_ONCE) {
            let paths: Vec<Vec<u8>> = some.iter().map(|file| file.path.clone()).collect();
            let difference = diff(&place.parent, &place.copy, &changes, &paths, Reader::Person);
            bytes.extend(difference.map_err(|error| not_accepted(&error))?);
            if bytes.len() > MOST_BYTES {
                break;
            }
        }
        let mut text = bounded(&bytes, handle);
        for file in long {
            let (path, lines) = (&file.file.path, file.file.size());
            let _ = writeln!(
                text,
                "{path}: {lines} changed lines are not shown; git grill agent changes {handle} has them"
            );
        }
        Ok(text)
    }

    fn accept(&self, handle: AgentHandle, files: &[&OfferedFile], by: &AcceptedBy) -> Result<AcceptOutcome, AppError> {
        let (place, _) = self.place(handle)?;
        let refused = |error: LendError| not_accepted(&error);
        let (changes, plan) = place.compared().map_err(refused)?;
        let is_other = |file: &&&OfferedFile| {
            let now = changes.files.iter().find(|one| one.path == file.path);
            now.is_none_or(|now| offered(now, &plan, &Foreseen::default()).seen != file.seen)
        };
        let paths: Vec<Vec<u8>> = files.iter().filter(is_other).map(|file| file.path.clone()).collect();
        if !paths.is_empty() {
            return Err(refused(LendError::ChangedMeanwhile { paths }));
        }
        let chosen: BTreeSet<Vec<u8>> = files.iter().map(|file| file.path.clone()).collect();
        let changes = changes.only(&chosen);
        let plan = propose(&place.parent, &place.copy, &changes).map_err(refused)?;
        let clock = GitClock::new(self.environment);
        let who = author(self.environment, self.config, &clock);
        let order = Order { changes: &changes, plan: &plan, by: who.by(), watch: &|_| () };
        let _calm = uninterrupted()?;
        let accepted = match apply(&place.parent, &place.copy, &order).map_err(refused)? {
            Applied::Accepted(accepted) => accepted,
            Applied::Conflicts(conflicts) => {
                return Ok(AcceptOutcome::Conflicts(
                    conflicts.iter().map(|one| conflict(&one.path, &one.why)).collect(),
                ));
            }
        };
        // The files are as they are to be: from here on nothing is an error.
        let rest = place.rest().ok();
        let count = rest.as_ref().map(ChangedFiles::count);
        // Its supervisor may wait for the copy, and answers nobody meanwhile.
        drop(place.held);
        let (mut kept, mut unrecorded) = (None, None);
        if let Some((number, reference)) = accepted.step {
            let told = Deed::Accepted.told(acceptance(by, number, &accepted.paths), rest);
            unrecorded = self.recorded(&place.folder, &told).err().map(|error| error.to_string());
            kept = Some(reference);
        }
        let shown = accepted.paths.iter().map(|path| quoted(path)).collect();
        Ok(AcceptOutcome::Accepted { paths: accepted.paths, shown, kept, rest: count, unrecorded })
    }

    fn to_undo(&self, handle: AgentHandle) -> Result<ToUndo, AppError> {
        let folder = self.folder(handle)?;
        may_record(&folder, UNDO)?;
        self.unwatched(&folder, &self.reconciled(&folder)?, UNDO)?;
        let copy = copy_folder(folder.path(), handle)?;
        let parent = parent_of(&self.opened()?, UNDO)?;
        let cut_off = self.settled(&folder, &copy, &parent)?;
        if let Some(undone) = cut_off {
            return Ok(ToUndo::CutOff(step(undone, false, None)));
        }
        let newest = newest(&parent, &copy).map_err(|error| not_accepted(&error))?;
        let (newest, differs) = newest.ok_or_else(|| not_accepted(&LendError::nothing_to_undo(&copy)))?;
        let by = self.reconciled(&folder)?.accepts.get(&newest.number).cloned();
        Ok(ToUndo::Step(step(newest, differs, None), by))
    }

    fn take_back(&self, handle: AgentHandle, number: u32, by: &AcceptedBy) -> Result<AcceptStep, AppError> {
        let folder = self.folder(handle)?;
        may_record(&folder, UNDO)?;
        self.unwatched(&folder, &self.reconciled(&folder)?, UNDO)?;
        let copy = copy_folder(folder.path(), handle)?;
        let held = held(folder.path())?;
        let parent = parent_of(&self.opened()?, UNDO)?;
        let _calm = uninterrupted()?;
        let undone = undo(&parent, &copy, Some(number), &|_| ())
            .map_err(|error| not_undone(&error, &parent, &copy, &self.environment.cwd))?;
        let place = AtCopy { folder, copy, parent, held };
        // Of a copy that was cleaned up nothing can be accepted any more.
        let is_there = place.copy.copy().symlink_metadata().is_ok();
        let rest = if is_there { place.rest().ok() } else { Some(ChangedFiles::default()) };
        drop(place.held);
        let told = Deed::Undone.told(acceptance(by, undone.number, &undone.paths), rest);
        let unrecorded = self.recorded(&place.folder, &told).err().map(|error| error.to_string());
        whole(&undone)?;
        let reference = place.copy.reference();
        let is_kept = !is_there && has_work(&place.parent, &place.copy).unwrap_or(false);
        Ok(AcceptStep { work: is_kept.then_some(reference), ..step(undone, false, unrecorded) })
    }
}

impl Supervised<'_> {
    /// The copy of a session that rests, and an accept of before that was cut off and is taken back now.
    fn place(&self, handle: AgentHandle) -> Result<(AtCopy, Option<Undone>), AppError> {
        let folder = self.folder(handle)?;
        may_record(&folder, DEED)?;
        let session = self.reconciled(&folder)?;
        let not_ready = |lacks| declined(&Refusal::NotReady { deed: DEED, handle, lacks });
        if !session.started.profile.needs_worktree() {
            return Err(not_ready("has a profile that changes no files"));
        }
        if let Some(turn) = session.active_turn().map(|turn| turn.handle) {
            return Err(declined(&Refusal::TurnActive { deed: DEED, handle, turn }));
        }
        self.unwatched(&folder, &session, DEED)?;
        let copy = copy_folder(folder.path(), handle)?;
        if session.proof.is_none() || copy.copy().symlink_metadata().is_err() {
            return Err(no_copy(DEED, &session));
        }
        let parent = parent_of(&self.opened()?, DEED)?;
        let cut_off = self.settled(&folder, &copy, &parent)?;
        let held = held(folder.path())?;
        Ok((AtCopy { folder, copy, parent, held }, cut_off))
    }
}

impl AtCopy {
    /// What nobody accepted yet, and what accepting it would do.
    fn compared(&self) -> Result<(Changes, AcceptPlan), LendError> {
        let changes = unaccepted(&self.parent, &self.copy)?;
        let plan = propose(&self.parent, &self.copy, &changes)?;
        Ok((changes, plan))
    }

    fn rest(&self) -> Result<ChangedFiles, LendError> {
        Ok(in_words(&unaccepted(&self.parent, &self.copy)?))
    }
}

/// While this is there, a signal that can be caught ends nothing half-way.
fn uninterrupted() -> Result<Interrupted, AppError> {
    Interrupted::watch().map_err(|error| failed("io", "nothing was written", &error, None))
}

/// Refuses where the ledger is read-only for us.
fn may_record(folder: &SessionFolder, deed: &'static str) -> Result<(), AppError> {
    let handle = folder.handle();
    match read(folder).map_err(kept)?.newer {
        Some(_) => Err(declined(&Refusal::NotReady { deed, handle, lacks: "was written by a newer git grill" })),
        None => Ok(()),
    }
}

/// A difference as far as it is shown.
fn bounded(bytes: &[u8], handle: AgentHandle) -> String {
    match bytes.get(..MOST_BYTES) {
        Some(shown) => {
            let shown = String::from_utf8_lossy(shown);
            format!("{shown}\nthe rest is not shown; git grill agent changes {handle} has all of it\n")
        }
        None => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn step(undone: Undone, differs: bool, unrecorded: Option<String>) -> AcceptStep {
    let shown = undone.paths.iter().map(|path| quoted(path)).collect();
    let Undone { number, reference: kept, paths, head, others, restaged, .. } = undone;
    AcceptStep { number, kept, paths, shown, others, head: id(head), restaged, differs, work: None, unrecorded }
}

fn offered(file: &ChangedFile, plan: &AcceptPlan, foreseen: &Foreseen) -> OfferedFile {
    let planned = plan.steps.iter().find(|step| step.path == file.path);
    let clash = plan.clashes.get(&file.path);
    let overlap = foreseen.conflicts.iter().find(|one| one.path == file.path).map(|one| conflict(&one.path, &one.why));
    let fate = match (clash, planned.map(|step| step.act)) {
        (Some(clash), _) => AcceptFate::Clash(clash.in_words()),
        (None, Some(Act::Merge { .. })) if let Some(overlap) = &overlap => AcceptFate::Clash(overlap.why.clone()),
        (None, Some(Act::Merge { .. })) if foreseen.already.contains(&file.path) => AcceptFate::Already,
        (None, Some(Act::Merge { .. })) => AcceptFate::Merged,
        (None, Some(Act::Write { .. } | Act::Delete | Act::Mode { .. })) => AcceptFate::Taken,
        (None, None) => AcceptFate::Already,
    };
    OfferedFile {
        file: super::copy::shown(file),
        path: file.path.clone(),
        cautions: planned
            .map(|step| step.cautions.iter().copied().map(Caution::in_words).collect())
            .unwrap_or_default(),
        runs_in_git: planned.is_some_and(|step| step.cautions.contains(&Caution::Configured)),
        overlap: overlap.and_then(|overlap| overlap.text),
        seen: format!("{:?} {:?} {:?} {clash:?}", file.before, file.now, planned.map(|step| step.act)),
        fate,
    }
}

fn conflict(path: &[u8], why: &Why) -> AcceptConflict {
    let (why, text) = match why {
        Why::Clash(clash) => (Clash::in_words(clash), None),
        Why::Overlap(text) => {
            ("you and the agent changed the same lines".to_owned(), Some(String::from_utf8_lossy(text).into_owned()))
        }
    };
    AcceptConflict { path: quoted(path), why, text }
}
