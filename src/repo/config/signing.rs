//! Whether and how session commits are signed: git's own keys, read as `git commit` reads them. What is run and what
//! its answer means is decided here; running it is the world's.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::keys::{self, Key};
use super::{Config, ConfigError};

/// What kind of signature is made: `gpg.format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// By gpg, the default.
    OpenPgp,
    /// By gpgsm.
    X509,
    /// By ssh-keygen.
    Ssh,
}

impl Format {
    /// As git spells them, in the order of the variants.
    pub const NAMES: &[&str] = &["openpgp", "x509", "ssh"];

    fn parse(word: &str) -> Option<Self> {
        match word {
            "openpgp" => Some(Self::OpenPgp),
            "x509" => Some(Self::X509),
            "ssh" => Some(Self::Ssh),
            _ => None,
        }
    }

    /// The keys that name its program, the strongest first, and the program when none is set.
    fn programs(self) -> (&'static [&'static str], &'static str) {
        match self {
            Self::OpenPgp => (&["gpg.openpgp.program", "gpg.program"], "gpg"),
            Self::X509 => (&["gpg.x509.program"], "gpgsm"),
            Self::Ssh => (&["gpg.ssh.program"], "ssh-keygen"),
        }
    }
}

/// What a signature is made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SigningKey {
    /// As gpg and gpgsm look it up: an id, or a name and address.
    Named(String),
    /// The file of an ssh key.
    File(String),
    /// A public ssh key; an agent has the private one.
    Literal(String),
    /// A command that prints a public ssh key: `gpg.ssh.defaultKeyCommand`.
    Asked(String),
    /// ssh has no key that could be guessed.
    Missing,
}

impl SigningKey {
    fn gpg(configured: Option<String>, committer: &str) -> Self {
        Self::Named(configured.unwrap_or_else(|| committer.to_owned()))
    }

    fn ssh(configured: Option<String>, command: Option<String>) -> Self {
        match (configured, command) {
            (Some(key), _) => literal(&key).map_or(Self::File(key), Self::Literal),
            (None, Some(command)) => Self::Asked(command),
            (None, None) => Self::Missing,
        }
    }
}

/// How a commit is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signing {
    /// The kind of signature.
    pub format: Format,
    /// The program, as it was configured.
    pub program: String,
    /// The key.
    pub key: SigningKey,
}

impl Config {
    /// How session commits are signed, if they are: `grill.sign`, else `commit.gpgSign`. `committer` is a name and an
    /// address, by which gpg finds a key when none is configured.
    pub fn signing(&self, committer: &str) -> Result<Option<Signing>, ConfigError> {
        let wanted = match self.switch_of(&keys::SIGN)? {
            Some(own) => own,
            None => self.switch_of(&keys::COMMIT_GPG_SIGN)?.unwrap_or(false),
        };
        if !wanted {
            return Ok(None);
        }
        let format = self.format(&keys::GPG_FORMAT)?;
        let (programs, usual) = format.programs();
        let mut program = None;
        for key in programs {
            program = program.map_or_else(|| self.program(key), |found| Ok(Some(found)))?;
        }
        let program = program.unwrap_or_else(|| usual.to_owned());
        let configured = self.string("user.signingKey");
        let key = match format {
            Format::OpenPgp | Format::X509 => SigningKey::gpg(configured, committer),
            Format::Ssh => SigningKey::ssh(configured, self.program("gpg.ssh.defaultKeyCommand")?),
        };
        Ok(Some(Signing { format, program, key }))
    }

    fn format(&self, key: &Key) -> Result<Format, ConfigError> {
        let Some(found) = self.last(key)? else {
            return Ok(Format::OpenPgp);
        };
        found.value.as_deref().and_then(Format::parse).ok_or_else(|| found.bad(key))
    }
}

/// The public key in a value that is one and not the name of a file.
pub fn literal(value: &str) -> Option<String> {
    match value.strip_prefix("key::") {
        Some(key) => Some(key.to_owned()),
        None => value.starts_with("ssh-").then(|| value.to_owned()),
    }
}

/// A path in the configuration, with the home folder put in.
pub fn expanded(path: &str, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        (Some(_), None) | (None, _) => PathBuf::from(path),
    }
}

/// What gpg and gpgsm are given: a detached, armoured signature, and what happened on standard error.
pub fn gpg_args(key: &str) -> [OsString; 3] {
    ["--status-fd=2".into(), "-bsau".into(), key.into()]
}

/// What ssh-keygen is given to sign the file `commit`. The private half of a literal key is asked of an agent.
pub fn ssh_args(key: &SigningKey, key_file: &Path, commit: &Path) -> Vec<OsString> {
    let mut args: Vec<OsString> = ["-Y", "sign", "-n", "git", "-f"].map(OsString::from).to_vec();
    args.push(key_file.into());
    match key {
        SigningKey::Literal(_) | SigningKey::Asked(_) => args.push("-U".into()),
        SigningKey::Named(_) | SigningKey::File(_) | SigningKey::Missing => {}
    }
    args.push(commit.into());
    args
}

