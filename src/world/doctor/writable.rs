//! Whether the git directory can be written. It is asked, not tried: looking writes nothing.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use rustix::io::Errno;

use crate::app::error::AppError;
use crate::app::ports::{Code, Finding, Severity};

use super::super::guardian::HookProtection;
use super::{Section, shell_word};

/// What is written below the directory that all worktrees share. Objects come on top, one folder for each beginning.
const FOLDERS: [&str; 9] = [
    "refs",
    "refs/heads",
    "refs/grill",
    "refs/grill/sessions",
    "logs",
    "logs/refs/grill/sessions",
    "objects/pack",
    "reftable",
    "grill",
];

/// The folders that git and git grill write in.
pub(super) struct Writable<'a> {
    pub guardian: &'a HookProtection<'a>,
}

impl Section for Writable<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let place = &self.guardian.place;
        let mut closed = folders(&place.common_dir, &place.git_dir).into_iter().filter_map(|folder| {
            let error = access(&folder, Access::WRITE_OK | Access::EXEC_OK).err()?;
            matches!(error, Errno::ACCESS | Errno::PERM | Errno::ROFS).then_some((folder, error))
        });
        let first = closed.next();
        let more = closed.count();
        Ok(first.map(|(folder, error)| of_folder(&folder, more, error, &place.common_dir)).into_iter().collect())
    }

    fn look(&self) -> String {
        format!("ls -la {}", shell_word(&self.guardian.place.common_dir))
    }
}

fn folders(common: &Path, git_dir: &Path) -> BTreeSet<PathBuf> {
    let objects = common.join("objects");
    let fan_out = fs::read_dir(&objects).into_iter().flatten().flatten().map(|entry| entry.path());
    let fan_out: Vec<PathBuf> = fan_out.filter(|path| path.file_name().is_some_and(|name| name.len() == 2)).collect();
    let named = FOLDERS.iter().map(|name| common.join(name));
    let all = [common.to_owned(), git_dir.to_owned(), objects].into_iter().chain(named).chain(fan_out);
    all.filter(|path| path.is_dir()).collect()
}

fn of_folder(folder: &Path, more: usize, error: Errno, common: &Path) -> Finding {
    let others = if more == 0 { String::new() } else { format!(" and {more} more") };
    let what = format!("{}{others} cannot be written: {error}", folder.display());
    let why = "git cannot commit, and nothing of a session can be recorded";
    let finding = |why: &str| Finding::new(Code::NotWritable, Severity::Error, what.clone(), why);
    let all = shell_word(common);
    if error == Errno::ROFS {
        let why = format!("{why}, until the file system there is mounted for writing");
        return finding(&why).shown_by(format!("df {}", shell_word(folder)));
    }
    let ours = folder.metadata().is_ok_and(|about| about.uid() == rustix::process::geteuid().as_raw());
    if ours {
        return finding(why).typed([format!("find {all} -type d -exec chmod u+rwx {{}} \\;")]);
    }
    let why = format!("{why}; it belongs to another user, often because git ran once with sudo");
    finding(&why).typed([format!("sudo chown -R \"$(id -u):$(id -g)\" {all}")])
}
