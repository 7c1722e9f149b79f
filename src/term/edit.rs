//! The text of a reply and the place in it where one types. It moves and deletes by what a reader calls a character:
//! an accent never parts from its letter.

use std::borrow::Cow;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation as _};

use super::fit::width;
use super::keys::Key;
use crate::domain::harmless::harmless;

#[derive(Clone, Debug, Default)]
pub struct Editor {
    text: String,
    /// A byte offset into `text`, always between two graphemes.
    at: usize,
}

/// The text in rows of a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The rows, each as wide as asked or narrower.
    pub rows: Vec<String>,
    /// Row and column of the cursor; the column may be one past the width of a full row.
    pub cursor: (usize, usize),
}

impl Editor {
    /// An editor with the cursor behind `text`.
    pub fn new(text: &str) -> Self {
        let mut editor = Self::default();
        editor.set(text);
        editor
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether one types behind the text.
    pub fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Replaces the whole text and goes behind it.
    pub fn set(&mut self, text: &str) {
        text.clone_into(&mut self.text);
        self.at = self.text.len();
    }

    pub fn insert(&mut self, text: &str) {
        self.text.insert_str(self.at, text);
        self.at = self.boundary_from(self.at + text.len());
    }

    /// Follows a key that edits or moves; the others mean nothing to a text.
    pub fn press(&mut self, key: Key) {
        match key {
            Key::Char(typed) => self.insert(typed.encode_utf8(&mut [0; 4])),
            Key::Newline => self.insert("\n"),
            Key::Backspace => self.backspace(),
            Key::Delete | Key::Close => self.delete(),
            Key::EraseWord => self.erase_word(),
            Key::EraseToStart => self.erase_to_start(),
            Key::EraseToEnd => self.erase_to_end(),
            Key::Left => self.left(),
            Key::Right => self.right(),
            Key::WordLeft => self.word_left(),
            Key::WordRight => self.word_right(),
            Key::Home => self.home(),
            Key::End => self.end(),
            Key::Up => self.up(),
            Key::Down => self.down(),
            Key::Enter
            | Key::Tab
            | Key::BackTab
            | Key::PageUp
            | Key::PageDown
            | Key::Escape
            | Key::Interrupt
            | Key::Suspend
            | Key::Redraw
            | Key::PlanMode => {}
        }
    }

    /// Deletes the character before the cursor.
    pub fn backspace(&mut self) {
        self.erase_from(self.before());
    }

    /// Deletes the character under the cursor.
    pub fn delete(&mut self) {
        self.erase_to(self.after());
    }

    /// Deletes back to the start of the word before the cursor.
    pub fn erase_word(&mut self) {
        self.erase_from(self.word_before());
    }

    /// Deletes back to the start of the line, or the line break if the cursor is there already.
    pub fn erase_to_start(&mut self) {
        let start = self.line_start();
        self.erase_from(if start == self.at { self.before() } else { start });
    }

    /// Deletes up to the end of the line, or the line break if the cursor is there already.
    pub fn erase_to_end(&mut self) {
        let end = self.line_end();
        self.erase_to(if end == self.at { self.after() } else { end });
    }

    /// Goes one character back.
    pub fn left(&mut self) {
        self.at = self.before();
    }

    /// Goes one character on.
    pub fn right(&mut self) {
        self.at = self.after();
    }

    /// Goes back to the start of a word.
    pub fn word_left(&mut self) {
        self.at = self.word_before();
    }

    /// Goes on behind the end of a word.
    pub fn word_right(&mut self) {
        let rest = &self.text[self.at..];
        let blanks = rest.len() - rest.trim_start().len();
        let word = rest[blanks..].find(char::is_whitespace).unwrap_or(rest.len() - blanks);
        self.at = self.boundary_from(self.at + blanks + word);
    }

    pub fn home(&mut self) {
        self.at = self.line_start();
    }

    pub fn end(&mut self) {
        self.at = self.line_end();
    }

    /// Goes one line up, or to the start of the first one.
    pub fn up(&mut self) {
        let start = self.line_start();
        if start == 0 {
            self.at = 0;
            return;
        }
        let column = self.text[start..self.at].graphemes(true).count();
        let above = self.text[..start - 1].rfind('\n').map_or(0, |newline| newline + 1);
        self.at = self.column_in(above, start - 1, column);
    }

    /// Goes one line down, or to the end of the last one.
    pub fn down(&mut self) {
        let end = self.line_end();
        if end == self.text.len() {
            self.at = end;
            return;
        }
        let column = self.text[self.line_start()..self.at].graphemes(true).count();
        let below = end + 1;
        let last = self.text[below..].find('\n').map_or(self.text.len(), |newline| below + newline);
        self.at = self.column_in(below, last, column);
    }

    /// The text in rows of at most `columns`, broken where a row is full.
    pub fn layout(&self, columns: usize) -> Layout {
        let columns = columns.max(1);
        let starts = self.row_starts(columns);
        let mut rows = vec![String::new()];
        let mut used = 0;
        let mut cursor = None;
        let mut due = starts.iter().skip(1).copied().peekable();
        for (offset, grapheme) in self.text.grapheme_indices(true) {
            if due.next_if_eq(&offset).is_some() {
                rows.push(String::new());
                used = 0;
            }
            if offset == self.at {
                cursor = Some((rows.len() - 1, used));
            }
            let (shown, cells) = cell(grapheme, columns);
            // A blank at which a row is broken stands beyond its edge.
            if !breaks(grapheme) && used + cells <= columns {
                if let Some(row) = rows.last_mut() {
                    row.push_str(&shown);
                }
                used += cells;
            }
        }
        // The text ends with what begins a row.
        if due.next().is_some() {
            rows.push(String::new());
            used = 0;
        }
        let cursor = cursor.unwrap_or((rows.len() - 1, used));
        Layout { rows, cursor }
    }

    /// Where each row begins: behind a line break, behind the last blank that fits, or inside a word that is longer
    /// than a row.
    fn row_starts(&self, columns: usize) -> Vec<usize> {
        let mut starts = vec![0];
        let mut used = 0;
        // Behind the last blank of this row, and how much of the row stood before that.
        let mut blank = None;
        for (offset, grapheme) in self.text.grapheme_indices(true) {
            let after = offset + grapheme.len();
            if breaks(grapheme) {
                starts.push(after);
                (used, blank) = (0, None);
                continue;
            }
            let cells = cell(grapheme, columns).1;
            if used + cells <= columns {
                used += cells;
                if grapheme == " " {
                    blank = Some((after, used));
                }
                continue;
            }
            if grapheme == " " {
                starts.push(after);
                (used, blank) = (0, None);
                continue;
            }
            let (start, before) = blank.take().unwrap_or((offset, used));
            starts.push(start);
            used = used - before + cells;
            if used > columns {
                starts.push(offset);
                used = cells;
            }
        }
        starts
    }

    fn erase_from(&mut self, start: usize) {
        self.text.replace_range(start..self.at, "");
        self.at = self.boundary_from(start);
    }

    fn erase_to(&mut self, end: usize) {
        self.text.replace_range(self.at..end, "");
        self.at = self.boundary_from(self.at);
    }

    fn before(&self) -> usize {
        self.text[..self.at].graphemes(true).next_back().map_or(0, |grapheme| self.at - grapheme.len())
    }

    fn after(&self) -> usize {
        self.text[self.at..].graphemes(true).next().map_or(self.at, |grapheme| self.at + grapheme.len())
    }

    fn word_before(&self) -> usize {
        let before = self.text[..self.at].trim_end();
        let start = before.char_indices().rev().find(|(_, character)| character.is_whitespace());
        start.map_or(0, |(at, character)| at + character.len_utf8())
    }

    fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |newline| newline + 1)
    }

    fn line_end(&self) -> usize {
        self.text[self.at..].find('\n').map_or(self.text.len(), |newline| self.at + newline)
    }

    fn column_in(&self, start: usize, end: usize, column: usize) -> usize {
        let line = &self.text[start..end];
        line.grapheme_indices(true).nth(column).map_or(end, |(at, _)| start + at)
    }

    /// `at`, or the next place between two graphemes: typing may join what stands on both sides of the cursor.
    fn boundary_from(&self, at: usize) -> usize {
        let mut cursor = GraphemeCursor::new(at, self.text.len(), true);
        match cursor.is_boundary(&self.text, 0) {
            Ok(true) => at,
            Ok(false) | Err(_) => cursor.next_boundary(&self.text, 0).ok().flatten().unwrap_or(self.text.len()),
        }
    }
}

