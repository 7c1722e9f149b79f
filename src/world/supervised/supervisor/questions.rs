//! What an agent asks: permissions, which the rules answer, and questions, which wait for a person (A18).

use crate::acp::update::{CallKind, CallUpdate, Word};
use crate::app::error::AppError;
use crate::domain::agents::Command;
use crate::domain::agents::ask::{AskAnswer, AskKind};
use crate::domain::harmless::harmless;
use crate::domain::server_form::{ServerForm, ServerReply};
use crate::domain::text::Line;

use super::Supervisor;

/// So many permissions of one turn are recorded one by one: of those that were given, and of those that were refused.
const MOST_RULED: usize = 64;

impl Supervisor<'_> {
    /// Records a permission that the profile gives.
    pub(super) fn allow(&mut self, call: &CallUpdate) -> Result<(), AppError> {
        self.allowed += 1;
        if self.allowed > MOST_RULED { Ok(()) } else { self.permission(call, "allows") }
    }

    /// Records a permission that the profile does not give (A18).
    pub(super) fn refuse(&mut self, call: &CallUpdate) -> Result<(), AppError> {
        self.refused += 1;
        if self.refused > MOST_RULED { Ok(()) } else { self.permission(call, "does not allow") }
    }

    fn permission(&mut self, call: &CallUpdate, ruled: &str) -> Result<(), AppError> {
        let title = call.title.as_deref().unwrap_or("a tool without a name");
        let words = Line::clipped(&harmless(title));
        let why = format!("{} {ruled} {}", self.book.session().started.profile, deed(call));
        self.ruled(AskKind::Permission, words, &why)
    }

    /// Records what was asked and answered at once, so that nobody takes it for something that waits.
    fn ruled(&mut self, kind: AskKind, words: Line, why: &str) -> Result<(), AppError> {
        self.book.act(&Command::Rule { kind, words, why: Line::clipped(why) })
    }

    pub(super) fn asks(&mut self, form: ServerForm) -> Result<(), AppError> {
        let words = Line::clipped(&harmless(&form.message));
        if let Err(why) = &form.asks {
            return self.ruled(AskKind::Question, words, why);
        }
        if self.book.session().active_turn().is_none() {
            // Nobody would answer it before the next turn, which it is not about.
            self.lent.fill(ServerReply::Closed);
            return self.ruled(AskKind::Question, words, "its turn was over");
        }
        self.book.act(&Command::Ask { kind: AskKind::Question, words })?;
        let number = self.book.session().asked;
        self.open = Some((number, form));
        self.pulse.asked();
        Ok(())
    }

    pub(super) fn close(&mut self, answer: AskAnswer) -> Result<(), AppError> {
        let Some((number, _)) = self.open.take() else { return Ok(()) };
        // The end of a turn has answered it already.
        if self.book.session().asks.iter().any(|open| open.ask.number == number) {
            self.book.act(&Command::Answer { number, answer })?;
        }
        Ok(())
    }

    /// A question that nobody answers is refused at its limit, as nobody's word (A18).
    pub(super) fn expire_question(&mut self) -> Result<(), AppError> {
        if self.open.is_some() && self.pulse.since_asked() >= self.limits.ask {
            self.close(AskAnswer::Nobody)?;
            self.lent.fill(ServerReply::Closed);
        }
        Ok(())
    }
}

/// The kind of what a call would do.
fn deed(call: &CallUpdate) -> &'static str {
    match call.kind {
        Some(Word::Known(CallKind::Read | CallKind::Search)) => "reading files",
        Some(Word::Known(CallKind::Edit | CallKind::Delete | CallKind::Move)) => "changing files",
        Some(Word::Known(CallKind::Execute)) => "this command",
        Some(Word::Known(CallKind::Fetch)) => "the web",
        Some(Word::Known(CallKind::SwitchMode)) => "another mode",
        Some(Word::Known(CallKind::Think | CallKind::Other) | Word::Unknown(_)) | None => "this tool",
    }
}
