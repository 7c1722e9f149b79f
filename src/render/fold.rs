//! Breaks long lines between words for a terminal, which itself would break them inside. A command and a difference stay
//! whole: the one is copied, the other is read sign by sign. A command that is longer than a line has one of its own.

use console::strip_ansi_codes;

use crate::domain::plan::progress::Glyph;
use crate::text::columns::width;
use crate::text::wrap::{Filling, Long, Row, Span, Word, filled, with_commands, words};

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
    for words in &mut lines {
        *words = with_commands(words, |word| strip_ansi_codes(&word.text()).into_owned(), |_| true);
    }
    // A word that fits into a line only without what hangs before it.
    let moves = |word: &&Word<()>| word.width() <= columns && (is_hint || word.text().contains(' '));
    let widest = lines.iter().flatten().filter(moves).map(Word::width).max();
    hanging = hanging.min(columns - widest.unwrap_or_default());
    let rows = filled(&lines, Filling { columns, hanging, long: Long::Whole });
    let mut folded = rows.iter().map(Row::text).collect::<Vec<_>>().join("\n");
    if line.ends_with('\n') {
        folded.push('\n');
    }
    folded
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
    fn a_command_that_is_longer_than_a_line_has_one_of_its_own() {
        assert_eq!(fold("hint: git grill stop", 16), "hint:\n  git grill stop");
        let hint = "hint: look at it with git check-ignore -v docs/decisions/template.md, then git grill next\n";
        let folded =
            "hint: look at it with\n      git check-ignore -v docs/decisions/template.md,\n      then git grill next\n";
        assert_eq!(fold(hint, 40), folded);
        let path = "a/path/of/many/columns/in/many/folders";
        assert_eq!(fold(&format!("hint: see {path} there"), 40), format!("hint: see\n  {path}\n  there"));
    }

    /// Whatever the width, nobody can copy half a command.
    #[test]
    fn every_command_in_a_sentence_stands_on_one_line() {
        let id = "b9d8880c1d2e3f405162738495a6b7c8d9e0f102";
        let branch = format!("git branch side {id}");
        let stash = format!("git stash store -m 'WIP on main: b9d8880 it, and more' {id}");
        for (text, command) in [
            (format!("refs/heads/side was deleted; to undo this: {branch}\n"), branch.as_str()),
            (format!("refs/heads/side was deleted; {branch} undoes that\n"), branch.as_str()),
            (format!("refs/stash was deleted; to undo this: {stash}\n"), stash.as_str()),
            (
                "! what was there is kept: git ls-tree -r --full-tree refs/grill/local/20260101-x/replaced/1:worktree\n"
                    .to_owned(),
                "git ls-tree -r --full-tree refs/grill/local/20260101-x/replaced/1:worktree",
            ),
            (
                "the work of g1 is kept in refs/grill/x (b9d8880); git switch -c g1 refs/grill/x makes it a branch\n"
                    .to_owned(),
                "git switch -c g1 refs/grill/x",
            ),
            (
                "7 changes are left, and the session waits for your decision: git grill agent answer g1\n".to_owned(),
                "git grill agent answer g1",
            ),
            (
                "hint: git config --global grill.agent.nosuch.command \"<a command that speaks ACP>\" adds it\n"
                    .to_owned(),
                "git config --global grill.agent.nosuch.command \"<a command that speaks ACP>\"",
            ),
        ] {
            for columns in 20..120 {
                let folded = fold(&text, columns);
                let line = folded.lines().find(|line| line.contains(command));
                let line = line.unwrap_or_else(|| panic!("{columns}: {folded}"));
                // The label of a hint is no part of the sentence.
                let is_alone = line.trim_start_matches(HINT).trim_matches([' ', ';']) == command;
                assert!(width(line) <= columns || is_alone, "{columns}: {folded}");
                assert_eq!(folded.split_whitespace().collect::<Vec<_>>(), text.split_whitespace().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_window_of_one_column_is_no_reason_to_fail() {
        assert_eq!(fold("- a b", 1), "-\na\nb");
    }
}
