//! Objects as git keeps them: their kinds, their names, and what a commit says.

use super::error::Error;
use super::{Naming, Oid};
use crate::domain::ids::ObjectId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The bytes of a file.
    Blob,
    /// A folder.
    Tree,
    Commit,
    /// An annotated tag.
    Tag,
}

impl Kind {
    /// git's word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Blob => "blob",
            Self::Tree => "tree",
            Self::Commit => "commit",
            Self::Tag => "tag",
        }
    }

    pub fn named(word: &str) -> Option<Self> {
        [Self::Blob, Self::Tree, Self::Commit, Self::Tag].into_iter().find(|kind| kind.word() == word)
    }

    pub(super) fn of_library(kind: git2::ObjectType) -> Option<Self> {
        Self::named(kind.str())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    pub kind: Kind,
    pub bytes: Vec<u8>,
}

/// The name that git gives to these bytes. Fails on bytes that were made to collide under SHA-1, as git does.
pub fn name_of(naming: Naming, kind: Kind, bytes: &[u8]) -> Result<Oid, Error> {
    let mut hasher = gix_hash::hasher(naming);
    hasher.update(format!("{} {}\0", kind.word(), bytes.len()).as_bytes());
    hasher.update(bytes);
    hasher.try_finalize().map_err(|error| Error(error.to_string()))
}

/// The name that git gives to a blob of `size` bytes that are read from `source`, without taking them into memory.
pub fn name_of_stream(naming: Naming, size: u64, source: &mut dyn std::io::Read) -> std::io::Result<Oid> {
    let mut hasher = gix_hash::hasher(naming);
    hasher.update(format!("blob {size}\0").as_bytes());
    let (mut buffer, mut seen) = (vec![0; 64 * 1024], 0_u64);
    loop {
        let read = source.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        seen += read as u64;
        hasher.update(&buffer[..read]);
    }
    if seen != size {
        return Err(std::io::Error::other("it changed while it was read"));
    }
    hasher.try_finalize().map_err(|error| std::io::Error::other(error.to_string()))
}

/// The SHA-256 of these bytes, and of nothing around them, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> Result<String, Error> {
    let mut hasher = gix_hash::hasher(Naming::Sha256);
    hasher.update(bytes);
    hasher.try_finalize().map(|digest| digest.to_string()).map_err(|error| Error(error.to_string()))
}

/// The naming that a whole name of this length belongs to.
pub fn naming_of(name: &str) -> Option<Naming> {
    match name.len() {
        40 => Some(Naming::Sha1),
        64 => Some(Naming::Sha256),
        _ => None,
    }
}

/// A whole name as text; `None` for a shortened one, and for what is none.
pub fn parsed(name: &str) -> Option<Oid> {
    naming_of(name)?;
    Oid::from_hex(name.as_bytes()).ok()
}

/// A name as the domain has it.
pub fn in_words(id: Oid) -> ObjectId {
    ObjectId::parse(&id.to_string()).expect("git's ids are hexadecimal")
}

/// A commit, as far as anybody here asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    pub id: Oid,
    pub tree: Oid,
    /// Its parents in order.
    pub parents: Vec<Oid>,
    /// The author's name.
    pub author: String,
    /// When it was written, in seconds.
    pub authored: i64,
    /// When it was committed, in seconds.
    pub committed: i64,
    /// The first paragraph of its message, on one line.
    pub subject: String,
}

impl Commit {
    pub fn parse(id: Oid, bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(2).position(|two| two == b"\n\n").unwrap_or(bytes.len());
        let (head, message) = (&bytes[..end], message(bytes));
        let (mut tree, mut parents) = (None, Vec::new());
        let (mut author, mut authored, mut committed) = (String::new(), 0, 0);
        for line in head.split(|byte| *byte == b'\n') {
            let Some(space) = line.iter().position(|byte| *byte == b' ') else { continue };
            let (key, value) = (&line[..space], &line[space + 1..]);
            let id = || Oid::from_hex(value).ok();
            match key {
                b"tree" if tree.is_none() => tree = Some(id()?),
                b"parent" => parents.push(id()?),
                b"author" => (author, authored) = person(value),
                b"committer" => committed = person(value).1,
                _ => {}
            }
        }
        Some(Self { id, tree: tree?, parents, author, authored, committed, subject: subject(message) })
    }
}

/// What stands behind the head of a commit or a tag.
pub fn message(bytes: &[u8]) -> &[u8] {
    let end = bytes.windows(2).position(|two| two == b"\n\n").unwrap_or(bytes.len());
    bytes.get(end + 2..).unwrap_or_default()
}

pub(super) fn tagged(bytes: &[u8]) -> Option<Oid> {
    let line = bytes.split(|byte| *byte == b'\n').next()?;
    Oid::from_hex(line.strip_prefix(b"object ")?).ok()
}

/// `Name <address> seconds zone`
fn person(value: &[u8]) -> (String, i64) {
    let text = String::from_utf8_lossy(value);
    let (name, rest) = text.split_once('<').unwrap_or((&text, ""));
    let seconds = rest.rsplit_once('>').and_then(|(_, date)| date.trim().split(' ').next()?.parse().ok());
    (name.trim_end().to_owned(), seconds.unwrap_or(0))
}

fn subject(message: &[u8]) -> String {
    let text = String::from_utf8_lossy(message);
    let first = text.trim_start_matches('\n').lines().take_while(|line| !line.trim().is_empty());
    first.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_git_gives() {
        let of = |naming| name_of(naming, Kind::Blob, b"hello\n").unwrap().to_string();
        assert_eq!(of(Naming::Sha1), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(of(Naming::Sha256), "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4");
        let streamed = name_of_stream(Naming::Sha256, 6, &mut b"hello\n".as_slice()).unwrap();
        assert_eq!(streamed.to_string(), of(Naming::Sha256));
        assert!(name_of_stream(Naming::Sha1, 7, &mut b"hello\n".as_slice()).is_err());
        assert_eq!(parsed("ce01"), None);
        assert_eq!(parsed(&"g".repeat(40)), None);
    }

    #[test]
    fn a_commit_is_read_with_whatever_stands_in_its_head() {
        let tree = "ce013625030ba8dba906f756967f9e9ca394464a";
        let text = format!(
            "tree {tree}\nparent {tree}\nauthor A <b> C <a@b> 12 +0100\ncommitter D <d@e> 34 -0000\ngpgsig -----BEGIN\n \
             tree x\n -----END\nencoding x\n\nsubject\nof two\n\nbody\n"
        );
        let commit = Commit::parse(parsed(tree).unwrap(), text.as_bytes()).unwrap();
        assert_eq!((commit.parents.len(), commit.authored, commit.committed), (1, 12, 34));
        assert_eq!((commit.author.as_str(), commit.subject.as_str()), ("A", "subject of two"));
        assert!(Commit::parse(parsed(tree).unwrap(), b"tree short\n\n").is_none());
        assert!(Commit::parse(parsed(tree).unwrap(), b"").is_none());
    }
}
