//! Taking an agent's work over into the working tree that we are called in, and taking that back (A16, A39). The files and
//! the journal of a step are `lend`'s; here is when a step may be, and that the ledger tells of it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Supervised;
use super::copy::{Held, held, in_words};
use super::errors::{declined, done, kept, not_accepted};
use super::parent::{author, copy_folder, parent_of};
use super::wire::Asked;
use crate::app::error::AppError;
use crate::app::ports::{AcceptConflict, AcceptFate, AcceptOutcome, AcceptStep, Accepting, Offer, OfferedFile};
use crate::domain::agents::acceptance::{Acceptance, AcceptedBy, MayAccept};
use crate::domain::agents::changed::ChangedFiles;
use crate::domain::agents::{AgentHandle, Command, Refusal};
use crate::git::object::parsed;
use crate::git::paths::quoted;
use crate::ledger::SessionFolder;
use crate::ledger::reader::read;
use crate::lend::accept::{Applied, Order, Undone, Why, apply, mend, newest, undo};
use crate::lend::caution::Caution;
use crate::lend::changes::{ChangedFile, Changes, Reader, diff, unaccepted};
use crate::lend::plan::{AcceptPlan, Act, Clash};
use crate::lend::standing::propose;
use crate::lend::{LendError, LentFolder, Parent};
use crate::world::clock::GitClock;

const DEED: &str = "nothing was accepted";
const UNDO: &str = "nothing was taken back";

/// The most changed lines of a file that are shown.
const MOST_LINES: u64 = 20_000;
/// The most bytes of a difference that are shown.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// A session's copy, with nobody else at it.
struct Place {
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
        let place = self.place(handle)?;
        let mended = mend(&place.parent, &place.copy).map_err(|error| not_accepted(&error))?;
        let (changes, plan) = place.compared().map_err(|error| not_accepted(&error))?;
        let mut files: Vec<&ChangedFile> = changes.files.iter().collect();
        let rank =
            |file: &&ChangedFile| plan.steps.iter().position(|step| step.path == file.path).unwrap_or(plan.steps.len());
        files.sort_by_key(rank);
        let left_out = changes.left_out.iter().map(|one| (quoted(&one.path), one.why.in_words())).collect();
        Ok(Offer {
            files: files.into_iter().map(|file| offered(file, &plan)).collect(),
            left_out,
            undone: mended.map(|undone| step(undone).shown).unwrap_or_default(),
            trees: (changes.before.to_string(), changes.now.to_string()),
        })
    }

    fn difference(&self, handle: AgentHandle, offer: &Offer, files: &[&OfferedFile]) -> Result<String, AppError> {
        let place = self.place(handle)?;
        let ids = (parsed(&offer.trees.0), parsed(&offer.trees.1));
        let (Some(before), Some(now)) = ids else { return Ok(String::new()) };
        let (left_out, none) = (BTreeSet::new(), Vec::new());
        let changes = Changes { before, now, files: Vec::new(), left_out, parent: none };
        let (short, long): (Vec<_>, Vec<_>) = files.iter().copied().partition(|file| file.file.size() <= MOST_LINES);
        let mut text = String::new();
        if !short.is_empty() {
            let paths: Vec<Vec<u8>> = short.iter().map(|file| file.path.clone()).collect();
            let bytes = diff(&place.parent, &place.copy, &changes, &paths, Reader::Person);
            text = bounded(&bytes.map_err(|error| not_accepted(&error))?);
        }
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
        let place = self.place(handle)?;
        let failed = |error: LendError| not_accepted(&error);
        let (changes, plan) = place.compared().map_err(failed)?;
        let is_other = |file: &&&OfferedFile| {
            let now = changes.files.iter().find(|one| one.path == file.path);
            now.is_none_or(|now| offered(now, &plan).seen != file.seen)
        };
        let paths: Vec<Vec<u8>> = files.iter().filter(is_other).map(|file| file.path.clone()).collect();
        if !paths.is_empty() {
            return Err(failed(LendError::ChangedMeanwhile { paths }));
        }
        let chosen: BTreeSet<Vec<u8>> = files.iter().map(|file| file.path.clone()).collect();
        let changes = changes.only(&chosen);
        let plan = propose(&place.parent, &place.copy, &changes).map_err(failed)?;
        let clock = GitClock::new(self.environment);
        let who = author(self.environment, self.config, &clock);
        let order = Order { changes: &changes, plan: &plan, by: who.by(), watch: &|_| () };
        let accepted = match apply(&place.parent, &place.copy, &order).map_err(failed)? {
            Applied::Accepted(accepted) => accepted,
            Applied::Conflicts(conflicts) => {
                return Ok(AcceptOutcome::Conflicts(
                    conflicts.iter().map(|one| conflict(&one.path, &one.why)).collect(),
                ));
            }
        };
        let rest = place.rest().map_err(failed)?;
        let count = rest.count();
        // Its supervisor may wait for the copy, and answers nobody meanwhile.
        drop(place.held);
        if !accepted.paths.is_empty() {
            let acceptance = acceptance(by, &accepted.paths);
            let command = Command::RecordAccept { acceptance: acceptance.clone(), rest: rest.clone() };
            self.recorded(&place.folder, &Asked::Accepted { acceptance, rest }, &command)?;
        }
        let shown = accepted.paths.iter().map(|path| quoted(path)).collect();
        Ok(AcceptOutcome::Accepted { paths: accepted.paths, shown, kept: accepted.reference, rest: count })
    }

    fn newest_accept(&self, handle: AgentHandle) -> Result<Option<AcceptStep>, AppError> {
        let folder = self.folder(handle)?;
        let copy = copy_folder(folder.path(), handle)?;
        let newest = newest(&parent_of(&self.opened()?, UNDO)?, &copy).map_err(|error| not_accepted(&error))?;
        Ok(newest.map(step))
    }

    fn take_back(&self, handle: AgentHandle, by: &AcceptedBy) -> Result<AcceptStep, AppError> {
        let folder = self.folder(handle)?;
        may_record(&folder, UNDO)?;
        let copy = copy_folder(folder.path(), handle)?;
        let held = held(folder.path())?;
        let parent = parent_of(&self.opened()?, UNDO)?;
        let undone = undo(&parent, &copy, &|_| ()).map_err(|error| not_accepted(&error))?;
        let place = Place { folder, copy, parent, held };
        // Of a copy that was cleaned up nothing can be accepted any more.
        let is_there = place.copy.copy().symlink_metadata().is_ok();
        let rest = if is_there { place.rest().map_err(|error| not_accepted(&error))? } else { ChangedFiles::default() };
        drop(place.held);
        let acceptance = acceptance(by, &undone.paths);
        let command = Command::RecordUndo { acceptance: acceptance.clone(), rest: rest.clone() };
        self.recorded(&place.folder, &Asked::TakenBack { acceptance, rest }, &command)?;
        Ok(step(undone))
    }
}

