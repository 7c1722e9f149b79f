//! Drafts approved at a terminal, one after the other: written, created, edited, left out, put off (G31, G32).

use super::{drafts, stage, text};
use crate::bench::Bench;
use crate::conversation::Sitting;
use crate::issues::planned;
use crate::tracker::stand_in::{Fault, StandIn, When};

const ENTER: &str = "\r";
const ESCAPE: &str = "\x1b";

/// `git grill approve` at a terminal, with an editor that is this shell script.
fn approving(bench: &Bench, gh: &StandIn, script: &str) -> Sitting {
    bench.write("../editor.sh", script);
    let editor = format!("sh {}/editor.sh", bench.root().display());
    let path = bench.environment().into_iter().find(|(name, _)| *name == "PATH").expect("one is set").1;
    let path = format!("{}:{}", gh.bin().display(), path.to_str().expect("it is text"));
    Sitting::at(bench, &["approve"], 60, 110, &[("GIT_EDITOR", &editor), ("PATH", &path)])
}

fn titles(gh: &StandIn) -> Vec<String> {
    gh.issues().into_iter().map(|(title, _)| title).collect()
}

/// Says no to a draft, and sends these keys to the list of what becomes of it instead.
fn instead(sitting: &mut Sitting, draft: &str, keys: &str) {
    sitting.pty.send("n");
    sitting.below(&format!("What becomes of {draft} instead?"), "Esc cancels");
    sitting.pty.send(keys);
}

#[test]
fn g32_three_issues_one_as_it_is_one_edited_one_left_out() {
    let (bench, gh) = planned();
    let mut sitting = approving(&bench, &gh, "sed -i 's/^title: .*/title: By hand/' \"$1\"\n");
    sitting.below("Create exactly this as issue:1 in octo/links", "[y/n]");
    // Whatever was typed ahead decides nothing.
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("there is no default");
    sitting.pty.send("y");
    // What else can be done with it stands where it is decided on.
    sitting.below("Create exactly this as issue:2", "With n you can edit it first, put it off or leave it out.");
    sitting.below("Create exactly this as issue:2", "[y/n]");
    assert_eq!(gh.issues(), [], "nothing appears before the last word");
    instead(&mut sitting, "issue:2", "2\r");
    sitting.below("+title: By hand", "Create exactly this as issue:2");
    sitting.below("Create exactly this as issue:2", "[y/n]");
    sitting.pty.send("y");
    sitting.below("Create exactly this as issue:3", "[y/n]");
    instead(&mut sitting, "issue:3", "3\r");
    sitting.ends_with(0);
    assert_eq!(titles(&gh), ["What is counted: 300 a minute", "By hand"]);
    assert_eq!(stage(&bench, "issue:3"), "dropped");
    // Both approvals are one commit.
    bench.run("git log --format=%s GRILL_HEAD | grep -c ^approve").assert_contains("1\n");
}

#[test]
fn g32_what_is_not_wanted_now_waits_and_escape_takes_the_whole_round_back() {
    let (bench, gh) = planned();
    let mut sitting = approving(&bench, &gh, "exit 1\n");
    sitting.below("Create exactly this as issue:1", "[y/n]");
    sitting.pty.send("y");
    sitting.below("Create exactly this as issue:2", "[y/n]");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(5);
    assert_eq!((gh.issues().len(), stage(&bench, "issue:1")), (0, "drafted".to_owned()));
    let mut sitting = approving(&bench, &gh, "exit 1\n");
    sitting.below("Create exactly this as issue:1", "[y/n]");
    instead(&mut sitting, "issue:1", ENTER);
    sitting.below("Create exactly this as issue:2", "[y/n]");
    instead(&mut sitting, "issue:2", "4\r");
    sitting.below("Exactly these 2, as they are shown: issue:2", "[y/n]");
    sitting.pty.send("y");
    sitting.pty.wait_for("issue:2 is approved and waits for issue:1, which is not");
    sitting.ends_with(0);
    assert_eq!((gh.issues().len(), stage(&bench, "issue:1")), (0, "drafted".to_owned()));
    assert_eq!(stage(&bench, "issue:3"), "approved");
    let mut sitting = approving(&bench, &gh, "exit 1\n");
    sitting.below("Create exactly this as issue:1", "[y/n]");
    sitting.pty.send("y");
    sitting.ends_with(0);
    assert_eq!(gh.issues().len(), 3);
}

