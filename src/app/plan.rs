//! Plan mode: turned on and off, a plan set, shown and executed, its steps settled (P10 to P17).

mod checking;
mod heard;
mod lending;
mod looking;
mod reviewing;
mod taking;

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::decide::decide;
use crate::domain::harmless::harmless;
use crate::domain::ids::SessionId;
use crate::domain::plan::derived;
use crate::domain::plan::named::checks;
use crate::domain::plan::progress::{self, Glyph, Tally, WidgetLine};
use crate::domain::plan::{self, PlanSource, Settlement, State, cited, parse};
use crate::domain::posture::Posture;
use crate::domain::session::Session;
use crate::domain::text::{Line, Topic};

use super::beginning::begin_without_interview;
use super::context::{Context, Subject};
use super::dispatcher::Envelope;
use super::error::{AppError, not_answered};
use super::gate::name_drift;
use super::reply::Reply;
use super::revising::{kept, kept_apart};

pub use heard::{Heard, hear, propose};
pub use lending::execute_by;
pub use reviewing::{Review, review};
pub use taking::take;

pub use self::checking::check;
pub use self::looking::{look, look_after, outside};

/// The topic of a new session, if nobody typed one.
const TOPIC: &str = "plan mode";
/// What an editor holds where there is no plan yet.
const TEMPLATE: &str = "Plan:\n\n1. \n";

impl From<plan::Refusal> for AppError {
    fn from(refusal: plan::Refusal) -> Self {
        Self::Refused(refusal.into())
    }
}

/// Turns plan mode on or off, or the other way round. Where no session is active, turning it on begins one in which
/// nothing is asked (P13).
pub fn set_mode(context: &mut Context<'_>, on: Option<bool>, topic: Option<Topic>) -> Result<Reply, AppError> {
    let session = match context.session() {
        Ok(session) => session,
        Err(AppError::NoSession) if on != Some(false) => return begin(context, topic),
        Err(other) => return Err(other),
    };
    if let Some(topic) = topic.filter(|topic| topic.normalised() != session.topic.normalised()) {
        return Err(AppError::Usage {
            message: format!("no session about \"{topic}\" was begun: the one about \"{}\" is active", session.topic),
            hint: "git grill plan on, without a topic, turns plan mode on in it".to_owned(),
        });
    }
    let on = on.unwrap_or(!session.own.plan.is_on());
    let command: Command = plan::Command::SetMode { on }.into();
    let same = if on { "plan mode is on already" } else { "plan mode is off already" };
    let changes = allowed(context, &session, &command)?;
    // What was changed while nothing was refused is no drift.
    if changes && on && Posture::of(&session.phase) == Posture::Open {
        let snapped = context.baseline.take()?;
        context.keep_baseline(&snapped, &session.id)?;
    }
    told(context, &session, command, same)
}

fn begin(context: &mut Context<'_>, topic: Option<Topic>) -> Result<Reply, AppError> {
    let topic = topic.map_or_else(|| Topic::parse(TOPIC), Ok)?;
    let mut begun = begin_without_interview(context, topic)?;
    if let Reply::Arrived { outcome, .. } = &mut begun {
        let further = context.handle(&outcome.after.id, plan::Command::SetMode { on: true }.into())?;
        **outcome = outcome.as_ref().clone().then(further);
    }
    Ok(begun)
}

/// Sets the plan that this text holds; without one, what the person writes in their editor.
pub fn set(context: &mut Context<'_>, text: Option<&str>) -> Result<Reply, AppError> {
    let session = context.session()?;
    let Some(text) = text else {
        return edit(context, &session);
    };
    let subject = subject();
    set_text(context, &session, text).map_err(|error| kept_apart(context, &subject, text, error))
}

fn subject() -> Subject {
    Subject { what: "the plan".to_owned(), ending: "-plan.md".to_owned() }
}

fn set_text(context: &mut Context<'_>, session: &Session, text: &str) -> Result<Reply, AppError> {
    let steps = parse::set_from(text)?;
    let command = plan::Command::SetPlan { steps, source: PlanSource::Text };
    told(context, session, command.into(), "this is the plan already")
}

