//! The user's editor, by git's own rules.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::app::desk::{Editor, Subject};
use crate::app::error::AppError;
use crate::files::fresh::{self, OnDisk};
use crate::git::Git;

use super::failure::failed;
use super::process::Programs;

/// Opens a file below the git directory in the editor that git would open.
pub(super) struct GitEditor {
    /// The git directory of this worktree.
    pub git_dir: PathBuf,
}

impl Editor for GitEditor {
    fn edit(&self, subject: &Subject, text: &str) -> Result<String, AppError> {
        let not_edited = format!("{} was not edited", subject.what);
        let program = editor(&not_edited)?;
        let file = self.file(subject);
        fs::write(&file, text).map_err(|error| failed("io", &not_edited, &error, None))?;
        run(&program, &file, &not_edited)?;
        fs::read_to_string(&file).map_err(|error| {
            let message = format!("what the editor left could not be read, and {} is as before", subject.what);
            failed("io", &message, &error, Some(format!("it stands in {}", file.display())))
        })
    }

    fn forget(&self, subject: &Subject) {
        // One that cannot be removed is overwritten by the next edit.
        let _ = fs::remove_file(self.file(subject));
    }

    fn keep(&self, subject: &Subject, text: &str) -> Result<PathBuf, AppError> {
        let not_kept = || format!("the text for {} was not kept", subject.what);
        for number in 1..=MOST_KEPT {
            let file = self.git_dir.join(format!("{KEPT}{number}{}", subject.ending));
            match fresh::create(&file, 0o666, OnDisk::Later, text.as_bytes()) {
                Ok(()) => return Ok(file),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed("io", &not_kept(), &error, None)),
            }
        }
        let full = std::io::Error::other(format!("{MOST_KEPT} texts are kept already"));
        let hint = format!("ls {}", self.git_dir.join(format!("{KEPT}*")).display());
        Err(failed("io", &not_kept(), &full, Some(hint)))
    }
}

impl GitEditor {
    fn file(&self, subject: &Subject) -> PathBuf {
        self.git_dir.join(format!("{FILE}{}", subject.ending))
    }
}

/// How the file begins that is edited, in the git directory, as git's own messages are.
const FILE: &str = "GRILL_EDITMSG";
/// How files begin that hold what could not be taken.
const KEPT: &str = "GRILL_KEPT-";
/// How many of them one thing may have; nobody looks through more.
const MOST_KEPT: usize = 100;

/// What `git var GIT_EDITOR` says: `GIT_EDITOR`, `core.editor`, `VISUAL`, `EDITOR`, `vi`.
fn editor(not_edited: &str) -> Result<String, AppError> {
    let ran = Git::new(["var", "GIT_EDITOR"]).run(&Programs);
    match ran {
        Ok(ran) if ran.code == 0 => Ok(String::from_utf8_lossy(&ran.stdout).trim().to_owned()),
        Ok(ran) => Err(AppError::Environment {
            code: "no_editor",
            message: format!("{not_edited}: git knows no editor"),
            causes: vec![String::from_utf8_lossy(&ran.stderr).trim().to_owned()],
            hint: Some("git config --global core.editor <editor>".to_owned()),
        }),
        Err(error) => Err(failed("no_git", &format!("{not_edited}: git could not be run"), &error, None)),
    }
}

/// The editor is a shell command, as git treats it; it gets the terminal.
#[expect(clippy::disallowed_methods, reason = "an editor owns the terminal, so its streams are ours and not pipes")]
fn run(program: &str, file: &std::path::Path, not_edited: &str) -> Result<(), AppError> {
    let status = Command::new("sh")
        .arg("-c")
        .arg(format!("{program} \"$@\""))
        .arg(program)
        .arg(file)
        .env("PATH", super::search::path(None))
        .stdin(Stdio::inherit())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(AppError::Environment {
            code: "editor_failed",
            message: format!("{not_edited}: '{program}' ended with {status}"),
            causes: Vec::new(),
            hint: Some(format!("what you typed is kept in {}", file.display())),
        }),
        Err(error) => Err(failed("editor_failed", &format!("{not_edited}: no shell could be run"), &error, None)),
    }
}
