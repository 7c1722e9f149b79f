//! What a run may write in the output phase: the approved paths, and nothing beside them. A file can be opened for
//! writing only where there is one, so for a path that has none an empty one stands there while the run lasts.

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::app::error::AppError;
use crate::domain::danger::is_program;
use crate::domain::production::{Production, TargetPath};
use crate::domain::session::Phase;
use crate::files::regular;
use crate::repo::open::Opened;
use crate::store::posture::posture_source;
use crate::store::writers::Writing;

use super::super::failure::failed;
use super::scratch::Scratch;

/// The approved paths of a run; dropping it takes away what was made and stayed empty.
pub(super) struct Approved {
    pub(super) paths: Vec<PathBuf>,
    /// What is approved and stays read-only, with the reason.
    pub(super) withheld: Vec<(PathBuf, &'static str)>,
    list: PathBuf,
    /// Held while something may be written: the output phase is not left meanwhile.
    writing: Option<Writing>,
}

impl Approved {
    pub(super) fn nothing(scratch: &Scratch) -> Self {
        Self { paths: Vec::new(), withheld: Vec::new(), list: scratch.made(), writing: None }
    }

    /// What the session's phase lets a run write. A session that cannot be read approves nothing.
    pub(super) fn prepare(opened: &Opened, scratch: &Scratch) -> Result<Self, AppError> {
        let nothing = || Self::nothing(scratch);
        let (Some(root), Ok(Some((Phase::Production(_), id)))) = (&opened.worktree, posture_source(&opened.repo))
        else {
            return Ok(nothing());
        };
        let writing = Writing::begin(&opened.common_dir, &id)?;
        // From here on the phase lasts; before, it may have been left.
        let Ok(Some((Phase::Production(production), now))) = posture_source(&opened.repo) else {
            return Ok(nothing());
        };
        if now != id {
            return Ok(nothing());
        }
        let root = root.canonicalize().unwrap_or_else(|_| root.clone());
        let mut approved = Self::of(&root, &production, scratch.made())?;
        approved.writing = Some(writing).filter(|_| !approved.paths.is_empty());
        Ok(approved)
    }

    /// The lock that every process holds for which the run goes on.
    pub(super) fn lock(&self) -> Option<&Path> {
        self.writing.as_ref().map(Writing::path)
    }

    fn of(root: &Path, production: &Production, list: PathBuf) -> Result<Self, AppError> {
        let mut approved = Self { paths: Vec::new(), withheld: Vec::new(), list, writing: None };
        for path in production.open_files() {
            approved
                .take(root, production, path)
                .map_err(|error| failed("io", &format!("{path} could not be made ready for the run"), &error, None))?;
        }
        Ok(approved)
    }

    fn take(&mut self, root: &Path, production: &Production, target: &TargetPath) -> io::Result<()> {
        let path = root.join(target.as_str());
        if leads_astray(root, &path) {
            self.withheld.push((path, "a symlink leads there"));
            return Ok(());
        }
        match fs::symlink_metadata(&path) {
            Ok(about) if about.is_file() && is_program(target, about.permissions().mode()) => {
                self.withheld.push((path, "it is a program"));
            }
            Ok(about) if about.is_file() => self.paths.push(path),
            Ok(_) => self.withheld.push((path, "it is no ordinary file")),
            // We write it ourselves once it is approved, and would find a file that nobody was shown.
            Err(_) if production.file(target).is_some() => {
                self.withheld.push((path, "its draft is written outside of the run"));
            }
            Err(_) => {
                let folders: Vec<&Path> = path.ancestors().skip(1).take_while(|folder| *folder != root).collect();
                for folder in folders.into_iter().rev().filter(|folder| !folder.exists()) {
                    self.note(folder)?;
                    fs::create_dir(folder)?;
                }
                self.note(&path)?;
                OpenOptions::new().write(true).create_new(true).open(&path)?;
                self.paths.push(path);
            }
        }
        Ok(())
    }

