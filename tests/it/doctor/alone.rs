//! Findings that need another place, another user or another process, and what goes with them.

use git_grill::app::ports::Code;

use super::row::{STARTED, assert_said, looked, of};
use crate::bench::{Bench, Output, wait_until};
use crate::mending::WORDS;

pub const TESTED: [Code; 4] = [Code::NotWritable, Code::NotMended, Code::WorktreeMoved, Code::NotAFile];

fn started() -> Bench {
    started_by(Bench::run)
}

/// Started by another user, a session's hooks run the program where that user can: ours may be in a folder that is closed.
fn started_by(run: fn(&Bench, &str) -> Output) -> Bench {
    let bench = Bench::new();
    run(&bench, STARTED).assert_code(0);
    // A day later: nothing of it has a copy any more.
    run(&bench, "rm -r .git/grill/copies").assert_code(0);
    bench
}

/// Run as somebody whom modes bind.
#[test]
fn a_git_directory_that_cannot_be_written_is_told_with_what_opens_it() {
    for closed in [".git", ".git/refs/heads", ".git/objects/pack", "$(ls -d .git/objects/?? | head -n 1)"] {
        let bench = started_by(Bench::as_nobody);
        bench.as_nobody("git grill doctor").assert_code(0);
        let closed =
            bench.as_nobody(&format!("chmod u-w {closed} && echo {closed}")).assert_code(0).stdout().to_owned();
        let ran = bench.as_nobody("git grill doctor --json");
        let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran}"));
        let found = of(&told, Code::NotWritable);
        let text = bench.as_nobody("git grill doctor").stdout;
        let what = format!("/{} cannot be written: ", closed.trim());
        assert_said(&found[0], "error", &what, "nothing of a session can be recorded", &text, closed.trim());
        assert_eq!((ran.code, found.len()), (1, 1), "{told}");
        // It is not ours to open.
        bench.as_nobody("git grill doctor --fix").assert_code(1).assert_contains("cannot be written");
        bench.as_nobody(found[0]["mend"].as_str().unwrap()).assert_code(0);
        bench.as_nobody("git grill doctor").assert_code(0).assert_contains("nothing is wrong here");
    }
}

/// What stands in the way is said; once it is gone, the same command goes on.
#[test]
fn what_could_not_be_mended_is_told_and_mended_by_the_next_one() {
    let bench = started();
    bench.run(&format!("{WORDS} rm -f $(loose $tip); echo x >.git/grill/recovered")).assert_code(0);
    let told = looked(&bench, "git grill doctor --fix");
    let found = of(&told, Code::NotMended);
    let text = bench.run("git grill doctor --fix").stdout;
    assert_said(&found[0], "error", "recovered", "once that is out of the way, --fix goes on", &text, "in the way");
    assert_eq!(of(&told, Code::SessionUnreadable).len(), 1, "{told}");
    bench.run("rm .git/grill/recovered").assert_code(0);
    bench.run(found[0]["mend"].as_str().unwrap()).assert_code(0).assert_contains("was brought back to");
    assert_eq!(looked(&bench, "git grill doctor")["findings"], serde_json::json!([]));
}

#[test]
fn a_worktree_that_was_moved_is_told_and_repaired() {
    let bench = Bench::new();
    bench.worktree("side").run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("mv ../side ../moved").assert_code(0);
    let moved = bench.at("../moved");
    let told = moved.run("git grill doctor --json");
    let found: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
    let found = of(&found, Code::WorktreeMoved);
    let text = moved.run("git grill doctor").stdout;
    assert_said(&found[0], "error", "the worktree is not at ", "where git looks for hooks", &text, "moved");
    moved.run(found[0]["mend"].as_str().unwrap()).assert_code(0);
    moved.run("git grill doctor").assert_code(0).assert_contains("nothing is wrong here");
}

