//! Pieces of text with their inks, broken between words into rows that fit.

use std::rc::Rc;

use console::{Style, measure_text_width};
use unicode_segmentation::UnicodeSegmentation as _;

use super::super::palette::{Links, Look};

/// How a piece of text stands out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Strong,
    Emphasis,
    Code,
    Muted,
    /// Leads to this address.
    Link(Rc<str>),
}

/// A piece of text in one manner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub text: String,
    pub inks: Rc<[Ink]>,
}

impl Span {
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), inks: Rc::new([]) }
    }
}

/// A line that fits.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub spans: Vec<Span>,
    pub width: usize,
}

/// How many columns a text without line breaks takes.
pub(super) fn width(text: &str) -> usize {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) { text.len() } else { measure_text_width(text) }
}

/// The spans in rows of at most `columns`, at least one: broken between words where that is possible, inside them where
/// it is not, and at every line break. Blanks at a break belong to neither row.
pub(super) fn wrap(spans: &[Span], columns: usize) -> Vec<Row> {
    let mut wrapping = Wrapping { columns: columns.max(1), rows: Vec::new(), row: Row::default() };
    for (at, line) in words(spans).iter().enumerate() {
        if at > 0 {
            wrapping.end_row();
        }
        for word in line {
            wrapping.word(word);
        }
    }
    wrapping.end_row();
    wrapping.rows
}

/// A word with the blanks behind it; it may be of several inks.
struct Word {
    spans: Vec<Span>,
    width: usize,
    blanks: usize,
    behind: Rc<[Ink]>,
}

impl Word {
    fn nothing() -> Self {
        Self { spans: Vec::new(), width: 0, blanks: 0, behind: Rc::new([]) }
    }
}

fn words(spans: &[Span]) -> Vec<Vec<Word>> {
    let mut lines = vec![Vec::new()];
    let mut word = Word::nothing();
    for span in spans {
        for (at, line) in span.text.split('\n').enumerate() {
            if at > 0 {
                finish(&mut lines, &mut word);
                lines.push(Vec::new());
            }
            for part in line.split_inclusive(' ') {
                let text = part.trim_end_matches(' ');
                if !text.is_empty() {
                    if word.blanks > 0 {
                        finish(&mut lines, &mut word);
                    }
                    word.width += width(text);
                    word.spans.push(Span { text: text.to_owned(), inks: Rc::clone(&span.inks) });
                }
                if part.len() > text.len() {
                    word.blanks += part.len() - text.len();
                    word.behind = Rc::clone(&span.inks);
                }
            }
        }
    }
    finish(&mut lines, &mut word);
    lines
}

fn finish(lines: &mut [Vec<Word>], word: &mut Word) {
    let finished = std::mem::replace(word, Word::nothing());
    if let Some(line) = lines.last_mut()
        && (!finished.spans.is_empty() || finished.blanks > 0)
    {
        line.push(finished);
    }
}

struct Wrapping {
    columns: usize,
    rows: Vec<Row>,
    row: Row,
}

impl Wrapping {
    fn word(&mut self, word: &Word) {
        // Scripts that are written without blanks go on in the row that is begun.
        let has_blanks = word.spans.iter().all(|span| span.text.is_ascii());
        let fits_in_one = word.width <= self.columns || has_blanks;
        if self.row.width > 0 && self.row.width + word.width > self.columns && fits_in_one {
            self.end_row();
        }
        for span in &word.spans {
            for grapheme in span.text.graphemes(true) {
                // One that is wider than the window gives way to a sign that is not.
                let (glyph, cells) = match width(grapheme) {
                    cells if cells <= self.columns => (grapheme, cells),
                    _ => ("?", 1),
                };
                if self.row.width + cells > self.columns {
                    self.end_row();
                }
                self.push(glyph, &span.inks);
                self.row.width += cells;
            }
        }
        let blanks = word.blanks.min(self.columns - self.row.width);
        self.push(&" ".repeat(blanks), &word.behind);
        self.row.width += blanks;
    }

    fn push(&mut self, text: &str, inks: &Rc<[Ink]>) {
        match self.row.spans.last_mut() {
            Some(last) if last.inks == *inks => last.text.push_str(text),
            Some(_) | None => self.row.spans.push(Span { text: text.to_owned(), inks: Rc::clone(inks) }),
        }
    }

    fn end_row(&mut self) {
        let mut row = std::mem::take(&mut self.row);
        while let Some(last) = row.spans.last_mut() {
            let kept = last.text.trim_end_matches(' ').len();
            row.width -= last.text.len() - kept;
            last.text.truncate(kept);
            if kept > 0 {
                break;
            }
            row.spans.pop();
        }
        self.rows.push(row);
    }
}

/// A row as it is shown; every ink ends with it.
pub(super) fn painted(row: &Row, look: &Look) -> String {
    row.spans.iter().map(|span| span_painted(span, look)).collect()
}

fn span_painted(span: &Span, look: &Look) -> String {
    let mut style = Style::new();
    let mut address = None;
    for ink in span.inks.iter() {
        style = match ink {
            Ink::Strong => style.bold(),
            Ink::Emphasis => style.italic(),
            Ink::Code => style.cyan(),
            Ink::Muted => style.dim(),
            Ink::Link(to) => {
                address = Some(to);
                style.underlined()
            }
        };
    }
    let text = if span.inks.is_empty() { span.text.clone() } else { look.paint(&style, &span.text) };
    match address.filter(|address| is_clickable(address, look)) {
        Some(address) => format!("\u{1b}]8;;{address}\u{1b}\\{text}\u{1b}]8;;\u{1b}\\"),
        None => text,
    }
}

/// The longest address that terminals are known to take.
const LONGEST_ADDRESS: usize = 2_000;

/// Whether a link may be one that the terminal opens: the terminal takes such links, and the address leads to the web
/// or to a letter, in plain characters that cannot end the sequence.
pub(super) fn is_clickable(address: &str, look: &Look) -> bool {
    let known = ["https://", "http://", "mailto:"].iter().any(|scheme| address.starts_with(scheme));
    look.links == Links::Clickable
        && known
        && address.len() <= LONGEST_ADDRESS
        && address.bytes().all(|byte| byte.is_ascii_graphic())
}
