//! Drafts that wait while other outputs are asked for: a refusal leaves them as they are, a choice names those that it
//! drops, and edited ones come back with their output, or are kept (G17, G30 to G32).

use serde_json::Value;

use super::{commits, drafts, stage, text};
use crate::bench::Bench;
use crate::conversation::Sitting;
use crate::issues::planned;

const ESCAPE: &str = "\x1b";
const BY_HAND: &str = "words of mine\n";
/// An issue, and text enough for a file.
const ISSUE: &str = "---\ntitle: Mine\ndepends_on: [1]\n---\nwords of mine\n";

/// An interview that can be made into documents.
fn interview(bench: &Bench) {
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
}

/// A design document that is drafted and edited, where a script may approve.
fn edited() -> Bench {
    let bench = Bench::new();
    bench.scripts_may_approve();
    interview(&bench);
    bench.run("git grill select design-doc --path docs/limits.md").assert_code(0);
    bench.run_with_input("git grill draft --edit --from -", BY_HAND).assert_code(0);
    bench
}

/// Leaves the first draft and the conversation.
fn leave(mut sitting: Sitting, draft: &str) {
    sitting.below(&format!("Write exactly this as {draft}"), "[y/n]");
    sitting.pty.send(ESCAPE);
    sitting.below("What next?", "Tab choices");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
}

/// Before, each of these opened the output selection before it was refused, and the drafts were gone.
#[test]
fn g30_a_refused_choice_leaves_the_output_phase_with_its_drafts_and_edits() {
    let bench = Bench::new();
    interview(&bench);
    let mut sitting = Sitting::at(&bench, &["select", "design-doc", "--path", "docs/limits.md"], 50, 140, &[]);
    sitting.below("as docs/limits.md?", "[y/n]");
    sitting.pty.send("y");
    leave(sitting, "docs/limits.md");
    bench.run_with_input("git grill draft --edit --from -", BY_HAND).assert_code(0);
    let before = commits(&bench);
    for who in ["", "CLAUDECODE=1 "] {
        for choice in [" summary --path docs/memo.md", " design-doc --path docs/other.md", ""] {
            bench
                .run(&format!("{who}git grill select{choice}"))
                .assert_code(3)
                .assert_contains("choosing other outputs needs a person's word")
                .assert_contains("a person runs git grill select at a terminal");
            bench.run("git grill status --porcelain").assert_contains("phase\toutput\n");
            assert_eq!(text(&bench, "docs/limits.md"), BY_HAND, "{who}{choice}");
            assert_eq!(commits(&bench), before, "{who}{choice}");
        }
    }
}

#[test]
fn g31_a_choice_names_the_draft_that_it_drops_and_an_edited_one_comes_back() {
    let bench = edited();
    let mut sitting = Sitting::at(&bench, &["select", "summary", "--path", "docs/memo.md"], 50, 140, &[]);
    let question = "as docs/memo.md, and keep the edited draft of docs/limits.md for when its output is chosen again?";
    sitting.below(question, "[y/n]");
    sitting.pty.send("y");
    sitting.pty.wait_for("kept docs/limits.md as it was edited, for when design-doc is chosen again");
    leave(sitting, "docs/memo.md");
    bench.run("git grill fsck").assert_code(0).assert_contains("nothing is wrong here");

    bench
        .run("git grill select design-doc --path docs/limits.md")
        .assert_code(0)
        .assert_contains("drafted docs/limits.md as")
        .assert_contains("(edited)")
        .assert_lacks("has changed since");
    let now = (text(&bench, "docs/limits.md"), stage(&bench, "docs/limits.md"));
    assert_eq!(now, (BY_HAND.to_owned(), "drafted".to_owned()));
    bench.run("git grill fsck").assert_code(0).assert_contains("nothing is wrong here");
    bench.run("git grill approve").assert_code(0);
    assert_eq!(bench.read("docs/limits.md"), BY_HAND);
}

#[test]
fn g34_a_finished_output_phase_keeps_an_edited_draft_and_says_when_it_is_of_another_understanding() {
    let bench = edited();
    let told = "kept docs/limits.md as it was edited, for when design-doc is chosen again";
    bench.run("git grill finish").assert_code(0).assert_contains(told);
    bench.run("git grill status --porcelain").assert_contains("kept-edits\tdocs/limits.md, for when its output");
    let checkpoint = bench.read(".grill/checkpoint.md");
    bench
        .write(".grill/checkpoint.md", checkpoint.replace("## Decisions\n", "## Decisions\n\n- Counters are shared\n"));
    let again = "git grill select design-doc --path docs/limits.md";
    bench
        .run(again)
        .assert_code(0)
        .assert_contains("the understanding has changed since: docs/limits.md")
        .assert_contains("git grill draft --drop docs/limits.md");
    assert_eq!(text(&bench, "docs/limits.md"), BY_HAND);
    // What that names drafts it from the session.
    bench.run(&format!("git grill draft --drop docs/limits.md && {again}")).assert_code(0);
    let drafted = text(&bench, "docs/limits.md");
    assert!(drafted.contains("Counters are shared") && !drafted.contains("words of mine"), "{drafted}");
}

