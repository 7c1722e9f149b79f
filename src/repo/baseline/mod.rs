//! The baseline: what a repository looked like when a session began, what of it drifted, and how it is brought back.
//!
//! A snapshot is HEAD, the refs, the stash, the entries of the index, operations in progress, and a tree of the working
//! tree with the very bytes on the disk. It is a commit below `refs/grill/local/`, never pushed. Taking one writes
//! objects and changes nothing that git shows: not the user's index, not HEAD, no branch. Ignored files and empty folders
//! are not in it; files above a limit are known by size and hash alone.

mod compare;
mod expect;
mod folders;
mod git;
mod gitdir;
mod index;
mod kept;
mod nested;
mod own_ref;
mod record;
mod refs;
mod restore;
mod snapshot;
mod steps;
mod trees;
mod uncovered;
mod worktree;
mod worktrees;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use self::compare::Comparison;
use self::git::Git;
use self::gitdir::Settings;
use self::kept::{Kept, baseline_ref, own_folder};
use self::own_ref::OwnRefs;
use self::snapshot::{Scene, Snapshot};
use self::steps::{Marks, Steps};
pub use self::worktree::Reading;
use super::open::Opened;
use crate::app::ports::{Baseline, BaselineError, Clock, Process, Restored, Snapped};
use crate::domain::drift::{Change, Drift, Spot, Step, Verification};
use crate::domain::ids::SessionId;
use crate::domain::production::TargetPath;
use crate::domain::session::Session;
use crate::git::Repo;
use crate::git::object::{in_words, parsed};

/// What nobody can tell once other files are ignored than at first: their names would cost a walk through everything
/// that was ever built or downloaded.
const UNSEEN: &str = "what is ignored changed: files that were ignored when the session began are not in the baseline, \
    and one that is gone is not named, nor is a new one that is ignored by now";
/// How many files that were ignored before are noted by name.
const NOTED: usize = 20;
/// What said which files are ignored when the baseline was taken, beside it.
const IGNORING: &str = "ignoring";

/// Where the worktree is that a baseline is about.
#[derive(Clone, Debug)]
pub struct Site {
    git_dir: PathBuf,
    common_dir: PathBuf,
    worktree: Option<PathBuf>,
}

