//! The question tools from outside: what is cited, what the schemas say, and how a question is put.

use std::time::Duration;

use git_grill::app::prompt::{Picked, Prompted, Prompter as _, Slash};
use git_grill::app::putting::{Around, PersonReply, put, within};
use git_grill::domain::facts::Evidence;
use git_grill::domain::ids::QuestionId;
use git_grill::domain::question::{Form, Question};
use git_grill::domain::subsystem;
use git_grill::domain::tool::{
    AgentToolRequest, Asking, AskingRequest, EnterOutputRequest, EnterSelectionRequest, EvidenceRequest,
    FinishOutputRequest, FinishSelectionRequest, OptionRequest, QuestionnaireRequest, RecordAnswerRequest,
    ResumeRequest, SetAlternativesRequest, StartRequest, StatusRequest, SubmitDraftRequest, Tool,
    UpdateCheckpointRequest, rows,
};
use git_grill::term::scripted::{Asked, Scripted};
use serde_json::{Value, json};

use crate::bench::Bench;
use crate::fuzz::bodies::tool::{Text, Wrong};

fn question(form: Form) -> Question {
    let option = |label: &str| OptionRequest { label: label.to_owned(), ..OptionRequest::default() };
    let place = EvidenceRequest { path: "src/a.rs".to_owned(), lines: Some(vec![3, 4]) };
    let cited = OptionRequest { evidence: Some(place), description: Some("as elsewhere".to_owned()), ..option("Card") };
    let request =
        AskingRequest { question: "How?".to_owned(), options: vec![cited, option("List")], ..AskingRequest::default() };
    let mut cite = |place: &EvidenceRequest| Ok(Evidence { path: place.path.clone(), lines: Some((3, 4)), blob: None });
    Asking::check(form, &request, &mut cite).unwrap().question(QuestionId::from_nonce(1))
}

#[test]
fn q3_q5_q16_a_selection_is_put_with_both_entries_and_what_it_cites() {
    let mut script = Scripted::new()
        .picks(Picked::Choice { index: 1, note: Some("soon".to_owned()) })
        .picks(Picked::Wrote("mine".to_owned()))
        .picks(Picked::Discuss)
        .cancels("half");
    let around = || Around {
        heading: "question 1".to_owned(),
        draft: "d".to_owned(),
        status: "s".to_owned(),
        topic: String::new(),
        slash: Slash::Verb,
    };
    let question = question(Form::Select);
    let mut ask = || put(&mut script, &question, around(), &mut |_| {});
    assert_eq!(ask(), Prompted::Answered(PersonReply::Chosen(vec![2], Some("soon".to_owned()))));
    assert_eq!(ask(), Prompted::Answered(PersonReply::Wrote("mine".to_owned())));
    assert_eq!(ask(), Prompted::Answered(PersonReply::Chosen(vec![question.lets_discuss().unwrap()], None)));
    assert_eq!(ask(), Prompted::Cancelled { draft: "half".to_owned() });
    assert!(matches!(ask(), Prompted::Unavailable(_)), "a script that has ended answers nothing");
    let Asked::Pick(prompt) = &script.asked()[0] else { panic!("it is a list") };
    assert_eq!(prompt.other.as_deref(), Some("Something else (I'll explain)"));
    assert_eq!(prompt.discuss.as_deref(), Some("Let's discuss this"));
    assert_eq!(prompt.choices[0].description.as_deref(), Some("as elsewhere · src/a.rs:3-4"));
    assert_eq!((prompt.draft.as_str(), prompt.status.as_str()), ("d", "s"));
}

#[test]
fn q8_a_multi_selection_is_a_checklist_without_our_entries() {
    let mut script = Scripted::new().takes_many([0, 1]);
    let around = Around { heading: "question 1".to_owned(), topic: "cards".to_owned(), ..Around::default() };
    let said = put(&mut script, &question(Form::MultiSelect), around, &mut |_| {});
    assert_eq!(said, Prompted::Answered(PersonReply::Chosen(vec![1, 2], None)));
    let Asked::ChooseMany(prompt) = &script.asked()[0] else { panic!("it is a checklist") };
    assert_eq!((prompt.choices.len(), prompt.at_least), (2, 1));
    assert_eq!((prompt.heading.as_str(), prompt.question.as_str()), ("question 1", "How?"));
    assert_eq!(prompt.background, ["Evidence: src/a.rs:3-4", "The interview is about: cards"]);
}

