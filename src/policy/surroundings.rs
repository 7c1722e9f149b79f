//! The surroundings of a command: the files, repositories and variables that decide what programs it runs.
//!
//! A clone is somebody else's text. A command that is known to read may still run what the clone says, if it finds its
//! configuration there: cargo a `.cargo/config.toml`, git a `core.fsmonitor`. So the sheets name, per command, what would
//! make it do so, and the policy asks here whether any of that is around. `world` looks, and only when it is asked: most
//! commands ask nothing.

/// How far a search for a file goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The folder where the command runs.
    Here,
    /// That folder and those above it, up to the root of the file system, but for the account's own home folder and
    /// what lies above that: they are the person's, like the rest of the account's configuration.
    Above,
}

/// A file that was looked for and is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its path as a person knows it.
    pub shown: String,
    pub what: What,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A file with this text, or the beginning of one that is no text or longer than is read.
    File(Content),
    Folder,
    /// Something else, or something that could not be looked at.
    Unclear,
}

/// The beginning of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// All of it.
    Text(String),
    /// The first bytes of a file that is longer than is read, or no text.
    Bytes(Vec<u8>),
}

/// The repository that git would find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repository {
    Missing,
    /// The session's own, or a worktree or submodule that it keeps, with what its own configuration says. What the
    /// account's and the machine's configuration says is the person's word, and is not in it.
    Own {
        /// Every setting, in the order of the files.
        settings: Vec<Setting>,
        /// Hooks that reading commands run.
        hooks: Vec<String>,
    },
    /// Another one, at this place.
    Foreign(String),
    /// It could not be found out: why.
    Unclear(String),
}

/// One setting of a repository's own configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// `section.subsection.name`, section and name in lower case.
    pub key: String,
    /// The value; none where there is no `=`.
    pub value: Option<String>,
    /// The file it stands in, as a person knows it.
    pub file: String,
}

/// Where the path of a program leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// To a file that came with the system, or to nothing.
    System,
    /// Elsewhere, or it could not be found out.
    Elsewhere,
}

/// Looks around. A folder is a path from where the script begins, empty for that folder itself, or an absolute one.
///
/// Whatever cannot be found out is told as such and never left out: the policy refuses then.
pub trait Surroundings {
    /// The files, folders and other things at the relative path `name`, the nearest one first.
    fn find(&self, folder: &str, reach: Reach, name: &str) -> Vec<Found>;

    /// The names in the folder; `None` when they could not be read, or are too many.
    fn names(&self, folder: &str) -> Option<Vec<String>>;

    fn repository(&self, folder: &str) -> Repository;

    /// The repositories of the submodules that git looks into from the folder.
    fn submodules(&self, folder: &str) -> Vec<Repository>;

    /// The value of a variable that leads into the repository, or to wherever the command happens to run.
    fn variable(&self, name: &str) -> Option<String>;

    /// A program that the command's name finds in a folder of `PATH` that is not absolute.
    fn shadowed(&self, folder: &str, command: &str) -> Option<String>;

    fn program(&self, path: &str) -> Program;
}

/// Surroundings with nothing in them: for what is said about a command wherever it runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Empty;

impl Surroundings for Empty {
    fn find(&self, _folder: &str, _reach: Reach, _name: &str) -> Vec<Found> {
        Vec::new()
    }

    fn names(&self, _folder: &str) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn repository(&self, _folder: &str) -> Repository {
        Repository::Missing
    }

    fn submodules(&self, _folder: &str) -> Vec<Repository> {
        Vec::new()
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }

    fn shadowed(&self, _folder: &str, _command: &str) -> Option<String> {
        None
    }

    fn program(&self, _path: &str) -> Program {
        Program::System
    }
}
