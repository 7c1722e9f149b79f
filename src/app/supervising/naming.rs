//! The files that a person names for an accept, and the command that names them.

use std::collections::BTreeSet;

use crate::app::error::AppError;
use crate::app::ports::{AcceptFate, Offer, OfferedFile};
use crate::domain::agents::AgentHandle;
use crate::domain::harmless::on_one_line;
use crate::text::shell::{pathspec, pathspec_of_bytes, word};

use super::together::{Together, together};

/// So many files a hint names.
const NAMED: usize = 5;
/// git's own words for a path below the top, wherever it is typed.
const TOP: &str = ":(top,literal)";

/// A name, and the files that it means.
type Named<'f> = (&'f str, Vec<&'f OfferedFile>);

/// The command that accepts the files of these names, as they were typed, with the message of the commit that was asked
/// for.
pub(super) fn again(session: AgentHandle, names: &[String], commit: Option<&[String]>) -> String {
    command(session, names.iter().map(|name| typed(name)), commit)
}

/// A name as a word. A dash would begin an option.
fn typed(name: &str) -> String {
    if name.starts_with('-') { word(&format!("./{name}")) } else { word(name) }
}

/// The same with names that are words already.
fn command(session: AgentHandle, names: impl Iterator<Item = String>, commit: Option<&[String]>) -> String {
    let mut command = format!("git grill agent accept {session}");
    for name in names {
        command = format!("{command} {name}");
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
            // One that is no text is named as it is shown.
            let name = |file: &&OfferedFile| pathspec(std::str::from_utf8(&file.path).unwrap_or(&file.file.path));
            let command = command(session, free.iter().map(name), commit);
            Some(format!("{command} leaves {} out", if left == 1 { "it" } else { "them" }))
        }
        _ => Some("name the other files to accept them".to_owned()),
    }
}

/// The files of these names alone. Refused where they do not fit together without one that is not named.
pub(super) fn named(
    session: AgentHandle,
    offer: Offer,
    names: &[String],
    commit: Option<&[String]>,
) -> Result<Offer, AppError> {
    if names.is_empty() {
        return Ok(offer);
    }
    let meant = names.iter().map(|name| Ok((name.as_str(), meant(session, &offer, name)?)));
    let meant: Vec<Named<'_>> = meant.collect::<Result<_, AppError>>()?;
    let chosen: BTreeSet<Vec<u8>> = meant.iter().flat_map(|(_, files)| files).map(|file| file.path.clone()).collect();
    whole(session, &offer, &meant, &chosen, commit)?;
    let all = offer.files.len();
    let files: Vec<OfferedFile> = offer.files.into_iter().filter(|file| chosen.contains(&file.path)).collect();
    Ok(Offer { unnamed: all - files.len(), files, ..offer })
}

/// The files of this name.
fn meant<'f>(session: AgentHandle, offer: &'f Offer, name: &str) -> Result<Vec<&'f OfferedFile>, AppError> {
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
    meant.ok_or_else(|| AppError::Usage {
        message: format!("nothing was accepted: '{}' {}", on_one_line(name), why_not(offer, &meanings)),
        hint: format!("git grill agent changes {session} lists the changed files; a directory means every file in it"),
    })
}

