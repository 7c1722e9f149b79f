//! The refs of the repository that an agent's copy is, read as the files that they are: no git is run where the agent
//! was. No link is followed, and nothing is opened that could be waited for.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read as _};

use rustix::fs::FileType;

use super::sight::names_in;
use crate::files::folders::Folders;
use crate::git::Oid;
use crate::git::object::parsed;

/// The most bytes of a list of refs, or of the log of a ref.
const LIST: u64 = 16 * 1024 * 1024;
/// The most bytes of a file with one ref in it.
const ONE: u64 = 4 * 1024;
/// The most files and folders below `refs`.
const MOST: usize = 100_000;
/// The longest path that is looked at.
const LONGEST: usize = 2_048;

/// All that names an object in a copy.
#[derive(Default)]
pub(super) struct AgentsRefs {
    /// Where HEAD is, with the branch that it is on.
    pub head: Option<(Vec<u8>, Oid)>,
    /// The others, by name; stashes come last, the newest first.
    pub others: Vec<(Vec<u8>, Oid)>,
    /// What could not be read, by its path or its name.
    pub unread: Vec<Vec<u8>>,
}

/// Reads them. A copy without a repository has none.
pub(super) fn read(folders: &Folders) -> AgentsRefs {
    let mut found = AgentsRefs::default();
    match folders.look(b".git") {
        Ok(None) => return found,
        Ok(Some(git)) if git.kind == FileType::Directory => {}
        Ok(Some(_)) | Err(_) => {
            found.unread.push(b".git".to_vec());
            return found;
        }
    }
    // Refs that are kept in this way have no files.
    if !matches!(folders.look(b".git/reftable"), Ok(None)) {
        found.unread.push(b".git/reftable".to_vec());
    }
    let mut refs = BTreeMap::new();
    found.packed(folders, &mut refs);
    found.loose(folders, &mut refs);
    let mut stashes = found.stashes(folders);
    if let Some(newest) = refs.remove(b"refs/stash".as_slice())
        && !stashes.iter().any(|(_, id)| *id == newest)
    {
        stashes.push((b"refs/stash".to_vec(), newest));
    }
    found.head(folders, &refs);
    found.others.extend(refs);
    found.worktrees(folders);
    found.others.append(&mut stashes);
    found
}

