//! A host that brings its own roles, by the tool `grill_debate` (D19): it is handed the prompt of the next role, and hands its
//! text in. Citations are checked as those of any other text. What the user is asked is put to them by a form of the host's
//! client, one question a call, and never answered by the host.

use crate::app::context::Context;
use crate::app::dispatcher::Envelope;
use crate::app::error::{AppError, not_answered};
use crate::app::prompt::{PickPrompt, Picked, Unanswered};
use crate::app::reply::Outcome;
use crate::domain::actor::Actor;
use crate::domain::debate::due::Due;
use crate::domain::debate::role::Player;
use crate::domain::debate::round::Cost;
use crate::domain::debate::shown::next_in_words;
use crate::domain::debate::{self, Answers, Debate, Faults, Submission, Text};
use crate::domain::harmless::on_one_line;
use crate::domain::session::Session;

use super::deciding::{self, Asked};
use super::hearing::{DEED, form, said_in, turn};
use super::looking::looked;
use super::prompt::prompt;
use super::{conclude, newest};

/// What came of the call, and what the host is told.
pub fn hosted(
    context: &mut Context<'_>,
    session: &Session,
    by: &Actor,
    submission: Option<&Submission>,
) -> Result<(Outcome, String), AppError> {
    let Some(Submission { debate, role, round, text }) = submission else {
        return match heard(context, session)? {
            Some(outcome) => {
                let told = next(&outcome.after)?;
                Ok((outcome, format!("The user answered.\n\n{told}")))
            }
            None => Ok((Outcome::nothing(session.clone()), next(session)?)),
        };
    };
    let (number, now) = newest(session)?;
    if number != *debate {
        return Err(debate::Refusal::superseded(debate::NOT_TAKEN, *debate, (number, now)).into());
    }
    let part = now.awaits().filter(|part| part.role() == *role);
    let Some(part) = part else {
        return Err(debate::Refusal::OutOfTurn { deed: debate::NOT_TAKEN, next: next_in_words(now) }.into());
    };
    let looked = looked(context, session, number, part, text);
    let (round, cost) = (*round, Cost::default());
    let told = Answers::of(now);
    let text = Text { debate: number, round, part, by: Player::Host, text: text.clone(), told, looked, cost };
    let command = debate::Command::Take(Box::new(text)).into();
    let outcome = context.handle_each(&session.id, &[Envelope { actor: by.clone(), command }])?;
    let outcome = conclude(context, outcome)?;
    let told = next(&outcome.after)?;
    Ok((outcome, told))
}

/// What is next, with the prompt where it is the host's to pass on.
fn next(session: &Session) -> Result<String, AppError> {
    let (number, debate) = newest(session)?;
    let part = debate.awaits().filter(|part| debate.players.of(part.role()) == Some(&Player::Host));
    let Some(part) = part else {
        let next = next_in_words(debate);
        return Ok(if due_to_the_user(debate).is_some() || Asked::due(debate).is_some() {
            format!(
                "{next}. This step is the user's. If your client shows forms, call grill_debate with action next: it asks \
                 the user. Otherwise they answer with git grill debate, at the terminal; wait for it."
            )
        } else {
            format!(
                "{next}. This step is not for you: the user continues with git grill debate, at the terminal. Wait for it."
            )
        });
    };
    let (role, round) = (part.role(), debate.course().round());
    let told = prompt(&session.own.debate, number, debate, part, &Faults::default())?;
    Ok(format!(
        "Have a fresh subagent write as {role}, in round {round} of debate {number}. Pass it this prompt and nothing else; then call \
         grill_debate with action submit, debate {number}, role {role}, round {round} and its text.\n\n{told}"
    ))
}

/// The question that is next, unless a proxy answers it.
fn due_to_the_user(debate: &Debate) -> Option<Due<'_>> {
    debate.due().filter(|_| debate.players.proxy.is_none())
}

/// Puts the question that is next to the user, by a form of the host's client, and records what they say. None where nothing
/// is to be asked, or no form can be shown.
fn heard(context: &mut Context<'_>, session: &Session) -> Result<Option<Outcome>, AppError> {
    let (number, debate) = newest(session)?;
    if !(context.prompter.later() || context.prompter.at_hand()) {
        return Ok(None);
    }
    let command = if let Some(asked) = Asked::due(debate) {
        let choices = asked.offered();
        let (question, background) = (asked.question.clone(), vec![deciding::background(session, number, debate)]);
        let heading = format!("{} · your decision", on_one_line(debate.name.as_str()));
        let prompt = PickPrompt { heading, question, choices, background, ..PickPrompt::default() };
        let chosen = match picked(context, deciding::DEED, &prompt)? {
            Picked::Choice { index, .. } => asked.choices.get(index),
            Picked::Wrote(_) | Picked::Discuss => None,
        };
        let (_, decision) = chosen.ok_or(AppError::Cancelled(deciding::DEED))?;
        deciding::word(number, debate, *decision)
    } else if let Some(due) = due_to_the_user(debate) {
        let prompt = form(&session.own.debate, number, debate, &due);
        said_in(turn(number, debate), &due, &prompt, picked(context, DEED, &prompt)?)?
    } else {
        return Ok(None);
    };
    let by_the_user = Envelope { actor: Actor::Human, command: command.into() };
    context.handle_each(&session.id, &[by_the_user]).and_then(|outcome| conclude(context, outcome)).map(Some)
}

/// What the user picked in a form.
fn picked(context: &mut Context<'_>, deed: &'static str, prompt: &PickPrompt) -> Result<Picked, AppError> {
    match context.prompter.pick(prompt).answered() {
        Ok(picked) => Ok(picked),
        // No form was shown, or not yet.
        Err(Unanswered::Unavailable(why)) => {
            let hint = "git grill debate, at the terminal, asks the user".to_owned();
            Err(AppError::NeedsPerson { deed: deed.to_owned(), why: why.to_owned(), hint })
        }
        Err(unanswered) => Err(not_answered(deed)(unanswered)),
    }
}
