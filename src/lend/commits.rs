//! What the repository of a copy holds beyond its files: commits on branches, tags and stashes of the agent's that
//! nothing in the parent leads to. Its objects are copied into a folder of ours before git reads them there, so that
//! nothing of the agent's says where else git looks; what is kept of them is packed there, and checked when the parent
//! takes it in (A26).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::agents_refs::{self, AgentsRefs};
use super::error::LendError;
use super::folder::LentFolder;
use super::left_out::{LeftOut, Why};
use super::notes::{INCLUDED, Notes};
use super::own_git::{ObjectsIn, OwnGit, listed, os};
use super::parent::{FORCED, Parent};
use super::sight::names_in;
use crate::domain::agents::beyond::Beyond;
use crate::files::folders::Folders;
use crate::files::fresh::Fresh;
use crate::git::object::parsed;
use crate::git::paths::shortened;
use crate::git::{Error, Git, Oid};

const DOING: &str = "reading the commits of the agent";
/// How many branches, tags and stashes are kept.
const MOST: usize = 100;
/// The most bytes of all objects that the agent made, as git packs them.
const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// The most files that these may be in.
const MOST_FILES: usize = 200_000;
/// So short a file may well have the content of another.
const TELLING: u64 = 8;
/// Our folder with the objects of the copy.
const COPIED: &str = "objects.agent";
const OBJECTS: &[u8] = b".git/objects";

/// One name, and where it leads.
pub(super) struct Tip {
    pub what: Beyond,
    pub id: Oid,
    /// It is where HEAD is: the files of the copy show what it led to.
    pub is_head: bool,
}

/// What is to be kept, and what cannot be.
#[derive(Default)]
pub(super) struct Commits {
    pub tips: Vec<Tip>,
    pub unkept: BTreeSet<LeftOut>,
}

/// Those that a copy's files do not show, and what of them cannot be kept.
pub fn beyond_files(parent: &Parent<'_>, folder: &LentFolder) -> Result<(Vec<Beyond>, BTreeSet<LeftOut>), LendError> {
    let Commits { tips, unkept } = commits(parent, folder)?;
    forget(folder);
    Ok((tips.into_iter().filter(|tip| !tip.is_head).map(|tip| tip.what).collect(), unkept))
}

/// Reads what the repository of a copy holds that nothing in the parent leads to.
pub(super) fn commits(parent: &Parent<'_>, folder: &LentFolder) -> Result<Commits, LendError> {
    let (notes, mut found) = (Notes::of(folder), Commits::default());
    let start = notes.start()?.commit;
    let folders = Folders::open(&folder.copy()).map_err(|error| LendError::failed(DOING, error))?;
    let AgentsRefs { head, others, unread } = agents_refs::read(&folders);
    for path in unread {
        found.leave(path);
    }
    let mut known = in_parent(parent)?;
    known.insert(start);
    let named = head.into_iter().map(|one| (one, true)).chain(others.into_iter().map(|one| (one, false)));
    let (same, foreign): (Vec<_>, Vec<_>) =
        named.filter(|((_, id), _)| !known.contains(id)).partition(|((_, id), _)| id.kind() == start.kind());
    for ((name, _), _) in foreign {
        found.leave(name);
    }
    if same.is_empty() {
        return Ok(found);
    }
    let reader = Borrower::of(parent, &notes, &folders).and_then(|reader| {
        let tips = reader.tips(&same, &known, &mut found)?;
        reader.without_secrets(tips, &notes, start, &mut found)
    });
    match reader {
        Ok(tips) => found.tips = tips,
        // Which of them git cannot read is not told apart.
        Err(_) => {
            for ((name, _), _) in same {
                found.leave(name);
            }
        }
    }
    Ok(found)
}

impl Commits {
    fn leave(&mut self, path: Vec<u8>) {
        self.unkept.insert(LeftOut { path, why: Why::Commits });
    }
}

/// Empties the folder with the copied objects, where nobody takes them in: they are the agent's work once more.
pub(super) fn forget(folder: &LentFolder) {
    let _ = Notes::of(folder).emptied(COPIED);
}