#[test]
fn q14_a_limit_holds_for_one_prompt_alone() {
    let mut script = Scripted::new().dawdles("half").dawdles("half");
    let late = within(&mut script, Some(Duration::from_secs(1)), |prompter| prompter.confirm("Sure?"));
    assert_eq!(late, Prompted::TimedOut { draft: "half".to_owned() });
    // The script can only run out of a time that is limited.
    assert!(matches!(script.confirm("Sure?"), Prompted::Unavailable(_)));
}

/// A value that fits a property's schema.
fn sample(schema: &Value) -> Value {
    if let Some(one) = schema["enum"].get(0) {
        return one.clone();
    }
    match schema["type"].as_str().expect("every property has a type") {
        "string" => json!("text"),
        "integer" => schema["minimum"].clone(),
        "boolean" => json!(true),
        "array" => {
            let least = schema["minItems"].as_u64().unwrap_or(0);
            (0..least).map(|_| sample(&schema["items"])).collect()
        }
        "object" => {
            let properties = schema["properties"].as_object().expect("an object has properties");
            properties.iter().map(|(name, property)| (name.clone(), sample(property))).collect()
        }
        other => panic!("no sample for {other}"),
    }
}

fn reads(tool: Tool, request: &Value) -> Result<(), String> {
    let read = match tool {
        Tool::AskQuestion | Tool::AskMultiSelect => serde_json::from_value::<AskingRequest>(request.clone()).map(drop),
        Tool::ResumeStructured => serde_json::from_value::<ResumeRequest>(request.clone()).map(drop),
        Tool::Questionnaire => serde_json::from_value::<QuestionnaireRequest>(request.clone()).map(drop),
        Tool::SetAlternatives => serde_json::from_value::<SetAlternativesRequest>(request.clone()).map(drop),
        Tool::RecordAnswer | Tool::ReviseAnswer => {
            serde_json::from_value::<RecordAnswerRequest>(request.clone()).map(drop)
        }
        Tool::UpdateCheckpoint => serde_json::from_value::<UpdateCheckpointRequest>(request.clone()).map(drop),
        Tool::EnterSelection => serde_json::from_value::<EnterSelectionRequest>(request.clone()).map(drop),
        Tool::FinishSelection => serde_json::from_value::<FinishSelectionRequest>(request.clone()).map(drop),
        Tool::EnterOutput => serde_json::from_value::<EnterOutputRequest>(request.clone()).map(drop),
        Tool::SubmitDraft => serde_json::from_value::<SubmitDraftRequest>(request.clone()).map(drop),
        Tool::FinishOutput => serde_json::from_value::<FinishOutputRequest>(request.clone()).map(drop),
        Tool::Status => serde_json::from_value::<StatusRequest>(request.clone()).map(drop),
        Tool::Start => serde_json::from_value::<StartRequest>(request.clone()).map(drop),
        Tool::Agent => serde_json::from_value::<AgentToolRequest>(request.clone()).map(drop),
        Tool::Own(name) => {
            return subsystem::Command::of_call(name, &Text(&request.to_string())).map(drop).map_err(|Wrong(why)| why);
        }
    };
    read.map_err(|error| error.to_string())
}

#[test]
fn what_the_schemas_describe_is_what_is_read() {
    for row in rows() {
        let described: Value = serde_json::from_str(row.schema).expect("a schema is JSON");
        assert_eq!((described["name"].as_str(), row.tool.row()), (Some(row.name), row));
        let input = &described["inputSchema"];
        let mut request = sample(input);
        assert_eq!(reads(row.tool, &request), Ok(()), "{request}");
        assert_eq!(input["additionalProperties"], false);
        request["surplus"] = json!(1);
        assert!(reads(row.tool, &request).unwrap_err().contains("unknown field `surplus`"));
    }
    let bench = Bench::nowhere();
    let listed = bench.run("git grill tool --list").assert_code(0);
    let listed: Value = serde_json::from_str(listed.stdout()).unwrap();
    assert_eq!(listed["tools"].as_array().unwrap().len(), rows().count());
}

