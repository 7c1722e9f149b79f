//! The baseline: what a repository looked like when a session began, what of it drifted, and how it is brought back.
//!
//! A snapshot is HEAD, the refs, the stash, the entries of the index, operations in progress, and a tree of the working
//! tree with the very bytes on the disk. It is a commit below `refs/grill/local/`, never pushed. Taking one writes
//! objects and changes nothing that git shows: not the user's index, not HEAD, no branch. Ignored files and empty folders
//! are not in it; files above a limit are known by size and hash alone.

mod compare;
mod configured;
mod drifted;
mod ended;
mod expect;
mod git;
mod gitdir;
mod ignored;
mod index;
mod kept;
mod lost;
mod mixed;
mod named;
mod nested;
mod own_ref;
mod record;
mod refs;
mod restore;
mod seen;
mod snapshot;
mod steps;
mod taken;
mod top;
mod trees;
mod uncovered;
mod watched;
mod whole;
mod worktree;
mod worktrees;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use self::git::GitAt;
use self::gitdir::Settings;
use self::kept::{Kept, baseline_ref, ended_ref, own_folder};
pub use self::lost::{Noted, disown};
use self::own_ref::OwnRefs;
use self::snapshot::{Scene, Snapshot};
use self::steps::Marks;
pub use self::watched::{as_hooks_change, watch_ref};
pub use self::worktree::Reading;
use super::open::Opened;
use crate::app::ports::{
    AsLeft, Baseline, BaselineError, Clock, Held, Process, Restored, Snapped, Watched, WatchedAgent,
};
use crate::domain::drift::{self, Spot, Step, Verification};
use crate::domain::ids::SessionId;
use crate::domain::plan::derived::Sighting;
use crate::domain::session::Session;
use crate::files::folders;
use crate::files::fresh::{self, OnDisk};
use crate::files::regular;
use crate::git::Repo;
use crate::git::object::{in_words, parsed};

/// What said which files are ignored when the baseline was taken, beside it.
const IGNORING: &str = "ignoring";
/// The fingerprints of what git is configured to do, beside it.
const SETTINGS: &str = "settings";

/// Where the worktree is that a baseline is about.
#[derive(Clone, Debug)]
pub struct Site {
    git_dir: PathBuf,
    common_dir: PathBuf,
    worktree: Option<PathBuf>,
}

impl Site {
    pub fn of(opened: &Opened) -> Self {
        Self {
            git_dir: opened.git_dir.clone(),
            common_dir: opened.common_dir.clone(),
            worktree: opened.worktree.clone(),
        }
    }
}

/// Opens the repository anew.
pub type Opener<'a> = &'a dyn Fn() -> Result<Repo, BaselineError>;

pub struct GitBaseline<'a> {
    /// Opened when it is needed: most requests only leave a mark, or not even that.
    repo: OnceCell<Repo>,
    open: Opener<'a>,
    git: GitAt<'a>,
    common_dir: PathBuf,
    reading: Reading,
    own_refs: OwnRefs,
    clock: &'a dyn Clock,
}

impl<'a> GitBaseline<'a> {
    /// The baselines of a worktree; `open` opens its repository.
    pub fn new(
        site: Site,
        open: Opener<'a>,
        process: &'a (dyn Process + Sync),
        reading: Reading,
        clock: &'a dyn Clock,
    ) -> Self {
        let git = GitAt { process, dir: site.git_dir, top: site.worktree, limit: None };
        let own_refs = OwnRefs::of(site.common_dir.clone());
        Self { repo: OnceCell::new(), open, git, common_dir: site.common_dir, reading, own_refs, clock }
    }

    /// The same where git may be kept waiting, as at a pipe that an agent left: each of its calls ends at this limit.
    #[must_use]
    pub fn within(mut self, limit: Duration) -> Self {
        self.git.limit = Some(limit);
        self
    }

    /// What happened on the side and should be said, once.
    pub fn take_notices(&self) -> Vec<String> {
        self.own_refs.told()
    }

    fn repo(&self) -> Result<&Repo, BaselineError> {
        if self.repo.get().is_none() {
            // Nobody else sets it: there is one thread.
            let _ = self.repo.set((self.open)()?);
        }
        self.repo.get().ok_or_else(|| BaselineError::failed("opening the repository", "it is not there"))
    }

