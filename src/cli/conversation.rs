//! The conversation at a terminal: ask, take the reply, show what it changed, ask again.
//!
//! Everything that can be said here can be said by a verb too; the conversation only saves the typing. A line that
//! begins with `/` is a verb and goes through the same grammar (G11).

use clap::Parser;

use crate::app::desk::Desk;
use crate::app::error::AppError;
use crate::app::prompt::{Choice, ReplyPrompt, Unanswered};
use crate::app::reply::Reply;
use crate::domain::command::{Command, Reply as Said};
use crate::domain::interview::Asked;
use crate::domain::question::Alternatives;
use crate::domain::selection::Selection;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::text::Prose;

use super::args::{Cli, Verb};
use super::{Manner, begin, interview, lower, production, serve};

const HELP_QUESTION: &str =
    "Enter sends, Tab fills in an alternative · /skip /unknown /why /discuss /back /status /stop · Esc pauses";
const HELP_GATE: &str = "Enter sends, Tab fills in a choice · continue, review, select <output>, stop · Esc pauses";

/// What the conversation does after a step.
enum Next {
    /// Ask again.
    On,
    /// Leave with this reply.
    Done(Box<Reply>),
}

/// Goes on as a conversation if somebody is there, else returns the reply as it is.
pub(super) fn go_on(desk: &mut Desk<'_>, reply: Reply, talks: bool) -> Result<Reply, AppError> {
    if !talks {
        return Ok(reply);
    }
    desk.voice.say(&reply)?;
    loop {
        let session = desk.session()?;
        let next = match &session.phase {
            Phase::Interview(Floor::Question { .. }) => ask(desk, &session)?,
            Phase::Interview(Floor::Discussion { .. }) => discuss(desk, &session)?,
            Phase::Selection(selection) => choose(desk, &session, selection)?,
            Phase::Production(_) => produce(desk, &session)?,
            // Nothing to ask: the floor is an agent's, or the session is over.
            Phase::Interview(Floor::Free) | Phase::Closed { .. } => {
                return Ok(Reply::Text(String::new()));
            }
        };
        if let Next::Done(reply) = next {
            return Ok(*reply);
        }
    }
}

/// The error of a prompt that ended without an answer to `deed`.
pub(super) fn not_answered(deed: &'static str) -> impl Fn(Unanswered) -> AppError {
    move |unanswered| match unanswered {
        Unanswered::Cancelled { .. } => AppError::Cancelled(deed),
        Unanswered::Interrupted { .. } => AppError::Interrupted,
        Unanswered::Unavailable(why) => AppError::NeedsPerson {
            deed: deed.to_owned(),
            why: why.to_owned(),
            hint: "run it at a terminal".to_owned(),
        },
        Unanswered::Lost { .. } => AppError::NeedsPerson {
            deed: deed.to_owned(),
            why: "the terminal went away".to_owned(),
            hint: "git grill next asks again".to_owned(),
        },
    }
}

/// Puts the open question.
fn ask(desk: &mut Desk<'_>, session: &Session) -> Result<Next, AppError> {
    let Some(asked) = session.open_question() else {
        return Ok(paused());
    };
    let question = &asked.question;
    let mut draft = desk.dispatcher.store.take_draft(&session.id, &question.id)?.unwrap_or_default();
    loop {
        let prompt = ReplyPrompt {
            heading: heading(asked),
            question: question.text.as_str().to_owned(),
            choices: choices(&question.alternatives),
            draft: std::mem::take(&mut draft),
            status: desk.voice.status_line(session),
            help: HELP_QUESTION.to_owned(),
        };
        let text = match desk.prompter.reply(&prompt).answered() {
            Ok(text) => text,
            Err(unanswered) => {
                keep(desk, session, asked, &unanswered)?;
                return stop_asking(unanswered);
            }
        };
        if text.trim().is_empty() {
            continue;
        }
        if let Some(line) = text.trim().strip_prefix('/') {
            return verb(desk, line);
        }
        // A bare number fills the alternative in instead of sending it: it can be read and edited first, and a person
        // whose answer is a number sees what would be sent.
        if let Some(one) = text.trim().parse().ok().and_then(|number| question.alternatives.numbered(number)) {
            one.value.as_str().clone_into(&mut draft);
            continue;
        }
        let said = match Prose::parse("the reply", &text) {
            Ok(prose) => Said::Text(prose),
            Err(error) => {
                desk.voice.complain(&error.into())?;
                draft = text;
                continue;
            }
        };
        match interview::reply(desk, session, &question.id, said, None) {
            Ok(outcome) => desk.voice.say(&interview::happened(outcome))?,
            Err(error) => recover(desk, &error)?,
        }
        return Ok(Next::On);
    }
}

