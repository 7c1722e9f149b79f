//! Who asks: `git grill interviewer`, and beginning with an agent that is started here (G55). Starting one takes a person's
//! yes at a terminal (A11), which names the agent and what is sent.

use serde_json::json;

use crate::app::beginning::Wanted;
use crate::app::consent::{INTERVIEW as DEED, Purpose, always, choices, question};
use crate::app::context::Context;
use crate::app::error::{AppError, not_answered};
use crate::app::ports::{Hindrance, Leader, Walls, Within};
use crate::app::prompt::Choice;
use crate::app::reply::{Plain, Reply, Traits};
use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::harmless::harmless;
use crate::domain::session::Session;
use crate::domain::settings::{Interviewer, Research, Setting, led_by};

use super::interview::happened;
use super::{Manner, begin};

/// The agent that this clone's person chose to lead this session, where one can be led and a person types.
pub(super) fn leader(context: &Context<'_>, session: &Session) -> Result<Option<String>, AppError> {
    if context.actor == Actor::Human { chosen(context, session) } else { Ok(None) }
}

/// The same, whoever looks.
pub(super) fn chosen(context: &Context<'_>, session: &Session) -> Result<Option<String>, AppError> {
    let (Interviewer::Agent(asks), Some(leading)) = (&session.settings.interviewer, &context.leading) else {
        return Ok(None);
    };
    Ok(leading.chosen(&session.id)?.map(|(agent, _)| agent).filter(|agent| agent == asks))
}

/// Begins a session that an agent leads from here.
pub(super) fn begun(context: &mut Context<'_>, wanted: Wanted, agent: &str, manner: Manner) -> Result<Reply, AppError> {
    known(context, agent)?;
    if manner == Manner::Single {
        return Err(AppError::NeedsPerson {
            deed: DEED.to_owned(),
            why: context.can_ask().err().unwrap_or_else(|| "this is no conversation".to_owned()),
            hint: format!(
                "type it at a terminal; --interviewer built-in asks without an agent, and agent:{agent} waits for \
                           one that asks from outside"
            ),
        });
    }
    let hint = format!("git grill start --interviewer {agent}, at a terminal");
    let purpose = Purpose::Interview(wanted.settings.research);
    let Some(within) = agreed(context, agent, Asked::About(wanted.settings.research), purpose, &hint)? else {
        let settings = crate::domain::settings::Settings { interviewer: Interviewer::BuiltIn, ..wanted.settings };
        return begin::began(context, Wanted { settings, ..wanted }, manner);
    };
    let reply = crate::app::beginning::begin(context, wanted, crate::app::beginning::Doubt::Asks)?;
    let session = context.session()?;
    let asks = Interviewer::Agent(agent.to_owned());
    if session.settings.interviewer != asks {
        context.handle(&session.id, Command::Configure(Setting::Interviewer(asks)))?;
    }
    with(context)?.choose(&session, Some((agent, within)))?;
    super::conversation::go_on(context, reply, manner)
}

pub(super) fn interviewer(context: &mut Context<'_>, value: Option<&str>) -> Result<Reply, AppError> {
    let session = context.session()?;
    let Some(value) = value else {
        return Ok(Reply::setting("interviewer", &session.settings.interviewer.to_string()));
    };
    if is_so(context, &session, value)? {
        return Ok(is_so_already(&session.settings.interviewer));
    }
    let (asks, agent) = match led_by(value) {
        Some(agent) => {
            known(context, agent)?;
            let hint = format!("git grill interviewer {agent}, at a terminal");
            context.need_person(DEED, &hint)?;
            match agreed(context, agent, Asked::In(&session), Purpose::of(&session), &hint)? {
                Some(within) => (Interviewer::Agent(agent.to_owned()), Some((agent, within))),
                // Who takes no agent here takes the built-in interviewer, in its choice's own words.
                None => (Interviewer::BuiltIn, None),
            }
        }
        None => (value.parse()?, None),
    };
    if let Some(leading) = &mut context.leading {
        if leading.running().is_some_and(|running| agent.is_none_or(|(agent, _)| agent != running)) {
            leading.end();
        }
        leading.choose(&session, agent)?;
    }
    context.handle_and_advance(&session.id, Command::Configure(Setting::Interviewer(asks))).map(happened)
}

/// Says what the agent that runs does with less: what its run goes without, and what its version is too old for.
pub(super) fn say_what_is_less(context: &mut Context<'_>) -> Result<(), AppError> {
    let Some(port) = &context.leading else { return Ok(()) };
    let (without, too_old) = (port.goes_without(), port.too_old());
    for said in without {
        context.voice.say(&Reply::Text(format!("warning: {said}")))?;
    }
    match too_old {
        Some(Hindrance { sentence, advice }) => context.voice.say(&Reply::Text(format!("{sentence}\n{advice}"))),
        None => Ok(()),
    }
}

/// Whether this is who asks already. The bare name of an agent is one that is started here; `agent:<name>` is that one too
/// while it leads.
fn is_so(context: &Context<'_>, session: &Session, value: &str) -> Result<bool, AppError> {
    match led_by(value) {
        Some(name) => Ok(chosen(context, session)?.as_deref() == Some(name)),
        None => Ok(value.parse::<Interviewer>()? == session.settings.interviewer),
    }
}

