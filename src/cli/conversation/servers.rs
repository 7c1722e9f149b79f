//! A question of another MCP server, which comes through the agent that leads: it is put with our own prompts, clearly
//! marked as foreign, and goes back with what the user said (A18). It is no question of the interview.

mod fields;
pub(in crate::cli) mod lent;
mod shown;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::prompt::Unanswered;
use crate::app::reply::Reply;
use crate::app::servers;
use crate::domain::server_form::{ServerForm, ServerReply};
use crate::domain::server_question::ServerOutcome;
use crate::domain::session::Session;
use crate::domain::text::Line;

use super::recover;
use shown::{Not, Shown};

/// Puts a form, records what became of it, and answers it. An ending that leaves the conversation is handed on.
pub(super) fn put(
    context: &mut Context<'_>,
    session: &Session,
    agent: &str,
    form: &ServerForm,
) -> Result<Option<Unanswered>, AppError> {
    let asker = servers::question(agent, form)?.asker();
    let fields = match &form.asks {
        Ok(fields) => fields,
        Err(because) => {
            context.voice.say(&Reply::Text(format!("refused a question of {asker}: {because}\n{}", quoted(form))))?;
            let because = Line::clipped(because);
            servers::record(context, &session.id, agent, form, ServerOutcome::Refused { because })?;
            return Ok(None);
        }
    };
    let mut shown = Shown::of(session, &asker, form);
    let said = shown.ask(context, fields);
    let (outcome, reply, left) = match said {
        Ok(values) if form.takes(&values) => (Some(servers::sent(&values)), ServerReply::Sent(values), None),
        // What does not fit is not sent, so it is not recorded as if it were.
        Ok(_) => (Some(Ok(ServerOutcome::Closed)), ServerReply::Closed, None),
        Err(Not::Declined) => (Some(Ok(ServerOutcome::Declined)), ServerReply::Declined, None),
        Err(Not::Over(over, _)) => {
            context.voice.say(&Reply::Text(over.told(&asker, agent)))?;
            (over.outcome().map(Ok), ServerReply::Closed, None)
        }
        Err(Not::Unanswered(unanswered)) => match unanswered {
            Unanswered::Cancelled { .. } => (Some(Ok(ServerOutcome::Closed)), ServerReply::Closed, None),
            other @ Unanswered::Interrupted { .. } => {
                (Some(Ok(ServerOutcome::Closed)), ServerReply::Closed, Some(other))
            }
            other @ (Unanswered::Unavailable(_) | Unanswered::Lost { .. } | Unanswered::TimedOut { .. }) => {
                (Some(Ok(ServerOutcome::Unasked)), ServerReply::Closed, Some(other))
            }
        },
    };
    // Recorded first: what cannot be recorded is not sent, and nobody declined it.
    let recorded = outcome
        .map(|outcome| outcome.and_then(|outcome| servers::record(context, &session.id, agent, form, outcome)))
        .transpose();
    let reply = if recorded.is_ok() { reply } else { ServerReply::Closed };
    let sent = matches!(reply, ServerReply::Sent(_));
    if let Some(port) = &mut context.leading {
        port.fill(reply);
    }
    if let Err(error) = recorded {
        recover(context, &error)?;
    }
    // Nobody reads what is said to a terminal that is gone.
    let heard = !matches!(left, Some(Unanswered::Unavailable(_) | Unanswered::Lost { .. }));
    shown.settle(context, sent, heard)?;
    Ok(left)
}

/// Closes and records the forms that were never shown: the conversation with the agent is over.
pub(super) fn unasked(context: &mut Context<'_>) -> Result<(), AppError> {
    let Some(port) = &mut context.leading else { return Ok(()) };
    let forms = port.unasked();
    if forms.is_empty() {
        return Ok(());
    }
    let Some(session) = context.dispatcher.store.active()? else { return Ok(()) };
    for (agent, form) in forms {
        let outcome = match &form.asks {
            Ok(_) => ServerOutcome::Unasked,
            Err(because) => ServerOutcome::Refused { because: Line::clipped(because) },
        };
        servers::record(context, &session, &agent, &form, outcome)?;
    }
    Ok(())
}

/// The server's own words, each line marked as a quotation.
fn quoted(form: &ServerForm) -> String {
    let lines: Vec<String> = form.message.lines().map(|line| format!("> {line}")).collect();
    lines.join("\n")
}
