//! The script of `sed`: everything but writing files and running commands.

use std::iter::Peekable;
use std::str::Chars;

use crate::policy::shell::Refused;

/// Whether a script only reads and prints.
pub(super) fn judge(script: &str) -> Result<(), Refused> {
    let mut reader = Reader { rest: script.chars().peekable(), script, label: false };
    while let Some(first) = reader.rest.peek().copied() {
        reader.label &= first != '\n';
        if first.is_whitespace() || matches!(first, ';' | '{' | '}') {
            reader.rest.next();
        } else {
            reader.command()?;
        }
    }
    Ok(())
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    script: &'a str,
    /// A label stands in this line. Some versions take all the line for it, so the line must end where it ends.
    label: bool,
}

impl Reader<'_> {
    fn command(&mut self) -> Result<(), Refused> {
        self.addresses()?;
        let Some(command) = self.rest.next() else {
            return Err(self.no("has an address without a command"));
        };
        match command {
            '{' | '}' => {}
            '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | 'F' => self.end()?,
            'l' | 'q' | 'Q' => {
                self.blanks();
                self.digits();
                self.end()?;
            }
            'a' | 'i' | 'c' => self.text()?,
            ':' | 'b' | 't' | 'T' => self.label()?,
            '#' | 'r' | 'R' => self.skip_line(),
            's' => self.substitute()?,
            'y' => {
                let delimiter = self.delimiter()?;
                self.delimited(delimiter, Inside::Text)?;
                self.delimited(delimiter, Inside::Text)?;
                self.end()?;
            }
            'w' | 'W' => return Err(self.no(&format!("writes a file with `{command}`"))),
            'e' => return Err(self.no("runs a command with `e`")),
            _ => return Err(self.no(&format!("has a command `{command}` that is not known to be read-only"))),
        }
        Ok(())
    }

    /// `3`, `$`, `/x/I`, `\,x,`, `0~4`, two of them with a comma, and `!`.
    fn addresses(&mut self) -> Result<(), Refused> {
        if self.address()? {
            self.blanks();
            if self.rest.next_if_eq(&',').is_some() {
                self.blanks();
                self.rest.next_if(|next| matches!(next, '+' | '~'));
                if !self.address()? {
                    return Err(self.no("has half an address"));
                }
            }
        }
        while self.rest.next_if(|next| *next == '!' || *next == ' ' || *next == '\t').is_some() {}
        Ok(())
    }

    fn address(&mut self) -> Result<bool, Refused> {
        match self.rest.peek().copied() {
            Some('$') => {
                self.rest.next();
            }
            Some('0'..='9') => {
                self.digits();
                if self.rest.next_if_eq(&'~').is_some() {
                    self.digits();
                }
            }
            Some('/') => {
                self.rest.next();
                self.delimited('/', Inside::Pattern)?;
                while self.rest.next_if(|next| matches!(next, 'I' | 'M')).is_some() {}
            }
            Some('\\') => {
                self.rest.next();
                let delimiter = self.delimiter()?;
                self.delimited(delimiter, Inside::Pattern)?;
                while self.rest.next_if(|next| matches!(next, 'I' | 'M')).is_some() {}
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn substitute(&mut self) -> Result<(), Refused> {
        let delimiter = self.delimiter()?;
        self.delimited(delimiter, Inside::Pattern)?;
        self.delimited(delimiter, Inside::Text)?;
        while let Some(flag) = self.rest.next_if(char::is_ascii_alphanumeric) {
            match flag {
                'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' => {}
                'w' => return Err(self.no("writes a file with `s///w`")),
                'e' => return Err(self.no("runs a command with `s///e`")),
                _ => return Err(self.no(&format!("has a flag `{flag}` that is not known to be read-only"))),
            }
        }
        self.end()
    }

    fn delimiter(&mut self) -> Result<char, Refused> {
        match self.rest.next() {
            // Letters and blanks are delimiters too; whoever needs them has something to hide.
            Some(delimiter) if delimiter.is_ascii_punctuation() && !matches!(delimiter, '\\' | '[' | ']' | ';') => {
                Ok(delimiter)
            }
            _ => Err(self.no("has a delimiter that is not known to be read-only")),
        }
    }

    /// What stands before the next delimiter. Where versions of sed could disagree about its end, it is refused.
    fn delimited(&mut self, delimiter: char, inside: Inside) -> Result<(), Refused> {
        loop {
            match self.rest.next() {
                Some(end) if end == delimiter => return Ok(()),
                Some('\\') if self.rest.peek() != Some(&'\n') || inside == Inside::Text && !self.label => {
                    self.rest.next();
                }
                Some('[') if inside == Inside::Pattern => self.bracket(delimiter)?,
                Some('\n' | '\\') | None => return Err(self.no("has an end that is not known")),
                Some(_) => {}
            }
        }
    }

    /// `[^]abc]`, `[[:space:]]`, `[\t]`; a delimiter counts for nothing inside.
    fn bracket(&mut self, delimiter: char) -> Result<(), Refused> {
        self.rest.next_if_eq(&'^');
        let mut first = true;
        let mut plain = true;
        let mut delimiters = false;
        loop {
            let next = self.rest.next();
            match next {
                Some(']') if first => plain = false,
                Some(']') => break,
                Some('[') => {
                    plain = false;
                    if let Some(kind) = self.rest.next_if(|next| matches!(next, ':' | '.' | '=')) {
                        self.class(kind)?;
                    }
                }
                Some('\\') if matches!(self.rest.peek(), Some(']' | '\\' | '\n')) => {
                    return Err(self.no("has brackets whose end is not known"));
                }
                Some('\n') | None => return Err(self.no("has brackets whose end is not known")),
                Some(other) => delimiters |= other == delimiter,
            }
            first = false;
        }
        if delimiters && !plain {
            return Err(self.no("has brackets whose end is not known"));
        }
        Ok(())
    }

    fn class(&mut self, kind: char) -> Result<(), Refused> {
        let mut last = None;
        for next in self.rest.by_ref() {
            if last == Some(kind) && next == ']' {
                return Ok(());
            }
            if !(next.is_ascii_alphanumeric() || next == kind || next == '-') {
                break;
            }
            last = Some(next);
        }
        Err(self.no("has brackets whose end is not known"))
    }

    /// The text of `a`, `i`, `c`: to the end of the line, and on when a backslash stands there.
    fn text(&mut self) -> Result<(), Refused> {
        self.blanks();
        if self.rest.next_if_eq(&'\\').is_some() {
            match self.rest.next() {
                Some('\n') if self.label => return Err(self.no("has a text whose end is not known")),
                Some(' ' | '\t') => return Err(self.no("has a text whose end is not known")),
                Some(_) | None => {}
            }
        }
        while let Some(next) = self.rest.next() {
            match next {
                '\\' if self.label => return Err(self.no("has a text whose end is not known")),
                '\\' => {
                    self.rest.next();
                }
                '\n' => {
                    self.label = false;
                    break;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A plain name; some versions read on to the end of the line, so nothing else may hide in it.
    fn label(&mut self) -> Result<(), Refused> {
        self.blanks();
        while self.rest.next_if(|next| next.is_ascii_alphanumeric() || *next == '_').is_some() {}
        self.label = true;
        self.end()
    }

    /// A command is over here.
    fn end(&mut self) -> Result<(), Refused> {
        self.blanks();
        match self.rest.peek() {
            None | Some('\n' | ';' | '}' | '#') => Ok(()),
            Some(_) => Err(self.no("goes on where a command should end")),
        }
    }

    fn blanks(&mut self) {
        while self.rest.next_if(|next| matches!(next, ' ' | '\t')).is_some() {}
    }

    fn digits(&mut self) {
        while self.rest.next_if(char::is_ascii_digit).is_some() {}
    }

    fn skip_line(&mut self) {
        while self.rest.next_if(|next| *next != '\n').is_some() {}
    }

    fn no(&self, why: &str) -> Refused {
        Refused::new(self.script, format!("the sed script `{}` {why}", self.script))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Pattern,
    Text,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_that_print_are_known() {
        for script in [
            "",
            "10p",
            "1,5p",
            "$p",
            "$!N",
            "/a/,/b/p",
            "/a/I,+3p",
            "0~4p",
            "2q",
            "/x/!d",
            "1!G;h;$!d",
            "s/a/b/g",
            "s|a|b|2p",
            "s,a/b,c,;p",
            "\\,a,p",
            "/a\\/b/p",
            "s/[^/]*$//",
            "s/[/]/x/",
            "s/[[:space:]]*$//",
            "s/\\[\\(.*\\)\\]/\\1/",
            ":a;N;$!ba;s/\\n/ /g",
            "y/abc/xyz/",
            "/x/{p;q}",
            "/x/{s/a/b/;p}",
            "n;d",
            "=",
            "l 5",
            "# comment with w x",
            "p # w x",
            "1i\\\nw file",
            "a w file",
            "a one\\\nw two\np",
            "r other.txt",
            "s/a/b\\\nc/",
            "/^fn /,/^}/p",
            "s/.*\"\\([^\"]*\\)\".*/\\1/p",
            "s/[\\/.]/x/",
            "s/w x/e y/",
            "$=",
            "/a/,$ p",
            "1~2d",
            "/re/bend;p;:end",
            "s/[]]/x/",
            "10,20{=;p}",
            "F",
            "Q 3",
        ] {
            assert!(judge(script).is_ok(), "{script:?}: {:?}", judge(script));
        }
    }

    #[test]
    fn scripts_that_write_or_run_are_refused() {
        for script in [
            "w x",
            "1w x",
            "/a/w x",
            "/a/ ! w x",
            "p;w x",
            "p\nw x",
            "{w x\n}",
            "s/a/b/w x",
            "s/a/b/gw x",
            "s/a/b/ew",
            "s/a/b/e",
            "e",
            "1e touch x",
            "e touch x",
            "W x",
            "$!N;W x",
            "a x\nw y",
            "a x\\\\\nw y",
            "i\\\nx\nw y",
            "s/a/b\\/\nw x",
            "y/a/b/;w x",
            "s/[\\]/w x/",
            "s/[[:space:]/]/w x/",
            "s/[]/]/w x/",
            ":a w x",
            "b w x",
            "b a;w x",
            "# c\nw x",
            "r f\nw x",
            "sxaxbxw y",
            "s\na\nb\nw x",
            "\\xaxw y",
            "s/a/b",
            "/a",
            "1,w x",
            "M",
            "pw",
            "p w x",
            "q5w x",
            "l5 w x",
            "}w x",
            "s/a/b/;e",
            "v\nw x",
            "2,4!w x",
            "0,/a/w x",
            "+w x",
            "a\\ \nw x",
            "s/a/b/g p;w x",
            "/a\n/w x",
            "s/\\\n/x/",
            "s;a;b;w x",
            ":a;s/x/y\\\nw x/",
        ] {
            assert!(judge(script).is_err(), "{script:?}");
        }
    }
}
