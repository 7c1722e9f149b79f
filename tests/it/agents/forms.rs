//! Forms that real agents show, filled in.

use serde_json::{Value, json};

use super::known::{self, Deed};
use super::led::{AT_ONCE, Led, installed};
use super::story::{DOCUMENT, gate, place, understood};

/// Answers each form as the client shows it, and keeps what it was shown. The output goes by the name that stands before
/// its title: its number is its place among everything that is offered.
const FILLS_IN: &str = r#"form=$(cat); printf '%s\n' "$form" >> ../forms
case $form in
*'What is it about?'*) content='{"own_words":"where links live, and for how long"}';;
*'Where does a link live?'*) content='{"choice":"2. in a database","note":"for now"}';;
*'What shall come out of it?'*)
    output=$(printf '%s' "$form" | sed -n 's/.*"title":"\([0-9]*\. design-doc\) (recommended) [^"]*problem.*/\1/p')
    content='{"choice":"produce","outputs":["'$output'"]}';;
esac
printf '{"hookSpecificOutput":{"hookEventName":"Elicitation","action":"accept","content":%s}}' "$content"
"#;

/// The same with forms that its user fills in, here by its hook: what they send is theirs, and a draft is still approved
/// at the terminal alone.
#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn g2_g30_q13_forms_of_claude_code_are_answered_by_its_user() {
    let claude = known::named("claude");
    let bench = installed(claude);
    bench.write("../fills-in.sh", FILLS_IN);
    let hook = json!([{ "matcher": "", "hooks": [{ "type": "command", "command": "sh ../fills-in.sh" }] }]);
    bench.write("../forms.json", json!({ "hooks": { "Elicitation": hook } }).to_string());
    let ours = |label: &str, tool: &str, input: Value| claude.step(label, AT_ONCE, &Deed::Ours(tool, input));
    let plan = json!({ "path": "{{approvedOutputPlan.outputs.0.paths.0}}", "content": DOCUMENT });
    let calls = [
        ours("start", "grill_start", json!({ "topic": "where links live" })),
        ours("ask", "grill_set_alternatives", place()),
        ours("checkpoint", "grill_update_checkpoint", understood()),
        ours("selection", "grill_enter_output_selection_phase", gate()),
        ours("draft", "grill_submit_draft", plan),
        ours("another", "grill_submit_draft", json!({ "path": "docs/links.md", "content": DOCUMENT })),
    ];
    let line = format!("{} --settings ../forms.json", claude.begin);
    let mut led = Led::begin_as(&bench, claude, &calls, &line);
    let started = led.is_kind("start", "started");
    assert_eq!(started["text"].as_str().unwrap().find("where links live, and for how long"), Some(21), "{started}");
    let answered = led.is_kind("ask", "selected");
    assert_eq!((answered["selected"][0]["number"].as_u64(), answered["note"].as_str()), (Some(2), Some("for now")));
    led.is_kind("checkpoint", "updated");
    led.is_kind("selection", "producing");
    led.is_kind("draft", "drafted");
    led.is_refused("another", "is not in the approved plan");
    led.ends();

    let shown = bench.read("../forms");
    assert_eq!(shown.lines().count(), 3, "{shown}");
    assert!(shown.contains("easy to look at") && shown.contains("design-doc"), "{shown}");
    let deeds = "git log --reverse --format='%(trailers:key=Grill-Actor,valueonly,separator=%x20) %s' GRILL_HEAD";
    let deeds = bench.run(deeds).assert_code(0).stdout().to_owned();
    for deed in ["human start", "human answer", "human select"] {
        assert!(deeds.contains(deed), "{deed}: {deeds}");
    }
    bench.run("git status --porcelain --untracked-files=all").assert_stdout("");
}
