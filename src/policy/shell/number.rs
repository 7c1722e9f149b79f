//! Words that are numbers whatever happens. Shells evaluate what they take for a number, and an evaluation runs the
//! subscripts of arrays: `a[$(rm x)]`. So where a number is expected, it must be one.

use super::reader::Reader;
use super::script::{Redirected, Statement};
use super::word::{Shape, Word};

/// Whether the word can only be a number.
pub(super) fn is_number(word: &Word) -> bool {
    match word.shape {
        Shape::Literal => {
            let digits = word.text.strip_prefix(['-', '+']).unwrap_or(&word.text);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        }
        Shape::Pattern => false,
        Shape::Unknown if word.is_certain_number() => true,
        Shape::Unknown => {
            let text = &word.text;
            let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
            matches!(text, "$?" | "$#" | "$$" | "$!" | "${?}" | "${#}")
                || is_length(text)
                || is_sum(text)
                || counts(text)
        }
    }
}

/// `${#name}` and `${#list[@]}`.
fn is_length(text: &str) -> bool {
    let name = text.strip_prefix("${#").and_then(|text| text.strip_suffix('}'));
    name.is_some_and(|name| {
        let name = name.strip_suffix("[@]").or_else(|| name.strip_suffix("[*]")).unwrap_or(name);
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// `$((…))`, which the reader lets through with numbers only.
fn is_sum(text: &str) -> bool {
    text.starts_with("$((") && text.ends_with("))") && !text[3..].contains('$')
}

/// `$(… | wc -l)` and `$(wc -l < file)`: one pipeline that ends in counting what it is given.
fn counts(text: &str) -> bool {
    let Some(inside) = text.strip_prefix("$(").and_then(|text| text.strip_suffix(')')) else {
        return false;
    };
    if inside.contains([';', '&', '\n']) || inside.contains("||") {
        return false;
    }
    let Ok(script) = Reader::new(inside).script() else {
        return false;
    };
    let fed = script.len() > 1;
    let Some(Statement::Simple(last)) = script.last() else {
        return false;
    };
    let words: Option<Vec<&str>> = last.words.iter().map(|spelled| spelled.word.known()).collect();
    let redirected = |kind| last.redirections.iter().any(|redirection| redirection.kind == kind);
    let alone = !redirected(Redirected::Output) && !redirected(Redirected::OutputCopy);
    match words.as_deref() {
        Some(["wc", "-l" | "-c" | "-w" | "-m"]) => alone && (fed || redirected(Redirected::Input)),
        Some(["git", "rev-list", "--count", ..]) => alone && !fed,
        _ => false,
    }
}

/// Whether the word can only become the names of objects: `$(git merge-base main HEAD)`, `$(git rev-parse HEAD)`.
///
/// `git rev-parse` prints what it does not know as it was given, so it must have been given nothing that begins
/// with `-`.
pub(super) fn is_object_name(text: &str) -> bool {
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let Some((inside, behind)) = text.strip_prefix("$(").and_then(|text| text.rsplit_once(')')) else {
        return false;
    };
    // What stands behind it, as `..HEAD`, begins the word when nothing is printed.
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./~^:@{}-".contains(c);
    if behind.starts_with('-') || !behind.chars().all(plain) {
        return false;
    }
    let Ok(script) = Reader::new(inside).script() else {
        return false;
    };
    let [Statement::Simple(simple)] = script.as_slice() else {
        return false;
    };
    let words: Option<Vec<&str>> = simple.words.iter().map(|spelled| spelled.word.known()).collect();
    match words.as_deref() {
        Some(["git", "rev-parse" | "merge-base" | "rev-list", rest @ ..]) => rest.iter().all(|word| {
            let counts = word.strip_prefix("-n").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
            (!word.starts_with('-') && word.chars().all(plain))
                || counts
                || matches!(*word, "--short" | "--verify" | "-1" | "--fork-point" | "--all")
        }),
        _ => false,
    }
}

/// Whether the text between double quotes can only become an absolute path, or nothing: `$(pwd)/src`.
///
/// Nothing comes of it where the command fails, and then what stands behind it begins the word: so that is a slash.
pub(super) fn is_absolute_path(inside: &str) -> bool {
    const PATHS: &[&str] =
        &["$PWD", "${PWD}", "$HOME", "${HOME}", "$(pwd)", "$(pwd -P)", "$(pwd -L)", "$(git rev-parse --show-toplevel)"];
    PATHS.iter().any(|path| inside.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_expansions_are_absolute_paths() {
        for text in ["$(pwd)", "$(pwd)/src", "$PWD/a b", "${PWD}", "$(git rev-parse --show-toplevel)/$x", "$HOME/x"] {
            assert!(is_absolute_path(text), "{text}");
        }
        for text in
            ["$(pwd)-x", "$(pwd)x", "$PWDx", "${PWD:-x}", "$(pwd; x)", "$(basename x)", "", "$(pwd)$(x)", "$HOME:h"]
        {
            assert!(!is_absolute_path(text), "{text}");
        }
    }

    #[test]
    fn git_prints_names_of_objects() {
        for text in
            ["$(git rev-parse HEAD)", "\"$(git rev-parse --short HEAD~2)\"", "$(git merge-base main HEAD)..HEAD"]
        {
            assert!(is_object_name(text), "{text}");
        }
        for text in [
            "$(git rev-parse --output=x)",
            "$(git rev-parse \"$x\")",
            "$(git log -1)",
            "$(git rev-parse HEAD; echo -x)",
            "$(git rev-parse HEAD)$(ls)",
            "$(git rev-parse HEAD | x)",
            "$x",
        ] {
            assert!(!is_object_name(text), "{text}");
        }
    }

    #[test]
    fn only_what_must_be_a_number_is_one() {
        for number in ["$?", "\"$#\"", "${#x}", "${#x[@]}", "$((1 + 2))", "$(ls | wc -l)", "\"$(wc -l < \"$f\")\""] {
            assert!(is_number(&Word::unknown(number)), "{number}");
        }
        for text in [
            "$x",
            "\"$x\"",
            "${#x}y",
            "$(ls)",
            "$(cat x; ls | wc -l)",
            "$(wc -l x)",
            "$(wc -l)",
            "$(ls)$(ls | wc -l)",
            "$(echo 'x | wc -l')",
            "$?$x",
            "$((1))$x$((1))",
        ] {
            assert!(!is_number(&Word::unknown(text)), "{text}");
        }
        assert!(is_number(&Word::literal("-12")));
        assert!(!is_number(&Word::literal("-")));
        assert!(!is_number(&Word::literal("a[0]")));
        assert!(!is_number(&Word::pattern("1*")));
    }
}
