use super::super::questionnaire::serve;
use super::*;

/// What the program gives for these arguments, driven as any extension is.
fn filled(arguments: Value, asker: &mut dyn Asker) -> Gave {
    let (streams, peer) = extension(|heard, says| serve(heard, says).unwrap());
    let mut driver = match Driver::greet(streams, &name("questionnaire"), &ctx(), patient()) {
        Ok(driver) => driver,
        Err(ended) => panic!("{ended}"),
    };
    let ran = driver.run(&ExtensionAction::Tool(name("questionnaire"), arguments), asker).unwrap();
    driver.close();
    peer.join().unwrap();
    match ran {
        Ran::Done(gave) => gave,
        Ran::Later => panic!("nobody answers later"),
    }
}

fn question(id: &str) -> Value {
    json!({"id": id, "prompt": "Which?", "options": [{"value": "a", "label": "A"}]})
}

/// The question as it is returned.
fn put(id: &str, label: &str) -> Value {
    let mut put = question(id);
    put["label"] = json!(label);
    put["allow_other"] = json!(true);
    put
}

fn methods(asker: &Answers) -> Vec<&'static str> {
    asker.shown.iter().map(Call::method).collect()
}

#[test]
fn p8_one_question_is_a_list_and_several_are_a_form() {
    let mut asker = Answers::now(Answered::Questions(vec![takes("a", "A")]));
    let gave = filled(json!({"questions": [question("x")], "timeoutSeconds": 5, "noChange": "why"}), &mut asker);
    assert_eq!(methods(&asker), ["ui.select"]);
    let answer = json!({"id": "x", "value": "a", "label": "A", "other": false});
    let expected = json!({
        "questions": [put("x", "Q1")], "answers": [answer], "cancelled": false, "text": "User answered the questions.",
    });
    assert_eq!((gave.value, gave.failed), (expected, false));

    let own = OneAnswer { chosen: vec![Chosen::own("mine")], note: None };
    let mut asker = Answers::now(Answered::Questions(vec![takes("a", "A"), own]));
    let gave = filled(json!({"questions": [question("x"), question("y")]}), &mut asker);
    assert_eq!(methods(&asker), ["ui.form"]);
    let own = json!({"id": "y", "value": "mine", "label": "mine", "other": true});
    assert_eq!(gave.value["answers"], json!([answer, own]));
    assert_eq!(gave.value["questions"], json!([put("x", "Q1"), put("y", "Q2")]));
}

#[test]
fn p8_p18_one_that_takes_several_is_a_list_of_those_and_one_with_a_note_is_a_form() {
    let mut many = question("x");
    many["kind"] = json!("multi");
    let mut asker = Answers::now(Answered::Questions(vec![takes("a", "A")]));
    let gave = filled(json!({"questions": [many]}), &mut asker);
    assert_eq!(methods(&asker), ["ui.multi_select"]);
    assert_eq!(gave.value["answers"], json!([{"id": "x", "values": ["a"], "labels": ["A"], "other": false}]));

    let mut noted = question("x");
    noted["note"] = json!(true);
    let mut asker =
        Answers::now(Answered::Questions(vec![OneAnswer { note: Some("for now".to_owned()), ..takes("a", "A") }]));
    let gave = filled(json!({"questions": [noted]}), &mut asker);
    assert_eq!(methods(&asker), ["ui.form"]);
    let answer = json!({"id": "x", "value": "a", "label": "A", "note": "for now", "other": false});
    assert_eq!(gave.value["answers"], json!([answer]));
}

#[test]
fn p8_p19_no_ending_stands_for_another() {
    let cancelled =
        filled(json!({"questions": [question("x")]}), &mut Answers::now(Answered::Without(Without::Cancelled)));
    let expected = (json!([]), json!(true), false);
    assert_eq!((cancelled.value["answers"].clone(), cancelled.value["cancelled"].clone(), cancelled.failed), expected);
    for ending in [Without::Declined, Without::TimedOut, Without::Lost] {
        let (kind, text) = (ending.kind(), ending.to_string());
        let gave = filled(json!({"questions": [question("x")]}), &mut Answers::now(Answered::Without(ending)));
        let expected = json!({
            "questions": [put("x", "Q1")], "answers": [], "cancelled": false, "isError": true, "kind": kind, "text": text,
        });
        assert_eq!((gave.value, gave.failed, gave.text), (expected, true, Some(text)));
    }
    let gave = filled(json!({"questions": [question("x")]}), &mut Nobody);
    assert_eq!((gave.value["kind"].as_str(), gave.failed), (Some("ui_unavailable"), true));
}

#[test]
fn p8_what_is_wrong_is_named_and_nobody_is_asked() {
    for (arguments, expected) in [
        (json!({}), "questionnaire takes at least one question, and there is none"),
        (json!({"sound": 1}), "questionnaire does not know sound"),
        (json!({"questions": [1]}), "question 1 is not an object"),
        (json!({"questions": [question(" ")]}), "question 1 has no id"),
        (json!({"questions": [question("x"), question(" x ")]}), "question 2 has the id x, which an earlier one has"),
        // The rest is said by the UI.
        (json!({"questions": [{"id": "x", "options": []}]}), "question 1 has no prompt"),
    ] {
        let gave = filled(arguments, &mut Answers::default());
        assert_eq!(gave.text.as_deref(), Some(expected));
        assert_eq!((gave.value["kind"].as_str(), gave.failed), (Some("bad_request"), true));
    }
    let mut odd = question("x");
    odd["sound"] = json!("loud");
    let told = filled(json!({"questions": [odd]}), &mut Answers::default()).text.unwrap();
    assert!(told.contains("`sound`"), "{told}");
}
