//! Marks of steps: by an agent's tool, on every way, and by a person.

use serde_json::Value;

use super::{at_terminal, call, execute, planned, steps};
use crate::bench::Bench;

/// What a mark comes to: its exit code, and its kind or the code of its error.
fn mark(bench: &Bench, step: u32) -> (i32, String) {
    let (code, result) = call(bench, "grill_step_done", &format!("{{\"step\":{step}}}"));
    let word = result["kind"].as_str().or(result["error"]["code"].as_str());
    (code, word.unwrap_or_else(|| panic!("{result}")).to_owned())
}

fn commits(bench: &Bench) -> String {
    bench.run("git rev-list --count GRILL_HEAD").assert_code(0).stdout().to_owned()
}

#[test]
fn p20_a_step_is_marked_while_the_plan_is_carried_out_and_once() {
    let bench = planned();
    assert_eq!(mark(&bench, 1), (1, "not_executing".to_owned()));
    assert_eq!(mark(&bench, 9), (1, "no_such_step".to_owned()));
    execute(&bench);
    assert_eq!(mark(&bench, 9), (1, "no_such_step".to_owned()));
    assert_eq!(mark(&bench, 2), (0, "recorded".to_owned()));
    let after = commits(&bench);
    assert_eq!(mark(&bench, 2), (0, "unchanged".to_owned()));
    assert_eq!(commits(&bench), after);
    assert_eq!(steps(&bench), ["pending Add `Limiter`", "claimed Call it", "pending Say so in the README"]);
    bench.run("git grill plan on").assert_code(0);
    assert_eq!(mark(&bench, 1), (1, "not_executing".to_owned()));
}

#[test]
fn p20_the_note_of_a_mark_is_kept_and_one_that_is_too_long_marks_nothing() {
    let bench = planned();
    execute(&bench);
    let long = format!("{{\"step\":1,\"note\":\"{}\"}}", "x".repeat(201));
    let (code, result) = call(&bench, "grill_step_done", &long);
    assert_ne!(code, 0, "{result}");
    assert_eq!(steps(&bench)[0], "pending Add `Limiter`");
    let (code, result) = call(&bench, "grill_step_done", r#"{"step":1,"note":"with a test"}"#);
    assert_eq!(code, 0, "{result}");
    assert_eq!(super::plan(&bench)["steps"][0]["note"], "with a test");
}

#[test]
fn p20_a_person_settles_steps_and_opens_them_again() {
    let bench = planned();
    execute(&bench);
    at_terminal(&bench, &["todos", "skip", "2,3"]).ends_with(0);
    at_terminal(&bench, &["todos", "reopen", "3"]).ends_with(0);
    assert_eq!(steps(&bench), ["pending Add `Limiter`", "skipped Call it", "pending Say so in the README"]);
    let (code, screen) = at_terminal(&bench, &["todos", "done", "9"]).end();
    assert!(code == 1 && screen.contains("the plan has no step 9; they are 1 to 3"), "{screen}");
}

#[test]
fn p24_a_person_settles_steps_by_ranges_and_a_range_of_none_settles_nothing() {
    let bench = planned();
    execute(&bench);
    let before = steps(&bench);
    for range in ["3-1", "1-", "1-x", "1-2-3", "1-3,3-2", "1-101"] {
        let refused = bench.run(&format!("git grill todos done {range}")).assert_code(2);
        refused.assert_contains(&format!("invalid value '{}'", range.rsplit(',').next().unwrap()));
    }
    bench.run("git grill todos done 3-1").assert_code(2).assert_contains("a range goes up: 1-3");
    assert_eq!(steps(&bench), before);
    at_terminal(&bench, &["todos", "done", "1-2"]).ends_with(0);
    at_terminal(&bench, &["todos", "reopen", "2-2"]).ends_with(0);
    assert_eq!(steps(&bench), ["done Add `Limiter`", "pending Call it", "pending Say so in the README"]);
    at_terminal(&bench, &["todos", "skip", "1-2,3"]).ends_with(0);
    assert!(steps(&bench).iter().all(|step| step.starts_with("skipped ")), "{:?}", steps(&bench));
    let (code, screen) = at_terminal(&bench, &["todos", "done", "2-9"]).end();
    assert!(code == 1 && screen.contains("the plan has no step 4; they are 1 to 3"), "{screen}");
}

fn over_mcp(bench: &Bench, calls: &[(&str, &str)]) -> Vec<Value> {
    let hello =
        r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"claude-code","version":"2"}}"#;
    let mut frames = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{hello}}}\n\
         {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}}\n"
    );
    for (id, (tool, arguments)) in (1..).zip(calls) {
        let params = format!("{{\"name\":\"{tool}\",\"arguments\":{arguments}}}");
        let frame = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{params}}}\n");
        frames.push_str(&frame);
    }
    let said = bench.run_with_input("git grill mcp", frames).assert_code(0).stdout().to_owned();
    let said: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answer = |id: usize| said.iter().find(|frame| frame["id"] == id).unwrap_or_else(|| panic!("{said:?}"));
    (1..=calls.len()).map(|id| answer(id)["result"]["structuredContent"].clone()).collect()
}

#[cfg(feature = "mcp")]
#[test]
fn p16_p20_over_mcp_a_plan_is_handed_in_and_its_steps_are_marked() {
    let bench = planned();
    let came = over_mcp(&bench, &[("grill_set_plan", r#"{"steps":["one","two"]}"#)]);
    assert_eq!(came[0]["kind"], "recorded", "{came:?}");
    let came = over_mcp(&bench, &[("grill_step_done", r#"{"step":1}"#)]);
    assert_eq!(came[0]["error"]["code"], "not_executing", "{came:?}");
    execute(&bench);
    for (step, key, word) in [(1, "/kind", "recorded"), (1, "/kind", "unchanged"), (7, "/error/code", "no_such_step")] {
        let request = format!("{{\"step\":{step}}}");
        let came = over_mcp(&bench, &[("grill_step_done", request.as_str())]);
        assert_eq!(came[0].pointer(key).and_then(Value::as_str), Some(word), "{came:?}");
    }
    assert_eq!(steps(&bench), ["claimed one", "pending two"]);
}
