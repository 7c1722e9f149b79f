//! Calling the toolbox beside the thread that speaks: it opens repositories and waits for locks.

use std::sync::Arc;

use rmcp::model::ErrorData;

use crate::app::toolbox::Toolbox;

/// Does something that blocks; a panic in it is an error of this one request.
pub(super) async fn blocking<T: Send + 'static>(
    toolbox: &Arc<dyn Toolbox>,
    work: impl FnOnce(&dyn Toolbox) -> T + Send + 'static,
) -> Result<T, ErrorData> {
    let toolbox = toolbox.clone();
    tokio::task::spawn_blocking(move || work(&*toolbox))
        .await
        .map_err(|error| ErrorData::internal_error(format!("a bug in git grill: {error}"), None))
}
