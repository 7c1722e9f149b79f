//! The view in the working tree: what is taken in, what is never touched.

use std::cell::Cell;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::scope;

use git_grill::app::ports::{CheckpointView, HandEdit, StoreError};
use git_grill::domain::actor::Actor;
use git_grill::domain::checkpoint::Checkpoint;
use git_grill::domain::rebase::{Rebased, rebase};
use git_grill::domain::session::Session;
use git_grill::store::git::GitStore;
use git_grill::store::view::WorkTreeView;

use super::bench::*;
use crate::bench::{crowd, wait_until};

struct Shown {
    bench: Bench,
    store: GitStore,
    session: Session,
    head: git_grill::app::ports::Head,
}

impl Shown {
    /// A session whose checkpoint has three lines, shown in the working tree.
    fn new() -> Self {
        let bench = Bench::new();
        let store = bench.store();
        let (session, head) = begin(&store, &session_id(1));
        let mut shown = Self { bench, store, session, head };
        shown.record("# S\n\n- one\n\n- two\n\n- three\n");
        shown.view().show(&shown.session).unwrap();
        shown
    }

    fn record(&mut self, text: &str) {
        let event = vec![(Actor::System, checkpoint(text))];
        let (session, head) = go_on(&self.store, &self.session, &self.head, event);
        (self.session, self.head) = (session, head);
    }

    /// As another command would see it: with a handle of its own.
    fn view(&self) -> WorkTreeView<'static> {
        WorkTreeView::open(Box::leak(Box::new(repo_in(&self.bench.path())))).unwrap()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.bench.path().join(".grill").join(name)
    }

    fn edit(&self, from: &str, to: &str) {
        let text = fs::read_to_string(self.file("checkpoint.md")).unwrap();
        fs::write(self.file("checkpoint.md"), text.replace(from, to)).unwrap();
    }

    fn edited(&self) -> Result<Option<String>, StoreError> {
        let found = self.view().edited(&self.session.checkpoint)?;
        Ok(found.map(|edit| laid(&edit, &self.session.checkpoint)))
    }
}

fn laid(edit: &HandEdit, now: &Checkpoint) -> String {
    match rebase(&edit.base, now, &edit.text) {
        Rebased::AsItIs(text) | Rebased::Merged(text) => text.as_str().to_owned(),
        Rebased::Overlapping(both) => both,
    }
}

/// Another command shows the next state: its document stands there, and its id does not yet.
#[test]
fn a_view_that_is_just_being_written_is_no_edit() {
    let shown = Shown::new();
    let (path, current) = (shown.bench.path(), shown.session.checkpoint.clone());
    shown.edit("- two", "- two and a half");
    let id = shown.bench.git(&["hash-object", ".grill/checkpoint.md"]);
    let git_dir = PathBuf::from(shown.bench.git(&["rev-parse", "--absolute-git-dir"]).trim());
    let has_begun = AtomicBool::new(false);
    let _crowd = crowd();
    scope(|scope| {
        let writing = git_grill::files::lock::folder(&path.join(".grill")).unwrap();
        let reader = scope.spawn(|| {
            let repo = repo_in(&path);
            let view = WorkTreeView::open(&repo).unwrap();
            has_begun.store(true, Ordering::Relaxed);
            view.edited(&current).unwrap()
        });
        // One that does not wait for the lock has ended after a few looks.
        let looks = Cell::new(0);
        wait_until("a look at the view", || {
            looks.set(looks.get() + u32::from(has_begun.load(Ordering::Relaxed)));
            reader.is_finished() || looks.get() == 20
        });
        fs::write(git_dir.join("grill/view"), format!("{}\n", id.trim())).unwrap();
        drop(writing);
        assert!(reader.join().unwrap().is_none());
    });
}

#[test]
fn git_never_sees_it_and_it_goes_without_a_trace() {
    let shown = Shown::new();
    assert_eq!(shown.bench.git(&["status", "--porcelain", "--untracked-files=all"]), "");
    let status = fs::read_to_string(shown.file("status")).unwrap();
    assert!(status.contains("phase: interview\n") && status.contains("git log grill/sessions/"), "{status}");
    assert_eq!(shown.edited().unwrap(), None);
    shown.view().remove().unwrap();
    shown.view().remove().unwrap();
    assert!(!shown.bench.path().join(".grill").exists());
    assert!(!shown.bench.git_dir().join("grill/view").exists());
}

#[test]
fn an_edit_is_taken_in_and_a_stale_view_is_not() {
    let mut shown = Shown::new();
    shown.record("# S\n\n- one\n\n- two\n\n- three, and more\n");
    assert_eq!(shown.edited().unwrap(), None, "the file is merely old");
    shown.edit("- one\n", "- one, by hand\n");
    let merged = "# S\n\n- one, by hand\n\n- two\n\n- three, and more\n";
    assert_eq!(shown.edited().unwrap().as_deref(), Some(merged));

    shown.edit("- three\n", "- three, my way\n");
    let both = shown.edited().unwrap().unwrap();
    for part in ["<<<<<<< recorded\n- three, and more\n", "- three, my way\n>>>>>>> edited", "- one, by hand\n"] {
        assert!(both.contains(part), "{both}");
    }
}

