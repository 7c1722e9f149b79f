//! git's configuration, read once: typed values for every key of the table, and errors that say where a bad value
//! stands.

mod account;
mod counted;
pub mod counts;
mod error;
mod extensions;
mod fetching;
pub mod keys;
mod kind;
mod notify;
mod origin;
pub mod own;
mod parameters;
mod scopes;
pub mod signing;

use std::cell::OnceCell;
use std::path::{Component, PathBuf};
use std::time::Duration;

use gix_config::File;

pub use self::account::{Account, Home};
use self::counted::Found;
pub use self::counted::Ignored;
pub use self::error::ConfigError;
pub use self::fetching::Overwriting;
use self::keys::{Key, Kind, Notify};
pub use self::origin::Origin;
use self::scopes::Conditions;
use super::open::{Opened, Vars};
use crate::domain::agents::acceptance::MayAccept;
use crate::domain::packet_limit::PacketLimit;
use crate::domain::posture::Fencing;
use crate::domain::settings::{Destination, Interviewer, Settings, destinations, led_by};
use crate::text::shell::quoted;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// On a terminal.
    Auto,
    Always,
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// As it was written.
    pub name: String,
    pub origin: Origin,
}

impl UnknownKey {
    /// The command that takes it out of the configuration; none where it is in no file.
    pub fn unset(&self) -> Option<String> {
        let file = quoted(&self.origin.file()?.display().to_string());
        Some(format!("git config --file {file} --unset-all {}", quoted(&self.name)))
    }

    /// The command that shows its values, with where they come from.
    pub fn show(&self) -> String {
        format!("git config --show-origin --get-all {}", quoted(&self.name))
    }
}

/// git's configuration, all scopes.
pub struct Config {
    file: File,
    /// What the account itself says; read when it is first asked for.
    own: OnceCell<File>,
    account: Account,
    conditions: Conditions,
    /// Folders whose files are never the account's own, even where one of its files includes them.
    inside: Vec<PathBuf>,
}

impl Config {
    /// Reads every scope; outside a repository the ones that need none. What widens is asked of the `account`.
    pub fn load(opened: Option<&Opened>, var: Vars<'_>, account: &Account) -> Result<Self, ConfigError> {
        let conditions = Conditions::of(opened);
        let file = scopes::read(opened, &conditions, var)?;
        let inside = opened.map_or_else(Vec::new, counted::folders_of);
        Ok(Self { file, own: OnceCell::new(), account: account.clone(), conditions, inside })
    }

    /// The account whose word counts where a setting lets more through.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// The defaults for a new session (G4).
    pub fn settings(&self) -> Result<Settings, ConfigError> {
        let plain = Settings::default();
        Ok(Settings {
            intent: self.word(&keys::INTENT)?.unwrap_or(plain.intent),
            intensity: self.word(&keys::INTENSITY)?.unwrap_or(plain.intensity),
            research: self.word(&keys::RESEARCH)?.unwrap_or(plain.research),
            output_preference: self.outputs()?,
            interviewer: match self.leader()? {
                Some(agent) => Interviewer::Agent(agent),
                None => self.word(&keys::INTERVIEWER)?.unwrap_or(plain.interviewer),
            },
            approval: self.word(&keys::APPROVAL)?.unwrap_or(plain.approval),
        })
    }

    /// The agent that is started to lead new sessions.
    pub fn leader(&self) -> Result<Option<String>, ConfigError> {
        let value = self.last(&keys::INTERVIEWER)?.and_then(|found| found.value);
        Ok(value.and_then(|text| led_by(&text).map(str::to_owned)))
    }

    /// The agent that is lent work unless a request names one (`grill.agent.default`).
    pub fn lent_agent(&self) -> Result<Option<String>, ConfigError> {
        Ok(self.last(&keys::AGENT_DEFAULT)?.and_then(|found| found.value).filter(|name| !name.is_empty()))
    }

    /// Who may accept the work of an agent (`grill.agent.accept`).
    pub fn may_accept(&self) -> Result<MayAccept, ConfigError> {
        Ok(self.word(&keys::AGENT_ACCEPT)?.unwrap_or(MayAccept::Person))
    }

