//! A user's words that no session recorded: they came after something else was decided, or were not a valid answer. git
//! grill keeps them like any late reply (Q15), and tells the user and the agent where.

use std::borrow::Cow;
use std::fmt::Display;
use std::path::PathBuf;

use crate::domain::harmless::harmless;
use crate::domain::ids::{QuestionId, SessionId};
use crate::domain::interview::{gist, standing_word};
use crate::domain::text::Line;

use super::super::context::Context;
use super::super::error::AppError;
use super::super::ports::StoreError;
use super::super::reply::Reply;

/// The most characters of a reply that are shown if a file has more of it.
const MOST_TOLD: usize = 4_000;

#[derive(Clone, Copy, Debug)]
pub struct Unrecorded<'a> {
    /// The session that the reply was meant for. If it is unknown or missing, the reply is kept with the active
    /// session.
    pub session: Option<&'a SessionId>,
    /// The question that the reply was meant for, or a separate id if the form asked for something else.
    pub question: &'a QuestionId,
    /// The reason, as a clause after "because".
    pub because: &'a str,
    /// How to use these words, as a clause after a semicolon.
    pub again: Option<&'a str>,
    pub text: &'a str,
}

impl Unrecorded<'_> {
    /// The report of a reply that could not be kept. It quotes the whole reply, which exists nowhere else.
    pub fn nowhere(&self, why: &dyn Display) -> String {
        format!(
            "this reply was not recorded, because {}, and it could not be kept either: {why}. Tell the user. The late \
             reply: {}",
            self.because, self.text
        )
    }
}

/// Keeps a reply that was not recorded, and returns the message for the agent. Tells a user at a terminal at once.
pub fn keep(context: &mut Context<'_>, reply: &Unrecorded<'_>) -> String {
    let about = about(context, reply);
    let (agent, person) = match file(context, reply, about.as_deref()) {
        Ok(file) => {
            let again = reply.again.map(|again| format!("; {again}")).unwrap_or_default();
            let about = about.map(|about| format!("; it was {about}")).unwrap_or_default();
            let kept = format!("because {}; it is kept in {}{about}", reply.because, file.display());
            let late = told(reply.text);
            (
                format!("this reply was not recorded, {kept}. Tell the user{again}. The late reply: {late}"),
                format!("your reply was not recorded, {kept}{again}"),
            )
        }
        Err(error) => (
            reply.nowhere(&error),
            format!(
                "your reply was not recorded, because {}, and it could not be kept either: {error}. It was: {}",
                reply.because, reply.text
            ),
        ),
    };
    // A client's input was not typed at our terminal.
    if !context.prompter.at_hand() {
        // The reply is kept even if this message cannot be shown.
        let _ = context.voice.say(&Reply::Text(harmless(&person).into_owned()));
    }
    agent
}

/// The question that the reply was meant for and the answer that it has instead, as a clause. None if the session has no
/// such question. The texts are from a session, so they are shown harmless, and cut.
fn about(context: &Context<'_>, reply: &Unrecorded<'_>) -> Option<String> {
    let session = context.dispatcher.store.load(reply.session?).ok()?.session;
    let asked = session.transcript.get(reply.question)?;
    let quoted = |text: &str| format!("“{}”", Line::clipped(&harmless(text)));
    let has = match asked.answer() {
        Some(answer) => {
            let note = answer.note.as_ref().map(|note| format!(" with the note {}", quoted(note.as_str())));
            format!("has the answer {}{}", quoted(gist(answer).as_str()), note.unwrap_or_default())
        }
        None => format!("is {} now", standing_word(&asked.standing)),
    };
    Some(format!("for question {} ({}), which {has}", asked.number, quoted(asked.question.text.as_str())))
}

/// Keeps a reply that was not recorded, once even if it comes several times; returns the file. A file that fills no editor
/// begins with the question that the reply is `about`.
pub(super) fn file(context: &Context<'_>, reply: &Unrecorded<'_>, about: Option<&str>) -> Result<PathBuf, AppError> {
    let store = context.dispatcher.store;
    // The client names the session, so the session may not exist.
    let named = reply.session.filter(|id| !matches!(store.load(id), Err(StoreError::NoSuchSession(_))));
    let session = named.map_or_else(|| context.active(), |id| Ok(id.clone()))?;
    if !context.prompter.at_hand() {
        // It grew out of what this process held for it.
        return Ok(store.replace_draft(&session, reply.question, reply.text)?);
    }
    let Some(about) = about else {
        return Ok(store.keep_sent(&session, reply.question, reply.text)?);
    };
    let kept = store.keep_sent(&session, reply.question, &format!("Not recorded, {about}:\n\n{}", reply.text))?;
    // It may have been held without the question; what cannot be removed is superfluous.
    let _ = store.drop_sent(&session, reply.question, reply.text);
    Ok(kept)
}

/// Holds the input so far until all of it is recorded, in place of the input held `before`. What came through a client
/// fills no editor, if this process dies meanwhile.
pub fn hold(
    context: &Context<'_>,
    session: &SessionId,
    question: &QuestionId,
    before: Option<&str>,
    text: &str,
) -> Result<(), AppError> {
    let store = context.dispatcher.store;
    if context.prompter.at_hand() {
        store.keep_sent(session, question, text)?;
        if let Some(before) = before.filter(|before| *before != text) {
            store.drop_sent(session, question, before)?;
        }
    } else if before.is_some() {
        store.replace_draft(session, question, text)?;
    } else {
        store.keep_draft(session, question, text)?;
    }
    Ok(())
}

/// Removes the input that is held, since it is recorded.
pub fn release(context: &Context<'_>, session: &SessionId, question: &QuestionId, text: &str) -> Result<(), AppError> {
    let store = context.dispatcher.store;
    if context.prompter.at_hand() {
        store.drop_sent(session, question, text)?;
    } else {
        store.take_draft(session, question)?;
    }
    Ok(())
}

/// A reply, cut if it is long; a file has more of it.
fn told(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MOST_TOLD) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}… (cut here; the file has more of it)", &text[..end])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q15_a_reply_that_can_be_kept_nowhere_is_told_whole_and_one_in_a_file_is_cut() {
        let text = "é".repeat(MOST_TOLD + 1);
        let question = QuestionId::from_nonce(1);
        let reply = Unrecorded { session: None, question: &question, because: "it was late", again: None, text: &text };
        assert!(reply.nowhere(&"the disk is full").ends_with(&text));
        assert!(told(&text).ends_with("é… (cut here; the file has more of it)"));
        assert_eq!(told("short"), "short");
    }
}
