//! What a server of a led agent knows of the terminal outside: it puts the questions, and is told when the agent comes and
//! when it does not get on.

use std::sync::atomic::Ordering;

use serde_json::Value;

use crate::app::error::AppError;
use crate::app::toolbox::{Call, ToolText};
use crate::domain::tool::Tool;
use crate::store::active::active;
use crate::store::lock::{Held, Locks, PATIENCE};

use super::form_prompter::FormPrompter;
use super::handles::fields;
use super::held::is_held;
use super::{LocalToolbox, pending};
use crate::world::run::{ASKS, TERMINAL, broker};

/// So many calls of a led agent are refused in a row before whoever is outside is told.
const MOST_WRONG: usize = 3;

impl LocalToolbox {
    /// Whether a terminal outside puts the questions (G67).
    pub(super) fn asks_at_terminal(&self) -> bool {
        self.environment.text(ASKS).is_some_and(|asks| asks == TERMINAL)
    }

    /// Tells whoever is outside that a client has come; once is enough.
    pub(super) fn greet(&self) {
        if self.is_trial() {
            return self.greet_in_trial();
        }
        let Some(broker) = broker(&self.environment).filter(|_| self.asks_at_terminal()) else { return };
        self.greeted.get_or_init(|| {
            let session = self.opened().and_then(|opened| active(&opened.repo).ok().flatten());
            if let Some((session, _)) = session {
                // Not greeted, it is taken for a server that did not start, and that is said.
                let _ = broker.greet(&session);
            }
        });
    }

    /// Tells whoever is outside when an agent does not learn to call our tools.
    pub(super) fn note_wrong(&self, call: &Call, said: &ToolText) {
        if !said.failed {
            if call.tool != Tool::Status.name() {
                self.wrong.store(0, Ordering::SeqCst);
            }
            return;
        }
        // What the referee holds was called rightly.
        if is_held(said) {
            return;
        }
        if self.wrong.fetch_add(1, Ordering::SeqCst) + 1 < MOST_WRONG {
            return;
        }
        self.wrong.store(0, Ordering::SeqCst);
        let session = self.opened().and_then(|opened| active(&opened.repo).ok().flatten());
        if let (Some(broker), Some((session, _))) = (broker(&self.environment), session) {
            let why = said.value.pointer("/error/message").and_then(Value::as_str).unwrap_or(&said.text);
            // What is not told shows itself as a turn without a question.
            let _ = broker.stuck(&session, &call.tool, why);
        }
    }

    /// Keeps the other servers of the agent that leads from serving it, until the guard is dropped: a question that one of
    /// them puts is on the user's screen for all of them. None where no terminal asks.
    pub(super) fn alone(&self) -> Result<Option<Held>, AppError> {
        let Some(opened) = self.opened().filter(|_| self.asks_at_terminal()) else { return Ok(None) };
        let session = active(&opened.repo).ok().flatten();
        let held = session.map(|(id, _)| Locks::new(&opened.common_dir, PATIENCE).hold_call(&id));
        Ok(held.transpose()?)
    }

    /// What a call comes to while a question or the gate is on the user's screen: nothing but where it stands, so that no
    /// agent closes what is the user's.
    pub(super) fn pending(&self, call: &Call) -> Option<ToolText> {
        if !self.asks_at_terminal() || call.tool == Tool::Status.name() {
            return None;
        }
        let mut noting = FormPrompter::noting(fields(call));
        self.at(&call.client, &mut noting, |context| Ok(pending::before(&context.session()?))).ok().flatten()
    }
}
