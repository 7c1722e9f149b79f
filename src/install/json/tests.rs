use proptest::prelude::*;

use super::super::server;
use super::*;

const SERVER: &str = r#"{"command": "git", "args": ["grill", "mcp"]}"#;

fn member(path: &'static [&'static str]) -> Entry {
    Entry { path, slot: Slot::Member { name: "grill", value: SERVER.to_owned(), ours: server::is_ours } }
}

fn element(path: &'static [&'static str]) -> Entry {
    let ours = |value: &Value| value.get("mark").is_some();
    Entry { path, slot: Slot::Element { value: r#"{"mark": 1}"#.to_owned(), ours } }
}

fn both() -> [Entry; 3] {
    [member(&["mcpServers"]), element(&["hooks", "PreToolUse"]), element(&["hooks", "Other"])]
}

fn put_all(text: Option<&str>, entries: &[Entry]) -> String {
    let mut text = text.map(str::to_owned);
    for entry in entries {
        text = Some(put(text.as_deref(), entry).unwrap());
    }
    text.unwrap()
}

fn take_all(text: &str, entries: &[Entry]) -> Option<String> {
    take(text, &entries.iter().collect::<Vec<_>>()).unwrap()
}

#[track_caller]
fn comes_back(before: &str) -> String {
    let with = put_all(Some(before), &both());
    for entry in both() {
        assert_eq!(standing(&with, &entry), Ok(EntryState::Current), "{before:?}\n{with}");
    }
    assert_eq!(put_all(Some(&with), &both()), with, "a second time");
    assert_eq!(take_all(&with, &both()).as_deref(), Some(before), "{with}");
    with
}

#[test]
fn a_new_file_is_written_to_be_read_and_taken_away_whole() {
    let text = put_all(None, &both());
    assert_eq!(
        text,
        "{\n  \"mcpServers\": {\n    \"grill\": {\"command\": \"git\", \"args\": [\"grill\", \"mcp\"]}\n  },\n  \
         \"hooks\": {\n    \"PreToolUse\": [\n      {\"mark\": 1}\n    ],\n    \"Other\": [\n      {\"mark\": 1}\n    ]\n  }\n}\n"
    );
    assert_eq!(take_all(&text, &both()), None);
}

#[test]
fn an_entry_goes_behind_the_others_in_the_manner_of_the_file() {
    let before = "// mine\n{\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"x\"}, // kept\n\t}, /* end */\n}\n";
    let with = comes_back(before);
    assert_eq!(
        with,
        "// mine\n{\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"x\"}, // kept\n\t\t\"grill\": {\"command\": \"git\", \
         \"args\": [\"grill\", \"mcp\"]},\n\t}, /* end */\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{\"mark\": \
         1}\n\t\t],\n\t\t\"Other\": [\n\t\t\t{\"mark\": 1}\n\t\t]\n\t},\n}\n"
    );
    let inline = comes_back(r#"{"a": 1, "hooks": {"PreToolUse": [{"x": 2}]}}"#);
    assert_eq!(
        inline,
        r#"{"a": 1, "hooks": {"PreToolUse": [{"x": 2}, {"mark": 1}], "Other": [{"mark": 1}]}, "mcpServers": {"grill": {"command": "git", "args": ["grill", "mcp"]}}}"#
    );
}

#[test]
fn what_stood_there_empty_is_there_empty_again() {
    for before in [
        "{}",
        "{ }",
        "{\n}",
        "{\n}\n",
        "{\r\n}\r\n",
        "\u{feff}{}\n",
        "{ // nothing yet\n}",
        "{/* no */}",
        "// a\n{}\n// b\n",
        r#"{"mcpServers": {}}"#,
        "{\n  \"mcpServers\": {\n  }\n}\n",
        "{\n  \"hooks\": {\"PreToolUse\": []},\n  \"mcpServers\": { }\n}\n",
        "{\n  \"hooks\": {\"PreToolUse\": [\n    // later\n  ]}\n}",
        "{\n  \"a\": 1 // no comma\n}\n",
        "{\n  \"a\": 1 /* one\n two */\n  // own line\n}\n",
        "{\"a\": 1,}",
        "{\"a\": 1 // x\n}",
        "{\r\n    \"a\": 1,\r\n    \"b\": [1, 2]\r\n}",
        "{\"a\": \"// no comment, \\\" {\" }",
    ] {
        comes_back(before);
    }
}

#[test]
fn what_came_after_us_stays() {
    let with = put(Some("{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n"), &member(&["mcpServers"])).unwrap();
    let more = with.replace("\"mcp\"]}\n", "\"mcp\"]},\n    \"later\": {}\n");
    assert_ne!(more, with);
    assert_eq!(
        take_all(&more, &[member(&["mcpServers"])]).as_deref(),
        Some("{\n  \"mcpServers\": {\n    \"a\": {},\n    \"later\": {}\n  }\n}\n")
    );
    let first = with.replace("    \"a\": {},\n", "");
    assert_eq!(take_all(&first, &[member(&["mcpServers"])]), None);
}

#[test]
fn an_older_entry_is_updated_in_its_place_and_keeps_what_was_added() {
    let older =
        r#"{"mcpServers": {"grill": {"command": "/x/git-grill", "env": {"A": "b"}, "args": ["mcp"]}, "z": {}}}"#;
    let now = put(Some(older), &member(&["mcpServers"])).unwrap();
    assert_eq!(
        now,
        r#"{"mcpServers": {"grill": {"command": "git", "args": ["grill", "mcp"], "env": {"A":"b"}}, "z": {}}}"#
    );
    assert_eq!(take_all(&now, &[member(&["mcpServers"])]).as_deref(), Some(r#"{"mcpServers": { "z": {}}}"#));
}

#[test]
fn every_element_of_ours_is_taken_out() {
    let twice = r#"{"hooks": {"PreToolUse": [{"mark": 0}, {"x": 1}, {"mark": 1}]}}"#;
    let left = take_all(twice, &[element(&["hooks", "PreToolUse"])]).unwrap();
    assert_eq!(left, r#"{"hooks": {"PreToolUse": [ {"x": 1}]}}"#);
}

#[test]
fn a_companion_goes_with_the_file_that_was_made_for_it() {
    let entries =
        [element(&["hooks", "preToolUse"]), Entry { path: &[], slot: Slot::Companion { name: "version", value: "1" } }];
    let made = put_all(None, &entries);
    assert!(made.ends_with("  \"version\": 1\n}\n"), "{made}");
    assert_eq!(take_all(&made, &entries), None);
    for before in [
        "{\"version\": 1}",
        "{\n  \"version\": 1\n}\n",
        "{\n  \"hooks\": {},\n  \"version\": 1\n}\n",
        "{\"version\": 2, \"hooks\": {}}",
    ] {
        let with = put_all(Some(before), &entries);
        assert_eq!(take_all(&with, &entries).as_deref(), Some(before), "{with}");
    }
}

#[test]
fn what_cannot_be_edited_is_named_with_its_line() {
    let broken = |text: &str, line: usize| match put(Some(text), &member(&["mcpServers"])) {
        Err(Trouble::Broken { line: found, .. }) => assert_eq!(found, line, "{text:?}"),
        other => panic!("{text:?}: {other:?}"),
    };
    broken("", 1);
    broken("// only\n", 1);
    broken("[]", 1);
    broken("{\n  \"a\": 1\n  \"b\": 2\n}", 2);
    broken("{\n  'a': 1\n}", 2);
    broken("{\n\n  \"a\": ", 3);
    broken(&"[".repeat(100_000), 1);
    let shape = |text: &str, at: &str| match put(Some(text), &element(&["hooks", "PreToolUse"])) {
        Err(Trouble::Shape { at: found, .. }) => assert_eq!(found, at, "{text:?}"),
        other => panic!("{text:?}: {other:?}"),
    };
    shape("{\"hooks\": []}", "hooks");
    shape("{\"hooks\": {\"PreToolUse\": {}}}", "hooks.PreToolUse");
    shape("{\"hooks\": {}, \"hooks\": {}}", "hooks");
    let foreign = "{\n  \"mcpServers\": {\n    \"grill\": {\"command\": \"barbecue\"}\n  }\n}";
    let expected = Trouble::Foreign { at: "mcpServers.grill".to_owned(), line: 3 };
    assert_eq!(put(Some(foreign), &member(&["mcpServers"])), Err(expected));
    assert_eq!(take_all(foreign, &[member(&["mcpServers"])]).as_deref(), Some(foreign));
}

/// What may stand between two tokens.
fn blank() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        3 => Just(" ".to_owned()),
        3 => Just("\n  ".to_owned()),
        1 => Just("\r\n\t".to_owned()),
        1 => Just(" /* , \" */ ".to_owned()),
        1 => Just(" // , } note\n ".to_owned()),
        1 => Just("\n\n    ".to_owned()),
    ]
}

fn items(open: &'static str, close: &'static str, item: BoxedStrategy<String>) -> BoxedStrategy<String> {
    let item = (blank(), item, blank()).prop_map(|(before, item, after)| format!("{before}{item}{after}"));
    (prop::collection::vec(item, 0..4), blank(), prop::bool::ANY)
        .prop_map(move |(items, blank, trailing)| {
            let comma = if trailing && !items.is_empty() { "," } else { "" };
            format!("{open}{}{comma}{blank}{close}", items.join(","))
        })
        .boxed()
}

fn value() -> BoxedStrategy<String> {
    let leaf = prop_oneof![Just("1"), Just("null"), Just("\"a, // {\""), Just("\"ü\"")].prop_map(str::to_owned).boxed();
    leaf.prop_recursive(3, 12, 3, |inner| items("[", "]", inner.boxed())).boxed()
}

/// An object under these keys, in which each key stands at most once.
fn object(keys: Vec<(&'static str, BoxedStrategy<String>)>) -> BoxedStrategy<String> {
    let members: Vec<_> = keys
        .into_iter()
        .map(|(key, value)| {
            (prop::bool::ANY, blank(), blank(), blank(), value)
                .prop_map(move |(there, a, b, c, value)| there.then(|| format!("{a}\"{key}\":{b}{value}{c}")))
        })
        .collect();
    (members, blank(), prop::bool::ANY)
        .prop_map(|(members, blank, trailing)| {
            let there: Vec<String> = members.into_iter().flatten().collect();
            let comma = if trailing && !there.is_empty() { "," } else { "" };
            format!("{{{}{comma}{blank}}}", there.join(","))
        })
        .boxed()
}

fn settings() -> BoxedStrategy<String> {
    let servers = object(vec![("x", value()), ("y", value())]);
    let hooks = object(vec![("Stop", value()), ("PreToolUse", items("[", "]", value())), ("Z", value())]);
    let root = object(vec![("a", value()), ("mcpServers", servers), ("hooks", hooks), ("z", value())]);
    (blank(), root, blank()).prop_map(|(before, root, after)| format!("{before}{root}{after}")).boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(120) })]

    #[test]
    fn whatever_stood_there_comes_back_to_the_byte(before in settings()) {
        let with = put_all(Some(&before), &both());
        for entry in both() {
            prop_assert_eq!(standing(&with, &entry), Ok(EntryState::Current));
        }
        prop_assert_eq!(&put_all(Some(&with), &both()), &with);
        prop_assert_eq!(take_all(&with, &both()), Some(before));
    }
}
