//! Choosing one of a list (Q4): Up and Down do not wrap, digits jump, Enter selects, Esc cancels.

use super::fit::wrap;
use super::frame::{Foot, Frame, Rows};
use super::keys::Key;
use super::listing::{Row, Tick, choice_lines};
use super::slash::{REFUSED, SlashLine, Took};
use super::theme::Theme;
use super::widget::{Size, Step, View, Widget};
use crate::app::prompt::Choice;

const HELP: &str = "Up/Down move, digits jump, Enter selects, Esc cancels";

/// How far a page key goes.
const PAGE: usize = 5;

/// A place in a list, moved by keys. Shared with the checklist.
#[derive(Clone, Debug)]
pub struct Place {
    at: usize,
    rows: usize,
    /// Digits typed one after the other: `1` then `2` is row 12 where there is one.
    digits: usize,
}

impl Place {
    pub fn first_of(rows: usize) -> Self {
        Self { at: 0, rows, digits: 0 }
    }

    /// The row, counted from 0.
    pub fn row(&self) -> usize {
        self.at
    }

    /// Goes to this row, or to the last one.
    pub fn go(&mut self, row: usize) {
        self.at = row.min(self.rows.saturating_sub(1));
        self.digits = 0;
    }

    /// Moves, if the key is one that moves.
    pub fn follow(&mut self, key: Key) {
        let last = self.rows.saturating_sub(1);
        let typed = std::mem::take(&mut self.digits);
        match key {
            Key::Up | Key::BackTab => self.at = self.at.saturating_sub(1),
            Key::Down | Key::Tab => self.at = (self.at + 1).min(last),
            Key::PageUp => self.at = self.at.saturating_sub(PAGE),
            Key::PageDown => self.at = (self.at + PAGE).min(last),
            Key::Home => self.at = 0,
            Key::End => self.at = last,
            Key::Char(character) => self.jump(typed, character),
            Key::Enter
            | Key::Newline
            | Key::Backspace
            | Key::Delete
            | Key::Left
            | Key::Right
            | Key::WordLeft
            | Key::WordRight
            | Key::EraseWord
            | Key::EraseToStart
            | Key::EraseToEnd
            | Key::Escape
            | Key::Close
            | Key::Interrupt
            | Key::Suspend
            | Key::Redraw
            | Key::PlanMode => {}
        }
    }

    fn jump(&mut self, typed: usize, character: char) {
        let Some(digit) = character.to_digit(10).and_then(|digit| usize::try_from(digit).ok()) else {
            return;
        };
        let candidates = [typed.saturating_mul(10).saturating_add(digit), digit];
        if let Some(number) = candidates.into_iter().find(|number| (1..=self.rows).contains(number)) {
            self.at = number - 1;
            self.digits = number;
        }
    }
}

/// A list from which one entry is taken.
#[derive(Clone, Debug)]
pub struct Picker<'a> {
    question: &'a str,
    choices: &'a [Choice],
    place: Place,
    line: SlashLine,
    note: Option<&'static str>,
}

impl<'a> Picker<'a> {
    /// Opens the list on its first entry.
    pub fn new(question: &'a str, choices: &'a [Choice]) -> Self {
        Self { question, choices, place: Place::first_of(choices.len()), line: SlashLine::default(), note: None }
    }
}

