//! Sessions that cannot be read any more: what is wrong with them, what they can be brought back to, and doing it.
//!
//! Looking changes nothing. Mending moves a ref to the newest commit that can be read, after everything that it named
//! before was noted, and kept where git can keep it; it never deletes what held data.

pub mod keeping;
pub mod recovery;
pub mod reflog;
pub mod regrowing;
pub mod repair;
pub mod strays;
pub mod tip;
