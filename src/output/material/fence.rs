//! A fence around code.

use crate::domain::harmless::harmless;

/// What opened the code, so that one knows what closes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    /// The fence that this line opens; its indentation is the caller's business.
    pub fn opened_by(line: &str) -> Option<Self> {
        let mark = line.chars().next().filter(|first| matches!(first, '`' | '~'))?;
        let length = line.chars().take_while(|one| *one == mark).count();
        let info = &line[length..];
        (length >= 3 && !(mark == '`' && info.contains('`'))).then_some(Self { mark, length })
    }

    /// The fence that opens behind the marks of bullets, numbers and quotations, with those marks.
    pub fn opened_behind_marks(line: &str) -> Option<(&str, Self)> {
        let mut rest = line.trim_start();
        while let Some(behind) = behind_mark(rest) {
            rest = behind.trim_start();
        }
        Self::opened_by(rest).map(|fence| (&line[..line.len() - rest.len()], fence))
    }

    pub fn closed_by(&self, line: &str) -> bool {
        let line = line.trim_end();
        line.chars().count() >= self.length && line.chars().all(|one| one == self.mark)
    }

    /// The line that closes it.
    pub fn mark(&self) -> String {
        self.mark.to_string().repeat(self.length)
    }
}

fn behind_mark(line: &str) -> Option<&str> {
    let number = line.trim_start_matches(|one: char| one.is_ascii_digit());
    let bullet = ["- ", "* ", "+ ", ">"].iter().find_map(|mark| line.strip_prefix(mark));
    let numbered = (number.len() < line.len()).then(|| number.strip_prefix(". ").or_else(|| number.strip_prefix(") ")));
    bullet.or_else(|| numbered.flatten())
}
/// A line of code as a document keeps it: with its tabs, and nothing else that a reader does not see.
pub(in super::super) fn code_line(line: &str) -> String {
    line.trim_end().split('\t').map(harmless).collect::<Vec<_>>().join("\t")
}
