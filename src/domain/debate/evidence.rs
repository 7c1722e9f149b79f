//! What an objection stands on, as far as it can be looked up (D29, D33).

use std::borrow::Cow;
use std::fmt;

use super::marks::{MARKS, is_mark, is_quoting, quoted};
use crate::domain::ids::QuestionId;

/// Something that an objection names as its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Lines of a file, by their numbers from 1, and what they are said to hold.
    Lines {
        path: String,
        lines: (u32, u32),
        quote: Option<String>,
    },
    /// A commit, by the beginning of its name.
    Commit(String),
    /// A sentence of the checkpoint, word for word.
    Sentence(String),
    Question(QuestionId),
    /// Nothing that can be looked up.
    Words(String),
}

impl Evidence {
    /// Reads what stands behind `Evidence:`: one piece, or several citations, one behind the other.
    pub fn all(text: &str) -> Vec<Self> {
        let text = text.trim();
        if text.len() > LONGEST || is_marked(text) {
            return vec![Self::parse(text)];
        }
        let (mut found, mut from) = (Vec::new(), 0);
        for (at, behind) in gaps(text) {
            if at < from || !begins(&text[behind..]) {
                continue;
            }
            // A quotation may stand before its place.
            let before = &text[from..at];
            let is_quotation =
                !before.starts_with('`') && quoted(before).is_some_and(|(_, behind)| behind.trim().is_empty());
            let piece = Self::parse(&text[from..at]);
            if piece.is_checkable() && !is_quotation {
                found.push(piece);
                from = behind;
                if is_marked(&text[from..]) {
                    break;
                }
            }
        }
        found.push(Self::parse(&text[from..]));
        let whole = Self::parse(text);
        // A quotation may hold what looks like the beginning of another citation.
        if whole.is_checkable() && !found.iter().all(Self::is_checkable) { vec![whole] } else { found }
    }

    /// Reads one piece of evidence.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if let Some(sentence) = sentence(text) {
            return Self::Sentence(sentence.to_owned());
        }
        let name = behind_word(text, "commit").map(|name| name.trim_end_matches('.').trim_matches('`'));
        if let Some(name) = name.filter(|name| is_commit(name)) {
            return Self::Commit(name.to_lowercase());
        }
        let id = behind_word(text, "question").unwrap_or(text).trim_end_matches('.').trim_matches(['`', '(', ')']);
        if let Ok(question) = QuestionId::parse(id) {
            return Self::Question(question);
        }
        lines(&unquoted_place(text)).unwrap_or_else(|| Self::Words(text.to_owned()))
    }

    /// The lines that words cite, if their quotation were closed at the end.
    pub fn of_unclosed(words: &str) -> Option<Self> {
        MARKS.iter().find_map(|(open, close)| match Self::parse(&format!("{words}{close}")) {
            Self::Lines { path, lines, quote: Some(quote) } if !quote.contains([*open, *close]) => {
                Some(Self::Lines { path, lines, quote: Some(quote) })
            }
            Self::Lines { .. } | Self::Commit(_) | Self::Sentence(_) | Self::Question(_) | Self::Words(_) => None,
        })
    }

    /// Whether there is something to look up.
    pub fn is_checkable(&self) -> bool {
        match self {
            Self::Lines { .. } | Self::Commit(_) | Self::Sentence(_) | Self::Question(_) => true,
            Self::Words(_) => false,
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lines { path, lines: (first, last), quote } => {
                write!(f, "{path}:{first}")?;
                if first != last {
                    write!(f, "-{last}")?;
                }
                quote.as_ref().map_or(Ok(()), |quote| write!(f, " \"{quote}\""))
            }
            Self::Commit(name) => write!(f, "commit {name}"),
            Self::Sentence(sentence) => write!(f, "checkpoint \"{sentence}\""),
            Self::Question(question) => write!(f, "{question}"),
            Self::Words(words) => f.write_str(words),
        }
    }
}

/// A line of more bytes is one citation.
const LONGEST: usize = 4096;

