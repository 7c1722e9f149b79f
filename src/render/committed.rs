//! What became of a commit of written outputs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::reply::{Commit, Outcome};
use crate::domain::committed::OutputCommit;
use crate::domain::posture::Posture;
use crate::domain::production::{self, TargetPath};
use crate::domain::session::Session;

use super::harmless;
use super::palette::Look;
use crate::text::shell::pathspec;

/// The lines about it.
pub(super) fn lines(commit: &Commit, look: &Look) -> String {
    let mut text = String::new();
    match commit {
        Commit::Made { commit, branch, subject, paths, altered, converted, lost } => {
            let _ = writeln!(
                text,
                "{} committed {} on {} as {}: {}",
                look.good("✓"),
                look.name(names(paths)),
                harmless(branch),
                commit.short(),
                harmless(subject)
            );
            for path in altered {
                let line = format!("! {path} in the commit is not what was approved: a hook of yours changed it");
                let _ = writeln!(text, "{}", look.warning(line));
            }
            for path in converted {
                let line = format!(
                    "! {path} in the commit is not byte for byte what was approved: git converted it (a filter, or line ends)"
                );
                let _ = writeln!(text, "{}", look.warning(line));
            }
            if !lost.is_empty() {
                let mut keys: Vec<&str> = lost.iter().filter_map(|one| Some(one.split_once(':')?.0)).collect();
                keys.dedup();
                let keys = keys.join(", ");
                let line =
                    format!("! the commit lacks trailers of git grill ({keys}): a hook of yours changed its message");
                let _ = writeln!(text, "{}", look.warning(line));
            }
        }
        Commit::Already { commit: Some(commit) } => {
            let _ = writeln!(text, "nothing to commit: all of it is committed, last in {}", commit.short());
        }
        Commit::Already { commit: None } => text.push_str("nothing to commit: all of it is committed\n"),
        Commit::Nothing => text.push_str("nothing to commit: this output phase wrote no file\n"),
    }
    text
}

/// The same for machines, with the files that were written now.
pub(super) fn fields(written: &[TargetPath], commit: &Commit) -> [(String, Value); 2] {
    let written: Vec<&str> = written.iter().map(TargetPath::as_str).collect();
    [("written".to_owned(), json!(written)), ("commit".to_owned(), object(commit))]
}

fn object(commit: &Commit) -> Value {
    match commit {
        Commit::Made { commit, branch, subject, paths, altered, converted, lost } => {
            let listed = |paths: &[TargetPath]| paths.iter().map(|path| path.as_str().to_owned()).collect::<Vec<_>>();
            json!({
                "made": true, "commit": commit.as_str(), "branch": branch, "subject": subject,
                "paths": listed(paths), "altered": listed(altered), "converted": listed(converted),
                "lost_trailers": lost,
            })
        }
        Commit::Already { commit } => json!({"made": false, "commit": commit.as_ref().map(ToString::to_string)}),
        Commit::Nothing => json!({"made": false, "commit": null}),
    }
}

fn names(paths: &[TargetPath]) -> String {
    paths.iter().map(TargetPath::as_str).collect::<Vec<_>>().join(", ")
}

/// Files were taken back that are in commits: those stay, and this is how the branch follows.
pub(super) fn stays(outcome: &Outcome, look: &Look) -> String {
    let mut text = String::new();
    for recorded in &outcome.events {
        let Some(production::Event::ProductionUndone { round, paths }) = recorded.event.production() else { continue };
        let here: Vec<&OutputCommit> =
            outcome.after.commits_of(paths).into_iter().filter(|one| one.round == *round).collect();
        let mut files: Vec<TargetPath> = here.iter().flat_map(|one| one.paths.clone()).collect();
        files.sort();
        files.dedup();
        let Some(newest) = here.first() else { continue };
        let specs: Vec<String> = files.iter().map(|path| pathspec(path.as_str())).collect();
        let when = if is_let_through(&files, &outcome.after) { "" } else { "after git grill stop, " };
        let line = format!("! what was committed stays on the branch; {when}this takes it back there as well:");
        let _ = writeln!(text, "{}", look.warning(line));
        let _ = writeln!(text, "  git commit -m \"Revert {}\" -- {}", newest.commit.short(), specs.join(" "));
    }
    text
}

/// Whether the hooks let a commit of these files through now.
fn is_let_through(files: &[TargetPath], session: &Session) -> bool {
    match Posture::of(&session.phase) {
        Posture::Inactive | Posture::Open => true,
        Posture::ReadOnly { .. } => false,
        Posture::Output { paths } => files.iter().all(|file| paths.iter().any(|path| path == file.as_str())),
    }
}
