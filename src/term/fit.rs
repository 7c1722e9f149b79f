//! Fits text into columns. Widths are those of a terminal's cells: a CJK character takes two, a combining mark none.
//! What comes in is made harmless here, once, so that no widget can forget it.

use console::measure_text_width;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::domain::harmless::harmless;

/// How many columns `text` takes on one line.
pub fn width(text: &str) -> usize {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) { text.len() } else { measure_text_width(text) }
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
