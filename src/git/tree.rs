//! Trees: read, written, walked and compared.

use std::collections::hash_map::Entry::{Occupied, Vacant};
use std::collections::{BTreeMap, HashMap};

use super::error::Error;
use super::object::Kind;
use super::{Naming, Oid, Repo};

/// The mode of a folder.
pub const FOLDER: u32 = 0o040_000;
/// The mode of a plain file.
pub const FILE: u32 = 0o100_644;
/// The mode of a symlink.
pub const SYMLINK: u32 = 0o120_000;
/// The mode of a submodule.
pub const GITLINK: u32 = 0o160_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub mode: u32,
    pub name: Vec<u8>,
    pub id: Oid,
}

impl Entry {
    pub fn is_folder(&self) -> bool {
        self.mode == FOLDER
    }

    /// Whether it is a file or a symlink.
    pub fn is_blob(&self) -> bool {
        self.mode != FOLDER && self.mode != GITLINK
    }
}

/// The entries in the bytes of a tree; `None` when they are none.
pub fn parse(naming: Naming, mut bytes: &[u8]) -> Option<Vec<Entry>> {
    let length = naming.len_in_bytes();
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let space = bytes.iter().position(|byte| *byte == b' ')?;
        let mode = u32::from_str_radix(std::str::from_utf8(&bytes[..space]).ok()?, 8).ok()?;
        let rest = &bytes[space + 1..];
        let end = rest.iter().position(|byte| *byte == 0)?;
        let id = rest.get(end + 1..end + 1 + length)?;
        found.push(Entry { mode, name: rest[..end].to_vec(), id: Oid::try_from(id).ok()? });
        bytes = &rest[end + 1 + length..];
    }
    Some(found)
}

/// The bytes of a tree with these entries, whatever order they come in.
pub fn bytes(entries: &[Entry]) -> Vec<u8> {
    let mut sorted: Vec<(Vec<u8>, &Entry)> = entries
        .iter()
        .map(|entry| {
            let mut key = entry.name.clone();
            // git sorts a folder as if its name ended with a slash.
            key.extend(entry.is_folder().then_some(b'/'));
            (key, entry)
        })
        .collect();
    sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut bytes = Vec::new();
    for (_, entry) in sorted {
        bytes.extend_from_slice(format!("{:o} ", entry.mode).as_bytes());
        bytes.extend_from_slice(&entry.name);
        bytes.push(0);
        bytes.extend_from_slice(entry.id.as_slice());
    }
    bytes
}

/// One path that differs between two trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    pub path: Vec<u8>,
    /// Mode and object before; none when it is new.
    pub old: Option<(u32, Oid)>,
    /// Mode and object now; none when it is gone.
    pub new: Option<(u32, Oid)>,
}

impl Repo {
    pub fn tree(&self, id: Oid) -> Result<Vec<Entry>, Error> {
        let object = self.read(id)?.ok_or_else(|| Error::missing(id))?;
        let broken = || Error(format!("{id} is no tree"));
        if object.kind != Kind::Tree {
            return Err(broken());
        }
        parse(self.naming(), &object.bytes).ok_or_else(broken)
    }

    /// Writes a tree of these entries, whatever order they come in.
    pub fn write_tree(&self, entries: &[Entry]) -> Result<Oid, Error> {
        self.write(Kind::Tree, bytes(entries))
    }

    /// What stands at a path; `None` when nothing does.
    pub fn at_path(&self, tree: Oid, path: &[u8]) -> Result<Option<(u32, Oid)>, Error> {
        Paths::of(self, tree).at(path)
    }

    /// Every file, symlink and submodule below a tree, by path.
    pub fn files(&self, tree: Oid) -> Result<BTreeMap<Vec<u8>, (u32, Oid)>, Error> {
        let mut found = BTreeMap::new();
        let mut waiting = vec![(Vec::new(), tree)];
        while let Some((above, tree)) = waiting.pop() {
            for entry in self.tree(tree)? {
                let path = [above.as_slice(), &entry.name].concat();
                if entry.is_folder() {
                    waiting.push(([path.as_slice(), b"/"].concat(), entry.id));
                } else {
                    found.insert(path, (entry.mode, entry.id));
                }
            }
        }
        Ok(found)
    }

