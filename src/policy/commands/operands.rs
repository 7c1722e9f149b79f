//! The words of a command that are no options, held against one `words` line of its sheet.

use super::line::Line;
use super::sheet::has;
use crate::policy::shell::Refused;
use crate::policy::shell::word::Word;

/// The kinds of `words` lines, besides a number.
#[cfg(test)]
pub(super) const KINDS: &[&str] = &["any", "each", "first", "names", "none", "packages", "plus", "sources", "system"];

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
        "packages" => operands.find(|word| !is_package(word)),
        "sources" => operands.find(|word| !is_of_sources(word)),
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

/// A word that begins with `@` names a file of further options, wherever it stands. Files of such names that a pattern may
/// match are a trap of the folder.
pub(super) fn no_response_file(command: &str, words: &[Word]) -> Result<(), Refused> {
    let begins = |word: &Word| word.text.trim_start_matches(['"', '\'', '\\']).chars().next();
    let is_hidden = |word: &Word| word.known().is_none() && matches!(begins(word), None | Some('$' | '`' | '{' | '~'));
    let is_named = |word: &Word| begins(word) == Some('@') || word.known().is_some_and(|text| text.starts_with('@'));
    match words.iter().find(|word| is_named(word) || is_hidden(word)) {
        Some(word) => {
            Err(not_so(&format!("{command} {}", word.text), &word.text, "may read further options from a file"))
        }
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

/// The path of a folder or of a text, written out. An archive would be unpacked, by a shell line that holds its name.
fn is_of_sources(word: &Word) -> bool {
    const ARCHIVES: &[&str] = &[
        "7z", "apk", "bz2", "cab", "deb", "ear", "egg", "gem", "gz", "iso", "jar", "lz", "lzma", "nupkg", "rar", "rpm",
        "tar", "tbz", "tbz2", "tgz", "txz", "tz", "war", "whl", "xz", "z", "zip", "zst",
    ];
    word.known().is_some_and(|path| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        path.chars().all(plain) && !name.rsplit_once('.').is_some_and(|(_, kind)| ARCHIVES.contains(&kind))
    })
}

/// A plain name: no path, no assignment.
fn is_name(word: &Word) -> bool {
    word.known().is_some_and(|text| !text.starts_with('-') && !text.contains(['/', '=', '\n']))
}

/// The name of a package in a registry, with a version: no file, no folder, no address.
fn is_package(word: &Word) -> bool {
    const FILES: &[&str] = &[".rb", ".json", ".tgz", ".tar", ".gz", ".zip", ".bz2", ".xz"];
    word.known().is_some_and(|text| {
        let name = match text.strip_prefix('@').map(|scoped| scoped.split_once('/')) {
            Some(Some((scope, name))) if !scope.is_empty() => name,
            Some(Some(_)) => return false,
            Some(None) | None => text,
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || "@._+-^~*<>=|".contains(c);
        let lower = name.to_ascii_lowercase();
        !name.is_empty()
            && !name.starts_with('.')
            && name.chars().all(plain)
            && !FILES.iter().any(|end| lower.ends_with(end))
    })
}

fn not_so(named: &str, part: &str, why: &str) -> Refused {
    let why = if why.is_empty() { "is not known to be read-only" } else { why };
    Refused::new(part, format!("`{named}` {why}"))
}
