//! How a choice looks in a list: pointer, number, label, whether it is recommended, and muted below it why one would
//! take it. Rows go through dialoguer's theme trait, see `theme.rs`.

use dialoguer::theme::Theme as _;

use super::fit::wrap;
use super::frame::limited;
use super::theme::Theme;
use super::widget::Size;
use crate::app::prompt::Choice;

/// A preview takes at most so many rows, and at most a third of the window.
const MAX_PREVIEW_ROWS: usize = 12;

/// What stands before a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    Here,
    Elsewhere,
}

/// Whether the row has a box to tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tick {
    None,
    /// `[ ]`
    Open,
    /// `[x]`
    Set,
}

/// The lines of the choice with this number (counted from 1) of `count`.
pub fn choice_lines(
    choice: &Choice,
    (number, count): (usize, usize),
    (row, tick): (Row, Tick),
    columns: usize,
    theme: &Theme,
) -> Vec<String> {
    let digits = count.to_string().len();
    let title = if choice.recommended { format!("{} (recommended)", choice.label) } else { choice.label.clone() };
    let numbered = format!("{number:>digits$}. {}", one_line(&title));
    let boxed = boxed(tick);
    let hang = hang(count, tick, columns);
    let mut lines = Vec::new();
    for (at, text) in wrap(&numbered, columns.saturating_sub(2 + boxed).max(1)).into_iter().enumerate() {
        let text = if choice.recommended { theme.good(&text) } else { text };
        lines.push(if at == 0 { item(&text, row, tick, theme) } else { format!("{}{text}", " ".repeat(hang)) });
    }
    if let Some(description) = &choice.description {
        let wrapped = wrap(description, columns.saturating_sub(hang).max(1));
        lines.extend(wrapped.iter().map(|text| format!("{}{}", " ".repeat(hang), theme.muted(text))));
    }
    lines
}

/// The lines of a preview below its choice; none in a window that is too small for one.
pub fn preview_lines(text: &str, indent: usize, size: Size, theme: &Theme) -> Option<Vec<String>> {
    let text = text.trim_end();
    let rows = (size.rows / 3).min(MAX_PREVIEW_ROWS);
    if rows < 2 || text.is_empty() {
        return None;
    }
    let columns = size.usable().saturating_sub(indent + 2).max(1);
    // A long one is not wrapped for the sake of a few rows.
    let start: String = text.chars().take(rows * columns).collect();
    let more = if start.len() < text.len() { "\n" } else { "" };
    let lines = limited(wrap(&format!("{start}{more}"), columns), rows, columns, theme.ellipsis());
    Some(lines.iter().map(|line| format!("{}{}", " ".repeat(indent), theme.muted(&format!("| {line}")))).collect())
}

/// How far the lines below a row with a number stand in. Pointer, box and number are left free; in a narrow window the
/// lines start under the number.
pub fn hang(count: usize, tick: Tick, columns: usize) -> usize {
    if columns < 24 { 2 } else { 2 + boxed(tick) + count.to_string().len() + 2 }
}

fn boxed(tick: Tick) -> usize {
    match tick {
        Tick::None => 0,
        Tick::Open | Tick::Set => 4,
    }
}

/// A row without a number, such as the last one of a checklist.
pub fn plain_row(text: &str, row: Row, columns: usize, theme: &Theme) -> Vec<String> {
    let wrapped = wrap(text, columns.saturating_sub(2).max(1));
    let rows = wrapped.iter().enumerate();
    rows.map(|(at, text)| item(text, if at == 0 { row } else { Row::Elsewhere }, Tick::None, theme)).collect()
}

fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}

fn item(text: &str, row: Row, tick: Tick, theme: &Theme) -> String {
    let mut line = String::new();
    let here = row == Row::Here;
    let written = match tick {
        Tick::None => theme.format_select_prompt_item(&mut line, text, here),
        Tick::Open => theme.format_multi_select_prompt_item(&mut line, text, false, here),
        Tick::Set => theme.format_multi_select_prompt_item(&mut line, text, true, here),
    };
    written.expect("writing to a String cannot fail");
    line
}
