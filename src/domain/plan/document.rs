//! Reads the steps of an implementation plan from its document: the numbered sections under `## Steps`, each with its
//! title and all of its text, including the test that ends the step. Changes that a person made in the document count.
//! A document without these sections needs a list under a `Plan:` header.

use super::code::Code;
use super::parse::{LARGEST_TEXT, from_message};
use super::{Refusal, Steps};
use crate::domain::text::plain_line_ends;

/// Reads the steps of a document; none where it has none.
pub fn from_document(text: &str) -> Result<Option<Steps>, Refusal> {
    if text.len() > LARGEST_TEXT {
        return Err(Refusal::TextTooLarge { bytes: text.len() });
    }
    let sections = sections(&plain_line_ends(text));
    if sections.is_empty() { from_message(text) } else { Steps::parse(&sections).map(Some) }
}

/// The numbered sections under the heading, without their numbers.
fn sections(text: &str) -> Vec<String> {
    let mut code = Code::default();
    let mut sections: Vec<String> = Vec::new();
    let (mut below, mut open) = (false, false);
    for line in text.lines() {
        let is_code = code.holds(line);
        let heading = if is_code { None } else { heading(line) };
        match heading {
            Some((1 | 2, title)) => (below, open) = (title.eq_ignore_ascii_case("steps"), false),
            Some((3, title)) if below => {
                let step = numbered(title);
                sections.extend(step.map(str::to_owned));
                open = step.is_some();
            }
            // The text after the line is about the whole document.
            None if !is_code && line.trim_end() == "---" => (below, open) = (false, false),
            Some(_) | None => {
                if let Some(section) = sections.last_mut().filter(|_| open) {
                    section.push('\n');
                    section.push_str(line.trim_end());
                }
            }
        }
    }
    sections
}

/// The level of a heading, and its text.
fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let title = text.strip_prefix([' ', '\t'])?.trim();
    (1..=6).contains(&level).then_some((level, title))
}

/// The title behind a number.
fn numbered(title: &str) -> Option<&str> {
    let (number, title) = title.split_once(['.', ')'])?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| title.trim_start())
}
