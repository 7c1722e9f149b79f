//! `GIT_CONFIG_PARAMETERS`: how git hands `git -c key=value grill` on to us. No crate reads it.

use crate::text::shell::unquoted;

/// One key with its value; no value at all means true.
pub(super) type Pair = (Vec<u8>, Option<Vec<u8>>);

/// Reads `'key'='value' 'key'= 'key=value'`, the forms that git has written so far.
pub(super) fn parse(mut rest: &[u8]) -> Option<Vec<Pair>> {
    let mut pairs = Vec::new();
    loop {
        rest = rest.trim_ascii_start();
        if rest.is_empty() {
            return Some(pairs);
        }
        let (key, after) = unquoted(rest)?;
        let (pair, after) = match after.split_first() {
            None | Some((b' ' | b'\t' | b'\n', _)) => (old_form(&key), after),
            Some((b'=', value)) if value.first() == Some(&b'\'') => {
                let (value, after) = unquoted(value)?;
                ((key, Some(value)), after)
            }
            Some((b'=', after)) => ((key, None), after),
            Some(_) => return None,
        };
        if after.first().is_some_and(|byte| !byte.is_ascii_whitespace()) {
            return None;
        }
        pairs.push(pair);
        rest = after;
    }
}

/// `key=value` inside one pair of quotes, as git wrote it before 2.31.
fn old_form(text: &[u8]) -> Pair {
    match text.iter().position(|byte| *byte == b'=') {
        Some(at) => (text[..at].to_vec(), Some(text[at + 1..].to_vec())),
        None => (text.to_vec(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Option<Vec<(String, Option<String>)>> {
        let text_of = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Some(parse(text.as_bytes())?.into_iter().map(|(key, value)| (text_of(key), value.map(text_of))).collect())
    }

    #[test]
    fn every_form_that_git_writes() {
        let some = |key: &str, value: &str| (key.to_owned(), Some(value.to_owned()));
        assert_eq!(
            pairs(r"'grill.intent'='plan' 'a.b'='it'\''s' 'c.d'= 'e.f=g=h' 'i.j' 'k.l'=''"),
            Some(vec![
                some("grill.intent", "plan"),
                some("a.b", "it's"),
                ("c.d".to_owned(), None),
                some("e.f", "g=h"),
                ("i.j".to_owned(), None),
                some("k.l", ""),
            ])
        );
        assert_eq!(pairs(""), Some(vec![]));
    }

    #[test]
    fn anything_else_is_refused() {
        for bogus in ["grill.intent=plan", "'a.b", "'a.b'x", "'a.b'='c'd", "'a.b'=c"] {
            assert_eq!(pairs(bogus), None, "{bogus}");
        }
    }
}
