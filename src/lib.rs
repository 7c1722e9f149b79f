//! `git grill`: be interviewed before a file changes, with everything that was understood kept in git.
//!
//! One direction: a surface lowers a request to an envelope, the dispatcher loads the session, the rules decide, what
//! happened is appended as a commit, and a reply goes back to be rendered.
//!
//! | room | what it holds | what it may import |
//! |---|---|---|
//! | [`domain`] | the rules: commands, events, the session, refusals; pure | nothing |
//! | [`agents`] | all that is known of each coding agent, a file each; data | `domain` |
//! | [`interviewer`] | the built-in interviewer: what to ask, what the checkpoint says; pure | `domain` |
//! | [`policy`] | what may change while a session is active; pure | `domain` |
//! | [`output`] | what an interview is turned into; pure | `domain` |
//! | [`app`] | use cases and ports | the pure rooms, `text` |
//! | [`files`] | the file system: lock files, files that take their place whole, regular files alone, patience | nothing |
//! | [`kin`] | groups, sessions and peers of processes, with or without a number here | nothing |
//! | [`pipes`] | the pipes of a running program, a thread each | nothing |
//! | [`git`] | objects, refs and worktrees, through git's library or the `git` program | `domain`, the ports, `files` |
//! | [`ledger`] | ledgers of agent sessions: claimed, appended to, read; texts of their turns | `domain`, `files` |
//! | [`text`] | columns, the rows that text is broken into, words for a shell; pure | nothing |
//! | [`store`] | sessions as commits on a side ref | `domain`, the ports, `git`, `files` |
//! | [`repo`] | the repository: opening, configuration, facts, target files, the baseline | `domain`, the ports, `git`, `text`, `files` |
//! | [`lend`] | the working copy that an agent is lent: made, read, kept, accepted, taken away | `domain`, the ports, `git`, `files` |
//! | [`hooks`] | git hooks: installed, chained, taken away to the byte | `domain`, the ports, `git`, `files`, `policy`, `text` |
//! | [`sandbox`] | read-only runs: the walls around them, what they may write | `domain`, `agents`, the ports, `files`, `kin` |
//! | [`fence`] | git's own locks, held while nothing may change | `domain`, the ports, `git`, `git`, `files`, `hooks` |
//! | [`tracker`] | issues on GitHub, through the user's own `gh` | `domain`, the ports |
//! | [`guard`] | the hooks of coding agents: what they say of a call, and how they are answered; pure | `domain`, `agents`, `policy`, `text` |
//! | [`install`] | what is written into the files of coding agents; pure | `domain`, `agents`, `app` |
//! | `mcp` | the MCP server: frames in, calls to the toolbox, results out | `domain`, `app` |
//! | `acp` | ACP, the client's side: a coding agent that leads an interview | `domain`, `pipes` |
//! | [`extension`] | extensions over JSON-RPC, and the questions they may ask | `domain`, `pipes`, the form, their port |
//! | [`term`] | prompts | `domain`, `text`, the ports, `kin` |
//! | [`render`] | replies as text and JSON | `domain`, `text`, the replies |
//! | [`cli`] | the command line and the conversation | `domain`, `app`, `render`, `text` |
//! | [`world`] | the machine: clock, processes, environment; wires the rest | everything |
//!
//! The integration tests read every `use` and hold the rooms to this table.

#[cfg(feature = "acp")]
pub mod acp;
pub mod agents;
pub mod app;
pub mod cli;
pub mod domain;
pub mod extension;
pub mod fence;
pub mod files;
pub mod git;
pub mod guard;
pub mod hooks;
pub mod install;
pub mod interviewer;
pub mod kin;
pub mod ledger;
pub mod lend;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod output;
pub mod pipes;
pub mod policy;
pub mod render;
pub mod repo;
pub mod sandbox;
pub mod store;
pub mod term;
pub mod text;
pub mod tracker;
pub mod world;
