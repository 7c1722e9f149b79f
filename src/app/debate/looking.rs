//! Looks up what a text cites, before the user sees it (D29, D33): a quotation is compared byte for byte.

use std::collections::BTreeMap;

use crate::app::context::Context;
use crate::app::ports::Unread;
use crate::domain::debate::evidence::Evidence;
use crate::domain::debate::marks::{is_closing, is_quoting, quoted, unwrapped};
use crate::domain::debate::part::{self, Part};
use crate::domain::debate::raised_in;
use crate::domain::debate::round::Find;
use crate::domain::session::Session;

/// So many citations of one text are looked up; the rest stays unchecked.
const MOST_LOOKED: usize = 200;

/// So many bytes of files are compared with the citations of one text.
const MOST_READ: usize = 64 * 1024 * 1024;

/// The most words before a path that are passed over.
const MOST_WORDS: usize = 16;

/// A quotation with fewer signs, in words that are no citation, is most often a name and none of what a file holds.
const SHORTEST: usize = 4;

/// What a look at each citation of a text came to, by the citation's words.
pub(super) fn looked(
    context: &Context<'_>,
    session: &Session,
    number: u32,
    part: Part,
    text: &str,
) -> BTreeMap<String, Find> {
    let mut files: BTreeMap<String, Result<Vec<u8>, Unread>> = BTreeMap::new();
    let all = raised_in(part, text).into_iter().flat_map(|(_, objection)| objection.evidence);
    let mut found = BTreeMap::new();
    let mut left = MOST_READ;
    for evidence in all.take(MOST_LOOKED) {
        let mut cited = |path: &str, lines, quote| {
            let bytes =
                files.entry(path.to_owned()).or_insert_with(|| file(path, |path| context.citations.bytes(path)));
            match bytes {
                Ok(bytes) => match left.checked_sub(bytes.len()) {
                    Some(rest) => {
                        left = rest;
                        in_lines(bytes, lines, quote)
                    }
                    None => Find::Unchecked,
                },
                Err(Unread::NotThere(why)) => Find::NotThere { why: why.clone() },
                Err(Unread::Unreadable(_)) => Find::Unchecked,
            }
        };
        let find = match &evidence {
            Evidence::Lines { path, lines, quote } => cited(path, *lines, quote.as_deref()),
            Evidence::Commit(name) => there(context.citations.commit(name)),
            Evidence::Sentence(sentence) if sentence.trim().is_empty() => Find::Unchecked,
            Evidence::Sentence(sentence) => {
                let dossier = session.own.debate.text(&part::dossier(number)).unwrap_or_default();
                let texts = [flat(dossier), flat(session.checkpoint.as_str())];
                let stands = |sentence: &str| texts.iter().any(|text| text.contains(&flat(unwrapped(sentence))));
                if !stands(sentence) && beginnings(sentence).any(|(begins, _)| !is_short(begins) && stands(begins)) {
                    Find::Unchecked
                } else {
                    there(
                        stands(sentence)
                            .then_some(())
                            .ok_or_else(|| "neither the dossier nor the checkpoint says so".to_owned()),
                    )
                }
            }
            Evidence::Question(id) => {
                let asked = session.transcript.get(id).map(drop);
                there(asked.ok_or_else(|| "this session has no such question".to_owned()))
            }
            // A mark that is never closed keeps no words from being compared.
            Evidence::Words(words)
                if let Some(Evidence::Lines { path, lines, quote }) = Evidence::of_unclosed(words) =>
            {
                cited(&path, lines, quote.as_deref())
            }
            Evidence::Words(words) => in_words(words, |path| context.citations.bytes(path).ok()),
        };
        found.insert(evidence.to_string(), find);
    }
    found
}

