//! The conversation at a terminal: ask, take the reply, show what it changed, ask again.
//!
//! Everything that can be said here can be said by a verb too; the conversation only saves the typing. A line that
//! begins with `/` is a verb and goes through the same grammar (G11).

mod alone;
pub(super) mod behind;
mod consent;
mod elsewhere;
mod gate;
mod going_on;
mod held;
mod led;
mod listed;
mod output;
mod planned;
mod prose;
pub(super) mod servers;
mod since;
mod spoken;
mod talked;
mod typed;
mod unquoted;
mod unsent;

use std::path::PathBuf;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::interview_summary;
use crate::app::prompt::{Choice, ReplyPrompt, Slash, noted};
use crate::app::reply::Reply;
use crate::domain::command::Reply as UserReply;
use crate::domain::ids::{ObjectId, QuestionId};
use crate::domain::interview::{TranscriptEntry, says_unknown};
use crate::domain::question::Alternatives;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::settings::Interviewer;
use crate::domain::text::Prose;

use super::{Manner, interview, leading};

const KEYS_QUESTION: &str = "Tab alternatives, Enter sends, Esc pauses";
const HELP_QUESTION: &str = "/why /skip /unknown /discuss /back /help";
const KEYS_CHOICES: &str = "Tab choices, Enter sends, Esc pauses";

/// What the conversation does after a step.
enum Next {
    On,
    Done(Box<Reply>),
}

/// What the conversation remembers from one step to the next; nothing in it outlives the program.
#[derive(Default)]
struct Talk {
    /// The question that can still be read on the screen. Put again, it is not printed a second time.
    in_sight: Option<QuestionId>,
    /// Who asked when it was put.
    asks: Option<Interviewer>,
    /// What was typed and could not be taken; it stands in the editor again.
    unsent: Option<String>,
    /// The files of clients' replies that the person was told of.
    sent: Vec<PathBuf>,
    /// Why, for the status line: a long text pushes what was said above it out of the window.
    notice: Option<String>,
    /// What was said in a discussion without an agent, until it is summed up or left.
    thoughts: Vec<String>,
    /// Whether the person was told of the discussion that goes on in another terminal.
    told_of_discussion: bool,
    /// The debate about the open question that they were told of.
    told_of_debate: Option<u32>,
    /// What a leading agent was told.
    led: led::Known,
    /// What it let hear of plans.
    plan: planned::Known,
    /// The drafts that were offered for approval here; `None` before the first time.
    offered: Option<Vec<ObjectId>>,
}

impl Talk {
    /// Where somebody else asks than before, whoever changed that, the open question is put in full again.
    fn sees(&mut self, asks: &Interviewer) {
        if self.asks.replace(asks.clone()).is_some_and(|before| before != *asks) {
            self.in_sight = None;
        }
    }

    fn status(&mut self, context: &Context<'_>, session: &Session) -> String {
        self.notice.take().unwrap_or_else(|| context.voice.status_line(session))
    }
}

/// Goes on as a conversation if somebody is there, else returns the reply as it is.
pub(super) fn go_on(context: &mut Context<'_>, reply: Reply, manner: Manner) -> Result<Reply, AppError> {
    if manner == Manner::Single {
        return Ok(reply);
    }
    context.voice.say(&reply)?;
    let id = context.active()?;
    let ended = talk(context);
    servers::unasked(context)?;
    // After a failure the watch stands, and the next conversation begins with it.
    let ended = ended?;
    behind::at_the_end(context, &id)?;
    Ok(ended)
}

/// Whether it goes on in a session in which nothing is asked: a plan is talked about there with an agent that was chosen.
pub(super) fn goes_on_planning(context: &Context<'_>, session: &Session, manner: Manner) -> Result<bool, AppError> {
    Ok(manner == Manner::Conversation && planned::planner(context, session)?.is_some())
}

