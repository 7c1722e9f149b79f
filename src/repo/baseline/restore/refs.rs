//! HEAD, branches, tags and stashes, through git, each only if it still is what was kept.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::super::git::quoted;
use super::super::kept::Kept;
use super::super::refs::{Target, is_of_others};
use super::super::snapshot::{Scene, Snapshot};
use super::super::worktrees::Others;
use super::{stashes, undo};
use crate::app::ports::{BaselineError, Fate, RestoredRef};
use crate::git::object::parsed;

const DOING: &str = "bringing the refs back";
const MESSAGE: &str = "grill: back to the baseline";

pub(super) fn exists(scene: &Scene<'_>, id: &str) -> bool {
    parsed(id).is_some_and(|id| scene.repo.exists(id))
}

/// What appeared and is left, since it may be another worktree's.
pub(super) fn left(base: &Kept, now: &Snapshot, others: &Others) -> Vec<String> {
    let new = now.refs.keys().filter(|name| !is_of_others(name) && !others.branches.contains(*name));
    new.filter_map(|name| {
        let why = others.keeps_ref(name, base.record.refs.get(name), &now.head)?;
        Some(format!("{} stays: {why}", quoted(name)))
    })
    .chain(stashes::left(base, now, others))
    .collect()
}

/// A ref to move, with the line that has git do it and what is said when it is done.
struct Move {
    line: Vec<u8>,
    done: RestoredRef,
}

/// Brings HEAD and the refs back. One that git refuses takes no other with it: it is said.
pub(super) fn restore(
    scene: &Scene<'_>,
    base: &Kept,
    now: &Snapshot,
    others: &Others,
    left: &mut Vec<String>,
) -> Vec<RestoredRef> {
    let elsewhere = &others.branches;
    let mut done = match head(scene, base, now, elsewhere, left) {
        Ok(done) => done,
        // The branch that HEAD names must not go from under it.
        Err(error) => {
            left.push(format!("HEAD and the refs stay as they are: {}", super::why(&error)));
            return Vec::new();
        }
    };
    let (mut removed, mut set) = (Vec::new(), Vec::new());
    let names: BTreeSet<&Vec<u8>> = base.record.refs.keys().chain(now.refs.keys()).collect();
    for name in names.into_iter().filter(|name| !is_of_others(name)) {
        let (then, is) = (base.record.refs.get(name), now.refs.get(name));
        if then == is {
            continue;
        }
        // Noted by every comparison, and never ours to move.
        if elsewhere.contains(name) || others.keeps_ref(name, then, &now.head).is_some() {
            continue;
        }
        let (fate, undo) = match (then, is) {
            (Some(_), Some(is)) => (Fate::Moved, undo::moves(name, is)),
            (None, Some(is)) => (Fate::Deleted, undo::makes(name, is)),
            (_, None) => (Fate::Made, undo::removes(name)),
        };
        let one = RestoredRef { name: quoted(name), fate, undo };
        match (then, is) {
            (Some(Target::Object(then)), _) if !exists(scene, then) => {
                left.push(format!("{} is not brought back: git has collected {then}", one.name));
            }
            (Some(Target::Symbolic(to)), _) => match symbolic(scene, name, to) {
                Ok(()) => done.push(one),
                Err(error) => left.push(refused(&one, &error)),
            },
            (Some(Target::Object(then)), Some(Target::Object(is))) => {
                set.push(Move::of(one, "update", name, &[then, is]));
            }
            (Some(Target::Object(then)), Some(Target::Symbolic(_))) => set.push(Move::of(one, "update", name, &[then])),
            (Some(Target::Object(then)), None) => set.push(Move::of(one, "create", name, &[then])),
            (None, Some(Target::Object(is))) => removed.push(Move::of(one, "delete", name, &[is])),
            (None, Some(Target::Symbolic(_))) => removed.push(Move::of(one, "delete", name, &[])),
            (None, None) => {}
        }
    }
    // A branch may stand where another one had its folder, so those that go, go first.
    for moves in [removed, set] {
        done.extend(moved(scene, moves, left));
    }
    done
}

/// Moves refs in one go, or each by itself where git refuses that.
fn moved(scene: &Scene<'_>, moves: Vec<Move>, left: &mut Vec<String>) -> Vec<RestoredRef> {
    let update = |lines| scene.git.ask(DOING, &["update-ref", "--no-deref", "-m", MESSAGE, "--stdin"], lines).map(drop);
    if moves.is_empty() || update(moves.iter().flat_map(|one| one.line.clone()).collect()).is_ok() {
        return moves.into_iter().map(|one| one.done).collect();
    }
    let mut done = Vec::new();
    for one in moves {
        match update(one.line) {
            Ok(()) => done.push(one.done),
            Err(error) => left.push(refused(&one.done, &error)),
        }
    }
    done
}

fn refused(one: &RestoredRef, error: &BaselineError) -> String {
    format!("{} stays as it is: {}", one.name, super::why(error))
}

impl Move {
    fn of(done: RestoredRef, verb: &str, name: &[u8], ids: &[&String]) -> Self {
        let mut line = [verb.as_bytes(), b" ", name].concat();
        for id in ids {
            line.push(b' ');
            line.extend_from_slice(id.as_bytes());
        }
        line.push(b'\n');
        Self { line, done }
    }
}

fn symbolic(scene: &Scene<'_>, name: &[u8], to: &[u8]) -> Result<(), BaselineError> {
    let words = ["symbolic-ref", "-m", MESSAGE].map(OsStr::new);
    let git = scene.git.git(words.into_iter().chain([name, to].map(OsStr::from_bytes)));
    scene.git.succeed(DOING, git).map(drop)
}

fn head(
    scene: &Scene<'_>,
    base: &Kept,
    now: &Snapshot,
    elsewhere: &BTreeSet<Vec<u8>>,
    left: &mut Vec<String>,
) -> Result<Vec<RestoredRef>, BaselineError> {
    let done =
        || vec![RestoredRef { name: "HEAD".to_owned(), fate: Fate::Moved, undo: undo::moves(b"HEAD", &now.head) }];
    match base.record.head.as_ref().filter(|then| **then != now.head) {
        None => Ok(Vec::new()),
        Some(Target::Symbolic(branch)) if elsewhere.contains(branch) => {
            left.push(format!("HEAD stays where it is: another worktree has {} checked out", quoted(branch)));
            Ok(Vec::new())
        }
        Some(Target::Symbolic(branch)) => {
            symbolic(scene, b"HEAD", branch)?;
            Ok(done())
        }
        Some(Target::Object(id)) if !exists(scene, id) => {
            left.push(format!("HEAD stays where it is: git has collected {id}"));
            Ok(Vec::new())
        }
        Some(Target::Object(id)) => {
            let mut words = vec!["update-ref", "--no-deref", "-m", MESSAGE, "HEAD", id.as_str()];
            if let Target::Object(now) = &now.head {
                words.push(now.as_str());
            }
            scene.git.ask(DOING, &words, Vec::new())?;
            Ok(done())
        }
    }
}