/// The bytes of a cited file. Words of a sentence may stand before its path, and a path may hold blanks itself: it is looked
/// for as it is, and then without its first words. What does not end like a path names no file, and is not checked.
pub(super) fn file(path: &str, read: impl Fn(&str) -> Result<Vec<u8>, Unread>) -> Result<Vec<u8>, Unread> {
    let mut found = read(path);
    let blanks: Vec<usize> = path.match_indices(char::is_whitespace).map(|(at, _)| at).collect();
    let (mut last, mut lead) = (path, "");
    for at in &blanks[blanks.len().saturating_sub(MOST_WORDS)..] {
        if !matches!(found, Err(Unread::NotThere(_))) {
            break;
        }
        (lead, last) = (&path[..*at], path[*at..].trim_start().trim_start_matches(['"', '“', '`', '(', '[']));
        found = read(last);
    }
    // Another citation is none of these words.
    let is_plain = |sign: char| sign.is_alphabetic() || sign.is_whitespace() || ",'’-".contains(sign);
    if found.is_ok() && !lead.chars().all(is_plain) {
        return Err(Unread::Unreadable("the words before it may be another citation".to_owned()));
    }
    let ends_in_letters = |(_, ending): (&str, &str)| ending.starts_with(char::is_alphabetic);
    let is_path = blanks.is_empty() || last.contains('/') || last.rsplit_once('.').is_some_and(ends_in_letters);
    match found {
        Err(Unread::NotThere(_)) if !is_path => Err(Unread::Unreadable("it names no file".to_owned())),
        found => found,
    }
}

/// Words that are no citation are not checked. What they quote from a file that they name can be false all the same.
fn in_words(words: &str, bytes: impl Fn(&str) -> Option<Vec<u8>>) -> Find {
    let mut named: Vec<(&str, Vec<u8>)> = Vec::new();
    for path in named_files(words).take(MOST_WORDS) {
        if !named.iter().any(|(known, _)| *known == path) {
            named.extend(bytes(path).map(|bytes| (path, bytes)));
        }
    }
    // Which of several files a quotation is from, nobody knows.
    let [(path, bytes)] = named.as_slice() else { return Find::Unchecked };
    let file = String::from_utf8_lossy(bytes);
    let holds = |quote: &str| file.contains(quote) || file.contains(&unescaped(quote));
    let is_false = |quote: &&str| !is_short(quote) && !holds(quote);
    // All of it may be one quotation that holds marks itself.
    let whole = words.find(['"', '“']).and_then(|at| quoted(&words[at..])).map(|(inner, _)| inner);
    let all = quotations(words, path);
    let has_true = all.iter().any(|quote| !is_short(quote) && holds(quote));
    let counts = |quote: &&str| is_false(quote) && !quote.contains(path) && !(has_true && is_plain(quote));
    if whole.is_some_and(|quote| !is_false(&quote)) || !all.iter().any(counts) {
        return Find::Unchecked;
    }
    Find::NotThere { why: format!("these words are not in {path}") }
}

/// The quotations in words that name a file. Text in backquotes is a quotation only right behind the file's name: anywhere
/// else, backquotes mark a name.
fn quotations<'w>(words: &'w str, path: &str) -> Vec<&'w str> {
    let mut found = between_marks(words);
    let of_a_place = |c: char| c.is_whitespace() || c.is_ascii_digit() || "`:#L-".contains(c);
    for (open, _) in words.match_indices('`').step_by(2) {
        if words[..open].trim_end_matches(of_a_place).ends_with(path) {
            found.extend(words[open + 1..].split_once('`').map(|(inner, _)| inner));
        }
    }
    found
}

/// What stands in double quotation marks. One that is never closed is none.
fn between_marks(words: &str) -> Vec<&str> {
    let pieces: Vec<&str> = words.split(['"', '“', '”']).collect();
    pieces[..pieces.len() - 1].iter().skip(1).step_by(2).copied().collect()
}

/// Marks may be written with a backslash before them, as in code.
fn unescaped(quote: &str) -> String {
    quote.replace("\\\"", "\"")
}

/// What looks like the names of files in words that are no citation.
fn named_files(words: &str) -> impl Iterator<Item = &str> {
    let cut = |c: char| c.is_whitespace() || "\"'`()[]#,;".contains(c);
    let names =
        words.split(cut).map(|word| word.split(':').next().unwrap_or(word)).filter(|word| word.contains(['/', '.']));
    names.map(|name| name.trim_end_matches('.')).filter(|name| name.len() > 2 && name.contains(['/', '.']))
}

/// Whether this is a single word: a remark puts one in quotation marks to keep its distance from it.
fn is_plain(quote: &str) -> bool {
    quote.chars().all(char::is_alphanumeric)
}

