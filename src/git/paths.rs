//! Paths as git lists them: raw bytes between zero bytes, shown to a reader in git's own quoting.

/// The pieces between zero bytes.
pub fn pieces(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.strip_suffix(b"\0").map_or(bytes, |body| body).split(|byte| *byte == 0).filter(|piece| !piece.is_empty())
}

/// These paths as a list, each with a zero byte behind it; [`pieces`] takes it apart.
pub fn list<'p>(paths: impl IntoIterator<Item = &'p [u8]>) -> Vec<u8> {
    paths.into_iter().flat_map(|path| [path, b"\0"].concat()).collect()
}

/// These paths as a list for `git check-ignore`, which takes none literally: magic begins with a colon, never like this.
pub fn without_magic<'p>(paths: impl IntoIterator<Item = &'p [u8]>) -> Vec<u8> {
    paths.into_iter().flat_map(|path| [b"./", path, b"\0"].concat()).collect()
}

/// A path of such a list as it was.
pub fn bare(path: &[u8]) -> &[u8] {
    path.strip_prefix(b"./").unwrap_or(path)
}

/// The most characters of a path in a sentence.
const IN_A_SENTENCE: usize = 300;

/// The same as [`quoted`] for a sentence: of a very long path only the beginning and the end.
pub fn shortened(bytes: &[u8]) -> String {
    within(quoted(bytes), IN_A_SENTENCE)
}

/// A text of at most about so many characters: a longer one loses its middle.
pub fn within(text: String, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text;
    }
    let part = most / 2;
    let (begin, end): (String, String) = (text.chars().take(part).collect(), text.chars().skip(count - part).collect());
    format!("{begin}…{end}")
}

/// Bytes as git shows them: with backslashes and octal numbers where they are not plain text.
pub fn quoted(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.chars().any(char::is_control)
    {
        return text.to_owned();
    }
    let mut text = String::new();
    for byte in bytes {
        match byte {
            b'\\' => text.push_str("\\\\"),
            0x20..=0x7e => text.push(char::from(*byte)),
            // Writing to a String cannot fail.
            other => drop(write!(text, "\\{other:03o}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_as_git_quotes_them() {
        for (bytes, shown) in [
            (b"src/a b.rs".as_slice(), "src/a b.rs"),
            ("größe".as_bytes(), "größe"),
            (b"caf\xe9", "caf\\351"),
            (b"a\nb", "a\\012b"),
        ] {
            assert_eq!(quoted(bytes), shown);
        }
    }

    #[test]
    fn a_path_that_reads_like_magic_is_a_path() {
        let list = without_magic([b":!x".as_slice(), b":/a/b"]);
        assert_eq!(list, b"./:!x\0./:/a/b\0");
        assert_eq!(pieces(&list).map(bare).collect::<Vec<_>>(), [b":!x".as_slice(), b":/a/b"]);
    }

    #[test]
    fn a_very_long_path_is_short_in_a_sentence() {
        let long = format!("{}/end", "größe/".repeat(400));
        let short = shortened(long.as_bytes());
        assert_eq!(short.chars().count(), IN_A_SENTENCE + 1);
        assert!(short.starts_with("größe/") && short.contains('…') && short.ends_with("/end"));
        assert_eq!(shortened("größe".as_bytes()), "größe");
    }

    #[test]
    fn pieces_end_with_their_zero() {
        assert_eq!(pieces(b"a\0b\0").collect::<Vec<_>>(), [b"a", b"b"]);
        assert_eq!(list([b"a".as_slice(), b"b"]), b"a\0b\0");
        assert_eq!(pieces(b"").count(), 0);
    }
}
