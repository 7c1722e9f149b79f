//! The account's configuration of other people's programs that are started by name: agents and extensions.

use std::collections::BTreeSet;

use super::keys::{self, Key};
use super::{Config, ConfigError};

impl Config {
    /// The command of an extension (`grill.extension.<name>.command`), split into words. It is started, so it counts
    /// only in the account's configuration.
    pub fn extension_command(&self, name: &str) -> Result<Option<Vec<String>>, ConfigError> {
        self.command_of(&keys::EXTENSION_COMMAND, name, "a command that speaks the extension protocol")
    }

    /// Whether an extension runs in the sandbox (`grill.extension.<name>.sandbox`).
    pub fn extension_sandboxed(&self, name: &str) -> Result<bool, ConfigError> {
        let Key { counts, kind, .. } = keys::EXTENSION_SANDBOX;
        let key = keys::EXTENSION_SANDBOX.with(name);
        let Some(found) = self.counted_as(&key, counts, Some(kind))?.pop() else { return Ok(true) };
        let allowed = kind.allowed();
        found.switch().ok_or_else(|| ConfigError::BadValue {
            key,
            value: found.value.unwrap_or_default(),
            origin: found.origin,
            allowed,
        })
    }

    /// The names of the extensions whose commands the account sets, in order.
    pub fn extensions(&self) -> Result<Vec<String>, ConfigError> {
        let set = self.own_names(&keys::EXTENSION_COMMAND)?;
        let part = |key: &String| {
            let (before, after) = keys::EXTENSION_COMMAND.name.split_once("<name>")?;
            key.strip_prefix(before)?.strip_suffix(after).map(str::to_owned)
        };
        let names: BTreeSet<String> = set.iter().filter_map(part).collect();
        Ok(names.into_iter().collect())
    }

    /// The words of the command in a key with a variable part; `allowed` says which values it takes.
    pub(super) fn command_of(
        &self,
        key: &Key,
        name: &str,
        allowed: &'static str,
    ) -> Result<Option<Vec<String>>, ConfigError> {
        let Key { counts, kind, .. } = *key;
        let key = key.with(name);
        let Some(found) = self.counted_as(&key, counts, Some(kind))?.pop() else { return Ok(None) };
        let words = found.value.as_deref().map(shell_words::split);
        let allowed = match words {
            Some(Ok(words)) if !words.is_empty() => return Ok(Some(words)),
            Some(Err(_)) => "a command whose quotes are closed",
            Some(Ok(_)) | None => allowed,
        };
        let value = found.value.unwrap_or_default();
        Err(ConfigError::BadValue { key, value, origin: found.origin, allowed: vec![allowed] })
    }
}
