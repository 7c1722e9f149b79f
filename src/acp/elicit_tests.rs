use serde_json::json;

use super::*;

fn read(params: &Value) -> Form {
    Form::read(&json!(7), Shape::Action, params)
}

fn refused(params: &Value) -> String {
    read(params).asked.asks.unwrap_err()
}

#[test]
fn a18_every_kind_of_field_is_read() {
    let schema = json!({"type": "object", "required": ["project", "count"], "properties": {
        "project": {"type": "string", "title": "Project", "description": "its key", "minLength": 2, "maxLength": 5, "default": "APP"},
        "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
        "weight": {"type": "number"},
        "urgent": {"type": "boolean", "default": true},
        "kind": {"type": "string", "enum": ["bug", "task"], "enumNames": ["A bug", "A task"]},
        "size": {"type": "string", "oneOf": [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}]},
        "labels": {"type": "array", "minItems": 1, "items": {"anyOf": [{"const": "a", "title": "A"}, {"const": "b"}]}},
    }});
    let form = read(&json!({"mode": "form", "message": "Which?", "requestedSchema": schema}));
    let fields = form.asked.asks.unwrap();
    let by = |name: &str| fields.iter().find(|field| field.name == name).unwrap();
    assert_eq!(by("project").input, ServerInput::Text { least: 2, most: 5 });
    assert!(by("project").required && !by("weight").required);
    assert_eq!(by("project").initial.as_deref(), Some("APP"));
    assert_eq!(by("project").about.as_deref(), Some("its key"));
    assert_eq!(by("count").input, ServerInput::Number { whole: true, least: Some(1.0), most: Some(9.0) });
    assert_eq!(by("weight").input, ServerInput::Number { whole: false, least: None, most: None });
    assert_eq!((&by("urgent").input, by("urgent").initial.as_deref()), (&ServerInput::YesNo, Some("true")));
    let labels = |input: &ServerInput| match input {
        ServerInput::One(options) | ServerInput::Many { options, .. } => {
            options.iter().map(|option| format!("{}={}", option.value, option.label)).collect::<Vec<_>>().join(" ")
        }
        ServerInput::Text { .. } | ServerInput::Number { .. } | ServerInput::YesNo => String::new(),
    };
    assert_eq!(labels(&by("kind").input), "bug=A bug task=A task");
    assert_eq!(labels(&by("size").input), "s=Small l=Large");
    assert_eq!(labels(&by("labels").input), "a=A b=b");
}

#[test]
fn a27_what_is_not_understood_whole_is_refused_with_a_reason() {
    assert!(
        refused(&json!({"mode": "url", "url": "https://x", "message": "go"})).contains("an address can do anything")
    );
    assert!(refused(&json!({"mode": "dance"})).contains("not known: dance"));
    assert!(refused(&json!({"requestedSchema": 7})).contains("does not say"));
    assert!(refused(&json!({"requestedSchema": {"properties": []}})).contains("does not say"));
    for odd in [
        json!({"type": "object", "properties": {}}),
        json!({"type": "string", "enum": []}),
        json!({"type": "string", "enum": [1]}),
        json!({"type": "string", "oneOf": [{"title": "x"}]}),
        json!({"type": "array", "items": {"type": "string"}}),
        json!({"type": ["string"]}),
        json!("string"),
    ] {
        let said = refused(&json!({"requestedSchema": {"properties": {"f": odd.clone()}}}));
        assert!(said.contains("cannot be typed"), "{odd}: {said}");
    }
    let many: Map<String, Value> = (0..=MOST_FIELDS).map(|at| (at.to_string(), json!({"type": "string"}))).collect();
    assert!(refused(&json!({"requestedSchema": {"properties": many}})).contains("17 fields"));
}

#[test]
fn a36_what_a_field_and_an_option_have_to_be_is_shown() {
    let text = |more: Value| {
        let mut property = json!({"type": "string"});
        property.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        read(&json!({"requestedSchema": {"properties": {"f": property}}})).asked.asks.unwrap().remove(0)
    };
    for (more, shown) in [
        (json!({}), None),
        (json!({"description": " ", "format": "", "pattern": null}), None),
        (json!({"description": "Whose?", "format": "email"}), Some("Whose?; an email address")),
        (json!({"format": "date"}), Some("a date, such as 2026-11-28")),
        (
            json!({"format": "ipv4", "pattern": "^[0-9.]+$\u{1b}"}),
            Some("in the format ipv4; it has to match ^[0-9.]+$␛"),
        ),
    ] {
        assert_eq!(text(more.clone()).about.as_deref(), shown, "{more}");
    }
    let options = json!([{"const": "a", "title": "A", "description": "as\nbefore"}, {"const": "b", "title": "B"}]);
    let ServerInput::One(options) = text(json!({"oneOf": options})).input else { panic!("no options") };
    let about: Vec<Option<&str>> = options.iter().map(|option| option.about.as_deref()).collect();
    assert_eq!(about, [Some("as before"), None]);
}

#[test]
fn a18_null_says_as_much_as_nothing_and_a_form_without_fields_asks_for_a_yes() {
    let fields = |schema: Value| read(&json!({"message": "Sure?", "requestedSchema": schema})).asked.asks;
    let kind =
        json!({"type": "string", "title": null, "description": null, "oneOf": null, "enum": ["a"], "default": null});
    let name = json!({"type": "string", "enum": null, "oneOf": null, "minLength": null, "maxLength": null});
    let read = fields(json!({"required": null, "properties": {"kind": kind, "name": name}})).unwrap();
    assert!(matches!(&read[0].input, ServerInput::One(options) if options.len() == 1), "{:?}", read[0]);
    assert_eq!(read[1].input, ServerInput::Text { least: 0, most: MOST_TEXT });
    for nothing in [
        json!(null),
        json!({"type": "object"}),
        json!({"type": "object", "title": "Go on", "properties": null, "required": [], "_meta": {"a": 1}}),
    ] {
        assert_eq!(fields(nothing.clone()), Ok(Vec::new()), "{nothing}");
    }
    for odd in [
        json!({"type": "string"}),
        json!({"type": "object", "required": ["a"]}),
        json!({"type": "object", "oneOf": [{"properties": {"a": {"type": "string"}}}]}),
        json!({"type": "object", "$ref": "#/a"}),
    ] {
        assert!(fields(odd.clone()).unwrap_err().contains("does not say what it asks for"), "{odd}");
    }
}

