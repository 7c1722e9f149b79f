//! A question of another MCP server, which comes through the agent that leads: it is put with our own prompts, clearly
//! marked as foreign, and goes back with what the user said (A18). It is no question of the interview.

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::prompt::{Choice, ManyPrompt, ReplyPrompt, Unanswered};
use crate::app::reply::Reply;
use crate::app::servers;
use crate::domain::server_form::{ServerField, ServerForm, ServerInput, ServerOption, ServerReply, ServerValue};
use crate::domain::server_question::ServerOutcome;
use crate::domain::session::Session;
use crate::domain::text::Line;

use super::recover;

/// After so many texts that do not fit, the question counts as closed.
const MOST_TRIES: usize = 5;

/// Why a form came to no values.
enum Not {
    Declined,
    Unanswered(Unanswered),
}

impl From<Unanswered> for Not {
    fn from(unanswered: Unanswered) -> Self {
        Self::Unanswered(unanswered)
    }
}

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
    let withdrawn = context.leading.as_ref().map(|port| port.withdrawn());
    context.prompter.watch(withdrawn);
    let said = ask(context, &asker, form, fields);
    context.prompter.watch(None);
    let (outcome, reply, left) = match said {
        Ok(values) if form.takes(&values) => (servers::sent(&values), ServerReply::Sent(values), None),
        // What does not fit is not sent, so it is not recorded as if it were.
        Ok(_) => (Ok(ServerOutcome::Closed), ServerReply::Closed, None),
        Err(Not::Declined) => (Ok(ServerOutcome::Declined), ServerReply::Declined, None),
        Err(Not::Unanswered(unanswered)) => match unanswered {
            Unanswered::Cancelled { .. } => (Ok(ServerOutcome::Closed), ServerReply::Closed, None),
            Unanswered::TimedOut { .. } => {
                context.voice.say(&Reply::Text(format!("the question of {asker} was withdrawn; nothing was sent")))?;
                (Ok(ServerOutcome::Withdrawn), ServerReply::Closed, None)
            }
            other @ Unanswered::Interrupted { .. } => (Ok(ServerOutcome::Closed), ServerReply::Closed, Some(other)),
            other @ (Unanswered::Unavailable(_) | Unanswered::Lost { .. }) => {
                (Ok(ServerOutcome::Unasked), ServerReply::Closed, Some(other))
            }
        },
    };
    // Recorded first: what cannot be recorded is not sent, and nobody declined it.
    let recorded = outcome.and_then(|outcome| servers::record(context, &session.id, agent, form, outcome));
    let reply = if recorded.is_ok() { reply } else { ServerReply::Closed };
    if let Some(port) = &mut context.leading {
        port.fill(reply);
    }
    if let Err(error) = recorded {
        recover(context, &error)?;
    }
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

fn ask(
    context: &mut Context<'_>,
    asker: &str,
    form: &ServerForm,
    fields: &[ServerField],
) -> Result<Vec<(String, ServerValue)>, Not> {
    let titles: Vec<&str> = fields.iter().map(|field| field.title.as_str()).collect();
    let wants = if titles.is_empty() { String::new() } else { format!("\nIt asks for: {}", titles.join(", ")) };
    let question = format!(
        "A question from outside the interview: {asker}\n{}{wants}\nYour answer goes to that server, and is recorded.",
        quoted(form)
    );
    let answer = if fields.is_empty() { "Yes" } else { "Answer it" };
    let ways = [
        Choice::of("answer", answer, "nothing is sent before the last field is filled in"),
        Choice::of("decline", "Decline", "the server is told no; the interview goes on"),
    ];
    if context.prompter.choose(&question, &ways).answered()? != 0 {
        return Err(Not::Declined);
    }
    let mut values = Vec::new();
    for (at, field) in fields.iter().enumerate() {
        let heading = format!("{asker} · {} of {}", at + 1, fields.len());
        if let Some(value) = fill(context, &heading, field)? {
            values.push((field.name.clone(), value));
        }
    }
    Ok(values)
}

