//! Files of the working tree: removed, written, given their permissions. No symlink is followed, and a file that is not
//! as it was when it was kept is left alone.

use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd as _;

use rustix::fs::{AtFlags, FileType, Mode};
use rustix::io::Errno;

use super::super::compare::Differing;
use super::super::folders::{Folders, name, split, upwards};
use super::super::git::quoted;
use super::super::kept::Kept;
use super::super::snapshot::{Scene, Snapshot};
use crate::app::ports::BaselineError;
use crate::files::fresh::Fresh;
use crate::git::Repo;

const SYMLINK: u32 = 0o120_000;

/// Brings files back; the names of those that are not as they were when they were kept, which stay.
pub(super) fn restore(
    scene: &Scene<'_>,
    base: &Kept,
    now: &Snapshot,
    paths: &[Differing],
    left: &mut Vec<String>,
) -> Result<Vec<String>, BaselineError> {
    let mut held = Vec::new();
    let (Some(folders), Some(checkout)) = (scene.folders()?, &now.checkout) else {
        return Ok(held);
    };
    // Neither what could not be kept now, nor what was not kept then and is no new file because it can be kept now.
    let unkept =
        |one: &&Differing| checkout.files.unkept.contains_key(&one.path) || base.record.unkept.contains_key(&one.path);
    for one in paths.iter().filter(unkept) {
        left.push(format!("{} stays as it is: it is too large to be kept, or cannot be read", quoted(&one.path)));
    }
    let mut mine = Vec::new();
    for one in paths.iter().filter(|one| !unkept(one)) {
        match folders.repository_around(&one.path) {
            None => mine.push(one),
            Some(theirs) => left.push(format!(
                "{} stays as it is: {} is a repository of its own",
                quoted(&one.path),
                quoted(theirs)
            )),
        }
    }
    let paths = mine;
    // First what stands in the way: a file may be where a folder was, or two names may be one on this disk.
    for one in paths.iter().filter(|one| one.old.is_none()) {
        if !may_go(scene.repo, &folders, one, left) {
            held.push(quoted(&one.path));
            continue;
        }
        if let Err(error) = remove(&folders, &one.path) {
            left.push(format!("{} stays: {error}", quoted(&one.path)));
        }
    }
    for one in paths.iter().filter(|one| one.old.is_some()) {
        let Some((mode, blob)) = one.old else { continue };
        if !may_go(scene.repo, &folders, one, left) {
            held.push(quoted(&one.path));
            continue;
        }
        let permissions = base.record.permissions_of(&one.path, mode);
        let why = match scene.repo.blob(blob) {
            Err(error) => error.to_string(),
            Ok(content) => match write(&folders, &one.path, mode, permissions, &content) {
                Ok(()) => continue,
                Err(error) if is_in_the_way(&error) => in_the_way(&folders, &one.path),
                Err(error) => error.to_string(),
            },
        };
        left.push(format!("{} is not brought back: {why}", quoted(&one.path)));
    }
    for one in paths.iter().filter(|one| one.old.is_none()) {
        prune(&folders, &one.path);
    }
    Ok(held)
}

/// Whether what is there may be replaced. Where it may not, or that cannot be told, it is said; the others are replaced all
/// the same, since some of them have been already, and it has to be told which.
fn may_go(repo: &Repo, folders: &Folders, one: &Differing, left: &mut Vec<String>) -> bool {
    let why = match is_as_kept(repo, folders, one) {
        Ok(true) => return true,
        Ok(false) => "it changed meanwhile".to_owned(),
        Err(error) => super::why(&error),
    };
    left.push(format!("{} stays as it is: {why}", quoted(&one.path)));
    false
}

fn broken(doing: &str, one: &Differing, error: impl std::error::Error + Send + Sync + 'static) -> BaselineError {
    BaselineError::failed(format!("{doing} {}", quoted(&one.path)), error)
}

/// A folder that is not empty, or a file where a folder has to be.
fn is_in_the_way(error: &io::Error) -> bool {
    let way = [Errno::NOTEMPTY, Errno::EXIST, Errno::NOTDIR, Errno::ISDIR, Errno::LOOP];
    way.iter().any(|way| error.raw_os_error() == Some(way.raw_os_error()))
}

fn in_the_way(folders: &Folders, path: &[u8]) -> String {
    let kind = |folder: &[u8]| folders.look(folder).ok().flatten().map(|found| found.kind);
    let not_a_folder = |folder: &&[u8]| kind(folder).is_some_and(|kind| kind != FileType::Directory);
    match upwards(path).skip(1).find(not_a_folder) {
        Some(link) if kind(link) == Some(FileType::Symlink) => format!("the link {} is in its way", quoted(link)),
        Some(file) => format!("the file {} is in its way", quoted(file)),
        None => "something that is ignored, or was not listed, is in its way".to_owned(),
    }
}

