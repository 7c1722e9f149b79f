//! The packed form of the catalogue's files, which the build makes of them: what a file says, in a form that is read in one
//! pass and lends its texts instead of copying them.
//!
//! A text is its length in bytes, a colon and itself (`5:scope`); a number stands between `i` and `e`, yes and no are `t`
//! and `f`, a list stands between `l` and `e`, and so do the keys and values of a map between `d` and `e`.

use serde::de::value::{BorrowedStrDeserializer, Error};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};

/// What a packed file says.
pub(super) fn read<T: Deserialize<'static>>(text: &'static str) -> Result<T, Error> {
    let mut packed = Packed { rest: text };
    let read = T::deserialize(&mut packed)?;
    if packed.rest.is_empty() { Ok(read) } else { Err(packed.broken()) }
}

/// What is still to be read.
struct Packed {
    rest: &'static str,
}

impl Packed {
    fn broken(&self) -> Error {
        Error::custom(format!("the packed catalogue is broken, {} bytes before its end", self.rest.len()))
    }

    /// Takes one byte of the form itself.
    fn take(&mut self, mark: u8) -> bool {
        let taken = self.rest.as_bytes().first() == Some(&mark);
        if taken {
            self.rest = &self.rest[1..];
        }
        taken
    }

    /// Takes a number in front of its mark.
    fn number(&mut self, mark: u8) -> Result<usize, Error> {
        let mut number = 0_usize;
        for (at, byte) in self.rest.bytes().enumerate() {
            if byte.is_ascii_digit() {
                let more = number.checked_mul(10).and_then(|tens| tens.checked_add(usize::from(byte - b'0')));
                number = more.ok_or_else(|| self.broken())?;
            } else if byte == mark && at > 0 {
                self.rest = &self.rest[at + 1..];
                return Ok(number);
            } else {
                break;
            }
        }
        Err(self.broken())
    }

    fn text(&mut self) -> Result<&'static str, Error> {
        let length = self.number(b':')?;
        let (text, rest) = self.rest.split_at_checked(length).ok_or_else(|| self.broken())?;
        self.rest = rest;
        Ok(text)
    }
}

impl Deserializer<'static> for &mut Packed {
    type Error = Error;

    fn deserialize_any<V: Visitor<'static>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.rest.as_bytes().first().copied() {
            Some(b'0'..=b'9') => visitor.visit_borrowed_str(self.text()?),
            Some(b'd') => visitor.visit_map(self.inside()),
            Some(b'l') => visitor.visit_seq(self.inside()),
            Some(b'i') => {
                self.take(b'i');
                let number = self.number(b'e')?;
                visitor.visit_u64(u64::try_from(number).map_err(|_| self.broken())?)
            }
            Some(mark @ (b't' | b'f')) => {
                self.take(mark);
                visitor.visit_bool(mark == b't')
            }
            Some(_) | None => Err(self.broken()),
        }
    }

    fn deserialize_option<V: Visitor<'static>>(self, visitor: V) -> Result<V::Value, Error> {
        // A field without a value is left out.
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'static>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(BorrowedStrDeserializer::new(self.text()?))
    }

    forward_to_deserialize_any! {
        <V: Visitor<'static>> bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// Inside a list or a map.
struct Inside<'p>(&'p mut Packed);

impl Packed {
    fn inside(&mut self) -> Inside<'_> {
        self.rest = &self.rest[1..];
        Inside(self)
    }
}

impl Inside<'_> {
    fn next<T: DeserializeSeed<'static>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if self.0.take(b'e') { Ok(None) } else { seed.deserialize(&mut *self.0).map(Some) }
    }
}

impl SeqAccess<'static> for Inside<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'static>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.next(seed)
    }
}

impl MapAccess<'static> for Inside<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'static>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        self.next(seed)
    }

    fn next_value_seed<V: DeserializeSeed<'static>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(&mut *self.0)
    }
}

#[cfg(test)]
mod tests {
    use serde_yaml::Value;

    use super::*;

    #[derive(Debug, PartialEq, Eq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Row {
        name: &'static str,
        #[serde(default)]
        hot: bool,
        #[serde(default)]
        size: Option<u32>,
        #[serde(default, borrow)]
        all: Vec<&'static str>,
    }

    #[test]
    fn what_was_packed_is_read_and_nothing_else_is() {
        let row = |name, hot, size, all: &[&'static str]| Row { name, hot, size, all: all.to_vec() };
        for (packed, expected) in [
            ("d4:name1:ae", Some(row("a", false, None, &[]))),
            ("d4:name3:“3:hotf4:sizei0ee", Some(row("“", false, Some(0), &[]))),
            ("d4:name2:“e", None),
            ("d4:name7:“x”3:hott4:sizei12e3:alll1:x0:ee", Some(row("“x”", true, Some(12), &["x", ""]))),
            ("d4:name1:a", None),
            ("d4:name1:aee", None),
            ("d4:name2:ae", None),
            ("d4:name9:ae", None),
            ("d4:name99999999999999999999999:ae", None),
            ("d4:name:ae", None),
            ("d4:name1:a5:other1:be", None),
            ("d4:name1:a4:name1:be", None),
            ("d3:hotte", None),
            ("d4:namei-1ee", None),
            ("d4:namexe", None),
            ("", None),
        ] {
            assert_eq!(read::<Row>(packed).ok(), expected, "{packed}");
        }
    }

    #[test]
    fn every_file_says_packed_what_it_says_written() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/interviewer/catalogue");
        let written = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files = 0;
        for file in written.filter(|file| file.extension().is_some_and(|ending| ending == "yaml")) {
            let packed = std::path::Path::new(env!("OUT_DIR")).join(file.with_extension("packed").file_name().unwrap());
            let packed: &'static str = std::fs::read_to_string(packed).unwrap().leak();
            let text = std::fs::read_to_string(&file).unwrap();
            assert_eq!(read::<Value>(packed).unwrap(), serde_yaml::from_str::<Value>(&text).unwrap(), "{file:?}");
            files += 1;
        }
        assert_eq!(files, 16);
    }
}
