//! What an installation, or taking it back, makes of each file.

use super::json::{self, Entry, EntryState};
use super::part::{Content, Part};
use super::trouble::Trouble;
use super::{own_file, toml};
use crate::agents::install::{Place, Purpose};
use crate::app::agents::InstallAction;

#[derive(Clone, Debug)]
pub struct FilePlan {
    pub place: Place,
    pub parts: Vec<Part>,
}

/// The parts by file, in the order in which files first appear.
pub fn by_file(parts: Vec<Part>) -> Vec<FilePlan> {
    let mut files: Vec<FilePlan> = Vec::new();
    for part in parts {
        match files.iter_mut().find(|file| file.place == part.place) {
            Some(file) => file.parts.push(part),
            None => files.push(FilePlan { place: part.place, parts: vec![part] }),
        }
    }
    files
}

impl FilePlan {
    /// What becomes of the file that holds `text` now; `None` is a file that is not there.
    pub fn edited(&self, text: Option<&str>, deed: InstallAction) -> Result<Option<String>, Trouble> {
        match deed {
            InstallAction::Install => self.installed(text),
            InstallAction::Uninstall => text.map_or(Ok(None), |text| self.uninstalled(text)),
        }
    }

    fn installed(&self, text: Option<&str>) -> Result<Option<String>, Trouble> {
        // What a file needs in general is its owner's matter, unless that is us.
        let belongs = |entry: &&Entry| text.is_none() || !entry.slot.is_companion();
        let mut text = text.map(str::to_owned);
        for part in &self.parts {
            match &part.content {
                Content::Json(entries) => {
                    for entry in entries.iter().filter(belongs) {
                        text = Some(json::put(text.as_deref(), entry)?);
                    }
                }
                Content::TomlServer => text = Some(toml::server::put(text.as_deref())?),
                Content::TomlRule => text = Some(toml::rule::put(text.as_deref())?),
                Content::Own(wanted) => {
                    if let Some(there) = &text
                        && own_file::standing(there, wanted)? == EntryState::Current
                    {
                        continue;
                    }
                    text = Some(own_file::sealed(wanted));
                }
                Content::Within => {}
                Content::Former => text = text.filter(|there| !own_file::is_ours(there)),
            }
        }
        Ok(text)
    }

    fn uninstalled(&self, text: &str) -> Result<Option<String>, Trouble> {
        let entries = self.entries();
        if !entries.is_empty() {
            return json::take(text, &entries);
        }
        let mut left = Some(text.to_owned());
        // Backwards, so that each finds the file as it left it.
        for part in self.parts.iter().rev() {
            let Some(there) = left else { break };
            left = match &part.content {
                Content::Json(_) | Content::Within => Some(there),
                Content::TomlServer => match toml::server::take(&there) {
                    // Theirs is not ours to take.
                    Err(Trouble::Foreign { .. }) => Some(there),
                    taken => taken?,
                },
                Content::TomlRule => toml::rule::take(&there)?,
                Content::Own(wanted) => match own_file::standing(&there, wanted) {
                    Err(Trouble::NotOurs) => Some(there),
                    standing => standing.map(|_| None)?,
                },
                Content::Former => Some(there).filter(|there| !own_file::is_ours(there)),
            };
        }
        Ok(left)
    }

    pub fn standing(&self, text: Option<&str>) -> Result<Vec<EntryState>, Trouble> {
        let Some(text) = text else {
            let wanted = self.parts.iter().filter(|part| !matches!(part.content, Content::Former));
            return Ok(vec![EntryState::Absent; wanted.count()]);
        };
        let mut all = Vec::new();
        for part in &self.parts {
            match &part.content {
                Content::Json(entries) => {
                    for entry in entries.iter().filter(|entry| !entry.slot.is_companion()) {
                        all.push(json::standing(text, entry)?);
                    }
                }
                Content::TomlServer => all.push(toml::server::standing(text)?),
                Content::TomlRule => all.push(toml::rule::standing(text)?),
                Content::Own(wanted) => all.push(own_file::standing(text, wanted)?),
                Content::Former if own_file::is_ours(text) => all.push(EntryState::Older),
                Content::Within | Content::Former => {}
            }
        }
        Ok(all)
    }

    /// What the file holds of ours, in words; the permission only where it stands in `text`.
    pub fn holds(&self, text: Option<&str>) -> String {
        let stands = |part: &&Part| match (&part.purpose, &part.content) {
            (Purpose::Permission, Content::Json(entries)) => entries.iter().any(|entry| {
                text.is_some_and(|text| json::standing(text, entry).is_ok_and(|one| one != EntryState::Absent))
            }),
            (Purpose::Permission, Content::TomlRule) => {
                text.is_some_and(|text| toml::rule::standing(text) == Ok(EntryState::Current))
            }
            _ => true,
        };
        let words: Vec<&str> = self.parts.iter().filter(stands).map(|part| part.purpose.word()).collect();
        words.join(", ")
    }

    fn entries(&self) -> Vec<&Entry> {
        let lists = self.parts.iter().filter_map(|part| match &part.content {
            Content::Json(entries) => Some(entries),
            Content::TomlServer | Content::TomlRule | Content::Own(_) | Content::Within | Content::Former => None,
        });
        lists.flatten().collect()
    }
}

#[cfg(test)]
mod tests;
