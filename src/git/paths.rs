//! Paths as git lists them: raw bytes between zero bytes, shown to a reader in git's own quoting.

/// The pieces between zero bytes.
pub fn pieces(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.strip_suffix(b"\0").map_or(bytes, |body| body).split(|byte| *byte == 0).filter(|piece| !piece.is_empty())
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
    fn pieces_end_with_their_zero() {
        assert_eq!(pieces(b"a\0b\0").collect::<Vec<_>>(), [b"a", b"b"]);
        assert_eq!(pieces(b"").count(), 0);
    }
}
