//! Files that git converts on their way: by filters, encodings and line ends.

use super::cases::restore;
use super::{named, start};
use crate::bench::Bench;

#[test]
fn filters_and_line_ends_do_not_touch_what_is_kept() {
    let bench = Bench::new();
    let setup = "git config filter.up.clean 'tr a-z A-Z'; git config filter.up.smudge 'tr A-Z a-z'
        printf '*.up filter=up\\n*.crlf text eol=crlf\\n*.id ident\\n*.enc working-tree-encoding=UTF-16\\n' >.gitattributes
        printf 'raw\\n' >f.up; printf 'one\\r\\ntwo\\r\\n' >f.crlf; printf '$Id$\\n' >f.id
        printf 'enc\\n' | iconv -t UTF-16 >f.enc; git add -A; git commit -qm filters; rm f.*; git checkout -q -- .";
    bench.run(setup).assert_code(0);
    let read = |name: &str| std::fs::read(bench.repo().join(name)).unwrap();
    let names = ["f.up", "f.crlf", "f.id", "f.enc"];
    let before = names.map(read);
    assert_eq!(before[1], b"one\r\ntwo\r\n");
    start(&bench);
    assert!(named(&bench).is_empty());
    // Git sees no change in any of these.
    bench.run("printf 'RAW\\n' >f.up; printf 'one\\ntwo\\n' >f.crlf; printf '$Id: x $\\n' >f.id").assert_code(0);
    bench.run("rm f.enc").assert_code(0);
    let expected = ["deleted f.enc", "modified f.crlf", "modified f.id", "modified f.up"];
    let mut found = named(&bench);
    found.sort();
    assert_eq!(found, expected.map(|line| format!("working tree: {line}")));
    restore(&bench);
    assert_eq!(names.map(read), before);
    assert_eq!(bench.run("git status --short").stdout, "");
}

/// Whoever may write `.git/config` could have us run a program; in a repository below ours as well.
#[test]
fn a25_to_compare_runs_no_filter_of_the_repository() {
    let bench = Bench::new();
    bench.run("git init -q inner && cd inner && echo x >a && git add a && git -c user.name=a -c user.email=a@b commit -qm a").assert_code(0);
    start(&bench);
    assert!(named(&bench).is_empty());
    let plant = "for git in .git inner/.git; do
            echo '* filter=evil' >$git/info/attributes
            git --git-dir $git config extensions.worktreeConfig true
            git --git-dir $git config --worktree filter.evil.process 'touch ../ran'
            git --git-dir $git config filter.evil.clean 'touch ../ran; cat'
            git --git-dir $git config filter.evil.required true
        done; touch -d 2001-01-01 README.md inner/a";
    bench.run(plant).assert_code(0);
    let found = named(&bench);
    assert!(!bench.repo().join("../ran").exists() && !bench.repo().join("ran").exists(), "{found:?}");
}

#[test]
fn a25_a_restore_runs_no_filter_of_the_repository() {
    let bench = Bench::new();
    start(&bench);
    let plant = "git rm -q --cached README.md; echo '* filter=evil' >.git/info/attributes
        git config filter.evil.clean 'touch ../ran; cat'; touch -d 2001-01-01 README.md";
    bench.run(plant).assert_code(0);
    bench.run("git grill verify --restore --yes >/dev/null 2>&1; git ls-files").assert_contains("README.md");
    assert!(!bench.root().join("ran").exists(), "a program of the repository was run");
}

#[test]
fn line_ends_by_configuration() {
    let bench = Bench::new();
    bench.run("printf 'a\\nb\\n' >t.txt; git add -A; git commit -qm t; git config core.autocrlf true; rm t.txt; git checkout -q t.txt")
        .assert_code(0);
    assert_eq!(bench.read("t.txt"), "a\r\nb\r\n");
    start(&bench);
    bench.write("t.txt", "a\nb\n");
    assert_eq!(named(&bench), ["working tree: modified t.txt"]);
    restore(&bench);
    assert_eq!(bench.read("t.txt"), "a\r\nb\r\n");
}
