//! What an agent can do about an error: the same error as everywhere, and a tool to call where a person would type.

use crate::app::error::AppError;
use crate::domain::refusal::Refusal;

/// What can be done about it.
pub(super) fn hint(error: &AppError) -> Option<String> {
    match error {
        AppError::Refused(refusal) => Some(of_refusal(refusal)),
        AppError::Usage { .. } => Some("nothing was recorded; the tool's schema says what it takes".to_owned()),
        AppError::NoSession => Some("grill_start begins one, once the user has said yes to its topic".to_owned()),
        AppError::Contended(_) => Some("call it again".to_owned()),
        AppError::ReplyKept { .. }
        | AppError::ReplyLost { .. }
        | AppError::EditKept { .. }
        | AppError::Store(_)
        | AppError::Write(_)
        | AppError::Outside(_)
        | AppError::Baseline(_)
        | AppError::NeedsPerson { .. }
        | AppError::Cancelled(_)
        | AppError::Interrupted
        | AppError::Declined { .. }
        | AppError::Environment { .. }
        | AppError::ReaderGone => error.hint(),
    }
}

fn of_refusal(refusal: &Refusal) -> String {
    let hint = match refusal {
        Refusal::SessionClosed { .. } => "grill_start begins a new one, once the user has said yes to its topic",
        Refusal::QuestionOpen { .. } => {
            "grill_status shows it; the same call that asked it returns its answer; grill_record_answer records what the \
             user said to it in plain text"
        }
        Refusal::NoQuestion => "grill_set_alternatives asks one; an earlier one is named by its id",
        Refusal::QuestionGone { .. } | Refusal::NoSuchQuestion { .. } | Refusal::NothingToReopen { .. } => {
            "grill_status shows what is open"
        }
        Refusal::NothingLeftToAsk => "grill_enter_output_selection_phase lets the user choose what comes of it",
        Refusal::InDiscussion { .. } => "talk in plain text; resume_structured sums it up",
        Refusal::NoDiscussion => "ask the next question",
        Refusal::CheckpointDue => {
            "grill_update_checkpoint first, or say with the question in noChange why nothing changed"
        }
        Refusal::WrongPhase { phase, way_out, .. } => wrong_phase(phase, way_out),
        Refusal::NotYours { .. } | Refusal::NothingRequested => "grill_status shows what is possible now",
        Refusal::SelectionRequired => "grill_enter_output_selection_phase opens it, and the user chooses there",
        Refusal::EmptyPlan => "name outputs, as [{\"destination\":\"design-doc\"}]",
        Refusal::NotPlanned { .. } => "grill_status shows the plan with its paths, and no other is written",
        Refusal::OutputNotChosen { .. } => {
            "keep to what the user chose, or grill_finish_output_phase and then \
             grill_enter_output_selection_phase, where they choose anew"
        }
        Refusal::NoDraft { .. } => "grill_submit_draft hands one in",
        Refusal::AnotherActive { .. } => {
            "grill_status shows it: go on with it, or ask the user to end it at a terminal with git grill stop \
             --without-output"
        }
        Refusal::CannotProduce { .. } => {
            "name another output, or hand in a draft of your own for one that can be chosen"
        }
        Refusal::ApprovalRequired { .. } => "the user grants it with git grill approve, at a terminal",
        Refusal::StillOwed { .. } => "the user goes on with git grill produce, at a terminal",
        Refusal::DoneAlready { .. } => "it exists already; hand in another one under a new number",
        Refusal::BadIssue { .. } => "mend what it says and hand the issue in again",
        Refusal::Needed { .. } => "hand the other issue in again without that dependency, then leave this one out",
        // Only a person meets these, or they name no verb.
        Refusal::QuestionExists { .. }
        | Refusal::NoSuchOption { .. }
        | Refusal::NothingChosen
        | Refusal::OneOption { .. }
        | Refusal::WordsMissing
        | Refusal::ChoiceTooLong
        | Refusal::AnswerExists { .. }
        | Refusal::NothingProduced
        | Refusal::NothingToUndo
        | Refusal::DraftChanged { .. }
        | Refusal::NotApproved { .. } => return refusal.hint(),
    };
    hint.to_owned()
}

fn wrong_phase(phase: &str, way_out: &'static str) -> &'static str {
    // One that names tools was written for agents.
    if !way_out.contains("git grill") {
        return way_out;
    }
    match phase {
        "interview" => "grill_enter_output_selection_phase opens the output selection; resume_structured ends a talk",
        "output-selection" => {
            "the user decides there; grill_finish_output_selection_phase with continue-grilling goes on with the interview"
        }
        "output" => "grill_finish_output_phase returns to the interview",
        _ => "grill_status shows what is possible now",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g35_an_agent_is_told_a_tool_and_not_a_verb() {
        for refusal in [
            Refusal::CheckpointDue,
            Refusal::NoQuestion,
            Refusal::InDiscussion { deed: "asking" },
            Refusal::SelectionRequired,
            Refusal::EmptyPlan,
            Refusal::WrongPhase { deed: "x", phase: "interview", way_out: "git grill select opens it" },
            Refusal::WrongPhase { deed: "x", phase: "output-selection", way_out: "git grill next goes on" },
            Refusal::WrongPhase { deed: "x", phase: "output", way_out: "git grill finish returns" },
        ] {
            let hint = hint(&AppError::Refused(refusal.clone())).unwrap();
            assert!(!hint.contains("git grill"), "{refusal:?}: {hint}");
        }
        let usage = AppError::Usage { message: "x".to_owned(), hint: "git grill tool --list prints it".to_owned() };
        assert!(!hint(&usage).unwrap().contains("git grill"));
        assert!(hint(&AppError::NoSession).unwrap().contains("grill_start"));
        let for_agents = Refusal::WrongPhase { deed: "x", phase: "interview", way_out: "grill_x first" };
        assert_eq!(hint(&AppError::Refused(for_agents)).unwrap(), "grill_x first");
    }
}
