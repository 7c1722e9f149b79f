//! Patience with a git that tidies up beside us: `git gc` and `git pack-refs` move objects and refs while we look at
//! them, and nothing that they do is a reason for a command of ours to fail.

use std::time::{Duration, Instant};

use git2::{ErrorClass, ErrorCode, Oid, Repository};

/// How long an object is looked for. A busy machine was seen to take most of a second; what is really missing is missing
/// after two as well, and a session that is damaged may take that long to say so.
const OBJECT_PATIENCE: Duration = Duration::from_secs(2);
/// After so many tries the library's list of packs is not trusted any more, and made anew.
const TRIES_BEFORE_ANEW: u32 = 8;
/// How often it is looked for at least, however long each look takes on a machine that has other things to do.
const FEWEST_TRIES: u32 = 10;
/// The longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_millis(40);

/// Tries that stand further and further apart, until a time is over.
#[derive(Debug)]
pub struct Patience {
    begun: Instant,
    tries: u32,
    pause: Duration,
}

impl Patience {
    /// Begins now.
    pub fn begin() -> Self {
        #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
        let begun = Instant::now();
        Self { begun, tries: 1, pause: Duration::from_millis(1) }
    }

    /// Whether it lasted this long, and long enough for a few tries.
    pub fn is_over(&self, limit: Duration) -> bool {
        self.tries >= FEWEST_TRIES && self.begun.elapsed() >= limit
    }

    /// Sleeps before the next try.
    pub fn rest(&mut self) {
        std::thread::sleep(self.pause);
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        self.tries += 1;
    }
}

/// Reads or writes, again while what it is about is in motion: a `git gc` removes the folder of an object between the
/// moment it is made and the moment it is used, and moves an object into a pack that the library has not seen yet.
pub fn patiently<T>(repo: &Repository, mut work: impl FnMut() -> Result<T, git2::Error>) -> Result<T, git2::Error> {
    let mut patience = Patience::begin();
    loop {
        match work() {
            Err(error) if is_in_motion(&error) && !patience.is_over(OBJECT_PATIENCE) => {
                patience.rest();
                // A folder that changes while it is listed is listed again before the next try.
                let _ = if patience.tries.is_multiple_of(TRIES_BEFORE_ANEW) {
                    look_anew(repo)
                } else {
                    repo.odb().and_then(|odb| odb.refresh())
                };
            }
            done => return done,
        }
    }
}

/// Gives `repo` an object database that was opened just now: the library only ever adds packs to the list of an old one.
/// What was read through the old one stays valid.
pub fn look_anew(repo: &Repository) -> Result<(), git2::Error> {
    #[expect(clippy::disallowed_methods, reason = "the same repository once more, by the path of the open one")]
    let fresh = Repository::open(repo.path())?;
    repo.set_odb(&fresh.odb()?)
}

/// Sees to it that objects are on the disk before a ref names them. The library does not write an object that it believes
/// to be there already, and it goes on believing in packs that `git gc` has replaced since: a database opened just now
/// knows better, and takes what is missing.
pub fn really_there(repo: &Repository, ids: &[Oid]) -> Result<(), git2::Error> {
    #[expect(clippy::disallowed_methods, reason = "the same repository once more, by the path of the open one")]
    let fresh = Repository::open(repo.path())?;
    let (known, seen) = (repo.odb()?, fresh.odb()?);
    for id in ids.iter().filter(|id| !seen.exists(**id)) {
        let object = known.read(*id)?;
        seen.write(object.kind(), object.data())?;
    }
    Ok(())
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

    use git2::ObjectType;

    use super::*;

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
        fn fresh(&self) -> Repository {
            Repository::open(self.dir.path()).unwrap()
        }

        /// Does some work with an object that is out of sight meanwhile, as one is that moves into a pack; how often.
        fn while_it_moves<T>(&self, id: Oid, mut work: impl FnMut() -> Result<T, git2::Error>) -> u32 {
            let (here, away) = (self.file(id), self.dir.path().join("away"));
            std::fs::rename(&here, &away).unwrap();
            let mut tries = 0;
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(OBJECT_PATIENCE / 4);
                    std::fs::rename(&away, &here).unwrap();
                });
                let done = patiently(&self.repo, || {
                    tries += 1;
                    work()
                });
                assert!(done.is_ok(), "{:?}", done.err());
            });
            tries
        }
    }

    #[test]
    fn an_object_that_moves_is_found_wherever_the_library_looks_for_it() {
        let bench = Bench::new();
        let blob = bench.repo.blob(b"words").unwrap();
        let repo = bench.fresh();
        assert!(bench.while_it_moves(blob, || repo.find_blob(blob)) > 1);
        let repo = bench.fresh();
        assert!(bench.while_it_moves(blob, || repo.treebuilder(None)?.insert("b", blob, 0o100_644).map(drop)) > 1);
    }

    #[test]
    fn what_was_read_before_the_database_was_opened_anew_can_still_be_used() {
        let bench = Bench::new();
        let (one, two) = (bench.repo.blob(b"one").unwrap(), bench.repo.blob(b"two").unwrap());
        let repo = bench.fresh();
        let before = repo.find_blob(one).unwrap();
        look_anew(&repo).unwrap();
        assert_eq!((before.content(), repo.find_blob(two).unwrap().content()), (&b"one"[..], &b"two"[..]));
        assert_eq!(repo.blob(b"three").and_then(|id| repo.find_blob(id)).unwrap().content(), b"three");
    }

    #[test]
    fn what_the_library_only_believes_in_is_written_before_a_ref_names_it() {
        let bench = Bench::new();
        let repo = bench.fresh();
        let blob = repo.blob(b"words").unwrap();
        let mut tree = repo.treebuilder(None).unwrap();
        tree.insert("b", blob, 0o100_644).unwrap();
        let tree = tree.write().unwrap();
        // In memory it is (the library keeps trees, not blobs), and on the disk it is not.
        assert!(repo.odb().and_then(|odb| odb.read(tree).map(|object| object.data().len())).unwrap() > 0);
        std::fs::remove_file(bench.file(tree)).unwrap();
        really_there(&repo, &[blob, tree]).unwrap();
        assert!(bench.file(tree).is_file());
        // What nobody has any more is an error, and no ref will name it.
        std::fs::remove_file(bench.file(blob)).unwrap();
        assert!(really_there(&bench.fresh(), &[blob]).is_err());
    }

    #[test]
    fn what_is_really_missing_is_said_to_be_missing() {
        let bench = Bench::new();
        let missing = Oid::hash_object(ObjectType::Blob, b"never written").unwrap();
        let mut tries = 0;
        let error = patiently(&bench.repo, || {
            tries += 1;
            bench.repo.find_blob(missing).map(drop)
        });
        assert_eq!(error.unwrap_err().code(), ErrorCode::NotFound);
        assert!(tries >= FEWEST_TRIES, "{tries}");
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
