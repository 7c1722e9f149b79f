//! Research as a person meets it: permission kind by kind, nothing without it, and cited places that changed before the
//! gate (G15).

use serde_json::Value;

use crate::bench::{Bench, Checked};

const LIMITER: &str =
    "use std::time::Duration;\n\n/// Holds callers back.\npub struct RateLimiter {\n    per_second: u32,\n}\n";

/// A service whose limiter touches the topic.
fn service() -> Bench {
    let bench = Bench::new();
    bench.write("Cargo.toml", "[package]\nname = \"svc\"\n[dependencies]\naxum = \"0.8\"\n");
    bench.write("src/main.rs", "mod limiter;\nfn main() {}\n");
    bench.write("src/limiter.rs", LIMITER);
    bench.run("git add -A && git commit --quiet -m 'a service'").assert_code(0);
    bench
}

fn json(checked: &Checked) -> Value {
    serde_json::from_str(checked.stdout()).unwrap()
}

fn status(bench: &Bench) -> Value {
    json(&bench.run("git grill status --json").assert_code(0))
}

fn evidence(bench: &Bench) -> String {
    bench.run("git show GRILL_HEAD:.grill/evidence.yaml 2>/dev/null || true").assert_code(0).stdout().to_owned()
}

#[test]
fn g15_ask_without_a_terminal_looks_at_nothing_and_says_how_to_allow() {
    let bench = service();
    let started = bench.run("git grill start 'rate limiting' --research ask").assert_code(0);
    started.assert_contains("the repository was not looked at; git grill research ask --allow layout,contents");
    assert_eq!(evidence(&bench), "");
    assert_eq!(status(&bench)["inspected"], serde_json::json!([]));
    bench.run("git grill next").assert_code(0).assert_lacks("src/limiter.rs");

    // What the hint says works, and adds to what was allowed before.
    bench
        .run("git grill research ask --allow contents")
        .assert_code(0)
        .assert_contains("looked at contents; not at layout");
    assert_eq!(status(&bench)["inspected"], serde_json::json!(["contents"]));
    assert!(evidence(&bench).contains("src/limiter.rs") && !evidence(&bench).contains("axum"));
    bench.run("git grill status").assert_code(0).assert_contains("not read     layout, writings, history, sessions\n");
    bench.run("git grill research ask --allow layout").assert_code(0).assert_contains("looked at layout, contents");
    assert!(evidence(&bench).contains("axum"));
    let before = bench.run("git rev-parse GRILL_HEAD").assert_code(0).stdout().to_owned();
    bench.run("git grill research ask --allow layout").assert_code(0);
    assert_eq!(before, bench.run("git rev-parse GRILL_HEAD").assert_code(0).stdout(), "nothing new, nothing recorded");
    bench.run("git grill research auto").assert_code(0).assert_contains("tracked files");
    assert_eq!(status(&bench)["inspected"].as_array().unwrap().len(), 5);
}

#[test]
fn g15_permission_can_be_given_on_the_command_line() {
    let bench = service();
    let started =
        bench.run("git grill start 'rate limiting' --research ask --allow layout,history --json").assert_code(0);
    assert_eq!(json(&started)["inspected"], serde_json::json!(["layout", "history"]));
    assert!(!evidence(&bench).contains("RateLimiter"), "contents were not allowed");
    let checkpoint = bench.run("git grill checkpoint").assert_code(0);
    checkpoint
        .assert_contains("Not looked at, since nobody allowed it: tracked text")
        .assert_contains("It depends on axum (`Cargo.toml:4`)")
        .assert_contains("Entry points: Rust program (`src/main.rs:2`)");

    for (line, says) in [
        ("git grill research ask --allow everything", "allowed: layout, contents, writings, history, sessions, all"),
        ("git grill research auto --allow layout", "--allow belongs to research ask"),
        ("git grill research --allow layout", "required"),
        ("git grill start other --research off --allow all", "--allow belongs to research ask"),
    ] {
        bench.run(line).assert_code(2).assert_contains(says);
    }
    bench.run("CLAUDECODE=1 git grill research ask --allow all").assert_code(1);
    assert_eq!(status(&bench)["inspected"], serde_json::json!(["layout", "history"]), "an agent allows nothing");
}

#[test]
fn g15_off_reads_nothing() {
    for (research, says) in [("off", None), ("auto", Some("cut short"))] {
        let bench = service();
        // A folder that cannot be read is noticed by whoever looks.
        bench.run("rm .git/objects/$(git rev-parse HEAD:src | sed 's|^..|&/|')").assert_code(0);
        let started = bench.run(&format!("git grill start 'rate limiting' --research {research}")).assert_code(0);
        match says {
            Some(says) => drop(started.assert_contains(says)),
            None => drop(started.assert_lacks("cut short").assert_lacks("looked")),
        }
        assert_eq!(evidence(&bench).is_empty(), research == "off");
    }
}

