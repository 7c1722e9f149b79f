//! Calls that wait for a person's word on the call itself: the yes before an agent is lent work (A11), and what the user is
//! asked in a debate (D8). The client's form asks for it, and the same call is served with what came back. A form that was
//! not sent is no answer, and nothing of one is recorded or kept: it was about that call.

use serde_json::Value;

use crate::app::error::AppError;
use crate::app::reply::Reply;
use crate::app::toolbox::{Call, Called, Filled, NotSent, Waiting};
use crate::domain::debate;
use crate::domain::subsystem::Tooled as _;
use crate::domain::tool::Tool;

use super::LocalToolbox;
use super::form_prompter::{Asked, FormPrompter};
use super::handles::{fields, handle};
use super::telling::{failed, not_sent};

/// Whether a call may wait for such a word.
pub(super) fn waits_for_a_word(call: &Call) -> bool {
    call.tool == Tool::Agent.name() || is_of_a_debate(call)
}

fn is_of_a_debate(call: &Call) -> bool {
    debate::Command::TOOLS.iter().any(|row| row.name == call.tool)
}

impl LocalToolbox {
    /// The form for a call that needs a person first.
    pub(super) fn consent(call: &Call, served: &Result<Reply, AppError>, prompter: &FormPrompter) -> Option<Called> {
        let needs = |error: &&AppError| waits_for_a_word(call) && matches!(error, AppError::NeedsPerson { .. });
        let error = served.as_ref().err().filter(needs)?;
        let Asked { message, fields, within } = prompter.clone().asked()?;
        let meanwhile = failed(error, &call.tool);
        // It belongs to no session of ours.
        let handle = handle(call, &meanwhile, || None);
        Some(Called::Waiting(Box::new(Waiting { handle, message, fields, within, given: Value::Null, meanwhile })))
    }

    /// Serves the call with what its form came back with.
    pub(super) fn consented(&self, waiting: &Waiting, call: &Call, filled: Filled) -> Called {
        match filled {
            Filled::Sent(values) => {
                if is_of_a_debate(call)
                    && let Some(moved) = self.asked_otherwise(waiting, call)
                {
                    return moved;
                }
                let mut prompter = FormPrompter::given(values, fields(call), &waiting.message);
                let served = self.served(call, &mut prompter);
                self.called(call, served, prompter)
            }
            Filled::NotSent(NotSent::NoForms) => Called::Done(waiting.meanwhile.clone()),
            Filled::NotSent(how) => Called::Done(not_sent(waiting, how)),
        }
    }

    /// The form that the call asks with by now, where that is another one: what was said to the first is no answer to it.
    fn asked_otherwise(&self, waiting: &Waiting, call: &Call) -> Option<Called> {
        let mut noting = FormPrompter::noting(fields(call));
        let served = self.served(call, &mut noting);
        let is_the_same = noting.clone().asked().is_some_and(|asked| asked.message == waiting.message);
        (!is_the_same).then(|| self.called(call, served, noting))
    }
}
