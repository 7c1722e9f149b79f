//! Which commands are known to read only, and with which of their options.

use crate::policy::shell::Refused;
use crate::policy::shell::word::Word;

/// What a command would run in turn: looked through by whoever asked.
#[derive(Clone, Copy, Debug)]
pub enum Inner<'a> {
    /// A command as words, its name first.
    Argv(&'a [Word]),
    /// A script for a shell.
    Script(&'a str),
}

/// Whether this simple command (its name first) is known to be read-only with these arguments.
pub fn judge(argv: &[Word], look_through: &mut dyn FnMut(Inner<'_>) -> Result<(), Refused>) -> Result<(), Refused> {
    let name = argv.first().and_then(Word::known).unwrap_or_default();
    let words: Vec<&str> = argv.iter().map(|word| word.text.as_str()).collect();
    let options_read = |writing: &[&str]| !words[1..].iter().any(|word| writing.contains(word));
    match (name, words.get(1).copied().unwrap_or_default()) {
        ("ls" | "cat" | "echo" | "pwd" | "true" | "false" | "grep" | "head" | "tail" | "wc" | ":", _) => Ok(()),
        ("git", "status" | "log" | "diff" | "rev-parse" | "show") => Ok(()),
        ("sort", _) if options_read(&["-o"]) => Ok(()),
        ("xargs" | "time" | "nice", _) => look_through(Inner::Argv(&argv[1..])),
        ("sh" | "bash", "-c") => match argv.get(2).and_then(Word::known) {
            Some(script) if argv.len() == 3 => look_through(Inner::Script(script)),
            Some(_) | None => Err(Refused::new(words.join(" "), "the script is not known")),
        },
        _ => Err(Refused::new(words.join(" "), format!("`{name}` is not known to be read-only"))),
    }
}
