//! What each role is told, and nothing else (D10, D27, D28, D31); and the user at a terminal (D8, D23).

use super::{DOSSIER, PROPOSAL, Stage, agreeing, attack, critique};
use crate::conversation::Sitting;

#[test]
fn d27_d31_the_critique_knows_no_proposal_and_no_role_what_the_synthesizer_held() {
    let stage = Stage::new("");
    let prompt = || stage.bench.run("git grill debate prompt").assert_code(0).stdout().to_owned();
    let told = prompt();
    assert!(told.contains("Clients hammer the API.") && told.contains("Options considered"), "{told}");
    stage.gives(1, "proposal", PROPOSAL).assert_code(0);
    let told = prompt();
    assert!(told.contains("Clients hammer the API.") && !told.contains("Token bucket"), "{told}");
    stage.gives(1, "critique", &critique("", "sound")).assert_code(0);
    assert!(prompt().contains("Token bucket"));
    stage.gives(1, "attack", &attack("- [high] The counter is not shared\n")).assert_code(0);
    stage.answers("What about mobile clients?");
    let told = prompt();
    assert!(told.contains("What about mobile clients?") && told.contains("The counter is not shared"), "{told}");
    let id = stage.ids("The counter").pop().unwrap();
    stage
        .gives(
            1,
            "synthesis",
            &super::answering(&super::synthesis(&[(id, "invalid — we never count twice")], "One store: shared")),
        )
        .assert_code(0);
    let told = prompt();
    for known in ["One store: shared", "The counter is not shared", "What about mobile clients?", "This is round 2"] {
        assert!(told.contains(known), "{known}: {told}");
    }
    assert!(!told.contains("we never count twice") && !told.contains("Recommendation"), "{told}");
}

#[test]
fn d28_one_player_in_every_role_is_said() {
    let stage = Stage::new("");
    stage.opens();
    assert!(stage.text("debate/1/record.md").contains("One player has all three roles"));
}

/// A role writes for minutes: what is typed meanwhile is for no question that was not yet shown.
#[test]
fn d8_keys_that_are_typed_while_a_role_writes_answer_no_question() {
    let stage = Stage::new("");
    stage.opens();
    let bench = &stage.bench;
    bench.write("../tmp/attack.md", attack(""));
    bench.write("hasty.sh", "cat >/dev/null; read line <go; cat ../tmp/attack.md\n");
    bench.run("mkfifo go && git grill debate roles --advocate 'cmd:sh hasty.sh'").assert_code(0);
    let mut sitting = Sitting::at(bench, &["debate"], 60, 110, &[]);
    sitting.pty.wait_for("writes the attack");
    crate::bench::wait_until("the role", || bench.run("pgrep -f 'sh hasty.s[h]'").code == 0);
    sitting.pty.send("2\r2\r");
    bench.run("echo on >go").assert_code(0);
    sitting.below("Do you agree with the attack?", "digits jump");
    assert_eq!(stage.stands(), (1, "hear".to_owned()));
    // Nothing moved in the list either.
    sitting.pty.send("\r");
    sitting.below("Do you have a concern that the attack missed?", "digits jump");
    drop(sitting);
    let answers = stage.text("debate/1/round-1/answers.md");
    assert!(answers.contains("Yes, by a person.") && !answers.contains("concern"), "{answers}");
}

#[test]
fn d8_words_that_were_not_sent_come_back_with_their_question() {
    let stage = Stage::new("");
    stage.opens();
    stage.gives(1, "attack", &attack("")).assert_code(0);
    stage.bench.run("git grill debate answer no").assert_code(0);
    let begun = |stands: &str, typed: &str| {
        let mut sitting = Sitting::at(&stage.bench, &["debate"], 60, 110, &[]);
        sitting.below("Do you have a concern that the attack missed?", "digits jump");
        sitting.pty.send("1\r");
        sitting.pty.wait_for("What is your concern?");
        sitting.pty.send(typed);
        sitting.below("What is your concern?", &format!("{stands}{typed}"));
        sitting
    };
    for (stands, typed, key, code) in [("", "Old", "\u{1b}", 5), ("Old", " clients", "\u{3}", 130)] {
        let mut sitting = begun(stands, typed);
        sitting.pty.send(key);
        sitting.pty.wait_for("what you typed is kept");
        sitting.ends_with(code);
    }
    let mut sitting = begun("Old clients", " too");
    sitting.pty.send("\r");
    sitting.below("Do you override any part of the proposal?", "digits jump");
    drop(sitting);
    // Those of an answer that is taken back come back, too.
    stage.bench.run("git grill debate answer back").assert_code(0);
    let mut sitting = begun("Old clients too", "");
    sitting.pty.send("\r");
    sitting.below("Do you override any part of the proposal?", "digits jump");
    drop(sitting);
    let answers = stage.text("debate/1/round-1/answers.md");
    assert!(answers.contains("\n> Old clients too\n"), "{answers}");
    assert_eq!(stage.bench.run("find .git/grill/replies -type f").stdout, "");
}

