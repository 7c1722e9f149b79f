//! The referee at the tools: what an agent leaves behind is named where it can still be mended (G57).

use serde_json::{Value, json};

use crate::bench::Bench;

/// An interview at this intensity that an agent leads.
fn led(intensity: &str) -> Bench {
    let bench = Bench::new();
    bench.write("src/poll.py", "a\nb\nc\n");
    bench.run("git add -A && git commit -qm 'poll: one loop'").assert_code(0);
    let start = format!(
        "git grill start --research auto --intensity {intensity} --interviewer agent:claude 'retries in the feed reader'"
    );
    bench.run(&start).assert_code(0);
    bench
}

fn tool(bench: &Bench, name: &str, arguments: &Value) -> Value {
    let said = bench.run_with_input(&format!("git grill tool {name}"), arguments.to_string());
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{said}"))
}

fn asks(bench: &Bench, question: &str, on: &[&str], purpose: Option<&str>) {
    let mut arguments = json!({"question": question, "dimension": "constraints", "noChange": "nothing new",
        "alternatives": [{"label": "this", "description": "r", "recommended": true}, {"label": "that", "description": "r"}],
        "buildsOn": on});
    if let Some(purpose) = purpose {
        arguments["purpose"] = json!(purpose);
    }
    tool(bench, "grill_set_alternatives", &arguments);
}

fn exchange(bench: &Bench, question: &str, answer: &str, on: &[&str], purpose: Option<&str>) {
    asks(bench, question, on, purpose);
    tool(bench, "grill_record_answer", &json!({"answer": answer}));
}

fn writes(bench: &Bench, markdown: &str) -> String {
    tool(bench, "grill_update_checkpoint", &json!({"markdown": markdown, "changeSummary": "all of it"})).to_string()
}

fn enters(bench: &Bench) -> String {
    tool(
        bench,
        "grill_enter_output_selection_phase",
        &json!({"question": "What?", "readinessRationale": "r", "recommendedOutputs": ["design-doc"],
            "recommendedStrategy": "vertical-slices", "alternatives": [{"label": "a"}, {"label": "b"}]}),
    )
    .to_string()
}

const CHECKPOINT: &str = "# T\n\n## Decisions\n\n- Memory only, nothing is kept; see `src/nope.py:9`, src/poll.py:40 and src/poll.py:2.\n- We deploy on kubernetes with three replicas.\n\n## Open Questions\n\n- Who pays for the SMS?\n";

/// An answer that was revised under a challenge and what builds on it, a skipped question, and a checkpoint with a place
/// that is not there and a question of its own.
fn left_behind(bench: &Bench) -> String {
    exchange(bench, "Where does the retry state live?", "In one sqlite file beside the feed list", &[], None);
    exchange(bench, "What would make a file wrong?", "Writers on two hosts", &["1"], Some("challenge"));
    exchange(bench, "Which tables does it need?", "One table, feed and next attempt", &["2"], None);
    asks(bench, "Which failures stay?", &[], None);
    tool(bench, "grill_record_answer", &json!({"outcome": "skipped"}));
    let revised = tool(bench, "grill_revise_answer", &json!({"question": "1", "answer": "In memory, nothing is kept"}));
    assert!(revised.to_string().contains("Questions 2, 3 build on it"), "{revised}");
    writes(bench, CHECKPOINT)
}

