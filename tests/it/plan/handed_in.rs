//! The ways by which a plan comes in, and what is none.

use super::{PLAN, at_terminal, call, execute, plan, planned, set, steps};
use crate::bench::Bench;
use crate::conversation::Sitting;

/// Runs `git grill plan set` at a terminal whose editor is this shell script.
fn edit(bench: &Bench, script: &str) -> Sitting {
    bench.write("../editor.sh", script);
    let editor = format!("sh {}/editor.sh", bench.root().display());
    Sitting::at(bench, &["plan", "set"], 50, 100, &[("GIT_EDITOR", &editor)])
}

#[test]
fn p16_a_plan_comes_from_standard_input_from_words_and_from_a_tool() {
    let bench = planned();
    assert_eq!(steps(&bench), ["pending Add `Limiter`", "pending Call it", "pending Say so in the README"]);
    assert_eq!(plan(&bench)["source"]["kind"], "text");
    bench
        .run("git grill plan set \"$(printf '1. one\\n2) two\\n   in full')\"")
        .assert_code(0)
        .assert_contains("2 steps");
    assert_eq!(steps(&bench), ["pending one", "pending two\nin full"]);
    let (code, result) = call(&bench, "grill_set_plan", r#"{"steps":["by a tool"]}"#);
    assert_eq!(code, 0, "{result}");
    assert_eq!(steps(&bench), ["pending by a tool"]);
    let source = plan(&bench)["source"].clone();
    assert!(
        source["kind"] == "tool" && source["name"] == "grill_set_plan" && source["by"] == "agent:claude",
        "{source}"
    );
}

#[test]
fn p16_a_plan_comes_from_a_file_and_the_name_of_one_is_no_plan() {
    let bench = planned();
    let before = steps(&bench);
    bench.write("my plan.md", "Plan:\n1. from a file\n2. in it\n");
    bench.write("src/it.md", "words\n");
    let refused = bench.run("git grill plan set 'my plan.md'").assert_code(2);
    refused
        .assert_contains("'my plan.md' is the name of a file")
        .assert_contains("git grill plan set --file 'my plan.md'");
    bench.run("git grill plan set my plan.md").assert_code(2).assert_contains("git grill plan set --file 'my plan.md'");
    bench.run("git grill plan set --file src/it.md").assert_code(1).assert_contains("the text has no plan");
    bench
        .run("git grill plan set --file no.md")
        .assert_code(128)
        .assert_contains("could not be read, and nothing changed");
    bench.run("git grill plan set --file 'my plan.md' '1. a'").assert_code(2);
    assert_eq!(steps(&bench), before);
    // As git takes it, and from where one stands.
    bench.run("cd src && git grill plan set -F '../my plan.md'").assert_code(0).assert_contains("2 steps");
    assert_eq!(steps(&bench), ["pending from a file", "pending in it"]);
    bench.run("printf '1. piped' | git grill plan set --file -").assert_code(0);
    assert_eq!(steps(&bench), ["pending piped"]);
    // A plan that is one stays one, whatever files are called.
    bench.write("1. a", "1. b\n");
    bench.run("git grill plan set '1. a'").assert_code(0);
    assert_eq!(steps(&bench), ["pending a"]);
}

#[test]
fn p16_a_plan_is_written_in_the_editor_which_holds_the_one_so_far() {
    let bench = Bench::new();
    bench.run("git grill plan on").assert_code(0);
    edit(&bench, "cp \"$1\" ../seen; printf 'Plan:\\n\\n1. one\\n2. two\\n   in full\\n' >\"$1\"").ends_with(0);
    bench.run("cat ../seen").assert_stdout("Plan:\n\n1. \n");
    assert_eq!(steps(&bench), ["pending one", "pending two\nin full"]);
    // Left as it was, it is no plan anew.
    edit(&bench, "cp \"$1\" ../seen").ends_with(5);
    bench.run("cat ../seen").assert_stdout("Plan:\n\n1. one\n2. two\n   in full\n");
    edit(&bench, "sed -i s/one/three/ \"$1\"").ends_with(0);
    assert_eq!(steps(&bench), ["pending three", "pending two\nin full"]);
    bench.run("git grill plan set").assert_code(3).assert_contains("git grill plan set - < plan.md");
}

#[test]
fn p16_what_is_no_plan_is_refused_and_the_plan_stays() {
    let bench = planned();
    let before = steps(&bench);
    for garbage in ["", "garbage\n", "Plan:\nfirst this, then that\n", "- one\n- two\n", "1. one\n\nand more words\n"] {
        let refused = bench.run_with_input("git grill plan set -", garbage).assert_code(1);
        refused.assert_contains("the text has no plan").assert_contains("git grill plan set -");
    }
    bench.run("git grill plan set garbage").assert_code(1).assert_contains("the text has no plan");
    // What is empty is not kept in a file.
    bench.run("rm .git/GRILL_KEPT-*").assert_code(0);
    for empty in ["", " \n\n"] {
        let refused = bench.run_with_input("git grill plan set -", empty).assert_code(1);
        refused.assert_contains("the text has no plan").assert_lacks("kept in");
    }
    bench.run("ls .git/GRILL_KEPT-*").assert_code(2);
    edit(&bench, "echo garbage >\"$1\"").ends_with(1);
    for request in [r#"{"steps":[]}"#, r#"{"steps":[" "]}"#, r#"{"plan":"1. a"}"#, "{"] {
        let (code, result) = call(&bench, "grill_set_plan", request);
        assert_eq!(code, 2, "{request}: {result}");
    }
    assert_eq!(steps(&bench), before);
}

/// The editor's file is what a person is typing into.
#[test]
fn p16_a_plan_that_is_refused_leaves_the_file_of_an_open_editor_alone() {
    let bench = planned();
    let script = "printf 'Plan:\\n\\n1. mine\\n' >\"$1\"; echo garbage | git grill plan set - >../refused 2>&1; cp \"$1\" ../seen";
    edit(&bench, script).ends_with(0);
    bench.run("cat ../refused").assert_contains("the text has no plan").assert_contains("GRILL_KEPT-1-plan.md");
    bench.run("cat ../seen").assert_stdout("Plan:\n\n1. mine\n");
    assert_eq!(steps(&bench), ["pending mine"]);
}

#[test]
fn p16_a_plan_that_is_carried_out_is_not_replaced() {
    let bench = planned();
    execute(&bench);
    let before = steps(&bench);
    let refused = bench.run_with_input("git grill plan set -", "1. another\n").assert_code(1);
    refused.assert_contains("it is being executed, and 3 of its 3 steps are open").assert_contains("git grill plan on");
    let (code, result) = call(&bench, "grill_set_plan", r#"{"steps":["another"]}"#);
    assert_eq!((code, result["error"]["code"].as_str()), (1, Some("plan_executing")), "{result}");
    assert_eq!(steps(&bench), before);
    // Once it is carried out, another one may follow, and that waits for a person.
    at_terminal(&bench, &["todos", "done", "1,2,3"]).ends_with(0);
    set(&bench, PLAN.replace("Limiter", "Bucket").as_str());
    assert_eq!((plan(&bench)["executing"].as_bool(), plan(&bench)["on"].as_bool()), (Some(false), Some(true)));
}

#[test]
fn p11_a_new_plan_names_the_marks_that_it_drops_to_a_person_a_program_and_an_agent() {
    let bench = planned();
    execute(&bench);
    assert_eq!(call(&bench, "grill_step_done", r#"{"step":3}"#).0, 0);
    at_terminal(&bench, &["todos", "done", "1"]).ends_with(0);
    at_terminal(&bench, &["todos", "skip", "2"]).ends_with(0);
    bench.run("git grill plan on").assert_code(0);
    let named = "\n  step 1, done: Add `Limiter`\n  step 2, skipped: Call it\n  step 3, claimed: Say so in the README";
    let other = "1. Add `Limiter`\n2. Call it twice\n";
    bench.run_with_input("git grill plan set -", other).assert_code(0).assert_contains(named);
    bench.run("git log -p GRILL_HEAD -- .grill/plan.yaml").assert_code(0).assert_contains("skipped");
    // A person may settle a step of a plan that is not executed.
    let settle = |deed: &str, step: &str| at_terminal(&bench, &["todos", deed, step]).ends_with(0);
    settle("done", "2");
    let said = bench.run_with_input("git grill plan set - --json", PLAN).assert_code(0);
    let said: serde_json::Value = serde_json::from_str(said.stdout()).unwrap();
    assert_eq!(said["droppedMarks"], serde_json::json!([{"step": 2, "status": "done", "text": "Call it twice"}]));
    settle("skip", "3");
    let (code, result) = call(&bench, "grill_set_plan", r#"{"steps":["another"]}"#);
    let named = "this one has none of these marks:\n  step 3, skipped: Say so in the README";
    assert!(code == 0 && result["text"].as_str().unwrap().contains(named), "{result}");
    // Where no step was marked, nothing is named.
    let said = bench.run_with_input("git grill plan set - --json", other).assert_code(0);
    said.assert_lacks("droppedMarks");
}
