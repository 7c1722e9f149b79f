//! Work is kept before anything is tidied (A26), and what is tidied is ours alone (A17, A43).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use git_grill::lend::cleanup::{Loss, cleanup, inventory};
use git_grill::lend::commits::beyond_files;
use git_grill::lend::include::include;
use git_grill::lend::keep::{keep, would_keep};
use git_grill::lend::place::{Wanted, place};
use git_grill::lend::{LendError, LentFolder, highest_named};

use super::{AGENT, Yard};

#[test]
fn a26_everything_is_kept_on_a_ref_and_comes_back_as_it_was() {
    let yard = Yard::new();
    let proof = yard.place();
    yard.sh(
        &yard.copy(),
        "echo x >>src/a && git add -A && git commit -qm mine && echo y >new && rm -r lib && printf '\\0' >bin2",
    );
    let kept = keep(&yard.parent(), &yard.folder(), AGENT).unwrap();
    assert_eq!(kept.reference, "refs/grill/local/agents/g1");
    let sentence = kept.in_words();
    let (_, command) = sentence.split_once("; to make it a branch: ").unwrap();
    yard.sh(&yard.repo(), command.lines().next().unwrap());
    assert_eq!(yard.sh(&yard.repo(), "cat src/a new; ls; git log --format=%an -1"), {
        let content = "one\nmore\nx\ny\n";
        format!("{content}{}\nan agent (via git grill)", yard.sh(&yard.copy(), "ls"))
    });
    assert_eq!(yard.sh(&yard.repo(), "git rev-parse HEAD~1"), proof.head.to_string());
    // Again, nothing is added; after more work the ref goes forward.
    assert_eq!(keep(&yard.parent(), &yard.folder(), AGENT).unwrap().commit, kept.commit);
    yard.sh(&yard.copy(), "echo z >z");
    let later = keep(&yard.parent(), &yard.folder(), AGENT).unwrap();
    assert_eq!(yard.sh(&yard.repo(), &format!("git rev-parse {}^", later.commit)), kept.commit.to_string());
}

#[test]
fn a26_what_worktreeinclude_brought_in_is_left_out_under_another_name_too() {
    let yard = Yard::new();
    yard.sh(&yard.repo(), "echo .env >.worktreeinclude && git add -A && git commit -qm i && echo TOKEN=secret >.env");
    yard.place();
    include(&yard.parent(), &yard.folder()).unwrap();
    yard.sh(
        &yard.copy(),
        "echo >.gitignore && cp .env copied && mkdir d && mv .env d/ && git add -f . && echo w >work",
    );
    let kept = keep(&yard.parent(), &yard.folder(), AGENT).unwrap();
    let names = yard.sh(&yard.repo(), &format!("git ls-tree -r --name-only {}", kept.commit));
    assert!(names.contains("work") && !names.contains(".env") && !names.contains("copied"), "{names}");
    let log = format!("git log -p --format= {}", kept.commit);
    assert!(!yard.sh(&yard.repo(), &log).contains("secret"));
    assert_eq!(kept.left_out.len(), 2);
    assert!(kept.left_out.iter().all(|one| !one.why.is_loss()));
}

#[test]
fn a17_only_what_is_ours_goes_and_no_metadata_is_left() {
    let yard = Yard::new();
    fs::create_dir(yard.at("outside")).unwrap();
    fs::write(yard.at("outside/file"), "theirs").unwrap();
    yard.place();
    fs::write(yard.root().join("g1/ledger.jsonl"), "{}").unwrap();
    symlink(yard.at("outside"), yard.copy().join("link out")).unwrap();
    symlink(yard.at("outside"), yard.root().join("g1/beside")).unwrap();
    yard.sh(&yard.copy(), "mkdir -p closed/in && echo x >closed/in/x && mkfifo pipe && chmod 500 closed/in");
    let planned = inventory(&yard.folder()).unwrap();
    assert!(planned.paths.contains(&yard.copy().join("closed/in/x")) && yard.copy().exists());
    let tidied = cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap();
    let under = |path: &PathBuf| path.starts_with(yard.copy()) || path.starts_with(yard.root().join("g1/lent"));
    assert!(tidied.removed.iter().all(under));
    for path in [yard.copy(), yard.copy().join("link out"), yard.copy().join("pipe"), yard.copy().join("closed/in/x")] {
        assert!(tidied.removed.contains(&path) && path.symlink_metadata().is_err(), "{}", path.display());
    }
    assert!(tidied.bytes > 0 && tidied.kept.unwrap().is_changed);
    assert_eq!(fs::read_to_string(yard.at("outside/file")).unwrap(), "theirs");
    let mut left: Vec<_> = fs::read_dir(yard.root().join("g1")).unwrap().map(|one| one.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["beside", "ledger.jsonl"]);
    assert_eq!(yard.sh(&yard.repo(), "git worktree list | wc -l; git status --porcelain").trim(), "1");
    assert_eq!(yard.sh(&yard.repo(), "git show refs/grill/local/agents/g1:closed/in/x"), "x");
    // Done again, there is nothing more to do.
    let again = cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap();
    assert_eq!((again.removed, again.kept), (Vec::new(), None));
}

