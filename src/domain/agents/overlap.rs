//! Files that more than one session changed (A41): whoever accepts from one of them should know of the other before.

use std::collections::BTreeMap;

use super::handle::AgentHandle;
use super::session::AgentSession;
use super::state::SessionState;

/// A file that several sessions changed, and that was not accepted from at least two of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    pub path: String,
    /// Two or more, in their order.
    pub sessions: Vec<AgentHandle>,
}

/// All of them, by path. A session names a limited number of its files, so beyond that an overlap is not seen.
pub fn overlaps<'s>(sessions: impl IntoIterator<Item = &'s AgentSession>) -> Vec<Overlap> {
    let mut all: BTreeMap<&str, Vec<AgentHandle>> = BTreeMap::new();
    for session in sessions.into_iter().filter(|session| session.state != SessionState::Cleaned) {
        for path in &session.changed.paths {
            all.entry(path).or_default().push(session.started.handle);
        }
    }
    let several = all.into_iter().filter(|(_, sessions)| sessions.len() > 1);
    several.map(|(path, sessions)| Overlap { path: path.to_owned(), sessions }).collect()
}
