//! Direct dependencies, as manifests name them: which, where, and whether only development needs them.

mod lists;
mod tables;

use super::blobs::Blobs;
use super::foreign;
use super::shown_at;
use super::tree::Tracked;
use super::words::Terms;
use crate::domain::facts::Finding;

/// The most manifests that are read, those that lie highest first.
const MOST_MANIFESTS: usize = 40;
const MOST_DEPENDENCIES: usize = 40;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    Running,
    /// Only building or testing needs it.
    Development,
}

/// A dependency as a manifest names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) name: String,
    /// Its line, counted from 0.
    pub(super) line: usize,
    pub(super) used: Use,
}

pub(super) struct Dependency<'f> {
    pub(super) file: &'f Tracked,
    pub(super) named: Named,
}

type Parser = fn(&str) -> Vec<Named>;

fn parser(file: &Tracked) -> Option<Parser> {
    Some(match file.name() {
        "Cargo.toml" => tables::cargo,
        "pyproject.toml" => tables::pyproject,
        "Pipfile" => tables::pipfile,
        "setup.cfg" => lists::setup_cfg,
        "package.json" => tables::package_json,
        "composer.json" => tables::composer_json,
        "go.mod" => lists::go_mod,
        "Gemfile" => lists::gemfile,
        "pom.xml" => lists::pom,
        "build.gradle" | "build.gradle.kts" => lists::gradle,
        name if name.starts_with("requirements") && file.extension() == Some("txt") => lists::requirements,
        _ => return None,
    })
}

/// Folders whose manifests belong to an example or a test, and not to the project.
const ASIDE: &[&str] = &[
    "test",
    "tests",
    "testdata",
    "fixtures",
    "fixture",
    "example",
    "examples",
    "samples",
    "templates",
    "template",
    "bench",
    "benches",
    "docs",
    "fuzz",
];

/// Whether a path lies beside the project itself.
pub(super) fn is_aside(path: &str) -> bool {
    foreign::is_vendored(path)
        || path.rsplit_once('/').is_some_and(|(folders, _)| folders.split('/').any(|folder| ASIDE.contains(&folder)))
}

/// Every dependency, each name once: of the highest manifest, what runs before what develops.
pub(super) fn dependencies<'f>(files: &'f [Tracked], blobs: &Blobs<'_>) -> Vec<Dependency<'f>> {
    let mut manifests: Vec<(&Tracked, Parser)> =
        files.iter().filter(|file| !is_aside(&file.path)).filter_map(|file| Some((file, parser(file)?))).collect();
    manifests.sort_by(|(left, _), (right, _)| (left.depth(), &left.path).cmp(&(right.depth(), &right.path)));
    let mut found: Vec<Dependency<'_>> = Vec::new();
    for (file, parse) in manifests.into_iter().take(MOST_MANIFESTS) {
        for named in blobs.text(file).map(|text| parse(&text)).unwrap_or_default() {
            match found.iter_mut().find(|known| known.named.name == named.name) {
                // Used for running somewhere is used for running.
                Some(known) if known.named.used == Use::Development && named.used == Use::Running => {
                    *known = Dependency { file, named };
                }
                Some(_) => {}
                None => found.push(Dependency { file, named }),
            }
        }
    }
    found.sort_by_key(|dependency| dependency.named.used);
    found
}

/// Those that are entered: what the topic names first, and no more than anybody would read.
pub(super) fn findings(dependencies: &[Dependency<'_>], terms: &Terms) -> Vec<Finding> {
    let (named, others): (Vec<_>, Vec<_>) =
        dependencies.iter().partition(|dependency| !terms.found_in(&dependency.named.name).is_empty());
    named
        .into_iter()
        .chain(others)
        .take(MOST_DEPENDENCIES)
        .map(|Dependency { file, named }| match named.used {
            Use::Running => shown_at(file, named.line, &named.name),
            Use::Development => shown_at(file, named.line, &format!("{} (development)", named.name)),
        })
        .collect()
}
