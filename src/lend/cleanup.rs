//! Taking a working copy away: what is in it is kept first, and then only what is ours goes, path by path, through no
//! link (A17, A26, A43). The parent has no metadata of it; of our ref stays what holds work.

use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::accept;
use super::error::LendError;
use super::folder::{COPY, LentFolder, NOTES};
use super::keep::{KeptWork, keep, kept_before};
use super::notes::{Notes, PARENT, TIDYING};
use super::own_git::os;
use super::parent::{Author, Parent};
use super::sight::names_in;

const DOING: &str = "removing the working copy";
/// How deep folders are removed.
const DEEPEST: usize = 512;
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// What happens to work that cannot be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Nothing is removed then.
    Refused,
    /// The user has seen the paths, and lets them go.
    Accepted,
}

/// What went, and what is kept of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tidied {
    /// Every path that was removed; folders come after what was in them.
    pub removed: Vec<PathBuf>,
    /// How large the files were.
    pub bytes: u64,
    /// None where that is not known any more.
    pub kept: Option<KeptWork>,
}

/// What there is to remove.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// Folders come after what is in them.
    pub paths: Vec<PathBuf>,
    pub bytes: u64,
}

/// Keeps the work of a session and removes its working copy.
pub fn cleanup(parent: &Parent<'_>, folder: &LentFolder, by: Author<'_>, loss: Loss) -> Result<Tidied, LendError> {
    // What was accepted of it half is taken back while its notes are there.
    if let Some(undone) = accept::mend(parent, folder)?
        && !undone.left.is_empty()
    {
        return Err(LendError::NotTakenBack { paths: undone.left, reference: undone.reference });
    }
    let notes = Notes::of(folder);
    if folder.copy().symlink_metadata().is_err() {
        // One that was cut off is done to its end.
        let kept = kept_before(parent, folder).ok();
        let Inventory { paths, bytes } = discard(parent, folder)?;
        return Ok(Tidied { removed: paths, bytes, kept });
    }
    // Nobody was in a copy that was never finished; and where the work is kept, half of it may be removed by now.
    let is_work = notes.read(PARENT)?.is_some() && notes.read(TIDYING)?.is_none();
    let kept = if is_work { keep(parent, folder, by)? } else { kept_before(parent, folder)? };
    let gone: Vec<Vec<u8>> = kept.left_out.iter().filter(|one| one.why.is_loss()).map(|one| one.path.clone()).collect();
    if loss == Loss::Refused && !gone.is_empty() {
        return Err(LendError::WouldLose { paths: gone });
    }
    notes.write(TIDYING, b"\n")?;
    let Inventory { paths, bytes } = discard(parent, folder)?;
    Ok(Tidied { removed: paths, bytes, kept: Some(kept) })
}

/// What `cleanup` would remove; nothing is touched (A43).
pub fn inventory(folder: &LentFolder) -> Result<Inventory, LendError> {
    Remover::begin(folder, Manner::Look)?.all()
}

/// Removes what is ours, without keeping anything: of a copy that nobody was in.
pub(super) fn discard(parent: &Parent<'_>, folder: &LentFolder) -> Result<Inventory, LendError> {
    // A ref that holds nothing but the commit of the parent's own is not needed any longer.
    if let Ok(start) = Notes::of(folder).start() {
        let tip = parent.named(&folder.reference())?;
        if tip == Some(start.commit) {
            parent.point(&folder.reference(), tip, None)?;
        }
    }
    Remover::begin(folder, Manner::Remove)?.all()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Look,
    Remove,
}

/// Goes through what is ours in the folder of a session.
struct Remover {
    session: Option<OwnedFd>,
    path: PathBuf,
    /// The session's folder itself: what is on another file system is not ours.
    about: Option<Stat>,
    manner: Manner,
    found: Inventory,
}

impl Remover {
    fn begin(folder: &LentFolder, manner: Manner) -> Result<Self, LendError> {
        let failed = |error: Errno| LendError::failed(DOING, error);
        let root = rustix::fs::open(folder.root(), FOLDER, Mode::empty()).map_err(failed)?;
        let session = match rustix::fs::openat(&root, folder.handle(), FOLDER, Mode::empty()) {
            Ok(session) => Some(session),
            Err(Errno::NOENT) => None,
            Err(error) => return Err(failed(error)),
        };
        let about = session.as_ref().map(rustix::fs::fstat).transpose().map_err(failed)?;
        Ok(Self { session, path: folder.path(), about, manner, found: Inventory::default() })
    }

    fn all(mut self) -> Result<Inventory, LendError> {
        let Some(session) = self.session.take() else { return Ok(self.found) };
        // What we need to keep the work goes last: who is cut off here can do it all again.
        for name in [COPY, NOTES] {
            let path = self.path.join(name);
            self.take(&session, name.as_bytes(), path, 0).map_err(|error| LendError::failed(DOING, error))?;
        }
        Ok(self.found)
    }

    /// Takes what stands at a name in an open folder.
    fn take(&mut self, folder: &OwnedFd, name: &[u8], path: PathBuf, depth: usize) -> io::Result<()> {
        let about = match rustix::fs::statat(folder, os(name), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(about) => about,
            Err(Errno::NOENT) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let told = |why: &str| io::Error::other(format!("{} {why}", path.display()));
        let kind = if FileType::from_raw_mode(about.st_mode) == FileType::Directory {
            if self.about.as_ref().is_some_and(|top| top.st_dev != about.st_dev) {
                return Err(told("is on another file system"));
            }
            if depth > DEEPEST {
                return Err(told("lies too deep"));
            }
            // A folder that its owner may not change cannot be emptied.
            if self.manner == Manner::Remove && about.st_mode & 0o700 != 0o700 {
                rustix::fs::chmodat(folder, os(name), Mode::RWXU, AtFlags::empty())?;
            }
            let inside = rustix::fs::openat(folder, os(name), FOLDER, Mode::empty())?;
            for below in names_in(&inside)? {
                let path = path.join(os(&below));
                self.take(&inside, &below, path, depth + 1)?;
            }
            AtFlags::REMOVEDIR
        } else {
            self.found.bytes += u64::try_from(about.st_size).unwrap_or(0);
            AtFlags::empty()
        };
        if self.manner == Manner::Remove {
            rustix::fs::unlinkat(folder, os(name), kind)?;
        }
        self.found.paths.push(path);
        Ok(())
    }
}
