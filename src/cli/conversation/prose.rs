//! A question that the agent wrote as plain text, turn after turn, instead of putting it with a tool (G67). The user sees it
//! as the agent's question. An answer opens a discussion, so what it comes to is recorded as any other summary is; or the
//! agent is asked to put it as a question.

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::leading::AS_QUESTION;
use crate::app::prompt::{Choice, ReplyPrompt, Slash, Unanswered};
use crate::domain::harmless::harmless;
use crate::domain::session::Session;

use super::super::interview;
use super::led::moved;
use super::{KEYS_CHOICES, Next, Talk, recover, talked, typed, unsent};

/// Has the agent put it with a tool.
const PUT: &str = "/next";
/// What may stand between a question mark and the end of its sentence.
const CLOSING: [char; 12] = ['?', '!', ')', ']', '"', '\'', '”', '’', '»', '*', '_', '`'];

/// Whether a sentence of it asks something.
pub(super) fn asks(prose: &str) -> bool {
    let ends = |rest: &str| rest.trim_start_matches(CLOSING).chars().next().is_none_or(char::is_whitespace);
    prose.match_indices(['?', '？', '؟']).any(|(at, mark)| mark != "?" || ends(&prose[at + mark.len()..]))
}

/// Puts it to the user; what the agent is told then, or how the conversation goes on.
pub(super) fn put(
    context: &mut Context<'_>,
    session: &Session,
    agent: &str,
    prose: &str,
    talk: &mut Talk,
) -> Result<Result<String, Next>, AppError> {
    // No event holds it; what is typed and not sent is kept under its words.
    let about = unsent::place(prose);
    let text = loop {
        let offered =
            Choice::of(PUT, "Have it asked as a question", "with alternatives, and recorded with your answer");
        let prompt = ReplyPrompt {
            heading: format!("{agent} asks in plain text"),
            question: harmless(prose.trim()).into_owned(),
            choices: vec![offered],
            draft: unsent::recall(context, session, Some(&about), talk)?,
            status: talk.status(context, session),
            keys: KEYS_CHOICES.to_owned(),
            help: format!("your text begins a discussion with {agent}; {PUT} has it asked as a question; /help"),
            slash: Slash::Verb,
        };
        let text = match unsent::ask(context, session, Some(&about), &prompt).answered() {
            Ok(text) => text,
            Err(unanswered) => {
                let settled = matches!(unanswered, Unanswered::TimedOut { .. });
                let next = unsent::leave(context, session, Some(&about), unanswered)?;
                if settled && !moved(session, &context.session()?) {
                    continue;
                }
                return Ok(Err(next));
            }
        };
        if text.trim() == PUT {
            unsent::forget(context, session, Some(&about))?;
            return Ok(Ok(AS_QUESTION.to_owned()));
        }
        if typed::is_verb(&text) {
            unsent::forget(context, session, Some(&about))?;
            if let done @ Next::Done(_) = typed::verb(context, talk, &text)? {
                return Ok(Err(done));
            }
            if moved(session, &context.session()?) {
                return Ok(Err(Next::On));
            }
        } else if !text.trim().is_empty() {
            break text;
        }
    };
    let held = unsent::hold(context, session, Some(&about), &text);
    let opened = match interview::discuss(context, None) {
        Ok(reply) => reply,
        Err(error) => {
            let error = unsent::after_an_error(text, held, error, talk);
            recover(context, &error)?;
            return Ok(Err(Next::On));
        }
    };
    context.voice.say(&opened)?;
    let discussed = context.session()?;
    // There they are kept from now on.
    unsent::hold(context, &discussed, Some(&unsent::discussion(discussed.discussed())), &text);
    unsent::forget(context, session, Some(&about))?;
    let how = "The user answers the question that you wrote as plain text";
    talked::say(context, &discussed, agent, talk, (how, text.as_str())).map(Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g67_prose_asks_where_a_sentence_ends_in_a_question_mark() {
        for (prose, expected) in [
            ("Who is counted?", true),
            ("Who is counted? By account, or by address.", true),
            ("**Who is counted?**\n\n- by account", true),
            ("(or \"by address?\")", true),
            ("谁？按账户", true),
            ("I could not think of one.", false),
            ("See https://example.org/?q=1 for it.", false),
            ("It reads `a?.b` there.", false),
            ("", false),
        ] {
            assert_eq!(asks(prose), expected, "{prose:?}");
        }
    }
}
