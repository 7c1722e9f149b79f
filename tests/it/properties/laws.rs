//! The laws: what has to be true of every session, of every step from one to the next, and of every refusal. They are
//! worded anew here, not taken from the rules that they watch.

use std::collections::{BTreeMap, BTreeSet};

use git_grill::domain::actor::Actor;
use git_grill::domain::command::Ending;
use git_grill::domain::event::{Event, Recorded};
use git_grill::domain::interview::QuestionStatus;
use git_grill::domain::posture::{Posture, ReadOnlyPhase};
use git_grill::domain::production::{Event as Produced, Stage, Target};
use git_grill::domain::refusal::Refusal;
use git_grill::domain::session::{Effect, Floor, Grip, Phase, Session};
use git_grill::domain::settings::Approval;

/// Whose word counts as a person's approval, by the mode the session began with (G30).
fn word_counts(mode: Approval, actor: &Actor) -> bool {
    match (mode, actor) {
        (_, Actor::Human) | (Approval::Script | Approval::Agent, Actor::Unattended) => true,
        (Approval::Agent, Actor::Agent(_)) => true,
        (Approval::Person, Actor::Unattended | Actor::Agent(_))
        | (Approval::Script, Actor::Agent(_))
        | (_, Actor::System) => false,
    }
}

/// A no that a person can act on and a program can compare.
pub fn refusal(refusal: &Refusal) {
    let code = refusal.code();
    assert!(!code.is_empty() && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{code}");
    assert!(!refusal.hint().trim().is_empty(), "{refusal:?} has no hint");
    assert!(!refusal.to_string().trim().is_empty(), "{refusal:?} says nothing");
}

/// What holds at every moment.
pub fn state(session: &Session) {
    one_question_at_most(session);
    posture(session);
    pending(session);
    for (place, asked) in session.transcript.asked.iter().enumerate() {
        assert_eq!(usize::try_from(asked.number).unwrap(), place + 1, "numbers follow the order of asking");
        match asked.answers.last() {
            // Decided one after another, the last word always is the one that holds.
            Some(last) => assert_eq!(asked.holding().collect::<Vec<_>>(), [last], "{}", asked.question.id),
            None => assert_ne!(asked.standing, QuestionStatus::Answered),
        }
    }
}

fn one_question_at_most(session: &Session) {
    let open: Vec<_> = session
        .transcript
        .asked
        .iter()
        .filter(|asked| asked.standing == QuestionStatus::Open)
        .map(|asked| &asked.question.id)
        .collect();
    match &session.phase {
        Phase::Interview(Floor::Question { question } | Floor::Discussion { about: Some(question) }) => {
            assert_eq!(open, [question]);
        }
        Phase::Interview(Floor::Free | Floor::Discussion { about: None })
        | Phase::Selection(_)
        | Phase::Production(_)
        | Phase::NoInterview { .. } => assert!(open.is_empty(), "{open:?} open in {:?}", session.phase),
        // A session that was stopped in the middle of a question shows that it was.
        Phase::Closed { .. } => assert!(open.len() <= 1, "{open:?}"),
    }
}

fn posture(session: &Session) {
    let expected = match &session.phase {
        Phase::Interview(_) => Posture::ReadOnly { phase: ReadOnlyPhase::Interview },
        Phase::Selection(_) => Posture::ReadOnly { phase: ReadOnlyPhase::OutputSelection },
        Phase::Production(production) => {
            let planned = production.plan.outputs.iter().flat_map(|output| &output.paths);
            Posture::Output { paths: planned.map(ToString::to_string).collect() }
        }
        Phase::NoInterview { hold: Grip::ReadOnly } => Posture::ReadOnly { phase: ReadOnlyPhase::NoInterview },
        Phase::NoInterview { hold: Grip::Lifted { .. } } => Posture::Open,
        Phase::Closed { .. } => Posture::Inactive,
    };
    assert_eq!(Posture::of(&session.phase), expected);
}

/// Owed is what was approved, byte for byte, and inside the plan.
fn pending(session: &Session) {
    for effect in session.pending() {
        let draft = match &effect {
            Effect::WriteFile(approved) => approved.draft(),
            Effect::CreateIssue(approved) => approved.draft(),
        };
        let Phase::Production(production) = &session.phase else {
            panic!("{} is owed outside the output phase", draft.target);
        };
        let drafted = production.draft(&draft.target).unwrap();
        assert_eq!(&drafted.draft, draft);
        assert!(matches!(drafted.stage, Stage::Approved { .. }));
        assert!(production.plan.names(&drafted.draft.target));
        assert_eq!(drafted.draft.blob, super::wishes::blob(&drafted.draft.content));
    }
}

/// What holds of every step: `recorded` are the events that one actor's command came to.
pub fn step(before: &Session, recorded: &[Recorded], after: &Session) {
    assert!(!before.is_closed() || (recorded.is_empty() && before == after), "a closed session changed");
    let mut now = before.clone();
    for one in recorded {
        assert_eq!(one.seq, now.seq + 1);
        let next = now.clone().evolve(one);
        one_event(&now, one, &next);
        now = next;
    }
    assert_eq!(&now, after);
}

fn one_event(before: &Session, recorded: &Recorded, after: &Session) {
    let by = &recorded.by;
    let mode = before.settings.approval;
    assert_eq!((mode, &before.settings.interviewer), (after.settings.approval, &after.settings.interviewer));
    let opens = !matches!(before.phase, Phase::Production(_)) && matches!(after.phase, Phase::Production(_));
    assert!(!opens || word_counts(mode, by), "{by} opened the output phase under {mode}");
    let (was, is) = (stages(before), stages(after));
    for (path, (blob, stage)) in &is {
        let earlier = was.get(path).filter(|(same, _)| same == blob).map_or("none", |(_, stage)| *stage);
        match (earlier, *stage) {
            (same, stage) if same == stage => {}
            ("none", "drafted") => assert_eq!(recorded.event.facets().op, "draft"),
            ("drafted", "approved") => assert!(word_counts(mode, by), "{by} approved {path} under {mode}"),
            ("approved", "written") => assert_eq!(by, &Actor::System, "{path} was written by {by}"),
            // The same bytes for a file that changed meanwhile need a new approval (G31).
            (_, "drafted") => assert!(["draft", "undo"].contains(&recorded.event.facets().op), "{:?}", recorded.event),
            (from, to) => panic!("{path} went from {from} to {to} by {:?}", recorded.event),
        }
    }
    nothing_is_lost(before, recorded, after);
    if let Some(Produced::FileWritten { path, .. }) = recorded.event.production() {
        assert_eq!(by, &Actor::System);
        assert_eq!(is.get(&path.clone().into()).map(|(_, stage)| *stage), Some("written"));
    } else if !matches!(recorded.event.production(), Some(Produced::ProductionUndone { .. })) {
        let of = |session: &Session| written(session);
        assert_eq!(of(before), of(after), "what was written went off the record at {:?}", recorded.event);
    }
    if before.checkpoint != after.checkpoint {
        assert_eq!(recorded.event.facets().op, "checkpoint");
    }
    if let Event::Closed { ending: Ending::AfterOutputs, .. } = recorded.event {
        assert!(!written(before).is_empty(), "it ended after outputs, and there were none");
    }
}

/// Nothing is written, and no issue created, that somebody whose word counts has not approved: those very bytes, in that
/// output phase, and not taken back since (issue 6).
pub fn only_what_was_approved(history: &[Recorded]) {
    let mut mode = Approval::Person;
    let mut approved: BTreeSet<(Target, String)> = BTreeSet::new();
    for one in history {
        match &one.event {
            Event::Started(started) => mode = started.settings.approval,
            Event::Closed { .. } => approved.clear(),
            _ => {}
        }
        match one.event.production() {
            Some(Produced::OutputsSelected { .. } | Produced::ProductionFinished { .. }) => approved.clear(),
            Some(Produced::ProductionUndone { .. }) => approved.retain(|(target, _)| target.path().is_none()),
            Some(Produced::DraftSubmitted { draft }) => approved.retain(|(target, _)| *target != draft.target),
            Some(Produced::DraftDropped { target }) => approved.retain(|(other, _)| other != target),
            Some(Produced::DraftApproved { target, blob }) if word_counts(mode, &one.by) => {
                approved.insert((target.clone(), blob.to_string()));
            }
            Some(Produced::FileWritten { path, blob }) => {
                let written = (path.clone().into(), blob.to_string());
                assert!(approved.contains(&written), "{written:?} was not approved, only {approved:?}");
            }
            Some(Produced::IssueCreated(issue)) => {
                let created = (Target::Issue(issue.slot), issue.blob.to_string());
                assert!(approved.contains(&created), "{created:?} was not approved, only {approved:?}");
            }
            _ => {}
        }
    }
}

/// The draft of each path: its bytes and how far it is.
fn stages(session: &Session) -> BTreeMap<Target, (String, &'static str)> {
    let Phase::Production(production) = &session.phase else { return BTreeMap::new() };
    let one = |drafted: &git_grill::domain::production::Drafted| {
        (drafted.draft.target.clone(), (drafted.draft.blob.to_string(), drafted.stage.name()))
    };
    let stages: BTreeMap<_, _> = production.drafts.iter().map(one).collect();
    assert_eq!(stages.len(), production.drafts.len(), "two drafts for one path");
    stages
}

/// Questions keep their wording and their answers, in their order; answers are only ever added. Only a stale question
/// is worded anew, under its old id.
fn nothing_is_lost(before: &Session, recorded: &Recorded, after: &Session) {
    assert!(before.transcript.asked.len() <= after.transcript.asked.len());
    for (was, is) in before.transcript.asked.iter().zip(&after.transcript.asked) {
        assert_eq!((&was.question.id, was.number), (&is.question.id, is.number));
        assert!(
            was.question == is.question || was.standing == QuestionStatus::Stale,
            "{} was reworded",
            was.question.id
        );
        assert!(is.answers.starts_with(&was.answers), "an answer to {} went away", was.question.id);
    }
    assert!(after.discussions.starts_with(&before.discussions));
    let undone = matches!(recorded.event.production(), Some(Produced::ProductionUndone { .. }));
    assert!(undone || after.produced.starts_with(&before.produced));
    assert!(after.updated_at >= before.updated_at);
}

/// Every file that is on record as written, by path and bytes.
fn written(session: &Session) -> Vec<(String, String)> {
    let mut list: Vec<(String, String)> =
        session.produced.iter().map(|one| (one.path.to_string(), one.blob.to_string())).collect();
    if let Phase::Production(production) = &session.phase {
        list.extend(production.written().map(|draft| (draft.target.to_string(), draft.blob.to_string())));
    }
    list.sort();
    list
}
