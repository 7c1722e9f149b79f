//! `git grill agent preflight <name>` (A28): what an agent is said to do is proved, once for each of its versions. It takes
//! a person's yes (A11), and changes neither the repository nor a session.

use crate::app::consent::{Purpose, not_remembered, remembering};
use crate::app::context::Context;
use crate::app::error::{AppError, not_answered};
use crate::app::ports::{Hindrance, Leading, Looked, Proof, Walls, WatchedAgent, Within, Witnessed};
use crate::app::preflight::{self, Report};
use crate::app::prompt::Doing;
use crate::app::reply::Reply;
use crate::domain::actor::Actor;
use crate::domain::drift::Verification;
use crate::domain::server_form::ServerReply;
use crate::domain::settings::Research;
use crate::text::shell::word;

use super::leading::{Asked, agreed, say_what_is_less, with};

pub(super) fn preflight(context: &mut Context<'_>, name: &str, confirmed: bool) -> Result<Reply, AppError> {
    if with(context)?.running().is_some() {
        return Err(AppError::Usage {
            message: "an agent leads this conversation, and another one is not tried in it".to_owned(),
            hint: format!("git grill agent preflight {name}, in another terminal"),
        });
    }
    let leader = with(context)?.known(name)?;
    let research = research(context)?;
    let typed = format!("git grill agent preflight {}", word(name));
    let hint = format!("{typed}, at a terminal");
    // A remembered yes is one to whoever types it. A script confirms besides, and an agent would spend what is not its (A11).
    let may_confirm = matches!(context.actor, Actor::Human | Actor::Unattended);
    let is_walled = with(context)?.walls() == Walls::Hold;
    if !(confirmed && may_confirm) {
        let is_enough = may_confirm && is_walled && research != Research::Ask && with(context)?.agreed(name)?;
        let confirms = format!("{typed} --confirm-provider-use confirms it; or type it at a terminal");
        context.need_person(Purpose::Trial(research).deed(), if is_enough { &confirms } else { &hint })?;
    }
    let agreed = agreed(context, name, Asked::About(research), Purpose::Trial(research), &hint);
    let within = agreed.map_err(|error| {
        let can_be_remembered = is_walled && research == Research::Auto;
        let AppError::NeedsPerson { deed, why, hint: _ } = &error else { return error };
        if !(confirmed && can_be_remembered) {
            return error;
        }
        AppError::NeedsPerson { deed: deed.clone(), why: not_remembered(name, why), hint: remembering(&typed) }
    })?;
    let Some(within) = within else {
        return Err(AppError::Cancelled("trying the agent"));
    };
    let id = preflight::id();
    if let Some(who) = with(context)?.claim(&id)? {
        return Err(AppError::Environment {
            code: "trial_runs",
            message: format!("{name} was not started: another trial goes on here, by {who}"),
            causes: Vec::new(),
            hint: Some("wait until it is over, a few minutes at most".to_owned()),
        });
    }
    let tried = tried(context, name, research, within);
    // The claim holds others off until this is over.
    let ended = context.baseline.unwatch(&id);
    with(context)?.end();
    let Tried { seen, file, found } = tried?;
    ended?;
    let by = match preflight::judged(name, &seen, &file, within) {
        Ok(by) => by,
        Err(wrong) => {
            if wrong.contrary {
                with(context)?.note_proof(name, None)?;
            }
            return Err(AppError::Environment {
                code: "not_proved",
                message: wrong.sentence,
                causes: Vec::new(),
                hint: Some(wrong.advice),
            });
        }
    };
    if within == Within::WhatThereIs && !found.is_clean() {
        context.voice.say(&Reply::Drifted(Box::new(found)))?;
        return Err(AppError::Environment {
            code: "not_proved",
            message: format!("the repository changed while {name} was tried, and nothing here keeps it from writing"),
            causes: Vec::new(),
            hint: Some(format!("bring back what is not yours, then git grill agent preflight {name}")),
        });
    }
    let at = context.dispatcher.clock.now();
    let proof = Proof { version: seen.version.clone(), at, within };
    with(context)?.note_proof(name, Some(&proof))?;
    let items = preflight::items(&seen, by, &file, &found, within, research);
    let Witnessed { version, .. } = seen;
    let held = preflight::held(leader.asks);
    Ok(Reply::Preflight(Box::new(Report { agent: leader.name, title: leader.title, version, at, items, held })))
}

/// Whether the agent may look at the repository: as the session that is active says, or as a new one would.
fn research(context: &Context<'_>) -> Result<Research, AppError> {
    match context.pointed_to() {
        Ok(session) if !session.is_closed() => Ok(session.settings.research),
        Ok(_) | Err(AppError::NoSession) => Ok(context.defaults.research),
        Err(error) => Err(error),
    }
}

/// What came of a trial.
struct Tried {
    seen: Witnessed,
    file: String,
    found: Verification,
}

fn tried(context: &mut Context<'_>, name: &str, research: Research, within: Within) -> Result<Tried, AppError> {
    let id = preflight::id();
    // Also behind walls: that nothing changed is seen, and not concluded.
    context.baseline.watch(&id)?;
    let file = with(context)?.start_trial(name, research, within).map_err(|hindrance| hindered(&hindrance))?;
    with(context)?.tell(preflight::prompt(&file));
    watched(context)?;
    say_what_is_less(context)?;
    let seen = with(context)?.end_trial();
    let found = context.baseline.since_watched(&id, WatchedAgent::AtWork)?;
    Ok(Tried { seen, file, found })
}

/// Waits until the agent's turn is over, and shows meanwhile what it does where somebody can see it.
fn watched(context: &mut Context<'_>) -> Result<(), AppError> {
    let is_seen = context.prompter.available().is_ok();
    let Context { prompter, leading: Some(port), .. } = context else { return Ok(()) };
    let mut failed = None;
    let mut step = |port: &mut dyn Leading| match port.look() {
        Looked::On { line, steps } => Some((line, steps)),
        // A trial is about something else, and nobody is shown the form.
        Looked::Asks(_) => {
            port.fill(ServerReply::Closed);
            Some((String::new(), Vec::new()))
        }
        Looked::Recorded => Some((String::new(), Vec::new())),
        Looked::Idle | Looked::Ended { .. } => None,
        Looked::Overdue(hindrance) => {
            failed = Some(hindrance);
            None
        }
        // One that is too old for its own command says so in words that help nobody.
        Looked::Failed(hindrance) => {
            failed = Some(port.too_old().unwrap_or(hindrance));
            None
        }
    };
    if is_seen {
        let mut last = (String::new(), Vec::new());
        let followed = prompter.follow(&mut || match step(&mut **port) {
            None => Doing::Over,
            Some(now) => {
                if !now.0.is_empty() {
                    last = now;
                }
                let (line, steps) = last.clone();
                Doing::On { line, steps, said: Vec::new(), saying: String::new() }
            }
        });
        followed.answered().map_err(not_answered("the trial"))?;
    } else {
        while step(&mut **port).is_some() {
            port.rest();
        }
    }
    failed.map_or(Ok(()), |hindrance| Err(hindered(&hindrance)))
}

fn hindered(hindrance: &Hindrance) -> AppError {
    AppError::Environment {
        code: "agent",
        message: hindrance.sentence.clone(),
        causes: Vec::new(),
        hint: Some(hindrance.advice.clone()).filter(|advice| !advice.is_empty()),
    }
}
