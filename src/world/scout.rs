//! The scout, opened when it is needed: most requests never look at the repository.

use std::time::{Duration, Instant};

use crate::app::ports::Scout;
use crate::domain::facts::RepoFacts;
use crate::domain::text::Topic;
use crate::repo::open::{RepoEnv, open};
use crate::repo::scout::RepoScout;

/// How long the repository is looked at; what was found until then is the answer, and is said to be cut short.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// Looks at the repository with a handle of its own.
pub(super) struct LazyScout<'a> {
    /// Where the repository is looked for.
    pub env: RepoEnv<'a>,
    /// `remote.origin.url`, if it is set.
    pub origin: Option<String>,
}

impl Scout for LazyScout<'_> {
    #[expect(clippy::disallowed_methods, reason = "the room that may look at the clock")]
    fn look(&self, topic: &Topic) -> RepoFacts {
        let Ok(opened) = open(&self.env) else {
            return RepoFacts::default();
        };
        let begun = Instant::now();
        let keep_going = || begun.elapsed() < PATIENCE;
        RepoScout { opened: &opened, origin: self.origin.as_deref(), keep_going: &keep_going }.look(topic)
    }
}
