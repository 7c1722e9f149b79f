//! Taking a step back: by the user's wish, or because it was cut off or failed.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::carry::Carrier;
use super::draft::in_index;
use super::kept::record_of;
use super::record::{Record, Turn, worktree_name};
use super::state::State;
use super::steps::{Doing, Stands, Steps, UnderWay, held, is_free};
use super::{Moment, Watch, bases, expect, opened};
use crate::files::folders::Folders;
use crate::git::Oid;
use crate::git::worktrees::Linked;
use crate::lend::error::LendError;
use crate::lend::folder::LentFolder;
use crate::lend::notes::Notes;
use crate::lend::own_git::os;
use crate::lend::parent::Parent;
use crate::lend::standing;

/// A step that is taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The number of the step among those of its session.
    pub number: u32,
    /// The ref that kept what stands there again.
    pub reference: String,
    pub paths: Vec<Vec<u8>>,
    /// Those of the paths that the user changed meanwhile: they stay as they are, and the ref as well.
    pub left: Vec<Vec<u8>>,
    /// Where HEAD was before the step.
    pub head: Oid,
    /// How many other steps of the session stand.
    pub others: usize,
    /// Those of the paths that have another entry in the index than before the step, once it was taken back; none where that
    /// cannot be told.
    pub restaged: Vec<Vec<u8>>,
}

impl Undone {
    /// What is to be taken back.
    fn of(step: &Step<'_>, folder: &LentFolder, steps: &Steps) -> Result<Self, LendError> {
        let UnderWay { number, .. } = step.under_way;
        let paths = step.record.paths().map(<[u8]>::to_vec).collect();
        let others = steps.all()?.iter().filter(|one| one.number != number).count();
        let (reference, head) = (folder.accept_reference(number), step.record.head);
        Ok(Self { number, reference, paths, left: Vec::new(), head, others, restaged: Vec::new() })
    }

    /// It was taken back, apart from what is left. The files are as they are to be: from here on nothing is an error.
    fn now(self, parent: &Parent<'_>, record: &Record, left: Vec<Vec<u8>>) -> Self {
        Self { left, restaged: restaged(parent, record).unwrap_or_default(), ..self }
    }
}

/// Takes the newest step of a session back that stands, which must be this one where one is named. A step that was cut off
/// is taken back instead, if there is one.
pub fn undo(
    parent: &Parent<'_>,
    folder: &LentFolder,
    wanted: Option<u32>,
    watch: Watch<'_>,
) -> Result<Undone, LendError> {
    let _held = held(parent)?;
    others_are_whole(parent, folder)?;
    let steps = Steps::of(folder)?;
    if let Some(undone) = mended(parent, folder, &steps, watch)? {
        return Ok(undone);
    }
    let newest = newest_here(parent, &steps)?;
    let Stands { number, commit } = newest.ok_or_else(|| LendError::nothing_to_undo(folder))?;
    if wanted.is_some_and(|wanted| wanted != number) {
        let why = format!("nothing was undone: the newest accept of {} is another one by now", folder.handle());
        return Err(LendError::Wrong(why));
    }
    let record = record_of(parent, commit)?.ok_or_else(|| gone(folder, number))?;
    is_here(parent, &record)?;
    let folders = opened(parent)?;
    let paths = changed_since(&folders, &record)?;
    if !paths.is_empty() {
        return Err(match accepted_since(parent, folder, &folders, &paths)? {
            Some(handle) => LendError::AcceptedSince { handle, paths },
            None => LendError::ChangedSince { paths },
        });
    }
    let step = Step { under_way: UnderWay { doing: Doing::Undo, number, commit }, record: &record };
    steps.begin(step.under_way)?;
    watch(Moment::Begun);
    let left = step.take_back(parent, folder, &steps, &folders, watch, None)?;
    Ok(Undone::of(&step, folder, &steps)?.now(parent, &record, left))
}

/// The newest step of a session that stands, and whether any of its files is not as it was before.
pub fn newest(parent: &Parent<'_>, folder: &LentFolder) -> Result<Option<(Undone, bool)>, LendError> {
    let Some(steps) = Steps::found(folder)? else { return Ok(None) };
    let Some(Stands { number, commit }) = newest_here(parent, &steps)? else { return Ok(None) };
    let record = record_of(parent, commit)?.ok_or_else(|| gone(folder, number))?;
    is_here(parent, &record)?;
    let step = Step { under_way: UnderWay { doing: Doing::Undo, number, commit }, record: &record };
    let folders = opened(parent)?;
    let is_as_before =
        |turn: &Turn| State::at(&folders, record.head.kind(), &turn.path).is_ok_and(|now| now == turn.before);
    let differs = !record.turns.iter().all(is_as_before);
    Ok(Some((Undone::of(&step, folder, &steps)?, differs)))
}