impl Site {
    /// The worktree that was opened.
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

/// The baselines of one worktree.
pub struct GitBaseline<'a> {
    /// Opened when it is needed: most requests only leave a mark, or not even that.
    repo: OnceCell<Repo>,
    open: Opener<'a>,
    git: Git<'a>,
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
        let git = Git { process, dir: site.git_dir, worktree: site.worktree };
        let own_refs = OwnRefs::of(site.common_dir.clone());
        Self { repo: OnceCell::new(), open, git, common_dir: site.common_dir, reading, own_refs, clock }
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
        self.git.dir.join("grill/baseline").join(id.as_str())
    }

    fn marks(&self) -> Marks {
        Marks::of(&self.git.dir, &self.common_dir)
    }

    fn settings(&self) -> Settings {
        gitdir::settings(&self.git.dir, &self.common_dir)
    }

    /// What says now which files are ignored.
    fn ignoring(&self) -> String {
        gitdir::ignoring(&self.common_dir, &self.reading.ignores)
    }

    /// Why a file that seems to be new may be one that was ignored when the baseline was taken. Noted once, then: what
    /// is expected of the configuration moves on with the session and its end.
    fn doubt(&self, id: &SessionId) -> Option<String> {
        const WHY: &str = "and it may have been ignored before";
        let Ok(then) = fs::read_to_string(self.notes(id).join(IGNORING)) else {
            return Some(format!("what was ignored is not known, {WHY}"));
        };
        let now = self.ignoring();
        let changed = now.lines().zip(then.lines()).find(|(now, then)| now != then);
        match changed.and_then(|(_, then)| then.split_once('\t')) {
            Some((_, path)) if path.ends_with("info/exclude") => Some(format!("info/exclude changed {WHY}")),
            Some((_, path)) => Some(format!("{path} changed {WHY}")),
            None if now == then => None,
            None => Some(format!("core.excludesFile changed {WHY}")),
        }
    }

    fn base(&self, id: &SessionId) -> Result<Kept, BaselineError> {
        Kept::read(self.repo()?, &baseline_ref(id))?.ok_or_else(|| BaselineError::None { id: id.to_string() })
    }

    /// What the repository looks like now, with every file of the baseline that is still there, ignored by now or not.
    fn now(&self, base: &Kept) -> Result<Snapshot, BaselineError> {
        let scene = self.scene()?;
        let snapshot = scene.take(&BTreeSet::new(), Some(base))?;
        let hidden = self.hidden(base, &snapshot)?;
        if hidden.is_empty() { Ok(snapshot) } else { scene.take(&hidden, Some(base)) }
    }

    /// Files of the baseline that are on the disk and that git does not list any more.
    fn hidden(&self, base: &Kept, now: &Snapshot) -> Result<BTreeSet<Vec<u8>>, BaselineError> {
        let (Some((_, tree)), Some(checkout), Some(folders)) = (base.trees, &now.checkout, self.scene()?.folders()?)
        else {
            return Ok(BTreeSet::new());
        };
        let gone = compare::differing(self.repo()?, tree, checkout.tree)?.into_iter().filter(|one| one.new.is_none());
        let paths = gone.map(|one| one.path).chain(base.record.unkept.keys().cloned());
        let known = &checkout.files;
        Ok(paths
            .filter(|path| !known.files.contains_key(path) && !known.unkept.contains_key(path))
            .filter(|path| {
                folders.look(path).is_ok_and(|found| found.is_some_and(|found| restore::has_content(&found)))
            })
            .collect())
    }

    fn drift(&self, id: &SessionId, base: &Kept, now: &Snapshot) -> Result<(Vec<Drift>, Vec<String>), BaselineError> {
        let folders = self.scene()?.folders()?;
        let notes = self.notes(id);
        let (mut drift, mut said) = Comparison {
            repo: self.repo()?,
            base,
            now,
            folders: folders.as_ref(),
            steps: &Steps::read(&steps::file(&notes)),
            marks: &self.marks(),
            others: &worktrees::Others::of(&self.common_dir, &self.git),
        }
        .run()?;
        let uncovered = uncovered::uncovered(&self.scene()?, base, now, &notes)?;
        let names: BTreeSet<String> = uncovered.iter().map(|path| git::quoted(path)).collect();
        drift.retain(|one| !matches!(&one.spot, Spot::File(name) if names.contains(name)));
        said.extend(names.iter().take(NOTED).map(|name| format!("{name} is not new: a rule that is gone ignored it")));
        if names.len() > NOTED {
            said.push(format!("{} more files are not new: rules that are gone ignored them", names.len() - NOTED));
        }
        if let Some(why) = self.doubt(id) {
            let new = |one: &&mut Drift| matches!(one.spot, Spot::File(_)) && one.change == Change::Added;
            for one in drift.iter_mut().filter(new) {
                one.stays.get_or_insert_with(|| why.clone());
            }
        }
        drift.extend(self.changed_settings(id));
        if drift.iter().any(|one| gitdir::says_what_is_ignored(&one.spot)) {
            said.push(UNSEEN.to_owned());
        }
        let unkept = base.record.unkept.keys().map(|path| git::quoted(path));
        said.extend(unkept.map(|path| format!("{path} is known by size and hash alone and could not be brought back")));
        Ok((drift, said))
    }

    fn changed_settings(&self, id: &SessionId) -> Vec<Drift> {
        let path = self.notes(id).join("settings");
        let Ok(expected) = fs::read_to_string(path) else {
            return Vec::new();
        };
        let expected: Settings = expected
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .map(|(print, name)| (name.to_owned(), print.to_owned()))
            .collect();
        let steps = Steps::read(&steps::file(&self.notes(id)));
        let found = self.settings();
        let names: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
        let changed = names.into_iter().filter_map(|name| {
            let change = match (expected.get(name), found.get(name)) {
                (old, new) if old == new => return None,
                (None, _) => Change::Added,
                (_, None) => Change::Deleted,
                (Some(_), Some(_)) => Change::Modified,
            };
            let own = self.git.dir.join(name);
            let path = if own.exists() { own } else { self.common_dir.join(name) };
            Some(Drift {
                stays: Some("git grill compares it and does not keep it".to_owned()),
                when: compare::modified(&path).map(|time| steps.around(time)).unwrap_or_default(),
                ..compare::plain(Spot::Setting(name.clone()), change)
            })
        });
        changed.collect()
    }

    /// Moves the baseline forward.
    fn advance(&self, id: &SessionId, from: &Kept, to: &Kept, why: &str) -> Result<(), BaselineError> {
        let new = to.write(self.repo()?, from.commit, &format!("baseline of {id}: {why}\n"), self.clock.now())?;
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
        let earlier = Kept::read(self.repo()?, &baseline_ref(id))?.and_then(|kept| kept.commit);
        if earlier.is_some() {
            let message = format!("baseline of {id}, taken anew\n");
            commit = Kept::at(self.repo()?, commit)?.write(self.repo()?, earlier, &message, self.clock.now())?;
        }
        let notes = self.notes(id);
        let io = |error| BaselineError::failed(DOING, error);
        fs::create_dir_all(&notes).map_err(io)?;
        fs::write(steps::file(&notes), "").map_err(io)?;
        fs::write(notes.join(IGNORING), self.ignoring()).map_err(io)?;
        steps::note(&steps::file(&notes), &Step { seq: 0, what: "the baseline".to_owned() }, &self.marks())
            .map_err(io)?;
        self.own_refs.set(self.repo()?, &baseline_ref(id), earlier, commit)
    }

    fn exists(&self, id: &SessionId) -> Result<bool, BaselineError> {
        match self.repo()?.tip(&baseline_ref(id)) {
            // One whose steps lie in another worktree is that worktree's.
            Ok(Some(_)) => Ok(self.notes(id).exists()),
            Ok(None) => Ok(false),
            Err(error) => Err(BaselineError::failed("looking for the baseline", error)),
        }
    }

    fn settle_settings(&self, id: &SessionId) -> Result<(), BaselineError> {
        let notes = self.notes(id);
        if !notes.exists() {
            return Ok(());
        }
        let text: String =
            self.settings().iter().map(|(name, print)| format!("{print}\t{name}\n")).collect::<Vec<_>>().concat();
        let failed = |error| BaselineError::failed("noting the configuration", error);
        let fresh = notes.join("settings.new");
        fs::write(&fresh, text).map_err(failed)?;
        fs::rename(fresh, notes.join("settings")).map_err(failed)
    }

    fn mark(&self, id: &SessionId, step: &Step) -> Result<(), BaselineError> {
        match steps::note(&steps::file(&self.notes(id)), step, &self.marks()) {
            Ok(()) => Ok(()),
            // A session without a baseline has no marks either.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(BaselineError::failed("noting the marks of this step", error)),
        }
    }

    fn expect_written(&self, id: &SessionId, path: &TargetPath, content: Option<&str>) -> Result<(), BaselineError> {
        let base = self.base(id)?;
        let (moved, what) = match content {
            Some(content) => (expect::written(&self.scene()?, &base, path, content)?, "written by git grill"),
            None => (expect::gone(&self.scene()?, &base, path)?, "taken away again"),
        };
        match moved {
            Some(moved) => self.advance(id, &base, &moved, &format!("{path} was {what}")),
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
        let base = self.base(&session.id)?;
        let now = self.now(&base)?;
        let (drift, notes) = self.drift(&session.id, &base, &now)?;
        Ok(Verification { at: self.clock.now(), total: drift.len(), drift, notes, expected: Vec::new() })
    }

    fn diff(&self, id: &SessionId) -> Result<String, BaselineError> {
        let base = self.base(id)?;
        let now = self.now(&base)?;
        let scene = self.scene()?;
        let stays = match self.doubt(id) {
            None => restore::Stays::These(uncovered::uncovered(&scene, &base, &now, &self.notes(id))?),
            Some(_) => restore::Stays::AllNew,
        };
        restore::diff(&scene, &base, &now, &stays)
    }

    fn restore(&self, id: &SessionId) -> Result<Restored, BaselineError> {
        self.own_refs.tidy(&own_folder(id));
        let base = self.base(id)?;
        let doubt = self.doubt(id);
        restore::Restoring { scene: self.scene()?, id, base: &base, doubt, at: self.clock.now() }
            .run(&|| self.now(&base))
    }

    fn forget(&self, id: &SessionId) -> Result<(), BaselineError> {
        self.own_refs.remove(self.repo()?, &baseline_ref(id))?;
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
