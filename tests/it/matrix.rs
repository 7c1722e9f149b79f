//! The matrix: what git can do to a repository, tried during an interview with the real program and real git, and what
//! came of it. Every operation is tried as typed, with `--no-verify`, and with `-c core.hooksPath=/dev/null`; what has
//! changed is read by eyes of our own ([`fingerprint`]), never by the code under test.
//!
//! `fixtures/matrix.tsv` says what is expected, row by row. `GRILL_BLESS=1 cargo test --test it matrix` writes there
//! what really happened; read the difference before keeping it.

mod cell;
mod expected;
mod fingerprint;
mod gits;
mod lane;
mod operations;
mod played;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use expected::Expected;
use gits::Git;
use lane::Lane;
use operations::OPERATIONS;
use played::{COLUMNS, Row};

/// Worlds that are used at the same time. Most of the time is spent waiting for processes.
const LANES: usize = 3;

/// Plays the operations that `wanted` takes, with one git; in the order of [`OPERATIONS`].
fn play(git: &Git, wanted: impl Fn(usize) -> bool) -> Vec<Row> {
    let todo: Vec<usize> = (0..OPERATIONS.len()).filter(|index| wanted(*index)).collect();
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..LANES {
            scope.spawn(|| {
                let lane = Lane::new(git);
                while let Some(index) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = played::play(&lane, &OPERATIONS[*index]);
                    rows.lock().unwrap().push((*index, row));
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap();
    rows.sort_by_key(|(index, _)| *index);
    rows.into_iter().map(|(_, row)| row).collect()
}

#[test]
fn the_whole_matrix_comes_out_as_written() {
    let mut expected = Expected::read();
    let mut complaints = String::new();
    for git in gits::all() {
        let rows = play(&git, |_| true);
        keep_what_was_said(&git, &rows);
        if std::env::var_os("GRILL_BLESS").is_some() {
            expected.bless(&git, &rows);
        } else {
            complaints += &expected.compare(&git, &rows);
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
    expected.write();
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
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("matrix-{}.txt", git.version));
    std::fs::write(path, text).unwrap();
}
