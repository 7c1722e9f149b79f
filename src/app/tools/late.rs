//! Words of a person that no session took: they came after something else was decided, or no answer could be made of
//! them. They are kept like any late reply (Q15), and the person and the agent are told where.

use std::borrow::Cow;
use std::fmt::Display;
use std::path::PathBuf;

use crate::domain::harmless::harmless;
use crate::domain::ids::{QuestionId, SessionId};

use super::super::desk::Desk;
use super::super::error::AppError;
use super::super::ports::StoreError;
use super::super::reply::Reply;

/// The most characters of a reply that are told where a file has all of it.
const MOST_TOLD: usize = 4_000;

/// A reply that was not recorded.
#[derive(Clone, Copy, Debug)]
pub struct Unrecorded<'a> {
    /// The session that it was meant for; where it is not known or not there, the active one takes it.
    pub session: Option<&'a SessionId>,
    /// The question that it was meant for, or an id of its own where a form asked for something else.
    pub question: &'a QuestionId,
    /// The reason, as it stands after "because".
    pub because: &'a str,
    /// The way back to these words, as it stands after a semicolon.
    pub again: Option<&'a str>,
    /// All that was said.
    pub text: &'a str,
}

impl Unrecorded<'_> {
    /// The report of a reply that could not be kept, with all of it: it stands nowhere else.
    pub fn nowhere(&self, why: &dyn Display) -> String {
        format!(
            "this reply was not recorded, because {}, and it could not be kept either: {why}. Tell the user. The late \
             reply: {}",
            self.because, self.text
        )
    }
}

/// Keeps a reply that was not recorded; what to tell the agent. A person at a terminal is told at once.
pub fn keep(desk: &mut Desk<'_>, reply: &Unrecorded<'_>) -> String {
    let (agent, person) = match file(desk, reply) {
        Ok(file) => {
            let again = reply.again.map(|again| format!("; {again}")).unwrap_or_default();
            let kept = format!("because {}; it is kept in {}", reply.because, file.display());
            let late = told(reply.text);
            (
                format!("this reply was not recorded, {kept}. Tell the user{again}. The late reply: {late}"),
                format!("your reply was not recorded, {kept}{again}"),
            )
        }
        Err(error) => {
            let lost = reply.nowhere(&error);
            (lost.clone(), lost)
        }
    };
    // What a client sent was not typed at a terminal of ours.
    if !desk.prompter.at_hand() {
        // It is kept, whether or not it can be said.
        let _ = desk.voice.say(&Reply::Text(harmless(&person).into_owned()));
    }
    agent
}

/// Keeps a reply that was not recorded, once however often it comes; the file.
pub(super) fn file(desk: &Desk<'_>, reply: &Unrecorded<'_>) -> Result<PathBuf, AppError> {
    let store = desk.dispatcher.store;
    // A client names the session, so that it may be none.
    let named = reply.session.filter(|id| !matches!(store.load(id), Err(StoreError::NoSuchSession(_))));
    let session = named.map_or_else(|| desk.active(), |id| Ok(id.clone()))?;
    let is_kept = store.kept_draft(&session, reply.question).is_ok_and(|kept| kept.as_deref() == Some(reply.text));
    Ok(if is_kept {
        store.replace_draft(&session, reply.question, reply.text)?
    } else {
        store.keep_draft(&session, reply.question, reply.text)?
    })
}

/// Holds what was said so far until all of it is recorded, in the place of what was held `before`.
pub fn hold(
    desk: &Desk<'_>,
    session: &SessionId,
    question: &QuestionId,
    before: Option<&str>,
    text: &str,
) -> Result<(), AppError> {
    let store = desk.dispatcher.store;
    let held = store.kept_draft(session, question)?;
    if held.as_deref() == Some(text) {
        return Ok(());
    }
    if before.is_some() && held.as_deref() == before {
        store.replace_draft(session, question, text)?;
    } else {
        store.keep_draft(session, question, text)?;
    }
    Ok(())
}

/// Lets go of what was held: it is recorded with the rest.
pub fn release(desk: &Desk<'_>, session: &SessionId, question: &QuestionId, text: &str) -> Result<(), AppError> {
    let store = desk.dispatcher.store;
    if store.kept_draft(session, question)?.as_deref() == Some(text) {
        store.take_draft(session, question)?;
    }
    Ok(())
}

/// A text that a file has all of.
fn told(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MOST_TOLD) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}… (cut here; the file has all of it)", &text[..end])),
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
        assert!(told(&text).ends_with("é… (cut here; the file has all of it)"));
        assert_eq!(told("short"), "short");
    }
}
