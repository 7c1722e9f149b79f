//! The verdict on a ref transaction: which lines of `reference-transaction` pass while a session is active.
//!
//! Judged as a whole, because git can only take or leave a whole transaction. What has to be known about the
//! repository is asked through [`RefFacts`], and only when the answer matters; what cannot be found out counts
//! against the change.

mod undone;

use self::undone::undone;
use crate::domain::posture::{Posture, ReadOnlyPhase};
use crate::policy::approved::covers;
use crate::policy::fetched::{self, TagOrigin};
use crate::policy::half_done::{self, UnderWay};
use crate::policy::ref_line::{RefLine, RefName, RefValue, printable};
use crate::policy::verdict::{Refusal, Verdict};

/// A fact about the repository that could not be found out; says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

/// Whether the git that asks is writing `packed-refs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackedRefs {
    /// It may be: the lock is taken, and stays.
    Locked,
    /// It is not.
    Unlocked,
}

/// What a commit is, as far as G33 asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitShape {
    /// Ids of the parents in order.
    pub parents: Vec<String>,
    /// Every path that differs from the single parent, both ends of a rename; empty unless there is exactly one.
    pub paths: Vec<Vec<u8>>,
    /// Those of them that it leaves as something else than an ordinary file or nothing: a symlink, a submodule.
    pub no_files: Vec<Vec<u8>>,
    pub message: Vec<u8>,
}

/// What the verdict needs to know about the repository at the moment of the hook.
pub trait RefFacts {
    /// The value of the ref itself, not of what it points to; `None` when there is no such ref.
    fn current(&self, name: &RefName) -> Result<Option<RefValue>, Unreadable>;
    /// Whether `packed-refs` is being written by the git that asks.
    fn packed_refs(&self) -> PackedRefs;
    /// Whether what is written for the ref goes into `packed-refs` alone, where the ref itself hides it.
    fn is_hidden(&self, name: &RefName) -> bool;
    /// The object that `packed-refs` holds for the ref.
    fn packed(&self, name: &RefName) -> Result<Option<String>, Unreadable>;
    /// The branch that HEAD of this worktree points to; `None` when it is detached.
    fn head_branch(&self) -> Result<Option<RefName>, Unreadable>;
    /// Parents and changed paths of a commit.
    fn commit(&self, id: &str) -> Result<CommitShape, Unreadable>;
    /// The ref that `GRILL_HEAD` of this worktree points to; `None` when there is no such pointer or it points to nothing
    /// that can be named.
    fn pointed_to(&self) -> Option<RefName>;
    /// What git has begun in this worktree and not finished.
    fn under_way(&self) -> Option<UnderWay>;
    /// The arguments of the git process that runs the hook, its own name first; none if they cannot be found out.
    fn asked_by(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }
    /// The refspecs that git reads for a fetch besides those in its arguments, of every remote. Only asked about a new tag
    /// of a fetch, and then for each one: an implementation looks once.
    fn configured_refspecs(&self) -> Result<Vec<Vec<u8>>, Unreadable> {
        Err(Unreadable("they were not looked up".to_owned()))
    }
}

/// Rules on all lines of a transaction that git is about to commit.
pub(super) fn judge(posture: &Posture, lines: &[RefLine], facts: &dyn RefFacts) -> Verdict {
    let refused = match posture {
        Posture::Inactive | Posture::Open => None,
        Posture::ReadOnly { phase } => {
            let refused = lines.iter().filter(|line| match guard(&line.name) {
                Guard::Free => false,
                Guard::Head | Guard::OrigHead => true,
                Guard::Ref => !changes_nothing(line, facts) && !is_fetched(line, facts),
                Guard::Session => moves_the_session(line, facts),
            });
            telling(refused).map(|line| match guard(&line.name) {
                Guard::Session => refuse(line, facts, ONLY_OURS),
                Guard::Free | Guard::Head | Guard::OrigHead | Guard::Ref => {
                    refuse(meant(line, lines, facts), facts, &read_only_because(*phase))
                }
            })
        }
        Posture::Output { paths } => judge_output(paths, lines, facts),
    };
    let Some(mut refusal) = refused else {
        return Verdict::Allow;
    };
    refusal.hints.splice(0..0, half_done::hints(lines, facts));
    Verdict::Refuse(refusal)
}

/// Says no because the hook's input could not be understood; the same words for every hook.
pub fn not_understood(what: &str, why: &dyn std::fmt::Display) -> Refusal {
    Refusal {
        reason: format!("nothing was changed: what git said about {what} could not be read ({why})"),
        hints: next_steps(),
    }
}

