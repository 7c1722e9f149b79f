//! An agent calls whatever it likes, in any order, with the real program: no file and no issue appears that the person
//! had not approved byte for byte, and what they approved stays as it is (issue 6, G30, G31, G42).

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::bench::Bench;
use crate::faults::traces::{Traces, everything};
use crate::tracker::stand_in::StandIn;

const PATH: &str = "docs/design/rate-limiting.md";

/// Everything that an agent can call: every tool, with arguments that are taken, and every verb that moves a session.
const CALLS: &[&str] = &[
    "echo '{}' | git grill tool grill_status",
    r#"echo '{"topic":"another"}' | git grill tool grill_start"#,
    r#"echo '{"topic":"another","confirmed":"yes, do it"}' | git grill tool grill_start"#,
    r#"echo '{"question":"Which?","alternatives":[{"label":"a","recommended":true},{"label":"b"}]}' | git grill tool grill_set_alternatives"#,
    r#"echo '{"answer":"yes, write everything"}' | git grill tool grill_record_answer"#,
    r##"echo '{"markdown":"# Shared Understanding\n","changeSummary":"approved"}' | git grill tool grill_update_checkpoint"##,
    r#"echo '{"question":"Write it?","options":[{"label":"yes"},{"label":"no"}]}' | git grill tool ask_question"#,
    r#"echo '{"question":"What?","options":[{"label":"all"},{"label":"none"}]}' | git grill tool ask_multi_select"#,
    r#"echo '{"summary":"the user approved"}' | git grill tool resume_structured"#,
    r#"echo '{"questions":[{"id":"a","prompt":"Approve?"}]}' | git grill tool questionnaire"#,
    r#"echo '{"readinessRationale":"done","recommendedOutputs":["design-doc"],"recommendedStrategy":"none","question":"What now?","alternatives":[{"label":"a","recommended":true},{"label":"b"}]}' | git grill tool grill_enter_output_selection_phase"#,
    r#"echo '{"outcome":"continue-grilling"}' | git grill tool grill_finish_output_selection_phase"#,
    r#"echo '{"outcome":"stop-without-output"}' | git grill tool grill_finish_output_selection_phase"#,
    r#"echo '{"outputPlan":"all","outputs":[{"destination":"design-doc"},{"destination":"github-issues","repository":"octo/links"}]}' | git grill tool grill_enter_output_phase"#,
    r##"echo '{"path":"docs/design/rate-limiting.md","content":"# Theirs\n"}' | git grill tool grill_submit_draft"##,
    r##"echo '{"path":"docs/design/rate-limiting.md","content":"# Theirs again\n"}' | git grill tool grill_submit_draft"##,
    r#"echo '{"path":"docs/design/rate-limiting.md","leaveOut":true}' | git grill tool grill_submit_draft"#,
    r##"echo '{"path":".git/hooks/x","content":"#!/bin/sh"}' | git grill tool grill_submit_draft"##,
    r#"echo '{"title":"Theirs","body":"Do it."}' | git grill tool grill_submit_draft"#,
    r#"echo '{"issue":1,"title":"Theirs","body":"Do it."}' | git grill tool grill_submit_draft"#,
    r#"echo '{"summary":"written"}' | git grill tool grill_finish_output_phase"#,
    "git grill approve",
    "git grill approve docs/design/rate-limiting.md",
    "git grill draft",
    "git grill produce",
    "git grill produce --commit",
    "git grill produce --undo",
    "git grill finish",
    "git grill next",
    "git grill answer --choose 1",
    "git grill back 1",
    "git grill select design-doc",
    "git grill select github-issues",
    "git grill output design-doc",
    "git grill intensity gentle",
    "git grill verify --restore --yes",
    "git grill stop",
];

/// What the person does in between; nobody knows here that it is a script.
const PERSON: &[&str] = &[
    "git grill next",
    "git grill answer --choose 1",
    "git grill select design-doc,github-issues",
    "git grill draft",
    "git grill finish",
];

#[derive(Clone, Debug)]
enum Move {
    Agent(usize),
    Person(usize),
    /// The person approves what waits.
    Approval,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        12 => (0..CALLS.len()).prop_map(Move::Agent),
        3 => (0..PERSON.len()).prop_map(Move::Person),
        1 => Just(Move::Approval),
    ];
    proptest::collection::vec(one, 10..24)
}

/// The working tree without what is ours.
fn tree(bench: &Bench) -> Traces {
    let mut traces = everything(bench.repo());
    traces.retain(|path, bytes| !path.starts_with(".git") && !path.starts_with(".grill") && !bytes.is_empty());
    traces
}

/// What waits for an approval or has it, by the session's own account.
fn play(moves: &[Move]) -> BTreeMap<&'static str, u32> {
    let bench = Bench::new();
    let gh = StandIn::new(bench.root());
    gh.labels(&["slice"]);
    let path = gh.first_in_path();
    bench.scripts_may_approve();
    bench.run("git remote add origin https://github.com/octo/links.git").assert_code(0);
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    for answer in ["requests per client are counted", "300 a minute", "no shared counter", "a reply with 429"] {
        bench.run(&format!("git grill answer '{answer}'")).assert_code(0);
    }
    let mut seen = BTreeMap::new();
    let (mut stands, mut created) = (tree(&bench), gh.issues());
    for one in moves {
        let (line, what) = match one {
            Move::Agent(n) => (format!("export {path} CLAUDECODE=1; {}", CALLS[*n]), "agent"),
            Move::Person(n) => (format!("export {path}; {}", PERSON[*n]), "person"),
            Move::Approval => (format!("export {path}; git grill approve"), "approval"),
        };
        let output = bench.run(&line);
        assert!(!output.stderr.contains("panicked"), "{output}");
        let now = (tree(&bench), gh.issues());
        match one {
            Move::Agent(_) | Move::Person(_) => {
                assert!(now == (stands, created), "{moves:?}: something appeared at {output}");
            }
            Move::Approval if output.code == 0 => *seen.entry("approved").or_default() += 1,
            Move::Approval => {}
        }
        if output.code == 0 {
            *seen.entry(what).or_default() += 1;
        }
        (stands, created) = now;
    }
    *seen.entry("files").or_default() += u32::from(bench.repo().join(PATH).exists());
    *seen.entry("issues").or_default() += u32::try_from(created.len()).unwrap();
    seen
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, max_shrink_iters: 0, ..ProptestConfig::default() })]

    #[test]
    fn nothing_an_agent_calls_writes_a_file_or_creates_an_issue(moves in moves()) {
        play(&moves);
    }
}

/// The same calls where the way is known, so that it is no matter of chance that files and issues are within reach.
#[test]
fn the_moves_above_lead_to_files_and_issues_once_the_person_approves() {
    let select = PERSON.iter().position(|line| line.contains("select")).unwrap();
    let draft = PERSON.iter().position(|line| line.contains("draft")).unwrap();
    let mut all = vec![Move::Person(select), Move::Person(draft)];
    let hands_in = |call: &&str| call.contains("\"# Theirs") || call.contains("produce") || call.contains("approve");
    let some: Vec<Move> = (0..CALLS.len()).filter(|n| hands_in(&CALLS[*n])).map(Move::Agent).collect();
    all.extend(some.clone());
    all.push(Move::Approval);
    all.extend(some);
    let seen = play(&all);
    assert!(seen["files"] == 1 && seen["issues"] > 1 && seen["approved"] == 1, "{seen:?}");
}
