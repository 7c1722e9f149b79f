//! What a client's form came back with: it is taken, or kept where nothing waits for it any more or no answer can be made
//! of it (Q15). Every way in which something that was filled in is not recorded ends in [`Desks::kept`].

use serde_json::Value;

use crate::app::error::AppError;
use crate::app::toolbox::{Call, Called, Filled, NotSent, Said, Waiting};
use crate::app::tools::{Unrecorded, hold, keep, release};
use crate::domain::refusal::Refusal;

use super::Desks;
use super::elicited::{Asked, EMPTY, Elicited};
use super::fields::{filled_in, filled_so_far};
use super::handles::{WAITS, decides, fields, question_of, reported, session_of, together, unreported};
use super::telling::{not_sent, remarking, said, sent, undecided};

/// Why something that was filled in is not recorded.
const DECIDED: &str = "something else was decided elsewhere first";
const UNFINISHED: &str = "the form for the rest of it was not sent";
const GONE: &str = "nothing waited for it any more";

impl Desks {
    /// What a form came to that this client was shown.
    pub(super) fn filled(&self, waiting: &Waiting, call: &Call, filled: Filled) -> Called {
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

    /// Keeps what was left with a form that nothing waits for; what to tell.
    pub(super) fn left(&self, waiting: &Waiting, call: &Call, values: Value) -> Option<String> {
        if values.is_null() {
            return self.unfinished(waiting, call, GONE);
        }
        self.kept(waiting, call, &together(&waiting.given, values), GONE)
    }

    /// Takes what was sent, with what earlier forms brought.
    fn take(&self, waiting: &Waiting, call: &Call, values: Value) -> Called {
        let mut prompter = Elicited::given(values.clone(), fields(call), &waiting.message);
        let served = self.served_under(&unreported(call), &waiting.handle, &mut prompter);
        if prompter.moved() {
            return self.called(call, served, prompter);
        }
        let unused = prompter.unused();
        let further = prompter.asked();
        // A client that sends the same once more would be asked for the rest for ever.
        let adds_nothing = further.is_some() && values == waiting.given;
        if let Some(Asked { message, fields, .. }) = further.filter(|_| !adds_nothing) {
            // What was sent may have moved the session on, and is taken then.
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

    /// What it comes to that a form was not sent.
    fn unsent(&self, waiting: &Waiting, call: &Call, how: NotSent) -> Said {
        match how {
            // Where nobody can be asked here, what the user said in plain text counts, as reported.
            NotSent::Failed | NotSent::NoForms | NotSent::TimedOut if reported(call) => {
                said(self.served(call, &mut Elicited::noting(fields(call))), &call.tool)
            }
            NotSent::NoForms => waiting.meanwhile.clone(),
            NotSent::Declined | NotSent::Cancelled | NotSent::Failed | NotSent::TimedOut => {
                self.note_closed(call);
                not_sent(waiting, how)
            }
        }
    }

    /// Keeps what earlier forms brought, where the last one is not sent; what to tell.
    fn unfinished(&self, waiting: &Waiting, call: &Call, because: &str) -> Option<String> {
        filled_so_far(&waiting.given)?;
        self.kept(waiting, call, &waiting.given, because)
    }

    /// Keeps what was filled in with the session that the form was for; what to tell. None where nothing was.
    fn kept(&self, waiting: &Waiting, call: &Call, values: &Value, because: &str) -> Option<String> {
        let text = filled_in(values)?;
        let (session, question) = (session_of(&waiting.handle), question_of(&waiting.handle));
        let reply = Unrecorded { session: session.as_ref(), question: &question, because, again: None, text: &text };
        let mut at_hand = Elicited::given(values.clone(), fields(call), &waiting.message);
        let kept = self.at(&call.client, &mut at_hand, |desk| Ok(keep(desk, &reply)));
        Some(kept.unwrap_or_else(|error| reply.nowhere(&error)))
    }

    /// The same values, which are held on disk until the rest of the form comes.
    fn held_back(&self, waiting: &Waiting, call: &Call, values: Value) -> Value {
        if let (Some(session), Some(text)) = (session_of(&waiting.handle), filled_so_far(&values)) {
            let (question, before) = (question_of(&waiting.handle), filled_so_far(&waiting.given));
            let mut noting = Elicited::noting(fields(call));
            // Where it cannot be held, it still stands between us and the client.
            let _ =
                self.at(&call.client, &mut noting, |desk| hold(desk, &session, &question, before.as_deref(), &text));
        }
        values
    }

    /// Takes back what was held of earlier forms: all of it is recorded.
    fn let_go(&self, waiting: &Waiting, call: &Call) {
        if let (Some(session), Some(text)) = (session_of(&waiting.handle), filled_so_far(&waiting.given)) {
            let question = question_of(&waiting.handle);
            let mut noting = Elicited::noting(fields(call));
            // What stays is a text too many.
            let _ = self.at(&call.client, &mut noting, |desk| release(desk, &session, &question, &text));
        }
    }
}

/// What was said, with where something is kept.
fn remarked(said: Said, kept: Option<String>) -> Said {
    match kept {
        Some(kept) => remarking(said, vec![kept]),
        None => said,
    }
}

/// Whether what was sent counted though the call failed, or the error says where it is.
fn used_all_the_same(error: &AppError) -> bool {
    matches!(error, AppError::ReplyKept { .. } | AppError::ReplyLost { .. } | AppError::Refused(Refusal::Held { .. }))
}
