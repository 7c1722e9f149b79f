//! A debate to look at: a page with tables, and the lines that an objection cites one key away (D29).

use super::{Stage, attack, synthesis};
use crate::conversation::Sitting;

const CLAIM: &str = "- [high] It is `counted` | twice\n  Evidence: src/limit.rs:1 \"fn limit()\"\n  Evidence: \
                     src/limit.rs:4 \"count();\"\n";

fn attacked() -> Stage {
    let stage = Stage::new("");
    stage.opens();
    stage.gives(1, "attack", &attack(CLAIM)).assert_code(0);
    stage
}

#[test]
fn d29_the_page_has_a_table_of_objections_with_what_became_of_each() {
    let stage = attacked();
    let shown = stage.bench.run("git grill debate show").assert_code(0);
    let row = shown.stdout().lines().find(|line| line.starts_with("| o-")).unwrap().to_owned();
    assert!(
        row.contains("It is \\`counted\\` \\| twice | high |") && row.ends_with("|  | not assessed yet |"),
        "{row}"
    );
    stage.answers("");
    let id = stage.ids("It is").pop().unwrap();
    stage.gives(1, "synthesis", &synthesis(&[(id, "valid — taken in")], "One store: shared")).assert_code(0);
    let shown = stage.bench.run("git grill debate show").assert_code(0);
    assert!(shown.stdout().contains("| valid: taken in | taken in |"), "{}", shown.stdout());
    let id = stage.ids("It is").pop().unwrap();
    let one = stage.bench.run(&format!("git grill debate show {id}")).assert_code(0);
    assert!(one.stdout().contains("assessed in round 1: valid: taken in"), "{}", one.stdout());
    // Side by side on a terminal, with every sign as it was written.
    let sitting = Sitting::at(&stage.bench, &["debate", "show"], 200, 110, &[("GIT_PAGER", "cat")]);
    sitting.pty.wait_for("is `counted` | twice");
    drop(sitting);
}

#[test]
fn d29_the_cited_lines_are_shown_for_an_objection_and_before_the_user_answers() {
    let stage = attacked();
    let id = stage.ids("It is").pop().unwrap();
    let shown = stage.bench.run(&format!("git grill debate show {id}")).assert_code(0);
    let shown = shown.stdout();
    assert!(shown.contains(">     1  fn limit() {\n      2      count();\n"), "{shown}");
    // Where the words stand now.
    assert!(shown.contains("src/limit.rs:4 \"count();\" (found at line 2, not at the lines cited)"), "{shown}");
    assert!(shown.contains("      1  fn limit() {\n>     2      count();\n"), "{shown}");
    stage
        .bench
        .run("git grill debate show o-00000000")
        .assert_code(2)
        .assert_contains("git grill debate show shows the newest one");
    let mut sitting = Sitting::at(&stage.bench, &["debate"], 60, 110, &[]);
    sitting.below("Do you agree with the attack?", "digits jump");
    sitting.pty.send("3\r");
    sitting.pty.wait_for(">     1  fn limit() {");
    sitting.below("Do you agree with the attack?", "digits jump");
    sitting.pty.send("1\r");
    sitting.below("Do you have a concern that the attack missed?", "digits jump");
    sitting.pty.send("\x03");
    let (code, screen) = sitting.end();
    assert_eq!(code, 130, "{screen}");
    assert!(screen.contains("interrupted; what was recorded stays; git grill debate goes on"), "{screen}");
}