/// git waits there for ever, and git grill does not.
#[test]
fn p10_a_named_pipe_in_the_git_directory_of_a_worktree_is_told_and_not_waited_for() {
    for file in ["gitdir", "commondir", "HEAD", "locked", "index", "config.worktree"] {
        let bench = Bench::new();
        let side = bench.worktree("side");
        side.run("git grill start --research off 'rate limiting'").assert_code(0);
        let pipe = format!(".git/worktrees/side/{file}");
        bench.run(&format!("rm -f {pipe} && mkfifo {pipe}")).assert_code(0);
        for line in ["git grill plan on pipes", "git grill verify", "git grill status", "git grill sessions"] {
            bench.run(line).assert_code(0);
        }
        let told = looked(&bench, "git grill doctor");
        let text = bench.run("git grill doctor").stdout;
        let found = of(&told, Code::NotAFile);
        let what = format!("{pipe} is not a regular file");
        assert_said(&found[0], "error", &what, "may wait for ever", &text, file);
        assert_eq!(found.len(), 1, "{told}");
        // Whether that worktree is there is not known, and its session keeps the hooks.
        let stopped = bench.run("git grill stop --without-output").assert_code(0);
        stopped.assert_contains("another worktree has an active session, so its hooks stay");
        bench.run(found[0]["mend"].as_str().unwrap()).assert_code(0);
        assert!(of(&looked(&bench, "git grill doctor"), Code::NotAFile).is_empty(), "{file}");
    }
}

/// Whoever put it there would be let out of the session with it.
#[test]
fn g33_a_session_behind_a_named_pipe_lets_nothing_through() {
    let bench = Bench::new();
    let side = bench.worktree("side");
    side.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("rm .git/worktrees/side/gitdir && mkfifo .git/worktrees/side/gitdir").assert_code(0);
    let named = "the repository was not opened, because ";
    side.run("git grill status")
        .assert_code(128)
        .assert_contains(named)
        .assert_contains("/gitdir is not a regular file");
    let refused = side.run("git commit --quiet --allow-empty -m x").assert_code(128);
    refused.assert_contains(named).assert_contains("nothing is let through");

    let bench = Bench::new();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("rm .git/GRILL_HEAD && mkfifo .git/GRILL_HEAD").assert_code(0);
    let broken = "GRILL_HEAD of this worktree is broken: it is not a regular file";
    bench.run("git grill status").assert_code(128).assert_contains(broken);
    bench.run("git commit --quiet --allow-empty -m x").assert_code(128).assert_contains("the interview is read-only");
    bench.run("git grill stop --without-output && git commit --quiet --allow-empty -m free").assert_code(0);
}

/// A session that has nothing left is fetched from a copy by the very words of the finding.
#[test]
fn a_session_of_which_nothing_is_left_comes_back_from_a_copy() {
    let bench = started();
    bench.run("git clone --quiet --mirror . ../copy.git").assert_code(0);
    bench.run(&format!("{WORDS} for one in $(git rev-list $ref); do rm -f $(loose $one); done")).assert_code(0);
    let told = looked(&bench, "git grill doctor --fix");
    let found = of(&told, Code::SessionUnreadable);
    assert_eq!(found[0]["orElse"], serde_json::json!(["git grill stop --without-output"]), "{told}");
    bench.run(&found[0]["mend"].as_str().unwrap().replace("PATH-OF-A-COPY", "../copy.git")).assert_code(0);
    assert_eq!(looked(&bench, "git grill doctor")["findings"], serde_json::json!([]));
    bench.run("git grill status").assert_code(0).assert_contains("rate limiting");
}

/// A fence that was asked for is not silently gone because its record was lost.
#[test]
fn g33_a_fence_whose_record_is_lost_stands_again() {
    for spoil in ["rm .git/grill/fence.json", "echo '{' >.git/grill/fence.json"] {
        let bench = Bench::new();
        bench.run("git grill start --research off --fence 'rate limiting'").assert_code(0);
        bench.run(spoil).assert_code(0);
        bench.run("git grill doctor --fix").assert_code(0).assert_contains("was raised anew");
        bench.run("git grill status --porcelain").assert_code(0).assert_contains("fence\tup");
        bench.run("touch x && git add x").assert_code(128).assert_contains("index.lock");
        bench.run("git grill stop --without-output && git add x").assert_code(0);
        assert_eq!(bench.run("find .git -name '*.lock' -not -path '*/grill/*'").stdout, "", "{spoil}");
    }
}

