//! Whether git's own locks are held exactly where a session wants them, and nowhere else.

use std::path::Path;

use crate::app::error::AppError;
use crate::app::ports::{Code, Finding, Severity};
use crate::domain::posture::Posture;
use crate::fence::{self, FenceError, FenceState, SessionState};
use crate::git::worktrees::present;
use crate::repo::open::open;
use crate::store::posture::posture_source;

use super::super::guardian::HookProtection;
use super::{Section, pointers, shell_word};

/// The fences of all worktrees.
pub(super) struct Fences<'a> {
    pub guardian: &'a HookProtection<'a>,
}

impl Section for Fences<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let place = &self.guardian.place;
        let standing = |git_dir: &Path, session: &str| self.guardian.standing(git_dir, session);
        let off = match fence::fences(place, &standing) {
            Ok(off) => off,
            Err(FenceError::Record { path, why }) => return Ok(vec![of_record(&path, &why)]),
            Err(other) => return Err(other.into()),
        };
        let mut found = Vec::new();
        for (git_dir, session, stands) in off {
            found.push(of_fence(&git_dir, &session, stands, &self.at(&git_dir)));
        }
        if fence::state(place)? == FenceState::None {
            let strays = fence::strays(place)?;
            found.extend(strays.first().map(|first| of_strays(first, strays.len() - 1)));
        }
        Ok(found)
    }

    fn mend(&self) -> Result<Vec<String>, AppError> {
        let place = &self.guardian.place;
        let unreadable = matches!(fence::fences(place, &|_, _| SessionState::Unknown), Err(FenceError::Record { .. }));
        let unrecorded = (unreadable || fence::state(place)? == FenceState::None) && fence::stands(place)?;
        if unreadable {
            fence::forget(place)?;
        }
        self.guardian.tend()?;
        if fence::state(place)? == FenceState::None {
            fence::forget(place)?;
        }
        if unrecorded && let Some(id) = self.held_still()? {
            fence::raise(place, &id)?;
            return Ok(vec![format!("the fence of {id} was raised anew")]);
        }
        Ok(Vec::new())
    }

    fn look(&self) -> String {
        format!("ls -la {}", shell_word(&self.guardian.place.common_dir.join("grill")))
    }
}

impl Fences<'_> {
    /// What git has to be told to work in the worktree of a fence.
    fn at(&self, git_dir: &Path) -> String {
        let here = &self.guardian.place;
        let found = present(&here.common_dir).into_iter().find(|one| one.git_dir == git_dir);
        found.map_or_else(String::new, |one| pointers::place(git_dir, &here.git_dir, &one.folder))
    }

    /// The session that holds this worktree still, if one does that can be read.
    fn held_still(&self) -> Result<Option<String>, AppError> {
        let Ok(Some((phase, id))) = posture_source(&open(&self.guardian.env)?.repo) else { return Ok(None) };
        Ok(matches!(Posture::of(&phase), Posture::ReadOnly { .. }).then(|| id.to_string()))
    }
}

fn of_record(path: &Path, why: &str) -> Finding {
    let what = format!("{} cannot be read: {why}", path.display());
    let why = "it says which of git's locks are held, so they could not be let go";
    Finding::new(Code::FenceRecord, Severity::Error, what, why).fixable()
}

fn of_strays(first: &Path, more: usize) -> Finding {
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let what = format!("{}{more} is held by a fence that nobody knows of", first.display());
    Finding::new(Code::FenceUnrecorded, Severity::Error, what, "git cannot take that lock").fixable()
}

/// A fence that is not as it should be; `at` is what git has to be told to work in its worktree.
fn of_fence(git_dir: &Path, session: &str, stands: SessionState, at: &str) -> Finding {
    let dir = git_dir.display();
    let (code, severity, what, why) = match stands {
        SessionState::Unknown => (
            Code::FenceUnknown,
            Severity::Warning,
            format!("a fence stands around {dir}, and its session {session} cannot be read"),
            "it stays until the session is brought back or left",
        ),
        SessionState::Gone => (
            Code::FenceLeft,
            Severity::Error,
            format!("a fence still stands around {dir}, and its session {session} is not active any more"),
            "git cannot change anything there until it is lifted",
        ),
        SessionState::Output => (
            Code::FenceUp,
            Severity::Warning,
            format!("the fence around {dir} is up in the output phase"),
            "approved commits could not be made",
        ),
        SessionState::ReadOnly => (
            Code::FenceGaps,
            Severity::Error,
            format!("locks of the fence around {dir} are missing"),
            "git could take them and change what the interview holds still",
        ),
    };
    let finding = Finding::new(code, severity, what, why);
    match stands {
        SessionState::Unknown => {
            let leave = format!("git{at} grill stop --without-output");
            finding.typed(["git grill doctor --fix".to_owned(), leave])
        }
        SessionState::Gone | SessionState::Output | SessionState::ReadOnly => finding.fixable(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ports::Mend;

    #[test]
    fn each_standing_has_its_code_and_a_way_out() {
        for (stands, code, severity, fixable) in [
            (SessionState::Unknown, Code::FenceUnknown, Severity::Warning, false),
            (SessionState::Gone, Code::FenceLeft, Severity::Error, true),
            (SessionState::Output, Code::FenceUp, Severity::Warning, true),
            (SessionState::ReadOnly, Code::FenceGaps, Severity::Error, true),
        ] {
            let found = of_fence(Path::new("/r/.git"), "20261121-x-aaaaa", stands, " -C '/w'");
            assert_eq!((found.code, found.severity, found.mend == Mend::Fix), (code, severity, fixable), "{found:?}");
            assert!(found.what.contains("/r/.git"), "{found:?}");
        }
        let unknown = of_fence(Path::new("/r/.git"), "x", SessionState::Unknown, " -C '/w'");
        let Mend::Typed(commands) = unknown.mend else { panic!("{unknown:?}") };
        assert_eq!(commands, ["git grill doctor --fix", "git -C '/w' grill stop --without-output"]);
        assert!(of_strays(Path::new("/r/.git/index.lock"), 0).what.starts_with("/r/.git/index.lock is held"));
        assert!(of_strays(Path::new("/r/.git/index.lock"), 2).what.contains("index.lock and 2 more"));
    }
}
