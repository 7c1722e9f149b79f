//! What somebody else made of planned files is looked for, recorded and shown, and a person says yes to it before the
//! output phase can finish (G42).

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::ids::ObjectId;
use crate::domain::outside::OutsideChange;
use crate::domain::production::{self, TargetPath};
use crate::domain::session::{Phase, Session};
use crate::text::shell::pathspec;

use super::context::Context;
use super::dispatcher::Envelope;
use super::error::AppError;
use super::gate::{confirm, may_say_yes};
use super::reply::{Outside, Reply};

/// What waits for a person.
const DEED: &str = "leaving the output phase with changes to planned files that git grill did not make";

/// Has a person say yes to what somebody else made of planned files, if there is any; where none can be asked, they type
/// `command`. The session then.
pub fn accept(context: &mut Context<'_>, session: &Session, command: &'static str) -> Result<Session, AppError> {
    let (session, shown) = look(context, session)?;
    if shown.is_empty() {
        return Ok(session);
    }
    context.voice.say(&Reply::Outside(shown))?;
    may_say_yes(context, &session, DEED, command)?;
    if context.actor == Actor::Human {
        confirm(context, "git grill did not make these changes to planned files. Keep them?", DEED)?;
    }
    Ok(session)
}

/// What there is to show, recorded. Nothing outside of an output phase.
pub fn look(context: &mut Context<'_>, session: &Session) -> Result<(Session, Vec<Outside>), AppError> {
    let Phase::Production(production) = &session.phase else {
        return Ok((session.clone(), Vec::new()));
    };
    let mut shown = Vec::new();
    for path in production.planned() {
        if let Some(found) = at(context, session, production.round, path)? {
            shown.push(found);
        }
    }
    let changes: Vec<OutsideChange> = shown.iter().map(|one| one.change.clone()).collect();
    // Whoever records for us records for agents, and this is nobody's wish.
    if context.dispatcher.outside.is_some() {
        return Ok((session.clone(), shown));
    }
    let command: Command = production::Command::RecordOutside(changes).into();
    let outcome = context.dispatcher.handle(&session.id, &Envelope { actor: Actor::System, command })?;
    context.recorded(&outcome);
    Ok((outcome.after, shown))
}

/// What somebody else made of one file.
fn at(
    context: &mut Context<'_>,
    session: &Session,
    round: u64,
    path: &TargetPath,
) -> Result<Option<Outside>, AppError> {
    // What was never drafted was never looked at; its first look is the first draft.
    let (Some(was), Some(targets)) = (session.left_at(path), context.targets) else {
        return Ok(None);
    };
    let store = context.dispatcher.store;
    let (now, odd) = match targets.read(path) {
        Ok(now) => (now, None),
        Err(error) => (None, Some(error.to_string())),
    };
    let blob = now.as_ref().map(|text| store.blob_id(text.as_bytes())).transpose()?;
    let commits = commits(context, session, round, path);
    if blob.as_ref() == was && odd.is_none() && commits.is_empty() {
        return Ok(None);
    }
    let before = match was {
        Some(blob) => store.blob(blob)?.and_then(|bytes| String::from_utf8(bytes).ok()),
        None => None,
    };
    let change = OutsideChange { path: path.clone(), was: was.cloned(), blob, commits, round };
    Ok(Some(Outside { change, before, now, odd }))
}

/// Commits that put bytes there which nobody approved, and that were not shown before. Those of git grill itself are
/// nobody else's, whatever was taken back since.
fn commits(context: &mut Context<'_>, session: &Session, round: u64, path: &TargetPath) -> Vec<ObjectId> {
    let (Some(commits), Some(base)) = (context.commits, &session.base) else {
        return Vec::new();
    };
    let since = match commits.since(base, path) {
        Ok(since) => since,
        // The files are looked at all the same.
        Err(error) => {
            context.voice.warn(&AppError::Environment {
                code: "commits_unread",
                message: format!("the commits of {path} since the start could not be looked at: {error}"),
                causes: Vec::new(),
                hint: Some(format!("git log -p -- {}", pathspec(path.as_str()))),
            });
            return Vec::new();
        }
    };
    let foreign = |(commit, blob): &(ObjectId, Option<ObjectId>)| {
        !session.knows_bytes(path, blob.as_ref())
            && !session.is_commit_of(commit, path)
            && !session.showed_commit(round, commit)
    };
    since.into_iter().filter(foreign).map(|(commit, _)| commit).collect()
}
