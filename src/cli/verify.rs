//! The verb that proves: verify (G38), and bringing back what drifted.

use std::collections::BTreeSet;

use crate::app::context::Context;
use crate::app::error::{AppError, not_answered};
use crate::app::ports::{Held, StoreError};
use crate::app::reply::Reply;
use crate::domain::actor::Actor;
use crate::domain::drift::in_the_way::Places;
use crate::domain::drift::{Change, Drift, Remedy, Spot, Verification};
use crate::domain::harmless::harmless;
use crate::domain::posture::Posture;
use crate::domain::session::Session;
use crate::text::shell::word;

use super::args::Verify;
use super::lower;

/// What restoring is called in refusals.
const DEED: &str = "bringing the baseline back";
/// How many refs a question names.
const REFS: usize = 4;

pub(super) fn verify(context: &mut Context<'_>, args: &Verify) -> Result<Reply, AppError> {
    let session = session(context, args.session.as_deref())?;
    if Posture::of(&session.phase) == Posture::Open {
        return nothing_held(args.restore);
    }
    if args.restore {
        return restore(context, &session, args);
    }
    // What follows the end of a session is no drift of it: what was found then is the answer.
    if session.is_closed() {
        return match session.verified.clone() {
            Some(mut verification) => {
                if context.dispatcher.store.recorded_here(&session.id) {
                    since_then(context, &session, &mut verification)?;
                } else {
                    let note =
                        format!("session {} was only fetched: another clone found this, in its own files", session.id);
                    verification.notes.push(note);
                }
                Ok(Reply::Verified { session: session.id, verification: Box::new(verification) })
            }
            None => Err(AppError::Environment {
                code: "never_verified",
                message: format!("session {} ended without having been verified", session.id),
                causes: Vec::new(),
                hint: (context.baseline.held(&session.id)? == Held::Baseline)
                    .then(|| format!("git grill verify --restore {} compares, shows, and asks", session.id)),
            }),
        };
    }
    let (_, verification) = context.verify(&session)?;
    Ok(Reply::Verified { session: session.id, verification: Box::new(verification) })
}

/// Says of what had drifted at the end of a session where a restore leaves it by now.
fn since_then(context: &Context<'_>, session: &Session, found: &mut Verification) -> Result<(), AppError> {
    if context.baseline.held(&session.id)? != Held::Baseline {
        return Ok(());
    }
    let now = match context.baseline.verify(session) {
        Ok(now) => now,
        // What was found then is the answer all the same.
        Err(error) => {
            found.notes.push(format!("what of it a restore brings back is not known: {error}"));
            return Ok(());
        }
    };
    let has = |all: &[Drift], spot: &Spot| all.iter().any(|one| one.spot == *spot);
    for one in &mut found.drift {
        if has(&now.drift, &one.spot) || has(&now.fetched, &one.spot) {
            continue;
        }
        let why = if has(&now.later, &one.spot) {
            "it changed again after the session ended, and comes back only if it is named"
        } else {
            "it is as it was at the start again"
        };
        one.stays.get_or_insert_with(|| why.to_owned());
    }
    ways(&now, &now).keep_out(&mut found.drift);
    Ok(())
}

/// In a session that lets everything happen nothing is drift, and nothing is taken back.
fn nothing_held(restore: bool) -> Result<Reply, AppError> {
    let why = "changes are allowed in this session, so none of them is drift";
    if restore {
        return Err(AppError::Environment {
            code: "nothing_held",
            message: format!("nothing was brought back: {why}"),
            causes: Vec::new(),
            hint: Some("git grill plan on makes the repository read-only again, as it is then".to_owned()),
        });
    }
    Ok(Reply::Text(why.to_owned()))
}

/// The session that is meant: the active one, or one by its id.
fn session(context: &mut Context<'_>, wanted: Option<&str>) -> Result<Session, AppError> {
    let Some(wanted) = wanted else {
        return context.session();
    };
    let mut found = context.dispatcher.store.ids()?;
    found.retain(|id| id.as_str().starts_with(wanted));
    match found.as_slice() {
        [] => Err(AppError::Store(StoreError::NoSuchSession(wanted.to_owned()))),
        [one] => Ok(context.dispatcher.store.load(one)?.session),
        [_, _, ..] => Err(lower::usage(
            format!("'{wanted}' begins the ids of {} sessions", found.len()),
            "git grill sessions lists them",
        )),
    }
}

