//! Repositories of every kind: right, or named with a reason.

use super::{named, start, unhooked};
use crate::bench::Bench;

pub fn restore(bench: &Bench) {
    bench.run("git grill verify --restore --yes").assert_code(0);
    assert_eq!(named(bench), Vec::<String>::new());
}

#[test]
fn taking_a_baseline_leaves_the_index_alone_to_the_byte() {
    let bench = Bench::new();
    bench.write("README.md", "edited\n");
    bench.run("sleep 0.02; touch README.md").assert_code(0);
    let index = || std::fs::read(bench.repo().join(".git/index")).unwrap();
    let before = index();
    start(&bench);
    bench.run("git grill verify").assert_code(0);
    assert_eq!(index(), before);
}

#[test]
fn edits_that_a_hard_reset_takes_away_come_back() {
    let bench = Bench::new();
    bench.write("README.md", "uncommitted work\n");
    start(&bench);
    bench.run("git reset -q --hard HEAD").assert_contains("ORIG_HEAD was not written");
    unhooked(&bench, "git reset -q --hard").assert_code(0);
    assert_eq!(bench.read("README.md"), "# demo\n");
    assert_eq!(named(&bench), ["working tree: modified README.md"]);
    restore(&bench);
    assert_eq!(bench.read("README.md"), "uncommitted work\n");
}

#[test]
fn sparse_checkouts_stay_sparse() {
    for index in ["--no-sparse-index", "--sparse-index"] {
        let bench = Bench::new();
        let setup = format!(
            "mkdir in out; echo i >in/i; echo o >out/o; git add -A; git commit -qm dirs; git sparse-checkout set {index} in"
        );
        bench.run(&setup).assert_code(0);
        assert!(!bench.repo().join("out").exists());
        start(&bench);
        assert!(named(&bench).is_empty(), "{index}");
        unhooked(&bench, "echo x >>in/i; git add in/i; mkdir out; echo other >out/o").assert_code(0);
        let found = named(&bench);
        assert!(found.contains(&"working tree: new out/o".to_owned()), "{index}: {found:?}");
        restore(&bench);
        assert!(!bench.repo().join("out").exists(), "{index}");
        assert_eq!(bench.run("git status --short").stdout, "", "{index}");
        assert!(bench.run("git ls-files -t").stdout.contains("S out/o"), "{index}");
    }
}

#[test]
fn a_split_index_stays_split() {
    let bench = Bench::new();
    bench.run("git update-index --split-index; echo s >s; git add s").assert_code(0);
    let shared = || bench.run("ls .git/sharedindex.*").stdout;
    let before = shared();
    start(&bench);
    assert_eq!(shared(), before);
    unhooked(&bench, "git rm -q --cached s; echo x >>README.md; git add README.md").assert_code(0);
    assert_eq!(named(&bench).len(), 3, "{:?}", named(&bench));
    restore(&bench);
    assert_eq!(bench.run("git status --short").stdout, "A  s\n");
}

#[test]
fn a_submodule_and_a_nested_repository_are_named_and_left_alone() {
    let bench = Bench::new();
    bench.run("git init -q ../other; git -C ../other commit -q --allow-empty -m one; git -C ../other commit -q --allow-empty -m two")
        .assert_code(0);
    bench.run("git -c protocol.file.allow=always submodule add -q ../other sub; git commit -qm sub; git init -q nested; echo n >nested/n")
        .assert_code(0);
    start(&bench);
    assert!(named(&bench).is_empty());
    bench.run("git -C sub checkout -q HEAD~1; git -C nested add n; echo x >sub/x").assert_code(0);
    let found = named(&bench);
    assert_eq!(found, ["nested repositories: modified nested", "nested repositories: moved sub"]);
    assert_eq!(bench.run("git grill verify --restore --yes").code, 1);
    assert!(bench.repo().join("sub/x").exists() && bench.repo().join("nested/n").exists());
}

