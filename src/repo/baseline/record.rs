//! What of a snapshot is in no tree, as one blob: a line each, ended by a zero byte, since names may hold anything else.

use std::collections::BTreeMap;

use super::ignored::Ignored;
use super::index::{Entry, Flags, Listed};
use super::nested::Nested;
use super::refs::{self, Refs, Stash, Target};
use super::worktree::{OnDisk, Unkept, Worktree};
use crate::app::ports::BaselineError;
use crate::git::object::parsed;

/// The version of this form; anything else is not read.
const FORMAT: &[u8] = b"grill baseline 1";

/// A snapshot without its trees.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub head: Option<Target>,
    pub refs: Refs,
    pub stashes: Vec<Stash>,
    pub special: Listed,
    /// The usual permissions of files and of programs.
    pub usual: (u32, u32),
    /// The permissions that are not.
    pub permissions: BTreeMap<Vec<u8>, u32>,
    pub unkept: BTreeMap<Vec<u8>, Unkept>,
    pub nested: BTreeMap<Vec<u8>, Nested>,
    /// What was ignored, where that is watched.
    pub ignored: Option<Ignored>,
}

const PROGRAM: u32 = 0o100_755;
const SYMLINK: u32 = 0o120_000;

impl Record {
    pub(super) fn permissions_of(&self, path: &[u8], mode: u32) -> u32 {
        let usual = if mode == PROGRAM { self.usual.1 } else { self.usual.0 };
        self.permissions.get(path).copied().unwrap_or(usual)
    }

