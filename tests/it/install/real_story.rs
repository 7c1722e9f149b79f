//! A real agent leads a whole interview, from `agent install` to the approved document: a scripted model orders its
//! calls, a person answers and approves at a terminal of their own, and git says afterwards who did what. How to run it
//! stands at the top of `real_agents.rs`.

use serde_json::{Value, json};

use super::led::{AT_ONCE, Led, Person, installed, step, told_by_git, world};
use super::real_agents::programs;
use crate::bench::Bench;

const UNDERSTOOD: &str = "# Shared Understanding\n\n## Decisions\n\n- Links live in one file.\n";
const AND_EXPIRE: &str =
    "# Shared Understanding\n\n## Decisions\n\n- Links live in one file.\n- A link expires after a day.\n";
const DOCUMENT: &str = "# Links\n\nThey live in one file, and expire after a day.\n";
const ALTERNATIVES: [&str; 2] = ["after a week", "after a day"];

fn expiry() -> Value {
    json!({
        "question": "When does a link expire?",
        "why": "whoever follows an old one has to be told something",
        "alternatives": [
            { "label": ALTERNATIVES[0], "description": "as long as a ticket is open", "recommended": true },
            { "label": ALTERNATIVES[1], "description": "nobody follows an older one" },
        ],
    })
}

/// The script, for an agent that calls our tools by these names and has these tools of its own.
fn script(bench: &Bench, ours: impl Fn(&str) -> String) -> Vec<Value> {
    let file = |path: &str| bench.repo().join(path).display().to_string();
    let place = json!([{ "path": "src/link.rs", "lines": [1] }]);
    let plan = json!({
        "outputPlan": "one design document about links",
        "outputs": [{ "destination": "design-doc", "strategy": "none", "paths": ["docs/links.md"] }],
    });
    let gate = json!({
        "readinessRationale": "both questions that matter are answered",
        "recommendedOutputs": ["design-doc"],
        "recommendedStrategy": "none",
        "question": "What shall come out of it?",
        "alternatives": [{ "label": "design-doc", "recommended": true }, { "label": "more questions" }],
    });
    vec![
        step(AT_ONCE, &ours("grill_status"), json!({})),
        step(AT_ONCE, &ours("grill_start"), json!({ "topic": "where links live" })),
        step(AT_ONCE, &ours("grill_start"), json!({ "topic": "where links live", "confirmed": "yes, links" })),
        step(AT_ONCE, "Read", json!({ "file_path": file("src/link.rs") })),
        step(
            AT_ONCE,
            &ours("grill_set_alternatives"),
            json!({
                "question": "Where does a link live?",
                "alternatives": [
                    { "label": "in one file", "description": "easy to look at", "recommended": true },
                    { "label": "in a database", "description": "many at once" },
                ],
                "evidence": place,
            }),
        ),
        step(
            AT_ONCE,
            &ours("grill_record_answer"),
            json!({ "answer": "in one file, for now", "question": "{{question.id}}" }),
        ),
        step(
            AT_ONCE,
            &ours("grill_update_checkpoint"),
            json!({ "markdown": UNDERSTOOD, "changeSummary": "links live in one file" }),
        ),
        step(AT_ONCE, "Write", json!({ "file_path": file("by-tool.md"), "content": "x" })),
        step(AT_ONCE, "Bash", json!({ "command": "touch by-shell", "description": "make a file" })),
        step(AT_ONCE, "Bash", json!({ "command": "git grill answer 'a week'", "description": "answer for the user" })),
        step(AT_ONCE, &ours("grill_set_alternatives"), expiry()),
        step("answered", &ours("grill_set_alternatives"), expiry()),
        step(
            AT_ONCE,
            &ours("grill_update_checkpoint"),
            json!({ "markdown": AND_EXPIRE, "changeSummary": "a link expires after a day" }),
        ),
        step(AT_ONCE, &ours("grill_enter_output_selection_phase"), gate),
        step(AT_ONCE, &ours("grill_enter_output_phase"), plan),
        step("granted", &ours("grill_status"), json!({})),
        step(
            AT_ONCE,
            &ours("grill_submit_draft"),
            json!({ "path": "{{approvedOutputPlan.outputs.0.paths.0}}", "content": DOCUMENT }),
        ),
        step(AT_ONCE, "Write", json!({ "file_path": file("src/link.rs"), "content": "x" })),
        step("approved", &ours("grill_finish_output_phase"), json!({ "summary": "the document is written" })),
        step(AT_ONCE, "Write", json!({ "file_path": file("late.md"), "content": "x" })),
    ]
}

