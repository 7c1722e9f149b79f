//! The folders that agents keep their own files in, as far as a run has to know them. Paths below `~` are below the home
//! folder.

/// One folder that an agent keeps its own files in.
#[derive(Debug)]
pub struct Folder {
    /// Its usual place.
    pub path: &'static str,
    /// The variable that puts it elsewhere.
    pub moved: Moved,
    /// Files directly in the home folder that belong to it. They stay as they are; agents were seen to do without
    /// writing them.
    pub beside: &'static [&'static str],
    /// Session logs: without them the agent cannot go on with a conversation in a later run.
    pub logs: &'static [Log],
    /// Files with its conversations and those of other projects, which belong together, the first of them always there.
    /// They stay inside; only the agent of an interview finds them again, in the next run of that interview.
    pub together: &'static [&'static str],
    /// Credentials that the agent refreshes by itself; the first is its login.
    pub credentials: &'static [&'static str],
}

/// The variable that puts a folder elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// None that we know.
    Never,
    /// It names the folder itself, so that a private copy can stand in for it.
    To(&'static str),
    /// It names a folder above, which other programs look into as well.
    Below(&'static str, &'static str),
}

/// One kind of session log: a pattern below the folder, in which `*` is any part of a name and `{project}` the name
/// that the agent gives to the folder that it runs in. A log of another project is none of this run's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Log {
    pub path: &'static str,
    /// How the project is told from others.
    pub project: Project,
}

/// How an agent tells the logs of one project from those of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Project {
    /// By the name of a folder: everything but letters and digits is a hyphen.
    Hyphens,
    /// By the name of a folder: without the first slash, slashes and colons are hyphens, two more stand at either end.
    Fenced,
    /// By the name of a folder: everything but letters, digits and `-_.~` is percent-encoded.
    Percent,
    /// By the first line of the log, whose `payload.cwd` is the folder.
    FirstLine,
    /// By a file `.project_root` two folders up, which holds the path.
    RootFile,
}

/// What a folder begins with.
pub const FOLDER: Folder =
    Folder { path: "", moved: Moved::Never, beside: &[], logs: &[], together: &[], credentials: &[] };

/// A folder that this variable puts elsewhere.
pub const fn own(path: &'static str, variable: &'static str) -> Folder {
    Folder { path, moved: Moved::To(variable), ..FOLDER }
}

/// A folder below one that this variable puts elsewhere.
pub const fn below(path: &'static str, variable: &'static str, rest: &'static str) -> Folder {
    Folder { path, moved: Moved::Below(variable, rest), ..FOLDER }
}

/// A folder that stays where it is.
pub const fn fixed(path: &'static str) -> Folder {
    Folder { path, ..FOLDER }
}

impl Project {
    /// The name of the folder for a project; `None` where it is not told by one.
    pub fn folder(self, project: &str) -> Option<String> {
        let replaced = |keep: &dyn Fn(char) -> bool| project.chars().map(|c| if keep(c) { c } else { '-' }).collect();
        match self {
            Self::Hyphens => Some(replaced(&|c| c.is_ascii_alphanumeric())),
            Self::Fenced => {
                let inner = project.strip_prefix('/').unwrap_or(project);
                let inner: String = inner.chars().map(|c| if "/\\:".contains(c) { '-' } else { c }).collect();
                Some(format!("--{inner}--"))
            }
            Self::Percent => Some(project.bytes().fold(String::new(), |mut name, byte| {
                if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                    name.push(char::from(byte));
                } else {
                    let digit = |half: u8| char::from_digit(half.into(), 16).unwrap_or('0').to_ascii_uppercase();
                    name.extend(['%', digit(byte >> 4), digit(byte & 15)]);
                }
                name
            })),
            Self::FirstLine | Self::RootFile => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::ALL;

    #[test]
    fn a_project_has_the_name_that_its_agent_gives_it() {
        let path = "/home/ada/a_b.c d";
        assert_eq!(Project::Hyphens.folder(path).unwrap(), "-home-ada-a-b-c-d");
        assert_eq!(Project::Fenced.folder(path).unwrap(), "--home-ada-a_b.c d--");
        assert_eq!(Project::Percent.folder(path).unwrap(), "%2Fhome%2Fada%2Fa_b.c%20d");
        assert_eq!(Project::FirstLine.folder(path), None);
    }

    #[test]
    fn no_folder_is_a_home_or_has_a_shell_s_own_files() {
        for folder in ALL.iter().flat_map(|agent| agent.folders) {
            let rest = folder.path.strip_prefix("~/").expect("below the home folder");
            for closed in ["", ".bashrc", ".profile", ".ssh/config", ".gitconfig", ".config/git/config", ".local/bin/x"]
            {
                assert!(!std::path::Path::new(closed).starts_with(rest), "{rest} has {closed}");
            }
            let names = folder.credentials.iter().chain(folder.together).copied();
            let patterns = folder.logs.iter().map(|log| log.path).chain(names);
            for pattern in patterns {
                assert!(!pattern.starts_with('/') && !pattern.split('/').any(|part| part.is_empty() || part == ".."));
            }
        }
    }
}
