//! Citations, looked up with a handle of their own: most requests cite nothing.

use std::cell::OnceCell;

use crate::app::ports::{Citations, Unread};
use crate::domain::facts::Evidence;
use crate::repo::cite::RepoCitations;
use crate::repo::open::{Opened, RepoEnv, open};

/// Opens the repository when something is cited, once.
pub(super) struct LazyCitations<'a> {
    env: RepoEnv<'a>,
    /// Whether only a part of the files is checked out (`core.sparseCheckout`).
    sparse: bool,
    opened: OnceCell<Opened>,
}

impl<'a> LazyCitations<'a> {
    pub(super) fn new(env: RepoEnv<'a>, sparse: bool) -> Self {
        Self { env, sparse, opened: OnceCell::new() }
    }

    fn citations(&self) -> Result<RepoCitations<'_>, String> {
        Ok(RepoCitations { opened: self.opened()?, sparse: self.sparse })
    }

    fn opened(&self) -> Result<&Opened, String> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let opened = open(&self.env).map_err(|error| format!("the repository cannot be opened ({error})"))?;
        Ok(self.opened.get_or_init(|| opened))
    }
}

impl Citations for LazyCitations<'_> {
    fn cite(&self, path: &str, lines: Option<(u32, u32)>) -> Result<Evidence, String> {
        self.citations()?.cite(path, lines)
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, Unread> {
        self.citations().map_err(Unread::Unreadable)?.bytes(path)
    }

    fn commit(&self, name: &str) -> Result<(), String> {
        self.citations()?.commit(name)
    }
}
