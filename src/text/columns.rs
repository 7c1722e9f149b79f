//! Columns. Widths are those of a terminal's cells: a CJK character takes two, a combining mark none. Terminals do not
//! agree on emoji that are joined from several: some draw a family in two cells, others draw each person. A width here is
//! the larger of both, so that no terminal breaks a row that we took for one.

use console::{AnsiCodeIterator, measure_text_width};
use unicode_segmentation::UnicodeSegmentation as _;

/// How many columns a text without line breaks takes; what styles it takes none.
pub fn width(text: &str) -> usize {
    if is_plain(text) {
        return text.len();
    }
    let seen = AnsiCodeIterator::new(text).filter(|(_, is_style)| !is_style);
    seen.flat_map(|(part, _)| part.graphemes(true)).map(cells).sum()
}

fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
}

/// How many columns a grapheme takes at most.
pub(super) fn cells(grapheme: &str) -> usize {
    if is_plain(grapheme) {
        return grapheme.len();
    }
    let apart = |character: char| measure_text_width(character.encode_utf8(&mut [0; 4]));
    measure_text_width(grapheme).max(grapheme.chars().map(apart).sum())
}

/// The start of a styled line that takes at most so many columns, its style sequences kept.
pub fn start(line: &str, columns: usize) -> String {
    let mut kept = String::new();
    let mut used = 0;
    for (part, is_style) in AnsiCodeIterator::new(line) {
        if is_style {
            kept.push_str(part);
            continue;
        }
        for grapheme in part.graphemes(true) {
            used += cells(grapheme);
            if used <= columns {
                kept.push_str(grapheme);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joined_emoji_counts_as_wide_as_any_terminal_draws_it() {
        assert_eq!(width("👩\u{200d}👩\u{200d}👧"), 6);
        assert_eq!(width("❤\u{fe0f}"), 2);
        assert_eq!(width("e\u{301}"), 1);
        assert_eq!(width("\u{1b}[2m語\u{1b}[0m"), 2);
    }

    #[test]
    fn the_start_of_a_line_keeps_its_style() {
        assert_eq!(start("\u{1b}[2mab語c\u{1b}[0m", 4), "\u{1b}[2mab語\u{1b}[0m");
        assert_eq!(start("ab語c", 3), "ab");
    }
}
