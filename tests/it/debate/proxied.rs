//! A proxy answers for the user, provisionally (D20); roles ask the user (D10).

use super::{PROPOSAL, Stage, agreeing, attack, critique, synthesis};
use crate::conversation::Sitting;

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
    const CONFIRMED: &str = "A proxy answered for the user, who confirmed it.";
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
    stage.next().assert_code(3).assert_contains("git grill debate confirm (or reject)");
    for refused in ["start --dossier dossier.md", "kill", "accept", "extend", "answer no", "roles --proxy me"] {
        let output = stage.bench.run(&format!("git grill debate {refused}")).assert_code(1);
        output
            .assert_contains("waits for your word")
            .assert_contains("git grill debate confirm or git grill debate reject");
    }
    let status = stage.bench.run("git grill debate status").assert_code(0);
    status.assert_contains("git grill debate confirm").assert_contains("git grill debate reject");
    stage.bench.run("git grill debate confirm").assert_code(0);
    assert!(stage.bench.run("git grill checkpoint").stdout.contains("Token bucket"));
    assert!(stage.text("debate/1/record.md").contains(CONFIRMED));
    stage.bench.run("git grill debate show").assert_code(0).assert_contains(CONFIRMED);
    stage.bench.run("git grill debate reject").assert_code(1).assert_contains("no proxy's answers wait");
}

#[test]
fn d20_what_is_rejected_leaves_the_checkpoint_as_it_was() {
    const REJECTED: &str = "you rejected the proxy's answers, and none of them counts";
    let stage = proxied();
    stage.bench.run("git grill debate reject").assert_code(0).assert_contains(REJECTED);
    assert!(!stage.bench.run("git grill checkpoint").stdout.contains("Token bucket"));
    let record = stage.text("debate/1/record.md");
    assert!(record.contains("status: rejected") && record.contains("who rejected it"), "{record}");
    assert!(record.contains("next-action: git grill debate start\n"), "{record}");
    // What the proxy said is told as what came of it nowhere.
    let shown = ["git grill debate status", "git grill debate show", "git grill status"];
    let shown = shown.map(|line| stage.bench.run(line).assert_code(0).stdout().to_owned());
    for text in shown.iter().chain([&record]).map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")) {
        assert!(text.contains(REJECTED) && !text.contains("agreement") && !text.contains("no concern left"), "{text}");
    }
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
    stage.gives(5, "ruling", "Decision: table\n").assert_code(1).assert_contains("with accept or kill");
    stage.gives(5, "ruling", "Decision: extend\n").assert_code(1).assert_contains("with accept or kill");
    stage.gives(5, "ruling", "Decision: accept\nIt will do.\n").assert_code(0);
    let debate = stage.debate();
    assert_eq!((&debate["termination"], &debate["provisional"]), (&"limit".into(), &true.into()));
}

/// A proxy's kill is as provisional as its other decisions.
#[test]
fn d20_a_debate_that_the_proxy_killed_waits_for_the_users_word() {
    for (word, status, told) in
        [("confirm", "killed", "the debate is killed"), ("reject", "rejected", "you rejected the proxy's answers")]
    {
        let stage = Stage::new("--autonomous --proxy file:../tmp/roles");
        stage.opens();
        for round in 1..=5 {
            let claim = format!("Claim {round} about the store");
            stage.gives(round, "attack", &attack(&format!("- [high] {claim}\n"))).assert_code(0);
            stage.gives(round, "position", POSITION).assert_code(0);
            let id = stage.ids(&claim).pop().unwrap();
            let text = synthesis(&[(id, "valid — taken in")], "One store: shared");
            stage.gives(round, "synthesis", &text).assert_code(0);
        }
        stage.gives(5, "ruling", "Decision: kill\n").assert_code(0).assert_contains("git grill debate confirm");
        let debate = stage.debate();
        assert_eq!((&debate["termination"], &debate["provisional"]), (&"killed".into(), &true.into()));
        let record = stage.text("debate/1/record.md");
        assert!(record.contains("status: provisional") && record.contains("Killed by the proxy after 5"), "{record}");
        let start = || stage.bench.run("git grill debate start --dossier dossier.md");
        start().assert_code(1).assert_contains("waits for your word");
        stage.bench.run(&format!("git grill debate {word}")).assert_code(0).assert_contains(told);
        let record = stage.text("debate/1/record.md");
        assert!(record.contains(&format!("status: {status}\n")), "{record}");
        start().assert_code(0);
        let record = stage.text("debate/2/record.md");
        assert!(record.contains(&format!("Debate 1 had the same dossier, and was {status}.")), "{record}");
    }
}

