//! What stands in the way of a commit, each by its name; nothing is lost or half done.

use super::{changed, drafted, refused, state};
use crate::bench::Bench;

#[test]
fn g31_without_a_branch_to_commit_on_nothing_is_even_approved() {
    for (before, says) in [
        ("git checkout -q --detach", "HEAD is detached"),
        (
            "git switch -qc side && echo s >s && git add s && git commit -qm s && git switch -q main \
          && git merge -q --no-commit --no-ff side",
            "a merge is not finished",
        ),
        (
            "git switch -qc side && echo s >s && git add s && git commit -qm s && git switch -q main \
          && git merge -q --squash side",
            "a squashed merge is not finished",
        ),
        ("echo two >README.md && git commit -qam two && git revert -n HEAD", "is not finished"),
        (
            "echo two >README.md && git commit -qam two && git revert -n HEAD && rm .git/MERGE_MSG",
            "a revert is not finished",
        ),
        ("git rev-parse HEAD >.git/CHERRY_PICK_HEAD", "a cherry-pick is not finished"),
        ("git rev-parse HEAD >.git/MERGE_HEAD", "a merge is not finished"),
    ] {
        let bench = Bench::new();
        bench.run(before).assert_code(0);
        drafted(&bench, "d.md");
        let said = refused(&bench, "git grill approve --commit", 1).stderr;
        assert!(said.contains("nothing was written or committed") && said.contains(says), "{before}: {said}");
        assert!(said.contains("hint: git "), "{said}");
        assert!(!bench.repo().join("d.md").exists(), "{before}");
        // Without the commit it is written all the same.
        bench.run("git grill approve").assert_code(0);
    }
    let bench = Bench::empty();
    drafted(&bench, "d.md");
    let said = bench.run("git grill approve --commit");
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("the branch has no commit yet"), "{}", said.stderr);
}

#[test]
fn g31_what_git_takes_no_offence_at_stays_as_it_is_beside_the_commit() {
    const CONFLICT: &str = "id=$(git rev-parse HEAD:README.md); git rm -q --cached README.md; \
        printf '100644 %s 1\\tREADME.md\\n100644 %s 2\\tREADME.md\\n' $id $id | git update-index --index-info";
    for before in [CONFLICT, "git bisect start"] {
        let bench = Bench::new();
        bench.run(before).assert_code(0);
        drafted(&bench, "d.md");
        let others = "git ls-files --stage README.md; ls .git | grep BISECT";
        let stood = bench.run(others).stdout;
        bench.run("git grill approve --commit").assert_code(0).assert_contains("committed d.md on main as");
        assert_eq!(changed(&bench.at(".")), "A\td.md\n", "{before}");
        assert_eq!(bench.run(others).stdout, stood, "{before}");
    }
}

#[test]
fn g31_a_file_that_git_status_does_not_look_at_is_committed_and_stays_unstaged_when_that_fails() {
    let bench = Bench::new();
    bench.commit("d.md", "# D\n");
    drafted(&bench, "d.md");
    bench.run("git grill approve && git update-index --assume-unchanged d.md").assert_code(0);
    bench.write(".git/hooks/pre-commit", "#!/bin/sh\ntest -e ok\n");
    bench.run("chmod +x .git/hooks/pre-commit").assert_code(0);
    drop(refused(&bench, "git grill produce --commit", 128));
    bench.run("touch ok && git grill produce --commit").assert_code(0);
    assert_eq!(changed(&bench.at(".")), "M\td.md\n");
}

#[test]
fn what_is_staged_for_the_same_file_is_never_lost() {
    for staging in ["echo mine >d.md && git add d.md", "git rm -q --cached d.md"] {
        let bench = Bench::new();
        bench.commit("d.md", "# D\n");
        drafted(&bench, "d.md");
        bench.run("git grill approve").assert_code(0);
        bench.run("cp d.md ../kept").assert_code(0);
        bench.run(&format!("{staging}; cp ../kept d.md")).assert_code(0);
        let said = refused(&bench, "git grill produce --commit", 1).stderr;
        assert!(said.contains("d.md stands as it was written and is not committed"), "{said}");
        assert!(said.contains("the staged change of d.md is not what git grill wrote"), "{said}");
        bench.run("git add -- d.md && git grill produce --commit").assert_code(0);
        bench.run("git show HEAD:d.md | cmp - ../kept").assert_code(0);
    }
}

