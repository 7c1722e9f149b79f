//! An accept, or its undo, that dies at any moment: the next command takes it back, or does it to its end (A16).

use std::cell::Cell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use git_grill::lend::LendError;
use git_grill::lend::accept::{Moment, mend, undo};

use super::accepted::{MEANWHILE, WORK};
use super::{Yard, tree};

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
    undo(&yard.parent(), &yard.folder(), &|_| ()).unwrap();
    let (mut number, mut whole) = (0, 0);
    while dies_at(number, |watch| drop(yard.try_accept(watch).unwrap())) {
        let cut_off = mend(&yard.parent(), &yard.folder()).unwrap();
        let now = yard.scene();
        assert_eq!(tree(&yard.copy()), copy, "at {number}");
        if cut_off.is_none() {
            assert_eq!((&now.files, &now.index), (&after.files, &after.index), "at {number}");
            whole += 1;
            undo(&yard.parent(), &yard.folder(), &|_| ()).unwrap();
        }
        assert_eq!(yard.scene(), before, "at {number}");
        assert!(mend(&yard.parent(), &yard.folder()).unwrap().is_none(), "at {number}");
        number += 1;
    }
    // Begun, kept, two for each path, settled, noted.
    assert_eq!((number, whole), (4 + 2 * 11, 1));
    assert_eq!(yard.scene().files, after.files, "the last one lived");
}

#[test]
fn a16_an_undo_that_is_cut_off_at_any_step_is_done_to_its_end() {
    let yard = yard();
    let before = yard.scene();
    yard.accept();
    let mut number = 0;
    while dies_at(number, |watch| drop(undo(&yard.parent(), &yard.folder(), watch).unwrap())) {
        // By the next undo itself, which takes nothing else back.
        let undone = undo(&yard.parent(), &yard.folder(), &|_| ()).unwrap();
        assert_eq!((undone.paths.len(), yard.scene() == before), (11, true), "at {number}");
        yard.accept();
        number += 1;
    }
    assert_eq!(number, 3 + 2 * 11);
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
    let temporary = yard.repo().join("d/.grill-accept-g1-1-0.tmp");
    fs::write(&temporary, "half").unwrap();
    yard.sh(&yard.repo(), "echo the user >src/a");
    let error = mend(&yard.parent(), &yard.folder()).unwrap_err();
    let reference = "refs/grill/local/accepted/g1-1".to_owned();
    assert_eq!(error, LendError::NotTakenBack { paths: vec![b"src/a".to_vec()], reference });
    assert!(!yard.repo().join("d").exists(), "nothing is left of what was new");
    // What the half was written over is not lost either.
    let shown = yard.sh(&yard.repo(), "cat src/a; git show refs/grill/local/accepted/g1-1:before/src/a");
    assert_eq!(shown, "the user\none\nmore");
    assert_eq!(tree(&yard.repo()).len(), before.files.len());
    assert!(mend(&yard.parent(), &yard.folder()).unwrap().is_none());
}
