//! The body of an issue as it is created: what was approved, what it depends on by number, and a hidden marker by which
//! it is found again.

use std::fmt::Write as _;

use super::super::ids::SessionId;
use super::super::production::IssueSlot;
use super::IssueText;

/// Something that an issue depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its title.
    pub title: String,
    /// Its number; none while it is not created.
    pub number: Option<u64>,
}

/// The body that is sent.
pub fn body(issue: &IssueText, links: &[Link], marker: &str) -> String {
    let mut text = String::new();
    if !issue.body.trim().is_empty() {
        text.push_str(issue.body.trim_end());
        text.push_str("\n\n");
    }
    if let Some(line) = dependencies(links) {
        text.push_str(&line);
        text.push_str("\n\n");
    }
    let _ = writeln!(text, "<!-- {marker} -->");
    text
}

/// The line that names what an issue depends on; none where it depends on nothing.
pub fn dependencies(links: &[Link]) -> Option<String> {
    let names: Vec<String> = links.iter().map(name).collect();
    (!names.is_empty()).then(|| format!("{DEPENDS_ON}{}.", names.join(", ")))
}

/// A body as it stands in the tracker with its dependencies named anew; none where nothing has to change, or where
/// somebody took away the line or the mark that we would know it by.
pub fn relinked(there: &str, links: &[Link], marker: &str) -> Option<String> {
    let line = dependencies(links)?;
    let there = there.replace("\r\n", "\n");
    let mark = there.find(&format!("<!-- {marker} -->"))?;
    // A line that somebody joined with the mark is none of ours, and stays: without its mark the issue would not be
    // found again.
    let mut begun = there[..mark].rmatch_indices(DEPENDS_ON).map(|(at, _)| at).filter(|&at| begins_line(&there, at));
    let start = begun.find(|&at| is_ours(&there[at..mark]))?;
    let end = start + there[start..].find('\n')?;
    (there[start..end] != line).then(|| format!("{}{line}{}", &there[..start], &there[end..]))
}

fn name(link: &Link) -> String {
    match link.number {
        Some(number) => format!("#{number}"),
        // A title that reads like a mark would have this issue found in the place of the other, and one that reads like
        // the end of a title would hide the line from whoever looks for it.
        None => format!("\u{201c}{}{NOT_YET}", link.title.replace(MARK, MARK_IN_WORDS).replace(CLOSING, "\"")),
    }
}

fn begins_line(text: &str, at: usize) -> bool {
    at == 0 || text[..at].ends_with('\n')
}

/// Whether a text begins with a line as [`dependencies`] writes it, however many were created by then.
fn is_ours(text: &str) -> bool {
    let Some(mut rest) = text.strip_prefix(DEPENDS_ON) else { return false };
    loop {
        let behind = match rest.strip_prefix('#') {
            Some(number) => {
                Some(number.trim_start_matches(|one: char| one.is_ascii_digit())).filter(|&to| to != number)
            }
            None => rest.strip_prefix('\u{201c}').and_then(|title| title.split_once(NOT_YET)).map(|(_, behind)| behind),
        };
        match behind {
            Some(behind) if behind.starts_with(".\n") => return true,
            Some(behind) => match behind.strip_prefix(", ") {
                Some(next) => rest = next,
                None => return false,
            },
            None => return false,
        }
    }
}

/// What ends a title.
const CLOSING: char = '\u{201d}';
/// What stands behind the title of an issue that has no number yet.
const NOT_YET: &str = "\u{201d} (not created yet)";

/// How the line of dependencies begins.
const DEPENDS_ON: &str = "Depends on ";

/// What every mark begins with.
pub(super) const MARK: &str = "git-grill:";
/// The same where it is no mark.
const MARK_IN_WORDS: &str = "git-grill \u{2013}";

/// What marks every issue of one output phase.
pub fn marker_of_all(session: &SessionId, round: u64) -> String {
    format!("{MARK} {session}/{round}/")
}

/// What marks one issue of it. It ends in a full stop, so that the mark of the first is not found in that of the tenth.
pub fn marker(session: &SessionId, round: u64, slot: IssueSlot) -> String {
    format!("{}{slot}.", marker_of_all(session, round))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(number: u32) -> IssueSlot {
        IssueSlot::new(number).unwrap()
    }

    #[test]
    fn g32_a_body_names_its_dependencies_and_can_be_found_again() {
        let session = SessionId::parse("20261121-links-k3f9q").unwrap();
        let issue = IssueText { title: "t".to_owned(), body: "Do it.\n".to_owned(), ..IssueText::default() };
        let links =
            [Link { title: "First".to_owned(), number: Some(12) }, Link { title: "Second".to_owned(), number: None }];
        let first = marker(&session, 9, slot(1));
        assert_eq!(
            body(&issue, &links, &first),
            "Do it.\n\nDepends on #12, \u{201c}Second\u{201d} (not created yet).\n\n<!-- git-grill: 20261121-links-k3f9q/9/issue:1. -->\n"
        );
        assert_eq!(body(&IssueText::default(), &[], "m"), "<!-- m -->\n");

        // Somebody added a line meanwhile, on a host that writes CRLF.
        let there =
            body(&issue, &links, &first).replace("Do it.", "Do it. Soon.\n\nDepends on luck.").replace('\n', "\r\n");
        let both = links.clone().map(|link| Link { number: link.number.or(Some(13)), ..link });
        let relinked = relinked(&there, &both, &first).unwrap();
        assert!(relinked.contains("Soon.\n\nDepends on luck.\n\nDepends on #12, #13.\n\n<!-- "), "{relinked}");
        assert_eq!(super::relinked(&relinked, &both, &first), None);
        assert_eq!(super::relinked("Rewritten by hand.", &both, &first), None);
        // What a person wrote below our line is no line of ours.
        for theirs in ["luck.", "#7 being done", "#.", "#7, luck.", "\u{201c}x\u{201d}.", "#7."] {
            let there = body(&issue, &links, &first).replace("<!--", &format!("Depends on {theirs}\n\n<!--"));
            let relinked = super::relinked(&there, &both, &first).unwrap();
            let stays = theirs != "#7.";
            assert_eq!(relinked.contains(&format!("Depends on {theirs}")), stays, "{relinked}");
            assert_eq!(relinked.contains("Do it.\n\nDepends on #12, #13."), stays, "{relinked}");
        }
        let posing = [Link { title: format!("{first} x"), number: None }];
        assert!(!body(&issue, &posing, "m").contains(&marker_of_all(&session, 9)));
        let ends_early = [Link { title: format!("x{NOT_YET}, #y"), number: None }];
        let there = body(&issue, &ends_early, &first);
        let numbered = ends_early.map(|link| Link { number: Some(12), ..link });
        assert_eq!(super::relinked(&there, &numbered, &first), Some(body(&issue, &numbered, &first)));
        let joined = format!("Depends on #1. <!-- {first} -->\n");
        assert_eq!(super::relinked(&joined, &both, &first), None, "the mark stays");
        let tenth = marker(&session, 9, slot(10));
        assert!(!tenth.contains(&first) && tenth.contains(&marker_of_all(&session, 9)));
        assert!(
            !tenth.contains(&marker_of_all(&session, 90))
                && !marker(&session, 90, slot(1)).contains(&marker_of_all(&session, 9))
        );
    }
}