fn talk(context: &mut Context<'_>) -> Result<Reply, AppError> {
    let mut talk = Talk::default();
    loop {
        let session = context.session()?;
        // Everything else waits for its end.
        if session.own.debate.open().is_some() {
            match crate::app::debate::go_on(context) {
                Ok(reply) => context.voice.say(&reply)?,
                Err(AppError::Cancelled(_)) => {
                    // The next conversation goes on with an open debate, and past one that has ended.
                    let is_open = context.session()?.own.debate.open().is_some();
                    let goes_on = if is_open { "git grill next continues" } else { "git grill debate asks again" };
                    return Err(AppError::Stopped(format!("stopped; the debate waits, and {goes_on}").into()));
                }
                Err(other) => return Err(other),
            }
            continue;
        }
        if let Some(Next::Done(reply)) = behind::settle(context, &session, &mut talk)? {
            return Ok(*reply);
        }
        led::retire(context, &session, &mut talk)?;
        talk.sees(&session.settings.interviewer);
        talk.led.told.sees(&session);
        if !matches!(session.phase, Phase::Interview(Floor::Discussion { .. })) {
            talk.thoughts.clear();
            talk.told_of_discussion = false;
        }
        let next = match &session.phase {
            Phase::Interview(Floor::Question { .. }) => ask(context, &session, &mut talk)?,
            Phase::Interview(Floor::Discussion { about }) => match leading::leader(context, &session)? {
                Some(agent) => talked::discuss(context, &session, about.as_ref(), &agent, &mut talk)?,
                None => alone::discuss(context, &session, about.as_ref(), &mut talk)?,
            },
            Phase::Selection(selection) => gate::choose(context, &session, selection, &mut talk)?,
            Phase::Production(_) => output::produce(context, &session, &mut talk)?,
            Phase::Interview(Floor::Free) => match leading::leader(context, &session)? {
                Some(agent) => led::turn(context, &session, &agent, &mut talk)?,
                // Nothing to ask: the floor is an agent's that asks from outside.
                None => return Ok(Reply::Text(String::new())),
            },
            Phase::NoInterview { .. } => match planned::planner(context, &session)? {
                Some(agent) => planned::turn(context, &session, &agent, &mut talk)?,
                None => return Ok(Reply::Text(String::new())),
            },
            Phase::Closed { .. } => return Ok(Reply::Text(String::new())),
        };
        if let Next::Done(reply) = next {
            return Ok(*reply);
        }
    }
}

fn ask(context: &mut Context<'_>, session: &Session, talk: &mut Talk) -> Result<Next, AppError> {
    let Some(asked) = session.open_question() else {
        return Ok(paused(Kept::Nothing));
    };
    let question = &asked.question;
    talk.offered = None;
    if let Some((number, told)) = crate::app::debate::on_question(session, &question.id)
        && (talk.told_of_debate.replace(number) != Some(number) || talk.in_sight.as_ref() != Some(&question.id))
    {
        context.voice.say(&Reply::Text(told))?;
        talk.in_sight = None;
    }
    if !question.form.is_grill() {
        return listed::ask(context, session, asked, talk);
    }
    let before = talk.in_sight.replace(question.id.clone());
    let (heading, text) = if before.as_ref() == Some(&question.id) { put_again(asked) } else { put(asked) };
    let prompt = ReplyPrompt {
        heading,
        question: text,
        choices: choices(&question.alternatives),
        draft: match unsent::recall(context, session, Some(&question.id), talk)? {
            // At a question that is put again, Enter keeps the answer that it had.
            draft if draft.is_empty() => {
                let answer = interview_summary::kept_answer(session, asked);
                answer.map(|answer| answer.text.to_string()).unwrap_or_default()
            }
            draft => draft,
        },
        status: talk.status(context, session),
        keys: KEYS_QUESTION.to_owned(),
        help: HELP_QUESTION.to_owned(),
        slash: Slash::Verb,
    };
    let text = match unsent::ask(context, session, Some(&question.id), &prompt).answered() {
        Ok(text) => text,
        Err(unanswered) => return unsent::leave(context, session, Some(&question.id), unanswered),
    };
    if typed::is_verb(&text) {
        unsent::forget(context, session, Some(&question.id))?;
        return typed::verb(context, talk, &text);
    }
    // An alternative is taken as it was worded.
    let worded = prompt.choices.iter().any(|choice| choice.value == text);
    if let Some(slip) = typed::behind_a_number(&text, prompt.choices.len()).filter(|_| !worded) {
        return typed::mistyped(context, talk, &text, &slip);
    }
    if let Some(number) = noted::first(&text, &prompt.choices).filter(|_| text == prompt.draft) {
        return typed::mistyped(context, talk, &text, &typed::noted_only(number));
    }
    if let Some(filled_in) = named(&question.alternatives, &text) {
        talk.unsent = Some(filled_in);
        talk.notice = Some("that names an alternative; Enter sends it; edit it first if you like".to_owned());
        return Ok(Next::On);
    }
    let held = unsent::hold(context, session, Some(&question.id), &text);
    let answered = Prose::parse("the reply", &text)
        .map_err(AppError::from)
        .and_then(|said| interview::record(context, session, &question.id, UserReply::Text(said), None));
    match answered {
        Ok(outcome) => {
            unsent::forget(context, session, Some(&question.id))?;
            context.voice.say(&interview::happened(outcome))?;
        }
        Err(error) => {
            let error = unsent::after_an_error(text, held, error, talk);
            recover(context, &error)?;
        }
    }
    Ok(Next::On)
}

