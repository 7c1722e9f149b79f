//! The trial: real git is asked to do what must be refused, in a way that changes nothing even if it is not. A
//! transaction is prepared, which takes the locks and asks the hooks, and then given up.

use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

use super::error::FenceError;
use super::locks::current_ref;
use crate::app::ports::Process;
use crate::files::patience::Patience;
use crate::git::Git;
use crate::hooks::{HookError, Lock, Place, remove_if_there};

/// A branch that nobody has; it is never made.
const NOBODY: &str = "refs/heads/git-grill-trial";

/// What git says where another one holds, or just held, the one lock of all refs in a reftable repository.
const IN_THE_WAY: [&str; 2] = ["cannot lock references", "data concurrently modified"];
/// How long that is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    Refused,
    LetThrough,
    /// git failed for a reason of its own; these are its words.
    Failed(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// A new branch, which the hooks have to refuse.
    Hooks,
    /// The checked-out branch with hooks switched off, which the fence has to refuse.
    Fence,
}

/// The lock that a killed trial left, if there is one.
pub fn trial_left(place: &Place) -> Option<PathBuf> {
    Some(place.common_dir.join(format!("{NOBODY}.lock"))).filter(|path| path.is_file())
}

/// Takes away the lock that a trial leaves when it is killed. Nobody else has a ref of that name.
pub fn sweep(place: &Place) -> Result<(), FenceError> {
    Ok(remove_if_there(&place.common_dir.join(format!("{NOBODY}.lock")))?)
}

/// Tries one layer; `commit` is any commit of the repository.
pub fn trial(place: &Place, layer: Layer, commit: &str, process: &dyn Process) -> Result<Trial, FenceError> {
    // One command's `git -c` is not how the worktree stands.
    let mut git = Git::new(["update-ref", "--stdin"]).of(&place.git_dir).within(&place.root);
    git = git.without("GIT_CONFIG_PARAMETERS");
    let mut script = b"start\n".to_vec();
    match layer {
        Layer::Hooks => script.extend(format!("create {NOBODY} {commit}\n").bytes()),
        Layer::Fence => {
            git = git.silent();
            let name = current_ref(&place.git_dir)?.unwrap_or_else(|| "HEAD".into());
            script.extend(b"option no-deref\nupdate ");
            script.extend([name.as_os_str().as_bytes(), b" ", commit.as_bytes(), b"\n"].concat());
        }
    }
    script.extend(b"prepare\nabort\n");
    let run = git.fed(script).prepared();
    // One trial at a time, so that a lock at that name is one that a killed trial left.
    let _lock = Lock::at(place, place.fence_lock_file())?;
    sweep(place)?;
    let mut patience = Patience::begin();
    let (ran, said) = loop {
        let ran = process.run(&run).map_err(|error| {
            FenceError::Shared(HookError::Git { command: "git update-ref --stdin".to_owned(), said: error.to_string() })
        })?;
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        if patience.is_over(PATIENCE) || !IN_THE_WAY.iter().any(|words| said.contains(words)) {
            break (ran, said);
        }
        patience.rest();
    };
    let refused = match layer {
        Layer::Hooks => said.contains("git grill:"),
        Layer::Fence => said.contains(".lock'"),
    };
    Ok(match ran.code {
        0 => Trial::LetThrough,
        _ if refused => Trial::Refused,
        _ => Trial::Failed(said.trim().to_owned()),
    })
}
