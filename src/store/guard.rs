//! What is checked before foreign YAML is parsed: size, encoding, nesting, and that nothing refers to something else.
//!
//! Whether `*x` is an alias or a part of a text depends on everything before it. So the text is taken apart here by the
//! rules of the parser's own scanner (libyaml), to the last of its line ends: wherever the two disagreed, something could
//! hide.

use std::str::Chars;

/// The deepest nesting of brackets or indentation that is parsed; ours needs seven.
const DEEPEST: usize = 32;
/// Ends a document, or begins one, at the beginning of a line.
const MARKERS: [&str; 2] = ["---", "..."];

/// Checks bytes before they are parsed: size, encoding, nesting, and nothing that refers to something else.
///
/// The parser takes seconds for a few thousand open brackets, and aliases can blow a short text up.
pub fn guard(bytes: &[u8], limit: usize) -> Result<&str, String> {
    if bytes.len() > limit {
        return Err(format!("it has {} bytes, more than the {limit} allowed", bytes.len()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    Scan { rest: text.chars(), column: 0, brackets: 0, blocks: Vec::new(), key: None, may_be_key: true }.run()?;
    Ok(text)
}

/// Whether a line ends there (YAML 1.1, section 4.2), which is not only where one ends for us.
fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// Whether nothing of a word stands there: a blank, the end of a line, or that of the text.
fn ends_word(c: Option<char>) -> bool {
    c.is_none_or(|c| is_blank(c) || is_break(c))
}

struct Scan<'t> {
    rest: Chars<'t>,
    /// Characters before it in its line.
    column: usize,
    /// Open flow brackets.
    brackets: usize,
    /// Columns of the open block collections.
    blocks: Vec<usize>,
    /// Where in this line something began outside of brackets that a colon makes a key.
    key: Option<usize>,
    may_be_key: bool,
}

impl Scan<'_> {
    fn run(mut self) -> Result<(), String> {
        loop {
            self.skip_blanks();
            let Some(c) = self.peek() else { return Ok(()) };
            if self.brackets == 0 {
                self.close_blocks();
            }
            self.token(c)?;
        }
    }

    /// Takes one token, which begins with `c`.
    fn token(&mut self, c: char) -> Result<(), String> {
        let in_block = self.brackets == 0;
        let stands_alone = ends_word(self.peek_behind(1));
        match c {
            '%' if self.column == 0 => self.skip_line(),
            _ if self.is_at_marker() => {
                self.blocks.clear();
                self.take_many(3);
                (self.key, self.may_be_key) = (None, false);
            }
            '&' | '*' | '!' => return Err("it uses an anchor, an alias or a tag".to_owned()),
            '[' | '{' => {
                self.note_key();
                self.brackets += 1;
                if self.brackets > DEEPEST {
                    return Err(too_deep());
                }
                self.mark(true);
            }
            ']' | '}' => {
                self.brackets = self.brackets.saturating_sub(1);
                self.mark(false);
            }
            ',' => self.mark(true),
            '-' | '?' if in_block && stands_alone => {
                self.open_block(self.column)?;
                self.key = None;
                self.mark(true);
            }
            ':' if in_block && stands_alone => {
                let key = self.key.take();
                self.open_block(key.unwrap_or(self.column))?;
                self.mark(key.is_none());
            }
            '?' | ':' if !in_block => self.mark(false),
            '|' | '>' if in_block => self.block_text(),
            '\'' | '"' => self.quoted(c),
            _ => self.plain(),
        }
        Ok(())
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    fn peek_behind(&self, many: usize) -> Option<char> {
        self.rest.clone().nth(many)
    }

    /// Takes a character, or the end of a line.
    fn take(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if is_break(c) {
            if c == '\r' && self.peek() == Some('\n') {
                self.rest.next();
            }
            self.column = 0;
            // A key stands in one line.
            self.key = None;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn take_many(&mut self, many: usize) {
        for _ in 0..many {
            self.take();
        }
    }

    fn mark(&mut self, may_be_key: bool) {
        self.take();
        self.may_be_key = may_be_key;
    }

    fn skip_line(&mut self) {
        while self.peek().is_some_and(|c| !is_break(c)) {
            self.take();
        }
    }

    /// Passes over whatever is between two tokens: blanks, ends of lines, remarks, and marks of the byte order.
    fn skip_blanks(&mut self) {
        while let Some(c) = self.peek() {
            match c {
                '#' => self.skip_line(),
                '\u{feff}' if self.column == 0 => drop(self.take()),
                c if is_break(c) => {
                    self.take();
                    self.may_be_key |= self.brackets == 0;
                }
                c if is_blank(c) => drop(self.take()),
                _ => return,
            }
        }
    }

    /// Whether a document begins or ends here.
    fn is_at_marker(&self) -> bool {
        let rest = self.rest.as_str();
        self.column == 0
            && MARKERS.iter().any(|marker| rest.starts_with(marker))
            && ends_word(self.peek_behind(MARKERS[0].len()))
    }

    /// What begins here outside of brackets may turn out to be a key.
    fn note_key(&mut self) {
        if self.brackets == 0 && self.may_be_key {
            self.key = Some(self.column);
        }
    }

    /// A block collection begins or goes on at this column.
    fn open_block(&mut self, column: usize) -> Result<(), String> {
        if self.blocks.last().is_none_or(|open| *open < column) {
            self.blocks.push(column);
        }
        if self.blocks.len() > DEEPEST { Err(too_deep()) } else { Ok(()) }
    }

    /// Whatever is indented deeper than this has ended.
    fn close_blocks(&mut self) {
        while self.blocks.last().is_some_and(|open| *open > self.column) {
            self.blocks.pop();
        }
    }

    /// The least column of what belongs to the innermost block collection.
    fn inside(&self) -> usize {
        self.blocks.last().map_or(0, |open| open + 1)
    }

    fn quoted(&mut self, quote: char) {
        self.note_key();
        self.take();
        while let Some(c) = self.take() {
            match c {
                '\\' if quote == '"' => drop(self.take()),
                c if c == quote && quote == '\'' && self.peek() == Some(quote) => drop(self.take()),
                c if c == quote => break,
                _ => {}
            }
        }
        self.may_be_key = false;
    }

    /// A text without quotes, which goes on in the next line where that is indented as far.
    fn plain(&mut self) {
        self.note_key();
        self.may_be_key = false;
        while !self.is_at_marker() && self.peek() != Some('#') {
            while let Some(c) = self.peek().filter(|c| !ends_word(Some(*c))) {
                let ends = match c {
                    ':' => ends_word(self.peek_behind(1)),
                    ',' | '[' | ']' | '{' | '}' => self.brackets > 0,
                    _ => false,
                };
                if ends {
                    return;
                }
                self.take();
            }
            if self.peek().is_none() {
                return;
            }
            while let Some(c) = self.peek().filter(|c| ends_word(Some(*c))) {
                self.take();
                self.may_be_key |= is_break(c);
            }
            if self.brackets == 0 && self.column < self.inside() {
                return;
            }
        }
    }

    /// A text that ends where a line is indented less than its first one.
    fn block_text(&mut self) {
        self.take();
        let mut deeper = None;
        while let Some(c) = self.peek().filter(|c| matches!(c, '+' | '-' | '1'..='9')) {
            deeper = deeper.or(c.to_digit(10));
            self.take();
        }
        self.skip_line();
        self.take();
        let outside = self.blocks.last().copied().unwrap_or(0);
        let mut indent = deeper.and_then(|deeper| Some(outside + usize::try_from(deeper).ok()?));
        let mut deepest = self.inside().max(1);
        while let Some(c) = self.peek() {
            match c {
                ' ' if indent.is_none_or(|indent| self.column < indent) => drop(self.take()),
                c if is_break(c) => {
                    deepest = deepest.max(self.column);
                    self.take();
                }
                _ => {
                    let indent = *indent.get_or_insert(deepest.max(self.column));
                    if self.column < indent {
                        break;
                    }
                    self.skip_line();
                }
            }
        }
        (self.key, self.may_be_key) = (None, true);
    }
}

fn too_deep() -> String {
    format!("it is nested deeper than {DEEPEST}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 1 << 20;

    #[test]
    fn what_would_cost_the_parser_seconds_is_refused_first() {
        for (text, why) in [
            ("[".repeat(60_000), "nested"),
            ("{a: ".repeat(15_000), "nested"),
            ("- ".repeat(30_000), "nested"),
            ("? ".repeat(30_000), "nested"),
            ("a: &x [1]\nb: *x\n".to_owned(), "anchor"),
            ("a: !!str x\n".to_owned(), "tag"),
            ("- [&x 1, *x]\n".to_owned(), "anchor"),
            ("a:\t!x b\n".to_owned(), "tag"),
            ("-\t*x\n".to_owned(), "alias"),
            ("\t!x b\n".to_owned(), "tag"),
            ("\u{feff}!x b\n".to_owned(), "tag"),
            ("\u{85}\u{feff}!x b\n".to_owned(), "tag"),
            ("a: b #\r!x b\n".to_owned(), "tag"),
            ("a: b #\u{85}!x b\n".to_owned(), "tag"),
            ("a: |\n b\u{2028}c: *x\n".to_owned(), "alias"),
            ("# \u{2029}&x b\n".to_owned(), "anchor"),
            ("{c:'u,d: !x e}\n".to_owned(), "tag"),
            ("a: b\n  'c\nd: !x e\n".to_owned(), "tag"),
            ("\"k\": b\n!x c: d\n".to_owned(), "tag"),
            ("--- !x b\n".to_owned(), "tag"),
            ("- |\n   a\n  *x\n".to_owned(), "alias"),
            ("- |1\n  a\n*x\n".to_owned(), "alias"),
            ("? a\n: *x\n".to_owned(), "alias"),
            ("[a, 'it''s', *x]\n".to_owned(), "alias"),
            ("\"a \\\" b\": *x\n".to_owned(), "alias"),
            ("%YAML 1.1\n---\na: &x b\n".to_owned(), "anchor"),
            ("x".repeat(LIMIT + 1), "more than"),
        ] {
            let error = guard(text.as_bytes(), LIMIT).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        for text in [
            "a: it's *x and &y, !z\n",
            "a: b *x\n  *y\nc: 'd: *x'\n",
            "a: |\n  *x\n\n   !y\nb: >-\n  &z\n",
            "- |2\n    *x\n  *y\n- a:*x\n",
            "{a: 'b, *c', \"d\": \"*e\\\" *f\", g:*h}\n",
            "a: b # *x\n# &y\n",
            "\"a\": b\n  *c\n",
        ] {
            assert_eq!(guard(text.as_bytes(), LIMIT), Ok(text));
            assert!(serde_yaml::from_str::<serde_yaml::Value>(text).is_ok(), "{text}");
        }
        let deep: String = (0..200).fold(String::new(), |text, depth| text + &" ".repeat(depth) + "a:\n");
        assert!(guard(deep.as_bytes(), LIMIT).unwrap_err().contains("nested"));
        assert!(guard(b"\xff", LIMIT).unwrap_err().contains("UTF-8"));
    }
}
