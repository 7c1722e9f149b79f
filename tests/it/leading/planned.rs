//! A plan with the agent that leads: what it proposes is set by the person's yes alone, what it marks is a claim, and each
//! turn has the plan as it stands (P16, P20, P21, P24).

use serde_json::{Value, json};

use super::refereed::prompts;
use super::story::{deeds, walled};
use super::{ENTER, ESCAPE, asks, goes_on, scripted, started, takes_first};
use crate::bench::Bench;
use crate::conversation::Sitting;

const KEYS: &str = "Enter sends, Esc pauses";

/// The steps of the session's plan, each with how far it is.
fn steps(bench: &Bench) -> Vec<String> {
    let status = bench.run("git grill status --json").assert_code(0);
    let status: Value = serde_json::from_str(status.stdout()).unwrap();
    let steps = status["plan"]["steps"].as_array().cloned().unwrap_or_default();
    steps
        .iter()
        .map(|step| format!("{} {}", step["status"].as_str().unwrap(), step["text"].as_str().unwrap()))
        .collect()
}

/// Chooses the agent in the session of plan mode, and goes on with it.
fn planning(bench: &Bench) -> Sitting {
    let mut sitting = Sitting::at(bench, &["interviewer", "scripted"], 50, 100, &[]);
    sitting.pty.wait_for("for the plan?");
    sitting.pty.wait_for("No, continue without an agent");
    sitting.below("for the plan?", "digits jump");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
    Sitting::at(bench, &["next"], 60, 100, &[])
}

/// Sends this at the prompt that stands below the last line with `heading`.
fn says(sitting: &mut Sitting, heading: &str, text: &str) {
    sitting.below(heading, KEYS);
    sitting.pty.send(text);
    sitting.pty.wait_for(&format!("› {text}"));
    sitting.pty.send("\r");
}

/// A session in which this plan is carried out.
fn executing(bench: &Bench) {
    bench.run("git grill plan on rate limiting").assert_code(0);
    let plan = "1. Add `Limiter` in src/limiter.rs\n2. Call it\n3. Say so in the README\n";
    bench.run_with_input("git grill plan set -", plan).assert_code(0);
    let mut sitting = Sitting::at(bench, &["plan", "execute"], 50, 100, &[]);
    sitting.pty.wait_for("[y/n]");
    sitting.pty.send("y");
    sitting.ends_with(0);
}

#[test]
fn p16_a_plan_in_the_last_message_is_offered_once_and_never_taken_silently() {
    if !walled() {
        return;
    }
    let proposal = "Plan:\n1. Add `Limiter` in src/limiter.rs\n";
    let bench = scripted(&json!({"turns": [
        [{"think": "Plan:\n1. Only a thought\n"}, {"say": "I looked.\n\n"}, {"say": proposal}, {"say": "2. Call it\n"}],
        [{"say": "As before.\n\n"}, {"say": proposal}, {"say": "2. Call it\n"}],
        [{"say": "Plan:\n1. Ask first\n"}],
    ]}));
    bench.run("git grill plan on rate limiting").assert_code(0);
    let mut sitting = planning(&bench);
    says(&mut sitting, "plan mode with scripted", "make one");
    sitting.below("scripted proposes a plan of 2 steps:", "[y/n]");
    assert_eq!(steps(&bench), Vec::<String>::new());
    sitting.pty.send("n");
    // The same plan again is not put again.
    says(&mut sitting, "the proposed plan was not set", "once more");
    sitting.below("scripted: As before.", KEYS);
    assert_eq!(sitting.pty.screen().matches("proposes a plan").count(), 1, "{}", sitting.pty.screen());
    assert_eq!(steps(&bench), Vec::<String>::new());
    says(&mut sitting, "scripted: As before.", "another one");
    sitting.below("scripted proposes a plan of 1 step:", "[y/n]");
    sitting.pty.send("y");
    sitting.below("plan: 1 step; git grill todos shows them", KEYS);
    sitting.pause();
    assert_eq!(steps(&bench), ["pending Ask first"]);
    assert!(deeds(&bench).lines().any(|deed| deed.starts_with("agent:scripted plan: 1 step")), "{}", deeds(&bench));
    // The plan stands before each turn, and the person's words behind it.
    let prompts = prompts(&bench);
    let [first, second, third] = &prompts[..] else { panic!("{prompts:#?}") };
    assert!(first.contains("The user talks with you about a plan for: rate limiting"), "{first}");
    assert!(!second.contains("The user talks with you"), "{second}");
    for (prompt, said) in [(first, "make one"), (second, "once more"), (third, "another one")] {
        assert!(prompt.contains("Plan mode is on: this repository is read-only"), "{prompt}");
        assert!(prompt.contains(&format!("The user says: {said}")), "{prompt}");
    }
}

