//! Expected refusals of plan mode: code, sentence and a way out, side by side.

use super::notes::{LARGEST_REVIEW, LONGEST_STEP_NOTE};
use super::parse::LARGEST_TEXT;
use super::{LARGEST_PLAN, LONGEST_NOTE, LONGEST_STEP, MOST_STEPS};
use crate::domain::harmless::harmless;
use crate::domain::ids::SessionId;
use crate::domain::production::TargetPath;
use crate::domain::subsystem::Refused;
use crate::domain::text::Line;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("this session has no plan")]
    NoPlan,
    /// A text has no plan in it (P11).
    #[error("the text has no plan: a plan is a numbered list, alone or under a line `Plan:` or a heading `Plan`")]
    NoPlanInText,
    /// A list under a header that ends before its last number: steps would be lost without a word (P11).
    #[error("the plan was not set: step {step} ends at the line \"{line}\", and more numbers stand behind it", line = harmless(line.as_str()))]
    PlanCutShort {
        /// The number of the last step that was read.
        step: usize,
        /// The line behind it.
        line: Line,
    },
    #[error("the plan was not set: it has no steps")]
    NoSteps,
    #[error("the plan was not set: it has {count} steps, more than the {MOST_STEPS} that fit")]
    TooManySteps { count: usize },
    #[error("the plan was not set: step {step} is empty")]
    BlankStep { step: u32 },
    #[error("the plan was not set: step {step} has {characters} characters, more than the {LONGEST_STEP} that fit")]
    StepTooLong { step: u32, characters: usize },
    /// Too many texts that are too long together.
    #[error(
        "the plan was not set: its steps have {bytes} bytes as they are stored, more than the {LARGEST_PLAN} that fit"
    )]
    PlanTooLarge { bytes: usize },
    /// A text that is too large to look for a plan in.
    #[error("the plan was not set: the text has {bytes} bytes, more than the {LARGEST_TEXT} that are read")]
    TextTooLarge { bytes: usize },
    #[error("the plan was not replaced: it is being executed, and {left} of its {of} steps are open")]
    Executing { left: usize, of: usize },
    /// The plan that was shown is not the one that is set (G30).
    #[error("the plan was not executed: it has changed since it was shown")]
    PlanMoved,
    /// Marks count while a plan is carried out (P11).
    #[error("step {step} was not marked: the plan is not being executed")]
    NotExecuting { step: u32 },
    #[error("the plan has no step {step}; they are 1 to {of}")]
    NoSuchStep { step: u32, of: usize },
    #[error("the step was not marked: its note has {bytes} bytes, more than the {LONGEST_NOTE} that fit")]
    NoteTooLong { bytes: usize },
    /// Running checks and comparing changes need a plan that is being executed.
    #[error("{what}: the plan is not being executed")]
    Idle { what: &'static str },
    #[error("no check was run: step {step} names none")]
    NoCheck { step: u32 },
    /// No open step has a check.
    #[error("no check was run: no open or claimed step names one")]
    NothingToCheck,
    #[error("a check of {} did not pass", steps_in_words(.steps))]
    CheckFailed { steps: Vec<u32> },
    /// Nothing is executed while an interview holds the repository (P13).
    #[error("the plan was not executed: this session is an interview, which keeps the repository read-only")]
    InsideInterview,
    /// No new plan has answered the notes yet (P23).
    #[error("the plan was not executed: the notes on its steps are not answered yet")]
    NotesWait,
    /// Notes come before the approval.
    #[error("the notes were not recorded: the plan is being executed")]
    ReviewedTooLate,
    /// The plan that was reviewed is not the one that is set.
    #[error("the notes were not recorded: the plan has changed since it was shown")]
    ReviewMoved,
    /// Only a sheet from the editor can have this, and the next one; that nothing was recorded is told with the file in
    /// which it is kept.
    #[error("the text of step {step} was changed, and a review only adds notes")]
    StepEdited { step: u32 },
    /// A note above the first step.
    #[error("the text above step 1 belongs to no step")]
    NoteWithoutStep,
    #[error(
        "the notes were not recorded: the one on step {step} has {characters} characters, more than the \
         {LONGEST_STEP_NOTE} that fit"
    )]
    StepNoteTooLong { step: u32, characters: usize },
    /// Notes that are too long together.
    #[error(
        "the notes were not recorded: they have {bytes} bytes as they are stored, more than the {LARGEST_REVIEW} that fit"
    )]
    ReviewTooLarge { bytes: usize },
    /// The session made no plan.
    #[error("no plan was taken over: session {session} has neither a plan nor a draft of an implementation plan")]
    NothingToTake { session: SessionId },
    #[error("no plan was taken over: {path} of session {session} has no steps (headings `### 1. …` under `## Steps`)")]
    NoStepsInOutput { session: SessionId, path: TargetPath },
}

