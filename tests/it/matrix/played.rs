//! One operation, tried in every way under every guard.

use super::cell::{self, Cell};
use super::fingerprint::{Fingerprint, every_byte};
use super::lane::{Guard, Lane, Way};
use super::operations::{Kind, Operation};

/// A column of the fixture: what stands guard, and how git is called.
pub struct Column {
    pub name: &'static str,
    guard: Guard,
    way: Way,
}

const fn column(name: &'static str, guard: Guard, way: Way) -> Column {
    Column { name, guard, way }
}

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

/// Tries it in all ways but inside `git grill run`.
pub fn play(lane: &Lane, operation: &Operation) -> Row {
    let columns = COLUMNS.iter().filter(|column| column.way != Way::Inside);
    Row { name: operation.name.to_owned(), cells: columns.map(|column| play_one(lane, operation, column)).collect() }
}

fn play_one(lane: &Lane, operation: &Operation, column: &Column) -> Cell {
    if column.way == Way::NoVerify && !operation.line.contains("$NV") {
        return Cell::not_tried();
    }
    lane.renew(operation.kind, column.guard);
    let before = Fingerprint::of(lane);
    let output = lane.attempt(operation.line, column.way);
    let changes = before.changes(&Fingerprint::of(lane));
    let cell = cell::happened(&output, &changes);
    if changes.is_empty() || column.guard == Guard::Nobody {
        return cell;
    }
    let verified = lane.run("git grill verify");
    let restored = lane.run("git grill verify --restore --yes");
    cell.then(&verified, &restored, &before.changes(&Fingerprint::of(lane)))
}

/// Tries operations inside `git grill run`, the last column. They have to leave the world as it is, so all that begin
/// in the same one are tried in it one after another.
pub fn play_inside(lane: &Lane, operations: &[&Operation]) -> Vec<Cell> {
    let mut cells: Vec<Cell> = operations.iter().map(|_| Cell::not_tried()).collect();
    for kind in [Kind::Clean, Kind::Dirty] {
        lane.renew(kind, Guard::Hooks);
        let before = every_byte(&lane.world());
        for (cell, operation) in cells.iter_mut().zip(operations).filter(|(_, operation)| operation.kind == kind) {
            let output = lane.attempt(operation.line, Way::Inside);
            let after = every_byte(&lane.world());
            *cell = cell::kept(&output, &before, &after);
            if before != after {
                lane.renew(kind, Guard::Hooks);
            }
        }
    }
    cells
}
