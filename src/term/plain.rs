//! Prompts as plain lines: the question and its numbered choices printed once, then one line read. For terminals that
//! cannot move the cursor, for screen readers, and for scripts that drive a terminal.

use std::borrow::Cow;
use std::cell::RefCell;

use super::fit::wrap;
use super::signals::Signals;
use super::tty::{Tty, Woken};
use crate::app::prompt::{Choice, ManyPrompt, Prompted, ReplyPrompt};

/// After so many lines that answer nothing the prompt gives up, as if it had been closed.
const MAX_ASKS: usize = 20;
/// A line longer than this is cut; a terminal in line mode takes less than that.
const MAX_LINE: usize = 64 * 1024;

/// What a line said.
pub type Understood<T> = Result<T, Cow<'static, str>>;

/// Reads a line that was typed.
pub type Understand<'a, T> = Box<dyn Fn(&str) -> Understood<T> + 'a>;

/// A question in plain lines, and how its answer is understood.
pub struct PlainPrompt<'a, T> {
    /// Lines printed once.
    pub text: String,
    /// What stands before the cursor.
    pub lead: &'static str,
    /// Text from before that is still unsent when this prompt is closed. What stands in the terminal's own line when a
    /// signal comes cannot be read by anybody.
    pub draft: String,
    /// Reads the line; an error is printed and the line asked for again.
    pub understand: Understand<'a, T>,
}

/// Asks in plain lines. The terminal stays in line mode, so erasing and echo are its own.
pub fn ask<T>(tty: &Tty, signals: &Signals, prompt: &PlainPrompt<'_, T>) -> Prompted<T> {
    let _caught = signals.catch();
    let prompted = lines(tty, signals, prompt);
    if matches!(prompted, Prompted::Lost { .. }) {
        signals.is_gone();
    }
    prompted
}

fn lines<T>(tty: &Tty, signals: &Signals, prompt: &PlainPrompt<'_, T>) -> Prompted<T> {
    let draft = || prompt.draft.clone();
    if tty.show(&prompt.text).is_err() {
        return Prompted::Lost { draft: draft() };
    }
    for _ in 0..MAX_ASKS {
        if tty.show(prompt.lead).is_err() {
            return Prompted::Lost { draft: draft() };
        }
        let line = match read_line(tty, signals) {
            Line::Typed(line) => line,
            // The shell's next line must not begin behind ours.
            Line::Closed => {
                tty.show("\n").ok();
                return Prompted::Cancelled { draft: draft() };
            }
            Line::Interrupted => {
                tty.show("\n").ok();
                return Prompted::Interrupted { draft: draft() };
            }
            Line::Gone => return Prompted::Lost { draft: draft() },
        };
        match (prompt.understand)(&line) {
            Ok(value) => return Prompted::Answered(value),
            Err(why) if tty.show(&format!("{why}\n")).is_err() => {
                return Prompted::Lost { draft: line };
            }
            Err(_) => {}
        }
    }
    Prompted::Cancelled { draft: draft() }
}

enum Line {
    Typed(String),
    Closed,
    Interrupted,
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
            Woken::Gone => return Line::Gone,
        }
    }
}

/// A reply in plain lines: a typed line is the reply.
pub fn reply(prompt: &ReplyPrompt, columns: usize) -> PlainPrompt<'_, String> {
    let mut text = paragraph(&prompt.heading, columns) + &paragraph(&prompt.question, columns);
    text += &numbered(&prompt.choices, columns);
    text += &paragraph(&prompt.status, columns);
    text += &paragraph(&prompt.help, columns);
    if !prompt.draft.trim().is_empty() {
        text += &unsent(&prompt.draft, columns);
        text.push('\n');
    }
    let lead = if prompt.choices.is_empty() { "reply> " } else { "number or reply> " };
    // What an empty line sends: the draft, or the alternative whose number was typed.
    let standing = RefCell::new(prompt.draft.clone());
    let understand = move |line: &str| {
        if line.trim().is_empty() && !standing.borrow().trim().is_empty() {
            return Ok(standing.borrow().clone());
        }
        let number = line.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match number.and_then(|at| prompt.choices.get(at)) {
            Some(choice) if choice.value != line.trim() => {
                choice.value.clone_into(&mut standing.borrow_mut());
                Err(unsent(&choice.value, columns).into())
            }
            Some(_) | None => said(line),
        }
    };
    PlainPrompt { text, lead, draft: prompt.draft.clone(), understand: Box::new(understand) }
}

fn unsent(text: &str, columns: usize) -> String {
    paragraph(&format!("not sent yet: {text}"), columns) + "Enter alone sends that"
}

/// One of the choices in plain lines.
pub fn choose<'a>(question: &str, choices: &'a [Choice], columns: usize) -> PlainPrompt<'a, usize> {
    let text = paragraph(question, columns) + &numbered(choices, columns);
    PlainPrompt { text, lead: "number> ", draft: String::new(), understand: Box::new(|line| one_of(line, choices)) }
}