/// The numbers of the steps of a session that stand.
pub fn standing_steps(folder: &LentFolder) -> Result<Vec<u32>, LendError> {
    let Some(steps) = Steps::found(folder)? else { return Ok(Vec::new()) };
    Ok(steps.all()?.iter().map(|step| step.number).collect())
}

/// The paths that a step changed which stands; none where that is not known any more.
pub fn paths_of(parent: &Parent<'_>, folder: &LentFolder, number: u32) -> Result<Vec<Vec<u8>>, LendError> {
    let all = Steps::of(folder)?.all()?;
    let Some(step) = all.iter().find(|step| step.number == number) else { return Ok(Vec::new()) };
    let record = record_of(parent, step.commit)?;
    Ok(record.iter().flat_map(Record::paths).map(<[u8]>::to_vec).collect())
}

/// Takes back what was cut off in the middle, or does an undo to its end; what was done so.
pub fn mend(parent: &Parent<'_>, folder: &LentFolder) -> Result<Option<Undone>, LendError> {
    let Some(steps) = Steps::found(folder)? else { return Ok(None) };
    if steps.under_way()?.is_none() {
        return Ok(None);
    }
    let _held = held(parent)?;
    mended(parent, folder, &steps, &|_| ())
}

/// Whether a step of a session was cut off, and nobody is at it now: its files may be half written.
pub fn is_cut_off(common_dir: &Path, folder: &LentFolder) -> Result<bool, LendError> {
    let Some(steps) = Steps::found(folder)? else { return Ok(false) };
    Ok(is_half_done(&steps)? && is_free(common_dir))
}

fn is_half_done(steps: &Steps) -> Result<bool, LendError> {
    let Some(under_way) = steps.under_way()? else { return Ok(false) };
    Ok(under_way.doing == Doing::Undo || !steps.stands(under_way.number)?)
}

/// Refuses where another session's files are half written in this working tree: what is compared then is nobody's.
pub(super) fn others_are_whole(parent: &Parent<'_>, folder: &LentFolder) -> Result<(), LendError> {
    for (handle, steps) in others(folder)? {
        if let Some(under_way) = steps.under_way()?
            && is_half_done(&steps)?
            && record_of(parent, under_way.commit)?.is_none_or(|record| is_here(parent, &record).is_ok())
        {
            return Err(LendError::HalfDone { handle });
        }
    }
    Ok(())
}

/// The steps of the other sessions of which something was accepted once.
fn others(folder: &LentFolder) -> Result<Vec<(String, Steps)>, LendError> {
    let all = fs::read_dir(folder.root()).map_err(|error| LendError::failed("listing the agent sessions", error))?;
    let mut others = Vec::new();
    for entry in all.flatten() {
        let Some(handle) = entry.file_name().to_str().map(str::to_owned) else { continue };
        let Ok(other) = LentFolder::of(folder.root(), &handle) else { continue };
        if handle != folder.handle()
            && let Some(steps) = Steps::found(&other)?
        {
            others.push((handle, steps));
        }
    }
    Ok(others)
}

/// Another session of which a step left one of these paths as it is now.
fn accepted_since(
    parent: &Parent<'_>,
    folder: &LentFolder,
    folders: &Folders,
    paths: &[Vec<u8>],
) -> Result<Option<String>, LendError> {
    for (handle, steps) in others(folder)? {
        for step in steps.all()? {
            let Some(record) = record_of(parent, step.commit)? else { continue };
            let is_left = |turn: &Turn| {
                paths.contains(&turn.path)
                    && State::at(folders, record.head.kind(), &turn.path).is_ok_and(|now| now == turn.after)
            };
            if record.turns.iter().any(is_left) {
                return Ok(Some(handle));
            }
        }
    }
    Ok(None)
}

/// The newest step that stands. Those in worktrees that were removed are forgotten: their files went with them.
fn newest_here(parent: &Parent<'_>, steps: &Steps) -> Result<Option<Stands>, LendError> {
    while let Some(step) = steps.newest()? {
        match record_of(parent, step.commit)? {
            Some(record) if is_removed(parent, &record) => steps.forget(step.number)?,
            Some(_) | None => return Ok(Some(step)),
        }
    }
    Ok(None)
}

/// [`mend`] with the lock held.
pub(super) fn mended(
    parent: &Parent<'_>,
    folder: &LentFolder,
    steps: &Steps,
    watch: Watch<'_>,
) -> Result<Option<Undone>, LendError> {
    let Some(under_way) = steps.under_way()? else { return Ok(None) };
    if !is_half_done(steps)? {
        // All of it was noted.
        steps.end()?;
        return Ok(None);
    }
    let Some(record) = record_of(parent, under_way.commit)? else {
        // There will never be anything to go by: whoever is told of it goes on without. Copies stay for a while.
        steps.forget(under_way.number)?;
        steps.let_go()?;
        return Err(gone(folder, under_way.number));
    };
    if is_removed(parent, &record) {
        steps.forget(under_way.number)?;
        steps.end()?;
        return Ok(None);
    }
    is_here(parent, &record)?;
    let step = Step { under_way, record: &record };
    let left = step.take_back(parent, folder, steps, &opened(parent)?, watch, None)?;
    Ok(Some(Undone::of(&step, folder, steps)?.now(parent, &record, left)))
}

