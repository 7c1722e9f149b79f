//! A tracker in memory that fails when it is told to, before or after it did its work.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use git_grill::app::ports::{NewIssue, NewRepository, ThereIssue, Tracker, TrackerError};
use git_grill::domain::tracker::TrackerRepository;
use jiff::Timestamp;

use super::doubles::Mishap;

/// Issues that were created.
#[derive(Default)]
pub struct Board {
    pub issues: RefCell<Vec<(NewIssue, ThereIssue)>>,
    pub mishaps: RefCell<VecDeque<Mishap>>,
    /// How often something was asked of it.
    pub calls: Cell<usize>,
}

impl Board {
    fn mishap(&self) -> Mishap {
        self.calls.set(self.calls.get() + 1);
        self.mishaps.borrow_mut().pop_front().unwrap_or(Mishap::None)
    }
}

fn failed<T>() -> Result<T, TrackerError> {
    Err(TrackerError::Network { host: "github.com".to_owned(), why: "a mishap".to_owned() })
}

impl Tracker for Board {
    fn here(&self) -> Result<TrackerRepository, TrackerError> {
        failed()
    }

    fn installed(&self) -> Result<(), TrackerError> {
        Ok(())
    }

    fn founding(&self, repository: &TrackerRepository) -> Result<NewRepository, TrackerError> {
        Ok(NewRepository { repository: repository.clone(), command: Vec::new() })
    }

    fn create_repository(&self, _: &NewRepository) -> Result<(), TrackerError> {
        Ok(())
    }

    fn ready(&self, _: &TrackerRepository, _: &[NewIssue]) -> Result<Vec<String>, TrackerError> {
        Ok(Vec::new())
    }

    fn supply(&self, _: &TrackerRepository, _: &[String]) -> Result<(), TrackerError> {
        Ok(())
    }

    fn find(&self, _: &TrackerRepository, marker: &str, _: Timestamp) -> Result<Vec<ThereIssue>, TrackerError> {
        if self.mishap() != Mishap::None {
            return failed();
        }
        let issues = self.issues.borrow();
        Ok(issues.iter().map(|(_, there)| there).filter(|there| there.body.contains(marker)).cloned().collect())
    }

    fn create(&self, _: &TrackerRepository, issue: &NewIssue) -> Result<ThereIssue, TrackerError> {
        let mishap = self.mishap();
        if mishap == Mishap::Before {
            return failed();
        }
        let mut issues = self.issues.borrow_mut();
        let number = 40 + u64::try_from(issues.len()).unwrap();
        let url = format!("https://github.com/octo/links/issues/{number}");
        let there = ThereIssue { number, url, body: issue.body.clone(), labels: issue.labels.clone() };
        issues.push((issue.clone(), there.clone()));
        if mishap == Mishap::After { failed() } else { Ok(there) }
    }
}
