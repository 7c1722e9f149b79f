//! Rounds, limits and endings (D1 to D5, D12 to D14, D21, D23).

use super::{Stage, answering, attack, critique, synthesis};

#[test]
fn d5_d8_d12_d21_a_debate_agrees_after_two_rounds_and_each_step_is_a_commit() {
    let stage = Stage::new("");
    let steps = || stage.stands().1;
    assert_eq!(steps(), "propose");
    stage.opens();
    assert_eq!(steps(), "attack");
    stage.gives(1, "attack", &attack("- [high] The counter is not shared\n")).assert_code(0);
    assert_eq!(stage.stands(), (1, "hear".to_owned()));
    // Without anybody to ask, the step says how it is answered, and nothing is lost.
    stage.next().assert_code(3).assert_contains("git grill debate answer --question 1.1-agree yes");
    stage
        .bench
        .run("git grill debate answer yes")
        .assert_code(0)
        .assert_contains("Do you have a concern that the attack missed?");
    // An answer that comes twice is none to the next question.
    stage.bench.run("git grill debate answer --question 1.1-missed no").assert_code(0);
    stage
        .bench
        .run("git grill debate answer --question 1.1-missed no")
        .assert_code(1)
        .assert_contains("1.1-missed is not next");
    stage.bench.run("git grill debate answer yes").assert_code(1).assert_contains("needs a note");
    stage.bench.run("git grill debate answer yes --note 'Use the store we have'").assert_code(0);
    assert_eq!(steps(), "synthesize");
    let id = stage.ids("The counter").pop().unwrap();
    let text = synthesis(&[(id, "valid — it is shared now")], "One store: shared");
    stage
        .gives(1, "synthesis", &text)
        .assert_code(1)
        .assert_contains("each concern and each override of this round (1)");
    stage.gives(1, "synthesis", &answering(&text)).assert_code(0);
    assert_eq!(stage.stands(), (2, "attack".to_owned()), "however the first round ended");
    stage.quiet(2);
    assert_eq!(stage.debate()["termination"], "nash");
    let log = stage.bench.run("git log --reverse --format=%s GRILL_HEAD").assert_code(0).stdout().to_owned();
    let said: Vec<&str> = log.lines().filter(|line| line.starts_with("debate")).collect();
    assert_eq!(said.len(), 13, "{log}");
    assert!(said[0].ends_with("debate 1: Rate limiting") && said[12].contains("round 2: synthesis"), "{log}");
    for path in ["dossier.md", "round-1/proposal.md", "round-1/critique.md", "round-2/attack.md", "round-2/answers.md"]
    {
        assert!(!stage.text(&format!("debate/1/{path}")).is_empty());
    }
    stage.bench.run("git grill fsck").assert_code(0);
    stage.bench.run("git grill debate next").assert_code(1).assert_contains("this debate has ended");
}

#[test]
fn d1_d2_no_word_lifts_a_limit() {
    let stage = Stage::new("");
    for rounds in ["0", "1", "8", "99"] {
        let line = format!("git grill debate start --dossier dossier.md --rounds {rounds}");
        stage.bench.run(&line).assert_code(1).assert_contains("debate 1 goes on");
    }
    stage.opens();
    for line in ["accept", "extend", "restart", "table"] {
        stage.bench.run(&format!("git grill debate {line}")).assert_code(1);
    }
    stage.bench.run("git grill debate accept").assert_contains("before 2 rounds are complete; 0 complete so far");
    stage.loud(1);
    stage.bench.run("git grill debate accept").assert_code(1).assert_contains("1 complete so far");
    stage.loud(2);
    stage.bench.run("git grill debate accept").assert_code(0);
    assert_eq!(stage.debate()["termination"], "declared");
    stage
        .bench
        .run("git grill debate start --dossier dossier.md --rounds 8")
        .assert_code(1)
        .assert_contains("--rounds takes 2 to 7; 8 was given")
        .assert_contains("hint: git grill debate start --rounds 5");
}

