//! Signs session commits by running what git would run. The rules are `repo::config::signing`'s; here are the processes
//! and the files that they need.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::ports::{Nonce, Process, Ran, Run, SignError, Signer};
use crate::repo::config::signing::{self, Format, Signing, SigningKey};

use super::nonce::KernelNonce;
use super::process::Programs;

/// How long a person has for a passphrase. The session's lock is held meanwhile.
const LIMIT: Duration = Duration::from_mins(2);

/// Runs the configured program.
pub(super) struct GitSigner {
    /// What the configuration asks for.
    pub signing: Signing,
    /// Where programs run; relative paths in the configuration begin there, as they do for git.
    pub dir: PathBuf,
    /// A folder of ours for what ssh-keygen reads and writes.
    pub scratch: PathBuf,
    /// The user's home folder.
    pub home: Option<PathBuf>,
}

impl Signer for GitSigner {
    fn sign(&self, commit: &[u8]) -> Result<String, SignError> {
        match self.signing.format {
            Format::OpenPgp | Format::X509 => self.with_gpg(commit),
            Format::Ssh => self.with_ssh(commit),
        }
    }
}

impl GitSigner {
    fn with_gpg(&self, commit: &[u8]) -> Result<String, SignError> {
        let args = match &self.signing.key {
            SigningKey::Named(key) => signing::gpg_args(key),
            SigningKey::File(_) | SigningKey::Literal(_) | SigningKey::Asked(_) | SigningKey::Missing => {
                return Err(no_key("gpg looks keys up by name"));
            }
        };
        let ran = self.run(Run { stdin: commit.to_vec(), ..Run::new(self.program(), args) })?;
        if ran.code != 0 || !signing::gpg_signed(&ran.stderr) {
            return Err(self.failed(&ran));
        }
        signing::signature(ran.stdout).ok_or_else(|| self.gave_none())
    }

    fn with_ssh(&self, commit: &[u8]) -> Result<String, SignError> {
        let scratch = Scratch::new(&self.scratch).map_err(scratch_failed)?;
        let buffer = scratch.write("commit", commit).map_err(scratch_failed)?;
        let public = |key: &str| scratch.write("key", format!("{key}\n").as_bytes()).map_err(scratch_failed);
        let key_file = match &self.signing.key {
            SigningKey::File(path) => signing::expanded(path, self.home.as_deref()),
            SigningKey::Literal(key) => public(key)?,
            SigningKey::Asked(command) => public(&self.asked(command)?)?,
            SigningKey::Named(_) | SigningKey::Missing => {
                return Err(no_key("neither user.signingKey nor gpg.ssh.defaultKeyCommand is set"));
            }
        };
        let ran = self.run(Run::new(self.program(), signing::ssh_args(&self.signing.key, &key_file, &buffer)))?;
        if ran.code != 0 {
            return Err(self.failed(&ran));
        }
        let signed = fs::read(scratch.0.join("commit.sig")).map_err(|_| self.gave_none())?;
        signing::signature(signed).ok_or_else(|| self.gave_none())
    }

    /// The key that `gpg.ssh.defaultKeyCommand` prints first. No shell sees it: git splits it into words itself.
    fn asked(&self, command: &str) -> Result<String, SignError> {
        let words = shell_words::split(command).map_err(no_key)?;
        let (program, args) = words.split_first().ok_or_else(|| no_key("gpg.ssh.defaultKeyCommand is empty"))?;
        let ran = self.run(Run::new(signing::expanded(program, self.home.as_deref()), args))?;
        let said = String::from_utf8_lossy(&ran.stdout);
        let key = said.lines().next().and_then(signing::literal).filter(|_| ran.code == 0);
        key.ok_or_else(|| {
            let why = match ran.code {
                0 => "it printed no key that begins with ssh- or key::".to_owned(),
                // `ssh-add -L` complains on standard output.
                code => signing::complaint(&[ran.stderr, ran.stdout].concat(), code),
            };
            no_key(format!("gpg.ssh.defaultKeyCommand '{command}': {why}"))
        })
    }

    fn run(&self, run: Run) -> Result<Ran, SignError> {
        let program = run.program.to_string_lossy().into_owned();
        let run = Run { limit: Some(LIMIT), ..run.within(&self.dir) };
        Programs.run(&run).map_err(|error| {
            let what = if error.kind() == ErrorKind::TimedOut {
                format!("{program} did not sign within {} s", LIMIT.as_secs())
            } else {
                format!("{program} could not be run to sign")
            };
            SignError::new(what, error)
        })
    }

    fn program(&self) -> PathBuf {
        signing::expanded(&self.signing.program, self.home.as_deref())
    }

    fn failed(&self, ran: &Ran) -> SignError {
        SignError::new(format!("{} failed to sign", self.signing.program), signing::complaint(&ran.stderr, ran.code))
    }

    fn gave_none(&self) -> SignError {
        SignError::new(format!("{} failed to sign", self.signing.program), "it made no signature")
    }
}

fn no_key(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> SignError {
    SignError::new("there is no key to sign with", why)
}

fn scratch_failed(error: std::io::Error) -> SignError {
    SignError::new("the files for signing could not be written", error)
}

/// A folder that goes away again. What a killed process leaves lies in git grill's own folder.
struct Scratch(PathBuf);

impl Scratch {
    fn new(parent: &Path) -> std::io::Result<Self> {
        fs::create_dir_all(parent)?;
        let folder = parent.join(format!("signing-{:016x}", KernelNonce.next()));
        DirBuilder::new().mode(0o700).create(&folder)?;
        Ok(Self(folder))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> std::io::Result<PathBuf> {
        let path = self.0.join(name);
        // ssh-keygen refuses keys that others may read.
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?.write_all(bytes)?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
