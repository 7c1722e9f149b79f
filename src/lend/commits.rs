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
use crate::files::regular;
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
    let Ok(reader) = Borrower::of(parent, &notes, &folders) else {
        for ((name, _), _) in same {
            found.leave(name);
        }
        return Ok(found);
    };
    let tips = reader.readable(&same, &known, &mut found);
    let tips = reader.whole(tips, start, &mut found);
    let included: HashSet<Oid> = notes.read_named(INCLUDED)?.into_values().collect();
    for tip in tips {
        let name = tip.what.name.clone();
        match reader.is_secret(&tip, &included, start) {
            Ok(false) => found.tips.push(tip),
            Ok(true) => drop(found.unkept.insert(LeftOut { path: name.into_bytes(), why: Why::Secret })),
            Err(_) => found.leave(name.into_bytes()),
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
    let pack = Borrower::at(parent, &notes).pack(tips, start)?;
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

    /// What these lead to and the start does not, in one pack.
    fn pack(&self, tips: &[Tip], start: Oid) -> Result<Vec<u8>, Error> {
        let lines = tips.iter().map(|tip| format!("{}\n", tip.id)).collect::<Vec<_>>().concat();
        let words = ["pack-objects", "--revs", "--stdout", "-q", "--delta-base-offset"];
        self.git(words).fed(format!("{lines}^{start}\n").into_bytes()).ask(self.own.process)
    }

    /// The tips of what git can read. Where it cannot read all of it, each name is read by itself.
    fn readable(&self, named: &[Named], known: &HashSet<Oid>, found: &mut Commits) -> Vec<Tip> {
        if let Ok((tips, mut more)) = self.tips(named, known) {
            found.unkept.append(&mut more);
            return tips;
        }
        let mut all = Vec::new();
        for one in named {
            match self.tips(std::slice::from_ref(one), known) {
                Ok((mut tips, mut more)) if all.len() + tips.len() <= MOST => {
                    found.unkept.append(&mut more);
                    all.append(&mut tips);
                }
                Ok(_) => drop(found.unkept.insert(LeftOut { path: one.0.0.clone(), why: Why::Names })),
                Err(_) => found.leave(one.0.0.clone()),
            }
        }
        all
    }

    /// Those of which every object is there and sound, as the parent will check them.
    fn whole(&self, tips: Vec<Tip>, start: Oid, found: &mut Commits) -> Vec<Tip> {
        let is_whole = |tips: &[Tip]| {
            let pack = self.agents.join("check.pack");
            let checked = self.pack(tips, start).and_then(|bytes| {
                regular::write(&pack, bytes).map_err(|error| Error::new(error.to_string()))?;
                let words = [OsString::from("index-pack"), "--fsck-objects".into(), pack.clone().into_os_string()];
                self.git(words).settings(FORCED).ask(self.own.process)
            });
            for name in ["pack", "idx", "rev"] {
                let _ = fs::remove_file(pack.with_extension(name));
            }
            checked.is_ok()
        };
        if tips.is_empty() || is_whole(&tips) {
            return tips;
        }
        let (whole, broken): (Vec<Tip>, Vec<Tip>) =
            tips.into_iter().partition(|tip| is_whole(std::slice::from_ref(tip)));
        for tip in broken {
            found.leave(tip.what.name.into_bytes());
        }
        whole
    }

    /// The names that lead to something that neither the parent nor a name before them leads to, and those that are left.
    fn tips(&self, named: &[Named], known: &HashSet<Oid>) -> Result<(Vec<Tip>, BTreeSet<LeftOut>), Error> {
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
        let mut all: Vec<_> = named.iter().zip(peeled).collect();
        if all.len() > MOST {
            // Where there are too many names, one is enough for all that its history holds.
            let inner: HashSet<Oid> = history.values().flatten().copied().collect();
            all.sort_by_key(|(_, peeled)| peeled.is_some_and(|(id, _)| inner.contains(&id)));
        }
        let (mut taken, mut tips, mut left) = (HashSet::new(), Vec::new(), BTreeSet::new());
        for (((name, id), is_head), peeled) in all {
            let Some((peeled, is_commit)) = peeled else {
                left.insert(LeftOut { path: name.clone(), why: Why::Commits });
                continue;
            };
            let commits = if is_commit { new_ones(peeled, &history, &mut taken) } else { 0 };
            // A tag is the agent's words, whatever it stands on; the same for a name of no commit.
            let is_new = commits > 0 || (peeled != *id || !is_commit) && taken.insert(*id);
            if is_new && tips.len() < MOST {
                tips.push(Tip { what: Beyond { name: shortened(name), commits }, id: *id, is_head: *is_head });
            } else if is_new {
                left.insert(LeftOut { path: name.clone(), why: Why::Names });
            }
        }
        Ok((tips, left))
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

    /// Whether its commits have something in them that `.worktreeinclude` brought in.
    fn is_secret(&self, tip: &Tip, included: &HashSet<Oid>, start: Oid) -> Result<bool, Error> {
        if included.is_empty() {
            return Ok(false);
        }
        let asked = format!("{}\n^{start}\n", tip.id).into_bytes();
        let told = self.git(["rev-list", "--objects", "--stdin"]).fed(asked).ask(self.own.process)?;
        let told = String::from_utf8_lossy(&told).into_owned();
        let ids = told.lines().filter_map(|line| parsed(line.split(' ').next()?));
        for id in ids.filter(|id| included.contains(id)) {
            let size = self.git(["cat-file", "-s", &id.to_string()]).ask(self.own.process)?;
            if String::from_utf8_lossy(&size).trim().parse::<u64>().is_ok_and(|size| size >= TELLING) {
                return Ok(true);
            }
        }
        Ok(false)
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

/// Copies the objects of a copy, loose and packed, and nothing that says where there are more. The small ones come first:
/// where it is too much, what is large is missed.
fn copied(folders: &Folders, into: &Path) -> io::Result<()> {
    let mut groups: Vec<(u64, Vec<Vec<u8>>)> = Vec::new();
    for name in names_in(&*folders.folder(OBJECTS)?)? {
        let is_loose = name.len() == 2 && name.iter().all(u8::is_ascii_hexdigit);
        if !is_loose && name != b"pack" {
            continue;
        }
        fs::create_dir(into.join(os(&name)))?;
        for object in names_in(&*folders.folder(&[OBJECTS, b"/", &name].concat())?)? {
            let path = [name.as_slice(), b"/", &object].concat();
            let together = match object.strip_suffix(b".pack") {
                // One is of no use without the other.
                Some(pack) if !is_loose => vec![[name.as_slice(), b"/", pack, b".idx"].concat(), path],
                None if is_loose => vec![path],
                Some(_) | None => continue,
            };
            let size = |path: &Vec<u8>| {
                let found = folders.look(&[OBJECTS, b"/", path].concat()).ok().flatten();
                found.map_or(0, |found| u64::try_from(found.stat.st_size).unwrap_or(u64::MAX))
            };
            groups.push((together.iter().map(size).fold(0, u64::saturating_add), together));
        }
    }
    groups.sort();
    let mut left = MOST_BYTES;
    for path in
        groups.into_iter().take(MOST_FILES).take_while(|(size, _)| *size <= MOST_BYTES).flat_map(|group| group.1)
    {
        let Ok(source) = folders.open_file(&[OBJECTS, b"/", path.as_slice()].concat()) else { continue };
        let (mut file, fresh) = Fresh::alone(&into.join(os(&path)), 0o600)?;
        let copied = io::copy(&mut io::Read::take(source, left + 1), &mut file)?;
        let Some(rest) = left.checked_sub(copied) else { break };
        left = rest;
        fresh.keep();
    }
    Ok(())
}
