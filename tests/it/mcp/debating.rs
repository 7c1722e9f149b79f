//! `grill_debate` puts what the user is asked in a debate to them by the client's form, one question a call (D8), and the
//! host answers none of it.

use serde_json::{Value, json};

use super::wire::{Shows, Speaks, Wire};
use crate::bench::Bench;

const DOSSIER: &str = "# Rate limiting\n\nClients hammer the API. We want limits.\n";
const PROPOSAL: &str = "## Architecture overview\nA bucket.\n## Key technical decisions\n- Token bucket: bursts are legal\n\
                        ## File structure changes\nnone\n## Potential risks\nnone\n## Options considered\n- Token bucket: \
                        chosen, since bursts are legal\n- Nothing: not feasible, since outages came from there\n";

fn report(facets: &[&str]) -> String {
    facets.iter().map(|facet| format!("## {facet}\nNone found\n")).collect()
}

/// A debate in which the host has the first texts, and the user is to be heard.
fn heard_next() -> Bench {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.write("dossier.md", DOSSIER);
    let roles = "--proposer host --advocate host --synthesizer host";
    bench.run(&format!("git grill debate start --dossier dossier.md {roles}")).assert_code(0);
    let idea = report(&["Problem framing", "Hidden assumptions", "Simpler alternatives", "Scope"]);
    let attack = report(&["Architecture flaws", "Security gaps", "Violated constraints", "Regressions", "Scalability"]);
    let texts = [
        ("proposer", PROPOSAL.to_owned()),
        ("devils-advocate", format!("{idea}\nIdea verdict: sound\n")),
        ("devils-advocate", attack),
    ];
    for (role, text) in texts {
        let call = json!({"action": "submit", "debate": 1, "role": role, "round": 1, "text": text});
        bench.run_with_input("CLAUDECODE=1 git grill tool grill_debate", call.to_string()).assert_code(0);
    }
    bench
}

fn next() -> Value {
    json!({"grill_debate": {"action": "next"}})
}

/// The entry of a form that begins so.
fn entry(form: &Value, beginning: &str) -> Value {
    let choice = &form["requestedSchema"]["properties"]["choice"];
    let entries = choice.get("enum").or_else(|| choice.get("oneOf")).and_then(Value::as_array).unwrap();
    let all = entries.iter().map(|entry| entry.get("const").unwrap_or(entry));
    all.clone().find(|entry| entry.as_str().unwrap().contains(beginning)).unwrap_or_else(|| panic!("{form}")).clone()
}

fn answers(bench: &Bench) -> String {
    bench.run("git show GRILL_HEAD:.grill/debate/1/round-1/answers.md").stdout
}

#[test]
fn d8_each_question_is_put_by_a_form_and_the_answer_is_the_users() {
    for speaks in [Speaks::First(Shows::Forms), Speaks::Second(Shows::Forms)] {
        let bench = heard_next();
        let mut wire = Wire::to(&bench, speaks);
        wire.call(&next());
        let form = wire.form();
        let asked = form["message"].as_str().unwrap();
        assert!(asked.contains("Do you agree with the attack?") && asked.contains("no objection was raised"), "{form}");
        wire.fill(&json!({"action": "accept", "content": {"choice": entry(&form, "Yes")}}));
        let said = wire.answered();
        assert!(said.to_string().contains("The user answered."), "{said}");
        // A yes that needs words is given in words.
        wire.call(&next());
        let form = wire.form();
        assert!(form["message"].as_str().unwrap().contains("a concern that the attack missed?"), "{form}");
        wire.fill(&json!({"action": "accept", "content": {"own_words": "Mobile clients"}}));
        wire.answered();
        for (question, words) in [("override any part", "No"), ("override any part", "Change the last answer")] {
            wire.call(&next());
            let form = wire.form();
            assert!(form["message"].as_str().unwrap().contains(question), "{form}");
            if words == "No" {
                wire.fill(&json!({"action": "decline"}));
            } else {
                wire.fill(&json!({"action": "accept", "content": {"choice": entry(&form, words)}}));
            }
            wire.answered();
        }
        wire.call(&next());
        assert!(wire.form()["message"].as_str().unwrap().contains("a concern that the attack missed?"));
        wire.fill(&json!({"action": "accept", "content": {"own_words": "Mobile clients"}}));
        wire.answered();
        wire.call(&next());
        let form = wire.form();
        wire.fill(&json!({"action": "accept", "content": {"choice": entry(&form, "No")}}));
        let said = wire.answered();
        assert!(said.to_string().contains("role synthesizer"), "{said}");
        let answers = answers(&bench);
        assert!(answers.contains("Yes, by a person.") && answers.contains("> Mobile clients"), "{answers}");
        assert_eq!(answers.matches("by a person.").count(), 3, "{answers}");
    }
}

