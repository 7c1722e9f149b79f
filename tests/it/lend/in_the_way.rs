//! Accepts of work for which the user's files leave no room: that is told before anything is asked, and nothing is written
//! (A39).

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use git_grill::lend::LendError;
use git_grill::lend::accept::{Moment, Why, foresee};
use git_grill::lend::caution::Caution;
use git_grill::lend::changes::unaccepted;
use git_grill::lend::plan::{AcceptPlan, Clash};
use git_grill::lend::standing::propose;

use super::Yard;

fn plan(yard: &Yard) -> AcceptPlan {
    let (parent, folder) = (yard.parent(), yard.folder());
    propose(&parent, &folder, &unaccepted(&parent, &folder).unwrap()).unwrap()
}

#[test]
fn a39_what_is_no_file_of_the_repository_s_is_in_the_way() {
    let yard = Yard::new();
    yard.place();
    yard.sh(
        &yard.copy(),
        "echo a >empty && echo a >deep && echo a >pipe && mkdir sock && echo a >sock/a && echo a >theirs",
    );
    yard.sh(&yard.repo(), "mkdir empty && mkdir -p deep/er && mkfifo pipe sock && git init -q theirs");
    let all = "find . -path ./.git -prune -o -printf '%p %y %m %s\n'";
    let before = yard.sh(&yard.repo(), all);
    let clashes = plan(&yard).clashes;
    let found: Vec<(&str, &Clash)> =
        clashes.iter().map(|(path, clash)| (std::str::from_utf8(path).unwrap(), clash)).collect();
    let by = |path: &str| Clash::InTheWay(path.into());
    let expected = [
        ("deep", &by("deep")),
        ("empty", &by("empty")),
        ("pipe", &by("pipe")),
        ("sock/a", &by("sock")),
        ("theirs", &by("theirs")),
    ];
    assert_eq!(found, expected);
    assert_eq!(yard.sh(&yard.repo(), all), before);
}

#[test]
fn a39_a_folder_with_an_empty_one_in_it_stays_and_so_does_everything_else() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "rm -r lib && echo file >lib && echo more >>src/a");
    yard.sh(&yard.repo(), "mkdir lib/empty");
    let before = yard.scene();
    let error = yard.try_accept(&|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "nothing was accepted: a file or folder is in the way of lib");
    assert_eq!(yard.scene(), before);
}

#[test]
fn a39_what_a_sparse_checkout_leaves_out_was_not_deleted_by_the_user() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "echo agent >>lib/c && rm src/in/b");
    yard.sh(&yard.repo(), "git sparse-checkout set --no-cone /src/a");
    let clashes = plan(&yard).clashes;
    assert_eq!(clashes, [(b"lib/c".to_vec(), Clash::Sparse), (b"src/in/b".to_vec(), Clash::Sparse)].into());
    yard.sh(&yard.repo(), "git sparse-checkout disable");
    assert_eq!(yard.accept().paths.len(), 2);
}

#[test]
fn a39_the_same_lines_are_found_before_anything_is_asked() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "sed -i '1s/one/theirs/' src/a && echo x >>src/in/b");
    yard.sh(&yard.repo(), "sed -i '1s/one/ours/' src/a && sed -i '1s/^/y\\n/' src/in/b");
    let before = yard.scene();
    let (changes, plan) = (unaccepted(&yard.parent(), &yard.folder()).unwrap(), plan(&yard));
    assert!(plan.clashes.is_empty(), "{plan:?}");
    let found = foresee(&yard.parent(), &yard.folder(), &changes, &plan).unwrap().conflicts;
    let [one] = found.as_slice() else { panic!("{found:?}") };
    assert!(one.path == b"src/a" && matches!(&one.why, Why::Overlap(text) if text.starts_with(b"<<<<<<< yours\n")));
    assert_eq!(yard.scene(), before);
}

#[test]
fn a16_a_folder_that_is_swapped_between_two_writes_is_not_written_into() {
    let yard = Yard::new();
    yard.sh(&yard.repo(), "mkdir d && echo a >d/a && echo b >d/b && git add d && git commit -qm d");
    yard.place();
    yard.sh(&yard.copy(), "echo agent >>d/a && echo agent >>d/b");
    let repo = yard.repo();
    let error = yard.try_accept(&|moment| {
        if moment == Moment::Ready(b"d/b") && !repo.join("d.old").exists() {
            yard.sh(&repo, "mv d d.old && mkdir d && echo a >d/a && echo mine >d/b");
        }
    });
    assert_eq!(error.unwrap_err(), LendError::ChangedMeanwhile { paths: vec![b"d/b".to_vec()] });
    assert_eq!(yard.sh(&repo, "cat d/b d.old/b"), "mine\nb");
}

#[test]
fn a16_with_file_modes_off_the_permissions_on_the_disk_are_the_user_s_own() {
    let yard = Yard::with("", "git config core.fileMode false");
    yard.place();
    yard.sh(&yard.copy(), "echo agent >>src/a");
    yard.sh(&yard.repo(), "chmod 755 src/a && chmod 644 run");
    let plan = plan(&yard);
    assert_eq!(plan.careful().count(), 0, "{plan:?}");
    yard.accept();
    let mode = |path: &str| fs::metadata(yard.repo().join(path)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode("src/a"), mode("run")), (0o755, 0o644));
}

#[test]
fn a16_a_mode_that_the_user_alone_changed_is_not_told_as_the_agent_s() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "echo agent >>src/a");
    yard.sh(&yard.repo(), "chmod 755 src/a");
    let found = plan(&yard);
    let [one] = found.steps.as_slice() else { panic!("{found:?}") };
    assert_eq!(one.cautions, [Caution::Executable], "it is executable by now, and stays so");
    yard.accept();
    let mode = fs::metadata(yard.repo().join("src/a")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o755);
}

#[test]
fn a16_a_name_of_ours_is_not_taken_from_an_agent() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "mkdir d && echo a >d/.grill-accept-1a1a1a1a1a1a1a1a-0.tmp");
    let before = yard.scene();
    let error = yard.try_accept(&|_| ()).unwrap_err().to_string();
    assert!(error.contains("git grill itself writes files of such names"), "{error}");
    assert_eq!(yard.scene(), before);
}
