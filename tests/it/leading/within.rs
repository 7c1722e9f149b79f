//! What a leading agent has of its own within the walls, and that nothing of it is left outside; and its question, with
//! all that belongs to it.

use serde_json::{Value, json};

use super::story::walled;
use super::{agree, asks, jotted, scripted, started};
use crate::conversation::Sitting;

#[test]
fn g55_a_leading_agent_has_terminals_and_temporary_files_of_its_own_and_leaves_none_behind() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let mark = format!("git-grill-led-{}", std::process::id());
    // As agents run a command, and where their tools keep what they fetch.
    let line = format!(
        "script --quiet --return --command tty /dev/null > $TMPDIR/seen 2>&1; ls /dev/pts >> $TMPDIR/seen; \
         for place in /tmp /dev/shm ~/.cache ~/.npm ~/.config; do \
           mkdir -p $place 2>/dev/null; echo x > $place/{mark} && echo wrote $place >> $TMPDIR/seen; \
         done; echo end >> $TMPDIR/seen"
    );
    let turn: Value =
        [json!({ "shell": line })].into_iter().chain(asks("First?").as_array().unwrap().clone()).collect();
    super::play(&bench, &json!({"turns": [turn]}));
    let sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    let seen = jotted(&bench, "seen");
    // The first of a devpts of its own, in which those of others are not seen.
    assert!(seen.contains("/dev/pts/0") && seen.contains("\nptmx\n") && seen.contains("end"), "{seen}");
    assert!(seen.contains("wrote /tmp\n") && seen.contains("wrote /dev/shm\n"), "{seen}");
    let home = bench.root().join("home");
    let outside = || {
        let places = ["/tmp".into(), "/dev/shm".into(), home.join(".cache"), home.join(".npm"), home.join(".config")];
        let left = places.map(|place: std::path::PathBuf| place.join(&mark));
        left.into_iter().filter(|file| file.exists()).collect::<Vec<_>>()
    };
    assert_eq!(outside(), Vec::<std::path::PathBuf>::new());
    sitting.pause();
    assert_eq!(outside(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn g55_the_agent_s_question_stands_with_its_place_its_alternatives_their_reasons_and_a_recommendation() {
    if !walled() {
        return;
    }
    let question = json!([{"tool": "grill_set_alternatives", "arguments": {"question": "Who is counted?",
        "dimension": "scope", "noChange": "nothing new", "evidence": [{"path": "src/limit.rs", "lines": [2]}],
        "alternatives": [
            {"value": "by account", "label": "Account", "description": "fair, and needs a login", "recommended": true},
            {"value": "by address", "label": "Address", "description": "works before a login"}]}}]);
    let bench = scripted(&json!({"turns": [question]}));
    bench.write("src/limit.rs", "mod a;\nfn limit() {}\n");
    bench.run("git add -A && git commit -qm limit").assert_code(0);
    let words = ["start", "--research", "auto", "--interviewer", "scripted", "add rate limiting"];
    let mut sitting = Sitting::at(&bench, &words, 50, 100, &[]);
    agree(&mut sitting);
    let heading = "question 1 · scope · seen in src/limit.rs:2";
    for part in [
        "Who is counted?",
        "1. Account (recommended) fair, and needs a login",
        "2. Address works before a login",
        "Tab alternatives",
    ] {
        sitting.below(heading, part);
    }
    sitting.pause();
}