/// The one approved file is there, and nothing else is another than it was.
fn ends_as_it_began(bench: &Bench, before: &str) {
    bench.run("git grill verify").assert_code(0);
    assert_eq!(bench.read("docs/links.md"), DOCUMENT);
    bench.run("test ! -e by-tool.md && test ! -e by-shell && test ! -e late.md").assert_code(0);
    bench.run("git grill stop --without-output").assert_code(0);
    bench.run("git status --porcelain --untracked-files=all").assert_stdout("?? docs/links.md\n");
    bench.run("rm -r docs").assert_code(0);
    assert_eq!(world(bench), before, "branch, index and files are as they were");
}

/// Where Claude Code finds its model; and our tools are offered from the first request on.
const CLAUDE: &str = "ENABLE_TOOL_SEARCH=false ANTHROPIC_BASE_URL=http://127.0.0.1:$(cat ../port)";

#[test]
#[ignore = "takes the agents' programs; see the top of real_agents.rs"]
fn g24_g30_g35_g37_claude_code_leads_an_interview_to_the_approved_document() {
    let bench = installed("claude");
    let before = world(&bench);
    let line =
        format!("{}/claude -p go --permission-mode acceptEdits --allowedTools mcp__grill,Bash,Write", programs());
    let mut led = Led::begin(&bench, &script(&bench, |tool| format!("mcp__grill__{tool}")), CLAUDE, &line);

    led.is_kind(0, "no_session");
    // Without anybody there it closes every form by itself; what it is told is what to do instead (G2).
    let asked = led.is_kind(1, "waiting");
    assert!(asked["text"].as_str().unwrap().contains("call again with confirmed"), "{asked}");
    let started = led.is_kind(2, "started");
    assert!(started["instructions"].as_str().unwrap().contains("You are the interviewer"), "{started}");
    led.says(3, "pub struct Link");
    let put = led.is_kind(4, "cancelled");
    assert!(put["text"].as_str().unwrap().contains("grill_record_answer"), "{put}");
    led.is_kind(5, "recorded");
    led.is_kind(6, "updated");
    led.is_refused(7, "was not written");
    led.is_refused(8, "`touch by-shell` was not run");
    led.is_refused(9, "was not run");

    // The second question is answered at a terminal, while the agent stands there.
    let put = led.is_kind(10, "cancelled");
    assert_eq!(put["question"]["number"], 2, "{put}");
    let person = Person::types(&bench, "git grill next");
    let person = person.says(&["When does a link expire?", "(recommended)", "Enter sends"], "2\r");
    person.says(&["› after a day", "Enter sends it"], "\r").leaves();
    led.happened("answered");
    let answered = led.is_kind(11, "selected");
    assert_eq!(answered["selected"][0]["label"], ALTERNATIVES[1], "{answered}");
    led.is_kind(12, "updated");

    // What only a person decides waits for one.
    led.is_kind(13, "waiting");
    // Of what failed it shows the model the text alone.
    led.is_refused(14, "It waits for them: git grill approve");
    bench.run("git grill status").assert_code(0).assert_contains("git grill approve");
    Person::types(&bench, "git grill approve").says(&["docs/links.md", "Grant it?", "[y/n]"], "y").leaves();
    led.happened("granted");
    assert_eq!(led.is_kind(15, "status")["phase"], "output");
    led.is_kind(16, "drafted");
    led.is_refused(17, "was not written");
    bench.run("test ! -e docs").assert_code(0);
    Person::types(&bench, "git grill approve").says(&["They live in one file", "[y/e/d/n]"], "y").leaves();
    led.happened("approved");
    led.is_kind(18, "finished");
    led.is_refused(19, "was not written");
    led.ends();

    ends_as_it_began(&bench, &before);
    told_by_git(&bench, "claude-code");
}

/// Answers each form as the client shows it, and keeps what it was shown.
const FILLS_IN: &str = r#"form=$(cat); printf '%s\n' "$form" >> ../forms
case $form in
*'What is it about?'*) content='{"own_words":"where links live, and for how long"}';;
*'Where does a link live?'*) content='{"choice":"2. in a database","note":"for now"}';;
*'What shall come out of it?'*) content='{"choice":"produce","outputs":["1. design-doc"]}';;
esac
printf '{"hookSpecificOutput":{"hookEventName":"Elicitation","action":"accept","content":%s}}' "$content"
"#;

