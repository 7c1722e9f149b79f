use super::*;

/// How the greeting ends if it is answered with this.
fn refused(result: &Value) -> String {
    let frame = json!({"jsonrpc": "2.0", "id": 1, "result": result});
    match Driver::greet(saying(format!("{frame}\n")), &name("demo"), &ctx(), patient()) {
        Ok(driver) => panic!("{:?} was taken", driver.hello()),
        Err(ended) => ended.to_string(),
    }
}

fn demo(beside: &Value) -> Value {
    let mut hello = json!({"name": "demo", "ui_api_version": 1});
    hello.as_object_mut().unwrap().extend(beside.as_object().unwrap().clone());
    hello
}

#[test]
fn p4_another_version_and_an_unknown_flag_are_refused_with_what_is_served() {
    for (said, expected) in [
        (json!({"ui_api_version": 2}), "was written for version 2 of the UI API; this git grill serves version 1"),
        (
            json!({"ui_api_version": "1"}),
            "was written for version \"1\" of the UI API; this git grill serves version 1",
        ),
        (json!({"flags": ["x"]}), "needs the flag x; this git grill serves version 1 of the UI API and no flags"),
        (json!({"flags": [1]}), "gave an invalid answer to initialize: a flag is not a string"),
    ] {
        assert_eq!(refused(&demo(&said)), expected);
    }
    assert_eq!(refused(&json!({"name": "demo"})), "gave an invalid answer to initialize: it has no ui_api_version");
}

#[test]
fn p6_names_are_checked_and_none_is_there_twice() {
    assert_eq!(refused(&json!({"name": "other\u{1b}[2J"})), "calls itself other␛[2J");
    assert_eq!(refused(&json!({})), "gave an invalid answer to initialize: it has no name");
    assert_eq!(refused(&json!([])), "gave an invalid answer to initialize: it is not an object");
    let command = json!({"name": "go", "description": "Goes."});
    let tool = json!({"name": "go", "description": "Goes.", "inputSchema": {"type": "object"}});
    for (said, expected) in [
        (json!({"commands": [command, command]}), "offers the command go twice"),
        (json!({"tools": [tool, tool]}), "offers the tool go twice"),
        (json!({"commands": {}}), "gave an invalid answer to initialize: commands is not an array of at most 50"),
        (
            json!({"commands": vec![command; 51]}),
            "gave an invalid answer to initialize: commands is not an array of at most 50",
        ),
        (json!({"commands": [1]}), "gave an invalid answer to initialize: a command is not an object"),
        (json!({"tools": [{}]}), "gave an invalid answer to initialize: a tool has no name"),
        (
            json!({"commands": [{"name": "go", "description": " "}]}),
            "gave an invalid answer to initialize: the command go has no description of at most 4000 bytes",
        ),
        (
            json!({"tools": [{"name": "go", "description": "Goes."}]}),
            "gave an invalid answer to initialize: the tool go has no inputSchema of type object",
        ),
        (json!({"version": 1}), "gave an invalid answer to initialize: version is not a string of at most 100 bytes"),
    ] {
        assert_eq!(refused(&demo(&said)), expected);
    }
    let odd = refused(&demo(&json!({"commands": [{"name": "Go!", "description": "Goes."}]})));
    assert!(
        odd.starts_with("gave an invalid answer to initialize: the name of a command is a lower-case letter"),
        "{odd}"
    );
    assert!(odd.ends_with("but got Go!"), "{odd}");
}