/// Shows what restoring changes, asks a person, and does it. A script says `--yes`; an agent cannot, since it could
/// throw a person's work out of the way.
fn restore(context: &mut Context<'_>, session: &Session, args: &Verify) -> Result<Reply, AppError> {
    let command = format!("git grill verify --restore {}", session.id);
    if let Actor::Agent(_) | Actor::System = context.actor {
        return Err(AppError::NeedsPerson {
            deed: DEED.to_owned(),
            why: format!("this runs under {}", context.actor.in_words()),
            hint: format!("a person types {command} at a terminal"),
        });
    }
    if !args.yes {
        context.need_person(DEED, &format!("{command} --yes, or the same command at a terminal"))?;
    }
    let (session, whole) = context.verify(session)?;
    let found = chosen(whole.clone(), &args.names)?;
    let ways = ways(&whole, &found);
    let mut listed = found.clone();
    ways.keep_out(&mut listed.drift);
    let back: Vec<Drift> = listed.drift.iter().filter(|one| one.remedy().is_some()).cloned().collect();
    if back.is_empty() && !args.names.is_empty() {
        let yes = if args.yes { " --yes" } else { "" };
        need_room(&found, &ways, &args.names, &format!("{command}{yes}"))?;
    }
    if !back.is_empty() && !args.yes {
        listed.notes.extend(context.baseline.top().map(|top| format!("a restore changes the files in {top}")));
        context.voice.say(&Reply::Verified { session: session.id.clone(), verification: Box::new(listed) })?;
        let diff = context.baseline.diff(&session.id, &spots(&back))?;
        context.voice.say(&Reply::Difference(diff))?;
        let question = question(context, &session, &back)?;
        let granted = context.prompter.confirm(&question).answered().map_err(not_answered(DEED))?;
        if !granted {
            return Err(AppError::Cancelled(DEED));
        }
    }
    let restored = context.restore(&session.id, &found)?;
    let (session, verification) = context.verify(&session)?;
    Ok(Reply::Restored { session: session.id, restored, verification: Box::new(verification) })
}

/// The new places that a restore of these leaves, and that it could remove: it removes none of them to make room.
fn ways<'a>(whole: &'a Verification, found: &Verification) -> Places<'a> {
    let goes: BTreeSet<&Spot> = found.drift.iter().map(|one| &one.spot).collect();
    let all = whole.drift.iter().chain(&whole.fetched).chain(&whole.later);
    Places::of_new(all.filter(|one| one.remedy().is_some() && !goes.contains(&one.spot)))
}

/// Refuses where all that is named stays because of something that is not, with the names that restore it.
fn need_room(found: &Verification, ways: &Places<'_>, names: &[String], command: &str) -> Result<(), AppError> {
    let gone = found.drift.iter().filter(|one| one.change == Change::Deleted && one.remedy().is_some());
    let held: Vec<(&Spot, &Spot)> = gone.filter_map(|one| Some((&one.spot, ways.in_the_way_of(&one.spot)?))).collect();
    let Some((spot, way)) = held.first() else { return Ok(()) };
    let besides: BTreeSet<&str> = held.iter().map(|(_, way)| way.name()).collect();
    let words: Vec<String> = names.iter().map(String::as_str).chain(besides).map(word).collect();
    Err(lower::usage(
        format!("nothing was restored: {} is in the way of {}", way.place(), spot.place()),
        format!("{command} -- {} also removes it, and keeps a copy", words.join(" ")),
    ))
}

fn spots(drift: &[Drift]) -> Vec<Spot> {
    drift.iter().map(|one| one.spot.clone()).collect()
}

/// What is to be brought back: what drifted, or what is named of all that changed.
fn chosen(found: Verification, names: &[String]) -> Result<Verification, AppError> {
    if names.is_empty() {
        return Ok(found);
    }
    let Verification { drift, fetched, later, .. } = &found;
    let all = || drift.iter().chain(fetched).chain(later);
    if let Some(unknown) = names.iter().find(|name| !all().any(|one| is_named(&one.spot, name))) {
        return Err(lower::usage(
            format!("'{unknown}' is nothing that changed"),
            "git grill verify --restore lists what changed, by the names that it takes: src/a.rs, src/, refs/heads/main",
        ));
    }
    let wanted = |one: &&Drift| names.iter().any(|name| is_named(&one.spot, name));
    let drift: Vec<Drift> = all().filter(wanted).cloned().collect();
    Ok(Verification { total: drift.len(), drift, fetched: Vec::new(), later: Vec::new(), ..found })
}

