//! A host that brings its own roles, by the tool `grill_debate` (D19): it is handed the prompt of the next role, and hands its
//! text in. Citations are checked as those of any other text.

use crate::app::context::Context;
use crate::app::dispatcher::Envelope;
use crate::app::error::AppError;
use crate::app::reply::Outcome;
use crate::domain::actor::Actor;
use crate::domain::debate::role::Player;
use crate::domain::debate::round::Cost;
use crate::domain::debate::shown::next_in_words;
use crate::domain::debate::{self, Submission, Text};
use crate::domain::harmless::harmless;
use crate::domain::session::Session;

use super::looking::looked;
use super::newest;
use super::prompt::prompt;

/// What came of the call, and what the host is told.
pub fn hosted(
    context: &mut Context<'_>,
    session: &Session,
    by: &Actor,
    submission: Option<&Submission>,
) -> Result<(Outcome, String), AppError> {
    let Some(Submission { role, round, text }) = submission else {
        let told = next(session)?;
        return Ok((Outcome::nothing(session.clone()), told));
    };
    let (number, now) = newest(session)?;
    let part = now.awaits().filter(|part| part.role() == *role);
    let Some(part) = part else {
        return Err(debate::Refusal::OutOfTurn { deed: "the text was not taken", next: next_in_words(now) }.into());
    };
    let text = harmless(text).into_owned();
    let looked = looked(context, session, number, part, &text);
    let (round, cost) = (*round, Cost::default());
    let text = Text { debate: number, round, part, by: Player::Host, looked, text, cost };
    let command = debate::Command::Take(Box::new(text)).into();
    let outcome = context.handle_each(&session.id, &[Envelope { actor: by.clone(), command }])?;
    let told = next(&outcome.after)?;
    Ok((outcome, told))
}

/// What is next, with the prompt where it is the host's to pass on.
fn next(session: &Session) -> Result<String, AppError> {
    let (number, debate) = newest(session)?;
    let part = debate.awaits().filter(|part| debate.players.of(part.role()) == Some(&Player::Host));
    let Some(part) = part else {
        return Ok(format!(
            "{}. That is not yours: the user goes on with git grill debate, at the terminal. Wait for it.",
            next_in_words(debate)
        ));
    };
    let (role, round) = (part.role(), debate.course().round());
    let told = prompt(&session.own.debate, number, debate, part, &[])?;
    Ok(format!(
        "Have a fresh subagent write as {role}, in round {round}. Pass it this prompt and nothing else; then call \
         grill_debate with action submit, role {role}, round {round} and its text.\n\n{told}"
    ))
}
