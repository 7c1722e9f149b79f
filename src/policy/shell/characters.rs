//! Characters that have no place in a command, because shells, terminals or people read them differently.

use super::Refused;

/// The longest command that is judged, in bytes. Coding agents ask about anything longer themselves.
pub const MAX_LENGTH: usize = 10_000;

/// Refuses a text that is too long or contains what does not belong there.
pub(super) fn check(text: &str) -> Result<(), Refused> {
    if text.len() > MAX_LENGTH {
        let part: String = text.chars().take(60).collect();
        return Err(Refused::new(part, format!("it is longer than {MAX_LENGTH} bytes")));
    }
    match text.char_indices().find(|(_, character)| is_foreign(*character)) {
        None => Ok(()),
        Some((at, character)) => {
            let code = u32::from(character);
            let line = text[..at].lines().next_back().unwrap_or_default();
            Err(Refused::new(
                format!("{line}{}", character.escape_unicode()),
                format!("the character U+{code:04X} is invisible or read differently by different shells"),
            ))
        }
    }
}

/// Control characters but tab and line feed, blanks other than the two that shells know, and characters that do not
/// show or that turn the direction of the text.
fn is_foreign(character: char) -> bool {
    match character {
        '\t' | '\n' | ' ' => false,
        '\u{ad}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}'
        | '\u{2800}'
        | '\u{3164}' => true,
        other => other.is_control() || other.is_whitespace(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_show_is_refused() {
        for foreign in ['\r', '\0', '\u{b}', '\u{c}', '\u{1b}', '\u{7f}', '\u{85}', '\u{a0}', '\u{2028}', '\u{202e}'] {
            assert!(check(&format!("ls {foreign}x")).is_err(), "{foreign:?}");
        }
        assert_eq!(check("grep 'süß 漢字' a.txt\n\tls"), Ok(()));
    }

    #[test]
    fn length_has_a_limit() {
        assert_eq!(check(&"a".repeat(MAX_LENGTH)), Ok(()));
        assert!(check(&"a".repeat(MAX_LENGTH + 1)).unwrap_err().why.contains("longer"));
    }
}
