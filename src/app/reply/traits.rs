//! The traits of a reply: all that is done with it beside showing it.

use super::super::ports::Severity;
use super::Reply;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// The exit code of a request that ends with this reply.
    pub exit_code: u8,
    /// The setting of the pager for a reply that is read from beginning to end and asks nothing.
    pub page: Option<Page>,
    pub lines: Lines,
    pub then: Then,
}

/// The verb in `pager.grill.<verb>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    Agent,
    Checkpoint,
    Debate,
    Draft,
    /// The steps of a plan, by any verb.
    Plan,
    Sessions,
    Status,
    Verify,
}

impl Page {
    pub const ALL: [Self; 8] = [
        Self::Agent,
        Self::Checkpoint,
        Self::Debate,
        Self::Draft,
        Self::Plan,
        Self::Sessions,
        Self::Status,
        Self::Verify,
    ];

    pub fn verb(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Checkpoint => "checkpoint",
            Self::Debate => "debate",
            Self::Draft => "draft",
            Self::Plan => "plan",
            Self::Sessions => "sessions",
            Self::Status => "status",
            Self::Verify => "verify",
        }
    }
}

/// How the lines of a reply fit into a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// They break between words.
    Folded,
    /// They are Markdown, which a terminal lays out.
    Markdown,
    /// They stay: they are shown sign by sign, or laid out already.
    Kept,
}

/// The next step of a conversation after the reply to a typed verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The open question is still in sight.
    GoesOn,
    /// It shows the open question again.
    AsksAgain,
    /// The agent that leads explains the open question.
    Explains,
    /// The same as [`Then::AsksAgain`]; drafts whose files were taken back are offered again only on request.
    HoldsDrafts,
    Ends,
}

impl Traits {
    /// A success that moves the open question out of sight.
    pub const LONG: Self = Self { exit_code: 0, page: None, lines: Lines::Folded, then: Then::AsksAgain };
    /// A success in a line or two.
    pub const SHORT: Self = Self { then: Then::GoesOn, ..Self::LONG };

    fn paged(page: Page) -> Self {
        Self { page: Some(page), ..Self::LONG }
    }
}

impl Reply {
    pub fn traits(&self) -> Traits {
        let long = Traits::LONG;
        match self {
            Self::Plain(plain) => plain.traits,
            Self::Happened(_) | Self::NoSession => Traits::SHORT,
            Self::Why { .. } => Traits { then: Then::Explains, ..long },
            Self::Undone { .. } => Traits { then: Then::HoldsDrafts, ..long },
            Self::Left { .. } | Self::Abandoned { .. } => Traits { then: Then::Ends, ..long },
            Self::Checkpoint(_) => Traits { lines: Lines::Kept, ..Traits::paged(Page::Checkpoint) },
            Self::CheckpointDiff { in_passing: false, .. } | Self::Versions { .. } => Traits::paged(Page::Checkpoint),
            Self::Drafts { .. } => Traits { lines: Lines::Kept, ..Traits::paged(Page::Draft) },
            Self::Shown { .. } => Traits::paged(Page::Plan),
            Self::Sessions(_) => Traits::paged(Page::Sessions),
            Self::Questions(_) => Traits::paged(Page::Status),
            Self::Verified { verification, .. } => {
                Traits { exit_code: u8::from(!verification.is_clean()), ..Traits::paged(Page::Verify) }
            }
            Self::Difference(_) => Traits { lines: Lines::Kept, ..Traits::paged(Page::Verify) },
            Self::Restored { verification, .. } => Traits { exit_code: u8::from(!verification.is_clean()), ..long },
            Self::Examined(examination) => {
                Traits { exit_code: u8::from(examination.worst() == Some(Severity::Error)), ..long }
            }
            Self::Hooks(report, more) => {
                let gap = more.is_broken(report) || more.trials.iter().any(|tried| tried.refused.is_err());
                Traits { exit_code: u8::from(gap), ..long }
            }
            Self::Tool(reply) => Traits { exit_code: reply.exit_code(), lines: Lines::Kept, ..long },
            // Its lines are laid out for the window; a foreign one must not be broken into one without its mark.
            Self::Loan(lent) => {
                let page = lent.is_long().then_some(Page::Agent);
                Traits { exit_code: lent.exit_code(), page, lines: Lines::Kept, ..long }
            }
            Self::Redrafted { .. } | Self::Outside(_) | Self::Tools(_) | Self::SetUp(_) => {
                Traits { lines: Lines::Kept, ..long }
            }
            Self::Arrived { .. }
            | Self::Status(..)
            | Self::CheckpointDiff { in_passing: true, .. }
            | Self::Wrote { .. }
            | Self::Committed { .. }
            | Self::Drifted(_)
            | Self::Behind(_)
            | Self::Agents(_)
            | Self::Preflight(_)
            | Self::Extensions(_)
            | Self::Text(_) => long,
        }
    }
}
