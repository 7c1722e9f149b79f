//! What our `prepare-commit-msg` does: it adds trailers to the message of a commit that is about to be made, as git
//! itself would add them.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

use crate::app::ports::{Process, Trailers};
use crate::git::Git;
use crate::git::command::reason;
use crate::hooks::error::{HookError, file};

/// Where git says that a message comes from, where that is a reason to leave it alone: it joins commits that were made
/// already, or it is a template, which git tells from an untouched one by its bytes.
const LEFT_ALONE: [&str; 3] = ["merge", "squash", "template"];

/// Adds the trailers to the message in a file, each once. `args` are those of the hook: the file, where its text comes
/// from, and a commit. Whoever is to word it in an editor finds a line to write on.
pub fn add_trailers(process: &dyn Process, args: &[OsString], trailers: &Trailers) -> Result<(), HookError> {
    let Some(path) = args.first() else {
        return Ok(());
    };
    if args.get(1).is_some_and(|source| LEFT_ALONE.iter().any(|left| OsStr::new(left) == source)) {
        return Ok(());
    }
    let mut all = trailers.args();
    all.extend(["--in-place".into(), path.clone()]);
    let said = |said: String| HookError::Git { command: "git interpret-trailers".to_owned(), said };
    let ran = Git::new(all).run(process).map_err(|error| said(error.to_string()))?;
    if ran.code != 0 {
        return Err(said(reason(&ran)));
    }
    let path = Path::new(path);
    let text = fs::read(path).map_err(file("read", path))?;
    match worded(&text, trailers) {
        Some(text) => fs::write(path, text).map_err(file("write", path)),
        None => Ok(()),
    }
}

/// The message with room for a subject of its own, where it begins with our trailers; `None` where it has words.
fn worded(text: &[u8], trailers: &Trailers) -> Option<Vec<u8>> {
    let blank = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let first = trailers.0.first()?.as_bytes();
    let begins = text[blank..].strip_prefix(first).is_some_and(|rest| rest.starts_with(b"\n"));
    begins.then(|| [b"\n\n", &text[blank..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_without_words_gets_a_line_for_them() {
        let trailers = Trailers(vec!["Grill-Session: a".to_owned()]);
        let worded = |text: &str| worded(text.as_bytes(), &trailers).map(|text| String::from_utf8(text).unwrap());
        assert_eq!(worded("\nGrill-Session: a\n# x\n").unwrap(), "\n\nGrill-Session: a\n# x\n");
        assert_eq!(worded("Grill-Session: a\n").unwrap(), "\n\nGrill-Session: a\n");
        for text in ["x\n\nGrill-Session: a\n", "Grill-Session: ab\n", "", "\n", "# x\n"] {
            assert_eq!(worded(text), None, "{text:?}");
        }
    }
}