#[test]
fn g30_g35_nobody_who_calls_a_tool_says_who_decides() {
    for (tool, request) in [
        (Tool::Start, json!({"topic": "x", "approval": "agent"})),
        (Tool::Start, json!({"topic": "x", "interviewer": "built-in"})),
        (Tool::EnterOutput, json!({"outputPlan": "x", "approved": true})),
        (Tool::SubmitDraft, json!({"path": "a.md", "content": "x", "approved": true})),
        (Tool::RecordAnswer, json!({"answer": "x", "by": "human"})),
        (Tool::SetAlternatives, json!({"question": "x", "alternatives": [{"label": "a", "score": 2}]})),
        (Tool::UpdateCheckpoint, json!({"markdown": "x", "change_summary": "y"})),
        (Tool::EnterSelection, json!({"recommendedOutputs": 7})),
        (Tool::Agent, json!({"action": "start", "prompt": "x", "command": "/bin/sh"})),
        (Tool::Agent, json!({"action": "start", "prompt": "x", "args": ["--always-approve"]})),
        (Tool::Agent, json!({"action": "start", "prompt": "x", "env": {"A": "b"}})),
        (Tool::Agent, json!({"action": "start", "prompt": "x", "cwd": "/"})),
        (Tool::Agent, json!({"action": "start", "prompt": "x", "worktree": "w"})),
        (Tool::Agent, json!({"action": "status", "wait_seconds": -1})),
    ] {
        assert!(reads(tool, &request).is_err(), "{request}");
    }
    let list = json!({"recommendedOutputs": ["adr"]});
    let text = json!({"recommendedOutputs": "adr, prd"});
    assert_eq!((reads(Tool::EnterSelection, &list), reads(Tool::EnterSelection, &text)), (Ok(()), Ok(())));
}

#[test]
fn g46_from_an_agents_gate_the_person_goes_on() {
    let bench = Bench::new();
    bench.run("git grill start --research off --interviewer agent:claude 'it'").assert_code(0);
    let gate = json!({"readinessRationale": "r", "recommendedOutputs": [], "recommendedStrategy": "none", "question": "?",
        "alternatives": [{"label": "a"}, {"label": "b"}]});
    let said = bench.run_with_input("git grill tool grill_enter_output_selection_phase", gate.to_string());
    assert_eq!(said.code, 3, "{said}");
    bench.run("git grill next").assert_code(0);
    bench.run("git grill --json status").assert_code(0).assert_contains("\"phase\":\"interview\"");
}

/// What `path` (and `lines`) is cited as, or why it is not.
fn cite(bench: &Bench, place: &Value) -> Result<String, String> {
    let request = json!({"question": "Which?", "options": [{"label": "a", "evidence": place}, {"label": "b"}]});
    let output = bench.run_with_input("git grill tool ask_question", request.to_string());
    assert!([2, 3].contains(&output.code), "{output}");
    let said: Value = serde_json::from_str(&output.stdout).unwrap();
    match said["error"]["message"].as_str() {
        Some(why) => Err(why.to_owned()),
        None => Ok(said["kind"].as_str().unwrap().to_owned()),
    }
}

#[test]
fn q16_only_what_lies_in_the_repository_can_be_cited() {
    let bench = Bench::new();
    bench.write("src/a.rs", "one\ntwo");
    bench.write("src/empty.rs", "");
    bench.write("../secret", "x\n");
    bench.run("ln -s ../../secret src/out && ln -s a.rs src/in && ln -s loop src/loop").assert_code(0);
    for place in [
        json!({"path": "src/a.rs"}),
        json!({"path": "./src/a.rs", "lines": [1, 2]}),
        json!({"path": "src/a.rs", "lines": [2]}),
        json!({"path": "src/in"}),
        json!({"path": "src/empty.rs"}),
    ] {
        assert_eq!(cite(&bench, &place), Ok("unavailable".to_owned()), "{place}");
    }
    for (place, why) in [
        (json!({"path": "src/b.rs"}), "there is no such file"),
        (json!({"path": "src/a.rs/b"}), "there is no such file"),
        (json!({"path": "src"}), "it is no file"),
        (json!({"path": ""}), "the path is empty"),
        (json!({"path": "src/a.rs", "lines": [2, 3]}), "it has 2 lines"),
        (json!({"path": "src/a.rs", "lines": [0, 1]}), "counted from 1"),
        (json!({"path": "src/a.rs", "lines": [2, 1]}), "counted from 1"),
        (json!({"path": "src/a.rs", "lines": []}), "one number or two"),
        (json!({"path": "src/empty.rs", "lines": [1]}), "it has 0 lines"),
        (json!({"path": "../secret"}), "without '..'"),
        (json!({"path": "/etc/passwd"}), "without '..'"),
        (json!({"path": "src/out"}), "it leads out of the repository"),
        (json!({"path": "src/loop"}), "it cannot be read"),
        (json!({"path": ".git/config"}), "it belongs to git itself"),
        (json!({"path": ".GIT/config"}), "it belongs to git itself"),
    ] {
        let said = cite(&bench, &place).expect_err("it is no place");
        assert!(said.starts_with("option 1 cites") && said.contains(why), "{place}: {said}");
    }
}
