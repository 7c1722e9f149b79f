//! Where the repository keeps its decision records, what they are called, and which number is next.

use super::super::existing::{Existing, Wants, folder_of, path};
use super::super::slug::slug;
use crate::domain::production::TargetPath;
use crate::domain::session::Session;

/// Folders in which decision records usually are.
const FOLDERS: &[&str] = &[
    "docs/adr",
    "doc/adr",
    "docs/adrs",
    "docs/ADR",
    "docs/decisions",
    "doc/decisions",
    "docs/architecture/decisions",
    "doc/architecture/decisions",
    "docs/architecture/adr",
    "docs/architecture-decisions",
    "docs/design/adr",
    "architecture/decisions",
    "adr",
    "adrs",
    "decisions",
];
/// Where they go when there are none.
const DEFAULT: &str = "docs/adr";
/// The file in which adr-tools keeps the name of the folder.
const ADR_DIR: &str = ".adr-dir";
/// How many records are read to learn the form.
const SAMPLES: usize = 3;

/// The place of the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Home {
    /// Their folder; `None` is the top of the repository.
    pub folder: Option<TargetPath>,
    pub naming: Naming,
    /// The first free number.
    pub next: u32,
    /// Existing records, the newest first.
    pub records: Vec<(TargetPath, u32)>,
}

/// How records are numbered in their file names, as in `adr-0007-title.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Naming {
    prefix: String,
    width: usize,
    separator: char,
    numbered: Numbered,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbered {
    Counted,
    ByDay,
    Not,
}

impl Default for Naming {
    fn default() -> Self {
        Self { prefix: String::new(), width: 4, separator: '-', numbered: Numbered::Counted }
    }
}

impl Naming {
    /// Reads a name: the naming, and the record's number.
    fn read(name: &str) -> Option<(Self, u32)> {
        let stem = name.strip_suffix(".md").or_else(|| name.strip_suffix(".markdown"))?;
        let lower = stem.to_lowercase();
        if ["readme", "index", "template", "adr-template", "toc"].contains(&lower.as_str())
            || lower.ends_with("-template")
        {
            return None;
        }
        let letters = stem.len()
            - stem.trim_start_matches(|one: char| one.is_ascii_alphabetic() || matches!(one, '-' | '_')).len();
        let (prefix, rest) = stem.split_at(letters);
        let known = prefix.is_empty() || prefix.to_lowercase().trim_end_matches(['-', '_']) == "adr";
        let rest_digits = rest.len() - rest.trim_start_matches(|one: char| one.is_ascii_digit()).len();
        let (digits, title) = rest.split_at(rest_digits);
        let separator = title.chars().next().filter(|one| matches!(one, '-' | '_' | '.' | ' '));
        let numbered =
            if digits.len() == 8 && digits.starts_with(['1', '2']) { Numbered::ByDay } else { Numbered::Counted };
        match (known, digits.parse::<u32>(), separator.or(title.is_empty().then_some('-'))) {
            (true, Ok(number), Some(separator)) if digits.len() <= 8 => {
                let naming = Self { prefix: prefix.to_owned(), width: digits.len(), separator, numbered };
                Some((naming, number))
            }
            _ => Some((Self { numbered: Numbered::Not, ..Self::default() }, 0)),
        }
    }

    pub fn name(&self, number: u32, title: &str, date: &str) -> String {
        let slug = match slug(title) {
            empty if empty.is_empty() => "decision".to_owned(),
            slug if self.separator == '_' => slug.replace('-', "_"),
            slug => slug,
        };
        let Self { prefix, width, separator, numbered } = self;
        match numbered {
            Numbered::Counted => format!("{prefix}{number:0width$}{separator}{slug}.md"),
            Numbered::ByDay => format!("{prefix}{}{separator}{slug}.md", date.replace('-', "")),
            Numbered::Not => format!("{slug}.md"),
        }
    }
}

/// What has to be seen to know where the records are.
pub(super) fn wants(session: &Session, chosen: Option<&TargetPath>, existing: &Existing) -> Wants {
    let mut wants = Wants::default();
    wants.files.extend(path(ADR_DIR));
    wants.folders.extend(FOLDERS.iter().filter_map(|name| path(name)));
    wants.folders.extend(elsewhere(session));
    wants.folders.extend(named(existing));
    wants.folders.extend(chosen.and_then(folder_of));
    let missing = existing.missing(wants);
    if !missing.is_empty() {
        return missing;
    }
    let samples = Home::of(session, chosen, existing).records.into_iter().take(SAMPLES).map(|(path, _)| path);
    existing.missing(Wants { samples: samples.collect(), ..Wants::default() })
}

/// Folders of the records that the interview came across.
fn elsewhere(session: &Session) -> impl Iterator<Item = TargetPath> + '_ {
    session.evidence.decisions.iter().filter_map(|finding| folder_of(&path(&finding.at.path)?))
}

/// The folder that `.adr-dir` names.
fn named(existing: &Existing) -> Option<TargetPath> {
    let text = existing.text(&path(ADR_DIR)?)?;
    path(text.trim().trim_end_matches('/').trim_start_matches("./"))
}

