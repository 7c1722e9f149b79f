//! Leaving drafts out. Whatever depends on an issue that is left out depends on it no more, in the same commit; whether it
//! goes to a tracker or is a file.

use std::collections::BTreeSet;

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::issue;
use crate::domain::production::{self, Draft, IssueSlot, Origin, Production, Stage, Target, TargetPath};
use crate::domain::session::Session;
use crate::output::is_tracked;

use super::context::Context;
use super::dispatcher::Envelope;
use super::error::AppError;
use super::ports::SessionStore;
use super::reply::Redraft;
use super::revising::{Revised, found, hold, production};

/// Leaves drafts out, as somebody wishes who need not be the one who typed the command.
pub fn leave_out(
    context: &mut Context<'_>,
    actor: &Actor,
    session: &Session,
    targets: &[Target],
) -> Result<Revised, AppError> {
    let slots: BTreeSet<IssueSlot> = targets.iter().filter_map(Target::slot).collect();
    let _held = hold(context, session, involved(production(session)?, targets, &slots).iter())?;
    let session = context.dispatcher.store.load(&session.id)?.session;
    let production = production(&session)?;
    for target in targets {
        found(production, target)?;
    }
    let (commands, changes) = leaving(context.dispatcher.store, production, targets, &slots)?;
    let outcome = context.handle_each(&session.id, &Envelope::all_by(actor, commands))?;
    Ok(Revised { outcome, changes })
}

/// What leaves these drafts out, and the drafts that change by it.
fn leaving(
    store: &dyn SessionStore,
    production: &Production,
    targets: &[Target],
    slots: &BTreeSet<IssueSlot>,
) -> Result<(Vec<Command>, Vec<Redraft>), AppError> {
    let (turns, knot) = in_turn(production, targets);
    let (mut commands, mut changes) = (Vec::new(), Vec::new());
    for change in freed(store, production, slots)? {
        let target = &change.before.target;
        let stays = !targets.contains(target);
        if stays || knot.contains(target) {
            commands.push(production::Command::SubmitDraft(Box::new(change.after.clone())).into());
        }
        if stays {
            changes.push(change);
        }
    }
    for change in freed_files(store, production, targets)? {
        commands.push(production::Command::SubmitDraft(Box::new(change.after.clone())).into());
        changes.push(change);
    }
    commands
        .extend(turns.into_iter().chain(knot).map(|target| Command::from(production::Command::DropDraft { target })));
    Ok((commands, changes))
}

/// These drafts so that each goes before what it depends on, and those for which there is no such turn because they
/// depend on one another.
fn in_turn(production: &Production, targets: &[Target]) -> (Vec<Target>, Vec<Target>) {
    let (mut turns, mut left) = (Vec::new(), targets.to_vec());
    loop {
        let needs = |one: &Target, needed: &Target| {
            let draft = production.draft(one).filter(|drafted| drafted.stage != Stage::Dropped);
            let depends_on = draft.map(|drafted| drafted.draft.depends_on()).unwrap_or_default();
            one != needed && needed.slot().is_some_and(|slot| depends_on.contains(&slot))
        };
        match left.iter().position(|target| !left.iter().any(|one| needs(one, target))) {
            Some(at) => turns.push(left.remove(at)),
            None => return (turns, left),
        }
    }
}

/// What is left out, and the issues that depend on it.
fn involved(production: &Production, targets: &[Target], slots: &BTreeSet<IssueSlot>) -> Vec<Target> {
    let needs = production.issues().filter(|(_, one)| one.draft.depends_on().iter().any(|slot| slots.contains(slot)));
    targets.iter().cloned().chain(needs.map(|(slot, _)| Target::Issue(slot))).collect()
}

/// The issues that depend on what is left out, as they are without it. What was created says so to others already, and
/// what was left out before stays as it is.
fn freed(
    store: &dyn SessionStore,
    production: &Production,
    out: &BTreeSet<IssueSlot>,
) -> Result<Vec<Redraft>, AppError> {
    let mut changes = Vec::new();
    for (_, drafted) in production.issues() {
        match drafted.stage {
            Stage::Drafted | Stage::Approved { .. } => {}
            Stage::Dropped | Stage::Written { .. } | Stage::Created { .. } => continue,
        }
        if let Some(content) = without(&drafted.draft, out) {
            let (blob, before) = (store.blob_id(content.as_bytes())?, drafted.draft.clone());
            let after = Draft { blob, content, origin: Origin::HandedIn, ..before.clone() };
            changes.push(Redraft { before, after });
        }
    }
    Ok(changes)
}

/// The issues that are files and name one of the files that are left out, as they are without it. They are made anew just
/// so where git grill made them.
fn freed_files(store: &dyn SessionStore, production: &Production, out: &[Target]) -> Result<Vec<Redraft>, AppError> {
    let is_out = |path: &TargetPath| out.iter().any(|target| target.path() == Some(path));
    let mut changes = Vec::new();
    for output in production.plan.outputs.iter().filter(|output| is_tracked(&output.destination)) {
        let is_gone = |named: &str| named_file(named, &output.paths).is_some_and(is_out);
        for drafted in output.paths.iter().filter(|path| !is_out(path)).filter_map(|path| production.file(path)) {
            match drafted.stage {
                Stage::Drafted | Stage::Approved { .. } => {}
                Stage::Dropped | Stage::Written { .. } | Stage::Created { .. } => continue,
            }
            if let Some(content) = issue::file_without(&drafted.draft.content, is_gone) {
                let (blob, before) = (store.blob_id(content.as_bytes())?, drafted.draft.clone());
                let after = Draft { blob, content, ..before.clone() };
                changes.push(Redraft { before, after });
            }
        }
    }
    Ok(changes)
}

/// The file of an issue that is named by its path, or by its number among these.
pub(super) fn named_file<'p>(named: &str, paths: &'p [TargetPath]) -> Option<&'p TargetPath> {
    let numbered = || paths.get(IssueSlot::typed(named)?.place());
    paths.iter().find(|path| path.as_str() == named).or_else(numbered)
}

/// The text of an issue that depends on none of `out`; none where it does not anyway.
fn without(draft: &Draft, out: &BTreeSet<IssueSlot>) -> Option<String> {
    let mut text = draft.issue()?;
    let before = text.depends_on.len();
    text.depends_on.retain(|slot| !out.contains(slot));
    (text.depends_on.len() < before).then(|| issue::write(&text))
}
