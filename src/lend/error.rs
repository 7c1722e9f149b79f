//! Why something was not done with a working copy.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::folder::LentFolder;
use crate::git::paths::{quoted, shortened};
use crate::git::unfinished::Operation;

/// How many paths a sentence names.
const SHOWN: usize = 5;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LendError {
    /// A13: what is lent begins at HEAD, and what is not committed would be missing in it.
    #[error("the agent was not started: {}: {}", dirty(*.unfinished), shown(.paths))]
    Dirty {
        paths: Vec<Vec<u8>>,
        /// What the changes are part of, where git has something under way.
        unfinished: Option<Operation>,
    },
    #[error("the agent was not started: {} is not inside the working tree of the repository", .0.display())]
    Elsewhere(PathBuf),
    #[error("the agent was not started: the repository has no commit yet")]
    NoHead,
    #[error("{} is no handle of a session", quoted(.0.as_bytes()))]
    Handle(String),
    /// There is a working copy, or there is none.
    #[error("{}", .0)]
    Wrong(String),
    /// A14: the copy is not what was asked for.
    #[error("the agent was not started: its working copy is not as it should be: {0}")]
    Unproven(String),
    /// A26: what cannot be kept would be lost.
    #[error("nothing was removed, since this cannot be kept: {}", shown(.paths))]
    WouldLose { paths: Vec<Vec<u8>> },
    /// A39: the plan was made for something else.
    #[error("nothing was accepted: these files changed while you were choosing: {}", shown(.paths))]
    ChangedMeanwhile { paths: Vec<Vec<u8>> },
    /// A39: a filter is not run over what an agent wrote.
    #[error("nothing was accepted: a filter of yours would convert what the agent wrote: {}", shown(.paths))]
    Filtered { paths: Vec<Vec<u8>> },
    /// A16: what the user did since would be lost.
    #[error("nothing was undone: this was changed since the accept: {}", shown(.paths))]
    ChangedSince { paths: Vec<Vec<u8>> },
    /// What the user did meanwhile stays.
    #[error(
        "the accept was undone, except for these files, which changed since: {}; {reference} keeps what they were",
        shown(.paths)
    )]
    NotTakenBack { paths: Vec<Vec<u8>>, reference: String },
    /// A step of one worktree is undone in that one.
    #[error("nothing was undone: the work was accepted in another worktree{}", at(.top.as_deref()))]
    OtherWorktree { top: Option<PathBuf> },
    /// The same, where one git directory serves several working trees.
    #[error("nothing was undone: the work was accepted with GIT_WORK_TREE set to {}", quoted(.top.as_os_str().as_encoded_bytes()))]
    OtherTop { top: PathBuf },
    /// Another session wrote there since.
    #[error("nothing was undone: a later accept of {handle} changed the same files: {}", shown(.paths))]
    AcceptedSince { handle: String, paths: Vec<Vec<u8>> },
    /// What an undo needs is not in the repository any more.
    #[error("what stood there before cannot be brought back: {reference} kept it, and its objects are gone")]
    Gone { reference: String },
    /// An accept of another session is half done, or its undo.
    #[error(
        "nothing was written: an accept or undo of {handle} was interrupted; some of its files are written, others are not"
    )]
    HalfDone { handle: String },
    /// A cleanup was cut off.
    #[error("nothing was done: a cleanup of {handle} was interrupted, and part of its copy is removed")]
    HalfCleaned { handle: String },
    /// An accept failed, and so did its undo.
    #[error("the accept failed and is half done: {why}")]
    Stuck { handle: String, why: String },
    /// A note of ours cannot be read.
    #[error("{} is damaged", .file.display())]
    Damaged {
        file: PathBuf,
        /// What comes of it when the user removes it.
        without: &'static str,
    },
    #[error("{doing} failed: {why}")]
    Failed { doing: String, why: String },
}

impl LendError {
    pub fn failed(doing: impl Into<String>, why: impl Display) -> Self {
        Self::Failed { doing: doing.into(), why: why.to_string() }
    }

    pub fn nothing_to_undo(folder: &LentFolder) -> Self {
        Self::Wrong(format!("nothing of {} was accepted that can be undone", folder.handle()))
    }

    /// For machines.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Dirty { .. } => "cwd_dirty_for_edit",
            Self::Elsewhere(_) => "cwd_not_in_repository",
            Self::NoHead => "cwd_without_commit",
            Self::Handle(_) => "session_not_found",
            Self::Wrong(_) => "worktree_wrong",
            Self::Unproven(_) => "worktree_unproven",
            Self::WouldLose { .. } => "worktree_not_kept",
            Self::ChangedMeanwhile { .. } => "accept_parent_changed",
            Self::Filtered { .. } => "accept_filtered",
            Self::ChangedSince { .. } | Self::AcceptedSince { .. } => "undo_parent_changed",
            Self::NotTakenBack { .. } => "accept_not_taken_back",
            Self::OtherWorktree { .. } | Self::OtherTop { .. } => "accept_elsewhere",
            Self::Gone { .. } => "accept_gone",
            Self::HalfDone { .. } => "accept_half_done",
            Self::HalfCleaned { .. } => "cleanup_half_done",
            Self::Stuck { .. } => "accept_stuck",
            Self::Damaged { .. } => "worktree_damaged",
            Self::Failed { .. } => "worktree_failed",
        }
    }
}

fn dirty(unfinished: Option<Operation>) -> String {
    match unfinished {
        None => "the working tree has changes that are not committed".to_owned(),
        Some(operation) => {
            format!("{} is not finished here, and these changes are not committed", operation.in_words())
        }
    }
}

fn at(top: Option<&Path>) -> String {
    top.map_or_else(String::new, |top| format!(", {}", quoted(top.as_os_str().as_encoded_bytes())))
}

fn shown(paths: &[Vec<u8>]) -> String {
    let names: Vec<String> = paths.iter().take(SHOWN).map(|path| shortened(path)).collect();
    let more = paths.len().saturating_sub(SHOWN);
    if more == 0 { names.join(", ") } else { format!("{} and {more} more", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a13_a_refusal_names_the_paths_and_how_many_more_there_are() {
        let paths = |many: usize| (0..many).map(|one| one.to_string().into_bytes()).collect();
        let of = |many: usize| LendError::Dirty { paths: paths(many), unfinished: None };
        assert!(of(2).to_string().ends_with("not committed: 0, 1"));
        assert!(of(7).to_string().ends_with("0, 1, 2, 3, 4 and 2 more"));
        assert_eq!(of(1).code(), "cwd_dirty_for_edit");
        let merging = LendError::Dirty { paths: paths(1), unfinished: Some(Operation::Merge) };
        let said = "the agent was not started: a merge is not finished here, and these changes are not committed: 0";
        assert_eq!(merging.to_string(), said);
    }
}
