//! Tidying: what is listed is what goes, nothing of a turn that is active does, and the ledger stays (A17, A43).

use serde_json::{Value, json};

use super::{Lent, ends, text};
use crate::bench::wait_until;
use crate::leading::{lets, play, until, walled};

/// The paths of a reply, below the session's folder.
fn paths(lent: &Lent, told: &Value) -> Vec<String> {
    let folder = lent.repo().join(".git/grill/agents/g1");
    let below = |path: &Value| {
        let path = std::path::Path::new(text(path));
        path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned()
    };
    told["paths"].as_array().unwrap().iter().map(below).collect()
}

fn there(lent: &Lent) -> Vec<String> {
    let listed = lent.run("ls -A .git/grill/agents/g1").assert_code(0).stdout().to_owned();
    listed.lines().map(str::to_owned).collect()
}

#[test]
fn a17_a43_what_a_cleanup_lists_goes_and_the_ledger_stays() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    play(&lent, &json!({"turns": [[{"think": "Hm."}, until(&lent, "done"), {"say": "done"}]]}));
    lent.agrees(&["look"]);
    wait_until("the turn", || ends(&lent.session("g1")) == ["t1 streaming"]);
    let before = there(&lent);
    for words in ["cleanup g1", "cleanup g1 --dry-run"] {
        lent.refused(words, 1, "turn_active");
        assert_eq!(there(&lent), before, "{words}");
    }
    lets(&lent, "done");
    lent.rests("g1");

    let before = there(&lent);
    let listed = lent.told("cleanup g1 --dry-run");
    assert_eq!(listed["dryRun"], true);
    assert_eq!(there(&lent), before, "nothing is taken away");
    assert_eq!(lent.words("g1", "t1"), "done");
    let listed = paths(&lent, &listed);
    assert!(["turns", "wire.log"].iter().all(|name| listed.iter().any(|path| path == name)), "{listed:?}");

    let cleaned = lent.told("cleanup g1");
    // The socket goes with the supervisor, which ends first.
    let (cleaned, listed): (Vec<String>, Vec<String>) =
        (paths(&lent, &cleaned), listed.into_iter().filter(|path| path != "socket").collect());
    assert_eq!(cleaned, listed);
    assert_eq!(there(&lent), ["ledger.jsonl", "writer.lock"]);
    lent.is_over();

    let again = lent.told("cleanup g1");
    assert_eq!(again["paths"], json!([]));
    lent.run("git grill agent cleanup g1").assert_code(0).assert_contains("nothing is left of g1 but its log");
    assert_eq!(lent.session("g1")["state"], "cleaned");
    lent.legal("g1");
    lent.refused("send g1 --confirm-provider-use more", 1, "session_terminal");
    lent.refused("result g1", 1, "not_ready");
    lent.run("git grill agent log g1").assert_code(0).assert_contains("t1 is completed");
    // Its handle is never another session's.
    assert_eq!(lent.lends("look"), "g2");
    lent.rests("g2");
    lent.told("cancel g2");
    lent.told("cleanup g2");
    assert_eq!(lent.session("g2")["state"], "cleaned");
    lent.legal("g2");
    lent.is_over();
}

/// There may be any amount of it, and it can be made again; what goes is named, before it goes as well.
#[test]
fn a26_what_git_ignores_in_the_copy_is_not_kept_and_is_named() {
    if !walled() {
        return;
    }
    let lent = super::accepted::edited("mkdir out && echo x >out/x.log && echo y >y.log && echo '*.log' >.gitignore");
    let changes = lent.run("git grill agent changes g1").assert_code(0);
    changes.assert_contains("left out: out/ (ignored by git)").assert_contains("left out: y.log (ignored by git)");
    let named = "not kept: out/, y.log, which git ignores";
    lent.run("git grill agent cleanup g1 --dry-run").assert_code(0).assert_contains(named);
    lent.run("git grill agent cleanup g1").assert_code(0).assert_contains(named);
    lent.run("git ls-tree -r --name-only refs/grill/local/agents/g1 | grep -c 'log$'").assert_stdout("0\n");
    lent.is_over();
}

/// The files of a copy show neither another branch nor a stash: both are named, and kept like the files.
#[test]
fn a26_what_the_agent_committed_elsewhere_is_named_and_kept() {
    if !walled() {
        return;
    }
    let lent = super::accepted::edited(
        "git switch -q -c fix/parse && echo 11 >>ten.txt && git commit -qam one && echo 12 >>ten.txt && git commit -qam two && \
         git checkout -q - && echo wip >>ten.txt && git stash -q",
    );
    let changes = lent.run("git grill agent changes g1").assert_code(0);
    changes
        .assert_contains("g1 changed no file since")
        .assert_contains("2 commits on fix/parse and 1 stash are not among these files\n  git grill agent cleanup g1");
    let told = lent.told("changes g1");
    assert_eq!(told["commits"][0], json!({"name": "refs/heads/fix/parse", "commits": 2}));
    let listed = text(&lent.told("cleanup g1 --dry-run")["kept"]).to_owned();
    assert!(listed.contains("2 commits on fix/parse would be kept") && !listed.contains("its work would"), "{listed}");
    let kept = text(&lent.told("cleanup g1")["kept"]).to_owned();
    let own = "refs/grill/local/agents/g1";
    assert!(kept.contains(&format!("2 commits on fix/parse are kept in {own}-1: git log {own}-1")), "{kept}");
    lent.run(&format!("git log -2 --format=%s {own}-1")).assert_code(0).assert_stdout("two\none\n");
    lent.run(&format!("git stash apply -q {own}-2 && tail -n 1 ten.txt")).assert_code(0).assert_stdout("wip\n");
    lent.run("git grill agent log g1").assert_code(0).assert_contains("its work was kept: git log ");
    assert!(text(&lent.session("g1")["doing"]).starts_with("cleaned up; work put aside"));
    // One that made nothing promises no ref.
    lent.run("git checkout -q ten.txt").assert_code(0);
    play(&lent, &json!({"turns": [[{"say": "done"}]]}));
    assert_eq!(lent.lends("--profile worktree-edit look"), "g2");
    lent.rests("g2");
    lent.run("git grill agent cleanup g2 --dry-run").assert_code(0).assert_contains("g2 changed nothing");
    lent.legal("g1");
    lent.told("cancel g2");
    lent.is_over();
}
