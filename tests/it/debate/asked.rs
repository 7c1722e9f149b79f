//! What a role has to give, and what becomes of one that does not (D6, D7, D9, D19, D22, D30).

use super::{DOSSIER, PROPOSAL, Stage, attack, critique, synthesis};
use crate::bench::Bench;

#[test]
fn d6_d7_d9_d22_everything_that_is_missing_is_named_and_nothing_is_recorded() {
    let stage = Stage::new("");
    let tip = || stage.bench.run("git rev-parse GRILL_HEAD").stdout.clone();
    let before = tip();
    let lacks = PROPOSAL.replace("## Potential risks\nClocks that jump.\n", "");
    stage.gives(1, "proposal", &lacks).assert_code(1).assert_contains("it lacks the part “Potential risks”");
    assert_eq!(tip(), before);
    stage.gives(1, "proposal", PROPOSAL).assert_code(0);
    stage.gives(1, "critique", &critique("", "")).assert_code(1).assert_contains("Idea verdict");
    let silent = critique("", "sound").replace("## Scope\nNone found\n", "## Scope\n");
    stage.gives(1, "critique", &silent).assert_code(1).assert_contains("a report on “Scope”");
    stage.gives(1, "critique", &critique("", "challenge")).assert_code(0).assert_contains("challenge");
    stage.gives(1, "attack", &attack("- It is bad\n")).assert_code(1).assert_contains("the severity of “It is bad”");
    stage.gives(1, "attack", &attack("- [low] It is new\n")).assert_code(0);
    stage.answers("");
    let nothing = synthesis(&[], "One store: shared");
    stage.gives(1, "synthesis", &nothing).assert_code(1).assert_contains("an assessment of o-");
    let id = stage.ids("It is new").pop().unwrap();
    stage.gives(1, "synthesis", &synthesis(&[(id, "invalid — everything is")], "One store: shared")).assert_code(0);
}

/// Roles by command, which run behind walls that leave memory out.
fn with_roles(roles: &str) -> Bench {
    let bench = Bench::on_disk(Bench::new);
    bench.scripts_may_approve();
    bench.write("dossier.md", DOSSIER);
    bench.write("../tmp/proposal.md", PROPOSAL);
    bench.run(&format!("git grill debate start --dossier dossier.md {roles}")).assert_code(0);
    bench
}

#[test]
fn d6_d30_a_command_is_asked_again_twice_by_what_it_lacks_and_then_the_round_waits() {
    let bench = with_roles("--proposer 'cmd:sh role.sh'");
    bench.write("role.sh", "cat; echo '## Potential risks'; echo $$ >&2\n");
    let failed = bench.run("git grill debate next");
    failed.assert_code(128).assert_contains("asked 3 times, its text lacks the part “Architecture overview”");
    let status: serde_json::Value = serde_json::from_str(&bench.run("git grill status --json").stdout).unwrap();
    assert_eq!(status["debate"]["step"], "propose", "neither agreement nor deadlock");
    bench.run("git grill debate show").assert_code(0).assert_contains("No proposal by cmd:sh role.sh");
    // One that is told what it lacked gives it.
    bench.write(
        "role.sh",
        "told=$(cat); case $told in *'was incomplete'*) cat ../tmp/proposal.md ;; *) echo nothing ;; esac\n",
    );
    bench.run("git grill debate next").assert_code(0).assert_contains("proposal by cmd:");
    bench.run("git grill debate show").assert_code(0).assert_contains("2 tries");
}

#[test]
fn d30_a_command_that_fails_says_why_and_another_player_takes_over() {
    let bench = with_roles("--proposer 'cmd:echo out of tokens >&2; exit 7'");
    bench
        .run("git grill debate next")
        .assert_code(128)
        .assert_contains("it exited with status 7 and said: out of tokens");
    bench.run("git grill debate accept").assert_code(1);
    bench.run("git grill debate roles --proposer file:../tmp/proposal.md").assert_code(0);
    bench.run("git grill debate next").assert_code(0).assert_contains("proposal by file:");
    bench.run("git grill debate log").assert_code(0).assert_contains("round 1: no proposal by cmd:");
}

#[test]
fn d30_a_command_that_floods_or_is_silent_is_no_role() {
    let bench = with_roles("--proposer 'cmd:head -c 300000 /dev/zero | tr \"\\0\" x'");
    bench.run("git grill debate next").assert_code(128).assert_contains("it wrote more than 65536 bytes");
    bench.run("git grill debate roles --proposer cmd:true").assert_code(0);
    bench.run("git grill debate next").assert_code(128).assert_contains("it wrote nothing");
    // One that never ends is ended for it.
    bench.run("git grill debate roles --proposer cmd:yes").assert_code(0);
    bench.run("git grill debate next").assert_code(128).assert_contains("it wrote more than 65536 bytes");
}

#[test]
fn d21_d30_of_two_who_go_on_at_once_one_asks_the_role() {
    let bench = with_roles("--proposer 'cmd:sh role.sh'");
    bench.write("role.sh", "cat >/dev/null; read line <go; cat ../tmp/proposal.md\n");
    bench.run("mkfifo go").assert_code(0);
    let first = bench.spawn("git grill debate next");
    crate::bench::wait_until("the role", || bench.run("pgrep -f 'sh role.s[h]'").code == 0);
    let second = bench.run("git grill debate next --json").assert_code(1);
    second.assert_contains("role_at_work");
    bench.run("echo on >go").assert_code(0);
    let done = first.finish();
    assert_eq!(done.code, 0, "{done:?}");
    let log = bench.run("git log --format=%s GRILL_HEAD").assert_code(0);
    assert_eq!(log.stdout().matches("proposal by").count(), 1, "{}", log.stdout());
    assert!(!bench.run("ls .git/grill").stdout.contains(".step.lock"));
}

#[test]
fn d19_who_nobody_knows_plays_no_role() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.write("dossier.md", DOSSIER);
    for player in ["general-purpose", "Task", "claude", "cmd:", "you"] {
        let line = format!("git grill debate start --dossier dossier.md --advocate '{player}'");
        bench.run(&line).assert_code(1).assert_contains("is no player");
    }
    bench.run("git grill status").assert_contains("no session is active");
}
