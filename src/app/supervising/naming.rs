//! The files that a person names for an accept, and the command that names them.

use std::collections::BTreeSet;

use crate::app::error::AppError;
use crate::app::ports::{Offer, OfferedFile};
use crate::domain::agents::AgentHandle;
use crate::domain::harmless::on_one_line;
use crate::text::shell::{pathspec, word};

/// So many files a hint names.
const NAMED: usize = 5;

/// The command that accepts the files of these names, with the message of the commit that was asked for.
pub(super) fn command<'n>(
    session: AgentHandle,
    names: impl Iterator<Item = &'n str>,
    commit: Option<&[String]>,
) -> String {
    let mut command = format!("git grill agent accept {session}");
    for name in names {
        // A dash would begin an option.
        let path = if name.starts_with('-') { word(&format!("./{name}")) } else { pathspec(name) };
        command = format!("{command} {path}");
    }
    if let Some(message) = commit {
        command.push_str(" --commit");
        for paragraph in message {
            command = format!("{command} -m {}", word(paragraph));
        }
    }
    command
}

/// Says how to accept the files that can be taken; none where there are none. `left` is the number of the others.
pub(super) fn without(
    session: AgentHandle,
    free: &[&OfferedFile],
    left: usize,
    commit: Option<&[String]>,
) -> Option<String> {
    match free.len() {
        0 => None,
        count if count <= NAMED => {
            let names: Vec<String> = free.iter().map(|file| String::from_utf8_lossy(&file.path).into_owned()).collect();
            let command = command(session, names.iter().map(String::as_str), commit);
            Some(format!("{command} leaves {} out", if left == 1 { "it" } else { "them" }))
        }
        _ => Some("name the other files to accept them".to_owned()),
    }
}

/// The files of these names alone.
pub(super) fn named(session: AgentHandle, offer: Offer, names: &[String]) -> Result<Offer, AppError> {
    if names.is_empty() {
        return Ok(offer);
    }
    let mut chosen = BTreeSet::new();
    for name in names {
        if name.is_empty() {
            return Err(AppError::Usage {
                message: "nothing was accepted: an empty path was given".to_owned(),
                hint: ". means every file of this folder; without a name every file is offered".to_owned(),
            });
        }
        let meanings = meanings(name, &offer.below);
        let meant = meanings.iter().find_map(|path| {
            let found: Vec<&OfferedFile> = offer.files.iter().filter(|file| is_named(file, path)).collect();
            (!found.is_empty()).then_some(found)
        });
        let Some(found) = meant else {
            return Err(AppError::Usage {
                message: format!("nothing was accepted: '{}' {}", on_one_line(name), why_not(&offer, &meanings)),
                hint: format!(
                    "git grill agent changes {session} lists the changed files; a directory means every file in it"
                ),
            });
        };
        chosen.extend(found.into_iter().map(|file| file.path.clone()));
    }
    let all = offer.files.len();
    let files: Vec<OfferedFile> = offer.files.into_iter().filter(|file| chosen.contains(&file.path)).collect();
    Ok(Offer { unnamed: all - files.len(), files, ..offer })
}

/// Why there is nothing to accept at any of these paths.
fn why_not(offer: &Offer, paths: &[Vec<u8>]) -> String {
    let left_out = offer.left_out.iter().find(|(shown, _)| paths.iter().any(|path| shown.as_bytes() == path));
    let is_accepted = |file: &&Vec<u8>| paths.iter().any(|path| !path.is_empty() && is_at_or_below(file, path));
    if let Some((_, why)) = left_out {
        format!("cannot be accepted: {why}")
    } else if offer.accepted.iter().any(|file| is_accepted(&file)) {
        "is already accepted".to_owned()
    } else {
        "has no change to accept".to_owned()
    }
}

