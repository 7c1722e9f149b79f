//! Which operation of git is under way, by what it has put into the git directory of its worktree.

use std::path::Path;

use crate::policy::half_done::UnderWay;

/// What git has begun and not finished, the most telling first: a rebase may hold a cherry-pick inside.
pub(crate) fn under_way(git_dir: &Path) -> Option<UnderWay> {
    let there = |name: &str| git_dir.join(name).symlink_metadata().is_ok();
    let found = [
        ("rebase-merge", UnderWay::Rebase),
        ("rebase-apply/applying", UnderWay::Am),
        ("rebase-apply", UnderWay::Rebase),
        ("CHERRY_PICK_HEAD", UnderWay::CherryPick),
        ("REVERT_HEAD", UnderWay::Revert),
        ("MERGE_HEAD", UnderWay::Merge),
        ("BISECT_START", UnderWay::Bisect),
        // A revert without conflicts has nothing else when it commits; a squash has a note of its own.
        ("MERGE_MSG", UnderWay::Revert),
    ];
    found.into_iter().find(|(name, _)| there(name)).map(|(_, under_way)| under_way)
}