    /// What differs between two trees, by path.
    pub fn differing(&self, old: Oid, new: Oid) -> Result<Vec<Differing>, Error> {
        let mut found = Vec::new();
        self.compare(&[], Some(old), Some(new), &mut found)?;
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    fn compare(
        &self,
        above: &[u8],
        old: Option<Oid>,
        new: Option<Oid>,
        found: &mut Vec<Differing>,
    ) -> Result<(), Error> {
        if old == new {
            return Ok(());
        }
        let listed = |tree: Option<Oid>| tree.map_or_else(|| Ok(Vec::new()), |tree| self.tree(tree));
        let mut names: BTreeMap<Vec<u8>, (Option<Entry>, Option<Entry>)> = BTreeMap::new();
        for entry in listed(old)? {
            let name = entry.name.clone();
            names.entry(name).or_default().0 = Some(entry);
        }
        for entry in listed(new)? {
            let name = entry.name.clone();
            names.entry(name).or_default().1 = Some(entry);
        }
        for (name, (old, new)) in names {
            if old == new {
                continue;
            }
            let path = [above, &name].concat();
            let folder = |entry: &Option<Entry>| entry.as_ref().filter(|one| one.is_folder()).map(|one| one.id);
            let other =
                |entry: &Option<Entry>| entry.as_ref().filter(|one| !one.is_folder()).map(|one| (one.mode, one.id));
            if folder(&old).is_some() || folder(&new).is_some() {
                self.compare(&[path.as_slice(), b"/"].concat(), folder(&old), folder(&new), found)?;
            }
            if other(&old).is_some() || other(&new).is_some() {
                found.push(Differing { path, old: other(&old), new: other(&new) });
            }
        }
        Ok(())
    }
}

/// The paths of one tree, for who asks for many: each folder is read once.
pub struct Paths<'r> {
    repo: &'r Repo,
    tree: Oid,
    read: HashMap<Oid, HashMap<Vec<u8>, (u32, Oid)>>,
}

impl<'r> Paths<'r> {
    pub fn of(repo: &'r Repo, tree: Oid) -> Self {
        Self { repo, tree, read: HashMap::new() }
    }

    /// What stands at a path; `None` when nothing does.
    pub fn at(&mut self, path: &[u8]) -> Result<Option<(u32, Oid)>, Error> {
        let mut at = (FOLDER, self.tree);
        for name in path.split(|byte| *byte == b'/').filter(|name| !name.is_empty()) {
            if at.0 != FOLDER {
                return Ok(None);
            }
            match self.folder(at.1)?.get(name) {
                Some(entry) => at = *entry,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    fn folder(&mut self, id: Oid) -> Result<&HashMap<Vec<u8>, (u32, Oid)>, Error> {
        Ok(match self.read.entry(id) {
            Occupied(known) => known.into_mut(),
            Vacant(unread) => {
                let entries = self.repo.tree(id)?.into_iter();
                unread.insert(entries.map(|entry| (entry.name, (entry.mode, entry.id))).collect())
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::object::name_of;

    #[test]
    fn a_tree_is_read_as_it_was_written_and_in_gits_order() {
        for naming in [Naming::Sha1, Naming::Sha256] {
            let id = name_of(naming, Kind::Blob, b"x").unwrap();
            let entry = |mode: u32, name: &str| Entry { mode, name: name.as_bytes().to_vec(), id };
            let written = bytes(&[entry(FOLDER, "a"), entry(FILE, "a.b"), entry(FILE, "a0"), entry(SYMLINK, "A")]);
            let read = parse(naming, &written).unwrap();
            let names: Vec<&[u8]> = read.iter().map(|entry| entry.name.as_slice()).collect();
            assert_eq!(names, [b"A".as_slice(), b"a.b", b"a", b"a0"]);
            assert_eq!(parse(naming, &written[..written.len() - 1]), None, "cut off");
        }
        assert_eq!(parse(Naming::Sha1, b"100644 a"), None);
        assert_eq!(parse(Naming::Sha1, b""), Some(Vec::new()));
    }
}
