//! Sessions as commits: the tree they are written to, the ref they live on, the pointer of each worktree, and the
//! view in the working tree.
//!
//! A session is one ref whose newest tree is its whole state; each append is one commit. Nothing here decides what may
//! happen to a session, prompts, prints, or discovers a repository: it is handed in, opened.

pub mod active;
pub mod changes;
pub mod claim;
pub mod codec;
pub mod commit;
pub mod copies;
pub mod durable;
pub mod enabled;
pub mod events;
pub mod files;
pub mod folder;
pub mod foreground;
pub mod git;
pub mod granted;
pub mod guard;
pub mod history;
pub mod layout;
pub mod led;
pub mod listing;
pub mod lock;
pub mod memory;
pub mod mending;
pub mod patience;
pub mod posture;
pub mod prompt_summary;
pub mod publish;
pub mod replies;
pub mod tree;
pub mod versions;
pub mod view;
pub mod watch;
pub mod writers;
mod writing;
pub mod yaml;
