//! Expected lines against real ones, where `...` stands for any number of lines.

use std::fmt;

use similar::TextDiff;

/// Stands for any number of lines.
const ANY: &str = "...";

pub fn matches(expected: &[String], actual: &[String]) -> bool {
    match expected {
        [] => actual.is_empty(),
        [any, rest @ ..] if any == ANY => (0..=actual.len()).any(|skipped| matches(rest, &actual[skipped..])),
        [line, rest @ ..] => actual.split_first().is_some_and(|(first, others)| first == line && matches(rest, others)),
    }
}

/// A command whose output is not what its session says.
#[derive(Debug)]
pub struct Mismatch {
    /// The line of the command in the file.
    pub line: usize,
    pub command: String,
    pub expected: Vec<String>,
    pub actual: Vec<String>,
}

impl Mismatch {
    /// Whether the command ends with another exit code: a story that fails halfway tells another one.
    pub fn ends_otherwise(&self) -> bool {
        let end = |lines: &[String]| lines.last().filter(|line| line.starts_with("[exit ")).cloned();
        end(&self.expected) != end(&self.actual)
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: $ {}", self.line, self.command)?;
        let bless = if self.ends_otherwise() { "ends" } else { "1" };
        writeln!(f, "(- is written there, + is what came; GRILL_BLESS={bless} takes it over)")?;
        let text = |lines: &[String]| lines.iter().flat_map(|line| [line, "\n"]).collect::<String>();
        let (old, new) = (text(&self.expected), text(&self.actual));
        for change in TextDiff::from_lines(&old, &new).iter_all_changes() {
            write!(f, "{}{}", change.tag(), change.value())?;
        }
        Ok(())
    }
}