#[test]
fn d3_d13_d14_at_five_it_is_extended_to_seven_and_then_tabled() {
    let stage = Stage::new("");
    stage.opens();
    (1..=5).for_each(|round| stage.loud(round));
    assert_eq!(stage.stands(), (5, "decide".to_owned()));
    stage.next().assert_code(3).assert_contains("git grill debate accept (or extend, or kill)");
    stage.bench.run("git grill debate extend").assert_code(0).assert_contains("extended beyond round 5");
    (6..=7).for_each(|round| stage.loud(round));
    assert_eq!(stage.stands(), (7, "settle".to_owned()));
    stage.bench.run("git grill debate extend").assert_code(1).assert_contains("no debate has more than 7 rounds");
    stage.bench.run("git grill debate table").assert_code(0);
    assert_eq!(stage.debate()["termination"], "limit");
    let checkpoint = stage.bench.run("git grill checkpoint").assert_code(0).stdout().to_owned();
    let open = checkpoint.split("## Open Questions").nth(1).unwrap();
    assert!(
        open.contains(
            "Claim 7 about the store. Risk: HIGH. Mitigation: none is named. The synthesizer: it is taken in."
        ),
        "{checkpoint}"
    );
    assert!(!checkpoint.contains("Reason: bursts are legal"), "nothing was decided: {checkpoint}");
    let record = stage.text("debate/1/record.md");
    for said in ["status: tabled", "### The last proposal", "### Unresolved objections", "Termination: limit."] {
        assert!(record.contains(said), "{said}: {record}");
    }
}

#[test]
fn d3_a_bound_of_two_ends_without_agreement_and_the_user_settles_it() {
    let stage = Stage::new("--rounds 2");
    stage.opens();
    (1..=2).for_each(|round| stage.loud(round));
    assert_eq!(stage.stands(), (2, "settle".to_owned()));
    stage
        .bench
        .run("git grill debate accept")
        .assert_code(0)
        .assert_contains("you accepted the latest proposal, with its risks");
    let checkpoint = stage.bench.run("git grill checkpoint").assert_code(0).stdout().to_owned();
    let risks = checkpoint.split("## Risks / Unknowns").nth(1).unwrap().split("## Open").next().unwrap();
    assert!(risks.contains("Claim 2 about the store. Risk: HIGH.") && !risks.contains("Claim 1"), "{checkpoint}");
}

#[test]
fn d12_a_concern_of_the_user_s_keeps_it_going() {
    let stage = Stage::new("");
    stage.opens();
    stage.loud(1);
    stage.gives(2, "attack", &attack("")).assert_code(0);
    stage.answers("What about mobile clients?");
    stage.gives(2, "synthesis", &answering(&synthesis(&[], "One store: shared"))).assert_code(0);
    assert_eq!(stage.stands(), (3, "attack".to_owned()));
    stage.quiet(3);
    assert_eq!(stage.debate()["termination"], "nash");
}

#[test]
fn d5_a_scope_that_changed_has_the_idea_attacked_again_by_what_changed() {
    let stage = Stage::new("");
    stage.opens();
    stage.gives(1, "attack", &attack("")).assert_code(0);
    stage.answers("");
    let wider = synthesis(&[], "One store: shared") + "Scope changed: mobile clients are limited, too\n";
    let told = stage.gives(1, "synthesis", &wider).assert_code(0);
    assert!(
        told.stdout().contains("the scope of the idea changes; next: the critique of the idea"),
        "{}",
        told.stdout()
    );
    assert_eq!(stage.stands(), (2, "criticize".to_owned()));
    let prompt = stage.bench.run("git grill debate prompt").assert_code(0).stdout().to_owned();
    assert!(
        prompt.contains("- Round 1: mobile clients are limited, too") && !prompt.contains("Token bucket"),
        "{prompt}"
    );
    assert!(prompt.contains("Do you agree with the attack? yes"), "{prompt}");
    stage.gives(2, "critique", &critique("- [low] Nobody asked for it\n", "challenge")).assert_code(0);
    stage.gives(2, "attack", &attack("")).assert_code(0);
    stage.answers("");
    let id = stage.ids("Nobody asked").pop().unwrap();
    stage.gives(2, "synthesis", &synthesis(&[(id, "valid — it is narrowed")], "One store: shared")).assert_code(0);
    assert_eq!(stage.stands(), (3, "attack".to_owned()), "the scope stayed");
    let record = stage.text("debate/1/record.md");
    assert!(record.contains("changes the scope of the idea: mobile clients are limited, too"), "{record}");
}

