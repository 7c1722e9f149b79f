//! git's configuration, read once: typed values for every key of the table, and errors that say where a bad value
//! stands.

mod error;
mod fetching;
pub mod keys;
mod origin;
mod parameters;
mod scopes;
pub mod signing;

use std::path::{Path, PathBuf};

use gix_config::{Boolean, File, Integer};

pub use self::error::ConfigError;
pub use self::fetching::Overwriting;
use self::keys::{Key, Notify, Trusted};
pub use self::origin::Origin;
use super::open::{Opened, Vars};
use crate::domain::posture::Fencing;
use crate::domain::settings::{Destination, Settings, destinations};

/// When colour is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Whether what a verb says goes to a pager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paging {
    /// To the one that git uses.
    Usual,
    /// To none.
    Never,
    /// To this one, a shell command.
    By(String),
}

/// A `grill.*` key that nobody reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// As it was written.
    pub name: String,
    /// Where.
    pub origin: Origin,
    /// What was probably meant.
    pub meant: Option<&'static str>,
}

/// A value that was passed over, because its place may not set it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The key.
    pub key: &'static str,
    /// Its value.
    pub value: String,
    /// Where it stands.
    pub origin: Origin,
}

/// A value as it was found; without `=` it has none, which is true for a switch.
struct Found {
    value: Option<String>,
    origin: Origin,
}

impl Found {
    fn bad(&self, key: &Key) -> ConfigError {
        ConfigError::BadValue {
            key: key.name,
            value: self.value.clone().unwrap_or_default(),
            origin: self.origin.clone(),
            allowed: key.kind.allowed(),
        }
    }

    fn switch(&self) -> Option<bool> {
        match &self.value {
            None => Some(true),
            Some(text) => Boolean::try_from(text.as_str()).ok().map(|value| value.0),
        }
    }
}

/// git's configuration, all scopes.
pub struct Config {
    file: File,
    /// Folders whose files are never a person's own, whoever includes them.
    inside: Vec<PathBuf>,
}

impl Config {
    /// Reads every scope; outside a repository the ones that need none.
    pub fn load(opened: Option<&Opened>, var: Vars<'_>) -> Result<Self, ConfigError> {
        let inside = opened.map_or_else(Vec::new, |opened| {
            let folders = [Some(&opened.common_dir), opened.worktree.as_ref()];
            folders.into_iter().flatten().cloned().collect()
        });
        Ok(Self { file: scopes::read(opened, var)?, inside })
    }

    /// The defaults for a new session (G4).
    pub fn settings(&self) -> Result<Settings, ConfigError> {
        let plain = Settings::default();
        Ok(Settings {
            intent: self.word(&keys::INTENT)?.unwrap_or(plain.intent),
            intensity: self.word(&keys::INTENSITY)?.unwrap_or(plain.intensity),
            research: self.word(&keys::RESEARCH)?.unwrap_or(plain.research),
            output_preference: self.outputs()?,
            interviewer: self.word(&keys::INTERVIEWER)?.unwrap_or(plain.interviewer),
            approval: self.word(&keys::APPROVAL)?.unwrap_or(plain.approval),
        })
    }

    /// Whether sessions get a fence.
    pub fn fencing(&self) -> Result<Fencing, ConfigError> {
        Ok(if self.switch_of(&keys::FENCE)?.unwrap_or(false) { Fencing::On } else { Fencing::Off })
    }

    /// Whether a hook refuses when git grill itself fails.
    pub fn fail_closed(&self) -> Result<bool, ConfigError> {
        Ok(self.switch_of(&keys::FAIL_CLOSED)?.unwrap_or(false))
    }

    /// The agents' tools that a person lets pass (`grill.guard.allowTool`).
    pub fn allowed_tools(&self) -> Vec<String> {
        self.all(&keys::GUARD_ALLOW_TOOL)
            .filter(|found| self.counts(&keys::GUARD_ALLOW_TOOL, found))
            .filter_map(|found| found.value)
            .collect()
    }

    /// Whether the guard puts commands into the sandbox (`grill.guard.rewrite`).
    pub fn rewrites(&self) -> Result<bool, ConfigError> {
        Ok(self.switch_of(&keys::GUARD_REWRITE)?.unwrap_or(false))
    }

    /// The commands that a person allows (`grill.allow`), as they were written. What they may be is the policy's rule.
    pub fn allowed_commands(&self) -> Result<Vec<String>, ConfigError> {
        let found = self.all(&keys::ALLOW).filter(|found| self.counts(&keys::ALLOW, found));
        found.map(|found| found.value.clone().ok_or_else(|| found.bad(&keys::ALLOW))).collect()
    }

