//! Carrying a step out on the files of the parent, and taking it back: the same moves in the other direction. Each file
//! takes its place whole, no symlink is followed, and a path where something unexpected stands is left alone.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, Cursor, Read};
use std::os::fd::{AsFd as _, BorrowedFd};

use rustix::fs::{AtFlags, Mode};
use rustix::io::Errno;

use super::place::Place;
use super::record::{Record, Turn};
use super::state::{Shape, State};
use super::{Moment, Watch};
use crate::files::folders::{Folders, split, upwards};
use crate::files::fresh::Fresh;
use crate::git::Oid;
use crate::git::paths::shortened;
use crate::lend::error::LendError;
use crate::lend::own_git::os;
use crate::lend::parent::Parent;

/// What the names of files begin with that have no place yet. The rest is of the commit that keeps what stood there, which
/// nobody knows before.
pub(super) const TEMPORARY: &str = ".grill-accept-";
/// How much of the name of that commit.
const OF_COMMIT: usize = 16;

/// Where the bytes come from.
enum Content<'a> {
    /// Files that git converted for the working tree.
    Staged(&'a Folders),
    /// Objects of the parent.
    Kept(&'a Parent<'a>),
}

impl Content<'_> {
    fn open(&self, path: &[u8], to: State) -> io::Result<Box<dyn Read>> {
        let bytes: Box<dyn Read> = match (self, to.shape) {
            (Self::Staged(folders), Shape::Link) => {
                Box::new(Cursor::new(folders.read(path, rustix::fs::FileType::Symlink)?))
            }
            (Self::Staged(folders), Shape::File | Shape::Irregular) => Box::new(folders.open_file(path)?),
            (Self::Kept(parent), Shape::Link | Shape::File | Shape::Irregular) => {
                let git = parent.git(["cat-file", "blob", &to.id.to_string()]);
                let bytes = git.ask(parent.process).map_err(|error| io::Error::other(error.0))?;
                Box::new(Cursor::new(bytes))
            }
        };
        Ok(bytes)
    }
}

/// The direction of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Forth,
    Back,
}

/// What is done at one path.
struct Move<'r> {
    number: usize,
    path: &'r [u8],
    from: Option<State>,
    to: Option<State>,
}

impl<'r> Move<'r> {
    fn of(number: usize, turn: &'r Turn, way: Way) -> Self {
        let (from, to) = match way {
            Way::Forth => (turn.before, turn.after),
            Way::Back => (turn.after, turn.before),
        };
        Self { number, path: &turn.path, from, to }
    }
}

/// What was found at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    /// What was expected, and it is done.
    Expected,
    /// What it is to become already.
    Done,
    Other,
}

/// Carries a step out.
pub(super) struct Carrier<'a> {
    folders: &'a Folders,
    record: &'a Record,
    commit: Oid,
    watch: Watch<'a>,
    changed: RefCell<BTreeSet<&'a [u8]>>,
}

impl<'a> Carrier<'a> {
    /// `commit` keeps what stood there.
    pub(super) fn of(folders: &'a Folders, record: &'a Record, commit: Oid, watch: Watch<'a>) -> Self {
        Self { folders, record, commit, watch, changed: RefCell::default() }
    }

