//! Finds the extension that a tool call is for, and checks that it is unchanged since it was enabled. A call reads the
//! files of this extension alone, once, right before it is started.

use std::collections::{BTreeMap, BTreeSet};

use super::enabling::Record;
use super::finding::Program;
use crate::app::ports::extensions::OfferedTool;
use crate::domain::tool;
use crate::domain::ui::Name;

/// The records of what is enabled here, or why one cannot be read.
pub(super) type Records = BTreeMap<Name, Result<Record, String>>;

/// The tools that are given away, by the names under which agents call them: first those of git grill, then those of the
/// extensions in the order of their names. This is the whole rule of who has a tool that several offer, for the list and
/// for a call.
pub(super) struct Given(BTreeSet<String>);

impl Given {
    /// The tools of git grill itself.
    pub(super) fn ours() -> Self {
        Self(tool::rows().map(|row| row.name.to_owned()).collect())
    }

    /// Gives an extension all of its tools, if `same` says that it is unchanged. If one of them is given already, it gets
    /// none, and the others stay free for an extension after it; then `same` is not asked.
    pub(super) fn give<T>(
        &mut self,
        called: Vec<String>,
        same: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        if let Some(tool) = called.iter().find(|tool| self.0.contains(*tool)) {
            return Err(format!("another tool has the name {tool}"));
        }
        let unchanged = same()?;
        self.0.extend(called);
        Ok(unchanged)
    }
}

/// The tool that agents call by this name, and its extension. If several extensions offer such a tool, the one that has
/// it counts, as in the list; only then is a file read.
pub(super) fn tool_called(
    records: &Records,
    called: &str,
    same: impl Fn(&Name, &Record) -> Result<Program, String>,
) -> Option<(Name, OfferedTool)> {
    let all = records.iter().filter_map(|(name, record)| {
        let record = record.as_ref().ok()?;
        let tool = record.tools().into_iter().find(|tool| name.tool(&tool.name) == called)?;
        Some((name, tool))
    });
    let all: Vec<(&Name, OfferedTool)> = all.collect();
    let at = match all.len() {
        0 | 1 => 0,
        _ => all.iter().position(|(name, _)| enabled(records, name, &same).is_ok()).unwrap_or(0),
    };
    let (name, tool) = all.into_iter().nth(at)?;
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
    let mut given = Given::ours();
    for (other, theirs) in rivals(records, name, record) {
        // What it gets, this one does not; why it gets nothing is nobody's business here.
        let _ = given.give(called(other, theirs), || same(other, theirs));
    }
    given.give(called(name, record), || same(name, record)).map_err(but)
}

/// The extensions that decide whether this one has its tools, in their order: those before it that share a tool with it,
/// or with another one of them.
fn rivals<'r>(records: &'r Records, name: &Name, record: &Record) -> Vec<(&'r Name, &'r Record)> {
    let mut wanted: BTreeSet<String> = called(name, record).into_iter().collect();
    let mut rivals = Vec::new();
    for (other, theirs) in records.range::<Name, _>(..name).rev() {
        let Ok(theirs) = theirs else { continue };
        let called = called(other, theirs);
        if called.iter().any(|tool| wanted.contains(tool)) {
            wanted.extend(called);
            rivals.push((other, theirs));
        }
    }
    rivals.reverse();
    rivals
}

/// The names under which agents call the tools of an extension.
fn called(name: &Name, record: &Record) -> Vec<String> {
    names(name, &record.tools())
}

/// The names under which agents call these tools of an extension.
pub(super) fn names(name: &Name, tools: &[OfferedTool]) -> Vec<String> {
    tools.iter().map(|tool| name.tool(&tool.name)).collect()
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
    fn p6_one_that_has_none_of_its_tools_leaves_them_to_the_next_one() {
        let chain: [(&str, &[&str]); 3] = [("a", &["b-x"]), ("a-b", &["x", "c-y"]), ("a-b-c", &["y"])];
        let (temp, records) = enabled_here(&chain);
        // The list's way: each in its order, all of them read.
        let listed = || -> Vec<String> {
            let mut given = Given::ours();
            let has = |(name, record): (&Name, &Result<Record, String>)| {
                let record = record.as_ref().unwrap();
                let same = || record.is_of(&program(&temp.path().join(name.as_str())));
                given.give(called(name, record), same).is_ok().then(|| name.to_string())
            };
            records.iter().filter_map(has).collect()
        };
        let (first, third) = (temp.path().join("a"), temp.path().join("a-b-c"));
        assert_eq!(listed(), ["a", "a-b-c"]);
        assert_eq!(call(&temp, &records, "a_b_x").0, Ok(first.clone()));
        assert_eq!(call(&temp, &records, "a_b_c_y").0, Ok(third));
        // Once the first one changed, the second has its own, and the third has nothing.
        std::fs::write(&first, "other\n").unwrap();
        assert_eq!(listed(), ["a-b"]);
        let second = temp.path().join("a-b");
        assert_eq!(call(&temp, &records, "a_b_x").0, Ok(second.clone()));
        assert_eq!(call(&temp, &records, "a_b_c_y").0, Ok(second));
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
