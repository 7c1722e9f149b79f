//! Where programs are looked for: never in the repository, so that a clone cannot bring a `gh` or a `git` of its own.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The folders of a `PATH` that has none left. An empty one would be the current folder.
const SYSTEM: &str = "/usr/bin:/bin";

/// The `PATH` of a program that is started in `dir`, or where we are: ours, without the entries that are relative or empty,
/// and without those inside the working tree. The program itself is looked for there, and so is whatever it starts.
#[expect(clippy::disallowed_methods, reason = "beside the one place that spawns programs, for every run of it")]
pub(super) fn path(dir: Option<&Path>) -> OsString {
    let here = std::env::current_dir().ok();
    let mut tops: Vec<PathBuf> = here.as_deref().into_iter().chain(dir).filter_map(top).collect();
    tops.extend(std::env::var_os("GIT_WORK_TREE").and_then(|top| Path::new(&top).canonicalize().ok()));
    without(&std::env::var_os("PATH").unwrap_or_default(), &tops)
}

/// The top of the working tree around a folder.
fn top(folder: &Path) -> Option<PathBuf> {
    let real = folder.canonicalize().ok()?;
    real.ancestors().find(|above| above.join(".git").symlink_metadata().is_ok()).map(Path::to_owned)
}

fn without(path: &OsStr, tops: &[PathBuf]) -> OsString {
    let is_inside = |folder: &Path| {
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        tops.iter().any(|top| real.starts_with(top))
    };
    let kept = std::env::split_paths(path).filter(|folder| folder.is_absolute() && !is_inside(folder));
    std::env::join_paths(kept).ok().filter(|kept| !kept.is_empty()).unwrap_or_else(|| SYSTEM.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p3_only_absolute_folders_outside_of_the_repository_are_searched() {
        for (path, expected) in [
            ("/none/a:/none/b", "/none/a:/none/b"),
            (".:/none/a", "/none/a"),
            (":/none/a::bin:", "/none/a"),
            ("/none/clone/bin:/none/clone:/none/a", "/none/a"),
            ("/none/clone-tools/bin", "/none/clone-tools/bin"),
            (".", SYSTEM),
            ("", SYSTEM),
        ] {
            assert_eq!(without(OsStr::new(path), &["/none/clone".into()]), OsStr::new(expected), "{path}");
        }
    }
}
