//! Whether every session can be read, and bringing back those that cannot.

mod flaws;
mod reflogs;
mod unreadable;

use std::cell::RefCell;

use crate::app::error::AppError;
use crate::app::ports::{Finding, StoreError};
use crate::domain::ids::SessionId;
use crate::git::Repo;
use crate::repo::open::{Opened, open};
use crate::store::active::{self, PREFIX};
use crate::store::commit::Person;
use crate::store::copies::{self, Reach};
use crate::store::history;
use crate::store::listing;
use crate::store::mending::keeping;
use crate::store::mending::repair::{Outcome, Repair};
use crate::store::mending::tip::{TipState, standing};

use super::super::guardian::HookProtection;
use super::Section;

pub(super) use flaws::of_flaw;

/// The sessions of the repository, by their newest commits.
pub(super) struct Sessions<'a> {
    pub guardian: &'a HookProtection<'a>,
    /// Who moves a ref.
    pub by: &'a Person,
    pub seconds: i64,
    /// The one that is looked at; all of them without.
    pub only: Option<&'a SessionId>,
    /// Sessions of which nothing was found although everything was searched.
    pub lost: RefCell<Vec<SessionId>>,
}

impl Section for Sessions<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let opened = open(&self.guardian.env)?;
        let mut found = Vec::new();
        for id in self.ids(&opened.repo)? {
            found.extend(self.session(&opened, &id)?);
        }
        if self.only.is_none() {
            found.extend(reflogs::entries(&opened, &opened.through_git(&self.guardian.env.process)));
        }
        Ok(found)
    }

    fn mend(&self) -> Result<Vec<String>, AppError> {
        let opened = open(&self.guardian.env)?;
        let through_git = Repo::Program(opened.through_git(&self.guardian.env.process));
        let mut done = Vec::new();
        let Some(repair) = Repair::new(&through_git, self.by, self.seconds) else { return Ok(done) };
        let mut failed = None;
        for id in self.ids(&opened.repo)? {
            // One that cannot be mended keeps nobody from mending the others.
            match self.recover(&repair, &opened.repo, &id) {
                Ok(told) => done.extend(told),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        for (id, lost) in keeping::noted(opened.repo.common_dir()) {
            repair.forget(&id, &lost)?;
        }
        failed.map_or(Ok(done), |error| Err(error.into()))
    }

    fn look(&self) -> String {
        "git for-each-ref refs/grill".to_owned()
    }
}

impl Sessions<'_> {
    /// The sessions that refs, pointers and reflogs name.
    fn ids(&self, repo: &Repo) -> Result<Vec<SessionId>, StoreError> {
        if let Some(only) = self.only {
            return Ok(vec![only.clone()]);
        }
        let mut ids = listing::ids(repo)?;
        ids.extend(active::elsewhere(repo).into_iter().chain(active::here(repo)).map(|(id, _)| id));
        if !repo.is_reftable() {
            let logs = std::fs::read_dir(repo.common_dir().join("logs").join(PREFIX));
            let names = logs.into_iter().flatten().flatten().map(|entry| entry.file_name());
            ids.extend(names.filter_map(|name| SessionId::parse(name.to_str()?).ok()));
        }
        Ok(ids.into_iter().collect())
    }

    fn session(&self, opened: &Opened, id: &SessionId) -> Result<Vec<Finding>, AppError> {
        let repo = &opened.repo;
        copies::bring_back(repo, id, Reach::All);
        let stands = standing(repo, id)?;
        Ok(match &stands {
            TipState::Sound { tip, .. } => {
                history::newest(repo, id, *tip).iter().map(|flaw| of_flaw(id, flaw)).collect()
            }
            TipState::Newer { found } => vec![flaws::newer(id, found)],
            TipState::Damaged { .. } | TipState::Gone if self.lost.borrow().contains(id) => {
                vec![unreadable::lost(id, &stands)]
            }
            TipState::Damaged { .. } | TipState::Gone => {
                vec![unreadable::finding(repo, &opened.through_git(&self.guardian.env.process), id, &stands)?]
            }
        })
    }

    fn recover(&self, repair: &Repair<'_>, repo: &Repo, id: &SessionId) -> Result<Option<String>, StoreError> {
        if matches!(standing(repo, id)?, TipState::Sound { .. } | TipState::Newer { .. }) {
            return Ok(None);
        }
        match repair.recover(id)? {
            Outcome::Sound => Ok(None),
            Outcome::Regrown { tip, .. } => Ok(Some(unreadable::written_anew(id, tip))),
            Outcome::Recovered(recovered) => Ok(Some(unreadable::brought_back(id, &recovered))),
            Outcome::Lost => {
                self.lost.borrow_mut().push(id.clone());
                Ok(None)
            }
        }
    }
}