/// Refuses a file without the one whose place it takes; the hint names both.
fn whole(
    session: AgentHandle,
    offer: &Offer,
    named: &[Named<'_>],
    chosen: &BTreeSet<Vec<u8>>,
    commit: Option<&[String]>,
) -> Result<(), AppError> {
    let left: Vec<&OfferedFile> = offer.files.iter().filter(|file| file.fate != AcceptFate::Already).collect();
    let halves: Vec<Together<'_>> = together(&left).into_iter().filter(|one| one.lacks(chosen)).collect();
    if halves.is_empty() {
        return Ok(());
    }
    // The path above the others means them all.
    let top = |one: &Together<'_>| one.files.first().map(|file| pathspec_of_bytes(&file.path)).unwrap_or_default();
    let is_half = |file: &&OfferedFile| halves.iter().any(|one| one.files.contains(file));
    let others = named.iter().filter(|(_, files)| !files.iter().all(is_half)).map(|(name, _)| typed(name));
    let both = if let [one] = halves.as_slice() { one.pronoun() } else { "them" };
    Err(AppError::Declined {
        code: "accept_conflict",
        message: "nothing was accepted: a file was named without the one whose place it takes".to_owned(),
        causes: halves.iter().map(Together::name).collect(),
        hint: format!("{} accepts {both}", command(session, others.chain(halves.iter().map(top)), commit)),
    })
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
    if let Some(path) = name.strip_prefix(TOP).or_else(|| name.strip_prefix(":/")) {
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
    use crate::app::ports::AgentFile;
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
        let typed = again(agent(1), &["a b", "run.sh"].map(str::to_owned), Some(&message));
        assert_eq!(typed, "git grill agent accept g1 'a b' run.sh --commit -m 'two, not 2' -m why");
        assert_eq!(again(agent(2), &[], None), "git grill agent accept g2");
        assert_eq!(
            again(agent(2), &["-dash", "-a b"].map(str::to_owned), None),
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
            let refused = named(agent(1), offer.clone(), &[name.to_owned()], None).unwrap_err().to_string();
            assert_eq!(refused, format!("nothing was accepted: {why}"));
        }
    }

    #[test]
    fn a39_the_files_that_can_be_taken_are_named_and_the_number_of_the_others_agrees() {
        let files: Vec<OfferedFile> = ["a", "b", "c", "d", "e", "f"].map(file).into();
        let all: Vec<&OfferedFile> = files.iter().collect();
        let told = |free: usize, left| without(agent(1), &all[..free], left, None);
        assert_eq!(told(0, 2), None);
        assert_eq!(told(2, 1).unwrap(), "git grill agent accept g1 :/a :/b leaves it out");
        assert_eq!(told(1, 2).unwrap(), "git grill agent accept g1 :/a leaves them out");
        assert_eq!(told(6, 2).unwrap(), "name the other files to accept them");
    }

    #[test]
    fn a39_a_file_that_is_named_without_the_one_whose_place_it_takes_is_refused_with_the_command_that_takes_both() {
        let with = |letter: char, path: &str| {
            let file = file(path);
            OfferedFile { file: AgentFile { letter, ..file.file }, ..file }
        };
        let files = vec![with('D', "d"), with('A', "d/one"), file("notes.txt"), with('A', "x"), with('D', "x/one")];
        let offer = Offer { files, ..Offer::default() };
        let names = |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.to_owned()).collect() };
        for (given, below, hint) in [
            (&["d/one", "notes.txt"][..], "", "git grill agent accept g1 notes.txt :/d accepts both"),
            (&["one"], "d", "git grill agent accept g1 :/d accepts both"),
        ] {
            let offer = Offer { below: below.as_bytes().to_vec(), ..offer.clone() };
            let refused = named(agent(1), offer, &names(given), None).unwrap_err();
            let told = "nothing was accepted: a file was named without the one whose place it takes";
            assert_eq!(
                (refused.to_string().as_str(), refused.causes()),
                (told, names(&["d/one takes the place of d"]))
            );
            assert_eq!(refused.hint().as_deref(), Some(hint));
        }
        for (given, count) in [(&["d"][..], 2), (&["x"], 2), (&["x/one"], 1), (&[":(top,literal)d", "notes.txt"], 3)] {
            let taken = named(agent(1), offer.clone(), &names(given), None).unwrap();
            assert_eq!(taken.files.len(), count, "{given:?}");
        }
        let typed = again(agent(1), &[":(top,literal)d", ":/e"].map(str::to_owned), None);
        assert_eq!(typed, "git grill agent accept g1 ':(top,literal)d' :/e");
    }

    #[test]
    fn a39_a_file_is_named_as_it_is_typed_whatever_its_name_holds() {
        let hidden = file("e\u{1b}]0;own\u{7}r\u{202e}.md");
        let typed = without(agent(1), &[&hidden], 1, None).unwrap();
        assert_eq!(typed, r"git grill agent accept g1 $'\072/e\033\1350\073own\007r\342\200\256.md' leaves it out");
        // One that is no text is known by the name that is shown.
        let bytes = OfferedFile { path: b"caf\xe9".to_vec(), ..file(r"caf\351") };
        let typed = without(agent(1), &[&bytes], 1, None).unwrap();
        assert_eq!(typed, r"git grill agent accept g1 ':(top,literal)caf\351' leaves it out");
        let offer = Offer { files: vec![bytes], below: b"docs".to_vec(), ..Offer::default() };
        assert_eq!(named(agent(1), offer, &[r":(top,literal)caf\351".to_owned()], None).unwrap().files.len(), 1);
    }
}
