//! What a run cannot do to the repository, as root and as anybody else.

use std::path::PathBuf;

use super::footprint::{changed, footprint, without_change_times};
use crate::bench::Bench;

/// Every way to write that a shell has; each says so when it got through.
const WRITES: &str = "
    (echo x > new) && echo created
    (echo x >> README.md) && echo appended
    (: > README.md) && echo emptied
    rm -f README.md && echo removed
    mv README.md other && echo renamed
    mv README.md $TMPDIR/ && echo taken
    ln README.md linked && echo linked
    ln README.md $TMPDIR/linked && echo linked out
    ln -s README.md pointed && echo pointed
    mkdir folder && echo made
    truncate -s 0 README.md && echo truncated
    chmod 777 README.md && echo modes
    chmod 777 . && echo modes of the folder
    chown $(id -u) README.md && echo owners
    touch README.md && echo times
    touch -a README.md && echo access times
    touch .git/HEAD && echo head
    cp $TMPDIR/../made .git/hooks/pre-commit
    (echo x > .git/hooks/pre-commit) && echo hooks
    mkdir .claude && echo settings
    true";

/// Ways to change the repository with git.
const GIT: &str = "
    git add -A && echo added
    git commit --quiet --allow-empty --no-verify -m x && echo committed
    git -c core.hooksPath=/dev/null update-ref refs/heads/x HEAD && echo branched
    git config user.name x && echo configured
    git checkout -b y && echo switched
    git tag t && echo tagged
    git stash --include-untracked && echo stashed
    git gc --quiet && echo packed
    git reset --hard && echo reset
    git clean -fdx && echo cleaned
    git apply try.patch && echo applied
    git worktree add ../tree && echo grown
    git notes add -m x && echo noted
    git fetch . main:z && echo fetched
    git hash-object -w README.md && echo stored
    true";

/// Ways around the walls.
const TRICKS: &str = "
    umount \"$PWD\" && echo unmounted
    umount -l / && echo unmounted all
    mount -o remount,rw / && echo remounted
    mount -o remount,bind,rw \"$PWD\" && echo remounted here
    mount --bind $TMPDIR \"$PWD\" && echo covered
    mount -t tmpfs none \"$PWD\" && echo covered too
    unshare -m sh -c 'mount -o remount,rw /; echo x > new' && echo unshared
    unshare -Urm sh -c 'mount -o remount,bind,rw \"$PWD\"; umount -l \"$PWD\"; echo x > new' && echo unshared as root
    unshare -Urm sh -c 'mount -t tmpfs none /tmp; umount -l /tmp; umount -l /; echo x > new' && echo uncovered
    nsenter -t $OUTSIDE -m sh -c 'echo x > new' && echo entered
    nsenter -t 1 -m sh -c 'echo x > new' && echo entered the first
    (echo x > /proc/self/root$PWD/new) && echo root
    (echo x > /proc/self/cwd/new) && echo cwd
    (echo x > /proc/1/root$PWD/new) && echo root of the first
    (echo x > /proc/$OUTSIDE/root$PWD/new) && echo root outside
    (echo x > /proc/$OUTSIDE/cwd/new) && echo cwd outside
    (: > /proc/$OUTSIDE/mem) && echo memory outside
    kill -CONT $OUTSIDE && echo signalled
    (echo x >&5) && echo through a file that was open
    (echo x >&6) && echo through another
    mknod $TMPDIR/disk b 254 0 && (: < $TMPDIR/disk) && echo a disk of its own
    for disk in /dev/[vs]da /dev/nvme0n1 /dev/loop0; do (: < $disk) && echo a disk; done
    (echo 0 > /proc/sys/kernel/randomize_va_space) && echo the kernel
    (echo x > /proc/sysrq-trigger) && echo the machine
    (echo x > $HOME/.profile) && echo the shell
    (echo x > $HOME/.gitconfig) && echo the settings
    perl -e '$x = \"x\"; ioctl(STDOUT, 0x5412, $x); exit($! !~ /not permitted/)' || echo typed
    sudo -n true && echo sudo
    true";

/// Runs a script behind walls and checks what it said it did, and that nothing is different.
fn tried(script: &str, profile: &str, user: User) {
    let bench = Bench::on_disk(Bench::new);
    bench.write("try.sh", script);
    bench.write("try.patch", "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# demo\n+# omed\n");
    let run = |line: &str| match user {
        User::Myself => bench.run(line),
        User::Nobody => bench.as_nobody(line),
    };
    let seen = || match user {
        User::Myself => footprint(bench.repo()),
        // The bench gives its world away again before each command.
        User::Nobody => without_change_times(footprint(bench.repo())),
    };
    // The world is given away once, and what git finds stale is refreshed.
    let _ = run("git status --short").assert_code(0);
    let before = seen();
    let line = format!(
        "sleep 600 >/dev/null 2>&1 & OUTSIDE=$!; export OUTSIDE; \
         git grill run --profile {profile} -- sh ./try.sh 5>>README.md 6>>.git/config; kill $OUTSIDE"
    );
    let output = run(&line);
    assert_eq!(output.stdout, "", "{profile}: {output}");
    let _ = output.assert_code(0);
    assert_eq!(changed(&before, &seen()), Vec::<PathBuf>::new(), "{profile}");
}

#[derive(Clone, Copy)]
enum User {
    Myself,
    Nobody,
}

fn every_way(script: &str) {
    for profile in ["agent", "command"] {
        tried(script, profile, User::Myself);
        tried(script, profile, User::Nobody);
    }
}

#[test]
fn g37_nothing_in_the_repository_can_be_written() {
    every_way(WRITES);
}

#[test]
fn g37_git_changes_nothing_whatever_its_options() {
    every_way(GIT);
}

#[test]
fn g37_no_trick_leads_around_the_walls() {
    every_way(TRICKS);
}
