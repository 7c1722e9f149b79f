//! What was typed and not sent (Q15). It is kept in the git directory under the question it was meant for, anew at each pause
//! in typing, and stays there while the prompt is open, so that a killed process loses no more than the last words.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::app::context::Context;
use crate::app::error::{AppError, not_answered};
use crate::app::prompt::{Prompted, ReplyPrompt, Unanswered};
use crate::app::putting::keeper;
use crate::app::reply::Reply;
use crate::app::watched::watched;
use crate::domain::fnv::fnv1a;
use crate::domain::harmless::harmless;
use crate::domain::ids::QuestionId;
use crate::domain::session::{Floor, Phase, Session};

use super::super::interview;
use super::{Kept, Next, Talk, led, paused};

/// The most files of clients' replies that are named at once.
const MOST_NAMED: usize = 5;
const COMES_BACK: &str = "what you typed is kept; git grill next brings it back";

/// Says once where replies are that came through a client or out of a run. They fill no editor, since nobody knows who
/// wrote them.
fn tell_of_sent(
    context: &mut Context<'_>,
    session: &Session,
    about: &QuestionId,
    talk: &mut Talk,
) -> Result<(), AppError> {
    let mut sent = context.dispatcher.store.sent(&session.id, about);
    sent.retain(|path| !talk.sent.contains(path));
    if sent.is_empty() {
        return Ok(());
    }
    let mut told = "replies to this came through an agent, and were not recorded:".to_owned();
    for path in sent.iter().take(MOST_NAMED) {
        let _ = write!(told, "\n  {}", path.display());
    }
    if sent.len() > MOST_NAMED {
        let _ = write!(told, "\n  and {} more beside them", sent.len() - MOST_NAMED);
    }
    talk.sent.extend(sent);
    context.voice.say(&Reply::Text(harmless(&told).into_owned()))
}

/// What a text is kept under that was typed where no question is open: at the output selection, in the output phase, in a
/// discussion about nothing that was asked, below a question that an agent wrote as plain text.
pub(super) fn place(name: &str) -> QuestionId {
    QuestionId::from_nonce(fnv1a(name.bytes()))
}

/// The same in a discussion: the question that it is about, if there is one.
pub(super) fn discussion(about: Option<&QuestionId>) -> QuestionId {
    about.cloned().unwrap_or_else(|| place("discussion"))
}

/// The text that the editor begins with: nothing but what was typed at a terminal.
pub(super) fn recall(
    context: &mut Context<'_>,
    session: &Session,
    about: Option<&QuestionId>,
    talk: &mut Talk,
) -> Result<String, AppError> {
    if let Some(question) = about {
        tell_of_sent(context, session, question, talk)?;
    }
    if let Some(text) = talk.unsent.take() {
        return Ok(text);
    }
    let Some(question) = about else {
        return Ok(String::new());
    };
    Ok(context.dispatcher.store.kept_draft(&session.id, question)?.unwrap_or_default())
}

/// Asks, and keeps what was typed whenever the person pauses.
pub(super) fn ask(
    context: &mut Context<'_>,
    session: &Session,
    about: Option<&QuestionId>,
    prompt: &ReplyPrompt,
) -> Prompted<String> {
    ask_after(context, session, about, "", prompt)
}

/// Asks for a verb at a place where no question is open, or how the conversation goes on without one. What is typed is kept
/// there when it is left, not while it is typed: another terminal at the same place would be given it.
pub(super) fn ask_for_verb(
    context: &mut Context<'_>,
    session: &Session,
    place: &QuestionId,
    prompt: &ReplyPrompt,
    talk: &mut Talk,
) -> Result<Result<String, Next>, AppError> {
    match ask(context, session, None, prompt).answered() {
        Ok(text) => {
            forget(context, session, Some(place))?;
            Ok(Ok(text))
        }
        Err(unanswered) if matches!(unanswered, Unanswered::TimedOut { .. }) => {
            talk.unsent = unanswered.draft().map(str::to_owned);
            forget(context, session, Some(place))?;
            leave(context, session, None, unanswered).map(Err)
        }
        Err(unanswered) => leave(context, session, Some(place), unanswered).map(Err),
    }
}