/// What stands behind a word, whatever the case of its letters, with a colon between them or none.
fn behind_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(word.len())?;
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    (head.eq_ignore_ascii_case(word) && rest.starts_with(char::is_whitespace)).then(|| rest.trim())
}

/// The sentence behind `checkpoint` or `dossier`. A few words may stand before these.
fn sentence(text: &str) -> Option<&str> {
    const MOST_WORDS: usize = 4;
    let is_open = |sign: char| sign == '>' || MARKS.iter().any(|(open, _)| *open == sign);
    let (head, quote) = text.split_at(text.find(is_open)?);
    let head = head.trim_end();
    let words: Vec<&str> = head.strip_suffix(':').unwrap_or(head).split_whitespace().collect();
    let (last, lead) = words.split_last()?;
    let is_it = ["checkpoint", "dossier"].iter().any(|name| last.eq_ignore_ascii_case(name));
    let is_plain = lead.len() <= MOST_WORDS && lead.iter().all(|word| word.chars().all(char::is_alphabetic));
    let inner = quote.strip_prefix('>').map(str::trim).or_else(|| quoted(quote).map(|(inner, _)| inner))?;
    (is_it && is_plain).then_some(inner)
}

/// A citation whose place stands in quotation marks, or whose marks are all escaped, as it would be written without.
fn unquoted_place(text: &str) -> Cow<'_, str> {
    let is_at_an_end = text.starts_with("\\\"") || text.ends_with("\\\"");
    let text = if is_at_an_end && !text.replace("\\\"", "").contains('"') {
        Cow::Owned(text.replace("\\\"", "\""))
    } else {
        Cow::Borrowed(text)
    };
    let place = MARKS.iter().filter(|(open, _)| *open != '`').find_map(|(open, close)| {
        let (place, rest) = text.strip_prefix(*open)?.split_once(*close)?;
        is_place(place, rest).then(|| format!("{place}{rest}"))
    });
    place.map_or(text, Cow::Owned)
}

/// Whether all that stands behind a place is quoted by `>`.
fn is_marked(text: &str) -> bool {
    let at = text.find(" >").unwrap_or(0);
    matches!(Evidence::parse(&text[..at]), Evidence::Lines { quote: None, .. })
}

/// What may stand between two citations.
const BETWEEN: [&str; 11] = ["and", "but", "or", "vs.", "vs", "/", "+", "&", "|", "—", "–"];

/// Where one citation may end, and where the next one may begin. Words before its path are passed over later.
fn gaps(text: &str) -> impl Iterator<Item = (usize, usize)> {
    text.match_indices([',', ';', ' ', '\n']).filter_map(|(at, mark)| {
        let rest = text[at + 1..].trim_start();
        let word = BETWEEN
            .iter()
            .find_map(|word| rest.strip_prefix(word).filter(|rest| rest.starts_with(char::is_whitespace)));
        let word = word.map(str::trim_start);
        // A quotation goes with the place before it.
        let is_quotation = rest.starts_with('>') || MARKS.iter().any(|(open, _)| rest.starts_with(*open));
        let behind = word.or((matches!(mark, "," | ";") || !is_quotation).then_some(rest))?;
        Some((at, text.len() - behind.len()))
    })
}

/// Whether a quotation begins here that stands before its place.
fn is_quotation_of_a_place(text: &str) -> bool {
    let behind =
        text.strip_prefix('"').and_then(|rest| rest.split_once('"')).map_or("", |(_, behind)| behind.trim_start());
    let place = ["in ", "at ", "from "].iter().find_map(|word| behind.strip_prefix(word)).unwrap_or_default();
    let end = place.find([',', ';', ' ', '\n']).unwrap_or(place.len());
    matches!(lines(&place[..end]), Some(Evidence::Lines { quote: None, .. }))
}

/// Whether a place in quotation marks begins here.
fn is_quoted_place(text: &str) -> bool {
    let place = text.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    place.is_some_and(|(place, rest)| is_place(place, rest))
}

