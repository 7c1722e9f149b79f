//! Asking while the session is watched: what another terminal settles meanwhile need not be answered here.

use std::rc::Rc;

use crate::domain::session::Session;

use super::context::Context;
use super::error::{AppError, not_answered};
use super::ports::SessionStore;
use super::prompt::{Prompted, Settled, Unanswered};

/// Asks through `ask` while nothing is recorded elsewhere. Where something is, the prompt ends as one that nobody
/// answered in time.
pub fn watched<T>(
    context: &mut Context<'_>,
    session: &Session,
    ask: impl FnOnce(&mut Context<'_>) -> Prompted<T>,
) -> Prompted<T> {
    watched_or(context, session, Rc::new(|| false), ask)
}

/// The same until something else settles it, too.
pub fn watched_or<T>(
    context: &mut Context<'_>,
    session: &Session,
    settled: Settled,
    ask: impl FnOnce(&mut Context<'_>) -> Prompted<T>,
) -> Prompted<T> {
    let Some(moved) = watching(context.dispatcher.store, session) else {
        return Prompted::TimedOut { draft: String::new() };
    };
    context.prompter.watch(Some(Rc::new(move || settled() || moved())));
    let ending = ask(context);
    context.prompter.watch(None);
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
    context: &mut Context<'_>,
    session: &Session,
    deed: &'static str,
    mut ask: impl FnMut(&mut Context<'_>) -> Prompted<T>,
) -> Result<Result<T, Box<Session>>, AppError> {
    loop {
        match watched(context, session, &mut ask).answered() {
            Ok(answer) => return Ok(Ok(answer)),
            Err(Unanswered::TimedOut { .. }) => {}
            Err(other) => return Err(not_answered(deed)(other)),
        }
        let now = context.dispatcher.store.load(&session.id)?.session;
        if now.phase != session.phase {
            return Ok(Err(Box::new(now)));
        }
    }
}
