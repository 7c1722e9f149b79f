//! The words of a command that are no options, held against one `words` line of its sheet.

use super::line::Line;
use super::sheet::has;
use crate::policy::shell::Refused;
use crate::policy::shell::word::Word;

/// The kinds of `words` lines, besides a number.
#[cfg(test)]
pub(super) const KINDS: &[&str] = &["any", "each", "first", "names", "none", "plus", "system"];

/// Whether the operands are what `rule` describes; `why` is what they would do otherwise.
pub(super) fn judge(rule: &str, why: &str, line: &Line<'_>) -> Result<(), Refused> {
    let (kind, among) = rule.split_once(' ').unwrap_or((rule, ""));
    let mut operands = line.operands.iter().copied();
    let listed = |word: &Word| word.known().is_some_and(|text| has(among, text));
    let odd = match kind {
        "any" => operands.find(|word| is_old_option(word)),
        "none" => operands.next(),
        "each" => operands.find(|word| !listed(word)),
        "names" => operands.find(|word| !is_name(word)),
        "system" => operands.find(|word| !is_of_the_system(word)),
        "plus" => operands.find(|word| !(word.is_one_word() && is_old_option(word))),
        "first" => match operands.next() {
            Some(first) if listed(first) => operands.find(|word| is_old_option(word)),
            Some(first) => Some(first),
            None => return Err(not_so(line.command, line.command, why)),
        },
        _ => match kind.parse::<usize>() {
            Ok(most) => {
                let more = line.operands.get(most).copied();
                operands.find(|word| !word.is_one_word() || is_old_option(word)).or(more)
            }
            Err(_) => return Err(not_so(line.command, line.command, "")),
        },
    };
    match odd {
        Some(word) => Err(not_so(&format!("{} {}", line.command, word.text), &word.text, why)),
        None => Ok(()),
    }
}

/// `more +!command`, `sort +1 -o`: a plus is an old way to write an option.
fn is_old_option(word: &Word) -> bool {
    word.text.trim_start_matches(['"', '\'']).starts_with('+')
}

/// A path of what came with the system.
fn is_of_the_system(word: &Word) -> bool {
    const FOLDERS: &[&str] = &["/bin/", "/sbin/", "/lib/", "/lib64/", "/usr/bin/", "/usr/sbin/", "/usr/lib/"];
    word.known().is_some_and(|path| {
        FOLDERS.iter().any(|folder| path.starts_with(folder)) && path.split('/').all(|part| part != "..")
    })
}

/// A plain name: no path, no assignment.
fn is_name(word: &Word) -> bool {
    word.known().is_some_and(|text| !text.starts_with('-') && !text.contains(['/', '=', '\n']))
}

fn not_so(named: &str, part: &str, why: &str) -> Refused {
    let why = if why.is_empty() { "is not known to be read-only" } else { why };
    Refused::new(part, format!("`{named}` {why}"))
}