/// Whether a quotation is too short to be checked without lines.
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
pub(super) fn in_lines(bytes: &[u8], lines: (u32, u32), quote: Option<&str>) -> Find {
    let text = String::from_utf8_lossy(bytes);
    let find = match (in_text(&text, lines, quote), quote) {
        (find @ Find::NotThere { .. }, Some(quote)) => before_words(&text, lines, quote).unwrap_or(find),
        (find, _) => find,
    };
    // In a file that is no UTF-8, nothing but ASCII is compared.
    let is_undecided = quote.is_some_and(|quote| !quote.is_ascii()) && std::str::from_utf8(bytes).is_err();
    if is_undecided { Find::Unchecked } else { find }
}

/// What words come to that are no quotation as a whole, where they begin with one: `x();" which isn't "safe` is a quotation
/// from which a remark goes on. None where the file does not hold what they begin with, nor further quotations.
fn before_words(text: &str, lines: (u32, u32), words: &str) -> Option<Find> {
    let begins_true = |quote: &str| match in_text(text, lines, Some(quote)) {
        Find::Found => true,
        Find::Moved { .. } => !is_short(quote),
        Find::NotThere { .. } | Find::Unquoted | Find::Unchecked => false,
    };
    let (quote, mark) = beginnings(words).find(|(quote, _)| begins_true(quote))?;
    let rest = &words[quote.len() + mark.len()..];
    let lead = &rest[..rest.find(is_quoting).unwrap_or(rest.len())];
    let is_remark = lead.split(|sign: char| !sign.is_alphabetic()).any(|word| !["", "and", "or"].contains(&word));
    let is_false = |quote: &&str| !is_short(quote) && !text.contains(*quote);
    let closed = format!("{rest}{mark}");
    (is_remark || !between_marks(&closed).iter().any(is_false)).then_some(Find::Unchecked)
}

/// What words may begin with that is quoted, if they are no quotation as a whole, and the mark that closes it; the longest
/// first. Another word follows.
fn beginnings(words: &str) -> impl Iterator<Item = (&str, &str)> {
    // A comma may be one of the code that is quoted.
    const JOINING: [&str; 12] =
        ["and", "as", "because", "but", "not", "since", "so", "though", "whereas", "which", "while", "yet"];
    let goes_on = |at: usize, mark: &str| {
        let behind = &words[at + mark.len()..];
        let joined = behind.strip_prefix(", ").and_then(|behind| behind.split(' ').next());
        behind.starts_with([' ', '\t', '\n', ')']) || joined.is_some_and(|word| JOINING.contains(&word))
    };
    words.rmatch_indices(is_closing).filter(move |(at, mark)| goes_on(*at, mark)).map(|(at, mark)| (&words[..at], mark))
}