pub(crate) fn read_only_because(phase: ReadOnlyPhase) -> String {
    let what = match phase {
        ReadOnlyPhase::NoInterview => {
            // Whether there is a plan is not read here, so that both commands are named.
            return "plan mode keeps the session read-only: commits, branches and tags wait until you execute a plan (git \
                    grill plan set sets one, git grill plan execute approves it) or turn plan mode off (git grill plan off)"
                .to_owned();
        }
        ReadOnlyPhase::Interview => "the interview is read-only",
        ReadOnlyPhase::OutputSelection => "choosing the output is read-only",
    };
    format!("{what}: commits, branches and tags wait until an output plan is approved or the session stops")
}

/// The commands that lead on from any refusal.
pub(crate) fn next_steps() -> Vec<String> {
    vec![
        "git grill status shows where the session is".to_owned(),
        "git grill stop ends it and lifts the protection".to_owned(),
    ]
}

/// The pointer of a worktree to its active session.
const POINTER: &[u8] = b"GRILL_HEAD";
const SESSIONS: &str = "refs/grill/sessions/";
/// Where the snapshots are by which drift is named, in a folder for each session.
const SNAPSHOTS: &str = "refs/grill/local/";
/// Why nobody else moves the session. We write it without a hook being asked.
const ONLY_OURS: &str = "the session is active here, and only git grill writes to it";

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
    /// A session with its snapshots, or the pointer to the active one: held while it is that one. Without the session
    /// nobody knows any more what is to be refused, and without the snapshots what changed.
    Session,
}

fn guard(name: &RefName) -> Guard {
    let bytes = name.as_bytes();
    // On a file system that ignores case `head` is HEAD. The exceptions stay exact: doubt means guarded.
    let base = without_worktree(bytes);
    if base.eq_ignore_ascii_case(b"HEAD") {
        Guard::Head
    } else if base.eq_ignore_ascii_case(b"ORIG_HEAD") {
        Guard::OrigHead
    } else if base.eq_ignore_ascii_case(POINTER)
        || [SESSIONS, SNAPSHOTS].iter().any(|folder| bytes.starts_with(folder.as_bytes()))
    {
        Guard::Session
    } else if is_below_refs(base) && !bytes.starts_with(b"refs/grill/") && !bytes.starts_with(b"refs/remotes/") {
        Guard::Ref
    } else {
        Guard::Free
    }
}

/// Whether the line takes the active session away or puts something else in its place. A pointer that names no session is
/// nobody's to hold: it may be set right by hand.
fn moves_the_session(line: &RefLine, facts: &dyn RefFacts) -> bool {
    let Some(session) = facts.pointed_to().filter(|target| target.below(SESSIONS).is_some()) else {
        return false;
    };
    if let Some(snapshot) = line.name.below(SNAPSHOTS) {
        let of = snapshot.split(|byte| *byte == b'/').next();
        return of == session.below(SESSIONS) && !changes_nothing(line, facts);
    }
    if line.name.below(SESSIONS).is_some() {
        return line.name == session && !changes_nothing(line, facts);
    }
    line.new != RefValue::Symbolic(session.as_bytes().to_vec())
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

/// `gc` and `pack-refs` copy a ref into `packed-refs` with the value it has, or had a moment ago, then delete the loose
/// copy when the lock is gone. A real deletion holds that lock, because it has to rewrite `packed-refs` first.
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
        (RefValue::Zero, RefValue::Object(_)) => facts.is_hidden(&line.name),
        (RefValue::Zero | RefValue::Symbolic(_), RefValue::Zero)
        | (RefValue::Object(_) | RefValue::Symbolic(_), RefValue::Object(_))
        | (RefValue::Zero | RefValue::Object(_) | RefValue::Symbolic(_), RefValue::Symbolic(_)) => false,
    }
}

/// Whether the line is a new tag that a fetch brings.
fn is_fetched(line: &RefLine, facts: &dyn RefFacts) -> bool {
    tag_origin(line, facts) == TagOrigin::Remote
}

/// Where a new tag comes from ([`fetched`] has the rule). An existing tag is neither moved nor deleted.
fn tag_origin(line: &RefLine, facts: &dyn RefFacts) -> TagOrigin {
    let is_new_tag = line.name.below("refs/tags/").is_some()
        && line.old == RefValue::Zero
        && matches!(line.new, RefValue::Object(_))
        && matches!(facts.current(&line.name), Ok(None));
    if is_new_tag { fetched::origin(&line.name, facts) } else { TagOrigin::Local }
}

