//! Versions of agents, as far as they have to be compared: by their numbers. What stands behind these is the makers' own.

/// Whether a version is older than another; `None` where one of them is none.
pub fn is_older(version: &str, than: &str) -> Option<bool> {
    Some(numbers(version)? < numbers(than)?)
}

/// The version in what a program prints when it is asked for it: the first word of numbers with points between them.
pub fn printed(text: &str) -> Option<String> {
    let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()));
    let mut words = words.map(|word| word.strip_prefix('v').unwrap_or(word));
    words.find(|word| word.contains('.') && numbers(word).is_some()).map(str::to_owned)
}

/// Without zeros at the end, which make no other version.
fn numbers(version: &str) -> Option<Vec<u64>> {
    let version = version.trim();
    let version = version.strip_prefix('v').unwrap_or(version);
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    let mut numbers = version[..end].split('.').map(|number| number.parse().ok()).collect::<Option<Vec<u64>>>()?;
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (version, than, older) in [
            ("0.43.9", "0.44.0", Some(true)),
            ("0.9.0", "0.44.0", Some(true)),
            ("0.44.0", "0.44.0", Some(false)),
            ("0.44", "0.44.0", Some(false)),
            ("v0.100.0", "0.44.0", Some(false)),
            ("0.33.0-preview.11", "0.33.0", Some(false)),
            ("0.32.0-nightly.1", "0.33.0", Some(true)),
            ("1", "0.44.0", Some(false)),
            ("next", "0.44.0", None),
            ("", "0.44.0", None),
            ("0..1", "0.44.0", None),
            ("99999999999999999999999.1", "0.44.0", None),
        ] {
            assert_eq!(is_older(version, than), older, "{version}");
        }
    }

    #[test]
    fn a_version_is_found_in_what_a_program_prints() {
        for (text, version) in [
            ("0.30.0", Some("0.30.0")),
            ("gemini v0.30.0, (node v22)", Some("0.30.0")),
            ("codex-acp 2.6.0 (1a2b3c)", Some("2.6.0")),
            ("Unknown argument: acp", None),
            ("see https://example.org/x.y", None),
            ("7", None),
            ("", None),
        ] {
            assert_eq!(printed(text).as_deref(), version, "{text}");
        }
    }
}
