//! The working copy that an agent with a write profile is lent, what it changed there, and how its work is kept.
//!
//! # A clone that borrows, not a linked worktree (A14)
//!
//! The copy is a repository of its own at `<session folder>/tree`, whose `objects/info/alternates` names the parent's
//! objects. Both ways were tried with git 2.47; a linked worktree with a private object folder failed where it
//! mattered:
//!
//! - It shares the parent's configuration and refs: `git config core.bare true` in it broke the parent, and a branch
//!   that was made in it was the parent's. The clone has its own, so the parent stays byte for byte as it is even
//!   without walls (A40).
//! - Its private objects are named by two variables. A tool that drops them reads `bad object HEAD`. The clone names
//!   its objects in a file.
//! - It leaves metadata in the parent, which `git worktree remove` takes away together with the agent's work. The
//!   parent knows nothing of the clone, and git refuses `worktree remove` there.
//!
//! What a clone does not bring by itself is carried over: object format (refs are always files, whatever the parent has),
//! sparse checkout, the boundary of a shallow history, a promisor without an address for a partial one (without it `git
//! gc` fails there), settings that decide how content is converted, exclude and attributes files, the identity. Not
//! carried over are remotes, so that nothing is pushed, hooks, aliases, signing, filters, and whatever else names a
//! program beside the drivers that show and merge content. `git init` and `git clone` would run templates and hooks of
//! the user's: they are told of none. Of the refs those come along that HEAD reaches; one beyond could lose its commits
//! to a `git gc` in the parent. HEAD's own commit is held by a ref of ours in the parent from the first moment on.
//!
//! A submodule is an empty folder in the copy, as in a linked worktree. Filters that the user has configured for all
//! repositories run once, at the checkout: git-lfs finds its objects through the same `alternates`. Those of the
//! repository's own configuration run nowhere here, since an unpacked or copied repository brings any program as one: what
//! they convert is in the copy as git has committed it.
//!
//! The copy lies below the parent's git directory, so git would find the parent's when the agent removes its own
//! `.git`; [`CopyProof::environment`] keeps it from looking there.
//!
//! # The copy is hostile afterwards (A15)
//!
//! The agent may have written anything into it: configuration, attributes, hooks, filters, pipes in the place of files.
//! No git is ever run in the copy or on its files once the agent has been there. Its files are read here, folder by
//! folder and without following a link; what differs from the commit is written into a folder of ours, and git makes a
//! tree of that in a git directory of ours, with a configuration of ours that names no program. Which files count as
//! ignored is asked over a folder that holds nothing but the copied `.gitignore` files. A file that a filter of the
//! user's converts is left out by name: its bytes in the copy are not those that git commits, and no program of the
//! user's is run over what an agent wrote. Of the agent's `.git` its
//! index is looked at, as bytes that are copied first: it names ignored files that the agent means to keep.
//!
//! Commits of the agent's own are not accepted as such: what counts is the working tree that they led to. They are
//! kept: its refs are read as files, its objects are copied into a folder of ours, and what nothing in the parent leads
//! to goes from there into the parent, below refs of ours, when the copy is removed.
//!
//! # Accepting is one step that can be taken back (A16, A39)
//!
//! Only files of the parent's working tree are written, never its index nor a ref that the user sees. What stood at
//! each path, with its very bytes and permissions, is first kept in a commit on
//! `refs/grill/local/accepted/<handle>-<n>`; in it a note names every path with what stands there before and after the
//! step. A journal names that commit before the first file is written. A step that was cut off is taken back by the
//! next one, and an undo that was cut off is done to its end, by the same means: each path is as it was before or as it
//! is after. What is neither is the user's, and stays.
//!
//! Never here: sessions, turns, what a person is asked, when something may happen.

pub mod accept;
mod agents_refs;
mod aside;
pub mod caution;
pub mod changes;
pub mod cleanup;
pub mod commits;
mod configured;
mod drivers;
mod error;
mod folder;
pub mod include;
pub mod keep;
mod left_out;
mod marks;
mod notes;
mod own_git;
mod parent;
pub mod place;
pub mod plan;
mod settings;
mod sight;
mod staged;
pub mod standing;
mod survey;

pub use error::LendError;
pub use folder::{LentFolder, highest_named};
pub use left_out::{LeftOut, Why, ignored_in_words};
pub use marks::{ParentChange, ParentMarks};
pub use parent::{Author, Parent, Start};
pub use place::CopyProof;
