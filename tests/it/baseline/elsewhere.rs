//! A git directory can be given any folder as its working tree. A baseline is about the one that it was taken in, and
//! nothing is compared or brought back in another.

use super::start;
use crate::bench::Bench;

/// What has git work in the folder `other` beside the repository, before the words of a command.
const WAYS: [&str; 5] = [
    "GIT_WORK_TREE=$PWD/../other git grill",
    "git --work-tree=../other grill",
    "GIT_DIR=$PWD/.git; export GIT_DIR; cd ../other && git grill",
    "echo \"gitdir: $PWD/.git\" >../other/.git; cd ../other && git grill",
    "git config core.worktree ../../other; git grill",
];

const OTHER: &str = "mkdir -p ../other && echo precious >../other/mine.txt && echo 'not yours' >../other/README.md";

fn is_left_alone(bench: &Bench, way: &str) {
    let read = |name: &str| std::fs::read_to_string(bench.root().join("other").join(name)).unwrap();
    assert_eq!((read("mine.txt"), read("README.md")), ("precious\n".to_owned(), "not yours\n".to_owned()), "{way}");
}

#[test]
fn g38_a_baseline_counts_only_in_the_folder_that_it_was_taken_in() {
    for way in WAYS {
        let bench = Bench::new();
        start(&bench);
        bench.write("README.md", "edited\n");
        bench.run(OTHER).assert_code(0);
        for words in ["verify", "verify --restore --yes"] {
            let refused = bench.run(&format!("{way} {words}"));
            let text = refused.stderr.clone();
            refused.assert_code(128).assert_contains("the baseline was taken in");
            assert!(text.contains("/other"), "{way} {words}: {text}");
            is_left_alone(&bench, way);
            assert_eq!(bench.read("README.md"), "edited\n", "{way} {words}");
            let hint = text.lines().find_map(|line| line.strip_prefix("hint: ")).unwrap();
            bench.run(hint).assert_code(1).assert_contains("modified:   README.md").assert_lacks("mine.txt");
        }
        bench.run(&format!("{way} status")).assert_contains("the baseline was taken in");
        bench
            .run("rm -f ../other/.git; git config --unset core.worktree; git grill verify --restore --yes")
            .assert_code(0);
        assert_eq!(bench.read("README.md"), "# demo\n", "{way}");
        is_left_alone(&bench, way);
    }
}

/// A session of an earlier git grill has no note of its folder: only the usual one can be its.
#[test]
fn g38_without_a_note_of_the_folder_a_restore_needs_the_usual_one() {
    for way in WAYS {
        let bench = Bench::new();
        start(&bench);
        bench.write("README.md", "edited\n");
        bench.run("rm .git/grill/baseline/*/top").assert_code(0);
        bench.run(OTHER).assert_code(0);
        let refused = bench.run(&format!("{way} verify --restore --yes"));
        refused.assert_code(128).assert_contains("without a note of its folder");
        is_left_alone(&bench, way);
        bench
            .run("rm -f ../other/.git; git config --unset core.worktree; git grill verify --restore --yes")
            .assert_code(0);
        assert_eq!(bench.read("README.md"), "# demo\n", "{way}");
    }
}

#[test]
fn g38_a_repository_that_was_moved_or_copied_has_its_baseline() {
    for deed in ["mv \"$here\" ../gone", "cp -a \"$here\" ../gone"] {
        let bench = Bench::new();
        start(&bench);
        bench.write("README.md", "edited\n");
        let line = format!(
            "here=$PWD; {deed} && cd ../gone && git grill verify; cd ..; test -d \"$here\" || mv gone \"$here\""
        );
        bench.run(&line).assert_contains("modified:   README.md").assert_lacks("the baseline was taken in");
    }
}

#[test]
fn g38_the_list_names_the_folder_that_a_restore_changes() {
    let bench = Bench::new();
    start(&bench);
    bench.write("README.md", "edited\n");
    let mut sitting = crate::conversation::Sitting::of_a_line(&bench, "git --no-pager grill verify --restore");
    sitting.below("a restore changes the files in /", "[y/n]");
    sitting.pty.send("n");
    sitting.ends_with(5);
}
