//! Commits that git signs. `git commit-tree -S` knows keys, formats and passphrases; which program it may start is set
//! above every configuration.

use std::error::Error;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use git2::Signature;

use super::Oid;
use super::command::Git;
use super::forced;
use super::loose;
use super::program::{Spawner, id_in};
use super::repo::Repo;
use crate::app::ports::{Ran, StoreError};

/// How long a person has for a passphrase. The session's lock is held meanwhile.
const LIMIT: Duration = Duration::from_mins(2);

/// Has git sign commits with whatever the user's configuration asks for.
pub struct Signer {
    /// Runs git.
    pub process: Spawner,
    /// The program that git starts, as errors name it.
    pub program: String,
    /// Settings on top of every scope, each `key=value`: they name the program.
    pub settings: Vec<String>,
}

/// A commit that is to be signed. Its tree and its parent are written already.
pub struct CommitParts<'a> {
    /// The tree.
    pub tree: Oid,
    /// The commit before it.
    pub parent: Option<Oid>,
    /// The author.
    pub author: &'a Signature<'a>,
    /// The committer, whose key signs.
    pub committer: &'a Signature<'a>,
    /// All of these as git hashes them.
    pub headers: &'a [u8],
    /// The message.
    pub message: &'a str,
}

impl Signer {
    /// The bytes of the signed commit, which git has written. Waits for a person's passphrase, but not for ever.
    pub fn sign(&self, repo: &Repo, commit: &CommitParts<'_>) -> Result<Vec<u8>, StoreError> {
        let ran = self.git(repo, commit).run(&*self.process).map_err(|error| {
            let what = if error.kind() == ErrorKind::TimedOut {
                format!("{} did not sign within {} s", self.program, LIMIT.as_secs())
            } else {
                "could not run git to sign the commit".to_owned()
            };
            StoreError::Unsigned { what, cause: error.into() }
        })?;
        let id = id_in(&ran.stdout).filter(|_| ran.code == 0).ok_or_else(|| self.failed(complaint(&ran)))?;
        loose::settle(&repo.common_dir().join("objects"), [id]).map_err(|error| self.failed(error))?;
        let written = repo.read(id).map_err(|error| self.failed(error))?.map(|object| object.bytes);
        // If the signing program prints no signature, git (2.47) still writes a commit, without one.
        written.filter(|bytes| is_signed(bytes, commit)).ok_or_else(|| self.failed("it made no signature"))
    }

    fn git(&self, repo: &Repo, commit: &CommitParts<'_>) -> Git {
        let (tree, parent) = (commit.tree.to_string(), commit.parent.map(|parent| parent.to_string()));
        let mut words: Vec<&str> = forced::arguments().chain(["commit-tree", "-S", "-F", "-"]).collect();
        words.extend(parent.iter().flat_map(|parent| ["-p", parent.as_str()]));
        words.push(&tree);
        let git = Git::new(words)
            .inside(repo.git_dir())
            // Relative paths in the configuration begin there.
            .at_work_in(repo.worktree().as_deref())
            .offline()
            .setting("i18n.commitEncoding=UTF-8")
            .fed(commit.message.as_bytes().to_vec())
            .for_at_most(LIMIT);
        let git = git.settings(&self.settings);
        [("AUTHOR", commit.author), ("COMMITTER", commit.committer)].into_iter().fold(git, |git, (role, by)| {
            git.with(&format!("GIT_{role}_NAME"), OsStr::from_bytes(by.name_bytes()))
                .with(&format!("GIT_{role}_EMAIL"), OsStr::from_bytes(by.email_bytes()))
                .with(&format!("GIT_{role}_DATE"), format!("@{}", date(by)))
        })
    }

    fn failed(&self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> StoreError {
        StoreError::Unsigned { what: format!("{} failed to sign", self.program), cause: cause.into() }
    }
}

/// The date of a signature as a commit has it: `seconds zone`.
pub fn date(by: &Signature<'_>) -> String {
    let minutes = by.when().offset_minutes();
    let zone = minutes.unsigned_abs();
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{} {sign}{:02}{:02}", by.when().seconds(), zone / 60, zone % 60)
}

/// Whether a commit is the one that was to be signed, with a signature between its headers and its message.
fn is_signed(bytes: &[u8], commit: &CommitParts<'_>) -> bool {
    let rest = bytes.strip_prefix(commit.headers).and_then(|rest| rest.strip_suffix(commit.message.as_bytes()));
    let signature = rest.and_then(|rest| rest.strip_prefix(b"gpgsig"));
    signature.is_some_and(|text| text.starts_with(b" -----BEGIN ") || text.starts_with(b"-sha256 -----BEGIN "))
}

/// What git and the program said, in one line; the end of it, since that is where programs say what went wrong.
fn complaint(ran: &Ran) -> String {
    /// More lines than these tell nobody anything.
    const MOST: usize = 6;
    /// What only programs read, and what git says of every program that fails.
    const NO_REASON: [&str; 3] = ["[GNUPG:]", "error: gpg failed to sign the data", "(no gpg output)"];
    let text = String::from_utf8_lossy(&ran.stderr);
    let is_reason = |line: &&str| !line.is_empty() && !NO_REASON.iter().any(|start| line.starts_with(start));
    let lines: Vec<&str> = text.lines().map(str::trim).filter(is_reason).collect();
    match &lines[lines.len().saturating_sub(MOST)..] {
        [] => format!("git commit-tree ended with code {} and gave no reason", ran.code),
        lines => lines.join("; "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_is_what_a_person_would_read() {
        let ran = |stderr: &str| Ran { code: 1, stdout: Vec::new(), stderr: stderr.into() };
        let said = "error: gpg failed to sign the data:\n[GNUPG:] INV_SGNR 9 x\ngpg: skipped \"x\": No secret key\r\n\n\
                    gpg: signing failed\n";
        assert_eq!(complaint(&ran(said)), "gpg: skipped \"x\": No secret key; gpg: signing failed");
        let silent = "error: gpg failed to sign the data:\n(no gpg output)\n";
        assert_eq!(complaint(&ran(silent)), "git commit-tree ended with code 1 and gave no reason");
        assert!(complaint(&ran(&"a line\n".repeat(1_000))).len() < 100);
    }
}
