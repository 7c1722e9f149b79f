//! The trial: real git is asked to do what must be refused, in a way that changes nothing even if it is not. A
//! transaction is prepared, which takes the locks and asks the hooks, and then given up.

use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use super::error::FenceError;
use super::locks::current_ref;
use crate::app::ports::{Process, Run};
use crate::hooks::{GUARDED, HookError, Lock, Place, remove_if_there};

/// A branch that nobody has; it is never made.
const NOBODY: &str = "refs/heads/git-grill-trial";

/// How a trial ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    /// git refused.
    Refused,
    /// git would have let the change through.
    LetThrough,
    /// git failed for a reason of its own; these are its words.
    Failed(String),
}

/// What is tried.
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
    let mut run = Run::new("git", Vec::<&str>::new()).within(&place.root);
    run.env.push(("GIT_DIR".into(), place.git_dir.clone().into_os_string()));
    // One command's `git -c` is not how the worktree stands.
    run.without.push("GIT_CONFIG_PARAMETERS".into());
    let mut script = b"start\n".to_vec();
    match layer {
        Layer::Hooks => script.extend(format!("create {NOBODY} {commit}\n").bytes()),
        Layer::Fence => {
            run.args.extend(["-c".into(), "core.hooksPath=/dev/null".into()]);
            for hook in GUARDED {
                run.args.extend(["-c".into(), format!("hook.git-grill-{hook}.enabled=false").into()]);
            }
            let name = current_ref(&place.git_dir)?.unwrap_or_else(|| "HEAD".into());
            script.extend(b"option no-deref\nupdate ");
            script.extend([name.as_os_str().as_bytes(), b" ", commit.as_bytes(), b"\n"].concat());
        }
    }
    script.extend(b"prepare\nabort\n");
    run.args.extend(["update-ref".into(), "--stdin".into()]);
    run.stdin = script;
    // One trial at a time, so that a lock at that name is one that a killed trial left.
    let _lock = Lock::at(place, place.fence_lock_file())?;
    sweep(place)?;
    let ran = process.run(&run).map_err(|error| {
        FenceError::Shared(HookError::Git { command: "git update-ref --stdin".to_owned(), said: error.to_string() })
    })?;
    let said = String::from_utf8_lossy(&ran.stderr);
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
