//! The wire is one file (A34): what ACP calls its methods and its fields stands there and nowhere else, so that a second
//! version of the protocol is a second file.

use std::collections::BTreeSet;

use super::named_keys::strings;
use super::rust_files;

const WIRE: &str = "src/acp/v1.rs";

/// What the names of methods begin with.
const METHODS: &[&str] = &["session/", "fs/", "terminal/", "elicitation/", "_x.ai/", "$/"];

/// Where the protocol is spoken, so that a word of it can mean nothing else.
const ROOMS: &[&str] = &["src/acp/", "src/world/lead"];

/// The strings of a file, without its tests.
fn said(file: &str, text: &str) -> Vec<String> {
    let mut said = Vec::new();
    strings(text.parse().unwrap_or_else(|error| panic!("{file}: {error}")), &mut said);
    said
}

/// The names of fields in a string: words run together, as no other text has them.
fn fields(string: &str) -> impl Iterator<Item = &str> {
    let words = string.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| {
        word.starts_with(|c: char| c.is_ascii_lowercase()) && word.contains(|c: char| c.is_ascii_uppercase())
    })
}

/// The methods and fields that are spelled elsewhere, each with its file.
fn elsewhere(files: &[(String, String)]) -> Vec<String> {
    let (wire, others): (Vec<_>, Vec<_>) = files.iter().partition(|(file, _)| file == WIRE);
    let wire: Vec<String> = wire.into_iter().flat_map(|(file, text)| said(file, text)).collect();
    let known: BTreeSet<&str> = wire.iter().flat_map(|string| fields(string)).collect();
    let mut found = Vec::new();
    for (file, text) in others {
        let spoken = ROOMS.iter().any(|room| file.starts_with(room));
        for string in said(file, text) {
            let method = METHODS.iter().any(|begins| string.starts_with(begins));
            if method || (spoken && fields(&string).any(|word| known.contains(word))) {
                found.push(format!("{file}: {string}"));
            }
        }
    }
    found
}

fn product() -> Vec<(String, String)> {
    let mut files = rust_files("src");
    // MCP has methods of such names too.
    files.retain(|(file, _)| !file.ends_with("tests.rs") && !file.contains("/tests/") && !file.starts_with("src/mcp/"));
    files
}

#[test]
fn a34_the_methods_and_fields_of_the_protocol_stand_in_one_file() {
    let files = product();
    let wire = files.iter().find(|(file, _)| file == WIRE).expect("the wire has a file");
    let spelled = said(WIRE, &wire.1);
    assert!(METHODS.iter().all(|begins| spelled.iter().any(|string| string.starts_with(begins))), "{spelled:?}");
    let found = elsewhere(&files);
    assert!(found.is_empty(), "spelled outside of {WIRE}:\n{}", found.join("\n"));
}

#[test]
fn a_planted_word_of_the_wire_is_reported() {
    let wire = r#"const A: &str = "session/new"; fn f() { json!({"sessionId": 1}); g("/agentInfo/version"); }"#;
    let planted =
        |file: &str, text: &str| elsewhere(&[(WIRE.to_owned(), wire.to_owned()), (file.to_owned(), text.to_owned())]);
    for text in [
        r#"fn f() { ask("session/prompt"); }"#,
        r#"fn f() { match method { "$/cancel_request" => g(), other => h(other) } }"#,
        r#"fn f() { json!({"sessionId": id}); }"#,
        r#"fn f() { answer.pointer("/agentInfo/name"); }"#,
    ] {
        assert_eq!(planted("src/acp/client.rs", text).len(), 1, "{text}");
    }
    assert_eq!(planted("src/cli/mod.rs", r#"fn f() { ask("session/prompt"); }"#).len(), 1);
    for (file, text) in [
        ("src/cli/mod.rs", r#"fn f() { json!({"sessionId": id}); }"#),
        (
            "src/acp/client.rs",
            r#"fn f() { ask(v1::PROMPT); } #[cfg(test)] mod tests { fn f() { ask("session/new"); } }"#,
        ),
        ("src/acp/sign.rs", r#"fn f() { update.pointer("/_meta/codex/threadStatus"); }"#),
    ] {
        assert_eq!(planted(file, text), Vec::<String>::new(), "{text}");
    }
}
