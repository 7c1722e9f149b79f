//! What a repository holds, file by file, so that before and after can be compared.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// Paths with what stands there: a file's bytes, a link's target, nothing for a folder.
pub type Traces = BTreeMap<PathBuf, Vec<u8>>;

/// Every file below `root`, `.git` included.
pub fn everything(root: &Path) -> Traces {
    let mut found = Traces::new();
    collect(root, root, &mut found);
    found
}

/// Everything that must be as before once a session has ended. What stays on purpose is left out: the history itself
/// (`refs/grill` with its reflogs, and objects), and the empty lock file beside it.
pub fn lasting(root: &Path) -> Traces {
    let mut found = everything(root);
    let is_bare = root.join("HEAD").exists();
    found.retain(|path, _| !if is_bare { stays(&Path::new(".git").join(path)) } else { stays(path) });
    found
}

/// The same for a session that was left unfinished: its baseline stays, since nobody could say that nothing drifted.
pub fn unfinished(root: &Path) -> Traces {
    let mut found = lasting(root);
    found.retain(|path, _| !path.starts_with(".git/grill/baseline"));
    found
}

/// Whether a path below a repository stays on purpose once its session has ended.
pub fn stays(path: &Path) -> bool {
    let Ok(inside) = path.strip_prefix(".git") else {
        return false;
    };
    // Git's own, whether a commit was refused or not.
    if ["COMMIT_EDITMSG", "ORIG_HEAD", "index"].iter().any(|name| inside.ends_with(name)) {
        return true;
    }
    let history = ["objects", "refs/grill", "logs/refs/grill"].iter().any(|start| inside.starts_with(start));
    // A first reflog makes these folders, as any git command would.
    let parents = ["logs", "logs/refs", "grill"].iter().any(|folder| inside == Path::new(folder));
    // Copies of the newest commits stay for a day.
    let copies = inside.starts_with("grill/copies");
    let lock = inside.starts_with("grill") && inside.extension().is_some_and(|extension| extension == "lock");
    history || parents || lock || copies
}

fn collect(root: &Path, dir: &Path, found: &mut Traces) {
    for entry in dir.read_dir().unwrap_or_else(|error| panic!("{}: {error}", dir.display())) {
        let path = entry.unwrap().path();
        let kind = path.symlink_metadata().unwrap().file_type();
        let content = if kind.is_symlink() {
            path.read_link().unwrap().as_os_str().as_bytes().to_vec()
        } else if kind.is_dir() {
            collect(root, &path, found);
            Vec::new()
        } else if kind.is_socket() {
            Vec::new()
        } else {
            std::fs::read(&path).unwrap()
        };
        found.insert(path.strip_prefix(root).unwrap().to_owned(), content);
    }
}

/// Compares by name first, since contents are long.
#[track_caller]
pub fn assert_same(before: &Traces, after: &Traces, when: &str) {
    let differing = |one: &Traces, other: &Traces| -> Vec<PathBuf> {
        one.iter().filter(|(path, content)| other.get(*path) != Some(content)).map(|(path, _)| path.clone()).collect()
    };
    let (gone, new) = (differing(before, after), differing(after, before));
    assert!(gone.is_empty() && new.is_empty(), "{when}: gone or changed {gone:?}, new or changed {new:?}");
}

#[test]
fn a_changed_byte_a_new_file_and_a_lost_one_are_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        std::fs::create_dir_all(dir.path().join(name).parent().unwrap()).unwrap();
        std::fs::write(dir.path().join(name), text).unwrap();
    };
    for name in [".git/config", ".git/objects/x", ".git/refs/grill/sessions/s", ".git/grill/s.lock"] {
        write(name, "1");
    }
    let before = lasting(dir.path());
    for name in [".git/objects/y", ".git/refs/grill/sessions/t", ".git/grill/t.lock"] {
        write(name, "2");
    }
    assert_same(&before, &lasting(dir.path()), "what stays on purpose");
    for name in [".git/config", ".git/hooks/pre-push", ".git/grill/armed", ".grill/status", ".git/GRILL_HEAD"] {
        let whole = lasting(dir.path());
        write(name, "3");
        let compared = std::panic::catch_unwind(|| assert_same(&whole, &lasting(dir.path()), name));
        assert!(compared.is_err(), "{name}");
    }
}
