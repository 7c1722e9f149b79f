//! `find`: its expression, word by word.

use super::line::anything;
use super::option::Kind;
use super::sheet::Entry;
use super::{Inner, LookThrough, Scene};
use crate::policy::shell::Refused;
use crate::policy::shell::word::Word;

/// A path that was found, as a word: any number of them, none like an option.
const FOUND: &str = "./{}";

/// Judges starting points and expression; what `-exec` runs is looked through.
pub(super) fn judge(
    command: &str,
    entry: &Entry,
    words: &[Word],
    scene: &Scene<'_>,
    look_through: &mut LookThrough<'_>,
) -> Result<(), Refused> {
    let mut rest = words.iter();
    let mut expression = false;
    while let Some(word) = rest.next() {
        let Some(text) = word.known() else {
            if word.may_be_option() {
                let why = format!("`{}` may become an action of `{command}`; put `./` before it", word.text);
                return Err(Refused::new(&word.text, why));
            }
            continue;
        };
        if matches!(text, "(" | ")" | "!" | ",") {
            expression = true;
            continue;
        }
        if !text.starts_with('-') {
            // Older versions take a starting point behind the expression, too.
            continue;
        }
        if text == "-exec" {
            run(command, &mut rest, scene, look_through)?;
            expression = true;
            continue;
        }
        let no = |why: &str| Err(Refused::new(text, format!("`{command} {text}` {why}")));
        match entry.option(text) {
            Some(Kind::Flag) => {}
            Some(Kind::Value) => match rest.next() {
                Some(value) if value.is_one_word() => {}
                Some(value) => {
                    let why =
                        format!("`{}` may become several words, and one of them an action of `{command}`", value.text);
                    return Err(Refused::new(&value.text, why));
                }
                None => return no("lacks its value"),
            },
            Some(Kind::No(why)) => return no(why),
            // `-O3` and `-D tree` stand before the starting points.
            None if !expression && text.strip_prefix("-O").is_some_and(is_number) => {}
            Some(Kind::Takes | Kind::Maybe | Kind::Only(_) | Kind::Below | Kind::Folder | Kind::Command) | None => {
                return no("is not known to be read-only");
            }
        }
        expression = true;
    }
    Ok(())
}

/// `-exec command… ;` or `-exec command… {} +`.
fn run(
    command: &str,
    rest: &mut std::slice::Iter<'_, Word>,
    scene: &Scene<'_>,
    look_through: &mut LookThrough<'_>,
) -> Result<(), Refused> {
    let mut inner: Vec<Word> = Vec::new();
    for word in rest.by_ref() {
        match word.known() {
            Some(";") => return look_through(Inner::Argv(&inner), scene),
            Some("+") if inner.last().is_some_and(|last| last.text == FOUND) => {
                return look_through(Inner::Argv(&inner), scene);
            }
            // A found path begins as its starting point does, and that is no option: it has been looked at.
            Some("{}") => inner.push(Word::pattern(FOUND)),
            Some(text) if text.contains("{}") => inner.push(anything(text)),
            Some(_) => inner.push(word.clone()),
            // Where the command ends is not known either.
            None => {
                let why = format!("what `{command} -exec` runs is not known before `{}` is expanded", word.text);
                return Err(Refused::new(&word.text, why));
            }
        }
    }
    Err(Refused::new("-exec", format!("`{command} -exec` lacks its end")))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
