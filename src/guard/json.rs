//! JSON as strictly as it can be read: a key that stands twice in one object is an error. Parsers disagree about which of
//! the two counts, and then the agent would do one thing while we rule on the other.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads exactly one value. Deeper than 128 levels is an error, too.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Strict.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(Strict)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            let value = access.next_value_seed(Strict)?;
            if object.contains_key(&key) {
                return Err(de::Error::custom(format_args!("`{}` stands there twice", key.escape_debug())));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ordinary_values_are_read() {
        let text = br#" {"a": [1, -2, 2.5, null, true, "x\ud83d\ude00"], "b": {"a": {}}} "#;
        assert_eq!(parse(text).unwrap(), json!({"a": [1, -2, 2.5, null, true, "x😀"], "b": {"a": {}}}));
    }

    #[test]
    fn what_two_parsers_could_read_differently_is_an_error() {
        let deep = [b"[".repeat(200), b"]".repeat(200)].concat();
        let bad: &[&[u8]] = &[
            b"",
            b"{",
            b"{}{}",
            b"{} x",
            b"{'a':1}",
            br#"{"a":1,"a":1}"#,
            br#"{"a":1,"\u0061":2}"#,
            br#"{"x":[{"a":1,"a":2}]}"#,
            b"{\"a\":\"\xff\"}",
            br#""\ud800""#,
            b"NaN",
            &deep,
        ];
        for text in bad {
            assert!(parse(text).is_err(), "{}", text.escape_ascii());
        }
    }
}
