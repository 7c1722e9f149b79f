//! What is in a working copy and is not taken over, with the reason.

use crate::git::paths::shortened;

/// So many are named in a sentence.
const NAMED: usize = 10;

/// A path that was left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    pub path: Vec<u8>,
    pub why: Why,
}

/// What git ignores, in a few words: some of it, and how much there is besides. Empty where there is none.
pub fn ignored_in_words<'a>(left_out: impl IntoIterator<Item = &'a LeftOut>) -> String {
    let all: Vec<String> =
        left_out.into_iter().filter(|one| one.why == Why::Ignored).map(|one| shortened(&one.path)).collect();
    let named = all.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match all.len() {
        0 => String::new(),
        many if many > NAMED => format!("{named} and {} more, which git ignores", many - NAMED),
        _ => format!("{named}, which git ignores"),
    }
}

/// Why a path was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// `.worktreeinclude` brought it in, or it has the content of a file that was brought in.
    Included,
    /// git ignores it; a folder with nothing else in it is named as a whole, with a slash at its end.
    Ignored,
    /// It is larger than what is kept.
    TooLarge,
    /// It is a named pipe, a socket or a device.
    Irregular,
    /// It is a repository of its own.
    Repository,
    /// It cannot be read.
    Unreadable,
    /// git takes no file with this name.
    Name,
    /// Its path is so long that the system opens no such file below another folder.
    LongPath,
    /// A filter of the user's converts it, and is not run over what an agent wrote.
    Filtered,
    /// It is not in the encoding that its attributes name (`working-tree-encoding`).
    Encoding,
    /// It names commits of the agent's that cannot be read, or are too large.
    Commits,
    /// It names commits of the agent's, and as many names are kept as can be.
    Names,
    /// It names commits with a file that `.worktreeinclude` brought in.
    Secret,
}

impl Why {
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Included => "brought in by .worktreeinclude",
            Self::Ignored => "ignored by git",
            Self::TooLarge => "too large",
            Self::Irregular => "not a regular file",
            Self::Repository => "a repository of its own",
            Self::Unreadable => "unreadable",
            Self::Name => "git takes no file with this name",
            Self::LongPath => "its path is too long",
            Self::Filtered => "a filter of yours converts it",
            Self::Encoding => "not in the encoding that .gitattributes gives it",
            Self::Commits => "its commits cannot be read, or are too large",
            Self::Names => "100 branches, stashes and tags are kept, and no more",
            Self::Secret => "it has a file that .worktreeinclude brought in",
        }
    }

    /// Whether something of the agent's is gone when it is removed with the copy.
    pub fn is_loss(self) -> bool {
        match self {
            // What is built or downloaded can be made again, and there may be any amount of it; it is named.
            Self::Included | Self::Ignored | Self::Irregular => false,
            Self::TooLarge
            | Self::Repository
            | Self::Unreadable
            | Self::Name
            | Self::LongPath
            | Self::Filtered
            | Self::Encoding
            | Self::Commits
            | Self::Names
            | Self::Secret => true,
        }
    }
}
