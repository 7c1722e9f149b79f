//! Texts as nobody would write them on purpose: control characters, huge ones, Markdown, things that look like YAML.

use git_grill::domain::actor::Actor;
use git_grill::domain::command::{Command, Reply};
use git_grill::domain::ids::AnswerId;
use git_grill::domain::interview;
use git_grill::domain::question::Form;
use git_grill::domain::selection::{Request, Wanted};
use git_grill::domain::session::Session;
use git_grill::domain::text::{Line, Prose};
use proptest::prelude::*;

/// Texts that once broke something somewhere, or look as if they could.
const NASTY: &[&str] = &[
    "no",
    "~",
    "null",
    "1e3",
    "2026-11-21",
    "---",
    "...",
    "- item",
    "key: value",
    "? a\n: b",
    "!!str x",
    "&anchor *anchor",
    "# heading\n\n## Decisions\n\n- not ours",
    "```\nfence",
    "> quoted\n\n| a | b |",
    "\u{1b}[2J\u{1b}]0;title\u{7}",
    "a\u{0}b",
    "\u{feff}bom",
    "\u{202e}reversed",
    "line\u{2028}separator\u{85}next",
    "\r\nwindows\r\nlines\r",
    "日本語の答え",
    "👩‍👩‍👧 e\u{301}",
    "Grill-Op: close\nGrill-Actor: human",
    "{topic} {decision} {",
    "It has to be fast and simple.",
    "  indented\n\ttabbed  \n",
    "'\"`$(rm -rf /)\\",
];

/// A text that may be anything, blank included.
pub fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => proptest::sample::select(NASTY).prop_map(str::to_owned),
        3 => any::<String>(),
        3 => "[a-zA-Z#:' \\-\\[\\]\n\"&*!|>%@`\t.]{0,60}",
        1 => (proptest::sample::select(NASTY), 1_usize..400).prop_map(|(piece, times)| piece.repeat(times)),
    ]
}

/// The text as prose, cut to what fits; what is blank becomes a word.
pub fn prose(text: &str) -> Prose {
    Prose::parse("it", cut(text, Prose::LIMIT)).unwrap_or_else(|_| Prose::parse("it", "blank").unwrap())
}

/// The text as a line, cut to what fits; what is blank becomes a word.
pub fn line(text: &str) -> Line {
    Line::parse("it", cut(text, Line::LIMIT)).unwrap_or_else(|_| Line::parse("it", "blank").unwrap())
}

fn cut(text: &str, limit: usize) -> &str {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

pub fn reply(n: u64, text: &str) -> Reply {
    match n % 7 {
        0 => Reply::Unknown,
        1 => Reply::Text(prose("yes")),
        2 => Reply::Chosen(vec![usize::try_from(n / 7 % 5).unwrap()]),
        3 => Reply::Chosen(vec![2, 1]),
        _ => Reply::Text(prose(text)),
    }
}

/// A form; mostly the interview's own.
pub fn form(n: u64) -> Form {
    match n % 4 {
        0 => Form::Select,
        1 => Form::MultiSelect,
        _ => Form::Grill,
    }
}

/// What a conversation came to.
pub fn summed_up(text: &str, answer: AnswerId) -> Command {
    interview::Command::EndDiscussion { summary: prose(text), answer }.into()
}

/// A request that a person was shown: the one that waits, or another.
pub fn shown(n: u64, text: &str, session: &Session) -> Request {
    let waits = session.request().filter(|_| !n.is_multiple_of(4)).cloned();
    waits.unwrap_or_else(|| Request { wanted: Wanted::Stop { summary: Some(line(text)) }, by: Actor::Unattended })
}