/// What is said to that: nobody is asked for consent, and no agent is ended or started.
fn is_so_already(asks: &Interviewer) -> Reply {
    let name = asks.to_string();
    let text = format!("the interviewer is {} already; nothing changes", harmless(&name));
    let fields = vec![("interviewer", json!(name)), ("changed", json!(false))];
    Reply::Plain(Plain { text, fields, traits: Traits::SHORT })
}

/// Has the built-in interviewer lead from here on, in the same session.
pub(super) fn built_in(context: &mut Context<'_>) -> Result<(), AppError> {
    let reply = interviewer(context, Some("built-in"))?;
    context.voice.say(&reply)
}

pub(super) fn with<'d>(context: &'d mut Context<'_>) -> Result<&'d mut dyn crate::app::ports::Leading, AppError> {
    match &mut context.leading {
        Some(leading) => Ok(&mut **leading),
        None => Err(AppError::Usage {
            message: "no agent can be started as the interviewer here".to_owned(),
            hint: "type it at a terminal, outside of every run; --interviewer built-in needs no agent".to_owned(),
        }),
    }
}

fn known(context: &mut Context<'_>, agent: &str) -> Result<Leader, AppError> {
    with(context)?.known(agent)
}

/// What is known of the session that an agent is to be started for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked<'a> {
    /// How much it sees; the session has yet to begin, or there is none.
    About(Research),
    In(&'a Session),
}

impl Asked<'_> {
    fn research(self) -> Research {
        match self {
            Self::About(research) => research,
            Self::In(session) => session.settings.research,
        }
    }
}

/// Whether the agent is there to be started. Where it is not, its consent is not asked for: the person installs it and
/// looks again, or goes on without it.
fn installed(context: &mut Context<'_>, agent: &str, purpose: Purpose, hint: &str) -> Result<bool, AppError> {
    while let Some(missing) = with(context)?.missing(agent)? {
        let Hindrance { sentence, advice } = missing;
        if matches!(purpose, Purpose::Trial(_)) || context.can_ask().is_err() {
            let hint = if advice.is_empty() { hint.to_owned() } else { advice };
            let (message, causes) = (sentence, Vec::new());
            return Err(AppError::Environment { code: "not_installed", message, causes, hint: Some(hint) });
        }
        let without = if matches!(purpose, Purpose::Plan(_)) {
            Choice::of("built-in", "Continue without an agent", "the built-in interviewer asks nothing about a plan")
        } else {
            let meaning = "it asks without an agent; git grill interviewer changes that";
            Choice::of("built-in", "Use the built-in interviewer", meaning)
        };
        let choices = [without, Choice::of("again", "Look again", "once it is installed")];
        let question = [sentence, advice].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
        let chosen = context.prompter.choose(&question, &choices).answered().map_err(not_answered(purpose.deed()))?;
        if choices.get(chosen).is_none_or(|choice| choice.value == "built-in") {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Within what the person agrees that this agent is started, if they do. What they are asked names it, what is sent, and
/// what is missing around it; `hint` says how they are asked where nobody can be.
pub(super) fn agreed(
    context: &mut Context<'_>,
    agent: &str,
    asked: Asked<'_>,
    purpose: Purpose,
    hint: &str,
) -> Result<Option<Within>, AppError> {
    let research = asked.research();
    let leader = known(context, agent)?;
    if !installed(context, agent, purpose, hint)? {
        return Ok(None);
    }
    let walls = with(context)?.walls();
    let lets = "--research ask or auto lets it read; --interviewer built-in asks without it";
    if let Some(error) = unkept(agent, research, &walls, lets) {
        return Err(error);
    }
    let within = match &walls {
        Walls::Hold => Within::Walls,
        Walls::Missing(_) => Within::WhatThereIs,
    };
    // A yes to this agent in this session holds as long as the session does, whoever asked meanwhile.
    if let Asked::In(session) = asked
        && with(context)?.agreed_in(session, agent, within)?
    {
        return Ok(Some(within));
    }
    // With research `ask` each start is asked for: a remembered yes was about something else.
    if walls == Walls::Hold && research != Research::Ask && with(context)?.agreed(agent)? {
        return Ok(Some(within));
    }
    context.need_person(purpose.deed(), hint)?;
    // What is remembered lets it read.
    let can_stay = walls == Walls::Hold && research == Research::Auto;
    let mut choices = Vec::from(choices(purpose));
    if can_stay {
        choices.insert(1, always());
    }
    let question = question(&leader, purpose, &walls);
    let chosen = context.prompter.choose(&question, &choices).answered().map_err(not_answered(purpose.deed()))?;
    match choices.get(chosen).map(|choice| choice.value.as_str()) {
        Some("once") => Ok(Some(within)),
        Some("always") => with(context)?.agree(agent).map(|()| Some(within)),
        Some(_) | None => Ok(None),
    }
}

/// The error where an agent must not read the repository, and nothing can keep it from that.
pub(super) fn unkept(agent: &str, research: Research, walls: &Walls, hint: &str) -> Option<AppError> {
    let (Walls::Missing(why), Research::Off) = (walls, research) else { return None };
    Some(AppError::Environment {
        code: "no_walls",
        message: format!(
            "{agent} was not started: with research off it must not read the repository, and nothing here can keep it \
             from that"
        ),
        causes: vec![why.clone()],
        hint: Some(hint.to_owned()),
    })
}
