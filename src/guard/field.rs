//! The fields of a payload, each with the spellings under which agents send it.
//!
//! One rule for all of them: a field may come under any of its spellings and under several at once, as Grok Build sends
//! `toolName` beside `tool_name`; where two of them say different things the payload is refused, since the agent could
//! act on either. `null` counts as not sent.

use serde_json::{Map, Value};

/// A field: its spellings, the usual one first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field(pub &'static [&'static str]);

pub(super) const TOOL: Field = Field(&["tool_name", "toolName"]);
pub(super) const INPUT: Field = Field(&["tool_input", "toolInput"]);
/// Says that only a part of the input was passed on.
pub(super) const INPUT_TRUNCATED: Field = Field(&["tool_input_truncated", "toolInputTruncated"]);
/// The event, which each spelling gives in a spelling of its own.
pub(super) const EVENT: Field = Field(&["hook_event_name", "hookEventName"]);
/// Where the agent writes the conversation down.
pub(super) const TRANSCRIPT: Field = Field(&["transcript_path", "transcriptPath"]);
/// In the input of a shell tool: the folder in which the line runs.
pub(super) const FOLDER: Field = Field(&["working_directory", "workdir", "dir_path", "directory"]);
/// In the input of a skill tool: the skill.
pub(super) const SKILL: Field = Field(&["skill", "name", "command"]);

/// All of them, for the tests.
#[cfg(test)]
pub(super) const ALL: [Field; 7] = [TOOL, INPUT, INPUT_TRUNCATED, EVENT, TRANSCRIPT, FOLDER, SKILL];

impl Field {
    /// Every spelling that is there, with its value.
    pub(super) fn sent(self, object: &Map<String, Value>) -> impl Iterator<Item = (&'static str, &Value)> {
        self.0.iter().filter_map(|key| Some((*key, object.get(*key).filter(|value| !value.is_null())?)))
    }

    /// The spelling that is there and its value; an error where two spellings contradict each other.
    pub(super) fn read(self, object: &Map<String, Value>) -> Result<Option<(&'static str, &Value)>, String> {
        self.read_as(object, |value| value)
    }

    /// The same for values that count as equal when `meaning` gives the same for both.
    pub(super) fn read_as<'v, T: PartialEq>(
        self,
        object: &'v Map<String, Value>,
        meaning: impl Fn(&'v Value) -> T,
    ) -> Result<Option<(&'static str, &'v Value)>, String> {
        let mut sent = self.sent(object);
        let Some((key, value)) = sent.next() else { return Ok(None) };
        match sent.find(|(_, other)| meaning(other) != meaning(value)) {
            Some((other, _)) => Err(format!("`{key}` and `{other}` have different values")),
            None => Ok(Some((key, value))),
        }
    }

    /// Its text, if it is there; an error where it is something else.
    pub(super) fn text(self, object: &Map<String, Value>) -> Result<Option<&str>, String> {
        match self.read(object)? {
            None => Ok(None),
            Some((_, Value::String(text))) => Ok(Some(text)),
            Some((key, _)) => Err(format!("`{key}` is not text")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(pairs: &[(&str, Value)]) -> Map<String, Value> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
    }

    #[test]
    fn every_pair_of_spellings_is_taken_where_both_are_equal_and_refused_where_not() {
        for field in ALL {
            for (at, one) in field.0.iter().enumerate() {
                assert_eq!(field.text(&object(&[(one, json!("x"))])), Ok(Some("x")), "{one}");
                assert_eq!(field.text(&object(&[(one, json!(null))])), Ok(None), "{one}");
                assert_eq!(field.text(&object(&[(one, json!(7))])), Err(format!("`{one}` is not text")));
                for other in &field.0[at + 1..] {
                    let both = |a: Value, b: Value| object(&[(one, a), (other, b)]);
                    assert_eq!(field.text(&both(json!("x"), json!("x"))), Ok(Some("x")));
                    assert_eq!(field.text(&both(json!("x"), json!(null))), Ok(Some("x")));
                    for unequal in [json!("y"), json!(["x"]), json!("X"), json!("")] {
                        let expected = format!("`{one}` and `{other}` have different values");
                        assert_eq!(field.text(&both(json!("x"), unequal)), Err(expected));
                    }
                }
            }
            assert_eq!(field.text(&Map::new()), Ok(None));
        }
    }

    #[test]
    fn no_spelling_belongs_to_two_fields_of_one_object() {
        let top = [TOOL, INPUT, INPUT_TRUNCATED, EVENT, TRANSCRIPT];
        let mut keys: Vec<&str> = top.iter().flat_map(|field| field.0.iter().copied()).collect();
        keys.sort_unstable();
        let before = keys.len();
        keys.dedup();
        assert_eq!(keys.len(), before);
    }
}
