//! Forms of other servers: those that wait for the user, one after the other.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::acp::client::Client;
use crate::acp::elicit::Form;
use crate::acp::failure::Failure;
use crate::domain::server_form::{ServerForm, ServerReply};

#[derive(Default)]
pub(super) struct Forms {
    /// Those that the user is shown next, or told of where they were refused.
    waiting: VecDeque<Form>,
    /// The one that the user has before them.
    open: Option<Form>,
    /// Whether that one waits for no answer any more.
    withdrawn: Arc<AtomicBool>,
    /// Those that are not shown any more: their turn was cancelled.
    unshown: Vec<ServerForm>,
}

impl Forms {
    pub(super) fn take(&mut self, client: &Client, form: Form) {
        if client.waits_for(&form) || form.asked.asks.is_err() {
            self.waiting.push_back(form);
        } else {
            self.unshown.push(form.asked);
        }
    }

    /// The agent waits for the answer to this one no more.
    pub(super) fn withdraw(&mut self, form: &Form) {
        self.waiting.retain(|waiting| !waiting.is(form));
        if self.open.as_ref().is_some_and(|open| open.is(form)) {
            self.withdrawn.store(true, Ordering::SeqCst);
        }
    }

    /// The turn is cancelled, and every form in it with it.
    pub(super) fn cancelled(&mut self) {
        self.withdrawn.store(true, Ordering::SeqCst);
        let (refused, unshown): (VecDeque<Form>, VecDeque<Form>) =
            std::mem::take(&mut self.waiting).into_iter().partition(|form| form.asked.asks.is_err());
        self.waiting = refused;
        self.unshown.extend(unshown.into_iter().map(|form| form.asked));
    }

    /// The agent is gone, and waits for nothing.
    pub(super) fn gone(&mut self) {
        self.withdrawn.store(true, Ordering::SeqCst);
    }

    /// Whether the user has one before them.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some() && !self.withdrawn.load(Ordering::SeqCst)
    }

    /// Whether one waits to be handed out.
    pub(super) fn wait(&self) -> bool {
        !self.waiting.is_empty()
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
            Some(form) => client.fill(&form, reply),
            None => Ok(()),
        }
    }

    /// Closes those that were not handed out.
    pub(super) fn unasked(&mut self, client: &mut Client) -> Vec<ServerForm> {
        let mut all = std::mem::take(&mut self.unshown);
        for form in std::mem::take(&mut self.waiting) {
            // One that is gone needs no answer.
            let _ = client.fill(&form, ServerReply::Closed);
            all.push(form.asked);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _, empty, pipe};
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;
    use crate::acp::client::{Event, Streams};
    use crate::acp::permission::{May, Rules};
    use crate::agents::Preset;

    #[test]
    fn a35_the_forms_of_a_cancelled_turn_leave_the_screen_and_are_answered_once() {
        let form = |id: usize, mode: &str| {
            let params = json!({"mode": mode, "message": id.to_string()});
            json!({"id": id, "method": "elicitation/create", "params": params}).to_string()
        };
        let lines = [form(1, "form"), form(2, "form"), form(3, "url"), form(4, "form")].join("\n");
        let (mut sent, input) = pipe().unwrap();
        let output = Box::new(Cursor::new(lines.into_bytes()));
        let mut client = Client::new(Streams { input: Box::new(input), output, errors: Box::new(empty()) }, None);
        let preset = Preset::named("claude").unwrap();
        let rules = Rules { preset, server: Some("grill"), may: May::LOOK, only_reads: &|_| false };
        let mut forms = Forms::default();
        let comes = |client: &mut Client, forms: &mut Forms| {
            let Ok(Some(Event::Asks(form))) = client.next(Duration::from_secs(20), &rules) else { panic!("no form") };
            forms.take(client, form);
        };
        for _ in 0..3 {
            comes(&mut client, &mut forms);
        }
        assert_eq!(forms.next().unwrap().message, "1");
        let withdrawn = forms.withdrawn();
        client.cancel("s").unwrap();
        forms.cancelled();
        assert!(withdrawn.load(Ordering::SeqCst));
        forms.fill(&mut client, ServerReply::Sent(Vec::new())).unwrap();
        comes(&mut client, &mut forms);
        // That one was refused is told; the other two are not put any more.
        assert_eq!(forms.next().unwrap().message, "3");
        assert_eq!(forms.next(), None);
        let unshown = forms.unasked(&mut client);
        assert_eq!(unshown.iter().map(|form| form.message.as_str()).collect::<Vec<_>>(), ["2", "4"]);
        drop(client);
        let mut told = String::new();
        sent.read_to_string(&mut told).unwrap();
        let told: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let answered: Vec<_> =
            told.iter().map(|line| (line["id"].as_i64(), line["result"]["action"].as_str())).collect();
        let closed = |id: i64| (Some(id), Some("cancel"));
        assert_eq!(answered, [closed(3), (None, None), closed(1), closed(2), closed(4)]);
    }
}
