//! YAML as text: how our records are written.
//!
//! The writer is our own, because free text must read the same in YAML 1.1 and 1.2 (`topic: "no"`, never a bare
//! `no`), and because text of several lines has to stay a block that `git diff` shows line by line.

use std::fmt::Write as _;

use serde_yaml::{Mapping, Value};

/// Writes a value as a YAML document, in the order of its keys.
pub fn write(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Mapping(map) if !map.is_empty() => mapping(&mut out, map, 0),
        Value::Sequence(list) if !list.is_empty() => sequence(&mut out, list, 0),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Sequence(_)
        | Value::Mapping(_)
        | Value::Tagged(_) => {
            node(&mut out, value, 0);
        }
    }
    out
}

fn mapping(out: &mut String, map: &Mapping, indent: usize) {
    for (place, (key, value)) in map.iter().enumerate() {
        if place > 0 {
            pad(out, indent);
        }
        match key {
            Value::String(text) => out.push_str(&inline(text)),
            // Keys of ours are words; what a later version puts beside them is carried over whatever it is.
            Value::Sequence(_) | Value::Mapping(_) => {
                out.push_str("? ");
                out.push_str(&flow(key));
                out.push('\n');
                pad(out, indent);
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Tagged(_) => out.push_str(&scalar(key)),
        }
        out.push(':');
        node(out, value, indent);
    }
}

fn sequence(out: &mut String, list: &[Value], indent: usize) {
    for (place, value) in list.iter().enumerate() {
        if place > 0 {
            pad(out, indent);
        }
        out.push('-');
        match value {
            Value::Mapping(map) if !map.is_empty() => {
                out.push(' ');
                mapping(out, map, indent + 2);
            }
            Value::Sequence(inner) if !inner.is_empty() => {
                out.push(' ');
                sequence(out, inner, indent + 2);
            }
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Sequence(_)
            | Value::Mapping(_)
            | Value::Tagged(_) => node(out, value, indent),
        }
    }
}

/// Writes what stands after `key:` or `-`, up to and including the line end.
fn node(out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Mapping(map) if !map.is_empty() => {
            out.push('\n');
            pad(out, indent + 2);
            mapping(out, map, indent + 2);
        }
        Value::Sequence(list) if !list.is_empty() => {
            out.push('\n');
            pad(out, indent + 2);
            sequence(out, list, indent + 2);
        }
        Value::String(text) if fits_block(text) => block(out, text, indent + 2),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Sequence(_)
        | Value::Mapping(_)
        | Value::Tagged(_) => {
            out.push(' ');
            out.push_str(&scalar(value));
            out.push('\n');
        }
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(yes) => yes.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => inline(text),
        Value::Sequence(_) => "[]".to_owned(),
        Value::Mapping(_) => "{}".to_owned(),
        // Tags never reach a record: enums are mappings with one key, and tagged input is refused.
        Value::Tagged(tagged) => scalar(&tagged.value),
    }
}

