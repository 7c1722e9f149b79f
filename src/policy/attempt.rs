//! What somebody attempts, in the policy's terms. Whoever sees the attempt (a git hook, an agent's hook, the MCP or ACP
//! surface) finds out the facts and puts them here; the policy looks at nothing else.

use std::fmt;

use crate::policy::ref_line::RefLine;
use crate::policy::refs::RefFacts;
use crate::policy::surroundings::Surroundings;

/// An attempt. What fits nothing else is [`Attempt::Unknown`], and that is refused.
pub enum Attempt<'a> {
    Shell {
        command: &'a str,
        /// The folder of the worktree that it would run in, `/` between the parts; empty at the top.
        folder: &'a str,
        around: &'a dyn Surroundings,
    },
    /// A file is written, made or edited.
    WriteFile(File<'a>),
    /// A file is removed, or moved away.
    DeleteFile(File<'a>),
    /// git is about to commit a ref transaction.
    RefUpdate {
        lines: &'a [RefLine],
        /// What has to be known about the repository.
        facts: &'a dyn RefFacts,
    },
    /// git is about to push: what `pre-push` reads.
    Push {
        /// `<local ref> <id> <remote ref> <id>` a line.
        stdin: &'a [u8],
    },
    /// Another git operation, of which no more is known than its name.
    Git {
        /// As a person would call it.
        operation: &'a str,
    },
    /// Something that changes things elsewhere: a request that posts, a message that is sent.
    Network {
        /// As a person would call it.
        what: &'a str,
    },
    /// One of our own tools: the dispatcher rules on what it asks for.
    OurTool { name: &'a str },
    /// Reading, searching, asking, and an agent's notes to itself: nothing of the repository changes.
    Read {
        /// As a person would call it.
        what: &'a str,
    },
    Unknown {
        /// As a person would call it.
        what: &'a str,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File<'a> {
    pub asked: &'a str,
    pub place: Place<'a>,
}

/// Where a file lies, with every link on the way followed by whoever could look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'a> {
    /// In the worktree: the path from its top, `/` between the parts.
    Inside(&'a str),
    /// Somewhere else.
    Outside,
    Unclear,
}

impl fmt::Debug for Attempt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shell { command, folder, around: _ } => write!(f, "Shell({command:?} in {folder:?})"),
            Self::WriteFile(file) => write!(f, "WriteFile({file:?})"),
            Self::DeleteFile(file) => write!(f, "DeleteFile({file:?})"),
            Self::RefUpdate { lines, facts: _ } => write!(f, "RefUpdate({lines:?})"),
            Self::Push { stdin } => write!(f, "Push({})", stdin.escape_ascii()),
            Self::Git { operation } => write!(f, "Git({operation:?})"),
            Self::Network { what } => write!(f, "Network({what:?})"),
            Self::OurTool { name } => write!(f, "OurTool({name:?})"),
            Self::Read { what } => write!(f, "Read({what:?})"),
            Self::Unknown { what } => write!(f, "Unknown({what:?})"),
        }
    }
}
