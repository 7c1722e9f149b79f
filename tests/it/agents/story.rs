//! Each real agent leads a whole interview, from `agent install` to the approved document: a scripted model orders its
//! calls, a person answers and approves at a terminal of their own, and git says afterwards who did what. No agent shows
//! a form where it runs without a terminal, so the person answers with `git grill` in another one; `forms.rs` is about
//! forms. pi has no MCP and calls the same tools through our extension.

use serde_json::{Value, json};

use super::known::{self, Deed, Known};
use super::led::{AT_ONCE, Led, Person, installed, told_by_git, world};
use crate::bench::Bench;

pub const UNDERSTOOD: &str = "# Shared Understanding\n\n## Decisions\n\n- Links live in one file.\n";
const AND_EXPIRE: &str =
    "# Shared Understanding\n\n## Decisions\n\n- Links live in one file.\n- A link expires after a day.\n";
pub const DOCUMENT: &str = "# Links\n\nThey live in one file, and expire after a day.\n";

/// The first question.
pub fn place() -> Value {
    json!({
        "question": "Where does a link live?",
        "alternatives": [
            { "label": "in one file", "description": "easy to look at", "recommended": true },
            { "label": "in a database", "description": "many at once" },
        ],
        "evidence": [{ "path": "src/link.rs", "lines": [1] }],
    })
}

fn expiry() -> Value {
    json!({
        "question": "When does a link expire?",
        "why": "whoever follows an old one has to be told something",
        "alternatives": [
            { "label": "after a week", "description": "as long as a ticket is open", "recommended": true },
            { "label": "after a day", "description": "nobody follows an older one" },
        ],
    })
}

/// The request to choose what comes out of it.
pub fn gate() -> Value {
    json!({
        "readinessRationale": "both questions that matter are answered",
        "recommendedOutputs": ["design-doc"],
        "recommendedStrategy": "none",
        "question": "What shall come out of it?",
        "alternatives": [{ "label": "design-doc", "recommended": true }, { "label": "more questions" }],
    })
}

/// The first checkpoint.
pub fn understood() -> Value {
    json!({ "markdown": UNDERSTOOD, "changeSummary": "links live in one file" })
}

fn script(known: &Known) -> Vec<Value> {
    let ours = |label: &str, after: &str, tool: &str, input: Value| known.step(label, after, &Deed::Ours(tool, input));
    let plan = json!({
        "outputPlan": "one design document about links",
        "outputs": [{ "destination": "design-doc", "strategy": "none", "paths": ["docs/links.md"] }],
    });
    // Grok Build connects servers while it works, and a model has to wait for them. pi has none.
    let greeted = if known.name == "pi" { AT_ONCE } else { "recorder/to/greeted" };
    let confirmed = json!({ "topic": "where links live", "confirmed": "yes, links" });
    let expired = json!({ "markdown": AND_EXPIRE, "changeSummary": "a link expires after a day" });
    vec![
        ours("nothing yet", greeted, "grill_status", json!({})),
        ours("start", AT_ONCE, "grill_start", json!({ "topic": "where links live" })),
        ours("confirmed", AT_ONCE, "grill_start", confirmed),
        known.step("read", AT_ONCE, &Deed::Read("src/link.rs")),
        ours("ask", AT_ONCE, "grill_set_alternatives", place()),
        // What names the open question is what is taken anyway.
        ours("record", AT_ONCE, "grill_record_answer", json!({ "answer": "in one file, for now" })),
        ours("checkpoint", AT_ONCE, "grill_update_checkpoint", understood()),
        known.step("by tool", AT_ONCE, &Deed::Write("by-tool.md")),
        known.step("by shell", AT_ONCE, &Deed::Shell("touch by-shell")),
        known.step("for the user", AT_ONCE, &Deed::Shell("git grill answer 'a week'")),
        ours("ask again", AT_ONCE, "grill_set_alternatives", expiry()),
        ours("answer", "answered", "grill_set_alternatives", expiry()),
        ours("second checkpoint", AT_ONCE, "grill_update_checkpoint", expired),
        ours("selection", AT_ONCE, "grill_enter_output_selection_phase", gate()),
        ours("plan", AT_ONCE, "grill_enter_output_phase", plan),
        ours("granted", "granted", "grill_status", json!({})),
        ours("draft", AT_ONCE, "grill_submit_draft", json!({ "path": "docs/links.md", "content": DOCUMENT })),
        known.step("beside the plan", AT_ONCE, &Deed::Write("src/link.rs")),
        ours("finish", "approved", "grill_finish_output_phase", json!({ "summary": "the document is written" })),
        known.step("late", AT_ONCE, &Deed::Write("late.md")),
    ]
}

/// What a refused write says: of a patch in a shell the line is named, of a tool the file.
pub fn not_written(known: &Known) -> &'static str {
    if known.name == "codex" { "was not run" } else { "was not written" }
}

fn leads_to_the_approved_document(name: &str) {
    let known = known::named(name);
    let bench = installed(known);
    let before = world(&bench);
    let mut led = Led::begin(&bench, known, &script(known));
    led.says("nothing yet", "grill_start");
    led.says("start", "call again with confirmed");
    led.says("confirmed", "You are the interviewer");
    led.says("read", "pub struct Link");
    led.says("ask", "grill_record_answer");
    led.says("by tool", not_written(known));
    led.says("by shell", "`touch by-shell` was not run");
    led.says("for the user", "was not run");

    // The second question is answered at a terminal, while the agent stands there.
    led.says("ask again", "the question stays open");
    let person = Person::types(&bench, "git grill next");
    let person = person.says(&["When does a link expire?", "(recommended)", "Enter sends"], "2\r");
    person.says(&["› after a day", "Enter sends it"], "\r").leaves();
    led.happened("answered");
    led.says("answer", "User selected: 2. after a day");

    // What only a person decides waits for one.
    led.says("plan", "git grill approve");
    bench.run("git grill status").assert_code(0).assert_contains("git grill approve");
    Person::types(&bench, "git grill approve").says(&["docs/links.md", "Grant it?", "[y/n]"], "y").leaves();
    led.happened("granted");
    led.says("granted", "Approved so far: design-doc (vertical-slices) as docs/links.md");
    led.says("draft", "not approved and not written");
    led.says("beside the plan", not_written(known));
    bench.run("test ! -e docs").assert_code(0);
    Person::types(&bench, "git grill approve").says(&["They live in one file", "[y/n]"], "y").leaves();
    led.happened("approved");
    led.says("finish", "Written: docs/links.md");
    led.says("late", not_written(known));
    led.ends();
    ends_as_it_began(&bench, &before);
    told_by_git(&bench, known);
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

macro_rules! stories {
    ($($test:ident $name:literal)*) => {
        $(
            #[test]
            #[ignore = "takes the agents' programs; see the top of agents.rs"]
            fn $test() {
                leads_to_the_approved_document($name);
            }
        )*

        #[test]
        fn every_agent_has_its_story() {
            assert_eq!([$($name),*], known::ALL.map(|known| known.name));
        }
    };
}

stories! {
    g24_g30_g35_g37_claude_code_leads_an_interview_to_the_approved_document "claude"
    g24_g30_g35_g37_codex_leads_an_interview_to_the_approved_document "codex"
    g24_g30_g35_g37_gemini_cli_leads_an_interview_to_the_approved_document "gemini"
    g24_g30_g35_g37_opencode_leads_an_interview_to_the_approved_document "opencode"
    g24_g30_g35_g37_grok_build_leads_an_interview_to_the_approved_document "grok"
    g24_g30_g35_g37_pi_leads_an_interview_to_the_approved_document "pi"
}
