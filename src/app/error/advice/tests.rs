use std::path::PathBuf;

use super::*;
use crate::app::ports::{BaselineError, NotRecorded, StoreError, Timing, WriteError};
use crate::domain::actor::Actor;
use crate::domain::ids::{AnswerId, ObjectId, QuestionId, SessionId};
use crate::domain::interview;
use crate::domain::production::{self, IssueSlot, Target, TargetPath};
use crate::domain::settings::Intensity;
use crate::domain::subsystem;

fn question() -> QuestionId {
    QuestionId::from_nonce(1)
}

fn path() -> TargetPath {
    TargetPath::parse("docs/design.md").unwrap()
}

fn blob() -> ObjectId {
    ObjectId::parse("1a2b3c4d5e").unwrap()
}

/// Far longer than a line.
fn long() -> String {
    "this goes on and on, and names git grill approve; ".repeat(20)
}

fn slot() -> IssueSlot {
    "issue:3".parse::<Target>().unwrap().slot().unwrap()
}

/// One of each refusal, and the number under which it is known. A new one does not build without a number.
fn numbered(refusal: &Refusal) -> usize {
    match refusal {
        Refusal::SessionClosed { .. } => 0,
        Refusal::Of(subsystem::Refusal::Interview(own)) => match own {
            interview::Refusal::QuestionOpen { .. } => 1,
            interview::Refusal::NoQuestion => 2,
            interview::Refusal::QuestionGone { .. } => 3,
            interview::Refusal::NoSuchQuestion { .. } => 4,
            interview::Refusal::NoQuestionNumbered { .. } => 39,
            interview::Refusal::NothingToRepeat { .. } => 41,
            interview::Refusal::QuestionExists { .. } => 5,
            interview::Refusal::NoSuchOption { .. } => 6,
            interview::Refusal::NothingChosen => 7,
            interview::Refusal::OneOption { .. } => 8,
            interview::Refusal::WordsMissing => 9,
            interview::Refusal::ChoiceTooLong => 10,
            interview::Refusal::AnswerExists { .. } => 11,
            interview::Refusal::NothingToReopen { .. } => 12,
            interview::Refusal::NothingLeftToAsk => 13,
            interview::Refusal::InDiscussion { .. } => 14,
            interview::Refusal::NoDiscussion => 15,
            interview::Refusal::CheckpointDue => 16,
            interview::Refusal::CheckpointMoved => 17,
        },
        Refusal::Of(subsystem::Refusal::Production(own)) => match own {
            production::Refusal::Held { .. } => 40,
            production::Refusal::NothingRequested => 22,
            production::Refusal::EmptyPlan => 23,
            production::Refusal::NotPlanned { .. } => 25,
            production::Refusal::MakesProgramsRun { .. } => 37,
            production::Refusal::OutputNotChosen { .. } => 26,
            production::Refusal::NothingToUndo => 27,
            production::Refusal::NoDraft { .. } => 28,
            production::Refusal::DoneAlready { .. } => 29,
            production::Refusal::BadIssue { .. } => 30,
            production::Refusal::Needed { .. } => 31,
            production::Refusal::DraftChanged { .. } => 32,
            production::Refusal::NotApproved { .. } => 33,
            production::Refusal::StillOwed { .. } => 34,
            production::Refusal::CannotProduce { .. } => 36,
            production::Refusal::RequestChanged => 38,
            production::Refusal::PathsCollide { .. } => 43,
        },
        Refusal::Of(_) => 42,
        Refusal::WrongPhase { .. } => 18,
        Refusal::ApprovalRequired { .. } => 19,
        Refusal::NotYours { .. } => 20,
        Refusal::SelectionRequired => 21,
        Refusal::NothingProduced => 24,
        Refusal::AnotherActive { .. } => 35,
    }
}

const REFUSALS: usize = 44;

