//! The form of another MCP server while it is before the user: its prompts, who takes it down, and where what was typed
//! into it is kept (A18).

use std::path::PathBuf;
use std::rc::Rc;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::prompt::{Choice, Prompted, ReplyPrompt, Unanswered};
use crate::app::putting::keeper;
use crate::app::reply::Reply;
use crate::domain::harmless::harmless;
use crate::domain::ids::QuestionId;
use crate::domain::server_form::{ServerField, ServerForm, ServerValue};
use crate::domain::server_question::ServerOutcome;
use crate::domain::session::{Phase, Session};

use super::super::{recover, unsent};
use super::fields::{Asker, FormPlace};
use super::quoted;

/// Why a form came to no values.
pub(super) enum Not {
    Declined,
    Unanswered(Unanswered),
    /// It was taken down; with what stood in the editor.
    Over(Over, String),
}

/// Who took a form down.
#[derive(Clone, Copy)]
pub(super) enum Over {
    Server,
    Agent,
    /// Another terminal has somebody else ask.
    Interviewer,
    /// Another terminal ended the session.
    Session,
}

impl From<Unanswered> for Not {
    fn from(unanswered: Unanswered) -> Self {
        Self::Unanswered(unanswered)
    }
}

impl Not {
    /// What was typed and not sent.
    pub(super) fn draft(&self) -> &str {
        match self {
            Self::Declined => "",
            Self::Unanswered(unanswered) => unanswered.draft().unwrap_or_default(),
            Self::Over(_, draft) => draft,
        }
    }
}

impl Over {
    pub(super) fn told(self, asker: &str, agent: &str) -> String {
        let why = match self {
            Self::Server => return format!("the question of {asker} was withdrawn; nothing was sent"),
            Self::Agent => format!("{agent} ended"),
            Self::Interviewer => "the interviewer was changed elsewhere".to_owned(),
            Self::Session => "the session ended elsewhere".to_owned(),
        };
        format!("{why}; the question of {asker} was closed, and nothing was sent")
    }

    /// What is recorded of it. Nothing is recorded in a session that ended.
    pub(super) fn outcome(self) -> Option<ServerOutcome> {
        match self {
            Self::Server => Some(ServerOutcome::Withdrawn),
            Self::Agent | Self::Interviewer => Some(ServerOutcome::Ended),
            Self::Session => None,
        }
    }
}

/// A form that is before the user.
pub(super) struct Shown<'a> {
    session: &'a Session,
    asker: &'a str,
    form: &'a ServerForm,
    /// What was typed into it and is kept until the server has it: for which field, and where.
    kept: Vec<(QuestionId, PathBuf)>,
    /// Why something that was typed could not be kept.
    unkept: Option<AppError>,
}

impl<'a> Shown<'a> {
    pub(super) fn of(session: &'a Session, asker: &'a str, form: &'a ServerForm) -> Self {
        Self { session, asker, form, kept: Vec::new(), unkept: None }
    }
}

impl Shown<'_> {
    pub(super) fn ask(
        &mut self,
        context: &mut Context<'_>,
        fields: &[ServerField],
    ) -> Result<Vec<(String, ServerValue)>, Not> {
        let titles: Vec<&str> = fields.iter().map(|field| field.title.as_str()).collect();
        let wants = if titles.is_empty() { String::new() } else { format!("\nIt asks for: {}", titles.join(", ")) };
        let question = format!(
            "A question from outside the interview: {}\n{}{wants}\nYour answer goes to that server, and is recorded.",
            self.asker,
            quoted(self.form)
        );
        let answer = if fields.is_empty() { "Yes" } else { "Answer it" };
        let ways = [
            Choice::of("answer", answer, "nothing is sent before the last field is filled in"),
            Choice::of("decline", "Decline", "the server is told no; the interview goes on"),
        ];
        let declined = self.choose(context, &question, &ways)? != 0;
        let mut values = Vec::new();
        // An agent that leads no more has its server told nothing.
        for (at, field) in fields.iter().enumerate().filter(|_| !declined) {
            let heading = format!("{} · {} of {}", self.asker, at + 1, fields.len());
            if let Some(value) = self.fill(context, &heading, field)? {
                values.push((field.name.clone(), value));
            }
        }
        match self.over(context) {
            Some(over) => Err(Not::Over(over, String::new())),
            None if declined => Err(Not::Declined),
            None => Ok(values),
        }
    }

    /// Whether another terminal took the form from the agent that it came through.
    fn over(&self, context: &Context<'_>) -> Option<Over> {
        match context.dispatcher.store.load(&self.session.id) {
            Ok(now) if matches!(now.session.phase, Phase::Closed { .. }) => Some(Over::Session),
            Ok(now) if now.session.settings.interviewer != self.session.settings.interviewer => Some(Over::Interviewer),
            Ok(_) => None,
            // Of a session that cannot be read nobody knows who leads it.
            Err(_) => Some(Over::Session),
        }
    }

    /// What is typed into a field is kept under the form's own words, so that it comes back with the same form.
    fn place(&self, field: &ServerField) -> QuestionId {
        unsent::place(&format!("{}\0{}\0{}", self.asker, self.form.message, field.name))
    }

    /// What was typed has served once the server has it; else it is said where it is.
    pub(super) fn settle(&self, context: &mut Context<'_>, sent: bool, heard: bool) -> Result<(), AppError> {
        if sent {
            for (place, _) in &self.kept {
                unsent::forget(context, self.session, Some(place))?;
            }
            return Ok(());
        }
        if !heard {
            return Ok(());
        }
        let paths: Vec<String> = self.kept.iter().map(|(_, path)| path.display().to_string()).collect();
        if !paths.is_empty() {
            let told = format!("what you had typed is kept: {}", paths.join(", "));
            context.voice.say(&Reply::Text(harmless(&told).into_owned()))?;
        }
        match &self.unkept {
            Some(error) => recover(context, error),
            None => Ok(()),
        }
    }
}

