//! The lines of a Markdown text that are code: fenced ones, and indented ones.
//!
//! Whether an indented fence is one depends on the list around it. Rather than parse lists, fences are followed twice, with
//! such fences and without them, and a line is code if either says so: what stands in code is never taken for something
//! that was said, and what only may stand there is not taken either.

use crate::domain::outline::{Fence, behind_marks, heading};

/// Follows a text line by line.
#[derive(Debug)]
pub(super) struct Code {
    /// The fence that is open if an indented one is none.
    shallow: Option<Open>,
    /// The fence that is open if one may stand at any depth.
    deep: Option<Open>,
    /// Whether an indented line would be code, since there is no paragraph that it could go on with.
    may_indent: bool,
}

impl Default for Code {
    fn default() -> Self {
        Self { shallow: None, deep: None, may_indent: true }
    }
}

impl Code {
    /// Whether the next line is code, or opens or closes it.
    pub(super) fn holds(&mut self, line: &str) -> bool {
        let shallow = follow(&mut self.shallow, line, 3);
        let deep = follow(&mut self.deep, line, usize::MAX);
        let indented = self.may_indent && indent(line).0 >= 4;
        let fenced = shallow || deep;
        self.may_indent = fenced || indented || ends_paragraph(line);
        fenced || indented
    }
}

/// Whether the line is in a fence; opens one that begins at most at this column, or closes it.
fn follow(open: &mut Option<Open>, line: &str, deepest: usize) -> bool {
    // A fence in a quotation ends with the quotation.
    let stands = open.as_ref().filter(|fence| !fence.quoted || indent(line).1.starts_with('>'));
    match stands.map(|fence| fence.closed_by(line)) {
        Some(true) => *open = None,
        Some(false) => {}
        None => {
            *open = Open::opened_by(line).filter(|_| indent(line).0 <= deepest);
            return open.is_some();
        }
    }
    true
}

/// An open code fence.
#[derive(Debug)]
struct Open {
    fence: Fence,
    column: usize,
    /// Whether it stands in a quotation, whose marks are before every line.
    quoted: bool,
}

impl Open {
    /// The fence of a line, behind the marks of bullets, numbers and quotations.
    fn opened_by(line: &str) -> Option<Self> {
        let (mut column, mut rest) = indent(line);
        let mut quoted = false;
        while let Some(behind) = behind_marks(rest) {
            quoted |= rest.starts_with('>');
            let (blanks, text) = indent(behind);
            column += rest.len() - behind.len() + blanks;
            rest = text;
        }
        Fence::opened_by(rest).map(|fence| Self { fence, column, quoted })
    }

    fn closed_by(&self, line: &str) -> bool {
        let (mut column, mut rest) = indent(line);
        while let Some(behind) = rest.strip_prefix('>').filter(|_| self.quoted) {
            let (blanks, text) = indent(behind);
            column += 1 + blanks;
            rest = text;
        }
        self.fence.closed_by(rest) && column <= self.column.max(3)
    }
}

/// The column of the first character that is no blank, and the text from there.
pub(super) fn indent(line: &str) -> (usize, &str) {
    let rest = line.trim_start_matches([' ', '\t']);
    let blanks = line[..line.len() - rest.len()].chars();
    (blanks.fold(0, |column, blank| if blank == '\t' { column + 4 - column % 4 } else { column + 1 }), rest)
}

/// Whether an indented line behind this one is code: nothing of this line goes on there.
fn ends_paragraph(line: &str) -> bool {
    let text = line.trim();
    text.starts_with('#') || text.chars().all(|one| matches!(one, '-' | '*' | '_' | '=' | ' ' | '\t'))
}

/// Whether a line may be the first of a block, by the mark of a bullet, a number or a quotation.
pub(super) fn may_begin_block(line: &str) -> bool {
    behind_marks(indent(line).1).is_some()
}

/// Whether a line is a heading, or blank: a block of its own.
pub(super) fn is_alone(line: &str) -> bool {
    line.trim_matches([' ', '\t']).is_empty() || heading(line).is_some()
}
