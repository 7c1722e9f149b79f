//! A command of an extension that a person typed, and what it asks.

use super::screens::path;
use super::{typed, world};
use crate::conversation::Sitting;

#[test]
fn p6_p9_a_command_of_an_extension_on_path_is_run() {
    let bench = world("intake", "answer '{\"text\":\"begun\\u001b[2J\"}'");
    let ran = bench.run(&typed("git grill intake new 'rate limits'")).assert_code(0).assert_contains("begun");
    ran.assert_lacks("\u{1b}");
    bench.run(&typed("git grill intake")).assert_code(0).assert_contains("git grill intake new  Begins a topic.");
    bench.run(&typed("git grill intake gone")).assert_code(2).assert_contains("no command 'gone'; it has new");
    let json = bench.run(&typed("git grill --json intake new")).assert_code(0);
    let value: serde_json::Value = serde_json::from_str(json.stdout()).unwrap();
    assert_eq!(value["extension"]["name"], "intake");
    assert_eq!(value["failed"], false);
    // Without it on PATH the words are no verb, as ever, and start nothing (G51).
    bench
        .run("git grill intake new")
        .assert_code(2)
        .assert_contains("'intake new' is no verb, and nothing was started");
}

#[test]
fn p6_an_extension_that_failed_is_no_success() {
    let bench = world("intake", "echo 'no disk' >&2; answer '{\"text\":\"it went wrong\",\"isError\":true}'");
    bench.run(&typed("git grill intake new")).assert_code(1).assert_contains("it went wrong");
}

#[test]
fn p6_it_gets_the_words_that_were_typed_and_the_session() {
    let deed = r#"case $line in *'"arguments":["one","two words","--three"]'*) answer '{"text":"words"}';; *) answer '{"text":"others"}';; esac"#;
    let bench = world("intake", deed);
    bench.run(&typed("git grill intake new one 'two words' --three")).assert_code(0).assert_contains("words");
}

#[test]
fn p6_it_cannot_write_into_the_repository() {
    let deed = r#"if (echo x >evil.txt) 2>/dev/null || (echo x >.git/evil) 2>/dev/null; then answer '{"text":"wrote"}'; else answer '{"text":"kept out"}'; fi"#;
    let bench = world("intake", deed);
    bench.run(&typed("git grill intake new")).assert_code(0).assert_contains("kept out");
    assert!(!bench.repo().join("evil.txt").exists() && !bench.repo().join(".git/evil").exists());
}

/// It asks a yes or no, and says what came of it.
const ASKS: &str = r#"deed=$id
confirm() {
    printf '{"jsonrpc":"2.0","id":"q","method":"ui.confirm","params":{"prompt":"%s"}}\n' "$1"
    IFS= read -r reply
    case $reply in
    *'"confirmed":true'*) said=yes ;;
    *'"confirmed":false'*) said=no ;;
    *ui_unavailable*) said=unavailable ;;
    *) said=other ;;
    esac
}
confirm 'Begin?'
first=$said
if [ "$first" = yes ]; then confirm 'Really?'; fi
id=$deed
answer "{\"text\":\"first $first, then $said\"}""#;

#[test]
fn p5_without_a_person_it_is_told_so_at_once_and_goes_on() {
    let bench = world("intake", ASKS);
    bench.run(&typed("git grill intake new")).assert_code(0).assert_contains("first unavailable");
}

