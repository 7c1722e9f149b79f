//! What a shell's prompt shows, which is asked for at every Enter: it comes from a note in the git directory as long as
//! the session's newest commit is the one that the note was made of. A commit never changes, and so neither does what is
//! noted of it; with any other commit the whole session is read, and noted anew.

use std::fs;
use std::path::{Path, PathBuf};

use super::{active, git, granted, listing};
use crate::app::ports::StoreError;
use crate::domain::ids::SessionId;
use crate::domain::interview::Progress;
use crate::domain::prompt_summary::PromptSummary;
use crate::files::regular;
use crate::git::object::parsed as named;
use crate::git::{Oid, Repo};

/// The first word of a note; another one is not ours to read.
const FORM: &str = "2";
/// What is noted of a session that has ended.
const ENDED: &str = "ended";

/// What a note says; of a session that has ended there is nothing to show.
#[derive(Debug, PartialEq, Eq)]
struct Noted(Option<PromptSummary>);

/// What there is to show of the session that this worktree points to; none when there is no session, or when it has
/// ended.
pub fn prompt_summary(repo: &Repo) -> Result<Option<PromptSummary>, StoreError> {
    let Some((id, tip)) = active::active(repo)? else {
        return Ok(None);
    };
    let path = file(repo.git_dir());
    let noted = regular::text(&path, regular::SHORT).ok().and_then(|text| parsed(&text, tip));
    if let Some(Noted(summary)) = noted {
        return Ok(summary);
    }
    let session = granted::counting(repo.common_dir(), git::read(repo, &id, tip)?)?;
    let summary = PromptSummary::of(&session);
    // Where nothing can be written, each prompt reads the session.
    let _ = keep(repo, &id, &written(tip, summary.as_ref()));
    Ok(summary)
}

pub(super) fn forget(git_dir: &Path) {
    let note = file(git_dir);
    // A note that stays is of a commit that no pointer leads to, or still true.
    let _ = fs::remove_file(&note);
    // Fails when something else is in the folder, as it should.
    let _ = note.parent().map(fs::remove_dir);
}

fn file(git_dir: &Path) -> PathBuf {
    git_dir.join("grill").join("glimpse")
}

/// Keeps a note. One that is cut off, or that two processes wrote at once, does not end as a note does, and counts for
/// none. The folder is the session's: it is not made for a note.
fn keep(repo: &Repo, id: &SessionId, note: &str) -> std::io::Result<()> {
    regular::write(file(repo.git_dir()), note)?;
    // Whoever ended the session meanwhile has tidied up already.
    if !matches!(active::pointer(repo, repo.git_dir()), Ok(Some(now)) if now == *id) {
        forget(repo.git_dir());
    }
    Ok(())
}

fn written(tip: Oid, summary: Option<&PromptSummary>) -> String {
    match summary {
        None => format!("{FORM} {tip} {ENDED}\n"),
        Some(PromptSummary { phase, question, progress, words }) => {
            let Progress { resolved, unknown, open, deferred } = progress.unwrap_or_default();
            // Questions are counted from 1.
            let (question, asks) = (question.unwrap_or(0), u32::from(progress.is_some()));
            let numbers = format!("{question} {asks} {resolved} {unknown} {open} {deferred}");
            // What may hold blanks comes last, and no line end.
            let words = words.as_deref().unwrap_or_default().replace('\n', " ");
            format!("{FORM} {tip} {phase} {numbers} {words}\n")
        }
    }
}

/// What a note says of this commit; none when it says nothing, or is no note.
fn parsed(note: &str, tip: Oid) -> Option<Noted> {
    // One that was cut off could end within a number, and look whole.
    let mut words = note.strip_suffix('\n')?.split(' ');
    if words.next()? != FORM || named(words.next()?)? != tip {
        return None;
    }
    let phase = match words.next()? {
        ENDED => return words.next().is_none().then_some(Noted(None)),
        name => listing::phase_named(name)?,
    };
    let numbers: Vec<u32> = words.by_ref().take(6).map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let [question, asks, resolved, unknown, open, deferred] = *numbers else {
        return None;
    };
    let own = words.collect::<Vec<_>>().join(" ");
    let progress = (asks > 0).then_some(Progress { resolved, unknown, open, deferred });
    let question = (question > 0).then_some(question);
    Some(Noted(Some(PromptSummary { phase, question, progress, words: Some(own).filter(|own| !own.is_empty()) })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_read_back_for_its_commit_alone() {
        let tip = Oid::from([7; 32]);
        let progress = Progress { resolved: 12, unknown: 1, open: 2, deferred: 3 };
        let all = [
            None,
            Some(PromptSummary { phase: "interview", question: Some(18), progress: Some(progress), words: None }),
            Some(PromptSummary {
                phase: "output-selection",
                question: None,
                progress: Some(Progress::default()),
                words: None,
            }),
            Some(PromptSummary {
                phase: "no-interview",
                question: None,
                progress: None,
                words: Some("Plan Mode: ON".to_owned()),
            }),
        ];
        for summary in all {
            let note = written(tip, summary.as_ref());
            assert_eq!(parsed(&note, tip), Some(Noted(summary)), "{note}");
            assert_eq!(parsed(&note, Oid::from([8; 32])), None, "{note}");
            for cut in 0..note.len() {
                assert_eq!(parsed(&note[..cut], tip), None, "{note} cut at {cut}");
            }
        }
        for wrong in [
            "1 {} interview 1 1 1 1 1 1 ",
            "2 {} lunch 1 1 1 1 1 1 ",
            "2 {} interview 1 1 1 1 1",
            "2 {} interview 1 1 x 1 1 1 ",
            "2 {} ended 1",
            "",
        ] {
            assert_eq!(parsed(&(wrong.replace("{}", &tip.to_string()) + "\n"), tip), None, "{wrong}");
        }
    }
}
