//! An accept, or its undo, that dies at any moment: the next command takes it back, or does it to its end (A16).

use std::cell::Cell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use git_grill::lend::accept::{Moment, Order, Watch, apply, is_cut_off, mend, undo};
use git_grill::lend::changes::unaccepted;
use git_grill::lend::cleanup::{Loss, cleanup};
use git_grill::lend::standing::propose;
use git_grill::lend::{LendError, LentFolder, Parent};

use super::accepted::{MEANWHILE, WORK};
use super::{AGENT, Yard, tree};
use crate::bench::wait_until;

/// Does it, and is gone at the moment with this number; whether it came that far.
fn dies_at(number: usize, work: impl FnOnce(&dyn Fn(Moment<'_>))) -> bool {
    let seen = Cell::new(0);
    let watch = |_: Moment<'_>| {
        if seen.get() == number {
            // Nothing is tidied up by what it passes: only the lock is let go, as the system does it.
            resume_unwind(Box::new("killed"));
        }
        seen.set(seen.get() + 1);
    };
    catch_unwind(AssertUnwindSafe(|| work(&watch))).is_err()
}

fn yard() -> Yard {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), WORK);
    yard.sh(&yard.repo(), MEANWHILE);
    yard
}

#[test]
fn a16_an_accept_that_is_cut_off_at_any_step_is_whole_or_taken_back() {
    let yard = yard();
    let (before, copy) = (yard.scene(), tree(&yard.copy()));
    yard.accept();
    let after = yard.scene();
    yard.undo().unwrap();
    let (mut number, mut whole) = (0, 0);
    while dies_at(number, |watch| drop(yard.try_accept(watch).unwrap())) {
        let cut_off = mend(&yard.parent(), &yard.folder()).unwrap();
        let now = yard.scene();
        assert_eq!(tree(&yard.copy()), copy, "at {number}");
        if cut_off.is_none() {
            assert_eq!((&now.files, &now.index), (&after.files, &after.index), "at {number}");
            whole += 1;
            yard.undo().unwrap();
        }
        assert_eq!(yard.scene(), before, "at {number}");
        assert!(mend(&yard.parent(), &yard.folder()).unwrap().is_none(), "at {number}");
        number += 1;
    }
    // Begun, kept, two for each path, settled, noted.
    assert_eq!((number, whole), (3 + 3 * 11, 1));
    assert_eq!(yard.scene().files, after.files, "the last one lived");
}

#[test]
fn a16_an_undo_that_is_cut_off_at_any_step_is_done_to_its_end() {
    let yard = yard();
    let before = yard.scene();
    yard.accept();
    let mut number = 0;
    while dies_at(number, |watch| drop(undo(&yard.parent(), &yard.folder(), None, watch).unwrap())) {
        // By the next undo itself, which takes nothing else back.
        let undone = yard.undo().unwrap();
        assert_eq!((undone.paths.len(), yard.scene() == before), (11, true), "at {number}");
        yard.accept();
        number += 1;
    }
    assert_eq!(number, 2 + 3 * 11);
    assert_eq!(yard.scene(), before);
}

/// The kill comes between the making of a file and its rename, and the user goes on before the next command.
#[test]
fn a16_half_a_file_is_swept_away_and_what_the_user_did_since_stays() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "mkdir d && echo n >d/new && echo x >>src/a && echo y >>src/in/b");
    let before = yard.scene();
    assert!(dies_at(5, |watch| drop(yard.try_accept(watch).unwrap())));
    let commit = yard.sh(&yard.repo(), "git rev-parse refs/grill/local/accepted/g1-1");
    let temporary = yard.repo().join(format!("d/.grill-accept-{}-0-forth.tmp", &commit[..16]));
    fs::write(&temporary, "half").unwrap();
    yard.sh(&yard.repo(), "echo the user >src/a");
    let undone = mend(&yard.parent(), &yard.folder()).unwrap().unwrap();
    assert_eq!((undone.reference.as_str(), undone.left), ("refs/grill/local/accepted/g1-1", vec![b"src/a".to_vec()]));
    assert!(!yard.repo().join("d").exists(), "nothing is left of what was new");
    // What the half was written over is not lost either.
    let shown = yard.sh(&yard.repo(), "cat src/a; git show refs/grill/local/accepted/g1-1:before/src/a");
    assert_eq!(shown, "the user\none\nmore");
    assert_eq!(tree(&yard.repo()).len(), before.files.len());
    assert!(mend(&yard.parent(), &yard.folder()).unwrap().is_none());
}

/// A folder where a note is to be written stands for a disk that is full.
#[test]
fn a16_a_note_that_cannot_be_written_takes_the_files_back_at_once() {
    let yard = yard();
    let before = yard.scene();
    let in_the_way = yard.root().join("g1/lent/accepted.new/x");
    let error = yard.try_accept(&|moment| {
        if moment == Moment::Settled && !in_the_way.exists() {
            fs::create_dir_all(&in_the_way).unwrap();
        }
    });
    assert_eq!(error.unwrap_err().code(), "worktree_failed");
    assert_eq!(yard.scene(), before);
    fs::remove_dir_all(in_the_way.parent().unwrap()).unwrap();
    yard.accept();
}

