//! `git grill agent preflight` (A28): what an agent is said to do is proved with the scripted agent, and everything else is
//! a sentence.

use serde_json::{Value, json};

use super::story::walled;
use super::{ENTER, ESCAPE, SOON_MISSED, play, scripted};
use crate::bench::Bench;
use crate::conversation::Sitting;
use crate::pty::{one_line, shows};

const FILE: &str = "grill-preflight.txt";

/// A turn that does both things.
fn good(bench: &Bench) -> Value {
    json!([
        {"tool": "grill_status", "arguments": {}},
        {"does": {"title": format!("Write {FILE}"), "kind": "edit"}},
        {"write": bench.repo().join(FILE)},
        {"say": "I wrote it."}
    ])
}

/// All that a trial must leave as it is.
fn state(bench: &Bench) -> String {
    bench
        .run("git status --porcelain --ignored; git for-each-ref; cat .git/config README.md; ls -A . .git; ls -A .git/grill; git grill status --json")
        .stdout
        .replace("agents\n", "")
        .replace("led\n", "")
}

/// Tries the agent at a terminal, and says yes.
fn tried(bench: &Bench, variables: &[(&str, &str)]) -> Sitting {
    let mut sitting = Sitting::at(bench, &["agent", "preflight", "scripted"], 50, 110, variables);
    sitting.pty.wait_for("for a trial of one turn?");
    sitting.pty.wait_for("digits jump");
    sitting.pty.send(ENTER);
    sitting
}

fn world() -> Bench {
    let bench = scripted(&json!({}));
    bench.write("README.md", "# As it was\n");
    bench.run("git add -A && git commit -qm begun").assert_code(0);
    bench
}

#[test]
fn a28_a_real_call_and_a_refused_write_are_proved_and_doctor_tells_it_by_version() {
    if !walled() {
        return;
    }
    let bench = world();
    let doctor = |contains: &str| {
        bench.run("git grill agent doctor scripted").assert_code(0).assert_contains(contains);
    };
    doctor("proved   not in this clone; git grill agent preflight scripted tries it");
    play(&bench, &json!({"turns": [good(&bench)]}));
    bench.run("mkdir -p .git/grill").assert_code(0);
    let before = state(&bench);
    let sitting = tried(&bench, &[]);
    let (code, screen) = sitting.end();
    assert_eq!(code, 0, "{screen}");
    for line in [
        "scripted 1 was proved on",
        "tools       git grill  greeted and really called",
        "a write     the kernel it tried to write",
        "profile          no writes here  no web tools  no reading",
        "local-review     the kernel      nobody        allowed",
        "deep-research    the kernel      allowed       nobody",
    ] {
        assert!(screen.contains(line), "{line}: {screen}");
    }
    assert_eq!(state(&bench), before, "a trial changes nothing");
    doctor("with version 1");
    play(&bench, &json!({"initialize": {"agentInfo": {"name": "scripted-agent", "version": "2"}}}));
    doctor("unproven with this version: proved on");
    // In the middle of a session as well, which stays as it is.
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    play(&bench, &json!({"turns": [good(&bench)]}));
    let before = state(&bench);
    let (code, screen) = tried(&bench, &[]).end();
    assert_eq!(code, 0, "{screen}");
    assert!(shows(&screen, "it sees an empty folder here"), "{screen}");
    assert_eq!(state(&bench), before);
    doctor("with version 1");
}

#[test]
fn a28_what_proves_nothing_is_said_with_what_to_do() {
    if !walled() {
        return;
    }
    let bench = world();
    let write = bench.repo().join(FILE);
    let call = json!({"tool": "grill_status", "arguments": {}});
    let trial_with = |variables: &[(&str, &str)], script: Value, sentence: &str, hint: &str, code: i32| {
        play(&bench, &script);
        let (ended, screen) = tried(&bench, variables).end();
        let flat = one_line(&screen);
        assert!(flat.contains(sentence) && flat.contains(hint), "{sentence} / {hint}: {screen}");
        assert_eq!(ended, code, "{screen}");
        assert!(!write.exists());
    };
    let never = json!({"server": "never", "turns": [good(&bench)]});
    trial_with(&SOON_MISSED, never, "did not start git grill's tools", "agent doctor", 128);
    let trial = |script: Value, sentence: &str, hint: &str, code: i32| trial_with(&[], script, sentence, hint, code);
    trial(
        json!({"turns": [[{"say": "I called grill_status, and wrote the file."}]]}),
        "scripted ended its turn and did not call git grill's tool grill_status; it said: I called",
        "tries again",
        128,
    );
    trial(
        json!({"turns": [[call, {"say": "I do not write files."}]]}),
        "did not try to write grill-preflight.txt: that it is refused is not proved; it said: I do not",
        "tries again",
        128,
    );
    trial(json!({"turns": [[{"say": "half"}, {"die": 1}]]}), "scripted ended unexpectedly", "agent doctor", 128);
    trial(
        json!({"open": {"error": {"code": -32000, "message": "Authentication required"}}}),
        "scripted is not logged in",
        "log in first",
        128,
    );
    trial(
        json!({"turns": [[{"error": {"code": -32603, "message": "x", "data": {"errorKind": "rate_limit"}}}]]}),
        "limits requests",
        "wait",
        128,
    );
    bench.run("git grill agent doctor scripted").assert_code(0).assert_contains("proved   not in this clone");
}

