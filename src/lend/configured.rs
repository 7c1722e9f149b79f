//! Which files of the working tree git itself runs, by its configuration and by the hooks that are there: a commit would run
//! them as the agent left them (A16).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::error::LendError;
use super::own_git::os;
use super::parent::Parent;
use crate::files::folders::upwards;
use crate::files::regular;
use crate::git::configured::{entries, words};
use crate::git::paths::pieces;

const DOING: &str = "reading what git runs";
/// The most hooks of a folder that are looked at.
const MOST: usize = 200;
/// The most words of all of them.
const MOST_WORDS: usize = 20_000;
/// How many symlinks are followed.
const LINKS: usize = 16;
/// What git runs from the folder of its hooks, in a repository with a working tree (githooks(5)).
const HOOKS: [&str; 17] = [
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "prepare-commit-msg",
    "reference-transaction",
];

/// What git's configuration and the hooks say of programs in the working tree.
#[derive(Debug, Default)]
pub(super) struct Configured {
    /// Words that may be the path of one, as they are written.
    words: BTreeSet<Vec<u8>>,
    /// The files that such words lead to, and the hooks, by their real path below the top.
    files: BTreeSet<Vec<u8>>,
    /// The folders that may be that of the hooks, where they are in the working tree; the top is an empty name.
    hooks: Vec<Vec<u8>>,
}

impl Configured {
    pub(super) fn of(parent: &Parent<'_>) -> Result<Self, LendError> {
        let values = parent.ask(DOING, &["config", "-z", "--list"])?;
        // Not what git itself takes, which is ours while it is asked here: every value counts, as a path below the top.
        let asked = parent.git(["config", "-z", "--type=path", "--get-all", "core.hooksPath"]);
        let set = asked.ask_whether(parent.process).map_err(|error| LendError::failed(DOING, error))?;
        let set = set.unwrap_or_default();
        let top = parent.top.canonicalize().map_err(|error| LendError::failed(DOING, error))?;
        let folders = pieces(&set).map(|path| parent.top.join(os(path)));
        let folders: Vec<PathBuf> = folders.chain([parent.common_dir.join("hooks")]).collect();
        let mut found = Self::default();
        for (_, value) in entries(&values) {
            found.take_words(value);
        }
        for folder in folders {
            found.take_hooks(&top, &folder);
        }
        let named = found.words.iter().filter_map(|word| below(&top, &top.join(os(word))));
        let named: Vec<Vec<u8>> = named.collect();
        found.files.extend(named);
        Ok(found)
    }

    fn take_words(&mut self, text: &[u8]) {
        let plain = words(text).map(|word| word.strip_prefix(b"./").unwrap_or(word).to_vec());
        self.words.extend(plain.take(MOST_WORDS.saturating_sub(self.words.len())));
    }

    fn take_hooks(&mut self, top: &Path, folder: &Path) {
        self.hooks.extend(below(top, folder));
        // What husky puts there runs the file of the same name one folder up.
        if folder.file_name().is_some_and(|name| name == "_") {
            self.hooks.extend(folder.parent().and_then(|above| below(top, above)));
        }
        for entry in fs::read_dir(folder).into_iter().flatten().flatten().take(MOST) {
            let path = entry.path();
            if path.extension().is_some_and(|end| end == "sample") {
                continue;
            }
            self.files.extend(below(top, &path));
            if let Ok(text) = regular::bytes(&path, regular::SHORT) {
                self.take_words(&text);
            }
        }
    }

    /// Whether git may run a file, by its path in a value or in a hook, or by its folder.
    pub(super) fn runs(&self, path: &[u8]) -> bool {
        let is_hook = self.hooks.iter().any(|hooks| match hooks.as_slice() {
            b"" => HOOKS.iter().any(|hook| hook.as_bytes() == path),
            hooks => upwards(path).any(|above| above == hooks),
        });
        let is_named =
            |word: &Vec<u8>| word == path || word.strip_suffix(path).is_some_and(|before| before.ends_with(b"/"));
        is_hook || self.files.contains(path) || self.words.iter().any(is_named)
    }
}

/// A path below the top, whatever symlinks lead there and whether it is there yet; none where it lies elsewhere.
fn below(top: &Path, path: &Path) -> Option<Vec<u8>> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(to) = fs::read_link(&path) else { break };
        path = path.parent()?.join(to);
    }
    // What is not there yet has no real path: the part above it has.
    let there = path.ancestors().find(|above| above.exists())?;
    let real = there.canonicalize().ok()?.join(path.strip_prefix(there).ok()?);
    Some(real.strip_prefix(top).ok()?.as_os_str().as_encoded_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a16_what_git_s_configuration_names_is_what_git_runs() {
        let mut configured = Configured { hooks: vec![b".githooks".to_vec()], ..Configured::default() };
        for value in ["./tools/clean --fast", "!sh -c 'x=tools/t.sh; run'", "src", "/r/top/b", "!tools/alias"] {
            configured.take_words(value.as_bytes());
        }
        for (path, expected) in [
            ("tools/clean", true),
            ("tools/t.sh", true),
            ("tools/alias", true),
            ("top/b", true),
            (".githooks/pre-commit", true),
            ("tools/clean2", false),
            ("clean", true),
            ("ools/clean", false),
            ("src/a", false),
            ("filter.x.clean", false),
        ] {
            assert_eq!(configured.runs(path.as_bytes()), expected, "{path}");
        }
        assert!(!Configured::default().runs(b"a"));
        let top = Configured { hooks: vec![Vec::new()], ..Configured::default() };
        assert!(top.runs(b"pre-commit") && !top.runs(b"notes.txt") && !top.runs(b"src/pre-commit"));
    }

    #[test]
    fn a16_hooks_are_what_they_lead_to_and_what_they_run() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        for folder in ["hooks", "real", ".husky/_"] {
            fs::create_dir_all(top.join(folder)).unwrap();
        }
        symlink("real", top.join("link")).unwrap();
        symlink("../link/pre-commit", top.join("hooks/pre-commit")).unwrap();
        fs::write(top.join("hooks/post-commit"), ". lib/h.sh\n").unwrap();
        let mut configured = Configured::default();
        configured.take_hooks(&top, &top.join("hooks"));
        configured.take_hooks(&top, &top.join(".husky/_"));
        for (path, expected) in [
            ("real/pre-commit", true),
            ("lib/h.sh", true),
            ("hooks/any", true),
            (".husky/pre-commit", true),
            ("real/other", false),
        ] {
            assert_eq!(configured.runs(path.as_bytes()), expected, "{path}");
        }
        assert_eq!(below(&top, Path::new("/")), None);
        assert_eq!(below(&top, &top.join("link/new/file")).as_deref(), Some(b"real/new/file".as_slice()));
    }
}
