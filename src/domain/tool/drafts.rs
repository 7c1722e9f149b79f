//! `grill_submit_draft`: a file or an issue of the approved plan, handed in whole, or left out (G42).

use serde::Deserialize;

use super::Tool;
use super::bad_request::BadRequest;
use super::phases::named;
use crate::domain::issue::{self, IssueText};
use crate::domain::production::{IssueSlot, MOST_ISSUES, Target, TargetPath};
use crate::domain::settings::Destination;

/// The longest draft, in bytes; nobody reads more before they approve it.
const LONGEST_DRAFT: usize = 1024 * 1024;

/// What `grill_submit_draft` is called with, unchecked. A file has a path and its content, an issue a title and a body.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SubmitDraftRequest {
    /// The destination; left out, the output of the plan that the path belongs to.
    #[serde(default)]
    pub destination: Option<String>,
    /// The file, from the top of the repository.
    #[serde(default)]
    pub path: Option<String>,
    /// Its whole text.
    #[serde(default)]
    pub content: Option<String>,
    /// The number of the issue among those of the plan; left out, a further one.
    #[serde(default)]
    pub issue: Option<u32>,
    /// The issue's title.
    #[serde(default)]
    pub title: Option<String>,
    /// Its body, in Markdown.
    #[serde(default)]
    pub body: Option<String>,
    #[serde(default)]
    pub labels: Vec<String>,
    /// The numbers of the issues that come before it.
    #[serde(default)]
    pub depends_on: Vec<u32>,
    #[serde(default)]
    pub leave_out: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandedIn {
    File {
        /// The output that it is meant for; none is the one that the path belongs to.
        destination: Option<Destination>,
        path: TargetPath,
        content: String,
    },
    Issue {
        /// Which one of the plan; none is a further one.
        slot: Option<IssueSlot>,
        /// The issue, in the form that is approved.
        content: String,
    },
    /// A draft that is not to become anything.
    LeftOut(Target),
}

pub fn submit_draft(request: SubmitDraftRequest) -> Result<HandedIn, BadRequest> {
    let tool = Tool::SubmitDraft.name();
    let missing = |what| Err(BadRequest::Missing { tool, what });
    let slot = request.issue.map(slot).transpose()?;
    let path = request.path.as_deref().map(TargetPath::parse).transpose()?;
    let is_issue = request.title.is_some() || request.body.is_some();
    match (path, slot, request.leave_out) {
        (Some(_), Some(_), _) => missing("a path or an issue, not both"),
        (Some(path), None, true) => Ok(HandedIn::LeftOut(path.into())),
        (None, Some(slot), true) => Ok(HandedIn::LeftOut(Target::Issue(slot))),
        (None, None, true) => missing("the path or the issue that is left out"),
        (Some(_), None, false) if is_issue => missing("a path with its content, or an issue with its title and body"),
        (Some(path), None, false) => file(request, path),
        (None, slot, false) if is_issue => issue(request, slot),
        (None, Some(_), false) => missing("the title and the body of the issue"),
        (None, None, false) => missing("a path with its content, or an issue with its title and body"),
    }
}

fn file(request: SubmitDraftRequest, path: TargetPath) -> Result<HandedIn, BadRequest> {
    let content = request.content.unwrap_or_default();
    if content.trim().is_empty() {
        let tool = Tool::SubmitDraft.name();
        return Err(BadRequest::Missing { tool, what: "the content: the whole text of the file" });
    }
    if content.len() > LONGEST_DRAFT {
        return Err(BadRequest::Draft { bytes: content.len(), limit: LONGEST_DRAFT });
    }
    let destination = request.destination.as_deref().and_then(named).map(str::parse).transpose()?;
    Ok(HandedIn::File { destination, path, content })
}

fn issue(request: SubmitDraftRequest, slot: Option<IssueSlot>) -> Result<HandedIn, BadRequest> {
    let text = IssueText {
        title: request.title.unwrap_or_default().trim().to_owned(),
        body: request.body.unwrap_or_default(),
        labels: request.labels,
        depends_on: request.depends_on.into_iter().map(self::slot).collect::<Result<_, _>>()?,
    };
    if text.title.is_empty() {
        return Err(BadRequest::Missing { tool: Tool::SubmitDraft.name(), what: "the title of the issue" });
    }
    let content = issue::write(&text);
    // What is written there is what is approved, so it has to come back from it.
    issue::parse(&content).map_err(|error| BadRequest::Issue { why: error.why })?;
    Ok(HandedIn::Issue { slot, content })
}

