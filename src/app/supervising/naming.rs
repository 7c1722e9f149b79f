//! The files that a person names for an accept.

use std::collections::BTreeSet;

use crate::app::error::AppError;
use crate::app::ports::{Offer, OfferedFile};
use crate::domain::agents::AgentHandle;
use crate::domain::harmless::on_one_line;

/// The files of these names alone.
pub(super) fn named(session: AgentHandle, offer: Offer, names: &[String]) -> Result<Offer, AppError> {
    if names.is_empty() {
        return Ok(offer);
    }
    let mut chosen = BTreeSet::new();
    for name in names {
        if name.is_empty() {
            return Err(AppError::Usage {
                message: "nothing was accepted: an empty path was given".to_owned(),
                hint: ". means every file of this folder; without a name every file is offered".to_owned(),
            });
        }
        let meant = meanings(name, &offer.below).into_iter().find_map(|path| {
            let found: Vec<&OfferedFile> = offer.files.iter().filter(|file| is_named(file, &path)).collect();
            (!found.is_empty()).then_some(found)
        });
        let Some(found) = meant else {
            return Err(AppError::Usage {
                message: format!("nothing was accepted: '{}' has no change to accept", on_one_line(name)),
                hint: format!(
                    "git grill agent changes {session} lists the changed files; a directory means every file in it"
                ),
            });
        };
        chosen.extend(found.into_iter().map(|file| file.path.clone()));
    }
    let all = offer.files.len();
    let files: Vec<OfferedFile> = offer.files.into_iter().filter(|file| chosen.contains(&file.path)).collect();
    Ok(Offer { unnamed: all - files.len(), files, ..offer })
}

/// The paths below the top that a name may mean, the likelier one first: it begins in the caller's folder, as git's do, or
/// at the top, as we list them. git's own words for the top are known.
fn meanings(name: &str, below: &[u8]) -> Vec<Vec<u8>> {
    if let Some(path) = name.strip_prefix(":(top,literal)").or_else(|| name.strip_prefix(":/")) {
        return joined(b"", path.as_bytes()).into_iter().collect();
    }
    // Where the top is, is not known here.
    if name.starts_with('/') {
        return Vec::new();
    }
    let mut meant: Vec<Vec<u8>> = [below, b""].iter().filter_map(|from| joined(from, name.as_bytes())).collect();
    meant.dedup();
    meant
}

/// A path from a folder below the top; none where it leads out. The top itself is the empty path.
fn joined(from: &[u8], path: &[u8]) -> Option<Vec<u8>> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in from.split(|byte| *byte == b'/').chain(path.split(|byte| *byte == b'/')) {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join(b"/".as_slice()))
}

/// Whether a path is that of a file, as bytes or as it is shown, or that of a folder above it.
fn is_named(file: &OfferedFile, path: &[u8]) -> bool {
    let above = |file: &[u8]| file.strip_prefix(path).is_some_and(|rest| matches!(rest, [] | [b'/', ..]));
    path.is_empty() || above(&file.path) || above(file.file.path.as_bytes())
}
