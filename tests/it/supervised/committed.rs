//! A commit of accepted work that is cut off, refused, or made of more: what is said of it is true, and nothing stays
//! staged that the person did not stage (A16, A39).

use super::Lent;
use super::accepted::{accepting, chooses, edited, everything, status};
use crate::bench::wait_until;
use crate::leading::{ENTER, walled};
use crate::pty::shows;

const EDITS: &str = "sed -i s/2/two/ ten.txt && echo new >new.txt && rm README.md";
const OFFERED: [(&str, &str); 1] = [("Accept these 3 files of g1?", "1")];
const COMMITS: [&str; 4] = ["g1", "--commit", "-m", "two"];

fn hooked(hook: &str, lines: &str) -> Lent {
    let lent = edited(EDITS);
    lent.write(&format!(".git/hooks/{hook}"), format!("#!/bin/sh\n{lines}\n"));
    lent.run(&format!("chmod +x .git/hooks/{hook}")).assert_code(0);
    lent
}

/// The commit stands, the index agrees with it, and no lock is left.
#[track_caller]
fn is_committed(lent: &Lent, screen: &str) {
    let head = lent.run("git rev-parse --short=10 HEAD").assert_code(0);
    let short = head.stdout().trim_end();
    assert!(shows(screen, &format!("the files were accepted and committed on main as {short}")), "{screen}");
    assert!(shows(screen, "but git was interrupted") && !screen.contains("not committed"), "{screen}");
    lent.run("git show --format= --name-status HEAD").assert_stdout("D\tREADME.md\nA\tnew.txt\nM\tten.txt\n");
    assert_eq!(status(lent), "");
    lent.run("find .git -maxdepth 1 -name '*.lock'").assert_stdout("");
    // What the hint names works.
    assert!(shows(screen, &format!("git revert {short}")), "{screen}");
    lent.run(&format!("rm -f .git/hooks/* && git revert --no-edit {short}")).assert_code(0);
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a16_a_commit_that_was_made_before_git_was_killed_is_told_as_made() {
    if !walled() {
        return;
    }
    for (hook, lines) in [
        ("post-commit", "kill -9 $PPID"),
        ("reference-transaction", "if [ \"$1\" = committed ] && grep -q refs/heads/main; then kill -9 $PPID; fi"),
    ] {
        let lent = hooked(hook, lines);
        let screen = chooses(accepting(&lent, &COMMITS), &OFFERED, 128);
        is_committed(&lent, &screen);
    }
}

#[test]
fn a16_a_commit_that_was_made_before_the_interrupt_is_told_as_made() {
    if !walled() {
        return;
    }
    let lent = hooked("post-commit", "touch ../begun\nexec sleep 600");
    let mut sitting = accepting(&lent, &COMMITS);
    sitting.below(OFFERED[0].0, "digits jump");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    wait_until("the hook", || lent.root().join("begun").exists());
    sitting.pty.send("\u{3}");
    let (code, screen) = sitting.end();
    // The interrupt is for the git above git grill as well, which waits and ends by it.
    assert!(code == 128 || code == 130, "{code}: {screen}");
    is_committed(&lent, &screen);
}

#[test]
fn a16_a_git_that_was_killed_before_its_commit_leaves_no_lock_and_nothing_staged() {
    if !walled() {
        return;
    }
    let lent = hooked("pre-commit", "kill -9 $PPID");
    let before = everything(&lent);
    let screen = chooses(accepting(&lent, &COMMITS), &OFFERED, 128);
    assert!(shows(&screen, "the files were accepted and are not committed: git was interrupted"), "{screen}");
    assert_eq!(status(&lent), " D README.md\n M ten.txt\n?? new.txt\n");
    lent.run("find .git -maxdepth 1 -name '*.lock'").assert_stdout("");
    chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
    assert_eq!(everything(&lent), before);
    // A lock that another git left is named before anything is accepted, and stays.
    lent.run("rm .git/hooks/pre-commit && touch .git/index.lock").assert_code(0);
    let screen = chooses(accepting(&lent, &COMMITS), &[], 1);
    assert!(shows(&screen, "nothing was accepted or committed: the index is locked"), "{screen}");
    lent.run("test -e .git/index.lock && rm .git/index.lock").assert_code(0);
    chooses(accepting(&lent, &COMMITS), &OFFERED, 0);
    assert_eq!(status(&lent), "");
    lent.told("cancel g1");
    lent.is_over();
}

/// The hook kills git grill, which takes git along.
#[test]
fn a39_what_a_killed_git_grill_staged_for_a_commit_is_taken_out_of_the_index_and_what_the_user_staged_stays() {
    if !walled() {
        return;
    }
    let lent = hooked("pre-commit", "kill -9 $(cut -d' ' -f4 /proc/$PPID/stat)\nexit 1");
    lent.run("echo mine >mine.txt && git add mine.txt").assert_code(0);
    let before = everything(&lent);
    let mut sitting = accepting(&lent, &COMMITS);
    sitting.below(OFFERED[0].0, "digits jump");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    assert_eq!(sitting.pty.exit_code(), 137);
    // git could not take its lock away either.
    lent.run("sleep 1; rm -f .git/*.lock .git/hooks/pre-commit").assert_code(0);
    assert_eq!(status(&lent), "D  README.md\nA  mine.txt\nA  new.txt\nM  ten.txt\n");
    let screen = chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
    assert!(!screen.contains("restore --staged"), "{screen}");
    assert_eq!(everything(&lent), before);
    lent.run("test ! -e .git/grill/staged").assert_code(0);
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a39_a_file_that_is_staged_otherwise_than_git_grill_staged_it_is_the_user_s() {
    if !walled() {
        return;
    }
    let lent = edited("echo new >new.txt; echo other >other.txt");
    chooses(accepting(&lent, &["g1"]), &[("Accept these 2 files of g1?", "1")], 0);
    // As a kill between the staging and the commit leaves it; then the user stages another version.
    lent.run("git add new.txt other.txt && git ls-files -s -z new.txt other.txt >.git/grill/staged").assert_code(0);
    lent.run("echo mine >new.txt && git add new.txt && echo new >new.txt").assert_code(0);
    let screen = chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
    assert!(screen.contains("git restore --staged -- :/new.txt"), "{screen}");
    assert_eq!(status(&lent), "AD new.txt\n");
    lent.told("cancel g1");
    lent.is_over();
}

/// The hook adds two files to the commit, and the user has staged one of them.
#[test]
fn a16_what_a_hook_adds_to_the_commit_is_not_left_staged_as_undone_and_the_revert_that_is_named_works() {
    if !walled() {
        return;
    }
    let lent = hooked("pre-commit", "echo v >VERSION.txt && echo h >both.txt && git add VERSION.txt both.txt");
    lent.run("echo mine >both.txt && git add both.txt").assert_code(0);
    let screen = chooses(accepting(&lent, &COMMITS), &OFFERED, 128);
    let head = lent.run("git rev-parse --short=10 HEAD").assert_code(0);
    let short = head.stdout().trim_end();
    assert!(shows(&screen, &format!("commit {short} does not hold exactly these")), "{screen}");
    assert!(shows(&screen, "VERSION.txt") && shows(&screen, "both.txt"), "{screen}");
    assert!(shows(&screen, &format!("git revert {short} takes it back if nothing is staged")), "{screen}");
    assert_eq!(status(&lent), "MM both.txt\n");
    lent.run("git show :both.txt").assert_stdout("mine\n");
    // The user's own is theirs to put away.
    lent.run(&format!("git reset -q -- both.txt && rm .git/hooks/pre-commit && git revert --no-edit {short}"))
        .assert_code(0);
    lent.run("git diff --exit-code HEAD~2 HEAD").assert_code(0);
    assert_eq!(status(&lent), "");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a39_a_commit_beside_an_unfinished_merge_is_refused_with_a_way_on() {
    if !walled() {
        return;
    }
    let lent = edited(EDITS);
    lent.run(
        "git switch -qc side && echo s >s && git add s && git commit -qm s && git switch -q main && \
         git merge -q --no-commit --no-ff side",
    )
    .assert_code(0);
    let screen = chooses(accepting(&lent, &COMMITS), &[], 1);
    assert!(shows(&screen, "nothing was accepted or committed: a merge is not finished here"), "{screen}");
    assert!(shows(&screen, "git status says how to finish or abort it; then type it again"), "{screen}");
    lent.told("cancel g1");
    lent.is_over();
}

/// The commit is the user's, with every filter. What git grill does around it is not.
#[test]
fn a39_what_is_unstaged_after_a_kill_runs_no_filter_of_the_repository_s_own() {
    if !walled() {
        return;
    }
    let lent = edited("echo new >new.txt; echo other >other.txt");
    chooses(accepting(&lent, &["g1"]), &[("Accept these 2 files of g1?", "1")], 0);
    lent.run("git add new.txt other.txt && git ls-files -s -z new.txt other.txt >.git/grill/staged").assert_code(0);
    lent.run(
        "echo 'README.md filter=evil' >.git/info/attributes && git config filter.evil.clean 'touch ../ran; cat' && \
         touch -d 2001-01-01 README.md",
    )
    .assert_code(0);
    chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
    lent.run("test ! -e ../ran && test ! -e .git/grill/staged && git config --unset filter.evil.clean").assert_code(0);
    assert_eq!(status(&lent), "");
    lent.told("cancel g1");
    lent.is_over();
}
