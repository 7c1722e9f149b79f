//! Signal 9 at any moment (promise 1): what was acknowledged is in the history, the repository is sound, and the next
//! command works or says what to type.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::answers;
use super::traces::{assert_same, lasting, unfinished};
use crate::bench::{Bench, Output, one_of};

/// Every third round in `cargo test`.
fn rounds() -> impl Iterator<Item = u64> {
    (0..30).step_by(one_of(3))
}

/// Where to kill in round `n`: spread over the time that the command takes on this machine, in no order.
fn moment(takes: Duration, round: u64) -> Duration {
    takes * u32::try_from((round * 7_919) % 1_009).unwrap() / 1_009
}

/// How long a shell line takes to its end.
fn time(bench: &Bench, line: &str) -> Duration {
    let start = Instant::now();
    bench.run(line).assert_code(0);
    start.elapsed()
}

/// Starts a shell line, kills it with everything that it started, and says whether it had ended by itself before.
fn kill_after(bench: &Bench, line: &str, moment: Duration) {
    let mut running = bench.spawn(line);
    std::thread::sleep(moment);
    running.signal(Signal::KILL);
    let output = running.finish();
    assert!([0, 137].contains(&output.code), "{output}");
}

/// Runs a line after a kill. A ref's lock that the dead process held is broken once it is old, and until then the
/// command says to try again (exit 4): here the locks are made old.
pub fn after_kill(bench: &Bench, line: &str) -> Output {
    let output = bench.run(line);
    if output.code != 4 {
        return output;
    }
    output.assert_code(4).assert_contains(".lock for more than").assert_contains("hint: try again");
    bench.run("find .git -name '*.lock' -exec touch -d '1 hour ago' {} +").assert_code(0);
    bench.run(line)
}

#[test]
#[ignore = "killed at moments of the clock: .ci/thorough kills"]
fn killed_while_it_starts() {
    let bench = Bench::new();
    let before = lasting(bench.repo());
    let takes = time(&bench, "git grill start 'to see how long it takes'");
    bench.run("git grill stop --without-output").assert_code(0);
    let mut interrupted = 0;
    for round in rounds() {
        kill_after(&bench, "git grill start 'a faster search' >/dev/null 2>&1", moment(takes, round));
        interrupted += usize::from(lasting(bench.repo()) != before);
        bench.run("git fsck --no-dangling").assert_code(0);
        // Either there is a session, which can be ended, or there is none, and one can be begun.
        let status = bench.run("git grill status --short").assert_code(0);
        if status.stdout().is_empty() {
            bench.run("git commit --quiet --allow-empty -m free && git reset --quiet --soft HEAD~1").assert_code(0);
            after_kill(&bench, "git grill start 'a faster search'").assert_code(0);
        }
        bench.run("git commit --quiet --allow-empty -m x").assert_code(128).assert_contains("grill");
        after_kill(&bench, "git grill next").assert_code(0).assert_contains("question 1");
        after_kill(&bench, "git grill stop --without-output").assert_code(0);
        let mut after = lasting(bench.repo());
        after.retain(|path, _| {
            before.contains_key(path) || path.starts_with(".git/grill") || path.starts_with(".grill")
        });
        let mut unchanged = before.clone();
        unchanged.retain(|path, _| !path.starts_with(".git/logs") && !path.ends_with("COMMIT_EDITMSG"));
        after.retain(|path, _| !path.starts_with(".git/logs") && !path.ends_with("COMMIT_EDITMSG"));
        assert_same(&unchanged, &after, &format!("round {round}"));
    }
    assert!(interrupted > 0, "no kill came while something was made");
}

