//! The verbs of the gate and of the output phase: select, approve, draft, produce, finish (G26 to G34).

use crate::app::committing;
use crate::app::context::Context;
use crate::app::drafting::{self, Typed, Wanted, draft_all};
use crate::app::error::AppError;
use crate::app::gate::{choose, grant, may_say_yes, none_ignored, open_gate};
use crate::app::outside;
use crate::app::reply::{Outcome, Reply};
use crate::app::revising::to_the_outputs;
use crate::domain::actor::Actor;
use crate::domain::decide::wrong_phase;
use crate::domain::production::{self, Draft, Target, TargetPath};
use crate::domain::refusal::Refusal;
use crate::domain::session::{Phase, Session};
use crate::domain::settings::Strategy;
use crate::domain::tracker::TrackerRepository;
use crate::domain::undoing::TakesBack;

use super::interview::happened;
use super::{Manner, approving, args, conversation, lower};

pub(super) fn select(context: &mut Context<'_>, args: &args::Select, manner: Manner) -> Result<Reply, AppError> {
    let destinations = super::settings::parse_outputs(&args.outputs)?;
    let strategy = args.strategy.as_deref().map(str::parse::<Strategy>).transpose()?;
    let path = args.path.as_deref().map(TargetPath::parse).transpose()?;
    if path.is_some() && destinations.len() != 1 {
        return Err(lower::usage("--path needs exactly one output", "git grill select design-doc --path docs/api.md"));
    }
    let repository = args.repo.as_deref().map(str::parse::<TrackerRepository>).transpose()?;
    if repository.is_some() && (path.is_some() || !destinations.iter().any(drafting::is_tracked)) {
        return Err(lower::usage(
            "--repo says where issues are created, and none are",
            "git grill select github-issues --repo octo/links",
        ));
    }
    let session = context.session()?;
    if destinations.is_empty() {
        if strategy.is_some() {
            return Err(lower::usage(
                "--strategy needs an output",
                "git grill select design-doc --strategy vertical-slices",
            ));
        }
        let opened = open_gate(context, &session)?;
        return conversation::go_on(context, happened(opened), manner);
    }
    // What cannot be produced is refused before anything is asked.
    let typed = if context.actor == Actor::Human { Typed::ByThePerson } else { Typed::Otherwise };
    let (strategy, path, repository) = (strategy.as_ref(), path.as_ref(), repository.as_ref());
    let wanted = Wanted { strategy, path, repository, typed, beside: &[] };
    let plan = drafting::plan(context, &session, &destinations, wanted)?;
    none_ignored(context, &plan)?;
    let chosen = choose(context, &session, plan)?;
    conversation::go_on(context, happened(chosen), manner)
}

/// `git grill approve`: grants a request at the gate, or approves drafts. Approved drafts are written at once, and
/// committed where that is wanted.
pub(super) fn approve(context: &mut Context<'_>, args: &args::Approve) -> Result<Reply, AppError> {
    let session = context.session()?;
    if let Phase::Selection(_) = &session.phase {
        if args.commit.commit {
            return Err(lower::usage(
                "--commit is for files, and at the output selection none is written yet",
                "git grill approve, and when its drafts are shown git grill approve --commit",
            ));
        }
        return grant(context, &session);
    }
    let session = in_production(context, "approving")?;
    let message = wanted(context, &session, &args.commit, &args.paths)?;
    let (outcome, paths) = approve_drafts(context, &session, args)?;
    reply(context, outcome, paths, message)
}

/// The paragraphs of the message of a commit that is wanted, if one is and can be made of what is named.
fn wanted<'a>(
    context: &Context<'_>,
    session: &Session,
    commit: &'a args::Commit,
    named: &[String],
) -> Result<Option<&'a [String]>, AppError> {
    if !commit.commit {
        return Ok(None);
    }
    if commit.message.iter().any(|paragraph| paragraph.trim().is_empty()) {
        return Err(lower::usage("the commit's message is empty", "git grill produce --commit -m \"<message>\""));
    }
    committing::ready(context, session, named)?;
    Ok(Some(&commit.message))
}

/// What was written, committed where that is wanted.
fn reply(
    context: &mut Context<'_>,
    outcome: Outcome,
    paths: Vec<TargetPath>,
    message: Option<&[String]>,
) -> Result<Reply, AppError> {
    match message {
        Some(given) => committing::commit(context, outcome, paths, given),
        None => Ok(Reply::Wrote { outcome: Box::new(outcome), paths }),
    }
}