#[test]
fn p6_what_it_offers_is_told_and_nothing_else_is_done() {
    // Keys that a later version may add are left alone.
    let said = demo(&json!({
        "version": "3", "flags": [], "later": true,
        "tools": [{"name": "ask", "description": " Asks. ", "inputSchema": {"type": "object"}, "later": 1}],
    }));
    let frame = json!({"jsonrpc": "2.0", "id": 1, "result": said});
    let mut driver = Driver::greet(saying(format!("\n{frame}\n")), &name("demo"), &ctx(), patient())
        .unwrap_or_else(|e| panic!("{e}"));
    let hello = driver.hello().clone();
    assert_eq!((hello.version.as_deref(), hello.ui_api_version, hello.commands.len()), (Some("3"), 1, 0));
    let [tool] = hello.tools.as_slice() else { panic!("{hello:?}") };
    let expected = ("ask", "Asks.", json!({"type": "object"}));
    assert_eq!((tool.name.as_str(), tool.description.as_str(), tool.schema.clone()), expected);
    let typed = driver.run(&go(), &mut Nobody).unwrap_err();
    assert_eq!(typed.to_string(), "has no command go; it has no commands");
    let called = driver.run(&ExtensionAction::Tool(name("other"), json!({})), &mut Nobody).unwrap_err();
    assert_eq!(called.to_string(), "has no tool other; it has ask");
}

#[test]
fn p15_without_anybody_to_ask_the_context_says_why_and_has_no_ui() {
    let session = SessionCtx {
        id: "20261121-limits-k3f9q".to_owned(),
        topic: "limits".to_owned(),
        phase: "interview".to_owned(),
        plan_mode: true,
    };
    let ctx = Ctx { session: Some(session), ui: Err("there is no terminal".to_owned()), ..ctx() };
    let expected = json!({
        "protocol": 1, "ui_api_version": 1, "flags": [], "cwd": "/w",
        "session": {"id": "20261121-limits-k3f9q", "topic": "limits", "phase": "interview", "plan_mode": true},
        "ui_unavailable": "there is no terminal",
    });
    assert_eq!(ctx.on_the_wire(), expected);
}

#[test]
fn p7_a_call_of_the_ui_in_the_handshake_is_the_end() {
    let call = json!({"jsonrpc": "2.0", "id": "x", "method": "ui.select", "params": a_select()});
    let notice = json!({"jsonrpc": "2.0", "method": "ui.notify", "params": {"message": "hello"}});
    for (frame, method) in [(call, "ui.select"), (notice, "ui.notify")] {
        let ended =
            Driver::greet(saying(format!("{frame}\n{HELLO}\n")), &name("demo"), &ctx(), patient()).err().unwrap();
        assert_eq!(ended, Ended::NotAllowed { method: method.to_owned() });
    }
    // Other questions have an answer, and other notices are its own affair.
    let script = [
        asks(7, "roots/list", &json!({})),
        is_told(
            &json!({"jsonrpc": "2.0", "id": 7, "error": {"code": -32601, "message": "there is no method roots/list"}}),
        ),
        says(&json!({"jsonrpc": "2.0", "method": "log"})),
        format!("< {HELLO}"),
    ];
    let greeting = r#"> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"ctx":{"protocol":1,"ui_api_version":1,"flags":[],"cwd":"/w","session":null,"ui":["ui.select","ui.multi_select","ui.form","ui.confirm","ui.notify"]}}}"#;
    let (streams, peer) = playing(&format!("{greeting}\n{}\n", script.join("\n")));
    assert!(Driver::greet(streams, &name("demo"), &ctx(), patient()).is_ok());
    peer.join().unwrap();
}

#[test]
fn p7_an_error_to_the_greeting_is_told_harmless() {
    let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "no\u{1b}[2J\nidea"}});
    let ended = Driver::greet(saying(format!("{error}\n")), &name("demo"), &ctx(), patient()).err().unwrap();
    assert_eq!(ended.to_string(), "failed: no␛[2J␤idea");
    let stray = json!({"jsonrpc": "2.0", "id": 9, "result": {}});
    let ended = Driver::greet(saying(format!("{stray}\n")), &name("demo"), &ctx(), patient()).err().unwrap();
    assert_eq!(ended.to_string(), "answered request 9, which git grill did not make");
}
