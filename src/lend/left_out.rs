//! What is in a working copy and is not taken over, with the reason.

/// A path that was left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    pub path: Vec<u8>,
    pub why: Why,
}

/// Why a path was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// `.worktreeinclude` brought it in, or it has the content of a file that was brought in.
    Included,
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
    /// It is not in the encoding that its attributes name (`working-tree-encoding`).
    Encoding,
}

impl Why {
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Included => "brought in by .worktreeinclude",
            Self::TooLarge => "too large",
            Self::Irregular => "not a regular file",
            Self::Repository => "a repository of its own",
            Self::Unreadable => "unreadable",
            Self::Name => "git takes no file with this name",
            Self::Encoding => "not in the encoding that .gitattributes gives it",
        }
    }

    /// Whether something of the agent's is gone when it is removed with the copy.
    pub fn is_loss(self) -> bool {
        match self {
            Self::Included | Self::Irregular => false,
            Self::TooLarge | Self::Repository | Self::Unreadable | Self::Name | Self::Encoding => true,
        }
    }
}
