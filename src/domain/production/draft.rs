//! Drafts: bytes that wait for an approval, and how far each is.

use serde::{Deserialize, Serialize};

use super::super::actor::Actor;
use super::super::ids::ObjectId;
use super::super::issue::{self, IssueText};
use super::super::settings::Destination;
use super::record::Creation;
use super::target::{IssueSlot, Target, TargetPath};

/// A file or an issue as it would be, and what it would replace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    #[serde(rename = "path")]
    pub target: Target,
    pub destination: Destination,
    /// The blob id of `content`; an approval names it.
    pub blob: ObjectId,
    /// The blob id of what stood there when it was shown; `None` when there was no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<ObjectId>,
    #[serde(default, skip_serializing_if = "Origin::is_generated")]
    pub origin: Origin,
    /// The bytes; kept in a file of their own. An issue has the form of [`issue::write`].
    #[serde(skip)]
    pub content: String,
    /// What stood there, so that it can come back; kept in a file of its own.
    #[serde(skip)]
    pub replaced: Option<String>,
}

impl Draft {
    /// The command that prints its text, which the history of its session holds, also once the session has ended.
    pub fn printed_by(&self) -> String {
        format!("git show {}", self.blob)
    }

    pub fn path(&self) -> Option<&TargetPath> {
        self.target.path()
    }

    /// The issue that it is, if it is one. What cannot be read as one was refused when it was handed in.
    pub fn issue(&self) -> Option<IssueText> {
        self.target.slot()?;
        issue::recorded(&self.content)
    }

    /// The issues of the plan that come before it; none for a file.
    pub fn depends_on(&self) -> Vec<IssueSlot> {
        self.issue().map(|issue| issue.depends_on).unwrap_or_default()
    }
}

/// A draft with its texts, as it travels; where it is stored, they have files of their own.
pub mod whole {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Draft;

    /// Writes the draft and its texts.
    pub fn serialize<S: Serializer>(draft: &Draft, serializer: S) -> Result<S::Ok, S::Error> {
        (draft, &draft.content, &draft.replaced).serialize(serializer)
    }

    /// Reads them.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<Draft>, D::Error> {
        let (draft, content, replaced): (Draft, String, Option<String>) = Deserialize::deserialize(deserializer)?;
        Ok(Box::new(Draft { content, replaced, ..draft }))
    }
}

/// Whose text a draft is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// What git grill makes of the session; it can be made anew at any time.
    #[default]
    Generated,
    /// Handed in; nobody but whoever writes another one changes it.
    HandedIn,
}

impl Origin {
    pub fn is_generated(&self) -> bool {
        *self == Self::Generated
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "stage")]
pub enum Stage {
    Drafted,
    /// It is left out, and not drafted again.
    Dropped,
    /// Approved; the file or the issue is owed.
    Approved {
        approval: Actor,
    },
    Written {
        approval: Actor,
    },
    Created {
        approval: Actor,
        /// The tracker's number.
        number: u64,
        url: String,
        /// Whether its body names all that it depends on by number; some that earlier versions created do not.
        linked: bool,
    },
}

impl Stage {
    /// The stage after it was written; `by` approved it where nobody is known to have.
    pub(in super::super) fn written(&self, by: &Actor) -> Self {
        Self::Written { approval: self.approval().unwrap_or(by).clone() }
    }

    /// The stage after its issue was created.
    pub(in super::super) fn created(&self, by: &Actor, creation: &Creation) -> Self {
        let Creation { number, url, linked, .. } = creation;
        let approval = self.approval().unwrap_or(by).clone();
        Self::Created { approval, number: *number, url: url.clone(), linked: *linked }
    }

    /// The stage after an earlier version named the dependencies of the issue by number; none where there is no issue.
    pub(in super::super) fn linked(&self) -> Option<Self> {
        match self.clone() {
            Self::Created { approval, number, url, .. } => Some(Self::Created { approval, number, url, linked: true }),
            Self::Drafted | Self::Dropped | Self::Approved { .. } | Self::Written { .. } => None,
        }
    }

    /// Whether it is approved and still owed.
    pub fn is_approved(&self) -> bool {
        matches!(self, Self::Approved { .. })
    }

    /// Whether a person's word for it stands: it is approved, or done already.
    pub fn is_settled(&self) -> bool {
        self.approval().is_some()
    }

    pub fn approval(&self) -> Option<&Actor> {
        match self {
            Self::Drafted | Self::Dropped => None,
            Self::Approved { approval } | Self::Written { approval } | Self::Created { approval, .. } => Some(approval),
        }
    }

    /// How far it is, in one word for machines.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Drafted => "drafted",
            Self::Dropped => "dropped",
            Self::Approved { .. } => "approved",
            Self::Written { .. } => "written",
            Self::Created { .. } => "created",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drafted {
    #[serde(flatten)]
    pub draft: Draft,
    #[serde(flatten)]
    pub stage: Stage,
}

/// A draft whose approval is recorded, for a target of one kind. Only the rules make one, from a recorded approval of
/// exactly these bytes; whoever writes files or creates issues takes nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approved<T> {
    target: T,
    draft: Draft,
}

impl<T> Approved<T> {
    pub fn target(&self) -> &T {
        &self.target
    }

    pub fn draft(&self) -> &Draft {
        &self.draft
    }
}

impl Approved<TargetPath> {
    pub(super) fn file(drafted: &Drafted) -> Option<Self> {
        let target = drafted.draft.path().filter(|_| drafted.stage.is_approved())?.clone();
        Some(Self { target, draft: drafted.draft.clone() })
    }
}

impl Approved<IssueSlot> {
    pub(super) fn issue(drafted: &Drafted) -> Option<Self> {
        let target = drafted.draft.target.slot().filter(|_| drafted.stage.is_approved())?;
        Some(Self { target, draft: drafted.draft.clone() })
    }
}
