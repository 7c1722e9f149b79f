//! Breaks long lines between words for a terminal, which itself would break them inside. A command that stands on a line
//! of its own and a difference stay whole: the one is copied, the other is read sign by sign.

use console::strip_ansi_codes;

use crate::domain::plan::progress::Glyph;
use crate::text::columns::width;
use crate::text::wrap::{Filling, Long, Row, Span, Word, filled, words};

/// `text` in lines of at most `columns` where words allow it; what is broken off stands below the line's own text.
pub(super) fn fold(text: &str, columns: usize) -> String {
    text.split_inclusive('\n').map(|line| fold_line(line, columns)).collect()
}

fn fold_line(line: &str, columns: usize) -> String {
    let plain = strip_ansi_codes(line);
    let plain = plain.trim_end_matches('\n');
    if width(plain) <= columns || is_command(plain) {
        return line.to_owned();
    }
    let is_hint = plain.starts_with(HINT);
    let mut hanging = if is_hint { HINT.len() } else { hanging(plain) }.min(columns / 2);
    // What colours a word stays with it: no sequence has a blank in it.
    let mut lines = words(&[Span { text: line.trim_end_matches('\n').to_owned(), style: () }]);
    if is_hint {
        let room = columns.saturating_sub(hanging);
        for words in &mut lines {
            *words = with_commands_whole(words, room);
        }
        // A word that fits into a line only without what hangs before it.
        let widest = lines.iter().flatten().map(Word::width).filter(|wide| *wide <= columns).max();
        hanging = hanging.min(columns - widest.unwrap_or_default());
    }
    let rows = filled(&lines, Filling { columns, hanging, long: Long::Whole });
    let mut folded = rows.iter().map(Row::text).collect::<Vec<_>>().join("\n");
    if line.ends_with('\n') {
        folded.push('\n');
    }
    folded
}

/// The words with each command that fits into a row as one: it begins with `git` and ends at a sign that ends a clause.
fn with_commands_whole(words: &[Word<()>], room: usize) -> Vec<Word<()>> {
    let said: Vec<String> = words.iter().map(|word| strip_ansi_codes(&word.text()).into_owned()).collect();
    let mut joined = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let ends = |word: &String| word.ends_with([',', ';', ':', '.', ')']);
        let behind = said[at..].iter().position(ends).map_or(words.len(), |last| at + last + 1);
        let command = &words[at..if said[at] == "git" { behind } else { at + 1 }];
        let whole = Word::joined(command);
        if whole.width() <= room {
            joined.push(whole);
        } else {
            joined.extend(command.iter().cloned());
        }
        at += command.len();
    }
    joined
}

/// Begins a line that says how it goes on.
const HINT: &str = "hint: ";

/// No name that stands in a column of its own is longer than this.
const COLUMN: usize = 24;

/// How far the text of a line is indented: its blanks, signs, bullet or number, and the column before it.
fn hanging(plain: &str) -> usize {
    let indent = behind_signs(plain);
    let (lead, rest) = plain.split_at(plain.char_indices().nth(indent).map_or(plain.len(), |(at, _)| at));
    // What follows a number is a text, in which two blanks end no column.
    let is_numbered = lead.trim_end().ends_with('.');
    match rest.find("  ") {
        Some(end) if end <= COLUMN && !is_numbered => {
            indent + end + rest[end..].len() - rest[end..].trim_start_matches(' ').len()
        }
        Some(_) | None => indent,
    }
}

fn behind_signs(plain: &str) -> usize {
    let mut indent = 0;
    let mut rest = plain;
    loop {
        let blanks = rest.len() - rest.trim_start_matches(' ').len();
        indent += blanks;
        rest = &rest[blanks..];
        let Some((first, after)) = rest.split_once(' ') else {
            return indent;
        };
        let is_sign = matches!(first, "+" | "-" | "•" | "✓" | "!") || is_sign_of_a_step(first);
        let is_number = first.strip_suffix('.').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        if !is_sign && !is_number {
            return indent;
        }
        indent += width(first);
        rest = &rest[rest.len() - after.len() - 1..];
    }
}

fn is_sign_of_a_step(word: &str) -> bool {
    Glyph::ALL.iter().any(|glyph| word.chars().eq([glyph.sign()]))
}

fn is_command(plain: &str) -> bool {
    plain.trim_start().starts_with("git ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_broken_off_stands_below_the_text() {
        assert_eq!(fold("  + - one two three\n", 13), "  + - one two\n      three\n");
        assert_eq!(fold("✓ answered 1: yes or no\n", 15), "✓ answered 1:\n  yes or no\n");
        assert_eq!(fold("short\n\nlines", 10), "short\n\nlines");
    }

    #[test]
    fn p12_a_step_wraps_under_its_text_whatever_its_sign() {
        for glyph in Glyph::ALL {
            let sign = glyph.sign();
            let step = format!("{sign}  3. Count.  Then say so\n");
            assert_eq!(fold(&step, 20), format!("{sign}  3. Count.  Then\n      say so\n"));
            assert_eq!(fold(&format!("  {step}"), 20), format!("  {sign}  3. Count.  Then\n        say so\n"));
        }
        assert_eq!(fold("     and more of it\n", 15), "     and more\n     of it\n");
    }

    #[test]
    fn a_value_stays_in_its_column() {
        assert_eq!(fold("last change  one two three four\n", 26), "last change  one two three\n             four\n");
        assert_eq!(fold("topic   one two three\n", 16), "topic   one two\n        three\n");
    }

    #[test]
    fn colours_take_no_room_and_stay() {
        assert_eq!(fold("\u{1b}[2mone two three\u{1b}[0m", 8), "\u{1b}[2mone two\nthree\u{1b}[0m");
    }

    #[test]
    fn commands_and_long_words_stay_whole() {
        for whole in ["  git log -p grill/sessions/x -- file", "a/path/without/blanks"] {
            assert_eq!(fold(whole, 10), whole);
        }
    }

    #[test]
    fn a_hint_is_broken_between_words_and_its_commands_stay_whole() {
        assert_eq!(
            fold("hint: move that file away, then git grill stop --all; it goes on\n", 28),
            "hint: move that file away,\n      then\n      git grill stop --all;\n      it goes on\n"
        );
    }

    #[test]
    fn a_command_in_a_hint_that_is_longer_than_a_line_is_broken_between_its_words() {
        assert_eq!(fold("hint: git grill stop", 16), "hint: git grill\n      stop");
        let hint = "hint: look at it with git check-ignore -v docs/decisions/template.md, then git grill next\n";
        let folded =
            "hint: look at it with git check-ignore\n      -v docs/decisions/template.md,\n      then git grill next\n";
        assert_eq!(fold(hint, 40), folded);
        let path = "a/path/of/many/columns/in/many/folders";
        assert_eq!(fold(&format!("hint: see {path} there"), 40), format!("hint: see\n  {path}\n  there"));
        for columns in 20..100 {
            let folded = fold(hint, columns);
            assert!(columns < 28 || folded.lines().all(|line| width(line) <= columns), "{columns}: {folded}");
            assert_eq!(folded.split_whitespace().collect::<Vec<_>>(), hint.split_whitespace().collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_window_of_one_column_is_no_reason_to_fail() {
        assert_eq!(fold("- a b", 1), "-\na\nb");
    }
}
