//! Cheap marks of the repository beside each recorded step, so that drift can be dated: a few reads, no git, no walk.
//!
//! Times are the file system's own, taken from the file that the marks are written to: the clock of the machine, and what
//! a test sets it to, would not compare with the times of other files.

use std::fs;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Timespec, Timestamps, UTIME_NOW, futimens};

use crate::domain::drift::{Step, Window};
use crate::files::regular;
use crate::git::Oid;
use crate::git::program::is_reftable;

/// How much of the file is read back; an interview of a thousand questions fits several times.
const LARGEST: u64 = 8 * 1024 * 1024;

/// What a repository looks like at a glance. Two equal marks say that nothing moved; different ones, that something may
/// have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marks {
    pub head: String,
    pub tip: String,
    pub index: String,
    pub stash: String,
}

/// Marks with the step beside which they were made.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Noted {
    step: Step,
    /// Nanoseconds, by the file system's clock.
    time: i128,
    marks: Marks,
}

/// The steps of a session since its baseline.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps(Vec<Noted>);

impl Marks {
    /// Looks at a repository.
    pub(super) fn of(git_dir: &Path, common_dir: &Path) -> Self {
        if is_reftable(git_dir) {
            // All refs of the worktree, and all that are shared, are in one file each: which of them moved is not seen.
            let (own, shared) =
                (stamp(&git_dir.join("reftable/tables.list")), stamp(&common_dir.join("reftable/tables.list")));
            let index = index_stamp(&git_dir.join("index"));
            return Self { head: own, tip: shared.clone(), index, stash: shared };
        }
        let head = regular::text(git_dir.join("HEAD"), regular::SHORT).unwrap_or_default().trim_end().to_owned();
        let tip = match head.strip_prefix("ref: ").map(|name| regular::text(common_dir.join(name), regular::SHORT)) {
            Some(Ok(id)) => id.trim_end().to_owned(),
            // Packed, or not there: the file of the packed ones tells whether it may have moved.
            Some(Err(_)) => stamp(&common_dir.join("packed-refs")),
            None => "-".to_owned(),
        };
        Self {
            head: one_word(&head),
            tip,
            index: index_stamp(&git_dir.join("index")),
            stash: stamp(&common_dir.join("logs/refs/stash")),
        }
    }
}

fn one_word(text: &str) -> String {
    text.replace(['\t', '\n'], " ")
}

/// Size and time of a file.
fn stamp(path: &Path) -> String {
    match fs::symlink_metadata(path) {
        Ok(about) => format!("{}@{}.{}", about.len(), about.mtime(), about.mtime_nsec()),
        Err(_) => "-".to_owned(),
    }
}

/// The checksum that ends an index file; where git leaves it out, size and time have to do.
fn index_stamp(path: &Path) -> String {
    let trailer = || -> io::Result<[u8; 20]> {
        let mut file = regular::open(path)?;
        file.seek(SeekFrom::End(-20))?;
        let mut bytes = [0; 20];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    };
    match trailer() {
        Ok(bytes) if bytes != [0; 20] => Oid::from(bytes).to_string(),
        Ok(_) | Err(_) => stamp(path),
    }
}

/// The file of a session's steps.
pub(super) fn file(folder: &Path) -> PathBuf {
    folder.join("steps")
}

pub(super) fn note(path: &Path, step: &Step, marks: &Marks) -> io::Result<()> {
    let mut file = regular::at_its_end(path)?;
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    futimens(&file, &Timestamps { last_access: now, last_modification: now })?;
    let about = file.metadata()?;
    let time = i128::from(about.mtime()) * 1_000_000_000 + i128::from(about.mtime_nsec());
    let Marks { head, tip, index, stash } = marks;
    let line = format!("{}\t{time}\t{head}\t{tip}\t{index}\t{stash}\t{}\n", step.seq, one_word(&step.what));
    // One write, so that two processes never mix their lines.
    file.write_all(line.as_bytes())
}

impl Steps {
    /// Reads the steps back; a line that was cut off counts for none.
    pub(super) fn read(path: &Path) -> Self {
        let mut text = String::new();
        let read = regular::open(path).and_then(|file| file.take(LARGEST).read_to_string(&mut text));
        match read {
            Ok(_) => Self(text.lines().filter_map(parsed).collect()),
            // Without them nothing can be dated, which is what the windows will say.
            Err(error) if error.kind() == ErrorKind::NotFound => Self::default(),
            Err(_) => Self::default(),
        }
    }