#[test]
fn g32_a_draft_that_is_put_off_says_that_it_stays_and_how_it_is_approved_later() {
    let (bench, gh) = planned();
    let mut sitting = approving(&bench, &gh, "exit 1\n");
    for issue in ["issue:1", "issue:2", "issue:3"] {
        sitting.below(&format!("Create exactly this as {issue}"), "[y/n]");
        instead(&mut sitting, issue, ENTER);
    }
    sitting.pty.wait_for("what you put off remains a draft, and git grill approve shows it again");
    sitting.ends_with(5);
    assert_eq!((gh.issues().len(), stage(&bench, "issue:1")), (0, "drafted".to_owned()));
}

#[test]
fn g32_leaving_one_out_changes_those_that_were_approved_and_they_are_asked_about_again() {
    let (bench, gh) = planned();
    // The first one depends on the second.
    for (issue, before, after) in [(2, "depends_on: [1]", "depends_on: []"), (1, "depends_on: []", "depends_on: [2]")] {
        let draft = text(&bench, &format!("issue:{issue}"));
        assert!(draft.contains(before), "{draft}");
        bench.write("../turned.md", draft.replace(before, after));
        bench.run(&format!("git grill draft --edit issue:{issue} --from ../turned.md")).assert_code(0);
    }
    let mut sitting = approving(&bench, &gh, "exit 1\n");
    sitting.below("Create exactly this as issue:1", "[y/n]");
    sitting.pty.send("y");
    sitting.below("Create exactly this as issue:2", "[y/n]");
    instead(&mut sitting, "issue:2", "3\r");
    sitting.below("left out issue:2", "Create exactly this as issue:1");
    sitting.below("left out issue:2", "[y/n]");
    instead(&mut sitting, "issue:1", ENTER);
    sitting.below("Create exactly this as issue:3", "[y/n]");
    instead(&mut sitting, "issue:3", ENTER);
    sitting.ends_with(0);
    assert_eq!(gh.issues(), []);
    assert_eq!((stage(&bench, "issue:1"), stage(&bench, "issue:2")), ("drafted".to_owned(), "dropped".to_owned()));
    assert!(text(&bench, "issue:1").contains("depends_on: []"));
}

#[test]
fn g32_a_creation_that_breaks_off_says_how_many_exist_and_how_it_goes_on() {
    let (bench, gh) = planned();
    gh.at_creation(2, When::Before, Fault::Fail);
    let path = gh.first_in_path();
    bench
        .run(&format!("{path} git grill approve"))
        .assert_code(128)
        .assert_contains("issue:2 was not created in octo/links, where 1 of 3 issues exist")
        .assert_contains("git grill produce");
    bench.run(&format!("{path} git grill produce")).assert_code(0);
    assert_eq!(gh.issues().len(), 3);
    let json = bench.run("git grill --json draft issue:3");
    let value: serde_json::Value = serde_json::from_str(json.assert_code(0).stdout()).unwrap();
    let three = &value["drafts"][0];
    assert_eq!((three["number"].as_u64(), three["title"].as_str()), (Some(3), Some("Show that it works")));
    assert_eq!(
        (three["dependsOn"].to_string().as_str(), three["labels"].to_string().as_str()),
        ("[1,2]", "[\"slice\"]")
    );
}

#[test]
fn g32_an_issue_is_shown_as_it_will_be() {
    let (bench, _gh) = planned();
    bench
        .run("git grill draft issue:2")
        .assert_code(0)
        .assert_contains("  At the limit: no shared counter\n  labels     slice\n")
        .assert_contains("  depends on issue:1 What is counted: 300 a minute\n")
        .assert_contains("added when it is created: a line with the numbers")
        .assert_contains("creates exactly this; git grill draft --edit issue:2 changes it");
    bench.run("git grill draft issue:9").assert_code(1);
}

#[test]
fn g30_what_nobody_would_see_in_a_draft_or_its_path_is_counted_above_the_yes() {
    let several = "3 invisible characters, shown escaped";
    for (path, content, told) in [
        ("docs/ab.md", "plain\n", None),
        ("docs/a\u{200b}b.md", "plain\n", Some("1 invisible character, shown escaped")),
        ("docs/a\u{200b}b.md", "so\u{ad}ft, and\u{202e} turned round\n", Some(several)),
    ] {
        let bench = Bench::new();
        bench.scripts_may_approve();
        bench.run("git grill start --research off 'rate limiting'").assert_code(0);
        bench.run("git grill answer 'requests per client are counted'").assert_code(0);
        bench.run(&format!("git grill select design-doc --path '{path}'")).assert_code(0);
        bench.run_with_input("git grill draft --edit --from -", content).assert_code(0);
        let mut sitting = Sitting::at(&bench, &["approve"], 60, 110, &[]);
        sitting.below("Write exactly this as docs/a", "[y/n]");
        if let Some(told) = told {
            sitting.below(told, "Write exactly this as docs/a\\u{200b}b.md");
        }
        let screen = sitting.pty.screen();
        assert_eq!(screen.contains("invisible character"), told.is_some(), "{screen}");
        assert!(!sitting.pty.raw().contains(['\u{200b}', '\u{ad}', '\u{202e}']), "{:?}", sitting.pty.raw());
        sitting.pty.send(ESCAPE);
        sitting.ends_with(5);
        assert_eq!(stage(&bench, path), "drafted");
    }
}