/// What is in a repository of its own is compared as well, also where its status stays the same.
#[test]
fn g38_other_content_of_a_changed_file_in_a_nested_repository_is_named() {
    let bench = Bench::new();
    bench
        .run(
            "git init -q a && cd a && echo 1 >t && git add t && git commit -qm t && git branch b && echo mine >t && echo mine >u \
             && cd .. && cp -r a b && cp -r a c && cp -r a d && cp -r a e && git init -q empty && echo mine >empty/u \
             && cp -r a f && git -C f config core.hooksPath hk && mkdir f/hk && echo /hk >f/.git/info/exclude && echo : >f/hk/pre-push \
             && mkdir g && git init -q g/deep && git init -q g && echo mine >g/deep/u",
        )
        .assert_code(0);
    start(&bench);
    assert!(named(&bench).is_empty());
    bench
        .run(
            "echo evil >a/t; echo evil >b/u; git -C c branch -qD b; echo : >d/.git/hooks/pre-commit; \
             git -C e config core.fsmonitor evil; echo evil >empty/u; echo evil >>f/hk/pre-push; echo evil >g/deep/u",
        )
        .assert_code(0);
    let found =
        ["a", "b", "c", "d", "e", "empty", "f", "g"].map(|path| format!("nested repositories: modified {path}"));
    assert_eq!(named(&bench), found);
}

#[test]
fn g38_what_became_a_repository_of_its_own_is_named_and_left() {
    let bench = Bench::new();
    bench
        .run("mkdir -p k/deep; echo a >k/a; echo b >k/deep/b; echo f >f; chmod 644 k/a; git add -A; git commit -qm k")
        .assert_code(0);
    start(&bench);
    let made =
        "rm -rf k f; git init -q k; git init -q f; git -C f commit -q --allow-empty -m f; echo theirs >k/a; chmod 600 k/a; mkdir k/deep; echo new >k/deep/new
        git -C k add -A; git -C k commit -qm theirs; echo edited >README.md";
    bench.run(made).assert_code(0);
    let nested = ["nested repositories: new k"];
    let files = ["working tree: deleted f", "working tree: modified k/a", "working tree: deleted k/deep/b"];
    let mut expected = [files.as_slice(), &["working tree: modified README.md"], &nested].concat();
    let mut found = named(&bench);
    found.sort();
    expected.sort_unstable();
    assert_eq!(found, expected);
    let theirs =
        "find k f -type d -o -type f | sort; cat k/a k/deep/new; ls -l k/a | cut -c1-10; git -C k status --short";
    let before = bench.run(theirs).assert_code(0).stdout().to_owned();
    let restored = bench.run("git grill verify --restore --yes");
    restored.assert_code(1).assert_contains("k/a stays as it is: k is a repository of its own");
    bench.run(theirs).assert_stdout(&before);
    assert_eq!(bench.read("README.md"), "# demo\n");
    bench.run("rm -rf k f").assert_code(0);
    restore(&bench);
    bench.run("cat k/a k/deep/b f; git status --short").assert_stdout("a\nb\nf\n");
}

#[test]
fn what_is_too_large_is_known_and_not_kept() {
    let bench = Bench::new();
    bench.with_account().run("git config --global grill.snapshotLimit 1k").assert_code(0);
    bench.run("head -c 5000 /dev/zero >big; echo small >small").assert_code(0);
    start(&bench);
    assert!(bench.run("git grill verify").assert_code(0).stdout().contains("big is known by size and hash alone"));
    bench.run("head -c 5000 /dev/urandom >big; head -c 9000 /dev/zero >README.md; rm small").assert_code(0);
    let output = bench.run("git grill verify").assert_code(1).stdout().to_owned();
    assert!(output.contains("modified:   big  5000 bytes"), "{output}");
    assert!(output.contains("larger than grill.snapshotLimit"), "{output}");
    let big = std::fs::read(bench.repo().join("big")).unwrap();
    let restored = bench.run("git grill verify --restore --yes");
    assert_eq!(restored.code, 1);
    assert!(restored.stdout.contains("README.md stays as it is"), "{}", restored.stdout);
    assert_eq!(std::fs::read(bench.repo().join("big")).unwrap(), big);
    assert_eq!(bench.read("small"), "small\n");
    bench.write("big", "small enough now\n");
    assert_eq!(bench.run("git grill verify --restore --yes").code, 1);
    assert_eq!(bench.read("big"), "small enough now\n");
    bench.run("git config grill.snapshotLimit banana").assert_code(0);
    bench.run("git grill verify").assert_code(128);
}

