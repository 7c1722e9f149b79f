//! Whether session commits are signed, and which programs git may start for a signature. git reads everything else itself:
//! the key, and what each program is given.

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
        let mut settings = vec![format!("gpg.format={format}")];
        settings.extend(self.signing_programs(home)?);
        Ok(Some(Signing { program: self.signing_program(format, home)?, settings }))
    }

    /// The programs that git may start for a signature, of every format: settings that stand above every scope, each
    /// `key=value`. Every git command of ours that signs, or that could look at a signature, is given them.
    pub fn signing_programs(&self, home: Option<&Path>) -> Result<Vec<String>, ConfigError> {
        let mut settings = Vec::new();
        for format in FORMATS {
            settings.push(format!("gpg.{format}.program={}", self.signing_program(format, home)?));
        }
        let key_command = self.program("gpg.ssh.defaultKeyCommand")?.map(|program| expanded(&program, home));
        // One that prints no key, so that the repository's is not asked.
        settings.push(format!("gpg.ssh.defaultKeyCommand={}", key_command.as_deref().unwrap_or("false")));
        Ok(settings)
    }

    /// The program that signs in this format. A repository's own configuration names none.
    fn signing_program(&self, format: &str, home: Option<&Path>) -> Result<String, ConfigError> {
        let (keys, usual): (&[&str], &str) = match format {
            "x509" => (&["gpg.x509.program"], "gpgsm"),
            "ssh" => (&["gpg.ssh.program"], "ssh-keygen"),
            _ => (&["gpg.openpgp.program", "gpg.program"], "gpg"),
        };
        for key in keys {
            if let Some(program) = self.program(key)? {
                return Ok(expanded(&program, home));
            }
        }
        Ok(usual.to_owned())
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
