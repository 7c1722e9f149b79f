//! What was typed and not sent (Q15). It is kept in the git directory under the question it was meant for, and stays
//! there while the prompt is open, so that a killed process loses no more than what was typed since.

use crate::app::desk::Desk;
use crate::app::error::AppError;
use crate::app::prompt::Unanswered;
use crate::app::reply::Reply;
use crate::domain::ids::QuestionId;
use crate::domain::session::Session;

use super::{Kept, Next, Talk, not_answered, paused};

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
    let Some(draft) = desk.dispatcher.store.take_draft(&session.id, question)? else {
        return Ok(String::new());
    };
    desk.dispatcher.store.keep_draft(&session.id, question, &draft)?;
    Ok(draft)
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
    forget(desk, session, about)?;
    let kept = match (about, unanswered.draft()) {
        (Some(question), Some(draft)) => {
            desk.dispatcher.store.keep_draft(&session.id, question, draft)?;
            Kept::Draft
        }
        (None, _) | (_, None) => Kept::Nothing,
    };
    match (&unanswered, kept) {
        (Unanswered::Cancelled { .. }, _) => return Ok(paused(kept)),
        (Unanswered::Interrupted { .. }, Kept::Draft) => {
            let text = "what you typed is kept; git grill next brings it back";
            desk.voice.say(&Reply::Text(text.to_owned()))?;
        }
        // Nobody reads what is said to a terminal that is gone.
        (Unanswered::Interrupted { .. } | Unanswered::Unavailable(_) | Unanswered::Lost { .. }, _) => {}
    }
    Err(not_answered("the interview")(unanswered))
}

/// A reply could not be recorded: it comes back with the question, from disk where that is possible.
pub(super) fn after_an_error(
    desk: &Desk<'_>,
    session: &Session,
    about: Option<&QuestionId>,
    text: String,
    error: &AppError,
    talk: &mut Talk,
) {
    // It is kept already, and the question it was for is not open any more.
    if matches!(error, AppError::ReplyKept { .. }) {
        return;
    }
    talk.notice = Some(error.to_string());
    // What had been kept is what this text grew from. Where it cannot be taken away, it comes back after this one.
    let _ = forget(desk, session, about);
    let kept = about.ok_or(()).and_then(|question| {
        let store = desk.dispatcher.store;
        store.keep_draft(&session.id, question, &text).map_err(drop)
    });
    if kept.is_err() {
        talk.unsent = Some(text);
    }
}
