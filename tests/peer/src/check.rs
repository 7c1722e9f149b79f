//! Recorded conversations: raw logs of git grill (`> ` before what it sent, `< ` before what it heard), and samples
//! (`{"kind": "client -> agent …", "m": message}`).

use std::collections::BTreeMap;
use std::process::ExitCode;

use serde_json::Value;

use crate::strict::{Side, Strict, UNASKED};

const MOST_OF_A_REASON: usize = 300;

/// What came of the lines of one side.
#[derive(Default)]
struct Count {
    kinds: BTreeMap<String, usize>,
    misfits: Vec<String>,
}

#[derive(Default)]
struct Counts {
    client: Count,
    agent: Count,
    /// Lines that the log cut, or that are no JSON.
    unread: usize,
}

/// Fails where a line of the client does not fit. The agents' lines are told: they are what git grill has to bear.
pub fn main(files: &[&str]) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for file in files {
        let text = match std::fs::read(file) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::from(2);
            }
        };
        let counts = count(&text);
        println!("{file}: {} lines were cut or are no JSON", counts.unread);
        for (who, count) in [("client", &counts.client), ("agent", &counts.agent)] {
            for (kind, lines) in &count.kinds {
                println!("{who}: {kind}: {lines}");
            }
            for misfit in &count.misfits {
                println!("{who}: MISFIT {misfit}");
            }
        }
        if !counts.client.misfits.is_empty() || counts.client.kinds.is_empty() {
            code = ExitCode::FAILURE;
        }
    }
    code
}

fn count(text: &str) -> Counts {
    let mut counts = Counts::default();
    let mut strict = Strict::default();
    // Samples are some lines of several conversations, and some are answers to lines that are not among them.
    let sampled = text.starts_with('{');
    for line in text.lines() {
        let (side, line) = match said(line) {
            Said::Line(side, line) => (side, line),
            Said::Unread => {
                counts.unread += 1;
                continue;
            }
            Said::Nothing => continue,
        };
        let count = match side {
            Side::Client => &mut counts.client,
            Side::Agent => &mut counts.agent,
        };
        let (kind, fits) = strict.take(side, &line);
        if sampled && kind == UNASKED {
            continue;
        }
        if let Err(why) = fits {
            let why: String =
                why.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MOST_OF_A_REASON).collect();
            count.misfits.push(format!("{kind}: {why}"));
        }
        *count.kinds.entry(kind).or_default() += 1;
    }
    counts
}

enum Said {
    Line(Side, Value),
    Unread,
    /// A line of the log that is no message: standard error, or a seam.
    Nothing,
}

fn said(line: &str) -> Said {
    let (side, text) = match line.split_at_checked(2) {
        Some(("> ", text)) => (Side::Client, text),
        Some(("< ", text)) => (Side::Agent, text),
        Some((start, _)) if start.starts_with('{') => return sample(line),
        Some(_) | None => return Said::Nothing,
    };
    serde_json::from_str(text).map_or(Said::Unread, |line| Said::Line(side, line))
}

fn sample(line: &str) -> Said {
    let Ok(mut sample) = serde_json::from_str::<Value>(line) else { return Said::Unread };
    let from_client = sample["kind"].as_str().is_some_and(|kind| kind.starts_with("client -> agent"));
    Said::Line(if from_client { Side::Client } else { Side::Agent }, sample["m"].take())
}
