//! Finds the lines that may mention a topic, with ripgrep's own libraries: one pass over a file for all words at once.
//! What a line says is decided elsewhere; here nothing is missed, and most lines are never looked at.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, sinks};

use super::words::Terms;

pub(super) struct Lines {
    matcher: RegexMatcher,
    searcher: Searcher,
}

impl Lines {
    /// A finder of lines with any of these words; `None` when there are no words, or none that can be looked for.
    pub(super) fn with(terms: &Terms) -> Option<Self> {
        let stems: Vec<&str> = terms.stems().collect();
        if stems.is_empty() {
            return None;
        }
        let matcher = RegexMatcherBuilder::new()
            .case_insensitive(true)
            .fixed_strings(true)
            .line_terminator(Some(b'\n'))
            .build_many(&stems)
            .ok()?;
        let searcher = SearcherBuilder::new().line_number(true).binary_detection(BinaryDetection::quit(0)).build();
        Some(Self { matcher, searcher })
    }

    /// Calls `hit` for each such line with its number, counted from 0, and its text without the line's end. Text in
    /// UTF-16 with a byte order mark is read as what it is.
    pub(super) fn each(&mut self, text: &[u8], mut hit: impl FnMut(usize, &[u8])) {
        let sink = sinks::Bytes(|number, line| {
            let end = line.len() - line.iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
            hit(usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1), &line[..end]);
            Ok(true)
        });
        // The slice is in memory, and the sink never fails: what is left is a pattern that no line can match.
        let _ = self.searcher.search_slice(&self.matcher, text, sink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::Topic;

    fn found(topic: &str, text: &[u8]) -> Vec<(usize, String)> {
        let terms = Terms::of(&Topic::parse(topic).unwrap());
        let mut found = Vec::new();
        Lines::with(&terms)
            .unwrap()
            .each(text, |number, line| found.push((number, String::from_utf8_lossy(line).into_owned())));
        found
    }

    #[test]
    fn g15_lines_are_found_whatever_their_case_their_end_and_their_encoding() {
        let lines = [(0, "RateLimiter".to_owned()), (2, "a rate".to_owned())];
        assert_eq!(found("rate limiting", b"RateLimiter\r\n\r\na rate"), lines);
        let wide: Vec<u8> =
            [0xff, 0xfe].into_iter().chain("x\nrate\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(found("rate", &wide), [(1, "rate".to_owned())]);
        assert_eq!(found("ÜBERSICHT", "die übersicht\n".as_bytes()), [(0, "die übersicht".to_owned())]);
        assert_eq!(found("rate", b"x\0\nrate\n"), [], "binary");
    }
}