    /// Whether what we write is forced to the disk: `grill.fsync`, else what `core.fsync` says about loose objects.
    pub fn fsync(&self) -> Result<bool, ConfigError> {
        if let Some(own) = self.switch_of(&keys::FSYNC)? {
            return Ok(own);
        }
        match self.string("core.fsync") {
            Some(components) => Ok(syncs_objects(&components)),
            None => Ok(self.switch("core.fsyncObjectFiles").unwrap_or(false)),
        }
    }

    /// The largest file whose content a baseline keeps, in bytes.
    pub fn snapshot_limit(&self) -> Result<u64, ConfigError> {
        const DEFAULT: u64 = 32 << 20;
        let Some(found) = self.last(&keys::SNAPSHOT_LIMIT) else {
            return Ok(DEFAULT);
        };
        let bytes = found.value.as_deref().and_then(|text| Integer::try_from(text).ok()?.to_decimal());
        bytes.and_then(|bytes| u64::try_from(bytes).ok()).ok_or_else(|| found.bad(&keys::SNAPSHOT_LIMIT))
    }

    /// When colour is used: `color.grill`, else `color.ui`.
    pub fn colour(&self) -> Result<Colour, ConfigError> {
        for key in [&keys::COLOR_GRILL, &keys::COLOR_UI] {
            if let Some(found) = self.last(key) {
                return colour_of(&found).ok_or_else(|| found.bad(key));
            }
        }
        Ok(Colour::Auto)
    }

    /// Whether what goes to a pager may be coloured.
    pub fn coloured_pager(&self) -> Result<bool, ConfigError> {
        Ok(self.switch_of(&keys::COLOR_PAGER)?.unwrap_or(true))
    }

    /// How a person is told that a question waits.
    pub fn notify(&self) -> Result<Notify, ConfigError> {
        Ok(self.word(&keys::NOTIFY)?.unwrap_or_default())
    }

    /// Whether what a verb says goes to a pager: `pager.grill.<verb>`, else `pager.grill`.
    pub fn paging(&self, verb: &str) -> Paging {
        for key in [&format!("{}.{verb}", keys::PAGER.name), keys::PAGER.name] {
            match self.file.boolean(key) {
                Ok(Some(true)) => return Paging::Usual,
                Ok(Some(false)) => return Paging::Never,
                Err(_) => return self.string(key).map_or(Paging::Usual, Paging::By),
                Ok(None) => {}
            }
        }
        Paging::Usual
    }

    /// Any other key of git's, as text; `None` when it is not set or has no value.
    pub fn string(&self, key: &str) -> Option<String> {
        self.file.string(key).map(|value| String::from_utf8_lossy(&value).into_owned())
    }

    /// Any other key of git's, as a boolean; `None` when it is not set or is none.
    pub fn switch(&self, key: &str) -> Option<bool> {
        self.file.boolean(key).ok().flatten()
    }

    /// Values that were passed over: `grill.approval` and `grill.allow` where they do not count.
    pub fn ignored(&self) -> Vec<Ignored> {
        keys::KEYS
            .iter()
            .flat_map(|key| self.all(key).map(move |found| (key, found)))
            .filter(|(key, found)| !self.counts(key, found))
            .map(|(key, found)| Ignored { key: key.name, value: found.value.unwrap_or_default(), origin: found.origin })
            .collect()
    }

    /// Keys under `grill` that nobody reads, each once.
    pub fn unknown_keys(&self) -> Vec<UnknownKey> {
        let mut unknown: Vec<UnknownKey> = Vec::new();
        for section in self.file.sections() {
            if !section.header().name().eq_ignore_ascii_case(b"grill") {
                continue;
            }
            let sub = section
                .header()
                .subsection_name()
                .map(|name| format!("{}.", String::from_utf8_lossy(name)))
                .unwrap_or_default();
            for name in section.value_names() {
                let name = format!("grill.{sub}{name}");
                let known = keys::KEYS.iter().any(|key| key.name.eq_ignore_ascii_case(&name));
                if known || unknown.iter().any(|other| other.name == name) {
                    continue;
                }
                unknown.push(UnknownKey {
                    meant: keys::nearest(&name).map(|key| key.name),
                    origin: Origin::of(section.meta()),
                    name,
                });
            }
        }
        unknown
    }

