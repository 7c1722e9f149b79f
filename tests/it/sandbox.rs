//! Read-only runs, on the kernel that runs the tests.

mod broker;
mod command;
mod extent;
mod footprint;
mod lacking;
mod output;
mod walls;
