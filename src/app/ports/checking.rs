//! Runs the checks that the steps of a plan name.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckEnd {
    /// Its exit code; a signal counts as 128 + its number.
    pub code: i32,
    /// The end of its output, standard output and standard error together.
    pub output: String,
}

pub trait Checks: super::Players {
    /// Runs a command line in the working tree, with an empty standard input. An error means that it could not be
    /// started, that it was interrupted, or that its time ran out.
    fn run(&self, line: &str) -> std::io::Result<CheckEnd>;
}
