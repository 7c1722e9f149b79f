//! Issues as files name the files that they depend on, so that none is approved while a file that it names waits.

use crate::domain::issue;
use crate::domain::production::{Production, Stage, Target, TargetPath, some_of};
use crate::output::is_tracked;
use crate::text::shell::word;

use super::error::AppError;
use super::leaving_out::named_file;

/// A file that cannot be approved as long as others wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needing {
    pub target: Target,
    /// What it depends on, itself or through others, and what waits; in the order of the plan.
    needed: Vec<Target>,
}

impl Needing {
    /// Refuses its approval, and names the command that approves all of it.
    pub fn refused(&self) -> AppError {
        let Self { target, needed } = self;
        let names = some_of(needed.iter().map(ToString::to_string).collect());
        let (waits, both) = if needed.len() == 1 { ("waits", "both") } else { ("wait", "all of them") };
        let words: Vec<String> = needed.iter().chain([target]).map(|one| word(&one.to_string())).collect();
        AppError::Declined {
            code: "needs_another",
            message: format!("{target} was not approved: it depends on {names}, which still {waits} for approval"),
            causes: Vec::new(),
            hint: format!("git grill approve {} approves {both}", words.join(" ")),
        }
    }
}

/// The first of the targets that depends on files which wait and are not among them.
pub fn needing(production: &Production, approved: &[&Target]) -> Option<Needing> {
    let outputs = production.plan.outputs.iter().filter(|output| is_tracked(&output.destination));
    for paths in outputs.map(|output| output.paths.as_slice()) {
        for path in paths.iter().filter(|path| is_among(path, approved)) {
            let missing = missing(production, path, paths, approved);
            if !missing.is_empty() {
                let needed = paths.iter().filter(|one| missing.contains(one)).cloned().map(Target::from).collect();
                return Some(Needing { target: path.clone().into(), needed });
            }
        }
    }
    None
}

fn is_among(path: &TargetPath, approved: &[&Target]) -> bool {
    approved.iter().any(|target| target.path() == Some(path))
}

/// The files that this one depends on, itself or through others, and that wait. What is approved with it is looked at by
/// itself.
fn missing<'p>(
    production: &Production,
    path: &'p TargetPath,
    paths: &'p [TargetPath],
    approved: &[&Target],
) -> Vec<&'p TargetPath> {
    let waits = |path: &TargetPath| {
        !is_among(path, approved) && production.file(path).is_some_and(|drafted| drafted.stage == Stage::Drafted)
    };
    let mut found: Vec<&TargetPath> = Vec::new();
    let mut open = vec![path];
    while let Some(drafted) = open.pop().and_then(|one| production.file(one)) {
        for named in issue::file_depends_on(&drafted.draft.content) {
            if let Some(needed) = named_file(&named, paths).filter(|needed| waits(needed) && !found.contains(needed)) {
                found.push(needed);
                open.push(needed);
            }
        }
    }
    found
}
