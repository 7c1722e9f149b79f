//! What an agent's git does in its working copy leaves the parent as it is, byte for byte, without any wall (A40); and
//! nothing of what an agent writes into its copy is run when the copy is read (A15).

use std::fs;
use std::os::unix::fs::symlink;

use git_grill::lend::Why;
use git_grill::lend::changes::{Reader, changes, diff};

use super::Yard;

#[test]
fn a40_the_parent_is_byte_identical_after_whatever_the_agent_s_git_did() {
    let yard = Yard::new();
    yard.sh(&yard.repo(), "git branch other HEAD~1");
    let proof = yard.place();
    let before = yard.bytes();
    let variables: String =
        proof.environment().iter().map(|(name, value)| format!("{}='{}'; ", name.display(), value.display())).collect();
    for attack in [
        "git config core.bare true; git config core.worktree /; git config --unset core.worktree; git config core.bare false",
        "GIT_DIR=.git git init -q",
        "git worktree remove --force . ; git worktree prune; git worktree add -q ../aside; git worktree remove --force ../aside",
        "echo n >n; git add -A; git commit -qm n; git switch -qc main2; git branch -f main HEAD; git update-ref refs/heads/other HEAD",
        "git gc -q --prune=now; git repack -adq; git prune; git pack-refs --all; git reflog expire --all --expire=now",
        "git stash -q; git reset -q --hard HEAD~1; git clean -fdxq; git tag -d v1; git checkout -q --orphan z; git rm -rqf .",
        "git push origin HEAD; git push . HEAD:refs/heads/pushed; git fetch; git remote add o /nowhere",
        "git replace -f HEAD HEAD~1; git notes add -m x",
        "rm -rf .git; export GIT; git config core.bare true; git init -q --bare .; rm -rf ./* .git*; git config core.bare true",
    ] {
        let (_, told) = yard.try_sh(&yard.copy(), &format!("{variables} export GIT_CEILING_DIRECTORIES; {attack}"));
        assert_eq!(yard.bytes(), before, "{attack}: {told}");
    }
}

/// Everything by which a repository can have git run a program: the agent writes it, and we read the copy.
#[test]
fn a15_nothing_of_a_hostile_copy_is_run_or_obeyed() {
    let yard = Yard::new();
    yard.place();
    let copy = yard.copy();
    let trap = yard.at("trap");
    crate::bench::executable(&trap, format!("#!/bin/sh\necho \"$0 $*\" >>'{}'\ncat\n", yard.at("ran").display()));
    let line = format!(
        "t='{}'; for key in core.fsmonitor core.hooksPath core.sshCommand core.pager core.editor core.askPass diff.external \
         diff.d.command diff.d.textconv filter.f.clean filter.f.smudge filter.f.process gpg.program interactive.diffFilter \
         credential.helper uploadpack.packObjectsHook alias.status alias.diff-tree; do git config \"$key\" \"$t\"; done;
         git config core.attributesFile /dev/zero; git config core.worktree /; git config core.bare true;
         mkdir -p .git/hooks; for hook in post-index-change reference-transaction pre-commit; do cp \"$t\" .git/hooks/$hook; done;
         printf '* diff=d filter=f\\n' >.gitattributes; printf '* diff=d filter=f\\n' >.git/info/attributes;
         echo / >>.git/objects/info/alternates; echo changed >src/a; echo new >new",
        trap.display()
    );
    yard.sh(&copy, &line);
    let found = changes(&yard.parent(), &yard.folder()).unwrap();
    let paths: Vec<&[u8]> = found.files.iter().map(|file| file.path.as_slice()).collect();
    assert_eq!(paths, [b".gitattributes".as_slice(), b"new", b"src/a"]);
    let patch = diff(&yard.parent(), &yard.folder(), &found, &[], Reader::Git).unwrap();
    assert!(String::from_utf8(patch).unwrap().contains("\n+changed\n"));
    assert!(!yard.at("ran").exists(), "{}", fs::read_to_string(yard.at("ran")).unwrap_or_default());
}

#[test]
fn a15_what_git_would_wait_for_or_follow_is_named_and_left_alone() {
    let yard = Yard::new();
    yard.place();
    let copy = yard.copy();
    let line = "mkfifo pipe src/.gitignore sub.log && mkfifo .git/index.lock && rm -f .gitattributes && mkfifo .gitattributes &&
        mkdir -p inner/.git && mkfifo inner/.git/HEAD && echo theirs >inner/file && rm -rf lib && mkfifo lib &&
        mkdir -p closed && echo c >closed/c && rm -f .git/index && mkfifo .git/index && mkdir target && mkfifo target/pipe";
    yard.sh(&copy, line);
    symlink("/", copy.join("root")).unwrap();
    symlink("../../../../..", copy.join("up")).unwrap();
    let found = changes(&yard.parent(), &yard.folder()).unwrap();
    let files: Vec<(&[u8], char)> =
        found.files.iter().map(|file| (file.path.as_slice(), file.status.letter())).collect();
    let expected: [(&[u8], char); 4] = [(b"closed/c", 'A'), (b"lib/c", 'D'), (b"root", 'A'), (b"up", 'A')];
    assert_eq!(files, expected);
    let named: Vec<(&[u8], Why)> = found.left_out.iter().map(|one| (one.path.as_slice(), one.why)).collect();
    let expected: [(&[u8], Why); 5] = [
        (b".gitattributes", Why::Irregular),
        (b"inner", Why::Repository),
        (b"lib", Why::Irregular),
        (b"pipe", Why::Irregular),
        (b"src/.gitignore", Why::Irregular),
    ];
    assert_eq!(named, expected);
    assert!(!diff(&yard.parent(), &yard.folder(), &found, &[], Reader::Git).unwrap().is_empty());
}

#[test]
fn a15_names_that_git_takes_nowhere_are_named() {
    let yard = Yard::new();
    yard.place();
    yard.sh(
        &yard.copy(),
        "mkdir .GIT && echo x >.GIT/config && echo y >'git~1' && ln -s /etc/passwd .gitmodules && echo z >z",
    );
    let found = changes(&yard.parent(), &yard.folder()).unwrap();
    assert_eq!(found.files.len(), 1);
    let named: Vec<(&[u8], Why)> = found.left_out.iter().map(|one| (one.path.as_slice(), one.why)).collect();
    let expected: [(&[u8], Why); 3] = [(b".GIT", Why::Name), (b".gitmodules", Why::Name), (b"git~1", Why::Name)];
    assert_eq!(named, expected);
}