#[test]
fn a17_where_nothing_was_changed_no_ref_is_left() {
    let yard = Yard::new();
    yard.place();
    let tidied = cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap();
    assert_eq!(tidied.kept.unwrap().in_words(), "g1 changed nothing");
    assert_eq!(yard.sh(&yard.repo(), "git for-each-ref refs/grill"), "");
}

#[test]
fn a26_what_cannot_be_kept_is_removed_only_with_the_user_s_word() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "git init -q vendored && echo theirs >vendored/file && echo x >x");
    let refused = cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap_err();
    assert_eq!(refused, LendError::WouldLose { paths: vec![b"vendored".to_vec()] });
    assert!(yard.copy().join("vendored/file").exists());
    assert_eq!(yard.sh(&yard.repo(), "git show refs/grill/local/agents/g1:x"), "x", "the rest is kept already");
    cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Accepted).unwrap();
    assert!(!yard.copy().exists());
}

#[test]
fn a26_a_number_that_is_used_again_keeps_what_its_forerunner_left() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "echo earlier >earlier");
    let earlier = cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap().kept.unwrap().commit;
    yard.place();
    yard.sh(&yard.copy(), "echo later >later");
    let later = cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap().kept.unwrap().commit;
    yard.sh(&yard.repo(), &format!("git merge-base --is-ancestor {earlier} {later}"));
    let names = yard.sh(&yard.repo(), &format!("git ls-tree --name-only {later}"));
    assert!(names.contains("later") && !names.contains("earlier"), "{names}");
}

/// Whatever step a process dies at, the next `cleanup` goes on from there: here, with half of the copy removed.
#[test]
fn a17_a_cleanup_that_was_cut_off_keeps_the_whole_work() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "echo x >x");
    let kept = keep(&yard.parent(), &yard.folder(), AGENT).unwrap().commit;
    fs::write(yard.root().join("g1/lent/tidying"), "\n").unwrap();
    fs::remove_dir_all(yard.copy().join("src")).unwrap();
    let tidied = cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap();
    assert_eq!(tidied.kept.unwrap().commit, kept);
    assert!(!yard.copy().exists() && !yard.root().join("g1/lent").exists());
}

#[test]
fn a17_the_folder_of_a_session_that_is_a_link_is_not_followed() {
    let yard = Yard::new();
    yard.place();
    symlink(yard.root().join("g1"), yard.root().join("g2")).unwrap();
    let linked = LentFolder::of(&yard.root(), "g2").unwrap();
    assert!(inventory(&linked).is_err());
    let again = place(&yard.parent(), &linked, &Wanted { cwd: &yard.repo(), by: AGENT }).unwrap_err();
    assert_eq!(again.code(), "worktree_wrong");
    assert!(yard.copy().join("src/a").exists());
}

/// Two commits on a branch, two stashes and a tag: the files of the copy show nothing of them.
const ELSEWHERE: &str = "git switch -qc fix/parse && echo x >>src/a && git commit -qam one && echo y >y && git add y &&
    git commit -qm two && git switch -q --detach main && echo s >>src/a && git stash -q && echo t >>src/a &&
    git stash -q && git tag -am mine v2";

/// Its refs that keep work, by name.
fn refs(yard: &Yard) -> String {
    yard.sh(&yard.repo(), "git for-each-ref --format='%(refname)' refs/grill/local/agents")
}

