//! A line where none is taken, such as a verb that is typed at letters or at a list (G11). From its first character to
//! the Enter or Esc that ends it, its characters are text and no keys.

use super::edit::Editor;
use super::keys::Key;
use crate::app::prompt::Slash;

/// The line that [`super::keys::Key::PlanMode`] is short for (P14).
pub const PLAN_MODE: &str = "/plan";

/// The warning when that key is pressed in a line that is not empty.
pub const TYPED_ALREADY: &str = "plan mode did not change: Alt-P toggles it in an empty line";

/// What is said of a line that nobody serves.
pub const REFUSED: &str = "no verb is taken here, and nothing was sent";

/// What is said of words of one's own that look like one.
pub const REFUSED_WORDS: &str =
    "no verb is taken here, and nothing was sent; with a blank before the / it is an answer";

/// Words of one's own as they are sent, trimmed; `None` where they are refused. A blank before the `/` makes an answer of
/// what is no verb, such as a path; it stays where somebody has still to tell the two apart.
pub fn own_words(text: &str, slash: Slash) -> Option<String> {
    let words = text.trim();
    let after_a_blank = text.starts_with(char::is_whitespace);
    match slash {
        _ if !words.starts_with('/') => Some(words.to_owned()),
        Slash::Verb if after_a_blank => Some(format!(" {words}")),
        Slash::Refused if !after_a_blank => None,
        Slash::Verb | Slash::Refused => Some(words.to_owned()),
    }
}

/// A line that was begun; an empty one is none.
#[derive(Clone, Debug, Default)]
pub struct SlashLine {
    editor: Editor,
}

/// What a key was to a [`SlashLine`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Took {
    /// No line stands: the key is the prompt's own.
    Nothing,
    /// A part of the line.
    Key,
    /// The Enter that ended this line.
    Line(String),
}

impl SlashLine {
    pub fn begin(&mut self, typed: char) {
        self.editor.press(Key::Char(typed));
    }

    pub fn text(&self) -> &str {
        self.editor.text()
    }

    pub fn clear(&mut self) {
        self.editor.set("");
    }

    /// What stands below a list while a line stands.
    pub fn shown(&self) -> Option<String> {
        (!self.text().is_empty()).then(|| format!("{} · Enter ends this line, Esc clears it", self.text()))
    }

    /// Takes pasted text, if a line stands.
    pub fn paste(&mut self, text: &str) -> bool {
        let stands = !self.text().is_empty();
        if stands {
            self.editor.insert(&text.replace(['\n', '\r'], " "));
        }
        stands
    }

    /// Takes a key, if a line stands.
    pub fn key(&mut self, key: Key) -> Took {
        if self.text().is_empty() {
            return Took::Nothing;
        }
        if key == Key::Enter {
            return Took::Line(std::mem::take(&mut self.editor).text().to_owned());
        }
        if key == Key::Escape {
            self.clear();
        } else if key != Key::Newline {
            self.editor.press(key);
        }
        Took::Key
    }

    /// What is said where only `letters` decide, after a key of such a line.
    pub fn at_letters(&self, letters: &str) -> String {
        if self.text().is_empty() {
            format!("that decided nothing: type {letters}")
        } else {
            format!("no verbs or words here: Enter or Esc clears them, then {letters}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q5_words_that_begin_with_a_slash_are_an_answer_behind_a_blank_alone() {
        for (text, slash, sent) in [
            (" mine ", Slash::Refused, Some("mine")),
            ("/why", Slash::Refused, None),
            (" /etc is read ", Slash::Refused, Some("/etc is read")),
            ("/why ", Slash::Verb, Some("/why")),
            ("  /etc is read ", Slash::Verb, Some(" /etc is read")),
            (" mine ", Slash::Verb, Some("mine")),
        ] {
            assert_eq!(own_words(text, slash).as_deref(), sent, "{text:?}");
        }
    }

    #[test]
    fn g11_a_line_lasts_until_enter_or_escape_or_until_nothing_is_left_of_it() {
        let mut line = SlashLine::default();
        assert_eq!(line.key(Key::Char('w')), Took::Nothing);
        assert_eq!(line.key(Key::Enter), Took::Nothing);
        line.begin('/');
        for key in [Key::Char('w'), Key::Char('y'), Key::Newline, Key::Tab, Key::Close, Key::Backspace, Key::Char('h')]
        {
            assert_eq!(line.key(key), Took::Key, "{key:?}");
        }
        assert_eq!(line.key(Key::Enter), Took::Line("/wh".to_owned()));
        assert_eq!(line.key(Key::Enter), Took::Nothing);
        for end in [Key::Escape, Key::Backspace, Key::EraseToStart] {
            line.begin('/');
            assert_eq!(line.key(end), Took::Key);
            assert_eq!(line.key(Key::Char('y')), Took::Nothing);
        }
    }
}
