//! Who asks changes in the middle of a session, from the terminal that leads and from another one: nothing that was
//! answered is lost, and an agent that comes back is told what happened meanwhile (G56).

use serde_json::{Value, json};

use super::refereed::prompts;
use super::story::{deeds, walled};
use super::terminals::{agent_processes, agents};
use super::{
    ESCAPE, agent, answers, asks, at_the_second_question, decides, goes_on, knows, play, scripted, started, takes_first,
};
use crate::bench::{Bench, wait_until};
use crate::conversation::Sitting;
use crate::pty::shows;

/// What the agent plays, whether it begins a conversation or goes on with one.
fn either(turns: &[Value]) -> Value {
    json!({ "turns": turns, "loaded": turns })
}

/// The first words of the open question, which the built-in interviewer asks.
fn asked_for(sitting: &Sitting) -> String {
    let screen = sitting.pty.screen();
    let below = screen.rsplit_once("question 3 ·").map(|(_, below)| below).unwrap_or_default();
    let text = below.lines().skip(1).map(str::trim).find(|line| !line.is_empty());
    text.unwrap_or_else(|| panic!("no question stands there:\n{screen}")).to_owned()
}

/// The agent that came back was told what it asked before, what the built-in interviewer asked, and both answers.
fn knows_what_happened(bench: &Bench) {
    let prompts = prompts(bench);
    let [told] = &prompts[..] else { panic!("{prompts:#?}") };
    for words in ["3 questions: 3 answered", "Q: Second?", "the user): our customers"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let deeds = deeds(bench);
    let asked: Vec<&str> = deeds.lines().filter(|deed| deed.contains(" ask q-")).collect();
    let by = ["agent:scripted", "agent:scripted", "system", "agent:scripted"];
    assert_eq!(asked.len(), by.len(), "{deeds}");
    assert!(asked.iter().zip(by).all(|(deed, by)| deed.starts_with(by)), "{deeds}");
    assert_eq!(deeds.lines().filter(|deed| deed.starts_with("human answer q-")).count(), 3, "{deeds}");
}

#[test]
fn g56_agent_built_in_agent_by_the_verb_at_the_terminal_that_leads() {
    if !walled() {
        return;
    }
    let (bench, mut sitting) = at_the_second_question();
    sitting.pty.send("/interviewer built-in\r");
    // The agent's question stays the one that is open.
    sitting.below("✓ interviewer built-in", "Second?");
    wait_until("the end of the agent", || agents(&bench) == 0);
    takes_first(&mut sitting, "✓ interviewer built-in");
    sitting.below("question 3 ·", "Tab alternatives");
    play(&bench, &either(&[goes_on("Back again?")]));
    let question = asked_for(&sitting);
    sitting.pty.send("/interviewer scripted\r");
    // The yes was given for this session, and the question stands there in full again.
    sitting.below("✓ interviewer agent:scripted", &question);
    sitting.below("✓ interviewer agent:scripted", "Tab alternatives");
    answers(&mut sitting, "our customers");
    sitting.below("question 4 ·", "digits jump");
    knows_what_happened(&bench);
}

#[test]
fn g56_agent_built_in_agent_from_a_second_terminal_while_one_leads() {
    if !walled() {
        return;
    }
    let (bench, mut first) = at_the_second_question();
    bench.run("git grill interviewer built-in").assert_code(0);
    first.below("scripted was ended: the interviewer was changed elsewhere", "digits jump");
    wait_until("the end of the agent that leads no more", || agents(&bench) == 0);
    decides(&mut first, "1", "question 3 ·");
    first.below("question 3 ·", "Tab alternatives");
    play(&bench, &either(&[goes_on("Back again?")]));
    let question = asked_for(&first);
    let second = Sitting::at(&bench, &["interviewer", "scripted"], 50, 100, &[]);
    second.ends_with(0);
    first.below("the interviewer was changed elsewhere: agent:scripted asks from here on", &question);
    first.below("the interviewer was changed elsewhere: agent:scripted", "Tab alternatives");
    first.pty.send("our customers");
    first.pty.wait_for("› our customers");
    decides(&mut first, "", "question 4 ·");
    first.below("question 4 ·", "digits jump");
    assert_eq!(agents(&bench), 1);
    knows_what_happened(&bench);
}

#[test]
fn g56_while_the_agent_thinks_another_terminal_has_the_built_in_interviewer_ask() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?"), [{"sleep": 600_000}]]}));
    let mut first = started(&bench);
    takes_first(&mut first, "question 1 ·");
    first.pty.wait_for("scripted thinks");
    bench.run("git grill interviewer built-in").assert_code(0);
    first.below("question 2 ·", "Tab alternatives");
    wait_until("the end of the agent that leads no more", || agents(&bench) == 0);
}

#[test]
fn g55_who_asks_already_is_said_and_the_agent_that_leads_goes_on() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?"), goes_on("Second?")]}));
    let mut first = started(&bench);
    first.below("question 1 ·", "digits jump");
    let before = agent_processes(&bench);
    for typed in ["agent:scripted", "scripted"] {
        let said = bench.run(&format!("git grill interviewer {typed}"));
        said.assert_code(0).assert_stdout("the interviewer is agent:scripted already; nothing changes\n");
        // The same at a terminal, where nobody is asked for consent.
        let second = Sitting::at(&bench, &["interviewer", typed], 50, 100, &[]);
        let (code, screen) = second.end();
        assert!(code == 0 && shows(&screen, "is agent:scripted already"), "{screen}");
    }
    assert_eq!(agent_processes(&bench), before);
    takes_first(&mut first, "question 1 ·");
    first.below("question 2 ·", "digits jump");
    assert_eq!(agent_processes(&bench), before, "it was neither ended nor started anew");
    // One name everywhere: at a terminal, where none is, and in what status tells.
    let (_, screen) = Sitting::at(&bench, &["interviewer"], 50, 100, &[]).end();
    assert_eq!(screen.trim(), "agent:scripted");
    bench.run("git grill interviewer").assert_code(0).assert_stdout("agent:scripted\n");
    bench.run("git grill status").assert_contains("interviewer  agent:scripted");
}

#[test]
fn a11_a_yes_for_a_session_is_asked_for_again_in_the_next_one_and_when_it_sees_more() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?")], "loaded": [goes_on("Second?")]}));
    let sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    sitting.pause();
    let asked = |words: &str, is_asked: bool| {
        bench.run("git grill interviewer built-in").assert_code(0);
        bench.run(words).assert_code(0);
        let mut sitting = Sitting::at(&bench, &["interviewer", "scripted"], 50, 100, &[]);
        if is_asked {
            sitting.below("as the interviewer?", "digits jump");
            sitting.pty.send(ESCAPE);
        }
        let (_, screen) = sitting.end();
        assert_eq!(shows(&screen, "as the interviewer?"), is_asked, "{screen}");
    };
    asked("true", false);
    asked("git grill research auto", true);
    asked("git grill research off", false);
    // Another program under the same name.
    asked("git config --global --replace-all grill.agent.scripted.command /bin/true", true);
    // A record that was not made here is none, whatever it says.
    let back = "cp -r .git/grill/agreed ../copied && git config --global --unset-all grill.agent.scripted.command";
    bench.run(back).assert_code(0);
    knows(&bench, "scripted", &agent());
    asked("rm -r .git/grill/agreed && cp -r ../copied .git/grill/agreed", true);
    bench.run("git grill interviewer built-in").assert_code(0);
    bench.run("git grill stop --without-output && test ! -e .git/grill/agreed").assert_code(0);
}
