//! A file that takes the place of a directory, and a directory that takes the place of a file: both sides are accepted
//! together or not at all (A16, A39). They are below the top, where such files need no separate yes.

use serde_json::json;

use super::Lent;
use super::accepted::{accepting, chooses, everything, status};
use crate::leading::{play, walled};
use crate::pty::shows;

#[test]
fn a16_a39_a_file_and_the_directory_whose_place_it_takes_are_one_choice_in_both_directions() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    lent.run("mkdir -p src/d && echo one >src/d/one && echo f >src/f && echo n >notes.txt").assert_code(0);
    lent.run("git add -A && git commit -qm begun").assert_code(0);
    let line =
        "echo more >>notes.txt && cd src && rm -r d && echo d >d && rm f && mkdir f && echo 1 >f/one && echo 2 >f/two";
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    lent.agrees(&["--profile", "worktree-edit", "write"]);
    lent.rests("g1");
    let before = everything(&lent);

    // A name that means one side alone is refused with the name that means both.
    let screen = chooses(accepting(&lent, &["g1", "src/f/one", "notes.txt"]), &[], 1);
    for said in [
        "nothing was accepted: a file was named without the one whose place it takes",
        "caused by: a directory with 2 files takes the place of src/f",
        "hint: git grill agent accept g1 notes.txt :/src/f accepts them",
    ] {
        assert!(shows(&screen, said), "{said}: {screen}");
    }
    assert_eq!(everything(&lent), before);

    let offered = [
        ("Accept these 6 files of g1?", "3"),
        ("notes.txt (1 of 3): accept it?", "1"),
        ("src/d takes the place of src/d/one (2 of 3): accept both?", "2"),
        ("a directory with 2 files takes the place of src/f (3 of 3): accept them?", "1"),
    ];
    let screen = chooses(accepting(&lent, &["g1"]), &offered, 0);
    assert!(screen.contains("4 files of g1 were accepted; they are not staged"), "{screen}");
    assert_eq!(status(&lent), " M notes.txt\n D src/f\n?? src/f/one\n?? src/f/two\n");
    // The directory is named as a whole, and so is what takes its place.
    chooses(accepting(&lent, &["g1", "src/d"]), &[("Accept these 2 files of g1?", "1")], 0);
    assert_eq!(lent.read("src/d"), "d\n");
    lent.run("git grill agent changes g1").assert_code(0).assert_contains("  A src/d (+1 -0), accepted\n");
    assert!(!lent.run("git grill agent changes g1").assert_code(0).stdout().contains("git grill agent accept"));
    for _ in 0..2 {
        chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
    }
    assert_eq!(everything(&lent), before);
    lent.told("cancel g1");
    lent.is_over();
}
