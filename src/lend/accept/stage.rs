//! Files as a checkout would write them: git converts them into a folder of ours, with the user's own settings, filters
//! and attributes as they will be once the step is done.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;

use rustix::fs::FileType;

use crate::files::folders::{Folders, split, upwards};
use crate::files::regular;
use crate::git::paths::list;
use crate::git::tree::SYMLINK;
use crate::git::{Naming, Oid};
use crate::lend::aside::Aside;
use crate::lend::error::LendError;
use crate::lend::own_git::os;

const DOING: &str = "converting the files for the working tree";
const ATTRIBUTES: &[u8] = b".gitattributes";

/// What a path is to be, in the form that git commits; nothing where it goes.
pub(super) type Entry<'p> = (&'p [u8], Option<(u32, Oid)>);

/// Stages them in a folder of ours, which is empty.
pub(super) fn staged(
    aside: &Aside<'_>,
    naming: Naming,
    parent: &Folders,
    into: &Path,
    entries: &[Entry<'_>],
) -> Result<Folders, LendError> {
    let failed = |error: io::Error| LendError::failed(DOING, error);
    aside.ask(DOING, &["update-index", "-z", "--index-info"], index_lines(naming, entries))?;
    let written: Vec<&[u8]> = entries.iter().filter(|(_, side)| side.is_some()).map(|(path, _)| *path).collect();
    let mut prefix = OsString::from("--prefix=");
    prefix.push(into);
    prefix.push("/");
    let words: [OsString; 4] = ["checkout-index".into(), "-z".into(), "--stdin".into(), prefix];
    let git = aside.git(words);
    // None is the parent's own working tree, in which it works without more words.
    let mut at = None;
    // git takes attributes from the working tree first, where those that the step brings are not yet.
    if entries.iter().any(|(path, _)| split(path).1 == ATTRIBUTES) {
        copy_attributes(parent, into, entries, &written).map_err(failed)?;
        at = Some(into);
    }
    // The attributes of the parent may name a filter by now that those of the copy did not. None is for symlinks.
    let is_file = |entry: &&Entry<'_>| entry.1.is_some_and(|(mode, _)| mode != SYMLINK);
    let files = list(entries.iter().filter(is_file).map(|(path, _)| *path));
    let attributes = |words: &[&str]| aside.git(words.iter().copied()).at_work_in(at);
    let converted = aside.drivers().and_then(|drivers| drivers.converted(attributes, &files, aside.process()));
    let converted = converted.map_err(|error| LendError::failed(DOING, error))?;
    if !converted.is_empty() {
        return Err(LendError::Filtered { paths: converted.into_iter().collect() });
    }
    git.at_work_in(at)
        .fed(list(written.iter().copied()))
        .ask(aside.process())
        .map_err(|error| LendError::failed(DOING, error))?;
    Folders::open(into).map_err(failed)
}

/// Lines for `git update-index --index-info`: `<mode> <id><TAB><path>`, of which the mode 0 removes a path.
pub(super) fn index_lines(naming: Naming, entries: &[Entry<'_>]) -> Vec<u8> {
    let mut lines = Vec::new();
    // What goes comes first: a file may take the place of a folder, or the other way round.
    let (gone, there): (Vec<&Entry<'_>>, Vec<&Entry<'_>>) = entries.iter().partition(|(_, side)| side.is_none());
    for (path, side) in gone.into_iter().chain(there) {
        let about = match side {
            Some((mode, id)) => format!("{mode:o} {id}\t"),
            None => format!("0 {}\t", Oid::null(naming)),
        };
        lines.extend_from_slice(about.as_bytes());
        lines.extend_from_slice(path);
        lines.push(0);
    }
    lines
}

/// Copies the attributes that hold for these files and that the step leaves alone.
fn copy_attributes(parent: &Folders, into: &Path, entries: &[Entry<'_>], written: &[&[u8]]) -> io::Result<()> {
    let touched: BTreeSet<&[u8]> = entries.iter().map(|(path, _)| *path).collect();
    let mut files: BTreeSet<Vec<u8>> = [ATTRIBUTES.to_vec()].into();
    for path in written {
        files.extend(upwards(split(path).0).map(|folder| [folder, b"/", ATTRIBUTES].concat()));
    }
    for file in files.iter().filter(|file| !touched.contains(file.as_slice())) {
        // git reads none through a link either.
        if parent.look(file)?.is_some_and(|found| found.kind == FileType::RegularFile) {
            let to = into.join(os(file));
            if let Some(folder) = to.parent() {
                fs::create_dir_all(folder)?;
            }
            regular::write(&to, parent.read(file, FileType::RegularFile)?)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::object::parsed;

    #[test]
    fn a39_what_goes_makes_room_in_the_index_for_what_comes() {
        let id = parsed(&"1a".repeat(20)).unwrap();
        let entries: [Entry<'_>; 2] = [(b"a", Some((0o100_644, id))), (b"a/b", None)];
        let expected = format!("0 {}\ta/b\0100644 {id}\ta\0", "0".repeat(40));
        assert_eq!(String::from_utf8(index_lines(Naming::Sha1, &entries)).unwrap(), expected);
    }
}