/// G33: HEAD's branch may move to a single-parent child of its tip that touches approved paths alone.
fn judge_output(approved: &[String], lines: &[RefLine], facts: &dyn RefFacts) -> Option<Refusal> {
    let head_branch = facts.head_branch();
    let mut moved_to = None;
    for line in lines {
        match guard(&line.name) {
            Guard::OrigHead => {
                return Some(refuse(line, facts, "an approved output is committed on top, and nothing else"));
            }
            Guard::Session if moves_the_session(line, facts) => return Some(refuse(line, facts, ONLY_OURS)),
            Guard::Free | Guard::Head | Guard::Session => {}
            Guard::Ref if changes_nothing(line, facts) || is_fetched(line, facts) => {}
            Guard::Ref => match &head_branch {
                Ok(Some(branch)) if *branch == line.name => match approved_commit(approved, line, facts) {
                    Ok(id) => moved_to = Some(id),
                    Err(why) => return Some(refuse(line, facts, &why)),
                },
                Ok(_) => {
                    return Some(refuse(
                        line,
                        facts,
                        "only the branch that HEAD points to may move, by approved commits",
                    ));
                }
                Err(Unreadable(why)) => {
                    return Some(refuse(line, facts, &format!("HEAD could not be read ({why})")));
                }
            },
        }
    }
    let accompanies = |line: &&RefLine| match (&line.new, moved_to) {
        (RefValue::Object(new), Some(id)) => line.name.as_bytes() == b"HEAD" && new == id,
        (RefValue::Zero | RefValue::Object(_) | RefValue::Symbolic(_), _) => false,
    };
    lines.iter().filter(|line| guard(&line.name) == Guard::Head).find(|line| !accompanies(line)).map(|line| {
        refuse(line, facts, "while output is produced HEAD stays on its branch and moves only with approved commits")
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
    if wordless(&commit.message) {
        return Err("its message says nothing but where it comes from, so it was not worded".to_owned());
    }
    let mut outside = commit.paths.iter().filter(|path| !covers(approved, path));
    match (outside.next(), outside.count()) {
        (None, _) => match commit.no_files.first() {
            // Behind an approved name there would be something that nobody has seen.
            Some(path) => {
                Err(format!("'{}' would be a symlink or a submodule, and an output is a file", printable(path)))
            }
            None => Ok(new),
        },
        (Some(path), 0) => Err(format!("'{}' is not in the approved plan", printable(path))),
        (Some(path), more) => Err(format!("'{}' and {more} more are not in the approved plan", printable(path))),
    }
}

/// Whether a message holds nothing but trailers, ours among them. Who leaves the editor without a word means to give the
/// commit up, and git, which would see to that, takes our trailers for words.
fn wordless(message: &[u8]) -> bool {
    let mut ours = false;
    let lines = message.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    for line in lines {
        let grill = line.starts_with(b"Grill-Session: ") || line.starts_with(b"Grill-Decision: ");
        if !grill && !line.starts_with(b"Signed-off-by: ") {
            return false;
        }
        ours |= grill;
    }
    ours
}

/// The line a person would name: a commit is refused for its branch, although HEAD comes first.
fn telling<'line>(refused: impl Iterator<Item = &'line RefLine>) -> Option<&'line RefLine> {
    refused.min_by_key(|line| match guard(&line.name) {
        Guard::Ref => 0,
        Guard::Head => 1,
        Guard::OrigHead => 2,
        Guard::Session => 3,
        Guard::Free => 4,
    })
}

fn refuse(line: &RefLine, facts: &dyn RefFacts, why: &str) -> Refusal {
    let mut hints = next_steps();
    let mut why = why.to_owned();
    if line.name.below("refs/tags/").is_some() && line.new != RefValue::Zero {
        let asked_by = facts.asked_by();
        if asked_by.is_empty() || fetched::is_fetch(&asked_by) {
            hints.insert(0, "git fetch --no-tags, if this was a fetch".to_owned());
        }
        if let TagOrigin::Unclear(doubt) = tag_origin(line, facts) {
            why = doubt;
            hints.insert(0, fetched::SHOWS.to_owned());
        }
    }
    Refusal { reason: format!("{}: {why}", undone(line, facts)), hints }
}

/// A branch set to what it already is changes nothing, and yet HEAD comes along with it.
fn meant<'line>(line: &'line RefLine, lines: &'line [RefLine], facts: &dyn RefFacts) -> &'line RefLine {
    let comes_along = guard(&line.name) == Guard::Head && matches!(line.new, RefValue::Object(_));
    let branch = facts.head_branch().ok().flatten().filter(|_| comes_along);
    branch.and_then(|branch| lines.iter().find(|other| other.name == branch && other.new == line.new)).unwrap_or(line)
}

/// Whether HEAD is written anew and leads where it led before, as when a repository's refs are stored in another way.
pub(super) fn stays(line: &RefLine, facts: &dyn RefFacts) -> bool {
    let RefValue::Symbolic(target) = &line.new else {
        return false;
    };
    let now = facts.head_branch().ok().flatten();
    line.name.as_bytes() == b"HEAD" && now.is_some_and(|branch| branch.as_bytes() == target.as_slice())
}

#[cfg(test)]
mod tests;
