//! Patience with a git that tidies up beside us: `git gc` and `git pack-refs` move objects and refs while we look at
//! them, and nothing that they do is a reason for a command of ours to fail.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::time::Duration;

use git2::{ErrorClass, ErrorCode, Repository};

use super::copies;

use crate::files::patience::Patience;
use crate::git::{Error, Object, Oid, Repo, read_by_library};

/// How long an object is looked for while packs come and go. A busy machine was seen to take most of a second.
const OBJECT_PATIENCE: Duration = Duration::from_secs(2);
/// So many looks in a row find neither the object nor a sign that git is at work, in some 60 milliseconds: it is missing,
/// and a session that is damaged says so.
const LOOKS_AT_REST: u32 = 7;
/// After so many tries the library's list of packs is not trusted any more, and made anew.
const TRIES_BEFORE_ANEW: u32 = 8;
/// Reads or writes, again while what it is about is in motion: a `git gc` removes the folder of an object between the
/// moment it is made and the moment it is used, and moves an object into a pack that the library has not seen yet.
pub fn patiently<T>(repo: &Repository, mut work: impl FnMut() -> Result<T, git2::Error>) -> Result<T, git2::Error> {
    let mut patience = Patience::begin();
    loop {
        match work() {
            Err(error) if is_in_motion(&error) && !patience.is_over(OBJECT_PATIENCE) => {
                patience.rest();
                // A folder that changes while it is listed is listed again before the next try.
                let _ = if patience.tries().is_multiple_of(TRIES_BEFORE_ANEW) {
                    look_anew(repo)
                } else {
                    repo.odb().and_then(|odb| odb.refresh())
                };
            }
            done => return done,
        }
    }
}

/// An object that should be here. One that git has lost is taken from its copy, and one that is on its way into a pack is
/// waited for.
pub fn awaited(repo: &Repo, id: Oid) -> Result<Object, Error> {
    if let Ok(Some(object)) = repo.read(id) {
        return Ok(object);
    }
    if let Some(object) = copies::restored(repo, id) {
        return Ok(object);
    }
    match repo {
        // Another process of ours may have brought it back, or have copied it, in between.
        Repo::Library(library) => looked_for(library, id, &mut 0).or_else(|error| {
            let copied = copies::restored(repo, id);
            copied.ok_or_else(|| error.into())
        }),
        Repo::Program(_) => repo.read(id)?.ok_or_else(|| Error::missing(id)),
    }
}

/// Reads an object that was not found, as long as it may be on its way. git never takes one out of sight: the new pack is
/// there before the old file goes. So one that is in none of the packs, while they were the same before the look and behind
/// it, is nowhere.
fn looked_for(repo: &Repository, id: Oid, looks: &mut u32) -> Result<Object, git2::Error> {
    let mut patience = Patience::begin();
    let (mut packs, mut at_rest) = (Packs::of(repo), 0);
    loop {
        *looks += 1;
        // What cannot be opened now is read as it was known before.
        let fresh = look_anew(repo);
        match read_by_library(repo, id) {
            Err(error) if is_in_motion(&error) && !patience.is_over(OBJECT_PATIENCE) => {
                let now = Packs::of(repo);
                let nowhere = error.code() == ErrorCode::NotFound && fresh.is_ok() && now.rest && now == packs;
                at_rest = if nowhere { at_rest + 1 } else { 0 };
                if at_rest == LOOKS_AT_REST {
                    return Err(error);
                }
                packs = now;
                patience.rest();
            }
            done => return done,
        }
    }
}

/// The packs of a repository at a moment.
#[derive(PartialEq, Eq)]
struct Packs {
    names: BTreeSet<OsString>,
    /// No pack is being made, no `git gc` is running, and no other repository holds objects of this one.
    rest: bool,
}

impl Packs {
    fn of(repo: &Repository) -> Self {
        let common = repo.commondir();
        let listed = std::fs::read_dir(common.join("objects/pack")).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let is_readable = listed.as_ref().map_or_else(|error| error.kind() == ErrorKind::NotFound, |_| true);
        let names: BTreeSet<OsString> = listed.into_iter().flatten().map(|entry| entry.file_name()).collect();
        let is_new =
            |name: &OsString| [b"tmp_".as_slice(), b".tmp"].iter().any(|begin| name.as_bytes().starts_with(begin));
        let signs = ["gc.pid", "objects/info/alternates"].map(|name| common.join(name));
        let rest = is_readable && !names.iter().any(is_new) && !signs.iter().any(|path| path.exists());
        Self { names, rest }
    }
}

/// Has packs that are new since the repository was opened read, too. The `git` program sees them by itself.
pub fn freshly(repo: &Repo) {
    if let Repo::Library(library) = repo {
        // One that does not work out leaves the packs that are known.
        let _ = look_anew(library);
    }
}

/// Gives `repo` an object database that was opened just now: the library only ever adds packs to the list of an old one.
/// What was read through the old one stays valid.
fn look_anew(repo: &Repository) -> Result<(), git2::Error> {
    #[expect(clippy::disallowed_methods, reason = "the same repository once more, by the path of the open one")]
    let fresh = Repository::open(repo.path())?;
    repo.set_odb(&fresh.odb()?)
}

/// Whether it may be otherwise a moment later. That an object is not there the library also says without a code, and as
/// an error of the tree when it checks what a new tree names.
fn is_in_motion(error: &git2::Error) -> bool {
    matches!(error.class(), ErrorClass::Os | ErrorClass::Odb)
        || (error.class() == ErrorClass::Tree && error.code() == ErrorCode::GenericError)
}

/// Whether a ref may be movable a moment later: somebody holds its lock, or `git pack-refs` took the empty folder away
/// or made it anew.
pub fn is_passing(error: &git2::Error) -> bool {
    is_held(error) || error.class() == ErrorClass::Os
}