    /// Around a moment of the file system's clock. Nothing can be told about one before the baseline: a moved file
    /// brings its times along.
    pub(super) fn around(&self, time: i128) -> Window {
        if self.0.first().is_none_or(|first| time < first.time) {
            return Window::default();
        }
        Window {
            after: self.0.iter().rev().find(|noted| noted.time < time).map(|noted| noted.step.clone()),
            before: self.before(time),
        }
    }

    pub(super) fn last(&self) -> Option<Step> {
        self.0.last().map(|noted| noted.step.clone())
    }

    /// Whether a moment of the file system's clock lies after the baseline.
    pub(super) fn began_before(&self, time: i128) -> bool {
        self.0.first().is_some_and(|first| first.time <= time)
    }

    /// At this moment or earlier: a folder's time is that of its last change, not of every change.
    pub(super) fn up_to(&self, time: i128) -> Window {
        let known = self.0.first().is_some_and(|first| time >= first.time);
        Window { after: None, before: if known { self.before(time) } else { None } }
    }

    fn before(&self, time: i128) -> Option<Step> {
        self.0.iter().find(|noted| noted.time > time).map(|noted| noted.step.clone())
    }

    /// Between the last step at which a mark was as at first, and the first since which it is as now.
    pub(super) fn since(&self, now: &Marks, mark: fn(&Marks) -> &str) -> Window {
        let Some(first) = self.0.first() else {
            return Window::default();
        };
        let same = self.0.iter().take_while(|noted| mark(&noted.marks) == mark(&first.marks)).last();
        let settled = self.0.iter().rev().take_while(|noted| mark(&noted.marks) == mark(now)).last();
        // As at first by now: it moved and came back, or these marks do not show it.
        if mark(now) == mark(&first.marks) {
            return Window::default();
        }
        Window { after: same.map(|noted| noted.step.clone()), before: settled.map(|noted| noted.step.clone()) }
    }
}

fn parsed(line: &str) -> Option<Noted> {
    let mut fields = line.splitn(7, '\t');
    let seq = fields.next()?.parse().ok()?;
    let time = fields.next()?.parse().ok()?;
    let mut text = || fields.next().map(str::to_owned);
    let marks = Marks { head: text()?, tip: text()?, index: text()?, stash: text()? };
    Some(Noted { step: Step { seq, what: text()? }, time, marks })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(rows: &[(u64, i128, &str)]) -> Steps {
        let noted = |(seq, time, head): &(u64, i128, &str)| Noted {
            step: Step { seq: *seq, what: format!("step {seq}") },
            time: *time,
            marks: Marks { head: (*head).to_owned(), tip: String::new(), index: String::new(), stash: String::new() },
        };
        Steps(rows.iter().map(noted).collect())
    }

    fn told(window: &Window) -> (Option<u64>, Option<u64>) {
        (window.after.as_ref().map(|step| step.seq), window.before.as_ref().map(|step| step.seq))
    }

    #[test]
    fn a_moment_lies_between_two_steps_and_in_doubt_between_more() {
        let steps = steps(&[(0, 10, "a"), (2, 20, "a"), (5, 30, "b")]);
        assert_eq!(told(&steps.around(15)), (Some(0), Some(2)));
        assert_eq!(told(&steps.around(20)), (Some(0), Some(5)), "the same instant could be either side");
        assert_eq!(told(&steps.around(31)), (Some(5), None));
        assert_eq!(told(&steps.around(9)), (None, None));
        assert_eq!(told(&steps.up_to(25)), (None, Some(5)));
    }

    #[test]
    fn a_mark_tells_from_when_to_when() {
        let steps = steps(&[(0, 1, "a"), (2, 2, "a"), (3, 3, "b"), (4, 4, "c"), (5, 5, "c")]);
        let now = |head: &str| Marks {
            head: head.to_owned(),
            tip: String::new(),
            index: String::new(),
            stash: String::new(),
        };
        let head: fn(&Marks) -> &str = |marks| &marks.head;
        assert_eq!(told(&steps.since(&now("c"), head)), (Some(2), Some(4)));
        assert_eq!(told(&steps.since(&now("d"), head)), (Some(2), None));
        assert_eq!(told(&steps.since(&now("a"), head)), (None, None));
    }

    #[test]
    fn what_is_noted_is_read_back_and_half_a_line_is_not() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("steps");
        fs::write(&path, "").unwrap();
        let marks = Marks::of(temp.path(), temp.path());
        note(&path, &Step { seq: 7, what: "a\tb".to_owned() }, &marks).unwrap();
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"8\t12").unwrap();
        let read = Steps::read(&path);
        assert_eq!(read.0.len(), 1);
        assert_eq!(read.0[0].step.what, "a b");
        assert!(read.0[0].time > 0);
    }
}