impl Widget for Picker<'_> {
    type Value = usize;

    fn intro(&self, cols: usize, theme: &Theme) -> Vec<String> {
        wrap(self.question, cols).iter().map(|line| theme.strong(line)).collect()
    }

    fn key(&mut self, key: Key) -> Step<usize> {
        let took = self.line.key(key);
        self.note = matches!(took, Took::Line(_)).then_some(REFUSED);
        match (took, key) {
            (Took::Key | Took::Line(_), _) => {}
            (Took::Nothing, Key::Enter) => return Step::Send(self.place.row()),
            (Took::Nothing, Key::Escape | Key::Close) => return Step::Cancel,
            (Took::Nothing, Key::Char('/')) => self.line.begin('/'),
            (Took::Nothing, _) => self.place.follow(key),
        }
        Step::Stay
    }

    fn held_back(&mut self, why: &'static str) {
        self.note = Some(why);
    }

    fn view(&self, size: Size, theme: &Theme) -> View {
        let columns = size.usable();
        let count = self.choices.len();
        let blocks = self.choices.iter().enumerate().map(|(at, choice)| {
            let row = if at == self.place.row() { Row::Here } else { Row::Elsewhere };
            choice_lines(choice, (at + 1, count), (row, Tick::None), columns, theme)
        });
        let list = Rows { blocks: blocks.collect(), focus: self.place.row(), column: 0 };
        let above = self.intro(columns, theme).len();
        let foot = match self.line.shown().or_else(|| self.note.map(str::to_owned)) {
            Some(warning) => Foot::Warning(warning),
            None => Foot::keys(HELP),
        };
        let frame = Frame { list, foot, ..Frame::default() };
        frame.asking(self.question, above, size, theme).view(size, theme)
    }

    fn outro(&self, value: &usize) -> String {
        format!("{}. {}", value + 1, self.choices[*value].label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::testing::{assert_asks_above_its_list, assert_fits_everywhere, choices, picture};

    fn press(picker: &mut Picker<'_>, keys: &[Key]) -> Vec<Step<usize>> {
        keys.iter().map(|key| picker.key(*key)).collect()
    }

    #[test]
    fn up_and_down_stop_at_the_ends() {
        let choices = choices(3);
        let mut picker = Picker::new("Which?", &choices);
        press(&mut picker, &[Key::Up]);
        assert_eq!(picker.key(Key::Enter), Step::Send(0));
        press(&mut picker, &[Key::Down; 5]);
        assert_eq!(picker.key(Key::Enter), Step::Send(2));
    }

    #[test]
    fn digits_jump_also_to_rows_with_two_digits() {
        let choices = choices(12);
        let mut picker = Picker::new("Which?", &choices);
        press(&mut picker, &[Key::Char('7')]);
        assert_eq!(picker.key(Key::Enter), Step::Send(6));
        press(&mut picker, &[Key::Char('1'), Key::Char('2')]);
        assert_eq!(picker.key(Key::Enter), Step::Send(11));
        press(&mut picker, &[Key::Char('9'), Key::Char('0'), Key::Char('x')]);
        assert_eq!(picker.key(Key::Enter), Step::Send(8));
    }

    #[test]
    fn escape_and_control_d_cancel() {
        let choices = choices(2);
        assert_eq!(Picker::new("Which?", &choices).key(Key::Escape), Step::Cancel);
        assert_eq!(Picker::new("Which?", &choices).key(Key::Close), Step::Cancel);
    }

    #[test]
    fn g11_a_verb_takes_no_entry() {
        let choices = choices(3);
        let mut picker = Picker::new("Which?", &choices);
        let steps = press(&mut picker, &[Key::Char('/'), Key::Char('3'), Key::Escape, Key::Char('/'), Key::Enter]);
        assert_eq!(steps, [Step::Stay, Step::Stay, Step::Stay, Step::Stay, Step::Stay]);
        assert_eq!(picture(&picker, 60, 10).last().expect("one"), REFUSED);
        assert_eq!(picker.key(Key::Enter), Step::Send(0));
    }

    #[test]
    fn it_looks_like_a_numbered_list() {
        let choices = choices(2);
        let mut picker = Picker::new("Which?", &choices);
        press(&mut picker, &[Key::Down]);
        assert_eq!(
            picture(&picker, 60, 10),
            [
                "  1. choice one (recommended)",
                "     why one would take it",
                "› 2. choice two",
                "     why one would take it",
                HELP,
            ]
        );
    }

    #[test]
    fn q8_the_question_stands_above_a_list_that_fills_the_window() {
        let choices = choices(40);
        for question in ["Which?".to_owned(), "Which of these? ".repeat(200)] {
            let mut picker = Picker::new(&question, &choices);
            assert_asks_above_its_list(&picker, &question);
            press(&mut picker, &[Key::End]);
            assert_asks_above_its_list(&picker, &question);
        }
    }

    #[test]
    fn it_fits_every_window() {
        let choices = choices(12);
        let mut picker = Picker::new("Which?", &choices);
        assert_fits_everywhere(&picker);
        press(&mut picker, &[Key::End]);
        assert_fits_everywhere(&picker);
    }
}
