//! `test` and `[`: questions, and the one that runs something (`-v 'a[$(…)]'` evaluates what is in the brackets).

use crate::policy::shell::Refused;
use crate::policy::shell::word::Word;

const UNARY: &[&str] = &[
    "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-n", "-o", "-p", "-r", "-s", "-t", "-u", "-w", "-x", "-z",
    "-G", "-L", "-N", "-O", "-S",
];
const BINARY: &[&str] = &["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];

/// Judges the words of `test` or `[`.
pub(super) fn judge(command: &str, words: &[Word]) -> Result<(), Refused> {
    let words = match words.split_last() {
        Some((last, inside)) if command == "[" && last.known() == Some("]") => inside,
        _ => words,
    };
    if let Some(word) = words.iter().find(|word| matches!(word.known(), Some("-v" | "-R"))) {
        let shown = &word.text;
        return Err(Refused::new(shown, format!("`{command} {shown}` evaluates the brackets of a name")));
    }
    if let Some(word) = words.iter().find(|word| !word.is_one_word()) {
        let why =
            format!("`{}` may become several words, and so another question; put it into double quotes", word.text);
        return Err(Refused::new(&word.text, why));
    }
    if words.iter().all(|word| word.known().is_some()) {
        return Ok(());
    }
    // A word that is not known must stand where it can only be a value.
    let mut rest = words;
    loop {
        rest = match rest {
            [] | [_] => return Ok(()),
            [not, more @ ..] if is(not, &["!", "("]) => more,
            [close, more @ ..] if is(close, &[")", "-a", "-o"]) && rest.len() != words.len() => more,
            [_, operator, _, more @ ..] if is(operator, BINARY) => more,
            [operator, _, more @ ..] if is(operator, UNARY) => more,
            [word, ..] => {
                let why = format!("which question `{command} {} …` is, is not known before it is expanded", word.text);
                return Err(Refused::new(&word.text, why));
            }
        };
    }
}

fn is(word: &Word, among: &[&str]) -> bool {
    word.known().is_some_and(|text| among.contains(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(words: &[&str]) -> bool {
        let words: Vec<Word> = words
            .iter()
            .map(|text| if text.contains('$') { Word::unknown(*text) } else { Word::literal(*text) })
            .collect();
        judge("[", &words).is_ok()
    }

    #[test]
    fn an_unknown_word_may_only_be_a_value() {
        for allowed in [
            &["-f", "a", "]"][..],
            &["-n", "\"$x\"", "]"],
            &["!", "-d", "\"$x\"", "]"],
            &["\"$x\"", "=", "b", "]"],
            &["\"$a\"", "-gt", "\"$b\"", "]"],
            &["\"$x\"", "]"],
            &["-f", "\"$a\"", "-a", "\"$b\"", "!=", "c", "]"],
            &["(", "-f", "\"$a\"", ")", "-o", "-d", "b", "]"],
        ] {
            assert!(judged(allowed), "{allowed:?}");
        }
        for refused in [
            &["-v", "a[$(rm x)]", "]"][..],
            &["\"$x\"", "\"$y\"", "]"],
            &["-f", "$x", "]"],
            &["!", "-v", "a", "]"],
            &["\"$a\"", "\"$b\"", "\"$c\"", "]"],
            &["-f", "a", "-a", "\"$b\"", "\"$c\"", "]"],
        ] {
            assert!(!judged(refused), "{refused:?}");
        }
    }
}
