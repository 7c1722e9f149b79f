//! Destinations that make programs run: files and folders in which agents, editors, hooks, CI, shells and build tools look
//! for what to do, without anybody starting them for that.
//!
//! The one rule: such a path is no destination of a draft and no file that an approved plan opens, unless a person typed
//! that very path at a terminal, was told what it can do, and said yes. A path that symlinks lead somewhere is judged by
//! where it leads as well, when it is chosen, drafted and written. Whether the file exists already makes no
//! difference. A name that begins with a dot counts as one unless it is known to be harmless, and so does a name at the top
//! of the repository unless it is a document's: what tools will look for tomorrow is not known today.

mod machines;
mod names;
mod spelling;
mod tools;

use std::fmt;

use super::production::TargetPath;
use machines::MACHINES;
use names::{DOCUMENTS, FOLDERS, HARMLESS, PATTERNS, PLACES};
use tools::TOOLS;

/// Kind of harm that a destination can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Danger {
    /// Instructions, hooks, servers and settings of coding agents.
    Agent,
    /// Settings of editors and debuggers.
    Editor,
    /// Pipelines and bots.
    Ci,
    /// Files that git reads, and hooks of git.
    Git,
    /// Start files of shells, and files that set variables.
    Shell,
    /// Build files and manifests of packages.
    Build,
    /// Containers, machines and services.
    Machine,
    /// Scripts and what starts them.
    Program,
    /// A file at the top of the repository that is no document.
    Top,
    /// A hidden file that is not known.
    Hidden,
    /// A name that a file system may take for another one.
    Alias,
}

impl Danger {
    /// Each of them, as the fixtures spell them.
    pub const ALL: [(&str, Self); 11] = [
        ("agent", Self::Agent),
        ("editor", Self::Editor),
        ("ci", Self::Ci),
        ("git", Self::Git),
        ("shell", Self::Shell),
        ("build", Self::Build),
        ("machine", Self::Machine),
        ("program", Self::Program),
        ("top", Self::Top),
        ("hidden", Self::Hidden),
        ("alias", Self::Alias),
    ];

    /// The sentence that a person is told.
    pub fn can(self) -> &'static str {
        match self {
            Self::Agent => "coding agents read it, and it can make them run programs",
            Self::Editor => {
                "editors and debuggers read it when the directory is opened, and it can make them run programs"
            }
            Self::Ci => "CI servers run its commands, often with secrets, as soon as it is pushed",
            Self::Git => "git reads it, and it can hide files or make git run programs",
            Self::Shell => "a shell that starts here runs it or takes variables from it",
            Self::Build => "build and test tools run its commands and fetch what it names",
            Self::Machine => "it decides what a machine or a container starts",
            Self::Program => "it is a script, and runs when it is started or sourced",
            Self::Top => "not a document, and at the top of the repository, where tools look for settings and scripts",
            Self::Hidden => "it is a hidden file, and tools may read it unasked",
            Self::Alias => "some file systems take its name for that of another file",
        }
    }
}

impl fmt::Display for Danger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.can())
    }
}

/// The danger of this destination; `None` if it makes no program run.
pub fn danger(path: &TargetPath) -> Option<Danger> {
    danger_of(path.as_str())
}

/// The same for a path as it was typed.
pub fn danger_of(path: &str) -> Option<Danger> {
    let parts = spelling::parts(path);
    let placed = PLACES.iter().find(|(place, _)| runs_through(&parts, place)).map(|(_, danger)| *danger);
    let (last, folders) = parts.split_last()?;
    let named = || {
        PATTERNS.iter().chain(MACHINES).chain(TOOLS).find(|(pattern, _)| fits(pattern, last)).map(|(_, danger)| *danger)
    };
    let inside =
        || parts.iter().find_map(|part| FOLDERS.iter().find(|(folder, _)| fits(folder, part)).map(|row| row.1));
    let aliased = || parts.iter().any(|part| spelling::is_short_name(part)).then_some(Danger::Alias);
    let hidden = || {
        let unknown = |part: &String| part.starts_with('.') && !HARMLESS.iter().any(|known| fits(known, part));
        folders.iter().chain([last]).any(unknown).then_some(Danger::Hidden)
    };
    let top = || (folders.is_empty() && !is_document(last)).then_some(Danger::Top);
    placed.or_else(inside).or_else(named).or_else(aliased).or_else(hidden).or_else(top)
}

/// Whether a name is one of texts that people read, and that no tool takes for settings or a program.
fn is_document(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    HARMLESS.iter().any(|known| fits(known, &name)) || DOCUMENTS.iter().any(|known| fits(known, &name))
}

/// Whether a file of this path and mode is a program that nobody chose as one: it may be executed, and its name says
/// neither document, which one may be by a slip, nor danger, of which a person was told.
pub fn is_program(path: &TargetPath, mode: u32) -> bool {
    const EXECUTABLE: u32 = 0o111;
    let name = path.as_str().rsplit('/').next().unwrap_or_default();
    mode & EXECUTABLE != 0 && !is_document(name) && danger(path).is_none()
}

/// Whether these parts follow one another somewhere in the path.
fn runs_through(parts: &[String], place: &str) -> bool {
    let wanted: Vec<&str> = place.split('/').collect();
    parts.windows(wanted.len()).any(|some| some.iter().zip(&wanted).all(|(part, pattern)| fits(pattern, part)))
}

/// Whether a name fits a pattern with at most two stars.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, rest)) => {
            let Some(name) = name.strip_prefix(before) else { return false };
            match rest.split_once('*') {
                None => name.ends_with(rest),
                Some((middle, after)) => name.strip_suffix(after).is_some_and(|name| name.contains(middle)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_written_as_a_path_is_compared() {
        let rows = FOLDERS
            .iter()
            .chain(PATTERNS)
            .chain(MACHINES)
            .chain(TOOLS)
            .chain(PLACES)
            .map(|(name, _)| *name)
            .chain(HARMLESS.iter().chain(DOCUMENTS).copied());
        for name in rows {
            assert_eq!(spelling::parts(name).join("/"), name, "a row that no path can fit");
        }
    }

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, name, is) in [
            ("a*", "abc", true),
            ("*.nix", "flake.nix", true),
            (".*rc.*", ".eslintrc.json", true),
            (".*rc.*", ".eslintrc", false),
            ("a*b", "ab", true),
            ("ab*b", "ab", false),
        ] {
            assert_eq!(fits(pattern, name), is, "{pattern} {name}");
        }
    }
}