/// The open question waits for the debate's end, and is asked again with what came of it.
#[test]
fn d26_who_is_asked_a_question_again_that_was_debated_is_told_what_came_of_it() {
    let bench = crate::bench::Bench::new();
    bench.with_account();
    agreeing(&bench);
    bench.run("git grill start --research off 'add rate limiting'").assert_code(0);
    let roles = "file:../tmp/roles";
    let words = ["debate", "start", "--proposer", roles, "--advocate", roles, "--synthesizer", roles];
    let mut sitting = Sitting::at(&bench, &words, 60, 110, &[]);
    sitting.below("What is to be debated?", "digits jump");
    sitting.pty.send("1\r");
    sitting.pty.wait_for("[y/n]");
    sitting.pty.send("y");
    sitting.below("Do you agree with the attack?", "digits jump");
    sitting.pty.send("\u{1b}");
    sitting.ends_with(5);
    for _ in [1, 2] {
        for said in ["yes", "no", "no"] {
            bench.run(&format!("git grill debate answer {said}")).assert_code(0);
        }
        // The second one finds nothing to write once the debate has ended.
        let _ = bench.run("git grill debate next </dev/null; git grill debate next </dev/null");
    }
    let sitting = Sitting::at(&bench, &["next"], 60, 110, &[]);
    sitting.pty.wait_for("debate 1 was about this question and decided: Token bucket; One store");
    sitting.below("your answer replaces the debate's decision; /skip keeps it", "question 1 ·");
    drop(sitting);
    let skipped = bench.run("git grill skip");
    assert!(skipped.stdout.contains("question 1 is put off; what debate 1 decided stays"), "{}", skipped.stdout);
    assert!(!skipped.stdout.contains("stands among the open questions"), "{}", skipped.stdout);
    // So is who goes back to it.
    let sitting = Sitting::at(&bench, &["back", "1"], 60, 110, &[]);
    sitting.below("your answer replaces the debate's decision; /skip keeps it", "question 1 ·");
    drop(sitting);
    // A decision that was changed by hand stays, and no answer settles it.
    bench
        .run("sed -i 's/^- Token bucket\\./- Token buckets./; s/^- One store\\./- One shop./' .grill/checkpoint.md")
        .assert_code(0);
    let sitting = Sitting::at(&bench, &["next"], 60, 110, &[]);
    sitting.below("you changed “One shop.” by hand: it stays; git grill checkpoint edit changes it", "question 1 ·");
    drop(sitting);
}

#[test]
fn d4_d8_d23_d26_at_a_terminal_the_dossier_is_shown_and_the_user_is_asked_one_by_one() {
    let bench = crate::bench::Bench::new();
    bench.with_account();
    bench.write("dossier.md", DOSSIER);
    bench.write("../tmp/roles/round-1/proposal.md", PROPOSAL);
    bench.write("../tmp/roles/round-1/critique.md", critique("", "sound"));
    bench.write(
        "../tmp/roles/round-1/attack.md",
        attack("- [high] The counter is not shared\n  Evidence: src/nowhere.rs:1\n"),
    );
    let roles = "file:../tmp/roles";
    let words = [
        "debate",
        "start",
        "--dossier",
        "dossier.md",
        "--proposer",
        roles,
        "--advocate",
        roles,
        "--synthesizer",
        roles,
    ];
    let begins = || {
        let sitting = Sitting::at(&bench, &words, 50, 110, &[]);
        sitting.pty.wait_for("Clients hammer the API.");
        sitting.pty.wait_for("[y/n]");
        sitting
    };
    let mut sitting = begins();
    sitting.pty.send("\x03");
    let (code, screen) = sitting.end();
    assert_eq!(code, 130, "{screen}");
    assert!(screen.contains("interrupted; nothing was recorded; the same command asks again"), "{screen}");
    let mut sitting = begins();
    sitting.pty.send("y");
    sitting.pty.wait_for("risk: low (no objection counts)");
    sitting.pty.wait_for("not there: there is no such file");
    sitting.below("Do you agree with the attack?", "digits jump");
    sitting.pty.send("2\r");
    sitting.below("Do you have a concern that the attack missed?", "digits jump");
    sitting.pty.send("1\r");
    sitting.pty.wait_for("What is your concern?");
    sitting.pty.send("Mobile clients\r");
    sitting.below("Do you override any part of the proposal?", "digits jump");
    // Left there, what was said stays said.
    sitting.pty.send("\u{1b}");
    sitting.ends_with(5);
    let mut sitting = Sitting::at(&bench, &["debate"], 50, 110, &[]);
    sitting.below("Do you override any part of the proposal?", "Change the last answer");
    sitting.below("Do you override any part of the proposal?", "digits jump");
    sitting.pty.send("3\r");
    // The choice names the question as well.
    sitting.below("I say what it is, and the synthesizer answers it", "digits jump");
    sitting.pty.send("1\r");
    sitting.pty.wait_for("What is your concern?");
    // What was said comes back, and is cleared here.
    sitting.below("What is your concern?", "Mobile clients");
    sitting.pty.send("\u{15}");
    sitting.pty.send("Old clients\r");
    sitting.below("Do you override any part of the proposal?", "digits jump");
    sitting.pty.send("2\r");
    sitting.pty.wait_for("your answers are recorded");
    drop(sitting);
    let answers =
        bench.run("git show GRILL_HEAD:.grill/debate/1/round-1/answers.md").assert_code(0).stdout().to_owned();
    assert!(
        answers.contains("No, by a person.") && answers.contains("> Old clients") && !answers.contains("Mobile"),
        "{answers}"
    );
}
