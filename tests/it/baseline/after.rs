//! What a restore leaves: what came after the session ended, and tags that a fetch may have brought. Whoever wants that
//! back names it.

use super::{named, start, unhooked};
use crate::bench::Bench;
use crate::conversation::Sitting;
use crate::pty::one_line;

fn id(bench: &Bench) -> String {
    bench.run("git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions").stdout.trim().to_owned()
}

/// A session in which something drifted is over, and work goes on: a commit, an edit, and another edit of what drifted.
fn gone_on(bench: &Bench) -> String {
    bench.run("echo t >twice.txt; git add -A; git commit -qm twice").assert_code(0);
    start(bench);
    bench.write("README.md", "edited behind our back\n");
    bench.write("twice.txt", "edited behind our back\n");
    bench.run("git grill stop --without-output").assert_code(0).assert_contains("restores 2, after asking");
    bench.commit("later.txt", "work after the session\n");
    bench.write("mine.txt", "not committed yet\n");
    bench.write("twice.txt", "edited by its owner\n");
    id(bench)
}

fn stands(bench: &Bench) {
    bench.run("git log --format=%s -1").assert_stdout("add later.txt\n");
    assert_eq!(bench.read("later.txt"), "work after the session\n");
    assert_eq!(bench.read("mine.txt"), "not committed yet\n");
    assert_eq!(bench.read("twice.txt"), "edited by its owner\n");
}

#[test]
fn g38_a_restore_after_the_end_leaves_what_came_later() {
    let bench = Bench::new();
    let id = gone_on(&bench);
    let restored = bench.run(&format!("git grill verify --restore --yes {id}"));
    let text = restored.assert_code(0).stdout().to_owned();
    let (_, later) = text.split_once("changed after the session ended").unwrap();
    for name in ["refs/heads/main", "later.txt", "mine.txt", "twice.txt"] {
        assert!(later.contains(name), "{name}: {text}");
    }
    assert!(!text.contains("moved back"), "{text}");
    assert_eq!(bench.read("README.md"), "# demo\n");
    stands(&bench);
}

#[test]
fn g38_what_a_restore_leaves_since_the_end_is_not_promised() {
    let bench = Bench::new();
    let id = gone_on(&bench);
    bench.run("git add twice.txt").assert_code(0);
    let text = bench.run(&format!("git grill verify {id}")).assert_code(1).stdout().to_owned();
    let of = |name: &str| text.split_once(name).unwrap().1.lines().nth(1).unwrap_or_default().to_owned();
    assert!(of("README.md").ends_with("a restore restores it"), "{text}");
    assert!(!of("twice.txt").contains("a restore"), "{text}");
    assert!(text.contains("not brought back: it changed again after the session ended"), "{text}");
    // A file that differs in the index and on the disk has one line.
    let restored = bench.run(&format!("git grill verify --restore --yes {id}")).assert_code(0).stdout().to_owned();
    let (_, later) = restored.split_once("changed after the session ended").unwrap();
    assert_eq!(later.matches("twice.txt").count(), 1, "{restored}");
    let text = bench.run(&format!("git grill verify {id}")).assert_code(1).stdout().to_owned();
    assert!(text.contains("it is as it was at the start again"), "{text}");
    assert!(text.ends_with("a restore brings none of it back\n"), "{text}");
}

/// A session that ended before what it ended with was kept, or whose snapshot is lost.
#[test]
fn g38_without_a_snapshot_of_the_end_only_what_is_surely_older_comes_back() {
    let bench = Bench::new();
    let id = gone_on(&bench);
    bench.run(&format!("git update-ref -d 'refs/grill/local/{id}/ended'")).assert_code(0);
    bench.run(&format!("git grill verify --restore --yes {id}")).assert_code(0);
    assert_eq!(bench.read("README.md"), "# demo\n");
    stands(&bench);
}

#[test]
fn g38_a_name_brings_back_that_and_nothing_else() {
    let bench = Bench::new();
    let id = gone_on(&bench);
    let restore = |names: &str| bench.run(&format!("git grill verify --restore --yes {id} -- {names}"));
    restore("nothing.txt").assert_code(2).assert_contains("'nothing.txt' is nothing that changed");
    bench.run(&format!("git grill verify {id} -- README.md")).assert_code(2);
    stands(&bench);
    // README.md drifted, and is not named.
    restore("twice.txt").assert_code(1);
    assert_eq!(
        (bench.read("twice.txt"), bench.read("README.md")),
        ("t\n".to_owned(), "edited behind our back\n".to_owned())
    );
    assert_eq!(bench.read("mine.txt"), "not committed yet\n");
    restore("refs/heads/main").assert_code(1).assert_contains("moved back: refs/heads/main");
    bench.run("git log --format=%s -1").assert_stdout("twice\n");
    assert_eq!(bench.read("later.txt"), "work after the session\n");
}

