//! What comes of a debate (D14, D17, D18, D23, D35, D37).

use super::{Stage, attack, critique, synthesis};

#[test]
fn d17_d18_d35_d37_the_record_and_the_checkpoint_say_what_was_decided_and_why() {
    let stage = Stage::new("");
    stage.gives(1, "proposal", super::PROPOSAL).assert_code(0);
    stage.gives(1, "critique", &critique("- [low] Nobody asked for limits\n", "challenge")).assert_code(0);
    stage.gives(1, "attack", &attack("- [high] The counter is not shared\n")).assert_code(0);
    stage.answers("");
    let (idea, counter) = (stage.ids("Nobody").pop().unwrap(), stage.ids("The counter").pop().unwrap());
    let said = [(idea, "invalid — the outage did"), (counter, "valid — one store counts")];
    stage.gives(1, "synthesis", &synthesis(&said, "One shared store: two counters disagree")).assert_code(0);
    stage.gives(2, "attack", &attack("")).assert_code(0);
    stage.answers("");
    stage.gives(2, "synthesis", &synthesis(&[], "One shared store: two counters disagree")).assert_code(0);

    let checkpoint = stage.bench.run("git grill checkpoint").assert_code(0).stdout().to_owned();
    let decisions = checkpoint.split("## Decisions\n").nth(1).unwrap().split("\n## ").next().unwrap();
    assert_eq!(
        decisions.trim(),
        "- Token bucket. (debate 1: Rate limiting)\n  - Reason: bursts are legal.\n  - Not chosen: A proxy in front; Nothing\n  \
         - Against A proxy in front: feasible, and one more thing to run.\n  - Against Nothing: not feasible, since outages \
         came from there.\n- One shared store. (debate 1: Rate limiting)\n  - Reason: two counters disagree."
    );
    let record = stage.text("debate/1/record.md");
    let front: serde_yaml::Value = serde_yaml::from_str(record.split("---\n").nth(1).unwrap()).unwrap();
    assert_eq!((front["heist"].as_str(), front["phase"].as_str()), (Some("Rate limiting"), Some("the-grilling")));
    assert_eq!((front["status"].as_str(), front["next-action"].as_str()), (Some("completed"), Some("git grill next")));
    assert!(
        front["timestamp"].as_str().unwrap().ends_with('Z')
            && front["note"].as_str().unwrap().starts_with("ended by agreement")
    );
    let artifacts: Vec<&str> =
        front["artifacts"].as_sequence().unwrap().iter().filter_map(|path| path.as_str()).collect();
    assert_eq!((artifacts.len(), artifacts[1]), (9, ".grill/debate/1/round-1/proposal.md"));
    let dissent = record.split("### Dissent").nth(1).unwrap();
    assert!(
        dissent.contains("in the advocate's words: Nobody asked for limits\n  - The synthesizer: the outage did"),
        "{record}"
    );
    assert!(record.contains("- Idea verdict: challenge") && record.contains("Termination: nash."), "{record}");
    // The interview goes on from there, and an output has it.
    stage
        .bench
        .run("git grill answer 'fewer outages' && git grill select adr --path docs/adr.md && git grill draft")
        .assert_code(0);
    let draft = stage.bench.run("git grill draft docs/adr.md").stdout;
    assert!(draft.contains("oken bucket") && draft.contains("A proxy in front"), "{draft}");
}