/// Has the parent take them in. Without success nothing names them there.
pub(super) fn take_in(parent: &Parent<'_>, folder: &LentFolder, tips: &[Tip]) -> Result<(), Error> {
    if tips.is_empty() {
        return Ok(());
    }
    let notes = Notes::of(folder);
    let (start, failed) = (notes.start(), |error: LendError| Error::new(error.to_string()));
    let start = start.map_err(failed)?.commit;
    let reader = Borrower::at(parent, &notes);
    let lines = tips.iter().map(|tip| format!("{}\n", tip.id)).collect::<Vec<_>>().concat();
    let words = ["pack-objects", "--revs", "--stdout", "-q", "--delta-base-offset"];
    let pack = reader.git(words).fed(format!("{lines}^{start}\n").into_bytes()).ask(parent.process)?;
    let git = Git::new(["index-pack", "--stdin", "--fsck-objects"]).inside(&parent.common_dir);
    git.settings(FORCED).silent().reading().fed(pack).ask(parent.process).map(drop)
}

/// What the parent's own refs name.
fn in_parent(parent: &Parent<'_>) -> Result<HashSet<Oid>, LendError> {
    let told = parent.ask(DOING, &["for-each-ref", "--format=%(objectname)"])?;
    Ok(String::from_utf8_lossy(&told).lines().filter_map(parsed).collect())
}

/// git in our own directory, with the parent's objects and a copy of those that the agent made.
struct Borrower<'a> {
    own: OwnGit<'a>,
    index: PathBuf,
    parents: PathBuf,
    agents: PathBuf,
    shallow: PathBuf,
}

type Named = ((Vec<u8>, Oid), bool);

impl<'a> Borrower<'a> {
    fn at(parent: &Parent<'a>, notes: &Notes) -> Self {
        Self {
            own: OwnGit::at(parent, notes, ObjectsIn::Own),
            index: notes.path("index.none"),
            parents: parent.objects(),
            agents: notes.path(COPIED),
            shallow: parent.common_dir.join("shallow"),
        }
    }

    /// With the objects copied as they are now.
    fn of(parent: &Parent<'a>, notes: &Notes, folders: &Folders) -> Result<Self, Error> {
        let failed = |error: io::Error| Error::new(error.to_string());
        let agents = notes.emptied(COPIED).map_err(failed)?;
        copied(folders, &agents).map_err(failed)?;
        Ok(Self::at(parent, notes))
    }

    fn git<A: Into<OsString>>(&self, words: impl IntoIterator<Item = A>) -> Git {
        let mut both = listed(&self.parents);
        both.push(":");
        both.push(listed(&self.agents));
        let git = self.own.git(&self.index, words).with("GIT_ALTERNATE_OBJECT_DIRECTORIES", both);
        // Where the parent's history ends, ours does.
        if self.shallow.exists() { git.with("GIT_SHALLOW_FILE", &self.shallow) } else { git }
    }

    /// The names that lead to something that neither the parent nor a name before them leads to.
    fn tips(&self, named: &[Named], known: &HashSet<Oid>, found: &mut Commits) -> Result<Vec<Tip>, Error> {
        let asked = named.iter().map(|((_, id), _)| format!("{id}^{{}}\n")).collect::<Vec<_>>().concat();
        let words = ["cat-file", "--batch-check=%(objectname) %(objecttype)"];
        let told = self.git(words).fed(asked.into_bytes()).ask(self.own.process)?;
        let told = String::from_utf8_lossy(&told).into_owned();
        let peeled: Vec<Option<(Oid, bool)>> = told
            .lines()
            .map(|line| line.split_once(' ').and_then(|(id, kind)| Some((parsed(id)?, kind == "commit"))))
            .collect();
        if peeled.len() != named.len() {
            return Err(Error::new("git named other objects than were asked for"));
        }
        let commits = peeled.iter().flatten().filter(|(_, is_commit)| *is_commit).map(|(id, _)| *id);
        let history = self.history(commits, known)?;
        let (mut taken, mut tips) = (HashSet::new(), Vec::new());
        for (((name, id), is_head), peeled) in named.iter().zip(peeled) {
            let Some((peeled, is_commit)) = peeled else {
                found.leave(name.clone());
                continue;
            };
            let commits = if is_commit { new_ones(peeled, &history, &mut taken) } else { 0 };
            // A tag is the agent's words, whatever it stands on; the same for a name of no commit.
            let is_new = commits > 0 || (peeled != *id || !is_commit) && taken.insert(*id);
            if is_new && tips.len() < MOST {
                tips.push(Tip { what: Beyond { name: shortened(name), commits }, id: *id, is_head: *is_head });
            } else if is_new {
                found.leave(name.clone());
            }
        }
        Ok(tips)
    }

