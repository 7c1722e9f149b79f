//! The terminal side of prompts: the reply editor, the pickers, the checklist, the form and yes-or-no, drawn on standard error and
//! read from the controlling terminal. Results go back to the caller; nothing is written to standard output, and the
//! environment is never read: the caller decides through [`settings::Settings`].

mod above;
pub mod checklist;
pub mod confirm;
pub mod cycle;
mod early;
pub mod edit;
pub mod fit;
pub mod following;
pub mod form;
pub mod frame;
pub mod keeping;
pub mod keys;
pub mod listing;
pub mod notice;
pub mod options;
mod pasted;
pub mod pick;
pub mod picker;
pub mod plain;
pub mod reply;
pub mod runner;
pub mod scripted;
pub mod settings;
pub mod signals;
pub mod slash;
mod sure;
pub mod tabs;
pub mod terminal;
pub mod theme;
pub mod tty;
pub mod widget;

#[cfg(test)]
pub(crate) mod testing;

pub use scripted::Scripted;
pub use settings::Settings;
pub use terminal::Terminal;