#[test]
fn p5_p28_a_file_of_answers_answers_and_what_it_lacks_is_unavailable() {
    let bench = world("intake", ASKS);
    let answers = |text: &str| std::fs::write(bench.root().join("answers.json"), text).unwrap();
    let said = || bench.run(&typed("git grill --answers ../answers.json intake new")).assert_code(0);
    answers(r#"{"version":1,"answers":{"Begin?":true,"Really?":false}}"#);
    said().assert_contains("first yes, then no");
    answers(r#"{"version":1,"answers":{"Begin?":false}}"#);
    said().assert_contains("first no, then no");
    answers(r#"{"version":1,"answers":{"Begin?":true}}"#);
    said().assert_contains("first yes, then unavailable");
    answers(r#"{"version":2,"answers":{}}"#);
    bench.run(&typed("git grill --answers ../answers.json intake new")).assert_code(2);
}

#[test]
fn p5_a_file_of_answers_that_names_a_key_twice_or_is_too_long_is_refused() {
    let bench = world("intake", ASKS);
    let answers = |text: &str| std::fs::write(bench.root().join("answers.json"), text).unwrap();
    let ran = || bench.run(&typed("git grill --answers ../answers.json intake new"));
    for twice in [
        r#"{"version":1,"answers":{"Begin?":true,"Begin?":false}}"#,
        r#"{"version":1,"answers":{"Begin?":{"value":"a","value":"b"}}}"#,
        r#"{"version":1,"version":1,"answers":{}}"#,
    ] {
        answers(twice);
        ran().assert_code(2).assert_contains("was not read: the key \"").assert_contains("stands there twice");
    }
    for bytes in [2_000_000, 5_000_000] {
        answers(&" ".repeat(bytes));
        ran().assert_code(128).assert_contains("it has more than 1048576 bytes");
    }
}

/// The tool takes what its program takes, and gives what that gives.
#[test]
fn p5_p8_p18_the_shipped_extension_serves_its_tool() {
    let bench = world("intake", ASKS);
    let answers =
        r#"{"version":1,"answers":{"areas":{"values":["a","b"],"other":"Ink","note":"for now"},"Who pays?":"we"}}"#;
    std::fs::write(bench.root().join("answers.json"), answers).unwrap();
    let form = r#"{"questions":[
        {"id":"areas","label":"Areas","prompt":"Which areas?","kind":"multi","note":true,
         "options":[{"value":"a","label":"Alpha"},{"value":"b","label":"Beta"},{"value":"c","label":"Gamma"}]},
        {"id":"who","prompt":"Who pays?"}]}"#;
    let fill = |form: &str| bench.run_with_input("git grill --answers ../answers.json tool questionnaire", form);
    let said: serde_json::Value = serde_json::from_str(fill(form).assert_code(0).stdout()).unwrap();
    let expected = serde_json::json!([
        {"id": "areas", "values": ["a", "b", "Ink"], "labels": ["Alpha", "Beta", "Ink"], "other": true, "note": "for now"},
        {"id": "who", "value": "we", "label": "we", "other": true},
    ]);
    assert_eq!((&said["kind"], &said["answers"]), (&"selected".into(), &expected));
    assert_eq!(said["questions"][1]["label"], "Q2");
    // A question that the file does not cover has no answer, and neither has the form.
    let said = fill(r#"{"questions":[{"id":"when","prompt":"By when?"}]}"#).assert_code(3);
    let said: serde_json::Value = serde_json::from_str(said.stdout()).unwrap();
    assert_eq!((&said["code"], &said["answers"]), (&"ui_unavailable".into(), &serde_json::json!([])));
    // In an interview each answer is recorded, and not as a person's.
    bench.run("git grill start --interviewer agent:demo 'rate limits'").assert_code(0);
    fill(form).assert_code(0);
    let log = bench.run("git log --format=%s GRILL_HEAD").assert_code(0);
    log.assert_contains("Which areas?").assert_contains("Ink");
}

#[test]
fn p5_answers_in_what_is_no_regular_file_are_refused_and_not_waited_for() {
    let bench = world("intake", ASKS);
    bench.run("mkfifo ../pipe && mkdir ../folder && ln -s pipe ../link").assert_code(0);
    for file in ["../pipe", "../link", "../folder", "/dev/zero"] {
        let refused = bench.run(&typed(&format!("git grill --answers {file} intake new"))).assert_code(128);
        refused.assert_contains("could not be read, and nothing changed").assert_contains("it is not a regular file");
    }
    bench.run(&typed("git grill --answers ../none intake new")).assert_code(128).assert_contains("could not be read");
    std::fs::write(bench.root().join("answers.json"), r#"{"version":1,"answers":{"Begin?":false}}"#).unwrap();
    bench.run("ln -s answers.json ../linked").assert_code(0);
    bench.run(&typed("git grill --answers ../linked intake new")).assert_code(0).assert_contains("first no");
}

#[test]
fn p5_answers_are_for_extensions_alone() {
    let bench = world("intake", ASKS);
    std::fs::write(bench.root().join("answers.json"), r#"{"version":1,"answers":{}}"#).unwrap();
    for line in ["status", "start 'rate limits'", "approve", "status --short", "tool grill_status </dev/null"] {
        let refused = bench.run(&format!("git grill --answers ../answers.json {line}")).assert_code(2);
        refused.assert_contains("--answers is only for the commands of extensions");
    }
    bench.run("git grill sessions").assert_code(0).assert_lacks("rate limits");
}

/// What a person typed may ask them while a question of the interview stands open; the interview goes on as it stood.
#[test]
fn p28_a_command_asks_beside_an_open_question_and_is_recorded_beside_the_interview() {
    let deed = r#"deed=$id
printf '%s\n' '{"jsonrpc":"2.0","id":"q","method":"ui.select","params":{"prompt":"Which store?","options":[{"value":"a","label":"Alpha"},{"value":"b","label":"Beta"}]}}'
IFS= read -r reply
case $reply in *'"value":"b"'*) said=beta ;; *) said=other ;; esac
id=$deed
answer "{\"text\":\"took $said\"}""#;
    let bench = world("intake", deed);
    bench.run("git grill start 'rate limits'").assert_code(0);
    let open = || {
        let status = bench.run("git grill status --json").assert_code(0);
        let status: serde_json::Value = serde_json::from_str(status.stdout()).unwrap();
        status["question"].clone()
    };
    let before = open();
    assert!(!before.is_null(), "a question stands open");
    std::fs::write(bench.root().join("answers.json"), r#"{"version":1,"answers":{"Which store?":"b"}}"#).unwrap();
    bench.run(&typed("git grill --answers ../answers.json intake new")).assert_code(0).assert_contains("took beta");
    assert_eq!(open(), before, "the interview stands where it stood");
    bench
        .run("git log -1 --format=%s GRILL_HEAD")
        .assert_code(0)
        .assert_contains("answer to intake: Which store?: Beta");
}

#[test]
fn g11_p28_a_command_is_typed_into_the_conversation_and_the_question_stays_open() {
    let bench = world("intake", ASKS);
    let path = path(&bench);
    let mut sitting = Sitting::at(&bench, &["start", "add rate limiting"], 50, 100, &[("PATH", path.as_str())]);
    let enter = "\r";
    sitting.below("question 1 ·", "Tab alternatives, Enter sends");
    // No extension is called so, and the slip can be mended.
    sitting.pty.send("/intakes new");
    sitting.pty.send(enter);
    sitting.below("'intakes new' is no verb, and nothing was done", "still open");
    sitting.pty.send("\x15");
    sitting.pty.send("/intake new");
    sitting.pty.send(enter);
    sitting.pty.wait_for("intake asks: Begin?");
    sitting.pty.send("n");
    sitting.below("first no, then no", "Tab alternatives, Enter sends");
    sitting.pause();
    bench.run("git log -1 --format=%s GRILL_HEAD").assert_code(0).assert_contains("answer to intake: Begin?: No");
    bench.run("git grill status").assert_code(0).assert_contains("0 resolved").assert_contains("1 open");
}