    /// Enters the permissions of files: the most common ones once, the others by path.
    pub(super) fn enter_permissions(&mut self, files: &Worktree) {
        let most = |wanted: fn(&OnDisk) -> bool, default: u32| {
            let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
            for file in files.files.values().filter(|file| wanted(file)) {
                *counts.entry(file.permissions).or_default() += 1;
            }
            counts.into_iter().max_by_key(|(_, count)| *count).map_or(default, |(permissions, _)| permissions)
        };
        self.usual = (
            most(|file| file.mode != PROGRAM && file.mode != SYMLINK, 0o644),
            most(|file| file.mode == PROGRAM, 0o755),
        );
        for (path, file) in files.files.iter().filter(|(_, file)| file.mode != SYMLINK) {
            let usual = if file.mode == PROGRAM { self.usual.1 } else { self.usual.0 };
            if file.permissions != usual {
                self.permissions.insert(path.clone(), file.permissions);
            }
        }
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let mut bytes = FORMAT.to_vec();
        bytes.push(0);
        let mut line = |about: String, name: &[u8]| {
            bytes.extend_from_slice(about.as_bytes());
            bytes.extend_from_slice(name);
            bytes.push(0);
        };
        if let Some(head) = &self.head {
            target("head", head, b"", &mut line);
        }
        for (name, to) in &self.refs {
            target("ref", to, name, &mut line);
        }
        for stash in &self.stashes {
            line("stash ".to_owned(), stash.line().as_bytes());
        }
        for ((path, stage), entry) in &self.special {
            let flags = entry.flags;
            let flag = |set: bool, letter: char| if set { letter } else { '-' };
            let letters: String =
                [flag(flags.assumed, 'a'), flag(flags.skipped, 's'), flag(flags.intended, 'i')].iter().collect();
            line(format!("entry {:o} {} {stage} {letters} ", entry.mode, entry.id), path);
        }
        line(format!("usual {:o} {:o} ", self.usual.0, self.usual.1), b"");
        for (path, permissions) in &self.permissions {
            line(format!("mode {permissions:o} "), path);
        }
        for (path, unkept) in &self.unkept {
            let id = unkept.id.map_or_else(|| "-".to_owned(), |id| id.to_string());
            line(format!("unkept {:o} {} {id} ", unkept.mode, unkept.bytes), path);
        }
        for (path, nested) in &self.nested {
            line(format!("nested {} {} ", nested.head.as_deref().unwrap_or("-"), nested.state), path);
        }
        if let Some(ignored) = &self.ignored {
            line("watches ignored ".to_owned(), b"");
            for path in &ignored.names {
                line("ignored ".to_owned(), path);
            }
            for rule in &ignored.rules {
                line("rule ".to_owned(), rule);
            }
        }
        bytes
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Self, BaselineError> {
        let mut lines = super::git::pieces(bytes);
        if lines.next() != Some(FORMAT) {
            let why = "it is of a form that this git grill does not know".to_owned();
            return Err(BaselineError::Unreadable { why });
        }
        let mut record = Self::default();
        for line in lines {
            record.enter(line).ok_or_else(|| BaselineError::Unreadable {
                why: format!("nobody knows what '{}' means", super::git::quoted(line)),
            })?;
        }
        Ok(record)
    }

    fn enter(&mut self, line: &[u8]) -> Option<()> {
        let mut line = Words(line);
        match line.word()? {
            "head" => self.head = Some(line.target()?),
            "ref" => {
                let id = line.word()?;
                if id == "->" {
                    let length = line.word()?.parse().ok()?;
                    let (to, name) = line.0.split_at_checked(length)?;
                    self.refs.insert(name.strip_prefix(b" ")?.to_vec(), Target::Symbolic(to.to_vec()));
                } else {
                    self.refs.insert(line.0.to_vec(), Target::Object(id.to_owned()));
                }
            }
            "stash" => self.stashes.push(refs::parsed(std::str::from_utf8(line.0).ok()?)?),
            "entry" => {
                let mode = line.octal()?;
                let id = parsed(line.word()?)?;
                let stage = line.word()?.parse().ok()?;
                let letters = line.word()?;
                let flags = Flags {
                    assumed: letters.contains('a'),
                    skipped: letters.contains('s'),
                    intended: letters.contains('i'),
                };
                self.special.insert((line.0.to_vec(), stage), Entry { mode, id, stage, flags });
            }
            "usual" => self.usual = (line.octal()?, line.octal()?),
            "mode" => {
                let permissions = line.octal()?;
                self.permissions.insert(line.0.to_vec(), permissions);
            }
            "unkept" => {
                let (mode, bytes) = (line.octal()?, line.word()?.parse().ok()?);
                let id = match line.word()? {
                    "-" => None,
                    id => Some(parsed(id)?),
                };
                self.unkept.insert(line.0.to_vec(), Unkept { mode, bytes, id });
            }
            "nested" => {
                let head = Some(line.word()?.to_owned()).filter(|head| head != "-");
                let state = line.word()?.to_owned();
                self.nested.insert(line.0.to_vec(), Nested { head, state });
            }
            "watches" => drop(self.ignored.get_or_insert_default()),
            "ignored" => drop(self.ignored.get_or_insert_default().names.insert(line.0.to_vec())),
            "rule" => drop(self.ignored.get_or_insert_default().rules.insert(line.0.to_vec())),
            _ => return None,
        }
        Some(())
    }
}

fn target(kind: &str, to: &Target, name: &[u8], line: &mut impl FnMut(String, &[u8])) {
    match to {
        Target::Object(id) => line(format!("{kind} {id} "), name),
        Target::Symbolic(target) => {
            let mut rest = target.clone();
            if kind == "ref" {
                rest.push(b' ');
            }
            rest.extend_from_slice(name);
            line(format!("{kind} -> {} ", target.len()), &rest);
        }
    }
}

/// The rest of a line, taken word by word.
struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    fn word(&mut self) -> Option<&'a str> {
        let end = self.0.iter().position(|byte| *byte == b' ')?;
        let word = std::str::from_utf8(&self.0[..end]).ok()?;
        self.0 = &self.0[end + 1..];
        Some(word)
    }

    fn octal(&mut self) -> Option<u32> {
        u32::from_str_radix(self.word()?, 8).ok()
    }

    fn target(&mut self) -> Option<Target> {
        Some(match self.word()? {
            "->" => {
                self.word()?;
                Target::Symbolic(self.0.to_vec())
            }
            id => Target::Object(id.to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_its_bytes() {
        let id = parsed("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391").unwrap();
        let flags = Flags { assumed: true, skipped: false, intended: true };
        let mut record = Record {
            head: Some(Target::Symbolic(b"refs/heads/a b".to_vec())),
            usual: (0o644, 0o755),
            ..Record::default()
        };
        record.refs.insert(b"refs/heads/caf\xe9".to_vec(), Target::Object("abcd".to_owned()));
        record.refs.insert(b"refs/remotes/o/HEAD".to_vec(), Target::Symbolic(b"refs/remotes/o/main".to_vec()));
        record.stashes.push(refs::parsed("0 ab Ada <a@b> 1 +0000\tWIP on x: y  z").unwrap());
        record.special.insert((b"a\tb\nc".to_vec(), 2), Entry { mode: 0o100_644, id, stage: 2, flags });
        record.permissions.insert(b"secret".to_vec(), 0o600);
        record.unkept.insert(b"big".to_vec(), Unkept { mode: 0o100_644, bytes: 9, id: Some(id) });
        record.unkept.insert(b"locked".to_vec(), Unkept { mode: 0o100_644, bytes: 9, id: None });
        record.nested.insert(b"sub dir".to_vec(), Nested { head: None, state: "x".to_owned() });
        let bare = Record::read(&record.write()).unwrap();
        assert_eq!((&bare.ignored, format!("{record:?}")), (&None, format!("{bare:?}")));
        record.ignored = Some(Ignored::default());
        assert_eq!(Record::read(&record.write()).unwrap().ignored, Some(Ignored::default()));
        let names = [b"target/".to_vec(), b"a b".to_vec()].into();
        record.ignored = Some(Ignored { names, rules: [Vec::new(), b"*.o ".to_vec()].into() });
        let read = Record::read(&record.write()).unwrap();
        assert_eq!(format!("{record:?}"), format!("{read:?}"));
        assert!(Record::read(b"grill baseline 2\0").is_err());
        assert!(Record::read(b"grill baseline 1\0banana x\0").is_err());
    }
}
