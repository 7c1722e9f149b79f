//! What waits for a person is swapped while they look at it (G30): their yes counts for what they were shown alone.

use serde_json::json;

use super::Sitting;
use crate::bench::Bench;

/// An agent asks for the output phase with a document at this path; it waits for a person.
fn asks(bench: &Bench, path: &str) {
    let outputs = json!([{ "destination": "design-doc", "paths": [path] }]);
    let plan = json!({ "outputPlan": "one document", "outputs": outputs });
    bench.run_with_input("git grill tool grill_enter_output_phase", plan.to_string()).assert_code(3);
}

#[test]
fn g30_a_yes_grants_the_request_that_was_shown_and_no_other() {
    let bench = Bench::new();
    bench.run("git grill start --research off --interviewer agent:claude 'it'").assert_code(0);
    let gate = json!({ "readinessRationale": "r", "recommendedOutputs": ["design-doc"], "recommendedStrategy": "none",
        "question": "?", "alternatives": [{ "label": "a" }, { "label": "b" }] });
    bench.run_with_input("git grill tool grill_enter_output_selection_phase", gate.to_string()).assert_code(3);
    asks(&bench, "shown.md");
    let mut sitting = Sitting::wide(&bench, &["approve"]);
    sitting.below("shown.md", "[y/n]");
    asks(&bench, "swapped.md");
    sitting.pty.send("y");
    sitting.pty.wait_for("the request that was shown is not the one that waits");
    sitting.ends_with(4);
    bench.run("git grill status --json").assert_code(0).assert_contains("\"phase\":\"output-selection\"");
    // The next call shows what waits now, and that is what is granted.
    let mut sitting = Sitting::wide(&bench, &["approve"]);
    sitting.below("swapped.md", "[y/n]");
    sitting.pty.send("y");
    sitting.ends_with(0);
    let status = bench.run("git grill status --json").stdout;
    assert!(status.contains("\"phase\":\"output\"") && status.contains("swapped.md"), "{status}");
}
