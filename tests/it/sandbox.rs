//! Read-only runs, on the kernel that runs the tests.

mod broker;
mod output;
mod walls;
