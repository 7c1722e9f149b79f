//! The repository that git would find from a folder, and whether it is the session's. A clone may hold other ones, bare
//! ones as plain files, and git runs what their configuration says as soon as it is called from within.

use std::path::{Path, PathBuf};

use crate::files::regular;
use crate::policy::surroundings::{Repository, Setting};
use crate::repo::config::own;

use super::{gitlinks, places};

/// How deep submodules of submodules are followed.
const DEPTH: usize = 8;
/// The hook that commands run which bring the index up to date, `git status` among them.
const HOOK: &str = "post-index-change";

/// What a path is called in a message.
type Shown<'s> = &'s dyn Fn(&Path) -> String;

/// What is known about the session's repository; every path with its links followed.
pub(super) struct Repositories {
    /// Its git directory, the one that worktrees share.
    pub own: Option<PathBuf>,
    /// The top of its working tree.
    pub top: Option<PathBuf>,
    pub home: Option<PathBuf>,
    /// What `GIT_DIR` says, which git takes instead of searching.
    pub named: Option<PathBuf>,
}

impl Repositories {
    /// What git would find from these folders, which are readings of one; the worst of it counts.
    pub(super) fn from(&self, folders: &[PathBuf], shown: Shown<'_>) -> Repository {
        let mut worst = Repository::Missing;
        for folder in folders {
            let found = match self.git_dir(folder) {
                Ok(None) => continue,
                Ok(Some(git_dir)) => self.at(&git_dir, shown),
                Err(why) => Repository::Unclear(why),
            };
            match found {
                Repository::Own { .. } => worst = found,
                Repository::Missing => {}
                Repository::Foreign(_) | Repository::Unclear(_) => return found,
            }
        }
        worst
    }

    /// The submodules that git looks into, as far as they are there.
    pub(super) fn submodules(&self, folders: &[PathBuf], shown: Shown<'_>) -> Vec<Repository> {
        let mut found = Vec::new();
        for folder in folders {
            match (self.git_dir(folder), &self.top) {
                (Ok(Some(git_dir)), Some(top)) => self.below(&git_dir, top, DEPTH, shown, &mut found),
                (Ok(_), _) => {}
                (Err(why), _) => found.push(Repository::Unclear(why)),
            }
        }
        found
    }

    fn below(&self, git_dir: &Path, top: &Path, depth: usize, shown: Shown<'_>, found: &mut Vec<Repository>) {
        let unclear = || Repository::Unclear(format!("cannot list the submodules in {}", shown(git_dir)));
        let said = own::settings(&[common(git_dir).join("config")], self.home.as_deref()).unwrap_or_default();
        let is_long = |setting: &own::OwnSetting| {
            setting.key == "extensions.objectformat" && setting.value.as_deref() == Some("sha256")
        };
        let Some(paths) = gitlinks::of(git_dir, if said.iter().any(is_long) { 32 } else { 20 }) else {
            found.push(unclear());
            return;
        };
        if !paths.is_empty() && depth == 0 {
            found.push(unclear());
            return;
        }
        for path in paths {
            let folder = top.join(path);
            match places::git_dir_of(&folder) {
                Ok(None) => {}
                Ok(Some(inner)) => {
                    found.push(self.settings(&inner, shown));
                    self.below(&inner, &folder, depth - 1, shown, found);
                }
                Err(_) => found.push(unclear()),
            }
        }
    }

    fn git_dir(&self, folder: &Path) -> Result<Option<PathBuf>, String> {
        if let Some(named) = &self.named {
            return Ok(Some(folder.join(named)));
        }
        for folder in folder.ancestors() {
            let found = places::git_dir_of(folder).map_err(|places::Unclear(why)| why)?;
            if found.is_some() {
                return Ok(found);
            }
            if places::is_bare(folder).map_err(|places::Unclear(why)| why)? {
                return Ok(Some(folder.to_owned()));
            }
        }
        Ok(None)
    }

    fn at(&self, git_dir: &Path, shown: Shown<'_>) -> Repository {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_own = |path: &Path| self.own.as_deref().is_some_and(|own| real(path).starts_with(own));
        if is_own(git_dir) && is_own(&common(git_dir)) {
            self.settings(git_dir, shown)
        } else {
            Repository::Foreign(shown(&real(git_dir)))
        }
    }

    fn settings(&self, git_dir: &Path, shown: Shown<'_>) -> Repository {
        let common = common(git_dir);
        let files = [common.join("config"), git_dir.join("config.worktree")];
        let settings = match own::settings(&files, self.home.as_deref()) {
            Ok(settings) => settings,
            Err(why) => return Repository::Unclear(why),
        };
        let said = settings.iter().rev().find(|setting| setting.key == "core.hookspath");
        let folder = match said.and_then(|setting| setting.value.as_deref()) {
            None => common.join("hooks"),
            Some(path) => match (path.strip_prefix("~/"), &self.home) {
                (Some(rest), Some(home)) => home.join(rest),
                // git reads it from the top of the working tree.
                (_, _) => self.top.clone().unwrap_or_else(|| git_dir.to_owned()).join(path),
            },
        };
        let hook = folder.join(HOOK);
        Repository::Own {
            hooks: hook.exists().then(|| shown(&hook)).into_iter().collect(),
            settings: settings
                .into_iter()
                .map(|setting| Setting { key: setting.key, value: setting.value, file: shown(&setting.file) })
                .collect(),
        }
    }
}

/// The git directory that all worktrees share.
fn common(git_dir: &Path) -> PathBuf {
    match regular::text(git_dir.join("commondir"), regular::SHORT) {
        Ok(path) => git_dir.join(path.trim_end_matches(['\n', '\r'])),
        Err(_) => git_dir.to_owned(),
    }
}