#[test]
fn g57_at_hard_the_gate_is_held_by_name_until_each_is_closed() {
    let bench = led("hard");
    let updated = left_behind(&bench);
    for remark in
        ["src/nope.py:9, and there is no such file", "src/poll.py:40, and the file has no such line", "unsaid:1"]
    {
        assert!(updated.contains(remark), "{remark}: {updated}");
    }
    assert!(!updated.contains("cites src/poll.py:2,"), "{updated}");
    let held = enters(&bench);
    for name in ["stale:2", "stale:3", "place:1", "place:2", "challenge:1", "skipped:4", "open:1", "area:scope"] {
        // The challenge of decision 1 was overtaken, and is named in its place.
        assert_eq!(held.contains(&format!("- {name}: ")), name != "challenge:1", "{name}: {held}");
    }
    // Each with its cure, and what holds nothing beside it.
    assert!(
        held.contains(
            "ask it again in the same words; what the user says in chat goes into grill_record_answer with question 4"
        ),
        "{held}"
    );
    let (holds, shown) = held.split_once("The user also sees these").unwrap();
    assert!(!holds.contains("unsaid:1") && shown.contains("- unsaid:1: the checkpoint lists a decision"), "{held}");
    // The tools close a question that was overtaken: the same answer once more, or a new one.
    let kept = tool(&bench, "grill_record_answer", &json!({"question": "2", "outcome": "still-right"}));
    assert!(kept.to_string().contains("still right, as reported by you"), "{kept}");
    tool(&bench, "grill_record_answer", &json!({"question": "3", "answer": "No table at all, a map by feed"}));
    tool(&bench, "grill_record_answer", &json!({"question": "4", "answer": "All failures but 410 stay"}));
    writes(
        &bench,
        "# T\n\n- Memory only, nothing is kept; a map by feed, no table. Writers on two hosts are ruled out.\n- All failures but 410 stay; see src/poll.py:2.\n",
    );
    let held = enters(&bench);
    for name in ["stale:", "place:", "skipped:", "open:", "dropped:"] {
        assert!(!held.contains(name), "{name} {held}");
    }
    assert!(held.contains("- challenge:3: ") && held.contains("- area:scope: "), "{held}");
    // Nothing has overtaken it since, and to skip is no answer in place of another.
    let again = tool(&bench, "grill_record_answer", &json!({"question": "2", "outcome": "still-right"}));
    assert!(again.to_string().contains("nothing that it stands on has changed"), "{again}");
    let skipped = tool(&bench, "grill_revise_answer", &json!({"question": "2", "outcome": "skipped"}));
    assert!(skipped.to_string().contains("instead, or the outcome not-known or still-right"), "{skipped}");
}

#[test]
fn g57_at_standard_the_same_is_shown_with_the_gate() {
    let bench = led("standard");
    left_behind(&bench);
    assert!(!enters(&bench).contains("was not opened"));
    let gate = bench.run("git grill status").assert_code(0).stdout().to_owned();
    let shown = bench.run("git grill waive").assert_code(0).stdout().to_owned();
    for name in ["stale:2", "stale:3", "place:1", "skipped:4", "open:1"] {
        assert!(shown.contains(&format!("{name}  (is only named)")), "{name}: {shown}\n{gate}");
    }
}

#[test]
fn g52_at_the_terminal_an_answer_is_kept_that_is_still_right() {
    let bench = led("standard");
    left_behind(&bench);
    bench.run("git grill back 2 --still-right").assert_code(0);
    bench.run("git grill back 3 --still-right").assert_code(0);
    let left = bench.run("git grill waive").assert_code(0).stdout().to_owned();
    assert!(!left.contains("stale:"), "{left}");
    // What was never answered cannot be right still.
    bench.run("git grill back 4 --still-right").assert_code(1).assert_contains("it has no answer");
    bench.run("git grill back --still-right").assert_code(2);
}

#[test]
fn g58_an_update_that_drops_answers_says_so_first() {
    let bench = led("standard");
    exchange(&bench, "Where does it live?", "hm. well\nIn one sqlite file beside the feed list", &[], None);
    exchange(&bench, "Which failures are final?", "Certificate errors and every 410", &[], None);
    let reply = tool(
        &bench,
        "grill_update_checkpoint",
        &json!({"markdown": "# T\n\n- Something else.\n", "changeSummary": "all of it"}),
    );
    let text =
        reply["message"].as_str().or_else(|| reply["text"].as_str()).map_or_else(|| reply.to_string(), str::to_owned);
    assert!(text.contains("The checkpoint leaves out 2 answers that hold"), "{reply}");
    assert!(text.contains("“In one sqlite file beside the feed list”") && !text.contains("“hm"), "{reply}");
    assert!(!reply.to_string().contains("is up to date"), "{reply}");
}

#[test]
fn g57_what_the_agent_wrote_in_the_users_place_holds_the_gate() {
    let bench = led("hard");
    asks(&bench, "Which failures are final?", &[], None);
    let updated = writes(&bench, "# T\n\n- Every 410 is final.\n");
    assert!(updated.contains("was still open: it is closed as answered in conversation"), "{updated}");
    let held = enters(&bench);
    assert!(held.contains("- unconfirmed:1: the user has not confirmed the agent's summary at question 1"), "{held}");
    tool(&bench, "grill_revise_answer", &json!({"question": "1", "answer": "410 is final, and nothing else"}));
    assert!(!enters(&bench).contains("unconfirmed:"));
}