#[test]
fn p23_the_notes_of_a_review_go_to_the_agent_at_once() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [
        [{"say": "Plan:\n1. Add `Limiter` in src/limiter.rs\n2. Call it\n"}],
        [{"say": "Plan:\n1. Add `Limiter` in src/limiter.rs\n2. Call it in src/server.rs\n"}],
    ]}));
    bench.run("git grill plan on rate limiting").assert_code(0);
    let mut sitting = planning(&bench);
    says(&mut sitting, "plan mode with scripted", "make one");
    sitting.below("scripted proposes a plan of 2 steps:", "[y/n]");
    sitting.pty.send("y");
    says(&mut sitting, "plan: 2 steps; git grill todos shows them", "/plan review --note '2: say where'");
    sitting.below("your agent has to answer with a new plan", "[y/n]");
    sitting.pty.send("y");
    // Without a note nothing goes to it.
    says(&mut sitting, "plan: 2 steps", "/plan review --drop");
    sitting.below("nothing changed", KEYS);
    sitting.pause();
    assert_eq!(steps(&bench), ["pending Add `Limiter` in src/limiter.rs", "pending Call it in src/server.rs"]);
    let prompts = prompts(&bench);
    let [_, second] = &prompts[..] else { panic!("{prompts:#?}") };
    assert!(second.contains("Note on step 2: say where"), "{second}");
    assert!(!second.contains("The user says"), "{second}");
}

#[test]
fn p20_p24_marks_and_completed_entries_are_claims_and_no_more() {
    if !walled() {
        return;
    }
    let lists = |entries: Value| json!({"update": {"sessionUpdate": "plan", "entries": entries}});
    let bench = scripted(&json!({"turns": [
        [{"think": "[DONE:3]"}, {"say": "`[DONE:3]` would mark it.\n"}, {"say": "[DONE:1] [DONE:9]"},
         lists(json!([{"content": "Say so in the README", "status": "parked"}, {"content": "Call it", "status": "pending"}]))],
        [lists(json!([{"content": "Look around", "status": "completed"}, {"content": "2. Call it", "status": "completed"}])),
         {"say": "Listed. [DONE:1]"}],
    ]}));
    executing(&bench);
    let mut sitting = planning(&bench);
    // What can be typed is what carrying it out needs.
    sitting.below("executing a plan with scripted", "/todos shows the steps");
    says(&mut sitting, "executing a plan with scripted", "what is done?");
    sitting.below("step 1 is claimed: Add `Limiter` in src/limiter.rs", KEYS);
    let rest = ["pending Call it", "pending Say so in the README"];
    assert_eq!(steps(&bench), ["claimed Add `Limiter` in src/limiter.rs", rest[0], rest[1]]);
    says(&mut sitting, "step 1 is claimed", "and now?");
    sitting.below("step 2 is claimed: Call it", KEYS);
    sitting.pause();
    let rest = ["claimed Call it", "pending Say so in the README"];
    assert_eq!(steps(&bench), ["claimed Add `Limiter` in src/limiter.rs", rest[0], rest[1]]);
    for deed in ["agent:scripted claim step 1", "agent:scripted claim step 2"] {
        assert_eq!(deeds(&bench).lines().filter(|one| one.starts_with(deed)).count(), 1, "{}", deeds(&bench));
    }
    // It is done once there is what we looked up ourselves.
    bench.write("src/limiter.rs", "struct Limiter;\n");
    bench.run("git grill todos").assert_code(0).assert_contains("☑ 1.").assert_contains("◐ 2.");
    let prompts = prompts(&bench);
    let [first, second] = &prompts[..] else { panic!("{prompts:#?}") };
    assert!(first.contains("Current step 1: Add") && first.contains("Do not change files here"), "{first}");
    assert!(second.contains("Current step 2: Call it") && second.contains("1 claimed"), "{second}");
}

#[test]
fn p20_a_turn_that_worked_and_marked_nothing_is_asked_about_once() {
    if !walled() {
        return;
    }
    let works = json!({"does": {"title": "Execute `cargo test`", "kind": "execute"}});
    let bench =
        scripted(&json!({"turns": [[works, {"say": "It ran."}], [{"say": "None yet."}], [{"say": "All well."}]]}));
    executing(&bench);
    let mut sitting = planning(&bench);
    says(&mut sitting, "executing a plan with scripted", "try it");
    says(&mut sitting, "scripted: It ran.", "and then?");
    says(&mut sitting, "scripted: None yet.", "so?");
    sitting.below("scripted: All well.", KEYS);
    sitting.pause();
    let prompts = prompts(&bench);
    let asked: Vec<bool> = prompts.iter().map(|one| one.contains("marked no step of the plan")).collect();
    assert_eq!(asked, [false, true, false], "{prompts:#?}");
}

