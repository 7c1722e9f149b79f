//! Reads every scope of git's configuration, in git's order: system, global (XDG, then home), repository, worktree,
//! `GIT_CONFIG_COUNT`, `git -c`. And, apart from those, the account's own files.
//!
//! gix-config could do this by itself, but it would ask `git` for the installation's file (a millisecond), read the
//! process environment, and leave `git -c` out. Not covered: a system file that git was built to look for elsewhere
//! than in `/etc`, and `includeIf.hasconfig` when the URL stands in a later scope.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use gix_config::file::{Metadata, includes, init};
use gix_config::{AsKey, File, Source};

use super::parameters::{self, Pair};
use super::{Account, ConfigError};
use crate::files::regular;
use crate::repo::open::{Opened, Vars};

/// The most `GIT_CONFIG_KEY_<n>` variables that are looked at.
const MOST_PAIRS: usize = 10_000;

/// What conditional includes ask about the repository.
#[derive(Default)]
pub(super) struct Conditions {
    git_dir: Option<PathBuf>,
    branch: Option<String>,
}

impl Conditions {
    /// The answers of this repository.
    pub(super) fn of(opened: Option<&Opened>) -> Self {
        Self {
            git_dir: opened.map(|opened| opened.git_dir.clone()),
            branch: opened.and_then(|opened| opened.head.branch()).map(|name| format!("refs/heads/{name}")),
        }
    }

    /// How files are read for a user with this home folder.
    fn options<'a>(&'a self, home: Option<&'a Path>) -> init::Options<'a> {
        init::Options {
            includes: includes::Options::follow(
                gix_config::path::interpolate::Context {
                    git_install_dir: None,
                    home_dir: home,
                    home_for_user: Some(gix_config::path::interpolate::home_for_user),
                },
                includes::conditional::Context {
                    git_dir: self.git_dir.as_deref(),
                    branch_name: self.branch.as_deref().and_then(|name| name.try_into().ok()),
                },
            ),
            lossy: true,
            ignore_io_errors: false,
        }
    }
}

/// Reads the account's own configuration and the system's, wherever the environment says that they are.
pub(super) fn own(account: &Account, conditions: &Conditions) -> Result<File, ConfigError> {
    let options = conditions.options(account.home().ok());
    let mut all = File::new(Metadata::from(Source::System));
    if !account.system().as_os_str().is_empty() {
        add(&mut all, read_file(account.system(), Source::System, options)?)?;
    }
    for file in account.files() {
        add(&mut all, read_file(&file, Source::User, options)?)?;
    }
    Ok(all)
}

/// Reads all of it; outside a repository only the scopes that need none.
pub(super) fn read(opened: Option<&Opened>, conditions: &Conditions, var: Vars<'_>) -> Result<File, ConfigError> {
    let home = var("HOME").map(PathBuf::from);
    let options = conditions.options(home.as_deref());

    let mut all = File::new(Metadata::from(Source::System));
    let mut seen: Vec<PathBuf> = Vec::new();
    for source in [Source::System, Source::Git, Source::User] {
        let Some(path) = source.storage_location(&mut |name| var(name)) else {
            continue;
        };
        // `GIT_CONFIG_GLOBAL` stands for both of the user's files.
        if !seen.contains(&path) {
            add(&mut all, read_file(&path, source, options)?)?;
            seen.push(path);
        }
    }
    if let Some(opened) = opened {
        let local = opened.common_dir.join("config");
        let local = read_file(&local, Source::Local, options)?;
        // Only the repository itself says whether its worktrees have configurations of their own.
        let per_worktree = local.as_ref().and_then(|file| file.boolean("extensions.worktreeConfig").ok().flatten());
        add(&mut all, local)?;
        if per_worktree == Some(true) {
            let own = opened.git_dir.join("config.worktree");
            add(&mut all, read_file(&own, Source::Worktree, options)?)?;
        }
    }
    let counted = counted_pairs(var)?;
    add(&mut all, from_pairs(counted, Source::Env, "GIT_CONFIG_COUNT", options)?)?;
    let typed = typed_pairs(var)?;
    add(&mut all, from_pairs(typed, Source::Cli, "GIT_CONFIG_PARAMETERS", options)?)?;
    Ok(all)
}

