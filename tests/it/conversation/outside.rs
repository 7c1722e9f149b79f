//! Finishing at a terminal with files that somebody else changed (G42).

use super::Sitting;
use crate::bench::Bench;

#[test]
fn g42_a_person_is_shown_the_difference_and_says_yes_or_no() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    bench
        .run("git grill select design-doc --path d.md && git grill approve && echo 'by an agent' >>d.md")
        .assert_code(0);
    for (key, code) in [("n", 5), ("y", 0)] {
        // Under another verb's conversation nothing follows.
        let mut sitting = Sitting::wide(&bench, &["finish", "it", "is", "done"]);
        sitting.below("+by an agent", "[y/n]");
        assert!(sitting.pty.screen().contains("Keep them?"), "{}", sitting.pty.screen());
        sitting.pty.send(key);
        if code == 0 {
            sitting.pty.wait_for("the output phase is over");
            sitting.pty.hang_up();
        } else {
            assert_eq!(sitting.pty.exit_code(), code, "{}", sitting.pty.screen());
        }
        let phase = bench.run("git grill status --json").stdout;
        assert_eq!(phase.contains("\"phase\":\"output\""), code != 0, "{phase}");
    }
    let log = bench.run("git log --format=%B GRILL_HEAD").stdout;
    assert_eq!(log.matches("somebody else changed d.md").count(), 1, "{log}");
}

/// Before, each of them named `git grill approve`, which has nothing to do there.
#[test]
fn g42_what_needs_a_person_names_the_command_by_which_they_say_it() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    bench.run("git grill select design-doc --path d.md && git grill approve").assert_code(0);
    bench.run("echo 'by an agent' >>d.md").assert_code(0);
    for (line, command) in [
        ("finish", "git grill finish"),
        ("select summary --path docs/memo.md", "git grill select"),
        ("produce --undo", "git grill produce --undo"),
    ] {
        bench
            .run(&format!("CLAUDECODE=1 git grill {line}"))
            .assert_code(3)
            .assert_contains(&format!("a person runs {command} at a terminal"))
            .assert_lacks("git grill approve");
    }
}
