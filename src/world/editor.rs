//! The user's editor, by git's own rules.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::app::desk::Editor;
use crate::app::error::AppError;
use crate::app::ports::{Process, Run};

use super::failure::failed;
use super::process::Programs;

/// Opens a file below the git directory in the editor that git would open.
pub(super) struct GitEditor {
    /// The git directory of this worktree.
    pub git_dir: PathBuf,
}

impl Editor for GitEditor {
    fn edit(&self, text: &str) -> Result<String, AppError> {
        const NOT_EDITED: &str = "the checkpoint was not edited";
        let program = editor()?;
        let file = self.git_dir.join(FILE);
        fs::write(&file, text).map_err(|error| failed("io", NOT_EDITED, &error, None))?;
        run(&program, &file)?;
        fs::read_to_string(&file).map_err(|error| {
            failed("io", "what the editor left could not be read, and the checkpoint is as before", &error, None)
        })
    }

    fn forget(&self) {
        // One that cannot be removed is overwritten by the next edit.
        let _ = fs::remove_file(self.git_dir.join(FILE));
    }
}

/// The file that is edited, in the git directory, as git's own messages are.
const FILE: &str = "GRILL_EDITMSG.md";

/// What `git var GIT_EDITOR` says: `GIT_EDITOR`, `core.editor`, `VISUAL`, `EDITOR`, `vi`.
fn editor() -> Result<String, AppError> {
    let ran = Programs.run(&Run::new("git", ["var", "GIT_EDITOR"]));
    match ran {
        Ok(ran) if ran.code == 0 => Ok(String::from_utf8_lossy(&ran.stdout).trim().to_owned()),
        Ok(ran) => Err(AppError::Environment {
            code: "no_editor",
            message: "the checkpoint was not edited: git knows no editor".to_owned(),
            causes: vec![String::from_utf8_lossy(&ran.stderr).trim().to_owned()],
            hint: Some("git config --global core.editor <editor>".to_owned()),
        }),
        Err(error) => Err(failed("no_git", "the checkpoint was not edited: git could not be run", &error, None)),
    }
}

/// The editor is a shell command, as git treats it; it gets the terminal.
#[expect(clippy::disallowed_methods, reason = "an editor owns the terminal, so its streams are ours and not pipes")]
fn run(program: &str, file: &std::path::Path) -> Result<(), AppError> {
    let status = Command::new("sh")
        .arg("-c")
        .arg(format!("{program} \"$@\""))
        .arg(program)
        .arg(file)
        .stdin(Stdio::inherit())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(AppError::Environment {
            code: "editor_failed",
            message: format!("the checkpoint was not edited: '{program}' ended with {status}"),
            causes: Vec::new(),
            hint: Some(format!("what you typed is kept in {}", file.display())),
        }),
        Err(error) => {
            Err(failed("editor_failed", "the checkpoint was not edited: no shell could be run", &error, None))
        }
    }
}
