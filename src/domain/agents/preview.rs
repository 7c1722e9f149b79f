//! Preview of an artifact (A9): its first characters, and how much of it is not shown.

/// The most characters of a preview.
pub const MOST_CHARACTERS: usize = 2_000;
/// Bytes that hold as many characters, however long each of them is.
pub const ENOUGH_BYTES: usize = 4 * MOST_CHARACTERS;

/// Beginning of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// At most [`MOST_CHARACTERS`], cut between two characters. Bytes that are no text became `U+FFFD`.
    pub text: String,
    /// Bytes of the artifact that are not shown.
    pub cut: u64,
}

impl Preview {
    /// The preview of an artifact of `whole` bytes, from its first bytes: all of them, or at least [`ENOUGH_BYTES`].
    pub fn new(beginning: &[u8], whole: u64) -> Self {
        let mut text = String::new();
        let (mut characters, mut shown) = (0, 0);
        for chunk in beginning.utf8_chunks() {
            let valid: String = chunk.valid().chars().take(MOST_CHARACTERS - characters).collect();
            characters += valid.chars().count();
            shown += valid.len();
            text.push_str(&valid);
            if characters < MOST_CHARACTERS && !chunk.invalid().is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
                characters += 1;
                shown += chunk.invalid().len();
            }
            if characters == MOST_CHARACTERS {
                break;
            }
        }
        Self { text, cut: whole.saturating_sub(shown as u64) }
    }

    /// Says how much is not shown and where all of it is; `None` where nothing was cut.
    pub fn note(&self, path: &str) -> Option<String> {
        let bytes = if self.cut == 1 { "byte is" } else { "bytes are" };
        (self.cut > 0).then(|| format!("{} more {bytes} not shown; the whole text is in {path}", self.cut))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &[u8]) -> Preview {
        Preview::new(&text[..text.len().min(ENOUGH_BYTES)], text.len() as u64)
    }

    #[test]
    fn a9_a_preview_is_cut_between_characters_and_says_how_much_is_missing() {
        for (one, count) in [("x", 2_000), ("ä", 2_000), ("語", 2_000), ("🦀", 2_000)] {
            let exact = one.repeat(count);
            assert_eq!(of(exact.as_bytes()), Preview { text: exact.clone(), cut: 0 });
            let longer = format!("{exact}{one}");
            let preview = of(longer.as_bytes());
            assert_eq!((preview.text, preview.cut), (exact, one.len() as u64), "{one}");
        }
        assert_eq!(of(b""), Preview { text: String::new(), cut: 0 });
        assert_eq!(of(b"ab").note("/r"), None);
        let note = Preview { text: String::new(), cut: 1 }.note("/turns/t1/result.md").unwrap();
        assert_eq!(note, "1 more byte is not shown; the whole text is in /turns/t1/result.md");
    }

    /// A preview never claims that less was cut than was.
    #[test]
    fn a9_bytes_that_are_no_text_count_as_a_character_each() {
        let junk = vec![0xff; 3_000];
        let preview = of(&junk);
        assert_eq!(preview.text.chars().count(), MOST_CHARACTERS);
        assert_eq!(preview.cut, 1_000);
        let mixed = [&b"ab"[..], &[0xe4], b"c"].concat();
        assert_eq!(of(&mixed), Preview { text: "ab\u{fffd}c".to_owned(), cut: 0 });
        for shift in 0..4 {
            let text = format!("{}{}", "x".repeat(shift), "🦀".repeat(3_000));
            let preview = of(text.as_bytes());
            assert!(text.starts_with(&preview.text) && preview.text.chars().count() == MOST_CHARACTERS);
            assert_eq!(preview.cut, (text.len() - preview.text.len()) as u64);
        }
    }
}
