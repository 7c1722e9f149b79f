//! The verdict on a ref transaction: which lines of `reference-transaction` pass while a session is active.
//!
//! Judged as a whole, because git can only take or leave a whole transaction. What has to be known about the
//! repository is asked through [`RefFacts`], and only when the answer matters; what cannot be found out counts
//! against the change.

use crate::domain::posture::{Posture, ReadOnlyPhase};
use crate::policy::approved::covers;
use crate::policy::leavings::{self, UnderWay};
use crate::policy::ref_line::{RefLine, RefName, RefValue, printable};
use crate::policy::verdict::{Refusal, Verdict};

/// A fact about the repository that could not be found out; says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

/// Whether somebody is writing `packed-refs` at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackedRefs {
    /// Its lock is taken.
    Locked,
    /// Nobody has it.
    Unlocked,
}

/// What a commit is, as far as G33 asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitShape {
    /// Ids of the parents in order.
    pub parents: Vec<String>,
    /// Every path that differs from the single parent, both ends of a rename; empty unless there is exactly one.
    pub paths: Vec<Vec<u8>>,
}

/// What the verdict needs to know about the repository at the moment of the hook.
pub trait RefFacts {
    /// The value of the ref itself, not of what it points to; `None` when there is no such ref.
    fn current(&self, name: &RefName) -> Result<Option<RefValue>, Unreadable>;
    /// Whether `packed-refs` is being written.
    fn packed_refs(&self) -> PackedRefs;
    /// The object that `packed-refs` holds for the ref.
    fn packed(&self, name: &RefName) -> Result<Option<String>, Unreadable>;
    /// The branch that HEAD of this worktree points to; `None` when it is detached.
    fn head_branch(&self) -> Result<Option<RefName>, Unreadable>;
    /// Parents and changed paths of a commit.
    fn commit(&self, id: &str) -> Result<CommitShape, Unreadable>;
    /// What git has begun in this worktree and not finished.
    fn under_way(&self) -> Option<UnderWay>;
}

/// Rules on all lines of a transaction that git is about to commit.
pub(super) fn judge(posture: &Posture, lines: &[RefLine], facts: &dyn RefFacts) -> Verdict {
    let refused = match posture {
        Posture::Inactive => None,
        Posture::ReadOnly { phase } => {
            let refused = lines.iter().filter(|line| match guard(&line.name) {
                Guard::Free => false,
                Guard::Head | Guard::OrigHead => true,
                Guard::Ref => !changes_nothing(line, facts),
            });
            telling(refused).map(|line| refuse(meant(line, lines, facts), &read_only_because(*phase)))
        }
        Posture::Output { paths } => judge_output(paths, lines, facts),
    };
    let Some(mut refusal) = refused else {
        return Verdict::Allow;
    };
    refusal.hints.splice(0..0, leavings::hints(lines, facts));
    Verdict::Refuse(refusal)
}

/// Says no because the hook's input could not be understood; the same words for every hook.
pub fn not_understood(what: &str, why: &dyn std::fmt::Display) -> Refusal {
    Refusal {
        reason: format!("nothing was changed: what git said about {what} could not be read ({why})"),
        hints: next_steps(),
    }
}

/// Why nothing may change in a read-only phase.
pub(crate) fn read_only_because(phase: ReadOnlyPhase) -> String {
    let what = match phase {
        ReadOnlyPhase::Interview => "the interview is read-only",
        ReadOnlyPhase::OutputSelection => "choosing the output is read-only",
    };
    format!("{what}: commits, branches and tags wait until an output plan is approved or the session stops")
}

/// The commands that lead on from any refusal.
pub(crate) fn next_steps() -> Vec<String> {
    vec!["git grill status".to_owned(), "git grill stop".to_owned()]
}

/// How closely a ref is looked after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    /// Ours, a remote's, or a note that git keeps for itself (`AUTO_MERGE`, `FETCH_HEAD`). Refusing `AUTO_MERGE`
    /// would leave a half-applied cherry-pick that cannot be aborted.
    Free,
    /// What is checked out.
    Head,
    /// Written before a merge, rebase or reset touches the working tree: refusing it stops them in time.
    OrigHead,
    /// A branch, a tag, the stash, notes, and whatever else lives under `refs/`.
    Ref,
}

