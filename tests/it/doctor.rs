//! Every kind of finding is made in a real repository, looked at, and mended by exactly what it says: `--fix`, or a command
//! that is typed; a new kind cannot come without (issue 7, point 4).

mod alone;
mod protection;
mod row;
mod sessions;

use std::collections::BTreeSet;
use std::panic::catch_unwind;

use git_grill::app::ports::Code;

use row::{Row, played};

use crate::bench::{one_of, side_by_side};

fn rows() -> impl Iterator<Item = &'static Row> {
    sessions::ROWS.iter().chain(protection::ROWS)
}

#[test]
fn every_kind_of_finding_has_a_test() {
    let rows = rows().map(|row| row.code).chain(alone::TESTED);
    let tested: BTreeSet<&str> = rows.map(Code::word).collect();
    let all: BTreeSet<&str> = Code::ALL.iter().map(|code| code.word()).collect();
    assert_eq!(tested, all);
}

/// They wait for git most of the time, so they run side by side.
#[test]
fn p1_each_finding_says_what_and_why_and_is_mended_by_what_it_says() {
    // One row of each kind of finding in cargo test.
    let mut met = BTreeSet::new();
    let all: Vec<&Row> = rows().filter(|row| met.insert(row.code.word()) || one_of(2) == 1).collect();
    let failed: Vec<String> = side_by_side(&all, |row| failing(row)).into_iter().flatten().collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

/// What failed, if it did, so that one does not hide the others.
fn failing(row: &Row) -> Option<String> {
    catch_unwind(|| played(row)).is_err().then(|| format!("{} by {}", row.code.word(), row.by))
}