fn edit(context: &mut Context<'_>, session: &Session) -> Result<Reply, AppError> {
    context.need_person("writing a plan", "git grill plan set - < plan.md")?;
    let subject = subject();
    let now = &session.own.plan;
    let before = if now.steps.is_empty() { TEMPLATE.to_owned() } else { text(now) };
    let after = context.editor.edit(&subject, &before)?;
    if after == before {
        context.editor.forget(&subject);
        return Err(AppError::Cancelled("writing a plan"));
    }
    let reply = set_text(context, session, &after).map_err(|error| kept(context, &subject, &after, error))?;
    context.editor.forget(&subject);
    Ok(reply)
}

/// The plan as Markdown, from which it is read back.
fn text(plan: &State) -> String {
    let items = plan.numbered().map(|(number, step)| parse::item(number, step.text.as_str()));
    format!("Plan:\n\n{}", items.collect::<String>())
}

/// How much of each step is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// Its first line.
    Gist,
    Whole,
}

/// The steps and how far each is, of the active session or of another one; says so where there is no plan (P12). While
/// a plan is executed here, its progress is derived: a claim for which there is evidence now is recorded as done.
pub fn show(context: &mut Context<'_>, wanted: Option<&SessionId>, shows: Shows) -> Result<Reply, AppError> {
    let session = if let Some(id) = wanted {
        context.dispatcher.store.load(id)?.session
    } else {
        let session = context.session()?;
        looking::look_and_record(context, session)
    };
    let (lines, signs) = if session.own.plan.steps.is_empty() {
        (vec![no_plan(context, &session)], Vec::new())
    } else {
        (lines(&session, shows), signs(&session.own.plan))
    };
    Ok(Reply::Shown { session: Box::new(session), lines, signs })
}

/// A plan is set in the session that is active here, and in no other.
fn no_plan(context: &Context<'_>, session: &Session) -> String {
    if !session.is_closed() && context.active().is_ok_and(|id| id == session.id) {
        "no plan yet; git grill plan set - < plan.md sets one, and so does an agent".to_owned()
    } else {
        format!("session {} has no plan; git grill sessions lists the others", session.id)
    }
}

fn lines(session: &Session, shows: Shows) -> Vec<String> {
    let plan = &session.own.plan;
    let mut lines = steps(session, shows);
    lines.push(match (plan.is_executing(), plan.is_all_marked()) {
        (true, true) => Tally::of(plan).completion(),
        (true, false) => Tally::of(plan).in_words(),
        (false, _) if Tally::of(plan).is_all_finished() => format!("carried out: {}", Tally::of(plan).in_words()),
        (false, _) if plan.steps.iter().all(plan::Step::is_marked) => Tally::of(plan).completion(),
        (false, _) if !plan.notes.is_empty() => {
            "its notes are not answered yet; git grill plan review --drop withdraws them".to_owned()
        }
        (false, _) if session.is_closed() => {
            format!("never executed; git grill plan take {} takes it over", session.id)
        }
        (false, _) => "not being executed; git grill plan execute approves it and lets changes through".to_owned(),
    });
    lines
}

fn signs(plan: &State) -> Vec<Glyph> {
    progress::signs(&progress::list(plan))
}

/// The steps, each with its symbol, the decisions that it serves, and the note on it.
fn steps(session: &Session, shows: Shows) -> Vec<String> {
    let plan = &session.own.plan;
    let steps = plan.steps.len();
    let drawn = |line: &WidgetLine| {
        let step = plan.step(line.number);
        let because = step.and_then(|step| plan.derived(step).because());
        let because = because.map(|because| format!(" ({because})")).unwrap_or_default();
        let first = line.line(steps) + &because;
        let text = step.map_or("", |step| step.text.as_str());
        let indent = format!("\n{}", " ".repeat(steps.to_string().len() + "☐ . ".chars().count()));
        let below = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("{indent}{line}") };
        let rest = text.lines().skip(1).map(below);
        let drawn = if shows == Shows::Whole { rest.fold(first, |whole, more| whole + &more) } else { first };
        let served = step.map(|step| cited::served(session, step)).unwrap_or_default();
        let drawn = served.iter().fold(drawn, |drawn, served| drawn + &indent + &served.line());
        let note = plan.notes.iter().find(|note| note.step == line.number);
        let note = note.map(|note| format!("note: {}", note.text)).unwrap_or_default();
        note.lines().fold(drawn, |drawn, line| drawn + &below(line))
    };
    progress::list(plan).iter().map(drawn).collect()
}

