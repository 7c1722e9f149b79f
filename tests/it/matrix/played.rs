//! One operation, tried in every way under every guard.

use super::cell::happened;
use super::fingerprint::Fingerprint;
use super::lane::{Guard, Lane, Way};
use super::operations::Operation;

/// The columns of the fixture, in order.
pub const COLUMNS: &[&str] = &["changes", "hooks", "hooks, --no-verify", "hooks off"];

/// An operation and its cells, one for each of [`COLUMNS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    pub cells: Vec<String>,
    /// What was printed, for whoever wonders about a cell.
    pub said: Vec<String>,
}

/// Tries it.
pub fn play(lane: &Lane, operation: &Operation) -> Row {
    let tries = [
        (Guard::Nobody, Way::Plain),
        (Guard::Hooks, Way::Plain),
        (Guard::Hooks, Way::NoVerify),
        (Guard::Hooks, Way::HooksOff),
    ];
    let (mut cells, mut said) = (Vec::new(), Vec::new());
    for (guard, way) in tries {
        if way == Way::NoVerify && !operation.line.contains("$NV") {
            cells.push("-".to_owned());
            said.push(String::new());
            continue;
        }
        lane.renew(operation.kind, guard);
        let before = Fingerprint::of(lane);
        let output = lane.attempt(operation.line, way);
        let changes = before.changes(&Fingerprint::of(lane));
        cells.push(happened(&output, &changes));
        said.push(format!("{output}"));
    }
    Row { name: operation.name.to_owned(), cells, said }
}
