//! One letter of several, without a default: an Enter is no answer, as with yes or no. What begins with anything else is
//! a line of which no letter decides (G30).

use super::fit::{cut, width, wrap};
use super::frame::{Foot, Frame, Rows};
use super::keys::Key;
use super::slash::{SlashLine, Took};
use super::theme::Theme;
use super::widget::{Size, Step, View, Widget};
use crate::app::prompt::Lettered;

const HELP: &str = "one letter, Esc cancels";

/// A question to be answered by a letter.
#[derive(Clone, Debug)]
pub struct Press<'a> {
    question: &'a str,
    choices: &'a [Lettered],
    line: SlashLine,
    note: Option<String>,
}

impl<'a> Press<'a> {
    /// Opens the question.
    pub fn new(question: &'a str, choices: &'a [Lettered]) -> Self {
        Self { question, choices, line: SlashLine::default(), note: None }
    }
}

/// The letters in brackets.
pub fn letters(choices: &[Lettered]) -> String {
    let all: Vec<String> = choices.iter().map(|choice| choice.letter.to_string()).collect();
    format!("[{}]", all.join("/"))
}

/// The choice with this letter, in either case.
pub fn with_letter(letter: char, choices: &[Lettered]) -> Option<usize> {
    let letter = letter.to_ascii_lowercase();
    choices.iter().position(|choice| choice.letter == letter)
}

impl Widget for Press<'_> {
    type Value = usize;

    fn intro(&self, cols: usize, theme: &Theme) -> Vec<String> {
        wrap(self.question, cols).iter().map(|line| theme.strong(line)).collect()
    }

    fn key(&mut self, key: Key) -> Step<usize> {
        self.note = None;
        let of_a_line = self.line.key(key) != Took::Nothing;
        if let (Key::Char(letter), false) = (key, of_a_line) {
            if let Some(index) = with_letter(letter, self.choices) {
                return Step::Send(index);
            }
            self.line.begin(letter);
        }
        if of_a_line || !self.line.text().is_empty() {
            self.note = Some(self.line.at_letters(&format!("one of {}", letters(self.choices))));
        } else if matches!(key, Key::Escape | Key::Close) {
            return Step::Cancel;
        } else if key == Key::Enter {
            self.note = Some("there is no default: type one of the letters".to_owned());
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
        let lead = format!("{} {} {}", theme.pointer(), letters(self.choices), self.line.text());
        let lead = cut(lead.trim_end(), columns, theme.ellipsis());
        let column = width(&lead) + usize::from(self.line.text().is_empty());
        let mut blocks = vec![vec![theme.answer(&lead)]];
        for choice in self.choices {
            blocks.push(vec![cut(&format!("  {}  {}", choice.letter, choice.label), columns, theme.ellipsis())]);
        }
        let foot = self.note.clone().map_or_else(|| Foot::keys(HELP), Foot::Warning);
        let above = self.intro(columns, theme).len();
        let frame = Frame { list: Rows { blocks, focus: 0, column }, foot, ..Frame::default() };
        frame.asking(self.question, above, size, theme).view(size, theme)
    }

    fn outro(&self, value: &usize) -> String {
        self.choices[*value].label.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::testing::{assert_asks_in_sight, assert_fits_everywhere, picture};

    #[test]
    fn only_a_letter_answers_and_enter_says_so() {
        let choices = [Lettered::of('y', "write it"), Lettered::of('n', "not now")];
        let mut press = Press::new("Write it?", &choices);
        assert_eq!(picture(&press, 40, 6), ["› [y/n]", "  y  write it", "  n  not now", HELP]);
        assert_eq!(press.key(Key::Enter), Step::Stay);
        assert_eq!(picture(&press, 60, 6)[3], "there is no default: type one of the letters");
        assert_eq!(press.key(Key::Char('N')), Step::Send(1));
        assert_eq!(press.key(Key::Char('y')), Step::Send(0));
        assert_eq!(press.key(Key::Escape), Step::Cancel);
        assert_fits_everywhere(&press);
    }

    #[test]
    fn q8_the_question_stays_in_sight_in_every_window() {
        let choices = ['y', 'e', 'd', 'n'].map(|letter| Lettered::of(letter, "what it does"));
        for question in ["Write it?".to_owned(), "Write exactly this? ".repeat(40)] {
            let mut press = Press::new(&question, &choices);
            for (cols, rows) in [(20, 2), (20, 3), (20, 5), (20, 6), (80, 8)] {
                assert_asks_in_sight(&press, &question, Size { cols, rows });
            }
            press.key(Key::Enter);
            for (cols, rows) in [(20, 3), (20, 5), (20, 6), (80, 8)] {
                assert_asks_in_sight(&press, &question, Size { cols, rows });
            }
        }
        let press = Press::new("Write it?", &choices);
        let expected = ["Write it?", "› [y/e/d/n]", "  y  what it does", "  …", "one letter, Esc…"];
        assert_eq!(picture(&press, 20, 5), expected);
    }

    #[test]
    fn g30_a_letter_decides_and_one_that_was_held_back_is_explained() {
        let choices = [Lettered::of('y', "write it")];
        let mut press = Press::new("Write it?", &choices);
        assert!(press.decides(Key::Char('y')) && press.decides(Key::Enter) && !press.decides(Key::Escape));
        press.held_back("too early");
        assert_eq!(picture(&press, 40, 6)[2], "too early");
    }

    #[test]
    fn g30_no_letter_of_a_line_decides() {
        let choices = [Lettered::of('y', "write it"), Lettered::of('n', "not now")];
        let mut press = Press::new("Write it?", &choices);
        for line in ["/why", "x y", " y", "whyn"] {
            for key in line.chars() {
                assert_eq!(press.key(Key::Char(key)), Step::Stay, "{line}");
            }
            let lines = picture(&press, 80, 6);
            assert_eq!(lines[0], format!("› [y/n] {line}"));
            assert_eq!(lines[3], "no verbs or words here: Enter or Esc clears them, then one of [y/n]");
            assert_fits_everywhere(&press);
            let end = if line == "/why" { Key::Escape } else { Key::Enter };
            assert_eq!(press.key(end), Step::Stay, "it ends the line, not the prompt");
            assert_eq!(picture(&press, 80, 6)[3], "that decided nothing: type one of [y/n]");
        }
        assert_eq!(press.key(Key::Char('y')), Step::Send(0));
    }
}