/// Shows an error that leaves the conversation possible, and passes on one that does not.
fn recover(context: &mut Context<'_>, error: &AppError) -> Result<(), AppError> {
    match error {
        AppError::Interrupted => Err(AppError::Interrupted),
        AppError::InterruptedWith(told) => Err(AppError::InterruptedWith(told.clone())),
        AppError::ReaderGone => Err(AppError::ReaderGone),
        AppError::NoSession => Err(AppError::NoSession),
        // A person who said no made no error.
        AppError::Cancelled(_) | AppError::PutOff | AppError::Stopped(_) => {
            context.voice.say(&Reply::Text(error.to_string()))
        }
        AppError::Refused(_)
        | AppError::ReplyKept { .. }
        | AppError::ReplyLost { .. }
        | AppError::EditKept { .. }
        | AppError::Store(_)
        | AppError::Write(_)
        | AppError::Outside(_)
        | AppError::Baseline(_)
        | AppError::Usage { .. }
        | AppError::NeedsPerson { .. }
        | AppError::Contended(_)
        | AppError::CheckpointMoved { .. }
        | AppError::Declined { .. }
        | AppError::Environment { .. } => context.voice.complain(error),
    }
}

/// Whether something that was typed and not sent was put aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Draft,
    Nothing,
}

fn paused(kept: Kept) -> Next {
    let text = match kept {
        Kept::Draft => "paused; the session stays active, and git grill next continues with what you typed",
        Kept::Nothing => "paused; the session stays active, and git grill next continues",
    };
    done(Reply::Text(text.to_owned()))
}

fn done(reply: Reply) -> Next {
    Next::Done(Box::new(reply))
}

/// Heading and text of a question that is new on the screen.
fn put(asked: &TranscriptEntry) -> (String, String) {
    let mut heading = format!("question {} · {}", asked.number, asked.question.dimension);
    let places: Vec<String> = asked.question.evidence.iter().map(ToString::to_string).collect();
    if !places.is_empty() {
        heading = format!("{heading} · seen in {}", places.join(", "));
    }
    (heading, asked.question.text.as_str().to_owned())
}

/// Heading and text of a question that can still be read a few lines above.
fn put_again(asked: &TranscriptEntry) -> (String, String) {
    (format!("question {} · {} · still open", asked.number, asked.question.dimension), String::new())
}

/// What the alternative sends that a text names, where it says more than its name: it is filled in, as by its number, since
/// nobody sends it unseen.
fn named(alternatives: &Alternatives, text: &str) -> Option<String> {
    let number = alternatives.taken_by(text.trim()).filter(|_| !says_unknown(text))?;
    let one = alternatives.numbered(number)?;
    (!one.is_said_by(text)).then(|| typed::as_answer(one.value.as_str()))
}

/// The alternatives as they are filled in. Whoever worded them, taking one is an answer and never a verb.
fn choices(alternatives: &Alternatives) -> Vec<Choice> {
    alternatives
        .as_slice()
        .iter()
        .map(|one| Choice {
            value: typed::as_answer(one.value.as_str()),
            label: one.label.as_str().to_owned(),
            description: one.description.as_ref().map(|text| text.as_str().to_owned()),
            recommended: one.recommended,
        })
        .collect()
}
