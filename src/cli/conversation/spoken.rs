//! What an agent says to the person, as it comes: whole lines stay on the screen, the last one grows. Foreign text: it is
//! shown harmless, and bounded.

use std::fmt::Write as _;

use crate::domain::harmless::harmless;

/// The most that is shown of one turn, in bytes.
const MOST: usize = 64 * 1024;

/// What stands before each line but the first, so that none looks like one of ours.
const MARGIN: &str = "  ";

/// What an agent says in one turn.
pub(super) struct Spoken {
    /// Of the line that is being said.
    line: String,
    /// Lines that are whole, and have yet to be shown.
    whole: Vec<String>,
    bytes: usize,
}

impl Spoken {
    pub(super) fn of(agent: &str) -> Self {
        Self { line: format!("{agent}: "), whole: Vec::new(), bytes: 0 }
    }

    pub(super) fn hear(&mut self, piece: &str) {
        let room = MOST.saturating_sub(self.bytes);
        let piece = if self.bytes == 0 { piece.trim_start() } else { piece };
        let taken = &piece[..piece.floor_char_boundary(room)];
        self.bytes += taken.len();
        self.line.push_str(taken);
        while let Some(end) = self.line.find('\n') {
            let rest = MARGIN.to_owned() + &self.line.split_off(end + 1);
            let line = std::mem::replace(&mut self.line, rest);
            self.whole.push(harmless(line.trim_end()).into_owned());
        }
        if taken.len() < piece.len() && room > 0 {
            self.bytes = MOST;
            let _ = write!(self.line, " [the rest is not shown: it is longer than {} KiB]", MOST / 1024);
        }
    }

    /// Takes the lines that are whole since this was asked last.
    pub(super) fn whole(&mut self) -> Vec<String> {
        std::mem::take(&mut self.whole)
    }

    /// Takes what has yet to be shown.
    pub(super) fn rest(&mut self) -> String {
        let mut lines = self.whole();
        lines.push(self.saying());
        lines.join("\n").trim_end().to_owned()
    }

    pub(super) fn saying(&self) -> String {
        if self.bytes == 0 { String::new() } else { harmless(self.line.trim_end()).into_owned() }
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.bytes == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_stay_and_the_last_one_grows() {
        let mut spoken = Spoken::of("claude");
        assert!(spoken.is_nothing() && spoken.saying().is_empty());
        spoken.hear("\n ");
        assert!(spoken.is_nothing() && spoken.rest().is_empty());
        spoken.hear("\nIt de");
        assert_eq!((spoken.whole().len(), spoken.saying().as_str()), (0, "claude: It de"));
        spoken.hear("pends.\n\nTwo\nthree \u{1b}[2J");
        assert_eq!(spoken.whole(), ["claude: It depends.", "", "  Two"]);
        assert_eq!(spoken.saying(), "  three ␛[2J");
        spoken.hear(" four\nfive\n");
        assert_eq!(spoken.rest(), "  three ␛[2J four\n  five");
    }

    #[test]
    fn a_flood_is_cut_and_that_is_said() {
        let mut spoken = Spoken::of("claude");
        (0..100).for_each(|_| spoken.hear(&"é\n".repeat(1000)));
        assert_eq!(spoken.whole().len(), MOST / 3);
        assert!(spoken.saying().contains("the rest is not shown"), "{}", spoken.saying());
        spoken.hear("more\n");
        assert!(spoken.whole().is_empty());
    }
}
