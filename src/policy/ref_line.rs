//! What git tells `reference-transaction` on standard input: one line for each ref that it wants to change.
//!
//! The bytes come from outside, so they are bounded and a line that does not read is an error, never skipped.

use std::fmt;

use crate::domain::harmless::on_one_line;

/// The most bytes that are read from a hook's standard input: about half a million refs in one transaction.
pub const MAX_INPUT: usize = 64 * 1024 * 1024;

/// The value of a ref before or after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefValue {
    /// All zeroes: no ref, or "whatever it was".
    Zero,
    /// An object id in lower-case hex, as long as the repository's hash.
    Object(String),
    /// The ref that a symbolic ref points to.
    Symbolic(Vec<u8>),
}

/// The full name of a ref. Bytes, because git does not ask for UTF-8.
#[derive(Clone, PartialEq, Eq)]
pub struct RefName(Vec<u8>);

impl RefName {
    /// Takes the name as git gave it.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// The name as git knows it.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// What follows `prefix`, if the name starts with it.
    pub fn below(&self, prefix: &str) -> Option<&[u8]> {
        self.0.strip_prefix(prefix.as_bytes())
    }
}

impl fmt::Debug for RefName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RefName({})", self.0.escape_ascii())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefLine {
    /// What git expects to find; [`RefValue::Zero`] when it does not care.
    pub old: RefValue,
    /// What git wants to write; [`RefValue::Zero`] deletes.
    pub new: RefValue,
    pub name: RefName,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// More than [`MAX_INPUT`].
    #[error("more than {} MiB", MAX_INPUT / 1024 / 1024)]
    TooLong,
    /// The last line has no end, so part of it may be missing.
    #[error("the last line is cut off")]
    CutOff,
    /// A line is not `<old> <new> <name>`.
    #[error("line {0} is not '<old> <new> <ref>'")]
    Line(usize),
}

pub fn parse(stdin: &[u8]) -> Result<Vec<RefLine>, Malformed> {
    if stdin.len() > MAX_INPUT {
        return Err(Malformed::TooLong);
    }
    let Some(body) = stdin.strip_suffix(b"\n") else {
        return if stdin.is_empty() { Ok(Vec::new()) } else { Err(Malformed::CutOff) };
    };
    body.split(|byte| *byte == b'\n')
        .enumerate()
        .map(|(index, line)| parse_line(line).ok_or(Malformed::Line(index + 1)))
        .collect()
}

fn parse_line(line: &[u8]) -> Option<RefLine> {
    let mut fields = line.split(|byte| *byte == b' ');
    let (old, new, name) = (fields.next()?, fields.next()?, fields.next()?);
    if fields.next().is_some() || name.is_empty() || name.contains(&0) {
        return None;
    }
    Some(RefLine { old: parse_value(old)?, new: parse_value(new)?, name: RefName::new(name) })
}

/// Reads one value: `ref:<target>` or an object id of either hash.
pub fn parse_value(field: &[u8]) -> Option<RefValue> {
    if let Some(target) = field.strip_prefix(b"ref:") {
        return (!target.is_empty()).then(|| RefValue::Symbolic(target.to_vec()));
    }
    let hex = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
    if !matches!(field.len(), 40 | 64) || !field.iter().all(hex) {
        return None;
    }
    if field.iter().all(|byte| *byte == b'0') {
        return Some(RefValue::Zero);
    }
    String::from_utf8(field.to_vec()).ok().map(RefValue::Object)
}

/// Bytes of a foreign name for a person: on one line, harmless to a terminal, with `?` for what is not UTF-8.
pub fn printable(bytes: &[u8]) -> String {
    on_one_line(&String::from_utf8_lossy(bytes).replace('\u{fffd}', "?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZERO: &str = "0000000000000000000000000000000000000000";
    const ONE: &str = "1111111111111111111111111111111111111111";

    #[test]
    fn lines_as_git_writes_them_are_read() {
        let input = format!("{ZERO} {ONE} HEAD\n{ONE} {ZERO} refs/tags/v1\n{ZERO} ref:refs/heads/x HEAD\n");
        let lines = parse(input.as_bytes()).unwrap();
        assert_eq!(lines[0].new, RefValue::Object(ONE.to_owned()));
        assert_eq!(lines[1].new, RefValue::Zero);
        assert_eq!(lines[1].name, RefName::new(*b"refs/tags/v1"));
        assert_eq!(lines[2].new, RefValue::Symbolic(b"refs/heads/x".to_vec()));
        assert_eq!(parse(b""), Ok(Vec::new()));
    }

    #[test]
    fn names_need_not_be_utf8_and_long_hashes_are_known() {
        let mut input = format!("{} {} refs/heads/", "0".repeat(64), "a".repeat(64)).into_bytes();
        input.extend([0xff, 0x81, b'\n']);
        let lines = parse(&input).unwrap();
        assert_eq!(lines[0].old, RefValue::Zero);
        assert_eq!(lines[0].name.as_bytes(), b"refs/heads/\xff\x81");
        assert_eq!(printable(lines[0].name.as_bytes()), "refs/heads/??");
    }

    #[test]
    fn g30_a_foreign_name_is_shown_on_one_harmless_line() {
        let rows = [
            ("refs/heads/a\u{202e}b", "refs/heads/a\\u{202e}b"),
            ("a\u{200b}b\u{2066}", "a\\u{200b}b\\u{2066}"),
            ("docs/\u{1b}[2J\n\r.md", "docs/␛[2J␤␤.md"),
            ("refs/heads/ü/日本", "refs/heads/ü/日本"),
        ];
        for (name, shown) in rows {
            assert_eq!(printable(name.as_bytes()), shown);
        }
    }

    #[test]
    fn anything_else_is_malformed() {
        let bad = [
            format!("{ZERO} {ONE} HEAD"),
            format!("{ZERO} {ONE}\n"),
            format!("{ZERO} {ONE} \n"),
            format!("{ZERO} {ONE} HEAD more\n"),
            format!("{ZERO}  {ONE} HEAD\n"),
            format!("{ZERO} ref: HEAD\n"),
            format!("{ZERO} {} HEAD\n", &ONE[1..]),
            format!("{ZERO} {} HEAD\n", "A".repeat(40)),
            format!("{ZERO} {ONE} a\0b\n"),
            format!("{ZERO} {ONE} HEAD\n\n"),
            "\n".to_owned(),
        ];
        for input in bad {
            assert!(parse(input.as_bytes()).is_err(), "{input:?}");
        }
        assert_eq!(parse(&vec![b'0'; MAX_INPUT + 1]), Err(Malformed::TooLong));
    }
}