fn refusals() -> Vec<Refusal> {
    let target = || Target::from(path());
    let by = || Actor::Agent("claude".to_owned());
    let phases = ["interview", "output-selection", "output", "closed"];
    let ways = ["git grill select opens it", "grill_start first", "mend it"];
    let wrong =
        phases.iter().flat_map(|phase| ways.map(|way_out| Refusal::WrongPhase { deed: "answering", phase, way_out }));
    let others = vec![
        Refusal::SessionClosed { deed: "answering" },
        crate::domain::toy::Refusal::RunDown.into(),
        interview::Refusal::QuestionOpen { question: question(), number: 3 }.into(),
        interview::Refusal::NoQuestion.into(),
        interview::Refusal::QuestionGone { shown: question(), open: Some(question()) }.into(),
        interview::Refusal::NoSuchQuestion { question: question() }.into(),
        interview::Refusal::NoQuestionNumbered { number: 3 }.into(),
        production::Refusal::Held { intensity: Intensity::Hard, concerns: vec![], named: vec![] }.into(),
        interview::Refusal::NothingToRepeat { number: 3, why: "it has no answer" }.into(),
        interview::Refusal::QuestionExists { question: question() }.into(),
        interview::Refusal::NoSuchOption { number: 9, of: 2 }.into(),
        interview::Refusal::NothingChosen.into(),
        interview::Refusal::OneOption { chosen: 2 }.into(),
        interview::Refusal::WordsMissing.into(),
        interview::Refusal::ChoiceTooLong.into(),
        interview::Refusal::AnswerExists { answer: AnswerId::from_nonce(1) }.into(),
        interview::Refusal::NothingToReopen { question: question() }.into(),
        interview::Refusal::NothingLeftToAsk.into(),
        interview::Refusal::InDiscussion { deed: "answering" }.into(),
        interview::Refusal::NoDiscussion.into(),
        interview::Refusal::CheckpointDue.into(),
        interview::Refusal::CheckpointMoved.into(),
        Refusal::ApprovalRequired { deed: "choosing", by: by(), command: "git grill approve" },
        Refusal::NotYours { deed: "choosing", by: by() },
        Refusal::SelectionRequired,
        production::Refusal::NothingRequested.into(),
        production::Refusal::RequestChanged.into(),
        production::Refusal::EmptyPlan.into(),
        Refusal::NothingProduced,
        production::Refusal::NotPlanned { target: target() }.into(),
        production::Refusal::OutputNotChosen { destination: "adr".parse().unwrap() }.into(),
        production::Refusal::MakesProgramsRun {
            path: crate::domain::production::TargetPath::parse(".claude/settings.json").unwrap(),
            danger: crate::domain::danger::Danger::Agent,
        }
        .into(),
        production::Refusal::PathsCollide {
            first: "adr".parse().unwrap(),
            first_path: path(),
            second: "design-doc".parse().unwrap(),
            second_path: path(),
            why: production::Collision::Same,
        }
        .into(),
        production::Refusal::NothingToUndo.into(),
        production::Refusal::NoDraft { target: target() }.into(),
        production::Refusal::DoneAlready { target: target() }.into(),
        production::Refusal::BadIssue { slot: slot(), why: long() }.into(),
        production::Refusal::Needed { slot: slot(), by: slot() }.into(),
        production::Refusal::DraftChanged { target: target(), seen: blob(), now: blob() }.into(),
        production::Refusal::NotApproved { target: target() }.into(),
        production::Refusal::StillOwed { count: 2 }.into(),
        Refusal::AnotherActive { topic: long() },
        production::Refusal::CannotProduce { destination: "adr".parse().unwrap(), why: long(), way_out: long() }.into(),
    ];
    others.into_iter().chain(wrong).collect()
}

