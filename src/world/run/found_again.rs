//! What the agent of an interview finds again in its next run, and nobody else: files that are brought out to no place of the
//! agent's own, since other conversations are in them too. They lie beside the layers, ours alone, until the interview is
//! over.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::app::ports::Nonce;
use crate::files::fresh::{self, OnDisk};
use crate::files::lock;
use crate::files::regular;
use crate::sandbox::layers::bring::Layered;

use super::super::nonce::KernelNonce;
use super::scratch::remove;
use super::store::{named, word};

/// Begins the names of the folders that hold them.
const PREFIX: &str = "interview-";
/// What is written down of each: whose it is.
const RECORD: &str = "record";
/// The most bytes that are held for one interview.
const LARGEST: u64 = 1024 * 1024 * 1024;

/// The interview that a run belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::world) struct Interview {
    /// The record of this clone that an agent leads it. Once that is gone, the interview is over.
    pub record: PathBuf,
    pub agent: String,
}

impl Interview {
    pub(super) fn words(&self) -> Vec<Vec<u8>> {
        vec![word("interview", self.record.as_os_str()), word("leader", OsStr::new(&self.agent))]
    }

    /// The interview that these words name.
    pub(super) fn of(words: &[u8]) -> Option<Self> {
        let record = named(words, "interview").next()?.to_vec();
        let agent = named(words, "leader").next()?.to_vec();
        let record = PathBuf::from(std::ffi::OsString::from_vec(record));
        Some(Self { record, agent: String::from_utf8(agent).ok()? })
    }

    fn goes_on(&self) -> bool {
        fs::symlink_metadata(&self.record).is_ok_and(|about| about.is_file())
    }
}

/// Whether a folder beside the layers of runs is one of ours.
pub(super) fn is_ours(place: &Path) -> bool {
    place.file_name().is_some_and(|name| name.as_bytes().starts_with(PREFIX.as_bytes()))
}

/// Holds what the agent finds again, if its interview goes on. The run is over: nothing changes in its layers any more.
pub(super) fn hold(store: &Path, words: &[u8], layered: &[Layered]) {
    let Some(interview) = Interview::of(words).filter(Interview::goes_on) else { return };
    let of_these: Vec<&Layered> = layered.iter().filter(|layered| is_written(layered)).collect();
    let Some(base) = store.parent().filter(|_| !of_these.is_empty()) else { return };
    let place = base.join(format!("{PREFIX}{:016x}", KernelNonce.next()));
    if hold_in(&place, &interview, &of_these).is_err() {
        // It begins a new conversation then, with all that is recorded.
        remove(&place);
    }
}

fn hold_in(place: &Path, interview: &Interview, of_these: &[&Layered]) -> io::Result<()> {
    let folder = |path: &Path| DirBuilder::new().mode(0o700).create(path);
    folder(place)?;
    let _held = lock::folder(place)?;
    fresh::create(&place.join(RECORD), 0o600, OnDisk::Later, &interview.words().concat())?;
    for layered in of_these {
        let to = place.join(called(layered));
        folder(&to)?;
        for name in layered.folder.together {
            if is_file(&layered.upper.join(name)) {
                fs::rename(layered.upper.join(name), to.join(name))?;
            }
        }
    }
    Ok(())
}

/// Whether the run wrote the first of the files that belong together, and all of them are not too large.
fn is_written(layered: &Layered) -> bool {
    let Some(first) = layered.folder.together.first() else { return false };
    // A run may have put a link on the way, which would lead to files that are not its own.
    let no_link = layered.upper.canonicalize().is_ok_and(|real| real == layered.upper);
    let sizes = layered.folder.together.iter().filter_map(|name| fs::symlink_metadata(layered.upper.join(name)).ok());
    no_link && is_file(&layered.upper.join(first)) && sizes.map(|about| about.len()).sum::<u64>() <= LARGEST
}

fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| about.is_file())
}

/// The name of a folder of the table, as one part of a path.
fn called(layered: &Layered) -> String {
    layered.folder.path.replace('/', "-")
}

/// Puts what this interview's agent had before into the layers of its next run. What another agent had in it is of no use
/// any more.
pub(super) fn put_back(store: &Path, interview: &Interview, layered: &[Layered]) {
    let Some(base) = store.parent() else { return };
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let place = entry.path();
        if !is_ours(&place) {
            continue;
        }
        let Ok(_held) = lock::folder(&place) else { continue };
        let Some(had) = had_by(&place).filter(|had| had.record == interview.record) else { continue };
        if had == *interview {
            for layered in layered.iter().filter(|layered| place.join(called(layered)).is_dir()) {
                put(&place.join(called(layered)), layered);
            }
        }
        remove(&place);
    }
}

fn had_by(place: &Path) -> Option<Interview> {
    Interview::of(&regular::bytes(place.join(RECORD), regular::LONG).ok()?)
}

