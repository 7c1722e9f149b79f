//! The verb that proves: verify (G38), and bringing back what drifted.

use crate::app::desk::Desk;
use crate::app::error::{AppError, not_answered};
use crate::app::ports::StoreError;
use crate::app::reply::Reply;
use crate::domain::actor::Actor;
use crate::domain::session::Session;

use super::args::Verify;
use super::lower;

/// What restoring is called in refusals.
const DEED: &str = "bringing the baseline back";

/// `git grill verify`
pub(super) fn verify(desk: &mut Desk<'_>, args: &Verify) -> Result<Reply, AppError> {
    let session = session(desk, args.session.as_deref())?;
    if args.restore {
        return restore(desk, &session, args);
    }
    // What follows the end of a session is no drift of it: what was found then is the answer.
    if session.is_closed() {
        return match session.verified.clone() {
            Some(verification) => Ok(Reply::Verified { session: session.id, verification: Box::new(verification) }),
            None => Err(AppError::Environment {
                code: "never_verified",
                message: format!("session {} ended without having been verified", session.id),
                causes: Vec::new(),
                hint: desk
                    .baseline
                    .exists(&session.id)?
                    .then(|| format!("git grill verify --restore {} compares, shows, and asks", session.id)),
            }),
        };
    }
    let (_, verification) = desk.verify(&session)?;
    Ok(Reply::Verified { session: session.id, verification: Box::new(verification) })
}

/// The session that is meant: the active one, or one by its id.
fn session(desk: &mut Desk<'_>, wanted: Option<&str>) -> Result<Session, AppError> {
    let Some(wanted) = wanted else {
        return desk.session();
    };
    let mut found = desk.dispatcher.store.ids()?;
    found.retain(|id| id.as_str().starts_with(wanted));
    match found.as_slice() {
        [] => Err(AppError::Store(StoreError::NoSuchSession(wanted.to_owned()))),
        [one] => Ok(desk.dispatcher.store.load(one)?.session),
        [_, _, ..] => Err(lower::usage(
            format!("'{wanted}' begins the ids of {} sessions", found.len()),
            "git grill sessions lists them",
        )),
    }
}

/// Shows what restoring changes, asks a person, and does it. A script says `--yes`; an agent cannot, since it could
/// throw a person's work out of the way.
fn restore(desk: &mut Desk<'_>, session: &Session, args: &Verify) -> Result<Reply, AppError> {
    let command = format!("git grill verify --restore {}", session.id);
    if let Actor::Agent(_) | Actor::System = desk.actor {
        return Err(AppError::NeedsPerson {
            deed: DEED.to_owned(),
            why: format!("this runs under {}", desk.actor.in_words()),
            hint: format!("a person types {command} at a terminal"),
        });
    }
    if !args.yes {
        desk.need_person(DEED, &format!("{command} --yes, or the same command at a terminal"))?;
    }
    let (session, found) = desk.verify(session)?;
    if !found.is_clean() && !args.yes {
        desk.voice.say(&Reply::Verified { session: session.id.clone(), verification: Box::new(found) })?;
        let diff = desk.baseline.diff(&session.id)?;
        desk.voice.say(&Reply::Difference(diff))?;
        let question = "Bring all of it back to the baseline? What is replaced is kept.";
        let granted = desk.prompter.confirm(question).answered().map_err(not_answered(DEED))?;
        if !granted {
            return Err(AppError::Cancelled(DEED));
        }
    }
    let restored = desk.restore(&session.id)?;
    let (session, verification) = desk.verify(&session)?;
    Ok(Reply::Restored { session: session.id, restored, verification: Box::new(verification) })
}
