//! Making a working copy: what it must be, whatever the parent is like.

use std::fs;

use git_grill::lend::LendError;

use super::Yard;
use crate::bench::git_has_reftable;

/// What a copy has in common with its parent: the listing of every file with its kind, mode and content.
const LIST: &str = "find . -path ./.git -prune -o \\( -type f -o -type l \\) -print | LC_ALL=C sort | while read -r f; do \
    if [ -L \"$f\" ]; then echo \"$f -> $(readlink \"$f\")\"; else ls -l \"$f\" | cut -c1-10; cksum \"$f\"; fi; done";

/// Makes a copy and compares it with the parent, file by file and by git's own words.
fn is_equal(yard: &Yard, what: &str) {
    let proof = yard.place();
    let copy = yard.copy();
    assert_eq!((proof.path.as_path(), proof.cwd.as_path()), (copy.as_path(), copy.as_path()), "{what}");
    assert_eq!(yard.sh(&copy, "git rev-parse HEAD HEAD^{tree}"), format!("{}\n{}", proof.head, proof.tree), "{what}");
    assert_eq!(yard.sh(&copy, "git rev-parse HEAD"), yard.sh(&yard.repo(), "git rev-parse HEAD"), "{what}");
    assert!(!yard.try_sh(&copy, "git symbolic-ref -q HEAD").0, "{what}: it is on a branch");
    assert_eq!(yard.sh(&copy, LIST), yard.sh(&yard.repo(), LIST), "{what}");
    assert_eq!(
        yard.sh(&copy, "git status --porcelain; git config --get-regexp '^remote[.].*url' || true"),
        "",
        "{what}"
    );
}

#[test]
fn a14_a_copy_has_the_content_of_its_parent_whatever_that_is_like() {
    is_equal(&Yard::new(), "plain");
    is_equal(&Yard::with("--object-format=sha256", "true"), "sha256");
    if git_has_reftable("a working copy of a reftable repository") {
        is_equal(&Yard::with("--ref-format=reftable", "true"), "reftable");
    }
    let converted = "git config core.autocrlf true && printf '* text=auto\\n*.up filter=up\\n' >.gitattributes &&
        git config --global filter.up.clean 'tr A-Z a-z' && git config --global filter.up.smudge 'tr a-z A-Z' && echo shout >x.up";
    let yard = Yard::with("", converted);
    yard.sh(&yard.repo(), "git rm -rq --cached . && rm -f * 2>/dev/null; git reset -q --hard");
    is_equal(&yard, "converted");
    assert_eq!(fs::read(yard.copy().join("src/a")).unwrap(), b"one\r\nmore\r\n");
    assert_eq!(fs::read(yard.copy().join("x.up")).unwrap(), b"SHOUT\r\n");
}

#[test]
fn a14_sparse_shallow_and_partial_carry_over() {
    let yard = Yard::new();
    yard.sh(&yard.repo(), "git sparse-checkout set src");
    is_equal(&yard, "sparse");
    assert!(!yard.copy().join("lib").exists() && yard.copy().join("src/in/b").exists());

    for (what, options) in [("shallow", "--depth 1"), ("partial", "--filter=blob:none")] {
        let yard = Yard::new();
        let line = format!(
            "git -C repo config uploadpack.allowFilter true && git clone -q {options} \"file://$PWD/repo\" other &&
             rm -rf repo.was && mv repo repo.was && mv other repo && mkdir -p repo/.git/grill/agents"
        );
        yard.sh(&yard.at("."), &line);
        is_equal(&yard, what);
        let line =
            "git log --oneline && echo n >n && git add n && git commit -qm n && git gc -q && git log --oneline -1";
        yard.sh(&yard.copy(), line);
    }
}

#[test]
fn a14_the_agent_starts_in_the_caller_s_folder_and_finds_no_repository_around_its_own() {
    let yard = Yard::new();
    fs::create_dir_all(yard.repo().join("target/empty")).unwrap();
    for folder in ["src/in", "target/empty"] {
        let proof = yard.try_place(&yard.repo().join(folder)).unwrap();
        assert_eq!(proof.cwd, yard.copy().join(folder));
        let variables = proof.environment();
        let [(name, around)] = variables.as_slice() else { panic!("{variables:?}") };
        let line = format!("export {}='{}'", name.display(), around.display());
        assert_eq!(
            yard.sh(&proof.cwd, &format!("{line}; git rev-parse --show-toplevel")),
            yard.copy().display().to_string()
        );
        let (found, told) = yard.try_sh(&proof.cwd, &format!("rm -rf ../../.git; {line}; git rev-parse --git-dir"));
        assert!(!found && told.contains("not a git repository"), "{told}");
        fs::remove_dir_all(yard.root().join("g1")).unwrap();
    }
}

#[test]
fn a14_no_hook_runs_and_no_template_is_taken() {
    let yard = Yard::new();
    let hook =
        "mkdir -p ../hooks ../template/hooks && printf '#!/bin/sh\\necho \"$0\" >>../ran\\n' >../hooks/post-checkout &&
        chmod +x ../hooks/post-checkout && cp ../hooks/post-checkout ../hooks/reference-transaction &&
        cp ../hooks/post-checkout ../template/hooks/ && git config --global init.templateDir \"$PWD/../template\" &&
        git config --global core.hooksPath \"$PWD/../hooks\" && rm -f ../ran";
    yard.sh(&yard.repo(), hook);
    yard.place();
    assert!(!yard.at("ran").exists() && !yard.copy().join(".git/hooks").exists());
}

#[test]
fn a13_what_is_not_committed_is_named_and_nothing_is_made() {
    let yard = Yard::new();
    yard.sh(&yard.repo(), "echo x >>src/a && echo y >'new file' && git rm -q --cached lib/c && echo z >z.log");
    let refused = yard.try_place(&yard.repo()).unwrap_err();
    assert_eq!(refused.code(), "cwd_dirty_for_edit");
    let LendError::Dirty { paths, .. } = refused else { panic!("it names no paths") };
    assert_eq!(paths, [b"lib/c".to_vec(), b"new file".to_vec(), b"src/a".to_vec()]);
    assert!(!yard.copy().exists() && !yard.root().join("g1/lent").exists());
    assert_eq!(yard.sh(&yard.repo(), "git for-each-ref refs/grill"), "");
}

#[test]
fn a13_without_a_commit_or_outside_nothing_is_made() {
    let yard = Yard::new();
    for place in [yard.at("home"), yard.repo().join(".git")] {
        assert_eq!(yard.try_place(&place).unwrap_err().code(), "cwd_not_in_repository");
    }
    yard.sh(&yard.repo(), "git switch -q --orphan fresh");
    assert_eq!(yard.try_place(&yard.repo()).unwrap_err().code(), "cwd_without_commit");
}

#[test]
fn a14_a_commit_that_the_copy_began_at_outlives_a_collection_in_the_parent() {
    let yard = Yard::new();
    let proof = yard.place();
    yard.sh(
        &yard.repo(),
        "git reset -q --hard HEAD~1 && git reflog expire --all --expire=now && git gc -q --prune=now",
    );
    assert_eq!(
        yard.sh(&yard.copy(), "git fsck && git rev-parse HEAD").lines().next_back(),
        Some(proof.head.to_string().as_str())
    );
}
