//! Repositories that are prepared once and copied for each test: four processes of git less for each of a thousand worlds.
//!
//! A recipe is a shell line with its variables. What it makes is kept below `target/tmp`, under a name that follows from
//! the recipe and from git's version, so that nobody gets what an older recipe made.

use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What is on the disk in this form; another form begins anew.
const FORM: u32 = 1;

/// How a repository is made: a shell line in an empty folder, and what it finds in its environment beside `PATH`, without
/// any configuration of git. The line names no place but that folder, and nothing that it leaves does.
pub struct Recipe<'a, V> {
    pub line: &'a str,
    pub variables: &'a [(&'a str, V)],
}

impl<V: AsRef<OsStr>> Recipe<'_, V> {
    /// Fills an empty folder with a copy of what this makes, and has the index agree with the files that are there now.
    pub fn fill(&self, folder: &Path) {
        let kept = self.kept();
        if !kept.exists() {
            self.keep(&kept);
        }
        copy(&kept, folder);
        if folder.join(".git/index").exists() {
            // The same files have other numbers here; a command that only looks would find each changed until it is read.
            self.runs(folder, &["git", "update-index", "-q", "--refresh"]);
        }
    }

    fn kept(&self) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        (FORM, version(), self.line).hash(&mut hasher);
        for (name, value) in self.variables {
            (name, value.as_ref().as_bytes()).hash(&mut hasher);
        }
        templates().join(format!("{:016x}", hasher.finish()))
    }

    /// Makes it in a folder of its own, and gives it its name in one step: other tests may be making the same.
    fn keep(&self, kept: &Path) {
        fs::create_dir_all(templates()).unwrap();
        let made = tempfile::Builder::new().prefix("making-").tempdir_in(templates()).unwrap();
        let repository = made.path().join("repository");
        fs::create_dir(&repository).unwrap();
        self.runs(&repository, &["sh", "-c", self.line]);
        match fs::rename(&repository, kept) {
            Err(error) if !matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists) => {
                panic!("{}: {error}", kept.display())
            }
            Ok(()) | Err(_) => {}
        }
    }

    fn runs(&self, folder: &Path, words: &[&str]) {
        let variables = self.variables.iter().map(|(name, value)| (name, value.as_ref()));
        let mut command = Command::new(super::in_path(words[0]));
        command.args(&words[1..]).current_dir(folder).env_clear().envs(variables);
        command.envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")]);
        let ran = command.env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap();
        assert!(ran.status.success(), "{words:?}: {}", String::from_utf8_lossy(&ran.stderr));
    }
}

/// The folder of all that is kept.
fn templates() -> &'static Path {
    Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/templates"))
}

/// What the git in PATH says of itself: another one makes other repositories.
fn version() -> &'static str {
    static SAID: OnceLock<String> = OnceLock::new();
    SAID.get_or_init(|| {
        let ran = Command::new("git").arg("version").output().expect("git is needed");
        String::from_utf8(ran.stdout).unwrap()
    })
}

/// Copies what is in a folder, with modes and with the times of the files: git compares those with its index.
fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        let about = fs::symlink_metadata(&from).unwrap();
        assert!(about.is_dir() || about.is_file(), "{}", from.display());
        if about.is_dir() {
            fs::create_dir(&to).unwrap();
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).unwrap();
            // Whoever may not write a file may still say how old it is.
            fs::File::open(&to).unwrap().set_modified(about.modified().unwrap()).unwrap();
        }
    }
}
