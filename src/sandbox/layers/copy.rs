//! A private copy of an agent's folder, for where no layer can be put over it: settings and credentials, the files that
//! are small and near the top. Links stay links.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The largest file that is copied; databases and logs are larger.
const LARGEST: u64 = 1024 * 1024;
/// How deep folders are looked into.
const DEEPEST: usize = 4;
/// How many files are copied.
const MOST: usize = 2000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    Whole,
    /// Some files were too large, too deep or too many.
    Partly,
}

/// Copies what is small and near the top of `folder` into `to`, and the files `beside` it.
pub fn settings(folder: &Path, beside: &[PathBuf], to: &Path) -> io::Result<Copied> {
    let mut copied = Copied::Whole;
    let mut files = 0;
    let mut folders = VecDeque::from([(folder.to_owned(), to.to_owned(), 1)]);
    while let Some((from, to, depth)) = folders.pop_front() {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let (from, to) = (entry.path(), to.join(entry.file_name()));
            let about = entry.metadata()?;
            if about.is_dir() && depth < DEEPEST {
                fs::create_dir_all(&to)?;
                folders.push_back((from, to, depth + 1));
            } else if about.is_symlink() {
                // One that leads nowhere has nothing to be read.
                let _ = from.canonicalize().and_then(|real| symlink(real, to));
            } else if about.is_file() && about.len() <= LARGEST && files < MOST {
                fs::copy(from, to)?;
                files += 1;
            } else if about.is_file() || about.is_dir() {
                copied = Copied::Partly;
            }
        }
    }
    for file in beside {
        if let (Some(name), true) = (file.file_name(), file.is_file()) {
            fs::copy(file, to.join(name))?;
        }
    }
    Ok(copied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_copied_and_what_is_large_or_deep_is_not() {
        let temp = tempfile::tempdir().unwrap();
        let (from, to) = (temp.path().join("from"), temp.path().join("to"));
        fs::create_dir_all(from.join("a/b/c/d")).unwrap();
        fs::create_dir(&to).unwrap();
        fs::write(from.join("config.toml"), "x").unwrap();
        fs::write(from.join("a/b/c/skill"), "x").unwrap();
        symlink("config.toml", from.join("link")).unwrap();
        symlink("nowhere", from.join("loose")).unwrap();
        fs::write(temp.path().join("beside.json"), "{}").unwrap();
        let beside = [temp.path().join("beside.json"), temp.path().join("absent.json")];
        assert_eq!(settings(&from, &beside, &to).unwrap(), Copied::Partly);
        for path in ["config.toml", "a/b/c/skill", "link", "beside.json"] {
            assert!(to.join(path).is_file(), "{path}");
        }
        fs::remove_dir_all(from.join("a")).unwrap();
        fs::remove_dir_all(&to).unwrap();
        fs::create_dir(&to).unwrap();
        assert_eq!(settings(&from, &[], &to).unwrap(), Copied::Whole);
        fs::File::create(from.join("log")).unwrap().set_len(LARGEST + 1).unwrap();
        assert_eq!(settings(&from, &[], &to).unwrap(), Copied::Partly);
        assert!(!to.join("log").exists());
    }
}
