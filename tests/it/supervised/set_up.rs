//! The command that makes a copy ready to be worked in (A29).

use serde_json::json;

use super::{Lent, of_kind, text};
use crate::bench::wait_until;
use crate::leading::{play, walled};

/// A world whose account sets a copy up by this line of the shell.
fn setting_up(line: &str) -> Lent {
    let lent = Lent::new();
    lent.global_config(&format!("[grill \"agent\"]\n\tsetup = \"{line}\"\n"));
    lent
}

#[test]
fn a29_the_setup_runs_once_in_the_copy_behind_walls_before_the_agent_is_started() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    let outside = lent.repo().join("evil.txt");
    let line = format!("pwd; echo made >>made.txt; echo evil >'{}'; echo one more line", outside.display());
    lent.global_config(&format!("[grill \"agent\"]\n\tsetup = \"{line}\"\n"));
    play(&lent, &json!({"turns": [[{"shell": "cp made.txt seen.txt"}, {"say": "done"}], [{"say": "more"}]]}));
    lent.agrees(&["--profile", "worktree-edit", "write"]);
    lent.rests("g1");
    assert!(!outside.exists(), "it wrote into the repository");
    let records = lent.legal("g1");
    let kinds: Vec<&str> = records.iter().map(|record| text(&record["event"])).collect();
    let at = |kind: &str| kinds.iter().position(|one| *one == kind).unwrap();
    assert!(at("worktree-proved") < at("setup-ended") && at("setup-ended") < at("agent-launched"), "{kinds:?}");
    assert_eq!(of_kind(&records, "setup-ended")[0]["how"], "ended well");
    let printed = lent.read(".git/grill/agents/g1/setup.log");
    let copy = lent.repo().join(".git/grill/agents/g1/tree");
    assert!(printed.starts_with(&format!("{}\n", copy.display())) && printed.ends_with("one more line\n"), "{printed}");
    // What it made is there for the agent, and is listed with the agent's work.
    let changes = lent.run("git grill agent changes g1").assert_code(0);
    assert!(changes.stdout().contains("A made.txt (+1 -0)") && changes.stdout().contains("A seen.txt (+1 -0)"));
    lent.run("git grill agent log g1").assert_contains("grill.agent.setup ended well; its output is in setup.log");
    // Once: the agent that is started again finds the copy as it was.
    lent.sends("g1", "more");
    lent.rests("g1");
    assert_eq!(of_kind(&lent.legal("g1"), "setup-ended").len(), 1);
    lent.told("cleanup g1");
    assert!(!lent.repo().join(".git/grill/agents/g1/setup.log").exists());
    lent.is_over();
}

#[test]
fn a29_a_setup_that_fails_starts_no_agent_and_says_what_it_printed_last() {
    if !walled() {
        return;
    }
    let lent = setting_up("echo begins; echo no such dependency >&2; exit 3");
    play(&lent, &json!({"turns": [[{"say": "done"}]]}));
    lent.agrees(&["--profile", "worktree-edit", "write"]);
    wait_until("the end of the session", || lent.session("g1")["state"] == "failed");
    let session = lent.session("g1");
    assert_eq!(session["failure"]["code"], "setup_failed");
    let why = text(&session["failure"]["why"]).to_owned();
    assert!(why.starts_with("grill.agent.setup ended with exit code 3: no such dependency; /"), "{why}");
    let records = lent.legal("g1");
    assert_eq!(of_kind(&records, "agent-launched").len(), 0);
    assert_eq!(of_kind(&records, "turn-sent").len(), 0);
    lent.is_over();
}

#[test]
fn a29_a_setup_that_goes_on_is_seen_and_can_be_cancelled_and_has_its_time() {
    if !walled() {
        return;
    }
    let lent = setting_up("echo downloading; sleep 1000");
    play(&lent, &json!({"turns": [[{"say": "done"}]]}));
    lent.agrees(&["--profile", "worktree-edit", "write"]);
    wait_until("the setup", || lent.session("g1")["live"]["line"] == "downloading");
    assert_eq!(lent.session("g1")["doing"], "runs a tool: grill.agent.setup");
    lent.told("cancel g1");
    assert_eq!(lent.session("g1")["state"], "cancelled");

    lent.global_config("[grill \"agent\"]\n\tsetupTimeout = 1\n");
    lent.lends("--profile worktree-edit write");
    wait_until("the end of the session", || lent.session("g2")["state"] == "failed");
    let why = text(&lent.session("g2")["failure"]["why"]).to_owned();
    assert!(why.contains("took more than 1 s (grill.agent.setupTimeout): downloading"), "{why}");
    lent.legal("g1");
    lent.legal("g2");
    lent.is_over();
}