/// The hooks are armed before there is a session (G1); `stop` takes them away although there is none to end.
#[test]
fn killed_between_the_hooks_and_the_session() {
    let bench = Bench::new();
    let before = lasting(bench.repo());
    bench.run("git grill start 'a faster search' && rm -r .git/GRILL_HEAD .git/grill/view .grill").assert_code(0);
    bench.run("git grill status").assert_code(0).assert_contains("no session is active");
    bench.run("git commit --quiet --allow-empty -m free && git reset --quiet --soft HEAD~1").assert_code(0);
    bench.run("git grill stop").assert_code(6).assert_contains("no session is active in this worktree");
    let [before, after] = [before, unfinished(bench.repo())].map(|mut traces| {
        traces.retain(|path, _| !path.starts_with(".git/logs"));
        traces
    });
    assert_same(&before, &after, "after stop");
}

#[test]
#[ignore = "killed at moments of the clock: .ci/thorough kills"]
fn killed_while_it_answers() {
    let bench = Bench::new();
    bench.run("git grill start 'a faster search' --research off --intensity adversarial").assert_code(0);
    let acknowledged = bench.root().join("acknowledged");
    std::fs::write(&acknowledged, "").unwrap();
    let answering =
        "while git grill answer \"words $(wc -l <../acknowledged)\" >/dev/null 2>&1; do echo >>../acknowledged; done";
    // Several answers a round, and the last one is cut off.
    let takes = 3 * time(&bench, "git grill answer words && git grill back 1");
    let mut recorded = 0;
    for round in rounds() {
        kill_after(&bench, answering, moment(takes, round));
        let said = std::fs::read_to_string(&acknowledged).unwrap().lines().count();
        bench.run("git fsck --no-dangling").assert_code(0);
        bench.run("git grill status --short").assert_code(0).assert_contains("grill:");
        recorded = answers(&bench);
        // A process that recorded its answer may have died before it could say so; each round has one such at most.
        assert!(recorded >= said, "round {round}: {recorded} recorded of {said} acknowledged");
        assert!(recorded <= said + usize::try_from(round).unwrap() + 1, "round {round}: {recorded} of {said}");
        // At the gate there may be nothing left to ask, which is an answer too; that a lock was left is seen from the code.
        after_kill(&bench, "git grill next; code=$?; test $code = 1 || exit $code").assert_code(0);
        if said > 6 {
            after_kill(&bench, "git grill back 1").assert_code(0);
        }
    }
    assert!(recorded > 3, "the kills came before anything was recorded");
    let words = bench.run("git log --format=%s GRILL_HEAD").assert_code(0);
    for n in 0..std::fs::read_to_string(&acknowledged).unwrap().lines().count() {
        assert!(words.stdout().contains(&format!(": words {n}\n")), "answer {n} of {}", words.stdout());
    }
    after_kill(&bench, "git grill stop --without-output").assert_code(0);
}

#[test]
#[ignore = "killed at moments of the clock: .ci/thorough kills"]
fn killed_while_it_stops() {
    let bench = Bench::new();
    let before = lasting(bench.repo());
    bench.run("git grill start 'to see how long it takes' --research off").assert_code(0);
    let takes = time(&bench, "git grill stop --without-output");
    for round in rounds() {
        bench.run(&format!("git grill start 'topic {round}' --research off && git grill answer words")).assert_code(0);
        kill_after(&bench, "git grill stop --without-output >/dev/null 2>&1", moment(takes, round));
        bench.run("git fsck --no-dangling").assert_code(0);
        bench.run("git grill status").assert_code(0);
        // 6: it had ended already, and everything was taken away.
        let again = after_kill(&bench, "git grill stop --without-output");
        assert!([0, 6].contains(&again.code), "round {round}: {again}");
        assert_same(&before, &lasting(bench.repo()), &format!("round {round}"));
        bench.run("git log -1 --format=%s \"$(git for-each-ref --sort=-creatordate --format='%(refname)' refs/grill | head -1)\"")
            .assert_stdout("stop without output\n");
    }
    bench.run("git commit --quiet --allow-empty -m free").assert_code(0).assert_lacks("grill");
}