/// The paths below the top that a name may mean, the likelier one first: it begins in the caller's folder, as git's do, or
/// at the top, as we list them. git's own words for the top are known.
fn meanings(name: &str, below: &[u8]) -> Vec<Vec<u8>> {
    if let Some(path) = name.strip_prefix(":(top,literal)").or_else(|| name.strip_prefix(":/")) {
        return joined(b"", path.as_bytes()).into_iter().collect();
    }
    // Where the top is, is not known here.
    if name.starts_with('/') {
        return Vec::new();
    }
    let mut meant: Vec<Vec<u8>> = [below, b""].iter().filter_map(|from| joined(from, name.as_bytes())).collect();
    meant.dedup();
    meant
}

/// A path from a folder below the top; none where it leads out. The top itself is the empty path.
fn joined(from: &[u8], path: &[u8]) -> Option<Vec<u8>> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in from.split(|byte| *byte == b'/').chain(path.split(|byte| *byte == b'/')) {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join(b"/".as_slice()))
}

/// Whether a path is that of a file, as bytes or as it is shown, or that of a folder above it.
fn is_named(file: &OfferedFile, path: &[u8]) -> bool {
    path.is_empty() || is_at_or_below(&file.path, path) || is_at_or_below(file.file.path.as_bytes(), path)
}

fn is_at_or_below(file: &[u8], path: &[u8]) -> bool {
    file.strip_prefix(path).is_some_and(|rest| matches!(rest, [] | [b'/', ..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ports::{AcceptFate, AgentFile};
    use crate::domain::agents::tests::agent;

    fn file(path: &str) -> OfferedFile {
        OfferedFile {
            file: AgentFile { letter: 'M', path: path.to_owned(), lines: None },
            path: path.as_bytes().to_vec(),
            cautions: Vec::new(),
            runs_in_git: false,
            fate: AcceptFate::Taken,
            overlap: None,
            seen: String::new(),
        }
    }

    #[test]
    fn a16_the_command_of_a_hint_keeps_the_commit_that_was_asked_for() {
        let message = ["two, not 2".to_owned(), "why".to_owned()];
        let typed = command(agent(1), ["a b", "run.sh"].into_iter(), Some(&message));
        assert_eq!(typed, "git grill agent accept g1 'a b' run.sh --commit -m 'two, not 2' -m why");
        assert_eq!(command(agent(2), std::iter::empty(), None), "git grill agent accept g2");
        assert_eq!(
            command(agent(2), ["-dash", "-a b"].into_iter(), None),
            "git grill agent accept g2 ./-dash './-a b'"
        );
        assert_eq!(meanings("./-dash", b"")[0], b"-dash");
    }

    #[test]
    fn a39_a_name_that_offers_nothing_is_told_why() {
        let offer = Offer {
            left_out: vec![("sec.md".to_owned(), "a filter of yours converts it")],
            accepted: vec![b"Makefile".to_vec(), b"docs/a".to_vec()],
            ..Offer::default()
        };
        for (name, why) in [
            ("Makefile", "'Makefile' is already accepted"),
            ("docs", "'docs' is already accepted"),
            ("sec.md", "'sec.md' cannot be accepted: a filter of yours converts it"),
            ("other", "'other' has no change to accept"),
            (".", "'.' has no change to accept"),
        ] {
            let refused = named(agent(1), offer.clone(), &[name.to_owned()]).unwrap_err().to_string();
            assert_eq!(refused, format!("nothing was accepted: {why}"));
        }
    }

    #[test]
    fn a39_the_files_that_can_be_taken_are_named_and_the_number_of_the_others_agrees() {
        let files: Vec<OfferedFile> = ["a", "b", "c", "d", "e", "f"].map(file).into();
        let all: Vec<&OfferedFile> = files.iter().collect();
        let told = |free: usize, left| without(agent(1), &all[..free], left, None);
        assert_eq!(told(0, 2), None);
        assert_eq!(told(2, 1).unwrap(), "git grill agent accept g1 a b leaves it out");
        assert_eq!(told(1, 2).unwrap(), "git grill agent accept g1 a leaves them out");
        assert_eq!(told(6, 2).unwrap(), "name the other files to accept them");
    }
}