/// Waits for what a discussion came to.
fn discuss(desk: &mut Desk<'_>, session: &Session) -> Result<Next, AppError> {
    let prompt = ReplyPrompt {
        heading: "discussion".to_owned(),
        question: "Talk it over. What did it come to?".to_owned(),
        status: desk.voice.status_line(session),
        help: "one or more lines sum it up and return to the questions · /status /stop · Esc pauses".to_owned(),
        ..ReplyPrompt::default()
    };
    let text = match desk.prompter.reply(&prompt).answered() {
        Ok(text) if text.trim().is_empty() => return Ok(Next::On),
        Ok(text) => text,
        Err(unanswered) => return stop_asking(unanswered),
    };
    if let Some(line) = text.trim().strip_prefix('/') {
        return verb(desk, line);
    }
    let summary = Prose::parse("the summary", &text)?;
    let outcome = desk.handle_and_advance(&session.id, Command::EndDiscussion { summary })?;
    desk.voice.say(&interview::happened(outcome))?;
    Ok(Next::On)
}

/// Puts the gate (G26).
fn choose(desk: &mut Desk<'_>, session: &Session, selection: &Selection) -> Result<Next, AppError> {
    let gate = &selection.gate;
    let prompt = ReplyPrompt {
        heading: "output selection".to_owned(),
        question: gate.question.as_str().to_owned(),
        choices: choices(&gate.alternatives),
        status: desk.voice.status_line(session),
        help: HELP_GATE.to_owned(),
        ..ReplyPrompt::default()
    };
    let text = match desk.prompter.reply(&prompt).answered() {
        Ok(text) => text,
        Err(unanswered) => return stop_asking(unanswered),
    };
    let text = text.trim();
    let number = text.parse().ok().and_then(|number| gate.alternatives.numbered(number));
    let text = number.map_or(text, |one| one.value.as_str());
    let line = match text.strip_prefix('/').unwrap_or(text) {
        "" => return Ok(Next::On),
        "continue" => "next",
        "review" => "checkpoint show",
        "stop" | "stop without output" => "stop --without-output",
        other => other,
    };
    verb(desk, line)
}

/// Drafts, shows, has approved, writes; then asks what is next.
fn produce(desk: &mut Desk<'_>, session: &Session) -> Result<Next, AppError> {
    let Phase::Production(open) = &session.phase else {
        return Ok(Next::On);
    };
    if open.waiting().next().is_some() || open.owed().next().is_some() || open.drafts.is_empty() {
        match production::produce(desk) {
            Ok(reply) => desk.voice.say(&reply)?,
            Err(AppError::Cancelled(_)) => {}
            Err(error) => recover(desk, &error)?,
        }
    }
    let choice = |value: &str, label: &str, description: &str| Choice {
        value: value.to_owned(),
        label: label.to_owned(),
        description: Some(description.to_owned()),
        recommended: false,
    };
    let choices = [
        choice("stop", "end the session", "what was written stays, and the read-only protection is lifted"),
        choice("finish", "go on with the interview", "the repository is read-only again"),
        choice("produce", "look at the drafts again", "and approve what waits"),
        choice("pause", "leave it as it is", "git grill produce comes back to it"),
    ];
    match desk.prompter.choose("What next?", &choices).answered() {
        Ok(0) => {
            let now = desk.session()?;
            begin::end(desk, &now, production::ending(&now)).map(done)
        }
        Ok(1) => verb(desk, "finish"),
        Ok(2) => Ok(Next::On),
        Ok(_) => Ok(paused()),
        Err(unanswered) => stop_asking(unanswered),
    }
}

