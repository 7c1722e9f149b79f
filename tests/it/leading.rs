//! An agent that git grill starts leads the interview: the real program on a terminal, the scripted agent behind the
//! sandbox's walls, and what is recorded of it.

mod back;
mod behind;
mod changes;
mod chosen;
mod consent;
mod doctor;
mod early;
mod failing;
mod found_again;
mod hasty;
mod held;
mod hostile;
mod killed;
mod measured;
mod outdated;
mod outputs;
mod overdue;
mod peer;
mod planned;
mod preflight;
mod prose;
mod real;
mod refereed;
mod replied;
mod servers;
mod stormy;
pub mod story;
mod summed;
mod talked;
mod terminals;
mod told;
mod unruly;
mod unseen;
mod whole;
mod wired;
mod within;
mod without;
mod writers;

pub use killed::repository;
pub use story::walled;
pub use terminals::agent_processes;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::bench::{Bench, program_of_an_account, wait_until};
use crate::conversation::Sitting;
use crate::pty::shows;

/// Our tools are missed after a moment, where an agent is to be seen that does not start them.
const SOON_MISSED: [(&str, &str); 1] = [("GRILL_TEST_GREETING", "200")];

/// What a prompt that came by itself says to a key that would decide it and came too soon.
const TOO_SOON: &str = "that key was not for it";

pub const ENTER: &str = "\r";
pub const ESCAPE: &str = "\x1b";

/// The scripted agent, which stands beside the program for accounts.
pub fn agent() -> PathBuf {
    program_of_an_account().with_file_name("scripted-agent")
}

/// A world whose account knows the agent `scripted`, which plays this.
pub fn scripted(script: &Value) -> Bench {
    let bench = Bench::on_disk(Bench::new);
    bench.with_account();
    play(&bench, script);
    knows(&bench, "scripted", &agent());
    bench
}

/// Has the account know this program as an agent, which plays what the world's script says.
fn knows(bench: &Bench, name: &str, program: &Path) {
    let command = format!("{} --script {}", program.display(), bench.root().join("script.json").display());
    bench.global_config(&format!("[grill \"agent.{name}\"]\n\tcommand = {command}\n"));
}

/// What the agent plays when it is started the next time.
pub fn play(bench: &Bench, script: &Value) {
    std::fs::write(bench.root().join("script.json"), script.to_string()).unwrap();
}

/// A step at which the agent waits until [`lets`] it go on.
pub fn until(bench: &Bench, what: &str) -> Value {
    json!({"until": bench.root().join(what)})
}

/// Lets the agent go on behind the step that waits for this.
pub fn lets(bench: &Bench, what: &str) {
    std::fs::write(bench.root().join(what), "").unwrap();
}

/// What the agent wrote under this name into the temporary folder of its run, which is no part of the repository.
fn jotted(bench: &Bench, name: &str) -> String {
    let runs = std::fs::read_dir(bench.root().join("tmp")).into_iter().flatten().flatten();
    runs.filter_map(|run| std::fs::read_to_string(run.path().join("tmp").join(name)).ok()).collect()
}

/// Waits until git grill has refused the permission that the agent asks for: whatever it sent before was taken in by then.
fn refuses(bench: &Bench) {
    let log = bench.repo().join(".git/grill/agents/scripted.log");
    wait_until("the answer to what it asks for", || {
        std::fs::read_to_string(&log).is_ok_and(|log| {
            log.contains("\"optionId\":\"no\",\"outcome\":\"selected\"")
                || log.contains("\"outcome\":\"selected\",\"optionId\":\"no\"")
        })
    });
}

fn asks(question: &str) -> Value {
    json!([{"tool": "ask_question", "arguments": {"question": question, "options": [{"label": "yes"}, {"label": "no"}]}}])
}

/// A turn that brings the checkpoint up to date, and asks this.
fn goes_on(question: &str) -> Value {
    let mut turn = asks(question);
    let markdown = format!("# Rate limiting\n\n- Before: {question}\n");
    let update =
        json!({"tool": "grill_update_checkpoint", "arguments": {"markdown": markdown, "changeSummary": "more"}});
    turn.as_array_mut().unwrap().insert(0, update);
    turn
}

