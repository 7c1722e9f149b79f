//! What stood at the paths of a step, kept as a commit before anything is written: `before/<path>` with the very bytes,
//! and the note of the step.

use std::io;
use std::path::Path;

use rustix::fs::FileType;

use super::record::{Record, Turn};
use super::stage::{Entry, index_lines};
use super::state::{Shape, State};
use crate::files::folders::Folders;
use crate::files::regular;
use crate::git::object::parsed;
use crate::git::paths::shortened;
use crate::git::tree::FILE;
use crate::git::{Error, Git, Naming, Oid};
use crate::lend::error::LendError;
use crate::lend::notes::Notes;
use crate::lend::parent::{Author, FORCED, NewWork, Parent, named};

const DOING: &str = "keeping what stands there";
const NOTE: &[u8] = b"note";

/// Copies what stands at these paths into an empty folder of ours, under their numbers.
pub(super) fn copied<'p>(
    folders: &Folders,
    naming: Naming,
    into: &Path,
    paths: impl Iterator<Item = &'p [u8]>,
) -> Result<Vec<Option<State>>, LendError> {
    let copy = |number: usize, path: &[u8]| -> io::Result<Option<State>> {
        let state = State::at(folders, naming, path)?;
        let to = into.join(number.to_string());
        match state.map(|state| state.shape) {
            None => {}
            Some(Shape::Link) => regular::write(to, folders.read(path, FileType::Symlink)?)?,
            Some(Shape::File | Shape::Irregular) => {
                io::copy(&mut folders.open_file(path)?, &mut regular::made(to)?)?;
            }
        }
        Ok(state)
    };
    let each = paths.enumerate().map(|(number, path)| {
        copy(number, path).map_err(|error| LendError::failed(format!("copying {}", shortened(path)), error))
    });
    each.collect()
}

/// Keeps what was copied as a commit that nothing names yet.
pub(super) fn keep(
    parent: &Parent<'_>,
    accepts: &Notes,
    copies: &Path,
    record: &Record,
    name: &str,
    by: Author<'_>,
) -> Result<Oid, LendError> {
    let failed = |error: Error| LendError::failed(DOING, error);
    let standing: Vec<(usize, &Turn, State)> =
        record.turns.iter().enumerate().filter_map(|(number, turn)| Some((number, turn, turn.before?))).collect();
    let list: String = standing.iter().flat_map(|(number, _, _)| [number.to_string(), "\n".to_owned()]).collect();
    if !list.is_empty() {
        let git = Git::new(["hash-object", "-w", "--no-filters", "--stdin-paths"]).of(&parent.git_dir).within(copies);
        let told = git.silent().reading().settings(FORCED).fed(list.into_bytes()).ask(parent.process);
        let told = told.map_err(failed)?;
        let ids: Vec<Option<Oid>> = String::from_utf8_lossy(&told).lines().map(parsed).collect();
        // It was copied a moment after it was looked at.
        let others = standing.iter().enumerate().filter(|(at, (_, _, state))| ids.get(*at) != Some(&Some(state.id)));
        let paths: Vec<Vec<u8>> = others.map(|(_, (_, turn, _))| turn.path.clone()).collect();
        if !paths.is_empty() {
            return Err(LendError::ChangedMeanwhile { paths });
        }
    }
    let note = Git::new(["hash-object", "-w", "--no-filters", "--stdin"]).inside(&parent.git_dir);
    let note = named(note.silent().reading().settings(FORCED).fed(record.to_bytes()), parent.process);
    let note = note.and_then(|id| id.ok_or_else(|| Error::new("git named no object"))).map_err(failed)?;

    let index = accepts.emptied("index.kept").map_err(|error| LendError::failed(DOING, error))?.join("index");
    let git = |words: &[&str]| {
        let git = parent.git(words.iter().copied()).settings(FORCED).setting("core.splitIndex=false");
        git.with("GIT_INDEX_FILE", &index)
    };
    let places: Vec<Vec<u8>> =
        standing.iter().map(|(_, turn, _)| [b"before/".as_slice(), &turn.path].concat()).collect();
    let mut entries: Vec<Entry<'_>> = vec![(NOTE, Some((FILE, note)))];
    let sides = standing.iter().map(|(_, _, state)| Some((state.mode(), state.id)));
    entries.extend(places.iter().map(Vec::as_slice).zip(sides));
    let lines = index_lines(record.head.kind(), &entries);
    git(&["update-index", "-z", "--index-info"]).fed(lines).ask(parent.process).map_err(failed)?;
    let tree = named(git(&["write-tree"]), parent.process);
    let tree = tree.and_then(|tree| tree.ok_or_else(|| Error::new("git wrote no tree"))).map_err(failed)?;
    let message = format!("accept {name}\n\nWhat stood where the work of an agent was written, for its undo.\n");
    parent.commit(&NewWork { tree, parents: &[record.head], by, message: &message })
}

/// The note of a step that was kept, under a name that we noted ourselves; none where its objects are gone.
pub(super) fn record_of(parent: &Parent<'_>, commit: Oid) -> Result<Option<Record>, LendError> {
    let name = format!("{commit}:note");
    if parent.named(&format!("{commit}^{{commit}}"))?.is_none() || parent.named(&name)?.is_none() {
        return Ok(None);
    }
    Record::from_bytes(&parent.ask("reading what was accepted", &["cat-file", "blob", &name])?).map(Some)
}
