//! Questions of an agent that nobody watches: they wait on the session, the person answers them at a terminal, and each
//! gets one answer, whatever comes first (A18, A35, A36, A42).

use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};

use super::{Lent, ends, of_kind, text};
use crate::bench::wait_until;
use crate::conversation::Sitting;
use crate::leading::{ENTER, lets, play, until, walled};

fn form(message: &str) -> Value {
    json!({"sessionId": "scripted-session", "mode": "form", "message": message, "requestedSchema": {
        "type": "object", "required": ["project"], "properties": {"project": {"type": "string", "title": "Project"}}}})
}

/// One that takes a plain yes.
fn plain(message: &str) -> Value {
    json!({"sessionId": "scripted-session", "mode": "form", "message": message,
        "requestedSchema": {"type": "object", "properties": {}}})
}

/// A step in which the agent asks this, and says what it was answered.
fn asks(params: &Value) -> Value {
    json!({"client": "elicitation/create", "params": params})
}

/// What the agent was answered, as it came.
fn answered(words: &str) -> Vec<Value> {
    let lines = words.lines().filter_map(|line| line.strip_prefix("elicitation/create: "));
    // More may be said behind it on the same line.
    let first = |line: &str| serde_json::Deserializer::from_str(line).into_iter().next().unwrap().unwrap();
    lines.map(first).collect()
}

/// The answers that a ledger has: the number, and by whom with what.
fn recorded(records: &[Value]) -> Vec<String> {
    let all = of_kind(records, "answered").into_iter();
    all.map(|record| {
        let answer = &record["answer"];
        let what = answer.get("words").or(answer.get("why")).map(text).unwrap_or_default();
        format!("{} {} {what}", record["number"], text(&answer["by"])).trim_end().to_owned()
    })
    .collect()
}

/// The question of a session before the person.
#[track_caller]
fn before_me(lent: &Lent, session: &str, message: &str) -> Sitting {
    let sitting = Sitting::at(lent, &["agent", "answer", session], 50, 110, &[]);
    sitting.below(&format!("scripted in session {session} asks:"), "digits jump");
    sitting.pty.wait_for(&format!("> {message}"));
    sitting
}

/// Takes a choice of the question.
#[track_caller]
fn takes(mut sitting: Sitting, choice: &str) {
    sitting.pty.send(choice);
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
}

/// Sees that a session waits for the person with just this.
#[track_caller]
fn waits(lent: &Lent, session: &str, message: &str) {
    let told = lent.told(&format!("status {session} --wait 60"));
    assert_eq!(told["wait"]["outcome"], "needs_person", "{told}");
    let seen = &told["session"];
    assert!(text(&seen["live"]["line"]).starts_with("scripted waits for your answer, "), "{seen}");
    assert_eq!((&seen["doing"], &seen["waits"][0]["words"]), (&json!("waits for you"), &json!(message)), "{seen}");
    let listed = lent.told("status");
    let waiting = listed["waiting"].as_array().unwrap();
    let ours: Vec<&Value> = waiting.iter().filter(|one| one["session"] == session).collect();
    assert_eq!(ours.len(), 1, "{listed}");
    assert_eq!(ours[0]["command"], format!("git grill agent answer {session}"));
}

