//! What a comparison saw at each place that changed, as fingerprints that are only ever compared: a restore replaces what
//! was shown, and nothing that came after.

use std::collections::BTreeSet;

use super::GitBaseline;
use super::compare::differing;
use super::git::quoted;
use super::gitdir::says_what_is_ignored;
use super::kept::Kept;
use super::snapshot::Snapshot;
use crate::app::ports::BaselineError;
use crate::domain::drift::{Drift, Prints, Spot, Verification};
use crate::git::Repo;

/// How many names one message has.
const NAMES: usize = 4;

/// Fingerprints of what a snapshot has where something changed; `setting` is that of a file of the git directory. Nothing
/// there is a fingerprint, too: none.
fn of(
    repo: &Repo,
    base: &Kept,
    now: &Snapshot,
    drift: &[Drift],
    setting: &dyn Fn(&str) -> Option<String>,
) -> Result<Prints, BaselineError> {
    let mut prints = Prints::new();
    if drift.is_empty() {
        return Ok(prints);
    }
    let spots: BTreeSet<&Spot> = drift.iter().map(|one| &one.spot).collect();
    let mut enter = |spot: Spot, print: &dyn Fn() -> String| {
        if spots.contains(&spot) {
            let text = prints.entry(spot).or_default();
            text.push_str(&print());
            text.push('\n');
        }
    };
    enter(Spot::Head, &|| format!("{:?}", now.head));
    for (name, target) in &now.refs {
        enter(Spot::Ref(quoted(name)), &|| format!("{target:?}"));
    }
    for stash in &now.stashes {
        enter(Spot::Stash, &|| stash.line());
    }
    for (name, id) in &now.operations {
        enter(Spot::Operation(name.clone()), &|| id.to_string());
    }
    for one in drift {
        if let Spot::Setting(name) = &one.spot
            && let Some(print) = setting(name)
        {
            enter(one.spot.clone(), &|| print.clone());
        }
    }
    let (Some(checkout), Some((index, _))) = (&now.checkout, base.trees) else { return Ok(prints) };
    for (path, nested) in &checkout.files.nested {
        enter(Spot::Nested(quoted(path)), &|| format!("{nested:?}"));
    }
    for (path, file) in &checkout.files.files {
        enter(Spot::File(quoted(path)), &|| format!("{file:?}"));
    }
    for (path, unkept) in &checkout.files.unkept {
        enter(Spot::File(quoted(path)), &|| format!("{unkept:?}"));
    }
    for one in differing(repo, index, checkout.index)? {
        enter(Spot::Index(quoted(&one.path)), &|| format!("{:?}", one.new));
    }
    for ((path, stage), entry) in &checkout.special {
        enter(Spot::Index(quoted(path)), &|| format!("{stage} {entry:?}"));
    }
    Ok(prints)
}

fn changed(mut names: Vec<&str>, undone: &'static str) -> BaselineError {
    let more = names.len().saturating_sub(NAMES);
    names.truncate(NAMES);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    BaselineError::Changed { path: format!("{}{rest}", names.join(", ")), undone }
}

impl GitBaseline<'_> {
    /// Fingerprints of what is there where something changed.
    pub(super) fn prints(&self, base: &Kept, now: &Snapshot, drift: &[Drift]) -> Result<Prints, BaselineError> {
        of(self.repo()?, base, now, drift, &|name| self.setting_print(name))
    }

    /// The spots that are as they were shown. If one that a restore would change is not, nothing is brought back, not even
    /// the rest: branch, index and files belong together, and half of them would be a state that nobody was shown.
    pub(super) fn still_as_shown(
        &self,
        base: &Kept,
        now: &Snapshot,
        shown: &Verification,
    ) -> Result<BTreeSet<Spot>, BaselineError> {
        let found = self.prints(base, now, &shown.drift)?;
        let (same, moved): (Vec<&Drift>, Vec<&Drift>) =
            shown.drift.iter().partition(|one| found.get(&one.spot) == shown.prints.get(&one.spot));
        let names: Vec<&str> =
            moved.into_iter().filter(|one| one.remedy().is_some()).map(|one| one.spot.name()).collect();
        if names.is_empty() {
            Ok(same.into_iter().map(|one| one.spot.clone()).collect())
        } else {
            Err(changed(names, "nothing was brought back"))
        }
    }

    /// The same once the rules that say what is ignored are back: then a shown file may be gone, since it is ignored again.
    pub(super) fn still_shown_or_hidden(
        &self,
        base: &Kept,
        now: &Snapshot,
        shown: &Verification,
    ) -> Result<(), BaselineError> {
        let found = self.prints(base, now, &shown.drift)?;
        let others = shown.drift.iter().filter(|one| {
            matches!(one.spot, Spot::File(_)) && one.remedy().is_some() && !says_what_is_ignored(&one.spot)
        });
        let moved = others.filter(|one| {
            let print = found.get(&one.spot);
            print.is_some() && print != shown.prints.get(&one.spot)
        });
        let names: Vec<&str> = moved.map(|one| one.spot.name()).collect();
        if names.is_empty() { Ok(()) } else { Err(changed(names, "nothing more was brought back")) }
    }
}
