//! Reads simple commands: assignments, words and redirections in any order.

use super::Refused;
use super::reader::Reader;
use super::script::{Assigned, Assignment, Redirected, Redirection, Simple};
use super::variables;

impl Reader<'_> {
    pub(super) fn simple(&mut self) -> Result<Simple, Refused> {
        let start = self.at;
        let mut simple = Simple::default();
        let mut end = start;
        loop {
            self.blanks();
            if let Some(redirection) = self.redirection()? {
                simple.redirections.push(redirection);
            } else {
                match self.peek() {
                    0 | b'\n' | b';' | b'&' | b'|' | b')' => break,
                    b'#' if end < self.at => break,
                    _ => {}
                }
                match self.assignment_name() {
                    Some(length) if simple.words.is_empty() => simple.assignments.push(self.assignment(length)?),
                    Some(_) | None => {
                        let word = self.word()?;
                        if simple.words.is_empty() {
                            self.commands.push(word.span.start);
                        }
                        simple.words.push(word);
                    }
                }
            }
            end = self.at;
        }
        if end == start {
            return Err(self.stuck("a command is missing"));
        }
        simple.span = start..end;
        Ok(simple)
    }

    /// How long the name before `=` or `+=` is, if a variable is assigned here.
    fn assignment_name(&self) -> Option<usize> {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
        let name = &rest[..end];
        let assigned = rest[end..].starts_with('=') || rest[end..].starts_with("+=");
        (assigned && variables::is_name(name)).then_some(end)
    }

    fn assignment(&mut self, length: usize) -> Result<Assignment, Refused> {
        let start = self.at;
        let name = self.rest()[..length].to_owned();
        self.at += length;
        let adds = self.peek() == b'+';
        self.at += if adds { 2 } else { 1 };
        if self.peek() != b'(' {
            let value = self.value()?;
            return Ok(Assignment {
                name,
                values: vec![value],
                kind: if adds { Assigned::More } else { Assigned::Word },
                span: start..self.at,
            });
        }
        self.at += 1;
        let mut values = Vec::new();
        loop {
            self.gap()?;
            if self.peek() == b')' {
                self.at += 1;
                break;
            }
            values.push(self.word()?);
        }
        if !matches!(self.peek(), 0 | b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')') {
            return Err(self.stuck("it cannot be read with certainty"));
        }
        Ok(Assignment { name, values, kind: Assigned::Array, span: start..self.at })
    }

    pub(super) fn redirection(&mut self) -> Result<Option<Redirection>, Refused> {
        let start = self.at;
        let rest = self.rest();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (operator, kind) = match &rest.as_bytes()[digits..] {
            [b'<', b'<', b'<', ..] => (3, Redirected::Text),
            [b'<', b'<', ..] => return self.heredoc(start, digits).map(Some),
            [b'<' | b'>', b'(', ..] if digits == 0 => return self.substituted(),
            [b'<', b'>', ..] => return Err(self.stuck("it opens a file for writing")),
            [b'<', b'&', ..] => (2, Redirected::InputCopy),
            [b'<', ..] => (1, Redirected::Input),
            [b'>', b'&', ..] => (2, Redirected::OutputCopy),
            [b'>', b'>' | b'|', ..] => (2, Redirected::Output),
            [b'>', ..] => (1, Redirected::Output),
            [b'&', b'>', b'>', ..] if digits == 0 => (3, Redirected::Output),
            [b'&', b'>', ..] if digits == 0 => (2, Redirected::Output),
            _ => return Ok(None),
        };
        if start > 0 && self.text[..start].ends_with(['}', '\\']) {
            return Err(self.stuck("shells read a brace before a redirection differently"));
        }
        self.at += digits + operator;
        if matches!(self.peek(), b'!' | b'|' | b'>' | b'<' | b'&') {
            let text = &self.text[start..];
            let line = text.lines().next().unwrap_or_default();
            return Err(Refused::new(line, "zsh reads this redirection differently"));
        }
        self.blanks();
        let target = self.word()?;
        Ok(Some(Redirection { kind, target, span: start..self.at }))
    }

    /// `<(` is a word, `>(` hands data to a command.
    fn substituted(&self) -> Result<Option<Redirection>, Refused> {
        if self.peek() == b'>' {
            return Err(self.stuck("a command that is written to is not known to be read-only"));
        }
        Ok(None)
    }
}
