//! Places and names in a call of a tool are read as agents write them.

use crate::domain::tool::{AskingRequest, EvidenceRequest, RecordAnswerRequest};

fn place(json: &str) -> Result<EvidenceRequest, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

#[test]
fn q16_a_place_is_read_as_it_is_written() {
    for (json, path, lines) in [
        (r#"{"path":"src/a.rs"}"#, "src/a.rs", None),
        (r#"{"path":"src/a.rs","lines":null}"#, "src/a.rs", None),
        (r#"{"path":"src/a.rs","lines":[3,9]}"#, "src/a.rs", Some(vec![3, 9])),
        (r#"{"path":"src/a.rs","lines":3}"#, "src/a.rs", Some(vec![3])),
        (r#"{"path":"src/a.rs","lines":"3-9"}"#, "src/a.rs", Some(vec![3, 9])),
        (r#""src/a.rs""#, "src/a.rs", None),
        (r#"" src/a.rs:3-9 ""#, "src/a.rs", Some(vec![3, 9])),
        (r#""src/a.rs:3""#, "src/a.rs", Some(vec![3, 3])),
        (r#""src/a:b.rs""#, "src/a:b.rs", None),
    ] {
        assert_eq!(place(json), Ok(EvidenceRequest { path: path.to_owned(), lines }), "{json}");
    }
    for (json, expected) in [
        ("7", r#"invalid type: integer `7`, expected a place such as {"path":"src/a.rs","lines":[3,9]}"#),
        ("{}", "missing field `path`"),
        (r#"{"path":"a","at":1}"#, "unknown field `at`"),
        (r#"{"path":"a","lines":"some"}"#, "expected lines such as [3, 9]"),
        (r#"{"path":"a","lines":-3}"#, "expected lines such as [3, 9]"),
        (r#"{"path":"a","lines":99999999999}"#, "expected lines such as [3, 9]"),
    ] {
        let error = place(json).unwrap_err();
        assert!(error.contains(expected), "{json}: {error}");
    }
}

#[test]
fn g57_a_question_is_named_by_its_number_as_a_number_too() {
    let asking: AskingRequest = serde_json::from_str(r#"{"buildsOn":[3,"4","q-aaaaaa"]}"#).unwrap();
    assert_eq!(asking.builds_on, ["3", "4", "q-aaaaaa"]);
    let error = serde_json::from_str::<AskingRequest>(r#"{"buildsOn":[true]}"#).unwrap_err().to_string();
    assert!(error.contains("expected the id or number of a question"), "{error}");
    for (json, expected) in [(r#"{"question":3}"#, Some("3")), (r#"{"question":null}"#, None), ("{}", None)] {
        let reported: RecordAnswerRequest = serde_json::from_str(json).unwrap();
        assert_eq!(reported.question.as_deref(), expected, "{json}");
    }
}
