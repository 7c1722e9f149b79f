//! What an agent is told of the plan when a conversation begins, after compaction and with each turn (P21), however large
//! the plan is.

use super::progress::{Tally, counted};
use super::{State, Step};
use crate::domain::harmless::harmless;
use crate::domain::text::within;

/// The most characters of a brief.
pub const LONGEST: usize = 1_000;
/// The most characters of the current step.
const CURRENT: usize = 400;
/// The most characters of a step that comes after it.
const LATER: usize = 80;
/// The most characters of a note.
const NOTE: usize = 200;
/// The characters that are kept free for the news of what was cut.
const NEWS: usize = 130;

/// What an agent has to know of the plan now; none where plan mode is off and no plan is carried out.
pub fn brief(plan: &State) -> Option<String> {
    let text = if plan.is_executing() {
        let tally = Tally::of(plan);
        match tally.current.and_then(|number| Some((number, plan.step(number)?))) {
            Some((number, step)) => executing(plan, tally, number, step),
            None => format!(
                "Every step of the user's plan is {}: {}. Report what you did. Change nothing more until the user \
                 asks for it.",
                if tally.is_all_finished() { "finished" } else { "marked" },
                tally.in_words()
            ),
        }
    } else if !plan.notes.is_empty() {
        let mode = if plan.is_on() { planning(0) } else { String::new() };
        noted(plan, &mode)
    } else if plan.is_on() {
        planning(plan.steps.len())
    } else {
        return None;
    };
    Some(text)
}

/// The question for marks, for the turn after one that did work and marked nothing; none where no step is open.
pub fn ask_once(plan: &State) -> Option<String> {
    let current = Tally::of(plan).current.filter(|_| plan.is_executing())?;
    Some(format!(
        "Your last turn did work and marked no step of the plan. Which steps are done? Call grill_step_done for each of \
         them; without that tool, write [DONE:{current}] with the step's number. If none is done, say so and go on."
    ))
}

fn planning(steps: usize) -> String {
    let mut text = "Plan mode is on: this repository is read-only, and git grill refuses every change. Do not look for a \
                    way around it. Read and search, then present a plan as a numbered list under a line `Plan:`, or call \
                    grill_set_plan with its steps. A step names the files that it changes, and may name a command that \
                    checks it, as `check: <command>`. Only the user turns plan mode off, and only the user starts the \
                    execution of a plan."
        .to_owned();
    if steps > 0 {
        let set =
            format!(" A plan of {} waits for the user. To change it, hand in the whole plan again.", counted(steps));
        text.push_str(&set);
    }
    text
}

/// The notes on the plan, which are answered before anything else (P23).
fn noted(plan: &State, behind: &str) -> String {
    let mut text =
        "The user read your plan and wrote notes on its steps. Answer them first: call grill_set_plan with a whole \
                    new plan.\n"
            .to_owned();
    let mut room = LONGEST.saturating_sub(length(&text) + length(behind) + NEWS);
    let (mut told, mut shortened) = (0, 0);
    for note in &plan.notes {
        let (line, is_short) = cut(note.text.as_str(), NOTE);
        let line = format!("Note on step {}: {line}\n", note.step);
        if length(&line) > room {
            break;
        }
        room -= length(&line);
        (told, shortened) = (told + 1, shortened + is_short);
        text.push_str(&line);
    }
    if told < plan.notes.len() || shortened > 0 {
        text.push_str("(git grill plan show shows all of them in full.)\n");
    }
    text + behind
}

fn executing(plan: &State, tally: Tally, number: u32, step: &Step) -> String {
    let head = format!(
        "The user approved a plan of {}; carry it out in this order, and do nothing that no step asks for. {}.\n",
        counted(tally.steps),
        tally.in_words()
    );
    let tail = format!(
        "When a step is done, call grill_step_done with its number; without that tool, write [DONE:{number}]. A mark is \
         a claim: the step is done once a file that it names has changed, or its check has passed."
    );
    let (current, mut shortened) = shown(step, CURRENT);
    let mut text = format!("{head}Current step {number}: {current}\n");
    let mut room = LONGEST.saturating_sub(length(&text) + length(&tail) + NEWS);
    let mut listed = 0;
    let later = plan.numbered().filter(|(other, step)| *other != number && !step.is_marked());
    for (other, step) in later {
        let (line, is_short) = shown(step, LATER);
        let line = format!("{other}. {line}\n");
        if length(&line) > room {
            break;
        }
        room -= length(&line);
        shortened += is_short;
        listed += 1;
        text.push_str(&line);
    }
    let unlisted = tally.open().saturating_sub(listed + 1);
    text.push_str(&news(shortened, unlisted));
    text.push_str(&tail);
    text
}

/// The news of what was cut: steps that are not listed, and texts that are shortened.
fn news(shortened: usize, unlisted: usize) -> String {
    let unlisted = (unlisted > 0).then(|| format!("{} more, not listed here", counted(unlisted)));
    let shortened = (shortened > 0).then(|| format!("{shortened} shortened here"));
    let cut: Vec<String> = unlisted.into_iter().chain(shortened).collect();
    if cut.is_empty() { String::new() } else { format!("({}; git grill todos shows all in full.)\n", cut.join("; ")) }
}

/// The text of a step on one line of at most so many characters, and 1 if it was shortened, else 0.
fn shown(step: &Step, most: usize) -> (String, usize) {
    cut(step.text.as_str(), most)
}

fn cut(text: &str, most: usize) -> (String, usize) {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let flat = harmless(&flat);
    if length(&flat) <= most {
        return (flat.into_owned(), 0);
    }
    (within(&flat, most), 1)
}

fn length(text: &str) -> usize {
    text.chars().count()
}
