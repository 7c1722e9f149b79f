use super::*;
use crate::domain::ui::{Kind, Level};

/// The line with an error that the extension is told.
fn error(id: u64, error: &Value) -> String {
    is_told(&json!({"jsonrpc": "2.0", "id": id, "error": error}))
}

/// The line with a result that the extension is told.
fn result(id: u64, result: &Value) -> String {
    is_told(&json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

/// A call that is taken back.
fn takes_back(id: u64) -> String {
    says(&json!({"jsonrpc": "2.0", "method": "ui.cancel", "params": {"id": id}}))
}

const BUSY: &str = "another call is open; make one call at a time";

#[test]
fn p1_each_method_reaches_the_user_and_its_answer_the_extension() {
    let question = json!({"id": "x", "prompt": "Which?", "options": [{"value": "a", "label": "A"}]});
    let script = [
        asks(1, "ui.select", &a_select()),
        result(1, &json!({"value": "a", "label": "A", "cancelled": false})),
        asks(2, "ui.multi_select", &a_select()),
        result(2, &json!({"values": ["a"], "labels": ["A"], "cancelled": false})),
        asks(3, "ui.form", &json!({"questions": [question]})),
        result(3, &json!({"answers": [{"id": "x", "value": "a", "label": "A"}], "cancelled": false})),
        asks(4, "ui.confirm", &json!({"prompt": "Sure?"})),
        result(4, &json!({"confirmed": true, "cancelled": false})),
        asks(5, "ui.notify", &json!({"message": "Look.", "level": "warning"})),
        result(5, &json!({})),
        says(&json!({"jsonrpc": "2.0", "method": "ui.notify", "params": {"message": "Without an id."}})),
        DONE.to_owned(),
    ];
    let one = || Given::Now(Answered::Questions(vec![takes("a", "A")]));
    let rest = [Answered::Confirmed(true), Answered::Shown, Answered::Shown].map(Given::Now);
    let mut asker = Answers::of([one(), one(), one()].into_iter().chain(rest));
    assert_eq!(played(&script.join("\n"), &mut asker), Ok(done()));
    let methods: Vec<&str> = asker.shown.iter().map(Call::method).collect();
    assert_eq!(methods, ["ui.select", "ui.multi_select", "ui.form", "ui.confirm", "ui.notify", "ui.notify"]);
    assert!(matches!(&asker.shown[1], Call::Ask(question) if question.kind == Kind::Many));
    assert!(matches!(&asker.shown[4], Call::Notify(_, Level::Warning)));
}

#[test]
fn p2_p18_what_is_wrong_in_a_call_is_named_and_nobody_is_asked() {
    for (method, params, expected) in [
        ("ui.form", json!({"questions": []}), "a form takes at least one question, and there is none"),
        ("ui.form", json!({"questions": [{"id": " ", "prompt": "?"}]}), "question 1 has no id"),
        ("ui.form", json!({"questions": [["x"]]}), "each question must be an object"),
        ("ui.select", json!({"prompt": "?", "options": [["a", "A"]]}), "each option must be an object"),
        ("ui.select", json!(["Which?"]), "the parameters must be an object"),
        ("ui.select", json!({"prompt": "?"}), "question 1 offers no options and takes no other words"),
        ("ui.confirm", json!({"prompt": " "}), "the prompt is empty"),
    ] {
        let wrong = error(1, &json!({"code": -32602, "message": expected}));
        let script = [asks(1, method, &params), wrong, DONE.to_owned()];
        assert_eq!(played(&script.join("\n"), &mut Answers::default()), Ok(done()));
    }
    let Err(super::super::asking::NoCall::Bad(why)) =
        super::super::asking::call("ui.select", json!({"prompt": "?", "sound": "loud"}))
    else {
        panic!("an unknown key was taken")
    };
    assert!(why.contains("`sound`"), "{why}");
    for method in Call::METHODS {
        let known = super::super::asking::call(method, json!({}));
        assert!(!matches!(known, Err(super::super::asking::NoCall::UnknownMethod)), "{method}");
    }
    let unknown = error(1, &json!({"code": -32601, "message": "there is no method ui.shout"}));
    let script = [asks(1, "ui.shout", &json!({})), unknown, DONE.to_owned()];
    assert_eq!(played(&script.join("\n"), &mut Answers::default()), Ok(done()));
}

#[test]
fn p5_where_nobody_can_be_asked_each_call_is_an_error_at_once_and_the_extension_goes_on() {
    let message = "the user cannot be asked here: there is no terminal";
    let gone = json!({"code": -32001, "message": message, "data": {"kind": "ui_unavailable"}});
    let script = [
        asks(1, "ui.select", &a_select()),
        error(1, &gone),
        asks(2, "ui.notify", &json!({"message": "Look."})),
        error(2, &gone),
        says(&json!({"jsonrpc": "2.0", "method": "ui.notify", "params": {"message": "Look."}})),
        DONE.to_owned(),
    ];
    assert_eq!(played(&script.join("\n"), &mut Nobody), Ok(done()));
}

#[test]
fn p19_each_ending_without_an_answer_reaches_the_extension_as_itself() {
    for (ending, kind) in [
        (Without::Declined, "ui_declined"),
        (Without::TimedOut, "ui_timed_out"),
        (Without::Lost, "ui_lost"),
        (Without::Unavailable("no".to_owned()), "ui_unavailable"),
    ] {
        let told = json!({"code": -32001, "message": ending.to_string(), "data": {"kind": kind}});
        let script = [asks(1, "ui.confirm", &json!({"prompt": "Sure?"})), error(1, &told), DONE.to_owned()];
        assert_eq!(played(&script.join("\n"), &mut Answers::now(Answered::Without(ending))), Ok(done()));
    }
    let closed = result(1, &json!({"confirmed": false, "cancelled": true}));
    let script = [asks(1, "ui.confirm", &json!({"prompt": "Sure?"})), closed, DONE.to_owned()];
    assert_eq!(played(&script.join("\n"), &mut Answers::now(Answered::Without(Without::Cancelled))), Ok(done()));
}

#[test]
fn p15_an_extension_takes_its_call_back_and_the_prompt_closes() {
    let script = [
        asks(1, "ui.select", &a_select()),
        // Neither of these is the open call.
        says(&json!({"jsonrpc": "2.0", "method": "ui.cancel", "params": {"id": "1"}})),
        takes_back(8),
        takes_back(1),
        result(1, &json!({"value": null, "label": null, "cancelled": true})),
        takes_back(1),
        DONE.to_owned(),
    ];
    assert_eq!(played(&script.join("\n"), &mut Answers::once_settled()), Ok(done()));
}

#[test]
fn p15_an_answer_that_was_faster_than_taking_the_call_back_stands() {
    let script = [
        asks(1, "ui.select", &a_select()),
        takes_back(1),
        result(1, &json!({"value": "a", "label": "A", "cancelled": false})),
        DONE.to_owned(),
    ];
    let mut asker = Answers::of([Given::Settled(Answered::Questions(vec![takes("a", "A")]))]);
    assert_eq!(played(&script.join("\n"), &mut asker), Ok(done()));
}

#[test]
fn p1_a_second_call_is_busy_while_one_is_open_and_a_notice_is_shown_afterwards() {
    let busy = json!({"code": -32002, "message": BUSY, "data": {"kind": "ui_busy"}});
    let script = [
        asks(1, "ui.select", &a_select()),
        asks(2, "ui.confirm", &json!({"prompt": "Sure?"})),
        error(2, &busy),
        says(&json!({"jsonrpc": "2.0", "method": "ui.notify", "params": {"message": "Look."}})),
        takes_back(1),
        result(1, &json!({"value": null, "label": null, "cancelled": true})),
        DONE.to_owned(),
    ];
    let mut asker = Answers::of([Given::Settled(Answered::Without(Without::TimedOut)), Given::Now(Answered::Shown)]);
    assert_eq!(played(&script.join("\n"), &mut asker), Ok(done()));
    assert_eq!(asker.shown.iter().map(Call::method).collect::<Vec<_>>(), ["ui.select", "ui.notify"]);
}

#[test]
fn p1_a_result_closes_a_prompt_that_nobody_waits_for() {
    let script = [asks(1, "ui.select", &a_select()), DONE.to_owned()];
    assert_eq!(played(&script.join("\n"), &mut Answers::once_settled()), Ok(done()));
}

#[test]
fn p28_a_call_that_is_answered_later_ends_the_run() {
    let script = asks(1, "ui.select", &a_select());
    assert_eq!(played(&script, &mut Answers::of([Given::Later])), Ok(Ran::Later));
}

#[test]
fn p1_a_result_is_an_object_whose_own_keys_are_checked() {
    let gave = |result: Value| {
        played(&says(&json!({"jsonrpc": "2.0", "id": 2, "result": result})), &mut Nobody).map_err(|e| e.to_string())
    };
    let value = json!({"isError": true, "count": 3});
    let expected = Gave { text: None, value: value.clone(), failed: true, errors: String::new() };
    assert_eq!(gave(value), Ok(Ran::Done(expected)));
    for (wrong, expected) in [
        (json!("done"), "returned an invalid result: it is not an object"),
        (json!({"text": 1}), "returned an invalid result: text is not a string"),
        (json!({"isError": "no"}), "returned an invalid result: isError is not a boolean"),
    ] {
        assert_eq!(gave(wrong), Err(expected.to_owned()));
    }
    let failed = says(&json!({"jsonrpc": "2.0", "id": 2, "error": {"code": 1, "message": "no network"}}));
    assert_eq!(played(&failed, &mut Nobody), Err(Ended::Failed { message: "no network".to_owned() }));
}
