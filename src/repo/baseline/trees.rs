//! Trees of whole checkouts, written in one pass over their sorted paths. What a file's object says is not looked at: a
//! partial clone need not have it.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::git::quoted;
use crate::app::ports::BaselineError;
use crate::git::object::name_of;
use crate::git::tree::{self, Entry};
use crate::git::{Error, Kind, Oid, Repo};

const DOING: &str = "writing a tree";

/// Writes trees: what is in one of those before them at the same place is kept with that one, and the rest is written, a
/// folder that was written once not again. That an object is in some pack says nothing: a pack may be gone a moment later,
/// and with it what no ref leads to.
pub(super) struct Trees<'a> {
    repo: &'a Repo,
    before: &'a [Oid],
    names: HashMap<Rc<[u8]>, Oid>,
    contents: HashMap<Oid, Rc<[u8]>>,
    written: HashSet<Oid>,
}

/// A folder whose files are still coming.
struct Open {
    /// Its path with a slash at the end; empty at the top.
    path: Vec<u8>,
    content: Vec<u8>,
    /// Where the names of its entries begin in the content.
    names: Vec<(usize, usize)>,
}

impl Open {
    fn at(path: Vec<u8>) -> Self {
        Self { path, content: Vec::new(), names: Vec::new() }
    }

    fn enter(&mut self, mode: u32, name: &[u8], id: Oid) {
        self.content.extend_from_slice(format!("{mode:o} ").as_bytes());
        let begins = self.content.len();
        self.content.extend_from_slice(name);
        self.names.push((begins, self.content.len()));
        self.content.push(0);
        self.content.extend_from_slice(id.as_slice());
    }

    /// Whether an entry has this name. In this order, nothing but longer names with the same beginning comes between.
    fn has(&self, name: &[u8]) -> bool {
        let names = self.names.iter().rev().map(|(begins, ends)| &self.content[*begins..*ends]);
        names.take_while(|one| one.starts_with(name)).any(|one| one == name)
    }
}

impl<'a> Trees<'a> {
    /// To something that keeps the trees `before` leads whatever keeps these.
    pub(super) fn new(repo: &'a Repo, before: &'a [Oid]) -> Self {
        Self { repo, before, names: HashMap::new(), contents: HashMap::new(), written: HashSet::new() }
    }

    /// The tree of these files, which come in the order of their paths, each once.
    pub(super) fn write<'b>(
        &mut self,
        files: impl IntoIterator<Item = (&'b [u8], u32, Oid)>,
    ) -> Result<Oid, BaselineError> {
        let mut top = Open::at(Vec::new());
        let mut below: Vec<Open> = Vec::new();
        for (path, mode, id) in files {
            while below.last().is_some_and(|open| !path.starts_with(&open.path)) {
                self.close(&mut top, &mut below)?;
            }
            let mut rest = &path[below.last().map_or(0, |open| open.path.len())..];
            while let Some(slash) = rest.iter().position(|byte| *byte == b'/') {
                let open = below.last().unwrap_or(&top);
                fits(open, &rest[..slash], path)?;
                let folder = path.len() - rest.len() + slash + 1;
                below.push(Open::at(path[..folder].to_vec()));
                rest = &rest[slash + 1..];
            }
            let open = below.last_mut().unwrap_or(&mut top);
            fits(open, rest, path)?;
            open.enter(mode, rest, id);
        }
        while !below.is_empty() {
            self.close(&mut top, &mut below)?;
        }
        let top = self.named(top.content)?;
        self.settle(top)?;
        Ok(top)
    }

    /// Writes what of a tree is not in those before it.
    fn settle(&mut self, top: Oid) -> Result<(), BaselineError> {
        let mut waiting = vec![(top, self.before.to_vec())];
        while let Some((tree, before)) = waiting.pop() {
            if before.contains(&tree) || !self.written.insert(tree) {
                continue;
            }
            let Some(content) = self.contents.get(&tree) else { continue };
            let failed = |error: Error| BaselineError::failed(DOING, error);
            self.repo.write(Kind::Tree, content.to_vec()).map_err(failed)?;
            // One that cannot be read keeps nothing.
            let before = before.iter().filter_map(|one| self.repo.tree(*one).ok());
            let before: Vec<HashMap<Vec<u8>, Oid>> = before.map(folders).collect();
            for (name, folder) in folders(tree::parse(self.repo.naming(), content).unwrap_or_default()) {
                waiting.push((folder, before.iter().filter_map(|one| one.get(&name).copied()).collect()));
            }
        }
        Ok(())
    }

    /// Writes the innermost folder and enters it in the one around it.
    fn close(&mut self, top: &mut Open, below: &mut Vec<Open>) -> Result<(), BaselineError> {
        if let Some(Open { path, content, .. }) = below.pop() {
            let id = self.named(content)?;
            let around = below.last_mut().unwrap_or(top);
            let begins = around.path.len();
            around.enter(0o040_000, &path[begins..path.len() - 1], id);
        }
        Ok(())
    }