/// Whether words in quotation marks are a place, by themselves and by what stands behind them.
fn is_place(words: &str, behind: &str) -> bool {
    let behind = behind.trim_start_matches(':').trim_start();
    let goes_on = behind.is_empty() || behind.starts_with(['>', '(', ',', ';']) || behind.starts_with(is_mark);
    goes_on && words.contains(['/', '.']) && matches!(lines(words), Some(Evidence::Lines { quote: None, .. }))
}

/// Whether a citation begins here, as far as its quotation.
fn begins(text: &str) -> bool {
    let is_end = |c| ",;".contains(c) || c != '`' && MARKS.iter().any(|(open, _)| *open == c);
    let place = text[..text.find(is_end).unwrap_or(text.len())].trim_end();
    let place = place.strip_suffix(':').unwrap_or(place);
    sentence(text).is_some()
        || is_quoted_place(text)
        || is_quotation_of_a_place(text)
        || Evidence::parse(place).is_checkable()
}

/// `path:3`, `path:3-9`, `path:3:7` with a column, `path:L3`, `path#L3-L9`, `path#L3-#L9`, and a quotation behind it; the
/// place may stand in backquotes. A path may hold blanks and colons: the first number that nothing but a quotation follows
/// ends it.
fn lines(text: &str) -> Option<Evidence> {
    let within = text.strip_prefix('`').and_then(|inner| inner.strip_suffix('`'));
    let text = within.filter(|inner| !inner.contains('`')).unwrap_or(text);
    text.match_indices([':', '#']).find_map(|(at, mark)| {
        let (path, behind) = (unmarked(text[..at].trim().trim_matches('`').trim()), &text[at + 1..]);
        // The number of an issue names no lines.
        if mark == "#" && !behind.starts_with('L') {
            return None;
        }
        let is_of_numbers = |c: char| c.is_ascii_digit() || c == '-' || c == 'L' || mark == "#" && c == '#';
        let end = behind.find(|c: char| !is_of_numbers(c)).unwrap_or(behind.len());
        let (numbers, rest) = behind.split_at(end);
        let column = rest.strip_prefix(':').map(|column| column.trim_start_matches(|c: char| c.is_ascii_digit()));
        let rest = column.filter(|behind| behind.len() + 1 < rest.len()).unwrap_or(rest);
        // As a search prints it: `path:3: words`.
        let rest = rest.strip_prefix(':').filter(|rest| rest.starts_with([' ', '\t'])).unwrap_or(rest);
        // The backquote that the place stands in ends here.
        let within = rest.strip_prefix('`');
        let quote = match within.unwrap_or(rest).trim() {
            "" => None,
            rest if is_fence(rest) => None,
            _ if within.is_none() && !rest.starts_with([' ', '\t']) => return None,
            rest => Some(quotation(rest)?),
        };
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let number = |text: &str| {
            let text = text.strip_prefix('#').unwrap_or(text);
            text.strip_prefix('L').unwrap_or(text).parse::<u32>().ok().filter(|number| *number > 0)
        };
        let lines = (number(first)?, number(last)?);
        let (quote, path) = match (quote, quoted_before(path)) {
            (None, Some((quote, path))) => (Some(quote), path),
            (quote, _) => (quote, path),
        };
        let lead = path.rsplit_once(char::is_whitespace).map_or("", |(lead, _)| lead);
        // What is quoted before the path may be anything.
        if lead.contains(is_quoting) || lead.contains(" '") || lead.starts_with('\'') {
            return None;
        }
        // “It began at 12:30” names no file, nor does a URL with a port.
        let is_path = (path.contains(['/', '.']) || !path.contains(char::is_whitespace))
            && !path.contains("://")
            && !path.contains('\n');
        let is_fit = !path.is_empty() && is_path && lines.0 <= lines.1;
        is_fit.then(|| Evidence::Lines { path: path.to_owned(), lines, quote: quote.map(str::to_owned) })
    })
}

/// Whether a block of code begins here.
fn is_fence(text: &str) -> bool {
    text.strip_prefix("```").is_some_and(|language| language.chars().all(char::is_alphanumeric))
}