/// Whether a row ends here; a carriage return and a line feed are one grapheme.
fn breaks(grapheme: &str) -> bool {
    grapheme.ends_with('\n')
}

/// A grapheme as it is shown and how many columns it takes; one that is wider than a row gives way.
fn cell(grapheme: &str, columns: usize) -> (Cow<'_, str>, usize) {
    let shown = harmless(grapheme);
    match width(&shown) {
        cells if cells <= columns => (shown, cells),
        _ => (Cow::Borrowed("?"), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STEPS: [fn(&mut Editor); 14] = [
        Editor::backspace,
        Editor::delete,
        Editor::erase_word,
        Editor::erase_to_start,
        Editor::erase_to_end,
        Editor::left,
        Editor::right,
        Editor::word_left,
        Editor::word_right,
        Editor::home,
        Editor::end,
        Editor::up,
        Editor::down,
        |editor| editor.insert("e\u{301}👩‍👧\n語 x"),
    ];

    #[test]
    fn a_family_and_an_accent_are_one_character_each() {
        let mut editor = Editor::new("ae\u{301}👩‍👩‍👧");
        editor.backspace();
        assert_eq!(editor.text(), "ae\u{301}");
        editor.left();
        editor.insert("b");
        assert_eq!(editor.text(), "abe\u{301}");
        editor.delete();
        assert_eq!(editor.text(), "ab");
    }

    #[test]
    fn words_and_lines_are_deleted_as_a_shell_does() {
        let mut editor = Editor::new("one two  three");
        editor.erase_word();
        assert_eq!(editor.text(), "one two  ");
        editor.erase_word();
        assert_eq!(editor.text(), "one ");
        editor.erase_to_start();
        assert_eq!(editor.text(), "");
        let mut editor = Editor::new("first\nsecond");
        editor.home();
        editor.erase_to_end();
        assert_eq!(editor.text(), "first\n");
        editor.erase_to_start();
        assert_eq!(editor.text(), "first");
    }

    #[test]
    fn up_and_down_keep_the_column_where_the_line_has_it() {
        let mut editor = Editor::new("abcdef\nxy\n日本語日本語");
        editor.up();
        editor.insert("|");
        assert_eq!(editor.text(), "abcdef\nxy|\n日本語日本語");
        editor.up();
        editor.insert("|");
        assert_eq!(editor.text(), "abc|def\nxy|\n日本語日本語");
        editor.down();
        editor.down();
        editor.insert("|");
        assert_eq!(editor.text(), "abc|def\nxy|\n日本語|日本語");
    }

    #[test]
    fn rows_break_at_the_width_and_the_cursor_is_where_it_types() {
        let mut editor = Editor::new("abcdefg");
        assert_eq!(editor.layout(3).rows, ["abc", "def", "g"]);
        assert_eq!(editor.layout(3).cursor, (2, 1));
        editor.set("日本語");
        assert_eq!(editor.layout(5), Layout { rows: vec!["日本".into(), "語".into()], cursor: (1, 2) });
        editor.set("a\n");
        assert_eq!(editor.layout(5).cursor, (1, 0));
        editor.set("one two three");
        assert_eq!(editor.layout(7), Layout { rows: vec!["one two".into(), "three".into()], cursor: (1, 5) });
        assert_eq!(editor.layout(9).rows, ["one two ", "three"]);
        editor.set("one two ");
        assert_eq!(editor.layout(7), Layout { rows: vec!["one two".into(), String::new()], cursor: (1, 0) });
        editor.set(" bcde語 日本語日本語");
        assert_eq!(editor.layout(5).rows, [" ", "bcde", "語 ", "日本", "語日", "本語"]);
        editor.set("\u{1b}[2J");
        assert_eq!(editor.layout(20).rows, ["␛[2J"]);
    }

    #[test]
    fn q17_a_keycap_and_a_flag_are_one_character_of_two_columns() {
        for emoji in ["1\u{fe0f}\u{20e3}"].into_iter().chain(crate::domain::harmless::FLAGS) {
            let mut editor = Editor::new(&emoji.repeat(12));
            let rows = vec![emoji.repeat(10), emoji.repeat(2)];
            assert_eq!(editor.layout(20), Layout { rows, cursor: (1, 4) }, "{emoji:?}");
            editor.backspace();
            assert_eq!(editor.text(), emoji.repeat(11));
        }
    }

    proptest! {
        #[test]
        fn no_sequence_of_edits_panics_or_overflows(
            text in any::<String>(),
            steps in proptest::collection::vec(0..STEPS.len(), 0..40),
            columns in 1usize..30,
        ) {
            let mut editor = Editor::new(&text);
            for step in steps {
                STEPS[step](&mut editor);
                prop_assert!(editor.text().is_char_boundary(editor.at));
            }
            let layout = editor.layout(columns);
            prop_assert!(layout.rows.iter().all(|row| width(row) <= columns));
            // Nothing but the blanks at which rows break is left out.
            let shown = |text: &str| text.graphemes(true).map(|one| cell(one, columns).0.replace([' ', '\n'], "")).collect::<String>();
            prop_assert_eq!(layout.rows.concat().replace(' ', ""), shown(editor.text()));
            prop_assert!(layout.cursor.0 < layout.rows.len() && layout.cursor.1 <= columns);
        }
    }
}
