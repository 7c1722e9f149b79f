//! Telling a client that a resource changed: the session is looked at while anybody has subscribed, and not otherwise.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, RoleServer, SubscriptionContext};
use tokio::time::sleep;

use crate::app::toolbox::Toolbox;

use super::apart::apart;

/// How often the session is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The subscriptions of the first era, which belong to the connection.
#[derive(Clone)]
pub(super) struct Watch {
    toolbox: Arc<dyn Toolbox>,
    wanted: Arc<Mutex<BTreeSet<String>>>,
}

impl Watch {
    pub(super) fn new(toolbox: Arc<dyn Toolbox>) -> Self {
        Self { toolbox, wanted: Arc::default() }
    }

    fn wanted(&self) -> BTreeSet<String> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notifies `peer` from now on when the resource changes; the first subscription begins to look.
    pub(super) fn subscribe(&self, uri: String, peer: &Peer<RoleServer>) {
        let first = {
            let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
            let first = wanted.is_empty();
            wanted.insert(uri);
            first
        };
        if first {
            let (watch, peer) = (self.clone(), peer.clone());
            tokio::spawn(async move {
                let mut changes = Changes::since_now(watch.toolbox.clone()).await;
                while !watch.wanted().is_empty() {
                    changes.next().await;
                    for uri in watch.wanted() {
                        if peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.is_err() {
                            return;
                        }
                    }
                }
            });
        }
    }

    pub(super) fn unsubscribe(&self, uri: &str) {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
    }

    /// Notifies a subscription of the second era until its client ends it.
    pub(super) async fn listen(&self, context: &SubscriptionContext) {
        let uris = context.accepted().resource_subscriptions.clone().unwrap_or_default();
        let mut changes = Changes::since_now(self.toolbox.clone()).await;
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

/// The changes of the session, one after the other.
struct Changes {
    toolbox: Arc<dyn Toolbox>,
    seen: Option<String>,
}

impl Changes {
    async fn since_now(toolbox: Arc<dyn Toolbox>) -> Self {
        let seen = version(&toolbox).await;
        Self { toolbox, seen }
    }

    async fn next(&mut self) {
        loop {
            sleep(LOOK_EVERY).await;
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
