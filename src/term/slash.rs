//! A line where none is taken, such as a verb that is typed at letters or at a list (G11). From its first character to
//! the Enter or Esc that ends it, its characters are text and no keys.

use super::edit::Editor;
use super::keys::Key;

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
    /// Begins with this character.
    pub fn begin(&mut self, typed: char) {
        self.editor.press(Key::Char(typed));
    }

    /// What was typed of it.
    pub fn text(&self) -> &str {
        self.editor.text()
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
            self.editor.set("");
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
