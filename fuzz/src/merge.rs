//! An edited checkpoint taken in: what was shown, what was recorded since, and what somebody made of the file. Nothing
//! that either side added is ever lost without a word.

use std::cell::OnceCell;
use std::fs;

use git_grill::app::ports::CheckpointView;
use git_grill::domain::checkpoint::Checkpoint;
use git_grill::domain::rebase::{Rebased, rebase};
use git_grill::store::view::WorkTreeView;
use git2::Repository;
use tempfile::TempDir;

use super::{document, text};

thread_local! {
    static PLACE: OnceCell<(TempDir, WorkTreeView<'static>, Repository)> = const { OnceCell::new() };
}

/// What stands between the three texts of an input.
const BETWEEN: &str = "\n====\n";

pub fn run(data: &[u8]) {
    let Some(texts) = text(data) else { return };
    let mut texts = texts.splitn(3, BETWEEN);
    let (Some(base), Some(recorded)) = (texts.next(), texts.next()) else { return };
    // Two texts alone: both sides made the same of it.
    let edited = texts.next().unwrap_or(recorded);
    let (Ok(base), Ok(recorded)) = (Checkpoint::parse(base), Checkpoint::parse(recorded)) else { return };
    PLACE.with(|place| {
        let (folder, view, repo) = place.get_or_init(|| {
            let folder = tempfile::tempdir().expect("a folder");
            let repo = Repository::init(folder.path()).expect("a repository");
            let again = Repository::init(folder.path()).expect("the same one");
            let view = WorkTreeView::open(Box::leak(Box::new(again.into()))).expect("it has a working tree");
            (folder, view, repo)
        });
        repo.blob(base.as_str().as_bytes()).expect("it is written");
        let file = folder.path().join(".grill/checkpoint.md");
        drop(fs::remove_file(&file));
        view.show(&document::session("x", base.clone())).expect("it is shown");
        assert!(matches!(view.edited(&recorded), Ok(None)), "nobody edited it");
        fs::write(&file, edited).expect("it is edited");
        match view.edited(&recorded) {
            // What was an edit may say what is recorded already.
            Ok(None) => taken(&base, &recorded, edited, &recorded),
            Ok(Some(edit)) => match rebase(&edit.base, &recorded, &edit.text) {
                Rebased::AsItIs(text) | Rebased::Merged(text) => taken(&base, &recorded, edited, &text),
                Rebased::Overlapping(both) => {
                    if let Ok(both) = Checkpoint::parse(&both) {
                        taken(&base, &recorded, edited, &both);
                    }
                }
            },
            Err(why) => assert!(Checkpoint::parse(edited).is_err() || edited.len() > 100_000, "{why:?}"),
        }
    });
}

fn taken(base: &Checkpoint, recorded: &Checkpoint, edited: &str, merged: &Checkpoint) {
    let edited = Checkpoint::parse(edited).expect("what was taken is a document");
    if edited == *base {
        assert_eq!(merged, recorded, "nobody changed a word");
    } else if recorded == base || *recorded == edited {
        assert_eq!(*merged, edited, "one side alone changed it");
    }
    let lines = |document: &'_ Checkpoint| -> Vec<String> { document.as_str().lines().map(str::to_owned).collect() };
    let (base, merged) = (lines(base), lines(merged));
    for side in [lines(recorded), lines(&edited)] {
        for line in side.iter().filter(|line| !base.contains(line)) {
            assert!(merged.contains(line), "{line:?} is lost: {merged:#?}");
        }
    }
}
