//! What is known about commands: which of them, with which options and arguments, change nothing.
//!
//! The knowledge is text (`sheets/*.txt`, its format in `README.md` beside them); this room looks it up and holds a
//! command line against it. What no sheet knows is refused. Here never: running anything, or looking at the machine.

mod awk;
mod config;
mod env;
mod find;
mod format;
mod git_keys;
mod line;
mod operands;
mod option;
mod python;
mod read;
mod scene;
mod sed;
mod sheet;
mod sqlite;
mod toolchain;
mod trap;
mod xargs;

#[cfg(test)]
mod checks;

use self::line::{Line, owned};
use self::option::Kind;
pub use self::scene::Scene;
use self::sheet::{Entry, split_reason};
use crate::policy::shell::Refused;
use crate::policy::shell::word::Word;

/// What a command would run in turn: looked through by whoever asked.
#[derive(Clone, Copy)]
pub enum Inner<'a> {
    /// A simple command.
    Argv(&'a [Word]),
    /// The text of a shell script.
    Script(&'a str),
}

/// Reader of the commands that a command runs in turn.
pub type LookThrough<'a> = dyn FnMut(Inner<'_>, &Scene<'_>) -> Result<(), Refused> + 'a;

/// Whether this simple command (`argv[0]` is the name) is known to be read-only with these arguments, and runs nothing
/// that is around it.
pub fn judge(argv: &[Word], scene: &Scene<'_>, look_through: &mut LookThrough<'_>) -> Result<(), Refused> {
    let Some((first, rest)) = argv.split_first() else {
        return Err(Refused::new("", "there is no command"));
    };
    let Some(name) = first.known() else {
        return Err(Refused::new(
            &first.text,
            format!("which command `{}` is, is not known before it runs", first.text),
        ));
    };
    // Headings of several words and shared blocks are no commands that anybody can type.
    if name.contains(' ') || name.starts_with('@') {
        return Err(not_known(name));
    }
    under(name, rest, scene, look_through)
}

pub fn is_known(name: &str) -> bool {
    !name.contains(' ') && !name.starts_with('@') && Entry::of(name).is_some()
}

/// Judges what follows the command `name`, which may be several words long (`git stash`).
fn under(name: &str, words: &[Word], scene: &Scene<'_>, look_through: &mut LookThrough<'_>) -> Result<(), Refused> {
    // A heading with a blank is reached word by word, never by a word that holds the blank.
    let entry = Entry::of(name).ok_or_else(|| not_known(name))?;
    if let Some(other) = entry.get("as") {
        return under(other, words, scene, look_through);
    }
    if is_help(words) && !["stop", "runs", "helpless"].iter().any(|line| entry.has(line)) {
        return trap::check(name, &entry, scene);
    }
    if let Some((_, why)) = entry.get("never").map(split_reason) {
        return Err(Refused::new(name, format!("`{name}` {why}")));
    }
    match entry.get("grammar") {
        Some("find") => return find::judge(name, &entry, words, scene, look_through),
        Some("python") => {
            if let Some(verdict) = python::judge(name, words, scene, look_through) {
                return verdict;
            }
        }
        Some(_) => return Err(not_known(name)),
        None => {}
    }
    if entry.has("responds") {
        operands::no_response_file(name, words)?;
    }
    let line = Line::read(name, &entry, words)?;
    has_what_it_needs(&entry, &line)?;
    let moved = there(&entry, &line, scene);
    let scene = moved.as_ref().unwrap_or(scene);
    if !spares(&entry, &line) {
        trap::check(name, &entry, scene)?;
    }
    entry.all("format").try_for_each(|rule| format::judge(&line, rule))?;
    for command in &line.commands {
        look_through(Inner::Argv(command), scene)?;
    }
    if entry.has("sub") {
        // Where the options before the verb may also stand behind it, they are judged there.
        let before = &words[..words.len() - line.operands.len()];
        let carried = if entry.has("carries") { before } else { &[] };
        return sub(&entry, &line, carried, scene, look_through);
    }
    if let Some(count) = entry.get("runs") {
        return runs(count.parse().unwrap_or(usize::MAX), &line, scene, look_through);
    }
    words_allowed(&entry, &line)?;
    match entry.get("read") {
        Some(grammar) => read::judge(grammar, &line, scene, look_through),
        None => Ok(()),
    }
}

/// Whether the verb is one that says for itself what is a trap for it.
fn spares(entry: &Entry, line: &Line<'_>) -> bool {
    let verb = line.operands.first().and_then(|word| word.known());
    verb.is_some_and(|verb| entry.all("spares").any(|verbs| sheet::has(verbs, verb)))
}

/// The scene behind options like `git -C`: each leads on from the one before it.
fn there<'a>(entry: &Entry, line: &Line<'_>, scene: &Scene<'a>) -> Option<Scene<'a>> {
    let mut moved: Option<Scene<'a>> = None;
    for given in &line.options {
        if let (Some(Kind::Below | Kind::Folder), Some(folder)) = (entry.option(&given.name), &given.value) {
            moved = Some(moved.as_ref().unwrap_or(scene).moved(folder));
        }
    }
    moved
}

/// Some commands read only with a certain option: `need -t --list : …`.
fn has_what_it_needs(entry: &Entry, line: &Line<'_>) -> Result<(), Refused> {
    for need in entry.all("need") {
        let (names, why) = split_reason(need);
        if !line.has_one_of(names) {
            let verb = line.command.split_once(' ').map_or("", |(_, verb)| verb);
            return Err(Refused::new(line.command, format!("`{}` {}", line.command, why.replace("<verb>", verb))));
        }
    }
    Ok(())
}

/// Whether the command is only asked what it can do. Not `-h`, which means something else to many.
fn is_help(words: &[Word]) -> bool {
    matches!(words, [word] if word.known() == Some("--help"))
}

/// The first operand names what is done.
fn sub(
    entry: &Entry,
    line: &Line<'_>,
    carried: &[Word],
    scene: &Scene<'_>,
    look_through: &mut LookThrough<'_>,
) -> Result<(), Refused> {
    let command = line.command;
    let Some((first, rest)) = line.operands.split_first() else {
        return match entry.get("bare") {
            Some(names) if names.is_empty() || line.has_one_of(names) => Ok(()),
            Some(_) | None => Err(not_known(command)),
        };
    };
    let Some(verb) = first.known() else {
        return Err(Refused::new(
            &first.text,
            format!("what `{command} {}` does is not known before it runs", first.text),
        ));
    };
    let name = format!("{command} {verb}");
    if verb.contains(' ') {
        return Err(not_known(&name));
    }
    if let Some(why) = entry.not(verb) {
        if entry.has("helps") && is_help(&owned(rest)) {
            return Ok(());
        }
        return Err(Refused::new(&name, format!("`{name}` {why}")));
    }
    let words: Vec<Word> = carried.iter().cloned().chain(owned(rest)).collect();
    under(&name, &words, scene, look_through)
}

/// What follows `count` operands is run.
fn runs(count: usize, line: &Line<'_>, scene: &Scene<'_>, look_through: &mut LookThrough<'_>) -> Result<(), Refused> {
    if let Some(word) = line.operands.iter().take(count).find(|word| !word.is_one_word()) {
        let why = format!("`{}` may become several words, and one of them what `{}` runs", word.text, line.command);
        return Err(Refused::new(&word.text, why));
    }
    match line.operands.get(count..) {
        Some([]) | None => Ok(()),
        Some(command) => look_through(Inner::Argv(&owned(command)), scene),
    }
}

/// Whether the operands are what the sheet allows: what one of its `words` lines with a true condition describes.
fn words_allowed(entry: &Entry, line: &Line<'_>) -> Result<(), Refused> {
    if entry.has("any") {
        return Ok(());
    }
    // Whether a word is a value or a verb is for the command to say, so it may be neither.
    let given = line.options.iter().filter_map(|given| given.value.as_ref());
    for word in line.operands.iter().copied().chain(given) {
        if let Some(why) = word.known().and_then(|text| entry.not(text)) {
            return Err(Refused::new(&word.text, format!("`{} {}` {why}", line.command, word.text)));
        }
    }
    let mut verdict = Err(not_known(line.command));
    for rule in entry.all("words") {
        let (rule, why) = split_reason(rule);
        let (rule, with) = rule.split_once(" with ").unwrap_or((rule, ""));
        if with.is_empty() || line.has_one_of(with) {
            verdict = operands::judge(rule, why, line);
        }
        if verdict.is_ok() {
            break;
        }
    }
    verdict
}

fn not_known(name: &str) -> Refused {
    Refused::new(name, format!("`{name}` is not known to be read-only"))
}