#[test]
fn a26_commits_stashes_and_tags_that_the_files_do_not_show_are_kept_and_named() {
    // Loose, and packed by the agent, whose own settings, hooks and alternates count for nothing.
    let hostile = "git gc -q && git pack-refs --all && git config --replace-all core.bare true && git config core.worktree / &&
        echo / >>.git/objects/info/alternates && printf '#!/bin/sh\\ntouch ../ran\\n' >.git/hook && chmod +x .git/hook &&
        mkdir -p .git/hooks && for one in reference-transaction pre-auto-gc; do cp .git/hook .git/hooks/$one; done &&
        printf '[uploadpack]\\n\\tpackObjectsHook = ../.git/hook\\n[core]\\n\\tfsmonitor = .git/hook\\n' >>.git/config";
    for more in ["true", hostile] {
        let yard = Yard::new();
        yard.place();
        yard.sh(&yard.copy(), &format!("{ELSEWHERE} && {more}"));
        let (parent, folder) = (yard.parent(), yard.folder());
        let (beyond, unkept) = beyond_files(&parent, &folder).unwrap();
        let told: Vec<String> = beyond.iter().map(ToString::to_string).collect();
        let named = ["2 commits on fix/parse", "the tag v2", "the stash stash@{0}", "the stash stash@{1}"];
        assert_eq!((told, unkept.len()), (named.map(str::to_owned).to_vec(), 0), "{more}");
        let lines = would_keep(&parent, &folder).unwrap();
        assert_eq!(lines[..2], ["g1 changed no file", "2 commits on fix/parse would be kept in a ref of its own"]);
        assert_eq!(refs(&yard), "refs/grill/local/agents/g1", "nothing is kept by looking");

        let kept = cleanup(&parent, &folder, AGENT, Loss::Refused).unwrap().kept.unwrap();
        assert!(!yard.copy().exists());
        let own = "refs/grill/local/agents/g1";
        let expected = format!(
            "g1 changed no file\n2 commits on fix/parse are kept in {own}-1: git log {own}-1\nthe tag v2 is kept in \
             {own}-2: git show {own}-2\nthe stash stash@{{0}} is kept in {own}-3: git stash apply {own}-3\nthe stash \
             stash@{{1}} is kept in {own}-4: git stash apply {own}-4"
        );
        assert_eq!(kept.in_words(), expected);
        assert_eq!(refs(&yard), format!("{own}-1\n{own}-2\n{own}-3\n{own}-4"), "one without work has no ref");
        assert_eq!(highest_named(&parent).unwrap(), 1, "no other session gets the number");
        assert_eq!(yard.sh(&yard.repo(), &format!("git log -2 --format=%s {own}-1")), "two\none");
        assert_eq!(yard.sh(&yard.repo(), &format!("git cat-file -t {own}-2")), "tag");
        yard.sh(&yard.repo(), &format!("git stash apply -q {own}-4 && git fsck --no-dangling"));
        assert_eq!(yard.sh(&yard.repo(), "cat src/a"), "one\nmore\ns");
        assert!(!yard.root().join("g1/ran").exists(), "nothing of the agent's was run");
    }
}

#[test]
fn a26_where_its_head_was_an_agent_s_commits_are_kept_beside_its_files_and_once() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "echo x >x && git add x && git commit -qm mine && git tag here && echo y >y");
    let (parent, folder) = (yard.parent(), yard.folder());
    assert!(beyond_files(&parent, &folder).unwrap().0.is_empty(), "its files show what they led to");
    let kept = keep(&parent, &folder, AGENT).unwrap();
    let told: Vec<String> = kept.commits.iter().map(|one| one.what.as_ref().unwrap().to_string()).collect();
    assert_eq!((told, kept.is_changed), (vec!["1 commit of HEAD".to_owned()], true));
    let all = refs(&yard);
    let again = keep(&parent, &folder, AGENT).unwrap();
    assert_eq!((again.commit, again.commits.len(), refs(&yard)), (kept.commit, 1, all));
    yard.sh(&yard.copy(), "git commit -q --allow-empty -m more");
    assert_eq!(keep(&parent, &folder, AGENT).unwrap().commits.len(), 2);
    assert!(refs(&yard).ends_with("/g1-2"), "{}", refs(&yard));
}

