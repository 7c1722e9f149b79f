//! Commands whose operands mean something: scripts, commands, addresses.

use super::line::Line;
use super::{Inner, LookThrough, Scene, awk, config, env, sed, sqlite, xargs};
use crate::policy::shell::Refused;
use crate::policy::shell::word::Word;

/// The grammars that a sheet may name.
#[cfg(test)]
pub(super) const GRAMMARS: &[&str] =
    &["awk", "config", "endpoint", "env", "fmt", "remote", "sed", "shell", "sqlite", "tar", "url", "xargs"];

/// Judges the operands of `line` by the grammar that its sheet names.
pub(super) fn judge(
    grammar: &str,
    line: &Line<'_>,
    scene: &Scene<'_>,
    look_through: &mut LookThrough<'_>,
) -> Result<(), Refused> {
    match grammar {
        "awk" => awk_script(line),
        "config" => config::judge(line),
        "endpoint" => endpoint(line),
        "env" => env::judge(line, scene, look_through),
        "remote" => line.operands.first().map_or(Ok(()), |word| remote(line, word)),
        "sed" => sed_scripts(line),
        "shell" => shell(line, scene, look_through),
        "sqlite" => sqlite::judge(line, scene),
        "fmt" => fmt(line),
        "tar" => tar(line),
        "url" => urls(line),
        "xargs" => xargs::judge(line, scene, look_through),
        _ => Err(Refused::new(line.command, format!("`{}` is not known to be read-only", line.command))),
    }
}

/// The text of a script, which has to be known.
pub(super) fn script<'a>(line: &Line<'_>, word: &'a Word) -> Result<&'a str, Refused> {
    word.known().ok_or_else(|| {
        let why = format!("what `{}` would do is not known before `{}` is expanded", line.command, word.text);
        Refused::new(&word.text, why)
    })
}

fn awk_script(line: &Line<'_>) -> Result<(), Refused> {
    line.operands.first().map_or(Ok(()), |word| awk::judge(script(line, word)?))
}

/// The scripts of all `-e` are one script, in lines.
fn sed_scripts(line: &Line<'_>) -> Result<(), Refused> {
    let mut given = Vec::new();
    for word in line.values(&["-e", "--expression"]) {
        given.push(script(line, word)?);
    }
    if given.is_empty() {
        let Some(first) = line.operands.first() else { return Ok(()) };
        given.push(script(line, first)?);
    }
    sed::judge(&given.join("\n"))
}

/// `sh -c 'script' name words…`: the words are what `$0` and `$1` become, which the script cannot know either.
fn shell(line: &Line<'_>, scene: &Scene<'_>, look_through: &mut LookThrough<'_>) -> Result<(), Refused> {
    let Some(word) = line.operands.first() else {
        return Err(Refused::new(line.command, format!("`{} -c` lacks its script", line.command)));
    };
    look_through(Inner::Script(script(line, word)?), scene)
}

/// A remote by name or by an address that runs nothing on this side: `ext::` and `-u` are addresses too.
fn remote(line: &Line<'_>, word: &Word) -> Result<(), Refused> {
    let plain = |text: &str| {
        !text.contains("::")
            && match text.split_once("://") {
                Some((scheme, _)) => matches!(scheme, "https" | "http" | "ssh" | "git" | "file"),
                None => true,
            }
    };
    if word.known().is_some_and(plain) {
        return Ok(());
    }
    Err(Refused::new(&word.text, format!("`{}` may run a program for the address `{}`", line.command, word.text)))
}

/// Some servers take another method than the request's from a header.
fn headers(line: &Line<'_>) -> Result<(), Refused> {
    let asks = |word: &&Word| word.known().is_none_or(|text| text.to_ascii_lowercase().contains("override"));
    match line.values(&["-H", "--header"]).find(asks) {
        Some(word) => {
            let why = format!("`{}` with the header `{}` is not known only to read", line.command, word.text);
            Err(Refused::new(&word.text, why))
        }
        None => Ok(()),
    }
}

/// Addresses that are fetched by asking, not by sending: `file:` and the web.
fn urls(line: &Line<'_>) -> Result<(), Refused> {
    headers(line)?;
    // A format can name a file to write, `%output{file}`, and can come from a file.
    let writes = |word: &&Word| word.known().is_none_or(|text| text.contains("output") || text.starts_with('@'));
    if let Some(word) = line.values(&["-w", "--write-out"]).find(writes) {
        return Err(Refused::new(&word.text, format!("`{} --write-out` may write a file", line.command)));
    }
    let asks = |text: &str| match text.split_once("://") {
        Some((scheme, _)) => matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https" | "file"),
        // Without a scheme the name of the host picks one: `ftp.example.com`, `smtp.example.com`.
        None => !["ftp", "dict", "ldap", "imap", "smtp", "pop3"]
            .iter()
            .any(|host| text.to_ascii_lowercase().starts_with(host)),
    };
    match line
        .operands
        .iter()
        .find(|word| !word.text.trim_start_matches('"').starts_with("http") && !word.known().is_some_and(asks))
    {
        Some(word) => {
            Err(Refused::new(&word.text, format!("`{}` with `{}` is not known only to read", line.command, word.text)))
        }
        None => Ok(()),
    }
}

/// `cargo fmt --check` and `cargo fmt -- --check`.
fn fmt(line: &Line<'_>) -> Result<(), Refused> {
    if line.has_one_of("--check") || line.operands.iter().any(|word| word.known() == Some("--check")) {
        return Ok(());
    }
    Err(Refused::new(line.command, format!("`{}` rewrites files without `--check`", line.command)))
}

/// An endpoint of a REST interface; a GraphQL query is sent, and may change anything.
fn endpoint(line: &Line<'_>) -> Result<(), Refused> {
    headers(line)?;
    match line.operands.iter().find(|word| word.known().is_none_or(|text| text.trim_matches('/') == "graphql")) {
        Some(word) => {
            Err(Refused::new(&word.text, format!("`{} {}` is not known only to read", line.command, word.text)))
        }
        None => Ok(()),
    }
}

/// An archive `host:file` is fetched by running another program.
fn tar(line: &Line<'_>) -> Result<(), Refused> {
    let fetches = |word: &&Word| word.text.contains(':') || (word.known().is_none() && word.may_be_option());
    match line.values(&["-f", "--file"]).find(fetches) {
        Some(word) => {
            Err(Refused::new(&word.text, format!("`{}` may run a program for `{}`", line.command, word.text)))
        }
        None => Ok(()),
    }
}
