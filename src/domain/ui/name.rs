//! The names of extensions, of their tools and of their commands.

use serde::{Deserialize, Serialize};

/// The longest name.
const LONGEST: usize = 40;

/// A name that is safe to type and to print, and in a setting, a tool's name and a file's name: a lower-case letter
/// followed by lower-case letters, digits and single hyphens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the name of {0} is a lower-case letter followed by lower-case letters, digits and single hyphens, at most \
     {LONGEST} characters"
)]
pub struct BadName(String);

impl Name {
    /// Checks the name of `what`, such as `an extension`.
    pub fn parse(what: &str, raw: &str) -> Result<Self, BadName> {
        let part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        let fits =
            raw.len() <= LONGEST && raw.starts_with(|c: char| c.is_ascii_lowercase()) && raw.split('-').all(part);
        if fits { Ok(Self(raw.to_owned())) } else { Err(BadName(what.to_owned())) }
    }

    /// The name of the extension that is shipped, and of its tool (P8).
    pub fn questionnaire() -> Self {
        Self("questionnaire".to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name under which agents call this extension's `tool`.
    pub fn tool(&self, tool: &Self) -> String {
        format!("{}_{}", self.0, tool.0).replace('-', "_")
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Name {
    type Error = BadName;

    fn try_from(raw: String) -> Result<Self, BadName> {
        Self::parse("an extension", &raw)
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p6_a_name_is_safe_wherever_it_stands() {
        for good in ["a", "api-limits", "x2"] {
            assert_eq!(Name::parse("an extension", good).unwrap().as_str(), good);
        }
        for bad in ["", "-a", "a-", "a--b", "A", "2a", "a_b", "a/b", "a b", "\u{e4}", "a\u{1b}", &"a".repeat(41)] {
            assert!(Name::parse("an extension", bad).is_err(), "{bad:?}");
        }
        let name = |raw| Name::parse("a tool", raw).unwrap();
        assert_eq!(name("api-limits").tool(&name("ask-all")), "api_limits_ask_all");
    }
}
