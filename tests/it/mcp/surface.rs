//! The words that an agent reads that leads over MCP with the tools alone, as a client that shows its model nothing but
//! the text.

use serde_json::{Value, json};

use super::wire::{Shows, Speaks, Wire};
use crate::bench::Bench;

fn led(bench: &Bench) -> Wire {
    bench.run("git grill start 'where links live' --interviewer agent:claude-code --research off").assert_code(0);
    Wire::to(bench, Speaks::First(Shows::Nothing))
}

fn says(wire: &mut Wire, call: &Value) -> String {
    wire.call(call);
    let frame = wire.answered();
    let text = frame.pointer("/result/content/0/text").and_then(Value::as_str);
    text.unwrap_or_else(|| panic!("{frame}")).to_owned()
}

fn asked(wire: &mut Wire, text: &str, labels: [&str; 2]) {
    let alternatives = labels.map(|label| json!({"label": label, "description": "a reason"}));
    let question = json!({"question": text, "alternatives": alternatives, "noChange": "it stands there"});
    says(wire, &json!({"grill_set_alternatives": question}));
}

#[test]
fn g57_an_agent_that_lost_its_context_reads_what_was_turned_down() {
    let bench = Bench::new();
    let mut wire = led(&bench);
    asked(&mut wire, "Where do links live?", ["In a file", "In a database"]);
    says(&mut wire, &json!({"grill_record_answer": {"choice": ["1"]}}));
    asked(&mut wire, "Who owns one?", ["Its author", "A team"]);
    says(&mut wire, &json!({"grill_record_answer": {"answer": "The group that made it"}}));
    let status = says(&mut wire, &json!({"grill_status": {}}));
    assert!(status.contains("turned down: 2 In a database"), "{status}");
    assert!(status.contains("offered: 1 Its author; 2 A team"), "words of their own turn nothing down: {status}");
}

#[test]
fn q11_the_summary_of_a_discussion_is_the_agents_and_the_checkpoint_is_due() {
    let bench = Bench::new();
    let mut wire = led(&bench);
    asked(&mut wire, "Where do links live?", ["In a file", "In a database"]);
    bench.run("git grill discuss").assert_code(0);
    let early = says(&mut wire, &json!({"grill_record_answer": {"answer": "In a file"}}));
    assert!(early.starts_with("Talk in plain text, then call resume_structured"), "{early}");
    let resumed = says(&mut wire, &json!({"resume_structured": {"summary": "They live in one file."}}));
    assert!(resumed.starts_with("Conversation summary captured: They live in one file. Resuming"), "{resumed}");
    assert!(resumed.contains("your summary, which the user did not confirm; grill_revise_answer with question 1"));
    assert!(resumed.contains("Bring the checkpoint up to date with grill_update_checkpoint"), "{resumed}");
    let status = says(&mut wire, &json!({"grill_status": {}}));
    assert!(status.contains("a summary by the agent claude, which the user did not confirm"), "{status}");
    assert!(!status.contains("as reported"), "{status}");
}

#[test]
fn q1_a_plain_question_takes_a_reason_an_area_places_and_a_recommendation() {
    let bench = Bench::new();
    bench.write("links.md", "one\ntwo\nthree\n");
    bench.run("git add . && git commit -qm links").assert_code(0);
    let mut wire = led(&bench);
    let options = json!([{"label": "In a file", "recommended": true}, {"label": "In a database"}]);
    let question = json!({
        "question": "Where do links live?", "options": options, "why": "a file is hard to share",
        "dimension": "tradeoffs", "evidence": [{"path": "links.md", "lines": [2]}],
    });
    says(&mut wire, &json!({"ask_question": question}));
    let status = says(&mut wire, &json!({"grill_status": {}}));
    assert!(status.contains("[tradeoffs] open"), "{status}");
    assert!(status.contains("1 In a file (recommended)") && status.contains("cites links.md:2"), "{status}");
    says(&mut wire, &json!({"grill_record_answer": {"outcome": "skipped"}}));
    let mut nowhere = question.clone();
    nowhere["evidence"][0]["path"] = json!("nowhere.md");
    let refused = says(&mut wire, &json!({"ask_question": nowhere}));
    assert!(refused.contains("nowhere.md is cited"), "{refused}");
    let mut two = question.clone();
    two["options"][1]["recommended"] = json!(true);
    let refused = says(&mut wire, &json!({"ask_question": two}));
    assert!(refused.contains("one alternative can be recommended, and 2 are marked"), "{refused}");
    let plain = json!({"question": "And who owns one?", "options": [{"label": "Its author"}, {"label": "A team"}]});
    let put = says(&mut wire, &json!({"ask_question": plain}));
    assert!(put.contains("the question stays open"), "the plain form is taken as before: {put}");
}

