//! The extensions that a person enabled in this clone: one line of text for each name. The record has the form of an
//! approval, and counts only if the file was made in this clone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::granted::{read, remove, write};
use super::lock;
use crate::app::ports::StoreError;
use crate::files::lock::FAR;

/// The folder, in the one that a repository has for us.
const FOLDER: &str = "grill/extensions";
const RECORD: &str = "enabled";
/// Held while the record is read and written anew.
const LOCK: &str = "extensions.lock";
/// The most bytes of all that is kept; what is larger would not be read back.
const MOST: usize = 1024 * 1024;

fn folder(common: &Path) -> PathBuf {
    common.join(FOLDER)
}

fn failed(doing: &'static str) -> impl Fn(std::io::Error) -> StoreError {
    move |source| StoreError::Io { doing: doing.to_owned(), source }
}

/// The record of each enabled extension, by its name.
pub fn all(common: &Path) -> Result<BTreeMap<String, String>, StoreError> {
    let read = read(&folder(common), RECORD).map_err(failed("reading which extensions are enabled"))?;
    let marks = read.map(|record| record.marks).unwrap_or_default();
    let kept = marks.iter().filter_map(|mark| mark.split_once('\t'));
    Ok(kept.map(|(name, text)| (name.to_owned(), text.to_owned())).collect())
}

/// Replaces the record of an extension; `None` removes it. Returns whether there was one.
pub fn keep(common: &Path, name: &str, text: Option<&str>) -> Result<bool, StoreError> {
    let held = lock::wait(&common.join("grill"), LOCK, FAR)?;
    let kept = keep_locked(common, name, text);
    held.remove();
    kept
}

fn keep_locked(common: &Path, name: &str, text: Option<&str>) -> Result<bool, StoreError> {
    let mut kept = all(common)?;
    let before = match text {
        Some(text) => kept.insert(name.to_owned(), text.to_owned()),
        None => kept.remove(name),
    };
    if text.is_none() && before.is_none() {
        return Ok(false);
    }
    let marks: Vec<String> = kept.iter().map(|(name, text)| format!("{name}\t{}", one_line(text))).collect();
    let bytes = marks.iter().map(String::len).sum();
    if bytes > MOST {
        return Err(StoreError::TooLarge { what: "the record of enabled extensions".to_owned(), bytes, limit: MOST });
    }
    let written =
        if marks.is_empty() { remove(&folder(common), RECORD) } else { write(&folder(common), RECORD, marks.iter()) };
    written.map_err(failed("recording which extensions are enabled"))?;
    Ok(before.is_some())
}

/// What others say ends no line of ours.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p6_an_extension_is_enabled_only_where_that_was_said() {
        let temp = tempfile::tempdir().unwrap();
        let (here, copy) = (temp.path().join("here"), temp.path().join("copy"));
        assert!(all(&here).unwrap().is_empty());
        assert!(!keep(&here, "intake", None).unwrap());
        assert!(!keep(&here, "intake", Some("one\n+ evil\tx")).unwrap());
        assert!(!keep(&here, "pick", Some("two")).unwrap());
        assert!(keep(&here, "pick", Some("three")).unwrap());
        let kept = BTreeMap::from([("intake", "one + evil x"), ("pick", "three")]);
        let of = |common: &Path| all(common).unwrap();
        let as_kept = |text: &BTreeMap<&str, &str>| -> BTreeMap<String, String> {
            text.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
        };
        assert_eq!(of(&here), as_kept(&kept));
        // As it comes in an archive.
        std::fs::create_dir_all(folder(&copy)).unwrap();
        std::fs::copy(folder(&here).join(RECORD), folder(&copy).join(RECORD)).unwrap();
        assert!(of(&copy).is_empty());
        let long = "x".repeat(MOST);
        assert!(matches!(keep(&here, "long", Some(&long)), Err(StoreError::TooLarge { .. })));
        assert!(keep(&here, "intake", None).unwrap() && keep(&here, "pick", None).unwrap());
        assert!(of(&here).is_empty());
    }
}
