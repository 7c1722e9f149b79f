//! `git config`: the forms that read.

use super::line::Line;
use crate::policy::shell::Refused;

/// Options that make every word a name or a pattern to look up.
const READS: &str = "--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --list -l --name-only";

/// Without such an option, one key alone is looked up, and a second word would set it.
pub(super) fn judge(line: &Line<'_>) -> Result<(), Refused> {
    let refused = |part: &str, why: &str| Err(Refused::new(part, format!("`{}` {why}", line.command)));
    if let Some(word) = line.operands.iter().find(|word| !word.is_one_word()) {
        return refused(&word.text, "may set a key with several words");
    }
    if line.has_one_of(READS) {
        return Ok(());
    }
    match line.operands.as_slice() {
        [verb, ..] if matches!(verb.known(), Some("list" | "get")) => Ok(()),
        [verb, ..] if matches!(verb.known(), Some("set" | "unset" | "rename-section" | "remove-section" | "edit")) => {
            refused(&verb.text, &format!("{} changes a configuration", verb.text))
        }
        [key] if key.known().is_some() => Ok(()),
        [key, ..] => refused(&key.text, "with a key and a value sets it"),
        [] => refused("config", "without a key does nothing that is known"),
    }
}
