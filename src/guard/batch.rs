//! `git grill guard --batch`: NUL-separated commands in, one JSON object a line out, in order, each as soon as its
//! command is complete.

use std::io::{self, BufRead, Write};

use serde::Serialize;

use crate::policy::shell::Refused;

/// The most bytes of one command that are looked at; a longer one is refused.
pub const MAX_COMMAND: usize = 1024 * 1024;

/// The verdict on one command, in the order in which its keys are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// `allow` or `deny`.
    pub verdict: &'static str,
    /// Why not.
    pub reason: Option<String>,
    /// The part that decided.
    pub part: Option<String>,
}

impl Line {
    /// The verdict in this form.
    pub fn of(judged: Result<(), Refused>) -> Self {
        match judged {
            Ok(()) => Self { verdict: "allow", reason: None, part: None },
            Err(refused) => Self { verdict: "deny", reason: Some(refused.why), part: Some(refused.part) },
        }
    }

    /// As one line of JSON.
    pub fn json(&self) -> String {
        let text = serde_json::to_string(self).expect("three strings are always JSON");
        text + "\n"
    }
}

/// Answers every command of `input`. An empty one counts when a NUL ends it; nothing behind the last NUL is no command.
pub fn run(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    judge: &dyn Fn(&str) -> Result<(), Refused>,
) -> io::Result<()> {
    let mut command = Vec::new();
    while let Some(size) = next(input, &mut command)? {
        let judged = if size > MAX_COMMAND {
            Err(Refused::new("", format!("a command of {size} bytes is too long to be looked at")))
        } else {
            match std::str::from_utf8(&command) {
                Ok(command) => judge(command),
                Err(_) => Err(Refused::new(String::from_utf8_lossy(&command), "it is not UTF-8")),
            }
        };
        output.write_all(Line::of(judged).json().as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

/// Reads up to the next NUL or the end, and gives the size of what stood there; no more than [`MAX_COMMAND`] is kept.
fn next(input: &mut dyn BufRead, command: &mut Vec<u8>) -> io::Result<Option<usize>> {
    command.clear();
    let mut size = 0;
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.is_empty() {
            return Ok((size > 0).then_some(size));
        }
        let end = bytes.iter().position(|byte| *byte == 0);
        let part = &bytes[..end.unwrap_or(bytes.len())];
        size += part.len();
        if size <= MAX_COMMAND {
            command.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(Some(size));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn answers(input: &[u8]) -> Vec<String> {
        let judge = |command: &str| match command {
            "ls" => Ok(()),
            other => Err(Refused::new(other, "no")),
        };
        let mut output = Vec::new();
        // A tiny buffer: commands arrive in pieces.
        run(&mut BufReader::with_capacity(3, input), &mut output, &judge).unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    }

    const YES: &str = r#"{"verdict":"allow","reason":null,"part":null}"#;

    #[test]
    fn one_line_for_each_command_in_order() {
        assert_eq!(answers(b""), [""; 0]);
        assert_eq!(answers(b"ls"), [YES]);
        assert_eq!(answers(b"ls\0"), [YES]);
        assert_eq!(
            answers(b"ls\0rm \"x\"\ny\0ls"),
            [YES, r#"{"verdict":"deny","reason":"no","part":"rm \"x\"\ny"}"#, YES]
        );
        assert_eq!(answers(b"\0\0ls\0"), [&deny(""), &deny(""), YES]);
        assert_eq!(answers(b"l\xffs\0ls"), [r#"{"verdict":"deny","reason":"it is not UTF-8","part":"l�s"}"#, YES]);
    }

    fn deny(part: &str) -> String {
        format!(r#"{{"verdict":"deny","reason":"no","part":"{part}"}}"#)
    }

    #[test]
    fn a_huge_command_is_refused_and_the_next_one_is_answered() {
        let input = [vec![b'x'; MAX_COMMAND + 7], b"\0ls\0".to_vec()].concat();
        let answers = answers(&input);
        assert!(answers[0].contains("too long to be looked at"), "{}", answers[0]);
        assert_eq!(answers[1], YES);
    }
}
