//! G42: what somebody else made of approved files is shown before the phase can finish, and recorded.

use super::{output, tidy};
use crate::bench::Bench;

fn calls_finish(bench: &Bench) -> serde_json::Value {
    let said = bench.run_with_input("CLAUDECODE=1 git grill tool grill_finish_output_phase", "{}");
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{}{}", said.stdout, said.stderr))
}

fn phase(bench: &Bench) -> String {
    let status = bench.run("git grill status --json").stdout;
    serde_json::from_str::<serde_json::Value>(&status).unwrap()["phase"].as_str().unwrap().to_owned()
}

fn history(bench: &Bench) -> String {
    bench.run("git log --format=%s GRILL_HEAD").stdout
}

#[test]
fn g42_an_agents_edit_is_shown_and_waits_for_a_person() {
    let bench = output(true);
    bench.run("echo 'by somebody' >>docs/d.md").assert_code(0);
    let said = calls_finish(&bench);
    assert!(said.to_string().contains("approval_required"), "{said}");
    assert!(said.to_string().contains("docs/d.md is not as git grill left it"), "{said}");
    // Nor does another plan, or the selection, lead past it.
    let gate = r#"{"readinessRationale":"x","recommendedOutputs":["summary"],"question":"?","alternatives":[]}"#;
    let said = bench.run_with_input("CLAUDECODE=1 git grill tool grill_enter_output_selection_phase", gate);
    assert_eq!(phase(&bench), "output", "{}{}", said.stdout, said.stderr);
    for line in ["CLAUDECODE=1 git grill finish", "CLAUDECODE=1 git grill select"] {
        let said = bench.run(line).assert_code(3);
        said.assert_contains("+by somebody").assert_contains("docs/d.md was changed by somebody else");
        assert_eq!(phase(&bench), "output", "{line}");
    }
    assert_eq!(history(&bench).matches("somebody else changed docs/d.md").count(), 1);
    let noted = bench.run("git show GRILL_HEAD:.grill/events.yaml").stdout;
    let blob = bench.run("git hash-object docs/d.md").stdout;
    assert!(noted.contains("event: outside-found") && noted.contains(blob.trim()), "{noted}");
    // Taken back, it is nobody's business any more.
    bench.run("sed -i '$d' docs/d.md && git grill finish").assert_code(0).assert_lacks("somebody else");
    assert!(history(&bench).contains("no planned file is changed by somebody else any more"));
}

#[test]
fn g42_machines_read_one_object_all_the_same() {
    let bench = output(true);
    bench.run("echo x >>docs/d.md && echo x >>README.md").assert_code(0);
    for line in ["git grill --json finish", "git grill --json stop"] {
        let said = bench.run(line);
        assert!(said.stderr.contains("changed by somebody else") == line.contains("finish"), "{}", said.stderr);
        serde_json::from_str::<serde_json::Value>(&said.stdout).unwrap();
    }
}

#[test]
fn g42_without_such_a_change_an_agent_finishes() {
    let bench = output(true);
    bench.run("git add docs/d.md && git commit -qm d").assert_code(0);
    let said = calls_finish(&bench);
    assert!(said.to_string().contains("The output phase is over"), "{said}");
    assert!(!history(&bench).contains("somebody else"));
}

#[test]
fn g42_a_commit_of_other_bytes_is_shown_although_the_file_is_back() {
    let bench = output(true);
    bench.run("cp docs/d.md ../kept && echo x >>docs/d.md && git commit -qam 'by somebody'").assert_code(0);
    let commit = bench.run("git rev-parse --short=10 HEAD").stdout;
    bench.run("cp ../kept docs/d.md && git commit -qam back").assert_code(0);
    let said = bench.run("CLAUDECODE=1 git grill finish").assert_code(3);
    said.assert_contains(&format!("git show {} -- :/docs/d.md", commit.trim()));
}

#[test]
fn g42_whose_word_approves_accepts_it_too_and_it_is_not_asked_again() {
    let bench = output(false);
    bench.run("echo x >>docs/d.md && git add docs && git commit -qm 'by somebody'").assert_code(0);
    bench.run("git grill finish").assert_code(0).assert_contains("docs/d.md was changed by somebody else");
    bench.run("git grill select design-doc --path docs/d.md && git grill approve && git grill finish").assert_code(0);
    assert_eq!(history(&bench).matches("somebody else changed").count(), 1, "{}", history(&bench));
}

#[test]
fn g42_whatever_stands_there_instead_of_the_file_is_named() {
    for (deed, says) in [
        ("rm docs/d.md", "+++ /dev/null"),
        ("rm docs/d.md && ln -s /etc/passwd docs/d.md", "it cannot be shown"),
        ("rm docs/d.md && mkdir docs/d.md", "it cannot be shown"),
        ("printf '\\377' >docs/d.md", "it cannot be shown"),
    ] {
        let bench = output(true);
        bench.run(deed).assert_code(0);
        let said = bench.run("CLAUDECODE=1 git grill finish").assert_code(3);
        said.assert_contains("docs/d.md was changed by somebody else").assert_contains(says);
    }
    // A draft that nobody approved, and whose file somebody wrote meanwhile.
    let bench = output(true);
    tidy(&bench);
    bench.run("git grill finish; git grill select summary --path docs/e.md").assert_code(0);
    bench.run("mkdir -p docs && echo mine >docs/e.md").assert_code(0);
    bench.run("CLAUDECODE=1 git grill finish").assert_code(3).assert_contains("+mine");
    // Stopping shows it as well.
    bench.run("git grill stop").assert_contains("+mine");
}

#[test]
fn g38_verify_says_that_approved_outputs_are_expected() {
    let bench = output(true);
    let line = "but for what was approved (docs/d.md), HEAD, refs, stash, index and working tree are as they were";
    bench.run("git grill verify").assert_code(0).assert_contains(line);
    bench
        .run("git grill produce --undo && git grill verify")
        .assert_code(0)
        .assert_contains("tree are as they were at the");
    bench.run("git grill verify").assert_code(0).assert_lacks("but for");
}
