//! The repositories of a tracker, where issues are created (G32).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

const DEFAULT_HOST: &str = "github.com";

/// A repository as its host knows it: `[host/]owner/name`, as `gh` writes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TrackerRepository {
    host: String,
    owner: String,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is no repository of a tracker: owner/name, or host/owner/name")]
pub struct BadTrackerRepository {
    pub text: String,
}

impl TrackerRepository {
    /// The host, in lower case.
    pub fn host(&self) -> &str {
        &self.host
    }

    pub fn owner(&self) -> &str {
        &self.owner
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

impl FromStr for TrackerRepository {
    type Err = BadTrackerRepository;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || BadTrackerRepository { text: text.to_owned() };
        let parts: Vec<&str> = text.split('/').collect();
        let (host, owner, name) = match parts.as_slice() {
            [owner, name] => (DEFAULT_HOST, *owner, *name),
            [host, owner, name] => (*host, *owner, *name),
            _ => return Err(bad()),
        };
        let plain = |one: char| one.is_ascii_alphanumeric() || matches!(one, '-' | '_' | '.');
        // What begins with a hyphen would be an option to the programs that are called with it.
        let part = |part: &str| !part.is_empty() && part.len() <= 100 && !part.starts_with(['-', '.']);
        let fits = |one: &str| part(one) && one.chars().all(plain);
        // A name may begin with a dot: `.github` is one that GitHub itself gives a meaning to.
        let named = fits(name.strip_prefix('.').unwrap_or(name));
        if !(fits(host) && fits(owner) && named) {
            return Err(bad());
        }
        Ok(Self { host: host.to_ascii_lowercase(), owner: owner.to_owned(), name: name.to_owned() })
    }
}

impl fmt::Display for TrackerRepository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host != DEFAULT_HOST {
            write!(f, "{}/", self.host)?;
        }
        write!(f, "{}/{}", self.owner, self.name)
    }
}

impl From<TrackerRepository> for String {
    fn from(repository: TrackerRepository) -> Self {
        repository.to_string()
    }
}

impl TryFrom<String> for TrackerRepository {
    type Error = BadTrackerRepository;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g32_a_repository_is_named_as_gh_names_it() {
        for (text, written) in [
            ("octo/links", "octo/links"),
            ("github.com/octo/links", "octo/links"),
            ("GitHub.com/octo/links.rs", "octo/links.rs"),
            ("git.example.org/octo/.github", "git.example.org/octo/.github"),
        ] {
            assert_eq!(text.parse::<TrackerRepository>().map(|one| one.to_string()), Ok(written.to_owned()), "{text}");
        }
        for text in
            ["", "links", "a/b/c/d", "/b", "a/", "a b/c", "--web/x", "a/..", "a/b\n", "../x/y", "a/-b", "ho:1/a/b"]
        {
            assert!(text.parse::<TrackerRepository>().is_err(), "{text:?}");
        }
    }
}