/// A git that was killed left its lock: the error leads to what names it, and that to what takes it away.
#[test]
#[cfg(target_os = "linux")]
fn p1_a_lock_that_a_dead_git_left_is_named_by_what_the_error_says() {
    let bench = Bench::new();
    drafted(&bench, "d.md");
    bench.run("touch .git/index.lock").assert_code(0);
    let failed = bench.run("git grill approve --commit").assert_code(128);
    failed.assert_contains("if none runs, git grill doctor says what was left");
    let told = bench.run("git grill doctor").assert_contains("index.lock is there, and no process").stdout().to_owned();
    let command = told.lines().find_map(|line| line.trim().strip_prefix("mend it: rm ")).expect("a command");
    bench.run(&format!("rm {command} && git grill produce --commit")).assert_code(0);
    bench.run("git grill doctor && git status --porcelain").assert_code(0).assert_lacks("d.md");
}

#[test]
fn an_ignored_file_is_committed_only_when_somebody_takes_it_in() {
    let bench = Bench::new();
    drafted(&bench, "d.md");
    // One that is ignored already is not chosen in the first place.
    bench.run("echo '*.md' >>.git/info/exclude").assert_code(0);
    let before = state(&bench);
    let said = bench.run("git grill approve --commit");
    assert_eq!((said.code, state(&bench)), (1, before), "{}", said.stderr);
    assert!(said.stderr.contains("d.md is ignored by git") && bench.repo().join("d.md").exists(), "{}", said.stderr);
    bench.run("git add -f -- d.md && git grill produce --commit").assert_code(0);
}

#[test]
fn g31_what_was_changed_since_is_not_what_was_approved() {
    for deed in ["echo more >>d.md", "rm d.md", "rm d.md && ln -s README.md d.md", "rm d.md && mkdir d.md"] {
        let bench = Bench::new();
        drafted(&bench, "d.md");
        bench.run(&format!("git grill approve && {deed}")).assert_code(0);
        let before = state(&bench);
        let said = bench.run("git grill produce --commit");
        assert!(said.code == 1 || said.code == 128, "{deed}: {}", said.stderr);
        assert_eq!(state(&bench), before, "{deed}");
        assert!(said.stderr.contains("d.md"), "{deed}: {}", said.stderr);
    }
}

#[test]
fn a_link_to_the_same_bytes_is_not_the_file_that_was_approved() {
    let bench = Bench::new();
    bench.commit("d.md", "# D\n");
    drafted(&bench, "d.md");
    bench.run("git grill approve && mv d.md copy.md && ln -s copy.md d.md").assert_code(0);
    drop(refused(&bench, "git grill produce --commit", 1));
    // A folder of the path as a link: git does not look behind it.
    let bench = Bench::new();
    drafted(&bench, "docs/d.md");
    bench.run("git grill approve && mv docs real && ln -s real docs").assert_code(0);
    let said = refused(&bench, "git grill produce --commit", 1).stderr;
    assert!(said.contains("docs/d.md leads through the symlink docs"), "{said}");
}

#[test]
fn g31_a_file_behind_a_symlink_is_not_even_written_where_a_commit_is_wanted() {
    let bench = Bench::new();
    bench.commit("real/r.md", "# R\n");
    bench.run("ln -s real docs && git add docs && git commit -qm link").assert_code(0);
    drafted(&bench, "docs/d.md");
    for line in ["git grill approve --commit", "git grill approve docs/d.md --commit", "git grill produce --commit"] {
        let said = refused(&bench, line, 1).stderr;
        assert!(said.contains("nothing was written or committed: docs/d.md leads through the symlink docs"), "{said}");
        assert!(!bench.repo().join("real/d.md").exists());
    }
    bench.run("git grill approve").assert_code(0);
    assert!(bench.repo().join("real/d.md").exists());
}

