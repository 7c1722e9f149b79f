//! What is checked before foreign YAML is parsed: size, encoding, nesting, and that nothing refers to something else.

/// The deepest nesting of brackets or indentation that is parsed; ours needs seven.
const DEEPEST: usize = 32;

/// Checks bytes before they are parsed: size, encoding, nesting, and nothing that refers to something else.
///
/// The parser takes seconds for a few thousand open brackets, and aliases can blow a short text up.
pub fn guard(bytes: &[u8], limit: usize) -> Result<&str, String> {
    if bytes.len() > limit {
        return Err(format!("it has {} bytes, more than the {limit} allowed", bytes.len()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut scan = Scan::default();
    for line in text.lines() {
        scan.line(line)?;
    }
    Ok(text)
}

/// Where the scan of a document is.
#[derive(Default)]
struct Scan {
    /// Open flow brackets.
    brackets: usize,
    /// Columns of the open block collections.
    columns: Vec<usize>,
    /// The quote that is open across lines.
    quote: Option<char>,
    /// Lines that are indented deeper than this belong to a literal block.
    literal: Option<usize>,
}

impl Scan {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let indent = line.len() - line.trim_start_matches(' ').len();
        if let Some(column) = self.literal {
            if line.trim().is_empty() || indent > column {
                return Ok(());
            }
            self.literal = None;
        }
        let mut chars = line.char_indices();
        let mut at_start = true;
        let mut owner = indent;
        while let Some((column, c)) = chars.next() {
            if let Some(quote) = self.quote {
                match c {
                    '\\' if quote == '"' => drop(chars.next()),
                    _ if c == quote => self.quote = None,
                    _ => {}
                }
                at_start = false;
                continue;
            }
            let blank_next = || line.as_bytes().get(column + c.len_utf8()).is_none_or(|next| *next == b' ');
            match c {
                ' ' => continue,
                '#' if at_start || line[..column].ends_with(' ') => return Ok(()),
                '"' | '\'' if at_start => self.quote = Some(c),
                '&' | '*' | '!' if at_start => {
                    return Err("it uses an anchor, an alias or a tag".to_owned());
                }
                '|' | '>' if at_start && self.brackets == 0 => {
                    self.literal = Some(owner);
                    return Ok(());
                }
                '[' | '{' => {
                    self.brackets += 1;
                    if self.brackets > DEEPEST {
                        return Err(format!("it is nested deeper than {DEEPEST}"));
                    }
                    at_start = true;
                    continue;
                }
                ']' | '}' => self.brackets = self.brackets.saturating_sub(1),
                ',' if self.brackets > 0 => {
                    at_start = true;
                    continue;
                }
                '-' | '?' if at_start && blank_next() && self.brackets == 0 => {
                    self.open(column)?;
                    owner = column;
                    continue;
                }
                ':' if self.brackets > 0 || blank_next() => {
                    at_start = true;
                    continue;
                }
                _ if at_start && self.brackets == 0 && line[column..].contains(':') => {
                    self.open(column)?;
                    owner = column;
                }
                _ => {}
            }
            at_start = false;
        }
        Ok(())
    }

    /// A block collection begins or goes on at this column.
    fn open(&mut self, column: usize) -> Result<(), String> {
        while self.columns.last().is_some_and(|open| *open >= column) {
            self.columns.pop();
        }
        self.columns.push(column);
        if self.columns.len() > DEEPEST {
            return Err(format!("it is nested deeper than {DEEPEST}"));
        }
        Ok(())
    }
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
            ("x".repeat(LIMIT + 1), "more than"),
        ] {
            let error = guard(text.as_bytes(), LIMIT).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        let deep: String = (0..200).fold(String::new(), |text, depth| text + &" ".repeat(depth) + "a:\n");
        assert!(guard(deep.as_bytes(), LIMIT).unwrap_err().contains("nested"));
        assert!(guard(b"\xff", LIMIT).unwrap_err().contains("UTF-8"));
    }
}