#[test]
fn p16_the_tools_for_a_plan_are_there_where_one_is_made() {
    if !walled() {
        return;
    }
    let sets = json!({"tool": "grill_set_plan", "arguments": {"steps": ["Add a limiter", "Call it"]}});
    let same = json!({"say": "Plan:\n1. **Add** a limiter\n2. Call it\n"});
    let bench = scripted(&json!({"turns": [[sets, same]]}));
    bench.run("git grill plan on rate limiting").assert_code(0);
    let mut sitting = planning(&bench);
    says(&mut sitting, "plan mode with scripted", "make one");
    // What was handed in by the tool is shown, and not put once more.
    sitting.below("2. Call it", "not being executed; git grill plan execute approves it and lets changes through");
    sitting.below("not being executed", KEYS);
    sitting.pause();
    assert_eq!(steps(&bench), ["pending Add a limiter", "pending Call it"]);
}

#[test]
fn p16_p21_in_an_interview_the_plan_is_heard_before_the_question_is_put() {
    if !walled() {
        return;
    }
    let mut turn = goes_on("Second?");
    turn.as_array_mut().unwrap().insert(0, json!({"say": "Plan:\n1. Count by account\n"}));
    let bench = scripted(&json!({"turns": [asks("First?"), turn]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send("/plan on\r");
    sitting.pty.wait_for("plan mode is on beside the interview");
    takes_first(&mut sitting, "plan mode is on beside the interview");
    sitting.below("scripted proposes a plan of 1 step:", "[y/n]");
    sitting.pty.send("y");
    sitting.below("plan: 1 step; git grill todos shows them", "digits jump");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    assert_eq!(steps(&bench), ["pending Count by account"]);
    let prompts = prompts(&bench);
    let told: Vec<bool> = prompts.iter().map(|one| one.contains("Plan mode is on")).collect();
    assert_eq!(told, [false, true], "{prompts:#?}");
}

#[test]
fn p16_without_an_agent_that_was_chosen_here_a_plan_session_asks_nothing() {
    let bench = scripted(&json!({"turns": [[{"say": "Started?"}]]}));
    bench.run("git grill plan on rate limiting").assert_code(0);
    let sitting = Sitting::at(&bench, &["next"], 50, 100, &[]);
    sitting.pty.wait_for("asking is not possible in the no-interview phase");
    sitting.ends_with(1);
    bench.run("git grill next").assert_code(1);
}

#[test]
fn g56_after_a_failure_in_a_plan_session_the_choices_say_what_is_true_there() {
    if !walled() {
        return;
    }
    let fails = json!([{"error": {"code": -32603, "message": "boom"}}]);
    let bench = scripted(&json!({"turns": [fails]}));
    bench.run("git grill plan on rate limiting").assert_code(0);
    let mut sitting = planning(&bench);
    says(&mut sitting, "plan mode with scripted", "make one");
    sitting.below("How should the plan continue?", "digits jump");
    sitting.pty.wait_for("1. Continue without an agent");
    assert!(!sitting.pty.screen().contains("interview continue"), "{}", sitting.pty.screen());
    sitting.pty.send("\r");
    sitting.ends_with(0);
    assert_eq!(bench.run("git grill interviewer").stdout.trim(), "built-in");
}

#[test]
fn p20_what_was_marked_in_a_turn_that_is_left_or_fails_is_claimed() {
    if !walled() {
        return;
    }
    let marks = json!({"say": "Plan:\n1. Half of\n\n[DONE:1] is done.\n"});
    let fails = json!({"error": {"code": -32603, "message": "boom"}});
    let bench = scripted(&json!({"turns": [[marks, {"sleep": 600_000}]], "loaded": [[{"say": "[DONE:2]\n"}, fails]]}));
    executing(&bench);
    let mut sitting = planning(&bench);
    says(&mut sitting, "executing a plan with scripted", "what is done?");
    sitting.pty.wait_for("[DONE:1] is done.");
    sitting.pty.send(ESCAPE);
    sitting.pty.wait_for("step 1 is claimed: Add `Limiter` in src/limiter.rs");
    sitting.ends_with(0);
    let rest = "pending Say so in the README";
    assert_eq!(steps(&bench), ["claimed Add `Limiter` in src/limiter.rs", "pending Call it", rest]);
    let mut sitting = Sitting::at(&bench, &["next"], 60, 100, &[]);
    says(&mut sitting, "executing a plan with scripted", "and now?");
    sitting.below("step 2 is claimed: Call it", "digits jump");
    assert_eq!(steps(&bench), ["claimed Add `Limiter` in src/limiter.rs", "claimed Call it", rest]);
}