#[test]
fn a18_a36_a_question_waits_until_the_person_answers_it_and_the_agent_gets_just_that() {
    if !walled() {
        return;
    }
    let request = |id: &str, message: &str| json!({"id": id, "method": "elicitation/create", "params": plain(message)});
    let url =
        json!({"sessionId": "scripted-session", "mode": "url", "url": "https://example.org", "message": "Log in"});
    let lent = Lent::playing(&json!({"turns": [
        [asks(&form("Which project?\u{1b}[2J")), {"say": "On with it."}],
        // Two at once: none hides the other.
        [{"together": [request("a", "The first?"), request("b", "The other?")]}, {"shell": "echo $ANSWER"}],
        [asks(&url)],
    ]}));
    lent.agrees(&["look"]);
    waits(&lent, "g1", "Which project?␛[2J");
    let list = lent.run("git grill agent status").assert_code(0).stdout().to_owned();
    let mut lines = list.lines();
    assert!(lines.next().unwrap().starts_with("! g1 scripted asks, for "), "{list}");
    assert_eq!(lines.next(), Some("  git grill agent answer g1"));
    // Only the person says it.
    lent.run("git grill agent answer g1").assert_code(3);
    lent.run("yes | git grill agent answer g1").assert_code(3);
    // Whoever leaves has said nothing.
    let mut sitting = before_me(&lent, "g1", "Which project?");
    sitting.pty.send("\x1b");
    sitting.ends_with(5);
    waits(&lent, "g1", "Which project?␛[2J");

    let mut sitting = before_me(&lent, "g1", "Which project?");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.below("1 of 1", "Esc leaves the agent's question open");
    sitting.pty.send("grill");
    sitting.pty.wait_for("› grill");
    sitting.pty.send(ENTER);
    let (code, screen) = sitting.end();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("question 1 of g1 was answered"), "{screen}");
    assert_eq!(ends(&lent.rests("g1")), ["t1 completed"]);
    let words = lent.words("g1", "t1");
    assert_eq!(answered(&words), [json!({"action": "accept", "content": {"project": "grill"}})]);
    assert!(words.ends_with("On with it."), "{words}");
    Sitting::at(&lent, &["agent", "answer", "g1"], 50, 110, &[]).ends_with(0);
    // That nothing is asked needs no person.
    lent.run("git grill agent answer g1")
        .assert_code(0)
        .assert_contains("scripted in session g1 asks nothing just now");
    lent.refused("answer g9", 6, "session_not_found");

    lent.sends("g1", "more");
    waits(&lent, "g1", "The first?");
    takes(before_me(&lent, "g1", "The first?"), "1");
    waits(&lent, "g1", "The other?");
    takes(before_me(&lent, "g1", "The other?"), "2");
    lent.rests("g1");
    assert!(lent.words("g1", "t2").contains("a=accept b=decline"), "{}", lent.words("g1", "t2"));

    // What cannot be shown is closed at once, and nobody waits for it.
    lent.sends("g1", "and more");
    assert_eq!(ends(&lent.rests("g1")), ["t1 completed", "t2 completed", "t3 completed"]);
    assert_eq!(answered(&lent.words("g1", "t3"))[0]["action"], "cancel");
    let records = lent.legal("g1");
    let told = recorded(&records);
    assert_eq!(told[..3], ["1 person project: grill", "2 person yes", "3 person declined"]);
    assert!(told[3].starts_with("4 policy it wants an address to be opened"), "{told:?}");
    assert_eq!(told.len(), 4, "{told:?}");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a18_a35_what_nobody_answers_and_what_is_cancelled_gets_one_answer_that_is_no_person_s() {
    if !walled() {
        return;
    }
    let turn = json!([asks(&form("Which project?")), {"say": "On with it."}]);
    let lent = Lent::playing(&json!({"turns": [turn, [{"say": "next"}]], "loaded": [[{"say": "again"}]]}));
    lent.run("git config grill.agent.askTimeout 1").assert_code(0);
    lent.agrees(&["look"]);
    wait_until("the end of the turn", || ends(&lent.session("g1")) == ["t1 completed"]);
    assert_eq!(answered(&lent.words("g1", "t1")), [json!({"action": "cancel"})]);
    assert!(lent.words("g1", "t1").ends_with("On with it."));
    assert_eq!(recorded(&lent.legal("g1")), ["1 nobody"]);
    lent.run("git config --unset grill.agent.askTimeout").assert_code(0);

    // The turn is cancelled while the question is open, and before the person.
    assert_eq!(lent.lends("look"), "g2");
    waits(&lent, "g2", "Which project?");
    let mut sitting = before_me(&lent, "g2", "Which project?");
    let cancelled = lent.told("cancel g2 t1");
    assert_eq!(ends(&cancelled["session"]), ["t1 cancelled"]);
    assert_eq!(cancelled["session"]["waits"], json!([]));
    wait_until("what the agent makes of it", || lent.words("g2", "t1").contains("elicitation/create: "));
    assert_eq!(answered(&lent.words("g2", "t1"))[0]["action"], "cancel");
    // The answer comes too late, and is void.
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.below("1 of 1", "Esc leaves the agent's question open");
    sitting.pty.send("late");
    sitting.pty.wait_for("› late");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("the answer was not taken: question 1 of g2 is not open");
    sitting.ends_with(1);
    assert_eq!(lent.sends("g2", "more"), "t2");
    lent.rests("g2");
    assert_eq!(lent.words("g2", "t2"), "next");
    assert_eq!(recorded(&lent.legal("g2")), ["1 cancelled"]);

    // The same of the whole session, and of one whose supervisor is killed.
    assert_eq!(lent.lends("look"), "g3");
    waits(&lent, "g3", "Which project?");
    lent.told("cancel g3");
    assert_eq!(recorded(&lent.legal("g3")), ["1 cancelled"]);
    assert_eq!(lent.lends("look"), "g4");
    waits(&lent, "g4", "Which project?");
    kill_process(lent.supervisor("g4"), Signal::KILL).unwrap();
    wait_until("the end of its agent", || ends(&lent.session("g4")) == ["t1 failed: supervisor_gone"]);
    assert_eq!(lent.told("status")["waiting"], json!([]));
    assert_eq!(recorded(&lent.legal("g4")), ["1 cancelled"]);
    for session in ["g1", "g2", "g4"] {
        lent.told(&format!("cancel {session}"));
    }
    lent.is_over();
}