    fn named(&mut self, content: Vec<u8>) -> Result<Oid, BaselineError> {
        let content: Rc<[u8]> = content.into();
        if let Some(id) = self.names.get(&content) {
            return Ok(*id);
        }
        let id = name_of(self.repo.naming(), Kind::Tree, &content);
        let id = id.map_err(|error| BaselineError::failed(DOING, error))?;
        self.names.insert(Rc::clone(&content), id);
        self.contents.insert(id, content);
        Ok(id)
    }
}

/// The folders among the entries of a tree.
fn folders(entries: Vec<Entry>) -> HashMap<Vec<u8>, Oid> {
    entries.into_iter().filter(Entry::is_folder).map(|entry| (entry.name, entry.id)).collect()
}

/// Refuses what git would not take for a tree: a path that leads elsewhere, which only a forged index has, and one name
/// twice, when a file became a folder while they were read.
fn fits(open: &Open, name: &[u8], path: &[u8]) -> Result<(), BaselineError> {
    if matches!(name, b"" | b"." | b"..") || name.eq_ignore_ascii_case(b".git") {
        return Err(BaselineError::failed(DOING, format!("{} is no path of a working tree", quoted(path))));
    }
    if open.has(name) {
        let why = format!("{} was a file and a folder while it was read", quoted(path));
        return Err(BaselineError::failed(DOING, why));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::{library_id, our_id};

    fn bench() -> (tempfile::TempDir, Repo) {
        let temp = tempfile::tempdir().unwrap();
        let repo = git2::Repository::init_bare(temp.path()).unwrap();
        (temp, Repo::Library(repo))
    }

    /// The same tree as git's library makes it of an index.
    fn tree_of<'a>(repo: &Repo, files: impl IntoIterator<Item = (&'a [u8], u32, Oid)>) -> Oid {
        let Repo::Library(library) = repo else { panic!("the bench has the library") };
        let mut index = git2::Index::new().unwrap();
        let time = git2::IndexTime::new(0, 0);
        for (path, mode, id) in files {
            let id = library_id(id).unwrap();
            let entry = git2::IndexEntry {
                ctime: time,
                mtime: time,
                dev: 0,
                ino: 0,
                mode,
                uid: 0,
                gid: 0,
                file_size: 0,
                id,
                flags: 0,
                flags_extended: 0,
                path: path.to_vec(),
            };
            index.add(&entry).unwrap();
        }
        our_id(index.write_tree_to(library).unwrap())
    }

    #[test]
    fn a_tree_is_the_one_that_git_would_write() {
        let (_temp, repo) = bench();
        let blob = repo.write(Kind::Blob, b"x".to_vec()).unwrap();
        let mut paths: Vec<&[u8]> =
            vec![b"a.b", b"a/b/c", b"a/b.c", b"a/b0", b"a0", b"a-/x", b"z/deep/er/f", b"z/deep/g", b"caf\xe9", b"z.t"];
        paths.sort_unstable();
        let files = || paths.iter().map(|path| (*path, if path.len() == 2 { 0o100_755 } else { 0o100_644 }, blob));
        let mut trees = Trees::new(&repo, &[]);
        let ours = trees.write(files()).unwrap();
        assert_eq!(ours, tree_of(&repo, files()));
        assert_eq!(ours, trees.write(files()).unwrap(), "the second time from memory");
        assert_eq!(trees.write([]).unwrap(), tree_of(&repo, []));
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let (_temp, repo) = bench();
        let blob = repo.write(Kind::Blob, b"x".to_vec()).unwrap();
        let refused = |paths: &[&[u8]]| {
            let files = paths.iter().map(|path| (*path, 0o100_644, blob));
            Trees::new(&repo, &[]).write(files).is_err()
        };
        for path in [b".git/config".as_slice(), b"a/.GIT/x", b"../x", b"a/../x", b"a//b", b"a/", b"./a", b".git"] {
            assert!(refused(&[path]), "{}", quoted(path));
        }
        assert!(refused(&[b"a", b"a-b", b"a.txt", b"a/b"]), "a file and a folder");
        assert!(refused(&[b"a", b"a"]));
        assert!(!refused(&[b".gitignore", b"a", b"a-b", b"ab/a"]));
    }

    #[test]
    fn the_objects_of_the_files_need_not_be_there() {
        let (_temp, repo) = bench();
        let elsewhere = repo.blob_name(b"not fetched").unwrap();
        let id = Trees::new(&repo, &[]).write([(b"a/b".as_slice(), 0o100_644, elsewhere)]).unwrap();
        assert_eq!(repo.tree(id).unwrap().len(), 1);
    }
}
