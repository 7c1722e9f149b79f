//! No test pauses for a fixed time and hopes that something has happened by then: a slow machine needs longer, and a
//! fast one wastes the time. `bench::wait_until` waits for a condition and `pty.rs` for a screen; a scripted agent
//! waits at an `until` step until the test releases it.

use crate::architecture::rust_files;

/// The pauses that do not wait for anything, with their number per file.
const MEANT: &[(&str, usize, &str)] = &[
    ("tests/it/baseline/gates.rs", 1, "two moments that can be told apart"),
    ("tests/it/bench/running.rs", 2, "between two looks, in the loop of the caller"),
    ("tests/it/crash/raced.rs", 1, "how long another git holds a lock"),
    ("tests/it/faults/killed.rs", 1, "a kill at a moment of the clock"),
    ("tests/it/fence/crash.rs", 1, "a kill at a moment of the clock"),
    ("tests/it/hooks/crash.rs", 1, "a kill at a moment of the clock"),
    ("tests/it/leading.rs", 1, "a person's pause, which makes their keys count"),
    ("tests/it/leading/talked.rs", 2, "what an agent says comes in pieces"),
    ("tests/it/leading/terminals.rs", 1, "a person's pause, which makes their keys count"),
    ("tests/it/leading/whole.rs", 1, "a moment between two calls of an agent"),
    ("tests/it/pty.rs", 2, "between two looks, a few times"),
    ("tests/it/sandbox/kept.rs", 2, "two times of files that can be told apart; a kill at a moment of the clock"),
    ("tests/it/sandbox/leftovers.rs", 5, "kills at moments of the clock, and a while in which nothing may follow"),
    ("tests/it/sandbox/output.rs", 2, "a while in which nothing may follow"),
    ("tests/it/store/races.rs", 2, "writers that fall out of step; kills at moments of the clock"),
    ("tests/it/term_pty.rs", 3, "how fast keys come"),
    ("tests/it/term_pty/every.rs", 2, "how fast keys come and windows change"),
];

/// An agent that sleeps for so many milliseconds does not wait for anything: its test ends first.
const FOR_EVER: u64 = 60_000;

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// How often the text pauses for a fixed time: outside a loop that ends with a condition, or in an agent's script.
fn pauses(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let fixed = |(at, line): &(usize, &&str)| {
        let is_code = line.contains("sleep(") && !line.trim_start().starts_with("//");
        let around = lines[..*at].iter().rev().find(|above| !above.trim().is_empty() && indent(above) < indent(line));
        let around = around.map_or("", |above| above.trim_start());
        is_code && !around.starts_with("while ") && !around.starts_with("loop")
    };
    let brief = |rest: &&str| {
        let digits: String =
            rest.chars().take_while(|c| c.is_ascii_digit() || *c == '_').filter(|c| *c != '_').collect();
        digits.parse::<u64>().is_ok_and(|milliseconds| milliseconds < FOR_EVER)
    };
    let of_agents = text.split("{\"sleep\": ").skip(1).filter(brief).count();
    lines.iter().enumerate().filter(fixed).count() + of_agents
}

fn complaint(file: &str, text: &str) -> Option<String> {
    let (found, meant) =
        (pauses(text), MEANT.iter().find(|(name, ..)| *name == file).map_or(0, |(_, meant, _)| *meant));
    (file != "tests/it/pauses.rs" && found != meant).then(|| {
        format!("{file}: {found} fixed pauses, and {meant} are meant; bench::wait_until waits for a condition")
    })
}

#[test]
fn no_test_waits_by_a_fixed_pause() {
    let files = rust_files("tests/it");
    let complaints: Vec<String> = files.iter().filter_map(|(file, text)| complaint(file, text)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    let gone: Vec<_> = MEANT.iter().filter(|(name, ..)| !files.iter().any(|(file, _)| file == name)).collect();
    assert!(gone.is_empty(), "{gone:?} are no files");
}

#[test]
fn a_planted_pause_is_reported() {
    let of = |text: &str| complaint("tests/it/new.rs", text).is_some();
    assert!(of("fn f() {\n    start();\n    std::thread::sleep(Duration::from_secs(2));\n}\n"));
    assert!(of("for _ in 0..9 {\n    thread::sleep(PAUSE);\n}\n"));
    assert!(of(r#"json!([asks("First?"), {"sleep": 1_500}])"#));
    assert!(!of(r#"json!([asks("First?"), {"sleep": 600_000}])"#));
    assert!(!of("while !met() {\n    assert!(begun.elapsed() < LIMIT);\n\n    thread::sleep(PAUSE);\n}\n"));
    assert!(!of("/// It never calls sleep(1).\nfn f() {}\n"));
}
