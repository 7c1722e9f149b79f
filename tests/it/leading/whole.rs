//! An interview that an agent leads, from its start to the approved document in one terminal; and one that goes on after a
//! pause.

use serde_json::{Value, json};

use super::story::{deeds, walled};
use super::{ESCAPE, asks, chooses_the_design, goes_on, offers, scripted, started, takes_first, writes_and_stops};
use crate::conversation::Sitting;

/// The checkpoint of the agent at the end.
const TOLD: &str = "# Rate limiting\n\n## Decided\n\n- Limits count by account.\n- Over the limit: 429.\n";

#[test]
fn g55_an_agent_leads_to_an_approved_document_without_leaving_the_terminal() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("By account?"), goes_on("With 429?"), offers(TOLD)]}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    takes_first(&mut sitting, "question 2 ·");
    sitting.pty.wait_for("+ - Over the limit: 429.");
    chooses_the_design(&mut sitting);
    bench.run("test ! -e docs").assert_code(0);
    writes_and_stops(sitting);
    let written = bench.run("cat docs/design/*.md").assert_code(0).stdout().to_owned();
    assert!(written.contains("Limits count by account.") && written.contains("Over the limit: 429."), "{written}");
    let deeds = deeds(&bench);
    for (who, what) in [
        ("agent:scripted", "checkpoint:"),
        ("agent:scripted", "open the output selection"),
        ("human", "select design-doc"),
        ("human", "approve docs/design/"),
        ("system", "write docs/design/"),
        ("human", "stop"),
    ] {
        assert!(deeds.lines().any(|deed| deed.starts_with(&format!("{who} {what}"))), "{who} {what}:\n{deeds}");
    }
    assert!(!deeds.lines().any(|deed| deed.starts_with("agent:scripted approve")), "{deeds}");
}

#[test]
fn g57_after_a_pause_an_update_without_its_version_takes_one_more_call() {
    if !walled() {
        return;
    }
    let update = |text: &str, more: Value| {
        let mut arguments = json!({"markdown": format!("# Rate limiting\n\n- {text}\n"), "changeSummary": text});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"tool": "grill_update_checkpoint", "arguments": arguments, "say_result": true})
    };
    let first = json!([update("By account.", json!({})), asks("Second?")[0]]);
    let text = "By account and token, said the user.";
    let after = json!([{"say": "$PROMPT"}, update("By account and token.", json!({})), {"sleep": 300},
        update(text, json!({"basedOn": "$BASED_ON"})), asks("Third?")[0]]);
    let bench = scripted(&json!({"turns": [asks("First?"), first], "loaded": [after]}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("question 2 ·", "digits jump");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    // Meanwhile the user answers, and changes the very line that the agent is about to change.
    bench.run("git grill answer yes").assert_code(0);
    bench.write(".grill/checkpoint.md", "# Rate limiting\n\n- By account, said the user.\n");
    let mut sitting = Sitting::at(&bench, &["next"], 50, 100, &[]);
    sitting.below("question 3 ·", "digits jump");
    bench.run("git grill checkpoint show").assert_code(0).assert_contains(text);
    // The refusal says what to send, and so did the message with which it went on.
    let log = bench.read(".git/grill/agents/scripted.log");
    assert!(log.contains("Call grill_update_checkpoint again with basedOn"), "{log}");
    assert!(log.contains("(the basedOn of an update of it)"), "{log}");
    let deeds = deeds(&bench);
    assert_eq!(deeds.matches("agent:scripted checkpoint: By account and token").count(), 1, "{deeds}");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
}
