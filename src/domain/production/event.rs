//! What happened at the output selection and in the output phase, as the history says it and as a person is told.

use serde::{Deserialize, Serialize};

use super::parked::kept_since;
use super::{Creation, Draft, IssueSlot, Plan, Target, TargetPath};
use crate::domain::facets::{Facets, Filed, Unfilled};
use crate::domain::ids::ObjectId;
use crate::domain::outside::{self, OutsideChange};
use crate::domain::selection::{Gate, Request};
use crate::domain::session::Phase;
use crate::domain::subsystem::Happened;
use crate::domain::text::Line;
use crate::domain::told::{Scene, Told};

/// Large texts (`serde(skip)`) are kept in files of their own beside the event and put back when it is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    /// The gate was opened.
    SelectionOpened {
        gate: Box<Gate>,
    },
    /// The gate was left for more questions.
    SelectionLeft {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary: Option<Line>,
    },
    /// Somebody without the right to decide asked for a decision.
    ApprovalRequested {
        request: Request,
    },
    /// Outputs were chosen; the output phase is open.
    OutputsSelected {
        plan: Plan,
    },
    DraftSubmitted {
        draft: Box<Draft>,
    },
    DraftDropped {
        #[serde(rename = "path")]
        target: Target,
    },
    /// The issues were put into another order; only earlier versions record it.
    IssuesOrdered {
        /// All of them, as they are created.
        order: Vec<IssueSlot>,
    },
    DraftApproved {
        #[serde(rename = "path")]
        target: Target,
        blob: ObjectId,
    },
    FileWritten {
        path: TargetPath,
        blob: ObjectId,
    },
    /// An approved issue was created, or found to exist already.
    IssueCreated(Creation),
    /// The body of an issue names by number now what it depends on; only earlier versions record it.
    IssueLinked {
        slot: IssueSlot,
    },
    /// Planned files were looked at, and what somebody else made of them is not what was found before.
    OutsideFound {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changes: Vec<OutsideChange>,
    },
    /// What was written was committed on the user's branch.
    OutputsCommitted {
        commit: ObjectId,
        paths: Vec<TargetPath>,
    },
    ProductionFinished {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary: Option<Line>,
    },
    /// What an output phase wrote was taken back.
    ProductionUndone {
        /// The output phase.
        round: u64,
        paths: Vec<TargetPath>,
    },
}

impl Happened for Event {
    fn facets(&self) -> Facets<'_> {
        match self {
            Self::SelectionOpened { .. } => Facets::of("select", "open the output selection"),
            Self::SelectionLeft { .. } => Facets::of("continue", "go on with the interview"),
            Self::ApprovalRequested { request } => {
                Facets::of("request", format!("{} asks for a decision", request.by.in_words()))
            }
            Self::OutputsSelected { plan } => {
                let names: Vec<String> = plan.outputs.iter().map(|output| output.destination.to_string()).collect();
                Facets::of("outputs", format!("select {}", names.join(", ")))
            }
            Self::DraftSubmitted { draft } => {
                let subject = format!("draft {} for {}", draft.target, draft.destination);
                Facets::of("draft", subject).filed(Filed::Draft(draft))
            }
            Self::DraftDropped { target } => Facets::of("drop", format!("leave out {target}")),
            Self::IssuesOrdered { .. } => Facets::of("order", "put the issues into another order"),
            Self::DraftApproved { target, blob } => {
                Facets::of("approve", format!("approve {target} as {}", blob.short()))
            }
            Self::FileWritten { path, blob } => {
                let subject = format!("write {path} as {}", blob.short());
                Facets { written: Some(path), ..Facets::of("write", subject) }
            }
            Self::IssueCreated(Creation { slot, number, .. }) => {
                Facets::of("create", format!("create {slot} as #{number}"))
            }
            Self::IssueLinked { slot } => Facets::of("link", format!("name the dependencies of {slot}")),
            Self::OutsideFound { changes } => Facets::of("outside", outside::in_words(changes)),
            Self::OutputsCommitted { commit, paths } => {
                Facets::of("commit", format!("commit {} as {}", names(paths), commit.short()))
            }
            Self::ProductionUndone { paths, .. } => Facets::of("undo", format!("take back {}", names(paths))),
            Self::ProductionFinished { .. } => Facets::of("finish", "finish the output phase"),
        }
    }

    fn told(&self, scene: Scene<'_>) -> Told<'_> {
        let kept = || kept_since(scene.before, scene.after);
        let and_kept = || kept().map(|kept| format!("; {kept}")).unwrap_or_default();
        Told::Line(match self {
            // A commit is told where its branch and subject are known.
            Self::OutputsCommitted { .. } | Self::OutsideFound { .. } => return Told::Nothing,
            Self::SelectionOpened { .. } => return kept().map_or(Told::Nothing, Told::Line),
            Self::ApprovalRequested { .. } | Self::ProductionUndone { .. } => self.facets().subject,
            Self::SelectionLeft { .. } => format!("going on with the interview{}", and_kept()),
            Self::OutputsSelected { plan } => {
                let names: Vec<String> = plan.outputs.iter().map(|output| output.destination.to_string()).collect();
                // Where the gate was opened just now, that says what is kept.
                let at_the_gate = scene.before.is_some_and(|before| matches!(before.phase, Phase::Selection(_)));
                let end = if at_the_gate { and_kept() } else { String::new() };
                format!("chosen: {}{end}", names.join(", "))
            }
            Self::DraftSubmitted { draft } => {
                let edited = if draft.origin.is_generated() { "" } else { " (edited)" };
                format!("drafted {} as {}{edited}", draft.target, draft.blob.short())
            }
            Self::DraftDropped { target } => format!("left out {target}"),
            Self::IssuesOrdered { order } => {
                let order: Vec<String> = order.iter().map(ToString::to_string).collect();
                format!("the issues are created in this order: {}", order.join(", "))
            }
            Self::DraftApproved { target, blob } => format!("approved {target} as {}", blob.short()),
            Self::IssueCreated(Creation { slot, number, url, .. }) => format!("created {slot} as #{number} {url}"),
            Self::IssueLinked { slot } => format!("{slot} names what it depends on"),
            Self::FileWritten { path, .. } => format!("wrote {path}"),
            Self::ProductionFinished { .. } => {
                format!("the output phase is over; the repository is read-only again{}", and_kept())
            }
        })
    }

    fn unfilled(&mut self) -> Option<Unfilled<'_>> {
        if let Self::DraftSubmitted { draft } = self { Some(Unfilled::Draft(draft)) } else { None }
    }
}

fn names(paths: &[TargetPath]) -> String {
    paths.iter().map(TargetPath::as_str).collect::<Vec<_>>().join(", ")
}
