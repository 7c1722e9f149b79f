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
    failed.assert_code(128).assert_contains("after 3 tries, its text lacks the part “Architecture overview”");
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
    let bench = with_roles("--proposer 'cmd:sh once.sh'");
    bench.write("once.sh", "cat >/dev/null; read line <go; cat ../tmp/proposal.md\n");
    bench.run("mkfifo go").assert_code(0);
    let first = bench.spawn("git grill debate next");
    crate::bench::wait_until("the role", || bench.run("pgrep -f 'sh once.s[h]'").code == 0);
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

/// What the user says while a text is written is not in it.
#[test]
fn d8_d30_a_text_is_not_taken_where_the_answers_or_the_player_changed_meanwhile() {
    let bench = with_roles("--proposer file:../tmp/proposal.md --synthesizer 'cmd:sh late.sh'");
    bench.write("late.sh", "cat >/dev/null; read line <go; echo nothing\n");
    bench.run("mkfifo go && git grill debate next").assert_code(0);
    for (part, text) in [("critique", super::critique("", "sound")), ("attack", super::attack(""))] {
        bench.write(&format!("../tmp/{part}.md"), text);
        bench
            .run(&format!("git grill debate roles --advocate file:../tmp/{part}.md && git grill debate next"))
            .assert_code(0);
    }
    bench.run("for i in 1 2 3; do git grill debate answer no; done").assert_code(0);
    for meanwhile in [
        "git grill debate answer back && git grill debate answer yes --note 'do it differently'",
        "git grill debate roles --synthesizer me",
    ] {
        bench.run("git grill debate roles --synthesizer 'cmd:sh late.sh'").assert_code(0);
        bench.write("whole.md", super::answering(&super::synthesis(&[], "One store: shared")));
        bench.write("late.sh", "cat >/dev/null; read line <go; cat whole.md\n");
        let playing = bench.spawn("git grill debate next");
        crate::bench::wait_until("the role", || bench.run("pgrep -f 'sh late.s[h]'").code == 0);
        bench.run(meanwhile).assert_code(0);
        bench.run("echo on >go").assert_code(0);
        let done = playing.finish();
        assert!(done.code == 1 && done.stderr.contains("the text was not taken"), "{meanwhile}: {done:?}");
    }
}

/// Whoever asks a role is killed: what plays it ends.
#[cfg(target_os = "linux")]
#[test]
fn d30_a_role_ends_with_whoever_asks_it() {
    let bench = with_roles("--proposer 'cmd:sleep 987321'");
    let mut asking = bench.spawn("exec git-grill debate next");
    crate::bench::wait_until("the role", || bench.run("pgrep -f 'sleep 98732[1]'").code == 0);
    asking.signal(rustix::process::Signal::KILL);
    drop(asking.finish());
    crate::bench::wait_until("its end", || bench.run("pgrep -f 'sleep 98732[1]'").code != 0);
}
