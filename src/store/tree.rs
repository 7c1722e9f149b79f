//! Trees: one commit's files as the codec sees them, and a new tree from an old one with a few changes.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::changes::{Change, Changes};
use super::files::{Broken, Files};
use super::patience::awaited;
use crate::git::tree::{self, Entry, FILE, FOLDER};
use crate::git::{Error, Kind, Object, Oid, Repo};

/// The files of one commit. Folders that were read once are not read again.
pub struct CommitFiles<'r> {
    repo: &'r Repo,
    tree: Oid,
    known: RefCell<HashMap<Oid, Rc<Vec<Entry>>>>,
    /// Whether an object that is on its way into a pack is waited for.
    waits: bool,
}

impl<'r> CommitFiles<'r> {
    /// Opens a commit's tree.
    pub fn of(repo: &'r Repo, commit: Oid) -> Result<Self, Broken> {
        Self::open(repo, commit, true)
    }

    /// The same for who looks at what is damaged: what is missing is missing at once, and is not waited for.
    pub fn plainly(repo: &'r Repo, commit: Oid) -> Result<Self, Broken> {
        Self::open(repo, commit, false)
    }

    fn open(repo: &'r Repo, commit: Oid, waits: bool) -> Result<Self, Broken> {
        let at = |why: String| Broken::at(format!("commit {commit}"), why);
        let mut files = Self { repo, tree: commit, known: RefCell::default(), waits };
        let object = files.object(commit).map_err(|error| at(error.0))?;
        if object.kind != Kind::Commit {
            return Err(at(format!("it is a {}", object.kind.word())));
        }
        let parsed = crate::git::Commit::parse(commit, &object.bytes);
        files.tree = parsed.ok_or_else(|| at("its bytes are no commit".to_owned()))?.tree;
        Ok(files)
    }

    fn object(&self, id: Oid) -> Result<Object, Error> {
        if self.waits { awaited(self.repo, id) } else { self.repo.read(id)?.ok_or_else(|| Error::missing(id)) }
    }

    pub fn tree_id(&self) -> Oid {
        self.tree
    }

    fn folder(&self, tree: Oid, path: &str) -> Result<Rc<Vec<Entry>>, Broken> {
        if let Some(known) = self.known.borrow().get(&tree) {
            return Ok(Rc::clone(known));
        }
        let entries = self.object(tree).and_then(|object| entries_of(self.repo, tree, &object));
        let entries = Rc::new(entries.map_err(|error| Broken::at(path, error.0))?);
        self.known.borrow_mut().insert(tree, Rc::clone(&entries));
        Ok(entries)
    }

    /// Mode and object at a path.
    fn entry(&self, path: &str) -> Result<Option<(u32, Oid)>, Broken> {
        let mut at = (FOLDER, self.tree);
        for name in path.split('/') {
            if at.0 != FOLDER {
                return Ok(None);
            }
            match self.folder(at.1, path)?.iter().find(|entry| entry.name == name.as_bytes()) {
                Some(entry) => at = (entry.mode, entry.id),
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    fn walk(&self, tree: Oid, folder: &str, found: &mut Vec<String>) -> Result<(), Broken> {
        for entry in self.folder(tree, folder)?.iter() {
            let name = std::str::from_utf8(&entry.name);
            let name = name.map_err(|_| Broken::at(folder, "it holds a name that is not UTF-8"))?;
            let path = format!("{folder}/{name}");
            if entry.is_folder() {
                self.walk(entry.id, &path, found)?;
            } else {
                found.push(path);
            }
        }
        Ok(())
    }

    pub fn blob_id(&self, path: &str) -> Result<Option<Oid>, Broken> {
        Ok(self.entry(path)?.map(|(_, id)| id))
    }
}

impl Files for CommitFiles<'_> {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Broken> {
        let no_file = || Broken::at(path, "it is no file");
        let Some((mode, id)) = self.entry(path)? else {
            return Ok(None);
        };
        if mode == FOLDER {
            return Err(no_file());
        }
        match self.object(id).map_err(|error| Broken::at(path, error.0))? {
            Object { kind: Kind::Blob, bytes } => Ok(Some(bytes)),
            Object { .. } => Err(no_file()),
        }
    }

    fn below(&self, folder: &str) -> Result<Vec<String>, Broken> {
        let mut found = Vec::new();
        if let Some((_, id)) = self.entry(folder)? {
            self.walk(id, folder, &mut found)?;
        }
        Ok(found)
    }
}

fn entries_of(repo: &Repo, id: Oid, object: &Object) -> Result<Vec<Entry>, Error> {
    let entries = if object.kind == Kind::Tree { tree::parse(repo.naming(), &object.bytes) } else { None };
    entries.ok_or_else(|| Error(format!("{id} is no tree")))
}

/// Changes by the paths that they are about, as [`write`] takes them.
pub(super) fn flat(changes: &Changes) -> Vec<(&str, &Change)> {
    changes.iter().map(|(path, change)| (path.as_str(), change)).collect()
}

/// Writes an object, and names it.
pub(super) type Put<'p> = dyn FnMut(Kind, Vec<u8>) -> Result<Oid, Error> + 'p;

/// Writes the folder that `base` becomes with `changes`, and every object it needs, each by `write_object`; `None` when
/// nothing is left in it.
pub(super) fn write(
    repo: &Repo,
    base: Option<Oid>,
    changes: &[(&str, &Change)],
    write_object: &mut Put<'_>,
) -> Result<Option<Oid>, Error> {
    let known = match base {
        Some(base) => entries_of(repo, base, &awaited(repo, base)?)?,
        None => Vec::new(),
    };
    let mut entries: BTreeMap<Vec<u8>, Entry> = known.into_iter().map(|entry| (entry.name.clone(), entry)).collect();
    let mut deeper: BTreeMap<&str, Vec<(&str, &Change)>> = BTreeMap::new();
    let put = |entries: &mut BTreeMap<Vec<u8>, Entry>, name: &str, mode: u32, id: Oid| {
        let name = name.as_bytes().to_vec();
        entries.insert(name.clone(), Entry { mode, name, id });
    };
    for (path, change) in changes {
        match (path.split_once('/'), change) {
            (Some((name, rest)), _) => deeper.entry(name).or_default().push((rest, change)),
            (None, Change::Put(bytes)) => {
                let blob = write_object(Kind::Blob, bytes.clone())?;
                put(&mut entries, path, FILE, blob);
            }
            (None, Change::Remove) => drop(entries.remove(path.as_bytes())),
        }
    }
    for (name, inner) in deeper {
        let existing = entries.get(name.as_bytes()).filter(|entry| entry.is_folder()).map(|entry| entry.id);
        match write(repo, existing, &inner, write_object)? {
            Some(tree) => put(&mut entries, name, FOLDER, tree),
            // A file may have taken the folder's place just now; that one stays.
            None => {
                if existing.is_some() {
                    entries.remove(name.as_bytes());
                }
            }
        }
    }
    if entries.is_empty() {
        return Ok(None);
    }
    let entries: Vec<Entry> = entries.into_values().collect();
    write_object(Kind::Tree, tree::bytes(&entries)).map(Some)
}
