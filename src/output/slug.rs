//! Names of files from sentences.

use crate::domain::session::Session;

/// The longest name, in bytes.
const LONGEST: usize = 48;

/// The words of a text as part of a file name; empty when there are none that every file system takes.
pub(super) fn slug(text: &str) -> String {
    let mut slug = String::new();
    let plain = text.split(|one: char| !one.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    for word in plain.map(str::to_ascii_lowercase) {
        if !slug.is_empty() && slug.len() + word.len() >= LONGEST {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(&word[..word.len().min(LONGEST)]);
    }
    slug
}

/// The recognisable part of the session's id: without the date before it and the random letters behind it.
pub(super) fn of_session(session: &Session) -> &str {
    let id = session.id.as_str();
    let middle = id.split_once('-').map_or(id, |(_, rest)| rest);
    middle.rsplit_once('-').map_or(middle, |(slug, _)| slug)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_a_file() {
        assert_eq!(slug("It goes into `src/fetch.rs:8` itself"), "it-goes-into-src-fetch-rs-8-itself");
        assert_eq!(slug("要件"), "");
        assert!(slug(&"word ".repeat(40)).len() <= LONGEST);
        assert!(slug(&"w".repeat(400)).len() <= LONGEST);
    }
}
