//! Telling a client that a resource changed: the session is looked at while anybody has subscribed, and not otherwise.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, RoleServer, SubscriptionContext};
use tokio::task::AbortHandle;
use tokio::time::sleep;

use crate::app::toolbox::Toolbox;

use super::apart::apart;

/// How often the session is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The subscriptions of the first era, which belong to the connection.
pub(super) struct Watch {
    toolbox: Arc<dyn Toolbox>,
    subscribed: Arc<Mutex<Subscribed>>,
}

/// What a connection has subscribed to, and who looks for it while that is anything.
#[derive(Default)]
struct Subscribed {
    uris: BTreeSet<String>,
    looking: Option<AbortHandle>,
}

impl Watch {
    pub(super) fn new(toolbox: Arc<dyn Toolbox>) -> Self {
        Self { toolbox, subscribed: Arc::default() }
    }

    /// Notifies `peer` from now on when the resource changes; the first subscription begins to look.
    pub(super) fn subscribe(&self, uri: String, peer: &Peer<RoleServer>) {
        let mut subscribed = locked(&self.subscribed);
        subscribed.uris.insert(uri);
        if subscribed.looking.is_none() {
            let looking = look(self.toolbox.clone(), self.subscribed.clone(), peer.clone());
            subscribed.looking = Some(tokio::spawn(looking).abort_handle());
        }
    }

    /// Notifies no more of this one; the last that goes ends the looking.
    pub(super) fn unsubscribe(&self, uri: &str) {
        let mut subscribed = locked(&self.subscribed);
        subscribed.uris.remove(uri);
        if subscribed.uris.is_empty()
            && let Some(looking) = subscribed.looking.take()
        {
            looking.abort();
        }
    }

    /// Notifies a subscription of the second era until its client ends it.
    pub(super) async fn listen(&self, context: &SubscriptionContext) {
        let uris = context.accepted().resource_subscriptions.clone().unwrap_or_default();
        let mut changes = Changes::since_now(self.toolbox.clone(), LOOK_EVERY).await;
        loop {
            tokio::select! {
                () = context.cancelled() => return,
                () = changes.next() => {
                    for uri in &uris {
                        if context.sink().notify_resource_updated(uri.clone()).await.is_err() {
                            return;
                        }
                    }
                }
            }
        }
    }
}

fn locked(subscribed: &Mutex<Subscribed>) -> MutexGuard<'_, Subscribed> {
    subscribed.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notifies of every change what is subscribed to then, until it is aborted or the client is gone.
async fn look(toolbox: Arc<dyn Toolbox>, subscribed: Arc<Mutex<Subscribed>>, peer: Peer<RoleServer>) {
    let mut changes = Changes::since_now(toolbox, LOOK_EVERY).await;
    loop {
        changes.next().await;
        let uris = locked(&subscribed).uris.clone();
        for uri in uris {
            if peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.is_err() {
                return;
            }
        }
    }
}

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
    apart(toolbox, |toolbox| toolbox.version()).await.ok().flatten()
}
