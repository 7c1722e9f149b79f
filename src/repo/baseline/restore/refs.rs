//! HEAD, branches, tags and stashes, through git, each only if it still is what was kept.

use std::collections::BTreeSet;

use git2::Oid;

use super::super::git::quoted;
use super::super::kept::Kept;
use super::super::refs::{STASH, Target, is_of_others};
use super::super::snapshot::{Scene, Snapshot};
use crate::app::ports::BaselineError;

const DOING: &str = "bringing the refs back";
const MESSAGE: &str = "grill: back to the baseline";

fn exists(scene: &Scene<'_>, id: &str) -> bool {
    Oid::from_str(id).is_ok_and(|id| scene.repo.odb().is_ok_and(|odb| odb.exists(id)))
}

/// Brings HEAD and the refs back.
pub(super) fn restore(
    scene: &Scene<'_>,
    base: &Kept,
    now: &Snapshot,
    elsewhere: &BTreeSet<Vec<u8>>,
    left: &mut Vec<String>,
) -> Result<(), BaselineError> {
    head(scene, base, now, elsewhere, left)?;
    let (mut removed, mut set) = (Vec::new(), Vec::new());
    let names: BTreeSet<&Vec<u8>> = base.record.refs.keys().chain(now.refs.keys()).collect();
    for name in names.into_iter().filter(|name| !is_of_others(name)) {
        let (then, is) = (base.record.refs.get(name), now.refs.get(name));
        if then == is {
            continue;
        }
        // Noted by every comparison, and never ours to move.
        if elsewhere.contains(name) {
            continue;
        }
        match (then, is) {
            (Some(Target::Object(then)), _) if !exists(scene, then) => {
                left.push(format!("{} is not brought back: git has collected {then}", quoted(name)));
            }
            (Some(Target::Symbolic(to)), _) => symbolic(scene, name, to)?,
            (Some(Target::Object(then)), Some(Target::Object(is))) => command(&mut set, &["update"], name, &[then, is]),
            (Some(Target::Object(then)), Some(Target::Symbolic(_))) => command(&mut set, &["update"], name, &[then]),
            (Some(Target::Object(then)), None) => command(&mut set, &["create"], name, &[then]),
            (None, Some(Target::Object(is))) => command(&mut removed, &["delete"], name, &[is]),
            (None, Some(Target::Symbolic(_))) => command(&mut removed, &["delete"], name, &[]),
            (None, None) => {}
        }
    }
    // A branch may stand where another one had its folder, so those that go, go first.
    for commands in [removed, set] {
        if !commands.is_empty() {
            scene.git.ask(DOING, &["update-ref", "--no-deref", "-m", MESSAGE, "--stdin"], commands)?;
        }
    }
    Ok(())
}

fn command(commands: &mut Vec<u8>, verb: &[&str], name: &[u8], ids: &[&String]) {
    commands.extend_from_slice(verb.concat().as_bytes());
    commands.push(b' ');
    commands.extend_from_slice(name);
    for id in ids {
        commands.push(b' ');
        commands.extend_from_slice(id.as_bytes());
    }
    commands.push(b'\n');
}

fn symbolic(scene: &Scene<'_>, name: &[u8], to: &[u8]) -> Result<(), BaselineError> {
    use std::os::unix::ffi::OsStrExt;
    let mut run = scene.git.prepare(&["symbolic-ref", "-m", MESSAGE], Vec::new());
    run.args.extend([name, to].map(|bytes| std::ffi::OsStr::from_bytes(bytes).to_owned()));
    let ran = scene.git.try_ask(DOING, &run)?;
    if ran.code == 0 {
        Ok(())
    } else {
        Err(BaselineError::failed(DOING, super::super::git::said(&["symbolic-ref"], &ran)))
    }
}

fn head(
    scene: &Scene<'_>,
    base: &Kept,
    now: &Snapshot,
    elsewhere: &BTreeSet<Vec<u8>>,
    left: &mut Vec<String>,
) -> Result<(), BaselineError> {
    match base.record.head.as_ref().filter(|then| **then != now.head) {
        None => Ok(()),
        Some(Target::Symbolic(branch)) if elsewhere.contains(branch) => {
            left.push(format!("HEAD stays where it is: another worktree has {} checked out", quoted(branch)));
            Ok(())
        }
        Some(Target::Symbolic(branch)) => symbolic(scene, b"HEAD", branch),
        Some(Target::Object(id)) if !exists(scene, id) => {
            left.push(format!("HEAD stays where it is: git has collected {id}"));
            Ok(())
        }
        Some(Target::Object(id)) => {
            scene.git.ask(DOING, &["update-ref", "--no-deref", "-m", MESSAGE, "HEAD", id], Vec::new()).map(drop)
        }
    }
}

/// Brings the list of stashes back, each with its message, its author and its date.
pub(super) fn restore_stashes(
    scene: &Scene<'_>,
    base: &Kept,
    now: &Snapshot,
    left: &mut Vec<String>,
) -> Result<(), BaselineError> {
    const DOING: &str = "bringing the stash back";
    let then = &base.record.stashes;
    if *then == now.stashes {
        return Ok(());
    }
    if let Some(gone) = then.iter().find(|stash| !exists(scene, &stash.id)) {
        left.push(format!("the stash stays as it is: git has collected {}", gone.id));
        return Ok(());
    }
    // Also where the ref is left without a list: git makes no list for a ref that it finds.
    if scene.repo.refname_to_id(STASH).is_ok() {
        scene.git.ask(DOING, &["update-ref", "--no-deref", "-d", STASH], Vec::new())?;
    }
    for stash in then {
        let mut run = scene.git.prepare(&["stash", "store", "-m", &stash.message, &stash.id], Vec::new());
        for (name, value) in [
            ("GIT_COMMITTER_NAME", &stash.name),
            ("GIT_COMMITTER_EMAIL", &stash.email),
            ("GIT_COMMITTER_DATE", &stash.date),
        ] {
            run.env.push((name.into(), value.into()));
        }
        let ran = scene.git.try_ask(DOING, &run)?;
        if ran.code != 0 {
            return Err(BaselineError::failed(DOING, super::super::git::said(&["stash"], &ran)));
        }
    }
    Ok(())
}
