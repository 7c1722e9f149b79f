//! A client whose frames are all at hand: the server over memory, for whoever tries frames against it.

use std::io::Result;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::io::AsyncWrite;

use super::{McpError, converse};
use crate::app::toolbox::Toolbox;

/// Serves a client that sends these bytes and goes away; what it would have read, and how the conversation ended.
pub fn serve_frames(toolbox: Arc<dyn Toolbox>, frames: Vec<u8>) -> (Vec<u8>, std::result::Result<(), McpError>) {
    let written = Written::default();
    let ended = converse(toolbox, || (std::io::Cursor::new(frames), written.clone()));
    let told = std::mem::take(&mut *written.0.lock().unwrap_or_else(PoisonError::into_inner));
    (told, ended)
}

/// What was written, for both who writes it and who reads it.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl AsyncWrite for Written {
    fn poll_write(self: Pin<&mut Self>, _cx: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<Result<()>> {
        Poll::Ready(Ok(()))
    }
}
