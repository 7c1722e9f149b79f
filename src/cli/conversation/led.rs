//! The conversation while an agent leads: it gets a turn, what it does is shown in one line, and its question comes up like
//! any other (G55, G67). What stands in its way is said, and the built-in interviewer is at hand (G56).

use crate::app::context::{At, Context};
use crate::app::error::{AppError, not_answered};
use crate::app::leading::{REFUSED, Told, go_on};
use crate::app::ports::{Hindrance, Looked, Memory, TurnEnd, Within};
use crate::app::prompt::{Doing, Prompted, Unanswered};
use crate::app::reply::Reply;
use crate::app::tools;
use crate::domain::server_form::ServerForm;
use crate::domain::session::{Floor, Phase, Session};

use super::super::leading;
use super::going_on::{goes_on, waits};
use super::spoken::Spoken;
use super::{Kept, Next, Talk, behind, consent, elsewhere, held, paused, planned, prose, recover, servers, since};

/// So often an agent is told to go on whose turn ended with nothing asked (G67).
const MOST_FRUITLESS: usize = 2;
/// How many looks there are between two at the session, for what another terminal did.
pub(super) const LOOKS: usize = 20;

/// What a leading agent knows, and how it does.
#[derive(Default)]
pub(super) struct Known {
    pub(super) told: Told,
    /// Turns in a row that ended with nothing asked.
    fruitless: usize,
    /// What it asked in plain text in one of them, the newest.
    prose: Option<String>,
    /// Whether the person was told that it takes no part in the outputs.
    pub(super) rests: bool,
}

impl Known {
    /// Notes that something is asked, or was.
    fn asked(&mut self) {
        self.fruitless = 0;
        self.prose = None;
    }
}

/// What became of a turn.
pub(super) enum Came {
    /// The session moved on: a person is needed, or it is over.
    Moved,
    Idle,
    /// The turn ended with nothing asked.
    Ended(TurnEnd, String),
    /// Another server asks through it.
    Asked(Box<ServerForm>),
    /// It passed a limit, and may go on by itself.
    Overdue(Hindrance),
    /// It passed a limit, and the person did not wait on.
    Given(Next),
    Failed(Hindrance),
}

/// Gives the agent a turn, and waits for its question.
pub(super) fn turn(
    context: &mut Context<'_>,
    session: &Session,
    agent: &str,
    talk: &mut Talk,
) -> Result<Next, AppError> {
    talk.in_sight = None;
    if let Some(next) = ready(context, session, agent, talk)? {
        return Ok(next);
    }
    let standing = standing(context, session, agent, talk);
    let mut text = talk.led.told.next(session, &standing);
    let mut seen = session.clone();
    loop {
        tell(context, text);
        let waited = waited(context, session, &seen, agent, talk)?;
        if let Ok(came) = &waited {
            planned::heard_late(context, &seen, agent, came, talk)?;
        }
        seen = since::show(context, &seen, agent)?;
        let came = match waited {
            Ok(came) => came,
            Err(next) => return Ok(next),
        };
        let holding = held::concerns(context, &seen)?;
        let (how, said) = match came {
            Came::Moved => {
                held::show(context, &seen, agent, &holding)?;
                talk.led.asked();
                return Ok(Next::On);
            }
            Came::Given(next) => return Ok(next),
            Came::Failed(hindrance) => return hindered(context, agent, &hindrance, talk),
            // A server's question was put already, and so was one about waiting.
            Came::Idle | Came::Asked(_) | Came::Overdue(_) => (TurnEnd::Said, String::new()),
            Came::Ended(how, said) => (how, said),
        };
        let last = talk.led.fruitless == MOST_FRUITLESS && holding.is_empty();
        let asks = how == TurnEnd::Said && prose::asks(&said);
        // What is put as a question is not shown before it as well.
        if !(said.is_empty() || last && asks) {
            let mut spoken = Spoken::of(agent);
            spoken.hear(&said);
            let shown = spoken.rest(&*context.voice);
            context.voice.say(&Reply::Text(shown))?;
        }
        if asks {
            talk.led.prose = Some(said);
        }
        let in_prose = talk.led.prose.take_if(|_| last);
        if !holding.is_empty() || in_prose.is_some() {
            talk.led.asked();
            if let Some(next) = behind::settle(context, session, talk)? {
                return Ok(next);
            }
            let settled = match in_prose {
                Some(asked) => prose::put(context, &seen, agent, &asked, talk)?,
                None => held::settle(context, &seen, agent, holding, talk)?,
            };
            text = match settled {
                Ok(text) => text,
                Err(next) => return Ok(next),
            };
            continue;
        }
        talk.led.fruitless += 1;
        let refused = context.leading.as_ref().and_then(|port| port.refused());
        if last {
            talk.led.asked();
            let why = match how {
                TurnEnd::CutShort(why) => format!(" ({why})"),
                TurnEnd::Cancelled => " (it cancelled its turn)".to_owned(),
                TurnEnd::Said | TurnEnd::Refused => String::new(),
            };
            let refused = refused.map(|why| format!("; git grill refused its last call: {why}")).unwrap_or_default();
            let times = MOST_FRUITLESS + 1;
            let hindrance = Hindrance {
                sentence: format!("{agent} ended its turn {times} times without a question{why}{refused}"),
                advice: "git grill interviewer <name> has another one ask".to_owned(),
            };
            return hindered(context, agent, &hindrance, talk);
        }
        if let Some(next) = behind::settle(context, session, talk)? {
            return Ok(next);
        }
        text = if how == TurnEnd::Refused { REFUSED.to_owned() } else { go_on(refused.as_deref()) };
    }
}