#[test]
fn g36_the_method_is_told_once_and_on_request() {
    const METHOD: &str = "How to ask:";
    let bench = Bench::new();
    let mut wire = led(&bench);
    let status = |wire: &mut Wire, arguments: Value| says(wire, &json!({"grill_status": arguments}));
    assert!(status(&mut wire, json!({})).contains(METHOD));
    let again = status(&mut wire, json!({}));
    assert!(!again.contains(METHOD) && again.contains(r#"grill_status with "instructions": true"#), "{again}");
    assert!(status(&mut wire, json!({"instructions": true})).contains(METHOD));
    let mut other = Wire::to(&bench, Speaks::First(Shows::Nothing));
    assert!(status(&mut other, json!({})).contains(METHOD), "another server serves another client");
}

#[test]
fn g57_the_version_of_the_checkpoint_stands_in_the_text() {
    let bench = Bench::new();
    let mut wire = led(&bench);
    let update = json!({"markdown": "# S\n\n- In a file.\n", "changeSummary": "a file"});
    let updated = says(&mut wire, &json!({"grill_update_checkpoint": update}));
    let version = wire.seen.pointer("/result/structuredContent/checkpointVersion").and_then(Value::as_str).unwrap();
    assert!(updated.contains(&format!("Checkpoint version (the basedOn of an update): {version}")), "{updated}");
}

#[test]
fn a_call_that_is_wrong_names_the_field_and_shows_one_that_is_right() {
    let bench = Bench::new();
    let mut wire = led(&bench);
    let wrong = json!({"question": "Which?", "options": [{"label": "a"}, {"label": "b", "evidence": {"lines": [1]}}]});
    let refused = says(&mut wire, &json!({"ask_question": wrong}));
    assert_eq!(refused.matches("options[1].evidence: missing field `path`").count(), 1, "{refused}");
    assert!(!refused.contains("at line"), "{refused}");
    let example = refused.lines().find_map(|line| line.strip_prefix("for example: ask_question ")).unwrap();
    let example: Value = serde_json::from_str(example).unwrap();
    let taken = says(&mut wire, &json!({"ask_question": example}));
    assert!(taken.contains("the question stays open"), "{taken}");
}

#[test]
fn g54_an_intent_that_the_words_turned_is_said_once() {
    let bench = Bench::new();
    let mut wire = led(&bench);
    let answer = |wire: &mut Wire, words: &str| says(wire, &json!({"grill_record_answer": {"answer": words}}));
    asked(&mut wire, "What is it for?", ["Sharing", "Keeping"]);
    let turned = answer(&mut wire, "I want to learn and understand how it works, and to study it");
    assert!(turned.contains("the interview looks like learn; until now it looked like plan"), "{turned}");
    asked(&mut wire, "How many links are there?", ["Ten", "A thousand"]);
    let stays = answer(&mut wire, "about 300");
    assert!(!stays.contains("looks like"), "{stays}");
}

#[test]
fn g58_after_an_objection_the_way_to_a_late_answer_is_named_and_open() {
    let bench = Bench::new();
    let mut wire = led(&bench);
    asked(&mut wire, "Where do links live?", ["In a file", "In a database"]);
    let objected = json!({"outcome": "pushed-back", "answer": "That is not the point."});
    let recorded = says(&mut wire, &json!({"grill_record_answer": objected}));
    assert!(recorded.contains("grill_revise_answer with question 1"), "{recorded}");
    let revised = says(&mut wire, &json!({"grill_revise_answer": {"question": "1", "choice": ["2"]}}));
    assert!(revised.contains("The choice at question 1 is recorded"), "{revised}");
}

#[test]
fn g57_the_words_of_a_result_are_harmless_and_its_value_is_as_it_was_given() {
    let bench = Bench::new();
    let topic = "links \u{1b}[2J\u{202e}\u{200b}";
    bench.run(&format!("git grill start '{topic}' --interviewer agent:claude-code --research off")).assert_code(0);
    let mut wire = Wire::to(&bench, Speaks::First(Shows::Nothing));
    let markdown = "# S\n\n- In a\u{1b}[2J\u{202e}\tfile.\n";
    says(&mut wire, &json!({"grill_update_checkpoint": {"markdown": markdown, "changeSummary": "a file"}}));
    let status = says(&mut wire, &json!({"grill_status": {}}));
    assert!(!status.contains(['\u{1b}', '\u{202e}', '\u{200b}']), "{status:?}");
    assert!(status.contains("about \"links ␛[2J\\u{202e}\\u{200b}\""), "{status:?}");
    assert!(status.contains("- In a␛[2J\\u{202e}\tfile.\n"), "{status:?}");
    let value = wire.seen.pointer("/result/structuredContent").unwrap();
    assert_eq!((value["topic"].as_str(), value["checkpoint"].as_str()), (Some(topic), Some(markdown)), "{value}");
}