fn errors() -> Vec<AppError> {
    let id = SessionId::parse("20261121-rate-limiting-k3f9q").unwrap();
    let refused = || Box::new(AppError::from(interview::Refusal::NoQuestion));
    let told = |code: &str| NotRecorded {
        code: code.to_owned(),
        exit: 1,
        message: long(),
        causes: vec![long()],
        hint: Some(long()),
        advice: None,
        timing: Timing::Whenever,
    };
    let advised = |refusal: Refusal| {
        let error = AppError::Refused(refusal);
        AppError::Outside(NotRecorded { advice: from_outside(&error), ..told(error.code()) })
    };
    let mut all: Vec<AppError> = refusals().into_iter().map(AppError::Refused).collect();
    all.extend(refusals().into_iter().map(advised));
    all.extend([
        AppError::ReplyKept { because: refused(), kept: PathBuf::from("/kept") },
        AppError::ReplyLost { because: refused() },
        AppError::EditKept { because: refused(), what: "the checkpoint".to_owned(), kept: PathBuf::from("/kept") },
        AppError::Store(StoreError::NoSuchSession(id.to_string())),
        AppError::Store(StoreError::NoSuchVersion { id, version: long() }),
        AppError::Store(StoreError::Io { doing: long(), source: std::io::Error::other(long()) }),
        AppError::Write(WriteError::Leads { path: path(), to: path(), danger: crate::domain::danger::Danger::Agent }),
        AppError::Write(WriteError::Unsafe { path: path(), why: long() }),
        AppError::Outside(told("question_gone")),
        AppError::Outside(told(CHECKPOINT_MOVED)),
        AppError::Baseline(BaselineError::failed("comparing", std::io::Error::other(long()))),
        AppError::Usage { message: "x".to_owned(), hint: "git grill tool --list prints it".to_owned() },
        AppError::Usage { message: long(), hint: long() },
        AppError::NoSession,
        AppError::NeedsPerson { deed: "choosing".to_owned(), why: long(), hint: long() },
        AppError::Contended(20),
        AppError::Cancelled("editing"),
        AppError::PutOff,
        AppError::Interrupted,
        AppError::InterruptedWith("git grill next goes on".into()),
        AppError::Declined { code: "x", message: long(), causes: vec![long()], hint: long() },
        AppError::CheckpointMoved { version: "1a2b3c4d5e".to_owned(), causes: vec![long()] },
        AppError::Environment { code: "x", message: long(), causes: vec![], hint: Some("mend it".to_owned()) },
        AppError::Environment { code: "x", message: long(), causes: vec![], hint: Some(long()) },
        AppError::Environment { code: "x", message: long(), causes: vec![], hint: None },
        AppError::ReaderGone,
    ]);
    all
}

#[test]
fn every_refusal_is_in_the_table() {
    let mut seen: Vec<usize> = refusals().iter().map(numbered).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, (0..REFUSALS).collect::<Vec<_>>());
}

#[test]
fn what_to_do_is_one_short_line_that_names_a_tool() {
    for error in errors() {
        for tool in rows().map(|row| row.name).chain(["no_such_tool", ""]) {
            let line = what_to_do(&error, tool);
            assert!(line.chars().count() <= LONGEST, "{error:?}: {line}");
            assert!(!line.contains('\n'), "{error:?}: {line}");
            assert!(rows().any(|row| line.contains(row.name)), "{error:?}: {line}");
            let first = line.chars().next().unwrap();
            assert!(first.is_uppercase() && line.split(' ').next().unwrap() != "Error", "{error:?}: {line}");
        }
    }
}

#[test]
fn a_verb_stands_there_only_where_a_person_is_to_type_it() {
    for error in errors() {
        let line = what_to_do(&error, "ask_question");
        if line.contains("git grill") {
            assert!(line.contains("user"), "{error:?}: {line}");
        }
    }
}

#[test]
fn g36_a_refusal_from_outside_of_a_run_is_advised_on_as_one_from_here() {
    for refusal in refusals() {
        let here = AppError::Refused(refusal);
        let outside = AppError::Outside(NotRecorded {
            code: here.code().to_owned(),
            exit: 1,
            message: here.to_string(),
            causes: vec![],
            hint: here.hint(),
            advice: from_outside(&here),
            timing: Timing::Whenever,
        });
        // What asks for the current text of the checkpoint says so for itself.
        if here.code() != CHECKPOINT_MOVED {
            assert_eq!(what_to_do(&outside, "ask_question"), what_to_do(&here, "ask_question"), "{here:?}");
        }
    }
    assert_eq!(from_outside(&AppError::NoSession), None);
}

#[test]
fn a11_an_agent_is_not_told_to_call_again_what_the_user_said_no_to() {
    let no = AppError::Cancelled("lending work to the agent");
    let advice = what_to_do(&no, "grill_agent");
    assert!(advice.contains("do not call grill_agent for it again") && fits(&advice), "{advice}");
    assert!(what_to_do(&no, "grill_status").contains("then call grill_status again"));
    let typed = "git grill agent start --agent opencode --profile grounded-review \"<prompt>\"";
    for hint in [
        format!("{typed}, at a terminal, asks the person, who can agree for this clone"),
        crate::app::consent::remembering(typed),
    ] {
        let asks = AppError::NeedsPerson { deed: String::new(), why: String::new(), hint: hint.clone() };
        assert!(what_to_do(&asks, "grill_agent").ends_with(&hint), "the command is not cut off");
    }
}
