//! The host's JSON, as far as it is read or written here.

use serde::{Deserialize, Serialize};

use crate::app::ports::ThereIssue;

/// `GET user`.
#[derive(Deserialize)]
pub(super) struct User {
    pub login: String,
}

/// `gh repo view --json url`.
#[derive(Deserialize)]
pub(super) struct Viewed {
    pub url: String,
}

/// `GET repos/{owner}/{name}`.
#[derive(Deserialize)]
pub(super) struct Repository {
    pub full_name: String,
    #[serde(default)]
    pub archived: bool,
    pub has_issues: bool,
    #[serde(default)]
    pub permissions: Permissions,
}

/// A repository that was created just now.
#[derive(Deserialize)]
pub(super) struct Founded {
    pub full_name: String,
}

/// What the login may do in a repository; nothing where the host says nothing.
#[derive(Default, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "these are the host's own words, each a switch of its own")]
pub(super) struct Permissions {
    pub admin: bool,
    pub maintain: bool,
    pub push: bool,
    pub triage: bool,
}

impl Permissions {
    /// Whether labels can be put on issues: without this right the host drops them without a word.
    pub(super) fn may_sort(&self) -> bool {
        self.triage || self.may_write()
    }

    /// Whether labels can be created.
    pub(super) fn may_write(&self) -> bool {
        self.push || self.maintain || self.admin
    }
}

/// A label. Hosts give it as an object, and in issues sometimes as its bare name.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Label {
    Object { name: String },
    Name(String),
}

impl Label {
    pub(super) fn name(self) -> String {
        match self {
            Self::Object { name } | Self::Name(name) => name,
        }
    }
}

/// An issue, or a pull request, which is listed among them.
#[derive(Deserialize)]
pub(super) struct Issue {
    pub number: u64,
    pub html_url: String,
    #[serde(default)]
    pub body: Option<String>,
    #[serde(default)]
    pub user: Option<User>,
    #[serde(default)]
    pub created_at: Option<jiff::Timestamp>,
    #[serde(default)]
    pub pull_request: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    pub labels: Vec<Label>,
}

impl From<Issue> for ThereIssue {
    fn from(issue: Issue) -> Self {
        Self {
            number: issue.number,
            url: issue.html_url,
            body: issue.body.unwrap_or_default(),
            labels: issue.labels.into_iter().map(Label::name).collect(),
        }
    }
}

/// What a host says of an error.
#[derive(Default, Deserialize)]
pub(super) struct Complaint {
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub errors: Vec<Detail>,
}

/// One detail of an error: an object, or a sentence.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Detail {
    Object(DetailFields),
    Sentence(String),
}

#[derive(Deserialize)]
pub(super) struct DetailFields {
    #[serde(default)]
    pub field: Option<String>,
    #[serde(default)]
    pub code: Option<String>,
    #[serde(default)]
    pub message: Option<String>,
}

#[derive(Serialize)]
pub(super) struct SentIssue<'a> {
    pub body: &'a str,
    pub title: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub labels: &'a [String],
}

#[derive(Serialize)]
pub(super) struct SentLabel<'a> {
    pub name: &'a str,
    pub color: &'a str,
}