    /// The shell command that makes a copy ready to be worked in (`grill.agent.setup`).
    pub fn agent_setup(&self) -> Result<Option<String>, ConfigError> {
        let Some(found) = self.last(&keys::AGENT_SETUP)? else { return Ok(None) };
        let line = found.value.clone().ok_or_else(|| found.bad(&keys::AGENT_SETUP))?;
        Ok(Some(line).filter(|line| !line.trim().is_empty()))
    }

    /// The directory for agent sessions (`grill.agent.directory`), outside of this repository.
    pub fn agent_directory(&self) -> Result<Option<PathBuf>, ConfigError> {
        let Some(found) = self.last(&keys::AGENT_DIRECTORY)? else { return Ok(None) };
        let bad = || found.bad(&keys::AGENT_DIRECTORY);
        let value = found.value.as_deref().ok_or_else(bad)?;
        let path = match value.strip_prefix("~/") {
            Some(rest) => self.account.home().map_err(|_| bad())?.join(rest),
            None => PathBuf::from(value),
        };
        if value.is_empty() {
            return Ok(None);
        }
        let is_plain = path.is_absolute() && !path.components().any(|part| part == Component::ParentDir);
        let near = path.ancestors().find_map(|near| Some((near.canonicalize().ok()?, path.strip_prefix(near).ok()?)));
        let real = near.map(|(near, rest)| near.join(rest)).filter(|_| is_plain).ok_or_else(bad)?;
        let is_system_s = ["/dev", "/proc", "/sys"].iter().any(|system| real.starts_with(system));
        if is_system_s || self.belongs_to_repository(&real) { Err(bad()) } else { Ok(Some(real)) }
    }

