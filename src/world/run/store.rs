//! The folder in which a run's private layers lie, on disk and ours alone. It goes with the run; from one whose process
//! was killed the next command brings out what is kept, and clears it away.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read as _};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::agents::{self, Folder};
use crate::app::ports::Nonce;
use crate::files::folders::Folders;
use crate::files::fresh::{self, OnDisk};
use crate::files::lock;
use crate::files::regular;
use crate::sandbox::layers::bring::{Began, Layered};
use crate::sandbox::layers::{upper, work};
use crate::sandbox::profile::CACHES;

use super::super::environment::Environment;
use super::super::nonce::KernelNonce;
use super::found_again::{self, Interview};
use super::placed::Layers;
use super::scratch::remove;

/// The place below the account's folder for state.
const IN_STATE: &str = "git-grill/layers";
/// How often a place is made that a run which ended took away meanwhile.
const TRIES: u32 = 8;
/// What is written down of a run: words `name=value`, each ended by a zero byte.
const RECORD: &str = "record";
/// Made right before the command starts.
const BEGAN: &str = "began";
/// Where credentials are remembered as they stood.
const STOOD: &str = "stood";
const FORMAT: &str = "1";

/// File systems over which the kernel puts no layer, or that are not ours alone: overlays, and those of networks and of
/// programs. (`OVERLAYFS`, `NFS`, `FUSE`, `SMB`, `CIFS`, `SMB2`, `V9FS`, `ECRYPTFS`)
const UNFIT: &[i64] = &[0x794c_7630, 0x6969, 0x6573_5546, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x0102_1997, 0xf15f];

/// What a run belongs to.
pub(super) struct Of<'a> {
    /// The folder that it runs in.
    pub(super) project: &'a Path,
    pub(super) interview: Option<&'a Interview>,
}

/// The private layers of one run.
pub(super) struct Store {
    path: PathBuf,
    /// Held locked, so that others see that the run goes on.
    _lock: File,
    layered: Vec<Layered>,
    project: String,
}

