//! Takes a plan over: the result of an interview becomes the plan that is executed, and one session gets the plan of
//! another. This approves nothing (P13).

use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::plan::{self, PlanSource, Steps, cited, document};
use crate::domain::production::{Stage, TargetPath};
use crate::domain::session::{Phase, Session};
use crate::domain::settings::{Catalogued, Destination};

use super::super::beginning::is_own;
use super::super::context::Context;
use super::super::error::AppError;
use super::super::reply::Reply;
use super::{begin, told};

/// Takes over the plan of a session: the session that is named, else the active one if it makes outputs or wrote an
/// implementation plan, else the one that ended last. Where no session is active, this begins one that asks nothing.
pub fn take(context: &mut Context<'_>, wanted: Option<&SessionId>) -> Result<Reply, AppError> {
    let active = match context.session() {
        Ok(session) => Some(session),
        Err(AppError::NoSession) => None,
        Err(other) => return Err(other),
    };
    let from = taken_from(context, active.as_ref(), wanted)?;
    let (steps, source) = plan_of(context, &from)?;
    let command = plan::Command::SetPlan { steps, source };
    let Some(session) = active else {
        let mut begun = begin(context, Some(from.topic.clone()))?;
        if let Reply::Arrived { outcome, .. } = &mut begun {
            let further = context.handle(&outcome.after.id, command.into())?;
            **outcome = outcome.as_ref().clone().then(further);
        }
        return Ok(begun);
    };
    told(context, &session, command.into(), "this is the plan already")
}

fn taken_from(
    context: &Context<'_>,
    active: Option<&Session>,
    wanted: Option<&SessionId>,
) -> Result<Session, AppError> {
    let store = context.dispatcher.store;
    if let Some(id) = wanted {
        return Ok(store.load(id)?.session);
    }
    let makes_one = |session: &&Session| matches!(session.phase, Phase::Production(_)) || written(session).is_some();
    if let Some(session) = active.filter(makes_one) {
        return Ok(session.clone());
    }
    let listed = store.list()?;
    let ended =
        listed.iter().find(|one| is_own(context, one) && one.state.as_ref().is_ok_and(|state| state.phase == "closed"));
    match ended {
        Some(one) => Ok(store.load(&one.id)?.session),
        None => Err(AppError::Usage {
            message: "no plan was taken over: no session of this clone has ended, and the active one made no plan"
                .to_owned(),
            hint: "git grill plan take <session> takes that of another one; git grill sessions lists them".to_owned(),
        }),
    }
}

/// The steps of a session's implementation plan, or of its plan if it made none, and their source.
fn plan_of(context: &Context<'_>, from: &Session) -> Result<(Steps, PlanSource), AppError> {
    let Some((path, text)) = drafted(from).or_else(|| written(from)) else {
        let session = from.id.clone();
        let steps = from.own.plan.plan().ok_or(plan::Refusal::NothingToTake { session })?;
        let decisions = cited::keep(&steps, |key| cited::of_plan(from, key));
        return Ok((steps, PlanSource::Session { id: from.id.clone(), output: None, decisions }));
    };
    let text = match text {
        Text::Draft(text) => text.to_owned(),
        Text::Written(blob) => {
            let bytes = context.dispatcher.store.blob(blob)?;
            bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
        }
    };
    let none = || plan::Refusal::NoStepsInOutput { session: from.id.clone(), path: path.clone() };
    let steps = document::from_document(&text)?.ok_or_else(none)?;
    let decisions = cited::keep(&steps, |key| cited::of_interview(from, key));
    Ok((steps, PlanSource::Session { id: from.id.clone(), output: Some(path.clone()), decisions }))
}

enum Text<'s> {
    Draft(&'s str),
    /// In the history of the session.
    Written(&'s ObjectId),
}

fn is_plan(destination: &Destination) -> bool {
    *destination == Destination::Known(Catalogued::ImplementationPlan)
}

/// The implementation plan among the drafts of the output phase.
fn drafted(session: &Session) -> Option<(&TargetPath, Text<'_>)> {
    let drafts = match &session.phase {
        Phase::Production(production) => &production.drafts,
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => return None,
    };
    let one = drafts.iter().find(|one| is_plan(&one.draft.destination) && one.stage != Stage::Dropped)?;
    Some((one.draft.path()?, Text::Draft(&one.draft.content)))
}

/// The implementation plan that was written last.
fn written(session: &Session) -> Option<(&TargetPath, Text<'_>)> {
    let one = session.produced.iter().rev().find(|one| is_plan(&one.destination))?;
    Some((&one.path, Text::Written(&one.blob)))
}