impl FormPlace for Shown<'_> {
    /// Puts one of its prompts, until it is answered or the form is taken down. It stays where something else is recorded
    /// meanwhile; `ask` is given what stood in the editor then.
    fn put<T>(
        &self,
        context: &mut Context<'_>,
        mut ask: impl FnMut(&mut Context<'_>, Option<String>) -> Prompted<T>,
    ) -> Result<T, Not> {
        let mut draft = None;
        loop {
            let Some(withdrawn) = context.leading.as_ref().map(|port| port.withdrawn()) else {
                return Err(Not::Over(Over::Agent, draft.unwrap_or_default()));
            };
            // Watched before it is looked at, so that nothing comes in between.
            let moved = context.dispatcher.store.watch(&self.session.id);
            if let Some(over) = self.over(context) {
                return Err(Not::Over(over, draft.unwrap_or_default()));
            }
            let taken_back = Rc::clone(&withdrawn);
            context.prompter.watch(Some(Rc::new(move || taken_back() || moved())));
            let ended = ask(context, draft.take()).answered();
            context.prompter.watch(None);
            let stood = match ended {
                Ok(answer) => return Ok(answer),
                Err(Unanswered::TimedOut { draft }) => draft,
                Err(
                    other @ (Unanswered::Cancelled { .. }
                    | Unanswered::Interrupted { .. }
                    | Unanswered::Unavailable(_)
                    | Unanswered::Lost { .. }),
                ) => return Err(other.into()),
            };
            if withdrawn() {
                let gone = context.leading.as_ref().is_none_or(|port| port.is_gone());
                return Err(Not::Over(if gone { Over::Agent } else { Over::Server }, stood));
            }
            draft = Some(stood);
        }
    }

    fn asker(&self) -> Asker {
        Asker { name: "the server", escape: "Esc closes the server's question" }
    }

    fn before(&self, context: &Context<'_>, field: &ServerField) -> Option<String> {
        // One that cannot be read stays where it is.
        context.dispatcher.store.kept_draft(&self.session.id, &self.place(field)).ok().flatten()
    }

    fn edit(&self, context: &mut Context<'_>, field: &ServerField, prompt: &mut ReplyPrompt) -> Result<String, Not> {
        let (session, place) = (self.session, self.place(field));
        self.put(context, |context, draft| {
            if let Some(draft) = draft {
                prompt.draft = draft;
            }
            let mut keep = keeper(context, &session.id, &place);
            context.prompter.reply_kept(prompt, &mut keep)
        })
    }

    /// Keeps what was typed into a field. What only the server proposed, nobody typed.
    fn keep(&mut self, context: &Context<'_>, field: &ServerField, text: &str) {
        let place = &self.place(field);
        self.kept.retain(|(other, _)| other != place);
        if text.trim().is_empty() || field.initial.as_deref() == Some(text) {
            self.unkept = unsent::forget(context, self.session, Some(place)).err().or(self.unkept.take());
            return;
        }
        match context.dispatcher.store.replace_draft(&self.session.id, place, text) {
            Ok(path) => self.kept.push((place.clone(), path)),
            Err(error) => self.unkept = Some(error.into()),
        }
    }
}
