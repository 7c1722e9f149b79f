//! Where a custom output goes when nobody named its file: they all have one default, and each needs a file of its own.

use std::collections::BTreeSet;

use crate::domain::production::{Draft, PlannedOutput, TargetPath};
use crate::domain::session::{Phase, Session};
use crate::domain::settings::Destination;

/// The file that the session has for this output already, else the default with the first number behind it that no other
/// output has.
pub(super) fn of_custom(
    session: &Session,
    destination: &Destination,
    default: TargetPath,
    others: &[&PlannedOutput],
) -> TargetPath {
    let chosen = others.iter().flat_map(|output| &output.paths);
    let (own, foreign): (Vec<_>, Vec<_>) = known(session).into_iter().partition(|(output, _)| *output == destination);
    let taken: BTreeSet<String> =
        chosen.chain(foreign.into_iter().map(|(_, path)| path)).map(TargetPath::folded).collect();
    let is_free = |path: &TargetPath| !taken.contains(&path.folded());
    let own = own.into_iter().map(|(_, path)| path.clone());
    let further = (1..=taken.len() + 1).filter_map(|number| numbered(&default, number));
    let free = own.chain(further).find(is_free);
    free.unwrap_or(default)
}

/// The files of this session, each with its output, the newest first: those of the open output phase, those of drafts
/// that come back, and those that were written.
fn known(session: &Session) -> Vec<(&Destination, &TargetPath)> {
    let planned = match &session.phase {
        Phase::Production(production) => production.plan.outputs.as_slice(),
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => &[],
    };
    let open = planned.iter().flat_map(|output| output.paths.iter().map(move |path| (&output.destination, path)));
    let parked = session.parked.iter().rev().map(|one| &one.draft);
    let parked = parked.filter_map(|Draft { destination, target, .. }| Some((destination, target.path()?)));
    let written = session.produced.iter().rev().map(|one| (&one.destination, &one.path));
    open.chain(parked).chain(written).collect()
}

/// The path itself as the first one, then with a number before its ending.
fn numbered(path: &TargetPath, number: usize) -> Option<TargetPath> {
    match (number, path.as_str().rsplit_once('.')) {
        (1, _) => Some(path.clone()),
        (_, Some((stem, ending))) => TargetPath::parse(&format!("{stem}-{number}.{ending}")).ok(),
        (_, None) => None,
    }
}
