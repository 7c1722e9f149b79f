//! The kinds of repository in which commands are killed, and who reads them.

use crate::bench::Bench;

/// A kind of repository, and who reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub shape: Shape,
    pub by: By,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// As git makes it, seen from its main worktree, nothing packed.
    Usual,
    /// The same with objects named by SHA-256.
    Sha256,
    /// The same with refs in tables.
    Reftable,
    /// Seen from a linked worktree.
    Linked,
    /// Every ref, the session's too, and every object that is named is packed.
    Packed,
    Bare,
}

/// Who reads and writes a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Git's library, where it opens it.
    Library,
    Program,
}

impl Place {
    pub const USUAL: Self = Self { shape: Shape::Usual, by: By::Library };

    /// A kind that a person types, which the program reads; the usual one in an empty text.
    pub fn named(text: &str) -> Option<Self> {
        let shape = match text {
            "" => return Some(Self::USUAL),
            "sha256" => Shape::Sha256,
            "reftable" => Shape::Reftable,
            "linked" => Shape::Linked,
            "packed" => Shape::Packed,
            "bare" => Shape::Bare,
            _ => return None,
        };
        Some(Self { shape, by: By::Program })
    }

    /// Whether this git makes such a repository; where not, that is said.
    pub fn can_be(self) -> bool {
        self.shape != Shape::Reftable || crate::bench::git_has_reftable("a kill in a repository with reftable")
    }
}

impl Shape {
    /// Makes it, with a few files.
    pub fn make(self, bench: &Bench) {
        let format = match self {
            Self::Sha256 => "--object-format=sha256",
            Self::Reftable => "--ref-format=reftable",
            Self::Usual | Self::Packed | Self::Linked | Self::Bare => "",
        };
        let then = match self {
            Self::Usual | Self::Sha256 | Self::Reftable => None,
            Self::Packed => Some("git pack-refs --all && git gc --quiet"),
            Self::Linked => Some("mv ../nowhere ../trunk && cd ../trunk && git worktree add -q -b linked ../nowhere"),
            Self::Bare => Some("mv ../nowhere ../trunk && git clone -q --bare ../trunk ../nowhere && rm -r ../trunk"),
        };
        // One of them is ours, without a newline at its end, and in the way of what is produced.
        let files = "mkdir -p src docs/prd && echo '//! Counts.' >src/lib.rs && echo '# demo' >README.md && \
            printf '# Ours\\r\\nby hand, without a newline at the end' >docs/prd/rate-limiting.md";
        bench.fill(&format!(
            "git init -q -b main {format} && {files} && git add . && git commit -qm 'Everything so far'"
        ));
        if let Some(then) = then {
            bench.run(then).assert_code(0);
        }
    }

    /// Where all worktrees keep what they share, below the bench's root.
    pub fn git_dir(self) -> &'static str {
        match self {
            Self::Usual | Self::Sha256 | Self::Reftable | Self::Packed => "nowhere/.git",
            Self::Linked => "trunk/.git",
            Self::Bare => "nowhere",
        }
    }
}
