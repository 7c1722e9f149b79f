//! Traps: what in or above the working folder would make a command run a program or code of the repository.
//!
//! A sheet names them (`trap above .cargo/config.toml : …`). Where one is present the command is refused, and the refusal
//! says which file or setting a person has to look at. What cannot be looked at counts as present.

use super::scene::Scene;
use super::sheet::{Entry, has, split_reason};
use super::{git_keys, python, toolchain};
use crate::policy::quote::quoted;
use crate::policy::shell::Refused;
use crate::policy::surroundings::{Content, Found, Reach, Repository, Surroundings, What};

/// The kinds of `trap` lines.
#[cfg(test)]
pub(super) const KINDS: &[&str] = &[
    "above",
    "here",
    "folder",
    "holds",
    "keys",
    "listed",
    "git",
    "network",
    "pager",
    "submodules",
    "variable",
    "python",
    "toolchain",
];

/// The predicate of a trap that says no more than that.
const USUAL: &str = "may run what it names";

/// Refuses `command` where one of its sheet's traps is around.
pub(super) fn check(command: &str, entry: &Entry, scene: &Scene<'_>) -> Result<(), Refused> {
    if !entry.has("trap") {
        return shims(command, entry, scene);
    }
    let looks_around = entry.all("trap").any(|trap| !trap.starts_with("variable "));
    if looks_around && scene.places.is_elsewhere() {
        let why = format!("type it from a folder of the repository: `{command}` may run what is configured elsewhere");
        return Err(Refused::new(command, why));
    }
    for trap in entry.all("trap") {
        let (trap, why) = split_reason(trap);
        let (kind, rest) = trap.split_once(' ').unwrap_or((trap, ""));
        for folder in scene.places.folders() {
            one(&Trap { command, kind, rest, why: if why.is_empty() { USUAL } else { why } }, folder, scene)?;
        }
    }
    shims(command, entry, scene)
}

/// The files of version managers, with the words by which they lead to a program elsewhere: `path:./x` with asdf and mise,
/// `../../x` with older versions of pyenv and rbenv.
const SHIMS: &[&str] = &[
    ".tool-versions path: ref: ..",
    ".python-version path: ref: ..",
    ".ruby-version path: ref: ..",
    ".node-version path: ref: ..",
    ".perl-version path: ref: ..",
    ".java-version path: ref: ..",
];

/// Version managers stand in for any program, and take its place from a file that they look for in every folder above.
fn shims(command: &str, entry: &Entry, scene: &Scene<'_>) -> Result<(), Refused> {
    if !entry.is_shimmed {
        return Ok(());
    }
    for file in SHIMS {
        let trap = Trap { command, kind: "holds", rest: file, why: USUAL };
        scene.places.folders().try_for_each(|folder| one(&trap, folder, scene))?;
    }
    Ok(())
}

struct Trap<'a> {
    command: &'a str,
    kind: &'a str,
    rest: &'a str,
    why: &'a str,
}

impl Trap<'_> {
    fn sprung(&self, shown: &str) -> Refused {
        let (command, why) = (self.command, self.why);
        Refused::new(command, format!("ask the person to look at {}: `{command}` {why}", named(shown)))
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.rest.split_ascii_whitespace()
    }
}

fn one(trap: &Trap<'_>, folder: &str, scene: &Scene<'_>) -> Result<(), Refused> {
    let around = scene.around;
    let found = |reach: Reach, name: &str| around.find(folder, reach, name);
    let present = |found: Vec<Found>, odd: &dyn Fn(&What) -> bool| match found.iter().find(|found| odd(&found.what)) {
        Some(found) => Err(trap.sprung(&found.shown)),
        None => Ok(()),
    };
    match trap.kind {
        "above" => trap.names().try_for_each(|name| present(found(Reach::Above, name), &|_| true)),
        "here" => trap.names().try_for_each(|name| present(found(Reach::Here, name), &|_| true)),
        // A file where a folder is usual leads on to another place.
        "folder" => {
            trap.names().try_for_each(|name| present(found(Reach::Above, name), &|what| !matches!(what, What::Folder)))
        }
        "holds" => {
            let (name, words) = trap.rest.split_once(' ').unwrap_or((trap.rest, ""));
            present(found(Reach::Above, name), &|what| !is_text(what, &|text| holds_none(text, words)))
        }
        "keys" => {
            let (name, keys) = trap.rest.split_once(' ').unwrap_or((trap.rest, ""));
            present(found(Reach::Above, name), &|what| !is_text(what, &|text| only_these_keys(text, keys)))
        }
        "toolchain" => trap
            .names()
            .try_for_each(|name| present(found(Reach::Above, name), &|what| !is_text(what, &toolchain::is_a_channel))),
        "listed" => match around.names(folder) {
            None => Err(trap.sprung("this folder, which cannot be read")),
            Some(names) => match names.iter().find(|name| trap.names().any(|pattern| is_like(name, pattern))) {
                Some(name) => Err(trap.sprung(name)),
                None => Ok(()),
            },
        },
        "git" => git(trap, &around.repository(folder), around, git_keys::Reaching::Nothing),
        "pager" => git(trap, &around.repository(folder), around, git_keys::Reaching::Pager),
        "network" => git(trap, &around.repository(folder), around, git_keys::Reaching::Remotes),
        "submodules" => around
            .submodules(folder)
            .iter()
            .try_for_each(|submodule| repository(trap, submodule, git_keys::Reaching::Nothing)),
        "variable" => trap.names().try_for_each(|name| variable(trap, name, around)),
        "python" => python::module_here(folder, around).map_or(Ok(()), |module| Err(trap.sprung(&module))),
        // A kind that is not known is no reason to go ahead.
        _ => Err(trap.sprung(trap.kind)),
    }
}

