//! What was typed and not sent (Q15). It is kept in the git directory under the question it was meant for, anew at each pause
//! in typing, and stays there while the prompt is open, so that a killed process loses no more than the last words.

use std::path::PathBuf;

use crate::app::desk::Desk;
use crate::app::error::{AppError, not_answered};
use crate::app::prompt::{Prompted, Replied, ReplyPrompt, Unanswered};
use crate::app::reply::Reply;
use crate::domain::ids::QuestionId;
use crate::domain::session::Session;

use super::super::interview;
use super::{Kept, Next, Talk, paused};

/// The text that the editor begins with.
pub(super) fn recall(
    desk: &Desk<'_>,
    session: &Session,
    about: Option<&QuestionId>,
    talk: &mut Talk,
) -> Result<String, AppError> {
    if let Some(text) = talk.unsent.take() {
        return Ok(text);
    }
    let Some(question) = about else {
        return Ok(String::new());
    };
    Ok(desk.dispatcher.store.kept_draft(&session.id, question)?.unwrap_or_default())
}

/// Asks, and keeps what was typed whenever the person pauses. Where it cannot be kept, it is still in the editor. From
/// inside a read-only run nothing takes the place of what is kept, so each pause would leave a file of its own.
pub(super) fn ask(
    desk: &mut Desk<'_>,
    session: &Session,
    about: Option<&QuestionId>,
    prompt: &ReplyPrompt,
) -> Prompted<Replied> {
    let store = desk.dispatcher.store;
    match about.filter(|_| desk.dispatcher.outside.is_none()) {
        Some(question) => desk.prompter.reply_kept(prompt, &mut |text| {
            store.replace_draft(&session.id, question, text).ok();
        }),
        None => desk.prompter.reply(prompt),
    }
}

/// Something was sent and recorded, so what had been kept has served.
pub(super) fn forget(desk: &Desk<'_>, session: &Session, about: Option<&QuestionId>) -> Result<(), AppError> {
    if let Some(question) = about {
        desk.dispatcher.store.take_draft(&session.id, question)?;
    }
    Ok(())
}

/// Leaves a prompt without an answer: a closed one pauses, an interrupt or a lost terminal ends the program with its
/// own code. What stood in the editor takes the place of what had been kept.
pub(super) fn leave(
    desk: &mut Desk<'_>,
    session: &Session,
    about: Option<&QuestionId>,
    unanswered: Unanswered,
) -> Result<Next, AppError> {
    let kept = if let (Some(question), Some(draft)) = (about, unanswered.draft()) {
        // Git hands Ctrl-C on to us when it has reached us already: the second one may end us between any two lines.
        desk.dispatcher.store.replace_draft(&session.id, question, draft)?;
        Kept::Draft
    } else {
        forget(desk, session, about)?;
        Kept::Nothing
    };
    match (&unanswered, kept) {
        (Unanswered::Cancelled { .. }, _) => return Ok(paused(kept)),
        (Unanswered::Interrupted { .. }, Kept::Draft) => {
            let text = "what you typed is kept; git grill next brings it back";
            desk.voice.say(&Reply::Text(text.to_owned()))?;
        }
        // Nobody reads what is said to a terminal that is gone.
        (
            Unanswered::Interrupted { .. }
            | Unanswered::Unavailable(_)
            | Unanswered::Lost { .. }
            | Unanswered::TimedOut { .. },
            _,
        ) => {}
    }
    Err(not_answered("the interview")(unanswered))
}

/// Keeps what is being sent until it is recorded: a signing program may ask for a passphrase meanwhile, and a person who
/// interrupts that ends us with it. It takes the place of what had been kept, from which it grew.
pub(super) fn hold(desk: &Desk<'_>, session: &Session, about: Option<&QuestionId>, text: &str) -> Option<PathBuf> {
    // Where it cannot be kept, it is still in memory.
    desk.dispatcher.store.replace_draft(&session.id, about?, text).ok()
}

/// A reply could not be recorded: it comes back with the question, from disk where it could be held there. One that came
/// too late stays there, since its question is not open any more.
pub(super) fn after_an_error(text: String, held: Option<PathBuf>, error: AppError, talk: &mut Talk) -> AppError {
    match (error, held) {
        (AppError::Refused(refusal), Some(kept)) if interview::came_too_late(&refusal) => {
            AppError::ReplyKept { because: Box::new(AppError::Refused(refusal)), kept }
        }
        (error, held) => {
            talk.notice = Some(error.to_string());
            if held.is_none() {
                talk.unsent = Some(text);
            }
            error
        }
    }
}