/// The result is that of its time. What stands there now is told beside it.
#[test]
fn d29_lines_that_read_otherwise_since_the_check_are_told() {
    let stage = attacked();
    let id = stage.ids("It is").pop().unwrap();
    let show = |more: &str| {
        let shown = stage.bench.run(&format!("git grill debate show {id}{more}")).assert_code(0);
        shown.stdout().to_owned()
    };
    let before = show("");
    assert!(!before.contains("when it was checked"), "{before}");
    let body = "fn limit() {\n    count();\n}\n\nfn count() {}\n";
    stage.bench.write("src/limit.rs", format!("// a\n// b\n// c\n{body}"));
    let shown = show("");
    assert!(shown.contains("src/limit.rs:1 \"fn limit()\" (found)\n>     1  // a\n"), "{shown}");
    let note = "found when it was checked; the file has changed since, and the lines that it cites do not hold the words \
                now; the words begin at line 4";
    assert!(shown.contains(&format!("\n  {note}\n")), "{shown}");
    let told: serde_json::Value = serde_json::from_str(&show(" --json")).unwrap();
    let places = told["citations"].as_array().unwrap();
    assert_eq!((&places[0]["check"], &places[0]["note"]), (&"found".into(), &note.into()), "{told}");
    let moved = places[1]["note"].as_str().unwrap();
    assert!(
        moved.starts_with("found at line 2 when it was checked; ") && moved.ends_with("begin at line 5"),
        "{moved}"
    );
    stage.bench.write("src/limit.rs", "fn other() {}\n");
    assert!(show("").contains("the file has changed since, and now these words are not in the file"));
    stage.bench.write("src/limit.rs", body);
    assert_eq!(show(""), before);
}

#[test]
fn d8_d21_a_terminal_that_was_overtaken_says_so_and_what_is_due() {
    let stage = attacked();
    let mut sitting = Sitting::at(&stage.bench, &["debate"], 60, 110, &[]);
    sitting.below("Do you agree with the attack?", "digits jump");
    stage.answers("");
    sitting.pty.send("1\r");
    sitting.pty.wait_for("round 1 was answered elsewhere");
    sitting.pty.wait_for("the synthesis");
    sitting.ends_with(1);
}

/// Another debate of the session is another question, and another decision.
#[test]
fn d8_d20_what_is_said_to_one_debate_is_nothing_that_is_said_to_the_next() {
    let another = |stage: &Stage| {
        let roles = "--proposer file:../tmp/roles --advocate file:../tmp/roles --synthesizer file:../tmp/roles";
        stage.bench.run("git grill debate kill").assert_code(0);
        stage.bench.run(&format!("git grill debate start --dossier dossier.md {roles}")).assert_code(0);
    };
    let stage = attacked();
    let mut sitting = Sitting::at(&stage.bench, &["debate"], 60, 110, &[]);
    sitting.below("Do you agree with the attack?", "digits jump");
    another(&stage);
    (0..3).for_each(|_| drop(stage.next().assert_code(0)));
    assert_eq!(stage.stands(), (1, "hear".to_owned()));
    sitting.pty.send("1\r");
    sitting.pty.wait_for("it was for debate 1, which has ended");
    sitting.ends_with(1);
    stage.bench.run("git grill debate answer --question 1.1-agree yes").assert_code(1).assert_contains("2.1-agree");
    let answers = stage.bench.run("git grill debate log").assert_code(0);
    answers.assert_lacks("agree with the attack");
    // A decision is about what was shown, too.
    let mut sitting = Sitting::at(&stage.bench, &["debate", "kill"], 60, 110, &[]);
    sitting.below("Kill the debate?", "y or n");
    another(&stage);
    sitting.pty.send("y");
    sitting.pty.wait_for("it was for debate 2, which has ended");
    sitting.ends_with(1);
    assert_eq!(stage.stands(), (1, "propose".to_owned()));
}

/// A proposal that changed while the user was asked is not what they accept.
#[test]
fn d13_a_proposal_that_changed_since_it_was_shown_is_not_accepted() {
    let stage = Stage::new("");
    stage.opens();
    (1..=2).for_each(|round| stage.loud(round));
    let mut sitting = Sitting::at(&stage.bench, &["debate", "accept"], 60, 110, &[]);
    sitting.below("Accept the latest proposal?", "y or n");
    stage.loud(3);
    sitting.pty.send("y");
    sitting.pty.wait_for("the proposal changed since it was shown");
    sitting.ends_with(1);
    assert_eq!(stage.stands(), (4, "attack".to_owned()));
}

