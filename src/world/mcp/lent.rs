//! The tool that lends work to another agent, which only an agent outside of every run has (A1). And the server that the
//! own settings of an agent start to which work was lent: it has nothing for that agent.

use std::slice;

use super::LocalToolbox;
use crate::sandbox::is_confined;
use crate::world::run::{ASKS, LENT, within};

/// The instructions of such a server.
pub(super) const NOTHING: &str = "git grill supervises this agent, and has no tools for it here: there is nothing to do with this \
                                  server. Do the work that the prompt asks for.";

impl LocalToolbox {
    /// Whether work was lent to the agent that started this server.
    pub(super) fn is_lent(&self) -> bool {
        self.environment.text(ASKS).is_some_and(|asks| asks == LENT)
    }

    /// Whether the agent at the other end may lend work: it runs in no interview, trial or run of ours. Some agents hand
    /// their servers hardly a variable, so that the kernel is asked as well.
    pub(super) fn lends(&self) -> bool {
        let is_ours = self.asks_at_terminal() || self.is_trial() || self.is_lent();
        !is_ours && within(&self.environment).is_none() && !self.is_walled()
    }

    /// Whether nothing can be written where agent sessions are kept.
    fn is_walled(&self) -> bool {
        self.opened().is_some_and(|opened| is_confined(slice::from_ref(&opened.common_dir)))
    }
}
