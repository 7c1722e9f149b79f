//! A running agent that is listened to at all times: while a question is before the user, its requests are answered and
//! its pipe never fills. What it tells is taken in; what comes of it is told at the next look.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::{Running, rules};
use crate::acp::failure::Failure;
use crate::domain::ids::SessionId;
use crate::domain::server_form::{ServerForm, ServerReply};
use crate::domain::settings::Research;

/// The most events that are taken in one go: what is shown must go on meanwhile.
const MOST_EVENTS: usize = 256;
/// So often it is listened to while nothing looks at it.
const PAUSE: Duration = Duration::from_millis(50);

/// Whether more may be waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    All,
    MoreWaits,
}

/// A running agent with the thread that listens to it.
pub(in crate::world::lead) struct Attended {
    name: String,
    session: SessionId,
    research: Research,
    running: Arc<Mutex<Running>>,
    /// Dropped, it ends the thread.
    over: Sender<()>,
    thread: JoinHandle<()>,
}

impl Attended {
    /// Begins to listen.
    pub(in crate::world::lead) fn new(running: Running) -> Self {
        let (name, session, research) = (running.name().to_owned(), running.session().clone(), running.research());
        let running = Arc::new(Mutex::new(running));
        let (over, ends) = channel();
        let listened = running.clone();
        let thread = std::thread::spawn(move || attend(&listened, &ends));
        Self { name, session, research, running, over, thread }
    }

    pub(in crate::world::lead) fn name(&self) -> &str {
        &self.name
    }

    pub(in crate::world::lead) fn session(&self) -> &SessionId {
        &self.session
    }

    pub(in crate::world::lead) fn research(&self) -> Research {
        self.research
    }

    /// The agent itself.
    pub(in crate::world::lead) fn lock(&self) -> MutexGuard<'_, Running> {
        lock(&self.running)
    }

    /// Ends both.
    pub(in crate::world::lead) fn end(self) {
        drop(self.over);
        let _ = self.thread.join();
        if let Some(running) = Arc::into_inner(self.running) {
            running.into_inner().unwrap_or_else(PoisonError::into_inner).end();
        }
    }
}

fn lock(running: &Mutex<Running>) -> MutexGuard<'_, Running> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Listens until the other end is dropped.
fn attend(running: &Mutex<Running>, ends: &Receiver<()>) {
    while let Err(RecvTimeoutError::Timeout) = ends.recv_timeout(PAUSE) {
        while lock(running).attend() == Heard::MoreWaits {
            if ends.try_recv() == Err(TryRecvError::Disconnected) {
                return;
            }
        }
    }
}

impl Running {
    pub(super) fn attend(&mut self) -> Heard {
        for _ in 0..MOST_EVENTS {
            if self.failed.is_some() {
                return Heard::All;
            }
            let rules = rules::rules(&self.agent, self.research, self.within);
            let taken = match self.client.next(Duration::ZERO, &rules) {
                Ok(Some(event)) => {
                    self.watch.heard();
                    self.taken(event)
                }
                Ok(None) => return Heard::All,
                Err(failure) => Err(failure),
            };
            if let Err(failure) = taken {
                if matches!(failure, Failure::Gone { .. }) {
                    self.forms.gone();
                }
                self.failed = Some(failure);
            }
        }
        Heard::MoreWaits
    }

    /// Whether the form that was handed out last waits for no answer any more.
    pub(in crate::world::lead) fn withdrawn(&self) -> Arc<AtomicBool> {
        self.forms.withdrawn()
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