#[test]
fn g57_an_answer_that_never_reached_the_checkpoint_holds_the_gate() {
    let bench = led("hard");
    exchange(&bench, "How many instances of the poller run?", "One only", &[], None);
    let held = enters(&bench);
    assert!(held.contains("- dropped:1: the checkpoint does not reflect answer 1: “One only”"), "{held}");
    writes(&bench, "# T\n\n- A single instance of the poller runs.\n");
    assert!(!enters(&bench).contains("dropped:"));
}

#[test]
fn g57_the_open_gate_tells_the_agent_what_the_user_sees_there() {
    let bench = led("standard");
    left_behind(&bench);
    let opened = enters(&bench);
    assert!(opened.contains("the user sees these concerns at the gate:"), "{opened}");
    assert!(opened.contains("- stale:2: "), "{opened}");
}

#[test]
fn g57_a_wish_to_waive_without_a_terminal_names_its_own_command() {
    let bench = led("hard");
    left_behind(&bench);
    enters(&bench);
    bench.run("git grill waive stale:2 < /dev/null").assert_code(3).assert_contains("git grill waive at a terminal");
}

#[test]
fn g57_a_gate_before_the_first_question_is_held() {
    for intensity in ["hard", "adversarial"] {
        let held = enters(&led(intensity));
        assert!(held.contains("was not opened") && held.contains("- area:scope: "), "{held}");
    }
}

#[test]
fn g15_g57_an_answer_is_still_right_when_its_place_changed_and_uncommitted_lines_can_be_cited() {
    let bench = led("hard");
    let cites = |question: &str| {
        let arguments = json!({"question": question, "dimension": "scope", "noChange": "nothing new",
            "evidence": [{"path": "src/poll.py", "lines": [2]}],
            "alternatives": [{"label": "this", "description": "r"}, {"label": "that", "description": "r"}]});
        tool(&bench, "grill_set_alternatives", &arguments);
        tool(&bench, "grill_record_answer", &json!({"answer": "The loop stays where it is"}));
    };
    cites("Does the loop at this place stay?");
    bench.write("src/poll.py", "a\nsomething else\nc\n");
    assert!(enters(&bench).contains("- citation:1: "));
    let kept = tool(&bench, "grill_revise_answer", &json!({"question": "1", "outcome": "still-right"}));
    assert!(kept.to_string().contains("recorded as still right"), "{kept}");
    cites("And the new line at this place?");
    let held = enters(&bench);
    assert!(!held.contains("citation:"), "{held}");
}

#[test]
fn g57_a_revised_answer_holds_the_gate_until_the_checkpoint_is_updated() {
    let bench = led("hard");
    exchange(&bench, "How many instances of the poller run?", "One only", &[], None);
    writes(&bench, "# T\n\n- One instance of the poller runs.\n");
    let revised = tool(&bench, "grill_revise_answer", &json!({"question": "1", "answer": "Three, on two hosts"}));
    assert!(revised.to_string().contains("It was “One only”"), "{revised}");
    assert!(enters(&bench).contains("- dropped:1: "));
    writes(&bench, "# T\n\n- Three instances of the poller run, on two hosts.\n");
    assert!(!enters(&bench).contains("dropped:"));
}

/// An interview whose gate has one concern of each kind that G57 names: a contradiction, an answer that the checkpoint
/// dropped, decisions that nothing challenged, areas that no question touched, and a place that is not as it was read.
fn with_one_of_each(intensity: &str) -> Bench {
    let bench = led(intensity);
    exchange(&bench, "How long may a request take?", "A request is answered in under 50 ms", &[], None);
    exchange(&bench, "How slow may it get?", "A request may take 200 ms", &[], None);
    let cites = json!({"question": "Does the loop at this place stay?", "dimension": "constraints", "noChange": "nothing new",
        "evidence": [{"path": "src/poll.py", "lines": [2]}],
        "alternatives": [{"label": "this", "description": "r"}, {"label": "that", "description": "r"}]});
    tool(&bench, "grill_set_alternatives", &cites);
    tool(&bench, "grill_record_answer", &json!({"answer": "The loop stays where it is"}));
    writes(&bench, "# T\n\n- A request is answered in under 50 ms, and may take 200 ms.\n");
    bench.write("src/poll.py", "a\nsomething else\nc\n");
    bench
}

