//! Drafting: what the generators make of the session, against what stands on disk.

use crate::domain::command::Command;
use crate::domain::ids::ObjectId;
use crate::domain::production::{Draft, Drafted, Origin, Plan, PlannedOutput, Stage, TargetPath};
use crate::domain::refusal::Refusal;
use crate::domain::session::{Phase, Session};
use crate::domain::settings::{Destination, Strategy};
use crate::output;

use super::desk::{Desk, no_working_tree};
use super::error::AppError;
use super::ports::{SessionStore, TargetFiles};
use super::reply::{Outcome, Preview};

/// The plan for these destinations: each with its strategy and its files. What cannot be produced yet is refused by
/// name rather than promised.
pub fn plan(
    session: &Session,
    destinations: &[Destination],
    strategy: Option<&Strategy>,
    path: Option<&TargetPath>,
) -> Result<Plan, Refusal> {
    let recommended = gate(session).recommended_strategy;
    let strategy = strategy.or(recommended.as_ref());
    let outputs: Result<Vec<PlannedOutput>, Refusal> = destinations
        .iter()
        .map(|destination| {
            if !output::can(destination) {
                return Err(Refusal::OutputNotBuilt { destination: destination.clone() });
            }
            Ok(PlannedOutput {
                destination: destination.clone(),
                strategy: strategy.cloned().unwrap_or_else(|| output::default_strategy(destination, session)),
                paths: path.map_or_else(|| output::default_paths(destination, session), |path| vec![path.clone()]),
            })
        })
        .collect();
    Ok(Plan { outputs: outputs?, prose: None })
}

/// The drafts that the approved plan asks for, as they would be made now.
pub fn drafts(session: &Session, store: &dyn SessionStore, files: &dyn TargetFiles) -> Result<Vec<Draft>, AppError> {
    let Phase::Production(production) = &session.phase else {
        return Ok(Vec::new());
    };
    let mut drafts = Vec::new();
    for planned in &production.plan.outputs {
        let Some(generated) = output::generate(&planned.destination, &planned.strategy, session) else {
            return Err(Refusal::OutputNotBuilt { destination: planned.destination.clone() }.into());
        };
        for path in &planned.paths {
            let replaced = read(files, path)?;
            let on_disk = replaced.as_ref().map(|text| store.blob_id(text.as_bytes())).transpose()?;
            let known = production.draft(path);
            if known.is_some_and(|drafted| stands(drafted, on_disk.as_ref())) {
                continue;
            }
            // What was handed in is kept as it is; only what it would replace is looked at anew.
            let (content, origin) = match known.map(|drafted| &drafted.draft) {
                Some(Draft { content, origin: Origin::HandedIn, .. }) => (content, Origin::HandedIn),
                Some(Draft { origin: Origin::Generated, .. }) | None => (&generated, Origin::Generated),
            };
            drafts.push(Draft {
                path: path.clone(),
                destination: planned.destination.clone(),
                blob: store.blob_id(content.as_bytes())?,
                replaces: on_disk,
                replaced,
                origin,
                content: content.clone(),
            });
        }
    }
    Ok(drafts)
}

/// Drafts what the plan asks for, against what stands on disk now.
pub fn draft_all(desk: &mut Desk<'_>, session: &Session) -> Result<Outcome, AppError> {
    let Some(targets) = desk.targets else {
        return Err(no_working_tree());
    };
    let mut outcome = Outcome::nothing(session.clone());
    for draft in drafts(session, desk.dispatcher.store, targets)? {
        outcome = outcome.then(desk.handle(&session.id, Command::SubmitDraft(Box::new(draft)))?);
    }
    Ok(outcome)
}

/// Whether a draft stands as it is: a fresh one would ask for the approval again. An approved one whose file changed
/// since it was shown can never be written, so it does not.
fn stands(drafted: &Drafted, on_disk: Option<&ObjectId>) -> bool {
    match drafted.stage {
        Stage::Drafted => false,
        Stage::Approved { .. } => on_disk == drafted.draft.replaces.as_ref() || on_disk == Some(&drafted.draft.blob),
        Stage::Written { .. } => true,
    }
}

/// Every draft of the open output phase with what it would change.
pub fn previews(session: &Session, files: &dyn TargetFiles) -> Result<Vec<Preview>, AppError> {
    let Phase::Production(production) = &session.phase else {
        return Ok(Vec::new());
    };
    production
        .drafts
        .iter()
        .map(|drafted| {
            Ok(Preview {
                draft: drafted.draft.clone(),
                on_disk: read(files, &drafted.draft.path)?,
                stage: match drafted.stage {
                    Stage::Drafted => "drafted",
                    Stage::Approved { .. } => "approved",
                    Stage::Written { .. } => "written",
                },
            })
        })
        .collect()
}

/// What stands at a path now.
pub fn read(files: &dyn TargetFiles, path: &TargetPath) -> Result<Option<String>, AppError> {
    files.read(path).map_err(|error| AppError::Environment {
        code: "target_io",
        message: format!("{path} could not be read, so nothing was drafted for it"),
        causes: vec![error.to_string()],
        hint: Some("git grill select design-doc --path <another file>".to_owned()),
    })
}

/// The gate as it stands now (G26).
pub fn gate(session: &Session) -> crate::domain::selection::Gate {
    crate::interviewer::gate(session, &output::built())
}
