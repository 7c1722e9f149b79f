//! What stands in the parent's working tree where an agent's work would go, as git would commit it (A39). Nothing is
//! written there: an index and objects of ours serve, and filters that the user has set up for all repositories run as they
//! would for `git add`. Those of the repository's own configuration do not.

use std::collections::{BTreeMap, BTreeSet};

use rustix::fs::FileType;

use super::aside::Aside;
use super::caution::Caution;
use super::changes::{ChangedFile, Changes};
use super::configured::Configured;
use super::error::LendError;
use super::folder::LentFolder;
use super::notes::Notes;
use super::parent::Parent;
use super::plan::{AcceptPlan, Clash, plan};
use super::sight::names_in;
use crate::files::folders::{Folders, Found, upwards};
use crate::git::object::parsed;
use crate::git::paths::{list, pieces, shortened};
use crate::git::{Error, Oid};

const DOING: &str = "looking at the files of the parent";
/// The most files of the user's that are looked at where the agent has a file and the user a folder.
const MOST: usize = 10_000;

/// What accepting these changes would do to the parent as it stands.
pub fn propose(parent: &Parent<'_>, folder: &LentFolder, changes: &Changes) -> Result<AcceptPlan, LendError> {
    let paths: Vec<&[u8]> = changes.files.iter().map(|file| file.path.as_slice()).collect();
    let Standing { files, blocks, seen } = standing(parent, &paths)?;
    let mut plan = plan(&changes.files, &named(parent, folder, &files)?);
    for path in &paths {
        if let Some(block) = upwards(path).find(|above| blocks.contains(*above)) {
            plan.clashes.insert(path.to_vec(), Clash::InTheWay(block.to_vec()));
        }
    }
    let configured = Configured::of(parent)?;
    for step in plan.steps.iter_mut().filter(|step| configured.runs(&step.path)) {
        step.cautions.push(Caution::Configured);
    }
    plan.sort();
    plan.clashes.extend(one_file(&seen).map(|(path, other)| (path, Clash::OneFile(other))));
    let is_gone = |file: &&ChangedFile| file.before.is_some() && !files.contains(&file.path);
    let gone: BTreeSet<&[u8]> = changes.files.iter().filter(is_gone).map(|file| file.path.as_slice()).collect();
    if !gone.is_empty() {
        plan.clashes.extend(left_out_here(parent, &gone)?.into_iter().map(|path| (path, Clash::Sparse)));
    }
    Ok(plan)
}

/// What stands at some paths.
#[derive(Default)]
struct Standing {
    /// Files at them, above them, and below them.
    files: BTreeSet<Vec<u8>>,
    /// What is neither a file nor a folder, and folders at the paths themselves that hold no file of the repository's.
    blocks: BTreeSet<Vec<u8>>,
    /// Which file of the disk stands at each path.
    seen: BTreeMap<Vec<u8>, Identity>,
}

/// A file of the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    number: u64,
    names: u64,
}

impl Identity {
    fn of(found: &Found) -> Self {
        let stat = &found.stat;
        // Their types differ from system to system.
        #[allow(clippy::useless_conversion, clippy::unnecessary_cast, reason = "only some systems need them")]
        let (device, names) = (stat.st_dev as u64, u64::from(stat.st_nlink));
        Self { device, number: stat.st_ino, names }
    }
}

fn standing(parent: &Parent<'_>, paths: &[&[u8]]) -> Result<Standing, LendError> {
    let folders = Folders::open(&parent.top).map_err(|error| LendError::failed(DOING, error))?;
    let mut standing = Standing::default();
    for path in paths {
        for one in upwards(path) {
            let about =
                folders.look(one).map_err(|error| LendError::failed(format!("reading {}", shortened(one)), error))?;
            match about.as_ref().map(|about| about.kind) {
                Some(FileType::Directory) if one == *path => {
                    let mut files = BTreeSet::new();
                    below(&folders, one, &mut files)?;
                    if files.is_empty() || folders.repository_around(one).is_some() {
                        standing.blocks.insert(one.to_vec());
                    } else {
                        standing.files.append(&mut files);
                    }
                }
                Some(FileType::Directory) | None => {}
                Some(FileType::RegularFile | FileType::Symlink) => {
                    standing.seen.extend(about.as_ref().map(|about| (one.to_vec(), Identity::of(about))));
                    standing.files.insert(one.to_vec());
                }
                Some(
                    FileType::Fifo
                    | FileType::Socket
                    | FileType::CharacterDevice
                    | FileType::BlockDevice
                    | FileType::Unknown,
                ) => {
                    standing.blocks.insert(one.to_vec());
                }
            }
        }
    }
    Ok(standing)
}

/// Paths at which one file of the disk stands, as where the disk does not tell case apart: each with another such path.
fn one_file(seen: &BTreeMap<Vec<u8>, Identity>) -> impl Iterator<Item = (Vec<u8>, Vec<u8>)> {
    let mut by_number: BTreeMap<(u64, u64), Vec<&Vec<u8>>> = BTreeMap::new();
    for (path, identity) in seen {
        by_number.entry((identity.device, identity.number)).or_default().push(path);
    }
    let lower = |path: &[u8]| String::from_utf8_lossy(path).to_lowercase();
    let is_one = move |one: &[u8], other: &[u8]| {
        seen.get(one).is_some_and(|identity| identity.names == 1) || lower(one) == lower(other)
    };
    by_number.into_values().filter(|paths| paths.len() > 1).flat_map(move |paths| {
        let other = |path: &Vec<u8>| paths.iter().find(|other| **other != path && is_one(path, other)).copied();
        let found: Vec<_> = paths.iter().filter_map(|path| Some(((*path).clone(), other(path)?.clone()))).collect();
        found
    })
}