#[test]
fn a10_a42_what_waits_is_listed_by_its_age_and_an_agent_without_work_ends_until_the_next_prompt() {
    if !walled() {
        return;
    }
    let lent = Lent::playing(&json!({"turns": [[{"say": "nothing to ask"}]]}));
    lent.run("git config grill.agent.idleTimeout 1").assert_code(0);
    lent.agrees(&["look"]);
    wait_until("the end of an agent without work", || !of_kind(&lent.records("g1"), "supervisor-left").is_empty());
    lent.is_over();
    assert_eq!(lent.legal("g1").last().unwrap()["event"], "supervisor-left");
    lent.run("git config --unset grill.agent.idleTimeout").assert_code(0);

    play(&lent, &json!({"turns": [[asks(&plain("The older?"))]], "loaded": [[asks(&plain("The newer?"))]]}));
    assert_eq!(lent.lends("look"), "g2");
    waits(&lent, "g2", "The older?");
    // Its agent is started again, and goes on with its own session.
    assert_eq!(lent.sends("g1", "go on"), "t2");
    waits(&lent, "g1", "The newer?");
    let opened = lent.records("g1");
    let openings: Vec<&str> = of_kind(&opened, "backend-opened").iter().map(|one| text(&one["opening"])).collect();
    assert_eq!(openings, ["new", "loaded"]);
    assert!(lent.wire("g1").contains("session/load"));
    let listed = lent.told("status");
    let order: Vec<&str> = listed["waiting"].as_array().unwrap().iter().map(|one| text(&one["words"])).collect();
    assert_eq!(order, ["The older?", "The newer?"]);
    for line in ["git grill agent status", "git grill status"] {
        let list = lent.run(line).stdout;
        let first: Vec<&str> = list.lines().take(4).collect();
        let expected =
            ["! g2 scripted asks", "  git grill agent answer g2", "! g1 scripted asks", "  git grill agent answer g1"];
        let is_first = first.len() == 4 && first.iter().zip(expected).all(|(line, begin)| line.starts_with(begin));
        assert!(is_first, "{line}: {list}");
    }
    takes(before_me(&lent, "g1", "The newer?"), "1");
    takes(before_me(&lent, "g2", "The older?"), "1");
    for session in ["g1", "g2"] {
        lent.rests(session);
        lent.legal(session);
        lent.told(&format!("cancel {session}"));
    }
    lent.is_over();
}

/// A line to a session's supervisor by a program of its own, and what came back; nothing where it was not answered.
const BY_HAND: &str = r#"use IO::Socket::UNIX; $SIG{PIPE} = "IGNORE"; my $s = IO::Socket::UNIX->new($ARGV[0]) or die "no: $!";
print $s "$ARGV[1]\n"; $s->flush; my $line = <$s>; print $line // "";"#;

#[test]
fn a11_a18_no_run_answers_a_question_at_the_supervisors_socket() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    play(&lent, &json!({"turns": [[asks(&form("Which project?"))]]}));
    lent.agrees(&["look"]);
    waits(&lent, "g1", "Which project?");
    lent.write("../by-hand.pl", BY_HAND);
    let answer = json!({"do": "answer", "number": 1, "reply": {"is": "declined"}});
    for asked in [answer, json!({"do": "look"}), json!({"do": "cancel", "turn": null}), json!({"do": "leave"})] {
        let line = format!("perl ../by-hand.pl .git/grill/agents/g1/socket '{asked}'");
        lent.run(&format!("git grill run -- {line}")).assert_code(0).assert_stdout("");
        // Its own verbs find no agents there either.
        lent.run("git grill run -- git grill agent status").assert_code(2);
    }
    waits(&lent, "g1", "Which project?");
    let look = json!({"do": "look"});
    let outside = lent.run(&format!("perl ../by-hand.pl .git/grill/agents/g1/socket '{look}'")).assert_code(0);
    assert!(outside.stdout().contains("\"is\":\"doing\""), "outside of a run it is answered: {}", outside.stdout());
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a18_a35_a_question_that_comes_when_its_turn_is_over_waits_for_nobody() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    let late = json!({"late": [until(&lent, "over"), asks(&form("Still there?"))]});
    play(&lent, &json!({"turns": [[{"say": "done"}, late], [{"say": "next"}]]}));
    lent.agrees(&["look"]);
    assert_eq!(ends(&lent.rests("g1")), ["t1 completed"]);
    lets(&lent, "over");
    wait_until("the answer", || !recorded(&lent.records("g1")).is_empty());
    assert_eq!(recorded(&lent.records("g1")), ["1 policy its turn was over"]);
    assert_eq!(lent.told("status")["waiting"], json!([]));
    lent.sends("g1", "more");
    assert_eq!(ends(&lent.rests("g1")), ["t1 completed", "t2 completed"]);
    lent.legal("g1");
    lent.told("cancel g1");
    lent.is_over();
}
