//! Sessions that cannot be read (G39): said clearly, never rewritten, and never a trap: `stop` still lets the person
//! out.

use super::traces::{Traces, assert_same, lasting, unfinished};
use crate::bench::Bench;

/// A way to break the active session, and what is said about it.
struct Breakage {
    name: &'static str,
    by: &'static str,
    code: &'static str,
}

/// `past` is a git that asks no hooks; `put` puts the rest of the line in the place of a file of the session's newest tree.
const PUT: &str = "past() { git -c core.hooksPath=/dev/null -c hook.git-grill-reference-transaction.enabled=false \"$@\"; }; \
    put() { export GIT_INDEX_FILE=$TMPDIR/index; git read-tree GRILL_HEAD; blob=$(git hash-object -w --stdin); \
    git update-index --add --cacheinfo 100644,$blob,.grill/$1; \
    past update-ref --no-deref $(git symbolic-ref GRILL_HEAD) $(git commit-tree -p GRILL_HEAD -m broken $(git write-tree)); \
    rm $GIT_INDEX_FILE; unset GIT_INDEX_FILE; }; ";

const BREAKAGES: &[Breakage] = &[
    Breakage { name: "deleted", by: "past update-ref -d $(git symbolic-ref GRILL_HEAD)", code: "bad_pointer" },
    Breakage { name: "no id in the ref", by: "echo junk >.git/$(git symbolic-ref GRILL_HEAD)", code: "corrupt" },
    Breakage {
        name: "a commit that is gone",
        by: "echo 1234567812345678123456781234567812345678 >.git/$(git symbolic-ref GRILL_HEAD)",
        code: "corrupt",
    },
    Breakage {
        name: "another branch's commit",
        by: "past update-ref $(git symbolic-ref GRILL_HEAD) refs/heads/main",
        code: "corrupt",
    },
    Breakage { name: "a newer format", by: "echo 2 | put format", code: "newer_format" },
    Breakage { name: "a format that is none", by: "echo many | put format", code: "corrupt" },
    Breakage { name: "no yaml", by: "printf 'a: [' | put session.yaml", code: "corrupt" },
    Breakage { name: "an empty session", by: ": | put session.yaml", code: "corrupt" },
    Breakage { name: "no utf-8", by: "printf '\\377\\376' | put checkpoint.md", code: "corrupt" },
    Breakage { name: "a pointer to nowhere", by: "echo junk >.git/GRILL_HEAD", code: "bad_pointer" },
    Breakage { name: "a pointer to a branch", by: "echo 'ref: refs/heads/main' >.git/GRILL_HEAD", code: "bad_pointer" },
];

fn sessions(bench: &Bench) -> Traces {
    let mut found = super::traces::everything(bench.repo());
    found.retain(|path, _| path.starts_with(".git/refs/grill") || path.starts_with(".git/logs/refs/grill"));
    found
}

#[test]
fn a_session_that_cannot_be_read_is_named_kept_and_left() {
    for Breakage { name, by, code } in BREAKAGES {
        let bench = Bench::new();
        let before = lasting(bench.repo());
        bench.run("git grill start 'a faster search'").assert_code(0);
        bench.run(&format!("{PUT}{by}")).assert_code(0);
        let broken = sessions(&bench);

        for verb in
            ["status", "next", "answer --choose 1", "checkpoint", "back 1", "select", "start x", "start", "stop"]
        {
            let line = format!("git grill {verb}");
            let said = bench.run(&line).assert_code(128).assert_contains("error: ").assert_contains("\nhint: ");
            said.assert_lacks("panicked").assert_lacks("RUST_BACKTRACE");
        }
        let json = bench.run("git grill --json status").assert_code(128).assert_quiet();
        json.assert_contains(&format!("\"code\":\"{code}\""));
        bench.run("git grill status --short").assert_code(128).assert_stdout("").assert_quiet();
        bench.run("git grill sessions").assert_code(0);
        // Who cannot read what it lets happen holds still as in an interview, and says why once.
        let moved = bench.run("git update-ref refs/heads/x HEAD").assert_code(128);
        moved.assert_contains("the interview is read-only");
        let commit = bench.run("git commit --quiet --allow-empty -m x").assert_code(128);
        // A phase may be read although a checkpoint cannot.
        let known = *name == "no utf-8";
        let said = commit.stderr().matches("cannot tell what else the session allows").count();
        assert_eq!(said, usize::from(!known), "{name}: {}", commit.stderr());
        commit.assert_lacks("warning");
        // Else an agent could break a session to be let out (G17).
        let agent = bench.run("CLAUDECODE=1 git grill stop --without-output").assert_code(1);
        agent.assert_contains("an agent ends a session through the output selection only");
        assert_same(&broken, &sessions(&bench), &format!("{name}: nothing is rewritten"));

        let stopped = bench.run("git grill stop --without-output").assert_code(0);
        stopped.assert_contains("this worktree has no session any more").assert_contains("is not recorded");
        assert_same(&broken, &sessions(&bench), &format!("{name}: stop rewrites nothing"));
        assert_same(&before, &unfinished(bench.repo()), &format!("{name}: nothing of ours is left"));
        bench.run("git commit --quiet --allow-empty -m free").assert_code(0).assert_lacks("grill");
        bench.run("git grill start 'another topic'").assert_code(0);
    }
}

