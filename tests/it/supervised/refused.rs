//! What no yes could start is refused before anybody is asked (A11, A13).

use super::Lent;
use super::accepted::{accepting, chooses, edited};
use crate::leading::walled;
use crate::pty::shows;

#[test]
fn a13_a_repository_without_a_commit_is_told_before_any_question_for_every_profile() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    lent.run("git init -q ../empty").assert_code(0);
    for profile in ["local-review", "grounded-review", "deep-research", "worktree-edit", "grounded-edit", "media"] {
        lent.run(&format!("cd ../empty && git grill agent start --agent scripted --profile {profile} go"))
            .assert_code(1)
            .assert_contains("the repository has no commit yet")
            .assert_contains("git commit --allow-empty -m begin makes a first commit; then type it again")
            .assert_lacks("git status");
    }
    // The command of the hint helps: now a person is missing.
    lent.run("cd ../empty && git commit -q --allow-empty -m begin && git grill agent start --agent scripted go")
        .assert_code(3);
    assert!(!lent.root().join("empty/.git/grill/agents/g1").exists());
}

#[test]
fn a11_a_setting_without_sense_is_told_before_any_question() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    lent.run("git config --global grill.turnTimeout soon").assert_code(0);
    lent.run("git grill agent start --agent scripted go").assert_code(128).assert_contains("grill.turnTimeout");
    lent.run("git config --global --unset grill.turnTimeout").assert_code(0);
    lent.run("git grill agent start --agent scripted go").assert_code(3);
}

#[test]
fn a13_what_git_has_not_finished_is_named_with_the_commands_that_finish_and_abort_it() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    lent.run(
        "git switch -qc side && echo side >README.md && git commit -qam side && git switch -q main && echo main >README.md \
         && git commit -qam main",
    )
    .assert_code(0);
    for (begins, named, git) in [
        ("git merge side", "a merge", "git merge"),
        ("git cherry-pick side", "a cherry-pick", "git cherry-pick"),
        ("git rebase side", "a rebase", "git rebase"),
    ] {
        lent.run(&format!("! {begins}")).assert_code(0);
        lent.run("git grill agent start --agent scripted --profile worktree-edit x")
            .assert_code(1)
            .assert_contains(&format!("{named} is not finished here, and these changes are not committed: README.md"))
            .assert_contains(&format!("{git} --continue finishes it once its conflicts are resolved"))
            .assert_contains(&format!("{git} --abort takes it back; then type it again"))
            .assert_lacks("stash");
        lent.run(&format!("{git} --abort")).assert_code(0);
    }
    // Nothing is in the way any more but that a person is missing.
    lent.run("git grill agent start --agent scripted --profile worktree-edit x").assert_code(3);
}

#[test]
fn a39_a_conflict_in_the_middle_of_a_merge_is_not_told_to_stash() {
    if !walled() {
        return;
    }
    let lent = edited("sed -i s/2/two/ ten.txt");
    lent.run(
        "git switch -qc side && echo s >s && git add s && git commit -qm s && git switch -q main && \
         git merge -q --no-commit --no-ff side && sed -i s/2/zwei/ ten.txt",
    )
    .assert_code(0);
    let screen = chooses(accepting(&lent, &["g1"]), &[], 1);
    let hint = "a merge is not finished here, and git status says how to finish or abort it; then accept again";
    assert!(shows(&screen, hint) && !screen.contains("stash"), "{screen}");
    lent.told("cancel g1");
    lent.is_over();
}
