//! An agent that leads from another terminal: one leads, and every other one shows its questions too (G55).

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::prompt::{Doing, Prompted};
use crate::app::reply::{Discussed, Reply};
use crate::app::watched::watching;
use crate::domain::session::{Floor, Phase, Session};

use super::led::{LOOKS, left};
use super::{Kept, Next, Talk, paused};

/// Waits while the agent leads from another terminal: its next question is put here too, and whoever is first answers. That
/// it is talked with there is said once, with what can be done from elsewhere.
pub(super) fn waits(
    context: &mut Context<'_>,
    session: &Session,
    agent: &str,
    who: &str,
    talk: &mut Talk,
) -> Result<Next, AppError> {
    let in_discussion = matches!(session.phase, Phase::Interview(Floor::Discussion { .. }));
    let line = if in_discussion {
        let of_question = session.discussed().is_some();
        let discussed = Discussed { agent: agent.to_owned(), who: who.to_owned(), of_question };
        let goes_on = format!("the discussion with {agent} goes on in another terminal, {who}");
        if !std::mem::replace(&mut talk.told_of_discussion, true) {
            let told = format!("{goes_on}\nEsc leaves this one; then {}", discussed.ways());
            context.voice.say(&Reply::Text(told))?;
        }
        format!("{goes_on}; the next question will appear here too")
    } else {
        format!("{agent} is led from another terminal, {who}; its question will appear here too")
    };
    let Context { prompter, leading, dispatcher, .. } = context;
    let Some(port) = leading else { return Ok(paused(Kept::Nothing)) };
    let store = dispatcher.store;
    let Some(watch) = watching(store, session) else { return Ok(Next::On) };
    let mut failed = None;
    let mut looks = 0;
    let followed: Prompted<()> = prompter.follow(&mut || {
        looks += 1;
        let mut free = || port.claim(&session.id).map(|who| who.is_none());
        let over = if watch() {
            Ok(true)
        } else if looks % LOOKS == 0 {
            free()
        } else {
            Ok(false)
        };
        match over {
            Ok(true) => Doing::Over,
            Ok(false) => Doing::On { line: line.clone(), steps: Vec::new(), said: Vec::new(), saying: String::new() },
            Err(error) => {
                failed = Some(error);
                Doing::Over
            }
        }
    });
    match (failed, followed.answered()) {
        (Some(error), _) => Err(error),
        (None, Ok(())) => Ok(Next::On),
        (None, Err(unanswered)) => left(context, unanswered),
    }
}
