//! The body of an issue as it is created: what was approved, what it depends on by number, and a hidden marker by which
//! it is found again.

use std::fmt::Write as _;

use super::super::ids::SessionId;
use super::super::production::IssueSlot;
use super::IssueText;

/// The body that is sent; `depends_on` are the numbers of the issues that this one depends on.
pub fn body(issue: &IssueText, depends_on: &[u64], marker: &str) -> String {
    let mut text = String::new();
    if !issue.body.trim().is_empty() {
        text.push_str(issue.body.trim_end());
        text.push_str("\n\n");
    }
    if !depends_on.is_empty() {
        let numbers: Vec<String> = depends_on.iter().map(|number| format!("#{number}")).collect();
        let _ = write!(text, "Depends on {}.\n\n", numbers.join(", "));
    }
    let _ = writeln!(text, "<!-- {marker} -->");
    text
}

/// What every mark begins with.
pub(super) const MARK: &str = "git-grill:";

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
        let first = marker(&session, 9, slot(1));
        assert_eq!(
            body(&issue, &[12, 13], &first),
            "Do it.\n\nDepends on #12, #13.\n\n<!-- git-grill: 20261121-links-k3f9q/9/issue:1. -->\n"
        );
        assert_eq!(body(&IssueText::default(), &[], "m"), "<!-- m -->\n");
        let tenth = marker(&session, 9, slot(10));
        assert!(!tenth.contains(&first) && tenth.contains(&marker_of_all(&session, 9)));
        assert!(
            !tenth.contains(&marker_of_all(&session, 90))
                && !marker(&session, 90, slot(1)).contains(&marker_of_all(&session, 9))
        );
    }
}
