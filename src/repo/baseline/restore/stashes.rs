//! The list of stashes.

use super::super::kept::Kept;
use super::super::refs::STASH;
use super::super::snapshot::{Scene, Snapshot};
use super::super::worktrees::Others;
use super::refs::exists;
use super::undo;
use crate::app::ports::{BaselineError, Fate, RestoredRef};

/// Entries that appeared and are left, since they may be another worktree's.
pub(super) fn left(base: &Kept, now: &Snapshot, others: &Others) -> Vec<String> {
    let then = &base.record.stashes;
    let wanted = others.stashes(then, &now.stashes);
    let places = wanted.iter().rev().enumerate().filter(|(_, stash)| !then.contains(stash));
    let said = places.map(|(place, stash)| {
        let drops = undo::drops(place);
        format!(
            "the stash '{}' stays: it may be another worktree's; `{drops}` removes it after git grill stop",
            stash.message
        )
    });
    said.collect()
}

/// Brings the list of stashes back, each with its message, its author and its date.
pub(super) fn restore(
    scene: &Scene<'_>,
    base: &Kept,
    now: &Snapshot,
    others: &Others,
    left: &mut Vec<String>,
) -> Result<Vec<RestoredRef>, BaselineError> {
    const DOING: &str = "bringing the stash back";
    let then = &base.record.stashes;
    let wanted = others.stashes(then, &now.stashes);
    if wanted == now.stashes {
        return Ok(Vec::new());
    }
    if let Some(gone) = then.iter().find(|stash| !exists(scene, &stash.id)) {
        left.push(format!("the stash stays as it is: git has collected {}", gone.id));
        return Ok(Vec::new());
    }
    // Also where the ref is left without a list: git makes no list for a ref that it finds.
    if matches!(scene.repo.tip(STASH), Ok(Some(_))) {
        let mut words = vec!["update-ref", "--no-deref", "-d", STASH];
        // One that was put on top meanwhile was shown to nobody.
        words.extend(now.stashes.last().map(|newest| newest.id.as_str()));
        scene.git.ask(DOING, &words, Vec::new())?;
    }
    for stash in &wanted {
        let git = scene.git.git(["stash", "store", "-m", &stash.message, &stash.id]);
        scene.git.succeed(DOING, git.by(&stash.name, &stash.email, &stash.date))?;
    }
    let of = |fate, undo| RestoredRef { name: STASH.to_owned(), fate, undo };
    let gone = now.stashes.iter().filter(|stash| !wanted.contains(stash));
    // The last in the list is dropped first: that moves no other one.
    let made = wanted.iter().rev().enumerate().filter(|(_, stash)| !now.stashes.contains(stash));
    Ok(gone
        .map(|stash| of(Fate::Deleted, undo::stashes(stash)))
        .chain(made.rev().map(|(place, _)| of(Fate::Made, undo::drops(place))))
        .collect())
}
