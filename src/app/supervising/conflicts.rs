//! Files that the user and the agent both changed, and how the user comes to have both (A16, A39).

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::ports::{AcceptConflict, AcceptFate, Offer, OfferedFile, Stashing};
use crate::domain::agents::AgentHandle;
use crate::domain::harmless::on_one_line;
use crate::text::shell::{no_option, word_of_bytes};

use super::lent::Loan;
use super::naming::without;
use super::{committing, replied};

/// Files that cannot be accepted as things are.
pub(super) fn clashes(files: &[&OfferedFile]) -> Vec<AcceptConflict> {
    let clash = |file: &&OfferedFile| match &file.fate {
        AcceptFate::Clash(why) => {
            let (path, why, text) = (file.file.path.clone(), why.clone(), file.overlap.clone());
            Some(AcceptConflict { path, why, text })
        }
        AcceptFate::Taken | AcceptFate::Merged | AcceptFate::Already => None,
    };
    files.iter().filter_map(clash).collect()
}

/// Shows the texts of conflicts; the error that names them all.
pub(super) fn conflicting(
    context: &mut Context<'_>,
    session: AgentHandle,
    offer: &Offer,
    conflicts: &[AcceptConflict],
    commit: Option<&[String]>,
) -> Result<AppError, AppError> {
    for one in conflicts {
        if let Some(text) = &one.text {
            let (path, text) = (one.path.clone(), text.clone());
            context.voice.say(&replied(Loan::Conflict { session, path, text }))?;
        }
    }
    Ok(conflict(context, session, offer, conflicts, commit))
}

fn conflict(
    context: &Context<'_>,
    session: AgentHandle,
    offer: &Offer,
    conflicts: &[AcceptConflict],
    commit: Option<&[String]>,
) -> AppError {
    let count = match conflicts.len() {
        1 => "1 file conflicts".to_owned(),
        many => format!("{many} files conflict"),
    };
    let is_free = |file: &&OfferedFile| {
        file.fate != AcceptFate::Already && !conflicts.iter().any(|one| one.path == file.file.path)
    };
    let mut others: Vec<&OfferedFile> = offer.files.iter().filter(is_free).collect();
    let left = conflicts.len() + others.len();
    if commit.is_some() {
        others = committing::committable(context, &others);
    }
    let both = both(context, session, offer, conflicts);
    let hint = match without(session, &others, left - others.len(), commit) {
        Some(without) => format!("{without}; or {both}"),
        None => both,
    };
    AppError::Declined {
        code: "accept_conflict",
        message: format!("nothing was accepted: {count} with your working tree"),
        causes: conflicts.iter().map(|one| format!("{}: {}", on_one_line(&one.path), one.why)).collect(),
        hint,
    }
}

/// How the user comes to have both, what is theirs and what the agent made, where both changed a file (A39).
fn both(context: &Context<'_>, session: AgentHandle, offer: &Offer, conflicts: &[AcceptConflict]) -> String {
    let is_meant = |file: &&OfferedFile| conflicts.iter().any(|one| one.path == file.file.path);
    let paths: Vec<Vec<u8>> = offer.files.iter().filter(is_meant).map(|file| file.path.clone()).collect();
    let stashing = context.commits.and_then(|commits| commits.stashing(&paths).ok()).unwrap_or(Stashing::Leaves);
    match stashing {
        Stashing::Merges => "git stash -u, accept with --commit, and git stash pop merges what is yours".to_owned(),
        Stashing::Untracked { first, free, more } => aside([&first, &free], more, &offer.below),
        Stashing::Leaves => {
            format!("git grill agent changes {session} names the patch that has the agent's lines, to put in by hand")
        }
        Stashing::Unfinished(what) => {
            format!("{what} is not finished here, and git status says how to finish or abort it; then accept again")
        }
    }
}

/// What keeps a file aside that git does not track, and more of them, as it is typed in the folder `below` the top.
fn aside(first_and_free: [&[u8]; 2], more: usize, below: &[u8]) -> String {
    let [from, to] = first_and_free.map(|path| word_of_bytes(&from_here(path, below)));
    let each = match more {
        0 => String::new(),
        1 => ", likewise for 1 more file that git does not track".to_owned(),
        more => format!(", likewise for {more} more files that git does not track"),
    };
    format!("mv -n {from} {to} keeps yours{each}; then accept again")
}

/// A path below the top as it is typed in a folder below the top.
fn from_here(path: &[u8], below: &[u8]) -> Vec<u8> {
    let within = [below, b"/"].concat();
    let path = if let Some(path) = path.strip_prefix(within.as_slice()) {
        path.to_vec()
    } else {
        let depth = below.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).count();
        [b"../".repeat(depth).as_slice(), path].concat()
    };
    no_option(&path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a39_a_file_that_git_does_not_track_is_kept_aside_from_where_the_user_is() {
        for (path, more, below, told) in [
            ("new.md", 0, "", "mv -n new.md new.md.mine keeps yours; then accept again"),
            ("docs/a b.md", 0, "docs", "mv -n 'a b.md' 'a b.md.mine' keeps yours; then accept again"),
            ("new.md", 0, "docs/deep", "mv -n ../../new.md ../../new.md.mine keeps yours; then accept again"),
            ("docs2/x", 0, "docs", "mv -n ../docs2/x ../docs2/x.mine keeps yours; then accept again"),
            (
                "-x",
                2,
                "",
                "mv -n ./-x ./-x.mine keeps yours, likewise for 2 more files that git does not track; then accept again",
            ),
        ] {
            let free = format!("{path}.mine");
            assert_eq!(aside([path.as_bytes(), free.as_bytes()], more, below.as_bytes()), told);
        }
    }
}