/// Whether somebody who says this name means this spot: its own name, or a folder above it.
fn is_named(spot: &Spot, name: &str) -> bool {
    let (own, name) = (spot.name(), name.trim_end_matches('/'));
    match spot {
        Spot::Index(_) | Spot::File(_) | Spot::Nested(_) => {
            own.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
        Spot::Head | Spot::Ref(_) | Spot::Stash | Spot::Operation(_) | Spot::Setting(_) => own == name,
    }
}

/// The question says what happens: to the refs by name, to the rest by number.
fn question(context: &Context<'_>, session: &Session, back: &[Drift]) -> Result<String, AppError> {
    let (refs, rest): (Vec<&Drift>, Vec<&Drift>) =
        back.iter().partition(|one| matches!(one.spot, Spot::Head | Spot::Ref(_)));
    let mut deeds = Vec::new();
    for one in refs.iter().take(REFS) {
        deeds.push(of_ref(context, session, one)?);
    }
    let counts = [
        (refs.len().saturating_sub(REFS), "bring back", "more ref"),
        (count(&rest, Remedy::Deletes, |spot| matches!(spot, Spot::File(_))), "delete", "file"),
        (count(&rest, Remedy::Restores, |spot| matches!(spot, Spot::File(_))), "restore", "file"),
        (count(&rest, Remedy::Restores, |spot| matches!(spot, Spot::Index(_))), "restore", "index entry"),
        (count(&rest, Remedy::Restores, |spot| matches!(spot, Spot::Stash)), "restore", "list of stashes"),
        (count(&rest, Remedy::Deletes, is_operation), "delete", "file of an operation in progress"),
        (count(&rest, Remedy::Restores, is_operation), "restore", "file of an operation in progress"),
    ];
    for (count, verb, what) in counts.into_iter().filter(|(count, ..)| *count > 0) {
        let what = match (count, what) {
            (1, what) => what.to_owned(),
            (_, "index entry") => "index entries".to_owned(),
            (_, "file of an operation in progress") => "files of an operation in progress".to_owned(),
            (_, what) => format!("{what}s"),
        };
        deeds.push(format!("{verb} {count} {what}"));
    }
    let mut question = deeds.join(", ");
    if let Some(first) = question.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Ok(format!("{question}? What is replaced is kept."))
}

fn is_operation(spot: &Spot) -> bool {
    matches!(spot, Spot::Operation(_))
}

/// How many of these a restore treats so.
fn count(all: &[&Drift], remedy: Remedy, of_these: fn(&Spot) -> bool) -> usize {
    all.iter().filter(|one| one.remedy() == Some(remedy) && of_these(&one.spot)).count()
}

/// What happens to a ref.
fn of_ref(context: &Context<'_>, session: &Session, drift: &Drift) -> Result<String, AppError> {
    let name = drift.spot.name();
    let shown = match (name.strip_prefix("refs/heads/"), name.strip_prefix("refs/tags/")) {
        (Some(branch), _) => format!("branch {}", harmless(branch)),
        (None, Some(tag)) => format!("tag {}", harmless(tag)),
        (None, None) => harmless(name).into_owned(),
    };
    let ends = drift.detail.as_deref().and_then(|detail| detail.split_once(" → "));
    Ok(match (drift.change, ends) {
        (Change::Added, _) => format!("delete {shown}"),
        (Change::Moved, Some((then, now))) => {
            let leaving = match context.baseline.leaving(&session.id, name)? {
                0 => String::new(),
                1 => " (1 commit leaves it)".to_owned(),
                several => format!(" ({several} commits leave it)"),
            };
            format!("move {shown} back from {} to {}{leaving}", harmless(now), harmless(then))
        }
        (Change::Deleted | Change::Modified | Change::Mode | Change::Type | Change::Moved | Change::Flags, _) => {
            format!("restore {shown}")
        }
    })
}
