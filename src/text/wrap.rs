//! Breaks text into rows between words: plain text, text in several styles, and text whose later rows hang below its
//! first one.

use unicode_segmentation::UnicodeSegmentation as _;

use super::columns::{cells, width};
use super::command::groups;

/// A piece of text in one style; what a style is, its painter says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span<S> {
    pub text: String,
    pub style: S,
}

/// A line that fits.
#[derive(Clone, Debug)]
pub struct Row<S> {
    pub spans: Vec<Span<S>>,
    pub width: usize,
}

impl<S> Default for Row<S> {
    fn default() -> Self {
        Self { spans: Vec::new(), width: 0 }
    }
}

impl<S> Row<S> {
    /// The row without its styles.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

/// A word with the blanks behind it; it may be of several styles.
#[derive(Clone, Debug)]
pub struct Word<S> {
    spans: Vec<Span<S>>,
    width: usize,
    blanks: usize,
    /// The style of the blanks.
    behind: S,
}

impl<S: Clone + Default + PartialEq> Word<S> {
    fn nothing() -> Self {
        Self { spans: Vec::new(), width: 0, blanks: 0, behind: S::default() }
    }

    /// How many columns it takes without the blanks behind it.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Its text without the blanks behind it.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// These words as one that is not broken between them.
    pub fn joined(words: &[Self]) -> Self {
        let mut whole = Self::nothing();
        for word in words {
            if whole.blanks > 0 {
                whole.spans.push(Span { text: " ".repeat(whole.blanks), style: whole.behind.clone() });
                whole.width += whole.blanks;
            }
            whole.spans.extend(word.spans.iter().cloned());
            whole.width += word.width;
            whole.blanks = word.blanks;
            whole.behind = word.behind.clone();
        }
        whole
    }
}

/// The words of each line.
pub fn words<S: Clone + Default + PartialEq>(spans: &[Span<S>]) -> Vec<Vec<Word<S>>> {
    let mut lines = vec![Vec::new()];
    let mut word = Word::nothing();
    for span in spans {
        for (at, line) in span.text.split('\n').enumerate() {
            if at > 0 {
                finish(&mut lines, &mut word);
                lines.push(Vec::new());
            }
            for part in line.split_inclusive(' ') {
                let text = part.trim_end_matches(' ');
                if !text.is_empty() {
                    if word.blanks > 0 {
                        finish(&mut lines, &mut word);
                    }
                    word.width += width(text);
                    word.spans.push(Span { text: text.to_owned(), style: span.style.clone() });
                }
                if part.len() > text.len() {
                    word.blanks += part.len() - text.len();
                    word.behind = span.style.clone();
                }
            }
        }
    }
    finish(&mut lines, &mut word);
    lines
}

fn finish<S: Clone + Default + PartialEq>(lines: &mut [Vec<Word<S>>], word: &mut Word<S>) {
    let finished = std::mem::replace(word, Word::nothing());
    if let Some(line) = lines.last_mut()
        && (!finished.spans.is_empty() || finished.blanks > 0)
    {
        line.push(finished);
    }
}

/// What becomes of a word that is longer than a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Long {
    /// It goes on in the next row.
    Broken,
    /// It stays whole, for whoever copies it; the terminal breaks it.
    Whole,
}

/// How rows are filled.
#[derive(Clone, Copy, Debug)]
pub struct Filling {
    pub columns: usize,
    /// How far the rows of a line stand to the right, all but the first one. It is in the first one what stands to the
    /// left of its text, behind which no row is broken.
    pub hanging: usize,
    pub long: Long,
}

/// The spans in rows of at most `columns`, at least one: broken between words where that is possible, inside them where
/// it is not, and at every line break. Blanks at a break belong to neither row. A command that fits into a row is not
/// broken.
pub fn wrap<S: Clone + Default + PartialEq>(spans: &[Span<S>], columns: usize) -> Vec<Row<S>> {
    let lines: Vec<_> =
        words(spans).iter().map(|line| with_commands(line, Word::text, |whole| whole.width <= columns)).collect();
    filled(&lines, Filling { columns, hanging: 0, long: Long::Broken })
}

/// The words with each command among them as one word, where it may be; `said` is what a word says to whoever reads it.
pub fn with_commands<S: Clone + Default + PartialEq>(
    words: &[Word<S>],
    said: impl Fn(&Word<S>) -> String,
    may_be: impl Fn(&Word<S>) -> bool,
) -> Vec<Word<S>> {
    let texts: Vec<String> = words.iter().map(said).collect();
    let mut joined = Vec::new();
    let mut rest = words;
    for taken in groups(&texts) {
        let (group, after) = rest.split_at(taken);
        rest = after;
        let whole = Word::joined(group);
        if may_be(&whole) { joined.push(whole) } else { joined.extend(group.iter().cloned()) }
    }
    joined
}

/// The words of lines in rows.
pub fn filled<S: Clone + Default + PartialEq>(lines: &[Vec<Word<S>>], filling: Filling) -> Vec<Row<S>> {
    let columns = filling.columns.max(1);
    let filling = Filling { columns, hanging: filling.hanging.min(columns - 1), ..filling };
    let mut page = Page { filling, rows: Vec::new(), row: Row::default() };
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            page.end_row();
        }
        for word in line {
            page.word(word);
        }
    }
    page.end_row();
    page.rows
}

struct Page<S> {
    filling: Filling,
    rows: Vec<Row<S>>,
    row: Row<S>,
}