/// A turn of these steps, and then of those of another one.
fn then(steps: &[Value], turn: &Value) -> Value {
    steps.iter().chain(turn.as_array().unwrap()).cloned().collect()
}

/// Answers in these words.
fn answers(sitting: &mut Sitting, words: &str) {
    sitting.pty.send(words);
    sitting.pty.wait_for(&format!("› {words}"));
    sitting.pty.send(ENTER);
}

/// Takes the first choice of a list, below this heading.
fn takes_first(sitting: &mut Sitting, heading: &str) {
    sitting.below(heading, "digits jump");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
}

/// A turn that brings the checkpoint up to date and offers the output selection.
fn offers(markdown: &str) -> Value {
    json!([
        {"tool": "grill_update_checkpoint", "arguments": {"markdown": markdown, "changeSummary": "what is told"}},
        {"tool": "grill_enter_output_selection_phase", "arguments": {
            "question": "Which output?", "readinessRationale": "Nothing is left that would change the plan.",
            "recommendedOutputs": ["design-doc"], "recommendedStrategy": "vertical-slices",
            "alternatives": [
                {"value": "select design-doc", "label": "A design", "description": "a page", "recommended": true},
                {"value": "continue", "label": "More", "description": "more questions"}]}}])
}

/// Chooses the design document at the output selection, as far as its draft.
fn chooses_the_design(sitting: &mut Sitting) {
    sitting.below("output selection", "Tab choices");
    sitting.pty.send("\t");
    sitting.pty.wait_for("› select design-doc");
    decides(sitting, "", "[y/n]");
    sitting.below("Produce design-doc", "[y/n]");
    sitting.pty.send("y");
    sitting.below("Write exactly this as docs/design/", "[y/n]");
}

/// Approves the draft that is shown, and ends the session.
fn writes_and_stops(mut sitting: Sitting) {
    sitting.pty.send("y");
    sitting.below("✓ wrote docs/design/", "Tab choices");
    sitting.pty.send("stop");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
}

/// Sends these keys and Enter to a prompt that may have come by itself, in the place of one that was taken back, and waits
/// until this shows. Such a prompt is decided only by a person who has paused.
#[track_caller]
fn decides(sitting: &mut Sitting, keys: &str, then: &str) {
    decides_until(sitting, keys, then, |screen| shows(screen, then));
}

/// The same until this holds.
#[track_caller]
fn decides_until(sitting: &mut Sitting, keys: &str, wanted: &str, holds: impl Fn(&str) -> bool) {
    sitting.pty.send(keys);
    sitting.pty.send(ENTER);
    sitting.pty.wait_until(wanted, |screen| holds(screen) || shows(screen, TOO_SOON));
    if !holds(&sitting.pty.screen()) {
        // A person's pause.
        std::thread::sleep(Duration::from_millis(1_200));
        sitting.pty.send(keys);
        sitting.pty.send(ENTER);
    }
    sitting.pty.wait_until(wanted, holds);
}

/// Starts with the agent, and agrees to it.
fn started(bench: &Bench) -> Sitting {
    started_with(bench, &[])
}

/// The same with these variables.
fn started_with(bench: &Bench, variables: &[(&str, &str)]) -> Sitting {
    let words = ["start", "--research", "off", "--interviewer", "scripted", "add rate limiting"];
    let mut sitting = Sitting::at(bench, &words, 50, 100, variables);
    agree(&mut sitting);
    sitting
}

/// An interview whose agent has one answer and asks for the next.
fn at_the_second_question() -> (Bench, Sitting) {
    let bench = scripted(&json!({"turns": [asks("First?"), goes_on("Second?")]}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("question 2 ·", "digits jump");
    (bench, sitting)
}

fn agree(sitting: &mut Sitting) {
    sitting.pty.wait_for("as the interviewer?");
    sitting.pty.wait_for("digits jump");
    sitting.pty.send(ENTER);
}
