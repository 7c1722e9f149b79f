//! Nothing is started before a person has agreed (A11).

use serde_json::json;

use super::Lent;
use crate::conversation::Sitting;
use crate::leading::{ENTER, walled};

/// Sees that nothing was started, and that no session was begun.
#[track_caller]
fn is_untouched(lent: &Lent) {
    assert!(!lent.repo().join(".git/grill/agents/g1").exists());
    assert!(lent.processes().is_empty());
}

#[test]
fn a11_nothing_is_started_before_a_yes_however_it_is_asked_for() {
    if !walled() {
        return;
    }
    let lent = Lent::playing(&json!({"turns": [[{"say": "$PROMPT"}], [{"say": "$PROMPT"}]]}));
    for line in [
        "git grill agent start --agent scripted look",
        "git grill agent start --agent scripted --confirm-provider-use look",
        "git grill agent start --agent scripted --confirm-provider-use --json look",
        "git grill agent start --agent scripted --confirm-provider-use --wait 60 look",
        "yes | git grill agent start --agent scripted look",
        "CLAUDECODE=1 git grill agent start --agent scripted --confirm-provider-use look",
    ] {
        lent.run(line).assert_code(3);
        is_untouched(&lent);
    }
    let asked = ["agent", "start", "--agent", "scripted", "look"];
    for keys in ["3\r", "\x1b", "\x03"] {
        let mut sitting = Sitting::at(&lent, &asked, 50, 110, &[]);
        sitting.below("Start scripted (", "digits jump");
        sitting.pty.wait_for("scripted-agent --script");
        sitting.pty.wait_for("with the profile local-review?");
        sitting.pty.wait_for("It sends the prompt and what it reads to its provider.");
        sitting.pty.send(keys);
        let (code, screen) = sitting.end();
        assert_ne!(code, 0, "{keys:?}: {screen}");
        let is_told = screen.contains("interrupted; nothing was recorded; the same command asks again");
        assert_eq!(is_told, keys == "\x03", "{keys:?}: {screen}");
        is_untouched(&lent);
    }

    // A yes to one session is none to the next.
    let mut sitting = Sitting::at(&lent, &asked, 50, 110, &[]);
    sitting.below("Start scripted (", "digits jump");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
    lent.run("git grill agent start --agent scripted --confirm-provider-use more").assert_code(3);
    lent.rests("g1");
    assert!(!lent.repo().join(".git/grill/agents/g2").exists());
    // It covers the session's prompts, each of which whoever is no person confirms.
    lent.run("git grill agent send g1 more").assert_code(3);
    assert_eq!(lent.session("g1")["turns"].as_array().unwrap().len(), 1);
    assert_eq!(lent.sends("g1", "more"), "t2");
    lent.rests("g1");
    assert_eq!(lent.words("g1", "t2"), "more");

    // One for good is, where it is confirmed.
    lent.agrees(&["look"]);
    lent.run("git grill agent start --agent scripted look").assert_code(3);
    assert!(!lent.repo().join(".git/grill/agents/g3").exists());
    assert_eq!(lent.lends("again"), "g3");
    // At a terminal it counts as well where the prompt, or nothing, comes through a pipe.
    for (session, line) in [
        ("g4", "echo piped | git grill agent start --agent scripted -"),
        ("g5", "git grill agent start --agent scripted look </dev/null"),
    ] {
        let (code, screen) = Sitting::of_a_line(&lent, line).end();
        assert!(code == 0 && screen.contains(&format!("{session} began")), "{screen}");
    }
    for session in ["g1", "g2", "g3", "g4", "g5"] {
        lent.rests(session);
        lent.legal(session);
        lent.told(&format!("cancel {session}"));
    }
    lent.is_over();
}
