//! One operation, tried in every way under every guard.

use super::cell::{self, Cell};
use super::fingerprint::{Fingerprint, every_byte};
use super::lane::{Guard, Lane, Way};
use super::operations::Operation;

/// A column of the fixture: what stands guard, and how git is called.
pub struct Column {
    pub name: &'static str,
    guard: Guard,
    way: Way,
}

const fn column(name: &'static str, guard: Guard, way: Way) -> Column {
    Column { name, guard, way }
}

/// The columns of the fixture, in order.
pub const COLUMNS: &[Column] = &[
    column("changes", Guard::Nobody, Way::Plain),
    column("hooks", Guard::Hooks, Way::Plain),
    column("hooks, --no-verify", Guard::Hooks, Way::NoVerify),
    column("hooks off", Guard::Hooks, Way::HooksOff),
    column("fence", Guard::Fence, Way::Plain),
    column("fence, --no-verify", Guard::Fence, Way::NoVerify),
    column("fence, hooks off", Guard::Fence, Way::HooksOff),
    column("run", Guard::Hooks, Way::Inside),
];

/// An operation and its cells, one for each of [`COLUMNS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    pub cells: Vec<Cell>,
}

/// Tries it.
pub fn play(lane: &Lane, operation: &Operation) -> Row {
    let cells = COLUMNS.iter().map(|column| play_one(lane, operation, column)).collect();
    Row { name: operation.name.to_owned(), cells }
}

fn play_one(lane: &Lane, operation: &Operation, column: &Column) -> Cell {
    if column.way == Way::NoVerify && !operation.line.contains("$NV") {
        return Cell::not_tried();
    }
    lane.renew(operation.kind, column.guard);
    if column.way == Way::Inside {
        let before = every_byte(&lane.world());
        let output = lane.attempt(operation.line, column.way);
        return cell::kept(&output, &before, &every_byte(&lane.world()));
    }
    let before = Fingerprint::of(lane);
    let output = lane.attempt(operation.line, column.way);
    cell::happened(&output, &before.changes(&Fingerprint::of(lane)))
}
