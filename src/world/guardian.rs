//! The guardian: git hooks and the fence, armed while a session is active.
//!
//! Armed in this order: state, fence, hooks, trial; disarmed in the reverse one. The snapshot that comes before all of
//! it is the baseline's.

use std::path::{Path, PathBuf};

use crate::app::context::Guardian;
use crate::app::error::AppError;
use crate::app::reply::Protection;
use crate::domain::ids::SessionId;
use crate::domain::posture::{FenceStands, Fencing, Posture};
use crate::domain::session::Session;
use crate::fence::{self, FenceState, Layer, SessionState, Tended, Trial};
use crate::git::program::is_reftable;
use crate::hooks::{self, Disarmed, HookError, Place, Rule, Stand};
use crate::repo::baseline::as_hooks_change;
use crate::repo::open::{RepoEnv, open};
use crate::store::{active, posture};

use super::process::Programs;

/// Installs the hooks.
pub(super) fn arm(place: &Place) -> Result<Rule, HookError> {
    as_hooks_change(&place.common_dir, || hooks::arm(place, &Programs))
}

/// Takes them away.
pub(super) fn disarm(place: &Place) -> Result<Disarmed, HookError> {
    as_hooks_change(&place.common_dir, || hooks::disarm(place, &Programs))
}

/// Arms and disarms one worktree.
pub(super) struct HookProtection<'a> {
    pub place: Place,
    /// How its repository is found, to ask how a session stands.
    pub env: RepoEnv<'a>,
    /// Where the configuration has git look for hooks just now.
    pub hooks_path: Option<PathBuf>,
}

impl Guardian for HookProtection<'_> {
    fn arm(&self) -> Result<Protection, AppError> {
        let rule = arm(&self.place)?;
        let hooks = match rule {
            Rule::Configured => "configured hooks reference-transaction and pre-push",
            Rule::Beside => "hooks reference-transaction and pre-push",
            Rule::Folder => "hooks reference-transaction and pre-push, in a folder of ours that calls yours",
        };
        Ok(Protection { hooks: hooks.to_owned(), ..Protection::default() })
    }

    fn disarm(&self) -> Result<Vec<String>, AppError> {
        let disarmed = disarm(&self.place);
        // Whatever became of the hooks, a fence without a session would be in everybody's way.
        let kept = fence::lift(&self.place)?;
        fence::sweep(&self.place)?;
        let mut said: Vec<String> = match disarmed? {
            Disarmed::Removed { left } => {
                left.iter().map(|path| format!("{} was changed by somebody else and stays", path.display())).collect()
            }
            Disarmed::ArmedElsewhere => {
                vec!["another worktree has an active session, so its hooks stay; they let this one pass".to_owned()]
            }
        };
        said.extend(kept.iter().map(|path| kept_lock(path)));
        Ok(said)
    }

    fn ready(&self, fencing: Fencing) -> Result<(), AppError> {
        match fencing {
            Fencing::Off => Ok(()),
            Fencing::On => Ok(fence::ready(&self.place, fence::PATIENCE)?),
        }
    }

    fn hold(&self, session: &Session, fencing: Fencing) -> Result<Protection, AppError> {
        let id = session.id.as_str();
        let had = fence::session(&self.place)?.is_some_and(|before| before == id);
        if fencing == Fencing::On || had {
            match Posture::of(&session.phase) {
                Posture::ReadOnly { .. } => fence::raise(&self.place, id)?,
                Posture::Output { .. } | Posture::Open => drop(fence::lower(&self.place, id)?),
                Posture::Inactive => {}
            }
        } else {
            drop(fence::lift(&self.place)?);
        }
        let mut protection = self.arm()?;
        protection.fence = self.fence()?;
        if Posture::of(&session.phase) != Posture::Open {
            self.tried(id, protection.fence)?;
        }
        Ok(protection)
    }

    fn follow(&self, session: &Session) -> Result<(), AppError> {
        let (id, here) = (session.id.as_str(), standing_in(&session.phase));
        if here == SessionState::Output {
            // Commits go through from here on, and hooks that were added meanwhile must be asked about them.
            arm(&self.place)?;
        }
        self.tend_with(&|git_dir, held_for| {
            if git_dir == self.place.git_dir && held_for == id { here } else { self.standing(git_dir, held_for) }
        })
        .map(drop)
    }

    fn fence(&self) -> Result<FenceStands, AppError> {
        Ok(match fence::state(&self.place)? {
            FenceState::None => FenceStands::None,
            FenceState::Up => FenceStands::Up,
            FenceState::Down => FenceStands::Down,
            FenceState::Broken { .. } => FenceStands::Broken,
        })
    }

    fn lift(&self) -> Result<(), AppError> {
        match (self.fence()?, fence::session(&self.place)?) {
            // One with locks missing or misplaced is in the way as much as a whole one.
            (FenceStands::Up | FenceStands::Broken, Some(session)) => {
                drop(fence::lower(&self.place, &session)?);
            }
            (FenceStands::None | FenceStands::Down, _) | (FenceStands::Up | FenceStands::Broken, None) => {}
        }
        Ok(())
    }

    fn again(&self) -> Result<(), AppError> {
        self.tend().map(drop)
    }
}

