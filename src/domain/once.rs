//! Whether a text of keys and values names a key twice in one object. Readers take the last one and drop the first
//! without a word, which is right for nobody who wrote both.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Reads one value, keeps nothing of it, and refuses a key that stands twice in one object.
pub fn no_key_twice<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    Once.deserialize(deserializer)
}

struct Once;

impl<'de> DeserializeSeed<'de> for Once {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Once {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        while access.next_element_seed(Once)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        let mut seen = BTreeSet::new();
        while let Some(key) = access.next_key::<String>()? {
            access.next_value_seed(Once)?;
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format_args!("the key \"{}\" stands there twice", key.escape_debug())));
            }
        }
        Ok(())
    }
}