/// Has drafts approved and writes them.
fn approve_drafts(
    context: &mut Context<'_>,
    session: &Session,
    args: &args::Approve,
) -> Result<(Outcome, Vec<TargetPath>), AppError> {
    let outcome = approving::approve(context, session, &|session| waiting(session, args))?;
    let (written, paths) = context.settle(&session.id)?;
    Ok((outcome.then(written), paths))
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
        let target: Target = path.parse()?;
        let drafted = production
            .draft(&target)
            .ok_or_else(|| AppError::from(production::Refusal::NoDraft { target: target.clone() }))?;
        if let Some(seen) = &args.blob
            && !drafted.draft.blob.as_str().starts_with(seen.as_str())
        {
            let seen = crate::domain::ids::ObjectId::parse(seen)?;
            let now = drafted.draft.blob.clone();
            return Err(AppError::from(production::Refusal::DraftChanged { target, seen, now }));
        }
        drafts.push(drafted.draft.clone());
    }
    Ok(drafts)
}

/// `git grill produce`: drafts what is missing, has it approved where a person can be asked, writes what is approved, and
/// commits it where that is wanted.
pub(super) fn produce(context: &mut Context<'_>, commit: &args::Commit) -> Result<Reply, AppError> {
    let session = in_production(context, "producing")?;
    let message = wanted(context, &session, commit, &[])?;
    let (owed, mut paths) = context.settle(&session.id)?;
    let drafted = draft_all(context, &owed.after)?.shown(context)?;
    let outcome = owed.then(drafted);
    let waits = match &outcome.after.phase {
        Phase::Production(production) => production.waiting().next().is_some(),
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            return Ok(happened(outcome));
        }
    };
    if !waits {
        return reply(context, outcome, paths, message);
    }
    let everything = args::Approve { paths: Vec::new(), blob: None, commit: args::Commit::default() };
    let session = context.session()?;
    let (approved, more) = approve_drafts(context, &session, &everything)?;
    paths.extend(more);
    reply(context, outcome.then(approved), paths, message)
}

/// `git grill produce --undo`: brings back what stood there before an output phase wrote, all of it or nothing; the newest
/// one, unless another is named.
pub(super) fn undo(context: &mut Context<'_>, wanted: Option<u64>) -> Result<Reply, AppError> {
    let session = context.session()?;
    // What a process wrote that died before it could note it is noted by the undo.
    if session.pending().is_empty()
        && let TakesBack::Nothing(nothing) = context.dispatcher.to_take_back(&session, wanted)?
    {
        return Ok(Reply::nothing_undone(session, nothing));
    }
    may_say_yes(context, &session, "taking written files back", "git grill produce --undo")?;
    context.undo(&session.id, wanted)
}

pub(super) fn finish(context: &mut Context<'_>, summary: &str, manner: Manner) -> Result<Reply, AppError> {
    let session = context.session()?;
    if !matches!(session.phase, Phase::Production(_)) {
        // Whoever wants to go on needs no output for it.
        return Err(AppError::Refused(wrong_phase(&session, "finishing the output phase")));
    }
    let summary = lower::optional_line("the summary", summary)?;
    let session = outside::accept(context, &session, "git grill finish")?;
    // What this phase let through is expected from now on; in the next one nobody could tell any more.
    context.expect(&session)?;
    let outcome = context.handle(&session.id, production::Command::FinishProduction { summary }.into())?;
    // In a conversation the next question follows, or the gate where nothing is left to ask.
    let in_conversation = manner == Manner::Single && context.prompter.available().is_ok();
    let outcome = if in_conversation { outcome.then(context.advance(&session.id)?) } else { outcome };
    conversation::go_on(context, happened(outcome), manner)
}

/// The session, if it is in the output phase.
pub(super) fn in_production(context: &mut Context<'_>, deed: &'static str) -> Result<Session, AppError> {
    let session = context.session()?;
    if matches!(session.phase, Phase::Production(_)) {
        return Ok(session);
    }
    Err(AppError::Refused(Refusal::WrongPhase { deed, phase: session.phase.name(), way_out: to_the_outputs(&session) }))
}