#[test]
fn d8_q15_words_whose_question_was_settled_elsewhere_are_named_with_their_file() {
    for (elsewhere, key, code) in
        [("answer no", "\r", 1), ("kill", "\r", 1), ("answer no", "\u{1b}", 5), ("kill", "\u{1b}", 5)]
    {
        let stage = attacked();
        stage.bench.run("git grill debate answer yes").assert_code(0);
        let mut sitting = Sitting::at(&stage.bench, &["debate"], 60, 250, &[]);
        sitting.below("Do you have a concern that the attack missed?", "digits jump");
        sitting.pty.send("1\r");
        sitting.pty.wait_for("What is your concern?");
        sitting.pty.send("Old clients");
        sitting.below("What is your concern?", "Old clients");
        stage.bench.run(&format!("git grill debate {elsewhere}")).assert_code(0);
        sitting.pty.send(key);
        sitting.pty.wait_for("what you typed is kept in");
        let (ended, screen) = sitting.end();
        assert_eq!(ended, code, "{screen}");
        assert!(!screen.contains("asks again with it"), "{screen}");
        let kept = stage.bench.run("cat .git/grill/replies/*/*.txt").assert_code(0);
        assert_eq!(kept.stdout(), "Old clients", "{screen}");
        let file = stage.bench.run("ls .git/grill/replies/*/*.txt").assert_code(0).stdout().trim().to_owned();
        let name = file.rsplit('/').next().unwrap();
        assert!(crate::pty::one_line(&screen).contains(name), "{name}: {screen}");
    }
}

#[test]
fn d9_a_decision_that_a_synthesis_leaves_out_is_named() {
    let stage = attacked();
    stage.answers("");
    let id = stage.ids("It is").pop().unwrap();
    let said = stage.gives(1, "synthesis", &synthesis(&[(id, "valid — taken in")], "Another store: shared"));
    said.assert_code(0).assert_contains("it omits “One store”");
    assert!(stage.text("debate/1/record.md").contains("- The synthesis omits a decision: One store\n"));
}

#[test]
fn d12_d14_an_objection_that_the_last_round_repeats_and_that_holds_is_not_resolved() {
    let stage = Stage::new("--rounds 2");
    stage.opens();
    for round in 1..=2 {
        stage.gives(round, "attack", &attack("- [critical] Two servers double the limit\n")).assert_code(0);
        stage.answers("");
        let id = stage.ids("Two servers").pop().unwrap();
        stage.gives(round, "synthesis", &synthesis(&[(id, "valid — it holds")], "One store: shared")).assert_code(0);
    }
    let record = stage.text("debate/1/record.md");
    let unresolved = record.split_once("### Unresolved objections").unwrap().1;
    assert!(unresolved.lines().nth(2).unwrap().contains("Two servers double the limit"), "{record}");
    assert!(stage.text("checkpoint.md").contains("Two servers double the limit"));
}

#[test]
fn d17_a_debate_is_read_by_its_number_and_after_its_session_has_ended() {
    let stage = attacked();
    stage.bench.run("git grill debate show 1").assert_code(0).assert_contains("# Debate 1: Rate limiting");
    stage.bench.run("git grill debate show 2").assert_code(2).assert_contains("there is no debate 2");
    let id = stage.bench.run("git grill status --json").assert_code(0);
    let id: serde_json::Value = serde_json::from_str(id.stdout()).unwrap();
    let id = id["session"].as_str().unwrap().to_owned();
    let left = stage.bench.run("git grill stop --without-output").assert_code(0);
    assert!(left.stdout().contains("the open debate was killed"), "{}", left.stdout());
    assert!(left.stdout().contains(&format!("git grill debate show {id}")), "{}", left.stdout());
    stage.bench.run(&format!("git grill debate show {id}")).assert_code(0).assert_contains("Killed after ");
}
