//! The one integration binary: everything that needs the built program, real git or the source tree itself.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says so; clippy's own test exemption does not reach helpers"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "the bench is the world of the tests: it spawns programs and reads its own environment"
)]
#![allow(
    clippy::wildcard_enum_match_arm,
    clippy::match_same_arms,
    clippy::format_collect,
    clippy::format_push_string,
    reason = "a test says what it expects row by row, and fails on everything else"
)]
#![allow(dead_code, reason = "the bench is a vocabulary: a helper may wait for the test that uses it")]

#[cfg(feature = "mcp")]
mod agents;
mod architecture;
mod authority;
mod baseline;
mod bench;
mod coexistence;
mod committing;
mod concurrency;
mod conversation;
#[cfg(target_os = "linux")]
mod crash;
mod crowds;
mod debate;
mod destinations;
mod doctor;
mod drafts;
mod extensions;
mod faults;
mod fence;
mod formats;
mod fuzz;
mod golden;
mod growth;
mod guard;
mod hooks;
mod install;
mod issues;
#[cfg(feature = "acp")]
mod leading;
mod lend;
mod man;
mod matrix;
#[cfg(feature = "mcp")]
mod mcp;
mod mending;
#[cfg(unix)]
mod other_languages;
mod outputs;
mod pager;
mod pauses;
mod plan;
mod prompts;
mod properties;
mod pty;
mod readme;
mod real_project;
mod refereed;
mod repo;
mod research;
mod sandbox;
mod scoped;
mod shell;
mod signing;
mod size;
mod spawning;
mod status;
mod store;
#[cfg(feature = "acp")]
mod supervised;
mod surface;
mod term_pty;
mod tools;
mod tracker;
mod undo;
mod whose_word;