/// A path without the quotation marks around it.
fn unmarked(path: &str) -> &str {
    let marks = ['"', '\''].into_iter();
    let inner = marks.filter_map(|mark| path.strip_prefix(mark)?.strip_suffix(mark)).find(|inner| !inner.contains('"'));
    inner.unwrap_or(path)
}

/// A quotation that stands before the path that it is from, and the path. In backquotes it may be a name.
fn quoted_before(text: &str) -> Option<(&str, &str)> {
    let is_open = |(open, _): &&(char, char)| !"`'‘‚".contains(*open) && text.starts_with(*open);
    MARKS.iter().filter(is_open).find_map(|(open, close)| {
        let (quote, behind) = text[open.len_utf8()..].split_once(*close)?;
        let behind = behind.trim();
        let from = ["in ", "at ", "from ", "of ", "– ", "— ", "- "].iter().find_map(|word| behind.strip_prefix(word));
        let path = from.unwrap_or(behind).trim().trim_matches('`');
        (!path.is_empty() && !path.contains(char::is_whitespace)).then_some((quote, path))
    })
}

/// All that stands behind a place, if it is one quotation. Marks of any script quote, so that none keeps words from being
/// compared.
fn quotation(text: &str) -> Option<&str> {
    if let Some(inner) = text.strip_prefix('>').map(str::trim) {
        return Some(quoted(inner).filter(|(_, behind)| behind.is_empty()).map_or(inner, |(inner, _)| inner));
    }
    let text = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(text);
    let is_end = |behind: &str| behind.chars().all(|sign| sign.is_whitespace() || ".,;".contains(sign));
    quoted(text).filter(|(_, behind)| is_end(behind)).map(|(inner, _)| inner)
}