/// Whether gpg says that it made a signature. Its exit code alone is not enough, and git does not trust it either.
pub fn gpg_signed(stderr: &[u8]) -> bool {
    String::from_utf8_lossy(stderr).lines().any(|line| line.starts_with("[GNUPG:] SIG_CREATED "))
}

/// What a program said to people, in one line; the end of it, since that is where programs say what went wrong.
pub fn complaint(stderr: &[u8], code: i32) -> String {
    /// More lines than these tell nobody anything.
    const MOST: usize = 6;
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("[GNUPG:]")).collect();
    match &lines[lines.len().saturating_sub(MOST)..] {
        [] => format!("it ended with code {code} and said nothing"),
        lines => lines.join("; "),
    }
}

/// A signature as it goes into a commit: no carriage returns before line ends, and no end of line behind it, or git's
/// library would add an empty line.
pub fn signature(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?.replace("\r\n", "\n");
    let text = text.trim_end();
    text.starts_with("-----BEGIN ").then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ssh_key_is_a_file_unless_it_says_what_it_is() {
        let ssh = |configured: Option<&str>, command: Option<&str>| {
            SigningKey::ssh(configured.map(str::to_owned), command.map(str::to_owned))
        };
        for (configured, command, key) in [
            (Some("~/.ssh/id_ed25519.pub"), Some("ssh-add -L"), SigningKey::File("~/.ssh/id_ed25519.pub".into())),
            (Some("ssh-ed25519 AAAA me"), None, SigningKey::Literal("ssh-ed25519 AAAA me".into())),
            (Some("key::ecdsa-sha2-nistp256 AAAA"), None, SigningKey::Literal("ecdsa-sha2-nistp256 AAAA".into())),
            (None, Some("ssh-add -L"), SigningKey::Asked("ssh-add -L".into())),
            (None, None, SigningKey::Missing),
        ] {
            assert_eq!(ssh(configured, command), key);
        }
    }

    #[test]
    fn every_format_is_parsed_by_its_own_name() {
        for name in Format::NAMES {
            assert!(Format::parse(name).is_some(), "{name}");
        }
        assert_eq!(Format::parse("OpenPGP"), None, "git minds the case");
    }

    #[test]
    fn gpg_looks_for_the_committer_when_no_key_is_named() {
        assert_eq!(SigningKey::gpg(None, "Ada <ada@x>"), SigningKey::Named("Ada <ada@x>".into()));
        assert_eq!(SigningKey::gpg(Some("0xBEEF".into()), "Ada <ada@x>"), SigningKey::Named("0xBEEF".into()));
    }

    #[test]
    fn only_a_key_that_an_agent_holds_is_asked_of_the_agent() {
        let args = |key: &SigningKey| ssh_args(key, Path::new("k"), Path::new("c")).join(&OsString::from(" "));
        assert_eq!(args(&SigningKey::File("k".into())), "-Y sign -n git -f k c");
        assert_eq!(args(&SigningKey::Literal("ssh-ed25519 A".into())), "-Y sign -n git -f k -U c");
        assert_eq!(args(&SigningKey::Asked("ssh-add -L".into())), "-Y sign -n git -f k -U c");
    }

    #[test]
    fn gpg_has_signed_only_if_its_status_says_so() {
        assert!(gpg_signed(b"gpg: using it\n[GNUPG:] BEGIN_SIGNING H8\n[GNUPG:] SIG_CREATED D 22 8 00 1 F\n"));
        assert!(!gpg_signed(b"[GNUPG:] BEGIN_SIGNING H8\n[GNUPG:] FAILURE sign 17\n"));
        assert!(!gpg_signed(b"gpg: [GNUPG:] SIG_CREATED in a message\n"));
    }

    #[test]
    fn a_complaint_is_what_a_person_would_read() {
        let said = b"[GNUPG:] INV_SGNR 9 x\ngpg: skipped \"x\": No secret key\r\n\ngpg: signing failed\n";
        assert_eq!(complaint(said, 2), "gpg: skipped \"x\": No secret key; gpg: signing failed");
        assert_eq!(complaint(b"[GNUPG:] X\n", 1), "it ended with code 1 and said nothing");
        assert!(complaint("a line\n".repeat(1_000).as_bytes(), 1).len() < 100);
    }

    #[test]
    fn what_is_no_armour_is_no_signature() {
        let armour = "-----BEGIN X-----\r\nabc\r\n-----END X-----\r\n";
        assert_eq!(signature(armour.into()).as_deref(), Some("-----BEGIN X-----\nabc\n-----END X-----"));
        assert_eq!(signature(b"Signing file\n".to_vec()), None);
        assert_eq!(signature(Vec::new()), None);
    }

    #[test]
    fn the_home_folder_is_put_in() {
        assert_eq!(expanded("~/k", Some(Path::new("/home/a"))), Path::new("/home/a/k"));
        assert_eq!(expanded("~/k", None), Path::new("~/k"));
        assert_eq!(expanded("k", Some(Path::new("/home/a"))), Path::new("k"));
    }
}
