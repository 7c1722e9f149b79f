//! Commands of the shell itself: they can change what every later command means.

use super::Refused;
use super::judge::Judge;
use super::number::is_number;
use super::word::Word;
use super::{comparison, variables};

/// Options of `set` that change neither what is read nor what is run.
const SET: &[&str] = &[
    "-e", "-u", "-x", "-v", "-f", "+e", "+u", "+x", "+v", "-eu", "-ex", "-ux", "-eux", "-o", "-euo", "-eo", "-uo",
    "-euxo", "-exo", "+o",
];
const SET_NAMES: &[&str] = &["pipefail", "errexit", "nounset", "xtrace", "noglob", "noclobber", "posix"];
const SHOPT: &[&str] = &["globstar", "nullglob", "dotglob", "nocaseglob", "failglob", "lastpipe", "inherit_errexit"];

/// Judges a command of the shell's own; `None` when it is none of them.
pub(super) fn judge(judge: &mut Judge<'_>, argv: &[Word]) -> Option<Result<(), Refused>> {
    let (name, rest) = argv.split_first()?;
    let name = name.known()?;
    Some(match name {
        ":" | "wait" | "times" | "jobs" | "dirs" | "umask" | "alias" | "shift" | "exit" | "return" | "break"
        | "continue"
            if rest.is_empty() =>
        {
            Ok(())
        }
        ":" => Ok(()),
        "wait" | "shift" | "exit" | "return" | "break" | "continue" => numbers(name, rest),
        "umask" if rest.iter().all(|word| word.known() == Some("-S")) => Ok(()),
        "cd" | "pushd" => change_folder(judge, rest),
        "popd" if rest.is_empty() => Ok(()),
        "command" | "builtin" | "time" => runs(judge, name, rest),
        "test" => comparison::judge(rest),
        "[" => match rest.split_last() {
            Some((last, inside)) if last.known() == Some("]") => comparison::judge(inside),
            Some(_) | None => Err(Refused::new(join(argv), "this condition is not complete")),
        },
        "printf" => printf(rest),
        "read" => read(rest),
        "mapfile" | "readarray" => read_lines(name, rest),
        "export" => export(rest),
        "unset" => unset(rest),
        "set" => set(rest),
        "shopt" => shopt(rest),
        "declare" | "typeset" if rest.first().and_then(Word::known) == Some("-p") => match rest {
            [_, names @ ..] if names.iter().all(|word| word.known().is_some_and(variables::is_name)) => Ok(()),
            _ => Err(Refused::new(join(argv), "it may set a variable")),
        },
        "eval" | "source" | "." | "exec" | "trap" => {
            Err(Refused::new(join(argv), format!("`{name}` runs what it is given")))
        }
        "declare" | "typeset" | "local" | "readonly" | "let" | "getopts" | "integer" | "float" => {
            Err(Refused::new(join(argv), format!("`{name}` may evaluate what a variable holds")))
        }
        "alias" | "unalias" | "enable" | "hash" | "complete" | "compgen" | "compopt" | "bind" | "zmodload"
        | "autoload" | "setopt" | "unsetopt" | "emulate" | "noglob" | "nocorrect" | "coproc" | "umask" | "popd"
        | "dirs" | "jobs" | "times" | "disown" | "bg" | "fg" | "suspend" | "logout" | "ulimit" | "vared" | "sched"
        | "caller" => Err(Refused::new(join(argv), format!("`{name}` changes the shell itself"))),
        _ => return None,
    })
}

fn numbers(name: &str, rest: &[Word]) -> Result<(), Refused> {
    match rest {
        [word] if is_number(word) => Ok(()),
        [] => Ok(()),
        [word, ..] => Err(Refused::new(&word.text, format!("`{name}` evaluates it, and it may run something"))),
    }
}

fn change_folder(judge: &mut Judge<'_>, rest: &[Word]) -> Result<(), Refused> {
    let mut rest = rest;
    while let [first, behind @ ..] = rest {
        if !matches!(first.known(), Some("-P" | "-L" | "--")) {
            break;
        }
        rest = behind;
    }
    match rest {
        [] => judge.leave(),
        [target] if target.known().is_some_and(|text| text.starts_with(['-', '+']) && text != "-") => {
            return Err(Refused::new(&target.text, "this option is not known to be read-only"));
        }
        [target] => judge.go(target),
        [..] => return Err(Refused::new(join(rest), "shells go to different folders with this")),
    }
    Ok(())
}

/// `command`, `builtin` and `time`: what stands behind them is run as it stands there.
fn runs(judge: &mut Judge<'_>, name: &str, rest: &[Word]) -> Result<(), Refused> {
    match rest.first().and_then(Word::known) {
        Some("-v" | "-V") if name == "command" => Ok(()),
        Some("-p") if name == "time" => runs(judge, name, &rest[1..]),
        Some(option) if option.starts_with('-') => {
            Err(Refused::new(join(rest), format!("this option of `{name}` is not known to be read-only")))
        }
        Some(_) => judge.argv(rest),
        None if rest.is_empty() => Ok(()),
        None => Err(Refused::new(&rest[0].text, "what it runs is not known")),
    }
}