/// Whether this can be the beginning of a commit's name: git reads anything else as a revision of its own kind.
pub fn is_commit(name: &str) -> bool {
    (7..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d29_evidence_that_can_be_looked_up_is_told_from_words() {
        let lines = |path: &str, first, last, quote: Option<&str>| Evidence::Lines {
            path: path.to_owned(),
            lines: (first, last),
            quote: quote.map(str::to_owned),
        };
        for (text, expected) in [
            ("src/a.rs:3", lines("src/a.rs", 3, 3, None)),
            ("`src/a.rs:3-9`", lines("src/a.rs", 3, 9, None)),
            ("a:b.rs:3-9 \"let x = \"y\";\"", lines("a:b.rs", 3, 9, Some("let x = \"y\";"))),
            ("src/a.rs:3 “x”", lines("src/a.rs", 3, 3, Some("x"))),
            ("src/a.rs:3 `x y`", lines("src/a.rs", 3, 3, Some("x y"))),
            ("src/a.rs:3 'x y'", lines("src/a.rs", 3, 3, Some("x y"))),
            ("src/a.rs:3 «x y»", lines("src/a.rs", 3, 3, Some("x y"))),
            ("src/a.rs:3 „x y“", lines("src/a.rs", 3, 3, Some("x y"))),
            ("src/a.rs:3 > x y", lines("src/a.rs", 3, 3, Some("x y"))),
            ("`src/a.rs:3` \"x y\"", lines("src/a.rs", 3, 3, Some("x y"))),
            ("`src/a.rs:3-9` `x y`", lines("src/a.rs", 3, 9, Some("x y"))),
            ("`src/a.rs`:3 \"x y\"", lines("src/a.rs", 3, 3, Some("x y"))),
            ("src/a.rs:L3 \"x y\"", lines("src/a.rs", 3, 3, Some("x y"))),
            ("src/a.rs#L3-L9", lines("src/a.rs", 3, 9, None)),
            ("src/a.rs#L3-#L9", lines("src/a.rs", 3, 9, None)),
            ("src/a.rs:3:7 \"x y\"", lines("src/a.rs", 3, 3, Some("x y"))),
            ("src/a.rs:3:7", lines("src/a.rs", 3, 3, None)),
            ("see src/a.rs:3 \"x\"", lines("see src/a.rs", 3, 3, Some("x"))),
            ("src/a.rs:3 ```rust", lines("src/a.rs", 3, 3, None)),
            ("\\\"x\\\" in src/a.rs:3", lines("src/a.rs", 3, 3, Some("x"))),
            ("src/a.rs:3: \"x\"", lines("src/a.rs", 3, 3, Some("x"))),
            ("src/a.rs:3 (\"x\")", lines("src/a.rs", 3, 3, Some("x"))),
            ("src/a.rs:3 \"x\".", lines("src/a.rs", 3, 3, Some("x"))),
            ("src/a.rs:3 \\\"x\\\"", lines("src/a.rs", 3, 3, Some("x"))),
            ("\"src/a.rs:3\" \"x\"", lines("src/a.rs", 3, 3, Some("x"))),
            ("\"src/a.rs:3\": \"x\"", lines("src/a.rs", 3, 3, Some("x"))),
            ("\"src/a.rs:3\"", lines("src/a.rs", 3, 3, None)),
            ("\"my a.rs\":3 'x'", lines("my a.rs", 3, 3, Some("x"))),
            ("don't see src/a.rs:3", lines("don't see src/a.rs", 3, 3, None)),
            ("Commit: `083683aa`.", Evidence::Commit("083683aa".to_owned())),
            ("violates the Checkpoint: \"One.\"", Evidence::Sentence("One.".to_owned())),
            ("dossier > One.", Evidence::Sentence("One.".to_owned())),
            ("question `q-7f3k2a`.", Evidence::parse("q-7f3k2a")),
            ("\"x: 3 y\" in src/a.rs:3", lines("src/a.rs", 3, 3, Some("x: 3 y"))),
            ("“x y” `src/a.rs`:3-9", lines("src/a.rs", 3, 9, Some("x y"))),
            ("\"x\" is not in src/a.rs:3", Evidence::Words("\"x\" is not in src/a.rs:3".to_owned())),
            ("`x` in src/a.rs:3", Evidence::Words("`x` in src/a.rs:3".to_owned())),
            ("b.rs says \"y\"; src/a.rs:3 \"x\"", Evidence::Words("b.rs says \"y\"; src/a.rs:3 \"x\"".to_owned())),
            ("http://localhost:8080 \"x\"", Evidence::Words("http://localhost:8080 \"x\"".to_owned())),
            ("https://a.example/src/a.rs#L3", Evidence::Words("https://a.example/src/a.rs#L3".to_owned())),
            ("it began at 12:30:15", Evidence::Words("it began at 12:30:15".to_owned())),
            ("src/a.rs#3", Evidence::Words("src/a.rs#3".to_owned())),
            ("it began at 12:30", Evidence::Words("it began at 12:30".to_owned())),
            ("commit 083683AA", Evidence::Commit("083683aa".to_owned())),
            ("checkpoint \"One writer at a time.\"", Evidence::Sentence("One writer at a time.".to_owned())),
            ("q-7f3k2a", Evidence::parse("q-7f3k2a")),
            ("src/a.rs:9-3", Evidence::Words("src/a.rs:9-3".to_owned())),
            ("src/a.rs:0", Evidence::Words("src/a.rs:0".to_owned())),
            ("src/a.rs:3 says so", Evidence::Words("src/a.rs:3 says so".to_owned())),
            ("commit later", Evidence::Words("commit later".to_owned())),
            ("sp ace/f ile.txt:1 \"a line\"", lines("sp ace/f ile.txt", 1, 1, Some("a line"))),
            ("dossier \"One writer at a time.\"", Evidence::Sentence("One writer at a time.".to_owned())),
            ("common sense", Evidence::Words("common sense".to_owned())),
        ] {
            let evidence = Evidence::parse(text);
            assert_eq!(evidence, expected, "{text}");
            assert_eq!(Evidence::parse(&evidence.to_string()), evidence, "{text}");
        }
    }

    #[test]
    fn d29_d33_a_quotation_that_is_never_closed_is_one_and_a_sentence_behind_a_quotation_is_none() {
        let lines = |quote: &str| {
            Some(Evidence::Lines { path: "a.rs".to_owned(), lines: (3, 3), quote: Some(quote.to_owned()) })
        };
        assert_eq!(Evidence::of_unclosed("a.rs:3 \"x y"), lines("x y"));
        assert_eq!(Evidence::of_unclosed("a.rs:3 «x y"), lines("x y"));
        for words in ["a.rs:3 \"x\" says so", "a.rs:3 says \"so", "a.rs:3 says so", "two servers \"run"] {
            assert_eq!(Evidence::of_unclosed(words), None, "{words}");
        }
    }

    #[test]
    fn d29_d33_a_line_is_split_into_its_citations() {
        for (text, expected) in [
            ("src/a.rs:2 \"x();\", src/b.rs:5 \"y\"", &["src/a.rs:2 \"x();\"", "src/b.rs:5 \"y\""][..]),
            ("src/a.rs:2 \"x\"; src/b.rs:5", &["src/a.rs:2 \"x\"", "src/b.rs:5"]),
            ("src/a.rs:2 and src/b.rs:5", &["src/a.rs:2", "src/b.rs:5"]),
            ("`src/a.rs:2 \"x\"`, and `src/b.rs:5 \"y\"`", &["src/a.rs:2 \"x\"", "src/b.rs:5 \"y\""]),
            ("`src/a.rs:2` `x`, `src/b.rs:5` `y`", &["src/a.rs:2 \"x\"", "src/b.rs:5 \"y\""]),
            (
                "commit 083683aa, checkpoint \"One.\" and q-7f3k2a",
                &["commit 083683aa", "checkpoint \"One.\"", "q-7f3k2a"],
            ),
            ("a.rs:1 \"f(\"x\", y)\", b.rs:2 \"z\"", &["a.rs:1 \"f(\"x\", y)\"", "b.rs:2 \"z\""]),
            ("a.rs:1, b.rs:2, c.rs:3", &["a.rs:1", "b.rs:2", "c.rs:3"]),
            ("a.rs:1 \"x\" b.rs:2 \"y\"", &["a.rs:1 \"x\"", "b.rs:2 \"y\""]),
            ("a.rs:1 \"x\" but b/c.rs:2 \"y\"", &["a.rs:1 \"x\"", "b/c.rs:2 \"y\""]),
            ("a.rs:1 b.rs:2", &["a.rs:1", "b.rs:2"]),
            ("a.rs:1: \"x\"; b.rs:2: \"y\"", &["a.rs:1 \"x\"", "b.rs:2 \"y\""]),
            ("a.rs:1 \"x\" violates checkpoint \"One.\"", &["a.rs:1 \"x\"", "checkpoint \"One.\""]),
            // All behind the sign is quoted.
            ("a.rs:1 > fixed in commit 083683aa", &["a.rs:1 \"fixed in commit 083683aa\""]),
            ("a.rs:1 > \"x\" in b.rs:3", &["a.rs:1 \"\"x\" in b.rs:3\""]),
            ("a.rs:1 `b.rs:12`", &["a.rs:1 \"b.rs:12\""]),
            ("a.rs:1 \"x\" which isn't \"safe\"", &["a.rs:1 \"x\" which isn't \"safe\""]),
            // One quotation, whatever it holds.
            ("a.rs:1 \"f(x, y); g\"", &["a.rs:1 \"f(x, y); g\""]),
            ("a.rs:1 \"f(\"db\", host:80, 3)\"", &["a.rs:1 \"f(\"db\", host:80, 3)\""]),
            ("a and b/c.rs:3", &["a and b/c.rs:3"]),
            ("two servers, and a store", &["two servers, and a store"]),
            ("a.rs:1 \"x\", b.rs:2 \"y\" says so", &["a.rs:1 \"x\"", "b.rs:2 \"y\" says so"]),
        ] {
            let told: Vec<String> = Evidence::all(text).iter().map(ToString::to_string).collect();
            assert_eq!(told, expected, "{text}");
        }
    }
}
