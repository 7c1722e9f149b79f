//! Divides a window between what stands above a list, the list and the lines below it. Each of them gives way in turn
//! when there is little room; the row one is on never does.

use super::fit::{cut, wrap};
use super::theme::Theme;
use super::widget::{Size, View, window};

/// The lines below a list take at most so many rows.
const MAX_FOOT: usize = 5;

/// A picture in parts.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// One styled line above everything, such as the tabs.
    pub bar: Option<String>,
    /// The lines above the list, not styled yet.
    pub head: Vec<String>,
    pub list: Rows,
    /// What stands below it.
    pub foot: Foot,
}

/// A list in blocks of lines that belong together.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub blocks: Vec<Vec<String>>,
    /// The block that must be in sight.
    pub focus: usize,
    /// The cursor's column in its first line.
    pub column: usize,
}

/// The lines below a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Foot {
    /// What the keys do, with a status line above it where there is one; both give way in a small window.
    Help {
        /// The one status line; may be empty.
        status: String,
        keys: String,
    },
    /// Why a key could not be followed; it stands there in any window with two rows.
    Warning(String),
}

impl Default for Foot {
    fn default() -> Self {
        Self::keys("")
    }
}

impl Rows {
    fn height(&self) -> usize {
        self.blocks.iter().map(Vec::len).sum()
    }
}

impl Frame {
    /// Makes the question the head of the picture if [`asked`] finds too little room for it above the list.
    #[must_use]
    pub fn asking(mut self, question: &str, above: usize, size: Size, theme: &Theme) -> Self {
        let list_rows = self.list.height();
        let foot = self.foot.lines(list_rows, size, theme, self.bar.is_some());
        self.head = asked(question, above, list_rows + foot.len(), size);
        self
    }

    pub fn view(self, size: Size, theme: &Theme) -> View {
        let columns = size.usable();
        let rows = size.rows.max(1);
        let list_rows = self.list.height().max(1);
        let above = usize::from(self.bar.is_some()) + self.head.len();
        let foot = self.foot.lines(above + list_rows, size, theme, self.bar.is_some());
        let rest = rows - foot.len();
        // The head may take half of what is left, and a bar and a line of the question before the list gets a second row.
        let least = (rest / 2).max(rest.saturating_sub(1).min(2));
        let above = above.min(least.max(rest.saturating_sub(list_rows)));

        // One row for both belongs to the question, which the list answers.
        let bars = if self.head.is_empty() { above } else { above.saturating_sub(1) };
        let mut lines: Vec<String> = self.bar.into_iter().take(bars).collect();
        lines.extend(head(&self.head, above - lines.len(), columns, theme));
        let (list, row) = window(&self.list.blocks, self.list.focus, rest - lines.len(), theme);
        let cursor = (lines.len() + row, self.list.column);
        lines.extend(list);
        lines.extend(foot);
        View { lines, cursor }.within(size)
    }
}

/// The lines of the question that a picture of so many rows needs: all of them if the `above` lines that its widget
/// printed above leave too little room for the picture, which never pushes its own question out of sight (Q8). The
/// picture then fills the window, so the question is not visible twice.
pub fn asked(question: &str, above: usize, picture: usize, size: Size) -> Vec<String> {
    if question.is_empty() || above + picture <= size.rows { Vec::new() } else { wrap(question, size.usable()) }
}

/// The first `rows` of these lines; a sign on the last one says that more follow.
pub fn head(lines: &[String], rows: usize, columns: usize, theme: &Theme) -> Vec<String> {
    let mut shown: Vec<String> = lines.iter().take(rows).cloned().collect();
    if lines.len() > rows
        && let Some(last) = shown.last_mut()
    {
        *last = cut(&format!("{last}\n"), columns, theme.ellipsis());
    }
    shown.iter().map(|line| theme.strong(line)).collect()
}

impl Foot {
    pub fn keys(keys: &str) -> Self {
        Self::Help { status: String::new(), keys: keys.to_owned() }
    }

    /// So many of its lines as there is room for beside `others` rows.
    fn lines(&self, others: usize, size: Size, theme: &Theme, barred: bool) -> Vec<String> {
        let columns = size.usable();
        let ellipsis = theme.ellipsis();
        let small = if barred { 5 } else { 3 };
        let free = size.rows.saturating_sub(others);
        match self {
            Self::Warning(text) => {
                let least = if size.rows < 2 { 0 } else { (size.rows / 4).max(1) };
                limited(wrap(text, columns), least.max(free).min(MAX_FOOT), columns, ellipsis)
                    .iter()
                    .map(|line| theme.warning(line))
                    .collect()
            }
            Self::Help { status, keys } => {
                let least = if size.rows < small { 0 } else { (size.rows / 4).max(1) };
                let room = least.max(free).min(MAX_FOOT);
                // With one row to give, the keys are what somebody needs who does not know how to go on.
                let status_rows = usize::from(!status.is_empty() && room >= 2);
                let status = (status_rows > 0).then(|| cut(status, columns, ellipsis));
                let keys = limited(wrap(keys, columns), room - status_rows, columns, ellipsis);
                status.into_iter().chain(keys).map(|line| theme.muted(&line)).collect()
            }
        }
    }
}

/// At most `rows` of `lines`; the last one says when there are more.
pub fn limited(mut lines: Vec<String>, rows: usize, columns: usize, ellipsis: &str) -> Vec<String> {
    if lines.len() > rows {
        lines.truncate(rows);
        if let Some(last) = lines.last_mut() {
            *last = cut(&format!("{last}\n"), columns, ellipsis);
        }
    }
    lines
}