/// Whatever limit is reached, the proxy decides, and nothing counts before the user says so.
#[test]
fn d3_d14_d20_the_proxy_decides_when_no_round_is_left_and_its_words_stay_its_own() {
    for (decision, counts) in [("accept", true), ("restart", false)] {
        let stage = Stage::new("--rounds 2 --autonomous --proxy file:../tmp/roles");
        stage.opens();
        for round in 1..=2 {
            let claim = format!("Claim {round} about the store");
            stage.gives(round, "attack", &attack(&format!("- [high] {claim}\n"))).assert_code(0);
            let position = "Agree: yes\nMissed concern: yes — mobile clients\nOverride: yes — the limit\n";
            stage.gives(round, "position", position).assert_code(0).assert_contains("answers by the proxy");
            let id = stage.ids(&claim).pop().unwrap();
            let text = synthesis(&[(id, "valid — taken in")], "One store: shared");
            stage
                .gives(round, "synthesis", &text)
                .assert_code(1)
                .assert_contains("and each override of this round (2)");
            stage.gives(round, "synthesis", &super::answering(&text)).assert_code(0);
        }
        assert_eq!(stage.stands(), (2, "settle".to_owned()));
        stage.bench.run("git grill debate status").assert_code(0).assert_contains("the proxy's decision");
        stage.gives(2, "ruling", "Decision: extend\n").assert_code(1).assert_contains("accept, restart or table");
        stage.gives(2, "ruling", &format!("Decision: {decision}\n")).assert_code(0);
        let debate = stage.debate();
        assert_eq!((&debate["termination"], &debate["provisional"]), (&"limit".into(), &true.into()));
        let checkpoint = || stage.bench.run("git grill checkpoint").stdout;
        assert!(!checkpoint().contains("Token bucket"));
        let record = stage.text("debate/1/record.md");
        assert!(record.contains("status: provisional") && record.contains("the proxy "), "{record}");
        assert!(record.contains("Concern of the proxy: mobile clients"), "{record}");
        assert!(record.contains("Override of the proxy: the limit"), "{record}");
        for never in ["you accepted", "you rejected", "Concern: ", "Override: "] {
            assert!(!record.contains(never), "{never}: {record}");
        }
        stage.bench.run("git grill debate confirm").assert_code(0);
        assert_eq!(checkpoint().contains("Token bucket"), counts, "{decision}");
        assert_eq!(checkpoint().contains("Concern of the proxy: mobile clients"), counts, "{decision}");
    }
}

#[test]
fn d20_a_proxy_that_is_named_within_a_round_answers_what_is_left() {
    let stage = Stage::new("");
    stage.opens();
    stage.gives(1, "attack", &attack("")).assert_code(0);
    stage.bench.run("git grill debate answer yes").assert_code(0);
    stage.bench.run("git grill debate roles --proxy file:../tmp/roles").assert_code(0);
    stage.gives(1, "position", POSITION).assert_code(0);
    assert_eq!(stage.stands(), (1, "synthesize".to_owned()));
    let answers = stage.text("debate/1/round-1/answers.md");
    assert_eq!(answers.matches("by the proxy file:../tmp/roles").count(), 2, "{answers}");
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
    stage.next().assert_code(3).assert_contains("--question 1.1-q1");
    let next = stage.bench.run("git grill debate answer --question 1.1-q1 yes --note '300 a minute'");
    next.assert_code(0).assert_contains("Who runs Redis?");
    assert_eq!(stage.stands(), (1, "hear".to_owned()));
    stage
        .bench
        .run("git grill debate answer --question 1.1-q2 no")
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
    assert!(stage.text("debate/1/round-2/answers.md").contains("\nNot answered yet.\n"));
    stage.next().assert_code(3).assert_contains("--question 1.2-q1");
}

/// A debate that waits for the user's word is passed by the interview, so the interview names it.
#[test]
fn d17_d20_who_leaves_a_proxys_answers_undecided_is_told_of_them_at_the_question() {
    const WAITS: &str = "debate 1 about this question waits for you: git grill debate";
    let bench = crate::bench::Bench::new();
    bench.with_account();
    agreeing(&bench);
    for round in [1, 2] {
        bench.write(&format!("../tmp/roles/round-{round}/position.md"), POSITION);
    }
    bench.run("git grill start --research off 'add rate limiting'").assert_code(0);
    bench.run("git grill answer 'fewer outages' && git grill back 1").assert_code(0);
    bench.run("git grill next").assert_code(0).assert_contains("so far: fewer outages");
    let roles = "file:../tmp/roles";
    let mut sitting = Sitting::at(&bench, &["next"], 60, 110, &[]);
    sitting.below("question 1 ·", "Tab alternatives");
    let players = format!("--proposer {roles} --advocate {roles} --synthesizer {roles} --proxy {roles}");
    sitting.pty.send("\u{15}");
    sitting.pty.send(&format!("/debate start --autonomous {players}\r"));
    sitting.below("What is to be debated?", "digits jump");
    sitting.pty.send("1\r");
    sitting.pty.wait_for("[y/n]");
    sitting.pty.send("y");
    sitting.below("What becomes of its answers?", "digits jump");
    sitting.pty.send("\u{1b}");
    sitting.pty.wait_for("stopped; the debate waits, and git grill debate asks again");
    sitting.ends_with(5);
    for line in ["git grill next", "git grill status"] {
        bench.run(line).assert_code(0).assert_contains(WAITS).assert_contains("so far: fewer outages");
    }
    let sitting = Sitting::at(&bench, &["next"], 60, 110, &[]);
    sitting.below(WAITS, "question 1 ·");
    drop(sitting);
    let mut sitting = Sitting::at(&bench, &["debate"], 60, 110, &[]);
    sitting.below("What becomes of its answers?", "digits jump");
    sitting.pty.send("\u{3}");
    sitting.pty.wait_for("what was recorded stays; git grill debate goes on");
    sitting.ends_with(130);
    let mut sitting = Sitting::at(&bench, &["debate"], 60, 110, &[]);
    sitting.below("What becomes of its answers?", "digits jump");
    sitting.pty.send("1\r");
    sitting.ends_with(0);
    // What the debate decided stands in the place of that answer.
    for line in ["git grill next", "git grill status"] {
        bench.run(line).assert_code(0).assert_lacks("waits for you").assert_lacks("so far:");
    }
}