/// Executes the plan: a person sees it, and their yes approves exactly this one (P13, P14).
pub fn execute(context: &mut Context<'_>) -> Result<Reply, AppError> {
    let mut session = context.session()?;
    let shown = session.own.plan.plan().ok_or(plan::Refusal::NoPlan)?;
    look(context, &mut session);
    let command: Command = plan::Command::Execute { shown }.into();
    if allowed(context, &session, &command)? && context.actor == Actor::Human {
        name_drift(context, &session)?;
        let mut lines = steps(&session, Shows::Whole);
        lines.extend(to_be_run(&session.own.plan));
        lines.extend(session.own.plan.source.as_ref().map(plan::Source::in_words));
        let signs = signs(&session.own.plan);
        context.voice.say(&Reply::Shown { session: Box::new(session.clone()), lines, signs })?;
        let question = "Execute this plan? Plan mode ends, and git grill refuses nothing until you turn it on again.";
        let yes = context.prompter.confirm(question).answered().map_err(not_answered("executing the plan"))?;
        if !yes {
            return Err(AppError::Cancelled("executing the plan"));
        }
    }
    begin_execution(context, &session, command)
}

/// The checks that a person approves with the plan, as they are shown.
fn to_be_run(plan: &State) -> Vec<String> {
    let run = |(number, step): (u32, &plan::Step)| {
        let commands = checks(step.text.as_str());
        let line = |command: &Line| format!("step {number} is checked by running: {}", harmless(command.as_str()));
        commands.iter().map(line).collect::<Vec<_>>()
    };
    plan.numbered().flat_map(run).collect()
}

/// Takes a new baseline, and records the approval: later changes are work on the plan. If this is cut off, running it
/// again takes another baseline.
fn begin_execution(context: &mut Context<'_>, session: &Session, command: Command) -> Result<Reply, AppError> {
    // It may have moved while the person was asked, and then nothing begins.
    let session = context.dispatcher.store.load(&session.id)?.session;
    if allowed(context, &session, &command)? && context.dispatcher.outside.is_none() {
        let snapped = context.baseline.take()?;
        context.note_named(&session.id, &derived::paths(&session.own.plan))?;
        context.keep_baseline(&snapped, &session.id)?;
    }
    told(context, &session, command, "the plan is being executed already")
}

/// Settles a step by the word of whoever is here.
pub fn settle(context: &mut Context<'_>, steps: &[u32], to: Settlement) -> Result<Reply, AppError> {
    let mut session = context.session()?;
    let envelope = |step: &u32| {
        let command: Command = plan::Command::Settle { step: *step, to }.into();
        Envelope { actor: context.actor.clone(), command }
    };
    let envelopes: Vec<Envelope> = steps.iter().map(envelope).collect();
    for envelope in &envelopes {
        allowed(context, &session, &envelope.command)?;
    }
    look(context, &mut session);
    let mut outcome = context.handle_each(&session.id, &envelopes)?;
    looking::seen(&mut outcome, &session);
    Ok(if outcome.events.is_empty() { unchanged("that is so already") } else { Reply::Happened(Box::new(outcome)) })
}

/// Whether the rules let this happen, and something would come of it. What they refuse is asked of nobody.
fn allowed(context: &Context<'_>, session: &Session, command: &Command) -> Result<bool, AppError> {
    Ok(!decide(session, &context.actor, context.dispatcher.clock.now(), command)?.is_empty())
}

/// Decides on a command, and says so where it changes nothing.
fn told(context: &mut Context<'_>, session: &Session, command: Command, same: &str) -> Result<Reply, AppError> {
    let mut outcome = context.handle(&session.id, command)?;
    if outcome.events.is_empty() {
        return Ok(unchanged(same));
    }
    look_after(context, &mut outcome);
    Ok(Reply::Happened(Box::new(outcome)))
}

fn unchanged(same: &str) -> Reply {
    Reply::Text(format!("{same}; nothing changed"))
}