#[test]
fn bare_unborn_and_linked() {
    let bare = Bench::bare();
    start(&bare);
    bare.run("git -c core.hooksPath=/dev/null branch other").assert_code(0);
    assert_eq!(named(&bare), ["refs: new refs/heads/other"]);
    restore(&bare);

    let unborn = Bench::empty();
    unborn.write("a", "a\n");
    unborn.run("git add a").assert_code(0);
    start(&unborn);
    unhooked(&unborn, "git commit -qm first; rm a").assert_code(0);
    assert_eq!(named(&unborn), ["refs: new refs/heads/main", "working tree: deleted a"]);
    restore(&unborn);
    assert_eq!(unborn.run("git status --short").stdout, "A  a\n");

    let bench = Bench::new();
    let side = bench.worktree("side");
    side.run("git grill start 'a topic' --research off").assert_code(0);
    side.write("README.md", "edited\n");
    // The other worktree is nobody's drift here, and its branch stays where it is.
    bench.commit("main.txt", "theirs\n");
    let output = side.run("git grill verify");
    output.assert_code(1).assert_contains("note: refs/heads/main moved");
    side.run("git grill verify --restore --yes").assert_code(0);
    assert_eq!(side.read("README.md"), "# demo\n");
    assert_eq!(bench.run("git log --format=%s -1").stdout, "add main.txt\n");
}

#[test]
fn an_ignored_file_that_becomes_visible_is_not_removed() {
    let bench = Bench::new();
    bench.run("echo '*.log' >.gitignore; git add -A; git commit -qm i; echo precious >my.log").assert_code(0);
    start(&bench);
    bench.run("rm .gitignore").assert_code(0);
    assert_eq!(named(&bench), ["working tree: deleted .gitignore"]);
    bench.run("git grill verify").assert_contains("note: my.log is not new: a rule that is gone ignored it");
    restore(&bench);
    assert_eq!(bench.read("my.log"), "precious\n");
}

