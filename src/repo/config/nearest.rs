//! Finds the known key that an unknown key probably stands for.

use super::keys::{KEYS, Key};

/// The key whose name is nearest to `name`, if it is near enough to be meant.
pub fn nearest(name: &str) -> Option<&'static Key> {
    let name = name.to_lowercase();
    KEYS.iter()
        .map(|key| (distance(&name, &key.name.to_lowercase()), key))
        .filter(|(distance, _)| *distance <= 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, key)| key)
}

/// How many characters have to be inserted, removed or replaced.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (above, letter) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for (place, other) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[place + 1];
            row[place + 1] = replaced.min(diagonal + 1).min(row[place] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_key_and_anything_else_finds_none() {
        for (typed, meant) in [
            ("grill.intensty", Some("grill.intensity")),
            ("grill.failclosed", Some("grill.failClosed")),
            ("grill.aproval", Some("grill.approval")),
            ("grill.outputs", Some("grill.output")),
            ("grill.banana", None),
        ] {
            assert_eq!(nearest(typed).map(|key| key.name), meant, "{typed}");
        }
    }
}