#[test]
fn g33_what_is_staged_besides_and_announced_is_as_before_when_the_commit_is_refused() {
    let bench = Bench::new();
    bench.commit("d.md", "# D\n");
    drafted(&bench, "d.md");
    bench.run("git grill approve && echo x >other && git add other").assert_code(0);
    bench.write(".git/hooks/pre-commit", "#!/bin/sh\ntest -e ok\n");
    bench.run("chmod +x .git/hooks/pre-commit").assert_code(0);
    drop(refused(&bench, "git grill produce --commit", 128));
    let new = Bench::new();
    drafted(&new, "d.md");
    new.run("git grill approve && git add --intent-to-add d.md").assert_code(0);
    new.write(".git/hooks/pre-commit", "#!/bin/sh\ntest -e ok\n");
    new.run("chmod +x .git/hooks/pre-commit").assert_code(0);
    drop(refused(&new, "git grill produce --commit", 128));
    assert_eq!(new.run("git status --porcelain d.md").stdout, " A d.md\n");
}

/// What stands in the index where a folder is now is somebody's, and a commit that fails must not take it away.
#[test]
fn g31_a_file_in_the_index_is_no_folder_for_ours() {
    let bench = Bench::new();
    bench.commit("docs", "a file\n");
    bench.run("rm docs").assert_code(0);
    drafted(&bench, "docs/d.md");
    let said = refused(&bench, "git grill approve --commit", 128).stderr;
    assert!(said.contains("appears as both a file and as a directory"), "{said}");
}

#[test]
fn g33_an_index_that_lost_a_committed_file_to_a_kill_gets_it_back() {
    let bench = Bench::new();
    drafted(&bench, "d.md");
    bench.run("git grill approve && git add d.md && git commit -qm ours").assert_code(0);
    // As `git commit --only` left an announced file when it was killed behind the branch.
    bench.run("git update-index --force-remove d.md && git add --intent-to-add d.md").assert_code(0);
    assert_eq!(bench.run("git status --porcelain d.md").stdout, "DA d.md\n");
    bench.run("git grill produce --commit").assert_code(0);
    assert_eq!(bench.run("git status --porcelain d.md").stdout, "");
    assert_eq!(bench.run("git log --format=%s").stdout, "ours\nadd README.md\n");
}

#[test]
fn g33_doctor_gives_the_index_back_what_a_kill_took_and_leaves_what_is_staged() {
    const EMPTY: &str = "git update-index --force-remove d.md && git add --intent-to-add d.md";
    let committed = || {
        let bench = Bench::new();
        drafted(&bench, "d.md");
        bench.run("git grill approve && git add d.md && git commit -qm ours").assert_code(0);
        bench
    };
    let bench = committed();
    bench.run(&format!("echo x >other && git add other && {EMPTY}")).assert_code(0);
    let before = state(&bench);
    bench.run("git grill doctor").assert_code(1).assert_contains("the index has lost d.md");
    assert_eq!(state(&bench), before, "it only looked");
    bench.run("git grill doctor --fix").assert_code(0).assert_contains("staged d.md again");
    assert_eq!(bench.run("git status --porcelain d.md other").stdout, "A  other\n");
    let changed = format!("echo more >>d.md && {EMPTY}");
    let unfinished = format!("touch .git/MERGE_MSG && {EMPTY}");
    for staged in ["git rm -q --cached d.md", &changed, &unfinished] {
        let bench = committed();
        bench.run(staged).assert_code(0);
        let before = state(&bench);
        bench.run("git grill doctor --fix").assert_code(0);
        assert_eq!(state(&bench), before, "{staged}");
    }
}