impl Store {
    /// Makes a place for these layers: outside of the repository, on a file system that can bear them, below none of
    /// them.
    pub(super) fn make(
        environment: &Environment,
        sealed: &[PathBuf],
        layers: &Layers,
        of: &Of<'_>,
    ) -> io::Result<Self> {
        let mut failure = io::Error::other("every directory that could hold it belongs to the repository");
        for base in bases(environment) {
            let near = base.ancestors().find_map(|path| path.canonicalize().ok()).unwrap_or_default();
            let within = |folder: &PathBuf| near.starts_with(folder);
            if sealed.iter().any(within) || layers.all.iter().any(|layer| within(&layer.folder)) || unfit(&near) {
                continue;
            }
            match Self::make_in(&base, layers, of) {
                Ok(store) => return Ok(store),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    fn make_in(base: &Path, layers: &Layers, of: &Of<'_>) -> io::Result<Self> {
        let mut tries = 0;
        let path = loop {
            tries += 1;
            private(base)?;
            let path = base.canonicalize()?.join(format!("{:016x}", KernelNonce.next()));
            match DirBuilder::new().mode(0o700).create(&path) {
                // A run that ended just now took the empty place away.
                Err(error) if error.kind() == io::ErrorKind::NotFound && tries < TRIES => continue,
                made => made?,
            }
            break path;
        };
        let project = of.project.to_string_lossy().into_owned();
        let mut store = Self { _lock: lock::folder(&path)?, path, layered: Vec::new(), project };
        let mut words = vec![word("format", OsStr::new(FORMAT)), word("project", OsStr::new(&store.project))];
        words.extend(layers.made.iter().map(|path| word("made", path.as_os_str())));
        words.extend(of.interview.map(Interview::words).unwrap_or_default());
        for number in 0..layers.all.len() {
            for folder in [upper(&store.path, number), work(&store.path, number)] {
                DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            }
        }
        for (index, placed) in layers.placed.iter().enumerate() {
            let upper = upper(&store.path, placed.layer).join(&placed.below);
            words.push(word("folder", OsStr::new(placed.folder.path)));
            words.push(word("at", placed.real.as_os_str()));
            words.push(word("upper", upper.as_os_str()));
            store.layered.push(layered(&store.path, index, placed.folder, placed.real.clone(), upper));
        }
        fresh::create(&store.path.join(RECORD), 0o600, OnDisk::Later, &words.concat())?;
        if let Some(interview) = of.interview {
            found_again::put_back(&store.path, interview, &store.layered);
        }
        Ok(store)
    }

    /// The bytes of a file that the run wrote in one of the agent's folders; none of more than so many.
    pub(super) fn own_file(&self, path: &Path, most: usize) -> Option<Vec<u8>> {
        let is_cache = |folder: &Folder| CACHES.iter().any(|cache| cache.path == folder.path);
        let own = self.layered.iter().filter(|layered| !is_cache(layered.folder));
        own.filter_map(|layered| Some((layered, path.strip_prefix(&layered.real).ok()?))).find_map(|(layered, rest)| {
            // No link is followed: the layer is the agent's to fill.
            let file = Folders::open(&layered.upper).ok()?.open_file(rest.as_os_str().as_bytes()).ok()?;
            let mut bytes = Vec::new();
            file.take(most as u64 + 1).read_to_end(&mut bytes).ok()?;
            (bytes.len() <= most).then_some(bytes)
        })
    }

    /// The last thing before the command starts: folders that are missing are made, credentials remembered.
    pub(super) fn begin(&self, layers: &Layers) -> io::Result<()> {
        for folder in &layers.made {
            match DirBuilder::new().mode(0o700).create(folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
        for layered in &self.layered {
            DirBuilder::new().recursive(true).mode(0o700).create(&layered.stood)?;
            layered.remember()?;
        }
        File::create_new(self.path.join(BEGAN)).map(drop)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Brings refreshed credentials out, while the run goes on: one that is half written is looked at again.
    pub(super) fn look(&self) {
        for layered in &self.layered {
            let _later = layered.credentials();
        }
    }

    /// Brings out what is kept and clears everything else away; what could not be kept is said.
    pub(super) fn end(self) -> Vec<String> {
        settle(&self.path, &self.layered, &self.project)
    }
}

fn layered(store: &Path, index: usize, folder: &'static Folder, real: PathBuf, upper: PathBuf) -> Layered {
    Layered { folder, real, upper, stood: store.join(STOOD).join(index.to_string()) }
}

fn settle(store: &Path, layered: &[Layered], project: &str) -> Vec<String> {
    let mut said = Vec::new();
    let words = regular::bytes(store.join(RECORD), regular::LONG).unwrap_or_default();
    if let Ok(began) = Began::of(&store.join(BEGAN)) {
        said.extend(layered.iter().flat_map(Layered::credentials));
        said.extend(layered.iter().flat_map(|layered| layered.logs(project, began)));
    }
    // Also of one that never began: what was put into its layers is held again.
    found_again::hold(store, &words, layered);
    for made in named(&words, "made").rev() {
        // Only while it is empty, by the nature of a folder.
        let _ = fs::remove_dir(Path::new(OsStr::from_bytes(made)));
    }
    remove(store);
    forget_the_place(store);
    said
}

/// Removes the folders that hold layers once they are empty, so that nothing of a run stays behind. Those of another run
/// keep them.
fn forget_the_place(store: &Path) {
    let Some(base) = store.parent() else { return };
    if fs::remove_dir(base).is_ok() && base.ends_with(IN_STATE) {
        let _ = base.parent().map(fs::remove_dir);
    }
}

/// Brings out what killed runs of this user left, and clears it away; what could not be kept is said.
pub(in crate::world) fn recover(environment: &Environment) -> Vec<String> {
    let mut said = Vec::new();
    for place in places(environment) {
        if found_again::is_ours(&place) {
            forget_interview(&place);
        } else if let Ok(_held) = lock::folder(&place) {
            said.extend(settle_left(&place));
        }
    }
    said
}

/// Throws away what was held for interviews that are over.
pub(in crate::world) fn forget_interviews(environment: &Environment) {
    for place in places(environment).iter().filter(|place| found_again::is_ours(place)) {
        forget_interview(place);
    }
}

fn forget_interview(place: &Path) {
    found_again::sweep(place);
    forget_the_place(place);
}

/// The folders of runs and of interviews, wherever they may lie.
fn places(environment: &Environment) -> Vec<PathBuf> {
    let bases = bases(environment).into_iter().filter(|base| is_private(base));
    let entries = bases.flat_map(|base| fs::read_dir(base).into_iter().flatten().flatten());
    entries.map(|entry| entry.path()).filter(|place| is_private(place)).collect()
}

/// What a killed run wrote down is taken by the table: a folder that is not in it has nothing that is kept.
fn settle_left(store: &Path) -> Vec<String> {
    let words = regular::bytes(store.join(RECORD), regular::LONG).unwrap_or_default();
    let known = agents::with_folders().flat_map(|agent| agent.folders);
    let path = |bytes: &[u8]| PathBuf::from(OsString::from_vec(bytes.to_vec()));
    let listed = named(&words, "folder").zip(named(&words, "at")).zip(named(&words, "upper")).enumerate();
    let layered: Vec<Layered> = listed
        .filter_map(|(index, ((name, real), upper))| {
            let folder = known.clone().find(|folder| folder.path.as_bytes() == name)?;
            Some(layered(store, index, folder, path(real), path(upper)))
        })
        .collect();
    let project = named(&words, "project").next().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let readable = named(&words, "format").next() == Some(FORMAT.as_bytes());
    settle(store, if readable { &layered } else { &[] }, &project.unwrap_or_default())
}

pub(super) fn word(name: &str, value: &OsStr) -> Vec<u8> {
    [name.as_bytes(), b"=", value.as_bytes(), b"\0"].concat()
}

pub(super) fn named<'a>(words: &'a [u8], name: &'a str) -> impl DoubleEndedIterator<Item = &'a [u8]> + Clone {
    let words = words.split(|byte| *byte == 0);
    words.filter_map(move |word| word.strip_prefix(name.as_bytes())?.strip_prefix(b"="))
}

/// Where layers may lie, the wished place first: on disk, where they outlive a crash of the machine; in memory where
/// the disk cannot bear them, as in a container.
fn bases(environment: &Environment) -> Vec<PathBuf> {
    let var = |name: &str| environment.var(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = var("XDG_STATE_HOME").or_else(|| var("HOME").map(|home| home.join(".local/state")));
    let user = rustix::process::geteuid().as_raw();
    let shared = ["/var/tmp", "/dev/shm", "/tmp"].map(PathBuf::from);
    let shared = var("TMPDIR").into_iter().chain(shared).map(|path| path.join(format!("git-grill-layers-{user}")));
    state.map(|state| state.join(IN_STATE)).into_iter().chain(shared).collect()
}

/// Makes a folder that nobody else may look into, or finds it so.
fn private(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    if is_private(path) { Ok(()) } else { Err(io::Error::other(format!("{} is open to others", path.display()))) }
}

fn is_private(path: &Path) -> bool {
    const OTHERS: u32 = 0o077;
    let user = rustix::process::geteuid().as_raw();
    fs::symlink_metadata(path).is_ok_and(|about| about.is_dir() && about.uid() == user && about.mode() & OTHERS == 0)
}

#[cfg(target_os = "linux")]
fn unfit(path: &Path) -> bool {
    rustix::fs::statfs(path).is_ok_and(|about| UNFIT.contains(&about.f_type))
}

#[cfg(not(target_os = "linux"))]
fn unfit(_path: &Path) -> bool {
    false
}
