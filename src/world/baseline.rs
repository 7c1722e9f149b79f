//! What the baseline needs to know of the machine: how git converts files, and how much is kept.

use std::path::PathBuf;

use crate::repo::baseline::Reading;
use crate::repo::config::{Config, ConfigError};

use super::environment::Environment;

/// How the working tree is read here.
pub(super) fn reading(environment: &Environment, config: &Config) -> Result<Reading, ConfigError> {
    let home = environment.var("HOME").map(PathBuf::from);
    let own = match config.string("core.attributesFile") {
        Some(path) => match (path.strip_prefix("~/"), &home) {
            (Some(rest), Some(home)) => Some(home.join(rest)),
            (Some(_), None) | (None, _) => Some(PathBuf::from(path)),
        },
        None => environment
            .var("XDG_CONFIG_HOME")
            .filter(|folder| !folder.is_empty())
            .map(PathBuf::from)
            .or_else(|| home.map(|home| home.join(".config")))
            .map(|folder| folder.join("git/attributes")),
    };
    let line_ends =
        config.string("core.autocrlf").is_some_and(|value| value != "false" && value != "no" && value != "0");
    Ok(Reading {
        largest: config.snapshot_limit()?,
        converts: line_ends,
        attributes: own.into_iter().chain([PathBuf::from("/etc/gitattributes")]).collect(),
    })
}
