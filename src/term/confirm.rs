//! Yes or no, without a default: an Enter is no answer. dialoguer's own `Confirm` is not used because it leaves the
//! cursor hidden and ends the process when the person presses Ctrl-C.

use dialoguer::theme::Theme as _;

use super::fit::{cut, width, wrap};
use super::frame::{Foot, Frame, Rows};
use super::keys::Key;
use super::slash::{SlashLine, Took};
use super::theme::Theme;
use super::widget::{Size, Step, View, Widget};

const HELP: &str = "y or n, Esc cancels";
const LETTERS: &str = "y or n";

/// A question to be answered by yes or no.
#[derive(Clone, Debug)]
pub struct Confirm<'a> {
    question: &'a str,
    line: SlashLine,
    note: Option<String>,
}

impl<'a> Confirm<'a> {
    pub fn new(question: &'a str) -> Self {
        Self { question, line: SlashLine::default(), note: None }
    }
}

impl Widget for Confirm<'_> {
    type Value = bool;

    fn intro(&self, cols: usize, theme: &Theme) -> Vec<String> {
        wrap(self.question, cols).iter().map(|line| theme.strong(line)).collect()
    }

    fn key(&mut self, key: Key) -> Step<bool> {
        self.note = None;
        let of_a_line = self.line.key(key) != Took::Nothing;
        if let (Key::Char(letter), false) = (key, of_a_line) {
            match letter {
                'y' | 'Y' => return Step::Send(true),
                'n' | 'N' => return Step::Send(false),
                other => self.line.begin(other),
            }
        }
        if of_a_line || !self.line.text().is_empty() {
            self.note = Some(self.line.at_letters(LETTERS));
        } else if matches!(key, Key::Escape | Key::Close) {
            return Step::Cancel;
        } else if key == Key::Enter {
            self.note = Some(format!("there is no default: type {LETTERS}"));
        }
        Step::Stay
    }

    /// A letter typed for what stood there before decides as much as an Enter does elsewhere.
    fn decides(&self, key: Key) -> bool {
        matches!(key, Key::Enter | Key::Char(_))
    }

    fn held_back(&mut self, why: &'static str) {
        self.note = Some(why.to_owned());
    }

    fn view(&self, size: Size, theme: &Theme) -> View {
        let columns = size.usable();
        let mut line = String::new();
        theme.format_confirm_prompt(&mut line, "", None).expect("writing to a String cannot fail");
        let typed = self.line.text();
        let column = if typed.is_empty() {
            width(&line) + 1
        } else {
            line.push(' ');
            line.push_str(&cut(typed, columns, theme.ellipsis()));
            width(&line)
        };
        let foot = self.note.clone().map_or_else(|| Foot::keys(HELP), Foot::Warning);
        let list = Rows { blocks: vec![vec![line]], focus: 0, column };
        let above = self.intro(columns, theme).len();
        let frame = Frame { list, foot, ..Frame::default() };
        frame.asking(self.question, above, size, theme).view(size, theme)
    }

    fn outro(&self, value: &bool) -> String {
        if *value { "yes" } else { "no" }.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::testing::{assert_asks_in_sight, assert_fits_everywhere, picture};

    #[test]
    fn only_y_and_n_answer() {
        let mut confirm = Confirm::new("Go on?");
        assert_eq!(confirm.key(Key::Enter), Step::Stay);
        assert_eq!(picture(&confirm, 40, 5), ["› [y/n]", "there is no default: type y or n"]);
        assert_eq!(confirm.key(Key::Char('Y')), Step::Send(true));
        assert_eq!(confirm.key(Key::Char('n')), Step::Send(false));
        assert_eq!(confirm.key(Key::Escape), Step::Cancel);
        assert_fits_everywhere(&confirm);
    }

    #[test]
    fn q8_the_question_stays_in_sight_in_every_window() {
        for question in ["Go on?".to_owned(), "Write these three files? ".repeat(40)] {
            let mut confirm = Confirm::new(&question);
            for (cols, rows) in [(20, 2), (20, 3), (20, 5), (80, 4), (80, 8)] {
                assert_asks_in_sight(&confirm, &question, Size { cols, rows });
            }
            confirm.key(Key::Enter);
            for (cols, rows) in [(20, 3), (20, 5), (80, 4), (80, 8)] {
                assert_asks_in_sight(&confirm, &question, Size { cols, rows });
            }
        }
        let question = "Write these three files?";
        assert_eq!(picture(&Confirm::new(question), 20, 2), ["Write these three…", "› [y/n]"]);
        assert_eq!(picture(&Confirm::new(question), 20, 4), ["› [y/n]", "y or n, Esc cancels"]);
    }

    #[test]
    fn g30_no_letter_of_a_line_says_yes() {
        let mut confirm = Confirm::new("Go on?");
        for line in ["/why", "okay", " n"] {
            for key in line.chars() {
                assert_eq!(confirm.key(Key::Char(key)), Step::Stay, "{line}");
            }
            let typed = format!("› [y/n] {line}");
            let note = "no verbs or words here: Enter or Esc clears them, then y or n".to_owned();
            assert_eq!(picture(&confirm, 80, 5), [typed, note]);
            assert_fits_everywhere(&confirm);
            assert_eq!(confirm.key(Key::Enter), Step::Stay);
            assert_eq!(picture(&confirm, 80, 5)[1], "that decided nothing: type y or n");
        }
        assert_eq!(confirm.key(Key::Char('n')), Step::Send(false));
    }
}
