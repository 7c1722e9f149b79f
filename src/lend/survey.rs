//! What the agent made of a copy, as a tree. A file whose bytes are those of the commit, or those that git wrote at the
//! checkout, has the commit's object; only what differs goes through git, in our own folder.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::Read as _;
use std::path::Path;

use rustix::fs::FileType;
use rustix::io::Errno;

use super::drivers::Drivers;
use super::error::LendError;
use super::folder::LentFolder;
use super::left_out::{LeftOut, Why};
use super::notes::{CONVERTED, INCLUDED, Named, Notes};
use super::own_git::{ObjectsIn, OwnGit};
use super::parent::{Parent, Start, named};
use super::sight::{Seen, Sight};
use super::staged::Staged;
use crate::files::folders::upwards;
use crate::files::regular;
use crate::git::object::parsed;
use crate::git::paths::{bare, pieces, shortened, without_magic};
use crate::git::tree::GITLINK;
use crate::git::{Error, Oid};

/// The largest file that is taken over.
const LARGEST: u64 = 64 * 1024 * 1024;
/// How many bytes may differ in all.
const MOST_BYTES: u64 = 2 * 1024 * 1024 * 1024;
/// The most bytes of a file that says what is ignored.
const RULES: u64 = 1024 * 1024;
/// So short a file may well have the content of another.
const TELLING: u64 = 8;

const DOING: &str = "reading what the agent changed";
const OUR_VIEW: &[u8] = b".grill/";
const RULE_FILE: &[u8] = b".gitignore";

/// The working copy now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Survey {
    pub tree: Oid,
    pub left_out: BTreeSet<LeftOut>,
}

/// What a copy began as.
struct Base {
    start: Start,
    /// Mode and object of everything in the commit.
    tracked: BTreeMap<Vec<u8>, (u32, Oid)>,
    /// What a sparse checkout leaves out.
    absent: HashSet<Vec<u8>>,
    converted: Named,
    included: Named,
}

/// What a tree differs by.
#[derive(Default)]
struct Differing {
    gone: Vec<u8>,
    changed: Vec<(Vec<u8>, Seen)>,
}

/// Reads what is in the copy of a session, and writes it as a tree.
pub(super) fn survey(parent: &Parent<'_>, folder: &LentFolder, objects: ObjectsIn) -> Result<Survey, LendError> {
    let notes = Notes::of(folder);
    let own = OwnGit::at(parent, &notes, objects);
    let base = Base::of(&own, &notes)?;
    let sight = Sight::of(&folder.copy(), |folder| base.has_files_in(folder))?;
    let new = base.new_files(&sight);
    let ignored = ignored(&own, &notes, &sight, &new)?;
    // Ignored pipes and the like are as little of interest as ignored files.
    let odd = sight.odd.iter().filter(|one| !ignored.contains(&one.path));
    let mut left_out: BTreeSet<LeftOut> = odd.cloned().collect();
    let mut differing = base.differing(&sight, &mut left_out);
    let meant = if ignored.is_empty() { HashSet::new() } else { in_agents_index(&own, &notes, &sight) };
    let mut unkept = Vec::new();
    for (path, seen) in new {
        if ignored.contains(path) && !meant.contains(path) {
            unkept.extend((!base.included.contains_key(path)).then_some(path));
        } else if !base.is_included(&sight, path, seen, &mut left_out) {
            differing.changed.push((path.to_vec(), *seen));
        }
    }
    let others = base.tracked.keys().chain(differing.changed.iter().map(|(path, _)| path));
    let unkept = as_folders(&unkept, others.map(Vec::as_slice)).into_iter();
    left_out.extend(unkept.map(|path| LeftOut { path, why: Why::Ignored }));
    let drivers = Drivers::of(parent).map_err(|error| LendError::failed(DOING, error))?;
    let tree = written(&own, &notes, &base, &sight, &drivers, differing, &mut left_out)?;
    Ok(Survey { tree, left_out })
}

/// These paths, with one name for each folder that has nothing of the others in it.
fn as_folders<'p>(paths: &[&[u8]], others: impl Iterator<Item = &'p [u8]>) -> BTreeSet<Vec<u8>> {
    if paths.is_empty() {
        return BTreeSet::new();
    }
    let mixed: HashSet<&[u8]> = others.flat_map(upwards).collect();
    let named = |path: &&[u8]| match upwards(path).filter(|above| above != path && !mixed.contains(above)).last() {
        Some(folder) => [folder, b"/"].concat(),
        None => path.to_vec(),
    };
    paths.iter().map(named).collect()
}

