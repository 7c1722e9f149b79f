//! Expected refusals at the output selection and in the output phase: code, sentence and a way out, side by side.

use super::{Collision, IssueSlot, Target, TargetPath};
use crate::domain::concern::{Concern, listed};
use crate::domain::danger::Danger;
use crate::domain::harmless::invisible;
use crate::domain::ids::ObjectId;
use crate::domain::settings::{Destination, Intensity};
use crate::domain::subsystem::Refused;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The referee holds the output selection that an agent opens (G57).
    #[error(
        "the output selection was not opened: at intensity {intensity} these come first:{}{}", listed(concerns),
        if named.is_empty() { String::new() } else { format!("\nThe user also sees these there, which hold nothing:{}", listed(named)) }
    )]
    Held {
        intensity: Intensity,
        /// The concerns that hold it, the most important first.
        concerns: Vec<Concern>,
        /// The concerns that the gate shows and that hold nothing.
        named: Vec<Concern>,
    },
    #[error("nothing waits for a decision")]
    NothingRequested,
    /// The request that was shown is not the one that waits (G30).
    #[error("nothing was granted: the request that was shown is not the one that waits by now")]
    RequestChanged,
    #[error("no output was named")]
    EmptyPlan,
    /// The plan does not name this path (G33, G41).
    #[error("{target} is not in the approved plan")]
    NotPlanned { target: Target },
    /// The file makes programs run, and no person permitted it.
    #[error("no draft is written to {path}: {danger}")]
    MakesProgramsRun { path: TargetPath, danger: Danger },
    /// The person chose other outputs (G41).
    #[error("{destination} is not among the outputs that were chosen")]
    OutputNotChosen { destination: Destination },
    /// Two files of the plan would be one file, so that one document would be lost.
    #[error("{first} as {first_path} and {second} as {second_path} cannot be produced together: {why}")]
    PathsCollide {
        first: Destination,
        first_path: TargetPath,
        second: Destination,
        second_path: TargetPath,
        why: Collision,
    },
    /// Nothing that was written can be taken back.
    #[error("no output phase of this session wrote anything that could be taken back")]
    NothingToUndo,
    #[error("there is no draft for {target}")]
    NoDraft { target: Target },
    #[error("{target} was produced already")]
    DoneAlready { target: Target },
    /// The text of an issue cannot be taken, or what it depends on is not there.
    #[error("{slot} is not as it has to be: {why}")]
    BadIssue { slot: IssueSlot, why: String },
    /// Another issue depends on it.
    #[error("{by} depends on {slot}")]
    Needed { slot: IssueSlot, by: IssueSlot },
    /// The draft is not the one that was seen (G31).
    #[error("the draft of {target} has changed: it is now {now}, not {seen}")]
    DraftChanged { target: Target, seen: ObjectId, now: ObjectId },
    #[error("the draft of {target} is not approved")]
    NotApproved { target: Target },
    /// Approved files are not written yet, or approved issues not created.
    #[error("{count} approved draft(s) are not produced yet")]
    StillOwed { count: usize },
    /// This output cannot be produced: the session or the repository is not what it needs.
    #[error("{destination} cannot be produced: {why}")]
    CannotProduce {
        destination: Destination,
        /// What it needs.
        why: String,
        way_out: String,
    },
}

