//! What an agent changed in its copy, in words (A15).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::app::reply::{AgentChanges, AgentFile};
use crate::domain::agents::AgentHandle;
use crate::domain::agents::beyond::not_among_the_files;
use crate::domain::harmless::on_one_line;
use crate::text::shell::word_of_path;

/// So many paths that are left out for one reason are named.
const LEFT_OUT: usize = 10;

/// What an agent changed, as git lists it (A15).
pub(super) fn in_words(session: AgentHandle, changes: &AgentChanges) -> String {
    let AgentChanges { base, files, accepted, back, commits, left_out, parent, patch: _, top: _ } = changes;
    let mut text = match files.len() {
        0 if commits.is_empty() => format!("{session} changed nothing since {}\n", base.short()),
        0 => format!("{session} changed no file since {}\n", base.short()),
        1 => format!("{session} changed 1 file since {}\n", base.short()),
        many => format!("{session} changed {many} files since {}\n", base.short()),
    };
    let line = |file: &AgentFile, more: &str| {
        let lines = file.lines.map_or_else(|| "binary".to_owned(), |(added, removed)| format!("+{added} -{removed}"));
        format!("  {} {} ({lines}){more}\n", file.letter, on_one_line(&file.path))
    };
    for file in files {
        text.push_str(&line(file, if accepted.contains(&file.path) { ", accepted" } else { "" }));
    }
    match back.len() {
        0 => {}
        1 => text.push_str("1 file was changed since it was accepted, back to what it was at the start\n"),
        many => {
            let _ = writeln!(
                text,
                "{many} files were changed since they were accepted, back to what they were at the start"
            );
        }
    }
    for file in back {
        text.push_str(&line(file, ""));
    }
    if let Some(told) = not_among_the_files(commits) {
        let _ = writeln!(text, "{}", on_one_line(&told));
        let _ = writeln!(text, "  git grill agent cleanup {session} keeps what it committed");
    }
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, why) in left_out {
        reasons.entry(why).or_default().push(path);
    }
    for (why, paths) in reasons {
        for path in paths.iter().take(LEFT_OUT) {
            let _ = writeln!(text, "left out: {} ({why})", on_one_line(path));
        }
        if paths.len() > LEFT_OUT {
            let _ = writeln!(text, "left out: {} more ({why})", paths.len() - LEFT_OUT);
        }
    }
    for one in parent {
        let _ = writeln!(text, "meanwhile in the repository: {}", on_one_line(one));
    }
    text
}

/// The commands that take what is left over: ours, and git's with the file that has the difference.
pub(super) fn ways(session: AgentHandle, changes: &AgentChanges) -> String {
    let AgentChanges { files, accepted, back, patch, top, .. } = changes;
    if back.is_empty() && files.iter().all(|file| accepted.contains(&file.path)) {
        return String::new();
    }
    let accept = format!("  git grill agent accept {session}\n");
    // The patch has all of them, also those that were accepted.
    match patch.as_ref().filter(|_| accepted.is_empty()) {
        Some(patch) => {
            let at_top = top.as_deref().map_or_else(String::new, |top| format!("-C {} ", word_of_path(top)));
            format!("{accept}  git {at_top}apply --3way {}\n", word_of_path(patch))
        }
        None => accept,
    }
}