fn guard(name: &RefName) -> Guard {
    let bytes = name.as_bytes();
    // On a file system that ignores case `head` is HEAD. The exceptions stay exact: doubt means guarded.
    let base = without_worktree(bytes);
    if base.eq_ignore_ascii_case(b"HEAD") {
        Guard::Head
    } else if base.eq_ignore_ascii_case(b"ORIG_HEAD") {
        Guard::OrigHead
    } else if is_below_refs(base) && !bytes.starts_with(b"refs/grill/") && !bytes.starts_with(b"refs/remotes/") {
        Guard::Ref
    } else {
        Guard::Free
    }
}

fn is_below_refs(name: &[u8]) -> bool {
    name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"refs/"))
}

/// `main-worktree/HEAD` and `worktrees/<id>/HEAD` are how one worktree reaches the refs of another.
fn without_worktree(name: &[u8]) -> &[u8] {
    if let Some(rest) = name.strip_prefix(b"main-worktree/") {
        return rest;
    }
    name.strip_prefix(b"worktrees/")
        .and_then(|rest| rest.iter().position(|byte| *byte == b'/').map(|slash| &rest[slash + 1..]))
        .unwrap_or(name)
}

/// `gc` and `pack-refs` copy a ref into `packed-refs` with the value it has, then delete the loose copy when the
/// lock is gone. A real deletion holds that lock, because it has to rewrite `packed-refs` first.
fn changes_nothing(line: &RefLine, facts: &dyn RefFacts) -> bool {
    // Refs of one worktree are never packed, and from another worktree they only seem not to be there.
    let shared = line.name.below("refs/").is_some()
        && ["refs/bisect/", "refs/rewritten/", "refs/worktree/"].iter().all(|own| line.name.below(own).is_none());
    if !shared {
        return false;
    }
    let Ok(current) = facts.current(&line.name) else {
        return false;
    };
    if line.new == current.unwrap_or(RefValue::Zero) {
        return true;
    }
    match (&line.old, &line.new) {
        (RefValue::Object(old), RefValue::Zero) => {
            facts.packed_refs() == PackedRefs::Unlocked
                && facts.packed(&line.name).is_ok_and(|packed| packed.as_ref() == Some(old))
        }
        (RefValue::Zero | RefValue::Symbolic(_), RefValue::Zero)
        | (RefValue::Zero | RefValue::Object(_) | RefValue::Symbolic(_), RefValue::Object(_) | RefValue::Symbolic(_)) => {
            false
        }
    }
}

/// G33: HEAD's branch may move to a single-parent child of its tip that touches approved paths alone.
fn judge_output(approved: &[String], lines: &[RefLine], facts: &dyn RefFacts) -> Option<Refusal> {
    let head_branch = facts.head_branch();
    let mut moved_to = None;
    for line in lines {
        match guard(&line.name) {
            Guard::Free | Guard::Head => {}
            Guard::OrigHead => {
                return Some(refuse(line, "an approved output is committed on top, and nothing else"));
            }
            Guard::Ref if changes_nothing(line, facts) => {}
            Guard::Ref => match &head_branch {
                Ok(Some(branch)) if *branch == line.name => match approved_commit(approved, line, facts) {
                    Ok(id) => moved_to = Some(id),
                    Err(why) => return Some(refuse(line, &why)),
                },
                Ok(_) => {
                    return Some(refuse(line, "only the branch that HEAD points to may move, by approved commits"));
                }
                Err(Unreadable(why)) => {
                    return Some(refuse(line, &format!("HEAD could not be read ({why})")));
                }
            },
        }
    }
    let accompanies = |line: &&RefLine| match (&line.new, moved_to) {
        (RefValue::Object(new), Some(id)) => line.name.as_bytes() == b"HEAD" && new == id,
        (RefValue::Zero | RefValue::Object(_) | RefValue::Symbolic(_), _) => false,
    };
    lines.iter().filter(|line| guard(&line.name) == Guard::Head).find(|line| !accompanies(line)).map(|line| {
        refuse(line, "while output is produced HEAD stays on its branch and moves only with approved commits")
    })
}

