//! The record of an extension that a person enabled: its files, and what it offered. Its tools are left out as soon as
//! one of the files changes.

use std::path::{Path, PathBuf};

use git2::{ObjectType, Oid};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::finding::Program;
use crate::app::ports::extensions::{Found, Hello, OfferedTool};
use crate::domain::ui::Name;

/// The largest file that is hashed.
const LARGEST: u64 = 512 * 1024 * 1024;
/// The most bytes of one record.
const LONGEST: usize = 256 * 1024;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    /// Whether it is set in the configuration; else it was found on `PATH`.
    settings: bool,
    command: Vec<String>,
    program: PathBuf,
    files: Vec<File>,
    #[serde(default)]
    tools: Vec<Tool>,
}

/// A file of an extension that is checked for changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct File {
    path: PathBuf,
    /// The blob id of its content.
    blob: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Tool {
    name: Name,
    description: String,
    schema: Value,
}

impl Record {
    /// The record of a program as it is now, without its tools; or why it cannot be known.
    pub(super) fn of(program: &Program) -> Result<Self, String> {
        let hashed = |path: &PathBuf| -> Result<File, String> { Ok(File { path: path.clone(), blob: blob(path)? }) };
        Ok(Self {
            settings: program.found == Found::Settings,
            command: program.command.clone(),
            program: program.file().to_owned(),
            files: program.files.iter().map(hashed).collect::<Result<_, String>>()?,
            tools: Vec::new(),
        })
    }

    /// The record with what the program offers, as it is kept.
    pub(super) fn offering(mut self, hello: &Hello) -> Result<String, String> {
        let tool = |tool: &OfferedTool| Tool {
            name: tool.name.clone(),
            description: tool.description.clone(),
            schema: tool.schema.clone(),
        };
        self.tools = hello.tools.iter().map(tool).collect();
        let text = serde_json::to_string(&self).map_err(|error| format!("cannot store what it offers: {error}"))?;
        if text.len() > LONGEST {
            return Err(format!("its tools take {} bytes to store, more than the {LONGEST} that fit", text.len()));
        }
        Ok(text)
    }

    pub(super) fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// Checks that a program is the one that was enabled; the error says what changed.
    pub(super) fn is_of(&self, program: &Program) -> Result<(), String> {
        let now = Self::of(program)?;
        if (self.settings, &self.command) != (now.settings, &now.command) || self.program != now.program {
            return Err("its command has changed".to_owned());
        }
        if let Some(other) = now.files.iter().find(|file| !self.files.contains(file)) {
            return Err(format!("{} has changed", other.path.display()));
        }
        if now.files.len() != self.files.len() {
            return Err("a file of its command is gone".to_owned());
        }
        Ok(())
    }

    pub(super) fn found(&self) -> Found {
        if self.settings { Found::Settings } else { Found::Path }
    }

    /// The file that was started.
    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    /// The command as a person wrote it.
    pub(super) fn command(&self) -> Vec<String> {
        self.command.clone()
    }

    /// The files, each with the id of its content.
    pub(super) fn files(&self) -> Vec<(PathBuf, String)> {
        self.files.iter().map(|file| (file.path.clone(), file.blob.clone())).collect()
    }

    pub(super) fn tools(&self) -> Vec<OfferedTool> {
        let offered = |tool: &Tool| OfferedTool {
            name: tool.name.clone(),
            description: tool.description.clone(),
            schema: tool.schema.clone(),
        };
        self.tools.iter().map(offered).collect()
    }
}

/// The blob id of a file's content.
fn blob(path: &Path) -> Result<String, String> {
    let unread = |why: &dyn std::fmt::Display| format!("{} cannot be read: {why}", path.display());
    let about = path.metadata().map_err(|error| unread(&error))?;
    if !about.is_file() || about.len() > LARGEST {
        return Err(unread(&"it is not a regular file, or it is too large"));
    }
    Oid::hash_file(ObjectType::Blob, path).map(|id| id.to_string()).map_err(|error| unread(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(files: &[&Path]) -> Program {
        Program {
            words: vec![files[0].into()],
            command: vec!["intake".to_owned()],
            files: files.iter().map(|file| file.to_path_buf()).collect(),
            found: Found::Settings,
            walls: true,
        }
    }

    #[test]
    fn p6_a_record_is_of_the_very_files_that_were_enabled() {
        let temp = tempfile::tempdir().unwrap();
        let (script, other) = (temp.path().join("script"), temp.path().join("other"));
        std::fs::write(&script, "one\n").unwrap();
        std::fs::write(&other, "two\n").unwrap();
        let name = |raw| Name::parse("a tool", raw).unwrap();
        let tool = OfferedTool { name: name("ask"), description: "a\n\tb".into(), schema: serde_json::json!({"a": 1}) };
        let hello = Hello { version: None, ui_api_version: 1, tools: vec![tool.clone()], commands: Vec::new() };
        let text = Record::of(&program(&[&script, &other])).unwrap().offering(&hello).unwrap();
        assert!(!text.contains(char::is_control));
        let record = Record::read(&text).unwrap();
        assert_eq!(record.tools(), [tool]);
        // What git says of the same content.
        assert_eq!(record.files()[0].1, "5626abf0f72e58d7a153368ba57db4c673c0e171");
        assert_eq!(record.is_of(&program(&[&script, &other])), Ok(()));
        assert!(record.is_of(&program(&[&script])).unwrap_err().contains("is gone"));
        let set = Program { command: vec!["intake".to_owned(), "-x".to_owned()], ..program(&[&script, &other]) };
        assert!(record.is_of(&set).unwrap_err().contains("its command has changed"));
        std::fs::write(&other, "three\n").unwrap();
        assert!(record.is_of(&program(&[&script, &other])).unwrap_err().contains("other has changed"));
        std::fs::remove_file(&other).unwrap();
        assert!(record.is_of(&program(&[&script, &other])).unwrap_err().contains("cannot be read"));
        for garbage in ["", "{}", "[]", "{\"settings\":1}"] {
            assert!(Record::read(garbage).is_err(), "{garbage}");
        }
    }
}
