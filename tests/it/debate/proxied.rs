//! A proxy answers for the user, provisionally (D20); roles ask the user (D10).

use super::{PROPOSAL, Stage, attack, critique, synthesis};

const POSITION: &str = "Agree: yes, in part\nMissed concern: no\nOverride: no\n";

/// A debate in which a proxy answers, up to the agreement.
fn proxied() -> Stage {
    let stage = Stage::new("--autonomous --proxy file:../tmp/roles");
    stage.opens();
    for round in 1..=2 {
        stage.gives(round, "attack", &attack("")).assert_code(0);
        stage.gives(round, "position", POSITION).assert_code(0).assert_contains("answers by the proxy");
        stage.gives(round, "synthesis", &synthesis(&[], "One store: shared")).assert_code(0);
    }
    stage
}

#[test]
fn d20_what_a_proxy_answers_is_its_own_and_counts_once_the_user_confirms_it() {
    let stage = proxied();
    let debate = stage.debate();
    assert_eq!((&debate["termination"], &debate["provisional"]), (&"nash".into(), &true.into()));
    let answers = stage.text("debate/1/round-1/answers.md");
    assert_eq!(answers.matches("by the proxy file:../tmp/roles").count(), 3, "{answers}");
    for never in ["by a person", "by a command"] {
        assert!(!answers.contains(never) && !stage.text("debate/1/record.md").contains(never), "{answers}");
    }
    let events = stage.bench.run("git log -p --format= GRILL_HEAD -- .grill/events.yaml").stdout;
    assert!(!events.contains("event: debate-answered"), "no answer of the user's is recorded: {events}");
    assert!(!stage.bench.run("git grill checkpoint").stdout.contains("Token bucket"));
    stage.next().assert_code(1);
    stage
        .bench
        .run("git grill debate start --dossier dossier.md")
        .assert_code(1)
        .assert_contains("waits for your word");
    stage.bench.run("git grill debate confirm").assert_code(0);
    assert!(stage.bench.run("git grill checkpoint").stdout.contains("Token bucket"));
    stage.bench.run("git grill debate reject").assert_code(1).assert_contains("no proxy's answers wait");
}

#[test]
fn d20_what_is_rejected_leaves_the_checkpoint_as_it_was() {
    let stage = proxied();
    stage.bench.run("git grill debate reject").assert_code(0);
    assert!(!stage.bench.run("git grill checkpoint").stdout.contains("Token bucket"));
    let record = stage.text("debate/1/record.md");
    assert!(record.contains("status: rejected") && record.contains("who rejected it"), "{record}");
}

#[test]
fn d20_nobody_answers_beside_the_proxy_and_it_decides_at_round_five() {
    let stage = Stage::new("--autonomous --proxy file:../tmp/roles");
    stage.opens();
    for round in 1..=5 {
        let claim = format!("Claim {round} about the store");
        stage.gives(round, "attack", &attack(&format!("- [high] {claim}\n"))).assert_code(0);
        stage.bench.run("git grill debate answer yes").assert_code(1).assert_contains("a proxy answers in this debate");
        stage.gives(round, "position", "Agree: yes\nMissed concern: yes\nOverride: no\n").assert_code(1);
        stage.gives(round, "position", POSITION).assert_code(0);
        let id = stage.ids(&claim).pop().unwrap();
        stage.gives(round, "synthesis", &synthesis(&[(id, "valid — taken in")], "One store: shared")).assert_code(0);
    }
    assert_eq!(stage.stands(), (5, "decide".to_owned()));
    stage.gives(5, "ruling", "Decision: table\n").assert_code(1).assert_contains("accept, extend or kill");
    stage.gives(5, "ruling", "Decision: accept\nIt will do.\n").assert_code(0);
    let debate = stage.debate();
    assert_eq!((&debate["termination"], &debate["provisional"]), (&"limit".into(), &true.into()));
}

#[test]
fn d20_a_proxy_needs_the_word_for_it() {
    let bench = crate::bench::Bench::new();
    bench.scripts_may_approve();
    bench.write("dossier.md", super::DOSSIER);
    bench.run("git grill debate start --dossier dossier.md --proxy cmd:true").assert_code(2);
    bench.run("git grill debate start --dossier dossier.md --autonomous").assert_code(2);
}

#[test]
fn d10_what_roles_ask_is_put_one_by_one_and_goes_on_as_a_batch() {
    let stage = Stage::new("");
    let asks = format!("{PROPOSAL}\n## Questions for the user\n- Which limit do you want?\n- Who runs Redis?\n");
    stage.gives(1, "proposal", &asks).assert_code(0);
    stage.gives(1, "critique", &critique("", "sound")).assert_code(0);
    stage.gives(1, "attack", &attack("")).assert_code(0);
    for answer in ["yes", "no", "no"] {
        stage.bench.run(&format!("git grill debate answer {answer}")).assert_code(0);
    }
    stage.next().assert_code(3).assert_contains("--question 1-q1");
    let next = stage.bench.run("git grill debate answer --question 1-q1 yes --note '300 a minute'");
    next.assert_code(0).assert_contains("Who runs Redis?");
    assert_eq!(stage.stands(), (1, "hear".to_owned()));
    stage
        .bench
        .run("git grill debate answer --question 1-q2 no")
        .assert_code(0)
        .assert_contains("your answers are recorded");
    let told = stage.bench.run("git grill debate prompt").assert_code(0).stdout().to_owned();
    for said in ["Which limit do you want?", "> 300 a minute", "Who runs Redis?", "leaves it to you"] {
        assert!(told.contains(said), "{said}: {told}");
    }
    // What the synthesizer asks comes up in the next round.
    let asks = synthesis(&[], "One store: shared") + "\n## Questions for the user\n- Is a week enough?\n";
    stage.gives(1, "synthesis", &asks).assert_code(0);
    stage.gives(2, "attack", &attack("")).assert_code(0);
    stage.answers("");
    stage.next().assert_code(3).assert_contains("--question 2-q1");
}
