//! A whole interview that an agent leads, and what it cannot do meanwhile.

use serde_json::{Value, json};

use super::{ENTER, ESCAPE, agree, asks, goes_on, lets, play, scripted, started, takes_first};
use crate::bench::{Bench, wait_until};
use crate::conversation::Sitting;
use crate::sandbox::leftovers::{mark, marked};

const NO_WALLS: &str = "an interview that an agent leads, since this kernel builds no walls";

/// Whether walls can be built here; where not, the test says that it is skipped.
pub fn walled() -> bool {
    let told = Bench::on_disk(Bench::new).run("git-grill sandbox-probe");
    let has = told.stdout.contains("mounts\t") && !told.stdout.contains("no mounts");
    if !has {
        eprintln!("skipped: {NO_WALLS}");
    }
    has
}

/// Subjects of the session's commits with who made them, the oldest first.
pub(super) fn deeds(bench: &Bench) -> String {
    let format = "%(trailers:key=Grill-Actor,valueonly,separator=%x20) %s";
    let log = format!("git log --reverse --format='{format}' --glob='refs/grill/sessions/*'");
    bench.run(&log).assert_code(0).stdout().to_owned()
}

#[test]
fn g55_g67_an_agent_leads_from_the_first_question_to_the_gate() {
    if !walled() {
        return;
    }
    let behind = |bench: &Bench| bench.repo().join("behind.txt");
    let script = |bench: &Bench| -> Value {
        let write = behind(bench);
        json!({"turns": [
            [
                {"does": {"title": "Read README.md", "kind": "read", "locations": [{"path": bench.repo().join("README.md")}]},
                 "until": bench.root().join("seen")},
                {"write": write},
                {"permission": {"kind": "edit", "title": "Write it"}, "write_anyway": write},
                {"tool": "grill_set_alternatives", "asks": true, "arguments": {
                    "question": "Who is counted?",
                    "alternatives": [
                        {"value": "by account", "label": "Account", "description": "fair", "recommended": true},
                        {"value": "by address", "label": "Address", "description": "works before a login"}]}},
                // It goes on, and would close the question with its own words.
                {"tool": "grill_update_checkpoint", "arguments": {"markdown": "# Hijacked\n", "changeSummary": "hijacked"}},
                {"tool": "grill_record_answer", "arguments": {"answer": "hijacked"}},
                {"tool": "ask_question", "arguments": {"question": "Hijacked?", "options": [{"label": "a"}, {"label": "b"}]}},
                {"stderr": "all was tried"},
            ],
            [
                {"tool": "grill_update_checkpoint", "arguments": {
                    "markdown": "# Rate limiting\n\n- Limits count by account.\n", "changeSummary": "who is counted"}},
                {"tool": "ask_question", "arguments": {
                    "question": "What is over the limit told?", "options": [{"label": "429"}, {"label": "a queue"}]}},
            ],
            [
                {"tool": "grill_update_checkpoint", "arguments": {
                    "markdown": "# Rate limiting\n\n- Limits count by account.\n- Over the limit: 429.\n",
                    "changeSummary": "what is told"}},
                {"tool": "grill_enter_output_selection_phase", "arguments": {
                    "question": "Which output?", "readinessRationale": "Nothing is left that would change the plan.",
                    "recommendedOutputs": ["design-doc"], "recommendedStrategy": "vertical-slices",
                    "alternatives": [
                        {"value": "select design-doc", "label": "A design", "description": "a page", "recommended": true},
                        {"value": "continue", "label": "More", "description": "more questions"}]}},
            ],
        ]})
    };
    let bench = scripted(&json!({}));
    play(&bench, &script(&bench));
    let mut sitting = started(&bench);
    sitting.pty.wait_for("scripted reads README.md");
    sitting.pty.wait_for("Esc pauses, Tab shows the steps");
    lets(&bench, "seen");
    sitting.below("question 1 ·", "Tab alternatives");
    // Once the question is answered, it may change the checkpoint.
    let log = bench.repo().join(".git/grill/agents/scripted.log");
    wait_until("what it tries", || std::fs::read_to_string(&log).is_ok_and(|log| log.contains("all was tried")));
    sitting.pty.send("by account, and by token");
    sitting.pty.wait_for("› by account, and by token");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("+ - Limits count by account.");
    takes_first(&mut sitting, "question 2 ·");
    sitting.pty.wait_for("+ - Over the limit: 429.");
    sitting.below("output selection", "Tab choices");
    sitting.pty.send("stop");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);

    assert!(!behind(&bench).exists(), "nothing is written behind our back");
    let deeds = deeds(&bench);
    for (who, what) in [
        ("agent:scripted", "ask q-"),
        ("human", "answer q-"),
        ("agent:scripted", "checkpoint: who is counted"),
        ("agent:scripted", "open the output selection"),
        ("human", "stop"),
    ] {
        assert!(deeds.lines().any(|deed| deed.starts_with(&format!("{who} {what}"))), "{who} {what}:\n{deeds}");
    }
    assert!(!deeds.to_lowercase().contains("hijacked"), "{deeds}");
    assert!(!deeds.lines().any(|deed| deed.starts_with("agent:scripted answer")), "only the person answers:\n{deeds}");
}