impl Refused for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::NoPlan => "no_plan",
            Self::NoPlanInText => "no_plan_in_text",
            Self::PlanCutShort { .. } => "plan_cut_short",
            Self::NoSteps => "no_steps",
            Self::TooManySteps { .. } => "too_many_steps",
            Self::BlankStep { .. } => "blank_step",
            Self::StepTooLong { .. } => "step_too_long",
            Self::PlanTooLarge { .. } => "plan_too_large",
            Self::TextTooLarge { .. } => "text_too_large",
            Self::Executing { .. } => "plan_executing",
            Self::PlanMoved => "plan_moved",
            Self::NotExecuting { .. } => "not_executing",
            Self::NoSuchStep { .. } => "no_such_step",
            Self::NoteTooLong { .. } => "note_too_long",
            Self::Idle { .. } => "plan_idle",
            Self::NoCheck { .. } => "no_check",
            Self::NothingToCheck => "nothing_to_check",
            Self::CheckFailed { .. } => "check_failed",
            Self::InsideInterview => "inside_interview",
            Self::NotesWait => "notes_wait",
            Self::ReviewedTooLate => "reviewed_too_late",
            Self::ReviewMoved => "review_moved",
            Self::StepEdited { .. } => "step_edited",
            Self::NoteWithoutStep => "note_without_step",
            Self::StepNoteTooLong { .. } => "step_note_too_long",
            Self::ReviewTooLarge { .. } => "review_too_large",
            Self::NothingToTake { .. } => "nothing_to_take",
            Self::NoStepsInOutput { .. } => "no_steps_in_output",
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::NoPlan
            | Self::NoPlanInText
            | Self::NoSteps
            | Self::TooManySteps { .. }
            | Self::BlankStep { .. }
            | Self::StepTooLong { .. }
            | Self::PlanTooLarge { .. }
            | Self::TextTooLarge { .. }
            | Self::NoStepsInOutput { .. } => "git grill plan set - reads a plan from standard input".to_owned(),
            Self::PlanCutShort { .. } => {
                "indent the lines that belong to a step, by three blanks; then git grill plan set - again".to_owned()
            }
            Self::Executing { .. } => {
                "git grill plan on ends the execution and keeps the marks; then set the new plan".to_owned()
            }
            Self::PlanMoved => "git grill plan execute shows it as it is now, and asks again".to_owned(),
            Self::NotExecuting { .. } | Self::Idle { .. } => "git grill plan execute starts the execution".to_owned(),
            Self::NoCheck { .. } | Self::NothingToCheck => {
                "a step names a check as `check: <command>`; git grill todos lists the steps".to_owned()
            }
            Self::CheckFailed { steps } => format!("git grill todos check {} runs them again", numbers(steps)),
            Self::NoSuchStep { .. } => "git grill todos lists the steps".to_owned(),
            Self::NoteTooLong { .. } => {
                "git grill todos lists the steps with their notes; this one has to be shorter".to_owned()
            }
            Self::InsideInterview => "git grill stop ends the interview".to_owned(),
            Self::NotesWait => {
                "your agent answers them with a new plan; git grill plan review --drop withdraws them".to_owned()
            }
            Self::ReviewedTooLate => {
                "git grill plan on ends the execution and keeps the marks; then git grill plan review".to_owned()
            }
            Self::ReviewMoved => "git grill plan review shows it as it is now".to_owned(),
            Self::StepEdited { .. } | Self::NoteWithoutStep => {
                "git grill plan review opens the plan again, for the notes in that file; git grill plan set changes its \
                 steps"
                    .to_owned()
            }
            Self::StepNoteTooLong { .. } | Self::ReviewTooLarge { .. } => {
                "git grill plan review, with shorter notes".to_owned()
            }
            Self::NothingToTake { .. } => {
                "if implementation-plan is chosen, git grill draft drafts it; git grill plan take <session> takes the \
                 plan of another session"
                    .to_owned()
            }
        }
    }

    fn advice(&self, _: &str) -> String {
        match self {
            Self::NoPlan
            | Self::NoPlanInText
            | Self::PlanCutShort { .. }
            | Self::NoSteps
            | Self::NothingToTake { .. }
            | Self::NoStepsInOutput { .. } => "Call grill_set_plan with the steps of your plan.".to_owned(),
            Self::TooManySteps { .. } => format!("Call grill_set_plan again with at most {MOST_STEPS} steps."),
            Self::BlankStep { .. } => "Call grill_set_plan again with a text in every step.".to_owned(),
            Self::StepTooLong { .. } => {
                format!("Call grill_set_plan again with at most {LONGEST_STEP} characters in each step.")
            }
            Self::PlanTooLarge { .. } | Self::TextTooLarge { .. } => {
                "Call grill_set_plan again with fewer steps, or shorter ones.".to_owned()
            }
            Self::Executing { .. } => {
                "Finish the steps, and mark each with grill_step_done. For another plan the user runs git grill plan on \
                 first."
                    .to_owned()
            }
            Self::PlanMoved => "Call grill_status for the plan as it is now; the user executes it.".to_owned(),
            Self::NotExecuting { .. } => {
                "Change nothing yet. Once the user has run git grill plan execute, call grill_step_done for what is done."
                    .to_owned()
            }
            Self::Idle { .. } => {
                "Wait until the user has run git grill plan execute; grill_status says whether they have.".to_owned()
            }
            Self::NoCheck { .. } | Self::NothingToCheck => {
                "Mark the step with grill_step_done; it has no check to run.".to_owned()
            }
            Self::CheckFailed { .. } => {
                "Fix what the check found, and run it again; grill_step_done alone is only a claim.".to_owned()
            }
            Self::NoSuchStep { of, .. } => format!("Call grill_step_done with a number from 1 to {of}."),
            Self::NoteTooLong { .. } => {
                format!("Call grill_step_done again with a note of at most {LONGEST_NOTE} bytes.")
            }
            Self::NotesWait
            | Self::ReviewedTooLate
            | Self::ReviewMoved
            | Self::StepEdited { .. }
            | Self::NoteWithoutStep
            | Self::StepNoteTooLong { .. }
            | Self::ReviewTooLarge { .. } => {
                "Call grill_status for the plan and the notes on it; answer them with a new plan (grill_set_plan)."
                    .to_owned()
            }
            Self::InsideInterview => {
                "Go on with the interview: grill_enter_output_selection_phase leads out of it, and the user decides there."
                    .to_owned()
            }
        }
    }
}

fn numbers(steps: &[u32]) -> String {
    steps.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn steps_in_words(steps: &[u32]) -> String {
    let number = numbers(steps);
    if steps.len() == 1 { format!("step {number}") } else { format!("steps {number}") }
}
