//! The tracker: issues on GitHub and GitHub Enterprise, through the user's own `gh` (G32).
//!
//! Every request is one `gh api`, which answers with a status, headers and JSON. The exception is `gh repo view`, which
//! names the repository here. The commands of `gh` that talk to people are never used, and no credential is read here:
//! `gh` keeps them. `trouble` alone decides what an error of the network, of the host or of `gh` means. Nothing here
//! prints, waits for anybody, or decides what is created.

mod answer;
mod founding;
mod gh;
mod here;
mod issues;
mod paged;
mod ready;
mod trouble;
mod wire;

pub use gh::Gh;