#[test]
fn g32_an_edited_issue_becomes_a_file_as_it_was_edited_and_an_issue_again() {
    let (bench, gh) = planned();
    bench.write("../mine.md", ISSUE);
    bench.run("git grill draft --edit issue:2 --from ../mine.md").assert_code(0);
    let select = "git grill select github-issues --strategy vertical-slices";
    bench.run(&format!("{select} --path issues")).assert_code(0);
    let files = drafts(&bench);
    let second = files.iter().find(|draft| draft["path"].as_str().is_some_and(|path| path.starts_with("issues/02")));
    assert_eq!(second.expect("the second issue")["content"], ISSUE, "{files:?}");
    bench.run(&format!("{} {select}", gh.first_in_path())).assert_code(0);
    assert_eq!(text(&bench, "issue:2"), ISSUE);
}

/// Before, the drafts went with the session, and nothing named them.
#[test]
fn g17_the_end_of_a_session_names_the_edited_drafts_that_were_not_written_and_what_prints_them() {
    for ended_by in ["stop --without-output", "--json stop --without-output"] {
        let bench = edited();
        let ended = bench.run(&format!("git grill {ended_by}"));
        let ended = ended.assert_code(0).assert_contains("docs/limits.md");
        let command = if ended_by.starts_with("--json") {
            let value: Value = serde_json::from_str(ended.stdout()).expect("one JSON object");
            assert_eq!(value["keptEdits"][0]["path"], "docs/limits.md");
            value["keptEdits"][0]["command"].as_str().expect("a command").to_owned()
        } else {
            let mut lines = ended.stdout().lines().skip_while(|line| !line.starts_with("kept edited drafts"));
            lines.find_map(|line| line.trim().strip_prefix("git show ")).map(|blob| format!("git show {blob}")).unwrap()
        };
        bench.run("git gc --quiet --prune=now").assert_code(0);
        bench.run(&command).assert_code(0).assert_stdout(BY_HAND);
        bench.run("git grill fsck").assert_code(0).assert_contains("nothing is wrong here");
    }
}

#[test]
fn g17_a_session_that_ends_with_drafts_as_they_were_made_names_none() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    interview(&bench);
    bench.run("git grill select design-doc --path docs/limits.md").assert_code(0);
    bench.run("git grill stop --without-output").assert_code(0).assert_lacks("kept edited drafts");
}

/// Another decision is another file: before, nothing said what became of the edited one.
#[test]
fn g31_an_edited_decision_record_that_does_not_come_back_is_named_with_what_prints_it() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    interview(&bench);
    bench.run("git grill answer 'sqlite is the store, not postgres'").assert_code(0);
    bench.run("git grill select adr").assert_code(0);
    let all = drafts(&bench);
    let record = all[0]["path"].as_str().expect("a path").to_owned();
    bench.run_with_input("git grill draft --edit --from -", BY_HAND).assert_code(0);
    bench
        .run("git grill finish && git grill back 2 && git grill answer 'redis is the store, not sqlite'")
        .assert_code(0);
    bench
        .run("git grill select adr")
        .assert_code(0)
        .assert_contains(&format!("the edited draft of {record} did not come back"))
        .assert_contains(" prints it");
    assert_ne!(drafts(&bench)[0]["path"].as_str(), Some(record.as_str()));
    let json = bench.run("git grill --json draft").assert_code(0);
    let shown: Value = serde_json::from_str(json.stdout()).expect("one JSON object");
    assert_eq!(shown["keptEdits"][0]["path"], record.as_str());
    let command = shown["keptEdits"][0]["command"].as_str().expect("a command");
    bench.run(command).assert_code(0).assert_stdout(BY_HAND);
    for shows in ["git grill draft", "git grill status", "git grill --json status"] {
        bench.run(shows).assert_code(0).assert_contains(command);
    }
}

/// Before, the output selection took the place of the output phase, and the plan was gone.
#[test]
fn g30_g35_an_agent_does_not_take_back_the_outputs_that_a_person_chose() {
    let bench = edited();
    let before = commits(&bench);
    let gate = r#"{"readinessRationale":"x","recommendedOutputs":["summary"],"recommendedStrategy":"none","question":"?","alternatives":[{"label":"a"},{"label":"b"}]}"#;
    bench
        .run_with_input("CLAUDECODE=1 git grill tool grill_enter_output_selection_phase", gate)
        .assert_code(3)
        .assert_contains("choosing other outputs needs a person's word, and the agent claude cannot give it")
        .assert_contains("Ask the user to run git grill select at a terminal");
    bench.run("git grill status --porcelain").assert_contains("phase\toutput\n");
    assert_eq!((text(&bench, "docs/limits.md"), commits(&bench)), (BY_HAND.to_owned(), before));
}
