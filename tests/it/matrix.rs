//! The matrix: what git can do to a repository, tried during an interview with the real program and real git, and what
//! came of it. Every operation is tried as typed, with `--no-verify`, and with `-c core.hooksPath=/dev/null`; what has
//! changed is read by eyes of our own ([`fingerprint`]), never by the code under test.
//!
//! `fixtures/matrix.tsv` says what is expected, row by row. A part of the rows is played by `cargo test`, all of them by
//! `cargo test --test it matrix -- --include-ignored`; with `GRILL_BLESS=1` that writes down what really happened, and
//! the difference is to be read before it is kept.

mod cell;
mod expected;
pub mod fingerprint;
pub mod gits;
pub mod lane;
pub mod operations;
mod played;
mod reading;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

use expected::Expected;
use gits::Git;
use lane::Lane;
use operations::{OPERATIONS, Operation};
use played::{COLUMNS, Row};

use crate::bench::crowd;

/// Worlds that are used at the same time. Most of the time is spent waiting for processes.
const LANES: usize = 3;

/// Plays operations with one git; rows in the same order.
fn play(git: &Git, operations: &[&Operation]) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let _crowd = crowd();
    std::thread::scope(|scope| {
        let inside = scope.spawn(|| played::play_inside(&Lane::on_disk(git), operations));
        let lanes: Vec<_> = (0..LANES).map(|_| scope.spawn(|| play_some(git, operations, &next))).collect();
        let mut rows: Vec<(usize, Row)> = lanes.into_iter().flat_map(|lane| joined(lane)).collect();
        rows.sort_by_key(|(index, _)| *index);
        let rows = rows.into_iter().map(|(_, row)| row).zip(joined(inside));
        rows.map(|(row, cell)| Row { cells: [row.cells, vec![cell]].concat(), ..row }).collect()
    })
}

/// Plays, in a world of its own, what no other lane has taken yet.
fn play_some(git: &Git, operations: &[&Operation], next: &AtomicUsize) -> Vec<(usize, Row)> {
    let lane = Lane::new(git);
    let mut rows = Vec::new();
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(operation) = operations.get(index) else { return rows };
        rows.push((index, played::play(&lane, operation)));
    }
}

fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Every thirteenth row, spread over all kinds of operations.
#[test]
fn a_part_of_the_matrix_comes_out_as_written() {
    compare(&OPERATIONS.iter().step_by(13).collect::<Vec<_>>());
}

#[test]
#[ignore = "takes some minutes: cargo test --test it matrix -- --include-ignored"]
fn the_whole_matrix_comes_out_as_written() {
    compare(&OPERATIONS.iter().collect::<Vec<_>>());
}

/// Plays operations with every git and compares, or writes down what happened if it is asked to.
fn compare(operations: &[&Operation]) {
    let mut expected = Expected::read();
    let mut complaints = String::new();
    for git in gits::all() {
        let rows = play(&git, operations);
        keep_what_was_said(&git, &rows);
        if std::env::var_os("GRILL_BLESS").is_some() {
            expected.bless(&git, &rows);
        } else {
            complaints += &expected.compare(&git, &rows);
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
    if std::env::var_os("GRILL_BLESS").is_some() {
        expected.write();
    }
}

/// Everything that was printed, in `target/tmp`, for whoever wonders about a cell or reads the messages as a user does.
fn keep_what_was_said(git: &Git, rows: &[Row]) {
    let mut text = String::new();
    for row in rows {
        for (index, column) in COLUMNS.iter().enumerate() {
            let cell = &row.cells[index];
            text += &format!("== {} | {} | {}\n{}\n", row.name, column.name, cell.text, cell.said);
        }
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("matrix-{}-of-{}.txt", git.version, rows.len()));
    std::fs::write(path, text).unwrap();
}
