//! Asking while the session is watched: what another terminal settles meanwhile need not be answered here.

use crate::domain::session::Session;

use super::desk::Desk;
use super::error::{AppError, not_answered};
use super::ports::SessionStore;
use super::prompt::{Prompted, Unanswered};

/// Asks through `ask` while nothing is recorded elsewhere. Where something is, the prompt ends as one that nobody
/// answered in time.
pub fn watched<T>(
    desk: &mut Desk<'_>,
    session: &Session,
    ask: impl FnOnce(&mut Desk<'_>) -> Prompted<T>,
) -> Prompted<T> {
    let Some(watch) = watching(desk.dispatcher.store, session) else {
        return Prompted::TimedOut { draft: String::new() };
    };
    desk.prompter.watch(Some(watch.into()));
    let ending = ask(desk);
    desk.prompter.watch(None);
    ending
}

/// Watches the session from the state that is known here; `None` where it has moved on before it was watched.
pub fn watching(store: &dyn SessionStore, session: &Session) -> Option<Box<dyn Fn() -> bool>> {
    let watch = store.watch(&session.id);
    let moved = store.load(&session.id).is_ok_and(|now| now.session.phase != session.phase);
    (!moved).then_some(watch)
}

/// The same until it is answered, or what it asks about has changed: the session as it is then. Where the person gives
/// no answer, `deed` is what does not happen.
pub fn unless_moved<T>(
    desk: &mut Desk<'_>,
    session: &Session,
    deed: &'static str,
    mut ask: impl FnMut(&mut Desk<'_>) -> Prompted<T>,
) -> Result<Result<T, Box<Session>>, AppError> {
    loop {
        match watched(desk, session, &mut ask).answered() {
            Ok(answer) => return Ok(Ok(answer)),
            Err(Unanswered::TimedOut { .. }) => {}
            Err(other) => return Err(not_answered(deed)(other)),
        }
        let now = desk.dispatcher.store.load(&session.id)?.session;
        if now.phase != session.phase {
            return Ok(Err(Box::new(now)));
        }
    }
}
