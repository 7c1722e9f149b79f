//! The verbs that begin: start and resume (G1 to G6).

use std::collections::BTreeSet;

use crate::app::beginning::{Doubt, Wanted, arrive, begin, is_own};
use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::ports::StoreError;
use crate::app::reply::{Outcome, Reply};
use crate::domain::ids::SessionId;
use crate::domain::posture::Fencing;
use crate::domain::session::Phase;
use crate::domain::settings::{Interviewer, Settings, led_by};
use crate::domain::text::Topic;

use super::{Manner, args, conversation, leading, lower, research};

/// Plain `git grill`: goes on with the active session, else begins one (G2).
pub(super) fn start_or_go_on(context: &mut Context<'_>, manner: Manner) -> Result<Reply, AppError> {
    match context.session() {
        // Looking at the gate is no wish to leave it.
        Ok(session) if matches!(session.phase, Phase::Selection(_)) => {
            conversation::go_on(context, super::interview::happened(Outcome::nothing(session)), manner)
        }
        // Nothing is asked in it, unless an agent was chosen to plan with.
        Ok(session) if session.phase.asks_nothing() && !conversation::goes_on_planning(context, &session, manner)? => {
            super::look::status(context, &args::Status::default())
        }
        Ok(_) => super::interview::next(context, manner),
        Err(AppError::NoSession) => {
            let settings = context.defaults.clone();
            if let Some(agent) = context.leader.clone() {
                let wanted = Wanted {
                    topic: None,
                    settings,
                    allowed: BTreeSet::new(),
                    fencing: context.fencing,
                    reported: None,
                };
                return leading::begun(context, wanted, &agent, manner);
            }
            let wanted =
                Wanted { topic: None, settings, allowed: BTreeSet::new(), fencing: context.fencing, reported: None };
            began(context, wanted, manner)
        }
        Err(other) => Err(other),
    }
}

pub(super) fn start(context: &mut Context<'_>, args: &args::Start, manner: Manner) -> Result<Reply, AppError> {
    let settings = settings(&context.defaults, args)?;
    let allowed = research::typed(settings.research, &args.allow)?;
    let topic = match args.topic.join(" ") {
        words if words.trim().is_empty() => None,
        words => Some(Topic::parse(&words)?),
    };
    let fencing = fencing(context, args.fence);
    let leader = match &args.interviewer {
        Some(typed) => led_by(typed).map(str::to_owned),
        None => context.leader.clone(),
    };
    if let Some(agent) = leader {
        return leading::begun(context, Wanted { topic, settings, allowed, fencing, reported: None }, &agent, manner);
    }
    began(context, Wanted { topic, settings, allowed, fencing, reported: None }, manner)
}

/// Begins, and goes on as a conversation.
pub(super) fn began(context: &mut Context<'_>, wanted: Wanted, manner: Manner) -> Result<Reply, AppError> {
    let doubt = match manner {
        Manner::Conversation => Doubt::Asks,
        Manner::Single => Doubt::Refuses,
    };
    let reply = begin(context, wanted, doubt)?;
    conversation::go_on(context, reply, manner)
}

/// Whether a fence is wanted: what was typed, else what is configured.
fn fencing(context: &Context<'_>, typed: Option<args::FenceWhen>) -> Fencing {
    match typed {
        None => context.fencing,
        Some(args::FenceWhen::On) => Fencing::On,
        Some(args::FenceWhen::Off) => Fencing::Off,
    }
}

/// The settings of a new session: what was typed over what is configured. An unknown value stops here (G1).
fn settings(defaults: &Settings, args: &args::Start) -> Result<Settings, AppError> {
    let mut settings = defaults.clone();
    if let Some(intent) = &args.intent {
        settings.intent = intent.parse()?;
    }
    if let Some(intensity) = &args.intensity {
        settings.intensity = intensity.parse()?;
    }
    if let Some(research) = &args.research {
        settings.research = research.parse()?;
    }
    if !args.output.is_empty() {
        settings.output_preference = super::settings::parse_outputs(&args.output)?;
    }
    if let Some(interviewer) = &args.interviewer {
        settings.interviewer = match led_by(interviewer) {
            Some(agent) => Interviewer::Agent(agent.to_owned()),
            None => interviewer.parse()?,
        };
    }
    if let Some(approval) = &args.approval {
        settings.approval = approval.parse()?;
    }
    Ok(settings)
}

pub(super) fn resume(context: &mut Context<'_>, args: &args::Resume, manner: Manner) -> Result<Reply, AppError> {
    let (id, fetched) = match args.session.as_deref().filter(|wanted| !wanted.is_empty()) {
        Some(wanted) => (named(context, wanted)?, None),
        None => unfinished(context)?,
    };
    let fencing = fencing(context, args.fence);
    let mut reply = arrive(context, &id, fencing)?;
    if let Reply::Arrived { protection, .. } = &mut reply {
        protection.warnings.extend(fetched);
    }
    conversation::go_on(context, reply, manner)
}

/// The session of this id, or the one whose id begins so. None of the others is read.
pub(super) fn named(context: &Context<'_>, wanted: &str) -> Result<SessionId, AppError> {
    let mut found = context.dispatcher.store.ids()?;
    found.retain(|id| id.as_str().starts_with(wanted));
    match found.as_slice() {
        [] => Err(AppError::Store(StoreError::NoSuchSession(wanted.to_owned()))),
        [one] => Ok(one.clone()),
        [_, _, ..] => match found.iter().find(|id| id.as_str() == wanted) {
            Some(one) => Ok(one.clone()),
            None => Err(lower::usage(
                format!("'{wanted}' begins the ids of {} sessions", found.len()),
                "git grill sessions lists them",
            )),
        },
    }
}

/// The unfinished session of this clone that changed last. Without one it is the one that was fetched, and that is said:
/// anybody who can push chooses how new that one is.
fn unfinished(context: &Context<'_>) -> Result<(SessionId, Option<String>), AppError> {
    let mut listed = context.dispatcher.store.list()?;
    listed.retain(|one| one.state.as_ref().is_ok_and(|state| state.phase != "closed"));
    if let Some(own) = listed.iter().find(|one| is_own(context, one)) {
        return Ok((own.id.clone(), None));
    }
    let fetched = listed.into_iter().next().ok_or(AppError::NoSession)?.id;
    let said = format!("{fetched} was only fetched, and this clone has no unfinished session of its own");
    Ok((fetched, Some(said)))
}