#[test]
fn a26_commits_that_cannot_be_read_or_hold_a_secret_go_only_with_the_user_s_word() {
    let yard = Yard::new();
    yard.sh(&yard.repo(), "echo .env >.worktreeinclude && git add -A && git commit -qm i && echo TOKEN=secret >.env");
    yard.place();
    include(&yard.parent(), &yard.folder()).unwrap();
    let line = "git switch -qc s && git add -f .env && git commit -qm s && git switch -q --detach main";
    yard.sh(&yard.copy(), &format!("{ELSEWHERE} && {line}"));
    let refused = cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap_err();
    assert_eq!(refused, LendError::WouldLose { paths: vec![b"refs/heads/s".to_vec()] });
    assert!(!yard.sh(&yard.repo(), "git log --all -p --format=").contains("secret"));
    assert_eq!(refs(&yard).lines().count(), 5, "the rest is kept already");

    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), &format!("{ELSEWHERE} && rm -rf .git/objects/??"));
    let named = ["refs/heads/fix/parse", "refs/tags/v2", "stash@{0}", "stash@{1}"];
    let refused = cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap_err();
    assert_eq!(refused, LendError::WouldLose { paths: named.map(|name| name.as_bytes().to_vec()).to_vec() });
    cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Accepted).unwrap();
    assert!(!yard.copy().exists());
}

#[test]
fn a26_a_branch_that_cannot_be_read_takes_no_other_one_with_it() {
    let object =
        |name: &str| format!("o=$(git rev-parse {name}) && f=.git/objects/$(echo $o | sed 's,..,&/,') && chmod u+w $f");
    for damage in [
        format!("{} && echo junk >$f", object("evil:e1")),
        format!("{} && rm $f", object("evil^{tree}")),
        format!("{} && echo junk >$f", object("evil")),
        format!("{} && rm $f", object("evil~1")),
    ] {
        let yard = Yard::new();
        yard.place();
        let line =
            "git switch -qc good && echo g >g && git add g && git commit -qm good && git switch -q --detach main &&
            git switch -qc evil && echo 1 >e1 && git add e1 && git commit -qm one && echo 2 >e2 && git add e2 &&
            git commit -qm two && git switch -q --detach main";
        yard.sh(&yard.copy(), &format!("{line} && {damage}"));
        let (parent, folder) = (yard.parent(), yard.folder());
        let (beyond, unkept) = beyond_files(&parent, &folder).unwrap();
        let told: Vec<String> = beyond.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["1 commit on good"], "{damage}");
        assert_eq!(unkept.iter().map(|one| one.path.as_slice()).collect::<Vec<_>>(), [b"refs/heads/evil"], "{damage}");
        let lines = would_keep(&parent, &folder).unwrap();
        assert!(lines.contains(&"1 commit on good would be kept in a ref of its own".to_owned()), "{lines:?}");
        let refused = cleanup(&parent, &folder, AGENT, Loss::Refused).unwrap_err();
        assert_eq!(refused, LendError::WouldLose { paths: vec![b"refs/heads/evil".to_vec()] }, "{damage}");
        assert_eq!(yard.sh(&yard.repo(), "git show refs/grill/local/agents/g1-1:g"), "g");
    }
}

#[test]
fn a26_no_ref_is_spent_on_what_another_one_keeps_where_there_are_too_many() {
    let yard = Yard::new();
    yard.place();
    let chain = "p=$(git rev-parse HEAD); for i in $(seq 103); do
        p=$(echo $i | git commit-tree -p $p HEAD^{tree}); git update-ref refs/heads/b$i $p; done";
    yard.sh(&yard.copy(), chain);
    let (beyond, unkept) = beyond_files(&yard.parent(), &yard.folder()).unwrap();
    let told: Vec<String> = beyond.iter().map(ToString::to_string).collect();
    assert_eq!((told, unkept.len()), (vec!["103 commits on b103".to_owned()], 0));
    let apart =
        "for i in $(seq 101); do p=$(echo $i | git commit-tree HEAD^{tree}); git update-ref refs/heads/c$i $p; done";
    yard.sh(&yard.copy(), apart);
    let (beyond, unkept) = beyond_files(&yard.parent(), &yard.folder()).unwrap();
    assert_eq!((beyond.len(), unkept.len()), (100, 2));
    assert!(unkept.iter().all(|one| one.why.in_words() == "100 branches, stashes and tags are kept, and no more"));
}