/// Whether the file still is what was kept a moment ago; anything else would be lost.
fn is_as_kept(repo: &Repo, folders: &Folders, one: &Differing) -> Result<bool, BaselineError> {
    let found = folders.look(&one.path).map_err(|error| broken("reading", one, error))?;
    // Only files and links have content that could be lost.
    let found = found.filter(super::has_content);
    match (found, one.new) {
        (None, None) => Ok(true),
        (Some(found), Some((mode, id))) if found.mode() == mode => {
            let content = folders.read(&one.path, found.kind).map_err(|error| broken("reading", one, error))?;
            repo.blob_name(&content).map(|same| same == id).map_err(|error| broken("reading", one, error))
        }
        (Some(_), _) | (None, Some(_)) => Ok(false),
    }
}

fn remove(folders: &Folders, path: &[u8]) -> io::Result<()> {
    let (folder, file) = split(path);
    rustix::fs::unlinkat(&folders.folder(folder)?, name(file), AtFlags::empty())?;
    folders.forget_cached_folder();
    Ok(())
}

/// Removes the folders above a path that are empty now.
fn prune(folders: &Folders, path: &[u8]) {
    let (mut folder, _) = split(path);
    while !folder.is_empty() {
        let (above, last) = split(folder);
        folders.forget_cached_folder();
        let gone = folders.folder(above).and_then(|open| rustix::fs::unlinkat(&open, name(last), AtFlags::REMOVEDIR));
        if gone.is_err() {
            return;
        }
        folder = above;
    }
}

/// Puts a file in its place by a rename, so that nobody ever sees half of it.
fn write(folders: &Folders, path: &[u8], mode: u32, permissions: u32, content: &[u8]) -> io::Result<()> {
    let (folder, file) = split(path);
    let open = folders.made(folder)?;
    let temporary = format!(".grill-{}.tmp", rustix::process::getpid().as_raw_nonzero());
    let mut fresh = if mode == SYMLINK {
        Fresh::link_in(open.as_fd(), temporary, name(content))?
    } else {
        let (mut new, fresh) = Fresh::make_in(open.as_fd(), temporary, 0o600)?;
        new.write_all(content)?;
        rustix::fs::fchmod(&new, Mode::from_raw_mode(permissions))?;
        new.sync_all()?;
        fresh
    };
    let is_folder = [ErrorKind::IsADirectory, ErrorKind::DirectoryNotEmpty, ErrorKind::AlreadyExists];
    let placed = match fresh.place(name(file)) {
        Err(error) if is_folder.contains(&error.kind()) => empty(folders, path).and_then(|()| fresh.place(name(file))),
        other => other,
    };
    folders.forget_cached_folder();
    placed
}

/// Removes a folder that holds nothing but empty folders.
fn empty(folders: &Folders, path: &[u8]) -> io::Result<()> {
    folders.forget_cached_folder();
    let open = folders.folder(path)?;
    let mut below = Vec::new();
    for entry in rustix::fs::Dir::read_from(&open)? {
        let entry = entry?;
        let last = entry.file_name().to_bytes();
        if last == b"." || last == b".." {
            continue;
        }
        // The empty folders of a repository are part of it.
        if entry.file_type() != FileType::Directory || last == b".git" {
            return Err(Errno::NOTEMPTY.into());
        }
        below.push([path, b"/", last].concat());
    }
    for folder in below {
        empty(folders, &folder)?;
    }
    let (above, last) = split(path);
    folders.forget_cached_folder();
    Ok(rustix::fs::unlinkat(&folders.folder(above)?, name(last), AtFlags::REMOVEDIR)?)
}

/// Files whose content is as it was and whose permissions are not: path, permissions then.
pub(super) fn permissions(base: &Kept, now: &Snapshot) -> Vec<(Vec<u8>, u32)> {
    let Some(checkout) = &now.checkout else {
        return Vec::new();
    };
    let files = checkout.files.files.iter().filter(|(_, file)| file.mode != SYMLINK);
    files
        .map(|(path, file)| (path, base.record.permissions_of(path, file.mode), file.permissions))
        .filter(|(_, then, now)| then != now)
        .map(|(path, then, _)| (path.clone(), then))
        .collect()
}

/// Gives files their permissions back, without following a link.
pub(super) fn restore_permissions(
    scene: &Scene<'_>,
    base: &Kept,
    now: &Snapshot,
    left: &mut Vec<String>,
) -> Result<(), BaselineError> {
    let Some(folders) = scene.folders()? else {
        return Ok(());
    };
    for (path, then) in permissions(base, now) {
        let Ok(Some(found)) = folders.look(&path) else { continue };
        let theirs = || folders.repository_around(&path).is_some();
        if found.kind != FileType::RegularFile || found.permissions() == then || theirs() {
            continue;
        }
        let set = || -> io::Result<()> {
            let (folder, file) = split(&path);
            // A file without any permission cannot be opened, and a link that is put in its place meanwhile must not
            // be followed: its owner is asked for once more, by the folder it is in.
            let open = folders.folder(folder)?;
            match folders.open_file(&path) {
                Ok(file) => Ok(rustix::fs::fchmod(&file, Mode::from_raw_mode(then))?),
                Err(_) => Ok(rustix::fs::chmodat(&open, name(file), Mode::from_raw_mode(then), AtFlags::empty())?),
            }
        };
        if let Err(error) = set() {
            left.push(format!("the mode of {} is not brought back: {error}", quoted(&path)));
        }
    }
    Ok(())
}
