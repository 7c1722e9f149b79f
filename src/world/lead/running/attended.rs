//! A running agent that is listened to at all times: while a question is before the user, its requests are answered and
//! its pipe never fills. What it tells is taken in; what comes of it is told at the next look.

use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use super::Running;
use super::listening::{Heard, Shared};
use crate::acp::failure::Failure;
use crate::domain::ids::SessionId;
use crate::domain::server_form::{ServerForm, ServerReply};
use crate::domain::settings::Research;

/// The most events that are taken in one go: what is shown must go on meanwhile.
const MOST_EVENTS: usize = 256;
/// And the most bytes, beside the line that goes beyond.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// What a running agent is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::world::lead) enum Of {
    /// To lead this session, which lets it look at so much.
    Interview(SessionId, Research),
    /// To be tried, in no session.
    Trial,
}

/// A running agent with the thread that listens to it.
pub(in crate::world::lead) struct Attended {
    name: String,
    of: Of,
    running: Arc<Shared<Running>>,
    /// Dropped, it ends the thread.
    over: Sender<()>,
    thread: JoinHandle<()>,
}

impl Attended {
    /// Begins to listen.
    pub(in crate::world::lead) fn new(running: Running, of: Of) -> Self {
        let name = running.name().to_owned();
        let running = Arc::new(Shared::new(running));
        let (over, ends) = channel();
        let listened = running.clone();
        let thread = std::thread::spawn(move || listened.attend(&ends, Running::attend));
        Self { name, of, running, over, thread }
    }

    pub(in crate::world::lead) fn name(&self) -> &str {
        &self.name
    }

    pub(in crate::world::lead) fn of(&self) -> &Of {
        &self.of
    }

    /// The agent itself.
    pub(in crate::world::lead) fn lock(&self) -> MutexGuard<'_, Running> {
        self.running.lock()
    }

    /// Whether it went on, or failed, since the user was told that it takes long. It keeps nothing of the agent alive.
    pub(in crate::world::lead) fn went_on(&self) -> Rc<dyn Fn() -> bool> {
        let attended = Arc::downgrade(&self.running);
        Rc::new(move || attended.upgrade().is_none_or(|running| running.lock().went_on()))
    }

    /// Ends both.
    pub(in crate::world::lead) fn end(self) {
        drop(self.over);
        let _ = self.thread.join();
        if let Some(running) = Arc::into_inner(self.running) {
            running.into_inner().end();
        }
    }
}

/// Takes one event after the other, each told by its bytes, until none waits or it is enough for one go.
fn batch(mut one: impl FnMut() -> Option<u64>) -> Heard {
    let mut bytes = 0;
    for _ in 0..MOST_EVENTS {
        match one() {
            Some(more) => bytes += more,
            None => return Heard::All,
        }
        if bytes > MOST_BYTES {
            break;
        }
    }
    Heard::MoreWaits
}

impl Running {
    /// Takes in what came, as much as one go may.
    pub(super) fn attend(&mut self) -> Heard {
        batch(|| self.hear())
    }

    /// Takes in one event; how many bytes it had.
    fn hear(&mut self) -> Option<u64> {
        if self.failed.is_some() {
            return None;
        }
        let before = self.client.bytes();
        let rules = self.rules();
        let taken = match self.client.next(Duration::ZERO, &rules) {
            Ok(Some(event)) => {
                self.watch.heard();
                self.taken(event)
            }
            Ok(None) => return None,
            Err(failure) => Err(failure),
        };
        if let Err(failure) = taken {
            if matches!(failure, Failure::Gone { .. }) {
                self.forms.gone();
            }
            self.failed = Some(failure);
        }
        Some(self.client.bytes() - before)
    }

    /// Whether the form that was handed out last waits for no answer any more.
    pub(in crate::world::lead) fn withdrawn(&self) -> Arc<AtomicBool> {
        self.forms.withdrawn()
    }

    /// Whether the agent ended by itself.
    pub(in crate::world::lead) fn is_gone(&self) -> bool {
        matches!(self.failed, Some(Failure::Gone { .. }))
    }

    /// Answers the form that was handed out last.
    pub(in crate::world::lead) fn fill(&mut self, reply: ServerReply) {
        if let Err(failure) = self.forms.fill(&mut self.client, reply) {
            self.failed.get_or_insert(failure);
        }
    }

    /// Takes the forms that were not handed out.
    pub(in crate::world::lead) fn unasked(&mut self) -> Vec<ServerForm> {
        self.forms.unasked(&mut self.client)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_bounded_in_events_and_in_bytes() {
        for (bytes, waiting, taken, heard) in [
            (100, 10, 10, Heard::All),
            (100, 100_000, MOST_EVENTS, Heard::MoreWaits),
            (1024 * 1024, 100_000, 5, Heard::MoreWaits),
            (16 * 1024 * 1024, 2, 1, Heard::MoreWaits),
        ] {
            let mut left = waiting;
            let told = batch(|| {
                left = usize::checked_sub(left, 1)?;
                Some(bytes)
            });
            assert_eq!((waiting - left, told), (taken, heard), "{bytes} bytes each");
        }
    }
}