#[test]
fn g31_what_cannot_be_done_now_says_what_can() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    bench.run("git grill select").assert_code(0);
    bench.run("git grill finish").assert_code(1).assert_contains("git grill next goes on with the interview");
    bench.run("git grill select design-doc --path docs/limits.md").assert_code(0);
    bench
        .run("CLAUDECODE=1 git grill produce --commit")
        .assert_code(3)
        .assert_contains("a person runs git grill produce --commit at a terminal");
    bench.run("CLAUDECODE=1 git grill approve").assert_code(3).assert_contains("a person runs git grill approve");
    bench.run("git grill approve").assert_code(0);
    // Where nothing waits nobody is sent for.
    bench.run("CLAUDECODE=1 git grill approve").assert_code(0).assert_contains("git grill finish returns");
}

#[test]
fn g31_a_no_to_one_yes_for_all_says_that_it_begins_again() {
    let (bench, gh) = planned();
    let mut sitting = approving(&bench, &gh, "exit 1\n");
    sitting.below("Create exactly this as issue:1", "[y/n]");
    sitting.pty.send("y");
    sitting.below("Create exactly this as issue:2", "[y/n]");
    instead(&mut sitting, "issue:2", "4\r");
    sitting.below("Exactly these 2, as they are shown: issue:2", "[y/n]");
    sitting.pty.send("n");
    sitting.below("nothing was approved by that; one by one again, from issue:2", "Create exactly this as issue:2");
    sitting.below("one by one again, from issue:2", "[y/n]");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(5);
    assert_eq!(gh.issues(), []);
}

#[test]
fn g32_a_file_of_an_issue_is_not_approved_without_the_file_that_it_depends_on() {
    let (bench, _gh) = planned();
    bench.run("git grill finish && git grill select github-issues --path issues").assert_code(0);
    let files: Vec<String> = drafts(&bench).iter().map(|draft| draft["path"].as_str().unwrap().to_owned()).collect();
    let [one, two, three] = files.as_slice() else { panic!("{files:?}") };
    bench
        .run(&format!("git grill approve {two}"))
        .assert_code(1)
        .assert_contains(&format!("{two} was not approved: it depends on {one}, which still waits for approval"))
        .assert_contains(&format!("git grill approve {one} {two} approves both"));
    bench
        .run(&format!("git grill approve {three}"))
        .assert_code(1)
        .assert_contains(&format!("git grill approve {one} {two} {three} approves all of them"));
    assert!(!bench.repo().join("issues").exists());
    bench.run(&format!("git grill approve {one} {two}")).assert_code(0);
    // What is written waits no more.
    bench.run(&format!("git grill approve {three}")).assert_code(0);
    assert!(bench.repo().join(three).exists());
}

#[test]
fn g32_a_yes_to_a_file_of_an_issue_does_not_count_while_the_one_it_depends_on_is_put_off() {
    let (bench, _gh) = planned();
    bench.run("git grill finish && git grill select github-issues --path issues").assert_code(0);
    let files: Vec<String> = drafts(&bench).iter().map(|draft| draft["path"].as_str().unwrap().to_owned()).collect();
    let [one, two, three] = files.as_slice() else { panic!("{files:?}") };
    let mut sitting = Sitting::at(&bench, &["approve"], 60, 140, &[]);
    sitting.below(&format!("Write exactly this as {one}"), "[y/n]");
    instead(&mut sitting, one, ENTER);
    for yes in [two, three] {
        sitting.below(&format!("Write exactly this as {yes}"), "[y/n]");
        sitting.pty.send("y");
    }
    sitting.ends_with(1);
    assert_eq!((stage(&bench, one), stage(&bench, two)), ("drafted".to_owned(), "drafted".to_owned()));
    assert!(!bench.repo().join("issues").exists());
}
