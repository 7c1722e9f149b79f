//! What every fuzz target does with its bytes, and what must hold of it. The targets hand it random bytes; `cargo test`
//! hands it the seeds and every input that once broke something, so that neither is ever lost.

pub mod broker;
pub mod config;
pub mod document;
pub mod events;
pub mod gitdir;
pub mod hook;
pub mod install;
pub mod issue;
pub mod keys;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod merge;
pub mod patch;
pub mod payload;
pub mod program;
mod scripted;
pub mod session;
pub mod shell;
pub mod template;
pub mod tool;
pub mod tracker;
mod tree;
pub mod yaml;

/// What a target does with some bytes.
pub type Body = fn(&[u8]);

/// Every target by its name, in the order of README.md.
pub const TARGETS: &[(&str, Body)] = &[
    ("session", session::run),
    ("events", events::run),
    ("yaml", yaml::run),
    ("merge", merge::run),
    ("document", document::run),
    ("template", template::run),
    ("issue", issue::run),
    ("shell", shell::run),
    ("patch", patch::run),
    ("payload", payload::run),
    ("hook", hook::run),
    ("config", config::run),
    ("install", install::run),
    ("tool", tool::run),
    #[cfg(feature = "mcp")]
    ("mcp", mcp::run),
    ("broker", broker::run),
    ("tracker", tracker::run),
    ("program", program::run),
    ("gitdir", gitdir::run),
    ("keys", keys::run),
];

fn text(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}
