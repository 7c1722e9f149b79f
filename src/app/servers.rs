//! Questions that other MCP servers put through the agent that leads: recorded with what became of them, before anything
//! is sent (A18).

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::harmless::harmless;
use crate::domain::ids::SessionId;
use crate::domain::server_form::{ServerForm, ServerValue};
use crate::domain::server_question::{SentValue, ServerOutcome, ServerQuestion};
use crate::domain::text::{Line, Prose};

use super::context::Context;
use super::dispatcher::Envelope;
use super::error::AppError;

/// Records a question and what became of it. What was not the user's to say is recorded as git grill's own.
pub fn record(
    context: &mut Context<'_>,
    session: &SessionId,
    agent: &str,
    form: &ServerForm,
    outcome: ServerOutcome,
) -> Result<(), AppError> {
    let actor = if outcome.is_the_users() { context.actor.clone() } else { Actor::System };
    let asked = Box::new(ServerQuestion { outcome, ..question(agent, form)? });
    let outcome =
        context.dispatcher.handle(session, &Envelope { actor, command: Command::RecordServerQuestion(asked) })?;
    context.recorded(&outcome);
    Ok(())
}

/// The question of a form, as it is recorded when nothing came of it yet.
pub fn question(agent: &str, form: &ServerForm) -> Result<ServerQuestion, AppError> {
    let text = if form.message.trim().is_empty() { "(no text)" } else { form.message.as_str() };
    Ok(ServerQuestion {
        agent: Line::clipped(&harmless(agent)),
        server: form.server.as_deref().map(Line::clipped),
        message: Prose::parse("the question", text)?,
        outcome: ServerOutcome::Unasked,
    })
}

/// The outcome of a form that was sent.
pub fn sent(values: &[(String, ServerValue)]) -> Result<ServerOutcome, AppError> {
    let value = |(field, value): &(String, ServerValue)| {
        let text = value.as_text();
        let text = if text.trim().is_empty() { "(empty)" } else { text.as_str() };
        Ok(SentValue { field: Line::clipped(&harmless(field)), value: Prose::parse("the value", text)? })
    };
    let values: Result<Vec<SentValue>, crate::domain::text::TextError> = values.iter().map(value).collect();
    Ok(ServerOutcome::Sent { values: values.map_err(AppError::from)? })
}
