//! What changes in the session while a form stands open: it is looked at now and then.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use crate::app::toolbox::Toolbox;

use super::blocking::blocking;

/// The changes of the session, one after the other.
pub(super) struct Changes {
    toolbox: Arc<dyn Toolbox>,
    every: Duration,
    seen: Option<String>,
}

impl Changes {
    /// What changes from now on, looked for at this interval.
    pub(super) async fn since_now(toolbox: Arc<dyn Toolbox>, every: Duration) -> Self {
        let seen = version(&toolbox).await;
        Self { toolbox, every, seen }
    }

    /// Waits for the next change. Dropped while it waits, it has missed none.
    pub(super) async fn next(&mut self) {
        loop {
            sleep(self.every).await;
            let now = version(&self.toolbox).await;
            if now != self.seen {
                self.seen = now;
                return;
            }
        }
    }
}

async fn version(toolbox: &Arc<dyn Toolbox>) -> Option<String> {
    blocking(toolbox, |toolbox| toolbox.version()).await.ok().flatten()
}
