//! What stands in the parent's working tree where an agent's work would go, as git would commit it (A39). Nothing is
//! written there: an index and objects of ours serve, and the user's own filters run as they would for `git add`.

use std::collections::{BTreeMap, BTreeSet};

use rustix::fs::FileType;

use super::aside::Aside;
use super::changes::Changes;
use super::error::LendError;
use super::folder::LentFolder;
use super::notes::Notes;
use super::parent::Parent;
use super::plan::{AcceptPlan, plan};
use super::sight::names_in;
use crate::files::folders::{Folders, upwards};
use crate::git::Oid;
use crate::git::object::parsed;
use crate::git::paths::{pieces, quoted};

const DOING: &str = "looking at the files of the parent";
/// The most files of the user's that are looked at where the agent has a file and the user a folder.
const MOST: usize = 10_000;

/// What accepting these changes would do to the parent as it stands.
pub fn propose(parent: &Parent<'_>, folder: &LentFolder, changes: &Changes) -> Result<AcceptPlan, LendError> {
    let paths: Vec<&[u8]> = changes.files.iter().map(|file| file.path.as_slice()).collect();
    Ok(plan(&changes.files, &standing(parent, folder, &paths)?))
}

/// The files that stand at these paths, above them, and below them.
fn standing(
    parent: &Parent<'_>,
    folder: &LentFolder,
    paths: &[&[u8]],
) -> Result<BTreeMap<Vec<u8>, (u32, Oid)>, LendError> {
    let folders = Folders::open(&parent.top).map_err(|error| LendError::failed(DOING, error))?;
    let mut found = BTreeSet::new();
    for path in paths {
        for one in upwards(path) {
            let about =
                folders.look(one).map_err(|error| LendError::failed(format!("reading {}", quoted(one)), error))?;
            match about.map(|about| about.kind) {
                Some(FileType::Directory) if one == *path => below(&folders, one, &mut found)?,
                Some(FileType::Directory) | None => {}
                Some(FileType::RegularFile | FileType::Symlink) => {
                    found.insert(one.to_vec());
                }
                Some(
                    FileType::Fifo
                    | FileType::Socket
                    | FileType::CharacterDevice
                    | FileType::BlockDevice
                    | FileType::Unknown,
                ) => return Err(LendError::failed(DOING, format!("{} is not a regular file", quoted(one)))),
            }
        }
    }
    named(parent, folder, &found)
}

/// The files in a folder of the user's, however deep.
pub(super) fn below(folders: &Folders, folder: &[u8], found: &mut BTreeSet<Vec<u8>>) -> Result<(), LendError> {
    let mut waiting = vec![folder.to_vec()];
    while let Some(folder) = waiting.pop() {
        let failed = |why: String| LendError::failed(format!("reading {}", quoted(&folder)), why);
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
    let mut list = Vec::new();
    for path in paths {
        list.extend_from_slice(path);
        list.push(0);
    }
    let aside = Aside::at_head(parent, &Notes::of(folder), DOING)?;
    aside.ask(DOING, &["update-index", "--add", "--replace", "-z", "--stdin"], list)?;
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
