//! The players port: commands that play a role in a debate.

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Its exit code; a signal counts as 128 + its number.
    pub code: i32,
    /// Its standard output.
    pub text: String,
    /// The end of its standard error.
    pub errors: String,
}

pub trait Players {
    /// Runs a command line in the working tree with the prompt on its standard input, behind the walls of a read-only run
    /// where the kernel has them. An error means that it could not be
    /// started, that it was interrupted, that its time ran out, or that it wrote more than `most` bytes, or no UTF-8.
    fn play(&self, line: &str, prompt: &str, most: usize) -> std::io::Result<Played>;
}
