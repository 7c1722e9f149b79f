//! Which steps of a session stand, and which one is under way: files beside its copy, which stay when the copy goes.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::files::lock::{self, Failure};
use crate::git::Oid;
use crate::git::object::parsed;
use crate::lend::error::LendError;
use crate::lend::folder::LentFolder;
use crate::lend::notes::Notes;
use crate::lend::parent::Parent;

/// In the git directory that all worktrees share.
const LOCK: &str = "grill/accept.lock";
/// How long another accept is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// The highest number that was used, and a line for each step that stands.
const STANDING: &str = "standing";
const JOURNAL: &str = "journal";
const STANDING_GONE: &str = "no earlier accept of this session can be undone then";
const JOURNAL_GONE: &str = "an accept that was interrupted stays as it is then";

/// Waits until no other process accepts or undoes anything in this repository.
pub(super) fn held(parent: &Parent<'_>) -> Result<File, LendError> {
    match lock::wait(&parent.common_dir.join(LOCK), PATIENCE) {
        Ok(file) | Err(Failure::Unsupported { file, .. }) => Ok(file),
        Err(Failure::Busy) => Err(LendError::Wrong("another process is accepting work here".to_owned())),
        Err(Failure::File { action, path, source }) => {
            Err(LendError::failed(format!("{action} of {}", path.display()), source))
        }
    }
}

/// Whether nobody accepts or undoes anything in this repository just now.
pub(super) fn is_free(common_dir: &Path) -> bool {
    let path = common_dir.join(LOCK);
    path.symlink_metadata().is_err() || lock::unheld(&path).is_some()
}

/// What a step was cut off at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    Accept,
    Undo,
}

/// A step that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnderWay {
    pub doing: Doing,
    pub number: u32,
    pub commit: Oid,
}

impl UnderWay {
    fn to_line(self) -> String {
        let word = match self.doing {
            Doing::Accept => "accept",
            Doing::Undo => "undo",
        };
        format!("{word} {} {}\n", self.number, self.commit)
    }

    fn from_line(line: &str) -> Option<Self> {
        let mut words = line.trim_end().split(' ');
        let doing = match words.next()? {
            "accept" => Doing::Accept,
            "undo" => Doing::Undo,
            _ => return None,
        };
        Some(Self { doing, number: words.next()?.parse().ok()?, commit: parsed(words.next()?)? })
    }
}

/// A step that stands. What it did is read from the commit of this name alone, and nowhere from a ref: those can be
/// fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stands {
    pub number: u32,
    pub commit: Oid,
}

impl Stands {
    fn from_line(line: &str) -> Option<Self> {
        let (number, commit) = line.split_once(' ')?;
        Some(Self { number: number.parse().ok()?, commit: parsed(commit)? })
    }
}

/// The steps of a session.
pub(super) struct Steps {
    notes: Notes,
    references: String,
}

/// The numbers of steps.
#[derive(Default)]
struct Numbers {
    highest: u32,
    standing: Vec<Stands>,
}

impl Steps {
    pub(super) fn of(folder: &LentFolder) -> Result<Self, LendError> {
        Ok(Self { notes: Notes::of_accepts(folder)?, references: folder.accept_references() })
    }

    /// Those of a session of which something was accepted once; nothing is made where nothing was.
    pub(super) fn found(folder: &LentFolder) -> Result<Option<Self>, LendError> {
        if folder.accepts().symlink_metadata().is_ok() { Self::of(folder).map(Some) } else { Ok(None) }
    }

    pub(super) fn notes(&self) -> &Notes {
        &self.notes
    }

    /// An empty folder of ours for a while.
    pub(super) fn emptied(&self, name: &str) -> Result<PathBuf, LendError> {
        self.notes.emptied(name).map_err(|error| LendError::failed("making a folder of ours", error))
    }

    /// A number that no step of the session has or had, nor one of an earlier session of its name.
    pub(super) fn next(&self, parent: &Parent<'_>) -> Result<u32, LendError> {
        let pattern = format!("{}*", self.references);
        let told = parent.ask("listing what was accepted", &["for-each-ref", "--format=%(refname)", &pattern])?;
        let told = String::from_utf8_lossy(&told);
        let used = told.lines().filter_map(|name| name.strip_prefix(&self.references)?.parse::<u32>().ok());
        Ok(used.max().unwrap_or(0).max(self.numbers()?.highest) + 1)
    }

    /// The steps that stand, the newest one last.
    pub(super) fn all(&self) -> Result<Vec<Stands>, LendError> {
        Ok(self.numbers()?.standing)
    }