impl Refused for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Held { .. } => "held",
            Self::NothingRequested => "nothing_requested",
            Self::RequestChanged => "request_changed",
            Self::EmptyPlan => "empty_plan",
            Self::NotPlanned { .. } => "path_not_planned",
            Self::MakesProgramsRun { .. } => "makes_programs_run",
            Self::OutputNotChosen { .. } => "output_not_chosen",
            Self::PathsCollide { .. } => "paths_collide",
            Self::NothingToUndo => "nothing_to_undo",
            Self::NoDraft { .. } => "no_draft",
            Self::DoneAlready { .. } => "done_already",
            Self::BadIssue { .. } => "bad_issue",
            Self::Needed { .. } => "needed",
            Self::DraftChanged { .. } => "draft_changed",
            Self::NotApproved { .. } => "not_approved",
            Self::StillOwed { .. } => "files_owed",
            Self::CannotProduce { .. } => "cannot_produce",
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::CannotProduce { way_out, .. } => way_out.clone(),
            Self::Held { .. } => {
                "git grill waive <name> waves one through; git grill select opens it all the same".to_owned()
            }
            Self::NothingRequested => "git grill status shows where the session is".to_owned(),
            Self::RequestChanged => "git grill approve shows what waits now; git grill status shows it too".to_owned(),
            Self::EmptyPlan => "git grill select design-doc chooses one".to_owned(),
            Self::MakesProgramsRun { path, .. } => {
                // A name with characters that nobody sees is not one to paste.
                let shown = if invisible(path.as_str()) == 0 {
                    format!("'{}'", path.as_str().replace('\'', r"'\''"))
                } else {
                    "<path>".to_owned()
                };
                format!(
                    "name another file; only a person can choose this one, at a terminal: git grill select <output> --path \
                     {shown}"
                )
            }
            Self::NotPlanned { .. } => "git grill status shows the plan; git grill finish allows a new one".to_owned(),
            Self::OutputNotChosen { .. } => {
                "grill_enter_output_selection_phase, or git grill select, opens the choice again".to_owned()
            }
            Self::PathsCollide { .. } => {
                "git grill select <one of them> --path <another file> chooses one by itself".to_owned()
            }
            Self::NothingToUndo | Self::DoneAlready { .. } => "git grill status shows what was produced".to_owned(),
            Self::NoDraft { .. } => "git grill draft shows what is drafted".to_owned(),
            Self::BadIssue { slot, .. } => format!("git grill draft --edit {slot} opens it in your editor"),
            Self::Needed { by, .. } => format!("git grill draft --edit {by} opens it; or leave both out"),
            Self::DraftChanged { .. } => "git grill draft shows it as it is now; approve that".to_owned(),
            Self::NotApproved { .. } => "git grill approve approves it".to_owned(),
            Self::StillOwed { .. } => {
                "git grill produce goes on with them; git grill draft --drop leaves one out".to_owned()
            }
        }
    }

    fn advice(&self, tool: &str) -> String {
        let line = match self {
            Self::NothingRequested => "Call grill_status to see what is possible now.",
            Self::RequestChanged => return format!("Call {tool} again, so that the user sees what is asked for now."),
            Self::Held { concerns, .. } => {
                let name = concerns.first().map_or("<name>", |one| one.name.as_str());
                return format!(
                    "Close each of these, and call grill_enter_output_selection_phase again; or have the user wave one \
                     through: git grill waive {name}."
                );
            }
            Self::EmptyPlan => {
                "Call grill_enter_output_phase again with outputs, such as [{\"destination\":\"design-doc\"}]."
            }
            Self::NotPlanned { .. } => "Call grill_status for the plan with its paths; no other path is written.",
            Self::MakesProgramsRun { .. } => {
                "Call grill_enter_output_phase with another file in outputs[].paths; only the user, at a terminal, can name this one."
            }
            Self::OutputNotChosen { .. } => {
                "Keep to what the user chose, or call grill_finish_output_phase and then \
                 grill_enter_output_selection_phase, where they choose again."
            }
            Self::PathsCollide { .. } => {
                "Call grill_enter_output_phase again, with another file for one of them in outputs[].paths."
            }
            Self::NoDraft { .. } => "Submit one with grill_submit_draft.",
            Self::CannotProduce { .. } => {
                "Name another output in grill_enter_output_phase, or submit a draft of your own with grill_submit_draft."
            }
            Self::StillOwed { .. } => "Ask the user to run git grill produce at a terminal; then call grill_status.",
            Self::DoneAlready { .. } => {
                "Leave it: it exists already. Submit another one under a new number with grill_submit_draft."
            }
            Self::BadIssue { .. } => "Fix the problem named below, and submit the issue again with grill_submit_draft.",
            Self::Needed { .. } => {
                "Submit the other issue again without that dependency, with grill_submit_draft; then drop this one."
            }
            Self::DraftChanged { .. } | Self::NotApproved { .. } => {
                "Ask the user to review it with git grill approve at a terminal; then call grill_status."
            }
            Self::NothingToUndo => "Call grill_status to see what was produced.",
        };
        line.to_owned()
    }
}
