//! An output selection that the agent wanted to open and the referee holds (G57): the user sees what holds it, and waves it
//! through by name or has the agent go on asking.

use std::fmt::Write as _;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::prompt::{Choice, Many, ManyPrompt, Unanswered};
use crate::app::reply::Reply;
use crate::app::waiving;
use crate::app::watched::watched;
use crate::domain::concern::Concern;
use crate::domain::harmless::harmless;
use crate::domain::session::{Phase, Session};

use super::led::{left, moved};
use super::{Next, Talk, recover, typed};

/// The most concerns that are shown at once.
const MOST: usize = 20;

/// What holds the output selection that the agent wanted to open since this was asked last; nothing where it opened none, or
/// where nothing holds it any more.
pub(super) fn concerns(context: &mut Context<'_>, session: &Session) -> Result<Vec<Concern>, AppError> {
    let held = context.leading.as_mut().is_some_and(|port| port.held());
    if !held || !matches!(session.phase, Phase::Interview(_)) {
        return Ok(Vec::new());
    }
    waiving::holding(context, session)
}

/// Says what holds it, above the question that the agent asked instead.
pub(super) fn show(
    context: &mut Context<'_>,
    session: &Session,
    agent: &str,
    held: &[Concern],
) -> Result<(), AppError> {
    let Some(first) = held.first() else { return Ok(()) };
    let mut text = format!("{}:", comes_first(session, agent));
    // Writing to a String cannot fail.
    for one in held.iter().take(MOST) {
        let _ = write!(text, "\n- {}: {}", one.name, one.says);
    }
    if held.len() > MOST {
        let _ = write!(text, "\n- and {} more; /waive lists them all", held.len() - MOST);
    }
    let _ = write!(text, "\n/waive {} waives that one; {agent} asks about the others", first.name);
    context.voice.say(&Reply::Text(harmless(&text).into_owned()))
}

/// Has the user wave through what they will, once the agent ended its turn at it: what it is told then.
pub(super) fn settle(
    context: &mut Context<'_>,
    session: &Session,
    agent: &str,
    mut held: Vec<Concern>,
    talk: &mut Talk,
) -> Result<Result<String, Next>, AppError> {
    let mut now = session.clone();
    while !held.is_empty() {
        let prompt = prompt(&now, agent, &held);
        let asked = watched(context, &now, |context| context.prompter.choose_many_or_verb(&prompt));
        match asked.answered() {
            Ok(Many::Chosen(taken)) if taken.is_empty() => break,
            Ok(Many::Chosen(taken)) => {
                let names: Vec<String> =
                    taken.iter().filter_map(|at| held.get(*at)).map(|one| one.name.clone()).collect();
                match waiving::waive(context, &names) {
                    Ok(reply) => {
                        context.voice.say(&reply)?;
                        held = waiving::holding(context, &now)?;
                        break;
                    }
                    Err(error) => recover(context, &error)?,
                }
            }
            Ok(Many::Verb(line)) => {
                if let done @ Next::Done(_) = typed::verb(context, talk, &line)? {
                    return Ok(Err(done));
                }
                // What was mistyped here is no draft of an answer.
                talk.unsent = None;
            }
            // Something was recorded elsewhere.
            Err(Unanswered::TimedOut { .. }) => {}
            Err(unanswered) => return left(context, unanswered).map(Err),
        }
        now = context.session()?;
        if moved(session, &now) {
            return Ok(Err(Next::On));
        }
        held = waiving::holding(context, &now)?;
    }
    let now = context.session()?;
    Ok(Ok(talk.led.told.held(&now, &held)))
}

fn comes_first(session: &Session, agent: &str) -> String {
    let intensity = session.settings.intensity;
    format!("{agent} wants to open the output selection; at intensity {intensity} these come first")
}

fn prompt(session: &Session, agent: &str, held: &[Concern]) -> ManyPrompt {
    ManyPrompt {
        question: format!(
            "{}. Which do you waive? {agent} asks about the others, or about all if you select none.",
            comes_first(session, agent)
        ),
        choices: held.iter().map(|one| Choice::of(&one.name, &one.name, &harmless(one.says.as_str()))).collect(),
        ..ManyPrompt::default()
    }
}
