//! A plan that is commented before it is approved.

use super::{at_terminal, call, execute, plan, planned, steps};
use crate::bench::Bench;
use crate::conversation::Sitting;
use crate::pty::shows;

/// Runs `git grill plan review` at a terminal whose editor is this shell script.
fn review(bench: &Bench, script: &str) -> Sitting {
    bench.write("../editor.sh", script);
    let editor = format!("sh {}/editor.sh", bench.root().display());
    Sitting::at(bench, &["plan", "review"], 50, 100, &[("GIT_EDITOR", &editor)])
}

#[test]
fn p23_notes_from_the_editor_go_to_the_agent_first_and_execution_waits_for_its_plan() {
    let bench = planned();
    review(&bench, "sed -i '/^2\\./,$ s/^> *$/> where?/' \"$1\"").ends_with(0);
    assert_eq!(plan(&bench)["notes"][0], serde_json::json!({"step": 2, "text": "where?"}));
    bench
        .run("git grill plan show")
        .assert_code(0)
        .assert_contains("☐ 2. Call it\n     note: where?\n")
        .assert_contains("its notes are not answered yet; git grill plan review --drop");
    let told = bench.run("git grill instructions").assert_code(0);
    told.assert_contains("Note on step 2: where?").assert_contains("grill_set_plan");
    let (code, screen) = at_terminal(&bench, &["plan", "execute"]).end();
    assert_eq!(code, 1, "{screen}");
    assert!(shows(&screen, "the notes on its steps are not answered yet"), "{screen}");
    let (code, result) = call(&bench, "grill_set_plan", r#"{"steps":["Add `Limiter`","Call it in src/main.rs"]}"#);
    assert_eq!(code, 0, "{result}");
    let told = result["text"].as_str().unwrap();
    let behind =
        "the plan before it had notes on 2 steps, which git log -p GRILL_HEAD -- :/.grill/plan.yaml shows again";
    assert!(told.contains(behind), "{told}");
    bench.run("git log -p GRILL_HEAD -- :/.grill/plan.yaml").assert_code(0).assert_contains("where?");
    assert!(plan(&bench).get("notes").is_none());
    execute(&bench);
    bench.run("git grill fsck").assert_code(0);
}

#[test]
fn p23_a_review_without_a_note_says_so_and_one_that_changes_a_step_keeps_what_was_written() {
    let bench = planned();
    let before = steps(&bench);
    let (code, screen) = review(&bench, "cp \"$1\" ../seen").end();
    assert_eq!(code, 0, "{screen}");
    assert!(shows(&screen, "there is no note; git grill plan execute approves the plan"), "{screen}");
    bench.run("cat ../seen").assert_contains("\n1. Add `Limiter`\n> \n\n2. Call it\n> \n");
    let (code, screen) = review(&bench, "sed -i 's/^2. Call it/2. Call it twice/' \"$1\"").end();
    assert_eq!(code, 1, "{screen}");
    let refused = "the plan with its notes is as before: the text of step 2 was changed, and a review only adds notes; what \
                   was written is kept in";
    let hint = "git grill plan review opens the plan again, for the notes in that file; git grill plan set";
    assert!(shows(&screen, refused) && shows(&screen, hint), "{screen}");
    bench.run("cat .git/GRILL_KEPT-1-review.md").assert_code(0).assert_contains("2. Call it twice");
    bench.run("ls .git/GRILL_EDITMSG*").assert_code(2);
    review(&bench, ": >\"$1\"").ends_with(5);
    assert!(plan(&bench).get("notes").is_none());
    assert_eq!(steps(&bench), before);
}

#[test]
fn p23_notes_are_added_from_the_command_line_and_taken_back_by_a_person() {
    let bench = planned();
    for line in [
        "git grill plan review --note '1: no'",
        "CLAUDECODE=1 git grill plan review --note '1: no'",
        "git grill plan review",
    ] {
        bench.run(line).assert_code(3).assert_contains("git grill plan review");
    }
    assert!(plan(&bench).get("notes").is_none());
    at_terminal(&bench, &["plan", "review", "--note", "1: no", "--note", "3: where"]).ends_with(0);
    at_terminal(&bench, &["plan", "review", "--note", "3: which file"]).ends_with(0);
    let notes = plan(&bench)["notes"].clone();
    assert_eq!(notes, serde_json::json!([{"step": 1, "text": "no"}, {"step": 3, "text": "which file"}]));
    for (note, code) in [("nonsense", 2), ("1:", 2), ("x: y", 2), ("9: no", 1)] {
        at_terminal(&bench, &["plan", "review", "--note", note]).ends_with(code);
    }
    bench.run("git grill plan review --drop").assert_code(3);
    assert_eq!(plan(&bench)["notes"], notes);
    at_terminal(&bench, &["plan", "review", "--drop"]).ends_with(0);
    assert!(plan(&bench).get("notes").is_none());
    execute(&bench);
    at_terminal(&bench, &["plan", "review", "--note", "1: too late"]).ends_with(1);
}
