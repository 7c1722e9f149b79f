//! Updates of the checkpoint, laid onto the text that stands now: the one rule by which an edit never replaces words that
//! it was not made from.
//!
//! Each update names the text that it was made from. Where that text still stands, the update is taken as it is. Where it
//! changed since, both changes are merged if they do not overlap. Otherwise the update is refused, or, where it cannot be
//! asked for again, both sides are kept between markers. A line that stands now goes only if the update was made from a
//! text that had it.

use std::collections::HashMap;
use std::fmt::Write as _;

use similar::{TextDiff, TextMerge};

use super::checkpoint::Checkpoint;
use super::text::plain_line_ends;

/// The longest difference that a refusal shows, in lines and in bytes.
const MOST_LINES: usize = 80;
const MOST_BYTES: usize = 8 * 1024;
/// The most lines of a text that is compared: made for it, one of ten times as many takes a minute.
const MOST_COMPARED: usize = 10_000;

/// An update on top of the text that stands now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rebased {
    /// The text that it was made from still stands: the new text.
    AsItIs(Checkpoint),
    /// The text changed since, elsewhere: both changes.
    Merged(Checkpoint),
    /// The text changed since in the same place: both sides between markers.
    Overlapping(String),
}

/// Lays the update from `base` to `new` onto `now`.
pub fn rebase(base: &Checkpoint, now: &Checkpoint, new: &Checkpoint) -> Rebased {
    if base == now || new == now {
        return Rebased::AsItIs(new.clone());
    }
    if ![base, now, new].iter().all(|text| comparable(text)) {
        return Rebased::Overlapping(format!(
            "<<<<<<< recorded\n{}=======\n{}>>>>>>> edited\n",
            now.as_str(),
            new.as_str()
        ));
    }
    // A return that stands alone ends a line for the merge and for Markdown, and not for those who read line by line; a
    // text that an earlier version stored may have some.
    let [shown, stands, edited] = [base, now, new].map(|text| plain_line_ends(text.as_str()));
    let mut merge = TextMerge::from_lines(shown.as_str(), stands.as_str(), edited.as_str());
    merge.labels("as it was shown", "recorded", "edited");
    let text = merge.to_string();
    match Checkpoint::parse(&text) {
        // The merge is somebody else's work, so it is checked against the rule itself.
        Ok(merged) if !merge.is_conflicted() && loses_nothing(base, now, new, &merged) => Rebased::Merged(merged),
        Ok(_) | Err(_) => Rebased::Overlapping(text),
    }
}

fn comparable(text: &Checkpoint) -> bool {
    text.as_str().lines().count() <= MOST_COMPARED
}

/// Whether every line that stands now is in `merged`, but for those that the update itself took out of its base.
pub fn loses_nothing(base: &Checkpoint, now: &Checkpoint, new: &Checkpoint, merged: &Checkpoint) -> bool {
    let [base, now, new, merged] = [base, now, new, merged].map(counted);
    let times = |text: &HashMap<&str, usize>, line: &str| text.get(line).copied().unwrap_or_default();
    now.iter().all(|(line, stands)| {
        let taken_out = times(&base, line).saturating_sub(times(&new, line));
        times(&merged, line) + taken_out >= *stands
    })
}

/// The lines of a text, with how often each stands in it.
fn counted(text: &Checkpoint) -> HashMap<&str, usize> {
    let mut lines = HashMap::new();
    for line in text.as_str().lines() {
        *lines.entry(line).or_default() += 1;
    }
    lines
}

