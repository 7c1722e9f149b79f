//! What a repository says about itself: its own configuration file and those that it includes, whatever the condition.
//! It is what a clone from elsewhere may bring along; no scope of the account or the machine is in it.

use std::path::{Path, PathBuf};

use gix_config::file::{Metadata, init};
use gix_config::{File, Source};

use crate::files::regular;

/// How deep files may include each other; git stops there, too.
const DEPTH: usize = 10;
/// The most bytes of one file.
const LONGEST: u64 = 1024 * 1024;

/// One setting of a repository's own configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnSetting {
    /// `section.subsection.name`, section and name in lower case.
    pub key: String,
    /// The value; none where there is no `=`.
    pub value: Option<String>,
    pub file: PathBuf,
}

/// Every setting of these files, or why they could not be read. A file that is not there says nothing.
pub fn settings(files: &[PathBuf], home: Option<&Path>) -> Result<Vec<OwnSetting>, String> {
    let mut all = Vec::new();
    for file in files {
        read(file, home, DEPTH, &mut all)?;
    }
    Ok(all)
}

fn read(path: &Path, home: Option<&Path>, depth: usize, all: &mut Vec<OwnSetting>) -> Result<(), String> {
    let unread = |why: &dyn std::fmt::Display| format!("{} could not be read: {why}", path.display());
    let mut bytes = match std::fs::metadata(path) {
        Ok(meta) if meta.is_file() && meta.len() <= LONGEST => {
            regular::bytes(path, LONGEST).map_err(|error| unread(&error))?
        }
        Ok(_) => return Err(unread(&"it is not a regular file, or it is too large")),
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            return Ok(());
        }
        Err(error) => return Err(unread(&error)),
    };
    let meta = Metadata::from(Source::Local).at(path);
    let options = init::Options { lossy: true, ..init::Options::default() };
    let file = File::from_bytes_owned(&mut bytes, meta, options).map_err(|error| unread(&error))?;
    for section in file.sections() {
        let header = section.header();
        let name = String::from_utf8_lossy(header.name()).to_lowercase();
        let sub = header.subsection_name().map(|sub| format!(".{}", String::from_utf8_lossy(sub))).unwrap_or_default();
        let mut names: Vec<String> = section.value_names().map(|name| name.to_lowercase()).collect();
        names.sort_unstable();
        names.dedup();
        for key in names {
            let values = section.values(&key);
            let mut values: Vec<Option<String>> =
                values.iter().map(|value| Some(String::from_utf8_lossy(value).into_owned())).collect();
            if let Some(None) = section.value_implicit(&key) {
                values.push(None);
            }
            let includes = matches!(name.as_str(), "include" | "includeif") && key == "path";
            for value in values {
                if let Some(value) = value.as_deref().filter(|_| includes) {
                    let further =
                        included(path, value, home).ok_or_else(|| unread(&format!("it includes '{value}'")))?;
                    let deeper = depth.checked_sub(1).ok_or_else(|| unread(&"files include each other too deeply"))?;
                    read(&further, home, deeper, all)?;
                }
                all.push(OwnSetting { key: format!("{name}{sub}.{key}"), value, file: path.to_owned() });
            }
        }
    }
    Ok(())
}

/// The file that an include names; `None` for one that depends on more than is known here.
fn included(from: &Path, value: &str, home: Option<&Path>) -> Option<PathBuf> {
    if let Some(rest) = value.strip_prefix("~/") {
        return Some(home?.join(rest));
    }
    if value.starts_with(['~', '%']) {
        return None;
    }
    Some(from.parent()?.join(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_included_file_counts() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        std::fs::write(
            at("config"),
            "[core]\n\tFsMonitor = ./evil\n\tbare\n[diff \"A.b\"]\n\ttextconv = x\n[includeIf \"gitdir:/nowhere/\"]\n\tpath = more\n",
        )
        .unwrap();
        std::fs::write(at("more"), "[alias]\n\tx = one\n\tx = \"!two\" ; three\n").unwrap();
        let found = settings(&[at("config"), at("missing")], None).unwrap();
        let told: Vec<(&str, Option<&str>)> =
            found.iter().map(|setting| (setting.key.as_str(), setting.value.as_deref())).collect();
        for wanted in [
            ("core.fsmonitor", Some("./evil")),
            ("core.bare", None),
            ("diff.A.b.textconv", Some("x")),
            ("alias.x", Some("one")),
            ("alias.x", Some("!two")),
        ] {
            assert!(told.contains(&wanted), "{wanted:?} in {told:?}");
        }
        assert!(found.iter().any(|setting| setting.key == "alias.x" && setting.file == at("more")));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        std::fs::write(at("broken"), "[core\n").unwrap();
        std::fs::write(at("round"), "[include]\n\tpath = round\n").unwrap();
        std::fs::write(at("foreign"), "[include]\n\tpath = ~other/x\n").unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        for name in ["broken", "round", "foreign", "folder"] {
            assert!(settings(&[at(name)], None).is_err(), "{name}");
        }
    }
}
