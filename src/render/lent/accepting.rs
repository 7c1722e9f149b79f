//! What an agent changed, what of it can be accepted, and what was.

use std::fmt::Write as _;

use crate::app::reply::{AcceptFate, LoanSession, Offer, OfferedFile};
use crate::domain::agents::AgentHandle;
use crate::domain::agents::overlap::Overlap;
use crate::domain::harmless::on_one_line;
use crate::domain::ids::ObjectId;
use crate::domain::text::counted;
use crate::text::shell::pathspec_of_bytes;

use super::super::diff::unified;
use super::super::palette::Look;

/// What can be accepted, those first that need a yes of their own.
pub(super) fn offered(session: AgentHandle, offer: &Offer, overlaps: &[Overlap], look: &Look) -> String {
    let mut text = match offer.files.len() {
        0 => format!("{session} has nothing left to accept\n"),
        count if offer.unnamed > 0 => {
            format!("{session} offers {} of {}\n", count, counted(count + offer.unnamed, "file"))
        }
        count => format!("{session} offers {}\n", counted(count, "file")),
    };
    for file in &offer.files {
        let line = in_line(file);
        let sign = if file.cautions.is_empty() { format!("  {line}") } else { look.warning(format!("! {line}")) };
        let _ = writeln!(text, "{sign}");
    }
    text.push_str(&overlapping(overlaps, look));
    for (path, why) in &offer.left_out {
        let _ = writeln!(text, "cannot be accepted: {} ({why})", on_one_line(path));
    }
    text
}

/// That an accept was cut off, and how its files are brought back.
pub(super) fn half_done(seen: &LoanSession, look: &Look) -> String {
    let session = seen.session.started.handle;
    if !seen.half_done {
        return String::new();
    }
    let head = look.warning(format!(
        "! an accept or undo of {session} was interrupted: some of its files are written, others are not"
    ));
    format!("{head}\n  git grill agent accept {session} --undo\n")
}

/// The most files that are named which several sessions changed.
const MOST_OVERLAPS: usize = 5;

/// Files that several sessions changed, a line each.
pub(super) fn overlapping(overlaps: &[Overlap], look: &Look) -> String {
    let mut text = String::new();
    for Overlap { path, sessions } in overlaps.iter().take(MOST_OVERLAPS) {
        let names: Vec<String> = sessions.iter().map(ToString::to_string).collect();
        let all = match names.as_slice() {
            [one, other] => format!("{one} and {other} both"),
            [all @ .., last] => format!("{} and {last} all", all.join(", ")),
            [] => continue,
        };
        let _ = writeln!(text, "{}", look.warning(format!("! {all} changed {}", on_one_line(path))));
    }
    let more = overlaps.len().saturating_sub(MOST_OVERLAPS);
    if more > 0 {
        let _ = writeln!(text, "{}", look.warning(format!("! and {} more", counted(more, "file"))));
    }
    text
}

fn in_line(offered: &OfferedFile) -> String {
    let file = &offered.file;
    let lines = file.lines.map_or_else(|| "binary".to_owned(), |(added, removed)| format!("+{added} -{removed}"));
    let mut line = format!("{} {} ({lines})", file.letter, on_one_line(&file.path));
    match &offered.fate {
        AcceptFate::Taken => {}
        AcceptFate::Merged => line.push_str(", merged with what you changed"),
        AcceptFate::Already => line.push_str(", matches yours already"),
        AcceptFate::Clash(why) => {
            let _ = write!(line, ", conflicts: {why}");
        }
    }
    if !offered.cautions.is_empty() {
        let _ = write!(line, ": {}", offered.cautions.join("; "));
    }
    line
}

/// Both changed the same lines of a file.
pub(super) fn conflict(path: &str, text: &str, look: &Look) -> String {
    let head = look.strong(format!("{}: you and the agent changed the same lines", on_one_line(path)));
    format!("{head}\n{}", unified(text, look))
}

pub(super) fn accepted(
    session: AgentHandle,
    paths: &[String],
    rest: Option<u64>,
    commit: Option<&(ObjectId, String)>,
    look: &Look,
) -> String {
    let sign = look.good("✓");
    let mut text = match (paths.len(), commit) {
        (0, _) => format!("{sign} nothing was written: these files of {session} already match your working tree\n"),
        (count, Some((commit, branch))) => {
            let were = if count == 1 { "was" } else { "were" };
            let on = on_one_line(branch);
            format!(
                "{sign} {} of {session} {were} accepted, and committed on {on} as {}\n",
                counted(count, "file"),
                commit.short()
            )
        }
        (1, None) => format!("{sign} 1 file of {session} was accepted; it is not staged\n"),
        (count, None) => format!("{sign} {count} files of {session} were accepted; they are not staged\n"),
    };
    listed(&mut text, paths);
    if let Some(rest) = rest.filter(|rest| *rest > 0) {
        let _ = writeln!(text, "{} of {session} can still be accepted", counted(rest, "file"));
    }
    if let Some((commit, _)) = commit {
        let _ = writeln!(text, "undo: git revert {}", commit.short());
    } else if !paths.is_empty() {
        let _ = writeln!(text, "undo: git grill agent accept {session} --undo");
    }
    text
}

pub(super) fn taken_back(session: AgentHandle, paths: &[String], cut_off: bool, look: &Look) -> String {
    let sign = look.good("✓");
    let why = if cut_off { "; it had been interrupted" } else { "" };
    let mut text = format!("{sign} the accept of {} of {session} was undone{why}\n", counted(paths.len(), "file"));
    listed(&mut text, paths);
    text
}

/// The accepts that still stand, and how the newest of them is taken back. `committed` are the commits with its files, the
/// newest first.
pub(super) fn remaining(older: usize, committed: &[ObjectId]) -> String {
    let remain = match older {
        0 => return String::new(),
        1 => "an older accept remains".to_owned(),
        many => format!("{many} older accepts remain"),
    };
    let stands = match (older, committed.last()) {
        (1, None) => "; --undo again takes it back".to_owned(),
        (_, None) => "; --undo again takes back the newest of them".to_owned(),
        (1, Some(first)) => format!(", in commit {}", first.short()),
        (_, Some(first)) => format!("; the newest of them is in commit {}", first.short()),
    };
    let way = match committed {
        [] => String::new(),
        [one] => format!("; git revert {} takes it back", one.short()),
        [..] => "; other commits changed its files since, and --undo again says how to take it back".to_owned(),
    };
    format!("{remain}{stands}{way}\n")
}

/// Which of the files that were taken back the index has: an undo leaves it alone.
pub(super) fn still_staged(staged: &[(Vec<u8>, String)]) -> String {
    const NAMED: usize = 5;
    if staged.is_empty() {
        return String::new();
    }
    let names: Vec<String> = staged.iter().take(NAMED).map(|(path, _)| pathspec_of_bytes(path)).collect();
    let more = if staged.len() > NAMED { " …" } else { "" };
    let them = if staged.len() == 1 { "it" } else { "them" };
    format!("the index was left alone; to unstage {them}: git restore --staged -- {}{more}\n", names.join(" "))
}

/// Where the work of a session is whose copy is gone.
pub(super) fn kept_work(session: AgentHandle, reference: &str) -> String {
    format!(
        "the copy of {session} is gone, and its work is kept; to make it a branch: git switch -c {session} {reference}\n"
    )
}

fn listed(text: &mut String, paths: &[String]) {
    for path in paths {
        let _ = writeln!(text, "  {}", on_one_line(path));
    }
}