    pub(super) fn folders(&self) -> &'a Folders {
        self.folders
    }

    pub(super) fn watch(&self) -> Watch<'a> {
        self.watch
    }

    /// Writes what was staged. At the first path where something else stands than was kept it ends with an error, and
    /// with whatever it has done by then.
    pub(super) fn forth(&self, staged: &Folders) -> Result<(), LendError> {
        let rooms: Vec<&[u8]> = self.record.stood.iter().map(|(folder, _)| folder.as_slice()).collect();
        self.carry(Way::Forth, None, &rooms, &Content::Staged(staged)).map(drop)
    }

    /// Brings back what was kept. Done twice, it adds nothing. The paths where neither the one nor the other stands are
    /// left as they are, and come back.
    /// Where it is known which paths were written, the others are none of ours.
    pub(super) fn back(
        &self,
        parent: &Parent<'_>,
        written: Option<&BTreeSet<&[u8]>>,
    ) -> Result<BTreeSet<&'a [u8]>, LendError> {
        let rooms: Vec<&[u8]> = self.record.made.iter().map(Vec::as_slice).collect();
        self.sweep();
        self.carry(Way::Back, written, &rooms, &Content::Kept(parent))
    }

    /// The paths that this one has changed.
    pub(super) fn changed(&self) -> BTreeSet<&'a [u8]> {
        self.changed.borrow().clone()
    }

    /// `rooms` are folders that go when nothing is in them any more.
    fn carry(
        &self,
        way: Way,
        only: Option<&BTreeSet<&[u8]>>,
        rooms: &[&[u8]],
        content: &Content<'_>,
    ) -> Result<BTreeSet<&'a [u8]>, LendError> {
        let moves = self.record.turns.iter().enumerate().map(|(number, turn)| Move::of(number, turn, way));
        let moves = moves.filter(|one| only.is_none_or(|only| only.contains(one.path)));
        let (written, removed): (Vec<_>, Vec<_>) = moves.partition(|one| one.to.is_some());
        let places: BTreeSet<&[u8]> = written.iter().map(|one| one.path).collect();
        let (in_the_way, last): (Vec<_>, Vec<_>) =
            removed.into_iter().partition(|one| is_in_the_way(one.path, &places));
        let mut left = BTreeSet::new();
        for one in &in_the_way {
            self.step(one, content, way, &mut left)?;
        }
        let of_places = |room: &&&[u8]| upwards(room).any(|above| places.contains(above));
        self.remove_empty(rooms.iter().filter(of_places).copied());
        let brought = if way == Way::Back { self.bring_folders_back(&places) } else { Vec::new() };
        for one in written.iter().chain(&last) {
            self.step(one, content, way, &mut left)?;
        }
        self.remove_empty(rooms.iter().copied().chain(brought));
        self.settle();
        Ok(left)
    }

    fn step(
        &self,
        one: &Move<'a>,
        content: &Content<'_>,
        way: Way,
        left: &mut BTreeSet<&'a [u8]>,
    ) -> Result<(), LendError> {
        (self.watch)(Moment::Ready(one.path));
        let met = match self.change(one, content, way) {
            // What the user made of the folder, or put there, stays.
            Err(error) if way == Way::Back && is_blocked(&error) => Met::Other,
            Err(error) if is_blocked(&error) => {
                let path = shortened(one.path);
                return Err(LendError::Wrong(format!(
                    "nothing was accepted: a file or folder is in the way of {path}"
                )));
            }
            other => other.map_err(|error| LendError::failed(format!("writing {}", shortened(one.path)), error))?,
        };
        match (met, way) {
            (Met::Expected, Way::Forth | Way::Back) => {
                self.changed.borrow_mut().insert(one.path);
                (self.watch)(Moment::Changed(one.path));
            }
            (Met::Done, Way::Back) => {}
            (Met::Other, Way::Back) => {
                left.insert(one.path);
            }
            (Met::Done | Met::Other, Way::Forth) => {
                return Err(LendError::ChangedMeanwhile { paths: vec![one.path.to_vec()] });
            }
        }
        Ok(())
    }

    fn now(&self, path: &[u8]) -> io::Result<Option<State>> {
        State::at(self.folders, self.record.head.kind(), path)
    }

    fn change(&self, one: &Move<'_>, content: &Content<'_>, way: Way) -> io::Result<Met> {
        let (above, _) = split(one.path);
        // From here on its folder is this one, whatever is moved to its name meanwhile.
        self.folders.forget_cached_folder();
        let now = self.now(one.path)?;
        if now != one.from {
            return Ok(if now == one.to { Met::Done } else { Met::Other });
        }
        let aside = self.temporary(one.number, way);
        let is_expected = match (one.from, one.to) {
            (None, None) => return Ok(Met::Done),
            (Some(from), None) => {
                let place = self.place(one.path, &aside)?;
                (self.watch)(Moment::Placing(one.path));
                place.remove(from)?
            }
            (Some(from), Some(to)) if (from.shape, from.id, to.shape) == (Shape::File, to.id, Shape::File) => {
                let file = self.folders.open_file(one.path)?;
                rustix::fs::fchmod(&file, Mode::from_raw_mode(to.permissions))?;
                true
            }
            (from, Some(to)) => {
                let folder = self.folders.made(above)?;
                let place = self.place(one.path, &aside)?;
                let fresh = fresh(folder.as_fd(), &aside, to, content.open(one.path, to)?)?;
                // Writing it took a while.
                if place.now()? != from {
                    return Ok(Met::Other);
                }
                (self.watch)(Moment::Placing(one.path));
                place.put(fresh, from, to)?
            }
        };
        Ok(if is_expected { Met::Expected } else { Met::Other })
    }

    fn place<'p>(&'p self, path: &'p [u8], aside: &'p str) -> Result<Place<'p>, Errno> {
        Place::of(self.folders, self.record.head.kind(), path, aside)
    }

    fn temporary(&self, number: usize, way: Way) -> String {
        let way = match way {
            Way::Forth => "forth",
            Way::Back => "back",
        };
        format!("{TEMPORARY}{:.OF_COMMIT$}-{number}-{way}.tmp", self.commit.to_string())
    }

    /// Tidies up what one that was killed left without a place.
    fn sweep(&self) {
        for (number, turn) in self.record.turns.iter().enumerate() {
            for way in [Way::Forth, Way::Back] {
                self.folders.forget_cached_folder();
                let (Move { from, to, path, .. }, aside) = (Move::of(number, turn, way), self.temporary(number, way));
                if let Ok(place) = self.place(path, &aside) {
                    // Mostly there is nothing.
                    let _ = place.tidy(from, to);
                }
            }
        }
    }

    /// Makes the folders of these files again that the step had left empty; those that it made.
    fn bring_folders_back(&self, places: &BTreeSet<&[u8]>) -> Vec<&'a [u8]> {
        let mut brought = Vec::new();
        let above: BTreeSet<&[u8]> = places.iter().flat_map(|place| upwards(place).skip(1)).collect();
        let mut stood: Vec<_> =
            self.record.stood.iter().filter(|(folder, _)| above.contains(folder.as_slice())).collect();
        stood.sort();
        for (folder, permissions) in stood {
            let (above, last) = split(folder);
            self.folders.forget_cached_folder();
            // Never is it open to more people than it was. Where this fails, writing the file in it tells why.
            if let Ok(above) = self.folders.folder(above)
                && rustix::fs::mkdirat(&above, os(last), Mode::from_raw_mode(*permissions)).is_ok()
                && let Ok(made) = self.folders.folder(folder)
            {
                let _ = rustix::fs::fchmod(&made, Mode::from_raw_mode(*permissions));
                brought.push(folder.as_slice());
            }
        }
        brought
    }

    /// Removes those of these folders that are empty, from the inside out.
    fn remove_empty<'p>(&self, folders: impl Iterator<Item = &'p [u8]>) {
        let mut folders: Vec<&[u8]> = folders.collect();
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
        for folder in folders {
            let (above, last) = split(folder);
            self.folders.forget_cached_folder();
            if let Ok(above) = self.folders.folder(above) {
                // One with something in it stays.
                let _ = rustix::fs::unlinkat(&above, os(last), AtFlags::REMOVEDIR);
            }
        }
        self.folders.forget_cached_folder();
    }

    /// Has the names on the disk.
    fn settle(&self) {
        let folders: BTreeSet<&[u8]> = self.record.paths().map(|path| split(path).0).collect();
        for folder in folders {
            // What is gone needs no settling, and some file systems have none for folders.
            if let Ok(folder) = self.folders.folder(folder) {
                let _ = rustix::fs::fsync(&folder);
            }
        }
    }
}

