//! A disk that keeps what it was told to keep, and loses the rest with the power.
//!
//! `fsync` of a file keeps its bytes, `fsync` of a folder the names in it (POSIX promises no more). File systems order
//! the rest as they like, so two of them stand for all: on one no name is kept that was not asked for, on the other every
//! name is, and what stands under it is gone.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs::{self, Metadata, Permissions, read, read_dir};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::watched::Step;

/// What goes with the power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Every name and every byte that nobody asked to be kept.
    Names,
    /// Bytes alone: a file that is new, or stands under another name, is there and empty.
    Bytes,
}

/// What is on the disk, by inode.
pub struct Disk {
    root: PathBuf,
    kept: HashMap<u64, Kept>,
}

enum Kept {
    File(Vec<u8>),
    /// Names, and whether a folder stands under each.
    Folder(BTreeMap<OsString, (u64, bool)>),
}

/// What stands below a folder: bytes of a file, none for a folder.
type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

impl Disk {
    /// A disk that has everything below `root` as it is now.
    pub fn of(root: &Path) -> Self {
        let mut disk = Self { root: root.to_owned(), kept: HashMap::new() };
        disk.keep_all(root);
        disk
    }

    fn keep_all(&mut self, path: &Path) {
        self.keep(path);
        if path.is_dir() {
            for entry in read_dir(path).unwrap() {
                self.keep_all(&entry.unwrap().path());
            }
        }
    }

    /// What a step that is about to be made has the disk keep; `below` is what its paths are relative to.
    pub fn sees(&mut self, step: &Step, below: &Path) {
        if matches!(step.call, "fsync" | "fdatasync") {
            self.keep(&below.join(&step.paths[0]));
        }
    }

    fn keep(&mut self, path: &Path) {
        let Ok(about) = path.symlink_metadata() else { return };
        let now = if about.is_dir() {
            let names = read_dir(path).unwrap().map(|entry| entry.unwrap());
            let stands = |about: &Metadata| (about.ino(), about.is_dir());
            Kept::Folder(names.map(|entry| (entry.file_name(), stands(&entry.metadata().unwrap()))).collect())
        } else {
            Kept::File(read(path).unwrap())
        };
        self.kept.insert(about.ino(), now);
    }

    /// The power is gone, and here again.
    pub fn loses(&self, loss: Loss) {
        let mut left = Tree::new();
        let about = self.root.symlink_metadata().unwrap();
        match loss {
            Loss::Names => self.named(Path::new(""), (about.ino(), true), &mut left),
            Loss::Bytes => self.emptied(Path::new(""), &about, &mut left),
        }
        make(&self.root, &left);
    }

    fn named(&self, path: &Path, (inode, is_folder): (u64, bool), left: &mut Tree) {
        let bytes = match self.kept.get(&inode) {
            Some(Kept::File(bytes)) => Some(bytes.clone()),
            Some(Kept::Folder(names)) => {
                for (name, stands) in names {
                    self.named(&path.join(name), *stands, left);
                }
                None
            }
            // Its name was kept, and nothing of itself.
            None => (!is_folder).then(Vec::new),
        };
        left.insert(path.to_owned(), bytes);
    }

    fn emptied(&self, path: &Path, about: &Metadata, left: &mut Tree) {
        if about.is_dir() {
            left.insert(path.to_owned(), None);
            for entry in read_dir(self.root.join(path)).unwrap() {
                let entry = entry.unwrap();
                self.emptied(&path.join(entry.file_name()), &entry.metadata().unwrap(), left);
            }
            return;
        }
        let bytes = match self.kept.get(&about.ino()) {
            Some(Kept::File(bytes)) => bytes.clone(),
            Some(Kept::Folder(_)) | None => Vec::new(),
        };
        left.insert(path.to_owned(), Some(bytes));
    }
}

/// Makes a folder hold exactly this, and touches nothing that is so already.
fn make(root: &Path, wanted: &Tree) {
    let is_wanted = |path: &Path| wanted.get(path.strip_prefix(root).unwrap());
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match (is_wanted(&path), path.is_dir()) {
                (Some(None), true) => folders.push(path),
                (Some(Some(_)), false) => {}
                (_, true) => fs::remove_dir_all(path).unwrap(),
                (_, false) => fs::remove_file(path).unwrap(),
            }
        }
    }
    for (path, bytes) in wanted {
        let path = root.join(path);
        match bytes {
            None => fs::create_dir_all(path).unwrap(),
            Some(bytes) if read(&path).is_ok_and(|there| there == *bytes) => {}
            Some(bytes) => {
                let mode = path.metadata().map_or(0o644, |about| about.mode());
                let _ = fs::remove_file(&path);
                fs::write(&path, bytes).unwrap();
                fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            }
        }
    }
}
