//! What is kept of a session's tip that cannot be read: a note about it in any case, a ref that holds it where git can
//! hold it, and else a ref that holds the parts which can be read. A ref to a commit of which something is missing would
//! be kept as well, and have every `git gc` of the repository fail.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::recovery::{Lost, Recovery};
use crate::domain::harmless::harmless;
use crate::domain::ids::SessionId;
use crate::files::fresh::{self, OnDisk};
use crate::files::regular;
use crate::git::object::{name_of, parsed};
use crate::git::tree::{self, Entry, GITLINK};
use crate::git::{Error, Kind, Object, Oid, Repo};

/// Where bad tips are kept.
pub const KEPT: &str = "refs/grill/local/recovered/";
/// The folder of the notes, in the git directory that all worktrees share.
const NOTES: &str = "grill/recovered";
/// What a note says about the tip, first in its line.
const TIP: &str = "tip: ";
/// What it says about a commit that is not part of the session any more.
const LOST: &str = "not in it: ";
/// So many files of a foreign tree are looked at; one that has more is somebody else's, and not ours to check.
const MOST: usize = 20_000;

/// What can be kept of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// Whether it is whole, with everything that it needs.
    pub whole: bool,
    /// Its tree without what cannot be read; none where there is no tree, or nothing of it. It is only named here, and
    /// has to be written with [`Self::write`] before anything else names it.
    pub tree: Option<Oid>,
    /// The bytes of that tree, and of the folders in it that had to be made anew.
    folders: Vec<Vec<u8>>,
    /// What cannot be read of it: path and object.
    pub broken: Vec<(String, Oid)>,
}

impl Pieces {
    /// Writes the tree without the broken parts.
    pub fn write(&self, repo: &Repo) -> Result<(), Error> {
        self.folders.iter().try_for_each(|bytes| repo.write(Kind::Tree, bytes.clone()).map(drop))
    }
}

/// Looks at an object and at all that it needs, and writes nothing.
pub fn pieces(repo: &Repo, id: Oid) -> Result<Pieces, Error> {
    let mut look = Look { repo, broken: Vec::new(), folders: Vec::new(), seen: 0 };
    let tree = match look.read("", id) {
        None | Some(Object { kind: Kind::Blob | Kind::Tag, .. }) => None,
        Some(Object { kind: Kind::Tree, .. }) => look.tree("", id)?,
        Some(Object { kind: Kind::Commit, bytes }) => match crate::git::Commit::parse(id, &bytes) {
            None => {
                look.broken.push((String::new(), id));
                None
            }
            Some(commit) => {
                for parent in commit.parents {
                    if !matches!(repo.header(parent), Ok(Some((Kind::Commit, _)))) {
                        look.broken.push(("the commit before it".to_owned(), parent));
                    }
                }
                look.tree("", commit.tree)?
            }
        },
    };
    Ok(Pieces { whole: look.broken.is_empty(), tree, folders: look.folders, broken: look.broken })
}

/// The objects that a commit needs and that cannot be read.
pub fn broken_files(repo: &Repo, commit: Oid) -> Vec<(String, Oid)> {
    pieces(repo, commit).map_or_else(|_| Vec::new(), |pieces| pieces.broken)
}

struct Look<'r> {
    repo: &'r Repo,
    broken: Vec<(String, Oid)>,
    folders: Vec<Vec<u8>>,
    seen: usize,
}

impl Look<'_> {
    /// An object that has the bytes that its name says.
    fn read(&mut self, path: &str, id: Oid) -> Option<Object> {
        self.seen += 1;
        let object = sound(self.repo, id);
        if object.is_none() {
            self.broken.push((path.to_owned(), id));
        }
        object
    }

    /// The tree without what is broken in it; none where nothing is left.
    fn tree(&mut self, path: &str, id: Oid) -> Result<Option<Oid>, Error> {
        let Some(object) = self.read(path, id) else { return Ok(None) };
        let Some(entries) = tree::parse(self.repo.naming(), &object.bytes) else {
            self.broken.push((path.to_owned(), id));
            return Ok(None);
        };
        let (before, mut left) = (entries.clone(), Vec::new());
        for entry in entries {
            if self.seen > MOST || entry.mode == GITLINK {
                left.push(entry);
                continue;
            }
            let name = String::from_utf8_lossy(&entry.name);
            let below = if path.is_empty() { name.into_owned() } else { format!("{path}/{name}") };
            if entry.is_folder() {
                left.extend(self.tree(&below, entry.id)?.map(|id| Entry { id, ..entry }));
            } else if self.read(&below, entry.id).is_some() {
                left.push(entry);
            }
        }
        if left == before {
            return Ok(Some(id));
        }
        if left.is_empty() {
            return Ok(None);
        }
        let bytes = tree::bytes(&left);
        let name = name_of(self.repo.naming(), Kind::Tree, &bytes)?;
        self.folders.push(bytes);
        Ok(Some(name))
    }
}

