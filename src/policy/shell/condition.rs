//! Reads `[[ … ]]`.

use super::Refused;
use super::reader::Reader;
use super::script::{Statement, Token};

impl Reader<'_> {
    pub(super) fn condition(&mut self) -> Result<Statement, Refused> {
        let start = self.at;
        self.commands.push(start);
        self.keyword("[[")?;
        let mut tokens = Vec::new();
        loop {
            self.blanks();
            if self.bare_word() == "]]" {
                self.keyword("]]")?;
                let behind = matches!(self.peek(), 0 | b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')' | b'\\');
                if !behind {
                    return Err(self.stuck("it cannot be read with certainty"));
                }
                return Ok(Statement::Condition { tokens, span: start..self.at });
            }
            let token = match self.rest().as_bytes() {
                [] | [b'\n', ..] => return Err(self.refuse(start..self.at, "this condition is not complete")),
                [b'&', b'&', ..] => self.sign(2, Token::And),
                [b'|', b'|', ..] => self.sign(2, Token::Or),
                [b'(', ..] => self.sign(1, Token::Open),
                [b')', ..] => self.sign(1, Token::Close),
                [b'!', b' ' | b'\t', ..] => self.sign(1, Token::Not),
                [b'<' | b'>', ..] => return Err(self.stuck("a plain shell opens a file here")),
                _ => Token::Word(self.word()?),
            };
            let matches = matches!(&token, Token::Word(word) if word.word.known() == Some("=~"));
            tokens.push(token);
            if matches {
                self.blanks();
                if !matches!(self.peek(), b'"' | b'\'' | b'$') {
                    tokens.push(self.regular_expression()?);
                }
            }
        }
    }

    fn sign(&mut self, length: usize, token: Token) -> Token {
        self.at += length;
        token
    }

    /// What stands unquoted behind `=~`. A plain shell takes `|` outside of parentheses for a pipe.
    fn regular_expression(&mut self) -> Result<Token, Refused> {
        let start = self.at;
        let mut open = 0_usize;
        loop {
            match self.peek() {
                0 | b' ' | b'\t' | b'\n' => break,
                b'(' => open += 1,
                b')' if open > 0 => open -= 1,
                b'|' if open > 0 => {}
                b'\\' if self.rest().as_bytes().get(1).is_some_and(u8::is_ascii_punctuation) => self.at += 1,
                b'$' if matches!(self.rest().as_bytes().get(1), Some(b' ' | b')')) => {}
                byte if byte.is_ascii_alphanumeric() || b"^.*+?[]{},:/_-=@%~".contains(&byte) || byte >= 0x80 => {}
                _ => return Err(self.refuse(start..self.at + 1, "quote this regular expression")),
            }
            self.at += 1;
        }
        if self.at == start || open > 0 {
            return Err(self.refuse(start..self.at, "this condition is not complete"));
        }
        Ok(Token::Regex)
    }
}