/// An option is chosen where a decision is this option, and not where one names it. The one that was proposed is none of the
/// chosen any more where the user overrode it.
#[test]
fn d17_d37_an_option_that_was_dropped_is_listed_with_what_was_held_against_it() {
    let stage = Stage::new("--rounds 2");
    stage.opens();
    stage.gives(1, "attack", &attack("")).assert_code(0);
    stage.bench.run("git grill debate answer yes && git grill debate answer no").assert_code(0);
    stage.bench.run("git grill debate answer yes --note 'use a fixed window'").assert_code(0);
    let dropped = synthesis(&[], "No proxy in front: one thing less to run")
        .replace("- Token bucket: bursts are legal", "- Fixed window instead of a token bucket: you said so");
    stage.gives(1, "synthesis", &super::answering(&dropped)).assert_code(0);
    stage.gives(2, "attack", &attack("")).assert_code(0);
    stage.answers("");
    stage.gives(2, "synthesis", &dropped).assert_code(0);
    let against = "proposed, and dropped in round 1; the user overrode part of the proposal: use a fixed window";
    let record = stage.text("debate/1/record.md");
    let rejected = record.split("### Rejected alternatives\n\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert_eq!(
        rejected,
        format!(
            "- Token bucket: {against}\n- A proxy in front: feasible, and one more thing to run\n- Nothing: not feasible, \
             since outages came from there\n- One store: proposed, and dropped in round 1"
        )
    );
    let checkpoint = stage.bench.run("git grill checkpoint").assert_code(0).stdout().to_owned();
    assert!(
        checkpoint.contains("  - Not chosen: Token bucket; A proxy in front; Nothing; One store\n"),
        "{checkpoint}"
    );
    assert!(checkpoint.contains(&format!("  - Against Token bucket: {against}.\n")), "{checkpoint}");
}

#[test]
fn d17_a_decision_that_the_next_synthesis_omits_is_listed_with_the_round_that_dropped_it() {
    let stage = Stage::new("--rounds 2");
    stage.opens();
    stage.gives(1, "attack", &attack("")).assert_code(0);
    stage.answers("");
    stage.gives(1, "synthesis", &synthesis(&[], "Sliding log in memory: it is exact")).assert_code(0);
    stage.gives(2, "attack", &attack("")).assert_code(0);
    stage.answers("");
    let said = stage.gives(2, "synthesis", &synthesis(&[], "One store: shared"));
    said.assert_code(0).assert_contains("it omits “Sliding log in memory”");
    let checkpoint = stage.bench.run("git grill checkpoint").assert_code(0).stdout().to_owned();
    assert!(checkpoint.contains("  - Not chosen: A proxy in front; Nothing; Sliding log in memory\n"), "{checkpoint}");
    let against = "  - Against Sliding log in memory: proposed, and dropped in round 2.\n";
    assert!(checkpoint.contains(against), "{checkpoint}");
}

#[test]
fn d14_where_nothing_was_decided_no_option_is_rejected_and_what_is_open_is_to_be_settled() {
    let stage = Stage::new("--rounds 2");
    stage.opens();
    (1..=2).for_each(|round| stage.loud(round));
    stage.bench.run("git grill debate table").assert_code(0);
    let record = stage.text("debate/1/record.md");
    let considered = "### Options considered\n\n- Token bucket: chosen, since bursts are legal\n- A proxy in front: ";
    assert!(record.contains(considered) && !record.contains("Rejected alternatives"), "{record}");
    let status = stage.bench.run("git grill debate status").assert_code(0).stdout().to_owned();
    assert!(status.contains("you tabled the proposal") && !status.contains("makes a document"), "{status}");
    let checkpoint = stage.bench.run("git grill checkpoint").assert_code(0).stdout().to_owned();
    let open = checkpoint.split("## Open Questions\n").nth(1).unwrap();
    assert!(open.contains("- Settle: Claim 2 about the store. Risk: HIGH."), "{checkpoint}");
}

#[test]
fn d17_an_edit_of_the_checkpoint_meanwhile_is_kept() {
    let stage = Stage::new("--rounds 2");
    stage.opens();
    stage.quiet(1);
    stage.gives(2, "attack", &attack("")).assert_code(0);
    stage.answers("");
    stage.bench.run("sed -i 's/^## Constraints$/&\\n\\n- No new service/' .grill/checkpoint.md").assert_code(0);
    stage.gives(2, "synthesis", &synthesis(&[], "One store: shared")).assert_code(0);
    let checkpoint = stage.bench.run("git grill checkpoint").assert_code(0).stdout().to_owned();
    assert!(checkpoint.contains("- No new service") && checkpoint.contains("- One store. (debate 1:"), "{checkpoint}");
}