    fn scene(&self) -> Result<Scene<'_>, BaselineError> {
        Ok(Scene {
            git: self.git.clone(),
            repo: self.repo()?,
            common_dir: self.common_dir.clone(),
            reading: &self.reading,
            own_refs: &self.own_refs,
        })
    }

    /// The folder for what is noted beside the baseline of a session.
    fn notes(&self, id: &SessionId) -> PathBuf {
        lost::notes(&self.git.dir, id)
    }

    fn marks(&self) -> Marks {
        Marks::of(&self.git.dir, &self.common_dir)
    }

    fn settings(&self) -> Settings {
        gitdir::settings(&self.git.dir, &self.common_dir)
    }

    /// The same, a line each.
    fn settings_text(&self) -> String {
        gitdir::settings_text(&self.settings())
    }

    fn base(&self, id: &SessionId) -> Result<Kept, BaselineError> {
        self.unless_lost(id)?;
        self.taken_here(id, &baseline_ref(id), &self.notes(id))
    }

    /// The snapshot of a session that a ref names. A snapshot that was not taken in this worktree is never read.
    fn taken_here(&self, id: &SessionId, name: &str, notes: &Path) -> Result<Kept, BaselineError> {
        let repo = self.repo()?;
        let tip = repo.tip(name).map_err(|error| BaselineError::failed(format!("reading {name}"), error))?;
        let none = || BaselineError::None { id: id.to_string() };
        let tip = tip.filter(|_| notes.exists()).ok_or_else(none)?;
        if !taken::is_noted(notes, tip)? {
            return Err(BaselineError::Unreadable {
                why: format!("{name} names a snapshot that was not taken in this worktree"),
            });
        }
        self.unless_elsewhere(notes)?;
        Kept::at(repo, tip)
    }

    /// What the repository looks like now, with every file of the baseline that is still there, ignored by now or not.
    fn now(&self, base: &Kept) -> Result<Snapshot, BaselineError> {
        let scene = self.scene()?;
        let snapshot = scene.take(&BTreeSet::new(), Some(base))?;
        let mut hidden = self.hidden(base, &snapshot)?;
        let ignored = base.record.ignored.as_ref().map(|_| ignored::Ignored::of(&scene)).transpose()?;
        if let Some(ignored) = &ignored {
            hidden.extend(ignored::hidden_since(&scene, base, ignored)?);
        }
        let snapshot = if hidden.is_empty() { snapshot } else { scene.take(&hidden, Some(base))? };
        match ignored {
            Some(ignored) => scene.watched(snapshot, ignored),
            None => Ok(snapshot),
        }
    }

    /// Moves the baseline forward.
    fn advance(&self, id: &SessionId, from: &Kept, to: &Kept, why: &str) -> Result<(), BaselineError> {
        let new = to.write(self.repo()?, from.commit, &format!("baseline of {id}: {why}\n"), self.clock.now())?;
        taken::note(&self.notes(id), new)?;
        self.own_refs.set(self.repo()?, &baseline_ref(id), from.commit, new)
    }
}

