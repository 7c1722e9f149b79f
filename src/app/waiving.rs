//! Waiving: a person waves concerns of the referee through, by name (G57). An agent's output selection is held by them
//! at `hard` and above; the person's own is not.

use crate::domain::actor::Actor;
use crate::domain::concern::{Concern, Waiver};
use crate::domain::interview;
use crate::domain::session::Session;
use crate::domain::settings::Intensity;
use crate::interviewer;

use super::context::Context;
use super::dispatcher::Envelope;
use super::error::AppError;
use super::prompt::{Choice, ManyPrompt, Unanswered};
use super::reply::Reply;

/// Waves these concerns through; without a name it lists them.
pub fn waive(context: &mut Context<'_>, names: &[String]) -> Result<Reply, AppError> {
    let session = context.session()?;
    let session = context.recheck(&session)?.after;
    let concerns = interviewer::concerns(&session);
    if names.is_empty() {
        let intensity = session.settings.intensity;
        let line = |one: &Concern| {
            let holds = if one.kind.holds(intensity) { "holds" } else { "is only named" };
            format!("{}  ({holds}) {}", one.name, one.says)
        };
        let lines: Vec<String> = concerns.iter().map(line).collect();
        return Ok(Reply::Text(if lines.is_empty() { "no concerns".to_owned() } else { lines.join("\n") }));
    }
    let waivers: Result<Vec<Waiver>, AppError> = names.iter().map(|name| named(&session, &concerns, name)).collect();
    let outcome = context.handle(&session.id, interview::Command::Waive { concerns: waivers? }.into())?;
    Ok(Reply::Happened(Box::new(outcome)))
}

/// The concerns that hold an agent's output selection now, the most important first.
pub fn holding(context: &mut Context<'_>, session: &Session) -> Result<Vec<Concern>, AppError> {
    let session = context.recheck(session)?.after;
    let mut concerns = interviewer::concerns(&session);
    concerns.retain(|one| one.kind.holds(session.settings.intensity));
    Ok(concerns)
}

/// Asks the person which of the concerns that hold an agent's output selection they wave through, by name: the session
/// after it, or nothing where they waved none through or could not be asked.
pub(super) fn ask(
    context: &mut Context<'_>,
    session: &Session,
    intensity: Intensity,
    concerns: &[Concern],
) -> Result<Option<Session>, AppError> {
    let prompt = ManyPrompt {
        question: format!(
            "The agent thinks that nothing is left to ask. At {intensity} these concerns come first. Which do you wave \
             through? The agent asks about the others."
        ),
        choices: concerns.iter().map(|one| Choice::of(&one.name, &one.name, one.says.as_str())).collect(),
        at_least: 1,
        ..ManyPrompt::default()
    };
    let taken = match context.prompter.choose_many(&prompt).answered() {
        Ok(taken) => taken,
        Err(Unanswered::Interrupted { .. }) => return Err(AppError::Interrupted),
        Err(
            Unanswered::Cancelled { .. }
            | Unanswered::Unavailable(_)
            | Unanswered::Lost { .. }
            | Unanswered::TimedOut { .. },
        ) => return Ok(None),
    };
    let waiver = |one: &Concern| Waiver { name: one.name.clone(), key: one.key.clone() };
    let concerns = taken.iter().filter_map(|at| concerns.get(*at)).map(waiver).collect();
    let by_person = [Envelope { actor: Actor::Human, command: interview::Command::Waive { concerns }.into() }];
    Ok(Some(context.handle_each(&session.id, &by_person)?.after))
}

/// The concern of this name; one that was waved through already is still known by it.
fn named(session: &Session, concerns: &[Concern], name: &str) -> Result<Waiver, AppError> {
    let found = concerns.iter().find(|one| one.name == name.trim());
    let waiver = found.map(|one| Waiver { name: one.name.clone(), key: one.key.clone() });
    let earlier = || session.waived.iter().find(|one| one.name == name.trim()).cloned();
    waiver.or_else(earlier).ok_or_else(|| AppError::Usage {
        message: format!("there is no concern '{}'", name.escape_debug()),
        hint: "git grill waive lists them".to_owned(),
    })
}