fn slot(number: u32) -> Result<IssueSlot, BadRequest> {
    IssueSlot::new(number)
        .ok_or_else(|| BadRequest::Issue { why: format!("{number} is no number of one; they are 1 to {MOST_ISSUES}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request that somebody fills in, checked.
    fn checked(fill: impl FnOnce(&mut SubmitDraftRequest)) -> Result<HandedIn, String> {
        let mut request = SubmitDraftRequest::default();
        fill(&mut request);
        submit_draft(request).map_err(|error| error.to_string())
    }

    #[expect(clippy::unnecessary_wraps, reason = "every field of a request may be missing")]
    fn said(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn g42_a_file_or_an_issue_or_neither() {
        let file = checked(|one| (one.path, one.content) = (said("docs/a.md"), said("# A"))).unwrap();
        assert!(matches!(file, HandedIn::File { destination: None, .. }), "{file:?}");
        let issue = checked(|one| {
            (one.issue, one.title, one.body) = (Some(2), said(" -X @it "), said("---\nno front matter\n"));
            (one.labels, one.depends_on) = (vec!["a, b".to_owned()], vec![1]);
        });
        let Ok(HandedIn::Issue { slot, content }) = issue else { panic!("{issue:?}") };
        let text = issue::parse(&content).unwrap();
        assert_eq!(slot.map(IssueSlot::number), Some(2));
        assert_eq!((text.title.as_str(), text.labels.as_slice()), ("-X @it", &["a, b".to_owned()][..]));
        assert_eq!(text.depends_on, [IssueSlot::FIRST]);
        assert_eq!(text.body, "---\nno front matter\n");
        let left_out = checked(|one| (one.issue, one.leave_out) = (Some(3), true));
        assert_eq!(left_out, Ok(HandedIn::LeftOut("issue:3".parse().unwrap())));
        let left_out = checked(|one| (one.path, one.leave_out) = (said("a.md"), true));
        assert_eq!(left_out, Ok(HandedIn::LeftOut("a.md".parse().unwrap())));
    }

    #[test]
    fn g42_what_is_neither_is_refused_and_says_what_is_missing() {
        type Fill = fn(&mut SubmitDraftRequest);
        let bad: [(Fill, &str); 10] = [
            (|_| {}, "a path with its content"),
            (|one| (one.path, one.content) = (said("a.md"), said(" ")), "the whole text"),
            (|one| (one.path, one.title) = (said("a.md"), said("x")), "or an issue"),
            (|one| (one.path, one.content, one.issue) = (said("a.md"), said("x"), Some(1)), "not both"),
            (|one| one.issue = Some(1), "the title and the body"),
            (|one| (one.title, one.body) = (said("  "), said("x")), "the title"),
            (|one| (one.issue, one.title) = (Some(0), said("x")), "1 to 100"),
            (|one| (one.title, one.depends_on) = (said("x"), vec![101]), "1 to 100"),
            (
                |one| (one.title, one.body) = (said("x"), said("<!-- git-grill: a/1/issue:2. -->")),
                "finds its issues again",
            ),
            (|one| one.leave_out = true, "left out"),
        ];
        for (fill, says) in bad {
            let error = checked(fill).unwrap_err();
            assert!(error.contains(says), "{says}: {error}");
        }
        let long = checked(|one| one.title = Some("x".repeat(300))).unwrap_err();
        assert!(long.contains("256"), "{long}");
    }

    #[test]
    fn g42_paths_stay_inside_and_drafts_can_be_read() {
        for path in ["../x", "/etc/passwd", ".git/config", "", "docs//x.md", "issue:1"] {
            assert!(checked(|one| (one.path, one.content) = (said(path), said("x"))).is_err(), "{path}");
        }
        let huge = checked(|one| (one.path, one.content) = (said("a.md"), Some("x".repeat(LONGEST_DRAFT + 1))));
        assert!(huge.unwrap_err().contains("bytes"));
    }
}