    /// The parents of every commit that nothing known leads to.
    fn history(
        &self,
        commits: impl Iterator<Item = Oid>,
        known: &HashSet<Oid>,
    ) -> Result<HashMap<Oid, Vec<Oid>>, Error> {
        let wanted = commits.map(|id| format!("{id}\n")).collect::<Vec<_>>().concat();
        if wanted.is_empty() {
            return Ok(HashMap::new());
        }
        let known = known.iter().map(|id| format!("^{id}\n")).collect::<Vec<_>>().concat();
        let words = ["rev-list", "--ignore-missing", "--parents", "--stdin"];
        let told = self.git(words).fed((wanted + &known).into_bytes()).ask(self.own.process)?;
        let line = |line: &str| {
            let mut ids = line.split(' ').filter_map(parsed);
            Some((ids.next()?, ids.collect()))
        };
        Ok(String::from_utf8_lossy(&told).lines().filter_map(line).collect())
    }

    /// Those in whose commits there is nothing that `.worktreeinclude` brought in; the others cannot be kept.
    fn without_secrets(
        &self,
        tips: Vec<Tip>,
        notes: &Notes,
        start: Oid,
        found: &mut Commits,
    ) -> Result<Vec<Tip>, Error> {
        let included = notes.read_named(INCLUDED).map_err(|error| Error::new(error.to_string()))?;
        let included: HashSet<Oid> = included.into_values().collect();
        if included.is_empty() {
            return Ok(tips);
        }
        let mut plain = Vec::new();
        for tip in tips {
            let asked = format!("{}\n^{start}\n", tip.id).into_bytes();
            let told = self.git(["rev-list", "--objects", "--stdin"]).fed(asked).ask(self.own.process)?;
            let told = String::from_utf8_lossy(&told).into_owned();
            let ids = told.lines().filter_map(|line| parsed(line.split(' ').next()?));
            let mut is_secret = false;
            for id in ids.filter(|id| included.contains(id)) {
                let size = self.git(["cat-file", "-s", &id.to_string()]).ask(self.own.process)?;
                is_secret |= String::from_utf8_lossy(&size).trim().parse::<u64>().is_ok_and(|size| size >= TELLING);
            }
            if is_secret {
                found.unkept.insert(LeftOut { path: tip.what.name.into_bytes(), why: Why::Secret });
            } else {
                plain.push(tip);
            }
        }
        Ok(plain)
    }
}

/// The number of commits that this one leads to and that were not taken before.
fn new_ones(from: Oid, history: &HashMap<Oid, Vec<Oid>>, taken: &mut HashSet<Oid>) -> u64 {
    let (mut waiting, mut count) = (vec![from], 0);
    while let Some(id) = waiting.pop() {
        if let Some(parents) = history.get(&id)
            && taken.insert(id)
        {
            count += 1;
            waiting.extend(parents);
        }
    }
    count
}

/// Copies the objects of a copy, loose and packed, and nothing that says where there are more.
fn copied(folders: &Folders, into: &Path) -> io::Result<()> {
    let (mut bytes, mut files) = (0, 0);
    for name in names_in(&*folders.folder(OBJECTS)?)? {
        let is_loose = name.len() == 2 && name.iter().all(u8::is_ascii_hexdigit);
        if !is_loose && name != b"pack" {
            continue;
        }
        let from = [OBJECTS, b"/", &name].concat();
        let to = into.join(os(&name));
        fs::create_dir(&to)?;
        for object in names_in(&*folders.folder(&from)?)? {
            let is_wanted = is_loose || object.ends_with(b".pack") || object.ends_with(b".idx");
            if !is_wanted || object.starts_with(b"tmp_") {
                continue;
            }
            let mut source =
                io::Read::take(folders.open_file(&[&from, b"/".as_slice(), &object].concat())?, MOST_BYTES);
            let (mut file, fresh) = Fresh::alone(&to.join(os(&object)), 0o600)?;
            bytes += io::copy(&mut source, &mut file)?;
            files += 1;
            fresh.keep();
            if bytes >= MOST_BYTES || files > MOST_FILES {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
        }
    }
    Ok(())
}
