//! Finds the extension that a tool call is for, and checks that it is unchanged since it was enabled. A call reads the
//! files of this extension alone, once, right before it is started.

use std::collections::BTreeMap;

use super::enabling::Record;
use super::finding::Program;
use crate::app::ports::extensions::OfferedTool;
use crate::domain::tool;
use crate::domain::ui::Name;

/// The records of what is enabled here, or why one cannot be read.
pub(super) type Records = BTreeMap<Name, Result<Record, String>>;

/// The tool that agents call by this name, and its extension. If several extensions have such a tool, the first
/// unchanged one counts, as in the list; only then is a file read.
pub(super) fn tool_called(
    records: &Records,
    called: &str,
    same: impl Fn(&Name, &Record) -> Result<Program, String>,
) -> Option<(Name, OfferedTool)> {
    let all = records.iter().filter_map(|(name, record)| {
        let record = record.as_ref().ok()?;
        let tool = record.tools().into_iter().find(|tool| name.tool(&tool.name) == called)?;
        Some((name, record, tool))
    });
    let all: Vec<(&Name, &Record, OfferedTool)> = all.collect();
    let at = match all.len() {
        0 | 1 => 0,
        _ => all.iter().position(|(name, record, _)| same(name, record).is_ok()).unwrap_or(0),
    };
    let (name, _, tool) = all.into_iter().nth(at)?;
    Some((name.clone(), tool))
}

/// The program of an enabled extension that is unchanged; else the reason why it is not started. `same` reads the files of
/// an extension.
pub(super) fn enabled(
    records: &Records,
    name: &Name,
    same: impl Fn(&Name, &Record) -> Result<Program, String>,
) -> Result<Program, String> {
    let but = |why: String| format!("it was enabled, but {why}");
    let record = match records.get(name) {
        None => return Err("it is not enabled in this clone".to_owned()),
        Some(Err(why)) => return Err(but(format!("its record cannot be read: {why}"))),
        Some(Ok(record)) => record,
    };
    let own = called(name, record);
    let taken = |tool: &String| but(format!("another tool has the name {tool}"));
    if let Some(tool) = own.iter().find(|own| tool::rows().any(|row| row.name == own.as_str())) {
        return Err(taken(tool));
    }
    // Of two that share a tool, the first has it, unless it changed.
    let before = records.iter().take_while(|(other, _)| *other != name);
    for (other, theirs) in before.filter_map(|(other, theirs)| Some((other, theirs.as_ref().ok()?))) {
        let shared = called(other, theirs).into_iter().find(|tool| own.contains(tool));
        if let Some(tool) = shared.filter(|_| same(other, theirs).is_ok()) {
            return Err(taken(&tool));
        }
    }
    same(name, record).map_err(but)
}

/// The names under which agents call the tools of an extension.
fn called(name: &Name, record: &Record) -> Vec<String> {
    record.tools().iter().map(|tool| name.tool(&tool.name)).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::app::ports::extensions::{Found, Hello};

    fn name(raw: &str) -> Name {
        Name::parse("an extension", raw).unwrap()
    }

    fn program(file: &Path) -> Program {
        Program {
            words: vec![file.into()],
            command: vec!["x".to_owned()],
            files: vec![file.to_owned()],
            found: Found::Settings,
            walls: true,
        }
    }

    /// A folder with the files of these extensions, and their records. Each has these tools.
    fn enabled_here(all: &[(&str, &[&str])]) -> (tempfile::TempDir, Records) {
        let temp = tempfile::tempdir().unwrap();
        let record = |(called, tools): &(&str, &[&str])| {
            let file = temp.path().join(called);
            std::fs::write(&file, "#!/bin/sh\n").unwrap();
            let tool = |raw: &&str| OfferedTool {
                name: name(raw),
                description: "Asks.".to_owned(),
                schema: serde_json::json!({"type": "object"}),
            };
            let tools = tools.iter().map(tool).collect();
            let hello = Hello { version: None, ui_api_version: 1, tools, commands: Vec::new() };
            let text = Record::of(&program(&file)).unwrap().offering(&hello).unwrap();
            (name(called), Record::read(&text))
        };
        let records = all.iter().map(record).collect();
        (temp, records)
    }

    /// A call of this tool: whether its extension is started, and whose files were read for that, one after the other.
    fn call(temp: &tempfile::TempDir, records: &Records, tool: &str) -> (Result<PathBuf, String>, Vec<String>) {
        let read = RefCell::new(Vec::new());
        let same = |name: &Name, record: &Record| {
            read.borrow_mut().push(name.to_string());
            let now = program(&temp.path().join(name.as_str()));
            record.is_of(&now).map(|()| now)
        };
        let (name, _) = tool_called(records, tool, same).expect("one has it");
        let started = enabled(records, &name, same).map(|program| program.file().to_owned());
        (started, read.into_inner())
    }

    #[test]
    fn p6_a_call_reads_the_files_of_its_own_extension_alone_and_once() {
        let (temp, records) = enabled_here(&[("alpha", &["ask"]), ("limits", &["ask", "set"]), ("zeta", &["ask"])]);
        let (started, read) = call(&temp, &records, "limits_set");
        assert_eq!((started, read), (Ok(temp.path().join("limits")), vec!["limits".to_owned()]));
        std::fs::write(temp.path().join("limits"), "#!/bin/sh\nother\n").unwrap();
        let (refused, read) = call(&temp, &records, "limits_ask");
        assert!(refused.unwrap_err().contains("limits has changed"));
        assert_eq!(read, ["limits"]);
        assert_eq!(tool_called(&records, "limits_gone", |_, _| panic!("nothing is read")), None);
        let gone = enabled(&records, &name("gone"), |_, _| panic!("nothing is read")).unwrap_err();
        assert_eq!(gone, "it is not enabled in this clone");
    }

    #[test]
    fn p6_of_two_that_share_a_tool_the_first_unchanged_one_is_called() {
        let (temp, records) = enabled_here(&[("a", &["b-c"]), ("a-b", &["c", "d"])]);
        assert_eq!(call(&temp, &records, "a_b_c").0, Ok(temp.path().join("a")));
        // It lacks a tool that another has, so none of its own is called.
        assert!(call(&temp, &records, "a_b_d").0.unwrap_err().contains("another tool has the name a_b_c"));
        std::fs::write(temp.path().join("a"), "other\n").unwrap();
        assert_eq!(call(&temp, &records, "a_b_c").0, Ok(temp.path().join("a-b")));
        assert_eq!(call(&temp, &records, "a_b_d").0, Ok(temp.path().join("a-b")));
    }

    #[test]
    fn p6_a_record_that_cannot_be_read_or_takes_a_name_of_ours_starts_nothing() {
        let (_temp, mut records) = enabled_here(&[("grill", &["status"])]);
        records.insert(name("torn"), Err("half a line".to_owned()));
        let why = |raw: &str| enabled(&records, &name(raw), |_, _| panic!("nothing is read")).unwrap_err();
        assert_eq!(why("grill"), "it was enabled, but another tool has the name grill_status");
        assert_eq!(why("torn"), "it was enabled, but its record cannot be read: half a line");
    }
}
