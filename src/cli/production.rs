//! The verbs of the gate and of the output phase: select, approve, draft, produce, finish (G26 to G34).

use crate::app::desk::{Desk, no_working_tree};
use crate::app::drafting::{self, draft_all};
use crate::app::error::AppError;
use crate::app::gate::{choose, confirm, grant, may_say_yes, name_drift, open_gate};
use crate::app::reply::{Outcome, Reply};
use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::production::{Draft, TargetPath};
use crate::domain::refusal::Refusal;
use crate::domain::session::{Phase, Session};
use crate::domain::settings::Strategy;

use super::interview::happened;
use super::{Manner, args, conversation, lower};

/// `git grill select`
pub(super) fn select(desk: &mut Desk<'_>, args: &args::Select, manner: Manner) -> Result<Reply, AppError> {
    let destinations = super::settings::parse_outputs(&args.outputs)?;
    let strategy = args.strategy.as_deref().map(str::parse::<Strategy>).transpose()?;
    let path = args.path.as_deref().map(TargetPath::parse).transpose()?;
    if path.is_some() && destinations.len() != 1 {
        return Err(lower::usage("--path needs exactly one output", "git grill select design-doc --path docs/api.md"));
    }
    let session = desk.session()?;
    if destinations.is_empty() {
        if strategy.is_some() {
            return Err(lower::usage(
                "--strategy needs an output",
                "git grill select design-doc --strategy vertical-slices",
            ));
        }
        let opened = open_gate(desk, &session)?;
        return conversation::go_on(desk, happened(opened), manner);
    }
    // What cannot be produced is refused before the gate is opened, so that a typo changes nothing.
    let Some(targets) = desk.targets else {
        return Err(no_working_tree());
    };
    let plan = drafting::plan(&session, targets, &destinations, strategy.as_ref(), path.as_ref())?;
    let opened = open_gate(desk, &session)?;
    let chosen = opened.then(choose(desk, &session, plan)?);
    conversation::go_on(desk, happened(chosen), manner)
}

/// `git grill draft`
pub(super) fn draft(desk: &mut Desk<'_>) -> Result<Reply, AppError> {
    let session = in_production(desk, "drafting")?;
    let outcome = draft_all(desk, &session)?;
    show_drafts(desk, outcome.after)
}

fn show_drafts(desk: &Desk<'_>, session: Session) -> Result<Reply, AppError> {
    let Some(targets) = desk.targets else {
        return Err(no_working_tree());
    };
    Ok(Reply::Drafts { previews: drafting::previews(&session, targets)?, session: Box::new(session) })
}

/// `git grill approve`: grants a request at the gate, or approves drafts. Approved drafts are written at once.
pub(super) fn approve(desk: &mut Desk<'_>, args: &args::Approve) -> Result<Reply, AppError> {
    let session = desk.session()?;
    if let Phase::Selection(_) = &session.phase {
        return grant(desk, &session);
    }
    let session = in_production(desk, "approving")?;
    let drafts = waiting(&session, args)?;
    may_say_yes(desk, &session, "approving a draft")?;
    let session = name_drift(desk, &session)?;
    let mut outcome = Outcome::nothing(session.clone());
    for draft in drafts {
        if desk.actor == Actor::Human {
            show_one(desk, &session, &draft)?;
            let question = format!("Write exactly this as {} ({})?", draft.path, draft.blob.short());
            confirm(desk, &question, "approving the draft")?;
        }
        let command = Command::ApproveDraft { path: draft.path.clone(), blob: draft.blob.clone() };
        outcome = outcome.then(desk.handle(&session.id, command)?);
    }
    let (written, paths) = desk.settle(&session.id)?;
    Ok(Reply::Wrote { outcome: Box::new(outcome.then(written)), paths })
}

/// The drafts that are meant: those named, else all that wait.
fn waiting(session: &Session, args: &args::Approve) -> Result<Vec<Draft>, AppError> {
    let Phase::Production(production) = &session.phase else {
        return Ok(Vec::new());
    };
    if args.paths.is_empty() {
        return Ok(production.waiting().cloned().collect());
    }
    let mut drafts = Vec::new();
    for path in &args.paths {
        let path = TargetPath::parse(path)?;
        let drafted =
            production.draft(&path).ok_or_else(|| AppError::Refused(Refusal::NoDraft { path: path.clone() }))?;
        if let Some(seen) = &args.blob
            && !drafted.draft.blob.as_str().starts_with(seen.as_str())
        {
            let seen = crate::domain::ids::ObjectId::parse(seen)?;
            let now = drafted.draft.blob.clone();
            return Err(AppError::Refused(Refusal::DraftChanged { path, seen, now }));
        }
        drafts.push(drafted.draft.clone());
    }
    Ok(drafts)
}

fn show_one(desk: &mut Desk<'_>, session: &Session, draft: &Draft) -> Result<(), AppError> {
    let Some(targets) = desk.targets else {
        return Err(no_working_tree());
    };
    let mut previews = drafting::previews(session, targets)?;
    previews.retain(|preview| preview.draft.path == draft.path);
    desk.voice.say(&Reply::Drafts { previews, session: Box::new(session.clone()) })
}

/// `git grill produce`: drafts what is missing, has it approved where a person can be asked, writes what is approved.
pub(super) fn produce(desk: &mut Desk<'_>) -> Result<Reply, AppError> {
    let session = in_production(desk, "producing")?;
    let (owed, mut paths) = desk.settle(&session.id)?;
    let drafted = draft_all(desk, &owed.after)?;
    let outcome = owed.then(drafted);
    let Phase::Production(production) = &outcome.after.phase else {
        return Ok(happened(outcome));
    };
    if production.waiting().next().is_none() {
        return Ok(Reply::Wrote { outcome: Box::new(outcome), paths });
    }
    let everything = args::Approve { paths: Vec::new(), blob: None };
    let approved = approve(desk, &everything)?;
    let Reply::Wrote { outcome: approved, paths: more } = approved else { return Ok(approved) };
    paths.extend(more);
    Ok(Reply::Wrote { outcome: Box::new(outcome.then(*approved)), paths })
}

/// `git grill produce --undo`: brings back what stood there before the newest output phase wrote, all of it or nothing.
pub(super) fn undo(desk: &mut Desk<'_>) -> Result<Reply, AppError> {
    let session = desk.session()?;
    may_say_yes(desk, &session, "taking written files back")?;
    let (outcome, paths) = desk.undo(&session.id)?;
    Ok(Reply::Undone { outcome: Box::new(outcome), paths })
}

/// `git grill finish`
pub(super) fn finish(desk: &mut Desk<'_>, summary: &str, manner: Manner) -> Result<Reply, AppError> {
    let session = in_production(desk, "finishing the output phase")?;
    let summary = lower::optional_line("the summary", summary)?;
    // What this phase let through is expected from now on; in the next one nobody could tell any more.
    desk.expect(&session)?;
    let outcome = desk.handle(&session.id, Command::FinishProduction { summary })?;
    conversation::go_on(desk, happened(outcome), manner)
}

/// The session, if it is in the output phase.
fn in_production(desk: &mut Desk<'_>, deed: &'static str) -> Result<Session, AppError> {
    let session = desk.session()?;
    if matches!(session.phase, Phase::Production(_)) {
        return Ok(session);
    }
    Err(AppError::Refused(Refusal::WrongPhase {
        deed,
        phase: session.phase.name(),
        way_out: "git grill select design-doc chooses an output first",
    }))
}