#[test]
fn a31_a32_the_steps_show_its_plan_what_is_unknown_and_what_it_reports() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let mut turn = json!([
        {"update": {"sessionUpdate": "plan", "entries": [
            {"content": "Read the code", "status": "completed", "priority": "low"},
            {"content": "Ask the user", "status": "pending", "priority": "high"}]}},
        {"update": {"sessionUpdate": "hologram"}},
        {"update": {"sessionUpdate": "usage_update", "used": 120, "size": 258_400}},
        {"until": bench.root().join("seen")},
    ]);
    turn.as_array_mut().unwrap().extend(asks("First?").as_array().unwrap().clone());
    play(&bench, &json!({"turns": [turn]}));
    let mut sitting = started(&bench);
    sitting.pty.wait_for("scripted works through its plan, 1 of 2");
    sitting.pty.send("\t");
    for step in [
        "plan, done: Read the code (low priority)",
        "plan, to do: Ask the user (high priority)",
        "sent what git grill does not know (1): hologram",
        "reports 120 of 258400 tokens in context",
    ] {
        sitting.pty.wait_for(step);
    }
    lets(&bench, "seen");
    sitting.below("question 1 ·", "digits jump");
}

#[test]
fn g55_esc_pauses_and_next_goes_on_with_the_agent_s_own_session() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [[{"sleep": 600_000}]], "loaded": [asks("After the pause?")]}));
    let mut sitting = started(&bench);
    sitting.pty.wait_for("scripted thinks");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    let sitting = Sitting::at(&bench, &["next"], 50, 100, &[]);
    sitting.pty.wait_for("After the pause?");
    drop(sitting);
    // Nothing of it is left running: whoever looks is named as well, and what was killed may take a moment.
    let look = format!("pgrep -f {} || true", bench.root().join("script.json").display());
    wait_until("the end of what the agent ran", || bench.run(&look).stdout.lines().count() <= 2);
}

#[test]
fn g37_what_an_agent_detached_ends_with_the_conversation() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let mark = mark(&bench);
    let detach = format!(
        "exec >/dev/null 2>&1 </dev/null; setsid sleep {mark} & (setsid sh -c '(setsid nohup sleep {mark} &) & sleep {mark}' &)"
    );
    play(&bench, &json!({"turns": [[{"shell": detach}, asks("First?")[0]]]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    wait_until("the start of what it detached", || marked(&mark).len() >= 3);
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    assert_eq!(marked(&mark), Vec::<i32>::new());
    // And when git grill is killed in the middle of it.
    let bench = scripted(&json!({"turns": [[{"shell": detach}, asks("First?")[0]]]}));
    let sitting = started(&bench);
    wait_until("the start of what it detached", || marked(&mark).len() >= 3);
    drop(sitting);
    wait_until("the end of what it detached", || marked(&mark).is_empty());
}

#[test]
fn g67_what_the_person_said_reaches_the_agent_in_their_words() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?"), [{"say": "$PROMPT"}], goes_on("Second?")]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    // What the person said reaches the agent in their words, with the question.
    sitting.pty.wait_for("The user answered: no");
    sitting.pty.wait_for("It is recorded");
    sitting.below("question 2 ·", "digits jump");
}

#[test]
fn a11_without_a_terminal_nothing_is_started() {
    let bench = scripted(&json!({"turns": []}));
    let said = bench.run("git grill start --interviewer scripted 'rate limiting'");
    said.assert_code(3).assert_contains("starting an agent as the interviewer");
    bench.run("git grill status").assert_contains("no session is active");
}

#[test]
fn a_session_from_elsewhere_and_a_repository_s_own_word_start_nothing() {
    let bench = scripted(&json!({"turns": [asks("Started?")]}));
    // As a session that another clone led: it says who asked, and was not chosen here.
    bench.run("git grill start --research off --interviewer agent:scripted 'rate limiting'").assert_code(0);
    let sitting = Sitting::at(&bench, &["next"], 30, 100, &[]);
    sitting.ends_with(0);
    bench.run("git grill stop --without-output").assert_code(0);
    bench.run("git config grill.agent.evil.command 'touch ../started'").assert_code(0);
    bench.run("git config grill.interviewer evil").assert_code(0);
    let sitting = Sitting::at(&bench, &["start", "--interviewer", "evil", "x"], 30, 100, &[]);
    sitting.pty.wait_for("there is no agent 'evil'");
    sitting.ends_with(2);
    let said = bench.run("git grill start --research off 'another one'");
    said.assert_code(0).assert_contains("grill.interviewer = evil").assert_contains("is ignored");
    assert!(!bench.root().join("started").exists());
}

#[test]
fn the_interviewer_changes_in_the_middle_of_a_session() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [goes_on("From the agent?")]}));
    let mut sitting = Sitting::at(&bench, &["start", "--research", "off", "add rate limiting"], 50, 100, &[]);
    sitting.below("question 1 ·", "Tab alternatives");
    sitting.pty.send("/interviewer scripted\r");
    agree(&mut sitting);
    sitting.below("question 1 ·", "Tab alternatives");
    sitting.pty.send("our customers\r");
    // The checkpoint that is shown before has the question, too.
    sitting.below("question 2 ·", "digits jump");
    sitting.pty.send(ESCAPE);
    let (_, screen) = sitting.end();
    assert!(screen.contains("From the agent?"), "{screen}");
    let said = bench.run("git grill interviewer");
    assert!(said.stdout.contains("agent:scripted"), "{}", said.stdout);
}
