//! What became of a repository since a snapshot: every difference, what of it is none, and what nobody can tell.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::compare::{self, Comparison};
use super::gitdir::{self, Settings};
use super::kept::Kept;
use super::snapshot::Snapshot;
use super::steps::{self, Steps};
use super::{GitBaseline, IGNORING, SETTINGS, configured, git, uncovered, worktrees};
use crate::app::ports::BaselineError;
use crate::domain::drift::{Change, Drift, Spot};
use crate::files::regular;

/// What nobody can tell once other files are ignored than at first: their names would cost a walk through everything
/// that was ever built or downloaded.
const UNSEEN: &str = "what is ignored changed: files that were ignored when the session began are not in the baseline, \
    and one that is gone is not named, nor is a new one that is ignored by now";
/// The same of a watch, which names new ones.
const GONE: &str = "what is ignored changed: a file that was ignored before and is gone by now is not named";
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
            // A watch knows what was.
            let was = |one: &Drift| base.record.ignored.as_ref().is_none_or(|was| was.holds_named(one.spot.name()));
            for one in drift.iter_mut().filter(new).filter(|one| was(one)) {
                one.stays.get_or_insert_with(|| why.clone());
            }
        }
        let settings = if base.record.ignored.is_some() { self.watched_settings()? } else { self.settings() };
        let known = |one: &Drift| {
            let file = configured::below(one.spot.name(), self.git.top.as_ref());
            file.is_some_and(|file| drift.iter().any(|one| matches!(&one.spot, Spot::File(name) if name == file)))
        };
        let changed: Vec<Drift> =
            self.changed_settings(notes, &settings).into_iter().filter(|one| !known(one)).collect();
        drift.extend(changed);
        if drift.iter().any(|one| gitdir::says_what_is_ignored(&one.spot)) {
            said.push(if base.record.ignored.is_some() { GONE } else { UNSEEN }.to_owned());
        }
        let unkept = base.record.unkept.keys().map(|path| git::quoted(path));
        said.extend(unkept.map(|path| format!("{path} is known by size and hash alone and could not be brought back")));
        Ok((drift, said))
    }

    /// The file of a setting, which is in the git directory of this worktree or in that of all of them.
    fn setting_file(&self, name: &str) -> PathBuf {
        let own = self.git.dir.join(name);
        if own.exists() { own } else { self.common_dir.join(name) }
    }

    /// What stands there now.
    pub(super) fn setting_print(&self, name: &str) -> Option<String> {
        let file = self.setting_file(name);
        gitdir::print_of(&file).or_else(|| Some(fs::read_link(file).ok()?.to_string_lossy().into_owned()))
    }

    fn changed_settings(&self, notes: &Path, found: &Settings) -> Vec<Drift> {
        let path = notes.join(SETTINGS);
        let Ok(expected) = regular::text(path, regular::LONG) else {
            return Vec::new();
        };
        let expected = gitdir::settings_noted(&expected);
        let steps = Steps::read(&steps::file(notes));
        let names: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
        let changed = names.into_iter().filter_map(|name| {
            let change = match (expected.get(name), found.get(name)) {
                (old, new) if old == new => return None,
                (None, _) => Change::Added,
                (_, None) => Change::Deleted,
                (Some(_), Some(_)) => Change::Modified,
            };
            let path = self.setting_file(name);
            Some(Drift {
                stays: Some("git grill has no copy of it".to_owned()),
                when: compare::modified(&path).map(|time| steps.around(time)).unwrap_or_default(),
                ..compare::plain(Spot::Setting(name.clone()), change)
            })
        });
        changed.collect()
    }
}
