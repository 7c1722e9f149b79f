//! Reads what begins with `$`. Only forms that every shell reads alike, and that never evaluate what a variable holds.

use super::Refused;
use super::reader::Reader;
use super::spelling::{Parts, Quotes};

const OTHERWISE: &str = "zsh reads this expansion differently";

impl Reader<'_> {
    pub(super) fn expansion(&mut self, parts: &mut Parts, quotes: Quotes) -> Result<(), Refused> {
        let rest = self.rest();
        let next = rest.as_bytes().get(1).copied().unwrap_or(0);
        match next {
            b'(' if rest.starts_with("$((") => self.arithmetic(parts),
            b'(' => self.substitution(parts),
            b'{' => self.deeper(|reader| reader.braces(parts, quotes)),
            b'[' => Err(self.stuck("arithmetic may run what a variable holds")),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let name = name_length(&rest[1..]);
                self.named(parts, 1 + name)
            }
            b'0'..=b'9' | b'@' | b'*' | b'?' | b'$' | b'!' | b'-' => self.special(parts),
            b'#' => {
                let behind = rest.as_bytes().get(2).copied().unwrap_or(0);
                if behind.is_ascii_alphanumeric() || matches!(behind, b'_' | b'@' | b'*' | b'#' | b'?' | b'!' | b'$') {
                    return Err(self.stuck(OTHERWISE));
                }
                self.special(parts)
            }
            _ => self.dollar(parts, quotes, next),
        }
    }

    /// `$name`, of which `length` bytes are read. zsh takes `[` behind it for a subscript, and evaluates that.
    fn named(&mut self, parts: &mut Parts, length: usize) -> Result<(), Refused> {
        let behind = self.rest().as_bytes().get(length).copied().unwrap_or(0);
        if behind == b'[' {
            return Err(self.stuck("zsh reads a bracket behind an expansion as a part of it"));
        }
        parts.is_unknown();
        self.at += length;
        Ok(())
    }

    /// `$?` and the like, not glued to a bracket.
    fn special(&mut self, parts: &mut Parts) -> Result<(), Refused> {
        if matches!(self.rest().as_bytes().get(2), Some(b'(' | b'{')) {
            return Err(self.stuck(OTHERWISE));
        }
        self.named(parts, 2)
    }

    /// A `$` that stands for itself, as at the end of a regular expression.
    fn dollar(&mut self, parts: &mut Parts, quotes: Quotes, next: u8) -> Result<(), Refused> {
        let itself = match quotes {
            Quotes::None => matches!(next, 0 | b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')' | b'/' | b'\\'),
            Quotes::Double => {
                matches!(next, b'"' | b' ' | b'\t' | b'\n' | b'|' | b')' | b'/' | b'\\' | b'.' | b',' | b';' | b'\'')
            }
        };
        if !itself {
            return Err(self.stuck(OTHERWISE));
        }
        parts.push('$');
        self.at += 1;
        Ok(())
    }

    /// `$((…))` of numbers and operators: names would be evaluated, and their values too.
    fn arithmetic(&mut self, parts: &mut Parts) -> Result<(), Refused> {
        let inside = &self.rest()[3..];
        let plain = |c: char| c.is_ascii_digit() || " +-*/%()<>!&|^?:,".contains(c);
        let length = inside.find(|c: char| !plain(c)).unwrap_or(inside.len());
        let text = &inside[..length];
        let Some(end) = closing(text) else {
            return Err(self.stuck("arithmetic with names may run what a variable holds"));
        };
        parts.is_unknown();
        self.at += 3 + end + 2;
        Ok(())
    }

    /// `${…}`.
    fn braces(&mut self, parts: &mut Parts, quotes: Quotes) -> Result<(), Refused> {
        let start = self.at;
        parts.is_unknown();
        self.at += 2;
        if self.peek() == b'#' && self.rest().as_bytes().get(1) != Some(&b'}') {
            self.at += 1;
            self.parameter(start)?;
            return self.close(start);
        }
        self.parameter(start)?;
        match self.rest().as_bytes() {
            [b'}', ..] => {}
            [b':', b'-' | b'+' | b'?', ..] => {
                self.at += 2;
                self.operand(start, quotes)?;
            }
            [b':', b'0'..=b'9' | b' ', ..] => self.offsets(),
            [b'-' | b'+' | b'?' | b'%' | b'#' | b'/' | b'^' | b',', ..] => {
                self.at += 1;
                self.operand(start, quotes)?;
            }
            _ => {
                self.at = start;
                return Err(self.stuck("this expansion may set a variable or run what one holds"));
            }
        }
        self.close(start)
    }

    fn close(&mut self, start: usize) -> Result<(), Refused> {
        if self.peek() != b'}' {
            self.at = start;
            return Err(self.stuck("this expansion is not known to be read alike by all shells"));
        }
        self.at += 1;
        Ok(())
    }

    /// A name, a number or a special parameter, and a subscript that needs no evaluation.
    fn parameter(&mut self, start: usize) -> Result<(), Refused> {
        let rest = self.rest();
        let length = match self.peek() {
            b'0'..=b'9' => rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len(),
            b'@' | b'*' | b'?' | b'#' | b'$' => 1,
            _ => name_length(rest),
        };
        if length == 0 {
            self.at = start;
            return Err(self.stuck("this expansion may run what a variable holds"));
        }
        self.at += length;
        if self.peek() == b'[' {
            let inside = &self.rest()[1..];
            let Some(end) = inside.find(']') else {
                return Err(self.stuck("this bracket has no end"));
            };
            let index = &inside[..end];
            let constant = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
            if !(constant || index == "@" || index == "*") {
                self.at = start;
                return Err(self.stuck("a subscript is evaluated, and may run what a variable holds"));
            }
            self.at += end + 2;
        }
        Ok(())
    }

    /// `:3` and `: -3:2`, numbers only.
    fn offsets(&mut self) {
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || ": -".contains(c)).len();
        self.at += length;
    }

    /// The default, pattern or replacement of an expansion. Quotes inside are read differently by shells.
    fn operand(&mut self, start: usize, quotes: Quotes) -> Result<(), Refused> {
        let mut inner = Parts::default();
        loop {
            match self.peek() {
                b'}' => break,
                b'$' => self.expansion(&mut inner, quotes)?,
                b'\\' => {
                    self.at += 1;
                    if !self.peek().is_ascii_punctuation() || matches!(self.peek(), b'\'' | b'"' | b'`') {
                        return Err(self.stuck("shells read this escape differently"));
                    }
                    self.at += 1;
                }
                b' ' if quotes == Quotes::Double => self.at += 1,
                byte if byte.is_ascii_alphanumeric() || b"_-./:,@%+=*?#^[]".contains(&byte) || byte >= 0x80 => {
                    self.at += 1;
                }
                b'~' => self.at += 1,
                _ => {
                    self.at = start;
                    return Err(self.stuck("this expansion is not known to be read alike by all shells"));
                }
            }
            // By bytes: this place may be within a character.
            if self.text.as_bytes()[self.at..].starts_with(b"~[") {
                return Err(self.stuck(OTHERWISE));
            }
        }
        self.put_aside(inner);
        Ok(())
    }
}

/// Where the parenthesis that closes `$((` stands: the first `))` outside of inner parentheses.
fn closing(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => open += 1,
            b')' if open > 0 => open -= 1,
            b')' => return text[place..].starts_with("))").then_some(place),
            _ => {}
        }
    }
    None
}

fn name_length(text: &str) -> usize {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len())
}
