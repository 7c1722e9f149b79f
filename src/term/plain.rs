//! Prompts as plain lines: the question and its numbered choices printed once, then one line read. For terminals that
//! cannot move the cursor, for screen readers, and for scripts that drive a terminal.

use std::borrow::Cow;

use super::fit::wrap;
use super::signals::Signals;
use super::sure::{NEW_LINE, Sure};
use super::tty::{Tty, Woken};
use crate::app::prompt::{Choice, Prompted};
use crate::domain::harmless::one_line;

pub mod form;
pub mod lists;
pub mod pick;
pub mod reply;

/// After so many lines that answer nothing the prompt gives up, as if it had been closed.
const MAX_ASKS: usize = 20;
/// A line longer than this is cut; a terminal in line mode takes less than that.
const MAX_LINE: usize = 64 * 1024;

/// What is said where the line one types answers nothing any more.
const SETTLED: &str = "\nthis was settled elsewhere; Enter goes on, and what you began to type answers nothing\n";

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineOutcome<T> {
    Answer(T),
    /// A step towards it; this is printed and a line read again.
    Next(String),
    /// Nothing that could be followed; this is printed and a line read again.
    Again(Cow<'static, str>),
}

/// A question in plain lines, and how its answer is understood.
pub trait Plain {
    type Value;
    /// Lines printed once.
    fn text(&self) -> String;
    /// What stands before the cursor.
    fn lead(&self) -> &'static str;
    fn understand(&mut self, line: &str) -> LineOutcome<Self::Value>;
    /// What is printed where a line came too soon to be meant for this question, and decided nothing. `goes_on` says that
    /// it is the rest of one that was begun before.
    fn too_soon(&mut self, line: &str, _goes_on: bool) -> String {
        too_soon(line)
    }
    /// Text that is unsent when this prompt is closed now. What stands in the terminal's own line when a signal comes
    /// cannot be read by anybody.
    fn draft(&self) -> String {
        String::new()
    }
}

/// Asks in plain lines. The terminal stays in line mode, so erasing and echo are its own. With `half`, the first line was
/// begun before the question was printed, and is not meant for it whenever it ends.
pub fn ask<P: Plain>(tty: &Tty, signals: &Signals, prompt: &mut P, sure: Sure, half: bool) -> Prompted<P::Value> {
    let caught = signals.catch();
    let prompted = lines(tty, signals, prompt, sure, half);
    if matches!(prompted, Prompted::Lost { .. }) {
        signals.is_gone();
    }
    caught.ended(prompted)
}

fn lines<P: Plain>(tty: &Tty, signals: &Signals, prompt: &mut P, mut sure: Sure, mut half: bool) -> Prompted<P::Value> {
    if tty.show(&prompt.text()).is_err() {
        return Prompted::Lost { draft: prompt.draft() };
    }
    let mut in_vain = 0;
    while in_vain < MAX_ASKS {
        if tty.show(prompt.lead()).is_err() {
            return Prompted::Lost { draft: prompt.draft() };
        }
        let line = match read_line(tty, signals) {
            Line::Typed(line) => line,
            // The shell's next line must not begin behind ours.
            Line::Closed => {
                tty.show("\n").ok();
                return Prompted::Cancelled { draft: prompt.draft() };
            }
            Line::Interrupted => {
                tty.show("\n").ok();
                return Prompted::Interrupted { draft: prompt.draft() };
            }
            Line::Late => {
                tty.show("\n").ok();
                return Prompted::TimedOut { draft: prompt.draft() };
            }
            Line::Settled => return settled(tty, signals, &prompt.draft()),
            Line::Gone => return Prompted::Lost { draft: prompt.draft() },
        };
        let goes_on = std::mem::take(&mut half);
        let follows = sure.follows(true) && !goes_on;
        let outcome =
            if follows { prompt.understand(&line) } else { LineOutcome::Next(prompt.too_soon(&line, goes_on)) };
        let (told, unsent) = match outcome {
            LineOutcome::Answer(value) => return Prompted::Answered(value),
            LineOutcome::Next(text) => {
                in_vain = 0;
                (text, prompt.draft())
            }
            LineOutcome::Again(why) => {
                in_vain += 1;
                (format!("{why}\n"), line)
            }
        };
        if tty.show(&told).is_err() {
            return Prompted::Lost { draft: unsent };
        }
    }
    Prompted::Cancelled { draft: prompt.draft() }
}

/// Says that a line came too soon, and which.
fn too_soon(line: &str) -> String {
    if line.trim().is_empty() { format!("{NEW_LINE}\n") } else { format!("{NEW_LINE}: {}\n", one_line(line)) }
}

/// What is asked was settled elsewhere. What stands half typed in the terminal's own line cannot be seen, and would be
/// sent to the next question: it is waited for, and counts as typed and not sent.
fn settled<T>(tty: &Tty, signals: &Signals, draft: &str) -> Prompted<T> {
    if tty.show(SETTLED).is_err() {
        return Prompted::Lost { draft: draft.to_owned() };
    }
    let with =
        |line: &str| [draft, line].iter().filter(|text| !text.is_empty()).copied().collect::<Vec<_>>().join("\n");
    let Ok(tty) = tty.unwatched() else { return Prompted::Lost { draft: draft.to_owned() } };
    match read_line(&tty, signals) {
        Line::Typed(line) => Prompted::TimedOut { draft: with(&line) },
        Line::Closed | Line::Late | Line::Settled => Prompted::TimedOut { draft: draft.to_owned() },
        Line::Interrupted => Prompted::Interrupted { draft: draft.to_owned() },
        Line::Gone => Prompted::Lost { draft: draft.to_owned() },
    }
}

enum Line {
    Typed(String),
    Settled,
    Closed,
    Interrupted,
    Late,
    Gone,
}

fn read_line(tty: &Tty, signals: &Signals) -> Line {
    let mut line = Vec::new();
    loop {
        match tty.wait(signals, None) {
            Woken::Bytes(bytes) => {
                line.extend_from_slice(&bytes);
                line.truncate(MAX_LINE);
                if bytes.contains(&b'\n') || line.len() == MAX_LINE {
                    let text = String::from_utf8_lossy(&line);
                    return Line::Typed(text.split('\n').next().unwrap_or_default().trim_end_matches('\r').to_owned());
                }
            }
            // Ctrl-D behind a text only hands the text over; the second one closes.
            Woken::Closed => return Line::Closed,
            Woken::Quiet | Woken::Redraw => {}
            Woken::End => return Line::Interrupted,
            Woken::Late if tty.is_out_of_time() => return Line::Late,
            Woken::Late => return Line::Settled,
            Woken::Gone => return Line::Gone,
        }
    }
}

/// The choice that a line names by number, exact value or label.
fn one_of(line: &str, choices: &[Choice]) -> Option<usize> {
    let line = line.trim();
    let by_number = line.parse::<usize>().ok().filter(|number| (1..=choices.len()).contains(number));
    let named = |choice: &Choice| choice.value == line || choice.label.eq_ignore_ascii_case(line);
    by_number.map(|number| number - 1).or_else(|| choices.iter().position(named))
}

fn paragraph(text: &str, columns: usize) -> String {
    if text.is_empty() {
        return String::new();
    }
    wrap(text, columns).join("\n") + "\n"
}

fn numbered(choices: &[Choice], columns: usize) -> String {
    let mut text = String::new();
    for (at, choice) in choices.iter().enumerate() {
        let recommended = if choice.recommended { " (recommended)" } else { "" };
        text += &paragraph(&format!("{}. {}{recommended}", at + 1, choice.label), columns);
        for line in choice.description.iter().flat_map(|why| wrap(why, columns.saturating_sub(3).max(1))) {
            text.push_str("   ");
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::testing::choices;

    #[test]
    fn a_choice_is_named_by_number_value_or_label() {
        let choices = choices(3);
        let rows = [
            ("2", Some(1)),
            (" 3 ", Some(2)),
            ("value two", Some(1)),
            ("Choice Two", Some(1)),
            ("0", None),
            ("4", None),
            ("", None),
        ];
        for (line, expected) in rows {
            assert_eq!(one_of(line, &choices), expected, "{line:?}");
        }
    }
}
