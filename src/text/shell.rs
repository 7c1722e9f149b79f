//! Words for a shell: what we tell somebody to type, and what we write into a script. A word that is shown names what
//! it names when it is pasted, and is harmless to look at: nothing that a terminal acts on, and nothing that it does not
//! show, is in it as it is.

use std::path::Path;

use crate::domain::harmless::invisible;

/// The text in quotes, as one word that somebody types.
pub fn quoted(text: &str) -> String {
    quoted_name(text.as_bytes())
}

/// The same for a name that may be no text.
pub fn quoted_name(bytes: &[u8]) -> String {
    seen(bytes).map_or_else(|| escaped(bytes), in_quotes)
}

/// Nothing inside single quotes means anything, so only they need care.
fn in_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Bytes as text, where all of it can be seen.
fn seen(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    (!text.chars().any(char::is_control) && invisible(text) == 0).then_some(text)
}

/// Bytes as a word of plain characters, as `bash`, `zsh` and `ksh` read it; a `sh` need not.
fn escaped(bytes: &[u8]) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+".contains(byte);
    let each = |byte: &u8| if plain(byte) { char::from(*byte).to_string() } else { format!("\\{byte:03o}") };
    format!("$'{}'", bytes.iter().map(each).collect::<String>())
}

/// Bytes in quotes for a script, of which every one stays.
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

/// The text as one word that somebody types, in quotes only where some shell would read more into it.
pub fn word(text: &str) -> String {
    word_of_bytes(text.as_bytes())
}

/// The same for bytes that may be no text.
pub fn word_of_bytes(bytes: &[u8]) -> String {
    seen(bytes).map_or_else(|| escaped(bytes), word_for_sh)
}

/// The same for a path.
pub fn word_of_path(path: &Path) -> String {
    word_of_bytes(path.as_os_str().as_encoded_bytes())
}

/// The text as one word of a line that a program hands to any shell. Braces and marks are in quotes too, which mean nothing
/// to `sh`, and much to what people type into.
pub fn word_for_sh(text: &str) -> String {
    let plain = |one: char| one.is_alphanumeric() || "_./,:@+-".contains(one);
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { in_quotes(text) }
}

/// A path, from the top of the working tree, as the word that git takes for this path and for no other, wherever in the
/// working tree it is typed: git reads a bare path from the folder that it is called in.
pub fn pathspec(path: &str) -> String {
    pathspec_of_bytes(path.as_bytes())
}

/// The same for a path that may be no text.
pub fn pathspec_of_bytes(path: &[u8]) -> String {
    word_of_bytes(&from_top(path, ":(top,literal)"))
}

/// The same for a command of git's that takes names and no patterns, such as `git check-ignore`.
pub fn pathname(path: &str) -> String {
    word_of_bytes(&from_top(path.as_bytes(), ":(top)"))
}

/// `:/` in front of a path means the top, unless git reads the next sign as part of it.
fn from_top(path: &[u8], magic: &str) -> Vec<u8> {
    let first = std::str::from_utf8(path).ok().and_then(|text| text.chars().next());
    let is_plain = first.is_some_and(|first| first.is_alphanumeric() || first == '.');
    let is_pattern = path.iter().any(|byte| b"*?[\\".contains(byte));
    [if is_plain && !is_pattern { ":/" } else { magic }.as_bytes(), path].concat()
}

/// A path that a command does not take for an option: a dash would begin one.
pub fn no_option(path: &[u8]) -> Vec<u8> {
    if path.starts_with(b"-") { [b"./", path].concat() } else { path.to_vec() }
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
            if let Some(text) = seen(bytes) {
                assert_eq!(quoted(text).as_bytes(), expected);
            }
        }
        assert_eq!(unquoted(b"'open"), None);
        assert_eq!(unquoted(b"bare"), None);
    }

    #[test]
    fn a_path_is_no_pattern_to_git() {
        for (path, spec, name) in [
            ("docs/a.md", ":/docs/a.md", ":/docs/a.md"),
            (".gitignore", ":/.gitignore", ":/.gitignore"),
            ("a b.md", "':/a b.md'", "':/a b.md'"),
            ("_x.md", "':(top,literal)_x.md'", "':(top)_x.md'"),
            ("-x.md", "':(top,literal)-x.md'", "':(top)-x.md'"),
            (":(x.md", "':(top,literal):(x.md'", "':(top):(x.md'"),
            (":/x.md", "':(top,literal):/x.md'", "':(top):/x.md'"),
            ("a[b].md", "':(top,literal)a[b].md'", "':(top)a[b].md'"),
            ("it's*.md", "':(top,literal)it'\\''s*.md'", "':(top)it'\\''s*.md'"),
        ] {
            assert_eq!((pathspec(path).as_str(), pathname(path).as_str()), (spec, name));
            assert_eq!(pathspec_of_bytes(path.as_bytes()), spec);
        }
        assert_eq!(pathspec_of_bytes(b"a\xff"), "$'\\072\\050top\\054literal\\051a\\377'");
    }

    #[test]
    fn a_word_is_quoted_where_it_needs_it() {
        assert_eq!(word("docs/a-b_1.md"), "docs/a-b_1.md");
        assert_eq!(word("a'b"), "'a'\\''b'");
        for text in ["", "a b", "docs/{a,b}.md", "a!b", "~x", "=x"] {
            assert_eq!(word(text), format!("'{text}'"));
        }
        assert_eq!(word_of_bytes(b"refs/notes/$(x)"), "'refs/notes/$(x)'");
    }

    #[test]
    fn a39_a_word_that_is_shown_has_nothing_in_it_that_is_not_seen() {
        for (name, shown) in [
            (b"caf\xe9".as_slice(), r"$'caf\351'"),
            (b"a\nb", r"$'a\012b'"),
            ("r\u{202e}txt.md".as_bytes(), r"$'r\342\200\256txt.md'"),
            ("a\u{200b}".as_bytes(), r"$'a\342\200\213'"),
            ("e\u{1b}]0;it's\u{7}".as_bytes(), r"$'e\033\1350\073it\047s\007'"),
        ] {
            assert_eq!((word_of_bytes(name).as_str(), quoted_name(name).as_str()), (shown, shown));
            if let Ok(text) = std::str::from_utf8(name) {
                assert_eq!((word(text).as_str(), quoted(text).as_str()), (shown, shown));
                assert_eq!(crate::domain::harmless::harmless(&word(text)), shown, "what is shown is what is typed");
            }
        }
        // What can be seen is left as it is read: letters of any script, and emoji.
        for name in ["café", "日本語", "👩\u{200d}🚀", "می\u{200c}خواهم"] {
            assert!(word(name).contains(name), "{name}");
        }
        assert_eq!(pathspec("a\u{202e}*"), r"$'\072\050top\054literal\051a\342\200\256\052'");
        assert_eq!(pathspec_of_bytes(b"\xff"), r"$'\072\050top\054literal\051\377'");
        assert_eq!(word_for_sh("a\n\u{200b}"), "'a\n\u{200b}'", "a script has every byte as it is");
    }
}