    /// Notes what is about to be made, so that a killed run can be cleared up after.
    fn note(&self, path: &Path) -> io::Result<()> {
        let mut list = regular::made_at_its_end(&self.list)?;
        list.write_all(path.as_os_str().as_bytes())?;
        list.write_all(b"\0")
    }
}

impl Drop for Approved {
    fn drop(&mut self) {
        unmake(&self.list);
    }
}

/// Whether a symlink stands anywhere on the way.
fn leads_astray(root: &Path, path: &Path) -> bool {
    path.ancestors()
        .take_while(|part| *part != root)
        .any(|part| fs::symlink_metadata(part).is_ok_and(|about| about.is_symlink()))
}

/// Takes away what was made for a run and stayed empty, the last first.
pub(super) fn unmake(list: &Path) {
    let Ok(list) = regular::bytes(list, regular::LONG) else {
        return;
    };
    for path in list.split(|byte| *byte == 0).filter(|path| !path.is_empty()).rev() {
        let path = Path::new(OsStr::from_bytes(path));
        let Ok(about) = fs::symlink_metadata(path) else {
            continue;
        };
        // A folder goes only when it is empty, by its nature.
        if about.is_dir() {
            let _ = fs::remove_dir(path);
        } else if about.is_file()
            && regular::open(path).and_then(|file| file.metadata()).is_ok_and(|about| about.len() == 0)
        {
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::actor::Actor;
    use crate::domain::production::{Plan, PlannedOutput};

    fn production(paths: &[&str]) -> Production {
        let output = PlannedOutput {
            destination: "design-doc".parse().unwrap(),
            strategy: "vertical-slices".parse().unwrap(),
            paths: paths.iter().map(|path| TargetPath::parse(path).unwrap()).collect(),
            tracker: None,
        };
        Production {
            plan: Plan { outputs: vec![output], prose: None, permitted: Vec::new() },
            selected_by: Actor::Human,
            round: 1,
            drafts: Vec::new(),
            stood: Vec::new(),
        }
    }

    #[test]
    fn what_is_not_there_stands_there_empty_and_goes_again_unless_it_was_written() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let list = root.join("list");
        fs::write(root.join("there.md"), "x").unwrap();
        let production = production(&["docs/a/new.md", "docs/b/other.md", "there.md"]);
        let approved = Approved::of(&root, &production, list.clone()).unwrap();
        assert_eq!(approved.paths, ["docs/a/new.md", "docs/b/other.md", "there.md"].map(|path| root.join(path)));
        assert_eq!(fs::read(root.join("docs/a/new.md")).unwrap(), b"");
        fs::write(root.join("docs/b/other.md"), "written").unwrap();
        drop(approved);
        assert!(!root.join("docs/a").exists());
        assert_eq!(fs::read(root.join("docs/b/other.md")).unwrap(), b"written");
        assert_eq!(fs::read(root.join("there.md")).unwrap(), b"x");
        // As after a crash, once more and with what is not there.
        unmake(&list);
        unmake(&root.join("no list"));
        assert!(root.join("docs/b/other.md").exists());
    }

    #[test]
    fn links_folders_and_programs_are_not_opened() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("real/folder")).unwrap();
        std::os::unix::fs::symlink("real", root.join("docs")).unwrap();
        std::os::unix::fs::symlink("absent", root.join("loose.md")).unwrap();
        fs::write(root.join("real/run"), "#!/bin/sh\n").unwrap();
        fs::set_permissions(root.join("real/run"), fs::Permissions::from_mode(0o755)).unwrap();
        let production = production(&["docs/new.md", "real/folder", "loose.md", "real/run"]);
        let approved = Approved::of(&root, &production, root.join("list")).unwrap();
        assert_eq!(approved.paths, Vec::<PathBuf>::new());
        assert_eq!(approved.withheld.len(), 4);
        assert!(!root.join("real/new.md").exists() && !root.join("absent").exists());
    }
}