/// The most characters of a name out of the repository that a refusal repeats.
const LONGEST: usize = 60;

/// A name out of the repository, which may be anything.
fn named(foreign: &str) -> String {
    let short: String = foreign.chars().take(LONGEST).collect();
    quoted(&if short.len() < foreign.len() { short + "…" } else { short })
}

fn variable(trap: &Trap<'_>, name: &str, around: &dyn Surroundings) -> Result<(), Refused> {
    match around.variable(name) {
        Some(value) if !git_keys::is_plain_program(name, &value) => Err(trap.sprung(&format!("{name}={value}"))),
        Some(_) | None => Ok(()),
    }
}

/// What git itself runs here: as its variables say, or the repository that it finds.
fn git(
    trap: &Trap<'_>,
    found: &Repository,
    around: &dyn Surroundings,
    reaching: git_keys::Reaching,
) -> Result<(), Refused> {
    let settings = match found {
        Repository::Own { settings, .. } => settings.as_slice(),
        Repository::Missing | Repository::Foreign(_) | Repository::Unclear(_) => &[],
    };
    git_keys::variables(settings, reaching).try_for_each(|name| variable(trap, name, around))?;
    repository(trap, found, reaching)
}

fn repository(trap: &Trap<'_>, found: &Repository, reaching: git_keys::Reaching) -> Result<(), Refused> {
    let command = trap.command;
    match found {
        Repository::Missing => Ok(()),
        Repository::Foreign(place) => Err(Refused::new(
            command,
            format!(
                "type it from the session's own repository: here `{command}` takes the one at {}, and may run \
                 programs that it configures",
                named(place)
            ),
        )),
        Repository::Unclear(why) => {
            let why = named(why);
            Err(Refused::new(command, format!("ask the person: it is not known what `{command}` runs here ({why})")))
        }
        Repository::Own { settings, hooks } => {
            if let Some(hook) = hooks.first() {
                return Err(Refused::new(
                    command,
                    format!("ask the person to look at the hook {}: `{command}` may run it", named(hook)),
                ));
            }
            match git_keys::running(settings, reaching) {
                Some(setting) => Err(Refused::new(
                    command,
                    format!(
                        "ask the person to look at {} in {}: `{command}` may run what it names",
                        named(&setting.key),
                        named(&setting.file)
                    ),
                )),
                None => Ok(()),
            }
        }
    }
}

fn is_text(what: &What, harmless: &dyn Fn(&str) -> bool) -> bool {
    match what {
        What::File(Content::Text(text)) => harmless(text),
        // A folder of that name is not read.
        What::Folder => true,
        What::File(Content::Bytes(_)) | What::Unclear => false,
    }
}

/// Whether none of the words stands in the text. A backslash may spell any of them.
fn holds_none(text: &str, words: &str) -> bool {
    let text = text.to_lowercase();
    !text.contains('\\') && words.split_ascii_whitespace().all(|word| !text.contains(word))
}

/// Whether every line that says something sets one of these keys, or begins one of these `[sections]`.
///
/// A line like `"a", "b"]` belongs to a list; a quoted key has a `=`.
fn only_these_keys(text: &str, keys: &str) -> bool {
    let is_allowed = |name: &str| keys.split_ascii_whitespace().any(|key| is_like(name, key));
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])).all(|line| match line
        .split_once('=')
    {
        Some((key, _)) => is_allowed(key.trim()),
        None if line.starts_with('[') => is_allowed(line),
        None => line.starts_with(['"', '\'', ']']) || has(keys, line),
    })
}

/// Whether `name` is what `pattern` says, in which one `*` stands for anything.
fn is_like(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((before, behind)) => {
            name.len() >= before.len() + behind.len() && name.starts_with(before) && name.ends_with(behind)
        }
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_known_keys_is_harmless() {
        let keys = "registry @*:registry //*:_authToken save-exact [user] name";
        for text in [
            "",
            "# git=./evil\n\nregistry = https://x/\n",
            "@a:registry=https://x\n//x/:_authToken=${T}\nsave-exact=true\r\n",
            "[user]\nname = \"x\"\n",
        ] {
            assert!(only_these_keys(text, keys), "{text}");
        }
        for text in [
            "git=./evil",
            "\"git\"=./evil",
            "git",
            "[ui]\nname = 1",
            "registry=x\n git = y",
            "\u{feff}git=x",
            "[user] # x",
        ] {
            assert!(!only_these_keys(text, keys), "{text}");
        }
    }

    #[test]
    fn a_word_that_could_be_spelled_otherwise_counts() {
        assert!(holds_none("python 3.12\nnode 20\n", "path: ref:"));
        assert!(!holds_none("python PATH:./evil", "path: ref:"));
        assert!(!holds_none("python p\\x61th:./evil", "path: ref:"));
    }
}