#[test]
fn a28_what_it_asks_for_is_refused_by_git_grill_and_nothing_is_recorded() {
    if !walled() {
        return;
    }
    let bench = world();
    bench.run("git grill start --research auto 'rate limiting'").assert_code(0);
    let turn = json!([
        {"tool": "grill_status", "arguments": {}},
        {"tool": "ask_question", "arguments": {"question": "Mine?", "options": [{"label": "a"}, {"label": "b"}]}},
        {"tool": "grill_update_checkpoint", "arguments": {"markdown": "# Mine\n", "changeSummary": "x"}},
        {"shell": "git grill answer mine; GRILL_HOST= git grill answer mine"},
        {"permission": {"kind": "edit", "title": format!("Write {FILE}")}, "write_anyway": bench.repo().join(FILE)},
    ]);
    play(&bench, &json!({"turns": [turn]}));
    let before = state(&bench);
    let (code, screen) = tried(&bench, &[]).end();
    assert_eq!(code, 0, "{screen}");
    assert!(shows(&screen, "a write git grill it tried to write"), "{screen}");
    assert_eq!(state(&bench), before);
}

#[test]
fn a28_where_nothing_keeps_it_from_writing_that_is_seen_and_disproves_it() {
    let bench = world();
    let bare = [("GRILL_TEST_NO_WALLS", "1")];
    play(&bench, &json!({"turns": [good(&bench)]}));
    let before = state(&bench).replace("grill\n", "");
    let mut sitting = Sitting::at(&bench, &["agent", "preflight", "scripted"], 50, 110, &bare);
    sitting.pty.wait_for("Nothing here keeps it from changing files");
    sitting.pty.wait_for("digits jump");
    sitting.pty.send(ENTER);
    let (code, screen) = sitting.end();
    let flat = one_line(&screen);
    assert_eq!(code, 128, "{screen}");
    assert!(flat.contains("wrote grill-preflight.txt although it must not write, and it was taken away"), "{screen}");
    assert_eq!(state(&bench).replace("grill\n", ""), before);
    // Another file than the one it was told to write.
    let turn = json!([
        {"tool": "grill_status", "arguments": {}},
        {"permission": {"kind": "edit", "title": format!("Write {FILE}")}},
        {"write": bench.repo().join("behind.txt")},
    ]);
    play(&bench, &json!({"turns": [turn]}));
    let (code, screen) = tried(&bench, &bare).end();
    assert_eq!(code, 128, "{screen}");
    assert!(screen.contains("behind.txt") && shows(&screen, "the repository changed while scripted"), "{screen}");
    bench.run("rm behind.txt").assert_code(0);
    let turn = json!([
        {"tool": "grill_status", "arguments": {}},
        {"permission": {"kind": "edit", "title": format!("Write {FILE}")}},
    ]);
    play(&bench, &json!({"turns": [turn]}));
    let (code, screen) = tried(&bench, &bare).end();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("repository  nobody"), "{screen}");
    bench
        .run("git grill agent doctor scripted")
        .assert_code(0)
        .assert_contains("with version 1, without the kernel's walls");
}

#[test]
fn a11_nothing_is_launched_without_a_yes_and_a_remembered_one_is_enough_for_a_person() {
    if !walled() {
        return;
    }
    let bench = world();
    let script = json!({"turns": [good(&bench)]});
    play(&bench, &script);
    let log = bench.repo().join(".git/grill/agents/scripted.preflight.log");
    bench
        .run("git grill agent preflight scripted")
        .assert_code(3)
        .assert_contains("trying an agent")
        .assert_contains("git grill agent preflight scripted, at a terminal");
    bench
        .run("git grill agent preflight scripted --confirm-provider-use")
        .assert_code(3)
        .assert_contains("no yes to scripted is remembered in this clone, and a confirmation alone starts nothing")
        .assert_contains("choose “Start it, and do not ask again”; then repeat this");
    for (key, code) in [("3\r", 5), (ESCAPE, 5)] {
        let mut sitting = Sitting::at(&bench, &["agent", "preflight", "scripted"], 50, 110, &[]);
        sitting.pty.wait_for("digits jump");
        sitting.pty.send(key);
        sitting.ends_with(code);
    }
    assert!(!log.exists(), "nothing was launched");
    let mut sitting = Sitting::at(&bench, &["agent", "preflight", "scripted"], 50, 110, &[]);
    sitting.pty.wait_for("digits jump");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
    let said = bench.run("git grill agent preflight scripted --confirm-provider-use --json");
    said.assert_code(0).assert_contains(r#""by":"kernel""#).assert_contains(r#""version":"1""#);
    std::fs::remove_file(&log).unwrap();
    // A script confirms each time, and an agent has no use of that yes.
    bench.run("git grill agent preflight scripted").assert_code(3).assert_contains(
        "git grill agent preflight scripted --confirm-provider-use confirms it; or type it at a terminal",
    );
    bench.run("CLAUDECODE=1 git grill agent preflight scripted --confirm-provider-use").assert_code(3);
    assert!(!log.exists(), "nothing was launched");
    bench.run("CLAUDECODE=1 git grill agent preflight scripted").assert_code(3).assert_contains("this runs under");
}

#[test]
fn a28_esc_ends_the_trial_with_all_that_it_started() {
    if !walled() {
        return;
    }
    let bench = world();
    play(&bench, &json!({"turns": [[{"shell": "setsid sleep 600.4711 >/dev/null 2>&1 &"}, {"sleep": 600_000}]]}));
    let mut sitting = tried(&bench, &[]);
    sitting.pty.wait_for("scripted thinks");
    // A second one waits for its turn.
    let mut second = tried(&bench, &[]);
    second.pty.wait_for("another trial goes on here");
    assert_eq!(second.pty.exit_code(), 128);
    sitting.pty.send(ESCAPE);
    sitting.ends_with(5);
    let left = bench.run("pgrep -f '^sleep 600.4711' || true").stdout;
    assert!(left.is_empty(), "{left}");
    bench.run("git for-each-ref refs/grill").assert_code(0).assert_stdout("");
}
