//! The rooms and their one direction, checked against the source: rustc enforces no imports inside one crate.
//!
//! The table is DESIGN.md section 2; a new room needs a row before its first file passes.

mod manifest;
mod named_keys;
mod newcomer;
mod opening;
mod planted;
mod programs;
mod scan;
mod signals;
mod sources;
mod table;
mod tokens;
mod wire;

use std::collections::HashMap;
use std::fmt;

use manifest::Manifest;
use scan::{Reference, Situation};
use sources::Source;
use table::{Crates, Row, TABLE};

pub use sources::rust_files;

/// A reference that the table does not allow.
#[derive(Debug, PartialEq, Eq)]
struct Breach {
    file: String,
    line: usize,
    what: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

/// Every breach in a set of files that form one crate.
fn breaches(sources: &[Source], manifest: &Manifest) -> Vec<Breach> {
    let sources = placed(sources, manifest);
    let scanned: Vec<_> =
        sources.iter().map(|source| (source, scan::scan(&source.text, &source.module, manifest))).collect();
    let test_modules: Vec<_> = scanned
        .iter()
        .flat_map(|(_, scanned)| &scanned.declared)
        .filter(|declared| declared.situation == Situation::Test)
        .collect();
    let mut found = Vec::new();
    for (source, scanned) in &scanned {
        let Some(row) = TABLE.iter().find(|row| row.room == source.room) else {
            found.push(Breach {
                file: source.file.clone(),
                line: 1,
                what: format!("the room `{}` has no row in the table", source.room),
            });
            continue;
        };
        let in_test_file = test_modules.iter().any(|test| source.module.starts_with(&test.module));
        for reference in &scanned.references {
            let situation = if in_test_file { Situation::Test } else { reference.situation };
            if let Err(what) = judge(row, reference, situation, manifest) {
                found.push(Breach { file: source.file.clone(), line: reference.line, what });
            }
        }
    }
    found
}

/// The files as the modules they really are: `#[path]` may have put one elsewhere, even into another room.
fn placed(sources: &[Source], manifest: &Manifest) -> Vec<Source> {
    let mut moved: HashMap<String, Vec<String>> = HashMap::new();
    for source in sources {
        for declared in scan::scan(&source.text, &source.module, manifest).declared {
            if let Some(file) = declared.file {
                moved.insert(source.beside(&file), declared.module);
            }
        }
    }
    let place = |source: &Source| {
        let module = moved.get(&source.file).unwrap_or(&source.module);
        if module.is_empty() { Source::new(&source.file, &source.text) } else { source.as_module(module) }
    };
    sources.iter().map(place).collect()
}

/// Whether `row` lets its room make this reference; the error says why not.
fn judge(row: &Row, reference: &Reference, situation: Situation, manifest: &Manifest) -> Result<(), String> {
    let path: Vec<&str> = reference.path.iter().map(String::as_str).collect();
    let shown = path.join("::");
    match path.as_slice() {
        ["crate", room, ..] if *room == row.room => Ok(()),
        ["crate", inside @ ..] => {
            let allowed = row.may.iter().any(|may| *may == "*" || starts_with_path(inside, may));
            allowed.then_some(()).ok_or_else(|| {
                let may = if row.may.is_empty() { "nothing".to_owned() } else { row.may.join(", ") };
                format!("`{}` uses `{shown}`; of this crate it may use {may} ({})", row.room, row.why)
            })
        }
        ["std" | "core" | "alloc", inside @ ..] => {
            let closed = match situation {
                Situation::Product => row.closed,
                Situation::Test => row.closed_in_tests,
            };
            let open = row.except.iter().any(|open| starts_with_path(inside, open));
            // The whole of std would open every closed part under another name.
            let whole = matches!(inside, [] | ["*"]);
            let hit = whole || closed.iter().any(|closed| starts_with_path(inside, closed));
            if !hit || open {
                return Ok(());
            }
            Err(format!("`{}` uses `{shown}`, which is closed to it ({})", row.room, row.why))
        }
        [outside, ..] => {
            let allowed = match row.crates {
                Crates::Any => true,
                Crates::Only(crates) => crates.contains(outside),
            };
            let for_tests = situation == Situation::Test && manifest.is_dev(outside);
            if allowed || for_tests {
                return Ok(());
            }
            Err(format!("`{}` uses `{shown}`; of other crates {} ({})", row.room, row.crates, row.why))
        }
        [] => unreachable!("a reference has at least one segment"),
    }
}

/// Whether `path` lies at or below `prefix`, which is written with `::`.
fn starts_with_path(path: &[&str], prefix: &str) -> bool {
    let prefix: Vec<&str> = prefix.split("::").collect();
    path.starts_with(&prefix)
}

#[test]
fn every_room_keeps_to_its_row() {
    let found = breaches(&sources::of_this_crate(), &Manifest::of_this_crate());
    let list: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(list.is_empty(), "the rooms are breached:\n{}", list.join("\n"));
}

#[test]
fn every_row_has_a_room() {
    let sources = sources::of_this_crate();
    for row in TABLE {
        let lives = sources.iter().any(|source| source.room == row.room);
        assert!(lives, "the table has a row for `{}`, but no such room exists", row.room);
    }
}

/// One rule says which characters are shown as they are (`domain::harmless`), and every text with a foreign name in it goes
/// through it on its way out.
#[test]
fn g30_no_other_place_decides_what_of_a_foreign_name_is_shown() {
    let judging = ["src/policy/", "src/hooks/", "src/guard/"];
    // They steer the terminal on purpose, with words of our own.
    let steering = ["src/world/doctor/walking.rs", "src/world/bug.rs"];
    let mut found = Vec::new();
    for (path, text) in rust_files("src") {
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        let judges = judging.iter().any(|room| path.starts_with(room)) && !path.contains("tests");
        // It says which characters end a word of the shell.
        if judges && path != "src/policy/shell/characters.rs" && product.contains("is_control") {
            found.push(format!("{path}: an own rule for control characters"));
        }
        // Formatting may break the line behind the parenthesis.
        let flat: String = product.split_whitespace().collect();
        if flat.contains("speak::err(&format!") && !steering.contains(&path.as_str()) {
            found.push(format!("{path}: speak::naming is for texts with names"));
        }
        // Bytes become text for a person in one place of the policy; the other one asks about a path and shows nothing.
        let shows = path.starts_with("src/policy/") && product.contains("from_utf8_lossy");
        if shows && path != "src/policy/ref_line.rs" && path != "src/policy/approved.rs" {
            found.push(format!("{path}: ref_line::printable shows foreign bytes"));
        }
    }
    assert_eq!(found, Vec::<String>::new());
}
