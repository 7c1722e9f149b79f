//! The gits that are here, and how far apart their answers are.

use std::path::PathBuf;
use std::process::Command;

/// A span of versions within which git answers alike as far as the matrix goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Age {
    /// Before 2.46, which began to ask `reference-transaction` about HEAD.
    Old,
    /// What the rows of the fixture say unless another age speaks up.
    Usual,
    /// From 2.54 on hooks can stand in the configuration.
    New,
}

impl Age {
    /// As the fixture writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Old => "<2.46",
            Self::Usual => "any",
            Self::New => ">=2.54",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        [Self::Old, Self::Usual, Self::New].into_iter().find(|age| age.name() == name)
    }
}

#[derive(Clone, Debug)]
pub struct Git {
    /// `2.47.3`
    pub version: String,
    /// The folder that comes first in PATH.
    pub dir: PathBuf,
}

impl Git {
    pub fn age(&self) -> Age {
        let mut numbers = self.version.split('.').map_while(|number| number.parse::<u32>().ok());
        match (numbers.next().unwrap(), numbers.next().unwrap()) {
            (major, minor) if (major, minor) < (2, 46) => Age::Old,
            (major, minor) if (major, minor) < (2, 54) => Age::Usual,
            _ => Age::New,
        }
    }
}

/// Each version in PATH and in `/usr/bin`, the first of each age.
pub fn all() -> Vec<Git> {
    let path = std::env::var_os("PATH").unwrap();
    let mut found: Vec<Git> = Vec::new();
    for dir in std::env::split_paths(&path).chain([PathBuf::from("/usr/bin")]).filter(|dir| dir.is_absolute()) {
        let Ok(output) = Command::new(dir.join("git")).arg("version").output() else { continue };
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let Some(version) = said.split_whitespace().nth(2) else { continue };
        let git = Git { version: version.to_owned(), dir };
        if found.iter().all(|known| known.age() != git.age()) {
            found.push(git);
        }
    }
    assert!(!found.is_empty(), "git is needed");
    found
}
