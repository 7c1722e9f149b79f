//! Looks up what a text cites, before the user sees it (D29, D33): a quotation is compared byte for byte.

use std::collections::BTreeMap;

use crate::app::context::Context;
use crate::domain::debate::evidence::Evidence;
use crate::domain::debate::part::{self, Part};
use crate::domain::debate::raised_in;
use crate::domain::debate::round::Find;
use crate::domain::session::Session;

/// So many citations of one text are looked up; the rest stays unchecked.
const MOST_LOOKED: usize = 200;

/// A quotation with fewer signs proves nothing.
const SHORTEST: usize = 4;

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
    for evidence in all.take(MOST_LOOKED) {
        let find = match &evidence {
            Evidence::Lines { path, lines, quote } => {
                let bytes = files.entry(path.clone()).or_insert_with(|| context.citations.bytes(path));
                match bytes {
                    Ok(bytes) => in_lines(bytes, *lines, quote.as_deref()),
                    Err(why) => Find::NotThere { why: why.clone() },
                }
            }
            Evidence::Commit(name) => there(context.citations.commit(name)),
            Evidence::Sentence(sentence) if is_short(sentence) => Find::Unquoted,
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
            Evidence::Words(words) => match named_file(words).filter(|path| context.citations.bytes(path).is_ok()) {
                Some(path) => Find::NotThere {
                    why: format!("{path} is named in a form that is not checked; write {path}:3-9 \"<words>\""),
                },
                None => Find::Unchecked,
            },
        };
        found.insert(evidence.to_string(), find);
    }
    found
}

/// What looks like the name of a file in words that are no citation: it could be taken for one.
fn named_file(words: &str) -> Option<&str> {
    let cut = |c: char| c.is_whitespace() || "\"'`()[]#,;".contains(c);
    let names =
        words.split(cut).map(|word| word.split(':').next().unwrap_or(word)).filter(|word| word.contains(['/', '.']));
    names.map(|name| name.trim_end_matches('.')).find(|name| name.len() > 2 && name.contains(['/', '.']))
}

/// Whether a quotation could stand almost anywhere.
fn is_short(quote: &str) -> bool {
    quote.chars().filter(|c| !c.is_whitespace()).count() < SHORTEST
}

fn there(found: Result<(), String>) -> Find {
    match found {
        Ok(()) => Find::Found,
        Err(why) => Find::NotThere { why },
    }
}

/// Ignores white space: documents wrap lines anywhere.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether these lines of a file hold the quotation; if not, its line, if the file holds it exactly once.
fn in_lines(bytes: &[u8], (first, last): (u32, u32), quote: Option<&str>) -> Find {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let place = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let cited = lines.get(place(first) - 1..place(last)).map(<[&str]>::concat);
    let Some(cited) = cited.or_else(|| quote.filter(|quote| !is_short(quote)).map(|_| String::new())) else {
        return Find::NotThere { why: format!("the file has {} lines", lines.len()) };
    };
    let Some(quote) = quote else { return Find::Unquoted };
    if is_short(quote) {
        // Too little to find elsewhere, and yet it can be false.
        let why = "these lines do not hold these words".to_owned();
        return if cited.contains(quote) { Find::Unquoted } else { Find::NotThere { why } };
    }
    // Marks may be written with a backslash before them, as in code.
    let unescaped = quote.replace("\\\"", "\"");
    for quote in [quote, unescaped.as_str()] {
        if cited.contains(quote) {
            return Find::Found;
        }
        let mut places = text.match_indices(quote).map(|(at, _)| at);
        match (places.next(), places.next()) {
            (Some(at), None) => {
                let line = text[..at].matches('\n').count() + 1;
                return Find::Moved { line: u32::try_from(line).unwrap_or(u32::MAX) };
            }
            (Some(_), Some(_)) => {
                let why = "these lines do not hold the words, which stand at several other places".to_owned();
                return Find::NotThere { why };
            }
            (None, _) => {}
        }
    }
    in_several_lines(&lines, (place(first), place(last)), quote)
        .unwrap_or_else(|| Find::NotThere { why: "the file does not hold these words".to_owned() })
}