/// A second debate about a file decides the same question anew.
#[test]
fn d4_d17_d26_what_a_second_debate_about_a_file_decides_takes_the_place_of_the_first() {
    let stage = Stage::new("");
    stage.opens();
    stage.quiet(1);
    stage.quiet(2);
    let roles = "--proposer file:../tmp/roles --advocate file:../tmp/roles --synthesizer file:../tmp/roles";
    stage.bench.run(&format!("git grill debate start --dossier dossier.md {roles}")).assert_code(0);
    // A role that names a debate has no word in where its decision comes from.
    let other = |text: &str| text.replace("- Token bucket: bursts are legal", "- Fixed window (debate 9: It): simple");
    let proposal =
        other(super::PROPOSAL).replace("- Token bucket: chosen, since bursts are legal", "- Fixed window: chosen");
    stage.gives(1, "proposal", &format!("{proposal}- Token bucket: needs a clock\n")).assert_code(0);
    stage.gives(1, "critique", &critique("", "sound")).assert_code(0);
    for round in [1, 2] {
        stage.gives(round, "attack", &attack("")).assert_code(0);
        stage.answers("");
        stage.gives(round, "synthesis", &other(&synthesis(&[], "One store: shared"))).assert_code(0);
    }
    let checkpoint = stage.bench.run("git grill checkpoint").assert_code(0).stdout().to_owned();
    assert!(checkpoint.contains("- Fixed window. (debate 2: Rate limiting)\n"), "{checkpoint}");
    assert!(!checkpoint.contains("- Token bucket. (debate 1") && !checkpoint.contains("debate 9"), "{checkpoint}");
    assert!(checkpoint.contains("  - Taken back for it: Token bucket.\n"), "{checkpoint}");
    assert!(checkpoint.contains("  - Against Token bucket: needs a clock.\n"), "{checkpoint}");
    assert!(checkpoint.contains("  - Confirmed in debate 2: shared.\n"), "{checkpoint}");
    assert_eq!(checkpoint.matches("- One store. (debate").count(), 1, "{checkpoint}");
}

/// A round that is cut off by the user's word leaves what was raised in it unresolved.
#[test]
fn d13_d14_what_nobody_assessed_is_a_risk() {
    let stage = Stage::new("");
    stage.opens();
    (1..=2).for_each(|round| stage.loud(round));
    stage.gives(3, "attack", &attack("- [critical] Keys are logged\n")).assert_code(0);
    stage.bench.run("git grill debate answer yes && git grill debate answer yes --note 'Who pays?'").assert_code(0);
    stage.bench.run("git grill debate accept").assert_code(0).assert_contains("after 2 rounds");
    let checkpoint = stage.bench.run("git grill checkpoint").assert_code(0).stdout().to_owned();
    let risks = checkpoint.split("## Risks / Unknowns").nth(1).unwrap();
    assert!(
        risks.contains("Keys are logged. Risk: HIGH (critical).") && risks.contains("- Concern: Who pays?"),
        "{checkpoint}"
    );
}

/// What a role writes acts on no terminal, in whatever file it stands.
#[test]
fn no_sign_of_a_role_s_acts_on_a_terminal() {
    let stage = Stage::new("");
    stage.opens();
    stage.gives(1, "attack", &attack("- [high] Red \u{1b}[31m and \u{202e} back\n")).assert_code(0);
    let log =
        stage.bench.run("git log -p GRILL_HEAD -- .grill/debate .grill/debate.yaml").assert_code(0).stdout().to_owned();
    assert!(log.contains("Red") && !log.contains(['\u{1b}', '\u{202e}']), "{log:?}");
}

/// What the user was heard on in a debate is settled, and a stop says how both end.
#[test]
fn d17_the_output_selection_knows_what_a_debate_settled() {
    let stage = Stage::new("");
    let refused = stage.bench.run("git grill stop").assert_code(1);
    let hint = "git grill stop --without-output kills it and ends the session";
    refused.assert_contains("the session was not ended: debate 1 goes on").assert_contains(hint);
    stage.opens();
    stage.quiet(1);
    stage.quiet(2);
    let gate = stage.bench.run("git grill select").assert_code(0).stdout().to_owned();
    assert!(gate.contains("Not ready: the interview has settled nothing yet."), "{gate}");
    assert!(gate.contains("Settled in a debate: “Rate limiting”."), "{gate}");
    assert!(!gate.contains("No answer supports"), "{gate}");
}