/// Those of these paths that a sparse checkout leaves out.
fn left_out_here(parent: &Parent<'_>, paths: &BTreeSet<&[u8]>) -> Result<Vec<Vec<u8>>, LendError> {
    let told = parent.ask(DOING, &["ls-files", "-z", "-t"])?;
    let left_out = pieces(&told).filter_map(|line| line.strip_prefix(b"S "));
    Ok(left_out.filter(|path| paths.contains(path)).map(<[u8]>::to_vec).collect())
}

/// The files in a folder of the user's, however deep.
pub(super) fn below(folders: &Folders, folder: &[u8], found: &mut BTreeSet<Vec<u8>>) -> Result<(), LendError> {
    let mut waiting = vec![folder.to_vec()];
    while let Some(folder) = waiting.pop() {
        let failed = |why: String| LendError::failed(format!("reading {}", shortened(&folder)), why);
        let open = folders.folder(&folder).map_err(|error| failed(error.to_string()))?;
        for name in names_in(&open).map_err(|error| failed(error.to_string()))? {
            let path = [folder.as_slice(), b"/", name.as_slice()].concat();
            if found.len() > MOST {
                return Err(failed("it has too many files".to_owned()));
            }
            match folders.look(&path).map_err(|error| failed(error.to_string()))?.map(|about| about.kind) {
                None => {}
                Some(FileType::Directory) => waiting.push(path),
                Some(
                    FileType::RegularFile
                    | FileType::Symlink
                    | FileType::Fifo
                    | FileType::Socket
                    | FileType::CharacterDevice
                    | FileType::BlockDevice
                    | FileType::Unknown,
                ) => {
                    found.insert(path);
                }
            }
        }
    }
    Ok(())
}

/// These files with the objects that git would commit them as.
fn named(
    parent: &Parent<'_>,
    folder: &LentFolder,
    paths: &BTreeSet<Vec<u8>>,
) -> Result<BTreeMap<Vec<u8>, (u32, Oid)>, LendError> {
    let failed = |error: Error| LendError::failed(DOING, error);
    let aside = Aside::at_head(parent, &Notes::of(folder), DOING)?;
    let off = parent.filters_off().map_err(failed)?;
    let mut asked: BTreeSet<&[u8]> = paths.iter().map(Vec::as_slice).collect();
    if !off.is_empty() {
        // What git knows to be as it is in HEAD stays so: without its filter a file may have another object. Where git is
        // told to overlook changes, it knows nothing.
        let (dirty, told) = (parent.dirty()?, parent.ask(DOING, &["ls-files", "-z", "-v"])?);
        for path in pieces(&told).filter_map(|line| line.strip_prefix(b"H ")).filter(|path| !dirty.contains(*path)) {
            asked.remove(path);
        }
    }
    let update = aside.git(["update-index", "--add", "--replace", "-z", "--stdin"]).settings(off);
    update.fed(list(asked)).ask(aside.process()).map_err(failed)?;
    let told = aside.ask(DOING, &["ls-files", "-z", "-s"], Vec::new())?;
    let entries = pieces(&told).filter_map(entry).filter(|(path, _)| paths.contains(path));
    Ok(entries.collect())
}

/// `100644 <id> 0<TAB>path`
fn entry(line: &[u8]) -> Option<(Vec<u8>, (u32, Oid))> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let (about, path) = (std::str::from_utf8(&line[..tab]).ok()?, &line[tab + 1..]);
    let mut words = about.split(' ');
    let mode = u32::from_str_radix(words.next()?, 8).ok()?;
    Some((path.to_vec(), (mode, parsed(words.next()?)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a39_two_names_of_one_file_are_known_where_the_disk_tells_no_case_apart() {
        let at = |number: u64, names: u64| Identity { device: 1, number, names };
        let seen = |all: &[(&str, Identity)]| -> BTreeMap<Vec<u8>, Identity> {
            all.iter().map(|(path, identity)| (path.as_bytes().to_vec(), *identity)).collect()
        };
        let pair = |one: &str, other: &str| (one.as_bytes().to_vec(), other.as_bytes().to_vec());
        let renamed = seen(&[("README", at(7, 1)), ("readme", at(7, 1)), ("other", at(8, 1))]);
        assert_eq!(one_file(&renamed).collect::<Vec<_>>(), [pair("README", "readme"), pair("readme", "README")]);
        // Hard links are two files that share their bytes, and a write replaces one of them alone.
        let links = seen(&[("a", at(7, 2)), ("b", at(7, 2))]);
        assert_eq!(one_file(&links).count(), 0);
        let both = seen(&[("A", at(7, 3)), ("a", at(7, 3)), ("b", at(7, 3))]);
        assert_eq!(one_file(&both).collect::<Vec<_>>(), [pair("A", "a"), pair("a", "A")]);
        assert_eq!(one_file(&seen(&[("a", at(7, 1)), ("b", at(8, 1))])).count(), 0);
    }
}