/// Notes the files of a fresh copy that git converted on their way to the disk, and whether anything is missing in it.
pub(super) fn note_fresh(parent: &Parent<'_>, folder: &LentFolder) -> Result<(), LendError> {
    let notes = Notes::of(folder);
    let own = OwnGit::at(parent, &notes, ObjectsIn::Own);
    let base = Base::of(&own, &notes)?;
    let sight = Sight::of(&folder.copy(), |folder| base.has_files_in(folder))?;
    let mut converted = Named::new();
    for (path, (_, id)) in base.tracked.iter().filter(|(_, (mode, _))| *mode != GITLINK) {
        let unproven = |why: &str| LendError::Unproven(format!("{} {why}", shortened(path)));
        let Some(seen) = sight.files.get(path) else {
            if base.absent.contains(path) {
                continue;
            }
            return Err(unproven("is missing"));
        };
        let found = sight.id(id.kind(), path, seen).ok_or_else(|| unproven("cannot be read"))?;
        if found != *id {
            converted.insert(path.clone(), found);
        }
    }
    notes.write_named(CONVERTED, &converted)
}

impl Base {
    fn of(own: &OwnGit<'_>, notes: &Notes) -> Result<Self, LendError> {
        let start = notes.start()?;
        let tree = start.tree.to_string();
        let listed = own.ask(DOING, own.git(&notes.index(), ["ls-tree", "-r", "-z", "--full-tree", &tree]))?;
        let unreadable = |line: &[u8]| LendError::failed(DOING, format!("git listed {}", shortened(line)));
        let tracked = pieces(&listed).map(|line| entry(line).ok_or_else(|| unreadable(line)));
        let tracked = tracked.collect::<Result<BTreeMap<_, _>, LendError>>()?;
        let flags = own.ask(DOING, own.git(&notes.index(), ["ls-files", "-z", "-t"]))?;
        let absent = pieces(&flags).filter_map(|line| line.strip_prefix(b"S ")).map(<[u8]>::to_vec).collect();
        let (converted, included) = (notes.read_named(CONVERTED)?, notes.read_named(INCLUDED)?);
        Ok(Self { start, tracked, absent, converted, included })
    }

    /// Whether the commit has files in this folder.
    fn has_files_in(&self, folder: &[u8]) -> bool {
        let below = [folder, b"/"].concat();
        self.tracked.range(below.clone()..).next().is_some_and(|(path, _)| path.starts_with(&below))
    }

    /// What differs among the files of the commit.
    fn differing(&self, sight: &Sight, left_out: &mut BTreeSet<LeftOut>) -> Differing {
        let mut found = Differing::default();
        for (path, (mode, id)) in &self.tracked {
            let Some(seen) = sight.files.get(path) else {
                // A submodule is an empty folder; what cannot be seen stays as it was.
                if *mode != GITLINK && !self.absent.contains(path) && !sight.is_hidden(path) {
                    found.gone.extend_from_slice(path);
                    found.gone.push(0);
                }
                continue;
            };
            if seen.bytes > LARGEST && seen.kind != FileType::Symlink {
                // The one that was there before may be as large.
                if !self.is_as_it_was(sight, path, seen) {
                    left_out.insert(LeftOut { path: path.clone(), why: Why::TooLarge });
                }
                continue;
            }
            match sight.id(id.kind(), path, seen) {
                None => {
                    left_out.insert(LeftOut { path: path.clone(), why: Why::Unreadable });
                }
                Some(now) if *mode == seen.mode && (now == *id || self.converted.get(path) == Some(&now)) => {}
                Some(_) => found.changed.push((path.clone(), *seen)),
            }
        }
        found
    }

    fn is_as_it_was(&self, sight: &Sight, path: &[u8], seen: &Seen) -> bool {
        let Some((_, id)) = self.tracked.get(path) else { return false };
        let now = sight.id(id.kind(), path, seen);
        now.is_some_and(|now| now == *id || self.converted.get(path) == Some(&now))
    }

    /// The files that are not in the commit.
    fn new_files<'s>(&self, sight: &'s Sight) -> Vec<(&'s [u8], &'s Seen)> {
        let new = |path: &[u8]| !self.tracked.contains_key(path) && !path.starts_with(OUR_VIEW);
        let files = sight.files.iter().map(|(path, seen)| (path.as_slice(), seen));
        files.filter(|(path, _)| new(path)).collect()
    }

    /// Whether a file was brought in from the parent, where it is a secret, or is a copy of one that was.
    fn is_included(&self, sight: &Sight, path: &[u8], seen: &Seen, left_out: &mut BTreeSet<LeftOut>) -> bool {
        let is_copy = || {
            let telling = seen.bytes >= TELLING && seen.bytes <= LARGEST;
            let id = telling.then(|| sight.id(self.start.tree.kind(), path, seen)).flatten();
            id.is_some_and(|id| self.included.values().any(|one| *one == id))
        };
        let is = self.included.contains_key(path) || !self.included.is_empty() && is_copy();
        if is {
            left_out.insert(LeftOut { path: path.to_vec(), why: Why::Included });
        }
        is
    }
}

