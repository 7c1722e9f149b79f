//! What an objection stands on, as far as it can be looked up (D29, D33).

use std::fmt;

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
    /// Reads what stands behind `Evidence:`.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let sentence = text.strip_prefix("checkpoint ").or_else(|| text.strip_prefix("dossier ")).and_then(quoted);
        if let Some((sentence, _)) = sentence {
            return Self::Sentence(sentence.to_owned());
        }
        if let Some(name) = text.strip_prefix("commit ").map(str::trim).filter(|name| is_commit(name)) {
            return Self::Commit(name.to_lowercase());
        }
        if let Ok(question) = QuestionId::parse(text) {
            return Self::Question(question);
        }
        lines(text).unwrap_or_else(|| Self::Words(text.to_owned()))
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

/// `path:3`, `path:3-9`, and a quotation behind it. A path may hold blanks and colons: the first number that nothing but a
/// quotation follows ends it.
fn lines(text: &str) -> Option<Evidence> {
    let text = text.strip_prefix('`').map_or(text, |inner| inner.strip_suffix('`').unwrap_or(text));
    text.match_indices(':').find_map(|(at, _)| {
        let (path, behind) = (&text[..at], &text[at + 1..]);
        let end = behind.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(behind.len());
        let (numbers, rest) = behind.split_at(end);
        let quote = match rest.trim() {
            "" => None,
            _ if !rest.starts_with([' ', '\t', '`']) => return None,
            rest => Some(quoted(rest.trim_start_matches('`')).filter(|(_, rest)| rest.trim().is_empty())?.0),
        };
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0);
        let lines = (number(first)?, number(last)?);
        let is_fit = !path.trim().is_empty() && lines.0 <= lines.1;
        is_fit.then(|| Evidence::Lines { path: path.trim().to_owned(), lines, quote: quote.map(str::to_owned) })
    })
}

/// The text between the first pair of quotation marks or backquotes at the beginning, and what stands behind it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let (open, close) = [('"', '"'), ('“', '”'), ('`', '`')].into_iter().find(|(open, _)| text.starts_with(*open))?;
    let inner = &text[open.len_utf8()..];
    // The last one closes it: a quotation may hold some.
    let end = inner.rfind(close)?;
    Some((&inner[..end], &inner[end + close.len_utf8()..]))
}

fn is_commit(name: &str) -> bool {
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
}
