//! Whether session commits are signed, and which program git may start for it. git reads everything else itself: the key,
//! and what each program is given.

use std::path::Path;

use super::keys;
use super::{Config, ConfigError};

/// The values of `gpg.format`.
pub const FORMATS: &[&str] = &["openpgp", "x509", "ssh"];

/// How git is to sign a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signing {
    /// The program that signs.
    pub program: String,
    /// Settings that stand above every scope, the repository's own too: each `key=value`.
    pub settings: Vec<String>,
}

impl Config {
    /// How session commits are signed, if they are: `grill.sign`, else `commit.gpgSign`. A repository's own configuration
    /// names no program; where no other scope names one, it is the usual one.
    pub fn signing(&self, home: Option<&Path>) -> Result<Option<Signing>, ConfigError> {
        let wanted = match self.switch_of(&keys::SIGN)? {
            Some(own) => own,
            None => self.switch_of(&keys::COMMIT_GPG_SIGN)?.unwrap_or(false),
        };
        if !wanted {
            return Ok(None);
        }
        let format = match self.last(&keys::GPG_FORMAT)? {
            None => "openpgp",
            Some(found) => {
                let known = FORMATS.iter().find(|format| found.value.as_deref() == Some(**format));
                known.copied().ok_or_else(|| found.bad(&keys::GPG_FORMAT))?
            }
        };
        let named = |key: &str| self.program(key).map(|found| found.map(|program| expanded(&program, home)));
        let (program, key_command) = match format {
            "x509" => (named("gpg.x509.program")?.unwrap_or_else(|| "gpgsm".to_owned()), None),
            "ssh" => {
                let key_command = named("gpg.ssh.defaultKeyCommand")?;
                (named("gpg.ssh.program")?.unwrap_or_else(|| "ssh-keygen".to_owned()), key_command)
            }
            _ => {
                let program = named("gpg.openpgp.program")?;
                let program = program.map_or_else(|| named("gpg.program"), |program| Ok(Some(program)))?;
                (program.unwrap_or_else(|| "gpg".to_owned()), None)
            }
        };
        let settings = vec![
            format!("gpg.format={format}"),
            format!("gpg.{format}.program={program}"),
            // One that prints no key, so that the repository's is not asked.
            format!("gpg.ssh.defaultKeyCommand={}", key_command.as_deref().unwrap_or("false")),
        ];
        Ok(Some(Signing { program, settings }))
    }
}

/// A program with the home folder put in, which git does not do.
fn expanded(program: &str, home: Option<&Path>) -> String {
    match (program.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest).to_string_lossy().into_owned(),
        (Some(_), None) | (None, _) => program.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_folder_is_put_in() {
        assert_eq!(expanded("~/k", Some(Path::new("/home/a"))), "/home/a/k");
        assert_eq!(expanded("~/k", None), "~/k");
        assert_eq!(expanded("k", Some(Path::new("/home/a"))), "k");
    }
}