#[test]
fn a16_an_accept_that_can_neither_stand_nor_be_taken_back_says_so_and_the_next_undo_does_it() {
    let yard = yard();
    let before = yard.scene();
    let in_the_way = yard.root().join("g1/accepts/standing.new/x");
    let error = yard.try_accept(&|moment| {
        if moment == Moment::Settled {
            fs::create_dir_all(&in_the_way).unwrap();
        }
    });
    assert_eq!(error.unwrap_err().code(), "accept_stuck");
    // A program that another test is just starting holds the lock as well, for a moment.
    wait_until("the end of the accept", || is_cut_off(&yard.repo().join(".git"), &yard.folder()).unwrap());
    // Nobody else builds on it.
    let other = LentFolder::of(&yard.root(), "g2").unwrap();
    fs::create_dir_all(yard.root().join("g2/accepts")).unwrap();
    let error = undo(&yard.parent(), &other, None, &|_| ()).unwrap_err();
    assert_eq!(error, LendError::HalfDone { handle: "g1".to_owned() });
    fs::remove_dir_all(in_the_way.parent().unwrap()).unwrap();
    assert_eq!(yard.undo().unwrap().left.len(), 0);
    assert_eq!(yard.scene(), before);
    assert!(!is_cut_off(&yard.repo().join(".git"), &yard.folder()).unwrap());
    assert_eq!(undo(&yard.parent(), &other, None, &|_| ()).unwrap_err().code(), "worktree_wrong");
}

#[test]
fn a16_where_what_stood_there_is_gone_that_is_said_once_and_work_goes_on() {
    let yard = yard();
    assert!(dies_at(6, |watch| drop(yard.try_accept(watch).unwrap())));
    yard.sh(&yard.repo(), "git update-ref -d refs/grill/local/accepted/g1-1 && git gc -q --prune=now");
    let half = yard.scene();
    let error = mend(&yard.parent(), &yard.folder()).unwrap_err();
    assert_eq!(error, LendError::Gone { reference: "refs/grill/local/accepted/g1-1".to_owned() });
    assert_eq!(yard.scene(), half, "what is there stays");
    assert!(mend(&yard.parent(), &yard.folder()).unwrap().is_none());
    cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap();
}

#[test]
fn a16_a_step_belongs_to_its_worktree_and_goes_with_it() {
    let yard = Yard::new();
    yard.sh(&yard.repo(), "git worktree add -q -b other ../'other one'");
    let linked =
        Parent { git_dir: yard.repo().join(".git/worktrees/other-one"), top: yard.at("other one"), ..yard.parent() };
    yard.place();
    yard.sh(&yard.copy(), "echo x >>src/a && echo y >>src/in/b");
    let accept = |watch: Watch<'_>| {
        let changes = unaccepted(&linked, &yard.folder()).unwrap();
        let plan = propose(&linked, &yard.folder(), &changes).unwrap();
        apply(&linked, &yard.folder(), &Order { changes: &changes, plan: &plan, by: AGENT, watch }).unwrap()
    };
    drop(accept(&|_| ()));
    let elsewhere = LendError::OtherWorktree { top: Some(yard.at("other one")) };
    assert_eq!(yard.undo().unwrap_err(), elsewhere);
    undo(&linked, &yard.folder(), None, &|_| ()).unwrap();
    assert!(dies_at(4, |watch| drop(accept(watch))));
    assert_eq!(mend(&yard.parent(), &yard.folder()).unwrap_err(), elsewhere);
    yard.sh(&yard.repo(), "git worktree remove --force ../'other one'");
    assert!(mend(&yard.parent(), &yard.folder()).unwrap().is_none());
    yard.accept();
    assert_eq!(yard.undo().unwrap().paths.len(), 2);
}

#[test]
fn a26_a_copy_that_is_half_removed_offers_no_deletions() {
    let yard = yard();
    fs::write(yard.root().join("g1/lent/tidying"), "\n").unwrap();
    yard.sh(&yard.copy(), "rm -r src");
    let error = unaccepted(&yard.parent(), &yard.folder()).unwrap_err();
    assert_eq!(error, LendError::HalfCleaned { handle: "g1".to_owned() });
    cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap();
}

/// `GIT_WORK_TREE` leads elsewhere, with the same git directory.
#[test]
fn a16_a_step_is_taken_back_in_the_working_tree_that_it_was_done_in() {
    let yard = yard();
    let (before, elsewhere) = (yard.scene(), yard.at("elsewhere"));
    let files = tree(&yard.repo());
    yard.sh(&yard.repo(), &format!("cp -a . '{0}' && rm -r '{0}/.git'", elsewhere.display()));
    let beside = Parent { top: elsewhere.clone(), ..yard.parent() };
    let then = tree(&elsewhere);
    let changes = unaccepted(&beside, &yard.folder()).unwrap();
    let plan = propose(&beside, &yard.folder(), &changes).unwrap();
    assert!(dies_at(9, |watch| {
        let order = Order { changes: &changes, plan: &plan, by: AGENT, watch };
        drop(apply(&beside, &yard.folder(), &order).unwrap());
    }));
    for error in [yard.undo().unwrap_err(), mend(&yard.parent(), &yard.folder()).unwrap_err()] {
        assert_eq!(error, LendError::OtherTop { top: elsewhere.clone() });
    }
    assert_eq!((yard.scene().files, yard.scene().index), (before.files, before.index));
    assert_ne!(tree(&elsewhere), then);
    undo(&beside, &yard.folder(), None, &|_| ()).unwrap();
    assert_eq!(tree(&elsewhere), then);
    // A working tree that was moved is the same one.
    yard.accept();
    yard.sh(&yard.at(""), "mv repo moved && mkdir repo && mv moved/.git repo/ && cp -a moved/. repo/ && rm -r moved");
    yard.undo().unwrap();
    assert_eq!(tree(&yard.repo()), files);
}
