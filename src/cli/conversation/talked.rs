//! Talking with the agent that leads: a discussion, and why a question is asked. What it says is shown as it comes; nothing
//! of it is recorded but what it is summed up to, and what it lets hear of a plan.

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::prompt::{ReplyPrompt, Slash, Unanswered};
use crate::app::reply::Reply;
use crate::domain::ids::QuestionId;
use crate::domain::session::Session;

use super::super::leading;
use super::led::{Came, follow, hindered, left, ready, standing, tell};
use super::spoken::Spoken;
use super::unsent::Sent;
use super::{Next, Talk, planned, since, typed, unsent};

/// So many times it is listened to once more after it recorded something: what it said before may still be on its way.
pub(super) const LATE: usize = 4;

/// A discussion with the agent: what is typed goes to it, what it says is shown, until it is summed up.
pub(super) fn discuss(
    context: &mut Context<'_>,
    session: &Session,
    about: Option<&QuestionId>,
    agent: &str,
    talk: &mut Talk,
) -> Result<Next, AppError> {
    talk.in_sight = None;
    if let Some(next) = ready(context, session, agent, talk)? {
        return Ok(next);
    }
    let place = unsent::discussion(about);
    let place = Some(&place);
    let prompt = ReplyPrompt {
        heading: format!("discussion with {agent}"),
        question: String::new(),
        draft: unsent::recall(context, session, place, talk)?,
        status: talk.status(context, session),
        keys: "Enter sends, Esc pauses".to_owned(),
        help: match about {
            Some(_) => {
                "/discuss --done \"<what it came to>\" sums it up, as the agent can; /back leaves, nothing recorded"
            }
            None => {
                "/discuss --done \"<what it came to>\" returns to the questions; the agent can also end the discussion"
            }
        }
        .to_owned(),
        slash: Slash::Verb,
        ..ReplyPrompt::default()
    };
    let text = match unsent::ask(context, session, place, &prompt).answered() {
        Ok(text) => text,
        Err(unanswered) => return unsent::leave(context, session, place, unanswered),
    };
    if typed::is_verb(&text) || text.trim().is_empty() {
        unsent::forget(context, session, place)?;
        return if typed::is_verb(&text) { typed::verb(context, talk, &text) } else { Ok(Next::On) };
    }
    say(context, session, agent, talk, ("The user says", text.as_str()))
}

/// Tells the agent these words of the user, with what they are, and shows what it says to them.
pub(super) fn say(
    context: &mut Context<'_>,
    session: &Session,
    agent: &str,
    talk: &mut Talk,
    (what, words): (&str, &str),
) -> Result<Next, AppError> {
    let sent = Sent::hold(context, session, unsent::discussion(session.discussed()), words);
    let standing = standing(context, session, agent, talk);
    tell(context, format!("{}\n{what}: {words}", talk.led.told.discussing(session, &standing)));
    match heard(context, session, agent, talk, Some(&sent))? {
        Ok(next) => Ok(next),
        Err(unanswered) => sent.leave(context, session, unanswered),
    }
}

/// Has the agent that leads say why the open question is asked. Esc ends only that.
pub(super) fn explained(context: &mut Context<'_>, talk: &mut Talk) -> Result<Next, AppError> {
    let session = context.session()?;
    let (Some(asked), Some(agent)) = (session.open_question(), leading::leader(context, &session)?) else {
        return Ok(Next::On);
    };
    talk.in_sight = None;
    if let Some(next) = ready(context, &session, &agent, talk)? {
        return Ok(next);
    }
    let standing = standing(context, &session, &agent, talk);
    tell(context, talk.led.told.explaining(&session, &standing, asked));
    match heard(context, &session, &agent, talk, None)? {
        Err(Unanswered::Cancelled { .. }) => {
            if let Some(port) = &mut context.leading {
                port.cancel();
            }
            Ok(Next::On)
        }
        Err(unanswered) => left(context, unanswered),
        Ok(next) => Ok(next),
    }
}

/// Shows what the agent says until its turn is over. Words to which it could say nothing stand in the editor again.
pub(super) fn heard(
    context: &mut Context<'_>,
    session: &Session,
    agent: &str,
    talk: &mut Talk,
    sent: Option<&Sent<'_>>,
) -> Result<Result<Next, Unanswered>, AppError> {
    let mut spoken = Spoken::of(agent);
    let came = follow(context, session, agent, talk, Some(&mut spoken))?;
    if let (Ok(Came::Moved), Some(port)) = (&came, &mut context.leading) {
        for _ in 0..LATE {
            port.rest();
            spoken.hear(&port.heard());
        }
    }
    let rest = spoken.rest(&*context.voice);
    if !rest.is_empty() {
        context.voice.say(&Reply::Text(rest))?;
    }
    since::show(context, session, agent)?;
    match &came {
        Ok(came) => planned::heard(context, session, agent, came, talk)?,
        Err(unanswered) => planned::broken_off(context, session, agent, Some(unanswered), talk)?,
    }
    if let Some(sent) = sent {
        // Whoever ended its turn had them.
        let heard = !spoken.is_nothing() || !matches!(came, Ok(Came::Failed(_) | Came::Given(_)) | Err(_));
        sent.settle(context, session, talk, heard)?;
    }
    match came {
        Ok(Came::Failed(hindrance)) => hindered(context, agent, &hindrance, talk).map(Ok),
        Ok(Came::Ended(..)) if spoken.is_nothing() => {
            context.voice.say(&Reply::Text(format!("{agent} ended its turn and said nothing")))?;
            Ok(Ok(Next::On))
        }
        Ok(Came::Given(next)) => Ok(Ok(next)),
        Ok(Came::Moved | Came::Idle | Came::Asked(_) | Came::Overdue(_) | Came::Ended(..)) => Ok(Ok(Next::On)),
        Err(unanswered) => Ok(Err(unanswered)),
    }
}