/// [`ask`] where something was said before, which is kept in front of what is typed.
pub(super) fn ask_after(
    context: &mut Context<'_>,
    session: &Session,
    about: Option<&QuestionId>,
    before: &str,
    prompt: &ReplyPrompt,
) -> Prompted<String> {
    watched(context, session, |context| match about {
        Some(question) => {
            let mut keep = keeper(context, &session.id, question);
            context.prompter.reply_kept(prompt, &mut |text| keep(&behind(before, text)))
        }
        None => context.prompter.reply(prompt),
    })
}

/// What was said before and what was typed since, each on lines of its own.
fn behind(before: &str, typed: &str) -> String {
    [before, typed].into_iter().filter(|text| !text.trim().is_empty()).collect::<Vec<_>>().join("\n")
}

/// [`leave`] where something was said before, which is kept in front of what was typed.
pub(super) fn leave_after(
    context: &mut Context<'_>,
    session: &Session,
    about: Option<&QuestionId>,
    before: &str,
    unanswered: Unanswered,
) -> Result<Next, AppError> {
    let whole = |draft: String| behind(before, &draft);
    let unanswered = match unanswered {
        Unanswered::Cancelled { draft } => Unanswered::Cancelled { draft: whole(draft) },
        Unanswered::Interrupted { draft } => Unanswered::Interrupted { draft: whole(draft) },
        Unanswered::Unavailable(why) => Unanswered::Unavailable(why),
        Unanswered::Lost { draft } => Unanswered::Lost { draft: whole(draft) },
        Unanswered::TimedOut { draft } => Unanswered::TimedOut { draft: whole(draft) },
    };
    leave(context, session, about, unanswered)
}

/// Something moved while a prompt was open. What stands in the editor is kept; what became of the question is said, or who
/// asks from here on where that is open as before.
fn settled(
    context: &mut Context<'_>,
    session: &Session,
    about: Option<&QuestionId>,
    draft: Option<&str>,
) -> Result<Next, AppError> {
    let kept = match (about, draft) {
        (Some(question), Some(draft)) => Some(context.dispatcher.store.replace_draft(&session.id, question, draft)?),
        (Some(_) | None, _) => None,
    };
    let now = context.dispatcher.store.load(&session.id)?.session;
    if now.phase == session.phase {
        let (before, asks) = (&session.settings.interviewer, &now.settings.interviewer);
        // That of an agent which ran here is told with its end.
        if before != asks && context.leading.as_ref().is_none_or(|port| port.running().is_none()) {
            let told = format!("the interviewer was changed elsewhere: {asks} asks from here on");
            context.voice.say(&Reply::Text(harmless(&told).into_owned()))?;
        }
        return Ok(Next::On);
    }
    let was = session.open_question().and_then(|asked| now.transcript.get(&asked.question.id));
    let mut told = match was.map(|asked| (asked, asked.holding().last())) {
        Some((asked, Some(answer))) => format!("question {} was answered elsewhere: {}", asked.number, answer.text),
        Some((asked, None)) if now.discussed() == Some(&asked.question.id) => {
            format!("question {} is talked about elsewhere", asked.number)
        }
        Some((asked, None)) => format!("question {} is no longer open: it was settled elsewhere", asked.number),
        None => moved_on(&session.phase, &now.phase),
    };
    if let Some(kept) = kept {
        let _ = write!(told, "\nwhat you had typed is kept: {}", kept.display());
    }
    context.voice.say(&Reply::Text(harmless(&told).into_owned()))?;
    Ok(Next::On)
}

