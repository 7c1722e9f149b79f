//! What refs may do in each posture, transaction by transaction.

mod fetches;
mod said;

use super::*;
use crate::policy::ref_line::parse;

const INTERVIEW: Posture = Posture::ReadOnly { phase: ReadOnlyPhase::Interview };
const SELECTION: Posture = Posture::ReadOnly { phase: ReadOnlyPhase::OutputSelection };

/// A repository: `main` at A (HEAD), `other` at B and `packed` at A, the last two also in packed-refs.
struct Repo {
    packed_refs: PackedRefs,
    head: Option<&'static str>,
    broken: Option<&'static str>,
    /// Where `GRILL_HEAD` points to.
    pointed_to: Option<&'static str>,
    /// The arguments of the git that asks, none if that is not known.
    asked_by: &'static str,
    /// The configured refspecs; `None` where asking for them would be in vain.
    configured: Option<&'static [&'static str]>,
}

const REPO: Repo = Repo {
    packed_refs: PackedRefs::Unlocked,
    head: Some("refs/heads/main"),
    broken: None,
    pointed_to: Some("refs/grill/sessions/here"),
    asked_by: "",
    configured: None,
};

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
                b"refs/grill/sessions/here"
                | b"refs/grill/local/here/baseline"
                | b"refs/heads/other"
                | b"refs/tags/v1" => Some(RefValue::Object(id("b"))),
                b"refs/heads/alias" => Some(RefValue::Symbolic(b"refs/heads/main".to_vec())),
                _ => None,
            },
        )
    }

    fn packed_refs(&self) -> PackedRefs {
        self.packed_refs
    }

    fn is_hidden(&self, name: &RefName) -> bool {
        name.as_bytes() == b"refs/heads/other" && self.packed_refs == PackedRefs::Locked
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

    fn pointed_to(&self) -> Option<RefName> {
        self.pointed_to.map(|name| RefName::new(name.as_bytes()))
    }

    fn under_way(&self) -> Option<UnderWay> {
        None
    }

    fn asked_by(&self) -> Vec<Vec<u8>> {
        self.asked_by.split_whitespace().map(|word| word.as_bytes().to_vec()).collect()
    }

    fn configured_refspecs(&self) -> Result<Vec<Vec<u8>>, Unreadable> {
        let configured = self.configured.expect("only new tags of a fetch need the configuration");
        self.unless_broken("configured", configured.iter().map(|refspec| refspec.as_bytes().to_vec()).collect())
    }

    fn commit(&self, commit: &str) -> Result<CommitShape, Unreadable> {
        let shape = |parents: &[&str], paths: &[&[u8]]| CommitShape {
            parents: parents.iter().map(|letter| id(letter)).collect(),
            paths: paths.iter().map(|path| path.to_vec()).collect(),
            no_files: if commit == id("7") { vec![b"docs/adr.md".to_vec()] } else { Vec::new() },
            message: if commit == id("8") { b"Grill-Session: x\n" } else { b"words\n".as_slice() }.to_vec(),
        };
        self.unless_broken(
            "commit",
            match &commit[..1] {
                "b" => shape(&[], &[]),
                "c" | "7" | "8" => shape(&["a"], &[b"docs/adr.md"]),
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
        "0 ref:refs/grill/sessions/here GRILL_HEAD",
        // The active session is packed like everything else, and so are its snapshots.
        "0 b refs/grill/sessions/here",
        "0 b refs/grill/local/here/baseline",
        // Snapshots of other sessions.
        "a 0 refs/grill/local/heres/baseline",
        "0 a refs/grill/local/recovered/here-1",
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
        // The active session, and the pointer to it.
        "b 0 refs/grill/sessions/here",
        "b c refs/grill/sessions/here",
        "0 ref:refs/heads/main refs/grill/sessions/here",
        "0 ref:refs/heads/main GRILL_HEAD",
        "0 ref:refs/grill/sessions/x GRILL_HEAD",
        "0 c GRILL_HEAD",
        "0 0 GRILL_HEAD",
        "0 0 main-worktree/GRILL_HEAD",
        "0 a refs/remotes/origin/main; b 0 refs/grill/sessions/here",
        // Its snapshots.
        "b 0 refs/grill/local/here/baseline",
        "b c refs/grill/local/here/baseline",
        "0 ref:refs/heads/main refs/grill/local/here/baseline",
        "0 c refs/grill/local/here/watch",
        "0 c refs/grill/local/here",
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
fn a_session_that_is_not_active_and_a_pointer_to_none_are_nobodys_to_hold() {
    let lines = ["b 0 refs/grill/sessions/x", "0 0 GRILL_HEAD", "0 ref:refs/grill/sessions/x GRILL_HEAD"];
    for posture in [&INTERVIEW, &SELECTION, &plan()] {
        for pointed_to in [None, Some("refs/heads/main")] {
            for line in lines {
                assert_eq!(verdict(posture, &Repo { pointed_to, ..REPO }, line), None, "{line} in {posture:?}");
            }
        }
        assert_eq!(verdict(posture, &REPO, lines[0]), None, "{posture:?}");
        let refused = verdict(posture, &REPO, "b 0 refs/grill/sessions/here").unwrap();
        assert!(refused.reason.contains("session 'here' was not deleted: the session is active here"), "{refused:?}");
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
fn a_copy_of_a_ref_that_has_moved_since_is_no_change() {
    let locked = Repo { packed_refs: PackedRefs::Locked, ..REPO };
    for posture in [&INTERVIEW, &SELECTION, &plan()] {
        assert_eq!(verdict(posture, &locked, "0 a refs/heads/other; 0 a refs/heads/main"), None);
        for line in ["a c refs/heads/other", "0 b refs/heads/packed", "0 ref:refs/heads/main refs/heads/other"] {
            assert!(verdict(posture, &locked, line).is_some(), "{line}");
        }
        assert!(verdict(posture, &REPO, "0 a refs/heads/other").is_some(), "nobody packs");
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
    for commit in ["0 c HEAD; a c refs/heads/main", "a c HEAD; a c refs/heads/main", "a c refs/heads/main; 0 c HEAD"] {
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
        ("0 7 HEAD; a 7 refs/heads/main", "'docs/adr.md' would be a symlink or a submodule"),
        ("0 8 HEAD; a 8 refs/heads/main", "it was not worded"),
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
    assert!(verdict(&plan(), &unborn, "0 b HEAD; 0 b refs/heads/nothing").unwrap().reason.contains("no commit yet"));
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
