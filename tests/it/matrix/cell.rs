//! What came of one try, in the words of the fixture.

use std::collections::{BTreeMap, BTreeSet};

use super::fingerprint::Letter;
use super::lane::INSIDE;
use crate::bench::Output;

/// What git exits with when it does not know an option.
const USAGE: i32 = 129;

/// Letter and name of what differs.
pub type Changes = BTreeSet<(Letter, String)>;

/// What stands in the fixture, and what was printed, for whoever wonders why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub text: String,
    pub said: String,
}

impl Cell {
    /// The operation knows no such way.
    pub fn not_tried() -> Self {
        Self { text: "-".to_owned(), said: String::new() }
    }

    /// Adds what `verify` made of it: whether it named a drift, and what is still not as before after `--restore`.
    pub fn then(self, verified: &Output, restored: &Output, left: &Changes) -> Self {
        let end = match (verified.code, letters(left).as_str()) {
            (1, "") => "restored".to_owned(),
            (1, left) => format!("named, {left} stays"),
            (0, _) => "not named".to_owned(),
            (code, _) => format!("verify failed with {code}"),
        };
        Self {
            text: format!("{}; {end}", self.text),
            said: format!("{}\n{verified}\n{restored}\nstill: {left:?}\n", self.said),
        }
    }
}

/// The letters of changes, each once, in their order.
pub fn letters(changes: &Changes) -> String {
    let letters: BTreeSet<Letter> = changes.iter().map(|(letter, _)| *letter).collect();
    letters.into_iter().collect()
}

/// Says how a try ended: whether the command went through, and what differs from before.
pub fn happened(output: &Output, changes: &Changes) -> Cell {
    let text = match (output.code, letters(changes).as_str()) {
        (0, "") => "nothing changes".to_owned(),
        (0, done) => format!("done {done}"),
        (USAGE, _) => "no such option".to_owned(),
        (_, "") => "refused".to_owned(),
        (_, left) => format!("refused, leaves {left}"),
    };
    Cell { text, said: format!("{output}\n{changes:?}\n") }
}

/// Says whether everything is as before to the byte, whatever the command thought of that.
pub fn kept(output: &Output, before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) -> Cell {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differs: Vec<&&String> = names.iter().filter(|name| before.get(**name) != after.get(**name)).collect();
    let ran = output.stdout.starts_with(&format!("{INSIDE}sh\n"));
    let text = match (ran, differs.is_empty()) {
        (false, _) => "was not run",
        (true, true) => "unchanged",
        (true, false) => "changed",
    };
    Cell { text: text.to_owned(), said: format!("{output}\n{differs:?}\n") }
}