/// Answers until the gate is open.
fn to_the_gate(bench: &Bench) {
    for _ in 0..60 {
        if status(bench)["phase"] == "output-selection" {
            return;
        }
        bench.run("git grill answer --choose 1").assert_code(0);
    }
    panic!("no gate after sixty answers");
}

/// The number of an answered question that cites the limiter.
fn citing(bench: &Bench) -> u64 {
    let questions = json(&bench.run("git grill status --questions --json").assert_code(0));
    let cites = |one: &&Value| one["places"].as_array().unwrap().iter().any(|place| place["path"] == "src/limiter.rs");
    let found = questions["questions"].as_array().unwrap().iter().find(cites);
    found.expect("a question names the limiter")["number"].as_u64().unwrap()
}

#[test]
fn g15_a_cited_place_that_changed_puts_its_answer_in_doubt_at_the_gate() {
    let bench = service();
    bench.run("git grill start 'rate limiting'").assert_code(0);
    bench.write("src/limiter.rs", "pub struct Bucket;\n");
    to_the_gate(&bench);
    let number = citing(&bench);
    let doubt = format!("In doubt: question {number} (");
    let gate = bench.run("git grill next --json; git grill status --json").assert_code(0);
    gate.assert_contains("says something else now (in the working tree)");
    let now = status(&bench);
    assert!(now["outputSelection"]["readinessRationale"].as_str().unwrap().contains(&doubt), "{now}");
    assert!(now["citations"][0]["inDoubt"].as_array().unwrap().contains(&number.into()));
    assert_eq!(now["citations"][0]["fate"]["fate"], "changed");
    bench.run("git grill status").assert_code(0).assert_contains(&format!("git grill back {number}"));
    bench
        .run("git grill fsck 2>/dev/null; git log --format=%s GRILL_HEAD")
        .assert_code(0)
        .assert_contains("citations: ");

    // Asked again and answered, the answer holds for the place as it is.
    bench.run(&format!("git grill back {number}")).assert_code(0);
    bench.run("git grill answer --choose 1").assert_code(0);
    to_the_gate(&bench);
    assert!(!status(&bench)["outputSelection"]["readinessRationale"].as_str().unwrap().contains(&doubt));

    // Brought back, there is nothing to say any more.
    bench.write("src/limiter.rs", LIMITER);
    bench.run("git grill back 1").assert_code(0);
    bench.run("git grill answer --choose 1").assert_code(0);
    to_the_gate(&bench);
    assert_eq!(status(&bench)["citations"], serde_json::json!([]));
}

#[test]
fn g15_g26_a_cited_place_that_only_moved_is_named_and_raises_no_alarm() {
    let bench = service();
    bench.run("git grill start 'rate limiting'").assert_code(0);
    bench.write("src/limiter.rs", format!("// One line more.\n{LIMITER}"));
    bench.run("git grill answer --choose 1; git grill answer --choose 1; git grill answer --choose 1").assert_code(0);
    bench
        .run("git grill select")
        .assert_code(0)
        .assert_contains("what they say is the same: src/limiter.rs")
        .assert_lacks("In doubt");
    let before = bench.run("git rev-parse GRILL_HEAD").assert_code(0).stdout().to_owned();
    bench.run("git grill select").assert_code(0);
    assert_eq!(before, bench.run("git rev-parse GRILL_HEAD").assert_code(0).stdout(), "the same again is nothing new");
}

#[test]
fn g15_earlier_decisions_are_found_and_told_with_their_session() {
    let bench = service();
    bench.run("git grill start 'rate limiting at the edge'").assert_code(0);
    let first = status(&bench)["session"].as_str().unwrap().to_owned();
    bench.run("git grill answer 'the rate limit is ten requests a second for each key'").assert_code(0);
    bench.run("git grill stop --without-output").assert_code(0);

    bench.run("git grill start 'a rate limit for uploads'").assert_code(0);
    assert!(evidence(&bench).contains("ten requests a second"), "{}", evidence(&bench));
    let told = bench.run("git grill checkpoint").assert_code(0);
    told.assert_contains("decided: the rate limit is ten requests a second for each key").assert_contains(&first);
    bench.run("git grill stop --without-output").assert_code(0);

    bench.run("git grill start 'a dark theme'").assert_code(0);
    assert!(!evidence(&bench).contains("ten requests"), "it has nothing to do with that");
    bench.run("git grill stop --without-output").assert_code(0);
    bench.run("git grill start 'rate limits' --research ask --allow layout").assert_code(0);
    assert!(!evidence(&bench).contains("ten requests"), "nobody allowed it");
}