fn add(all: &mut File, more: Option<File>) -> Result<(), ConfigError> {
    if let Some(more) = more {
        all.append(more).map_err(|error| syntax("git's configuration", &error))?;
    }
    Ok(())
}

fn read_file(path: &Path, source: Source, options: init::Options<'_>) -> Result<Option<File>, ConfigError> {
    // The others are the user's, who may mean `/dev/null`.
    let is_repositorys = matches!(source, Source::Local | Source::Worktree);
    let read = if is_repositorys { regular::bytes(path, regular::LONG) } else { std::fs::read(path) };
    let mut bytes = match read {
        Ok(bytes) => bytes,
        Err(error) => return unreadable(path, source, error),
    };
    File::from_bytes_owned(&mut bytes, Metadata::from(source).at(path), options)
        .map(Some)
        .map_err(|error| syntax(&path.display().to_string(), &error))
}

/// A file that is not there says nothing. Like git, we also go on without a user's file that this process may not
/// read: under `sudo -u` it is somebody else's.
fn unreadable(path: &Path, source: Source, error: std::io::Error) -> Result<Option<File>, ConfigError> {
    let kind = error.kind();
    let absent = matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory);
    let foreign = kind == ErrorKind::PermissionDenied && matches!(source, Source::Git | Source::User);
    if absent || foreign {
        return Ok(None);
    }
    Err(ConfigError::Unreadable { file: path.to_owned(), source: error })
}

/// `GIT_CONFIG_COUNT`, `GIT_CONFIG_KEY_<n>`, `GIT_CONFIG_VALUE_<n>`.
fn counted_pairs(var: Vars<'_>) -> Result<Vec<Pair>, ConfigError> {
    let bad = |why: String| ConfigError::Syntax { place: "GIT_CONFIG_COUNT".to_owned(), why };
    let Some(count) = var("GIT_CONFIG_COUNT") else {
        return Ok(Vec::new());
    };
    let count = count.to_string_lossy();
    if count.is_empty() {
        return Ok(Vec::new());
    }
    let count: usize = count
        .parse()
        .ok()
        .filter(|count| *count <= MOST_PAIRS)
        .ok_or_else(|| bad(format!("'{count}' is no number up to {MOST_PAIRS}")))?;
    let one = |name: String| {
        var(&name).map(std::ffi::OsString::into_encoded_bytes).ok_or_else(|| bad(format!("{name} is missing")))
    };
    (0..count)
        .map(|n| {
            let key = one(format!("GIT_CONFIG_KEY_{n}"))?;
            Ok((key, Some(one(format!("GIT_CONFIG_VALUE_{n}"))?)))
        })
        .collect()
}

/// `git -c` and `git --config-env`.
fn typed_pairs(var: Vars<'_>) -> Result<Vec<Pair>, ConfigError> {
    let Some(text) = var("GIT_CONFIG_PARAMETERS") else {
        return Ok(Vec::new());
    };
    parameters::parse(text.as_encoded_bytes()).ok_or_else(|| ConfigError::Syntax {
        place: "GIT_CONFIG_PARAMETERS".to_owned(),
        why: "it is not quoted as git quotes it".to_owned(),
    })
}

fn from_pairs(
    pairs: Vec<Pair>,
    source: Source,
    place: &str,
    options: init::Options<'_>,
) -> Result<Option<File>, ConfigError> {
    if pairs.is_empty() {
        return Ok(None);
    }
    let mut file = File::new(Metadata::from(source));
    for (key, value) in pairs {
        let name = String::from_utf8_lossy(&key);
        let name = name.as_ref();
        let parts = name
            .try_as_key()
            .ok_or_else(|| ConfigError::Syntax { place: place.to_owned(), why: format!("'{name}' is no key") })?;
        // A section of its own for each pair: they keep their order, and the last one wins.
        file.new_section(parts.section_name, parts.subsection_name.map(ToOwned::to_owned))
            .and_then(|mut section| section.push(parts.value_name, value.as_deref().map(Into::into)).map(drop))
            .map_err(|error| syntax(place, &error))?;
    }
    file.resolve_includes(options).map_err(|error| syntax(place, &error))?;
    Ok(Some(file))
}

fn syntax(place: &str, error: &impl std::fmt::Display) -> ConfigError {
    ConfigError::Syntax { place: place.to_owned(), why: error.to_string() }
}
