//! Yes or no, without a default: an Enter is no answer. dialoguer's own `Confirm` is not used because it leaves the
//! cursor hidden and ends the process when the person presses Ctrl-C.

use dialoguer::theme::Theme as _;

use super::fit::{cut, width, wrap};
use super::keys::Key;
use super::theme::Theme;
use super::widget::{Size, Step, View, Widget};

const HELP: &str = "y or n, Esc cancels";

/// A question to be answered by yes or no.
#[derive(Clone, Debug)]
pub struct Confirm<'a> {
    question: &'a str,
    note: Option<&'static str>,
}

impl<'a> Confirm<'a> {
    /// Opens the question.
    pub fn new(question: &'a str) -> Self {
        Self { question, note: None }
    }
}

impl Widget for Confirm<'_> {
    type Value = bool;

    fn intro(&self, cols: usize, theme: &Theme) -> Vec<String> {
        wrap(self.question, cols).iter().map(|line| theme.strong(line)).collect()
    }

    fn key(&mut self, key: Key) -> Step<bool> {
        if matches!(key, Key::Char('y' | 'Y')) {
            return Step::Send(true);
        }
        if matches!(key, Key::Char('n' | 'N')) {
            return Step::Send(false);
        }
        if matches!(key, Key::Escape | Key::Close) {
            return Step::Cancel;
        }
        self.note = (key == Key::Enter).then_some("there is no default: type y or n");
        Step::Stay
    }

    fn view(&self, size: Size, theme: &Theme) -> View {
        let columns = size.usable();
        let mut line = String::new();
        theme.format_confirm_prompt(&mut line, "", None).expect("writing to a String cannot fail");
        let help = match self.note {
            Some(note) => theme.warning(&cut(note, columns, theme.ellipsis())),
            None => theme.muted(&cut(HELP, columns, theme.ellipsis())),
        };
        let cursor = (0, width(&line) + 1);
        View { lines: vec![line, help], cursor }.within(size)
    }

    fn outro(&self, value: &bool) -> String {
        if *value { "yes" } else { "no" }.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::testing::{assert_fits_everywhere, picture};

    #[test]
    fn only_y_and_n_answer() {
        let mut confirm = Confirm::new("Go on?");
        assert_eq!(confirm.key(Key::Enter), Step::Stay);
        assert_eq!(picture(&confirm, 40, 5), ["› [y/n]", "there is no default: type y or n"]);
        assert_eq!(confirm.key(Key::Char('x')), Step::Stay);
        assert_eq!(confirm.key(Key::Char('Y')), Step::Send(true));
        assert_eq!(confirm.key(Key::Char('n')), Step::Send(false));
        assert_eq!(confirm.key(Key::Escape), Step::Cancel);
        assert_fits_everywhere(&confirm);
    }
}
