//! Forms of other servers: those that wait for the user, one after the other, and no more of them than a person bears.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::acp::client::Client;
use crate::acp::elicit::Form;
use crate::acp::failure::Failure;
use crate::domain::server_form::{ServerForm, ServerReply};

/// The most forms of one turn. What comes after them is declined unseen.
const MOST: usize = 8;

#[derive(Default)]
pub(super) struct Forms {
    waiting: VecDeque<Form>,
    /// The one that the user has before them, and whether it still waits for an answer.
    open: Option<Form>,
    withdrawn: Arc<AtomicBool>,
    taken: usize,
}

impl Forms {
    pub(super) fn begin(&mut self) {
        self.taken = 0;
    }

    /// Takes a form in. What the rules refuse is answered at once, and told.
    pub(super) fn take(&mut self, client: &mut Client, form: Form) -> Result<(), Failure> {
        self.taken += 1;
        if self.taken > MOST {
            return client.fill(&form, ServerReply::Declined);
        }
        if form.asked.asks.is_err() {
            client.fill(&form, ServerReply::Declined)?;
        }
        self.waiting.push_back(form);
        Ok(())
    }

    /// The agent waits for the answer to this request no more.
    pub(super) fn withdraw(&mut self, id: &Value) {
        self.waiting.retain(|form| !form.is(id));
        if self.open.as_ref().is_some_and(|form| form.is(id)) {
            self.withdrawn.store(true, Ordering::SeqCst);
        }
    }

    /// The agent is gone, and waits for nothing.
    pub(super) fn gone(&mut self) {
        self.withdrawn.store(true, Ordering::SeqCst);
    }

    pub(super) fn next(&mut self) -> Option<ServerForm> {
        let form = self.waiting.pop_front()?;
        let asked = form.asked.clone();
        self.withdrawn = Arc::new(AtomicBool::new(false));
        self.open = asked.asks.is_ok().then_some(form);
        Some(asked)
    }

    /// Whether the one that was handed out last waits no more.
    pub(super) fn withdrawn(&self) -> Arc<AtomicBool> {
        self.withdrawn.clone()
    }

    /// Answers the one that was handed out last.
    pub(super) fn fill(&mut self, client: &mut Client, reply: ServerReply) -> Result<(), Failure> {
        match self.open.take() {
            Some(form) if !self.withdrawn.load(Ordering::SeqCst) => client.fill(&form, reply),
            Some(_) | None => Ok(()),
        }
    }

    /// Declines those that were not handed out.
    pub(super) fn unasked(&mut self, client: &mut Client) -> Vec<ServerForm> {
        let waiting = std::mem::take(&mut self.waiting);
        let decline = |form: Form| {
            if form.asked.asks.is_ok() {
                // One that is gone needs no answer.
                let _ = client.fill(&form, ServerReply::Declined);
            }
            form.asked
        };
        waiting.into_iter().map(decline).collect()
    }
}