impl Supervised<'_> {
    /// The copy of a session that rests.
    fn place(&self, handle: AgentHandle) -> Result<Place, AppError> {
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
        let copy = copy_folder(folder.path(), handle)?;
        if session.proof.is_none() || copy.copy().symlink_metadata().is_err() {
            return Err(not_ready("has no copy any more"));
        }
        let held = held(folder.path())?;
        Ok(Place { copy, parent: parent_of(&self.opened()?, DEED)?, folder, held })
    }

    /// Records a step, by the supervisor where one is there.
    fn recorded(&self, folder: &SessionFolder, asked: &Asked, command: &Command) -> Result<(), AppError> {
        match self.ask(folder, asked)? {
            Some(told) => done(told),
            None => self.act(folder, command),
        }
    }
}

impl Place {
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

/// Refuses where the ledger is read-only for us.
fn may_record(folder: &SessionFolder, deed: &'static str) -> Result<(), AppError> {
    let handle = folder.handle();
    match read(folder).map_err(kept)?.newer {
        Some(_) => Err(declined(&Refusal::NotReady { deed, handle, lacks: "was written by a newer git grill" })),
        None => Ok(()),
    }
}

/// A difference as far as it is shown.
fn bounded(bytes: &[u8]) -> String {
    match bytes.get(..MOST_BYTES) {
        Some(shown) => {
            format!("{}\n{} more bytes are not shown\n", String::from_utf8_lossy(shown), bytes.len() - MOST_BYTES)
        }
        None => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn acceptance(by: &AcceptedBy, paths: &[Vec<u8>]) -> Acceptance {
    let paths = paths.iter().map(|path| String::from_utf8_lossy(path).into_owned());
    Acceptance { by: by.clone(), files: ChangedFiles::new(paths) }
}

fn step(undone: Undone) -> AcceptStep {
    let shown = undone.paths.iter().map(|path| quoted(path)).collect();
    AcceptStep { kept: undone.reference, paths: undone.paths, shown }
}

fn offered(file: &ChangedFile, plan: &AcceptPlan) -> OfferedFile {
    let planned = plan.steps.iter().find(|step| step.path == file.path);
    let clash = plan.clashes.get(&file.path);
    let fate = match (clash, planned.map(|step| step.act)) {
        (Some(clash), _) => AcceptFate::Clash(clash.in_words()),
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
