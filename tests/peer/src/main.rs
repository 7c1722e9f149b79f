//! The other side of ACP, made of the protocol's own crates: an agent that plays a script, and a check of recorded lines.
//! Both hold each line against the official types, strictly.
//!
//! ```text
//! acp-peer --script <file>     is an agent; `agent.rs` has the steps of a script
//! acp-peer check <file>…       checks raw logs of git grill, and samples as in fixtures/acp
//! ```

#![allow(clippy::disallowed_methods, reason = "a program of its own, for the tests")]

mod agent;
mod check;
mod strict;
#[path = "../../agent/tools.rs"]
mod tools;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["--script", script] => agent::main(script),
        ["check", files @ ..] if !files.is_empty() => check::main(files),
        _ => {
            eprintln!("acp-peer --script <file>, or acp-peer check <file>…");
            ExitCode::from(2)
        }
    }
}
