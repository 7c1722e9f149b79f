//! One commit of what an output phase wrote, when a person asks for it. git makes it as it makes theirs; here is who may
//! ask, what it holds, and what is noted of it.

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::decide::may_approve;
use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::production::{self, Draft, Stage, TargetPath};
use crate::domain::refusal::Refusal;
use crate::domain::session::{Phase, Session};
use crate::output;
use crate::text::shell::pathspec;

use super::context::{Context, no_working_tree};
use super::dispatcher::Envelope;
use super::error::AppError;
use super::ports::{CommitError, Commits, Committed, NewCommit};
use super::reply::{Commit, Outcome, Reply};

/// What is said when a commit was made, or would have been.
const AGAIN: &str = "git grill produce --commit";

/// Refuses before anything is approved or written when this actor may not commit, or when no commit could be made. `named`
/// are the targets that were typed; none means all.
pub fn ready(context: &Context<'_>, session: &Session, named: &[String]) -> Result<(), AppError> {
    if !may_approve(session, &context.actor) {
        let (deed, by) = ("committing what was written", context.actor.clone());
        return Err(AppError::Refused(Refusal::ApprovalRequired { deed, by, command: AGAIN }));
    }
    if context.dispatcher.outside.is_some() {
        return Err(AppError::Environment {
            code: "inside_run",
            message: "nothing is committed: this is a read-only run".to_owned(),
            causes: Vec::new(),
            hint: Some(format!("{AGAIN}, outside of the run")),
        });
    }
    commits(context)?
        .ready(&meant(session, named))
        .map_err(|error| not_committed(error, "nothing was written or committed"))
}

/// The files that the commit would hold: those that are approved or written, and the ones that are meant now.
fn meant(session: &Session, named: &[String]) -> Vec<TargetPath> {
    let Phase::Production(production) = &session.phase else { return Vec::new() };
    let is_named = |path: &&TargetPath| named.is_empty() || named.iter().any(|one| one == path.as_str());
    let is_meant = |path: &&TargetPath| match production.file(path).map(|drafted| &drafted.stage) {
        Some(Stage::Approved { .. } | Stage::Written { .. }) => true,
        Some(Stage::Drafted) | None => is_named(path),
        Some(Stage::Dropped | Stage::Created { .. }) => false,
    };
    production.open_files().filter(is_meant).cloned().collect()
}

fn commits<'a>(context: &Context<'a>) -> Result<&'a dyn Commits, AppError> {
    context.commits.ok_or_else(no_working_tree)
}

/// Commits what the open output phase wrote and nobody committed yet. `given` are paragraphs of a message; without one
/// the subject is `docs: <topic> (<outputs>)`.
pub fn commit(
    context: &mut Context<'_>,
    outcome: Outcome,
    paths: Vec<TargetPath>,
    given: &[String],
) -> Result<Reply, AppError> {
    let session = &outcome.after;
    let Phase::Production(production) = &session.phase else {
        return Ok(Reply::Wrote { outcome: Box::new(outcome), paths });
    };
    let written: Vec<(TargetPath, ObjectId)> =
        production.written().filter_map(|draft| Some((draft.path()?.clone(), draft.blob.clone()))).collect();
    if written.is_empty() {
        return Ok(Reply::Committed { outcome: Box::new(outcome), paths, commit: Commit::Nothing });
    }
    for (path, blob) in &written {
        unchanged(context, path, blob)?;
    }
    let files: Vec<TargetPath> = written.iter().map(|(path, _)| path.clone()).collect();
    let names: Vec<&str> = files.iter().map(TargetPath::as_str).collect();
    let undone = format!("{} stands as it was written and is not committed", names.join(", "));
    let commits = commits(context)?;
    let open = commits.uncommitted(&files).map_err(|error| not_committed(error, &undone))?;
    let message = match given {
        [] => output::commit_subject(session, &production.plan, &open),
        paragraphs => paragraphs.join("\n\n"),
    };
    let is_open = |draft: &&Draft| draft.path().is_some_and(|path| open.contains(path));
    let drafts: Vec<&Draft> = production.written().filter(is_open).collect();
    let trailers = output::trailers(&session.id, &context.dispatcher.store.drafted(&session.id, &drafts)?);
    let message = output::with_trailers(&message, &trailers);
    let wanted = NewCommit { session: &session.id, files: &written, message: &message, trailers: &trailers };
    let made = commits.commit(&wanted).map_err(|error| {
        if error == CommitError::Interrupted {
            context.voice.warn(&failed(undone.clone(), Vec::new(), AGAIN.to_owned()));
        }
        not_committed(error, &undone)
    })?;
    let (commit, note) = match made {
        Committed::Made { commit, branch, paths, altered, converted, lost } => {
            let note = Some((commit.clone(), paths.clone()));
            let subject = message.lines().next().unwrap_or_default().to_owned();
            (Commit::Made { commit, branch, subject, paths, altered, converted, lost }, note)
        }
        // A process that died between the commit and its note left this one unknown.
        Committed::Already { commit: note } => {
            (Commit::Already { commit: note.as_ref().map(|(commit, _)| commit.clone()) }, note)
        }
    };
    let id = session.id.clone();
    let outcome = match note {
        Some((commit, files)) => outcome.then(record(context, &id, commit, files)?),
        None => outcome,
    };
    Ok(Reply::Committed { outcome: Box::new(outcome), paths, commit })
}

/// What was approved is committed, and nothing that somebody made of it since.
fn unchanged(context: &Context<'_>, path: &TargetPath, blob: &ObjectId) -> Result<(), AppError> {
    let targets = context.targets.ok_or_else(no_working_tree)?;
    let text = super::drafting::read(targets, path)?;
    let now = text.map(|text| context.dispatcher.store.blob_id(text.as_bytes())).transpose()?;
    if now.as_ref() == Some(blob) {
        return Ok(());
    }
    Err(AppError::Declined {
        code: "changed_since",
        message: format!("nothing was committed: {path} is not as it was written and approved"),
        causes: Vec::new(),
        hint: format!("git commit -m \"<message>\" -- {} commits it as it is now", pathspec(path.as_str())),
    })
}

fn record(
    context: &mut Context<'_>,
    id: &SessionId,
    commit: ObjectId,
    paths: Vec<TargetPath>,
) -> Result<Outcome, AppError> {
    let command: Command = production::Command::RecordCommitted { commit, paths }.into();
    let outcome = context.dispatcher.handle(id, &Envelope { actor: Actor::System, command })?;
    context.recorded(&outcome);
    // The commit is made; a baseline that does not know it yet is told at the next comparison.
    if let Err(error) = context.expect(&outcome.after) {
        context.voice.warn(&error);
    }
    Ok(outcome)
}

fn not_committed(error: CommitError, undone: &str) -> AppError {
    match error {
        CommitError::Blocked { why, hint } => {
            AppError::Declined { code: "not_committed", message: format!("{undone}: {why}"), causes: Vec::new(), hint }
        }
        CommitError::Busy { why } => {
            let hint =
                format!("{AGAIN}, once that command has ended; if none runs, git grill doctor says what was left");
            failed(format!("{undone}: {why}"), Vec::new(), hint)
        }
        CommitError::Failed { said } => {
            failed(format!("{undone}: git, or a hook of yours, said no"), said, format!("mend that, then {AGAIN}"))
        }
        CommitError::Interrupted => AppError::Interrupted,
    }
}

fn failed(message: String, causes: Vec<String>, hint: String) -> AppError {
    AppError::Environment { code: "commit_failed", message, causes, hint: Some(hint) }
}