impl Baseline for GitBaseline<'_> {
    fn take(&self) -> Result<Snapped, BaselineError> {
        let snapshot = self.scene()?.take(&BTreeSet::new(), None)?;
        let message = "what the repository looked like when the session began\n";
        let commit = Kept::of(&snapshot).write(self.repo()?, None, message, self.clock.now())?;
        Ok(Snapped(in_words(commit)))
    }

    fn keep(&self, snapped: &Snapped, id: &SessionId) -> Result<(), BaselineError> {
        const DOING: &str = "keeping the baseline";
        let commit = parsed(snapped.0.as_str());
        let mut commit = commit.ok_or_else(|| BaselineError::failed(DOING, "it has no whole name"))?;
        let notes = self.notes(id);
        let earlier = self.repo()?.tip(&baseline_ref(id)).map_err(|error| BaselineError::failed(DOING, error))?;
        let earlier = match earlier {
            Some(tip) if taken::is_noted(&notes, tip)? => Kept::at(self.repo()?, tip)?.commit,
            // A snapshot taken elsewhere does not count here, and stays reachable.
            Some(tip) => Kept::at(self.repo()?, tip).ok().and_then(|kept| kept.commit),
            None => None,
        };
        if earlier.is_some() {
            let message = format!("baseline of {id}, taken anew\n");
            commit = Kept::at(self.repo()?, commit)?.write(self.repo()?, earlier, &message, self.clock.now())?;
        }
        let io = |error| BaselineError::failed(DOING, error);
        fs::create_dir_all(&notes).map_err(io)?;
        regular::write(steps::file(&notes), "").map_err(io)?;
        regular::write(notes.join(IGNORING), self.ignoring()).map_err(io)?;
        self.note_top(&notes)?;
        steps::note(&steps::file(&notes), &Step { seq: 0, what: "the baseline".to_owned() }, &self.marks())
            .map_err(io)?;
        self.set_whole(id, earlier, commit)
    }

    fn held(&self, id: &SessionId) -> Result<Held, BaselineError> {
        Ok(self.noted(id)?.held())
    }

    fn check(&self, id: &SessionId) -> Result<(), BaselineError> {
        self.unless_lost(id)?;
        self.unless_elsewhere(&self.notes(id))
    }

    fn top(&self) -> Option<String> {
        self.git.top.as_ref().map(|top| git::quoted(top.as_os_str().as_bytes()))
    }

    fn find_again(&self, id: &SessionId) -> Result<bool, BaselineError> {
        self.set_again(id)
    }

    fn settle_settings(&self, id: &SessionId) -> Result<(), BaselineError> {
        let notes = self.notes(id);
        if !notes.exists() {
            return Ok(());
        }
        let text = self.settings_text();
        let failed = |error| BaselineError::failed("noting the configuration", error);
        let fresh = notes.join(format!("{SETTINGS}.new"));
        fresh::replace(&notes.join(SETTINGS), &fresh, 0o666, OnDisk::Later, text.as_bytes()).map_err(failed)
    }

    fn mark(&self, id: &SessionId, step: &Step) -> Result<(), BaselineError> {
        match steps::note(&steps::file(&self.notes(id)), step, &self.marks()) {
            Ok(()) => Ok(()),
            // A session without a baseline has no marks either.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(BaselineError::failed("noting the marks of this step", error)),
        }
    }

    fn expect_written(&self, id: &SessionId, files: &[AsLeft<'_>]) -> Result<(), BaselineError> {
        if files.is_empty() {
            return Ok(());
        }
        let base = self.base(id)?;
        match expect::left(&self.scene()?, &base, files)? {
            Some((moved, why)) => self.advance(id, &base, &moved, &why),
            None => Ok(()),
        }
    }

    fn expect_commits(&self, id: &SessionId, approved: &[String]) -> Result<(), BaselineError> {
        let base = self.base(id)?;
        match expect::committed(&self.scene()?, &base, approved)? {
            Some(moved) => self.advance(id, &base, &moved, "approved files were staged or committed"),
            None => Ok(()),
        }
    }

    fn verify(&self, session: &Session) -> Result<Verification, BaselineError> {
        self.compare(session)
    }

    fn note_end(&self, id: &SessionId) -> Result<(), BaselineError> {
        self.keep_end(id)
    }

    fn diff(&self, id: &SessionId, spots: &[Spot]) -> Result<String, BaselineError> {
        self.diff_of_spots(&self.base(id)?, spots, restore::Place::Files)
    }

    fn leaving(&self, id: &SessionId, name: &str) -> Result<usize, BaselineError> {
        self.commits_leaving(id, name)
    }

    fn restore(&self, id: &SessionId, shown: &Verification) -> Result<Restored, BaselineError> {
        let (base, notes) = (self.base(id)?, self.notes(id));
        self.unless_unsure(&notes)?;
        self.own_refs.tidy(&own_folder(id));
        self.restore_shown(id, &base, shown, self.doubt(&notes))
    }

    fn watch(&self, id: &SessionId) -> Result<(), BaselineError> {
        self.begin_watch(id)
    }

    fn watched(&self, id: &SessionId) -> Result<Option<Watched>, BaselineError> {
        self.watch_stands(id)
    }

    fn since_watched(&self, id: &SessionId, agent: WatchedAgent) -> Result<Verification, BaselineError> {
        self.compare_with_watch(id, agent)
    }

    fn watch_again(&self, id: &SessionId, kept: &drift::Kept) -> Result<Option<Verification>, BaselineError> {
        self.begin_watch_again(id, kept)
    }

    fn kept_watched(&self, id: &SessionId) -> Result<drift::Kept, BaselineError> {
        self.kept_so_far(id)
    }

    fn keep_watched(&self, id: &SessionId, kept: &drift::Kept) -> Result<(), BaselineError> {
        self.keep_so_far(id, kept)
    }

    fn note_watched_end(&self, id: &SessionId) -> Result<(), BaselineError> {
        self.end_of_watched(id)
    }

    fn watched_diff(&self, id: &SessionId, spot: &Spot) -> Result<String, BaselineError> {
        self.diff_of_watch(id, spot)
    }

    fn bring_back(&self, id: &SessionId, shown: &Verification) -> Result<Restored, BaselineError> {
        self.restore_of_watch(id, shown)
    }

    fn unwatch(&self, id: &SessionId) -> Result<(), BaselineError> {
        self.end_watch(id)
    }

    fn note_named(&self, id: &SessionId, paths: &[String]) -> Result<(), BaselineError> {
        self.keep_named(id, paths)
    }

    fn named(&self, id: &SessionId, paths: &[String]) -> Result<BTreeMap<String, Sighting>, BaselineError> {
        self.look_at_named(id, paths)
    }

    fn forget(&self, id: &SessionId) -> Result<(), BaselineError> {
        self.end_watch(id)?;
        // First, so that whoever is cut off here leaves no baseline that seems lost.
        taken::forget(&self.notes(id))?;
        self.own_refs.remove(self.repo()?, &self.git, &baseline_ref(id))?;
        let ended = ended_ref(id);
        // Most sessions have none, and to look for it costs less than to have git remove it.
        if !matches!(self.repo()?.named(&ended), Ok(None)) {
            self.own_refs.remove(self.repo()?, &self.git, &ended)?;
        }
        self.own_refs.tidy(&own_folder(id));
        match fs::remove_dir_all(self.notes(id)) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(BaselineError::failed("forgetting the baseline", error)),
        }
        tidy(&self.git.dir);
        Ok(())
    }
}

/// Takes our folders away when nothing is in them any more.
fn tidy(git_dir: &Path) {
    for folder in ["grill/baseline", "grill"] {
        // One that is not empty is still needed.
        let _ = fs::remove_dir(git_dir.join(folder));
    }
}