#[test]
fn showing_never_overwrites_an_edit_that_nobody_took() {
    let mut shown = Shown::new();
    shown.edit("- one\n", "- one, by hand\n");
    shown.record("# S\n\n- one\n\n- two\n\n- new\n");
    shown.view().show(&shown.session).unwrap();
    let merged = "# S\n\n- one, by hand\n\n- two\n\n- new\n";
    let view = shown.view();
    let taken = view.edited(&shown.session.checkpoint).unwrap().unwrap();
    assert_eq!(laid(&taken, &shown.session.checkpoint), merged);
    shown.record(merged);
    view.show(&shown.session).unwrap();
    assert_ne!(fs::read_to_string(shown.file("checkpoint.md")).unwrap(), merged, "it is not said to be recorded yet");
    view.taken();
    view.show(&shown.session).unwrap();
    assert_eq!(fs::read_to_string(shown.file("checkpoint.md")).unwrap(), merged);
    assert_eq!(shown.edited().unwrap(), None);

    shown.edit("- new", "- newer");
    assert!(matches!(shown.view().remove(), Err(StoreError::View { .. })));
    assert!(fs::read_to_string(shown.file("checkpoint.md")).unwrap().contains("newer"));
}

#[test]
fn white_space_alone_is_no_edit_and_a_deleted_file_comes_back() {
    let shown = Shown::new();
    shown.edit("- three\n", "- three\r\n\n\n");
    let view = shown.view();
    assert_eq!(view.edited(&shown.session.checkpoint).unwrap(), None);
    view.show(&shown.session).unwrap();
    let text = || fs::read_to_string(shown.file("checkpoint.md")).unwrap();
    assert_eq!(text(), shown.session.checkpoint.as_str());
    fs::remove_file(shown.file("checkpoint.md")).unwrap();
    assert_eq!(shown.edited().unwrap(), None);
    shown.view().show(&shown.session).unwrap();
    assert_eq!(text(), shown.session.checkpoint.as_str());
}

#[test]
fn a_crash_between_file_and_id_loses_no_edit() {
    let shown = Shown::new();
    fs::remove_file(shown.bench.git_dir().join("grill/view")).unwrap();
    assert_eq!(shown.edited().unwrap(), None, "what we recorded is no edit");
    shown.edit("- one\n", "- one, by hand\n");
    assert!(shown.edited().unwrap().unwrap().contains("by hand"));
    shown.view().show(&shown.session).unwrap();
    assert!(fs::read_to_string(shown.file("checkpoint.md")).unwrap().contains("by hand"));
}

#[test]
fn what_cannot_be_taken_in_is_said_and_left() {
    let shown = Shown::new();
    let path = shown.file("checkpoint.md");
    let big = "x".repeat(Checkpoint::LIMIT + 1);
    let huge = "x".repeat(3 * Checkpoint::LIMIT);
    for (bytes, why) in
        [(&b"\xff\xfe"[..], "UTF-8"), (b" \n", "empty"), (big.as_bytes(), "bytes"), (huge.as_bytes(), "more than")]
    {
        fs::write(&path, bytes).unwrap();
        let error = shown.edited().unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert!(error.hint().is_some());
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn symlinks_are_never_followed() {
    let shown = Shown::new();
    let outside = shown.bench.dir.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("checkpoint.md"), "secret\n").unwrap();
    let document = shown.file("checkpoint.md");
    fs::remove_file(&document).unwrap();
    std::os::unix::fs::symlink(outside.join("checkpoint.md"), &document).unwrap();
    assert!(shown.edited().unwrap_err().to_string().contains("symlink"));
    assert!(shown.view().show(&shown.session).is_err());
    // A link where we write the status is replaced, not written through.
    fs::remove_file(&document).unwrap();
    fs::remove_file(shown.file("status")).unwrap();
    std::os::unix::fs::symlink(outside.join("checkpoint.md"), shown.file("status")).unwrap();
    shown.view().show(&shown.session).unwrap();
    assert!(shown.file("status").symlink_metadata().unwrap().is_file());

    fs::remove_dir_all(shown.bench.path().join(".grill")).unwrap();
    std::os::unix::fs::symlink(&outside, shown.bench.path().join(".grill")).unwrap();
    assert!(shown.view().show(&shown.session).unwrap_err().to_string().contains("not a directory"));
    assert!(shown.view().edited(&shown.session.checkpoint).is_err());
    assert!(shown.view().remove().is_err());
    assert_eq!(fs::read_to_string(outside.join("checkpoint.md")).unwrap(), "secret\n");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
}

#[test]
fn a_folder_of_the_projects_own_is_left_alone() {
    for tracked in [true, false] {
        let bench = Bench::new();
        let (session, _) = begin(&bench.store(), &session_id(1));
        let folder = bench.path().join(".grill");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("checkpoint.md"), "theirs\n").unwrap();
        if tracked {
            bench.git(&["add", ".grill"]);
            fs::remove_dir_all(&folder).unwrap();
        }
        let repo = repo_in(&bench.path());
        let view = WorkTreeView::open(&repo).unwrap();
        assert!(matches!(view.show(&session), Err(StoreError::View { .. })));
        assert_eq!(view.edited(&session.checkpoint).unwrap(), None);
        view.remove().unwrap();
        let left: Vec<_> = fs::read_dir(&folder).into_iter().flatten().collect();
        assert_eq!(left.len(), usize::from(!tracked));
    }
}

#[test]
fn removing_leaves_what_others_put_there() {
    let shown = Shown::new();
    fs::write(shown.file("notes.txt"), "mine\n").unwrap();
    shown.view().remove().unwrap();
    assert_eq!(fs::read_to_string(shown.file("notes.txt")).unwrap(), "mine\n");
    assert!(!shown.file("checkpoint.md").exists() && !shown.file("status").exists());
    assert_eq!(shown.bench.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_bare_repository_has_no_view() {
    let dir = tempfile::tempdir().unwrap();
    git_in(dir.path(), &["init", "-q", "--bare", "."]);
    let repo = repo_in(dir.path());
    assert!(WorkTreeView::open(&repo).is_none());
}