impl AgentsRefs {
    /// The bytes of a file; none where there is no such file, or where it cannot be read, which is noted.
    fn bytes(&mut self, folders: &Folders, path: &[u8], most: u64) -> Option<Vec<u8>> {
        match bounded(folders, path, most) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(_) => {
                self.unread.push(path.to_vec());
                None
            }
        }
    }

    /// `<id> <name>`, a line each.
    fn packed(&mut self, folders: &Folders, refs: &mut BTreeMap<Vec<u8>, Oid>) {
        const PATH: &[u8] = b".git/packed-refs";
        let bytes = self.bytes(folders, PATH, LIST).unwrap_or_default();
        let lines = bytes.split(|byte| *byte == b'\n');
        for line in lines.filter(|line| !matches!(line.first(), None | Some(b'#' | b'^'))) {
            let mut words = line.splitn(2, |byte| *byte == b' ');
            match (words.next().and_then(id), words.next()) {
                (Some(id), Some(name)) => drop(refs.insert(name.to_vec(), id)),
                _ => self.unread.push(PATH.to_vec()),
            }
        }
        self.unread.dedup();
    }

    /// A file each, which counts more than a line of the list.
    fn loose(&mut self, folders: &Folders, refs: &mut BTreeMap<Vec<u8>, Oid>) {
        const TOP: &[u8] = b".git/refs";
        let (mut waiting, mut count) = (vec![TOP.to_vec()], 0_usize);
        while let Some(folder) = waiting.pop() {
            let names = folders.folder(&folder).map_err(io::Error::from).and_then(|open| names_in(&open));
            let Ok(names) = names else {
                self.unread.push(folder);
                continue;
            };
            count += names.len();
            if count > MOST {
                self.unread.push(TOP.to_vec());
                return;
            }
            for name in names {
                let path = [folder.as_slice(), b"/", &name].concat();
                let kind = folders.look(&path).ok().flatten().map(|found| found.kind);
                if kind == Some(FileType::Directory) && path.len() <= LONGEST {
                    waiting.push(path);
                } else if !path.ends_with(b".lock") {
                    self.one(folders, &path, refs);
                }
            }
        }
    }

    /// One that only names another ref leads to nothing of its own.
    fn one(&mut self, folders: &Folders, path: &[u8], refs: &mut BTreeMap<Vec<u8>, Oid>) {
        let Some(bytes) = self.bytes(folders, path, ONE) else { return };
        match id(bytes.trim_ascii()) {
            Some(id) => drop(refs.insert(path.strip_prefix(b".git/").unwrap_or(path).to_vec(), id)),
            None if bytes.starts_with(b"ref:") => {}
            None => self.unread.push(path.to_vec()),
        }
    }

    /// The log of `refs/stash`, whose lines are `<before> <now> <who and when>`, the newest last: each is a stash.
    fn stashes(&mut self, folders: &Folders) -> Vec<(Vec<u8>, Oid)> {
        const PATH: &[u8] = b".git/logs/refs/stash";
        let bytes = self.bytes(folders, PATH, LIST).unwrap_or_default();
        let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
        let mut found = Vec::new();
        for (number, line) in lines.iter().rev().enumerate() {
            match line.split(|byte| *byte == b' ').nth(1).and_then(id) {
                Some(id) => found.push((format!("stash@{{{number}}}").into_bytes(), id)),
                None => self.unread.push(PATH.to_vec()),
            }
        }
        self.unread.dedup();
        found
    }

    fn head(&mut self, folders: &Folders, refs: &BTreeMap<Vec<u8>, Oid>) {
        let Some(bytes) = self.bytes(folders, b".git/HEAD", ONE) else { return };
        let text = bytes.trim_ascii();
        self.head = match text.strip_prefix(b"ref:").map(<[u8]>::trim_ascii) {
            // A branch that is yet to be born has no commit.
            Some(branch) => refs.get(branch).map(|id| (branch.to_vec(), *id)),
            None => id(text).map(|id| (b"HEAD".to_vec(), id)),
        };
        if self.head.is_none() && !text.starts_with(b"ref:") {
            self.unread.push(b".git/HEAD".to_vec());
        }
    }

    /// Where HEAD is in the worktrees that the agent made of its copy, where it is on no branch.
    fn worktrees(&mut self, folders: &Folders) {
        const TOP: &[u8] = b".git/worktrees";
        let Ok(open) = folders.folder(TOP) else { return };
        for name in names_in(&open).unwrap_or_default().iter().take(MOST) {
            let path = [TOP, b"/", name, b"/HEAD"].concat();
            let bytes = self.bytes(folders, &path, ONE).unwrap_or_default();
            self.others.extend(id(bytes.trim_ascii()).map(|id| (path[b".git/".len()..].to_vec(), id)));
        }
    }
}

fn bounded(folders: &Folders, path: &[u8], most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    folders.open_file(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

fn id(text: &[u8]) -> Option<Oid> {
    parsed(std::str::from_utf8(text).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a26_refs_are_read_as_files_and_what_is_none_is_named() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(".git").join(name);
        for folder in ["refs/heads/fix", "refs/tags", "logs/refs"] {
            std::fs::create_dir_all(at(folder)).unwrap();
        }
        let [a, b, c] = ["1a", "2b", "3c"].map(|pair| pair.repeat(20));
        let write = |name: &str, text: String| std::fs::write(at(name), text).unwrap();
        write("packed-refs", format!("# pack-refs with: peeled\n{a} refs/heads/old\n{a} refs/tags/v\n^{b}\n"));
        write("refs/heads/old", format!("{b}\n"));
        write("refs/heads/fix/parse", format!("{c}\n"));
        write("refs/heads/x.lock", String::new());
        write("refs/heads/odd", "no id\n".to_owned());
        write("refs/stash", format!("{b}\n"));
        write("logs/refs/stash", format!("{a} {c} a <a> 1 +0000\tx\n{c} {b} a <a> 1 +0000\ty\n"));
        write("HEAD", "ref: refs/heads/old\n".to_owned());
        rustix::fs::mknodat(rustix::fs::CWD, at("refs/tags/pipe"), FileType::Fifo, 0o600.into(), 0).unwrap();
        let found = read(&Folders::open(temp.path()).unwrap());
        let text = |(name, id): &(Vec<u8>, Oid)| format!("{} {}", String::from_utf8_lossy(name), &id.to_string()[..2]);
        assert_eq!(found.head.as_ref().map(text).as_deref(), Some("refs/heads/old 2b"));
        let others: Vec<String> = found.others.iter().map(text).collect();
        let expected =
            ["refs/heads/fix/parse 3c", "refs/heads/old 2b", "refs/tags/v 1a", "stash@{0} 2b", "stash@{1} 3c"];
        assert_eq!(others, expected);
        let mut unread = found.unread;
        unread.sort();
        assert_eq!(unread, [b".git/refs/heads/odd".to_vec(), b".git/refs/tags/pipe".to_vec()]);
    }
}
