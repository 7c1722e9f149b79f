//! The same in every kind of repository and from every place in it.

use super::{changed, drafted, drafted_at, trailers};
use crate::bench::Bench;

#[test]
fn a_linked_worktree_commits_on_its_own_branch() {
    let bench = Bench::new();
    let side = bench.worktree("side");
    drafted_at(&side, &bench, "d.md");
    side.run("mkdir sub && cd sub && git grill approve --commit").assert_code(0).assert_contains("on side as");
    assert_eq!(changed(&side), "A\td.md\n");
    assert_eq!(bench.run("git log --format=%s main").stdout, "add README.md\n");
    side.run("git grill verify").assert_code(0);
}

#[test]
fn git_dir_and_work_tree_may_come_from_the_environment() {
    let bench = Bench::new();
    bench.run("mv .git ../elsewhere.git").assert_code(0);
    let outside = bench.at("..");
    bench.scripts_may_approve();
    let set = "export GIT_DIR=$PWD/elsewhere.git GIT_WORK_TREE=$PWD/repo;";
    for line in [
        "git grill start --research off 'rate limiting'",
        "git grill answer 'requests per client'",
        "git grill select design-doc --path d.md",
        "git grill approve --commit",
    ] {
        outside.run(&format!("{set} {line}")).assert_code(0);
    }
    outside.run(&format!("{set} git show --format= --name-status HEAD")).assert_code(0).assert_contains("A\td.md");
}

#[test]
fn a_sparse_checkout_takes_a_file_outside_of_its_cone() {
    let bench = Bench::new();
    bench.commit("in/a", "a\n");
    bench.commit("out/b", "b\n");
    bench.commit("out/d.md", "# D\n");
    bench.run("git sparse-checkout set in && test ! -e out").assert_code(0);
    drafted(&bench, "out/new.md");
    bench.run("git grill approve --commit").assert_code(0);
    assert_eq!(changed(&bench.at(".")), "A\tout/new.md\n");
    assert_eq!(bench.run("git ls-tree -r --name-only HEAD").stdout, "README.md\nin/a\nout/b\nout/d.md\nout/new.md\n");
}

#[test]
fn line_ends_are_converted_as_git_does_it_and_odd_names_are_names() {
    let bench = Bench::new();
    bench.run("git config core.autocrlf true && git config core.safecrlf false").assert_code(0);
    drafted(&bench, "'docs/[a]*? b.md'");
    bench.write("docs/ax b.md", "not ours\n");
    bench.run("git grill approve --commit").assert_code(0).assert_lacks("is not what was approved");
    assert_eq!(changed(&bench.at(".")), "A\tdocs/[a]*? b.md\n");
}

#[test]
fn g31_a_name_that_would_be_a_pattern_is_committed_and_its_being_ignored_is_seen() {
    let bench = Bench::new();
    drafted(&bench, "':(top)d.md'");
    bench.write("d.md", "not ours\n");
    bench.run("git grill approve --commit").assert_code(0).assert_contains("committed :(top)d.md");
    assert_eq!(changed(&bench.at(".")), "A\t:(top)d.md\n");
    let bench = Bench::new();
    drafted(&bench, "':(x.md'");
    bench.run("echo '*.md' >>.git/info/exclude").assert_code(0);
    bench.run("git grill approve --commit").assert_code(1).assert_contains(":(x.md is ignored by git");
}

#[test]
fn g31_bytes_that_git_converts_are_told_and_not_laid_on_a_hook() {
    for (attribute, setting) in [("filter=loud", "filter.loud.clean 'tr a-z A-Z'"), ("ident", "core.eol lf")] {
        let bench = Bench::new();
        bench.run(&format!("echo 'd.md {attribute}' >.git/info/attributes && git config {setting}")).assert_code(0);
        drafted(&bench, "d.md");
        let done = bench.run("git grill approve --commit").assert_code(0);
        let is_same = bench.run("git cat-file blob HEAD:d.md | cmp -s - d.md").code == 0;
        let said = "! d.md in the commit is not byte for byte what was approved: git converted it";
        assert_eq!(done.stdout().contains(said), !is_same, "{}", done.stdout());
        assert_eq!(is_same, attribute == "ident");
        drop(done.assert_lacks("a hook of yours"));
    }
}

#[test]
fn sha256_and_reftable_are_no_difference_where_sessions_can_be_kept() {
    for options in ["--object-format=sha256", "--ref-format=reftable"] {
        let bench = Bench::with_init(options);
        if bench.run("git grill start --research off probe && git grill stop --without-output").code != 0 {
            continue;
        }
        drafted(&bench, "d.md");
        bench.run("git grill approve --commit").assert_code(0);
        assert!(!trailers(&bench.at(".")).is_empty());
    }
}

/// A repository that was unpacked or copied brings its sessions and its configuration.
#[test]
fn g33_doctor_runs_no_filter_of_the_repository_s_own() {
    let bench = Bench::new();
    drafted(&bench, "d.md");
    bench.run("git grill approve && git add d.md").assert_code(0);
    let plant = "echo '* filter=evil' >.git/info/attributes && git config filter.evil.clean 'touch ../ran; cat' &&
        touch -d 2001-01-01 d.md README.md";
    bench.run(plant).assert_code(0);
    bench.run("git grill doctor").assert_contains("d.md is staged as git grill wrote it, and not committed");
    assert!(!bench.root().join("ran").exists(), "a program of the repository was run");
}
