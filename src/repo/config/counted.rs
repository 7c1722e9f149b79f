//! Which values of a key count, and which are passed over and said to be.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gix_config::{Boolean, File};

use super::counts::{Counts, GIT_KEYS};
use super::keys::{self, Key, Kind};
use super::origin::Origin;
use super::{Config, ConfigError, scopes, written_in};
use crate::repo::open::Opened;

/// A value that was passed over, because its place may not set it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    pub key: String,
    pub value: String,
    pub origin: Origin,
    pub instead: String,
}

/// A value as it was found; without `=` it has none, which is true for a switch.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub value: Option<String>,
    pub origin: Origin,
}

impl Found {
    pub fn bad(&self, key: &Key) -> ConfigError {
        ConfigError::BadValue {
            key: key.name.to_owned(),
            value: self.value.clone().unwrap_or_default(),
            origin: self.origin.clone(),
            allowed: key.kind.allowed(),
        }
    }

    pub fn switch(&self) -> Option<bool> {
        match &self.value {
            None => Some(true),
            Some(text) => Boolean::try_from(text.as_str()).ok().map(|value| value.0),
        }
    }
}

/// Folders of a repository: the files in them come with it.
pub(super) fn folders_of(opened: &Opened) -> Vec<PathBuf> {
    // Variables can name another working tree; the folder around `.git` belongs to the repository all the same.
    let around =
        opened.common_dir.parent().filter(|_| opened.common_dir.file_name().is_some_and(|name| name == ".git"));
    let named = [Some(opened.common_dir.as_path()), Some(&opened.git_dir), opened.worktree.as_deref(), around];
    named.into_iter().flatten().map(Path::to_path_buf).collect()
}

impl Config {
    /// The value that holds: the last one that counts.
    pub(super) fn last(&self, key: &Key) -> Result<Option<Found>, ConfigError> {
        Ok(self.counted(key)?.pop())
    }

    /// Every value of a key that counts, the one with the highest precedence last.
    pub(super) fn counted(&self, key: &Key) -> Result<Vec<Found>, ConfigError> {
        self.counted_as(key.name, key.counts, Some(key.kind))
    }

    /// Every value that counts of a key with this rule. A key of git's has no kind.
    pub(super) fn counted_as(&self, name: &str, counts: Counts, kind: Option<Kind>) -> Result<Vec<Found>, ConfigError> {
        let everywhere = values(&self.file, name);
        Ok(match counts {
            Counts::Everywhere => everywhere.collect(),
            Counts::OutsideTheRepository => everywhere.filter(|found| !self.is_of_repository(found)).collect(),
            Counts::InTheAccount => self.own_values(name)?,
            Counts::WhereItStartsNothing => {
                let own = self.own_values(name)?;
                let starts = |found: &Found| kind.is_none_or(|kind| kind.starts_something(found.value.as_deref()));
                let counted: Vec<Found> = everywhere.filter(|found| own.contains(found) || !starts(found)).collect();
                own.into_iter().chain(counted).collect()
            }
            Counts::WhereItProtects => {
                let own = self.own_values(name)?;
                let protection = |found: &Found| kind.and_then(|kind| kind.protection(found.value.as_deref()));
                let mut counted = own.clone();
                for found in everywhere {
                    let before = counted.last().map_or_else(|| default_of(name), protection);
                    // One that cannot be read is not passed over: it is an error, and says so.
                    let weaker = protection(&found).is_some_and(|now| before.is_some_and(|before| now < before));
                    if !weaker || own.contains(&found) {
                        counted.push(found);
                    }
                }
                counted
            }
        })
    }

    /// Values that were passed over where they stand.
    pub fn ignored(&self) -> Result<Vec<Ignored>, ConfigError> {
        let names = |key: &'static Key| self.names(key).into_iter().map(move |name| (name, key.counts, Some(key.kind)));
        let ours = keys::KEYS.iter().flat_map(names);
        let gits = GIT_KEYS.iter().map(|key| (key.name.to_owned(), key.counts, None));
        let mut ignored = Vec::new();
        for (key, counts, kind) in ours.chain(gits).filter(|(_, counts, _)| *counts != Counts::Everywhere) {
            let set: Vec<Found> = values(&self.file, &key).collect();
            if set.is_empty() {
                continue;
            }
            let counted = self.counted_as(&key, counts, kind)?;
            let passed_over = set.into_iter().filter(|found| !counted.contains(found));
            ignored.extend(passed_over.map(|found| Ignored {
                key: key.clone(),
                instead: self.instead(counts, &found.origin),
                value: found.value.unwrap_or_default(),
                origin: found.origin,
            }));
        }
        Ok(ignored)
    }

