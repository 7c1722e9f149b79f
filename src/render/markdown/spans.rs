//! Pieces of text with their inks.

use std::rc::Rc;

use console::Style;

use super::super::palette::{Links, Look};
use crate::text::wrap;

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

pub(super) type Inks = Rc<[Ink]>;
pub(super) type Span = wrap::Span<Inks>;
pub(super) type Row = wrap::Row<Inks>;

/// A piece of text without an ink.
pub(super) fn plain(text: impl Into<String>) -> Span {
    Span { text: text.into(), style: Rc::new([]) }
}

/// A row as it is shown; every ink ends with it.
pub(super) fn painted(row: &Row, look: &Look) -> String {
    row.spans.iter().map(|span| span_painted(span, look)).collect()
}

fn span_painted(span: &Span, look: &Look) -> String {
    let mut style = Style::new();
    let mut address = None;
    for ink in span.style.iter() {
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
    let text = if span.style.is_empty() { span.text.clone() } else { look.paint(&style, &span.text) };
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
