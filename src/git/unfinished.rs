//! What git has begun in a worktree and not finished, so that it refuses to stash, and a commit of ours would be wrong.
//! Never here: why that matters, and to whom.

use std::path::Path;

/// An operation that waits for the user to finish or abort it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Merge,
    CherryPick,
    Revert,
    Rebase,
    Am,
}

impl Operation {
    /// The one that is under way in the worktree of this git directory. `is_ref` tells whether a name is that of a commit:
    /// with reftable some are in no file. A rebase comes first, since it may hold a cherry-pick.
    pub fn under_way<E>(git_dir: &Path, is_ref: impl Fn(&str) -> Result<bool, E>) -> Result<Option<Self>, E> {
        let folders =
            [("rebase-merge", Self::Rebase), ("rebase-apply/applying", Self::Am), ("rebase-apply", Self::Rebase)];
        let is_there = |name: &str| git_dir.join(name).symlink_metadata().is_ok();
        if let Some((_, found)) = folders.into_iter().find(|(name, _)| is_there(name)) {
            return Ok(Some(found));
        }
        let refs = [("MERGE_HEAD", Self::Merge), ("CHERRY_PICK_HEAD", Self::CherryPick), ("REVERT_HEAD", Self::Revert)];
        for (name, found) in refs {
            if is_ref(name)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// As a person calls it.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Merge => "a merge",
            Self::CherryPick => "a cherry-pick",
            Self::Revert => "a revert",
            Self::Rebase => "a rebase",
            Self::Am => "git am",
        }
    }

    /// How it is finished, and how it is aborted.
    pub fn ways_out(self) -> String {
        let git = match self {
            Self::Merge => "git merge",
            Self::CherryPick => "git cherry-pick",
            Self::Revert => "git revert",
            Self::Rebase => "git rebase",
            Self::Am => "git am",
        };
        format!("{git} --continue finishes it once its conflicts are resolved; {git} --abort takes it back")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a13_what_git_has_not_finished_is_named_a_rebase_before_the_cherry_pick_inside() {
        let found = |made: &[&str], refs: &[&str]| {
            let temp = tempfile::tempdir().unwrap();
            for name in made {
                std::fs::create_dir_all(temp.path().join(name)).unwrap();
            }
            Operation::under_way(temp.path(), |name| Ok::<_, ()>(refs.contains(&name))).unwrap()
        };
        assert_eq!(found(&[], &[]), None);
        for (made, refs, expected) in [
            (&[][..], &["MERGE_HEAD"][..], Operation::Merge),
            (&[], &["CHERRY_PICK_HEAD"], Operation::CherryPick),
            (&[], &["REVERT_HEAD"], Operation::Revert),
            (&["rebase-merge"], &["CHERRY_PICK_HEAD"], Operation::Rebase),
            (&["rebase-apply"], &[], Operation::Rebase),
            (&["rebase-apply/applying"], &[], Operation::Am),
        ] {
            assert_eq!(found(made, refs), Some(expected), "{made:?} {refs:?}");
        }
        assert!(Operation::Merge.ways_out().ends_with("git merge --abort takes it back"));
    }
}
