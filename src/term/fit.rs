//! Fits text into columns. Widths are those of a terminal's cells: a CJK character takes two, a combining mark none.
//! Terminals do not agree on emoji that are joined from several: some draw a family in two cells, others draw each
//! person. A width here is the larger of both, so that no terminal breaks a row that we took for one.
//! What comes in is made harmless here, once, so that no widget can forget it.

use console::{AnsiCodeIterator, measure_text_width};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::domain::harmless::harmless;

/// How many columns `text` takes on one line.
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
fn cells(grapheme: &str) -> usize {
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

/// `text` in lines of at most `columns`, broken between words where that is possible and inside them where it is not.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    harmless(text).split('\n').flat_map(|line| wrap_line(line, columns)).collect()
}

fn wrap_line(line: &str, columns: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut row = String::new();
    let mut used = 0;
    for word in line.split_inclusive(' ') {
        let needed = width(word.trim_end_matches(' '));
        if used > 0 && used + needed > columns && needed <= columns {
            rows.push(finished(&mut row));
            used = 0;
        }
        for grapheme in word.graphemes(true) {
            let (shown, cells) = one_glyph(grapheme, columns);
            if used + cells > columns {
                rows.push(finished(&mut row));
                used = 0;
                // The blank at which a line is broken belongs to neither line.
                if grapheme == " " {
                    continue;
                }
            }
            row.push_str(shown);
            used += cells;
        }
    }
    rows.push(finished(&mut row));
    rows
}

fn finished(row: &mut String) -> String {
    let kept = row.trim_end_matches(' ').len();
    row.truncate(kept);
    std::mem::take(row)
}

/// A grapheme as it can be shown in `columns`: a wide one gives way where only one column exists.
fn one_glyph(grapheme: &str, columns: usize) -> (&str, usize) {
    match width(grapheme) {
        cells if cells <= columns => (grapheme, cells),
        _ => ("?", 1),
    }
}

/// The first line of `text` in at most `columns`, with `ellipsis` where something was cut.
pub fn cut(text: &str, columns: usize, ellipsis: &str) -> String {
    let safe = harmless(text);
    let (first, more) = match safe.split_once('\n') {
        Some((first, _)) => (first, ellipsis),
        None => (safe.as_ref(), ""),
    };
    if width(first) + width(more) <= columns {
        return format!("{first}{more}");
    }
    // In a window narrower than the sign itself there is nothing to say.
    let room = columns.saturating_sub(width(ellipsis));
    let mut kept = String::new();
    let mut used = 0;
    for grapheme in first.graphemes(true) {
        let cells = width(grapheme);
        if used + cells > room {
            break;
        }
        kept.push_str(grapheme);
        used += cells;
    }
    if room > 0 { kept + ellipsis } else { ".".repeat(columns.min(1)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_stay_whole_where_they_fit() {
        assert_eq!(wrap("where does the state live", 10), ["where does", "the state", "live"]);
        assert_eq!(wrap("a\n\nb", 10), ["a", "", "b"]);
        assert_eq!(wrap("", 10), [""]);
        assert_eq!(wrap("  indented code", 20), ["  indented code"]);
    }

    #[test]
    fn a_long_word_and_a_text_without_blanks_break_inside() {
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("日本語のテキスト", 5), ["日本", "語の", "テキ", "スト"]);
        assert_eq!(wrap("語", 1), ["?"]);
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(cut("short", 10, "…"), "short");
        assert_eq!(cut("a long line", 6, "…"), "a lon…");
        assert_eq!(cut("日本語", 5, "…"), "日本…");
        assert_eq!(cut("one\ntwo", 10, "…"), "one…");
    }

    #[test]
    fn escape_sequences_in_foreign_text_are_shown_not_obeyed() {
        assert_eq!(wrap("\u{1b}[31mred", 20), ["␛[31mred"]);
        assert_eq!(cut("\u{1b}[2J", 20, "…"), "␛[2J");
    }

    #[test]
    fn a_joined_emoji_counts_as_wide_as_any_terminal_draws_it() {
        let family = "👩\u{200d}👩\u{200d}👧";
        assert_eq!(width(family), 6);
        assert_eq!(width("❤\u{fe0f}"), 2);
        assert_eq!(width("e\u{301}"), 1);
        assert_eq!(width("\u{1b}[2m語\u{1b}[0m"), 2);
        assert_eq!(wrap(&family.repeat(3), 12), [family.repeat(2), family.to_owned()]);
    }

    #[test]
    fn q17_keycaps_and_flags_are_laid_out_in_twenty_columns() {
        use crate::domain::harmless::FLAGS;
        for emoji in ["1\u{fe0f}\u{20e3}"].into_iter().chain(FLAGS) {
            assert_eq!(width(emoji), 2, "{emoji:?}");
            assert_eq!(wrap(&emoji.repeat(12), 20), [emoji.repeat(10), emoji.repeat(2)]);
            assert_eq!(cut(&emoji.repeat(12), 20, "…"), emoji.repeat(9) + "…");
        }
        assert_eq!(wrap("with a tone: 👋\u{1f3fd}\u{fe0f}", 20), ["with a tone:", "👋\u{1f3fd}\\u{fe0f}"]);
    }

    #[test]
    fn the_start_of_a_line_keeps_its_style() {
        assert_eq!(start("\u{1b}[2mab語c\u{1b}[0m", 4), "\u{1b}[2mab語\u{1b}[0m");
        assert_eq!(start("ab語c", 3), "ab");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_asked(text in any::<String>(), columns in 1usize..40) {
            for line in wrap(&text, columns) {
                prop_assert!(width(&line) <= columns, "{:?}", line);
            }
            prop_assert!(width(&cut(&text, columns, "…")) <= columns);
        }

        #[test]
        fn wrapping_loses_nothing_but_blanks(text in "[a-z語é ]{0,60}", columns in 2usize..30) {
            let without = |text: &str| text.replace([' ', '\n'], "");
            prop_assert_eq!(without(&wrap(&text, columns).join("\n")), without(&text));
        }
    }
}
