//! The marks between which words are quoted, of any script.

/// The marks between which words are quoted.
pub(super) const MARKS: [(char, char); 14] = [
    ('"', '"'),
    ('“', '”'),
    ('“', '“'),
    ('„', '“'),
    ('„', '”'),
    ('”', '”'),
    ('`', '`'),
    ('\'', '\''),
    ('‘', '’'),
    ('‚', '‘'),
    ('«', '»'),
    ('»', '«'),
    ('‹', '›'),
    ('「', '」'),
];

/// Words without the further backquotes around them: Markdown doubles these, and sets a blank beside them.
pub fn unwrapped(text: &str) -> &str {
    let inner = text.trim_matches('`');
    let is_wrapped = text.starts_with('`') && text.ends_with('`');
    if is_wrapped { inner.trim() } else { text }
}

/// Whether words may be quoted by this sign: an apostrophe most often is none.
pub fn is_quoting(sign: char) -> bool {
    is_mark(sign) && !"'’‘‚".contains(sign)
}

/// The mark that would close the quotation which words leave open, if they leave one open.
pub fn open_mark(words: &str) -> Option<char> {
    let is_escaped = !words.replace("\\\"", "").contains('"');
    let plain = words.replace("\\\"", if is_escaped { "\"" } else { "" });
    let mut open: Option<&(char, char)> = None;
    for sign in plain.chars().filter(|sign| is_quoting(*sign)) {
        open = match open {
            Some((_, close)) if *close == sign => None,
            Some(open) => Some(open),
            None => MARKS.iter().find(|(begins, _)| *begins == sign),
        };
    }
    open.map(|(_, close)| *close)
}

pub(super) fn is_mark(sign: char) -> bool {
    MARKS.iter().any(|(open, close)| [*open, *close].contains(&sign))
}

/// Whether a quotation may end with this mark.
pub fn is_closing(mark: char) -> bool {
    MARKS.iter().any(|(_, close)| *close == mark)
}

/// The text between the first pair of quotation marks or backquotes at the beginning, and what stands behind it.
pub fn quoted(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    MARKS.iter().filter(|(open, _)| text.starts_with(*open)).find_map(|(open, close)| {
        let inner = &text[open.len_utf8()..];
        // The last one closes it: a quotation may hold some.
        let end = inner.rfind(*close)?;
        Some((&inner[..end], &inner[end + close.len_utf8()..]))
    })
}
