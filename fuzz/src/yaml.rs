//! YAML as it comes from outside: what is read is no larger than what was sent, and writing it loses nothing.

use git_grill::store::codec::{RECORD_LIMIT, carry_over, read, write};
use serde_yaml::Value;

pub fn run(data: &[u8]) {
    let Ok(value) = read(data, RECORD_LIMIT) else { return };
    // Nothing refers to anything else, so every part stands there once; the most of them has `?`, a mapping of nothing
    // to nothing.
    let size = size(&value);
    assert!(size <= 2 * data.len() + 1, "{size} parts out of {} bytes", data.len());
    if !is_plain(&value) {
        return;
    }
    let written = write(&value);
    let again =
        read(&written, usize::MAX).unwrap_or_else(|why| panic!("{why}:\n{}", String::from_utf8_lossy(&written)));
    assert_eq!(again, value, "{}", String::from_utf8_lossy(&written));
    assert_eq!(write(&again), written, "it settles");
    // Whatever somebody else put there is carried over.
    let nothing = Value::Mapping(serde_yaml::Mapping::new());
    if value.is_mapping() {
        assert_eq!(carry_over(nothing.clone(), &value, &nothing), value);
        assert_eq!(carry_over(nothing.clone(), &value, &value), nothing);
    }
    assert_eq!(carry_over(value.clone(), &value, &value), value);
}

/// How many values there are.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Sequence(list) => list.iter().map(size).sum(),
        Value::Mapping(map) => map.iter().map(|(key, value)| size(key) + size(value)).sum(),
        Value::Tagged(tagged) => panic!("a tag came through: {}", tagged.tag),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Whether it can be compared: what is not a number is not even equal to itself.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Number(number) => !number.is_nan(),
        Value::Sequence(list) => list.iter().all(is_plain),
        Value::Mapping(map) => map.iter().all(|(key, value)| is_plain(key) && is_plain(value)),
        Value::Tagged(_) => false,
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}