fn in_text(text: &str, (first, last): (u32, u32), quote: Option<&str>) -> Find {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let place = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let cited = lines.get(place(first) - 1..place(last)).map(<[&str]>::concat);
    let quote = quote.filter(|quote| !quote.trim().is_empty());
    let Some(cited) = cited.or_else(|| quote.map(|_| String::new())) else {
        return Find::NotThere { why: format!("the file has {} lines", lines.len()) };
    };
    let Some(quote) = quote else { return Find::Unquoted };
    let unescaped = unescaped(quote);
    for quote in [quote, unescaped.as_str(), unwrapped(quote)].into_iter().filter(|quote| !quote.is_empty()) {
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
        .unwrap_or_else(|| Find::NotThere { why: "these words are not in the file".to_owned() })
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
            ((2, 2), Some("wo"), Find::Found),
            ((2, 2), Some("`two words`"), Find::Found),
            ((2, 2), Some("` two words `"), Find::Found),
            ((2, 2), Some(" "), Find::Unquoted),
            ((1, 1), Some("two words"), Find::Moved { line: 2 }),
            ((9, 12), Some("three"), Find::Moved { line: 3 }),
            ((5, 5), Some("five"), Find::Found),
            // However short it is.
            ((1, 1), Some("tw"), Find::Moved { line: 2 }),
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
        // Bytes that are no text are equal to nothing that a quotation can hold.
        assert_eq!(in_lines(b"caf\xe9 au lait\n", (1, 1), Some("caf\u{fffd} au")), Find::Unchecked);
        assert_eq!(in_lines(b"caf\xe9 au lait\n", (1, 1), Some("au lait")), Find::Found);
        assert!(matches!(in_lines(b"caf\xe9\n", (1, 1), Some("cof")), Find::NotThere { .. }));
        assert_eq!(in_lines(b"caf\xe9\n", (1, 1), Some("caf\u{e9}")), Find::Unchecked);
        assert_eq!(in_lines("caf\u{fffd}\n".as_bytes(), (1, 1), Some("caf\u{fffd}")), Find::Found);
        assert_eq!(in_lines(b"say(\"hello\")\n", (1, 1), Some("say(\\\"hello\\\")")), Find::Found);
        // A remark may go on behind a quotation, and keep its distance from a word; what it quotes is compared.
        let code = b"fn f() {\n    count();\n}\n";
        for (lines, words) in [
            ((2, 2), "count();\" which isn't \"safe"),
            ((2, 2), "count();' isn't 'safe"),
            ((2, 2), "count();” (see “Limits"),
            ((1, 1), "count();\" and \"fn f()"),
            ((3, 3), "}\" is all of \"it"),
            ((2, 2), "count();\" rather than \"lock();"),
        ] {
            assert_eq!(in_lines(code, lines, Some(words)), Find::Unchecked, "{words:?}");
        }
        for words in [
            "count(); isn't \"safe",
            "reset();\" which isn't \"safe",
            "count();\" and \"reset();",
            "count();\" and \"drop table",
            "`\"count();\"`",
            "f(\"count();\", reset())",
            // What is short is looked for in the lines alone.
            "}\" is all of \"it",
        ] {
            assert!(matches!(in_lines(code, (2, 2), Some(words)), Find::NotThere { .. }), "{words:?}");
        }
        let named = |words| named_files(words).collect::<Vec<_>>();
        assert_eq!(named("see src/app.py \"bogus\""), ["src/app.py"]);
        assert_eq!((named("[src/a.py:1](x)"), named("two servers run.")), (vec!["src/a.py"], vec![]));
    }

    #[test]
    fn d29_d33_a_path_is_found_behind_words_and_what_is_no_path_is_not_checked() {
        let found = |path: &str| {
            let there = |path: &str| ["src/a.rs", "sp ace/f ile.txt"].contains(&path);
            let read = |path: &str| {
                if there(path) { Ok(b"it".to_vec()) } else { Err(Unread::NotThere("there is no such file".to_owned())) }
            };
            file(path, read)
        };
        for path in ["src/a.rs", "see src/a.rs", "as `src/a.rs", "sp ace/f ile.txt", "see sp ace/f ile.txt"] {
            assert_eq!(found(path), Ok(b"it".to_vec()), "{path}");
        }
        for path in ["b.rs:1: src/a.rs", "see b.rs, src/a.rs"] {
            assert!(matches!(found(path), Err(Unread::Unreadable(_))), "{path}");
        }
        for path in ["src", "src/b.rs", "see src/b.rs", "see b.rs", "limit"] {
            assert!(matches!(found(path), Err(Unread::NotThere(_))), "{path}");
        }
        for path in ["since v1.2 it ran at 12", "it needs v1.2"] {
            assert!(matches!(found(path), Err(Unread::Unreadable(_))), "{path}");
        }
    }

    /// Only what is quoted, and is not in the file that is named, is false; the rest is words.
    #[test]
    fn d29_d33_words_that_name_a_file_are_unchecked_unless_they_quote_what_is_not_in_it() {
        let found = |words: &str| {
            let file = |path: &str| match path {
                "src/a.rs" => Some(b"fn a() {\n    say(\"now\");\n}\n".to_vec()),
                "src/c.rs" => Some(b"fn c() {}\n".to_vec()),
                _ => None,
            };
            in_words(words, file)
        };
        for words in [
            "src/a.rs shows that",
            "src/a.rs \"fn a()\"",
            "`src/a.rs` \"say(\"now\");\"",
            "src/a.rs:2 says \"now\" and \"fn a()\"",
            "src/a.rs `fn a()`",
            "`src/a.rs` lacks `reset()`",
            "src/a.rs has no end \"of it",
            "src/b.rs \"reset();\"",
            "src/a.rs:2 \"say(\" — the so-called \"counter\" is slow",
            "src/a.rs says \"fn a()\" and src/c.rs \"fn c()\"",
            "two servers run \"apart\"",
        ] {
            assert_eq!(found(words), Find::Unchecked, "{words}");
        }
        for words in [
            "src/a.rs \"reset();\"",
            "src/a.rs:2 says “reset();”",
            "src/a.rs `reset();`",
            "`src/a.rs:2` `reset();` there",
            "src/a.rs says \"fn a()\" and \"reset();\"",
        ] {
            assert!(matches!(found(words), Find::NotThere { .. }), "{words}");
        }
    }
}
