//! A debate as programs read it: what the page, an objection and the log show, each as an object (D17, D23, D29).

use serde_json::Value;

use super::{PROPOSAL, Stage, attack, critique, synthesis};

fn read(stage: &Stage, line: &str) -> Value {
    let output = stage.bench.run(&format!("git grill debate {line} --json")).assert_code(0);
    serde_json::from_str(output.stdout()).unwrap()
}

/// A debate without a round left, in which two objections were raised.
fn played() -> Stage {
    let stage = Stage::new("--rounds 2");
    stage.opens();
    (1..=2).for_each(|round| stage.loud(round));
    stage
}

#[test]
fn d14_d17_d23_programs_read_what_the_page_shows() {
    let stage = played();
    assert!(read(&stage, "show")["ending"].is_null());
    stage.bench.run("git grill debate table").assert_code(0);
    let shown = read(&stage, "show");
    let rounds = shown["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 2, "{shown}");
    assert_eq!(rounds[0]["texts"][0]["part"], "proposal", "{shown}");
    assert_eq!(rounds[1]["decisions"][1]["what"], "One store", "{shown}");
    assert_eq!(rounds[0]["answers"][0]["question"], "Do you agree with the attack?", "{shown}");
    assert_eq!(
        (&rounds[0]["answers"][0]["yes"], &rounds[0]["answers"][0]["by"]),
        (&true.into(), &"a command without a terminal".into())
    );
    let page = stage.bench.run("git grill debate show").assert_code(0).stdout().to_owned();
    for (round, outcome) in rounds.iter().zip(["taken in", "stands"]) {
        let one = &round["objections"][0];
        assert_eq!(one["outcome"], outcome, "{shown}");
        assert_eq!((&one["severity"], &one["assessed"]["assessment"]), (&"high".into(), &"valid".into()), "{shown}");
        let row = page.lines().find(|line| line.contains(one["id"].as_str().unwrap())).unwrap();
        assert!(row.ends_with(&format!("| {outcome} |")), "{row}");
    }
    let ending = &shown["ending"];
    assert_eq!((&ending["termination"], &ending["decision"]), (&"limit".into(), &"tabled".into()), "{shown}");
    assert_eq!(ending["unresolved"][0], rounds[1]["objections"][0]["id"], "{shown}");
    assert_eq!(ending["decisions"][0]["decision"], "tabled", "{shown}");
    assert_eq!(ending["decided"].as_array().map(Vec::len), Some(0), "{shown}");
    assert_eq!(stage.debate()["decision"], "tabled");
    // Each debate by its number, and not the newest one again.
    stage.bench.run("git grill debate start --dossier dossier.md --rounds 3").assert_code(0);
    assert_eq!(read(&stage, "show 1")["debate"]["rounds"], 2);
    assert_eq!(read(&stage, "show")["debate"]["rounds"], 3);
}

#[test]
fn d13_d20_programs_read_how_a_debate_was_decided() {
    let stage = played();
    assert!(stage.debate()["decision"].is_null());
    stage.bench.run("git grill debate accept").assert_code(0);
    assert_eq!((&stage.debate()["termination"], &stage.debate()["decision"]), (&"limit".into(), &"accepted".into()));
    assert_eq!(stage.debate()["confirmed"], false);
    assert_eq!(read(&stage, "show")["ending"]["decided"][1]["what"], "One store");
}

#[test]
fn d29_programs_read_an_objection_with_the_lines_that_it_cites() {
    let stage = Stage::new("");
    stage.opens();
    let claim = "- [high] It is counted twice\n  Evidence: src/limit.rs:1 \"fn limit()\"\n";
    stage.gives(1, "attack", &attack(claim)).assert_code(0);
    let id = stage.ids("It is").pop().unwrap();
    let shown = read(&stage, &format!("show {id}"));
    assert_eq!((&shown["raised"][0]["id"], &shown["raised"][0]["round"]), (&id.into(), &1.into()), "{shown}");
    assert_eq!(shown["raised"][0]["evidence"][0]["check"], "found", "{shown}");
    let line = &shown["citations"][0]["lines"][0];
    assert_eq!((&line["line"], &line["cited"]), (&1.into(), &true.into()), "{shown}");
    assert_eq!(line["text"], "fn limit() {", "{shown}");
}

/// A question that is left to the role is no reply, wherever it is told.
#[test]
fn d10_a_question_that_is_left_to_the_role_is_told_as_such() {
    let stage = Stage::new("");
    let asks = format!("{PROPOSAL}\n## Questions for the user\n- Which store?\n  Redis or a file?\n- Who pays?\n");
    stage.gives(1, "proposal", &asks).assert_code(0);
    stage.gives(1, "critique", &critique("", "sound")).assert_code(0);
    stage.gives(1, "attack", &attack("")).assert_code(0);
    stage.answers("");
    // It keeps its lines.
    let taken_back = stage.bench.run("git grill debate answer back").assert_code(0);
    taken_back.assert_contains("Do you override any part of the proposal?");
    let asks = stage.bench.run("git grill debate answer no").assert_code(0);
    asks.assert_contains("Which store?\nRedis or a file? (no leaves it to the role)\n");
    stage.bench.run("git grill debate answer --question 1.1-q1 no").assert_code(0);
    stage.bench.run("git grill debate answer --question 1.1-q2 yes --note 'We do'").assert_code(0);
    let log = stage.bench.run("git grill debate log").assert_code(0);
    log.assert_contains("round 1: a role's question left to the role, by a command")
        .assert_contains("round 1: a reply to a role, by a command");
    let subjects = stage.bench.run("git log --format=%s GRILL_HEAD").assert_code(0);
    subjects
        .assert_contains("debate, round 1: question 1 left to the role")
        .assert_contains("debate, round 1: reply to question 2");
    let record = stage.text("debate/1/record.md");
    assert!(record.contains("The proposer asks: Which store?\n\n> Redis or a file?\n\nLeft to the role"), "{record}");
    let asked = &read(&stage, "show")["rounds"][0]["answers"][3];
    assert_eq!((&asked["leftToTheRole"], &asked["askedBy"]), (&true.into(), &"proposer".into()), "{asked}");
}

#[test]
fn d21_programs_read_each_entry_of_the_log() {
    let stage = Stage::new("");
    stage.next().assert_code(128);
    stage.opens();
    stage.gives(1, "attack", &attack("")).assert_code(0);
    stage.answers("");
    stage.bench.run("git grill debate answer back").assert_code(0);
    stage.bench.run("git grill debate kill").assert_code(0);
    let log = stage.bench.run("git grill debate log").assert_code(0).stdout().to_owned();
    let read = read(&stage, "log");
    let entries = read["log"].as_array().unwrap();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains(" debate 1")).collect();
    assert_eq!(entries.len(), lines.len(), "{log}\n{read}");
    for (entry, line) in entries.iter().zip(lines) {
        for field in ["at", "what", "by"] {
            assert!(line.contains(entry[field].as_str().unwrap()), "{field}: {line}\n{entry}");
        }
        let round = entry["round"].as_u64().map(|round| format!(", round {round}: ")).unwrap_or_default();
        assert!(line.contains(&round) && line.contains(entry["takenBack"].as_str().unwrap_or_default()), "{line}");
    }
    assert_eq!((&entries[0]["kind"], &entries.last().unwrap()["kind"]), (&"begins".into(), &"decision".into()));
}

#[test]
fn d23_an_open_debate_is_shown_with_its_proposal_and_without_what_failed_before_a_text_came() {
    let stage = Stage::new("");
    stage.bench.run("git grill debate roles --proposer cmd:true").assert_code(0);
    stage.next().assert_code(128);
    stage.bench.run("git grill debate show").assert_code(0).assert_contains("No proposal by cmd:true");
    stage.bench.run("git grill debate roles --proposer file:../tmp/roles").assert_code(0);
    stage.opens();
    let shown = stage.bench.run("git grill debate show").assert_code(0);
    shown
        .assert_contains("### The proposal as it stands")
        .assert_contains("A token bucket for each client.")
        .assert_lacks("No proposal by");
    stage.bench.run("git grill debate log").assert_code(0).assert_contains("no proposal by cmd:true");
    stage.gives(1, "attack", &attack("")).assert_code(0);
    stage.answers("");
    stage.gives(1, "synthesis", &synthesis(&[], "One store: shared")).assert_code(0);
    stage.bench.run("git grill debate show").assert_code(0).assert_contains("A bucket for each client, round again.");
}
