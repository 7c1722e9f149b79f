//! Places in a text: containers, their items, and what stands between.

use std::ops::Range;

use jsonc_parser::ast;
use jsonc_parser::common::{Range as SpanRange, Ranged};

/// An object or an array in a text.
#[derive(Clone, Debug)]
pub(super) struct Container {
    /// Behind its opening bracket.
    pub inside: usize,
    /// Its closing bracket.
    pub close: usize,
    /// Its members or elements.
    pub items: Vec<Range<usize>>,
}

impl Container {
    pub(super) fn of(value: &ast::Value<'_>) -> Option<Self> {
        match value {
            ast::Value::Object(object) => Some(Self::of_object(object)),
            ast::Value::Array(array) => Some(Self::of_array(array)),
            ast::Value::StringLit(_)
            | ast::Value::NumberLit(_)
            | ast::Value::BooleanLit(_)
            | ast::Value::NullKeyword(_) => None,
        }
    }

    pub(super) fn of_object(object: &ast::Object<'_>) -> Self {
        Self::between(object, object.properties.iter().map(Ranged::range))
    }

    pub(super) fn of_array(array: &ast::Array<'_>) -> Self {
        Self::between(array, array.elements.iter().map(Ranged::range))
    }

    fn between(whole: &impl Ranged, items: impl Iterator<Item = SpanRange>) -> Self {
        let items = items.map(|one| one.start..one.end).collect();
        Self { inside: whole.start() + 1, close: whole.end() - 1, items }
    }

    /// Where the item before this one ends, or the container begins.
    pub(super) fn before(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(self.inside, |before| self.items[before].end)
    }
}

/// A piece of what stands between items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Blank,
    LineComment,
    BlockComment,
    Comma,
}

/// What stands between two items, or an item and a bracket, piece by piece. Ends at the first byte that is none.
pub(super) fn pieces(text: &str, from: usize) -> impl Iterator<Item = (Piece, Range<usize>)> {
    let mut at = from;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let first = rest.chars().next()?;
        let (piece, length) = if first.is_whitespace() || first == '\u{feff}' {
            (Piece::Blank, rest.find(|c: char| !c.is_whitespace() && c != '\u{feff}').unwrap_or(rest.len()))
        } else if rest.starts_with("//") {
            (Piece::LineComment, rest.find(['\n', '\r']).unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            (Piece::BlockComment, rest.find("*/").map_or(rest.len(), |end| end + 2))
        } else if first == ',' {
            (Piece::Comma, 1)
        } else {
            return None;
        };
        let range = at..at + length;
        at = range.end;
        Some((piece, range))
    })
}

/// The comma that follows, with only blanks and comments before it.
pub(super) fn comma_after(text: &str, from: usize) -> Option<usize> {
    pieces(text, from).find(|(piece, _)| *piece == Piece::Comma).map(|(_, range)| range.start)
}

/// The end of the last comment or comma before `to`.
pub(super) fn end_of_the_last(text: &str, from: usize, to: usize) -> usize {
    let marks = pieces(text, from).take_while(|(_, range)| range.end <= to);
    marks.filter(|(piece, _)| *piece != Piece::Blank).map(|(_, range)| range.end).last().unwrap_or(from)
}

pub(super) fn has_comment(text: &str, from: usize, to: usize) -> bool {
    pieces(text, from)
        .take_while(|(_, range)| range.end <= to)
        .any(|(piece, _)| matches!(piece, Piece::LineComment | Piece::BlockComment))
}