/// The id of the commit if the line moves the branch to an approved one, else why it does not.
fn approved_commit<'line>(
    approved: &[String],
    line: &'line RefLine,
    facts: &dyn RefFacts,
) -> Result<&'line str, String> {
    let unreadable = |Unreadable(why): Unreadable| format!("it could not be checked against the plan ({why})");
    let RefValue::Object(new) = &line.new else {
        return Err("while output is produced no branch is deleted or redirected".to_owned());
    };
    let Some(RefValue::Object(tip)) = facts.current(&line.name).map_err(unreadable)? else {
        return Err("it has no commit yet, and only a commit on top of its tip can be approved".to_owned());
    };
    if matches!(&line.old, RefValue::Object(old) if *old != tip) || matches!(line.old, RefValue::Symbolic(_)) {
        return Err("its tip is not what git expects".to_owned());
    }
    let commit = facts.commit(new).map_err(unreadable)?;
    if commit.parents != [tip] {
        return Err("only a commit with the present tip as its single parent is let through, no amend, reset or merge"
            .to_owned());
    }
    if commit.paths.is_empty() {
        return Err("it changes no file, and only changes to approved paths are let through".to_owned());
    }
    let mut outside = commit.paths.iter().filter(|path| !covers(approved, path));
    match (outside.next(), outside.count()) {
        (None, _) => Ok(new),
        (Some(path), 0) => Err(format!("'{}' is not in the approved plan", printable(path))),
        (Some(path), more) => Err(format!("'{}' and {more} more are not in the approved plan", printable(path))),
    }
}

/// The line a person would name: a commit is refused for its branch, although HEAD comes first.
fn telling<'line>(refused: impl Iterator<Item = &'line RefLine>) -> Option<&'line RefLine> {
    refused.min_by_key(|line| match guard(&line.name) {
        Guard::Ref => 0,
        Guard::Head => 1,
        Guard::OrigHead => 2,
        Guard::Free => 3,
    })
}

fn refuse(line: &RefLine, why: &str) -> Refusal {
    let mut hints = next_steps();
    if line.name.below("refs/tags/").is_some() && line.new != RefValue::Zero {
        // A fetch writes its tags in a transaction of their own, which looks like that of `git tag`.
        hints.insert(0, "git fetch --no-tags, if this was a fetch".to_owned());
    }
    Refusal { reason: format!("{}: {why}", undone(line)), hints }
}

/// A branch set to what it already is changes nothing, and yet HEAD comes along with it.
fn meant<'line>(line: &'line RefLine, lines: &'line [RefLine], facts: &dyn RefFacts) -> &'line RefLine {
    let comes_along = guard(&line.name) == Guard::Head && matches!(line.new, RefValue::Object(_));
    let branch = facts.head_branch().ok().flatten().filter(|_| comes_along);
    branch.and_then(|branch| lines.iter().find(|other| other.name == branch && other.new == line.new)).unwrap_or(line)
}

