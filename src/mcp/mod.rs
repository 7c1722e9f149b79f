//! The MCP server: a client's frames in, calls to the toolbox, results out. What a tool does is not known here, only how
//! a client is spoken to.
//!
//! Standard output is the wire, so nothing here prints. The runtime has one thread and lives in `converse` alone; the
//! toolbox blocks, and is called on threads of its own.

mod asking;
mod blocking;
mod changes;
mod era;
mod form;
mod frames;
mod opening;
#[cfg(test)]
mod paced;
mod server;

use std::sync::Arc;

use rmcp::ServiceExt as _;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::app::toolbox::Toolbox;

pub use era::Era;
pub use frames::serve_frames;

/// Why a server ended otherwise than by its client going away.
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    #[error("the server could not be started")]
    Runtime(#[source] std::io::Error),
    #[error("the conversation with the client broke: {0}")]
    Broken(String),
}

/// Serves a client on standard input and output until it goes away.
pub fn serve(toolbox: Arc<dyn Toolbox>) -> Result<(), McpError> {
    converse(toolbox, rmcp::transport::stdio)
}

/// Serves the client at the other end of a wire, which is laid once there is a runtime.
fn converse<R, W>(toolbox: Arc<dyn Toolbox>, wire: impl FnOnce() -> (R, W)) -> Result<(), McpError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(McpError::Runtime)?;
    let ended = runtime.block_on(async {
        let withdrawn = opening::Withdrawn::default();
        let server = server::Server::new(toolbox, asking::PACE, withdrawn.clone());
        let calls = server.calls();
        let service = match server.serve(opening::Opening::of(wire(), withdrawn.clone())).await {
            Ok(service) => service,
            // A client that leaves before it has said who it is has asked for nothing.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(McpError::Broken(error.to_string())),
        };
        let ended = service.waiting().await.map(drop).map_err(|error| McpError::Broken(error.to_string()));
        // An answer that came right before the end of input is recorded, and a late one is kept. A call that waits for a
        // person ends with its client, and its question stays open.
        calls.ended().await;
        withdrawn.settled().await;
        ended
    });
    // A thread that waits for input never ends.
    runtime.shutdown_background();
    ended
}
