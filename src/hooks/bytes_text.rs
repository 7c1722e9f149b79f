//! Bytes inside JSON: text stays readable, what is not UTF-8 is written as `%XX`.

use std::fmt::Write as _;

use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

/// Writes bytes as a string.
pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&encode(bytes))
}

/// Reads the bytes back.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    decode(&text).ok_or_else(|| D::Error::custom("a '%' that two hexadecimal digits do not follow"))
}

fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(&chunk.valid().replace('%', "%25"));
        for byte in chunk.invalid() {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        // The parser of numbers takes a sign as well.
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend(part.get(2..)?.bytes());
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            prop_assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
    }

    #[test]
    fn text_stays_text_and_nonsense_is_refused() {
        assert_eq!(encode("a ü\n100%".as_bytes()), "a ü\n100%25");
        for bad in ["%", "%2", "%zz", "a%é1", "%+1"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
