//! Records an extension's answers: in an interview as questions and answers of it, in another phase as answers to the
//! extension, and without a session not at all, with a remark that says so.

use crate::app::context::Context;
use crate::app::dispatcher::Envelope;
use crate::app::error::AppError;
use crate::app::form::{Asker as _, ByPrompt, Met, Scripted, can_ask};
use crate::app::ports::extensions::ExtensionAction;
use crate::app::prompt::{Came, Settled};
use crate::app::tools::{
    AnsweredQuestion, NO_SESSION, Respondents, active, caller, in_turn, keep_answers, led_on, record_answers,
};
use crate::domain::actor::Actor;
use crate::domain::extension::{Command, ExtensionAnswer};
use crate::domain::session::{Phase, Session};
use crate::domain::text::{Line, Prose};
use crate::domain::ui::{Call, Name};

use super::recording::Book;
use super::respondent;

/// Why the next question of a run may be put at once.
const SAME_RUN: &str = "asked in the same run of an extension as the question before";

pub(super) struct SessionBook<'r, 'd> {
    context: &'r mut Context<'d>,
    name: &'r Name,
    deed: &'r ExtensionAction,
    scripted: Option<&'r mut Scripted>,
    /// Whether the user has answered a question, in this run or in an earlier run of the same call.
    answered: bool,
    /// Whether one was given without a session to record it in.
    nowhere: bool,
    /// Whether what is asked now is put beside the interview.
    out_of_turn: bool,
    remarks: Vec<String>,
}

impl<'r, 'd> SessionBook<'r, 'd> {
    pub(super) fn new(
        context: &'r mut Context<'d>,
        name: &'r Name,
        deed: &'r ExtensionAction,
        scripted: Option<&'r mut Scripted>,
    ) -> Self {
        Self { context, name, deed, scripted, answered: false, out_of_turn: false, nowhere: false, remarks: Vec::new() }
    }

    /// Ends the run: where the built-in interviewer leads it has the floor again, unless the run `goes_on` with a later
    /// call. Returns what there is to say.
    pub(super) fn close(mut self, goes_on: bool) -> Vec<String> {
        if self.answered
            && !goes_on
            && let Ok(Some(session)) = active(self.context)
        {
            led_on(self.context, session);
        }
        if self.nowhere && !goes_on {
            self.remarks.push(NO_SESSION.to_owned());
        }
        self.remarks
    }

    fn respondent(&self) -> Actor {
        respondent(self.scripted.is_some(), &self.context.actor)
    }

    /// Who asks: the agent that called the tool, or the extension itself where its command was typed.
    fn asker(&self, session: &Session) -> Actor {
        match self.deed {
            ExtensionAction::Tool(..) => caller(self.context, session),
            ExtensionAction::Command(..) => Actor::Agent(self.name.to_string()),
        }
    }

    /// The session to record in; none where there is none, or it cannot be read, and then these answers are kept.
    fn session(&mut self, answers: &[AnsweredQuestion]) -> Option<Session> {
        match active(self.context) {
            Ok(session) => session,
            Err(error) => {
                self.keep(None, answers, &error);
                None
            }
        }
    }

    fn keep(&mut self, session: Option<&Session>, answers: &[AnsweredQuestion], error: &AppError) {
        let question = self.context.dispatcher.question_id();
        let kept = keep_answers(self.context, session.map(|session| &session.id), &question, answers, error);
        self.remarks.push(kept);
    }

    /// Records answers that are none of the interview's, all of them or none.
    fn beside(&mut self, session: &Session, answers: &[AnsweredQuestion]) {
        let recorded = self.envelopes(answers).and_then(|envelopes| self.context.handle_each(&session.id, &envelopes));
        if let Err(error) = recorded {
            self.keep(Some(session), answers, &error);
        }
    }

    fn envelopes(&self, answers: &[AnsweredQuestion]) -> Result<Vec<Envelope>, AppError> {
        let said = |what: &'static str, text: &str| Prose::parse(what, text).map_err(AppError::from);
        let envelope = |one: &AnsweredQuestion| -> Result<Envelope, AppError> {
            let answer = one.labels.iter().map(|label| said("the answer", label)).collect::<Result<Vec<_>, _>>()?;
            let note = one.note.as_deref().map(|note| said("the note", note)).transpose()?;
            let answer = ExtensionAnswer {
                extension: self.name.clone(),
                question: one.prompt.clone(),
                answer,
                note,
                other: one.other,
            };
            Ok(Envelope { actor: self.respondent(), command: Command::Answer(Box::new(answer)).into() })
        };
        answers.iter().map(envelope).collect()
    }
}

impl Book for SessionBook<'_, '_> {
    fn available(&self) -> Result<(), String> {
        if let Some(scripted) = &self.scripted {
            return scripted.available();
        }
        can_ask(self.context.prompter)
    }

    fn in_turn(&mut self, first: bool) -> Result<(), String> {
        let session = active(self.context).map_err(|error| error.to_string())?;
        let Some(session) = session.filter(|session| matches!(session.phase, Phase::Interview(_))) else {
            return Ok(());
        };
        let unchanged = (!first).then(|| Line::clipped(SAME_RUN));
        let turn = in_turn(&session, unchanged.as_ref()).map_err(|refusal| refusal.to_string());
        // What a person typed may always ask them; out of turn it is no question of the interview.
        self.out_of_turn = turn.is_err() && matches!(self.deed, ExtensionAction::Command(..));
        if self.out_of_turn { Ok(()) } else { turn }
    }

    fn replays(&self) -> bool {
        self.scripted.is_none() && self.context.prompter.replays()
    }

    fn put(&mut self, call: &Call, settled: Settled) -> (Met, Came) {
        if let Some(scripted) = &mut self.scripted {
            return (scripted.ask(call, settled), Came::Now);
        }
        let met = ByPrompt::new(&mut *self.context.prompter, Some(self.name)).ask(call, settled);
        (met, self.context.prompter.came())
    }

    fn record(&mut self, answers: Vec<AnsweredQuestion>, first: bool) {
        let Some(session) = self.session(&answers) else { return };
        match &session.phase {
            Phase::Interview(_) if !self.out_of_turn => {
                let by = Respondents {
                    asker: self.asker(&session),
                    respondent: self.respondent(),
                    unchanged: (!first).then(|| Line::clipped(SAME_RUN)),
                };
                let (_, remarks) = record_answers(self.context, &session.id, &by, &answers);
                self.remarks.extend(remarks);
            }
            Phase::Interview(_)
            | Phase::Selection(_)
            | Phase::Production(_)
            | Phase::NoInterview { .. }
            | Phase::Closed { .. } => {
                self.beside(&session, &answers);
            }
        }
    }

    fn note(&mut self, answer: AnsweredQuestion) {
        let answers = [answer];
        if let Some(session) = self.session(&answers) {
            self.beside(&session, &answers);
        }
    }

    fn answered(&mut self) {
        // What cannot be read is told where it is recorded.
        self.answered = true;
        self.nowhere |= matches!(active(self.context), Ok(None));
    }
}