#[test]
fn d8_a_form_that_is_declined_or_about_a_settled_question_answers_nothing() {
    let bench = heard_next();
    let mut wire = Wire::to(&bench, Speaks::First(Shows::Forms));
    wire.call(&next());
    wire.form();
    wire.fill(&json!({"action": "decline"}));
    let said = wire.answered();
    assert!(said.to_string().contains("This is not the user's answer."), "{said}");
    assert_eq!(answers(&bench), "");
    // Answered elsewhere while the form stood open: the form that comes back is no answer to the next question.
    wire.call(&next());
    let form = wire.form();
    bench.run("git grill debate answer no").assert_code(0);
    wire.fill(&json!({"action": "accept", "content": {"choice": entry(&form, "Yes")}}));
    let form = wire.form();
    assert!(form["message"].as_str().unwrap().contains("a concern that the attack missed?"), "{form}");
    let answers = answers(&bench);
    assert!(
        answers.contains("No, by a command without a terminal.") && answers.matches("## ").count() == 1,
        "{answers}"
    );
}

#[test]
fn d8_a_client_without_forms_is_told_who_asks_the_user() {
    let bench = heard_next();
    let mut wire = Wire::to(&bench, Speaks::First(Shows::Nothing));
    wire.call(&next());
    let said = wire.answered().to_string();
    assert!(said.contains("git grill debate, at the terminal, asks the user"), "{said}");
    assert_eq!(answers(&bench), "");
}

/// What becomes of a debate at its limit is the user's to say, and never the host's.
#[test]
fn d13_d14_a_decision_is_put_by_a_form() {
    let bench = heard_next();
    bench.run("git grill debate roles --synthesizer file:../tmp/s.md --advocate file:../tmp/a.md").assert_code(0);
    bench.write(
        "../tmp/a.md",
        report(&["Architecture flaws", "Security gaps", "Violated constraints", "Regressions", "Scalability"])
            .replacen("None found", "- [high] Nobody measures it", 1),
    );
    let said = "## Solution\nA bucket.\n### Key technical decisions\n- Token bucket: bursts are legal\n## Assessments\nASSESSED\
                ## Answers to the user\n- That: it is in the solution\n## Defended\n- Token bucket: it stood\n\nRecommendation: continue\n";
    for round in 1..=5 {
        let claim = format!("Nobody measures it in round {round}");
        let facets = ["Architecture flaws", "Security gaps", "Violated constraints", "Regressions", "Scalability"];
        if round > 1 {
            bench.write("../tmp/a.md", report(&facets).replacen("None found", &format!("- [high] {claim}"), 1));
            bench.run("git grill debate next").assert_code(0);
        }
        bench.run("git grill debate answer no && git grill debate answer yes --note 'Who pays?'").assert_code(0);
        bench.run("git grill debate answer no").assert_code(0);
        let status: Value = serde_json::from_str(&bench.run("git grill status --json").stdout).unwrap();
        let all = status["debate"]["objections"].as_array().unwrap().clone();
        let now = all.iter().find(|one| one["claim"].as_str().unwrap() == claim);
        let assessed = now.map(|one| format!("- {}: valid — taken in\n", one["id"].as_str().unwrap()));
        bench.write("../tmp/s.md", said.replace("ASSESSED", &assessed.unwrap_or_default()));
        bench.run("git grill debate next").assert_code(0);
    }
    let mut wire = Wire::to(&bench, Speaks::First(Shows::Forms));
    wire.call(&next());
    let form = wire.form();
    let asked = form["message"].as_str().unwrap();
    assert!(asked.contains("5 rounds are complete.") && asked.contains("the current proposal"), "{form}");
    wire.fill(&json!({"action": "decline"}));
    wire.answered();
    wire.call(&next());
    let form = wire.form();
    wire.fill(&json!({"action": "accept", "content": {"choice": entry(&form, "Accept")}}));
    let said = wire.answered().to_string();
    assert!(said.contains("The user answered."), "{said}");
    let log = bench.run("git log --format='%an %s' GRILL_HEAD").stdout;
    assert!(log.contains("the debate is accepted, with its risks on record"), "{log}");
    bench.run("git grill checkpoint").assert_code(0).assert_contains("Token bucket");
}