#[test]
fn g57_each_kind_of_concern_holds_at_hard_and_at_adversarial_and_is_only_named_below() {
    for (intensity, holds) in [("gentle", false), ("standard", false), ("hard", true), ("adversarial", true)] {
        let bench = with_one_of_each(intensity);
        let entered = enters(&bench);
        assert_eq!(entered.contains("was not opened"), holds, "{intensity}: {entered}");
        let listed = bench.run("git grill waive").assert_code(0).stdout().to_owned();
        for name in ["contradiction:1:2", "dropped:3", "citation:3", "challenge:1", "area:scope"] {
            // What is asked of nobody at this intensity is not named either.
            let named = holds || name != "challenge:1";
            assert_eq!(entered.contains(&format!("- {name}: ")), named, "{intensity}, {name}: {entered}");
            let how = if holds { "(holds)" } else { "(is only named)" };
            assert_eq!(listed.contains(&format!("{name}  {how}")), named, "{intensity}, {name}: {listed}");
        }
        // The person's own way to the outputs is never held back, and shows the same.
        let selected = bench.run("git grill select").assert_code(0).stdout().to_owned();
        assert!(selected.contains("The rules see (contradiction:1:2): "), "{intensity}: {selected}");
        let status = bench.run("git grill status").assert_code(0).stdout().to_owned();
        assert!(status.contains("phase        output selection"), "{intensity}: {status}");
    }
}

#[test]
fn g13_g57_adversarial_holds_until_the_pre_mortem_and_the_opposite_were_asked_or_waived() {
    let bench = led("adversarial");
    let status = || tool(&bench, "grill_status", &json!({})).to_string();
    assert!(!status().contains("unasked:"), "nothing is missing before the first question");
    exchange(&bench, "How many instances of the poller run?", "One only", &[], None);
    assert!(status().contains("unasked:pre-mortem: no question asked yet"), "{}", status());
    let held = enters(&bench);
    for (name, purpose) in [("unasked:pre-mortem", "pre-mortem"), ("unasked:opposite", "opposite")] {
        assert!(held.contains(&format!("- {name}: ")), "{held}");
        assert!(held.contains(&format!("ask it, with purpose {purpose}")), "{held}");
    }
    exchange(&bench, "It was given up in May. What happened?", "Two of them ran", &[], Some("pre-mortem"));
    let held = enters(&bench);
    assert!(!held.contains("unasked:pre-mortem") && held.contains("- unasked:opposite: "), "{held}");
    let listed = bench.run("git grill waive").assert_code(0).stdout().to_owned();
    assert!(listed.contains("unasked:opposite  (holds)"), "{listed}");
}

#[test]
fn g57_the_bound_of_the_packet_is_configured_and_what_was_cut_is_said() {
    let bench = led("standard");
    for number in 1..=8 {
        let long =
            format!("Part {number} lives in a module of its own. {}", "It says much, and at length. ".repeat(20));
        exchange(&bench, &format!("Where does part {number} live?"), &long, &[], None);
    }
    let status = || tool(&bench, "grill_status", &json!({}));
    let bound = |status: &Value| {
        let packet = &status["packet"];
        let characters = packet["characters"].as_u64().unwrap();
        assert!(characters <= packet["limit"].as_u64().unwrap(), "{packet}");
        (packet["limit"].as_u64().unwrap(), packet["cut"].as_array().unwrap().len())
    };
    let whole = status();
    assert_eq!(bound(&whole), (12_000, 0));
    assert!(!whole.to_string().contains("Cut to "), "{whole}");
    bench.run("git config grill.packetLimit 2000").assert_code(0);
    let cut = status();
    let (limit, sections) = bound(&cut);
    assert!(limit == 2_000 && sections > 0, "{cut}");
    // In words that the agent reads, with what shows the rest.
    for said in ["Cut to 2000 characters: ", "left out", "git grill status --questions prints them all"] {
        assert!(cut.to_string().contains(said), "{said}: {cut}");
    }
    // A bound within which nothing could be said is refused by name.
    bench.run("git config grill.packetLimit 1").assert_code(0);
    let refused = status().to_string();
    assert!(refused.contains("grill.packetLimit is '1'"), "{refused}");
    assert!(refused.contains("allowed: <characters, 2000 to 200000>"), "{refused}");
}
