//! What git has already changed by the time it asks about its refs, said in the refusal with what brings it back.
//!
//! The rows are the measured ones that are refused and leave something. Which command asks is told by what it has put
//! into the git directory, else by the refs it wants.

use crate::policy::ref_line::{RefLine, RefName, RefValue};
use crate::policy::refs::{RefFacts, stays};

/// What git has begun and not finished at the moment when it asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnderWay {
    /// `rebase-merge`, or `rebase-apply` without the note of `git am`.
    Rebase,
    /// `rebase-apply` with its note.
    Am,
    /// `CHERRY_PICK_HEAD`.
    CherryPick,
    /// `REVERT_HEAD`, or the message alone.
    Revert,
    /// `MERGE_HEAD`.
    Merge,
    /// `BISECT_START`.
    Bisect,
}

/// What brings everything back, told before anything that does less.
const RESTORE: &str = "git grill verify --restore brings back what was there when the session began";

/// The hints for a refused transaction, the most useful one first; none where git leaves nothing.
pub(super) fn hints(lines: &[RefLine], facts: &dyn RefFacts) -> Vec<String> {
    match facts.under_way() {
        Some(UnderWay::Rebase) => left("git rebase has exchanged files and index and is under way"),
        Some(UnderWay::Am) => left("git am has put its patches into .git/rebase-apply and is under way"),
        Some(UnderWay::CherryPick) => left("git cherry-pick has changed files and index and is under way"),
        Some(UnderWay::Revert) => left("git revert has changed files and index and is under way"),
        Some(UnderWay::Merge) => left("git merge has changed files and index and is under way"),
        Some(UnderWay::Bisect) => left("git bisect has noted that it began"),
        None => by_refs(lines, facts),
    }
}

fn by_refs(lines: &[RefLine], facts: &dyn RefFacts) -> Vec<String> {
    let names = |line: &RefLine, name: &[u8]| line.name.as_bytes() == name;
    let switches = |line: &RefLine| matches!(line.new, RefValue::Symbolic(_)) && !stays(line, facts);
    if lines.iter().any(|line| names(line, b"HEAD") && switches(line)) {
        let mut hints = left("git has exchanged the files and the index for those of the other branch");
        hints.push(
            "git restore --source=HEAD --staged --worktree :/ does it without git grill, and takes your uncommitted \
             changes away with it"
                .to_owned(),
        );
        return hints;
    }
    if lines.iter().any(|line| names(line, b"refs/stash") && line.new == RefValue::Zero) {
        return vec![
            "git stash apply <id>, with the id that git stash printed: drop and pop have taken it out of the list, and \
             pop has changed the files"
                .to_owned(),
        ];
    }
    if let [line] = lines
        && names(line, b"ORIG_HEAD")
    {
        // A merge writes it before it touches anything, a reset after the index. A reset alone says what it was.
        let there = facts.current(&RefName::new(b"ORIG_HEAD")).is_ok_and(|value| value.is_some());
        if there && line.old == RefValue::Zero {
            return Vec::new();
        }
        return left("if this was git reset, the index has changed, and with --hard the files");
    }
    // A commit moves HEAD and its branch together. HEAD alone is a switch to a commit, after the files.
    if let [line] = lines
        && names(line, b"HEAD")
        && !matches!(line.new, RefValue::Symbolic(_))
    {
        return left("if this was git switch --detach or git checkout, files and index have changed");
    }
    Vec::new()
}

fn left(what: &str) -> Vec<String> {
    vec![format!("{RESTORE}: {what}")]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::ref_line::parse;
    use crate::policy::refs::{CommitShape, PackedRefs, Unreadable};

    /// A repository with an operation under way, and with `ORIG_HEAD` or not.
    #[derive(Default)]
    struct Repo {
        under_way: Option<UnderWay>,
        orig_head: Option<RefValue>,
    }

    impl RefFacts for Repo {
        fn current(&self, _: &RefName) -> Result<Option<RefValue>, Unreadable> {
            Ok(self.orig_head.clone())
        }
        fn packed_refs(&self) -> PackedRefs {
            PackedRefs::Unlocked
        }
        fn is_hidden(&self, _name: &RefName) -> bool {
            false
        }

        fn packed(&self, _: &RefName) -> Result<Option<String>, Unreadable> {
            Ok(None)
        }
        fn head_branch(&self) -> Result<Option<RefName>, Unreadable> {
            Ok(None)
        }
        fn commit(&self, _: &str) -> Result<CommitShape, Unreadable> {
            Ok(CommitShape::default())
        }
        fn pointed_to(&self) -> Option<RefName> {
            None
        }
        fn under_way(&self) -> Option<UnderWay> {
            self.under_way
        }
    }

    fn told(text: &str) -> String {
        told_in(&Repo::default(), text)
    }

    fn told_in(repo: &Repo, text: &str) -> String {
        let zero = "0".repeat(40);
        let (a, b) = ("a".repeat(40), "b".repeat(40));
        let text =
            text.replace("0 ", &format!("{zero} ")).replace("A ", &format!("{a} ")).replace("B ", &format!("{b} "));
        hints(&parse(text.as_bytes()).unwrap(), repo).join("\n")
    }

    #[test]
    fn what_is_left_follows_from_what_git_wants() {
        assert!(told("0 ref:refs/heads/x HEAD\n").contains("files and the index for those of the other branch"));
        assert!(told("A B HEAD\n").contains("--detach"));
        assert!(told("A B ORIG_HEAD\n").contains("git reset"));
        assert!(told("A 0 refs/stash\n").contains("git stash apply <id>"));
        for clean in ["A B HEAD\nA B refs/heads/main\n", "0 A refs/heads/x\n", "0 A refs/tags/v\n", "0 A refs/stash\n"]
        {
            assert_eq!(told(clean), "", "{clean}");
        }
    }

    #[test]
    fn a_merge_leaves_nothing_where_it_can_be_told_from_a_reset() {
        let repo = Repo { orig_head: Some(RefValue::Object("c".repeat(40))), ..Repo::default() };
        assert_eq!(told_in(&repo, "0 B ORIG_HEAD\n"), "", "a reset would have said what it was");
        assert!(told_in(&repo, "A B ORIG_HEAD\n").contains("git reset"));
    }

    #[test]
    fn an_operation_under_way_is_named() {
        for (under_way, name) in [
            (UnderWay::Rebase, "git rebase"),
            (UnderWay::Am, "git am"),
            (UnderWay::CherryPick, "git cherry-pick"),
            (UnderWay::Revert, "git revert"),
            (UnderWay::Merge, "git merge"),
            (UnderWay::Bisect, "git bisect"),
        ] {
            let hints = hints(&[], &Repo { under_way: Some(under_way), ..Repo::default() }).join("\n");
            assert!(hints.contains(name) && hints.starts_with("git grill verify --restore"), "{hints}");
        }
    }
}