impl Home {
    /// The place of the records: the folder of the chosen path, the one that is named, the first one that has records.
    pub fn of(session: &Session, chosen: Option<&TargetPath>, existing: &Existing) -> Self {
        if let Some(chosen) = chosen {
            return Self::read(folder_of(chosen), existing);
        }
        let named = named(existing);
        let usual = FOLDERS.iter().filter_map(|name| path(name));
        let read = |folder| Self::read(Some(folder), existing);
        let kept = named.clone().into_iter().chain(usual).map(read).find(|home| !home.records.is_empty());
        // A decision that stands in a design document makes no record of it: elsewhere they are known by their numbers.
        let numbered = |home: &Self| !home.records.is_empty() && home.naming.numbered != Numbered::Not;
        let kept = kept.or_else(|| elsewhere(session).map(read).find(numbered));
        kept.unwrap_or_else(|| Self::read(named.or_else(|| path(DEFAULT)), existing))
    }

    pub fn has(&self, title: &str) -> bool {
        self.records.iter().any(|(path, _)| is_about(path, title))
    }

    fn read(folder: Option<TargetPath>, existing: &Existing) -> Self {
        let names = folder.as_ref().map_or(&[][..], |folder| existing.names(folder));
        let mut read: Vec<(String, Naming, u32)> = names
            .iter()
            .filter_map(|name| Naming::read(name).map(|(naming, number)| (name.clone(), naming, number)))
            .collect();
        // A folder may hold one stray note among the numbered records.
        if read.iter().any(|(_, naming, _)| naming.numbered != Numbered::Not) {
            read.retain(|(_, naming, _)| naming.numbered != Numbered::Not);
        }
        read.sort_by(|one, two| two.2.cmp(&one.2).then_with(|| two.0.cmp(&one.0)));
        let newest = read.first();
        let naming = newest.map_or_else(Naming::default, |(_, naming, _)| naming.clone());
        let next = newest.map_or(1, |(_, _, number)| number.saturating_add(1));
        let place = |name: &str| folder.as_ref().and_then(|folder| path(&format!("{folder}/{name}")));
        let records = read.iter().filter_map(|(name, _, number)| Some((place(name)?, *number))).collect();
        Self { folder, naming, next, records }
    }
}

/// Whether the name of a record says that it is about this.
pub(super) fn is_about(path: &TargetPath, title: &str) -> bool {
    let name = path.as_str().rsplit('/').next().unwrap_or_default();
    let stem = name.strip_suffix(".md").unwrap_or(name).to_lowercase().replace('_', "-");
    let wanted = slug(title);
    let bare =
        stem.trim_start_matches("adr-").trim_start_matches(|one: char| one.is_ascii_digit()).trim_start_matches('-');
    !wanted.is_empty() && bare == wanted
}

pub(super) fn number_of(path: &TargetPath) -> Option<u32> {
    let name = path.as_str().rsplit('/').next()?;
    let (naming, number) = Naming::read(name)?;
    (naming.numbered == Numbered::Counted).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::sessions::session;
    use super::*;
    use crate::domain::facts::{Evidence, Finding};

    #[test]
    fn names_are_continued_as_they_are() {
        for (names, expected) in [
            (&["0001-a.md", "0002-b.md", "README.md", "template.md"][..], "0003-use-sqlite.md"),
            (&["adr-001-a.md", "adr-009-b.md"], "adr-010-use-sqlite.md"),
            (&["ADR-0099_a.md"], "ADR-0100_use_sqlite.md"),
            (&["1-a.md", "10-b.md", "9-c.md"], "11-use-sqlite.md"),
            (&["999-a.md"], "1000-use-sqlite.md"),
            (&["20240101-a.md"], "20261121-use-sqlite.md"),
            (&["use-postgres.md"], "use-sqlite.md"),
            (&["0001-a.md", "notes.md"], "0002-use-sqlite.md"),
            (&["0001.md"], "0002-use-sqlite.md"),
            (&["picture.png"], "0001-use-sqlite.md"),
            (&[], "0001-use-sqlite.md"),
        ] {
            let mut existing = Existing::default();
            let folder = path("docs/adr").unwrap();
            existing.folder(folder.clone(), names.iter().map(|&name| name.to_owned()).collect());
            let home = Home::read(Some(folder), &existing);
            assert_eq!(home.naming.name(home.next, "Use SQLite", "2026-11-21"), expected, "{names:?}");
        }
    }

    #[test]
    fn a_design_document_with_a_decision_is_no_home_of_records() {
        for (file, home) in [("docs/design/polling.md", "docs/adr"), ("notes/0007-polling.md", "notes")] {
            let at = Evidence { path: file.to_owned(), lines: None, blob: None };
            let mut session = session("retries", "");
            session.evidence.decisions = vec![Finding { what: "poll once a minute".to_owned(), at }];
            let mut existing = Existing::default();
            let (folder, name) = file.rsplit_once('/').unwrap();
            existing.folder(path(folder).unwrap(), vec![name.to_owned()]);
            let found = Home::of(&session, None, &existing);
            assert_eq!(found.folder.unwrap().as_str(), home, "{file}");
        }
    }
}