    /// Refspecs by which a plain `git fetch` would overwrite sessions.
    pub fn overwriting(&self) -> Vec<Overwriting> {
        let mut found = Vec::new();
        for section in self.file.sections().filter(|section| section.header().name().eq_ignore_ascii_case(b"remote")) {
            let Some(remote) = section.header().subsection_name() else { continue };
            let remote = String::from_utf8_lossy(remote).into_owned();
            for value in section.values("fetch") {
                let refspec = String::from_utf8_lossy(&value).into_owned();
                if fetching::overwrites(&refspec) {
                    let origin = Origin::of(section.meta());
                    found.push(Overwriting { remote: remote.clone(), refspec, origin });
                }
            }
        }
        found
    }

    /// The value that holds: the last one that counts.
    fn last(&self, key: &Key) -> Option<Found> {
        self.all(key).filter(|found| self.counts(key, found)).last()
    }

    /// Every value of a key, the one with the highest precedence last.
    fn all(&self, key: &Key) -> impl Iterator<Item = Found> {
        let (path, name) = key.name.rsplit_once('.').unwrap_or((key.name, ""));
        // git compares the part in the middle by the letter, and the rest without regard to case.
        let (wanted, sub) = path.split_once('.').map_or((path, None), |(section, sub)| (section, Some(sub.as_bytes())));
        let sections = self.file.sections().filter(move |section| {
            let header = section.header();
            header.subsection_name().map(|name| -> &[u8] { name }) == sub
                && header.name().eq_ignore_ascii_case(wanted.as_bytes())
        });
        sections.flat_map(move |section| {
            let origin = Origin::of(section.meta());
            let text = |value: &[u8]| Some(String::from_utf8_lossy(value).into_owned());
            let mut values: Vec<Option<String>> = section.values(name).iter().map(|value| text(value)).collect();
            if let Some(None) = section.value_implicit(name) {
                // The list does not tell a key without `=` from an empty value.
                let empty = values.last().is_some_and(|value| value.as_ref().is_some_and(String::is_empty));
                values.truncate(values.len() - usize::from(empty));
                values.push(None);
            }
            values.into_iter().map(move |value| Found { value, origin: origin.clone() })
        })
    }

    fn counts(&self, key: &Key, found: &Found) -> bool {
        match key.trusted {
            Trusted::EveryScope => true,
            Trusted::AnyFile => match &found.origin {
                Origin::System(_) | Origin::Global(_) | Origin::Repository(_) | Origin::Worktree(_) => true,
                Origin::Environment | Origin::CommandLine => false,
            },
            Trusted::OwnFilesOnly => match &found.origin {
                Origin::System(file) | Origin::Global(file) => !self.belongs_to_repository(file),
                Origin::Repository(_) | Origin::Worktree(_) | Origin::Environment | Origin::CommandLine => false,
            },
        }
    }

    /// A file inside the repository stays the repository's, even when a file of the user includes it.
    fn belongs_to_repository(&self, file: &Path) -> bool {
        let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        self.inside.iter().any(|folder| real.starts_with(folder.canonicalize().as_ref().unwrap_or(folder)))
    }

    fn word<T: std::str::FromStr>(&self, key: &Key) -> Result<Option<T>, ConfigError> {
        let Some(found) = self.last(key) else {
            return Ok(None);
        };
        let parsed = found.value.as_deref().and_then(|text| text.parse().ok());
        parsed.map(Some).ok_or_else(|| found.bad(key))
    }

    fn outputs(&self) -> Result<Vec<Destination>, ConfigError> {
        let Some(found) = self.last(&keys::OUTPUT) else {
            return Ok(Vec::new());
        };
        let list = found.value.as_deref().and_then(|text| destinations(text).ok());
        list.ok_or_else(|| found.bad(&keys::OUTPUT))
    }

    fn switch_of(&self, key: &Key) -> Result<Option<bool>, ConfigError> {
        let Some(found) = self.last(key) else {
            return Ok(None);
        };
        found.switch().map(Some).ok_or_else(|| found.bad(key))
    }
}

fn colour_of(found: &Found) -> Option<Colour> {
    match found.value.as_deref() {
        Some("auto") => Some(Colour::Auto),
        Some("always") => Some(Colour::Always),
        Some("never") => Some(Colour::Never),
        // git means "on a terminal" by true.
        Some(_) | None => found.switch().map(|on| if on { Colour::Auto } else { Colour::Never }),
    }
}

/// Whether a value of `core.fsync` covers loose objects. Later words override earlier ones.
fn syncs_objects(components: &str) -> bool {
    let mut syncs = false;
    for word in components.split(',').map(str::trim) {
        match word.strip_prefix('-').unwrap_or(word) {
            "none" => syncs = false,
            "loose-object" | "objects" | "committed" | "added" | "all" => {
                syncs = !word.starts_with('-');
            }
            _ => {}
        }
    }
    syncs
}