/// The same for a quotation over several lines: a list indents them as it likes, so white space at the ends of lines, and
/// blank lines, are not compared. None where it stands nowhere.
fn in_several_lines(lines: &[&str], (first, last): (usize, usize), quote: &str) -> Option<Find> {
    let said = |line: &&str| !line.is_empty();
    let wanted: Vec<&str> = quote.lines().map(str::trim).filter(said).collect();
    let [head, between @ .., tail] = wanted.as_slice() else { return None };
    let there: Vec<(usize, &str)> =
        (1..).zip(lines.iter().map(|line| line.trim())).filter(|(_, line)| said(line)).collect();
    let is_it = |part: &&[(usize, &str)]| {
        let [(_, begins), middle @ .., (_, ends)] = part else { return false };
        begins.ends_with(head) && ends.starts_with(tail) && middle.iter().map(|(_, line)| line).eq(between)
    };
    let places: Vec<(usize, usize)> =
        there.windows(wanted.len()).filter(is_it).map(|part| (part[0].0, part[part.len() - 1].0)).collect();
    match places.as_slice() {
        [] => None,
        all if all.iter().any(|(begins, ends)| *begins >= first && *ends <= last) => Some(Find::Found),
        [(begins, _)] => Some(Find::Moved { line: u32::try_from(*begins).unwrap_or(u32::MAX) }),
        _ => Some(Find::NotThere {
            why: "these lines do not hold the words, which stand at several other places".to_owned(),
        }),
    }
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
            ((2, 3), None, Find::Unquoted),
            ((2, 2), Some("wo"), Find::Unquoted),
            ((2, 2), Some(" "), Find::Unquoted),
            ((1, 1), Some("two words"), Find::Moved { line: 2 }),
            ((9, 12), Some("three"), Find::Moved { line: 3 }),
            ((5, 5), Some("five"), Find::Found),
        ] {
            assert_eq!(in_lines(file, lines, quote), expected, "{lines:?} {quote:?}");
        }
        let code = b"fn a() {\n    let b = 1;\n\n    c(b);\n}\nfn d() {\n    c(b);\n}\n";
        for (lines, quote, expected) in
            [((1, 4), "a() {\nlet b = 1;\nc(b)", Find::Found), ((6, 8), "let b = 1;\nc(b);", Find::Moved { line: 2 })]
        {
            assert_eq!(in_lines(code, lines, Some(quote)), expected, "{quote:?}");
        }
        for quote in ["let b = 1;\nd(b);", "let  b = 1;\nc(b);", "fn a() {\nc(b);", "c(b);\n}"] {
            assert!(matches!(in_lines(code, (1, 2), Some(quote)), Find::NotThere { .. }), "{quote:?}");
        }
        // A byte more or less is another text, and what stands twice has not moved.
        for (lines, quote) in [
            ((2, 2), Some("two  words")),
            ((2, 2), Some("Two words")),
            ((1, 1), Some("words")),
            ((6, 6), None),
            ((3, 9), None),
            ((2, 2), Some("zz")),
        ] {
            assert!(matches!(in_lines(file, lines, quote), Find::NotThere { .. }), "{lines:?} {quote:?}");
        }
        assert!(matches!(in_lines(b"", (1, 1), None), Find::NotThere { .. }));
        assert_eq!(in_lines(b"say(\"hello\")\n", (1, 1), Some("say(\\\"hello\\\")")), Find::Found);
        assert_eq!(named_file("see src/app.py \"bogus\""), Some("src/app.py"));
        assert_eq!((named_file("[src/a.py:1](x)"), named_file("two servers run.")), (Some("src/a.py"), None));
    }
}
