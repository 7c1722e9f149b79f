//! What became of a repository since a snapshot: every difference, what of it is none, and what nobody can tell.

use std::collections::BTreeSet;
use std::path::Path;

use super::compare::{self, Comparison};
use super::gitdir;
use super::kept::Kept;
use super::snapshot::Snapshot;
use super::steps::{self, Steps};
use super::{GitBaseline, IGNORING, SETTINGS, git, uncovered, worktrees};
use crate::app::ports::BaselineError;
use crate::domain::drift::{Change, Drift, Spot};
use crate::files::regular;

/// What nobody can tell once other files are ignored than at first: their names would cost a walk through everything
/// that was ever built or downloaded.
const UNSEEN: &str = "what is ignored changed: files that were ignored when the session began are not in the baseline, \
    and one that is gone is not named, nor is a new one that is ignored by now";
/// How many files that were ignored before are noted by name.
const NOTED: usize = 20;
impl GitBaseline<'_> {
    /// What says now which files are ignored.
    pub(super) fn ignoring(&self) -> String {
        gitdir::ignoring(&self.common_dir, &self.reading)
    }

    /// Why a file that seems to be new may be one that was ignored when the baseline was taken. Noted once, then: what
    /// is expected of the configuration moves on with the session and its end.
    pub(super) fn doubt(&self, notes: &Path) -> Option<String> {
        const WHY: &str = "and it may have been ignored before";
        let Ok(then) = regular::text(notes.join(IGNORING), regular::LONG) else {
            return Some(format!("what was ignored is not known, {WHY}"));
        };
        let all = self.ignoring();
        // The first line is about the case, which an earlier git grill did not note.
        let now = match all.split_once('\n') {
            Some((_, files)) if !then.lines().any(|line| line.ends_with(gitdir::CASE)) => files,
            Some(_) | None => all.as_str(),
        };
        let changed = now.lines().zip(then.lines()).find(|(now, then)| now != then);
        match changed.and_then(|(_, then)| then.split_once('\t')) {
            Some((_, path)) if path.ends_with("info/exclude") => Some(format!("info/exclude changed {WHY}")),
            Some((_, path)) => Some(format!("{path} changed {WHY}")),
            None if now == then => None,
            None => Some(format!("core.excludesFile changed {WHY}")),
        }
    }

    /// Every difference, and what should be known besides; `notes` is the folder beside the baseline.
    pub(super) fn drift(
        &self,
        notes: &Path,
        base: &Kept,
        now: &Snapshot,
    ) -> Result<(Vec<Drift>, Vec<String>), BaselineError> {
        let folders = self.scene()?.folders()?;
        let (mut drift, mut said) = Comparison {
            repo: self.repo()?,
            base,
            now,
            folders: folders.as_ref(),
            steps: &Steps::read(&steps::file(notes)),
            marks: &self.marks(),
            others: &worktrees::Others::of(&self.common_dir, &self.git),
        }
        .run()?;
        let uncovered = uncovered::uncovered(&self.scene()?, base, now, notes)?;
        let names: BTreeSet<String> = uncovered.iter().map(|path| git::quoted(path)).collect();
        drift.retain(|one| !matches!(&one.spot, Spot::File(name) if names.contains(name)));
        said.extend(names.iter().take(NOTED).map(|name| format!("{name} is not new: a rule that is gone ignored it")));
        if names.len() > NOTED {
            said.push(format!("{} more files are not new: rules that are gone ignored them", names.len() - NOTED));
        }
        if let Some(why) = self.doubt(notes) {
            let new = |one: &&mut Drift| matches!(one.spot, Spot::File(_)) && one.change == Change::Added;
            for one in drift.iter_mut().filter(new) {
                one.stays.get_or_insert_with(|| why.clone());
            }
        }
        drift.extend(self.changed_settings(notes));
        if drift.iter().any(|one| gitdir::says_what_is_ignored(&one.spot)) {
            said.push(UNSEEN.to_owned());
        }
        let unkept = base.record.unkept.keys().map(|path| git::quoted(path));
        said.extend(unkept.map(|path| format!("{path} is known by size and hash alone and could not be brought back")));
        Ok((drift, said))
    }

    fn changed_settings(&self, notes: &Path) -> Vec<Drift> {
        let path = notes.join(SETTINGS);
        let Ok(expected) = regular::text(path, regular::LONG) else {
            return Vec::new();
        };
        let expected = gitdir::settings_noted(&expected);
        let steps = Steps::read(&steps::file(notes));
        let found = self.settings();
        let names: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
        let changed = names.into_iter().filter_map(|name| {
            let change = match (expected.get(name), found.get(name)) {
                (old, new) if old == new => return None,
                (None, _) => Change::Added,
                (_, None) => Change::Deleted,
                (Some(_), Some(_)) => Change::Modified,
            };
            let own = self.git.dir.join(name);
            let path = if own.exists() { own } else { self.common_dir.join(name) };
            Some(Drift {
                stays: Some("git grill compares it and does not keep it".to_owned()),
                when: compare::modified(&path).map(|time| steps.around(time)).unwrap_or_default(),
                ..compare::plain(Spot::Setting(name.clone()), change)
            })
        });
        changed.collect()
    }
}