/// The value of one field; none where it is left out.
fn fill(context: &mut Context<'_>, heading: &str, field: &ServerField) -> Result<Option<ServerValue>, Unanswered> {
    let about = field.about.as_ref().map(|about| format!("\n{about}")).unwrap_or_default();
    let question = format!("{heading}\n{}{about}", field.title);
    let leave_out = (!field.required).then(|| Choice::of("", "Leave it out", "this field is not sent"));
    match &field.input {
        ServerInput::YesNo => {
            let yes_no = [("true", "Yes"), ("false", "No")];
            let options = yes_no.map(|(value, label)| ServerOption {
                value: value.to_owned(),
                label: label.to_owned(),
                about: None,
            });
            let taken = one(context, &question, &options, field, leave_out)?;
            Ok(taken.map(|at| ServerValue::YesNo(at == 0)))
        }
        ServerInput::One(options) => {
            let taken = one(context, &question, options, field, leave_out)?;
            Ok(taken.and_then(|at| options.get(at)).map(|option| ServerValue::Text(option.value.clone())))
        }
        ServerInput::Many { options, least, most } => many(context, question, options, (*least, *most), field.required),
        ServerInput::Text { .. } | ServerInput::Number { .. } => {
            if let Some(leave_out) = leave_out {
                let ways = [Choice::of("fill", "Fill it in", ""), leave_out]
                    .map(|choice| Choice { description: choice.description.filter(|text| !text.is_empty()), ..choice });
                if context.prompter.choose(&question, &ways).answered()? != 0 {
                    return Ok(None);
                }
            }
            typed(context, heading, field, &about)
        }
    }
}

fn one(
    context: &mut Context<'_>,
    question: &str,
    options: &[ServerOption],
    field: &ServerField,
    leave_out: Option<Choice>,
) -> Result<Option<usize>, Unanswered> {
    let choice = |option: &ServerOption| {
        let proposed = (field.initial.as_ref() == Some(&option.value)).then(|| "the server proposes it".to_owned());
        let about: Vec<String> = option.about.clone().into_iter().chain(proposed).collect();
        Choice {
            value: option.value.clone(),
            label: option.label.clone(),
            description: (!about.is_empty()).then(|| about.join("; ")),
            recommended: false,
        }
    };
    let choices: Vec<Choice> = options.iter().map(choice).chain(leave_out).collect();
    let taken = context.prompter.choose(question, &choices).answered()?;
    Ok(Some(taken).filter(|taken| *taken < options.len()))
}

fn many(
    context: &mut Context<'_>,
    question: String,
    options: &[ServerOption],
    (least, most): (usize, usize),
    required: bool,
) -> Result<Option<ServerValue>, Unanswered> {
    let choice = |option: &ServerOption| Choice {
        value: option.value.clone(),
        label: option.label.clone(),
        description: option.about.clone(),
        recommended: false,
    };
    let at_least = if required { least } else { 0 };
    let choices = options.iter().map(choice).collect();
    let mut prompt = ManyPrompt { question, choices, at_least, ..ManyPrompt::default() };
    for _ in 0..MOST_TRIES {
        let taken = context.prompter.choose_many(&prompt).answered()?;
        if taken.is_empty() && !required {
            return Ok(None);
        }
        if (least..=most).contains(&taken.len()) {
            let values = taken.iter().filter_map(|at| options.get(*at)).map(|option| option.value.clone());
            return Ok(Some(ServerValue::Many(values.collect())));
        }
        prompt.question = format!("{}\n(from {least} to {most} of them)", prompt.question.trim_end());
    }
    Err(Unanswered::Cancelled { draft: String::new() })
}

fn typed(
    context: &mut Context<'_>,
    heading: &str,
    field: &ServerField,
    about: &str,
) -> Result<Option<ServerValue>, Unanswered> {
    let mut prompt = ReplyPrompt {
        heading: heading.to_owned(),
        question: format!("{}{about}", field.title),
        draft: field.initial.clone().unwrap_or_default(),
        keys: "Enter sends, Esc closes the server's question".to_owned(),
        ..ReplyPrompt::default()
    };
    for _ in 0..MOST_TRIES {
        let text = context.prompter.reply(&prompt).answered()?;
        match field.typed(&text) {
            Ok(value) => return Ok(Some(value)),
            Err(why) => {
                prompt.status = format!("does not fit: {why}");
                prompt.draft = text;
                "edit it, or clear it with Ctrl-U; Enter sends, Esc closes the server's question"
                    .clone_into(&mut prompt.keys);
            }
        }
    }
    Err(Unanswered::Cancelled { draft: String::new() })
}