/// Formats that take numbers evaluate them in zsh; `%n` and `-v` set a variable.
fn printf(rest: &[Word]) -> Result<(), Refused> {
    let rest = match rest {
        [first, behind @ ..] if first.known() == Some("--") => behind,
        other => other,
    };
    let Some((format, values)) = rest.split_first() else {
        return Ok(());
    };
    let Some(text) = format.known() else {
        return Err(Refused::new(&format.text, "this format may set a variable"));
    };
    if text.starts_with('-') {
        return Err(Refused::new(text, "this option of `printf` may set a variable"));
    }
    let mut conversions = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            continue;
        }
        match characters.find(|c| !"-+ #'0123456789.lhjztL".contains(*c)) {
            Some('%') => {}
            Some('s' | 'b' | 'c' | 'q' | 'Q') => conversions.push(Conversion::Text),
            Some('d' | 'i' | 'o' | 'u' | 'x' | 'X' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A') => {
                conversions.push(Conversion::Number);
            }
            _ => return Err(Refused::new(text, "this format may set a variable or evaluate one")),
        }
    }
    for (value, conversion) in values.iter().zip(conversions.iter().cycle()) {
        // From the first word that may be several, nobody knows which conversion is next.
        let splits = value.shape != super::word::Shape::Literal && !value.is_one_word() && !is_number(value);
        let evaluated =
            if splits { conversions.contains(&Conversion::Number) } else { *conversion == Conversion::Number };
        if evaluated && !is_number(value) {
            return Err(Refused::new(&value.text, "zsh evaluates what is printed as a number; print it with `%s`"));
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Conversion {
    Text,
    Number,
}

/// `read -r name`: a name with a subscript would be evaluated.
fn read(rest: &[Word]) -> Result<(), Refused> {
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        let Some(text) = word.known().filter(|text| text.is_ascii() && *text != "-") else {
            return Err(Refused::new(&word.text, "the variable that is read is not known"));
        };
        match text.strip_prefix('-') {
            None if variables::is_own(text) => {}
            None => return Err(Refused::new(text, "setting this variable may change what other commands do")),
            Some(letters) => {
                let (flags, valued) = letters.split_at(letters.len() - 1);
                if !flags.chars().all(|flag| "rsa".contains(flag)) {
                    return Err(Refused::new(text, "this option of `read` is not known to be read-only"));
                }
                match valued {
                    "r" | "s" | "a" => {}
                    "d" | "p" => {
                        if words.next().is_none_or(|value| value.known().is_none()) {
                            return Err(Refused::new(text, "the value of this option is not known"));
                        }
                    }
                    "n" | "N" | "t" | "u" => {
                        if !words.next().is_some_and(is_number) {
                            return Err(Refused::new(text, "the value of this option is not a number"));
                        }
                    }
                    _ => return Err(Refused::new(text, "this option of `read` is not known to be read-only")),
                }
            }
        }
    }
    Ok(())
}

fn read_lines(name: &str, rest: &[Word]) -> Result<(), Refused> {
    match rest.iter().find(|word| !word.known().is_some_and(|text| text == "-t" || variables::is_own(text))) {
        None => Ok(()),
        Some(word) => Err(Refused::new(&word.text, format!("`{name}` with this is not known to be read-only"))),
    }
}

fn export(rest: &[Word]) -> Result<(), Refused> {
    for word in rest {
        let harmless = word.known().is_some_and(|text| match text.split_once('=') {
            Some((name, value)) => variables::is_harmless(name, &Word::literal(value)),
            None => text == "-p",
        });
        if !harmless {
            return Err(Refused::new(&word.text, "this variable may change what other commands do"));
        }
    }
    Ok(())
}

fn unset(rest: &[Word]) -> Result<(), Refused> {
    match rest.iter().find(|word| !word.known().is_some_and(variables::is_own)) {
        None => Ok(()),
        Some(word) => Err(Refused::new(&word.text, "without this variable other commands may do something else")),
    }
}

fn set(rest: &[Word]) -> Result<(), Refused> {
    let known = |word: &&Word| !word.known().is_some_and(|text| SET.contains(&text) || SET_NAMES.contains(&text));
    match rest.iter().find(known) {
        None if rest.is_empty() || rest[0].text.starts_with(['-', '+']) => Ok(()),
        None => Err(Refused::new(join(rest), "it sets what the script is given")),
        Some(word) => Err(Refused::new(&word.text, "this option of the shell is not known to be harmless")),
    }
}

fn shopt(rest: &[Word]) -> Result<(), Refused> {
    let known = |word: &&Word| {
        !word.known().is_some_and(|text| matches!(text, "-s" | "-u" | "-q" | "-p") || SHOPT.contains(&text))
    };
    match rest.iter().find(known) {
        None => Ok(()),
        Some(word) => Err(Refused::new(&word.text, "this option of the shell is not known to be harmless")),
    }
}

/// The words as they are shown in a refusal.
pub(super) fn join(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}
