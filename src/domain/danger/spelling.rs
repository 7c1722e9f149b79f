//! A path as file systems compare it: without case, without what they drop, and with letters that look alike by rule
//! (NFKC) made one. Some drop less than this; doubt counts as the dangerous name.

use unicode_normalization::UnicodeNormalization as _;

use crate::domain::harmless::is_invisible;

/// The parts of a path as they are compared.
pub(super) fn parts(path: &str) -> Vec<String> {
    // Folding a letter can make another one that folds: twice is enough, once more does no harm.
    let mut folded = path.to_owned();
    for _ in 0..3 {
        folded = folded
            .nfkd()
            .filter(|one| !is_dropped(*one))
            .flat_map(char::to_uppercase)
            .flat_map(char::to_lowercase)
            .collect();
    }
    let parts = folded.split(['/', '\\']).map(plain);
    parts.filter(|part| !part.is_empty()).collect()
}

/// A name without the stream behind it, and without the dots and spaces that file systems drop at its end.
fn plain(part: &str) -> String {
    // A stream is one of a name: what begins with a colon is all of it.
    let name = part.split_once(':').map_or(part, |(before, _)| if before.is_empty() { part } else { before });
    name.trim_end_matches(['.', ' ']).trim_start_matches(' ').to_owned()
}

/// Invisible characters, and marks above and below letters.
fn is_dropped(one: char) -> bool {
    let is_mark = matches!(one, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}');
    is_mark || is_invisible(one)
}

/// True if a name can be the short form that some file systems give to a longer one: `CLAUDE~1.MD`.
pub(super) fn is_short_name(part: &str) -> bool {
    let Some((before, behind)) = part.split_once('~') else { return false };
    let digits = behind.split('.').next().unwrap_or_default();
    !before.is_empty() && before.len() <= 6 && !digits.is_empty() && digits.chars().all(|one| one.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_name_is_that_name() {
        for spelling in [
            "Makefile",
            "MAKEFILE",
            "Makefile.",
            "makefile. . ",
            "Ma\u{200d}kefile",
            "ma\u{212a}efile",
            "\u{ff2d}akefile",
            "make\u{fb01}le",
            "make\u{fb01}le\u{2024}",
            "makefile::$DATA",
            "m\u{301}akefile",
        ] {
            assert_eq!(parts(spelling), ["makefile"], "{spelling:?}");
        }
        assert_eq!(parts("a\u{ff0f}.CLAUDE\u{ff0f}b"), ["a", ".claude", "b"]);
        assert_eq!(parts("docs/:y.txt"), ["docs", ":y.txt"]);
        assert_eq!(parts("cla\u{17f}\u{17f}"), ["class"]);
        for (name, short) in [("claude~1", true), ("claude~1.md", true), ("a~b", false), ("~1", false), ("a~1b", false)]
        {
            assert_eq!(is_short_name(name), short, "{name}");
        }
    }
}