#[test]
fn g38_what_another_worktree_may_have_made_stays_and_every_ref_says_how_it_is_undone() {
    let bench = Bench::new();
    bench.run("git branch old; git branch gone; git tag there; echo s >>README.md; git stash -q").assert_code(0);
    let side = bench.worktree("side");
    start(&bench);
    let made = "git branch theirs; git tag rel; echo t >>README.md; git stash push -q -m more";
    side.run(&format!("git() {{ command git -c core.hooksPath=/dev/null \"$@\"; }}; {made}")).assert_code(0);
    let moved = "git commit -q --allow-empty -m x; git branch -f old; git branch -D gone; git switch -q -c fresh";
    unhooked(&bench, moved).assert_code(0);
    let refs = || bench.run("git for-each-ref refs/heads refs/tags refs/stash; cat .git/HEAD").stdout;
    let before = refs();
    let restored = bench.run("git grill verify --restore --yes --json");
    let value: serde_json::Value = serde_json::from_str(restored.assert_code(1).stdout()).unwrap();
    let left = value["left"].as_array().unwrap();
    assert_eq!(left.len(), 3, "{value}");
    assert!(left.iter().all(|one| one.as_str().unwrap().contains("may be another worktree's")), "{value}");
    let found: Vec<_> =
        value["verification"]["drift"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(found, ["refs/heads/theirs", "refs/tags/rel", "refs/stash"]);
    assert_eq!(bench.run("git stash list --format=%gs").stdout.lines().count(), 2);
    assert_eq!(bench.run("git rev-parse main old gone theirs | uniq | wc -l").stdout.trim(), "1");
    bench.run("git rev-parse -q --verify fresh").assert_code(1);
    let undo = value["refs"].as_array().unwrap();
    let changes: Vec<_> =
        undo.iter().map(|one| format!("{} {}", one["change"], one["name"]).replace('"', "")).collect();
    let expected = [
        "moved back HEAD",
        "made again refs/heads/gone",
        "moved back refs/heads/main",
        "moved back refs/heads/old",
        "deleted refs/heads/fresh",
    ];
    assert_eq!(changes, expected);
    for one in undo {
        unhooked(&bench, one["undo"].as_str().unwrap()).assert_code(0);
    }
    assert_eq!(refs(), before);
}

#[test]
fn what_may_have_been_ignored_stays_also_after_the_end() {
    let change = [": >.git/info/exclude", "git config core.excludesFile /dev/null", ": >../rules"];
    for (change, ended) in change.iter().flat_map(|change| [(change, false), (change, true)]) {
        let bench = Bench::new();
        bench
            .run("echo .env >.git/info/exclude; echo x.key >../rules; git config core.excludesFile $PWD/../rules")
            .assert_code(0);
        bench.run("echo secret >.env; echo secret >x.key").assert_code(0);
        start(&bench);
        assert!(named(&bench).is_empty());
        bench.run(change).assert_code(0);
        bench.write("README.md", "edited\n");
        let id = bench.run("git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions").stdout;
        if ended {
            bench.run("git grill stop --without-output").assert_code(0);
        }
        let restored = bench.run(&format!("git grill verify --restore --yes {id}"));
        restored.assert_code(1).assert_contains("it may have been ignored before");
        assert_eq!(
            (bench.read(".env"), bench.read("x.key")),
            ("secret\n".to_owned(), "secret\n".to_owned()),
            "{change}"
        );
        assert_eq!(bench.read("README.md"), "# demo\n");
    }
}

#[test]
fn rules_in_a_folder_and_truly_new_files_are_told_apart() {
    let bench = Bench::new();
    bench.run("mkdir -p a/b; echo '/b/*.key' >a/.gitignore; git add -A; git commit -qm i").assert_code(0);
    bench.run("echo precious >a/b/my.key").assert_code(0);
    start(&bench);
    bench.run(": >a/.gitignore; echo new >a/new.key").assert_code(0);
    assert_eq!(named(&bench), ["working tree: modified a/.gitignore", "working tree: new a/new.key"]);
    restore(&bench);
    assert_eq!(bench.read("a/b/my.key"), "precious\n");
    assert!(!bench.repo().join("a/new.key").exists());
}

#[test]
fn what_is_ignored_and_in_the_way_stays() {
    let bench = Bench::new();
    bench.run("echo '*.log' >.gitignore; git add -A; git commit -qm i").assert_code(0);
    start(&bench);
    bench.run("rm README.md; mkdir README.md; echo precious >README.md/my.log").assert_code(0);
    let restored = bench.run("git grill verify --restore --yes");
    restored.assert_code(1).assert_contains("something that is ignored, or was not listed, is in its way");
    assert_eq!(bench.read("README.md/my.log"), "precious\n");
}

#[test]
fn pipes_in_the_place_of_files_are_replaced_and_others_are_not_seen() {
    let bench = Bench::new();
    start(&bench);
    bench.run("rm README.md; mkfifo README.md other").assert_code(0);
    assert_eq!(named(&bench), ["working tree: deleted README.md"]);
    restore(&bench);
    assert_eq!(bench.read("README.md"), "# demo\n");
}

#[test]
fn a_symlink_never_leads_a_restore_out_of_the_tree() {
    let bench = Bench::new();
    bench
        .run("mkdir dir; echo d >dir/file; git add -A; git commit -qm d; mkdir ../outside; echo o >../outside/file")
        .assert_code(0);
    start(&bench);
    bench.run("rm -r dir; ln -s ../outside dir").assert_code(0);
    restore(&bench);
    assert_eq!(bench.read("dir/file"), "d\n");
    assert_eq!(bench.read("../outside/file"), "o\n");
}

#[test]
fn remote_tracking_refs_may_move() {
    let bench = Bench::new();
    bench.run("git clone -q . ../other; git remote add origin ../other; git fetch -q").assert_code(0);
    start(&bench);
    bench.run("git -C ../other commit -q --allow-empty -m more; git fetch -q; touch .git/opencode").assert_code(0);
    let output = bench.run("git grill verify");
    output.assert_code(0).assert_contains("note: 1 remote-tracking ref(s) moved");
}

#[test]
fn what_was_ignored_is_no_part_of_the_baseline_and_verify_says_so_once_it_matters() {
    let bench = Bench::new();
    bench
        .run("echo '*.log' >.gitignore; git add -A; git commit -qm rules; echo kept >a.log; echo lost >b.log")
        .assert_code(0);
    start(&bench);
    let note = "note: what is ignored changed: files that were ignored when the session began are not in the baseline";
    bench.run("echo more >>a.log; git grill verify").assert_code(0).assert_lacks(note);
    bench.run("echo >.gitignore; rm b.log; git grill verify").assert_contains(note);
    restore(&bench);
    assert_eq!(bench.read("a.log"), "kept\nmore\n");
    assert!(!bench.repo().join("b.log").exists());
    bench.run("echo '*.tmp' >>.git/info/exclude; git grill verify").assert_contains(note);
}

/// `cargo test --test it -- --ignored fifty_thousand --nocapture` prints how taking a baseline compares with `git add`.
#[test]
#[ignore = "takes a minute; run it when the snapshot changes"]
fn fifty_thousand_files() {
    let bench = Bench::new();
    let made = "for d in $(seq 500); do mkdir -p d$d; for f in $(seq 100); do echo $d $f >d$d/f$f; done; done; git add -A; git commit -qm many; git gc -q
        sleep 1.1; git update-index -q --refresh; echo x >>d1/f1; rm d2/f2; mkdir u; for f in $(seq 20); do echo $f >u/$f; done";
    bench.run(made).assert_code(0);
    let git = "cp -p .git/index ../index; GIT_INDEX_FILE=$PWD/../index git add -A; GIT_INDEX_FILE=$PWD/../index git write-tree; rm ../index";
    let times = |line: &str, after: &str| -> Vec<std::time::Duration> {
        (0..5)
            .map(|_| {
                let begun = std::time::Instant::now();
                bench.run(line).assert_code(0);
                let took = begun.elapsed();
                bench.run(after).assert_code(0);
                took
            })
            .collect()
    };
    let by_git = times(git, "true");
    let ours = times("git grill start 'a topic' --research off", "git grill stop --without-output");
    let least = |times: &[std::time::Duration]| times.iter().min().unwrap().as_secs_f64();
    eprintln!(
        "git add -A and write-tree {:.3} s, start {:.3} s, ratio {:.2}",
        least(&by_git),
        least(&ours),
        least(&ours) / least(&by_git)
    );
}

#[test]
fn g38_a25_what_a_restore_replaced_is_listed_whole_below_the_top_too() {
    let bench = Bench::new();
    bench.run("mkdir src && echo 1 >src/a.rs && echo 1 >top.md && git add -A && git commit -qm src").assert_code(0);
    start(&bench);
    bench.run("echo 2 >src/a.rs && echo 2 >top.md").assert_code(0);
    let told = bench.run("cd src && git grill verify --restore --yes").assert_code(0).stdout().to_owned();
    let line = told.lines().find_map(|line| line.split_once("is kept: ")).unwrap().1;
    bench.run(&format!("cd src && {line}")).assert_code(0).assert_contains("\tsrc/a.rs").assert_contains("\ttop.md");
    let line = told.lines().find_map(|line| line.split_once("one file of it: ")).unwrap().1;
    bench.run(&format!("cd src && {}", line.replace("<path>", "src/a.rs"))).assert_code(0).assert_stdout("2\n");
}