    /// The command of an agent of the account's own (`grill.agent.<name>.command`), in words. It is started, so no other
    /// place may name one.
    pub fn agent_command(&self, name: &str) -> Result<Option<Vec<String>>, ConfigError> {
        self.command_of(&keys::AGENT_COMMAND, name, "a command that speaks ACP")
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
    pub fn allowed_tools(&self) -> Result<Vec<String>, ConfigError> {
        Ok(self.counted(&keys::GUARD_ALLOW_TOOL)?.into_iter().filter_map(|found| found.value).collect())
    }

    /// Whether the guard puts commands into the sandbox (`grill.guard.rewrite`).
    pub fn rewrites(&self) -> Result<bool, ConfigError> {
        Ok(self.switch_of(&keys::GUARD_REWRITE)?.unwrap_or(false))
    }

    /// The commands that a person allows (`grill.allow`), as they were written. What they may be is the policy's rule.
    pub fn allowed_commands(&self) -> Result<Vec<String>, ConfigError> {
        let found = self.counted(&keys::ALLOW)?.into_iter();
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
        let Some(found) = self.last(&keys::SNAPSHOT_LIMIT)? else {
            return Ok(DEFAULT);
        };
        Kind::Size.protection(found.value.as_deref()).ok_or_else(|| found.bad(&keys::SNAPSHOT_LIMIT))
    }

    /// The most characters of the packet by which an agent goes on.
    pub fn packet_limit(&self) -> Result<PacketLimit, ConfigError> {
        let Some(found) = self.last(&keys::PACKET_LIMIT)? else {
            return Ok(PacketLimit::default());
        };
        let number = keys::PACKET_LIMIT.kind.protection(found.value.as_deref());
        number.and_then(PacketLimit::new).ok_or_else(|| found.bad(&keys::PACKET_LIMIT))
    }

    pub fn time_limit(&self, key: &Key) -> Result<Duration, ConfigError> {
        let usual = || seconds_of(key, Some(key.default)).unwrap_or_default();
        Ok(self.time_limit_if_set(key)?.unwrap_or_else(usual))
    }

    /// A time limit that holds only where it is set.
    pub fn time_limit_if_set(&self, key: &Key) -> Result<Option<Duration>, ConfigError> {
        let set = self.last(key)?.map(|found| seconds_of(key, found.value.as_deref()).ok_or_else(|| found.bad(key)));
        set.transpose()
    }

    /// When colour is used: `color.grill`, else `color.ui`.
    pub fn colour(&self) -> Result<Colour, ConfigError> {
        for key in [&keys::COLOR_GRILL, &keys::COLOR_UI] {
            if let Some(found) = self.last(key)? {
                return colour_of(&found).ok_or_else(|| found.bad(key));
            }
        }
        Ok(Colour::Auto)
    }

    pub fn coloured_pager(&self) -> Result<bool, ConfigError> {
        Ok(self.switch_of(&keys::COLOR_PAGER)?.unwrap_or(true))
    }

    /// How a person is told that a question waits.
    pub fn notify(&self) -> Result<Notify, ConfigError> {
        Ok(self.word(&keys::NOTIFY)?.unwrap_or_default())
    }

    /// Whether what a verb says goes to a pager: `pager.grill.<verb>`, else `pager.grill`.
    pub fn paging(&self, verb: &str) -> Result<Paging, ConfigError> {
        for key in [&keys::PAGER_OF_VERB, &keys::PAGER] {
            if let Some(found) = self.counted_as(&key.with(verb), key.counts, Some(key.kind))?.pop() {
                return Ok(match (found.switch(), found.value) {
                    (Some(false), _) => Paging::Never,
                    (None, Some(pager)) => Paging::By(pager),
                    (Some(true), _) | (None, None) => Paging::Usual,
                });
            }
        }
        Ok(Paging::Usual)
    }

    /// What one of git's keys that names a program says, where that counts.
    fn program(&self, name: &str) -> Result<Option<String>, ConfigError> {
        Ok(self.counted_as(name, counts::of_git(name), None)?.pop().and_then(|found| found.value))
    }

    /// Any other key of git's, as text; `None` when it is not set or has no value.
    pub fn string(&self, key: &str) -> Option<String> {
        self.file.string(key).map(|value| String::from_utf8_lossy(&value).into_owned())
    }

    /// Any other key of git's, as a boolean; `None` when it is not set or is none.
    pub fn switch(&self, key: &str) -> Option<bool> {
        self.file.boolean(key).ok().flatten()
    }

    /// Keys under `grill` that nobody reads, each once.
    pub fn unknown_keys(&self) -> Vec<UnknownKey> {
        let mut unknown: Vec<UnknownKey> = Vec::new();
        for (name, origin) in self.written("grill") {
            let known = keys::KEYS.iter().any(|key| key.is_called(&name));
            if !known && unknown.iter().all(|other| other.name != name) {
                unknown.push(UnknownKey { name, origin });
            }
        }
        unknown
    }

    /// Every key of a section that is set, in full, as often as it is, with its place.
    fn written(&self, section: &str) -> Vec<(String, Origin)> {
        written_in(&self.file, section)
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

    fn word<T: std::str::FromStr>(&self, key: &Key) -> Result<Option<T>, ConfigError> {
        let Some(found) = self.last(key)? else {
            return Ok(None);
        };
        let parsed = found.value.as_deref().and_then(|text| text.parse().ok());
        parsed.map(Some).ok_or_else(|| found.bad(key))
    }

    fn outputs(&self) -> Result<Vec<Destination>, ConfigError> {
        let Some(found) = self.last(&keys::OUTPUT)? else {
            return Ok(Vec::new());
        };
        let list = found.value.as_deref().and_then(|text| destinations(text).ok());
        list.ok_or_else(|| found.bad(&keys::OUTPUT))
    }

    fn switch_of(&self, key: &Key) -> Result<Option<bool>, ConfigError> {
        let Some(found) = self.last(key)? else {
            return Ok(None);
        };
        found.switch().map(Some).ok_or_else(|| found.bad(key))
    }
}

/// Every key of a section that is set in this configuration, in full, as often as it is, with its place.
fn written_in(file: &File, section: &str) -> Vec<(String, Origin)> {
    let mut written = Vec::new();
    for found in file.sections() {
        if !found.header().name().eq_ignore_ascii_case(section.as_bytes()) {
            continue;
        }
        let sub = found.header().subsection_name().map(|name| format!("{}.", String::from_utf8_lossy(name)));
        let sub = sub.unwrap_or_default();
        for name in found.value_names() {
            written.push((format!("{section}.{sub}{name}"), Origin::of(found.meta())));
        }
    }
    written
}

/// A time limit in seconds, if this is one.
fn seconds_of(key: &Key, value: Option<&str>) -> Option<Duration> {
    let seconds = key.kind.protection(value).filter(|seconds| keys::SECONDS.contains(seconds));
    seconds.map(Duration::from_secs)
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
