//! Differences between two versions of a text, word by word; readable without colours.

use std::fmt::Write as _;

use similar::{ChangeTag, DiffOp, TextDiff};

use super::harmless;
use super::palette::Look;
use crate::domain::harmless::seen;

/// A diff that git made, in the colours of ours.
pub(super) fn unified(diff: &str, look: &Look) -> String {
    let mut text = String::new();
    for line in diff.lines() {
        let shown = harmless(line);
        let painted = match line.as_bytes().first() {
            _ if line.starts_with("diff ") || line.starts_with("+++") || line.starts_with("---") => look.strong(shown),
            Some(b'+') => look.good(seen(line, true)),
            Some(b'-') => look.gone(shown),
            Some(b'@') => look.name(shown),
            Some(_) | None => shown.into_owned(),
        };
        text.push_str(&painted);
        text.push('\n');
    }
    text
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// Prose, where the changed words matter: without colours they stand between git's own signs for them.
    Prose,
    /// A file, whose lines are shown byte for byte.
    File,
    /// A few lines of a document, byte for byte.
    Changes,
}

/// How many unchanged lines stand around a change.
const CONTEXT: usize = 2;

/// Two versions with their names, as a whole diff.
pub(super) fn versions((from, old): (&str, &str), (to, new): (&str, &str), of: Of, look: &Look) -> String {
    if old == new {
        return format!("no difference between {} and {}\n", harmless(from), harmless(to));
    }
    let mut text = format!(
        "{}\n{}\n",
        look.strong(format!("--- {}", harmless(from))),
        look.strong(format!("+++ {}", harmless(to)))
    );
    let diff = TextDiff::from_lines(old, new);
    for group in diff.grouped_ops(CONTEXT) {
        if let (Some(first), Some(last)) = (group.first(), group.last()) {
            let header = format!(
                "@@ -{} +{} @@",
                span(first.old_range().start, last.old_range().end),
                span(first.new_range().start, last.new_range().end)
            );
            let _ = writeln!(text, "{}", look.name(header));
        }
        for op in &group {
            text.push_str(&lines(&diff, op, "", of, look));
        }
    }
    text
}

/// The changed lines alone, each below its section's heading, indented: what an answer changed.
pub(super) fn changes(old: &str, new: &str, look: &Look) -> String {
    let diff = TextDiff::from_lines(old, new);
    let new_lines: Vec<&str> = new.lines().collect();
    let mut text = String::new();
    let mut shown_heading = None;
    for op in diff.ops() {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let heading =
            new_lines[..op.new_range().start.min(new_lines.len())].iter().rev().find(|line| line.starts_with('#'));
        let adds_heading = new_lines[op.new_range()].first().is_some_and(|line| line.starts_with('#'));
        if let Some(heading) = heading
            && shown_heading != Some(*heading)
            && !adds_heading
        {
            let _ = writeln!(text, "    {}", look.muted(harmless(heading)));
            shown_heading = Some(*heading);
        }
        text.push_str(&lines(&diff, op, "  ", Of::Changes, look));
    }
    text
}

/// Lines count from 1; what has no line stands behind the one before it, as in git.
fn span(start: usize, end: usize) -> String {
    let first = if end > start { start + 1 } else { start };
    format!("{first},{}", end - start)
}

/// The lines of one operation, changed words marked. Blank changed lines are kept where the diff is whole: they are
/// part of the text.
fn lines<'a>(diff: &TextDiff<'a, 'a, str>, op: &DiffOp, indent: &str, of: Of, look: &Look) -> String {
    let mut text = String::new();
    for change in diff.iter_inline_changes(op) {
        let pieces = merged(change.values());
        if !indent.is_empty() && pieces.iter().all(|(_, piece)| piece.trim().is_empty()) {
            continue;
        }
        // In a line that is for the most part another one no words stand out.
        let letters = |piece: &str| piece.chars().filter(|letter| !letter.is_whitespace()).count();
        let changed: usize = pieces.iter().filter(|(word, _)| *word).map(|(_, piece)| letters(piece)).sum();
        let all: usize = pieces.iter().map(|(_, piece)| letters(piece)).sum();
        let whole = changed * 2 > all;
        text.push_str(indent);
        // In the whole diff of a file the sign stands as patch(1) wants it.
        let sign = sign(change.tag());
        let sign = if of == Of::File { &sign[..1] } else { sign };
        text.push_str(&painted(change.tag(), Emphasis::Line, sign, look));
        // In it, and behind it, the blanks of the line's end stand.
        let last = pieces.iter().rposition(|(_, piece)| !piece.trim().is_empty()).unwrap_or_default();
        for (at, (word, piece)) in pieces.iter().enumerate().filter(|(_, (_, piece))| !piece.is_empty()) {
            let emphasis = if *word && !whole { Emphasis::Word } else { Emphasis::Line };
            let piece = match change.tag() {
                ChangeTag::Insert => seen(piece, at >= last),
                ChangeTag::Equal | ChangeTag::Delete => harmless(piece).into_owned(),
            };
            let piece = match (of, emphasis) {
                (Of::Prose, Emphasis::Word) if !look.colours => signed(change.tag(), &piece),
                (Of::Prose | Of::File | Of::Changes, Emphasis::Word | Emphasis::Line) => piece,
            };
            text.push_str(&painted(change.tag(), emphasis, &piece, look));
        }
        text.push('\n');
        if of == Of::File && change.missing_newline() {
            let _ = writeln!(text, "{}", look.muted("\\ No newline at end of file"));
        }
    }
    text
}

