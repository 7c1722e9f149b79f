//! What the baseline needs to know of the machine: how git converts files, and how much is kept.

use std::path::PathBuf;

use crate::repo::baseline::Reading;
use crate::repo::config::{Config, ConfigError};

use super::environment::Environment;

/// How the working tree is read here.
pub(super) fn reading(environment: &Environment, config: &Config) -> Result<Reading, ConfigError> {
    // A file that a setting names, or the one that git looks for without it.
    let own = |setting: &str, usual: &str| {
        let home = environment.var("HOME").map(PathBuf::from);
        match config.string(setting) {
            Some(path) => match (path.strip_prefix("~/"), &home) {
                (Some(rest), Some(home)) => Some(home.join(rest)),
                (Some(_), None) | (None, _) => Some(PathBuf::from(path)),
            },
            None => environment
                .var("XDG_CONFIG_HOME")
                .filter(|folder| !folder.is_empty())
                .map(PathBuf::from)
                .or_else(|| home.map(|home| home.join(".config")))
                .map(|folder| folder.join(usual)),
        }
    };
    let attributes = own("core.attributesFile", "git/attributes");
    let line_ends =
        config.string("core.autocrlf").is_some_and(|value| value != "false" && value != "no" && value != "0");
    Ok(Reading {
        largest: config.snapshot_limit()?,
        converts: line_ends,
        attributes: attributes.into_iter().chain([PathBuf::from("/etc/gitattributes")]).collect(),
        ignores: own("core.excludesFile", "git/ignore").into_iter().collect(),
        ignores_case: config.switch("core.ignoreCase").unwrap_or(false),
    })
}