/// What was typed into the checkpoint and could not be taken in stays (promise 1).
#[test]
fn leaving_a_broken_session_keeps_an_edited_checkpoint() {
    let bench = Bench::new();
    bench.run("git grill start 'a faster search'").assert_code(0);
    bench
        .run(&format!(
            "{PUT}echo '- by hand' >>.grill/checkpoint.md && past update-ref -d $(git symbolic-ref GRILL_HEAD)"
        ))
        .assert_code(0);
    let stopped = bench.run("git grill stop --without-output").assert_code(0);
    stopped.assert_contains("it holds an edit that is not recorded");
    assert!(bench.read(".grill/checkpoint.md").contains("- by hand"));
    bench.run("git status --short").assert_stdout("");
}

#[test]
fn a_broken_session_in_another_worktree_holds_nobody() {
    let bench = Bench::new();
    let linked = bench.worktree("side");
    linked.run("git grill start 'a faster search'").assert_code(0);
    linked.run(&format!("{PUT}past update-ref -d $(git symbolic-ref GRILL_HEAD)")).assert_code(0);
    bench.run("git grill start 'a cache'").assert_code(0);
    bench.run("git commit --quiet --allow-empty -m x").assert_code(128);
    bench.run("git grill stop --without-output").assert_code(0);
    linked.run("git grill stop --without-output").assert_code(0);
    bench.run("ls .git/hooks | grep -v sample").assert_stdout("");
}

/// What is noted about the hooks is broken: the end is recorded, and the way on is said.
#[test]
fn a_broken_note_about_the_hooks_says_how_to_go_on() {
    let bench = Bench::new();
    bench.run("git grill start 'a faster search' && echo { >.git/grill/hooks.json").assert_code(0);
    let refused = bench.run("git grill stop --without-output").assert_code(128);
    refused
        .assert_contains("hooks.json' cannot be read")
        .assert_contains("hint: move that file away, then git grill stop");
    bench.run("git commit --quiet --allow-empty -m free").assert_code(0).assert_quiet();
    bench.run("rm .git/grill/hooks.json && git grill stop").assert_code(0);
    bench.run("git grill status").assert_stdout("no session is active in this worktree\n");
}

#[test]
fn a_setting_that_makes_no_sense_is_named_with_what_it_may_be() {
    let bench = Bench::new();
    let before = lasting(bench.repo());
    for (key, value) in [("intensity", "brutal"), ("intent", "profit"), ("research", "maybe"), ("output", "poem")] {
        bench.run(&format!("git config grill.{key} {value}")).assert_code(0);
        let said = bench.run("git grill start x").assert_code(128).assert_contains(value);
        said.assert_contains(&format!("grill.{key}")).assert_contains("hint: ");
        bench.run("git config --remove-section grill").assert_code(0);
    }
    assert_same(&before, &lasting(bench.repo()), "nothing is created (G1)");
}
