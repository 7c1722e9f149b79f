//! A question of an agent that work is lent to, answered by the person (A18). It stands in no interview: until it is
//! answered, it waits on.

use serde_json::json;

use crate::app::context::Context;
use crate::app::error::{AppError, not_answered};
use crate::app::prompt::{Choice, Prompted, ReplyPrompt};
use crate::app::reply::{Plain, Reply, Traits};
use crate::app::supervising::supervising;
use crate::domain::agents::AgentHandle;
use crate::domain::harmless::harmless;
use crate::domain::server_form::{ServerField, ServerForm, ServerReply, ServerValue};

use super::fields::{Asker, FormPlace};
use super::quoted;
use super::shown::Not;

const DEED: &str = "answering the agent";

/// A form that nothing else settles while it is before the user: who is too late is refused when the answer is sent.
struct Alone;

impl FormPlace for Alone {
    fn put<T>(
        &self,
        context: &mut Context<'_>,
        mut ask: impl FnMut(&mut Context<'_>, Option<String>) -> Prompted<T>,
    ) -> Result<T, Not> {
        ask(context, None).answered().map_err(Not::from)
    }

    fn asker(&self) -> Asker {
        Asker { name: "the agent", escape: "Esc leaves the agent's question open" }
    }

    fn before(&self, _context: &Context<'_>, _field: &ServerField) -> Option<String> {
        None
    }

    fn edit(&self, context: &mut Context<'_>, _field: &ServerField, prompt: &mut ReplyPrompt) -> Result<String, Not> {
        self.put(context, |context, _| context.prompter.reply(prompt))
    }

    fn keep(&mut self, _context: &Context<'_>, _field: &ServerField, _text: &str) {}
}

/// `git grill agent answer`
pub(in crate::cli) fn answer(context: &mut Context<'_>, session: AgentHandle) -> Result<Reply, AppError> {
    let port = supervising(context)?;
    let now = port.session(session)?.session;
    let asker = format!("{} in session {session}", now.started.agent);
    let nothing = || Ok(said(session, &format!("{asker} asks nothing just now"), None));
    // That needs no person.
    if now.asks.is_empty() {
        return nothing();
    }
    context.need_person(DEED, &format!("git grill agent answer {session}, at a terminal"))?;
    let Some(open) = port.question(session)? else { return nothing() };
    let (reply, became) = match &open.form.asks {
        Ok(fields) => match ask(context, &asker, &open.form, fields).map_err(not_given)? {
            Some(values) if open.form.takes(&values) => (ServerReply::Sent(values), "answered"),
            // What does not fit is not sent.
            Some(_) => return Err(AppError::Cancelled(DEED)),
            None => (ServerReply::Declined, "declined"),
        },
        Err(because) => {
            let told = format!("a question of {asker} cannot be shown: {because}\n{}", quoted(&open.form));
            context.voice.say(&Reply::Text(harmless(&told).into_owned()))?;
            (ServerReply::Closed, "closed")
        }
    };
    port.answer(session, open.number, reply)?;
    // It is answered, whatever comes next.
    let next = port.question(session).ok().flatten();
    let more = next.map(|_| format!("\n{asker} asks something else: git grill agent answer {session}"));
    let told = format!("✓ question {} of {session} was {became}{}", open.number, more.unwrap_or_default());
    Ok(said(session, &told, Some((open.number, became))))
}

fn said(session: AgentHandle, text: &str, became: Option<(u32, &str)>) -> Reply {
    let fields = vec![
        ("session", json!(session)),
        ("question", json!(became.map(|(number, _)| number))),
        ("became", json!(became.map(|(_, what)| what))),
    ];
    Reply::Plain(Plain { text: harmless(text).into_owned(), fields, traits: Traits::SHORT })
}

/// The values of a form; none where the person declines it.
fn ask(
    context: &mut Context<'_>,
    asker: &str,
    form: &ServerForm,
    fields: &[ServerField],
) -> Result<Option<Vec<(String, ServerValue)>>, Not> {
    let titles: Vec<&str> = fields.iter().map(|field| field.title.as_str()).collect();
    let wants = if titles.is_empty() { String::new() } else { format!("\nIt asks for: {}", titles.join(", ")) };
    let question = format!("{asker} asks:\n{}{wants}\nYour answer goes to that agent, and is recorded.", quoted(form));
    let answer = if fields.is_empty() { "Yes" } else { "Answer it" };
    let ways = [
        Choice::of("answer", answer, "nothing is sent before the last field is filled in"),
        Choice::of("decline", "Decline", "the agent is told no, and goes on"),
    ];
    let mut place = Alone;
    if place.choose(context, &question, &ways)? != 0 {
        return Ok(None);
    }
    let mut values = Vec::new();
    for (at, field) in fields.iter().enumerate() {
        let heading = format!("{asker} · {} of {}", at + 1, fields.len());
        if let Some(value) = place.fill(context, &heading, field)? {
            values.push((field.name.clone(), value));
        }
    }
    Ok(Some(values))
}

fn not_given(not: Not) -> AppError {
    match not {
        Not::Unanswered(unanswered) => not_answered(DEED)(unanswered),
        Not::Declined | Not::Over(..) => AppError::Cancelled(DEED),
    }
}
