//! The conversation of `git grill` at a terminal: the real program, real keys, a real repository.

mod called;
mod elsewhere;
mod leaving;
mod lines;
mod outside;
mod recommending;
mod screen;
mod signing;
mod starting;
mod story;
mod swapped;
mod tool;

use std::process::Command;

use crate::bench::Bench;
use crate::pty::{Pty, is_one_line, one_line, shows};

const TAB: &str = "\t";
const SHIFT_TAB: &str = "\x1b[Z";
const ENTER: &str = "\r";
const ESCAPE: &str = "\x1b";
const CTRL_C: &str = "\x03";
const CTRL_U: &str = "\x15";

/// The line below every question in a window that is wide enough.
const HELP: &str = "Tab alternatives, Enter sends";

/// Runs `git grill` with these words on a terminal of its own.
pub struct Sitting {
    pub pty: Pty,
}

impl Sitting {
    pub fn at(bench: &Bench, words: &[&str], rows: u16, cols: u16, variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new("git");
        command.arg("grill").args(words).current_dir(bench.repo());
        command.envs(bench.environment()).envs(variables.iter().copied());
        Self { pty: Pty::spawn(&command, rows, cols) }
    }

    /// A shell line on a terminal of its own, in a window in which a whole question and its history fit.
    pub fn of_a_line(bench: &Bench, line: &str) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(bench.repo()).envs(bench.environment());
        Self { pty: Pty::spawn(&command, 50, 100) }
    }

    /// A window in which a whole question and its history fit.
    fn wide(bench: &Bench, words: &[&str]) -> Self {
        Self::at(bench, words, 50, 100, &[])
    }

    /// A new session with its first question open.
    fn begun(bench: &Bench) -> Self {
        let sitting = Self::wide(bench, &["start", "add rate limiting"]);
        sitting.open("question 1 ·");
        sitting
    }

    /// Waits until a prompt stands below `text`.
    #[track_caller]
    fn open(&self, text: &str) {
        self.below(text, HELP);
    }

    /// Waits until `wanted` stands below the last `text`.
    #[track_caller]
    pub fn below(&self, text: &str, wanted: &str) {
        self.pty.wait_until(&format!("{wanted:?} below {text:?}"), |screen| {
            let after =
                |screen: &str, text: &str| screen.rsplit_once(text).is_some_and(|(_, below)| shows(below, wanted));
            after(screen, text) || (is_one_line(text) && after(&one_line(screen), text))
        });
    }

    fn line(&mut self, text: &str) {
        self.pty.send(text);
        self.pty.send(ENTER);
    }

    /// Waits for the end and sees that the terminal is the shell's again.
    #[track_caller]
    pub fn end(mut self) -> (i32, String) {
        let code = self.pty.exit_code();
        assert!(self.pty.is_as_a_shell_expects(), "the cursor is back and bracketed paste is off");
        assert!(self.pty.modes().contains("ICANON"), "the terminal hands over lines again: {}", self.pty.modes());
        (code, self.pty.screen())
    }

    /// Waits for the end with this exit code.
    #[track_caller]
    pub fn ends_with(self, expected: i32) {
        let (code, screen) = self.end();
        assert_eq!(code, expected, "{screen}");
    }

    /// Leaves by Escape.
    #[track_caller]
    pub fn pause(mut self) -> String {
        self.pty.send(ESCAPE);
        let (code, screen) = self.end();
        assert_eq!(code, 0, "{screen}");
        assert!(screen.contains("git grill next"), "leaving says how to come back:\n{screen}");
        screen
    }
}

/// What a shell line prints in the bench.
fn said(bench: &Bench, line: &str) -> String {
    bench.run(line).assert_code(0).stdout().trim_end().to_owned()
}

/// Subjects and actors of a session's commits, the oldest first: `human answer`.
fn deeds(bench: &Bench) -> Vec<String> {
    let format = "%(trailers:key=Grill-Actor,valueonly,separator=%x20) %s";
    let log = said(bench, &format!("git log --reverse --format='{format}' --glob='refs/grill/sessions/*'"));
    log.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect()
}

/// What is kept of replies that were not sent.
fn kept(bench: &Bench) -> Vec<String> {
    let listed = said(bench, "find .git/grill/replies -type f 2>/dev/null | sort || true");
    listed.lines().map(|path| bench.read(path)).collect()
}
