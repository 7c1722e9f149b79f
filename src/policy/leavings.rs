//! What git has already changed by the time it asks about its refs, said in the refusal with what brings it back.
//!
//! The rows are the measured ones that are refused and leave something. Which command asks is told by what it has put
//! into the git directory, else by the refs it wants.

use crate::policy::ref_line::{RefLine, RefValue};

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
pub(super) fn hints(lines: &[RefLine], under_way: Option<UnderWay>) -> Vec<String> {
    match under_way {
        Some(UnderWay::Rebase) => left("git rebase has exchanged files and index and is under way"),
        Some(UnderWay::Am) => left("git am has put its patches into .git/rebase-apply and is under way"),
        Some(UnderWay::CherryPick) => left("git cherry-pick has changed files and index and is under way"),
        Some(UnderWay::Revert) => left("git revert has changed files and index and is under way"),
        Some(UnderWay::Merge) => left("git merge has changed files and index and is under way"),
        Some(UnderWay::Bisect) => left("git bisect has noted that it began"),
        None => by_refs(lines),
    }
}

fn by_refs(lines: &[RefLine]) -> Vec<String> {
    let names = |line: &RefLine, name: &[u8]| line.name.as_bytes() == name;
    if lines.iter().any(|line| names(line, b"HEAD") && matches!(line.new, RefValue::Symbolic(_))) {
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
    // A merge writes it before it touches anything, a reset after the index; nothing tells them apart here.
    if lines.iter().all(|line| names(line, b"ORIG_HEAD")) {
        return left("if this was git reset, the index has changed, and with --hard the files");
    }
    // A commit moves HEAD and its branch together. HEAD alone is a switch to a commit, after the files.
    if let [line] = lines
        && names(line, b"HEAD")
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

    fn told(text: &str) -> String {
        let zero = "0".repeat(40);
        let (a, b) = ("a".repeat(40), "b".repeat(40));
        let text =
            text.replace("0 ", &format!("{zero} ")).replace("A ", &format!("{a} ")).replace("B ", &format!("{b} "));
        hints(&parse(text.as_bytes()).unwrap(), None).join("\n")
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
    fn an_operation_under_way_is_named() {
        for (under_way, name) in [
            (UnderWay::Rebase, "git rebase"),
            (UnderWay::Am, "git am"),
            (UnderWay::CherryPick, "git cherry-pick"),
            (UnderWay::Revert, "git revert"),
            (UnderWay::Merge, "git merge"),
            (UnderWay::Bisect, "git bisect"),
        ] {
            let hints = hints(&[], Some(under_way)).join("\n");
            assert!(hints.contains(name) && hints.starts_with("git grill verify --restore"), "{hints}");
        }
    }
}