/// Several of the choices in plain lines.
pub fn choose_many(prompt: &ManyPrompt, columns: usize) -> PlainPrompt<'_, Vec<usize>> {
    let text = paragraph(&prompt.question, columns) + &numbered(&prompt.choices, columns);
    let understand = Box::new(|line: &str| several_of(line, prompt));
    PlainPrompt { text, lead: "numbers, all or none> ", draft: String::new(), understand }
}

/// Yes or no in plain lines.
pub fn confirm(question: &str, columns: usize) -> PlainPrompt<'static, bool> {
    PlainPrompt {
        text: paragraph(question, columns),
        lead: "yes or no> ",
        draft: String::new(),
        understand: Box::new(yes_or_no),
    }
}

fn said(line: &str) -> Understood<String> {
    if line.trim().is_empty() {
        return Err("an empty line is no reply; Ctrl-D closes".into());
    }
    Ok(line.to_owned())
}

fn one_of(line: &str, choices: &[Choice]) -> Understood<usize> {
    let line = line.trim();
    let by_number = line.parse::<usize>().ok().filter(|number| (1..=choices.len()).contains(number));
    let named = |choice: &Choice| choice.value == line || choice.label.eq_ignore_ascii_case(line);
    let by_name = || choices.iter().position(named);
    by_number.map(|number| number - 1).or_else(by_name).ok_or("that is none of the numbers; Ctrl-D closes".into())
}

fn several_of(line: &str, prompt: &ManyPrompt) -> Understood<Vec<usize>> {
    let count = prompt.choices.len();
    let mut chosen: Vec<usize> = match line.trim().to_ascii_lowercase().as_str() {
        "" => {
            return Err("numbers with blanks or commas between them, all, or none; Ctrl-D closes".into());
        }
        "all" => (0..count).collect(),
        "none" => Vec::new(),
        numbers => numbers
            .split([' ', ','])
            .filter(|number| !number.is_empty())
            .map(|number| one_of(number, &prompt.choices))
            .collect::<Understood<_>>()?,
    };
    chosen.sort_unstable();
    chosen.dedup();
    if chosen.len() < prompt.at_least.min(count) {
        return Err("that is too few; Ctrl-D closes".into());
    }
    Ok(chosen)
}

fn yes_or_no(line: &str) -> Understood<bool> {
    match line.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Ok(true),
        "n" | "no" => Ok(false),
        _ => Err("there is no default: yes or no; Ctrl-D closes".into()),
    }
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
    use crate::app::prompt::Reveal;
    use crate::term::testing::choices;

    #[test]
    fn a_choice_is_named_by_number_value_or_label() {
        let choices = choices(3);
        let rows = [
            ("2", Ok(1)),
            (" 3 ", Ok(2)),
            ("value two", Ok(1)),
            ("Choice Two", Ok(1)),
            ("0", Err(())),
            ("4", Err(())),
            ("", Err(())),
        ];
        for (line, expected) in rows {
            assert_eq!(one_of(line, &choices).map_err(|_| ()), expected, "{line:?}");
        }
    }

    #[test]
    fn several_are_numbers_in_any_order_without_repeats() {
        let prompt = ManyPrompt { question: String::new(), choices: choices(4), at_least: 1 };
        let rows = [
            ("3, 1 3", Ok(vec![0, 2])),
            ("all", Ok(vec![0, 1, 2, 3])),
            ("none", Err(())),
            ("1 9", Err(())),
            ("", Err(())),
        ];
        for (line, expected) in rows {
            assert_eq!(several_of(line, &prompt).map_err(|_| ()), expected, "{line:?}");
        }
    }

    #[test]
    fn nothing_but_yes_and_no_confirms() {
        assert_eq!(yes_or_no("Yes"), Ok(true));
        assert_eq!(yes_or_no("n"), Ok(false));
        assert!(yes_or_no("").is_err() && yes_or_no("yep").is_err());
    }

    #[test]
    fn the_lines_hold_everything_and_no_escape_sequence() {
        let prompt = ReplyPrompt {
            reveal: Reveal::AtOnce,
            heading: "question 1".to_owned(),
            question: "Where\u{1b}[2J?".to_owned(),
            choices: choices(1),
            draft: "half a".to_owned(),
            status: "interview".to_owned(),
            keys: "Tab".to_owned(),
            help: "/help".to_owned(),
        };
        let expected = "question 1\nWhere␛[2J?\n1. choice one (recommended)\n   why one would take it\n\
                        interview\n/help\nnot sent yet: half a\nEnter alone sends that\n";
        let plain = reply(&prompt, 40);
        assert_eq!(plain.text, expected);
        assert_eq!((plain.understand)(""), Ok("half a".to_owned()), "Enter alone sends what stands there");
        assert_eq!((plain.understand)("another"), Ok("another".to_owned()));
        let shown = (plain.understand)("1").expect_err("a number is shown before it is sent");
        assert!(shown.starts_with("not sent yet: value one\n"), "{shown}");
        assert_eq!((plain.understand)(""), Ok("value one".to_owned()));
    }
}