/// All of them or none: a journal of another database would spoil this one.
fn put(from: &Path, layered: &Layered) {
    let tried = || -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&layered.upper)?;
        for name in layered.folder.together.iter().filter(|name| !is_file(&from.join(name))) {
            hide(&layered.upper.join(name))?;
        }
        for name in layered.folder.together.iter().filter(|name| is_file(&from.join(name))) {
            fs::rename(from.join(name), layered.upper.join(name))?;
        }
        Ok(())
    };
    if tried().is_err() {
        for name in layered.folder.together {
            // One that was not put there is not missed.
            let _ = fs::remove_file(layered.upper.join(name));
        }
    }
}

/// Makes what the kernel reads in a layer as: no such file here, whatever lies below.
#[cfg(target_os = "linux")]
fn hide(path: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    Ok(mknodat(CWD, path, FileType::CharacterDevice, Mode::empty(), 0)?)
}

#[cfg(not(target_os = "linux"))]
fn hide(_path: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Throws away what is held for an interview that is over.
pub(super) fn sweep(place: &Path) {
    if let Ok(_held) = lock::folder(place)
        && !had_by(place).is_some_and(|had| had.goes_on())
    {
        remove(place);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileTypeExt;

    use super::*;
    use crate::agents;

    struct Run {
        store: PathBuf,
        layered: Vec<Layered>,
    }

    fn run(root: &Path, name: &str) -> Run {
        let known = agents::of_program("opencode").unwrap().folders;
        let folder = known.iter().find(|folder| !folder.together.is_empty()).unwrap();
        let store = root.join(name);
        let upper = store.join("0/upper");
        fs::create_dir_all(&upper).unwrap();
        let layered = vec![Layered { folder, real: root.join("real"), upper, stood: store.join("stood") }];
        Run { store, layered }
    }

    impl Run {
        fn file(&self, name: &str) -> PathBuf {
            self.layered[0].upper.join(name)
        }

        fn holds(&self, interview: &Interview) {
            hold(&self.store, &interview.words().concat(), &self.layered);
        }

        fn finds(&self, interview: &Interview) -> Option<String> {
            put_back(&self.store, interview, &self.layered);
            fs::read_to_string(self.file("opencode.db")).ok()
        }
    }

    fn held(root: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| is_ours(path)).collect()
    }

    #[test]
    fn g55_an_agent_finds_its_own_database_again_until_its_interview_is_over() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let of = |record: &str, agent: &str| Interview { record: root.join(record), agent: agent.to_owned() };
        let (ours, other) = (of("one", "opencode"), of("two", "opencode"));
        fs::write(&ours.record, "").unwrap();
        let first = run(&root, "first");
        for name in ["opencode.db", "opencode.db-wal", "opencode.json"] {
            fs::write(first.file(name), name).unwrap();
        }
        first.holds(&other);
        assert_eq!(held(&root).len(), 0, "an interview that is over goes on nowhere");
        first.holds(&ours);
        assert!(first.file("opencode.json").exists() && !first.file("opencode.db").exists());
        for place in held(&root) {
            sweep(&place);
        }
        assert_eq!(run(&root, "second").finds(&other), None);
        let third = run(&root, "third");
        assert_eq!(third.finds(&ours).as_deref(), Some("opencode.db"));
        assert_eq!(fs::read_to_string(third.file("opencode.db-wal")).unwrap(), "opencode.db-wal");
        assert!(!third.file("opencode.json").exists());
        // A journal that came to be below meanwhile is none of this database's.
        let index = fs::symlink_metadata(third.file("opencode.db-shm")).unwrap();
        assert!(index.file_type().is_char_device());
        assert_eq!(held(&root).len(), 0);
        third.holds(&ours);
        assert_eq!(run(&root, "fourth").finds(&of("one", "claude")), None);
        assert_eq!(held(&root).len(), 0, "another agent leads it now");
        fs::write(third.file("opencode.db"), "again").unwrap();
        third.holds(&ours);
        fs::remove_file(&ours.record).unwrap();
        for place in held(&root) {
            sweep(&place);
        }
        assert_eq!(held(&root).len(), 0);
    }

    #[test]
    fn g37_nothing_that_a_run_did_not_write_is_held() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let interview = Interview { record: root.join("one"), agent: "opencode".to_owned() };
        fs::write(&interview.record, "").unwrap();
        fs::create_dir(root.join("real")).unwrap();
        fs::write(root.join("real/opencode.db"), "real").unwrap();
        // A link in the place of the folder, and one in that of the file.
        let linked = run(&root, "linked");
        fs::remove_dir(&linked.layered[0].upper).unwrap();
        std::os::unix::fs::symlink(root.join("real"), &linked.layered[0].upper).unwrap();
        linked.holds(&interview);
        let link = run(&root, "link");
        std::os::unix::fs::symlink(root.join("real/opencode.db"), link.file("opencode.db")).unwrap();
        link.holds(&interview);
        let large = run(&root, "large");
        fs::File::create(large.file("opencode.db")).unwrap().set_len(LARGEST + 1).unwrap();
        large.holds(&interview);
        assert_eq!(held(&root).len(), 0);
        assert_eq!(fs::read_to_string(root.join("real/opencode.db")).unwrap(), "real");
    }
}
