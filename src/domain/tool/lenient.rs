//! What callers write in more ways than a schema names, where each means one thing: a place as `src/a.rs:3-9`, as our own
//! texts write it; one line or `"3-9"` for lines; and the number of a question as a number.

use std::fmt::{self, Formatter};

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};

use super::asking::EvidenceRequest;
use crate::domain::prose_places::{cut, span};

/// A place as the schema has it.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Object {
    path: String,
    #[serde(default, deserialize_with = "lines")]
    lines: Option<Vec<u32>>,
}

struct Place;

impl<'de> Visitor<'de> for Place {
    type Value = EvidenceRequest;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(r#"a place such as {"path":"src/a.rs","lines":[3,9]}"#)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<EvidenceRequest, E> {
        let text = text.trim();
        let (path, lines) = cut(text).unwrap_or((text, None));
        Ok(EvidenceRequest { path: path.to_owned(), lines: lines.map(|(first, last)| vec![first, last]) })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<EvidenceRequest, A::Error> {
        let Object { path, lines } = Object::deserialize(MapAccessDeserializer::new(map))?;
        Ok(EvidenceRequest { path, lines })
    }
}

impl<'de> Deserialize<'de> for EvidenceRequest {
    fn deserialize<D: Deserializer<'de>>(given: D) -> Result<Self, D::Error> {
        given.deserialize_any(Place)
    }
}

struct Lines;

impl<'de> Visitor<'de> for Lines {
    type Value = Option<Vec<u32>>;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("lines such as [3, 9]")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E: Error>(self, line: u64) -> Result<Self::Value, E> {
        match u32::try_from(line) {
            Ok(line) => Ok(Some(vec![line])),
            Err(_) => Err(E::invalid_value(Unexpected::Unsigned(line), &self)),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        match span(text.trim()) {
            Some((first, last)) => Ok(Some(vec![first, last])),
            None => Err(E::invalid_value(Unexpected::Str(text), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut lines = Vec::new();
        while let Some(line) = list.next_element()? {
            lines.push(line);
        }
        Ok(Some(lines))
    }
}

fn lines<'de, D: Deserializer<'de>>(given: D) -> Result<Option<Vec<u32>>, D::Error> {
    given.deserialize_any(Lines)
}

/// A question's id or number.
struct Name(String);

struct NameRead;

impl Visitor<'_> for NameRead {
    type Value = Name;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("the id or number of a question")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Name, E> {
        Ok(Name(text.to_owned()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Name, E> {
        Ok(Name(number.to_string()))
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(given: D) -> Result<Self, D::Error> {
        given.deserialize_any(NameRead)
    }
}

/// Questions by their ids or numbers.
pub(super) fn names<'de, D: Deserializer<'de>>(given: D) -> Result<Vec<String>, D::Error> {
    let names: Vec<Name> = Deserialize::deserialize(given)?;
    Ok(names.into_iter().map(|Name(name)| name).collect())
}

/// A question by its id or number, or none.
pub(super) fn name<'de, D: Deserializer<'de>>(given: D) -> Result<Option<String>, D::Error> {
    let name: Option<Name> = Deserialize::deserialize(given)?;
    Ok(name.map(|Name(name)| name))
}
