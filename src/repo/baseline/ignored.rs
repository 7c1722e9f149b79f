//! Ignored files, by name: which there are when a watch begins, and which new ones only a newer rule hides. An agent that
//! writes a file and the rule that ignores it hides nothing so.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use super::git::{GitAt, pieces, quoted};
use super::kept::Kept;
use super::snapshot::{Scene, Snapshot};
use super::uncovered::is_rules;
use super::worktree::OURS;
use super::{GitBaseline, compare, restore};
use crate::app::ports::BaselineError;
use crate::files::regular;
use crate::git::paths::{bare, without_magic};
use crate::git::{Error, Oid};

const DOING: &str = "looking for files that are ignored";

/// What is ignored, and by which rules as far as they stand in no file of the working tree's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ignored {
    /// By name; of a folder that a rule names, the folder alone, with a slash at its end.
    pub names: BTreeSet<Vec<u8>>,
    /// The lines of `info/exclude` and of the files that git's configuration names.
    pub rules: BTreeSet<Vec<u8>>,
}

impl Ignored {
    pub(super) fn of(scene: &Scene<'_>) -> Result<Self, BaselineError> {
        let mut found = Self::default();
        if scene.git.top.is_none() {
            return Ok(found);
        }
        let words = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
        let listed = scene.git.ask(DOING, &words, Vec::new())?;
        let names = pieces(&listed).filter(|path| !path.starts_with(OURS.as_bytes()));
        found.names = names.map(<[u8]>::to_vec).collect();
        let own = scene.common_dir.join("info/exclude");
        for file in std::iter::once(&own).chain(&scene.reading.ignores) {
            // One that cannot be read holds no rules, and what it ignored is asked about.
            let text = regular::bytes(file, regular::LONG).unwrap_or_default();
            found.rules.extend(text.split(|byte| *byte == b'\n').map(|line| line.trim_ascii_end().to_vec()));
        }
        Ok(found)
    }

    /// Those that say which files are ignored. Their content is watched like that of any other file.
    pub(super) fn rule_files(&self) -> BTreeSet<Vec<u8>> {
        self.names.iter().filter(|path| is_rules(path)).cloned().collect()
    }

    /// Whether a file was ignored, or lay in a folder of which all was, by its name as git quotes it.
    pub(super) fn holds_named(&self, name: &str) -> bool {
        let is_it = |one: &Vec<u8>| {
            let one = quoted(one);
            one == name || one.ends_with('/') && name.starts_with(&one)
        };
        self.names.iter().any(is_it)
    }
}

/// New files that no rule of `base` ignores, of those that are ignored `now`.
pub(super) fn hidden_since(scene: &Scene<'_>, base: &Kept, now: &Ignored) -> Result<BTreeSet<Vec<u8>>, BaselineError> {
    let (Some(before), Some((_, tree))) = (&base.record.ignored, base.trees) else { return Ok(BTreeSet::new()) };
    let new: Vec<&[u8]> = now.names.difference(&before.names).map(Vec::as_slice).collect();
    let mut hidden = BTreeSet::new();
    let mut known = BTreeMap::new();
    for (rule, path) in matches(&scene.git, &new)? {
        let is_known = if is_rules(&rule.file) {
            is_of_before(scene, tree, &rule, &mut known)?
        } else {
            before.rules.contains(rule.words.trim_ascii_end())
        };
        if is_known {
            continue;
        }
        // What a rule names as a folder is there as one.
        let folder = [path.as_slice(), b"/"].concat();
        if !now.names.contains(&folder) {
            hidden.insert(path);
        } else if scene
            .folders()?
            .is_some_and(|all| all.look(&[&folder, &b".git"[..]].concat()).is_ok_and(|is| is.is_some()))
        {
            hidden.insert(folder);
        } else {
            let words = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--"].map(Vec::from);
            let words: Vec<OsString> = words.into_iter().chain([folder]).map(OsString::from_vec).collect();
            hidden.extend(pieces(&scene.git.succeed(DOING, scene.git.git(words))?).map(<[u8]>::to_vec));
        }
    }
    Ok(hidden)
}

impl GitBaseline<'_> {
    /// Files of the baseline that are on the disk and that git does not list any more.
    pub(super) fn hidden(&self, base: &Kept, now: &Snapshot) -> Result<BTreeSet<Vec<u8>>, BaselineError> {
        let (Some((_, tree)), Some(checkout), Some(folders)) = (base.trees, &now.checkout, self.scene()?.folders()?)
        else {
            return Ok(BTreeSet::new());
        };
        let gone = compare::differing(self.repo()?, tree, checkout.tree)?.into_iter().filter(|one| one.new.is_none());
        let paths = gone.map(|one| one.path).chain(base.record.unkept.keys().cloned());
        let known = &checkout.files;
        let is_repository =
            |path: &&Vec<u8>| folders.look(&[path, b"/.git".as_slice()].concat()).is_ok_and(|found| found.is_some());
        let nested = base.record.nested.keys().filter(|path| !known.nested.contains_key(*path)).filter(is_repository);
        let nested = nested.map(|path| [path, b"/".as_slice()].concat());
        Ok(paths
            .filter(|path| !known.files.contains_key(path) && !known.unkept.contains_key(path))
            .filter(|path| {
                folders.look(path).is_ok_and(|found| found.is_some_and(|found| restore::has_content(&found)))
            })
            .chain(nested)
            .collect())
    }
}

/// A rule that ignores a path: the file that it stands in, and its words.
struct Rule {
    file: Vec<u8>,
    words: Vec<u8>,
}

/// The rule that ignores each of these paths. One that git lists as a folder, since all in it is ignored, has none.
fn matches(git: &GitAt<'_>, paths: &[&[u8]]) -> Result<Vec<(Rule, Vec<u8>)>, BaselineError> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let fed = without_magic(paths.iter().map(|path| path.strip_suffix(b"/").unwrap_or(path)));
    let asks = git.git(["check-ignore", "-z", "-v", "--stdin"]).with("GIT_LITERAL_PATHSPECS", "0");
    let ran = git.try_ask(DOING, asks.fed(fed))?;
    // With no match it ends with 1.
    if !matches!(ran.code, 0 | 1) {
        return Err(BaselineError::failed(DOING, String::from_utf8_lossy(&ran.stderr)));
    }
    let mut parts = ran.stdout.split(|byte| *byte == 0).map(<[u8]>::to_vec);
    let mut found = Vec::new();
    while let (Some(file), Some(_), Some(words), Some(path)) = (parts.next(), parts.next(), parts.next(), parts.next())
    {
        found.push((Rule { file, words }, bare(&path).to_vec()));
    }
    Ok(found)
}

/// Whether a rule stood in the same file before; `known` are the files that were read.
fn is_of_before(
    scene: &Scene<'_>,
    tree: Oid,
    rule: &Rule,
    known: &mut BTreeMap<Vec<u8>, Vec<u8>>,
) -> Result<bool, BaselineError> {
    let failed = |error: Error| BaselineError::failed(DOING, error);
    if !known.contains_key(&rule.file) {
        let blob = scene.repo.at_path(tree, &rule.file).map_err(failed)?;
        let text = blob.map(|(_, id)| scene.repo.blob(id).map_err(failed)).transpose()?.unwrap_or_default();
        known.insert(rule.file.clone(), text);
    }
    let text = known.get(&rule.file).map(Vec::as_slice).unwrap_or_default();
    Ok(text.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_end() == rule.words.trim_ascii_end()))
}
