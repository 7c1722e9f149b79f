//! What every widget is: keys in, a picture out. No terminal here, so that each behaviour is a plain test.

use super::keys::Key;
use super::theme::Theme;

/// The window a widget is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub cols: usize,
    pub rows: usize,
}

impl Size {
    /// The columns a line may take. The last one stays free: a terminal that wraps there would count a row more than
    /// we do.
    pub fn usable(self) -> usize {
        self.cols.saturating_sub(1).max(1)
    }
}

/// A picture of a widget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Styled lines, at most as many as the window has rows.
    pub lines: Vec<String>,
    /// Row and column of the cursor, counted from the first line.
    pub cursor: (usize, usize),
}

impl View {
    /// The same view with nothing outside the window.
    #[must_use]
    pub fn within(mut self, size: Size) -> Self {
        let usable = size.usable();
        self.lines.truncate(size.rows.max(1));
        for line in &mut self.lines {
            if super::fit::width(line) > usable {
                *line = super::fit::start(line, usable);
            }
        }
        self.cursor.0 = self.cursor.0.min(self.lines.len().saturating_sub(1));
        self.cursor.1 = self.cursor.1.min(usable);
        self
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<T> {
    Stay,
    Send(T),
    Cancel,
}

/// A prompt as a state machine.
pub trait Widget {
    type Value;
    /// The lines printed above the widget: the question. They belong to the scrollback, and are printed again only if
    /// they left the window. While the picture pushes them out of it, the picture contains the question as well.
    fn intro(&self, cols: usize, theme: &Theme) -> Vec<String>;
    fn key(&mut self, key: Key) -> Step<Self::Value>;
    /// Whether this key may send something, so that it must be meant for this very question.
    fn decides(&self, key: Key) -> bool {
        key == Key::Enter
    }
    /// Is told why a key that was pressed was not handed over.
    fn held_back(&mut self, _why: &'static str) {}
    /// Takes pasted text. Only an editor does.
    fn paste(&mut self, _text: &str) {}
    /// How it looks now. No line is wider than [`Size::usable`], and there are no more lines than rows.
    fn view(&self, size: Size, theme: &Theme) -> View;
    /// The line that stays when it was answered.
    fn outro(&self, value: &Self::Value) -> String;
    /// How many rows of it stay at most.
    fn outro_rows(&self) -> usize {
        12
    }
    /// Text that was typed and not sent.
    fn draft(&self) -> String {
        String::new()
    }
}

/// A list of blocks of lines seen through `rows` rows: the focused block is always in sight, and a sign stands where
/// more follows. Returns the lines and the row of the focused block.
pub fn window(blocks: &[Vec<String>], focus: usize, rows: usize, theme: &Theme) -> (Vec<String>, usize) {
    let before: usize = blocks.iter().take(focus).map(Vec::len).sum();
    let height = blocks.get(focus).map_or(0, Vec::len);
    let total: usize = blocks.iter().map(Vec::len).sum();
    let lines = blocks.iter().flatten();
    if total <= rows {
        return (lines.cloned().collect(), before);
    }
    let middle = before + height / 2;
    let start = middle.saturating_sub(rows / 2).min(before).min(total - rows);
    let mut seen: Vec<String> = lines.skip(start).take(rows).cloned().collect();
    let focused = before - start;
    // With fewer rows the sign would cost more than it tells.
    if rows >= 3 {
        let sign = theme.muted(&format!("  {}", theme.ellipsis()));
        if start > 0 && focused > 0 {
            seen[0].clone_from(&sign);
        }
        if start + rows < total && focused + height < rows {
            seen[rows - 1] = sign;
        }
    }
    (seen, focused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::settings::{Colours, Marks};

    #[test]
    fn a_window_keeps_the_focus_in_sight_and_marks_what_is_cut() {
        let theme = Theme::new(Colours::Off, Marks::Unicode);
        let blocks: Vec<Vec<String>> = (0..10).map(|n| vec![format!("{n}"), format!("  about {n}")]).collect();
        for focus in 0..10 {
            for rows in 1..25 {
                let (lines, row) = window(&blocks, focus, rows, &theme);
                assert_eq!(lines.len(), rows.min(20));
                assert_eq!(lines[row], format!("{focus}"), "{focus} in {rows}");
            }
        }
        let (lines, row) = window(&blocks, 5, 4, &theme);
        assert_eq!((lines, row), (vec!["  …".into(), "5".into(), "  about 5".into(), "  …".into()], 1));
    }
}