    /// The names of a key: its own, or the names that are set if the key has a variable part.
    fn names(&self, key: &Key) -> BTreeSet<String> {
        if !key.is_open() {
            return BTreeSet::from([key.name.to_owned()]);
        }
        names_in(&self.file, key)
    }

    /// The names of a key with a variable part that the account itself sets.
    pub(super) fn own_names(&self, key: &Key) -> Result<BTreeSet<String>, ConfigError> {
        Ok(names_in(self.own()?, key))
    }

    /// Where a value would count. One in a user's file is told which files were read in its place.
    fn instead(&self, counts: Counts, origin: &Origin) -> String {
        if counts == Counts::OutsideTheRepository {
            return "it names a program, so it does not count in a repository's own configuration; set it with git config --global".to_owned();
        }
        let scopes = "it counts only in your account's own configuration and the system's";
        match origin {
            Origin::Global(file) | Origin::System(file) if self.belongs_to_repository(file) => {
                format!("{scopes}, and that file belongs to the repository")
            }
            Origin::Global(_) | Origin::System(_) => format!("{scopes}, in {}", self.account.files_in_words()),
            Origin::Repository(_) | Origin::Worktree(_) | Origin::Environment | Origin::CommandLine => {
                scopes.to_owned()
            }
        }
    }

    /// The values that the account itself sets.
    fn own_values(&self, name: &str) -> Result<Vec<Found>, ConfigError> {
        let own = values(self.own()?, name);
        Ok(own.filter(|found| !self.is_of_repository(found)).collect())
    }

    fn own(&self) -> Result<&File, ConfigError> {
        if let Some(own) = self.own.get() {
            return Ok(own);
        }
        let own = scopes::own(&self.account, &self.conditions)?;
        Ok(self.own.get_or_init(|| own))
    }

    fn is_of_repository(&self, found: &Found) -> bool {
        match &found.origin {
            Origin::Repository(_) | Origin::Worktree(_) => true,
            Origin::System(file) | Origin::Global(file) => self.belongs_to_repository(file),
            Origin::Environment | Origin::CommandLine => false,
        }
    }

    /// A file inside the repository stays the repository's, even when a file of the account includes it.
    pub fn belongs_to_repository(&self, file: &Path) -> bool {
        let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        self.inside.iter().any(|folder| real.starts_with(folder.canonicalize().as_ref().unwrap_or(folder)))
    }
}

/// The names of a key with a variable part that are set in this configuration.
fn names_in(file: &File, key: &Key) -> BTreeSet<String> {
    let section = key.name.split('.').next().unwrap_or_default();
    let called = written_in(file, section).into_iter().map(|(name, _)| name).filter(|name| key.is_called(name));
    // git ignores the case of the last part.
    let lowered =
        called.filter_map(|name| name.rsplit_once('.').map(|(path, last)| format!("{path}.{}", last.to_lowercase())));
    lowered.collect()
}

/// How much protects what holds without any value.
fn default_of(name: &str) -> Option<u64> {
    let key = keys::KEYS.iter().find(|key| key.name == name)?;
    key.kind.protection(Some(key.default))
}

/// Every value of a key in a configuration, the one with the highest precedence last.
fn values<'f>(file: &'f File, name: &'f str) -> impl Iterator<Item = Found> + 'f {
    let (path, name) = name.rsplit_once('.').unwrap_or((name, ""));
    // git compares the part in the middle by the letter, and the rest without regard to case.
    let (wanted, sub) = path.split_once('.').map_or((path, None), |(section, sub)| (section, Some(sub.as_bytes())));
    let sections = file.sections().filter(move |section| {
        let header = section.header();
        header.subsection_name().map(|name| -> &[u8] { name }) == sub
            && header.name().eq_ignore_ascii_case(wanted.as_bytes())
    });
    sections.flat_map(move |section| {
        let origin = Origin::of(section.meta());
        let text = |value: &[u8]| Some(String::from_utf8_lossy(value).into_owned());
        let mut values: Vec<Option<String>> = section.values(name).iter().map(|value| text(value)).collect();
        if let Some(None) = section.value_implicit(name) {
            // The list does not tell a key without `=` from an empty value.
            let empty = values.last().is_some_and(|value| value.as_ref().is_some_and(String::is_empty));
            values.truncate(values.len() - usize::from(empty));
            values.push(None);
        }
        values.into_iter().map(move |value| Found { value, origin: origin.clone() })
    })
}