/// What is set for one command alone no other command can take away.
#[test]
fn a_refspec_that_is_in_no_file_is_shown() {
    let bench = Bench::new();
    let set = "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.up.fetch GIT_CONFIG_VALUE_0='+refs/*:refs/*'; ";
    let told = looked(&bench, &format!("{set}git grill doctor"));
    let found = of(&told, Code::ForcedRefspec);
    let text = bench.run(&format!("{set}git grill doctor")).stdout;
    assert_said(&found[0], "warning", "in GIT_CONFIG_COUNT's variables", "it is in no file", &text, "no file");
    assert_eq!(found[0]["mend"], serde_json::Value::Null, "{told}");
    bench.run(&format!("{set}{}", found[0]["show"].as_str().unwrap())).assert_code(0).assert_contains("+refs/*:refs/*");
}

/// Waits for a file of the bench, but not for ever.
fn appears(bench: &Bench, name: &str) {
    wait_until(name, || bench.root().join(name).exists());
}

/// Doubt means no: what is open in a process, or may be a git's with its editor open, is nobody's to remove, however old.
/// What nobody works with is told at once: no commit works until it is gone.
#[test]
#[cfg(target_os = "linux")]
fn p1_a_lock_of_git_that_somebody_may_hold_is_not_told_and_one_that_nobody_holds_is_told_at_once() {
    let none = |bench: &Bench, when: &str| {
        let told = looked(bench, "git grill doctor");
        assert!(of(&told, Code::GitLock).is_empty(), "{when}: {told}");
    };
    let bench = Bench::new();
    bench.run("touch .git/index.lock").assert_code(0);
    assert_eq!(of(&looked(&bench, "git grill doctor"), Code::GitLock).len(), 1, "young");
    let open = bench.spawn("exec 9<.git/index.lock; echo ready >../young; exec sleep 60");
    appears(&bench, "young");
    none(&bench, "young and open");
    drop(open);
    bench.run("touch -d '1 hour ago' .git/index.lock").assert_code(0);
    assert_eq!(of(&looked(&bench, "git grill doctor"), Code::GitLock).len(), 1);
    let open = bench.spawn("exec 9<.git/index.lock; echo ready >../ready; exec sleep 60");
    appears(&bench, "ready");
    none(&bench, "open");
    drop(open);
    assert_eq!(of(&looked(&bench, "git grill doctor"), Code::GitLock).len(), 1);
    // A git commit closes the lock of the index while its editor is open.
    bench.run("rm .git/index.lock && mkdir sub && echo more >>README.md").assert_code(0);
    let git = bench.at("sub").spawn("GIT_EDITOR='echo ready >$HOME/../edited; sleep 60; true' git commit -a");
    appears(&bench, "edited");
    none(&bench, "a git with an editor, just now");
    bench.run("touch -d '1 hour ago' .git/index.lock").assert_code(0);
    none(&bench, "a git with an editor");
    drop(git);
}

/// Between two holders nobody holds them, so that alone says nothing of who is gone.
#[test]
fn p1_no_lock_of_a_session_that_is_active_is_told_as_left() {
    const KINDS: [&str; 5] = ["", ".produce", ".lead", ".call", ".runs"];
    let bench = started();
    for kind in KINDS {
        bench.run(&format!("{WORDS} touch .git/grill/$(basename $ref){kind}.lock")).assert_code(0);
    }
    assert_eq!(looked(&bench, "git grill doctor")["findings"], serde_json::json!([]));
    for kind in KINDS {
        bench.run(&format!("touch .git/grill/20260101-other-aaaaa{kind}.lock")).assert_code(0);
    }
    let told = looked(&bench, "git grill doctor");
    assert_eq!(of(&told, Code::LeftOver).len(), KINDS.len(), "{told}");
}
