//! `python -m pip`: the same as `pip`, but modules are looked for in the working folder first, also those that pip
//! itself uses. `-I` and `-P` leave that folder out.

use super::scene::Scene;
use super::{LookThrough, trap, under};
use crate::policy::commands::sheet::Entry;
use crate::policy::shell::Refused;
use crate::policy::shell::word::Word;
use crate::policy::surroundings::{Reach, Surroundings, What};

/// Options that leave the working folder out.
const ISOLATED: &[&str] = &["-I", "-P", "-IP", "-PI"];
/// Options that change nothing about what is run.
const PLAIN: &[&str] = &["-B", "-E", "-s", "-u", "-q"];

/// Names of modules in the top folder of many projects that neither Python nor pip has.
const USUAL: &[&str] = &[
    "setup", "conftest", "manage", "noxfile", "tasks", "fabfile", "main", "app", "wsgi", "asgi", "tests", "docs",
    "examples", "scripts", "src",
];
/// What a module may be.
const ENDINGS: &[&str] = &[".py", ".pyc", ".so", ".pyd", ".pyw"];

/// What `python -m pip …` is, if the words are that: whether the folder is left out, and the words behind `pip`.
fn pip(words: &[Word]) -> Option<(&[Word], bool)> {
    let mut isolated = false;
    let mut rest = words.iter();
    loop {
        let option = rest.next()?.known()?;
        if option == "-m" {
            break;
        }
        isolated |= ISOLATED.contains(&option);
        if !ISOLATED.contains(&option) && !PLAIN.contains(&option) {
            return None;
        }
    }
    (rest.next()?.known() == Some("pip")).then_some((rest.as_slice(), isolated))
}

/// Judges `python -m pip …`; `None` when it is something else.
pub(super) fn judge(
    command: &str,
    words: &[Word],
    scene: &Scene<'_>,
    look_through: &mut LookThrough<'_>,
) -> Option<Result<(), Refused>> {
    let (rest, isolated) = pip(words)?;
    let entry = Entry::of(if isolated { "@isolated" } else { "@module" })?;
    let named = format!("{command} -m pip");
    Some(trap::check(&named, &entry, scene).and_then(|()| under("pip", rest, scene, look_through)))
}

/// A module in the folder that Python or pip could take for one of theirs.
pub(super) fn module_here(folder: &str, around: &dyn Surroundings) -> Option<String> {
    let Some(names) = around.names(folder) else {
        return Some("this folder, which cannot be read".to_owned());
    };
    let unusual = |stem: &str| !USUAL.contains(&stem);
    names.into_iter().find(|name| {
        if let Some(ending) = ENDINGS.iter().find(|ending| name.ends_with(**ending)) {
            return unusual(name.trim_end_matches(ending));
        }
        unusual(name) && is_package(folder, name, around)
    })
}

fn is_package(folder: &str, name: &str, around: &dyn Surroundings) -> bool {
    // A folder with a dot in its name is no module.
    !name.contains('.')
        && ENDINGS.iter().any(|ending| {
            let found = around.find(folder, Reach::Here, &format!("{name}/__init__{ending}"));
            found.iter().any(|found| found.what != What::Folder)
        })
}
