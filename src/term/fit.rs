//! Fits foreign text into columns: what comes in is made harmless here, once, so that no widget can forget it.

use crate::domain::harmless::harmless;
pub use crate::text::columns::{start, width};
use crate::text::wrap::{Row, Span, wrap as rows};

/// `text` in lines of at most `columns`, broken between words where that is possible and inside them where it is not.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let text = Span { text: harmless(text).into_owned(), style: () };
    rows(&[text], columns).iter().map(Row::text).collect()
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
    if room > 0 { start(first, room) + ellipsis } else { ".".repeat(columns.min(1)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    fn a_joined_emoji_is_laid_out_as_wide_as_any_terminal_draws_it() {
        let family = "👩\u{200d}👩\u{200d}👧";
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

    proptest! {
        #[test]
        fn no_line_is_wider_than_asked(text in any::<String>(), columns in 1usize..40) {
            for line in wrap(&text, columns) {
                prop_assert!(width(&line) <= columns, "{:?}", line);
            }
            prop_assert!(width(&cut(&text, columns, "…")) <= columns);
        }
    }
}