/// Writes the tree of the commit with what differs.
fn written(
    own: &OwnGit<'_>,
    notes: &Notes,
    base: &Base,
    sight: &Sight,
    drivers: &Drivers,
    differing: Differing,
    left_out: &mut BTreeSet<LeftOut>,
) -> Result<Oid, LendError> {
    if differing.gone.is_empty() && differing.changed.is_empty() {
        return Ok(base.start.tree);
    }
    let failed = |error: std::io::Error| LendError::failed(DOING, error);
    // Nothing of one that was cut off is left in it, not even git's lock.
    let index = notes.emptied("index.now").map_err(failed)?.join("index");
    let mut staged = Staged::at(notes.emptied("stage").map_err(failed)?);
    let mut bytes = 0;
    for (path, seen) in &differing.changed {
        if seen.bytes > LARGEST {
            left_out.insert(LeftOut { path: path.clone(), why: Why::TooLarge });
            continue;
        }
        bytes += seen.bytes;
        if bytes > MOST_BYTES {
            return Err(LendError::failed(DOING, format!("more than {MOST_BYTES} bytes differ")));
        }
        match staged.add(sight, path, seen) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                left_out.insert(LeftOut { path: path.clone(), why: Why::Unreadable });
            }
            Err(error) if error.raw_os_error() == Some(Errno::NAMETOOLONG.raw_os_error()) => {
                left_out.insert(LeftOut { path: path.clone(), why: Why::LongPath });
            }
            Err(error) => return Err(LendError::failed(format!("copying {}", shortened(path)), error)),
        }
    }
    let tree = base.start.tree.to_string();
    own.ask(DOING, own.git(&index, ["read-tree", &tree]))?;
    let mut filtered = filtered(own, drivers, &index, &staged)?;
    // git converts where no symlink leads.
    filtered.retain(|path| sight.files.get(path).is_some_and(|seen| seen.kind == FileType::RegularFile));
    staged.leave(&filtered);
    left_out.extend(filtered.into_iter().map(|path| LeftOut { path, why: Why::Filtered }));
    let folder = staged.folder().to_owned();
    let update = |words: &[&str], list: Vec<u8>| {
        let words = ["update-index"].iter().chain(words).chain(&["-z", "--stdin"]).copied();
        let git = own.git(&index, words).at_work_in(Some(&folder));
        if list.is_empty() { Ok(()) } else { own.ask(DOING, git.fed(list)).map(drop) }
    };
    update(&["--force-remove"], differing.gone)?;
    if let Err(error) = update(&["--add", "--replace"], staged.list().to_vec()) {
        let odd = not_encoded(own, &index, &staged)?;
        if odd.is_empty() {
            return Err(error);
        }
        staged.leave(&odd);
        update(&["--add", "--replace"], staged.list().to_vec())?;
        left_out.extend(odd.into_iter().map(|path| LeftOut { path, why: Why::Encoding }));
    }
    // Of a partial clone an object may be missing that nobody touched.
    let tree = named(own.git(&index, ["write-tree", "--missing-ok"]), own.process);
    let tree = tree.and_then(|tree| tree.ok_or_else(|| Error::new("git wrote no tree")));
    let tree = tree.map_err(|error| LendError::failed(DOING, error))?;
    // What was staged is the agent's work once more; it is not needed any longer.
    let _ = notes.emptied("stage");
    Ok(tree)
}

/// The staged files that a filter of the user's converts: by the attributes of the commit, or by those of the copy.
fn filtered(
    own: &OwnGit<'_>,
    drivers: &Drivers,
    index: &Path,
    staged: &Staged,
) -> Result<BTreeSet<Vec<u8>>, LendError> {
    let by = |more: &[&str]| {
        let git = |words: &[&str]| own.git(index, words.iter().chain(more).copied()).at_work_in(Some(staged.folder()));
        drivers.converted(git, staged.list(), own.process).map_err(|error| LendError::failed(DOING, error))
    };
    let mut filtered = by(&[])?;
    filtered.append(&mut by(&["--cached"])?);
    Ok(filtered)
}

