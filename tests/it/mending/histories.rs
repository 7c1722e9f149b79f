//! `git grill fsck`: every commit of a session is replayed, and what does not lead to what stands there is named.

use serde_json::Value;

use super::{PUT, WORDS, two_sessions};
use crate::bench::Bench;

fn fsck(bench: &Bench, code: i32, what: &str) -> Value {
    let ran = bench.run("git grill fsck --json");
    assert_eq!(ran.code, code, "{what}: {ran}");
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The newest commit is replaced by one in which something is wrong.
#[test]
fn what_events_do_not_lead_to_is_named() {
    for (what, by, code, says) in [
        (
            "a checkpoint that nobody wrote",
            "{ show checkpoint.md; echo '- by nobody'; } | put checkpoint.md '-p '$tip~1",
            "replay_differs",
            ".grill/checkpoint.md",
        ),
        (
            "another state",
            "show session.yaml | sed 's/intensity: standard/intensity: gentle/' | put session.yaml '-p '$tip~1",
            "replay_differs",
            ".grill/session.yaml",
        ),
        (
            "an answer that was changed",
            "file=$(git ls-tree -r --name-only $tip .grill/answers | head -n 1); file=${file#.grill/}; \
             show $file | sed 's/requests per/sessions per/; s/ten per/two per/' | put $file '-p '$tip~1",
            "replay_differs",
            ".grill/answers/",
        ),
        ("events twice", "show events.yaml | put events.yaml '-p '$tip", "seq_gap", "comes after event"),
        ("no events", "echo '[]' | put events.yaml '-p '$tip~1", "replay_differs", "no event"),
        ("events that are none", "echo '{' | put events.yaml '-p '$tip~1", "commit_unreadable", ".grill/events.yaml"),
        ("two parents", "show events.yaml | put events.yaml \"-p $tip~1 -p main\"", "parents", "2 parents"),
        ("no beginning", "show events.yaml | put events.yaml ''", "replay_differs", "do not begin"),
    ] {
        let bench = two_sessions("");
        let whole = fsck(&bench, 0, what);
        assert_eq!(whole["walked"]["sessions"], 2, "{whole}");
        assert!(whole["walked"]["commits"].as_u64().unwrap() >= 6, "{whole}");
        bench.run(&format!("{WORDS}{PUT}{by}")).assert_code(0);
        for line in ["git grill fsck --json", "git grill doctor --json"] {
            let ran = bench.run(line);
            assert_eq!(ran.code, 1, "{what}, {line}: {ran}");
            let told: Value = serde_json::from_str(&ran.stdout).unwrap();
            let found = told["findings"].as_array().unwrap().iter().find(|one| one["code"] == code);
            let found = found.unwrap_or_else(|| panic!("{what}, {line}: {told}"));
            assert!(found["what"].as_str().unwrap().contains(says), "{what}: {found}");
            assert_eq!(found["fixable"], false, "{what}: {found}");
        }
        // What the tree says counts: nothing is rewritten.
        let tip = bench.run(&format!("{WORDS} echo $tip")).assert_code(0).stdout().to_owned();
        bench.run("git grill fsck --fix").assert_code(1);
        bench.run(&format!("{WORDS} echo $tip")).assert_stdout(&tip);
    }
}

/// A message that says something else is a warning: the tree counts.
#[test]
fn a_message_that_says_something_else_is_named() {
    let bench = two_sessions("");
    let by = "git log -1 --format=%B $tip | sed 's/^Grill-Seq: .*/Grill-Seq: 99/' >../message; \
        past update-ref $ref $(git commit-tree -p $tip~1 -F ../message $tip^{tree})";
    bench.run(&format!("{WORDS}{by}")).assert_code(0);
    let told = fsck(&bench, 0, "a trailer");
    assert_eq!(told["findings"][0]["code"], "trailers", "{told}");
}

/// An earlier commit hinders nobody, so only the walk finds it, but for the one before the newest, which is looked at
/// anyway; and the commits after it are checked all the same.
#[test]
fn an_unreadable_commit_in_the_history_is_named_by_its_path() {
    let bench = two_sessions("");
    bench.run(&format!("{WORDS} rm -f $(loose $(git rev-parse $tip~2:.grill/events.yaml))")).assert_code(0);
    bench.run("git grill doctor").assert_code(0);
    let told = fsck(&bench, 1, "an earlier file");
    assert_eq!(told["findings"].as_array().unwrap().len(), 1, "{told}");
    assert!(told["findings"][0]["what"].as_str().unwrap().contains(".grill/events.yaml"), "{told}");
    bench.run(&format!("{WORDS} rm -f $(loose $(git rev-parse $tip~2))")).assert_code(0);
    assert_eq!(fsck(&bench, 1, "an earlier commit")["findings"][0]["code"], "commit_unreadable");
    bench.run("git grill next").assert_code(0);
    bench.run("git grill doctor").assert_code(0).assert_contains("git grill fsck looks at all of them");
    bench.run(&format!("{WORDS} rm -f $(loose $(git rev-parse $tip~1:.grill/events.yaml))")).assert_code(0);
    bench.run("git grill doctor").assert_code(1).assert_contains(".grill/events.yaml: object not found");
    let both = fsck(&bench, 1, "two commits");
    assert_eq!(both["findings"].as_array().unwrap().len(), 2, "each is named once: {both}");
}

/// What is missing can be fetched anew from a copy, by the very words of the finding.
#[test]
fn an_unreadable_commit_in_the_history_is_mended_by_the_command_that_is_told() {
    let bench = two_sessions("");
    bench.run("git clone --quiet --mirror . ../copy.git").assert_code(0);
    bench.run(&format!("{WORDS} rm -f $(loose $(git rev-parse $tip~2))")).assert_code(0);
    let told = fsck(&bench, 1, "an earlier commit");
    let command = told["findings"][0]["mend"].as_str().unwrap().replace("PATH-OF-A-COPY", "../copy.git");
    bench.run(&command).assert_code(0);
    fsck(&bench, 0, "after the fetch");
    bench.run("git gc --quiet").assert_code(0);
}

/// Where no copy is left, the other command has git's gc work again, and the session goes on from what it knows.
#[test]
fn an_unreadable_commit_in_the_history_keeps_nobody_from_gc_for_good() {
    let bench = two_sessions("");
    bench.run(&format!("{WORDS} rm -f $(loose $(git rev-parse $tip~2^{{tree}}))")).assert_code(0);
    let told = fsck(&bench, 1, "an earlier tree");
    assert_ne!(bench.run("git gc --quiet").code, 0);
    let other = told["findings"][0]["orElse"][0].as_str().unwrap();
    // While the session is active only we move its ref.
    bench.run(other).assert_code(128).assert_contains("git grill stop");
    let of_ref = format!("{WORDS} echo $ref");
    let name = bench.run(&of_ref).assert_code(0).stdout().trim().to_owned();
    bench.run("git grill stop --without-output").assert_code(0);
    let state = format!("git show {name}:.grill/session.yaml");
    let known = bench.run(&state).assert_code(0).stdout().to_owned();
    bench.run(other).assert_code(0);
    bench.run("git gc --quiet").assert_code(0);
    bench.run(&state).assert_stdout(&known);
    // That its beginning is lost stays said.
    assert_eq!(fsck(&bench, 1, "without its history")["findings"][0]["code"], "replay_differs");
}

#[test]
fn g39_a_newer_format_is_a_note() {
    let bench = two_sessions("");
    bench.run(&format!("{WORDS}{PUT} echo 2 | put format '-p '$tip")).assert_code(0);
    for line in ["git grill fsck --json", "git grill doctor --json", "git grill doctor --fix --json"] {
        let ran = bench.run(line);
        assert_eq!(ran.code, 0, "{line}: {ran}");
        let told: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(told["findings"][0]["code"], "newer_format", "{told}");
    }
}

#[test]
fn one_session_alone_is_walked_and_one_that_is_none_is_said_to_be_none() {
    let bench = two_sessions("");
    let id = bench.run(&format!("{WORDS} basename $ref")).assert_code(0).stdout().trim().to_owned();
    bench.run(&format!("git grill fsck {id}")).assert_code(0).assert_contains("commits of 1 session");
    bench.run("git grill fsck nonsense").assert_code(6).assert_contains("there is no session nonsense");
    bench.run("git grill fsck 20260101-never-aaaaa").assert_code(1).assert_contains("there is no ref of session");
    bench.run("git grill fsck --fix 20260101-never-aaaaa").assert_code(1).assert_contains("Nothing was changed");
}

/// A bare repository has sessions, too.
#[test]
fn a_bare_repository_is_examined() {
    let bench = Bench::bare();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill fsck").assert_code(0).assert_contains("nothing is wrong here");
    bench.run(&format!("{WORDS} past update-ref $ref $(echo x | git hash-object -w --stdin)")).assert_code(0);
    bench.run("git grill doctor").assert_code(1);
    bench.run("git grill doctor --fix").assert_code(0);
    bench.run("git grill status").assert_code(0);
}
