//! What changed behind the user's back while an agent ran that nothing keeps from writing (A25): it is shown path by path,
//! and the session goes no further until the user has said whose each is.

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::ports::{Restored, Watched, WatchedAgent};
use crate::app::prompt::{Doing, Prompted, Unanswered};
use crate::app::reply::Reply;
use crate::cli::whose::{self, Left, Watch};
use crate::domain::drift::{Kept, Spot, Verification};
use crate::domain::ids::SessionId;
use crate::domain::session::{Phase, Session};

use super::led::{LOOKS, left};
use super::{Next, Talk};

/// The command that asks again.
const AGAIN: &str = "git grill next";

/// The watch over a session that an agent leads.
struct OfSession<'a> {
    id: &'a SessionId,
    talk: &'a mut Talk,
}

impl Watch for OfSession<'_> {
    fn since(&mut self, context: &mut Context<'_>) -> Result<Verification, AppError> {
        let is_running = context.leading.as_ref().is_some_and(|port| port.running().is_some());
        let agent = if is_running { WatchedAgent::AtWork } else { WatchedAgent::Gone };
        let found = context.baseline.since_watched(self.id, agent)?;
        if !found.is_clean() {
            // What is shown takes its place.
            self.talk.in_sight = None;
        }
        Ok(found)
    }

    fn difference(&self, context: &mut Context<'_>, spot: &Spot) -> Result<String, AppError> {
        Ok(context.baseline.watched_diff(self.id, spot)?)
    }

    fn bring_back(&self, context: &mut Context<'_>, shown: &Verification, _kept: &Kept) -> Result<Restored, AppError> {
        context.bring_back(self.id, shown)
    }

    fn kept(&self, context: &mut Context<'_>) -> Result<Kept, AppError> {
        Ok(context.baseline.kept_watched(self.id)?)
    }

    fn keep(&self, context: &mut Context<'_>, kept: &Kept) -> Result<(), AppError> {
        Ok(context.baseline.keep_watched(self.id, kept)?)
    }

    fn again(&self) -> String {
        AGAIN.to_owned()
    }
}

/// Compares after a turn without walls, and has the user settle what differs. `None` where nothing is left to settle;
/// behind walls nothing is compared.
pub(super) fn settle(context: &mut Context<'_>, session: &Session, talk: &mut Talk) -> Result<Option<Next>, AppError> {
    if session.is_closed() || context.baseline.watched(&session.id)?.is_none() {
        return Ok(None);
    }
    // The terminal that leads the agent settles it, and the others wait for that.
    let Some(port) = &mut context.leading else { return Ok(None) };
    if port.running().is_none()
        && let Some(who) = port.claim(&session.id)?
    {
        return match waited(context, session, &who)? {
            Ok(Found::Decided) => Ok(None),
            Ok(Found::Free) => settle(context, session, talk),
            Err(unanswered) => left(context, unanswered).map(Some),
        };
    }
    let mine = match whose::settle(context, &mut OfSession { id: &session.id, talk })? {
        Ok(mine) => mine,
        Err(Left { unanswered, told, .. }) => {
            context.voice.say(&Reply::Text(told))?;
            return left(context, unanswered).map(Some);
        }
    };
    if let (Phase::Production(_), Some(port)) = (&session.phase, &mut context.leading) {
        // It has no part in what is written from here on, which is not its.
        port.end();
    }
    if context.leading.as_ref().is_some_and(|port| port.running().is_some()) {
        // It may still be at work, or get another turn: what is there now is how it is to stay.
        if !mine.is_empty() {
            context.begin_watch(&session.id)?;
        }
    } else {
        context.unwatch(&session.id)?;
    }
    Ok(None)
}

/// How waiting for another terminal ended.
enum Found {
    /// Nothing is left to decide.
    Decided,
    /// The other terminal is gone.
    Free,
}

/// Waits while another terminal has yet to settle what changed.
fn waited(context: &mut Context<'_>, session: &Session, who: &str) -> Result<Result<Found, Unanswered>, AppError> {
    let Context { prompter, leading, baseline, .. } = context;
    let Some(port) = leading else { return Ok(Ok(Found::Decided)) };
    let line = format!("{who} asks in another terminal about the changes made while the agent ran");
    let mut looks = 0;
    let mut found = Ok(Found::Decided);
    if baseline.watched(&session.id)? != Some(Watched::Undecided) {
        return Ok(Ok(Found::Decided));
    }
    let followed: Prompted<()> = prompter.follow(&mut || {
        looks += 1;
        if looks % LOOKS == 0 {
            match baseline.watched(&session.id) {
                Ok(Some(Watched::Undecided)) => {}
                Ok(Some(Watched::Quiet) | None) => return Doing::Over,
                Err(error) => {
                    found = Err(AppError::from(error));
                    return Doing::Over;
                }
            }
            match port.claim(&session.id) {
                Ok(Some(_)) => {}
                Ok(None) => {
                    found = Ok(Found::Free);
                    return Doing::Over;
                }
                Err(error) => {
                    found = Err(error);
                    return Doing::Over;
                }
            }
        }
        Doing::On { line: line.clone(), steps: Vec::new(), said: Vec::new(), saying: String::new() }
    });
    match followed.answered() {
        Ok(()) => found.map(Ok),
        Err(unanswered) => Ok(Err(unanswered)),
    }
}

/// Looks once more when the conversation is over, and names what the next one will ask about.
pub(super) fn at_the_end(context: &mut Context<'_>, id: &SessionId) -> Result<(), AppError> {
    let Some(watched) = context.baseline.watched(id)? else { return Ok(()) };
    if context.dispatcher.store.load(id)?.session.is_closed() {
        return context.unwatch(id);
    }
    let Some(port) = &mut context.leading else { return Ok(()) };
    let has_ended = port.running().is_some();
    if has_ended {
        port.end();
    } else if port.claim(id)?.is_some() {
        return Ok(());
    }
    if watched == Watched::Undecided {
        if has_ended {
            note_end(context, id);
        }
        return Ok(());
    }
    let found = context.baseline.since_watched(id, WatchedAgent::AtWork)?;
    if found.is_clean() {
        return context.unwatch(id);
    }
    if has_ended {
        note_end(context, id);
    }
    let count = found.total;
    context.voice.say(&Reply::Behind(Box::new(found)))?;
    context.voice.say(&Reply::Text(whose::waits(count, AGAIN)))
}

/// Notes that the agent is gone. Where that fails, what changes from now on is asked about as well.
fn note_end(context: &Context<'_>, id: &SessionId) {
    let _ = context.baseline.note_watched_end(id);
}

/// Goes no further while the user has yet to say whose a change is; who can be asked is asked.
pub(in crate::cli) fn decided(context: &mut Context<'_>) -> Result<(), AppError> {
    let undecided = |context: &Context<'_>, id: &SessionId| -> Result<bool, AppError> {
        Ok(context.baseline.watched(id)? == Some(Watched::Undecided))
    };
    let Some(id) = context.dispatcher.store.active()? else { return Ok(()) };
    if !undecided(context, &id)? {
        return Ok(());
    }
    context.need_person("deciding on the changes made while an agent ran", "git grill next, at a terminal")?;
    let session = context.session()?;
    if settle(context, &session, &mut Talk::default())?.is_some() {
        return Err(AppError::Cancelled("going on with the session"));
    }
    if undecided(context, &id)? {
        return Err(AppError::Declined {
            code: "undecided",
            message: "nothing was recorded: another terminal asks about the changes made while an agent ran".to_owned(),
            causes: Vec::new(),
            hint: "answer there first".to_owned(),
        });
    }
    Ok(())
}