impl HookProtection<'_> {
    /// Looks after what a crash may have left, and what other tools have done to the hooks; what was found, in sentences.
    pub(super) fn tend(&self) -> Result<Vec<String>, AppError> {
        let mut said = self.tend_with(&|git_dir, session| self.standing(git_dir, session))?;
        // A worktree without an active session keeps no hooks; `stop` and `git grill doctor` take them away.
        if let Ok(Some(id)) = self.pointer(&self.place.git_dir) {
            said.extend(self.rearmed(&id)?);
        }
        Ok(said)
    }

    /// Arms again where the hooks do not stand as they should; what was wrong with them, in a sentence.
    fn rearmed(&self, id: &SessionId) -> Result<Option<String>, AppError> {
        let said = match hooks::stand(&self.place, &Programs, self.hooks_path.as_deref())? {
            Stand::Sound => return Ok(None),
            // One that is over is only pointed to: whoever ended it died before it was done.
            Stand::Unrecorded if self.phase_standing(id) == SessionState::Gone => return Ok(None),
            // We run on although our own file is gone, and arming with that would have to be done again and again.
            Stand::ProgramGone(_) if !hooks::is_program(&self.place.binary) => return Ok(None),
            Stand::Edited => "somebody had changed the hooks of git grill, so they were installed anew".to_owned(),
            Stand::Moved => {
                "this repository was moved and git did not find the hooks of git grill, so they were installed anew"
                    .to_owned()
            }
            Stand::ProgramGone(program) => format!(
                "the hooks ran {}, which is gone, so git let everything pass; they were installed anew",
                program.display()
            ),
            Stand::Unrecorded => {
                "nothing was left that says which hooks are git grill's, so they were installed anew".to_owned()
            }
        };
        let _ = arm(&self.place)?;
        Ok(Some(said))
    }

    fn tend_with(&self, standing: &dyn Fn(&Path, &str) -> SessionState) -> Result<Vec<String>, AppError> {
        let mut said = Vec::new();
        for tended in fence::tend(&self.place, standing)? {
            match tended {
                Tended::Lifted { session, .. } => {
                    said.push(format!("the fence of {session} was lifted: that session is not active any more"));
                }
                Tended::Completed => said.push("locks of the fence were missing, and are held again".to_owned()),
                Tended::Lowered => {}
                Tended::Left(paths) => said.extend(paths.iter().map(|path| kept_lock(path))),
            }
        }
        Ok(said)
    }

    /// How the session of a fence stands in its worktree. What cannot be read counts as unknown, and is left alone.
    pub(super) fn standing(&self, git_dir: &Path, session: &str) -> SessionState {
        if !hooks::worktree_is_there(git_dir) {
            return SessionState::Gone;
        }
        match self.pointer(git_dir) {
            Ok(Some(id)) if id.as_str() == session => self.phase_standing(&id),
            Ok(_) => SessionState::Gone,
            Err(_) => SessionState::Unknown,
        }
    }

    /// The session that the worktree with this git directory points to. Only a reftable repository is opened for it, and
    /// only where there may be one.
    fn pointer(&self, git_dir: &Path) -> Result<Option<SessionId>, AppError> {
        if !is_reftable(git_dir) {
            return Ok(active::pointer_file(git_dir)?);
        }
        if active::may_be_active(git_dir).is_ok_and(|may| !may) {
            return Ok(None);
        }
        Ok(active::pointer(&open(&self.env)?.repo, git_dir)?)
    }

    fn phase_standing(&self, id: &SessionId) -> SessionState {
        let Ok(opened) = open(&self.env) else {
            return SessionState::Unknown;
        };
        match posture::phase_of(&opened.repo, id) {
            Ok(Some(phase)) => standing_in(&phase),
            Ok(None) => SessionState::Gone,
            Err(_) => SessionState::Unknown,
        }
    }

    /// Has git try what must be refused.
    fn tried(&self, session: &str, fence: FenceStands) -> Result<(), AppError> {
        let opened = open(&self.env)?;
        let tip = opened.repo.tip(&format!("refs/grill/sessions/{session}"));
        let Ok(Some(commit)) = tip else {
            return Ok(());
        };
        let layers: &[(Layer, &str)] = match fence {
            FenceStands::Up => &[(Layer::Fence, "the fence"), (Layer::Hooks, "the hooks")],
            FenceStands::None | FenceStands::Down | FenceStands::Broken => &[(Layer::Hooks, "the hooks")],
        };
        for (layer, name) in layers {
            let why = match fence::trial(&self.place, *layer, &commit.to_string(), &Programs)? {
                Trial::Refused => continue,
                Trial::LetThrough => {
                    format!("git would have changed a branch although {name} of git grill should have refused it")
                }
                Trial::Failed(said) => format!("git failed for another reason: {said}"),
            };
            return Err(AppError::Environment {
                code: "trial_failed",
                message: "the trial failed: the repository is not protected".to_owned(),
                causes: vec![why],
                hint: Some("git grill hooks status says where git looks for hooks".to_owned()),
            });
        }
        Ok(())
    }
}

fn standing_in(phase: &crate::domain::session::Phase) -> SessionState {
    match Posture::of(phase) {
        Posture::Inactive => SessionState::Gone,
        Posture::ReadOnly { .. } => SessionState::ReadOnly,
        Posture::Output { .. } | Posture::Open => SessionState::Output,
    }
}

fn kept_lock(path: &Path) -> String {
    format!("{} has something in it that is not ours, so it stays and git cannot take that lock", path.display())
}