/// What did not happen, in the user's terms.
fn undone(line: &RefLine) -> String {
    let name = &line.name;
    let deletes = line.new == RefValue::Zero;
    if let Some(branch) = name.below("refs/heads/") {
        let verb = if deletes { "deleted" } else { "changed" };
        return format!("branch '{}' was not {verb}", printable(branch));
    }
    if let Some(tag) = name.below("refs/tags/") {
        let verb = if deletes { "deleted" } else { "written" };
        return format!("tag '{}' was not {verb}", printable(tag));
    }
    match (guard(name), &line.new) {
        (Guard::Head, RefValue::Symbolic(target)) => {
            let branch = target.strip_prefix(b"refs/heads/").unwrap_or(target);
            format!("HEAD was not switched to '{}'", printable(branch))
        }
        (Guard::Head, RefValue::Zero | RefValue::Object(_)) => "HEAD was not moved".to_owned(),
        (Guard::OrigHead, _) => "ORIG_HEAD was not written, so the command stopped".to_owned(),
        (Guard::Ref | Guard::Free, _) if name.as_bytes() == b"refs/stash" => "the stash was not changed".to_owned(),
        (Guard::Ref | Guard::Free, _) => {
            format!("'{}' was not changed", printable(name.as_bytes()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::ref_line::parse;

    const INTERVIEW: Posture = Posture::ReadOnly { phase: ReadOnlyPhase::Interview };
    const SELECTION: Posture = Posture::ReadOnly { phase: ReadOnlyPhase::OutputSelection };

    /// A repository: `main` at A (HEAD), `other` at B and `packed` at A, the last two also in packed-refs.
    struct Repo {
        packed_refs: PackedRefs,
        head: Option<&'static str>,
        broken: Option<&'static str>,
    }

    const REPO: Repo = Repo { packed_refs: PackedRefs::Unlocked, head: Some("refs/heads/main"), broken: None };

    fn id(letter: &str) -> String {
        letter.repeat(40)
    }

    impl Repo {
        fn unless_broken<T>(&self, what: &str, value: T) -> Result<T, Unreadable> {
            if self.broken == Some(what) { Err(Unreadable("disk on fire".to_owned())) } else { Ok(value) }
        }
    }

    impl RefFacts for Repo {
        fn current(&self, name: &RefName) -> Result<Option<RefValue>, Unreadable> {
            self.unless_broken(
                "current",
                match name.as_bytes() {
                    b"refs/heads/main" | b"refs/heads/packed" => Some(RefValue::Object(id("a"))),
                    b"refs/heads/other" | b"refs/tags/v1" => Some(RefValue::Object(id("b"))),
                    b"refs/heads/alias" => Some(RefValue::Symbolic(b"refs/heads/main".to_vec())),
                    _ => None,
                },
            )
        }

        fn packed_refs(&self) -> PackedRefs {
            self.packed_refs
        }

        fn packed(&self, name: &RefName) -> Result<Option<String>, Unreadable> {
            self.unless_broken(
                "packed",
                match name.as_bytes() {
                    b"refs/heads/packed" => Some(id("a")),
                    b"refs/heads/other" => Some(id("b")),
                    _ => None,
                },
            )
        }

        fn head_branch(&self) -> Result<Option<RefName>, Unreadable> {
            self.unless_broken("head", self.head.map(|name| RefName::new(name.as_bytes())))
        }

        fn under_way(&self) -> Option<UnderWay> {
            None
        }

        fn commit(&self, commit: &str) -> Result<CommitShape, Unreadable> {
            let shape = |parents: &[&str], paths: &[&[u8]]| CommitShape {
                parents: parents.iter().map(|letter| id(letter)).collect(),
                paths: paths.iter().map(|path| path.to_vec()).collect(),
            };
            self.unless_broken(
                "commit",
                match &commit[..1] {
                    "b" => shape(&[], &[]),
                    "c" => shape(&["a"], &[b"docs/adr.md"]),
                    "d" => shape(&["a"], &[b"docs/adr.md", b"src/main.rs", b"x"]),
                    "e" => shape(&["b"], &[b"docs/adr.md"]),
                    "f" => shape(&["a", "b"], &[]),
                    "1" => shape(&["a"], &[b"out/a/b", b"out/c"]),
                    "2" => shape(&["a"], &[b"out"]),
                    "3" => shape(&["a"], &[b"docs/adr.md/x"]),
                    "4" => shape(&["a"], &[]),
                    "5" => shape(&["a"], &[b"docs/\xff.md"]),
                    _ => return Err(Unreadable("no such object".to_owned())),
                },
            )
        }
    }

    /// `0 a refs/heads/x` for zeroes, forty `a`, the name; several lines are separated by `; `.
    fn lines(short: &str) -> Vec<RefLine> {
        let value = |field: &str| {
            if field.len() == 1 { id(field) } else { field.to_owned() }
        };
        let full: Vec<String> = short
            .split("; ")
            .map(|line| {
                let fields: Vec<&str> = line.split(' ').collect();
                format!("{} {} {}\n", value(fields[0]), value(fields[1]), fields[2])
            })
            .collect();
        parse(full.concat().as_bytes()).unwrap()
    }

    fn verdict(posture: &Posture, repo: &Repo, short: &str) -> Option<Refusal> {
        match judge(posture, &lines(short), repo) {
            Verdict::Allow => None,
            Verdict::Refuse(refusal) => Some(refusal),
            Verdict::Ask(question) => panic!("git's hooks ask nobody: {question:?}"),
        }
    }

    fn plan() -> Posture {
        Posture::Output { paths: vec!["docs/adr.md".to_owned(), "out/".to_owned()] }
    }

    #[test]
    fn an_inactive_worktree_refuses_nothing() {
        for line in ["0 c HEAD; a c refs/heads/main", "a 0 refs/heads/main", "0 ref:refs/heads/other HEAD"] {
            assert_eq!(verdict(&Posture::Inactive, &REPO, line), None, "{line}");
        }
    }

    #[test]
    fn what_passes_in_every_phase() {
        let passes = [
            // Ours and the remotes', whatever happens to them.
            "0 a refs/grill/sessions/x",
            "a 0 refs/grill/local/x",
            "0 ref:refs/grill/sessions/x GRILL_HEAD",
            "0 a refs/remotes/origin/main",
            "a 0 refs/remotes/origin/gone",
            "0 ref:refs/remotes/origin/main refs/remotes/origin/HEAD",
            // Notes that git keeps for itself.
            "0 0 AUTO_MERGE",
            "0 a AUTO_MERGE",
            "0 a CHERRY_PICK_HEAD",
            "0 a REVERT_HEAD",
            "0 a FETCH_HEAD",
            "0 a BISECT_EXPECTED_REV",
            // pack-refs copies with the value that is there.
            "0 a refs/heads/main",
            "0 a refs/heads/main; 0 b refs/heads/other; 0 b refs/tags/v1",
            "b b refs/heads/other",
            "0 ref:refs/heads/main refs/heads/alias",
            // and prunes what packed-refs holds.
            "a 0 refs/heads/packed",
            "b 0 refs/heads/other",
            // Nothing there, nothing to delete.
            "0 0 refs/heads/nowhere",
        ];
        for posture in [&INTERVIEW, &SELECTION, &plan()] {
            for line in passes {
                assert_eq!(verdict(posture, &REPO, line), None, "{line} in {posture:?}");
            }
            assert_eq!(judge(posture, &[], &REPO), Verdict::Allow);
        }
    }

    #[test]
    fn what_is_refused_in_every_phase() {
        let refused = [
            "0 0 HEAD",
            "0 a HEAD",
            "a a HEAD",
            "0 b HEAD",
            "a 0 HEAD",
            "0 ref:refs/heads/other HEAD",
            "0 ref:refs/heads/main HEAD",
            "0 a head",
            "0 a main-worktree/HEAD",
            "0 a worktrees/wt/HEAD",
            "0 a worktrees/wt/ORIG_HEAD",
            "0 a worktrees/wt/refs/bisect/bad",
            "0 a ORIG_HEAD",
            "0 0 ORIG_HEAD",
            "0 b refs/heads/main",
            "a b refs/heads/main",
            "0 a refs/heads/new",
            "a 0 refs/heads/main",
            "0 0 refs/heads/main",
            "0 0 refs/heads/packed",
            // The old value is not the one in packed-refs.
            "b 0 refs/heads/packed",
            "0 ref:refs/heads/other refs/heads/alias",
            "0 a refs/heads/alias",
            "ref:refs/heads/main 0 refs/heads/alias",
            "0 a refs/tags/new",
            "b a refs/tags/v1",
            "b 0 refs/tags/v1",
            "0 a refs/stash",
            "0 a refs/notes/commits",
            "0 a refs/replace/x",
            "0 a refs/bisect/bad",
            // Not there as far as the facts see, which do not see into every worktree.
            "0 0 refs/bisect/bad",
            "a 0 refs/worktree/x",
            "0 0 refs/rewritten/x",
            "0 0 worktrees/wt/refs/bisect/bad",
            "0 0 REFS/heads/nowhere",
            "0 a refs/GRILL/x",
            "0 a REFS/heads/main",
            "0 a refs/grillx",
            "0 a refs/remotesx/a",
            // One guarded line among free ones refuses them all.
            "0 a refs/remotes/origin/main; 0 a refs/tags/new",
            "0 0 AUTO_MERGE; 0 b HEAD",
        ];
        for posture in [&INTERVIEW, &SELECTION, &plan()] {
            for line in refused {
                assert!(verdict(posture, &REPO, line).is_some(), "{line} in {posture:?}");
            }
        }
    }

    #[test]
    fn a_deletion_under_the_lock_is_a_real_one() {
        let locked = Repo { packed_refs: PackedRefs::Locked, ..REPO };
        for posture in [&INTERVIEW, &SELECTION, &plan()] {
            assert!(verdict(posture, &locked, "a 0 refs/heads/packed").is_some());
            assert!(verdict(posture, &locked, "0 0 refs/heads/packed").is_some());
            assert_eq!(verdict(posture, &locked, "0 a refs/heads/packed"), None);
        }
    }

    #[test]
    fn what_cannot_be_found_out_counts_against_the_change() {
        for (broken, line) in [("current", "0 a refs/heads/main"), ("packed", "a 0 refs/heads/packed")] {
            let repo = Repo { broken: Some(broken), ..REPO };
            assert!(verdict(&INTERVIEW, &repo, line).is_some(), "{line}");
            assert_eq!(verdict(&INTERVIEW, &repo, "0 a refs/remotes/origin/x"), None);
        }
        for broken in ["current", "head", "commit"] {
            let repo = Repo { broken: Some(broken), ..REPO };
            let refusal = verdict(&plan(), &repo, "0 c HEAD; a c refs/heads/main").unwrap();
            assert!(refusal.reason.contains("disk on fire"), "{broken}: {}", refusal.reason);
        }
    }

    #[test]
    fn commits_are_refused_while_the_interview_runs() {
        for commit in
            ["0 c HEAD; a c refs/heads/main", "a c HEAD; a c refs/heads/main", "a c refs/heads/main; 0 c HEAD"]
        {
            for posture in [&INTERVIEW, &SELECTION] {
                let refusal = verdict(posture, &REPO, commit).unwrap();
                assert!(refusal.reason.starts_with("branch 'main' was not changed: "), "{}", refusal.reason);
            }
        }
    }

    #[test]
    fn output_lets_approved_commits_through() {
        let passes = [
            "0 c HEAD; a c refs/heads/main",
            "a c HEAD; a c refs/heads/main",
            "a c refs/heads/main; 0 c HEAD",
            "a c refs/heads/main",
            "0 c refs/heads/main",
            "0 1 HEAD; a 1 refs/heads/main",
            "0 c HEAD; a c refs/heads/main; 0 0 AUTO_MERGE; 0 c refs/grill/local/x",
        ];
        for line in passes {
            assert_eq!(verdict(&plan(), &REPO, line), None, "{line}");
        }
    }

    #[test]
    fn output_refuses_every_other_move() {
        let refused = [
            ("0 d HEAD; a d refs/heads/main", "'src/main.rs' and 1 more are not in the approved plan"),
            ("0 4 HEAD; a 4 refs/heads/main", "it changes no file"),
            ("0 2 HEAD; a 2 refs/heads/main", "'out' is not in the approved plan"),
            ("0 3 HEAD; a 3 refs/heads/main", "'docs/adr.md/x' is not in the approved plan"),
            ("0 5 HEAD; a 5 refs/heads/main", "'docs/?.md' is not in the approved plan"),
            ("0 e HEAD; a e refs/heads/main", "no amend, reset or merge"),
            ("0 b HEAD; a b refs/heads/main", "no amend, reset or merge"),
            ("0 f HEAD; a f refs/heads/main", "no amend, reset or merge"),
            ("0 9 HEAD; a 9 refs/heads/main", "no such object"),
            ("b c refs/heads/main", "its tip is not what git expects"),
            ("a 0 refs/heads/main", "no branch is deleted"),
            ("b e refs/heads/other", "only the branch that HEAD points to"),
            ("0 c refs/heads/new", "only the branch that HEAD points to"),
            ("0 c refs/tags/t", "only the branch that HEAD points to"),
            ("0 a ORIG_HEAD", "committed on top"),
            ("0 c HEAD", "HEAD stays on its branch"),
            ("0 e HEAD; a c refs/heads/main", "HEAD stays on its branch"),
            ("0 ref:refs/heads/other HEAD; a c refs/heads/main", "HEAD stays on its branch"),
            ("0 c HEAD; a c refs/heads/main; 0 c main-worktree/HEAD", "HEAD stays on its branch"),
            ("0 a HEAD; a a refs/heads/main", "HEAD stays on its branch"),
            ("0 c HEAD; a c refs/heads/main; b c refs/heads/other", "only the branch that HEAD points to"),
        ];
        for (line, says) in refused {
            let reason = verdict(&plan(), &REPO, line).expect(line).reason;
            assert!(reason.contains(says), "{line}: {reason}");
        }
        let unborn = Repo { head: Some("refs/heads/nothing"), ..REPO };
        assert!(
            verdict(&plan(), &unborn, "0 b HEAD; 0 b refs/heads/nothing").unwrap().reason.contains("no commit yet")
        );
        let detached = Repo { head: None, ..REPO };
        assert!(verdict(&plan(), &detached, "a c HEAD").is_some());
        let nothing = Posture::Output { paths: Vec::new() };
        assert!(verdict(&nothing, &REPO, "0 c HEAD; a c refs/heads/main").is_some());
        // A folder is meant only when it is written as one, and an empty entry stands for nothing at all.
        for entry in ["docs", "", "docs/adr", "DOCS/ADR.md", "docs/adr.md/"] {
            let posture = Posture::Output { paths: vec![entry.to_owned()] };
            assert!(verdict(&posture, &REPO, "0 c HEAD; a c refs/heads/main").is_some(), "{entry}");
        }
    }

    #[test]
    fn a_refusal_says_what_did_not_happen_and_what_to_type() {
        let says = [
            ("0 c HEAD; a c refs/heads/main", "branch 'main' was not changed"),
            ("0 0 refs/heads/main", "branch 'main' was not deleted"),
            ("0 a refs/tags/new", "tag 'new' was not written"),
            ("b 0 refs/tags/v1", "tag 'v1' was not deleted"),
            ("0 ref:refs/heads/other HEAD", "HEAD was not switched to 'other'"),
            ("0 b HEAD", "HEAD was not moved"),
            ("0 a ORIG_HEAD", "ORIG_HEAD was not written"),
            ("0 a refs/stash", "the stash was not changed"),
            ("0 a refs/notes/x", "'refs/notes/x' was not changed"),
        ];
        for (line, start) in says {
            let refusal = verdict(&INTERVIEW, &REPO, line).unwrap();
            assert!(refusal.reason.starts_with(start), "{line}: {}", refusal.reason);
            assert!(refusal.hints.iter().all(|hint| hint.starts_with("git ")), "{:?}", refusal.hints);
            assert!(refusal.hints.contains(&"git grill stop".to_owned()));
        }
        let hints = |line| verdict(&INTERVIEW, &REPO, line).unwrap().hints;
        assert_eq!(hints("0 a refs/tags/new")[0], "git fetch --no-tags, if this was a fetch");
        assert_eq!(hints("b 0 refs/tags/v1")[0], "git grill status");
    }

    #[test]
    fn the_phase_is_named() {
        let reason = |posture| verdict(posture, &REPO, "0 b HEAD").unwrap().reason;
        assert!(reason(&INTERVIEW).contains("the interview is read-only"));
        assert!(reason(&SELECTION).contains("choosing the output is read-only"));
    }
}