/// Whether a file stands above or below a place where one is to be.
fn is_in_the_way(path: &[u8], places: &BTreeSet<&[u8]>) -> bool {
    let below = [path, b"/"].concat();
    let has_below = places.range::<&[u8], _>(below.as_slice()..).next().is_some_and(|place| place.starts_with(&below));
    has_below || upwards(path).skip(1).any(|above| places.contains(above))
}

/// A file without a place yet.
fn fresh<'f>(folder: BorrowedFd<'f>, name: &str, to: State, mut bytes: Box<dyn Read + '_>) -> io::Result<Fresh<'f>> {
    match to.shape {
        Shape::Link => {
            let mut leads = Vec::new();
            bytes.read_to_end(&mut leads)?;
            Fresh::link_in(folder, name, os(&leads))
        }
        Shape::File | Shape::Irregular => {
            let (mut file, fresh) = Fresh::make_in(folder, name, 0o600)?;
            io::copy(&mut bytes, &mut file)?;
            rustix::fs::fchmod(&file, Mode::from_raw_mode(to.permissions))?;
            file.sync_all()?;
            Ok(fresh)
        }
    }
}

/// A folder that is not empty, or a file where a folder has to be.
fn is_blocked(error: &io::Error) -> bool {
    let blocked = [Errno::NOTEMPTY, Errno::EXIST, Errno::NOTDIR, Errno::ISDIR, Errno::LOOP];
    blocked.iter().any(|one| error.raw_os_error() == Some(one.raw_os_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a16_what_stands_above_or_below_a_new_file_goes_first() {
        let places: BTreeSet<&[u8]> = [b"a/b".as_slice(), b"c", b"d.x"].into();
        for (path, expected) in
            [("a", true), ("c/d/e", true), ("a/c", false), ("c", false), ("d", false), ("a/b", false), ("a/bc", false)]
        {
            assert_eq!(is_in_the_way(path.as_bytes(), &places), expected, "{path}");
        }
    }
}