/// What became of the place where it was asked.
fn moved_on(before: &Phase, now: &Phase) -> String {
    let place = match before {
        Phase::Interview(_) => return "the discussion was ended elsewhere".to_owned(),
        Phase::Selection(_) => "the output selection",
        Phase::Production(_) => "the output phase",
        Phase::NoInterview { .. } | Phase::Closed { .. } => "the session",
    };
    let next = match now {
        Phase::Interview(Floor::Free) => "; git grill next goes on with the interview".to_owned(),
        _ if now.name() == before.name() => return format!("{place} changed elsewhere"),
        Phase::Interview(_)
        | Phase::Selection(_)
        | Phase::Production(_)
        | Phase::NoInterview { .. }
        | Phase::Closed { .. } => {
            format!("; the session is in the {} phase now", now.name())
        }
    };
    format!("{place} was left elsewhere{next}")
}

/// Something was sent and recorded, so what had been kept has served.
pub(super) fn forget(context: &Context<'_>, session: &Session, about: Option<&QuestionId>) -> Result<(), AppError> {
    if let Some(question) = about {
        context.dispatcher.store.take_draft(&session.id, question)?;
    }
    Ok(())
}

/// Leaves a prompt without an answer: a closed one pauses, an interrupt or a lost terminal ends the program with its
/// own code. What stood in the editor takes the place of what had been kept.
pub(super) fn leave(
    context: &mut Context<'_>,
    session: &Session,
    about: Option<&QuestionId>,
    unanswered: Unanswered,
) -> Result<Next, AppError> {
    if matches!(unanswered, Unanswered::TimedOut { .. }) {
        return settled(context, session, about, unanswered.draft());
    }
    let kept = if let (Some(question), Some(draft)) = (about, unanswered.draft()) {
        // Git hands Ctrl-C on to us when it has reached us already: the second one may end us between any two lines.
        context.dispatcher.store.replace_draft(&session.id, question, draft)?;
        Kept::Draft
    } else {
        forget(context, session, about)?;
        Kept::Nothing
    };
    match (&unanswered, kept) {
        (Unanswered::Cancelled { .. }, _) => return Ok(paused(kept)),
        (Unanswered::Interrupted { .. }, Kept::Draft) => {
            return Err(AppError::InterruptedWith(COMES_BACK.into()));
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
pub(super) fn hold(
    context: &Context<'_>,
    session: &Session,
    about: Option<&QuestionId>,
    text: &str,
) -> Option<PathBuf> {
    // Where it cannot be kept, it is still in memory.
    context.dispatcher.store.replace_draft(&session.id, about?, text).ok()
}

/// Words on their way to an agent, which stay kept until it says something to them.
pub(super) struct Sent<'a> {
    place: QuestionId,
    text: &'a str,
    held: bool,
}

impl<'a> Sent<'a> {
    pub(super) fn hold(context: &Context<'_>, session: &Session, place: QuestionId, text: &'a str) -> Self {
        let held = hold(context, session, Some(&place), text).is_some();
        Self { place, text, held }
    }

    /// Notes whether the agent said something to them. Those to which it said nothing stand in the editor again.
    pub(super) fn settle(
        &self,
        context: &Context<'_>,
        session: &Session,
        talk: &mut Talk,
        heard: bool,
    ) -> Result<(), AppError> {
        if heard {
            return forget(context, session, Some(&self.place));
        }
        if !self.held {
            talk.unsent = Some(self.text.to_owned());
        }
        Ok(())
    }

    /// The person left while the agent had them.
    pub(super) fn leave(
        &self,
        context: &mut Context<'_>,
        session: &Session,
        unanswered: Unanswered,
    ) -> Result<Next, AppError> {
        let kept = context.dispatcher.store.kept_draft(&session.id, &self.place)?.is_some();
        match unanswered {
            Unanswered::Cancelled { .. } if kept => {
                led::end(context)?;
                Ok(paused(Kept::Draft))
            }
            Unanswered::Interrupted { .. } if kept => {
                led::end(context)?;
                Err(AppError::InterruptedWith(COMES_BACK.into()))
            }
            other @ (Unanswered::Cancelled { .. }
            | Unanswered::Interrupted { .. }
            | Unanswered::Unavailable(_)
            | Unanswered::Lost { .. }
            | Unanswered::TimedOut { .. }) => led::left(context, other),
        }
    }
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
