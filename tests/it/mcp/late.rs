//! A user's input in a form whose question or session has moved on. For every kind of form, git grill keeps the words
//! with their session and reports them.

use serde_json::{Value, json};

use super::wire::{Shows, Speaks, Wire};
use crate::bench::Bench;

struct Form {
    name: &'static str,
    call: Value,
    /// What is filled in, with the words of a person.
    filled: fn(&str) -> Value,
    /// Another process that decides the form's question: its line, and its standard input.
    decided: (&'static str, &'static str),
}

fn forms() -> [Form; 3] {
    let options = json!([{"label": "we"}, {"label": "they"}]);
    let gate = json!({
        "readinessRationale": "r", "recommendedOutputs": ["design-doc"], "recommendedStrategy": "none",
        "question": "What now?", "alternatives": options,
    });
    let questions = json!([{"id": "db", "prompt": "Which store?"}, {"id": "when", "prompt": "By when?"}]);
    [
        Form {
            name: "question",
            call: json!({"ask_question": {"question": "Who pays?", "options": options}}),
            filled: |words| json!({"choice": "1. we", "note": words}),
            decided: ("git grill answer --choose 2", ""),
        },
        Form {
            name: "questionnaire",
            call: json!({"questionnaire": {"questions": questions}}),
            filled: |words| json!({"q1_own_words": "sqlite", "q2_own_words": words}),
            decided: (
                "git grill tool ask_question || test $? = 3",
                r#"{"question":"Who reads?","options":[{"label":"we"},{"label":"they"}]}"#,
            ),
        },
        Form {
            name: "gate",
            call: json!({"grill_enter_output_selection_phase": gate}),
            filled: |words| json!({"choice": "produce", "outputs": ["2. design-doc"], "own_words": words}),
            decided: ("git grill tool grill_finish_output_selection_phase", r#"{"outcome":"continue-grilling"}"#),
        },
    ]
}

fn start(topic: &str) -> String {
    format!("git grill start '{topic}' --interviewer agent:claude-code --research off")
}

const STOP: &str = "git grill stop --without-output";

#[test]
fn q15_what_no_terminal_typed_fills_no_editor_and_a_state_that_was_made_up_keeps_nothing() {
    let bench = Bench::new();
    bench.run(&start("editors")).assert_code(0);
    let question = json!({"question": "Who pays?", "options": [{"label": "we"}, {"label": "they"}]});
    let mut wire = Wire::to(&bench, Speaks::Second(Shows::Forms));
    wire.call(&json!({"ask_question": question}));
    wire.form();
    let line = "git grill status --porcelain | sed -n 's/^question\t//p'";
    let id = bench.run(line).assert_code(0).stdout().trim().to_owned();
    let line = "git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions";
    let session = bench.run(line).assert_code(0).stdout().trim().to_owned();
    let form = json!({"form": {"action": "accept", "content": {"own_words": "put there by an agent"}}});
    wire.request(
        "tools/call",
        &json!({
            "name": "grill_status",
            "arguments": {},
            "requestState": format!("{id}@{session}"),
            "inputResponses": form,
        }),
    );
    let refused = wire.answered();
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    bench.run("ls .git/grill/replies").assert_code(2);
    bench.run("git grill answer --choose 1").assert_code(0);
    wire.fill(&json!({"action": "accept", "content": {"own_words": "too late"}}));
    wire.answered();
    let kept = bench.run("find .git/grill/replies -type f").assert_code(0).stdout().to_owned();
    assert!(kept.lines().all(|path| path.ends_with(".sent.txt")) && kept.lines().count() == 1, "{kept}");
    wire.close();
}

#[test]
fn q15_words_of_ones_own_at_the_output_selection_are_on_disk_before_the_agent_reads_them() {
    let bench = Bench::new();
    bench.run(&start("gates")).assert_code(0);
    let [_, _, gate] = forms();
    let mut wire = Wire::to(&bench, Speaks::First(Shows::Forms));
    wire.call(&gate.call);
    wire.form();
    wire.fill(&json!({"action": "accept", "content": {"own_words": "only after the release"}}));
    let said = wire.answered().to_string();
    assert!(said.contains("User wrote: only after the release"), "{said}");
    assert!(said.contains("these words are kept in"), "{said}");
    wire.close();
    let kept = bench.run("grep -rl '^only after the release' .git/grill/replies").assert_code(0).stdout().to_owned();
    assert!(kept.lines().count() == 1 && kept.trim().ends_with(".sent.txt"), "{kept}");
}

#[test]
fn q15_a_late_reply_names_its_question_and_the_answer_given_instead() {
    let bench = Bench::new();
    bench.run(&start("names")).assert_code(0);
    let options = json!([{"label": "we"}, {"label": "they"}]);
    // A question is an agent's: it acts on no terminal, and its length is cut.
    let question = format!("Who \u{1b}[31mpays? {}", "And for what? ".repeat(50));
    let mut wire = Wire::to(&bench, Speaks::Second(Shows::Forms));
    wire.call(&json!({"ask_question": {"question": question, "options": options}}));
    wire.form();
    bench.run("git grill answer --choose 2").assert_code(0);
    wire.fill(&json!({"action": "accept", "content": {"choice": "1. we", "note": "from June on"}}));
    let said = wire.answered();
    let said = said["result"]["content"][0]["text"].as_str().unwrap();
    let (question, answer) = ("for question 1 (“Who ␛[31mpays? And for what?", "…”), which has the answer “they”");
    assert!(said.contains(question) && said.contains(answer), "{said}");
    assert!(!said.contains('\u{1b}'), "{said}");
    let kept = bench.run("cat .git/grill/replies/*/*").assert_code(0).stdout().to_owned();
    assert!(kept.starts_with(&format!("Not recorded, {question}")), "{kept}");
    assert!(kept.contains(&format!("{answer}:\n\n1. we\nfrom June on")), "{kept}");
    assert!(kept.matches("from June on").count() == 1 && !kept.contains('\u{1b}'), "{kept}");
    wire.close();
}

#[test]
#[cfg(target_os = "linux")]
fn q15_what_is_held_outside_of_a_run_for_a_questionnaire_goes_when_it_is_recorded() {
    let bench = Bench::on_disk(Bench::new);
    bench.run(&start("a questionnaire in a run")).assert_code(0);
    let [_, questionnaire, _] = forms();
    let mut wire = Wire::by(&bench, "exec git grill run -- git grill mcp", Speaks::First(Shows::Forms));
    wire.call(&questionnaire.call);
    wire.form();
    wire.fill(&json!({"action": "accept", "content": {"q1_own_words": "sqlite"}}));
    wire.form();
    let held = bench.run("grep -rl sqlite .git/grill/replies").assert_code(0).stdout().to_owned();
    assert!(held.lines().count() == 1 && held.trim().ends_with(".sent.txt"), "{held}");
    wire.fill(&json!({"action": "accept", "content": {"q2_own_words": "in June"}}));
    let said = wire.answered().to_string();
    assert!(said.contains("sqlite") && said.contains("in June"), "{said}");
    wire.close();
    bench.run("find .git/grill/replies -type f 2>/dev/null").assert_stdout("");
}

/// The question of the form is there, and open: what is wrong is that the call asks another one.
#[test]
fn q15_a_form_that_comes_back_with_another_question_is_told_to_be_of_another_one() {
    let bench = Bench::new();
    bench.run(&start("mixed up")).assert_code(0);
    let options = json!([{"label": "we"}, {"label": "they"}]);
    let mut wire = Wire::to(&bench, Speaks::Second(Shows::Forms));
    wire.call(&json!({"ask_question": {"question": "Who pays?", "options": options}}));
    wire.form();
    let form = json!({"action": "accept", "content": {"choice": "1. we", "note": "from June on"}});
    wire.request(
        "tools/call",
        &json!({
            "name": "ask_question",
            "arguments": {"question": "Who reads?", "options": options},
            "requestState": wire.state,
            "inputResponses": {"form": form},
        }),
    );
    let said = wire.answered().to_string();
    assert!(said.contains("the form was shown for question 1 (q-"), "{said}");
    assert!(said.contains("this call is about another one") && said.contains("\"usage\""), "{said}");
    assert!(!said.contains("there is no question"), "{said}");
    // What the person sent is kept, and the question is open.
    bench.run("grep -rl 'from June on' .git/grill/replies").assert_code(0).assert_contains(".sent.txt");
    bench.run("git grill answer --choose 1").assert_code(0);
    wire.close();
}

#[test]
#[cfg(target_os = "linux")]
fn q15_words_of_ones_own_at_the_output_selection_are_kept_outside_of_a_run_too() {
    let bench = Bench::on_disk(Bench::new);
    bench.run(&start("gates in a run")).assert_code(0);
    let [_, _, gate] = forms();
    let mut wire = Wire::by(&bench, "exec git grill run -- git grill mcp", Speaks::First(Shows::Forms));
    let kept = |words: &str| {
        let kept = bench.run(&format!("grep -rlF '{words}' .git/grill/replies")).assert_code(0).stdout().to_owned();
        assert!(kept.lines().count() == 1 && kept.trim().ends_with(".sent.txt"), "{words}: {kept}");
    };
    // More than an answer may have.
    let words = format!("only after the release {}", "of June ".repeat(2_000));
    wire.call(&gate.call);
    wire.form();
    wire.fill(&json!({"action": "accept", "content": {"own_words": words}}));
    let said = wire.answered().to_string();
    assert!(said.contains("these words are kept in"), "{said}");
    kept("only after the release");
    wire.call(&gate.call);
    wire.form();
    bench.run(STOP).assert_code(0);
    wire.fill(&json!({"action": "accept", "content": (gate.filled)("for what has ended")}));
    wire.answered();
    wire.close();
    kept("for what has ended");
}

#[test]
fn q15_words_for_what_has_moved_on_are_kept_with_their_session_and_told() {
    let bench = Bench::new();
    let mut wire = Wire::to(&bench, Speaks::Second(Shows::Forms));
    for Form { name, call, filled, decided } in forms() {
        let moves = [
            ("decided", decided.0.to_owned(), decided.1),
            ("stopped", STOP.to_owned(), ""),
            ("replaced", format!("{STOP} && {}", start("something else")), ""),
        ];
        for (moved, line, input) in moves {
            let cell = format!("{name} {moved}");
            bench.run(&start(&cell)).assert_code(0);
            wire.call(&call);
            wire.form();
            bench.run_with_input(&line, input).assert_code(0);
            let words = format!("words for the {cell}");
            wire.fill(&json!({"action": "accept", "content": filled(&words)}));
            let said = wire.answered();
            wire.call(&json!({"grill_status": {}}));
            let told = format!("{said}\n{}", wire.answered());
            assert!(told.contains(&words), "{cell}: {told}");
            assert!(told.contains("Tell the user"), "{cell}: {told}");
            let kept = bench.run(&format!("grep -rl '{words}' .git/grill/replies")).assert_code(0).stdout().to_owned();
            assert!(kept.contains(&format!("-{}-", cell.replace(' ', "-"))), "{cell}: {kept}");
            bench.run(&format!("{STOP} || test $? = 6")).assert_code(0);
        }
    }
    wire.close();
}

#[test]
fn q15_an_answer_right_before_the_end_of_input_is_recorded() {
    let bench = Bench::new();
    bench.run(&start("the end of input")).assert_code(0);
    let options = json!([{"label": "we"}, {"label": "they"}]);
    let eras = [("Who pays?", Speaks::First(Shows::Forms)), ("Who reads?", Speaks::Second(Shows::Forms))];
    for (question, speaks) in eras {
        let mut wire = Wire::to(&bench, speaks);
        wire.call(&json!({"ask_question": {"question": question, "options": options, "noChange": "nothing new"}}));
        wire.form();
        wire.fill(&json!({"action": "accept", "content": {"choice": "2. they", "note": "from June"}}));
        wire.close();
        let recorded = bench.run("git log -1 --format=%s --grep='Grill-Op: answer' GRILL_HEAD").assert_code(0);
        assert!(recorded.stdout().ends_with(": they\n"), "{question}: {}", recorded.stdout());
    }
    bench.run("find .git/grill/replies -type f").assert_stdout("");
}
