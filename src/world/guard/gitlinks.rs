//! The submodules that an index names: what git looks into when it compares the working tree. Only the paths are read,
//! and most indexes name none, which is seen without taking them apart.

use std::fs;
use std::path::Path;

use crate::files::regular;

/// The most bytes of an index that are looked at.
const LONGEST: u64 = 512 * 1024 * 1024;
/// The mode of a submodule.
const GITLINK: [u8; 4] = [0, 0, 0xe0, 0];

/// The paths of the submodules in the indexes of this git directory; `None` when they cannot be read.
pub(super) fn of(git_dir: &Path, hash: usize) -> Option<Vec<String>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(git_dir).ok()? {
        let entry = entry.ok()?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // A split index keeps most of its entries in a file beside it.
        if name == "index" || name.starts_with("sharedindex.") {
            let bytes = regular::bytes(entry.path(), LONGEST).ok()?;
            if may_have_gitlinks(&bytes) {
                paths.extend(gitlinks(&bytes, hash)?);
            }
        }
    }
    Some(paths)
}

/// Whether the mode of a submodule may stand where modes stand: in all versions but the fourth, behind every eighth byte.
fn may_have_gitlinks(bytes: &[u8]) -> bool {
    match bytes.get(4..8) {
        Some([0, 0, 0, 2 | 3]) => bytes[4..].chunks_exact(8).any(|chunk| chunk[..4] == GITLINK),
        Some(_) => bytes.windows(GITLINK.len()).any(|window| window == GITLINK),
        None => false,
    }
}

/// The paths of the entries that are submodules.
fn gitlinks(bytes: &[u8], hash: usize) -> Option<Vec<String>> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    if bytes.get(..4)? != b"DIRC" {
        return None;
    }
    let (version, count) = (number(4)?, number(8)?);
    let mut found = Vec::new();
    let mut at = 12;
    let mut path: Vec<u8> = Vec::new();
    for _ in 0..count {
        let start = at;
        let mode = bytes.get(at + 24..at + 28)?;
        at += 40 + hash;
        let extended = *bytes.get(at)? & 0x40 != 0;
        at += if extended { 4 } else { 2 };
        if version == 4 {
            let (cut, length) = offset(bytes.get(at..)?)?;
            at += length;
            path.truncate(path.len().checked_sub(cut)?);
        } else {
            path.clear();
        }
        let end = at + bytes.get(at..)?.iter().position(|byte| *byte == 0)?;
        path.extend_from_slice(&bytes[at..end]);
        // Entries are padded to eight bytes, at least one of them zero; in version 4 they are not.
        at = if version == 4 { end + 1 } else { start + (end - start + 8) / 8 * 8 };
        if mode == GITLINK {
            found.push(String::from_utf8(path.clone()).ok()?);
        }
    }
    Some(found)
}

/// git's number of a variable length, and how many bytes it takes.
fn offset(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0_usize;
    for (at, byte) in bytes.iter().enumerate() {
        value = value.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
        value = value.checked_add(1)?;
    }
    None
}