/// The pieces of a line without its end; changed words with nothing but blanks between them are one piece.
fn merged(values: &[(bool, impl AsRef<str>)]) -> Vec<(bool, String)> {
    let mut pieces: Vec<(bool, String)> = Vec::new();
    for (word, piece) in values {
        let piece = piece.as_ref().trim_end_matches('\n');
        if let [.., (true, before), (false, blanks)] = pieces.as_mut_slice()
            && *word
            && blanks.trim().is_empty()
        {
            *before = [before, blanks.as_str(), piece].concat();
            pieces.pop();
        } else {
            pieces.push((*word, piece.to_owned()));
        }
    }
    pieces
}

/// How much a piece stands out within its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Emphasis {
    Line,
    Word,
}

fn sign(tag: ChangeTag) -> &'static str {
    match tag {
        ChangeTag::Equal => "  ",
        ChangeTag::Delete => "- ",
        ChangeTag::Insert => "+ ",
    }
}

/// A changed word as `git diff --word-diff` has it.
fn signed(tag: ChangeTag, word: &str) -> String {
    match tag {
        ChangeTag::Equal => word.to_owned(),
        ChangeTag::Delete => format!("[-{word}-]"),
        ChangeTag::Insert => format!("{{+{word}+}}"),
    }
}

fn painted(tag: ChangeTag, emphasis: Emphasis, piece: &str, look: &Look) -> String {
    match (tag, emphasis) {
        (ChangeTag::Equal, _) => piece.to_owned(),
        (ChangeTag::Delete, Emphasis::Line) => look.gone(piece),
        (ChangeTag::Delete, Emphasis::Word) => look.gone_word(piece),
        (ChangeTag::Insert, Emphasis::Line) => look.good(piece),
        (ChangeTag::Insert, Emphasis::Word) => look.good_word(piece),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::palette::{Asked, Links};

    const PLAIN: Look = Look { colours: false, terminal: false, asked: Asked::InText, links: Links::Spelled };

    #[test]
    fn a_change_shows_its_heading_and_nothing_else() {
        let old = "# A\n\n## Decisions\n\n- one\n\n## Risks\n";
        let new = "# A\n\n## Decisions\n\n- one\n- two\n\n## Risks\n";
        assert_eq!(changes(old, new, &PLAIN), "    ## Decisions\n  + - two\n");
    }

    #[test]
    fn changed_words_stand_out_in_colour_and_lines_have_signs_without() {
        let (old, new) = ("the limit is 100 requests\n", "the limit is 250 requests\n");
        let compared = |of, look: &Look| versions(("a", old), ("b", new), of, look);
        let plain = compared(Of::File, &PLAIN);
        assert!(plain.contains("-the limit is 100 requests\n+the limit is 250 requests\n"), "{plain}");
        let prose = compared(Of::Prose, &PLAIN);
        assert!(prose.contains("- the limit is [-100-] requests\n+ the limit is {+250+} requests\n"), "{prose}");
        for of in [Of::File, Of::Prose] {
            let coloured = compared(of, &Look { colours: true, ..PLAIN });
            assert!(coloured.contains("\u{1b}[32m\u{1b}[1m\u{1b}[4m250"), "{coloured:?}");
            assert!(!coloured.contains("{+"), "colours are enough: {coloured:?}");
        }
    }

    #[test]
    fn words_in_a_row_are_marked_together_and_a_line_that_is_another_one_not_at_all() {
        let compared = |old, new| versions(("a", old), ("b", new), Of::Prose, &PLAIN);
        let row = compared(
            "the old limit of the service is 100 requests\n",
            "the new bound of the service is 100 requests\n",
        );
        assert!(row.contains("- the [-old limit-] of the service is 100 requests\n"), "{row}");
        assert!(row.contains("+ the {+new bound+} of the service is 100 requests\n"), "{row}");
        let other = compared("- one thing only\n", "- two other things\n");
        assert!(other.ends_with("- - one thing only\n+ - two other things\n"), "{other}");
    }

    #[test]
    fn a_line_that_is_new_as_a_whole_has_no_signs_within() {
        let added = versions(("a", "one\n"), ("b", "one\n- two\n"), Of::Prose, &PLAIN);
        assert!(added.ends_with("  one\n+ - two\n"), "{added}");
    }

    #[test]
    fn a_new_text_begins_after_line_0() {
        assert!(versions(("/dev/null", ""), ("b/x", "one\ntwo\n"), Of::File, &PLAIN).contains("@@ -0,0 +1,2 @@"));
    }

    #[test]
    fn g31_the_diff_of_a_file_is_one_that_patch_takes() {
        let plain = versions(("a/x", "one\n\ntwo"), ("b/x", "one\n\ntwo\n"), Of::File, &PLAIN);
        assert_eq!(plain, "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n \n-two\n\\ No newline at end of file\n+two\n");
    }

    #[test]
    fn g30_tabs_and_blanks_at_the_end_of_a_new_line_are_seen() {
        let new = "- one\ttwo  \n   \n";
        for look in [PLAIN, Look { colours: true, ..PLAIN }] {
            let shown = versions(("a", ""), ("b", new), Of::File, &look);
            assert!(shown.contains("- one␉   two␠␠"), "{shown}");
            assert!(shown.contains("␠␠␠"), "{shown}");
        }
        assert_eq!(unified("+a\t \n-b\t \n", &PLAIN), "+a␉   ␠\n-b     \n");
        let longer = versions(("a", "one two three\n"), ("b", "one two three  \n"), Of::File, &PLAIN);
        assert!(longer.ends_with("+one two three␠␠\n"), "{longer}");
    }

    #[test]
    fn the_same_text_says_so() {
        assert_eq!(versions(("a", "x\n"), ("b", "x\n"), Of::Prose, &PLAIN), "no difference between a and b\n");
    }
}
