//! What a command left behind. It must be asserted: an output nobody looked at proves nothing.

use std::fmt;

/// How a command ended and what it wrote.
#[must_use = "an output that nobody asserts proves nothing"]
#[derive(Debug)]
pub struct Output {
    /// The shell line, for messages.
    pub line: String,
    /// The world it ran in, which [`Output::assert_stdout`] writes as `$DIR`.
    pub root: String,
    /// Standard output; invalid UTF-8 is replaced.
    pub stdout: String,
    /// Standard error; invalid UTF-8 is replaced.
    pub stderr: String,
    /// Exit code; a signal counts as 128 + its number.
    pub code: i32,
}

impl Output {
    /// Checks the exit code; gives the output back for more.
    #[track_caller]
    pub fn assert_code(self, code: i32) -> Checked {
        assert_eq!(self.code, code, "exit code of {self}");
        Checked(self)
    }

    /// Checks that standard output or standard error contains `text`.
    #[track_caller]
    pub fn assert_contains(self, text: &str) -> Checked {
        Checked(self).assert_contains(text)
    }

    /// Checks standard output as a whole, with the temporary directory written `$DIR`.
    #[track_caller]
    pub fn assert_stdout(self, expected: &str) -> Checked {
        Checked(self).assert_stdout(expected)
    }
}

/// An output of which something was asserted; it may be dropped.
#[derive(Debug)]
pub struct Checked(Output);

impl Checked {
    /// Checks the exit code as well.
    #[track_caller]
    pub fn assert_code(self, code: i32) -> Self {
        self.0.assert_code(code)
    }

    /// Checks that standard output or standard error contains `text`.
    #[track_caller]
    pub fn assert_contains(self, text: &str) -> Self {
        let found = self.0.stdout.contains(text) || self.0.stderr.contains(text);
        assert!(found, "no {text:?} in the output of {}", self.0);
        self
    }

    /// Checks that neither standard output nor standard error contains `text`.
    #[track_caller]
    pub fn assert_lacks(self, text: &str) -> Self {
        let found = self.0.stdout.contains(text) || self.0.stderr.contains(text);
        assert!(!found, "{text:?} in the output of {}", self.0);
        self
    }

    /// Checks standard output as a whole, with the temporary directory written `$DIR`.
    #[track_caller]
    pub fn assert_stdout(self, expected: &str) -> Self {
        let stdout = self.0.stdout.replace(&self.0.root, "$DIR");
        assert_eq!(stdout, expected, "standard output of {}", self.0);
        self
    }

    /// Checks that nothing was written to standard error.
    #[track_caller]
    pub fn assert_quiet(self) -> Self {
        assert_eq!(self.0.stderr, "", "standard error of {}", self.0);
        self
    }

    pub fn stdout(&self) -> &str {
        &self.0.stdout
    }

    pub fn stderr(&self) -> &str {
        &self.0.stderr
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "`{}`", self.line)?;
        writeln!(f, "--- stdout\n{}--- stderr\n{}--- exit {}", self.stdout, self.stderr, self.code)
    }
}
