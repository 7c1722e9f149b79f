//! Looks up what a text cites, before the user sees it (D29, D33): a quotation is compared byte for byte.

use std::collections::BTreeMap;

use crate::app::context::Context;
use crate::domain::debate::evidence::Evidence;
use crate::domain::debate::part::{self, Part};
use crate::domain::debate::raised_in;
use crate::domain::debate::round::Find;
use crate::domain::session::Session;

/// So many citations of one text are looked up; what stands behind them stays unchecked.
const MOST_LOOKED: usize = 200;

/// What a look at each citation of a text came to, by the citation's words.
pub(super) fn looked(
    context: &Context<'_>,
    session: &Session,
    number: u32,
    part: Part,
    text: &str,
) -> BTreeMap<String, Find> {
    let mut files: BTreeMap<String, Result<Vec<u8>, String>> = BTreeMap::new();
    let all = raised_in(part, text).into_iter().flat_map(|(_, objection)| objection.evidence);
    let mut found = BTreeMap::new();
    for evidence in all.filter(Evidence::is_checkable).take(MOST_LOOKED) {
        let find = match &evidence {
            Evidence::Lines { path, lines, quote } => {
                let bytes = files.entry(path.clone()).or_insert_with(|| context.citations.bytes(path));
                match bytes {
                    Ok(bytes) => in_lines(bytes, *lines, quote.as_deref()),
                    Err(why) => Find::NotThere { why: why.clone() },
                }
            }
            Evidence::Commit(name) => there(context.citations.commit(name)),
            Evidence::Sentence(sentence) => {
                let dossier = session.own.debate.text(&part::dossier(number)).unwrap_or_default();
                let stands =
                    [dossier, session.checkpoint.as_str()].iter().any(|text| flat(text).contains(&flat(sentence)));
                there(if stands { Ok(()) } else { Err("neither the dossier nor the checkpoint says so".to_owned()) })
            }
            Evidence::Question(id) => {
                let asked = session.transcript.get(id).map(drop);
                there(asked.ok_or_else(|| "this session has no such question".to_owned()))
            }
            Evidence::Words(_) => Find::Unchecked,
        };
        found.insert(evidence.to_string(), find);
    }
    found
}

fn there(found: Result<(), String>) -> Find {
    match found {
        Ok(()) => Find::Found,
        Err(why) => Find::NotThere { why },
    }
}

/// White space is nothing of a sentence: a document breaks its lines where it likes.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether these lines of a file hold the quotation; else where it stands, if it stands there once.
fn in_lines(bytes: &[u8], (first, last): (u32, u32), quote: Option<&str>) -> Find {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let place = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let cited = lines.get(place(first) - 1..place(last)).map(<[&[u8]]>::concat);
    let Some(quote) = quote.filter(|quote| !quote.trim().is_empty()) else {
        let why = format!("the file has {} lines", lines.len());
        return there(cited.map(drop).ok_or(why));
    };
    let holds = |text: &[u8]| memchr_find(text, quote.as_bytes());
    if cited.is_some_and(|text| holds(&text).is_some()) {
        return Find::Found;
    }
    match holds(bytes) {
        Some(at) if memchr_find(&bytes[at + 1..], quote.as_bytes()).is_none() => {
            let line = bytes[..at].split(|byte| *byte == b'\n').count();
            Find::Moved { line: u32::try_from(line).unwrap_or(u32::MAX) }
        }
        Some(_) => {
            Find::NotThere { why: "these lines do not hold the words, which stand at several other places".to_owned() }
        }
        None => Find::NotThere { why: "the file does not hold these words".to_owned() },
    }
}

fn memchr_find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d29_d33_a_quotation_is_found_moved_or_not_there() {
        let file = b"one\ntwo words\nthree\n\nfive words\n";
        for (lines, quote, expected) in [
            ((2, 2), Some("two words"), Find::Found),
            ((1, 3), Some("two words\nthree"), Find::Found),
            ((2, 3), None, Find::Found),
            ((1, 1), Some("two words"), Find::Moved { line: 2 }),
            ((9, 12), Some("three"), Find::Moved { line: 3 }),
            ((5, 5), Some("five"), Find::Found),
        ] {
            assert_eq!(in_lines(file, lines, quote), expected, "{lines:?} {quote:?}");
        }
        // A byte more or less is another text, and what stands twice has not moved.
        for (lines, quote) in [
            ((2, 2), Some("two  words")),
            ((2, 2), Some("Two words")),
            ((1, 1), Some("words")),
            ((6, 6), None),
            ((3, 9), None),
        ] {
            assert!(matches!(in_lines(file, lines, quote), Find::NotThere { .. }), "{lines:?} {quote:?}");
        }
        assert!(matches!(in_lines(b"", (1, 1), None), Find::NotThere { .. }));
    }
}