/// Whether somebody else holds the lock of a ref.
pub fn is_held(error: &git2::Error) -> bool {
    matches!(error.code(), ErrorCode::Locked | ErrorCode::Modified)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::git::object::name_of;
    use crate::git::{Kind, Naming, our_id};

    struct Bench {
        dir: tempfile::TempDir,
        repo: Repository,
    }

    impl Bench {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let repo = Repository::init_bare(dir.path()).unwrap();
            Self { dir, repo }
        }

        fn file(&self, id: Oid) -> PathBuf {
            let hex = id.to_string();
            self.dir.path().join("objects").join(&hex[..2]).join(&hex[2..])
        }

        /// Another handle: one that has seen an object remembers it.
        #[expect(clippy::disallowed_methods, reason = "a bench has no world")]
        fn fresh(&self) -> Repo {
            Repo::Library(Repository::open(self.dir.path()).unwrap())
        }

        /// Has a pack be in the making, as `git gc` does.
        fn packs(&self) {
            std::fs::write(self.dir.path().join("objects/pack/tmp_pack_x"), "").unwrap();
        }

        /// Looks for an object that is out of sight meanwhile, as one is that moves into a pack.
        fn found_while_it_moves(&self, id: Oid) -> Object {
            self.packs();
            let (here, away) = (self.file(id), self.dir.path().join("away"));
            std::fs::rename(&here, &away).unwrap();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(OBJECT_PATIENCE / 4);
                    std::fs::rename(&away, &here).unwrap();
                });
                awaited(&self.fresh(), id).unwrap()
            })
        }

        fn looks(&self, missing: Oid) -> u32 {
            let mut looks = 0;
            assert!(looked_for(&self.repo, missing, &mut looks).is_err());
            looks
        }

        fn blob(&self, bytes: &[u8]) -> Oid {
            our_id(self.repo.blob(bytes).unwrap())
        }
    }

    #[test]
    fn an_object_that_moves_is_found_wherever_it_is_looked_for() {
        let bench = Bench::new();
        let blob = bench.blob(b"words");
        assert_eq!(bench.found_while_it_moves(blob), Object { kind: Kind::Blob, bytes: b"words".to_vec() });
    }

    #[test]
    fn what_went_into_a_pack_that_the_library_has_not_seen_is_found() {
        let bench = Bench::new();
        let blob = bench.blob(b"words");
        let repo = bench.fresh();
        assert!(repo.read(blob).unwrap().is_some());
        let mut pack = bench.repo.packbuilder().unwrap();
        pack.insert_object(crate::git::library_id(blob).unwrap(), None).unwrap();
        pack.write(&bench.dir.path().join("objects/pack"), 0o444).unwrap();
        std::fs::remove_file(bench.file(blob)).unwrap();
        assert_eq!(awaited(&repo, blob).unwrap().bytes, b"words");
    }

    #[test]
    fn what_is_cut_off_is_said_at_once_and_the_library_is_not_asked() {
        let bench = Bench::new();
        let blob = bench.blob(&b"words ".repeat(100));
        let whole = std::fs::read(bench.file(blob)).unwrap();
        for length in [0, 1, 2, 20, whole.len() - 1] {
            std::fs::remove_file(bench.file(blob)).unwrap();
            std::fs::write(bench.file(blob), &whole[..length]).unwrap();
            let mut patience = Patience::begin();
            assert!(awaited(&bench.fresh(), blob).unwrap_err().0.contains("cut off"));
            assert_eq!(bench.fresh().header(blob).is_err(), length < 20, "{length}");
            patience.rest();
            assert!(!patience.is_over(OBJECT_PATIENCE));
        }
    }

    #[test]
    fn what_is_really_missing_is_said_to_be_missing() {
        let bench = Bench::new();
        let missing = name_of(Naming::Sha1, Kind::Blob, b"never written").unwrap();
        assert_eq!(awaited(&bench.fresh(), missing).unwrap_err(), Error::missing(missing));
        let mut tries = 0;
        let error = patiently(&bench.repo, || {
            tries += 1;
            read_by_library(&bench.repo, missing).map(drop)
        });
        assert_eq!(error.unwrap_err().code(), ErrorCode::NotFound);
        assert!(tries >= 10, "{tries}");
    }

    #[test]
    fn what_is_missing_while_git_does_nothing_is_not_waited_for() {
        let bench = Bench::new();
        let missing = name_of(Naming::Sha1, Kind::Blob, b"never written").unwrap();
        assert_eq!(bench.looks(missing), LOOKS_AT_REST);
        let before = Packs::of(&bench.repo);
        for sign in ["objects/info/alternates", "objects/pack/.tmp-1-pack-x", "objects/pack/tmp_pack_x", "gc.pid"] {
            assert!(before.rest && before == Packs::of(&bench.repo));
            let path = bench.dir.path().join(sign);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "").unwrap();
            assert!(!Packs::of(&bench.repo).rest, "{sign}");
            if sign == "gc.pid" {
                assert!(bench.looks(missing) > LOOKS_AT_REST);
            }
            std::fs::remove_file(path).unwrap();
        }
        // A pack that came starts the looks anew.
        std::fs::write(bench.dir.path().join("objects/pack/pack-x.idx"), "").unwrap();
        assert!(before != Packs::of(&bench.repo));
    }

    #[test]
    fn what_no_waiting_mends_is_not_waited_for() {
        let bench = Bench::new();
        let mut tries = 0;
        let error = patiently(&bench.repo, || {
            tries += 1;
            bench.repo.find_reference("not a name").map(drop)
        });
        assert!(error.is_err());
        assert_eq!(tries, 1);
    }
}