/// Serves a verb that was typed into the conversation.
fn verb(desk: &mut Desk<'_>, line: &str) -> Result<Next, AppError> {
    let parsed = shell_words::split(line).map_err(|error| error.to_string()).and_then(|words| {
        Cli::try_parse_from(std::iter::once("git grill".to_owned()).chain(words)).map_err(|error| error.to_string())
    });
    let verb = match parsed {
        Ok(Cli { verb: Some(Verb::Start(_) | Verb::Resume(_) | Verb::Demo(_)), .. }) => {
            let hint = "Esc pauses this session; then type it at the shell";
            desk.voice.complain(&lower::usage("a session is open in this conversation", hint))?;
            return Ok(Next::On);
        }
        Ok(cli) => cli.verb,
        Err(message) => {
            desk.voice.say(&Reply::Text(message))?;
            return Ok(Next::On);
        }
    };
    let Some(verb) = verb else {
        return Ok(Next::On);
    };
    let gate_wanted = matches!(&verb, Verb::Stop(stop) if !stop.without_output);
    match serve(desk, Some(verb), Manner::Single) {
        Ok(left @ Reply::Left { .. }) => Ok(done(left)),
        Ok(reply) => {
            desk.voice.say(&reply)?;
            Ok(Next::On)
        }
        // `/stop` shows the gate, where stopping without output can be said (G17).
        Err(AppError::NeedsPerson { .. }) if gate_wanted => {
            let session = desk.session()?;
            let opened = production::open_gate(desk, &session)?;
            desk.voice.say(&interview::happened(opened))?;
            Ok(Next::On)
        }
        Err(error) => {
            recover(desk, &error)?;
            Ok(Next::On)
        }
    }
}

/// Shows an error that leaves the conversation possible, and passes on one that does not.
fn recover(desk: &mut Desk<'_>, error: &AppError) -> Result<(), AppError> {
    match error {
        AppError::Interrupted => Err(AppError::Interrupted),
        AppError::ReaderGone => Err(AppError::ReaderGone),
        AppError::NoSession => Err(AppError::NoSession),
        AppError::Refused(_)
        | AppError::ReplyKept { .. }
        | AppError::Store(_)
        | AppError::Write(_)
        | AppError::Usage { .. }
        | AppError::NeedsPerson { .. }
        | AppError::Contended(_)
        | AppError::Cancelled(_)
        | AppError::Environment { .. } => desk.voice.complain(error),
    }
}

/// Keeps what was typed and not sent; it comes back with the question (Q15).
fn keep(desk: &Desk<'_>, session: &Session, asked: &Asked, unanswered: &Unanswered) -> Result<(), AppError> {
    if let Some(draft) = unanswered.draft() {
        desk.dispatcher.store.keep_draft(&session.id, &asked.question.id, draft)?;
    }
    Ok(())
}

/// A closed prompt pauses; an interrupt or a lost terminal ends the program with its own code.
fn stop_asking(unanswered: Unanswered) -> Result<Next, AppError> {
    match unanswered {
        Unanswered::Cancelled { .. } => Ok(paused()),
        Unanswered::Interrupted { .. } | Unanswered::Unavailable(_) | Unanswered::Lost { .. } => {
            Err(not_answered("the interview")(unanswered))
        }
    }
}

fn paused() -> Next {
    done(Reply::Text("paused; the session stays active, and git grill next goes on".to_owned()))
}

fn done(reply: Reply) -> Next {
    Next::Done(Box::new(reply))
}

fn heading(asked: &Asked) -> String {
    format!("question {} · {}", asked.number, asked.question.dimension)
}

fn choices(alternatives: &Alternatives) -> Vec<Choice> {
    alternatives
        .as_slice()
        .iter()
        .map(|one| Choice {
            value: one.value.as_str().to_owned(),
            label: one.label.as_str().to_owned(),
            description: one.description.as_ref().map(|text| text.as_str().to_owned()),
            recommended: one.recommended,
        })
        .collect()
}
