//! Citations, looked up with a handle of their own: most requests cite nothing.

use crate::app::ports::Citations;
use crate::domain::facts::Evidence;
use crate::repo::cite::RepoCitations;
use crate::repo::open::{RepoEnv, open};

/// Opens the repository when something is cited.
pub(super) struct LazyCitations<'a> {
    /// Where the repository is looked for.
    pub env: RepoEnv<'a>,
}

impl Citations for LazyCitations<'_> {
    fn cite(&self, path: &str, lines: Option<(u32, u32)>) -> Result<Evidence, String> {
        let opened = open(&self.env).map_err(|error| format!("the repository cannot be opened ({error})"))?;
        RepoCitations { opened: &opened }.cite(path, lines)
    }
}
