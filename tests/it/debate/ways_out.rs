//! What is refused, or was left, says what to type (D2, D6, D8, D14, D19, D20).

use super::{DOSSIER, PROPOSAL, Stage, attack, synthesis};
use crate::bench::Bench;
use crate::conversation::Sitting;

#[test]
fn d14_d20_what_is_decided_too_early_or_by_the_wrong_verb_names_the_right_one() {
    let stage = Stage::new("--rounds 2");
    for verb in ["restart", "table"] {
        let said = format!("cannot {verb} yet; next: the proposal, by file:../tmp/roles");
        let early = stage.bench.run(&format!("git grill debate {verb}")).assert_code(1);
        early.assert_contains(&said).assert_contains("hint: git grill debate next");
    }
    stage.opens();
    (1..=2).for_each(|round| stage.loud(round));
    let refused = stage.bench.run("git grill debate reject").assert_code(1);
    refused.assert_contains("no proxy's answers wait").assert_contains("git grill debate restart");
    assert_eq!(stage.stands(), (2, "settle".to_owned()));
    for (line, verb) in [("accept", "accept"), ("table", "table"), ("kill", "kill"), ("roles --proxy me", "roles")] {
        let refused = stage.bench.run(&format!("CLAUDECODE=1 git grill debate {line}")).assert_code(3);
        refused.assert_contains(&format!("a person runs git grill debate {verb} at a terminal"));
    }
}

#[test]
fn d13_d14_what_no_person_can_decide_either_is_refused_before_a_person_is_asked_for() {
    let stage = Stage::new("");
    let by_agent = |verb: &str| stage.bench.run(&format!("CLAUDECODE=1 git grill debate {verb}")).assert_code(1);
    for verb in ["accept", "extend", "restart", "table", "confirm", "reject"] {
        by_agent(verb).assert_lacks("a person runs");
    }
    stage.bench.run("git grill debate kill").assert_code(0);
    for verb in ["accept", "extend", "kill", "restart", "table", "roles --proxy me"] {
        by_agent(verb)
            .assert_contains("nothing was done: this debate has ended")
            .assert_contains("git grill debate start begins another")
            .assert_lacks("a person runs");
    }
}

#[test]
fn d19_a_role_s_file_that_is_missing_is_named_with_what_waits_for_it() {
    let stage = Stage::new("");
    let below = "../tmp/roles/round-1/proposal.md";
    let refused = stage.next().assert_code(128);
    refused
        .assert_contains(&format!("could not read {below}; debate 1 waits for the proposal"))
        .assert_contains(&format!("hint: write {below}; then git grill debate next"));
    stage.bench.run("git grill debate roles --proposer file:nope").assert_code(0);
    let refused = stage.next().assert_code(128);
    refused.assert_contains("hint: write nope or nope/round-1/proposal.md; then git grill debate next");
    stage.bench.run("head -c 70000 /dev/zero | tr '\\0' x >../tmp/long").assert_code(0);
    stage.bench.run("git grill debate roles --proposer file:../tmp/long").assert_code(0);
    stage.next().assert_code(128).assert_contains("hint: write ../tmp/long; then git grill debate next");
    assert_eq!(stage.stands(), (1, "propose".to_owned()));
}

#[test]
fn d9_d22_a_synthesis_that_assesses_another_objection_is_told_to_leave_it_out() {
    let stage = Stage::new("");
    stage.opens();
    stage.gives(1, "attack", &attack("- [high] It is not shared\n")).assert_code(0);
    stage.answers("");
    let id = stage.ids("It is").pop().unwrap();
    let other = "o-00000001";
    let both = [(id, "valid — taken in"), (other.to_owned(), "valid — so")];
    let refused = stage.gives(1, "synthesis", &synthesis(&both, "One store: shared")).assert_code(1);
    refused
        .assert_contains(&format!(
            "it assesses {other}, which is not an objection of this round; remove that assessment"
        ))
        .assert_lacks("it lacks");
}

#[test]
fn d4_d19_d20_without_a_session_or_a_player_the_way_in_is_named() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.write("dossier.md", DOSSIER);
    for verb in ["status", "next", "show", "answer yes"] {
        let refused = bench.run(&format!("git grill debate {verb}")).assert_code(6);
        refused.assert_contains("git grill debate start --dossier <file>");
    }
    bench.run("git grill debate status --json").assert_code(6).assert_contains("\"no_session\"");
    let start = "git grill debate start --dossier dossier.md";
    bench
        .run(&format!("{start} --autonomous --proxy me"))
        .assert_code(2)
        .assert_contains("needs --proxy with a player other than me");
    bench.run(&format!("{start} --advocate claude")).assert_code(1).assert_contains("git grill debate start -h");
    bench.run("git grill status").assert_contains("no session is active");
    // What was found in the repository is told once.
    let begun = bench.run(start).assert_code(0);
    assert_eq!(begun.stdout().matches("looked at ").count(), 1, "{}", begun.stdout());
}

#[test]
fn d8_each_answer_is_a_command_of_its_own() {
    let stage = Stage::new("");
    stage.opens();
    stage.gives(1, "attack", &attack("")).assert_code(0);
    let next = stage.next().assert_code(3);
    next.assert_contains("the question “Do you agree with the attack?” needs a person")
        .assert_contains("hint: git grill debate answer --question 1.1-agree yes, or the same with no");
    let told = stage.bench.run("git grill debate answer yes").assert_code(0);
    told.assert_contains("\n  git grill debate answer --question 1.1-missed no\n")
        .assert_contains("\n  git grill debate answer --question 1.1-missed yes --note \"<what it is>\"\n");
}

/// Esc leaves the debate, and says how it goes on: by itself, and behind an interview.
#[test]
fn d8_who_leaves_a_debate_is_told_how_it_goes_on() {
    let stage = Stage::new("");
    stage.opens();
    stage.gives(1, "attack", &attack("")).assert_code(0);
    for (words, told) in [
        (["debate"], "stopped; git grill debate asks again"),
        (["next"], "stopped; the debate waits, and git grill next continues"),
    ] {
        let mut sitting = Sitting::at(&stage.bench, &words, 60, 110, &[]);
        sitting.below("Do you agree with the attack?", "digits jump");
        sitting.pty.send("\u{1b}");
        sitting.pty.wait_for(told);
        sitting.ends_with(5);
    }
}

#[test]
fn d6_d21_a_text_of_one_s_own_that_lacks_something_is_kept_and_goes_on_from_there() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.write("dossier.md", DOSSIER);
    bench.run("git grill debate start --dossier dossier.md").assert_code(0);
    bench.write("../short.md", "## Architecture overview\nA bucket.\n");
    bench.write("../editor.sh", format!("cat {}/short.md >\"$1\"\n", bench.root().display()));
    let editor = format!("sh {}/editor.sh", bench.root().display());
    let mut sitting = Sitting::at(&bench, &["debate", "next"], 60, 200, &[("GIT_EDITOR", &editor)]);
    sitting.pty.wait_for("Edit it again?");
    sitting.pty.send("n");
    sitting.pty.wait_for("error: the proposal was not taken: it lacks");
    sitting.pty.wait_for("then git grill debate roles --proposer file:");
    sitting.ends_with(1);
    let kept = bench.run("ls .git/GRILL_KEPT-*").assert_code(0).stdout().trim().to_owned();
    bench.write(&kept, PROPOSAL);
    bench.run(&format!("git grill debate roles --proposer \"file:$PWD/{kept}\"")).assert_code(0);
    bench.run("git grill debate next").assert_code(0).assert_contains("proposal by file:");
}