/// Follows the agent until something comes of its turn, which began with the session as it was `seen`. Esc pauses; where it
/// has long been silent, it asks first how the interview goes on.
fn waited(
    context: &mut Context<'_>,
    session: &Session,
    seen: &Session,
    agent: &str,
    talk: &mut Talk,
) -> Result<Result<Came, Next>, AppError> {
    loop {
        let unanswered = match follow(context, session, agent, talk, None)? {
            Ok(came) => return Ok(Ok(came)),
            Err(unanswered) => unanswered,
        };
        let silent = context.leading.as_ref().is_some_and(|port| port.is_silent());
        if !silent || !matches!(unanswered, Unanswered::Cancelled { .. }) {
            planned::broken_off(context, seen, agent, Some(&unanswered), talk)?;
            return left(context, unanswered).map(Err);
        }
        if let Some(next) = waits(context, session, agent, None, talk)? {
            return Ok(Err(next));
        }
    }
}

/// Starts the agent if it does not run. `None` where it is ready.
pub(super) fn ready(
    context: &mut Context<'_>,
    session: &Session,
    agent: &str,
    talk: &mut Talk,
) -> Result<Option<Next>, AppError> {
    let Some(port) = &mut context.leading else { return Ok(Some(paused(Kept::Nothing))) };
    if port.is_ready(agent, session) {
        return Ok(None);
    }
    if let Some(who) = port.claim(&session.id)? {
        return elsewhere::waits(context, session, agent, &who, talk).map(Some);
    }
    talk.led = Known::default();
    let within = match consent::within(context, session, agent, talk)? {
        Ok(within) => within,
        Err(next) => return Ok(Some(next)),
    };
    if within == Within::WhatThereIs {
        // It can write from its first moment on (A25).
        context.begin_watch(&session.id)?;
    }
    let Some(port) = &mut context.leading else { return Ok(Some(paused(Kept::Nothing))) };
    if let Err(hindrance) = port.start(agent, session, within) {
        return hindered(context, agent, &hindrance, talk).map(Some);
    }
    match follow(context, session, agent, talk, None)? {
        Ok(Came::Idle | Came::Asked(_) | Came::Overdue(_)) => {}
        Ok(Came::Given(next)) => return Ok(Some(next)),
        Ok(Came::Moved | Came::Ended(..)) => return Ok(Some(Next::On)),
        Ok(Came::Failed(hindrance)) => {
            // One that is too old for its own command says so in words that help nobody.
            let hindrance = context.leading.as_ref().and_then(|port| port.too_old()).unwrap_or(hindrance);
            return hindered(context, agent, &hindrance, talk).map(Some);
        }
        Err(unanswered) => return left(context, unanswered).map(Some),
    }
    leading::say_what_is_less(context)?;
    match context.leading.as_ref().map_or(Memory::None, |port| port.memory()) {
        Memory::None => {}
        Memory::Loaded => talk.led.told.remembered(),
        Memory::Lost => context.voice.say(&Reply::Text(format!(
            "{agent} could not load its earlier conversation and begins a new one; git grill gives it everything recorded \
             so far"
        )))?,
    }
    Ok(None)
}

/// Ends an agent that leads no more, since another terminal changed who asks.
pub(super) fn retire(context: &mut Context<'_>, session: &Session, talk: &mut Talk) -> Result<(), AppError> {
    let Some(agent) = context.leading.as_ref().and_then(|port| port.running()).map(str::to_owned) else {
        return Ok(());
    };
    if leading::leader(context, session)?.is_some() {
        return Ok(());
    }
    talk.led = Known::default();
    end(context)?;
    context.voice.say(&Reply::Text(format!("{agent} was ended: the interviewer was changed elsewhere")))
}

/// All that there is to know, for an agent that knows nothing yet.
pub(super) fn standing(context: &mut Context<'_>, session: &Session, agent: &str, talk: &Talk) -> String {
    if talk.led.told.is_new() { tools::standing(context, session, agent).0 } else { String::new() }
}

pub(super) fn tell(context: &mut Context<'_>, text: String) {
    if let Some(port) = &mut context.leading {
        port.tell(text);
    }
}