/// The staged files that git cannot convert from the encoding that their attributes name.
fn not_encoded(own: &OwnGit<'_>, index: &Path, staged: &Staged) -> Result<BTreeSet<Vec<u8>>, LendError> {
    let git = |words: &[&str]| own.git(index, words.iter().copied()).at_work_in(Some(staged.folder()));
    let asked = git(&["check-attr", "-z", "--stdin", "working-tree-encoding"]).fed(staged.list().to_vec());
    let told = own.ask(DOING, asked)?;
    // Path, attribute and value, each with a zero byte behind it.
    let fields: Vec<&[u8]> = told.split(|byte| *byte == 0).collect();
    let mut odd = BTreeSet::new();
    for field in fields.chunks_exact(3).filter(|field| field[2] != b"unspecified") {
        let one = git(&["update-index", "--add", "--replace", "-z", "--stdin"]).fed([field[0], b"\0"].concat());
        if one.ask(own.process).is_err() {
            odd.insert(field[0].to_vec());
        }
    }
    Ok(odd)
}

/// What is ignored by the rules of the copy and of the user, among these files and what was not looked into.
fn ignored(
    own: &OwnGit<'_>,
    notes: &Notes,
    sight: &Sight,
    files: &[(&[u8], &Seen)],
) -> Result<HashSet<Vec<u8>>, LendError> {
    let mut asked = without_magic(files.iter().map(|(path, _)| *path));
    for odd in &sight.odd {
        // A rule for folders alone is for such a path.
        let end: &[u8] = if matches!(odd.why, Why::Repository | Why::Unreadable) { b"/" } else { b"" };
        asked.append(&mut without_magic([[odd.path.as_slice(), end].concat().as_slice()]));
    }
    if asked.is_empty() {
        return Ok(HashSet::new());
    }
    let failed = |error: std::io::Error| LendError::failed(DOING, error);
    let mut rules = Staged::at(notes.emptied("rules").map_err(failed)?);
    for (path, seen) in &sight.files {
        let is_rules = path.rsplit(|byte| *byte == b'/').next() == Some(RULE_FILE);
        // git reads no rules through a link either.
        if is_rules && seen.kind == FileType::RegularFile && seen.bytes <= RULES {
            // One that cannot be read holds no rules.
            let _ = rules.add(sight, path, seen);
        }
    }
    let none = notes.path("index.none");
    let git = own.git(&none, ["check-ignore", "-z", "--no-index", "--stdin"]).at_work_in(Some(rules.folder()));
    let told = git.fed(asked).ask_whether(own.process);
    let told = told.map_err(|error| LendError::failed(DOING, error))?.unwrap_or_default();
    Ok(pieces(&told).map(bare).map(|path| path.strip_suffix(b"/").unwrap_or(path).to_vec()).collect())
}

/// What the agent's own index names. It is read from a copy of its bytes; one that git does not understand names
/// nothing.
fn in_agents_index(own: &OwnGit<'_>, notes: &Notes, sight: &Sight) -> HashSet<Vec<u8>> {
    let bytes = || {
        let mut bytes = Vec::new();
        sight.folders.open_file(b".git/index").ok()?.take(regular::LONG).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    };
    let index = notes.agents_index();
    let Some(bytes) = bytes() else { return HashSet::new() };
    if regular::write(&index, bytes).is_err() {
        return HashSet::new();
    }
    let listed = own.git(&index, ["ls-files", "-z"]).ask(own.process).unwrap_or_default();
    pieces(&listed).map(<[u8]>::to_vec).collect()
}

/// `100644 blob <id><TAB>path`
fn entry(line: &[u8]) -> Option<(Vec<u8>, (u32, Oid))> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let (about, path) = (std::str::from_utf8(&line[..tab]).ok()?, &line[tab + 1..]);
    let mut words = about.split(' ');
    let mode = u32::from_str_radix(words.next()?, 8).ok()?;
    let id = parsed(words.nth(1)?)?;
    Some((path.to_vec(), (mode, id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a26_what_is_ignored_is_named_by_the_folder_that_has_nothing_else() {
        let ignored: [&[u8]; 5] = [b"a.log", b"target/d/x", b"target/y", b"src/in/a.o", b"src/gen/deep/b.o"];
        let others: [&[u8]; 2] = [b"src/lib.rs", b"src/in/a.rs"];
        let named = as_folders(&ignored, others.into_iter());
        let expected: [&[u8]; 4] = [b"a.log", b"src/gen/", b"src/in/a.o", b"target/"];
        assert_eq!(named.iter().map(Vec::as_slice).collect::<Vec<_>>(), expected);
        assert!(as_folders(&[], others.into_iter()).is_empty());
    }
}