/// An object that is here and has the bytes that its name says.
pub fn sound(repo: &Repo, id: Oid) -> Option<Object> {
    let object = repo.read(id).ok()??;
    (name_of(repo.naming(), object.kind, &object.bytes) == Ok(id)).then_some(object)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub id: SessionId,
    /// Which of its notes, from 1.
    pub number: u32,
}

impl Note {
    /// The note about a session's tip: the one that an earlier try wrote, or the next one.
    pub fn about(common: &Path, id: &SessionId, tip: &str) -> Self {
        let mut note = Self { id: id.clone(), number: 1 };
        loop {
            let path = note.path(common);
            let is_it = || regular::text(&path, regular::LONG).is_ok_and(|text| tip_in(&text) == Some(tip));
            // Where nothing can be looked at, writing it says why.
            if path.symlink_metadata().is_err() || is_it() {
                return note;
            }
            note.number += 1;
        }
    }

    pub fn path(&self, common: &Path) -> PathBuf {
        common.join(NOTES).join(format!("{}-{}.txt", self.id, self.number))
    }

    pub fn kept(&self) -> String {
        format!("{KEPT}{}-{}", self.id, self.number)
    }

    /// Writes it, onto the disk, and only then into its place.
    pub fn write(&self, common: &Path, text: &str) -> io::Result<()> {
        let path = self.path(common);
        fs::create_dir_all(common.join(NOTES))?;
        fresh::replace(&path, &path.with_extension("unfinished"), 0o666, OnDisk::First, text.as_bytes())
    }
}

/// The commits that notes tell of, with their sessions: bad tips, and what else could not be read.
pub fn noted(common: &Path) -> Vec<(SessionId, BTreeSet<Oid>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(common.join(NOTES)).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let stem = name.to_str().and_then(|name| name.strip_suffix(".txt"));
        let id = stem.and_then(|stem| SessionId::parse(stem.rsplit_once('-')?.0).ok());
        let text = regular::text(entry.path(), regular::LONG).unwrap_or_default();
        if let Some(id) = id {
            found.push((id, commits_in(&text)));
        }
    }
    found.sort();
    found
}

fn commits_in(text: &str) -> BTreeSet<Oid> {
    let lost = |line: &str| parsed(line.strip_prefix(LOST)?.split(' ').next()?);
    tip_in(text).and_then(parsed).into_iter().chain(text.lines().filter_map(lost)).collect()
}

fn tip_in(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix(TIP))
}

pub fn text(id: &SessionId, tip: &str, why: &str, kept: &str, broken: &[(String, Oid)], to: &Recovery) -> String {
    let mut text = format!("session: {id}\n{TIP}{tip}\nit could not be read: {}\n", harmless(why));
    let _ = writeln!(text, "brought back to: {} {}", to.to, harmless(&to.subject));
    let _ = writeln!(text, "known from: {}\nkept: {kept}", to.found.words());
    for (path, object) in broken {
        let _ = writeln!(text, "not readable: {object} {}", harmless(path));
    }
    for Lost { commit, subject } in &to.lost {
        let _ = writeln!(text, "{LOST}{commit} {}", harmless(subject.as_deref().unwrap_or("(nobody knows what)")));
    }
    text
}

/// Moves the file of an object that cannot be read out of git's way, whose `gc` fails on it, and which would take it for
/// the object if the same bytes were ever to be written again. The file itself is kept beside the notes.
pub fn put_aside(repo: &Repo, id: Oid) -> io::Result<Option<PathBuf>> {
    let hex = id.to_string();
    let common = repo.common_dir();
    let file = common.join("objects").join(&hex[..2]).join(&hex[2..]);
    if !file.is_file() || sound(repo, id).is_some() {
        return Ok(None);
    }
    let folder = common.join(NOTES).join("objects");
    fs::create_dir_all(&folder)?;
    let mut to = folder.join(&hex);
    for number in 2.. {
        if to.symlink_metadata().is_err() {
            break;
        }
        to = folder.join(format!("{hex}-{number}"));
    }
    fs::rename(&file, &to)?;
    Ok(Some(to))
}