impl<S: Clone + Default + PartialEq> Page<S> {
    fn word(&mut self, word: &Word<S>) {
        let Filling { columns, hanging, long } = self.filling;
        // Scripts that are written without blanks go on in the row that is begun.
        let has_blanks = word.spans.iter().all(|span| span.text.is_ascii());
        let moves = word.width <= columns || has_blanks || long == Long::Whole;
        if self.row.width > hanging && self.row.width + word.width > columns && moves {
            self.break_row();
        }
        for span in &word.spans {
            match long {
                Long::Whole => self.push(&span.text, &span.style),
                Long::Broken => self.push_broken(span),
            }
        }
        if long == Long::Whole {
            self.row.width += word.width;
        }
        let blanks = word.blanks.min(columns.saturating_sub(self.row.width));
        self.push(&" ".repeat(blanks), &word.behind);
        self.row.width += blanks;
    }

    fn push_broken(&mut self, span: &Span<S>) {
        let Filling { columns, hanging, .. } = self.filling;
        for grapheme in span.text.graphemes(true) {
            // One that is wider than the window gives way to a sign that is not.
            let (glyph, taken) = match cells(grapheme) {
                taken if taken <= columns - hanging => (grapheme, taken),
                _ => ("?", 1),
            };
            if self.row.width + taken > columns {
                self.break_row();
            }
            self.push(glyph, &span.style);
            self.row.width += taken;
        }
    }

    fn push(&mut self, text: &str, style: &S) {
        if text.is_empty() {
            return;
        }
        match self.row.spans.last_mut() {
            Some(last) if last.style == *style => last.text.push_str(text),
            Some(_) | None => self.row.spans.push(Span { text: text.to_owned(), style: style.clone() }),
        }
    }

    /// Ends the row within a line.
    fn break_row(&mut self) {
        self.end_row();
        let hanging = self.filling.hanging;
        self.push(&" ".repeat(hanging), &S::default());
        self.row.width = hanging;
    }

    fn end_row(&mut self) {
        let mut row = std::mem::take(&mut self.row);
        while let Some(last) = row.spans.last_mut() {
            let kept = last.text.trim_end_matches(' ').len();
            row.width -= last.text.len() - kept;
            last.text.truncate(kept);
            if kept > 0 {
                break;
            }
            row.spans.pop();
        }
        self.rows.push(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str, filling: Filling) -> Vec<String> {
        let lines = words(&[Span { text: text.to_owned(), style: () }]);
        filled(&lines, filling).iter().map(Row::text).collect()
    }

    fn rows(text: &str, columns: usize) -> Vec<String> {
        shown(text, Filling { columns, hanging: 0, long: Long::Broken })
    }

    #[test]
    fn words_stay_whole_where_they_fit() {
        assert_eq!(rows("where does the state live", 10), ["where does", "the state", "live"]);
        assert_eq!(rows("a\n\nb", 10), ["a", "", "b"]);
        assert_eq!(rows("", 10), [""]);
        assert_eq!(rows("  indented code", 20), ["  indented code"]);
    }

    #[test]
    fn a_long_word_and_a_text_without_blanks_break_inside() {
        assert_eq!(rows("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(rows("日本語のテキスト", 5), ["日本", "語の", "テキ", "スト"]);
        assert_eq!(rows("語", 1), ["?"]);
    }

    #[test]
    fn a_long_word_begins_a_row_and_a_script_without_blanks_goes_on() {
        assert_eq!(rows("a abcdefg", 4), ["a", "abcd", "efg"]);
        assert_eq!(rows("a 日本語", 4), ["a 日", "本語"]);
    }

    #[test]
    fn blanks_at_a_break_belong_to_neither_row() {
        assert_eq!(rows("one  two", 3), ["one", "two"]);
        assert_eq!(rows("one ", 3), ["one"]);
    }

    #[test]
    fn a_command_that_fits_is_not_broken() {
        let spans = [Span { text: "look at it, then run git grill agent answer g3".to_owned(), style: () }];
        let rows = |columns| wrap(&spans, columns).iter().map(Row::text).collect::<Vec<_>>();
        assert_eq!(rows(30), ["look at it, then run", "git grill agent answer g3"]);
        assert_eq!(rows(20), ["look at it, then run", "git grill agent", "answer g3"]);
    }

    #[test]
    fn what_hangs_stands_below_the_text() {
        let filling = Filling { columns: 8, hanging: 2, long: Long::Broken };
        assert_eq!(shown("- one two abcdefgh\nx", filling), ["- one", "  two", "  abcdef", "  gh", "x"]);
        assert_eq!(shown("- abcdefghi j", Filling { long: Long::Whole, ..filling }), ["- abcdefghi", "  j"]);
    }

    #[test]
    fn styles_stay_with_their_words() {
        let spans = [("one t", 1), ("wo", 2)].map(|(text, style)| Span { text: text.to_owned(), style });
        let rows: Vec<Vec<Span<i32>>> = wrap(&spans, 4).into_iter().map(|row| row.spans).collect();
        let span = |text: &str, style| Span { text: text.to_owned(), style };
        assert_eq!(rows, [vec![span("one", 1)], vec![span("t", 1), span("wo", 2)]]);
    }

    proptest! {
        #[test]
        fn no_row_is_wider_than_asked(text in any::<String>(), columns in 1usize..40, hanging in 0usize..10) {
            let text: String = text.chars().filter(|one| !one.is_control() || *one == '\n').collect();
            for row in shown(&text, Filling { columns, hanging, long: Long::Broken }) {
                prop_assert!(width(&row) <= columns, "{:?}", row);
            }
        }

        #[test]
        fn wrapping_loses_nothing_but_blanks(text in "[a-z語é ]{0,60}", columns in 2usize..30) {
            let without = |text: &str| text.replace([' ', '\n'], "");
            prop_assert_eq!(without(&rows(&text, columns).join("\n")), without(&text));
        }
    }
}