/// A value on one line, with brackets.
fn flow(value: &Value) -> String {
    let quoted = |value: &Value| match value {
        Value::String(text) => quoted(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Sequence(_) | Value::Mapping(_) | Value::Tagged(_) => {
            flow(value)
        }
    };
    match value {
        Value::Sequence(list) => format!("[{}]", list.iter().map(quoted).collect::<Vec<_>>().join(", ")),
        Value::Mapping(map) => {
            let pair = |(key, value): (&Value, &Value)| format!("? {} : {}", quoted(key), quoted(value));
            format!("{{{}}}", map.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Tagged(_) => scalar(value),
    }
}

fn pad(out: &mut String, indent: usize) {
    for _ in 0..indent {
        out.push(' ');
    }
}

/// Whether the text can stand as a literal block without any doubt about its white space.
fn fits_block(text: &str) -> bool {
    text.contains('\n')
        && !text.starts_with([' ', '\n'])
        && !text.ends_with("\n\n")
        && text.chars().all(|c| c == '\n' || plain_char(c))
        && text.split('\n').all(|line| !line.ends_with(' ') && !line.starts_with('\t'))
}

fn block(out: &mut String, text: &str, indent: usize) {
    out.push_str(if text.ends_with('\n') { " |\n" } else { " |-\n" });
    for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
        if !line.is_empty() {
            pad(out, indent);
            out.push_str(line);
        }
        out.push('\n');
    }
}

/// A text on one line: plain where nothing can be mistaken, quoted otherwise.
fn inline(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// Words that some YAML reader takes for a truth value or for nothing.
const RESERVED: &[&str] = &["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nil", "none"];

fn is_plain(text: &str) -> bool {
    let starts_well = text.chars().next().is_some_and(char::is_alphabetic);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let fine = match c {
            ':' => chars.peek().is_some_and(|next| next.is_alphanumeric()),
            ' ' => chars.peek().is_some_and(|next| next.is_alphanumeric() || *next == '('),
            '_' | '-' | '.' | ',' | ';' | '/' | '(' | ')' | '+' | '?' | '!' | '\'' | '`' | '*' => true,
            _ => c.is_alphanumeric() && plain_char(c),
        };
        if !fine {
            return false;
        }
    }
    starts_well && !RESERVED.contains(&text.to_lowercase().as_str())
}

/// Whether a YAML reader takes the character as it stands.
fn plain_char(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
        && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            _ if plain_char(c) => out.push(c),
            _ => {
                let number = u32::from(c);
                // Writing to a String cannot fail.
                let _ = match number {
                    0..=0xff => write!(out, "\\x{number:02x}"),
                    0x100..=0xffff => write!(out, "\\u{number:04x}"),
                    _ => write!(out, "\\U{number:08x}"),
                };
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::guard::guard;
    use super::*;

    const LIMIT: usize = 1 << 20;

    fn back(text: &str) -> Value {
        serde_yaml::from_str(guard(text.as_bytes(), LIMIT).unwrap()).unwrap()
    }

    #[test]
    fn g39_a_key_that_is_a_list_or_a_map_comes_back() {
        for text in
            ["? [a, 'b, c']\n: 1\n", "x:\n  ? {k: {l: [1, ~]}}\n  : - y\n", "? []\n: 2\n", "? {}\n: 3\n? ~\n: 4\n"]
        {
            let value = back(text);
            assert_eq!(back(&write(&value)), value, "{}", write(&value));
        }
    }

    #[test]
    fn free_text_is_never_mistaken_by_an_older_reader() {
        for text in [
            "no",
            "Yes",
            "on",
            "~",
            "null",
            "0o17",
            "1_000",
            "1:30",
            "2026-11-21",
            "- a",
            "a: b",
            "a #b",
            "",
            " x",
            "x ",
            "=",
            "<<",
            "*a",
            "&a",
            "!a",
            "%",
            "@x",
            "`x",
            "? a",
            "{",
            "[",
        ] {
            let written = write(&Value::Mapping(Mapping::from_iter([(Value::from("text"), Value::from(text))])));
            assert_eq!(written, format!("text: {}\n", quoted(text)));
            assert_eq!(back(&written)["text"], Value::from(text));
        }
        assert_eq!(inline("sqlite, not postgres"), "sqlite, not postgres");
        assert_eq!(inline("agent:codex"), "agent:codex");
    }

    #[test]
    fn text_of_several_lines_is_a_block() {
        let value: Value = serde_yaml::from_str("a:\n  - text: \"one\\n\\n  [[two: x\\nthree\"\n    b: 1\n").unwrap();
        let written = write(&value);
        assert_eq!(written, "a:\n  - text: |-\n      one\n\n        [[two: x\n      three\n    b: 1\n");
        assert_eq!(back(&written), value);
    }

    #[test]
    fn brackets_in_text_are_text() {
        let many = "[".repeat(500);
        for text in [many.clone(), format!("a\n{many}\n&b *c !d"), format!("\"{many}' x"), format!("it's\t{many}")] {
            let written = write(&Value::Sequence(vec![Value::from(text.as_str())]));
            assert_eq!(back(&written)[0], Value::from(text));
        }
    }

    fn any_text() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            proptest::collection::vec(
                prop_oneof![
                    Just("\n"),
                    Just(" "),
                    Just("  "),
                    Just("- "),
                    Just(": "),
                    Just("#"),
                    Just("'"),
                    Just("\""),
                    Just("\\"),
                    Just("|"),
                    Just("["),
                    Just("{"),
                    Just("\t"),
                    Just("\r"),
                    Just("&"),
                    Just("*"),
                    Just("!"),
                    Just("a"),
                    Just("yes"),
                    Just("1"),
                    Just("\u{85}"),
                    Just("\u{feff}"),
                    Just("\u{1b}"),
                    Just("ä"),
                    Just("---"),
                    Just("..."),
                    Just("?"),
                ],
                0..12
            )
            .prop_map(|pieces| pieces.concat()),
        ]
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any_text().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::Sequence),
                proptest::collection::vec((any_text(), inner), 0..5).prop_map(|pairs| {
                    Value::Mapping(pairs.into_iter().map(|(key, value)| (Value::from(key), value)).collect())
                }),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_written_is_read_back(value in any_value()) {
            let written = write(&value);
            let text = guard(written.as_bytes(), LIMIT).unwrap_or_else(|why| panic!("{why}:\n{written}"));
            prop_assert_eq!(serde_yaml::from_str::<Value>(text).unwrap_or_else(|why| panic!("{why}:\n{written}")), value);
        }
    }
}
