//! Reads here-documents: the mark that ends them, and the substitutions in their text.

use super::Refused;
use super::reader::Reader;
use super::script::{Redirected, Redirection, Spelled};
use super::spelling::{Parts, Quotes};
use super::word::Word;

/// A here-document whose text has not come yet.
#[derive(Debug)]
pub(super) struct Pending {
    mark: String,
    expands: Expands,
    tabs: Tabs,
}

/// Whether substitutions in the text are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expands {
    Yes,
    No,
}

/// Whether tabs at the beginning of a line count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tabs {
    Kept,
    Stripped,
}

impl Reader<'_> {
    /// Reads `<<MARK`; the text follows with the next line, where what it runs is put aside.
    pub(super) fn heredoc(&mut self, start: usize, digits: usize) -> Result<Redirection, Refused> {
        self.at += digits + 2;
        let tabs = if self.peek() == b'-' {
            self.at += 1;
            Tabs::Stripped
        } else {
            Tabs::Kept
        };
        self.blanks();
        let written = self.bare_word();
        let (mark, expands) = match written.as_bytes() {
            [b'\'', .., b'\''] | [b'"', .., b'"'] if written.len() > 2 => (&written[1..written.len() - 1], Expands::No),
            [b'\\', ..] => (&written[1..], Expands::No),
            _ => (written, Expands::Yes),
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if mark.is_empty() || !mark.chars().all(plain) {
            return Err(self.stuck("the mark of this here-document is not a plain word"));
        }
        self.at += written.len();
        self.pending.push(Pending { mark: mark.to_owned(), expands, tabs });
        let text =
            Spelled { word: Word::unknown(written), span: start..self.at, scripts: Vec::new(), backquoted: Vec::new() };
        Ok(Redirection { kind: Redirected::Text, target: text, span: start..self.at })
    }

    /// Reads the texts that begin on this line, and what they run.
    pub(super) fn heredoc_bodies(&mut self) -> Result<(), Refused> {
        for pending in std::mem::take(&mut self.pending) {
            let start = self.at;
            let end = loop {
                let rest = self.rest();
                if rest.is_empty() {
                    return Err(Refused::new(pending.mark, "the text of this here-document has no end"));
                }
                let line = rest.split('\n').next().unwrap_or_default();
                let from = self.at;
                self.at += line.len();
                let stripped = match pending.tabs {
                    Tabs::Kept => line,
                    Tabs::Stripped => line.trim_start_matches('\t'),
                };
                if stripped == pending.mark {
                    break from;
                }
                self.at += usize::from(self.peek() == b'\n');
            };
            let behind = self.at;
            if pending.expands == Expands::Yes {
                self.heredoc_text(start, end)?;
            }
            self.at = behind;
        }
        Ok(())
    }

    /// Reads the substitutions of a text, each of which must end inside of it.
    fn heredoc_text(&mut self, start: usize, end: usize) -> Result<(), Refused> {
        self.at = start;
        let mut parts = Parts::default();
        while self.at < end {
            match self.peek() {
                b'\\' if self.rest().as_bytes().get(1) == Some(&b'\n') => {
                    return Err(self.stuck("shells join the lines of a here-document differently"));
                }
                b'\\' => {
                    self.at += 1;
                    self.at += self.rest().chars().next().map_or(0, char::len_utf8);
                }
                b'$' => self.expansion(&mut parts, Quotes::Double)?,
                b'`' => self.backquotes(&mut parts, Quotes::Double)?,
                _ => self.at += self.rest().chars().next().map_or(0, char::len_utf8),
            }
        }
        if self.at != end {
            return Err(self.refuse(start..end, "a substitution does not end inside this here-document"));
        }
        self.put_aside(parts);
        Ok(())
    }
}