fn gone(folder: &LentFolder, number: u32) -> LendError {
    LendError::Gone { reference: folder.accept_reference(number) }
}

pub(super) struct Step<'r> {
    pub under_way: UnderWay,
    pub record: &'r Record,
}

impl Step<'_> {
    /// The error of a step that failed with this one, once what it has written is taken back at once.
    pub(super) fn given_up(
        &self,
        parent: &Parent<'_>,
        folder: &LentFolder,
        steps: &Steps,
        carrier: &Carrier<'_>,
        error: LendError,
    ) -> LendError {
        let written = carrier.changed();
        match self.take_back(parent, folder, steps, carrier.folders(), carrier.watch(), Some(&written)) {
            Ok(left) if left.is_empty() => error,
            Ok(paths) => LendError::NotTakenBack { paths, reference: folder.accept_reference(self.under_way.number) },
            Err(_) => LendError::Stuck { handle: folder.handle().to_owned(), why: error.to_string() },
        }
    }

    /// Brings back what was kept, and notes it; the paths that the user changed meanwhile, which stay.
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
        let left = Carrier::of(folders, self.record, commit, watch).back(parent, written)?;
        let left: Vec<Vec<u8>> = left.iter().map(|path| path.to_vec()).collect();
        watch(Moment::Settled);
        let notes = Notes::of(folder);
        if notes.are_there() {
            let accepted = notes.accepted()?;
            let before = bases::without(parent, &notes, accepted, self.record)?;
            if before != accepted {
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

/// Refuses a step of another working tree. One that was moved is the same one.
fn is_here(parent: &Parent<'_>, record: &Record) -> Result<(), LendError> {
    if worktree_name(&parent.git_dir, &parent.common_dir) != record.worktree {
        return Err(LendError::OtherWorktree { top: top_of(parent, record) });
    }
    let top = Path::new(os(&record.top));
    let identity = |top: &Path| fs::metadata(top).map(|about| (about.dev(), about.ino()));
    match (identity(top), identity(&parent.top)) {
        (Ok(then), Ok(now)) if then != now => Err(LendError::OtherTop { top: top.to_owned() }),
        (Ok(_) | Err(_), Ok(_) | Err(_)) => Ok(()),
    }
}

/// The linked worktree of a step, as the repository has it noted; none for the main one.
fn linked(parent: &Parent<'_>, record: &Record) -> Option<Linked> {
    Linked::at(&parent.common_dir.join(os(&record.worktree))).ok().flatten()
}

fn is_removed(parent: &Parent<'_>, record: &Record) -> bool {
    // Its folder alone may be away for a while.
    !record.worktree.is_empty() && linked(parent, record).is_none()
}

/// The top of the worktree of a step.
fn top_of(parent: &Parent<'_>, record: &Record) -> Option<PathBuf> {
    if record.worktree.is_empty() {
        return parent.common_dir.parent().map(Path::to_owned);
    }
    linked(parent, record)?.folder().map(Path::to_owned)
}

/// The paths that have another entry in the index than before a step.
fn restaged(parent: &Parent<'_>, record: &Record) -> Result<Vec<Vec<u8>>, LendError> {
    let now = in_index(parent, &record.turns)?;
    let entries = |all: &[Vec<u8>], path: &[u8]| -> Vec<Vec<u8>> {
        let is_at = |entry: &&Vec<u8>| entry.splitn(2, |byte| *byte == b'\t').nth(1) == Some(path);
        all.iter().filter(is_at).cloned().collect()
    };
    let differs = |path: &&[u8]| entries(&now, path) != entries(&record.index, path);
    Ok(record.paths().filter(differs).map(<[u8]>::to_vec).collect())
}

/// The paths at which something else stands than the step left there.
fn changed_since(folders: &Folders, record: &Record) -> Result<Vec<Vec<u8>>, LendError> {
    let mut changed = BTreeSet::new();
    let left: BTreeSet<&[u8]> =
        record.turns.iter().filter(|turn| turn.after.is_some()).map(|turn| turn.path.as_slice()).collect();
    for turn in &record.turns {
        let now = State::at(folders, record.head.kind(), &turn.path);
        let now = now.map_err(|error| LendError::failed("reading what was accepted", error))?;
        // What is as it was, as after git revert, is taken back already.
        if now != turn.after && now != turn.before {
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
