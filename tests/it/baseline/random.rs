//! Whatever is done to a repository during an interview: `verify` names each of it, `--restore` undoes all of it, and
//! what was replaced can be found again.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::Config;

use super::fingerprint::{self, Fingerprint};
use super::{drift, start, unhooked};
use crate::bench::{Bench, one_of};

/// Where the repository begins: each line may or may not have been done.
const BEFORE: &[&str] = &[
    "echo staged >>src/a.txt; git add src/a.txt; echo 'and more' >>src/a.txt",
    "echo first >>b.txt; git stash -q; echo second >>b.txt; git stash -q",
    "git switch -q --detach HEAD",
    "echo secret >mine.txt; chmod 600 mine.txt; ln -s b.txt link; mkdir -p deep/er; echo d >deep/er/d.txt",
    "git merge -q side",
    "git update-index --assume-unchanged run.sh",
    "echo later >later.txt; git add -N later.txt",
    "git rm -q --cached src/c.txt",
];

const DEEDS: &[&str] = &[
    "echo edited >>b.txt",
    "printf 'same size!\\n' >b.txt",
    "rm -f src/a.txt",
    "mv src/c.txt moved.txt",
    "chmod +x b.txt",
    "chmod 600 src/c.txt",
    "chmod 644 run.sh",
    "rm -f b.txt; ln -s /etc/passwd b.txt",
    "rm -rf src; ln -s .. src",
    "rm -rf src; echo 'a file now' >src",
    "rm -f b.txt; mkdir -p b.txt/in; echo x >b.txt/in/x",
    "mkdir -p new/deep; echo n >new/deep/file; : >new/empty",
    "echo x >\"$(printf 'caf\\351')\"; echo y >'with space'",
    "rm -rf mine.txt link deep",
    "echo >.gitignore",
    "printf 'mine.txt\\nnew\\n' >>.gitignore",
    "git add -A",
    "git rm -qf b.txt",
    "git rm -q --cached b.txt",
    "git mv -f src/c.txt src/d.txt",
    "git reset -q",
    "git reset -q --hard",
    "git reset -q --hard HEAD~1",
    "git clean -fdq",
    "git checkout -q side -- .",
    "git commit -qam 'a commit'",
    "git commit -q --amend -m 'another one'",
    "git branch new-branch",
    "git branch -q -D side",
    "git branch -f side HEAD",
    "git branch -q -D side; git branch side/below",
    "git tag v2; git tag -d v1",
    "git tag -a -m note v3",
    "git update-ref refs/notes/x HEAD",
    "git stash -q",
    "git stash -q -u",
    "git stash drop -q",
    "git stash pop -q",
    "git stash clear",
    "git switch -q side",
    "git switch -q -c elsewhere",
    "git switch -q --detach HEAD~1",
    "git symbolic-ref HEAD refs/heads/nowhere",
    "git merge -q side",
    "git cherry-pick side",
    "git rebase -q side",
    "git update-index --assume-unchanged src/a.txt",
    "git update-index --skip-worktree b.txt",
    "git update-index --no-assume-unchanged run.sh",
    "echo i >intended; git add -N intended",
    "git pack-refs --all; git gc -q --prune=now",
    "git status",
];

fn repository() -> Bench {
    let bench = Bench::new();
    let made = "mkdir src; printf 'one\\ntwo\\n' >src/a.txt; printf 'same size?\\n' >b.txt; echo c >src/c.txt
        printf '#!/bin/sh\\n' >run.sh; chmod +x run.sh; echo '*.log' >.gitignore; git add -A; git commit -qm two; git tag v1
        git switch -q -c side HEAD~1; mkdir -p src; echo theirs >src/a.txt; git add -A; git commit -qm side
        git switch -q main; echo ignored >it.log";
    bench.run(made).assert_code(0);
    bench
}

fn differing(before: &Fingerprint, after: &Fingerprint) -> BTreeSet<(String, String)> {
    let keys: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let differing = keys.into_iter().filter(|key| before.get(*key) != after.get(*key));
    differing.map(|(group, name)| ((*group).to_owned(), name.clone())).collect()
}

