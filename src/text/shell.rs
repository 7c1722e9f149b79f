//! Words for a shell: what we tell somebody to type, and what we write into a script.

/// The text in quotes, as one word: nothing inside single quotes means anything, so only they need care.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The same for bytes, of which every one stays.
pub fn quoted_bytes(bytes: &[u8]) -> Vec<u8> {
    let parts: Vec<&[u8]> = bytes.split(|byte| *byte == b'\'').collect();
    [b"'".as_slice(), parts.join(br"'\''".as_slice()).as_slice(), b"'".as_slice()].concat()
}

/// Takes one word in quotes off the front: `'…'`, where `'\''` and `'\!'` stand for a quote and a mark, as git quotes them.
pub fn unquoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"'")?;
    let mut word = Vec::new();
    loop {
        let end = rest.iter().position(|byte| *byte == b'\'')?;
        word.extend_from_slice(&rest[..end]);
        rest = &rest[end + 1..];
        match rest {
            [b'\\', mark @ (b'\'' | b'!'), b'\'', after @ ..] => {
                word.push(*mark);
                rest = after;
            }
            _ => return Some((word, rest)),
        }
    }
}

/// The text as one word, in quotes only where some shell would read more into it: braces and marks too, which mean nothing
/// to `sh`, and much to what people type into.
pub fn word(text: &str) -> String {
    let plain = |one: char| one.is_alphanumeric() || "_./,:@+-".contains(one);
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { quoted(text) }
}

/// A path, from the top of the working tree, as the word that git takes for this path and for no other.
pub fn pathspec(path: &str) -> String {
    let is_pattern = path.starts_with(':') || path.contains(['*', '?', '[', '\\']);
    if is_pattern { word(&format!(":(top,literal){path}")) } else { word(path) }
}

/// The same for a command of git's that takes names and no patterns, such as `git check-ignore`.
pub fn pathname(path: &str) -> String {
    if path.starts_with(':') { word(&format!("./{path}")) } else { word(path) }
}

/// A path that a command does not take for an option: a dash would begin one.
pub fn no_option(path: &[u8]) -> Vec<u8> {
    if path.starts_with(b"-") { [b"./", path].concat() } else { path.to_vec() }
}

/// The same as [`word`] for bytes that may be no text, or text that would not be seen.
pub fn word_of_bytes(bytes: &[u8]) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+".contains(byte);
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.chars().any(char::is_control) => word(text),
        Ok(_) | Err(_) => {
            let escaped = |byte: &u8| if plain(byte) { char::from(*byte).to_string() } else { format!("\\{byte:03o}") };
            format!("$'{}'", bytes.iter().map(escaped).collect::<Vec<_>>().concat())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting_keeps_every_byte() {
        let quotations: [(&[u8], &[u8]); 5] = [
            (b"/a b", b"'/a b'"),
            (b"it's $HOME\n\"x\"", b"'it'\\''s $HOME\n\"x\"'"),
            (b"\xff`\\", b"'\xff`\\'"),
            (b"", b"''"),
            (b"'", b"''\\'''"),
        ];
        for (bytes, expected) in quotations {
            assert_eq!(quoted_bytes(bytes), expected);
            assert_eq!(unquoted(&[expected, b" more"].concat()), Some((bytes.to_vec(), b" more".as_slice())));
            if let Ok(text) = std::str::from_utf8(bytes) {
                assert_eq!(quoted(text).as_bytes(), expected);
            }
        }
        assert_eq!(unquoted(b"'open"), None);
        assert_eq!(unquoted(b"bare"), None);
    }

    #[test]
    fn a_path_is_no_pattern_to_git() {
        for (path, spec, name) in [
            ("docs/a.md", "docs/a.md", "docs/a.md"),
            ("a b.md", "'a b.md'", "'a b.md'"),
            (":(x.md", "':(top,literal):(x.md'", "'./:(x.md'"),
            (":/x.md", "':(top,literal):/x.md'", "./:/x.md"),
            ("a[b].md", "':(top,literal)a[b].md'", "'a[b].md'"),
            ("it's*.md", "':(top,literal)it'\\''s*.md'", "'it'\\''s*.md'"),
        ] {
            assert_eq!((pathspec(path).as_str(), pathname(path).as_str()), (spec, name));
        }
    }

    #[test]
    fn a_word_is_quoted_where_it_needs_it() {
        assert_eq!(word("docs/a-b_1.md"), "docs/a-b_1.md");
        assert_eq!(word("a'b"), "'a'\\''b'");
        for text in ["", "a b", "docs/{a,b}.md", "a!b", "~x", "=x"] {
            assert_eq!(word(text), format!("'{text}'"));
        }
        assert_eq!(word_of_bytes(b"refs/notes/$(x)"), "'refs/notes/$(x)'");
        assert_eq!(word_of_bytes(b"caf\xe9"), "$'caf\\351'");
        assert_eq!(word_of_bytes(b"a\nb"), "$'a\\012b'");
    }
}