/// The same with forms that its user fills in, here by its hook: what they send is theirs, and a draft is still approved
/// at the terminal alone.
#[test]
#[ignore = "takes the agents' programs; see the top of real_agents.rs"]
fn g2_g30_q13_forms_of_claude_code_are_answered_by_its_user() {
    let bench = installed("claude");
    bench.write("../fills-in.sh", FILLS_IN);
    let hook = json!([{ "matcher": "", "hooks": [{ "type": "command", "command": "sh ../fills-in.sh" }] }]);
    bench.write("../forms.json", json!({ "hooks": { "Elicitation": hook } }).to_string());
    let tool = |name: &str| format!("mcp__grill__{name}");
    let all = script(&bench, tool);
    let draft = json!({ "path": "docs/links.md", "content": DOCUMENT });
    let plan = json!({ "path": "{{approvedOutputPlan.outputs.0.paths.0}}", "content": DOCUMENT });
    let calls = [
        all[1].clone(),
        all[4].clone(),
        all[6].clone(),
        all[13].clone(),
        step(AT_ONCE, &tool("grill_submit_draft"), plan),
        step(AT_ONCE, &tool("grill_submit_draft"), draft),
    ];
    let line = format!("{}/claude -p go --settings ../forms.json --allowedTools mcp__grill", programs());
    let mut led = Led::begin(&bench, &calls, CLAUDE, &line);
    let started = led.is_kind(0, "started");
    assert_eq!(started["text"].as_str().unwrap().find("where links live, and for how long"), Some(21), "{started}");
    let answered = led.is_kind(1, "selected");
    assert_eq!((answered["selected"][0]["number"].as_u64(), answered["note"].as_str()), (Some(2), Some("for now")));
    led.is_kind(2, "updated");
    led.is_kind(3, "producing");
    led.is_kind(4, "drafted");
    led.is_refused(5, "is not in the approved plan");
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

/// In short with an agent that shows no forms, and whose model is shown our text alone.
#[test]
#[ignore = "takes the agents' programs; see the top of real_agents.rs"]
fn g24_g30_g35_g37_opencode_leads_an_interview_to_the_approved_document() {
    let bench = installed("opencode");
    let before = world(&bench);
    let provider = r#"{"model":"local/m","provider":{"local":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"http://127.0.0.1:PORT/v1","apiKey":"dummy"},"models":{"m":{"name":"m"}}}}}"#;
    bench.write("../provider.json", provider);
    let mut calls = script(&bench, |tool| format!("grill_{tool}"));
    for call in &mut calls {
        match call["name"].as_str().unwrap() {
            "Read" | "Write" => {
                call["name"] = json!(call["name"].as_str().unwrap().to_lowercase());
                call["input"]["filePath"] = call["input"]["file_path"].take();
                call["input"].as_object_mut().unwrap().remove("file_path");
            }
            "Bash" => call["name"] = json!("bash"),
            // What names the open question, and the one path of the plan, is what is taken anyway.
            "grill_grill_record_answer" => drop(call["input"].as_object_mut().unwrap().remove("question")),
            "grill_grill_submit_draft" => call["input"]["path"] = json!("docs/links.md"),
            _ => {}
        }
    }
    let environment = "OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_CONFIG_CONTENT=\"$(sed s/PORT/$(cat ../port)/ \
                       ../provider.json)\"";
    let mut led = Led::begin(&bench, &calls, environment, &format!("{}/opencode run go < /dev/null", programs()));
    led.says(1, "call again with confirmed");
    led.says(2, "You are the interviewer");
    led.says(3, "pub struct Link");
    led.says(4, "record their words with grill_record_answer");
    led.says(7, "was not written");
    led.says(8, "`touch by-shell` was not run");
    led.says(9, "was not run");
    led.says(10, "the question stays open");
    Person::types(&bench, "git grill answer --choose 2").leaves();
    led.happened("answered");
    led.says(11, "User selected: 2. after a day");
    led.says(14, "It waits for them: git grill approve");
    Person::types(&bench, "git grill approve").says(&["docs/links.md", "Grant it?", "[y/n]"], "y").leaves();
    led.happened("granted");
    led.says(15, "Approved so far: design-doc (vertical-slices) as docs/links.md");
    led.says(16, "not approved and not written");
    led.says(17, "was not written");
    Person::types(&bench, "git grill approve").says(&["They live in one file", "[y/e/d/n]"], "y").leaves();
    led.happened("approved");
    led.says(18, "Written: docs/links.md");
    led.says(19, "was not written");
    led.ends();
    ends_as_it_began(&bench, &before);
    told_by_git(&bench, "opencode");
}