#[test]
fn g38_a_folder_names_what_is_in_it_and_hidden_files_stay() {
    let bench = Bench::new();
    start(&bench);
    bench
        .run("mkdir -p src/in srcs; echo a >src/in/a; echo b >src/b; echo c >srcs/c; echo d >d; echo d >.gitignore")
        .assert_code(0);
    bench.run("git grill verify --restore --yes -- src/ .gitignore").assert_code(1);
    assert_eq!(named(&bench), ["working tree: new d", "working tree: new srcs/c"]);
}

/// What is in the way of all that is named is told before anything is asked, with the names that bring it back.
#[test]
fn g38_a_name_that_has_something_in_its_way_is_refused_with_the_names_that_work() {
    let bench = Bench::new();
    bench.run("mkdir src; echo 1 >src/limit.rs; git add -A; git commit -qm limit").assert_code(0);
    start(&bench);
    let id = id(&bench);
    bench.run("rm -r src; echo mine >src").assert_code(0);
    let again = format!("git grill verify --restore {id} --yes -- src/limit.rs src");
    bench
        .run(&format!("git grill verify --restore --yes {id} -- src/limit.rs"))
        .assert_code(2)
        .assert_contains("nothing was restored: src is in the way of src/limit.rs")
        .assert_contains(&again);
    assert_eq!(bench.read("src"), "mine\n");
    bench.run(&again).assert_code(0);
    assert_eq!(bench.read("src/limit.rs"), "1\n");
}

#[test]
fn g38_the_question_says_what_happens_to_each_ref() {
    let bench = Bench::new();
    start(&bench);
    bench.write("README.md", "edited\n");
    unhooked(&bench, "git commit -q --allow-empty -m one; git tag v9; echo n >new.txt").assert_code(0);
    bench
        .run("git grill verify")
        .assert_code(1)
        .assert_contains("a restore deletes it")
        .assert_contains("a restore moves it back");
    let mut sitting = Sitting::of_a_line(&bench, "git --no-pager grill verify --restore");
    sitting.below("Move branch main back from", "[y/n]");
    let asked = one_line(&sitting.pty.screen());
    let deeds = "(1 commit leaves it), delete tag v9, delete 1 file, restore 1 file? What is replaced is kept.";
    assert!(asked.contains(deeds), "{asked}");
    sitting.pty.send("n");
    sitting.ends_with(5);
    bench.run("git log --format=%s -1; git tag").assert_stdout("one\nv9\n");
}

#[test]
fn g38_what_a_restore_changes_is_what_it_lists() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    start(&bench);
    bench.run("git grill answer 'so that it works'").assert_code(0);
    bench.run("git grill select design-doc --path docs/design.md && git grill approve").assert_code(0);
    bench.run("git add docs/design.md && git commit -q -m design -- docs/design.md").assert_code(0);
    bench.run("git grill verify").assert_code(0);
    bench.run("git grill produce --undo").assert_code(0);
    unhooked(&bench, "git tag v9").assert_code(0);
    let stopped = bench.run("git grill stop --without-output || git grill stop");
    stopped.assert_code(0).assert_contains("deletes it, after asking");
    bench.run("git restore docs").assert_code(0);
    let restored = bench.run(&format!("git grill verify --restore --yes {}", id(&bench)));
    restored.assert_code(0).assert_contains("deleted:    refs/tags/v9");
    bench.run("git status --short; git tag").assert_stdout("");
}

#[test]
fn g38_a_tag_that_a_fetch_may_have_brought_is_no_drift_and_stays() {
    let bench = Bench::new();
    bench.run("git clone -q . ../other; git remote add origin ../other; git fetch -q").assert_code(0);
    start(&bench);
    // No fetch since the baseline: this one was made here.
    unhooked(&bench, "git tag own").assert_code(0);
    bench.run("git grill verify").assert_code(1).assert_contains("a restore deletes it");
    bench.run("git grill verify --restore --yes").assert_code(0);
    bench.run("git tag").assert_stdout("");
    bench.run("git -C ../other commit -q --allow-empty -m more; git -C ../other tag v2; git fetch -q").assert_code(0);
    let found = bench.run("git grill verify").assert_code(0).stdout().to_owned();
    assert!(found.contains("new tags, which a fetch may have brought") && found.contains("refs/tags/v2"), "{found}");
    bench.run("git grill verify --restore --yes").assert_code(0);
    bench.run("git tag").assert_stdout("v2\n");
    bench
        .run("git grill verify --restore --yes -- refs/tags/v2")
        .assert_code(0)
        .assert_contains("deleted:    refs/tags/v2");
    bench.run("git tag").assert_stdout("");
    bench
        .run("git fetch -q && git grill stop --without-output")
        .assert_code(0)
        .assert_contains("refs/tags/v2")
        .assert_lacks("drifted");
}
