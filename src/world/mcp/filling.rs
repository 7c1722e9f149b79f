//! Handles the input of a client's form. The input is recorded; it is kept if no call waits for it any more, or if it
//! is not a valid answer (Q15). Every path that does not record the input ends in [`LocalToolbox::kept`].

use serde_json::Value;

use crate::app::error::AppError;
use crate::app::toolbox::{Call, Called, Filled, NotSent, ToolText, Waiting};
use crate::app::tools::{Unrecorded, hold, keep, release};
use crate::domain::production;

use super::LocalToolbox;
use super::consenting::waits_for_a_word;
use super::fields::{filled_in, filled_so_far};
use super::form_prompter::{Asked, EMPTY, FormPrompter};
use super::handles::{
    WAITS, decides, fields, is_of_an_extension, question_of, reported, session_of, together, unreported,
};
use super::telling::{not_sent, remarking, said, sent, undecided};

/// Why the input of a form is not recorded.
const DECIDED: &str = "something else was decided elsewhere first";
pub(super) const UNFINISHED: &str = "the form for the missing part was not sent";
pub(super) const GONE: &str = "no call was waiting for it any more";

impl LocalToolbox {
    /// Handles the result of a form that this client was shown.
    pub(super) fn filled(&self, waiting: &Waiting, call: &Call, filled: Filled) -> Called {
        if is_of_an_extension(call) {
            return self.fill_extension(waiting, call, filled);
        }
        if waits_for_a_word(call) {
            return self.consented(waiting, call, filled);
        }
        let (values, how) = match filled {
            Filled::Sent(values) => (together(&waiting.given, values), None),
            Filled::NotSent(how) => (Value::Null, Some(how)),
        };
        let moved = self.moved_on(&waiting.handle, call);
        match (moved, how) {
            (Some(moved), None) => Called::Done(remarked(moved, self.kept(waiting, call, &values, DECIDED))),
            (Some(moved), Some(_)) => Called::Done(remarked(moved, self.unfinished(waiting, call, DECIDED))),
            (None, None) => self.take(waiting, call, values),
            (None, Some(how)) => {
                let said = self.unsent(waiting, call, how);
                Called::Done(remarked(said, self.unfinished(waiting, call, UNFINISHED)))
            }
        }
    }

    /// Keeps the input of a form that no call waits for; returns the remark for the agent.
    pub(super) fn left(&self, waiting: &Waiting, call: &Call, values: Value) -> Option<String> {
        if is_of_an_extension(call) {
            return self.left_by_extension(waiting, call, values);
        }
        // A yes to a call that is gone is a yes to nothing.
        if waits_for_a_word(call) {
            return None;
        }
        if values.is_null() {
            return self.unfinished(waiting, call, GONE);
        }
        self.kept(waiting, call, &together(&waiting.given, values), GONE)
    }

    /// Records the input, together with the input of earlier forms.
    fn take(&self, waiting: &Waiting, call: &Call, values: Value) -> Called {
        let mut prompter = FormPrompter::given(values.clone(), fields(call), &waiting.message);
        let served = self.served_under(&unreported(call), &waiting.handle, &mut prompter);
        if prompter.moved() {
            return self.called(call, served, prompter);
        }
        let unused = prompter.unused();
        let further = prompter.asked();
        // Otherwise a client that sends the same input again would be asked for the rest forever.
        let adds_nothing = further.is_some() && values == waiting.given;
        if let Some(Asked { message, fields, .. }) = further.filter(|_| !adds_nothing) {
            // The input may have moved the session on; then it counts.
            let waits = waiting.handle.starts_with(WAITS);
            let handle = if waits { self.stand(call) } else { waiting.handle.clone() };
            let meanwhile = if waits { said(served, &call.tool) } else { waiting.meanwhile.clone() };
            let given = if handle == waiting.handle { self.held_back(waiting, call, values) } else { Value::Null };
            let more = Waiting { handle, message, fields, given, meanwhile, ..waiting.clone() };
            return Called::Waiting(Box::new(more));
        }
        let unused = unused || adds_nothing;
        let because =
            served.as_ref().err().filter(|error| unused || !used_all_the_same(error)).map(ToString::to_string);
        let because = because.or_else(|| unused.then(|| EMPTY.to_owned()));
        let now = sent(served, &call.tool);
        let now = if decides(&now) { undecided(now) } else { now };
        let Some(because) = because else {
            self.let_go(waiting, call);
            return Called::Done(now);
        };
        Called::Done(remarked(now, self.kept(waiting, call, &values, &because)))
    }

