//! A coding agent without a model, for the tests: the other side of ACP, played from a script. It can do all that an
//! agent was seen doing, and what none should do.
//!
//! The script is a JSON file, named by `--script <file>` or by `SCRIPTED_AGENT`:
//!
//! ```json
//! {"initialize": {"protocolVersion": 1}, "open": {"error": {"code": -32000, "message": "log in"}}, "server": "start",
//!  "turns": [[{"say": "hello"}, {"tool": "ask_question", "arguments": {}}]], "loaded": [[{"say": "again"}]]}
//! ```
//!
//! Each prompt plays the next turn; after the last one a turn is empty. Every key but `turns` may be left out. `"load"` and
//! `"setting"` answer as `"open"` does.
//!
//! `"slow": {"initialize": "/tmp/go", "session/new": "never"}` is the file that an answer waits for, by the name of its
//! request, or that there is none. `"dies": "session/new"` is the request at which the process ends. With `"deaf": true` a turn goes on when it is cancelled. `"replays"` are updates that
//! come before the answer to `session/load`.

#![allow(clippy::disallowed_methods, reason = "a program of its own, for the tests")]

mod outside;
mod play;
mod tools;

use std::io::BufRead as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;

use serde_json::Value;

fn main() -> ExitCode {
    let mut args = std::env::args().skip_while(|arg| arg != "--script").skip(1);
    let Some(script) = args.next().or_else(|| std::env::var("SCRIPTED_AGENT").ok()) else {
        return play::complain("no script: --script <file>, or SCRIPTED_AGENT=<file>");
    };
    let script: Value = match std::fs::read_to_string(&script).map(|text| serde_json::from_str(&text)) {
        Ok(Ok(script)) => script,
        Ok(Err(error)) => return play::complain(&format!("{script}: {error}")),
        Err(error) => return play::complain(&format!("{script}: {error}")),
    };
    let (told, heard) = channel();
    let reads = Arc::new(AtomicBool::new(true));
    let goes_on = Arc::clone(&reads);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            while !goes_on.load(Ordering::SeqCst) {
                std::thread::park();
            }
            if let Ok(message) = serde_json::from_str::<Value>(&line)
                && told.send(message).is_err()
            {
                return;
            }
        }
    });
    play::Player::new(script, heard, reads).play()
}