#[test]
fn d8_the_last_answer_is_taken_back_until_the_synthesizer_has_used_it() {
    let stage = Stage::new("");
    stage.opens();
    stage.gives(1, "attack", &attack("- [high] It is not shared\n")).assert_code(0);
    stage.bench.run("git grill debate answer back").assert_code(1).assert_contains("no answer was taken back");
    stage.bench.run("git grill debate answer back --note x").assert_code(2);
    stage.answers("Mobile clients");
    assert_eq!(stage.stands().1, "synthesize");
    for _ in 0..2 {
        stage
            .bench
            .run("git grill debate answer back")
            .assert_code(0)
            .assert_contains("your last answer is taken back");
    }
    stage.bench.run("CLAUDECODE=1 git grill debate answer back").assert_code(1);
    assert_eq!(stage.stands().1, "hear");
    stage.bench.run("git grill debate answer --question 1.1-missed yes --note 'Old clients'").assert_code(0);
    stage.bench.run("git grill debate answer no").assert_code(0);
    let answers = stage.text("debate/1/round-1/answers.md");
    assert!(answers.contains("> Old clients") && !answers.contains("Mobile"), "{answers}");
    let id = stage.ids("It is not").pop().unwrap();
    let whole = answering(&synthesis(&[(id, "valid — it is taken in")], "One store: shared"));
    stage.gives(1, "synthesis", &whole).assert_code(0);
    stage.bench.run("git grill debate answer back").assert_code(1);
    let log = stage.bench.run("git log --format=%s GRILL_HEAD").assert_code(0);
    assert_eq!(log.stdout().matches("the last answer is taken back").count(), 2, "{}", log.stdout());
    let log = stage.bench.run("git grill debate log").assert_code(0);
    assert_eq!(log.stdout().matches("; taken back at ").count(), 2, "{}", log.stdout());
    assert!(
        log.stdout().contains("round 1: Do you have a concern that the attack missed? yes, by"),
        "{}",
        log.stdout()
    );
}

#[test]
fn d23_a_killed_debate_begins_again_as_a_new_one_that_names_it() {
    let stage = Stage::new("");
    stage.opens();
    stage.bench.run("git grill debate kill").assert_code(0).assert_contains("its record stays");
    assert_eq!(stage.debate()["termination"], "killed");
    assert!(stage.text("debate/1/record.md").contains("status: killed"));
    let before = stage.bench.run("git grill checkpoint").stdout;
    stage.bench.run("git grill debate start --dossier dossier.md").assert_code(0).assert_contains("debate 2 begins");
    let record = stage.text("debate/2/record.md");
    assert!(record.contains("Debate 1 had the same dossier, and was killed."), "{record}");
    assert_eq!(stage.bench.run("git grill checkpoint").stdout, before, "nothing of it is in the checkpoint");
    assert!(stage.text("debate/1/round-1/critique.md") == critique("", "sound"));
}

/// D4: without a dossier there is no debate, and while one is open, questions, answers and outputs wait.
#[test]
fn d4_an_open_question_waits_for_the_end() {
    let bench = crate::bench::Bench::new();
    bench.run("git grill debate start").assert_code(1).assert_contains("there is no checkpoint to debate");
    bench.run("git grill debate next").assert_code(6);
    let stage = Stage::new("");
    for line in ["git grill answer yes", "git grill skip", "git grill unknown", "git grill discuss"] {
        stage.bench.run(line).assert_code(1).assert_contains("waits: debate 1 goes on");
    }
    stage.bench.run("git commit -q --allow-empty -m no").assert_contains("read-only");
    stage.bench.run("git grill debate kill").assert_code(0);
    stage.bench.run("git grill answer 'fewer outages'").assert_code(0);
}
