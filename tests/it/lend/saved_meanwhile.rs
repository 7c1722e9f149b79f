//! What somebody saves between the last look at a path and its change is not lost (A16).

use std::cell::Cell;
use std::fs;

use git_grill::lend::LendError;
use git_grill::lend::accept::{Moment, mend};

use super::Yard;

/// Runs this once, when a path is about to take its place.
fn at_once<'a>(path: &'a [u8], save: impl Fn() + 'a) -> impl Fn(Moment<'_>) + 'a {
    let is_done = Cell::new(false);
    move |moment| {
        if moment == Moment::Placing(path) && !is_done.replace(true) {
            save();
        }
    }
}

fn yard() -> Yard {
    let yard = Yard::new();
    yard.sh(&yard.repo(), "mkdir d && echo a >d/a && echo b >d/b && git add d && git commit -qm d");
    yard.place();
    yard.sh(&yard.copy(), "echo agent >>d/a && rm d/b && echo new >d/new");
    yard
}

const IN_PLACE: &str = "printf 'a\nmine\n' >d/a";
const BY_RENAME: &str = "printf 'a\nmine\n' >d/a.swp && mv d/a.swp d/a";

#[test]
fn a16_a_file_that_is_saved_in_the_last_moment_stays_as_it_was_saved() {
    for save in [IN_PLACE, BY_RENAME] {
        let yard = yard();
        let error = yard.try_accept(&at_once(b"d/a", || drop(yard.sh(&yard.repo(), save)))).unwrap_err();
        assert_eq!(error, LendError::ChangedMeanwhile { paths: vec![b"d/a".to_vec()] });
        assert_eq!(yard.sh(&yard.repo(), "cat d/a d/b; ls -A d"), "a\nmine\nb\na\nb");
    }
}

#[test]
fn a16_a_file_that_is_saved_while_it_is_removed_comes_back() {
    for save in ["echo mine >>d/b", "echo mine >d/b.swp && mv d/b.swp d/b", "chmod 600 d/b"] {
        let yard = yard();
        yard.sh(&yard.repo(), save);
        let saved = yard.scene();
        yard.sh(&yard.repo(), "git checkout -q d/b && chmod 644 d/b");
        let error = yard.try_accept(&at_once(b"d/b", || drop(yard.sh(&yard.repo(), save)))).unwrap_err();
        assert_eq!(error, LendError::ChangedMeanwhile { paths: vec![b"d/b".to_vec()] });
        assert_eq!(yard.scene().files, saved.files, "{save}");
    }
}

#[test]
fn a16_a_file_that_appears_in_the_last_moment_stays() {
    let yard = yard();
    let error = yard.try_accept(&at_once(b"d/new", || drop(yard.sh(&yard.repo(), "echo mine >d/new")))).unwrap_err();
    assert!(error.to_string().contains("a file or folder is in the way of d/new"), "{error}");
    assert_eq!(yard.sh(&yard.repo(), "cat d/a d/b d/new; ls -A d"), "a\nb\nmine\na\nb\nnew");
}

#[test]
fn a16_a_folder_that_is_moved_away_in_the_last_moment_is_left_as_it_was() {
    // What was written before it moved is where the user put it.
    for (path, written, stands) in [
        (b"d/a".as_slice(), [].as_slice(), "a\nb\na\nb"),
        (b"d/new", [b"d/a".as_slice()].as_slice(), "a\nagent\nb\na\nb"),
        // A new file that is not at its place any more is none that has to go.
        (b"d/b", &[b"d/a"], "a\nagent\nb\na\nb\nnew"),
    ] {
        let yard = yard();
        let error = yard.try_accept(&at_once(path, || drop(yard.sh(&yard.repo(), "mv d e")))).unwrap_err();
        match error {
            LendError::ChangedMeanwhile { paths } => assert_eq!((paths, written.len()), (vec![path.to_vec()], 0)),
            LendError::NotTakenBack { paths, .. } => assert_eq!(paths, written),
            other => panic!("{other}"),
        }
        assert_eq!(yard.sh(&yard.repo(), "cat e/a e/b; ls -A e; [ ! -e d ]"), stands);
    }
}

#[test]
fn a16_an_undo_leaves_what_is_saved_in_its_last_moment() {
    for (path, save, left) in [
        (b"d/a".as_slice(), IN_PLACE, "a\nmine\nb"),
        (b"d/a", BY_RENAME, "a\nmine\nb"),
        (b"d/new", "echo mine >d/new", "a\nb"),
        (b"d/b", "echo mine >d/b", "a\nmine"),
    ] {
        let yard = yard();
        yard.accept();
        let undone = yard.undo_watched(&at_once(path, || drop(yard.sh(&yard.repo(), save)))).unwrap();
        assert_eq!((undone.left, yard.sh(&yard.repo(), "cat d/a d/b").as_str()), (vec![path.to_vec()], left));
        let names = if path == b"d/new" { "a\nb\nnew" } else { "a\nb" };
        assert_eq!(yard.sh(&yard.repo(), "ls -A d"), names);
    }
}

/// The kill comes right after the exchange, and what the user had saved before it stands under the name of ours.
#[test]
fn a16_what_stood_aside_when_a_kill_came_takes_its_place_again() {
    let yard = yard();
    yard.accept();
    let commit = yard.sh(&yard.repo(), "git rev-parse refs/grill/local/accepted/g1-1");
    let (accepts, repo) = (yard.root().join("g1/accepts"), yard.repo());
    fs::write(accepts.join("journal"), format!("accept 1 {commit}\n")).unwrap();
    fs::write(accepts.join("standing"), "1\n").unwrap();
    let aside = |number: usize| repo.join(format!("d/.grill-accept-{}-{number}-forth.tmp", &commit[..16]));
    fs::write(aside(0), "a\nmine\n").unwrap();
    fs::write(aside(1), "mine as well\n").unwrap();
    fs::write(aside(2), "half").unwrap();
    let undone = mend(&yard.parent(), &yard.folder()).unwrap().unwrap();
    assert_eq!(undone.left, [b"d/a".to_vec(), b"d/b".to_vec()]);
    assert_eq!(yard.sh(&repo, "cat d/a d/b; ls -A d"), "a\nmine\nmine as well\na\nb");
}