/// The difference between two texts, in the form of `git diff`, cut where it is long.
pub fn difference(from: &Checkpoint, to: &Checkpoint) -> String {
    if !comparable(from) || !comparable(to) {
        return format!("it has {} lines now, too many to be compared\n", to.as_str().lines().count());
    }
    let diff = TextDiff::from_lines(from.as_str(), to.as_str());
    let whole = diff.unified_diff().context_radius(1).to_string();
    let mut shown = String::new();
    let lines: Vec<&str> = whole.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        if at == MOST_LINES || shown.len() + line.len() > MOST_BYTES {
            // Writing to a String cannot fail.
            let _ = writeln!(shown, "… {} more lines", lines.len() - at);
            break;
        }
        shown.push_str(line);
        shown.push('\n');
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(lines: &[&str]) -> Checkpoint {
        Checkpoint::parse(&lines.join("\n")).unwrap()
    }

    #[test]
    fn an_update_is_taken_merged_or_found_to_overlap() {
        let base = text(&["# S", "", "a", "", "b", "", "c"]);
        let mine = text(&["# S", "", "a", "", "b", "", "c", "mine"]);
        let theirs = text(&["# S", "", "a, theirs", "", "b", "", "c"]);
        let both = text(&["# S", "", "a, theirs", "", "b", "", "c", "mine"]);
        assert_eq!(rebase(&base, &base, &mine), Rebased::AsItIs(mine.clone()));
        assert_eq!(rebase(&base, &mine, &mine), Rebased::AsItIs(mine.clone()));
        assert_eq!(rebase(&base, &theirs, &mine), Rebased::Merged(both));
        // The same text again, which changed elsewhere, changes nothing.
        assert_eq!(rebase(&base, &theirs, &base), Rebased::Merged(theirs.clone()));
        let other = text(&["# S", "", "a, mine", "", "b", "", "c"]);
        let Rebased::Overlapping(both) = rebase(&base, &theirs, &other) else { panic!("it overlaps") };
        assert!(both.contains("a, theirs\n=======\na, mine\n"), "{both}");
    }

    #[test]
    fn a_text_that_grows_beyond_the_limit_is_not_taken() {
        let half = |letter: &str| letter.repeat(Checkpoint::LIMIT / 2 - 10);
        let base = text(&["x", "", "y"]);
        let now = text(&[&half("a"), "x", "", "y"]);
        let new = text(&["x", "", "y", &half("b"), &"c".repeat(40)]);
        assert!(matches!(rebase(&base, &now, &new), Rebased::Overlapping(_)));
    }

    #[test]
    fn markers_stand_on_lines_of_their_own_beside_returns_of_an_earlier_version() {
        let base = text(&["# S", "", "a"]);
        let stored = Checkpoint::stored("# S\n\nb\r\rc\r".to_owned());
        let Rebased::Overlapping(both) = rebase(&base, &stored, &text(&["# S", "", "d"])) else {
            panic!("it overlaps")
        };
        assert!(both.contains("\nb\n\nc\n=======\nd\n>>>>>>> edited"), "{both:?}");
    }

    #[test]
    fn a_difference_is_bounded() {
        let long: Vec<String> = (0..5000).map(|number| format!("line {number}")).collect();
        let long = Checkpoint::parse(&long.join("\n")).unwrap();
        let shown = difference(&text(&["one"]), &long);
        assert!(shown.lines().count() <= MOST_LINES + 1 && shown.ends_with("more lines\n"), "{shown}");
        let wide = difference(&text(&["one"]), &text(&[&"x".repeat(100_000)]));
        assert!(wide.len() < MOST_BYTES + 100, "{}", wide.len());
        assert_eq!(difference(&text(&["one"]), &text(&["one", "two"])), "@@ -1 +1,2 @@\n one\n+two\n");
    }

    #[test]
    fn what_is_too_long_to_be_compared_is_kept_whole_on_both_sides() {
        let long = |last: &str| text(&[&"a\n".repeat(MOST_COMPARED), last]);
        let Rebased::Overlapping(both) = rebase(&long("1"), &long("2"), &long("3")) else { panic!("it was compared") };
        assert!(both.contains("\n2\n=======\na\n") && both.ends_with("\n3\n>>>>>>> edited\n"));
        assert!(difference(&long("1"), &long("2")).contains("too many"));
    }

    fn document() -> impl Strategy<Value = Checkpoint> {
        prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "", "# h", "- d"]), 1..12)
            .prop_map(|lines| Checkpoint::parse(&format!("# S\n{}", lines.join("\n"))).unwrap())
    }

    /// A document with a few lines changed, as people and agents change them.
    fn edited(base: Checkpoint) -> impl Strategy<Value = Checkpoint> {
        let changes = prop::collection::vec((any::<prop::sample::Index>(), 0..3_u8, "[a-c]{0,2}"), 0..4);
        changes.prop_map(move |changes| {
            let mut lines: Vec<String> = base.as_str().lines().map(str::to_owned).collect();
            for (at, what, word) in changes {
                let at = at.index(lines.len());
                match what {
                    0 => lines[at] = word,
                    1 => lines.insert(at, word),
                    _ if lines.len() > 1 => drop(lines.remove(at)),
                    _ => {}
                }
            }
            Checkpoint::parse(&format!("# S\n{}", lines.join("\n"))).unwrap()
        })
    }

    proptest! {
        #[test]
        fn no_line_goes_that_the_update_did_not_take_out_itself(
            (base, now, new) in document().prop_flat_map(|base| (Just(base.clone()), edited(base.clone()), edited(base)))
        ) {
            match rebase(&base, &now, &new) {
                Rebased::AsItIs(text) => prop_assert!(text == new && (base == now || new == now)),
                Rebased::Merged(text) => prop_assert!(loses_nothing(&base, &now, &new, &text), "{text:?}"),
                Rebased::Overlapping(both) => {
                    for line in now.as_str().lines() {
                        let taken_out = base.as_str().lines().any(|one| one == line);
                        prop_assert!(taken_out || both.lines().any(|one| one == line), "{line}: {both}");
                    }
                }
            }
        }
    }
}
