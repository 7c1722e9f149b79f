//! Tables: columns as wide as they need to be, narrower where the window is, and one entry a line where even that does
//! not fit.

use pulldown_cmark::Alignment;

use super::super::palette::Look;
use super::spans::{Ink, Row, Span, painted, plain};
use crate::text::columns::width;
use crate::text::wrap::wrap;

/// What stands between two columns.
const BETWEEN: &str = " │ ";
/// No column is made narrower than this, however long its words are.
const NARROWEST: usize = 6;

type Cell = Vec<Span>;

#[derive(Default)]
pub(super) struct Table {
    alignments: Vec<Alignment>,
    /// The first one is the head.
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        Self { alignments, rows: Vec::new() }
    }

    pub(super) fn row(&mut self) {
        self.rows.push(Vec::new());
    }

    pub(super) fn cell(&mut self, cell: Cell) {
        if let Some(row) = self.rows.last_mut() {
            row.push(cell);
        }
    }

    pub(super) fn lines(&self, columns: usize, look: &Look) -> Vec<String> {
        match self.widths(columns) {
            Some(widths) => self.side_by_side(&widths, look),
            None => self.stacked(columns, look),
        }
    }

    fn cells(&self, column: usize) -> impl Iterator<Item = &Cell> {
        self.rows.iter().filter_map(move |row| row.get(column))
    }

    /// How wide each column is; `None` if they do not fit side by side.
    fn widths(&self, columns: usize) -> Option<Vec<usize>> {
        let count = self.alignments.len();
        let room = columns.checked_sub(width(BETWEEN) * count.saturating_sub(1))?;
        let (mut widths, mut least) = (Vec::new(), Vec::new());
        for column in 0..count {
            let widest = |columns| {
                let rows = self.cells(column).flat_map(|cell| wrap(cell, columns));
                rows.map(|row| row.width).max().unwrap_or_default().max(1)
            };
            let natural = widest(room.max(1));
            widths.push(natural);
            least.push(natural.min(NARROWEST));
        }
        if least.iter().sum::<usize>() > room {
            return None;
        }
        while widths.iter().sum::<usize>() > room {
            let (widest, _) =
                widths.iter().enumerate().filter(|(at, wide)| **wide > least[*at]).max_by_key(|(_, w)| **w)?;
            widths[widest] -= 1;
        }
        Some(widths)
    }

    fn side_by_side(&self, widths: &[usize], look: &Look) -> Vec<String> {
        let mut lines = Vec::new();
        let between = look.muted(BETWEEN);
        for (at, row) in self.rows.iter().enumerate() {
            let cells: Vec<Vec<Row>> = (0..widths.len())
                .map(|column| {
                    let cell = row.get(column).cloned().unwrap_or_default();
                    wrap(&if at == 0 { strong(&cell) } else { cell }, widths[column])
                })
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or_default();
            for line in 0..height {
                let parts: Vec<String> = (0..widths.len())
                    .map(|column| {
                        let row = cells[column].get(line).cloned().unwrap_or_default();
                        aligned(&row, self.alignments[column], widths[column], look)
                    })
                    .collect();
                lines.push(parts.join(&between).trim_end_matches(' ').to_owned());
            }
            if at == 0 {
                let rule: Vec<String> = widths.iter().map(|wide| "─".repeat(*wide)).collect();
                lines.push(look.muted(rule.join("─┼─")));
            }
        }
        lines
    }

    /// Each row as a paragraph of `head: cell`, for windows in which columns do not fit side by side.
    fn stacked(&self, columns: usize, look: &Look) -> Vec<String> {
        let none = Vec::new();
        let heads = self.rows.first().unwrap_or(&none);
        let mut lines = Vec::new();
        let put = |cell: &Cell, lines: &mut Vec<String>| {
            lines.extend(wrap(cell, columns).iter().map(|row| painted(row, look)));
        };
        if self.rows.len() == 1 {
            for head in heads {
                put(&strong(head), &mut lines);
            }
        }
        for (at, row) in self.rows.iter().enumerate().skip(1) {
            if at > 1 {
                lines.push(String::new());
            }
            for (column, cell) in row.iter().enumerate() {
                let mut entry = heads.get(column).map(strong).unwrap_or_default();
                if !entry.is_empty() {
                    entry.push(plain(": "));
                }
                entry.extend(cell.iter().cloned());
                put(&entry, &mut lines);
            }
        }
        lines
    }
}

fn strong(cell: &Cell) -> Cell {
    let inked = |span: &Span| Span {
        text: span.text.clone(),
        style: span.style.iter().cloned().chain([Ink::Strong]).collect::<Vec<_>>().into(),
    };
    cell.iter().map(inked).collect()
}

fn aligned(row: &Row, alignment: Alignment, columns: usize, look: &Look) -> String {
    let missing = columns - row.width;
    let before = match alignment {
        Alignment::None | Alignment::Left => 0,
        Alignment::Center => missing / 2,
        Alignment::Right => missing,
    };
    format!("{}{}{}", " ".repeat(before), painted(row, look), " ".repeat(missing - before))
}
