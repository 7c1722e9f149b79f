//! Records as YAML: typed values in, bytes out, and back. Nothing else in the crate knows that it is YAML.

use std::collections::HashMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_yaml::{Mapping, Value};

use super::{guard, yaml};

/// The largest file of one question or one answer.
pub const RECORD_LIMIT: usize = 64 * 1024;
/// The largest file that grows with the session: the folded session, its outputs, its evidence, one commit's events.
pub const STATE_LIMIT: usize = 1024 * 1024;

/// A value as the tree of maps, lists and scalars that it is written as.
pub fn to_value<T: Serialize>(typed: &T) -> Value {
    // Enums become maps with one key instead of YAML tags, which few readers understand.
    serde_yaml::with::singleton_map_recursive::serialize(typed, serde_yaml::value::Serializer)
        .expect("our records are plain data with text keys")
}

pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_yaml::with::singleton_map_recursive::deserialize(value).map_err(|error| error.to_string())
}

pub fn write(value: &Value) -> Vec<u8> {
    yaml::write(value).into_bytes()
}

/// The tree in a file.
pub fn read(bytes: &[u8], limit: usize) -> Result<Value, String> {
    serde_yaml::from_str(guard::guard(bytes, limit)?).map_err(|error| error.to_string())
}

pub fn decode<T: DeserializeOwned>(bytes: &[u8], limit: usize) -> Result<T, String> {
    let document = serde_yaml::Deserializer::from_str(guard::guard(bytes, limit)?);
    serde_yaml::with::singleton_map_recursive::deserialize(document).map_err(|error| error.to_string())
}

/// A mapping, or an empty one where something else stands.
pub fn into_mapping(value: Value) -> Mapping {
    match value {
        Value::Mapping(map) => map,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Sequence(_) | Value::Tagged(_) => {
            Mapping::new()
        }
    }
}

/// Carries over what an earlier version of a file holds and we do not know (G39).
///
/// `stored` is what was read, `known` is what we would have written for it; the difference is somebody else's.
pub fn carry_over(new: Value, stored: &Value, known: &Value) -> Value {
    match (new, stored, known) {
        (Value::Mapping(mut new), Value::Mapping(stored), Value::Mapping(known)) => {
            for (key, theirs) in stored {
                match (new.get_mut(key), known.get(key)) {
                    (Some(ours), Some(same)) => {
                        let value = std::mem::replace(ours, Value::Null);
                        *ours = carry_over(value, theirs, same);
                    }
                    (None, None) => {
                        new.insert(key.clone(), theirs.clone());
                    }
                    // New to us as well, or something that we knew and took away.
                    (Some(_), None) | (None, Some(_)) => {}
                }
            }
            Value::Mapping(new)
        }
        (Value::Sequence(new), Value::Sequence(stored), Value::Sequence(known)) => {
            // An entry that did not change keeps what was added to it; which one it is, its known part tells. Where
            // several are alike, the first one counts.
            let mut earlier = HashMap::with_capacity(known.len());
            for (known, stored) in known.iter().zip(stored) {
                earlier.entry(known).or_insert(stored);
            }
            let carried = new.into_iter().map(|item| match earlier.get_key_value(&item) {
                Some((known, stored)) => carry_over(item, stored, known),
                None => item,
            });
            Value::Sequence(carried.collect())
        }
        (new, _, _) => new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn yaml(text: &str) -> Value {
        read(text.as_bytes(), RECORD_LIMIT).unwrap()
    }

    #[test]
    fn g39_unknown_keys_survive_a_rewrite_and_known_ones_can_go() {
        let stored = yaml(
            "seq: 1\nmood: calm\ndue: true\nsettings:\n  intent: plan\n  tempo: slow\nlist:\n  - a: 1\n    x: kept\n  - a: 2\n",
        );
        let known = yaml("seq: 1\ndue: true\nsettings:\n  intent: plan\nlist:\n  - a: 1\n  - a: 2\n");
        let new = yaml("seq: 2\nsettings:\n  intent: learn\nlist:\n  - a: 3\n  - a: 1\n");
        let written = String::from_utf8(write(&carry_over(new, &stored, &known))).unwrap();
        assert_eq!(
            written,
            "seq: 2\nsettings:\n  intent: learn\n  tempo: slow\nlist:\n  - a: 3\n  - a: 1\n    x: kept\nmood: calm\n"
        );
    }

    #[test]
    fn too_large_a_file_is_not_parsed() {
        let bytes = vec![b'a'; RECORD_LIMIT + 1];
        assert!(decode::<Value>(&bytes, RECORD_LIMIT).unwrap_err().contains("65537"));
    }
}
