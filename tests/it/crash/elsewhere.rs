//! Repositories of other kinds, through the `git` program: killed before each write, a disk that is full from it on, and
//! rights that are gone from it on.

use super::disasters::no_rights_from;
use super::killed::{Met, each_of, every_step};
use super::place::{By, Place, Shape};
use super::rows::{ANSWER_ROW, APPROVE_ROW, PRODUCE_ROW, Row, SELECT_ROW, START_ROW, STOP_WITHOUT_ROOM, tried};
use super::watched::Fault;

const fn of(shape: Shape, row: Row<'static>) -> Row<'static> {
    Row { place: Place { shape, by: By::Program }, ..row }
}

/// All three, each at every step.
fn every_way(row: &Row<'_>) -> Met {
    each_of(row, &[Fault::KillAt, Fault::FullFrom, no_rights_from])
}

tried! {
    EVERY_WAY: every_way, 2;
    p1_reftable_at_an_answer: of(Shape::Reftable, ANSWER_ROW);
    [whole]
    p1_sha256_at_start: of(Shape::Sha256, START_ROW);
    p1_sha256_at_an_answer: of(Shape::Sha256, ANSWER_ROW);
    p1_sha256_at_a_selection: of(Shape::Sha256, SELECT_ROW);
    p1_sha256_at_an_approval: of(Shape::Sha256, APPROVE_ROW);
    p1_sha256_at_a_production: of(Shape::Sha256, PRODUCE_ROW);
    p1_sha256_at_stop: of(Shape::Sha256, STOP_WITHOUT_ROOM);
    p1_reftable_at_start: of(Shape::Reftable, START_ROW);
    p1_reftable_at_a_selection: of(Shape::Reftable, SELECT_ROW);
    p1_reftable_at_an_approval: of(Shape::Reftable, APPROVE_ROW);
    p1_reftable_at_a_production: of(Shape::Reftable, PRODUCE_ROW);
    p1_reftable_at_stop: of(Shape::Reftable, STOP_WITHOUT_ROOM);
    p1_linked_at_an_answer: of(Shape::Linked, ANSWER_ROW);
    p1_linked_at_stop: of(Shape::Linked, STOP_WITHOUT_ROOM);
    p1_packed_at_an_answer: of(Shape::Packed, ANSWER_ROW);
    p1_packed_at_stop: of(Shape::Packed, STOP_WITHOUT_ROOM);
    p1_bare_at_start: of(Shape::Bare, START_ROW);
    p1_bare_at_an_answer: of(Shape::Bare, ANSWER_ROW);
    p1_bare_at_stop: of(Shape::Bare, STOP_WITHOUT_ROOM);
}

/// What git's library opens as well, through that.
const fn by_library(shape: Shape, row: Row<'static>) -> Row<'static> {
    Row { place: Place { shape, by: By::Library }, ..row }
}

tried! {
    BY_LIBRARY: every_step, 2;
    p1_linked_killed_at_an_answer_by_the_library: by_library(Shape::Linked, ANSWER_ROW);
    [whole]
    p1_packed_killed_at_an_answer_by_the_library: by_library(Shape::Packed, ANSWER_ROW);
    p1_bare_killed_at_an_answer_by_the_library: by_library(Shape::Bare, ANSWER_ROW);
}