/// Shows what the agent does until something comes of it, here or at another terminal; what it says too, as it comes, where
/// the person talks with it. Questions of other servers are put meanwhile, and so is whether to wait for one that passed a
/// limit (A5).
pub(super) fn follow(
    context: &mut Context<'_>,
    session: &Session,
    agent: &str,
    talk: &mut Talk,
    mut spoken: Option<&mut Spoken>,
) -> Result<Result<Came, Unanswered>, AppError> {
    loop {
        let form = match followed(context, session, spoken.as_deref_mut())? {
            Ok(Came::Asked(form)) => form,
            Ok(Came::Overdue(overdue)) => match waits(context, session, agent, Some(&overdue), talk)? {
                Some(next) => return Ok(Ok(Came::Given(next))),
                None => continue,
            },
            other => return Ok(other),
        };
        if let Some(unanswered) = servers::put(context, session, agent, &form)? {
            return Ok(Err(unanswered));
        }
    }
}

fn followed(
    context: &mut Context<'_>,
    session: &Session,
    mut spoken: Option<&mut Spoken>,
) -> Result<Result<Came, Unanswered>, AppError> {
    let Context { prompter, leading, dispatcher, voice, .. } = context;
    let Some(port) = leading else { return Ok(Ok(Came::Idle)) };
    let voice = &**voice;
    let store = dispatcher.store;
    let mut came = None;
    let mut failed = None;
    let mut looks = 0;
    let mut last = (String::new(), Vec::new());
    let followed: Prompted<()> = prompter.follow(&mut || {
        looks += 1;
        let looked = port.look();
        if let Some(spoken) = &mut spoken {
            spoken.hear(&port.heard());
        }
        let mut on = |(line, steps): &(String, Vec<String>)| Doing::On {
            line: line.clone(),
            steps: steps.clone(),
            said: spoken.as_mut().map(|spoken| spoken.lines(voice, At::Prompt)).unwrap_or_default(),
            saying: spoken.as_ref().map(|spoken| spoken.saying()).unwrap_or_default(),
        };
        // A form that was handed out has to be answered, whatever else moved.
        let looks_now = looks % LOOKS == 0 && !matches!(looked, Looked::Asks(_));
        if looks_now || matches!(looked, Looked::Recorded | Looked::Ended { .. }) {
            match store.load(&session.id) {
                Ok(loaded) if moved(session, &loaded.session) => {
                    came = Some(Came::Moved);
                    return Doing::Over;
                }
                Ok(_) => {}
                Err(error) => {
                    failed = Some(AppError::from(error));
                    return Doing::Over;
                }
            }
        }
        came = Some(match looked {
            Looked::On { line, steps } => {
                last = (line, steps);
                return on(&last);
            }
            Looked::Recorded => return on(&last),
            Looked::Idle => Came::Idle,
            Looked::Asks(form) => Came::Asked(form),
            Looked::Ended { how, said } => Came::Ended(how, said),
            Looked::Overdue(overdue) => Came::Overdue(overdue),
            Looked::Failed(hindrance) => Came::Failed(hindrance),
        });
        Doing::Over
    });
    if let Some(failed) = failed {
        return Err(failed);
    }
    Ok(followed.answered().map(|()| came.unwrap_or(Came::Idle)))
}

/// Whether the session waits for somebody else than before.
pub(super) fn moved(before: &Session, now: &Session) -> bool {
    let waits_as_before = matches!(
        (&before.phase, &now.phase),
        (Phase::Interview(Floor::Free), Phase::Interview(Floor::Free))
            | (Phase::Interview(Floor::Discussion { .. }), Phase::Interview(Floor::Discussion { .. }))
    );
    now.settings.interviewer != before.settings.interviewer || (now.phase != before.phase && !waits_as_before)
}

/// The person left: the agent is told to stop, and ends with the conversation.
pub(super) fn left(context: &mut Context<'_>, unanswered: Unanswered) -> Result<Next, AppError> {
    end(context)?;
    match unanswered {
        Unanswered::Cancelled { .. } => Ok(paused(Kept::Nothing)),
        other @ (Unanswered::Interrupted { .. }
        | Unanswered::Unavailable(_)
        | Unanswered::Lost { .. }
        | Unanswered::TimedOut { .. }) => Err(not_answered("the interview")(other)),
    }
}

/// Says what stands in the way, and asks how it goes on. Nothing that was recorded is lost by any of it.
pub(super) fn hindered(
    context: &mut Context<'_>,
    agent: &str,
    hindrance: &Hindrance,
    talk: &mut Talk,
) -> Result<Next, AppError> {
    let error = AppError::Environment {
        code: "agent",
        message: hindrance.sentence.clone(),
        causes: Vec::new(),
        hint: Some(hindrance.advice.clone()).filter(|advice| !advice.is_empty()),
    };
    stopped(context, agent, &error, talk)
}

/// The same for what stands in the way as an error.
pub(super) fn stopped(
    context: &mut Context<'_>,
    agent: &str,
    error: &AppError,
    talk: &mut Talk,
) -> Result<Next, AppError> {
    talk.led = Known::default();
    recover(context, error)?;
    end(context)?;
    goes_on(context, agent, talk)
}

/// Ends the agent; what another server asked through it and was not shown is declined.
pub(super) fn end(context: &mut Context<'_>) -> Result<(), AppError> {
    servers::unasked(context)?;
    if let Some(port) = &mut context.leading {
        port.cancel();
        port.end();
    }
    Ok(())
}
