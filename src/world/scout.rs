//! The scout, opened when it is needed: most requests never look at the repository.

use std::time::{Duration, Instant};

use crate::app::ports::{Look, Scout};
use crate::domain::citations::Rechecked;
use crate::domain::facts::{Evidence, RepoFacts};
use crate::repo::open::{RepoEnv, open};
use crate::repo::scout::RepoScout;

/// How long the repository is looked at, at most; what was found until then is the answer, and is said to be cut short.
/// What is found follows from the scout's own limits, which count files and bytes: on no machine in use do they take as
/// long as this, so that the same answers give the same questions on a slow one as well.
const PATIENCE: Duration = Duration::from_secs(15);

/// Looks at the repository with a handle of its own.
pub(super) struct LazyScout<'a> {
    pub env: RepoEnv<'a>,
    /// `remote.origin.url`, if it is set.
    pub origin: Option<String>,
    /// Whether only a part of the files is checked out (`core.sparseCheckout`).
    pub sparse: bool,
}

impl LazyScout<'_> {
    /// Lets the scout of an opened repository work; `None` when there is none to open.
    #[expect(clippy::disallowed_methods, reason = "the room that may look at the clock")]
    fn within_patience<T>(&self, work: impl FnOnce(&RepoScout<'_>) -> T) -> Option<T> {
        let opened = open(&self.env).ok()?;
        let begun = Instant::now();
        let keep_going = || begun.elapsed() < PATIENCE;
        let origin = self.origin.as_deref();
        Some(work(&RepoScout { opened: &opened, origin, sparse: self.sparse, keep_going: &keep_going }))
    }
}

impl Scout for LazyScout<'_> {
    fn look(&self, look: &Look<'_>) -> RepoFacts {
        if look.inspect.is_empty() {
            return RepoFacts::default();
        }
        self.within_patience(|scout| scout.look(look)).unwrap_or_default()
    }

    fn recheck(&self, cited: &[Evidence]) -> Vec<Rechecked> {
        if cited.is_empty() {
            return Vec::new();
        }
        self.within_patience(|scout| scout.recheck(cited)).unwrap_or_default()
    }
}