/// Files that the baseline does not hold, since they are ignored: what becomes of them is neither named nor undone.
fn ignored(bench: &Bench) -> BTreeSet<(String, String)> {
    let listed = bench.run("git ls-files --others --ignored --exclude-standard -z | tr '\\0' '\\n'").assert_code(0);
    let lines = listed.stdout().lines();
    lines.filter(|name| !name.starts_with(".grill/")).map(|name| ("working tree".to_owned(), name.to_owned())).collect()
}

/// A blob of the working tree can be found again in what was kept.
fn is_kept(bench: &Bench, name: &str, content: &[u8]) {
    let kept = bench.run(&format!(
        "for ref in $(git for-each-ref --format='%(refname)' 'refs/grill/local/*/replaced/**'); do git show \"$ref:worktree/{name}\" 2>/dev/null && exit 0; done; false"
    ));
    assert_eq!(kept.assert_code(0).stdout().as_bytes(), content, "{name}");
}

proptest! {
    #![proptest_config(Config { cases: 24 / u32::try_from(one_of(4)).unwrap(), max_shrink_iters: 20, failure_persistence: None, ..Config::default() })]

    #[test]
    fn g38_whatever_drifts_is_named_and_comes_back(
        before in proptest::collection::vec(0..BEFORE.len(), 0..4),
        deeds in proptest::collection::vec(0..DEEDS.len(), 1..7),
    ) {
        let bench = repository();
        for one in &before {
            // Not every one of them is possible after every other.
            let _ = bench.run(BEFORE[*one]);
        }
        start(&bench);
        let first = fingerprint::of(&bench);
        let unrecorded = ignored(&bench);
        prop_assert!(drift(&bench).is_empty(), "before anything was done");
        let lines: String = deeds.iter().map(|one| format!("{}\n", DEEDS[*one])).collect();
        let story: Vec<&str> = before.iter().map(|one| BEFORE[*one]).chain(deeds.iter().map(|one| DEEDS[*one])).collect();
        let _ = unhooked(&bench, &lines);

        let then = fingerprint::of(&bench);
        let named: BTreeSet<(String, String)> = drift(&bench).into_iter().map(|(group, name, _)| (group, name)).collect();
        // What is new and ignored by now is seen once the rules are back, and is listed only then.
        let before: BTreeSet<_> = first.keys().map(|(group, name)| ((*group).to_owned(), name.clone())).collect();
        let unseen: BTreeSet<_> = ignored(&bench).difference(&before).chain(&unrecorded).cloned().collect();
        for one in differing(&first, &then).difference(&unseen) {
            prop_assert!(named.contains(one), "{one:?} is not named after {story:#?}; named are {named:#?}");
        }
        let untracked = bench.repo().join("new/empty").exists().then_some("new/deep/file");
        let lost = untracked.map(|name| (name, std::fs::read(bench.repo().join(name)).unwrap()));

        let mut restored = bench.run("git grill verify --restore --yes");
        if restored.stdout.contains("it was not listed") {
            restored = bench.run("git grill verify --restore --yes");
        }
        let again = fingerprint::of(&bench);
        let left: BTreeSet<_> = differing(&first, &again).difference(&unrecorded).cloned().collect();
        prop_assert!(left.is_empty(), "{left:#?} after {story:#?}\n{}{}", restored.stdout, restored.stderr);
        for one in &unrecorded {
            let of = |all: &Fingerprint| {
                all.iter().find(|((group, name), _)| *group == one.0 && *name == one.1).map(|(_, print)| print.clone())
            };
            let (is, was) = (of(&again), of(&then));
            prop_assert_eq!(is, was, "restoring left {:?} alone after {:#?}", one, story);
        }
        prop_assert_eq!(restored.code, 0, "{}{}", restored.stdout, restored.stderr);
        prop_assert!(drift(&bench).is_empty(), "nothing is left to name");
        if let Some((name, content)) = lost {
            is_kept(&bench, name, &content);
        }
        bench.run("git fsck --no-dangling").assert_code(0);
    }
}
