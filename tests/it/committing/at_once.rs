//! Several commands at once: each says what it did, or that another one was there and what to type again.

use super::{changed, drafted};
use crate::bench::Bench;

fn hook(bench: &Bench, text: &str) {
    bench.write(".git/hooks/pre-commit", format!("#!/bin/sh\n{text}\n"));
    bench.run("chmod +x .git/hooks/pre-commit").assert_code(0);
}

#[test]
fn g31_a_commit_that_meets_another_git_command_says_so_in_its_own_words() {
    for (lock, why) in
        [("index.lock", "another git command holds the index"), ("HEAD.lock", "another git command holds the branch")]
    {
        let bench = Bench::new();
        drafted(&bench, "d.md");
        bench.run(&format!("git grill approve && touch .git/{lock}")).assert_code(0);
        let said = bench.run("git grill produce --commit").assert_code(128);
        said.assert_contains(&format!("error: d.md stands as it was written and is not committed: {why}\n"))
            .assert_contains("hint: git grill produce --commit, once that command has ended")
            .assert_lacks("Unable to create")
            .assert_lacks("caused by");
        bench.run(&format!("rm .git/{lock} && git grill produce --commit")).assert_code(0);
        assert_eq!(changed(&bench.at(".")), "A\td.md\n");
    }
}

#[test]
fn g31_of_several_commits_at_once_one_is_made_and_each_says_what_it_did() {
    const ENDS: [&str; 3] = ["committed d.md on main as", "nothing to commit", "another git grill is committing here"];
    let bench = Bench::new();
    drafted(&bench, "d.md");
    bench.run("git grill approve").assert_code(0);
    bench.run("for n in 1 2 3; do git grill produce --commit >../out$n 2>&1 & done; wait").assert_code(0);
    for n in 1..=3 {
        let said = bench.run(&format!("cat ../out{n}")).stdout;
        assert_eq!(ENDS.iter().filter(|end| said.contains(**end)).count(), 1, "{said}");
    }
    assert_eq!(changed(&bench.at(".")), "A\td.md\n");
    assert_eq!(bench.run("git rev-list --count HEAD").stdout, "2\n");
    // One that begins while another one is at it meets it.
    let bench = Bench::new();
    drafted(&bench, "d.md");
    hook(&bench, "git grill produce --commit 2>../told; true");
    bench.run("git grill approve --commit").assert_code(0).assert_contains("committed d.md on main as");
    let told = bench.run("cat ../told").stdout;
    assert!(told.contains("d.md stands as it was written and is not committed: another git grill is"), "{told}");
}

#[test]
fn g33_a_commit_that_another_command_made_meanwhile_is_not_taken_for_ours() {
    let bench = Bench::new();
    drafted(&bench, "d.md");
    hook(
        &bench,
        "test -e ../moved && exit 0; unset GIT_INDEX_FILE; touch ../moved\n\
         other=$(git commit-tree -m other -p HEAD 'HEAD^{tree}')\n\
         git -c core.hooksPath=/dev/null -c hook.git-grill-reference-transaction.enabled=false update-ref HEAD $other\n\
         exit 1",
    );
    let said = bench.run("git grill approve --commit").assert_code(128);
    said.assert_contains("d.md stands as it was written and is not committed").assert_lacks("committed d.md on");
    assert_eq!(bench.run("git log -1 --format=%s && git status --porcelain d.md").stdout, "other\n?? d.md\n");
    bench.run("git grill produce --commit").assert_code(0).assert_contains("committed d.md on main as");
}