    /// The result when the user did not send the form.
    fn unsent(&self, waiting: &Waiting, call: &Call, how: NotSent) -> ToolText {
        match how {
            // If no form can be shown here, the user's words in chat count, as reported.
            NotSent::Failed | NotSent::NoForms | NotSent::TimedOut if reported(call) => {
                said(self.served(call, &mut FormPrompter::noting(fields(call))), &call.tool)
            }
            NotSent::NoForms => waiting.meanwhile.clone(),
            NotSent::Declined | NotSent::Cancelled | NotSent::Failed | NotSent::TimedOut => {
                self.note_closed(call);
                not_sent(waiting, how)
            }
        }
    }

    /// Keeps the input of earlier forms if the last form is not sent; returns the remark for the agent.
    fn unfinished(&self, waiting: &Waiting, call: &Call, because: &str) -> Option<String> {
        filled_so_far(&waiting.given)?;
        self.kept(waiting, call, &waiting.given, because)
    }

    /// Keeps the input with the session that the form belongs to; returns the remark for the agent. None without input.
    pub(super) fn kept(&self, waiting: &Waiting, call: &Call, values: &Value, because: &str) -> Option<String> {
        let text = filled_in(values)?;
        let (session, question) = (session_of(&waiting.handle), question_of(&waiting.handle));
        let reply = Unrecorded { session: session.as_ref(), question: &question, because, again: None, text: &text };
        let mut at_hand = FormPrompter::given(values.clone(), fields(call), &waiting.message);
        let kept = self.at(&call.client, &mut at_hand, |context| Ok(keep(context, &reply)));
        Some(kept.unwrap_or_else(|error| reply.nowhere(&error)))
    }

    /// Holds the values on disk until the rest of the form comes; returns them.
    fn held_back(&self, waiting: &Waiting, call: &Call, values: Value) -> Value {
        if let (Some(session), Some(text)) = (session_of(&waiting.handle), filled_so_far(&values)) {
            let (question, before) = (question_of(&waiting.handle), filled_so_far(&waiting.given));
            let mut at_hand = FormPrompter::given(values.clone(), fields(call), &waiting.message);
            // If this fails, the client still sends the values back with the next form.
            let _ = self
                .at(&call.client, &mut at_hand, |context| hold(context, &session, &question, before.as_deref(), &text));
        }
        values
    }

    /// Removes the held input of earlier forms, since all of it is recorded now.
    fn let_go(&self, waiting: &Waiting, call: &Call) {
        if let (Some(session), Some(text)) = (session_of(&waiting.handle), filled_so_far(&waiting.given)) {
            let question = question_of(&waiting.handle);
            let mut at_hand = FormPrompter::given(waiting.given.clone(), fields(call), &waiting.message);
            // If this fails, only a superfluous text stays.
            let _ = self.at(&call.client, &mut at_hand, |context| release(context, &session, &question, &text));
        }
    }
}

/// The reply, with a remark that says where the input is kept.
fn remarked(said: ToolText, kept: Option<String>) -> ToolText {
    match kept {
        Some(kept) => remarking(said, vec![kept]),
        None => said,
    }
}

/// Whether the input counted although the call failed, or the error itself says where the input is.
fn used_all_the_same(error: &AppError) -> bool {
    matches!(error, AppError::ReplyKept { .. } | AppError::ReplyLost { .. })
        || matches!(error.production(), Some(production::Refusal::Held { .. }))
}