    /// The newest step that stands.
    pub(super) fn newest(&self) -> Result<Option<Stands>, LendError> {
        Ok(self.numbers()?.standing.last().copied())
    }

    pub(super) fn stands(&self, number: u32) -> Result<bool, LendError> {
        Ok(self.numbers()?.standing.iter().any(|one| one.number == number))
    }

    pub(super) fn add(&self, step: Stands) -> Result<(), LendError> {
        let mut numbers = self.numbers()?;
        numbers.standing.push(step);
        self.write(&numbers, step.number)
    }

    pub(super) fn forget(&self, number: u32) -> Result<(), LendError> {
        let mut numbers = self.numbers()?;
        numbers.standing.retain(|one| one.number != number);
        self.write(&numbers, number)
    }

    fn write(&self, numbers: &Numbers, number: u32) -> Result<(), LendError> {
        let mut text = format!("{}\n", numbers.highest.max(number));
        for Stands { number, commit } in &numbers.standing {
            let _ = writeln!(text, "{number} {commit}");
        }
        self.notes.write_for_good(STANDING, text.as_bytes())
    }

    fn numbers(&self) -> Result<Numbers, LendError> {
        let Some(bytes) = self.notes.read(STANDING)? else { return Ok(Numbers::default()) };
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines();
        let highest = lines.next().and_then(|line| line.parse().ok());
        let standing: Option<Vec<Stands>> = lines.map(Stands::from_line).collect();
        match (highest, standing) {
            (Some(highest), Some(standing)) => Ok(Numbers { highest, standing }),
            (None, _) | (_, None) => Err(self.notes.damaged(STANDING, STANDING_GONE)),
        }
    }

    pub(super) fn begin(&self, under_way: UnderWay) -> Result<(), LendError> {
        self.notes.write_for_good(JOURNAL, under_way.to_line().as_bytes())
    }

    pub(super) fn under_way(&self) -> Result<Option<UnderWay>, LendError> {
        let Some(bytes) = self.notes.read(JOURNAL)? else { return Ok(None) };
        UnderWay::from_line(&String::from_utf8_lossy(&bytes))
            .map(Some)
            .ok_or_else(|| self.notes.damaged(JOURNAL, JOURNAL_GONE))
    }

    /// [`Steps::end`], with what was copied left where it is until the next step.
    pub(super) fn let_go(&self) -> Result<(), LendError> {
        self.notes.remove(JOURNAL)
    }

    pub(super) fn end(&self) -> Result<(), LendError> {
        self.notes.remove(JOURNAL)?;
        // What was staged is the user's and the agent's bytes once more. What stays of it goes with the next step.
        let _ = (self.notes.emptied(OLD), self.notes.emptied(NEW));
        Ok(())
    }
}

/// The folder of copies of what stands.
pub(super) const OLD: &str = "old";
/// The folder of what is to stand.
pub(super) const NEW: &str = "new";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a16_the_steps_that_stand_are_taken_back_from_the_newest_on() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::create_dir(temp.path().join("g1")).unwrap();
        let steps = Steps::of(&LentFolder::of(temp.path(), "g1").unwrap()).unwrap();
        assert_eq!((steps.newest().unwrap(), steps.under_way().unwrap()), (None, None));
        let step = |number: u32| Stands { number, commit: parsed(&number.to_string().repeat(40)).unwrap() };
        for number in [1, 2, 5] {
            steps.add(step(number)).unwrap();
        }
        steps.forget(5).unwrap();
        assert_eq!(steps.newest().unwrap(), Some(step(2)));
        assert_eq!(steps.all().unwrap(), [step(1), step(2)]);
        assert!(steps.stands(1).unwrap() && !steps.stands(5).unwrap());
        assert_eq!(steps.numbers().unwrap().highest, 5, "a number is used once");
        for doing in [Doing::Accept, Doing::Undo] {
            let under_way = UnderWay { doing, number: 7, commit: parsed(&"1a".repeat(20)).unwrap() };
            steps.begin(under_way).unwrap();
            assert_eq!(steps.under_way().unwrap(), Some(under_way));
        }
        steps.end().unwrap();
        assert_eq!(steps.under_way().unwrap(), None);
        for text in ["x", "", "3 1 2\n", "3\n1\n", "3\n1 x\n"] {
            std::fs::write(temp.path().join("g1/accepts").join(JOURNAL), text).unwrap();
            std::fs::write(temp.path().join("g1/accepts").join(STANDING), text).unwrap();
            let errors = [steps.under_way().map(drop), steps.newest().map(drop)];
            assert!(errors.iter().all(|error| matches!(error, Err(LendError::Damaged { .. }))), "{text:?}: {errors:?}");
        }
    }
}
