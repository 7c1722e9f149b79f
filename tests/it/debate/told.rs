//! What each role is told, and nothing else (D10, D27, D28, D31); and the user at a terminal (D8, D23).

use super::{DOSSIER, PROPOSAL, Stage, attack, critique};
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
    let mut sitting = Sitting::at(&bench, &words, 50, 110, &[]);
    sitting.pty.wait_for("Clients hammer the API.");
    sitting.pty.wait_for("[y/n]");
    sitting.pty.send("y");
    sitting.pty.wait_for("risk: low");
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
