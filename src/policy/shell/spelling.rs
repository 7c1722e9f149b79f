//! Reads words: quotes are removed, and what decides about the rest is noted.

use super::Refused;
use super::reader::Reader;
use super::script::{Script, Spelled};
use super::word::Word;

/// What a word consists of, gathered while it is read.
#[derive(Debug, Default)]
pub(super) struct Parts {
    text: String,
    pattern: bool,
    unknown: bool,
    scripts: Vec<Script>,
    backquoted: Vec<String>,
}

impl Parts {
    /// Something in it is decided by an expansion.
    pub(super) fn is_unknown(&mut self) {
        self.unknown = true;
    }

    pub(super) fn push(&mut self, text: char) {
        self.text.push(text);
    }

    pub(super) fn runs(&mut self, script: Script) {
        self.unknown = true;
        self.scripts.push(script);
    }

    pub(super) fn into_scripts(self) -> (Vec<Script>, Vec<String>) {
        (self.scripts, self.backquoted)
    }
}

/// Where an expansion stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quotes {
    /// Outside of quotes: it ends where the word ends.
    None,
    /// Between double quotes, or in a here-document.
    Double,
}

/// What ends a word outside of quotes.
const ENDS: &[u8] = b" \t\n;&|()<>";

impl Reader<'_> {
    /// Reads a word, which must not be missing.
    pub(super) fn word(&mut self) -> Result<Spelled, Refused> {
        let start = self.at;
        let word = self.value()?;
        if self.at == start {
            return Err(self.stuck("it cannot be read with certainty"));
        }
        Ok(word)
    }

    /// Reads a word that may be missing, as after `name=`.
    pub(super) fn value(&mut self) -> Result<Spelled, Refused> {
        let start = self.at;
        let mut parts = Parts::default();
        let mut braces = 0_usize;
        loop {
            let next = self.rest().as_bytes().get(1).copied().unwrap_or(0);
            match self.peek() {
                0 => break,
                b'<' if next == b'(' => self.substitution(&mut parts)?,
                b'(' => return Err(self.stuck("zsh may run what stands between these parentheses")),
                end if ENDS.contains(&end) => break,
                b'\\' if next == b'\n' => {
                    let behind = self.rest().as_bytes().get(2).copied().unwrap_or(b'\n');
                    if !matches!(behind, b' ' | b'\t' | b'\n') {
                        return Err(self.stuck("a word goes on in the next line"));
                    }
                    break;
                }
                b'\\' => self.escaped(&mut parts)?,
                b'\'' => self.single(&mut parts)?,
                b'"' => self.double(&mut parts)?,
                b'`' => self.backquotes(&mut parts, Quotes::None)?,
                b'$' if next == b'\'' => self.ansi(&mut parts)?,
                b'$' => self.expansion(&mut parts, Quotes::None)?,
                b'#' if self.at == start => return Err(self.stuck("it cannot be read with certainty")),
                b'=' if self.at == start && !matches!(next, b'=' | b'~' | b' ' | b'\t' | b'\n' | 0) => {
                    return Err(self.stuck("zsh replaces a word that begins with `=` by a path"));
                }
                b'~' if self.at == start || next == b'[' => self.tilde(&mut parts, next)?,
                b'!' if self.is_history(start, next) => {
                    return Err(self.stuck("an interactive shell replaces this by an earlier command"));
                }
                byte => {
                    match byte {
                        b'*' | b'?' | b'[' => parts.pattern = true,
                        b'{' => braces += 1,
                        b',' if braces > 0 => parts.pattern = true,
                        b'.' if braces > 0 && next == b'.' => parts.pattern = true,
                        b'}' if braces == 0 => return Err(self.stuck("shells read this brace differently")),
                        b'}' => braces -= 1,
                        _ => {}
                    }
                    self.plain(&mut parts);
                }
            }
        }
        if braces > 0 {
            return Err(self.refuse(start..self.at, "shells read this brace differently"));
        }
        self.finished(start, parts)
    }

    fn finished(&self, start: usize, parts: Parts) -> Result<Spelled, Refused> {
        let span = start..self.at;
        let source = &self.text[span.clone()];
        let waits = self.outer_pending || !self.pending.is_empty();
        if waits && source.contains('\n') {
            return Err(self.refuse(span, "shells disagree where the here-document before it begins"));
        }
        let word = if parts.unknown {
            Word::unknown(source)
        } else if parts.pattern && source != "[" {
            Word::pattern(source)
        } else {
            Word::literal(parts.text)
        };
        Ok(Spelled { word, span, scripts: parts.scripts, backquoted: parts.backquoted })
    }

    /// Takes one character as it is.
    fn plain(&mut self, parts: &mut Parts) {
        if let Some(character) = self.rest().chars().next() {
            parts.push(character);
            self.at += character.len_utf8();
        }
    }

    fn escaped(&mut self, parts: &mut Parts) -> Result<(), Refused> {
        self.at += 1;
        if self.rest().is_empty() {
            return Err(Refused::new("\\", "the command is not complete"));
        }
        self.plain(parts);
        Ok(())
    }

    fn single(&mut self, parts: &mut Parts) -> Result<(), Refused> {
        let inside = &self.rest()[1..];
        let Some(length) = inside.find('\'') else {
            return Err(self.stuck("this quote has no end"));
        };
        parts.text.push_str(&inside[..length]);
        self.at += length + 2;
        Ok(())
    }

    fn double(&mut self, parts: &mut Parts) -> Result<(), Refused> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                0 => {
                    self.at = start;
                    return Err(self.stuck("this quote has no end"));
                }
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => {
                    let next = self.rest().as_bytes().get(1).copied().unwrap_or(0);
                    match next {
                        b'\n' => self.at += 2,
                        b'$' | b'`' | b'"' | b'\\' => {
                            self.at += 1;
                            self.plain(parts);
                        }
                        _ => self.plain(parts),
                    }
                }
                b'$' => self.expansion(parts, Quotes::Double)?,
                b'`' => self.backquotes(parts, Quotes::Double)?,
                _ => self.plain(parts),
            }
        }
    }

    /// `$'…'`. Plain shells know no such quotes and end them at the first `'`, escaped or not.
    fn ansi(&mut self, parts: &mut Parts) -> Result<(), Refused> {
        let inside = &self.rest()[2..];
        let Some(length) = inside.find('\'') else {
            return Err(self.stuck("this quote has no end"));
        };
        let mut characters = inside[..length].chars();
        while let Some(character) = characters.next() {
            let decoded = match character {
                '\\' => match characters.next() {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some('r') => '\r',
                    Some(same @ ('\\' | '"')) => same,
                    _ => return Err(self.stuck("this escape is read differently by different shells")),
                },
                same => same,
            };
            parts.push(decoded);
        }
        self.at += length + 3;
        Ok(())
    }

    /// Between backquotes backslashes mean something else than elsewhere, so there must be none.
    pub(super) fn backquotes(&mut self, parts: &mut Parts, quotes: Quotes) -> Result<(), Refused> {
        let inside = &self.rest()[1..];
        let Some(length) = inside.find('`') else {
            return Err(self.stuck("this quote has no end"));
        };
        let script = &inside[..length];
        let unclear = script.contains(['\\', '\n']) || (quotes == Quotes::Double && script.contains(['"', '\'']));
        if unclear {
            return Err(self.stuck("quotes between backquotes are read differently; write `$(…)`"));
        }
        parts.unknown = true;
        parts.backquoted.push(script.to_owned());
        self.at += length + 2;
        Ok(())
    }

    /// `$(…)`, and `<(…)`: the name of a pipe that a command writes to.
    pub(super) fn substitution(&mut self, parts: &mut Parts) -> Result<(), Refused> {
        self.at += 2;
        self.substitutions += 1;
        let script = self.enclosed()?;
        self.substitutions -= 1;
        parts.runs(script);
        Ok(())
    }

    /// `~` and `~/…` are the home directory; anything else names a directory in a way of the shell's own.
    fn tilde(&mut self, parts: &mut Parts, next: u8) -> Result<(), Refused> {
        if next == 0 || next == b'/' || ENDS.contains(&next) {
            parts.is_unknown();
            self.plain(parts);
            return Ok(());
        }
        Err(self.stuck("shells read this directory differently"))
    }

    /// Whether `!` may stand for an earlier command: not before a blank, in `!=`, or in `[!…]`.
    fn is_history(&self, start: usize, next: u8) -> bool {
        let negates = self.text[start..self.at].ends_with('[');
        !(negates || next == b'=' || next == 0 || ENDS.contains(&next))
    }
}
