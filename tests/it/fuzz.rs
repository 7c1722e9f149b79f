//! The fuzz targets' bodies, played with their seeds and with every input that once broke something. Random bytes are
//! `fuzz/`'s matter; what they found stays found here.

#[path = "../../fuzz/src/lib.rs"]
pub mod bodies;
mod chance;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use bodies::TARGETS;

use crate::shell::corpus;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// What a target begins from, each with a name: its own seeds, and what other tests have already.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folders: &[&str] = match target {
        "payload" => &["fixtures/fuzz/payload", "fixtures/guard"],
        "document" => &["fixtures/fuzz/document", "fixtures/outputs"],
        "events" => &["fixtures/fuzz/events", "fixtures/fuzz/session"],
        _ => &[],
    };
    let own = format!("fixtures/fuzz/{target}");
    let folders = if folders.is_empty() { vec![own.as_str()] } else { folders.to_vec() };
    let read = |path: PathBuf| (path.display().to_string(), std::fs::read(&path).unwrap());
    let mut found: Vec<(String, Vec<u8>)> = folders
        .iter()
        .map(|folder| root().join(folder))
        .filter(|folder| folder.is_dir())
        .flat_map(|folder| files(&folder))
        .map(read)
        .collect();
    if target == "shell" {
        // Each line is judged fifty times over, so only some are taken; the corpora's own tests look at all.
        for text in [corpus::GIVEN, corpus::OURS, corpus::SECOND] {
            let lines = corpus::read(text).into_iter().step_by(20);
            found.extend(lines.map(|line| (line.command.clone(), line.command.into_bytes())));
        }
    }
    found
}

fn broken(body: fn(&[u8]), bytes: &[u8]) -> Option<String> {
    let caught = catch_unwind(AssertUnwindSafe(|| body(bytes))).err()?;
    let said = caught.downcast_ref::<String>().cloned();
    Some(said.or_else(|| caught.downcast_ref::<&str>().map(|said| (*said).to_owned())).unwrap_or_default())
}

#[test]
fn every_seed_and_everything_that_was_ever_found_holds() {
    let mut complaints = Vec::new();
    for (target, body) in TARGETS {
        for (name, bytes) in seeds(target) {
            complaints.extend(broken(*body, &bytes).map(|why| format!("{target}: {name}: {why}")));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// A target that asserts nothing would pass whatever happened.
#[test]
fn a_target_that_does_not_hold_is_reported() {
    assert_eq!(broken(|bytes| assert!(bytes.is_empty(), "there is {bytes:?}"), b"a").as_deref(), Some("there is [97]"));
    assert_eq!(broken(|_| {}, b"a"), None);
}

#[test]
fn every_target_is_built_seeded_and_described() {
    let read = |file: &str| std::fs::read_to_string(root().join(file)).unwrap();
    let (manifest, readme) = (read("fuzz/Cargo.toml"), read("fuzz/README.md"));
    for (target, _) in TARGETS {
        let file = format!("fuzz_targets/{target}.rs");
        assert!(manifest.contains(&format!("name = \"{target}\"\npath = \"{file}\"")), "{target} is not built");
        assert!(read(&format!("fuzz/{file}")).contains(&format!("{target}::run(data)")), "{file} runs another one");
        assert!(readme.contains(&format!("\n| `{target}` |")), "no row for {target}");
        assert!(seeds(target).len() >= 2, "{target} begins from nothing");
    }
    assert_eq!(manifest.matches("[[bin]]").count(), TARGETS.len());
    assert_eq!(files(&root().join("fuzz/fuzz_targets")).len(), TARGETS.len());
}