#[test]
fn a18_no_form_asks_for_a_secret() {
    let field = |name: &str, title: &str| json!({"message": "Log in", "requestedSchema": {"properties": {name: {"type": "string", "title": title}}}});
    for (name, title) in [
        ("password", ""),
        ("x", "Your Passphrase"),
        ("apiKey", "x"),
        ("api_key", "x"),
        ("github-token", "x"),
        ("x", "Secret for the hook"),
        ("pin", "x"),
        ("x", "Credit card"),
    ] {
        assert!(refused(&field(name, title)).contains("asks for a secret"), "{name} {title}");
    }
    let said =
        refused(&json!({"message": "Type your API key", "requestedSchema": {"properties": {"x": {"type": "string"}}}}));
    assert!(said.contains("(api key)"), "{said}");
    for (name, title) in [("max_tokens", "Tokens in the bucket"), ("keyboard", "Which key?"), ("spinner", "Opinion")] {
        assert!(read(&field(name, title)).asked.asks.is_ok(), "{name} {title}");
    }
}

#[test]
fn each_wire_takes_its_own_answer() {
    let options = json!({"type": "array", "items": {"enum": ["a", "b"]}});
    let schema = json!({"properties": {"t": {"type": "string"}, "n": {"type": "number"}, "w": {"type": "integer"},
        "b": {"type": "boolean"}, "m": options}});
    let params = json!({"serverName": "ji\u{1b}[2Jra", "message": "Which?\u{7}", "requestedSchema": schema});
    let action = Form::read(&json!("a"), Shape::Action, &params);
    let outcome = Form::read(&json!("a"), Shape::Outcome, &params);
    assert_eq!(action.asked.server.as_deref(), Some("ji␛[2Jra"));
    let values = || {
        let values = [
            ("t", ServerValue::Text("x".into())),
            ("n", ServerValue::Number("1.5".into())),
            ("w", ServerValue::Number("3".into())),
            ("b", ServerValue::YesNo(true)),
            ("m", ServerValue::Many(vec!["a".into(), "b".into()])),
        ];
        ServerReply::Sent(values.map(|(name, value)| (name.to_owned(), value)).to_vec())
    };
    let content = json!({"t": "x", "n": 1.5, "w": 3, "b": true, "m": ["a", "b"]});
    assert_eq!(action.answer(values()), json!({"action": "accept", "content": content}));
    assert_eq!(outcome.answer(values()), json!({"outcome": "accept", "content": content}));
    assert_eq!(action.answer(ServerReply::Declined), json!({"action": "decline"}));
    assert_eq!(outcome.answer(ServerReply::Closed), json!({"outcome": "cancel"}));
    let plain = read(&json!({"message": "Sure?"}));
    assert_eq!(plain.answer(ServerReply::Sent(Vec::new())), json!({"action": "accept", "content": {}}), "a plain yes");
}

#[test]
fn a36_what_cannot_be_shown_is_cancelled_with_the_reason_and_what_does_not_fit_is_not_sent() {
    let reason = |answer: &Value| answer["_meta"]["git-grill"]["reason"].as_str().map(str::to_owned);
    let url = read(&json!({"mode": "url"}));
    for reply in [ServerReply::Closed, ServerReply::Sent(Vec::new())] {
        let answer = url.answer(reply);
        assert_eq!((&answer["action"], answer.get("content")), (&json!("cancel"), None));
        assert!(reason(&answer).unwrap().contains("an address can do anything"), "{answer}");
    }
    let schema = json!({"required": ["kind"], "properties": {"kind": {"type": "string", "enum": ["bug", "task"]}}});
    let form = read(&json!({"requestedSchema": schema}));
    let sent = |values: &[(&str, &str)]| {
        let value = |(name, value): &(&str, &str)| ((*name).to_owned(), ServerValue::Text((*value).to_owned()));
        form.answer(ServerReply::Sent(values.iter().map(value).collect()))
    };
    assert_eq!(sent(&[("kind", "task")]), json!({"action": "accept", "content": {"kind": "task"}}));
    for values in [&[("kind", "epic")][..], &[], &[("kind", "bug"), ("more", "x")]] {
        let answer = sent(values);
        assert_eq!((&answer["action"], answer.get("content")), (&json!("cancel"), None), "{values:?}");
        assert!(reason(&answer).unwrap().contains("does not fit"), "{answer}");
    }
    assert_eq!(form.answer(ServerReply::Closed), json!({"action": "cancel"}), "the user's own needs no reason");
}

#[test]
fn a_form_within_a_request_is_found_and_a_long_one_is_cut() {
    let form = read(&json!({"serverName": "s", "request": {"message": "x".repeat(5_000), "requestedSchema":
        {"properties": {"name": {"type": "string", "title": "y".repeat(500)}}}}}));
    assert_eq!(form.asked.message.chars().count(), MOST_MESSAGE + 1);
    assert_eq!(form.asked.asks.unwrap()[0].title.chars().count(), MOST_LABEL + 1);
}
