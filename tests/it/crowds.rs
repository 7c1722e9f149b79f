//! No test makes a crowd of its own: threads that start programs are counted by `bench/crowd.rs`, so that two crowds never
//! meet, and what is to be done many times is done a few at a time.

use crate::architecture::rust_files;

const COUNTS: &str = "tests/it/bench/crowd.rs";

/// Files whose threads start nothing: each reads or writes a pipe or a terminal of one program, or does one thing beside it.
const READERS: &[&str] = &[
    "tests/it/bench/running.rs",
    "tests/it/crash/raced.rs",
    "tests/it/crash/terminal.rs",
    "tests/it/mcp/wire.rs",
    "tests/it/pty.rs",
    "tests/it/shell/traps/field.rs",
    "tests/it/spawning.rs",
    "tests/it/tracker/spawned.rs",
];

fn complaint(file: &str, text: &str) -> Option<String> {
    let told = |what: &str| Some(format!("{file}: {what}"));
    if file == COUNTS || file == "tests/it/crowds.rs" {
        return None;
    }
    if text.matches("scope(|").count() > text.matches("crowd = crowd();").count() {
        // Two writers of one store, and no program.
        let starts_nothing = file == "tests/it/properties/writers.rs";
        return if starts_nothing {
            None
        } else {
            told("threads that nobody counts; bench::side_by_side or bench::crowd")
        };
    }
    let spawns = ["thread::spawn", "thread::Builder"].iter().any(|made| text.contains(made));
    if spawns && !READERS.contains(&file) {
        return told("a thread of its own; bench::side_by_side, or a line in READERS if it starts no program");
    }
    None
}

#[test]
fn no_test_makes_a_crowd_that_nobody_counts() {
    let files = rust_files("tests/it");
    let complaints: Vec<String> = files.iter().filter_map(|(file, text)| complaint(file, text)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    let gone: Vec<_> = READERS.iter().filter(|name| !files.iter().any(|(file, _)| file == *name)).collect();
    assert!(gone.is_empty(), "{gone:?} are no files");
}

#[test]
fn a_planted_crowd_is_reported() {
    let crowd = "std::thread::scope(|scope| { scope.spawn(|| bench.run(line)); });";
    assert!(complaint("tests/it/new.rs", crowd).unwrap().contains("bench::crowd"));
    assert_eq!(complaint("tests/it/new.rs", &format!("let _crowd = crowd();\n{crowd}")), None);
    assert!(complaint("tests/it/new.rs", "std::thread::spawn(|| 1);").unwrap().contains("READERS"));
}
