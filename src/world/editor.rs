//! The user's editor, by git's own rules.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::app::context::{Editor, Subject};
use crate::app::error::AppError;
use crate::files::fresh::{self, OnDisk};
use crate::files::regular;
use crate::git::Git;

use super::failure::failed;
use super::process::Programs;

/// Opens a file below the git directory in the editor that git would open.
pub(super) struct GitEditor {
    /// The git directory of this worktree.
    pub git_dir: PathBuf,
    /// The file that this process edits, by the end of its name.
    pub open: RefCell<BTreeMap<String, PathBuf>>,
}

impl Editor for GitEditor {
    fn edit(&self, subject: &Subject, text: &str) -> Result<String, AppError> {
        let not_edited = format!("{} was not edited", subject.what);
        let program = editor(&not_edited)?;
        let before = self.holding(subject, text);
        let again = before.is_some();
        let file = before.map_or_else(|| self.opened(subject, text, &not_edited), Ok)?;
        if let Err(mut error) = run(&program, &file, &not_edited) {
            match regular::bytes(&file, regular::LONG) {
                // What it holds already, where it is edited again, somebody typed.
                Ok(left) if again || left != text.as_bytes() => {
                    self.open.borrow_mut().remove(&subject.ending);
                    if let AppError::Environment { hint, .. } = &mut error {
                        *hint = Some(format!("what you typed is kept in {}; no later edit takes it", file.display()));
                    }
                }
                Ok(_) | Err(_) => self.forget(subject),
            }
            return Err(error);
        }
        regular::text(&file, regular::LONG).map_err(|error| {
            let message = format!("what the editor left could not be read, and {} is as before", subject.what);
            failed("io", &message, &error, Some(format!("it stands in {}", file.display())))
        })
    }

    fn forget(&self, subject: &Subject) {
        if let Some(file) = self.open.borrow_mut().remove(&subject.ending) {
            // One that cannot be removed is in nobody's way.
            let _ = fs::remove_file(file);
        }
    }

    fn keep(&self, subject: &Subject, text: &str) -> Result<PathBuf, AppError> {
        let not_kept = format!("the text for {} was not kept", subject.what);
        self.new_file(KEPT, usize::MAX, subject, text, &not_kept)
    }
}

impl GitEditor {
    /// The file that this process edited before, where it holds this very text.
    fn holding(&self, subject: &Subject, text: &str) -> Option<PathBuf> {
        let file = self.open.borrow().get(&subject.ending).cloned()?;
        regular::bytes(&file, regular::LONG).is_ok_and(|there| there == text.as_bytes()).then_some(file)
    }

    /// A new file to edit. One that is there already may be all that is left of what somebody typed: its editor failed,
    /// or was killed, or is open in another terminal.
    fn opened(&self, subject: &Subject, text: &str, not_edited: &str) -> Result<PathBuf, AppError> {
        let file = self.new_file(EDITED, MOST, subject, text, not_edited)?;
        self.open.borrow_mut().insert(subject.ending.clone(), file.clone());
        Ok(file)
    }

    /// A file that was not there, with this text, unless there are so many already; `not_done` is what does not happen
    /// where there can be none.
    fn new_file(
        &self,
        begins: &str,
        most: usize,
        subject: &Subject,
        text: &str,
        not_done: &str,
    ) -> Result<PathBuf, AppError> {
        for number in 1..=most {
            let file = self.git_dir.join(format!("{begins}-{number}{}", subject.ending));
            match fresh::create(&file, 0o666, OnDisk::Later, text.as_bytes()) {
                Ok(()) => return Ok(file),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed("io", not_done, &error, None)),
            }
        }
        let full = std::io::Error::other(format!("{most} texts are kept already"));
        let hint = format!("ls {}", self.git_dir.join(format!("{begins}-*")).display());
        Err(failed("io", not_done, &full, Some(hint)))
    }
}

/// How files begin that are edited, in the git directory, as git's own messages are.
const EDITED: &str = "GRILL_EDITMSG";
/// How files begin that hold what could not be taken.
const KEPT: &str = "GRILL_KEPT";
/// The files of this worktree with texts that were edited and are not recorded, or could not be taken.
pub(super) fn kept(git_dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut kept = Vec::new();
    for entry in fs::read_dir(git_dir)? {
        let entry = entry?;
        let name = entry.file_name();
        let begins = |beginning: &str| name.as_encoded_bytes().starts_with(format!("{beginning}-").as_bytes());
        if begins(EDITED) || begins(KEPT) {
            kept.push(entry.path());
        }
    }
    kept.sort();
    Ok(kept)
}

/// How many files one thing may have that an editor left; nobody looks through more. A text that could not be taken is
/// kept beyond any number, since it exists nowhere else.
const MOST: usize = 100;

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
fn run(program: &str, file: &Path, not_edited: &str) -> Result<(), AppError> {
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
            hint: Some("git var GIT_EDITOR shows which editor git starts".to_owned()),
        }),
        Err(error) => Err(failed("editor_failed", &format!("{not_edited}: no shell could be run"), &error, None)),
    }
}
