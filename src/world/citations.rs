//! Citations, looked up with a handle of their own: most requests cite nothing.

use std::cell::OnceCell;

use crate::app::ports::{Citations, Unread};
use crate::domain::facts::Evidence;
use crate::repo::cite::RepoCitations;
use crate::repo::open::{Opened, RepoEnv, open};

/// Opens the repository when something is cited, once.
pub(super) struct LazyCitations<'a> {
    env: RepoEnv<'a>,
    opened: OnceCell<Opened>,
}

impl<'a> LazyCitations<'a> {
    pub(super) fn new(env: RepoEnv<'a>) -> Self {
        Self { env, opened: OnceCell::new() }
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
        RepoCitations { opened: self.opened()? }.cite(path, lines)
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, Unread> {
        RepoCitations { opened: self.opened().map_err(Unread::Unreadable)? }.bytes(path)
    }

    fn commit(&self, name: &str) -> Result<(), String> {
        RepoCitations { opened: self.opened()? }.commit(name)
    }
}
