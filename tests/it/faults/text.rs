//! Foreign text: stored as given, shown so that it cannot act; too much or too little of it is said.

use super::traces::{assert_same, lasting};
use crate::bench::Bench;
use crate::bench::Output;

/// Colours, a bell, a window title, a cursor that moves up, and a change of the writing direction.
const WILD: &str = "red \x1b[31mtext\x1b[0m \x07bell \x1b]0;title\x07 \x1b[2A \u{202e}back\u{9b}1m";

/// A shell word that holds the text.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[track_caller]
fn assert_harmless(output: Output) {
    let acts = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    let found: Vec<&str> = [&output.stdout, &output.stderr]
        .into_iter()
        .flat_map(|text| text.lines())
        .filter(|line| line.contains(acts))
        .collect();
    assert!(found.is_empty(), "`{}` shows {found:?}", output.line);
    output.assert_code(0).assert_lacks("panicked");
}

#[test]
fn control_characters_are_stored_as_given_and_shown_harmless() {
    let bench = Bench::new();
    let wild = quoted(WILD);
    assert_harmless(bench.run(&format!("git grill start {wild}")));
    assert_harmless(bench.run(&format!("git grill answer {wild} --note {wild}")));
    assert_harmless(bench.run(&format!("git grill unknown --note {wild}")));
    assert_harmless(bench.run(&format!("git grill skip --because {wild}")));
    assert_harmless(bench.run(&format!("git grill output custom:{wild}")));
    assert_harmless(bench.run("git grill discuss"));
    assert_harmless(bench.run(&format!("git grill discuss --done {wild}")));
    bench.write(".grill/checkpoint.md", format!("# By hand\n\n- {WILD}\n"));
    for verb in
        ["status", "status --short", "status --questions", "next", "sessions", "checkpoint log", "checkpoint diff"]
    {
        assert_harmless(bench.run(&format!("git grill {verb}")));
    }
    assert_harmless(bench.run("git grill status --json"));
    for told in ["", " --for claude", " --for claude --hook prompt <../call.json"] {
        bench.write("../call.json", format!(r#"{{"cwd":"{}","prompt":"go"}}"#, bench.repo().display()));
        assert_harmless(bench.run(&format!("git grill instructions{told}")));
    }
    // git's own log shows a subject as it is, so no control character may be in one.
    let subjects = bench.run("git log --format=%s GRILL_HEAD").assert_code(0);
    assert!(!subjects.stdout().contains(|c: char| c.is_control() && c != '\n'), "{}", subjects.stdout());
    // Raw Markdown when piped (G18): a program gets the bytes that were given.
    bench.run("git grill checkpoint show").assert_contains(WILD);
    bench.run("git show GRILL_HEAD:.grill/checkpoint.md").assert_contains(WILD);
    let json = bench.run("git grill --json status --questions").assert_code(0);
    let json: serde_json::Value = serde_json::from_str(json.stdout()).unwrap();
    assert_eq!(json["questions"][0]["answer"]["text"], WILD, "{json}");
    let status = bench.run("git grill --json status").assert_code(0);
    let status: serde_json::Value = serde_json::from_str(status.stdout()).unwrap();
    assert_eq!(status["topic"], WILD);
    assert_harmless(bench.run("git grill stop --without-output"));
}

#[test]
fn g30_the_topic_is_harmless_in_the_checkpoint_from_its_first_version_on() {
    for research in ["off", "auto"] {
        let bench = Bench::new();
        bench.run(&format!("git grill start --research {research} {}", quoted(WILD))).assert_code(0);
        let seen = "red ␛[31mtext␛[0m ␇bell ␛]0;title␇ ␛[2A \\u{202e}back\\u{9b}1m\n";
        assert!(bench.read(".grill/checkpoint.md").contains(seen));
        let first = "git show $(git rev-list --max-parents=0 GRILL_HEAD):.grill/checkpoint.md";
        assert_harmless(bench.run(first));
        bench.run(first).assert_contains(seen);
        let status = bench.run("git grill --json status").assert_code(0);
        let status: serde_json::Value = serde_json::from_str(status.stdout()).unwrap();
        assert_eq!(status["topic"], WILD, "the topic itself is as it was given");
        bench.run("git grill fsck").assert_code(0);
        assert_harmless(bench.run("git grill answer 'so that it works' && git show GRILL_HEAD:.grill/checkpoint.md"));
        bench.run("git grill fsck").assert_code(0);
    }
}

#[test]
fn line_ends_tabs_and_a_nul_are_text_too() {
    let bench = Bench::new();
    bench.run("git grill start 'a faster search' --research off").assert_code(0);
    for text in
        ["one\ttwo", "one\r\ntwo", "nul \0 in it", "ü – “quoted” 日本語 👩‍👩‍👧", "---\n- a: [\n", "{q-#1} $(id) `id`"]
    {
        bench.run_with_input("git grill answer -", text).assert_code(0).assert_lacks("panicked");
        let json = bench.run("git grill --json status --questions").assert_code(0);
        let json: serde_json::Value = serde_json::from_str(json.stdout()).unwrap();
        let questions = json["questions"].as_array().unwrap();
        let last = questions.iter().rev().find(|question| question["answer"].is_object()).unwrap();
        assert_eq!(last["answer"]["text"].as_str().unwrap().replace('\r', ""), text.replace('\r', "").trim_end());
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let bench = Bench::new();
    let before = lasting(bench.repo());
    let refused = bench.run("git grill start \"$(printf 'caf\\351')\"");
    assert!([2, 128].contains(&refused.code), "{refused}");
    refused.assert_contains("UTF-8");
    assert_same(&before, &lasting(bench.repo()), "nothing is created");
    bench.run("git grill start 'a faster search'").assert_code(0);
    bench.run("printf 'caf\\351' | git grill answer -").assert_contains("not UTF-8").assert_code(128);
    bench.run("git grill status --short").assert_stdout("grill:interview q1 0/1/0\n");
}

#[test]
fn an_empty_topic_needs_a_person_and_creates_nothing() {
    let bench = Bench::new();
    let before = lasting(bench.repo());
    for topic in ["", "''", "'   '", "\"$(printf '\\t\\n')\""] {
        let refused = bench.run(&format!("git grill start {topic}")).assert_code(3);
        refused.assert_contains("hint: git grill start \"<topic>\"");
    }
    bench.run("git grill").assert_code(3);
    assert_same(&before, &lasting(bench.repo()), "nothing is created (G2)");
}

#[test]
fn a_topic_of_200_kilobytes_is_refused_by_its_size() {
    let bench = Bench::new();
    let before = lasting(bench.repo());
    // One word of that size is more than the kernel takes, so it is many.
    let refused = bench.run("git grill start $(yes longword | head -23000)").assert_code(2);
    refused.assert_contains("the topic has 206999 bytes, more than the 1000 that fit").assert_contains("hint: ");
    assert_same(&before, &lasting(bench.repo()), "nothing is created");
}

#[test]
fn an_answer_that_is_too_long_is_refused_by_its_size_and_one_that_fits_is_whole() {
    let bench = Bench::new();
    bench.run("git grill start 'a faster search' --research off").assert_code(0);
    let long = "word ".repeat(40_000);
    let refused = bench.run_with_input("git grill answer -", &long).assert_code(2);
    refused.assert_contains("bytes, more than the 12000 that fit").assert_contains("hint: ");
    bench.run("git grill status --short").assert_stdout("grill:interview q1 0/1/0\n");
    let fits = "w".repeat(12_000);
    bench.run_with_input("git grill answer -", &fits).assert_code(0);
    let json = bench.run("git grill --json status --questions").assert_code(0);
    assert!(json.stdout().contains(&fits));
}

#[test]
fn an_edited_checkpoint_that_is_too_long_or_no_text_is_left_alone() {
    let bench = Bench::new();
    bench.run("git grill start 'a faster search' --research off").assert_code(0);
    for (text, says) in [(vec![b'a'; 600_000], "bytes"), (b"\xff\xfe".to_vec(), "UTF-8"), (Vec::new(), "empty")] {
        bench.write(".grill/checkpoint.md", &text);
        let shown = bench.run("git grill status").assert_code(0);
        shown.assert_contains("warning: ").assert_contains(says).assert_lacks("error:");
        bench.run("git grill answer words").assert_code(0);
        assert_eq!(std::fs::read(bench.repo().join(".grill/checkpoint.md")).unwrap(), text, "never overwritten (G25)");
    }
}
