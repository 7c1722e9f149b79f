//! Layers: a folder of an agent's is seen through a private one. The agent reads the real files; what it writes lies
//! beside ours and goes with the run, but for what its profile names, file by file ([`bring`]).

pub mod bring;
pub mod copy;
mod files;
mod logs;
mod refreshed;

use std::path::{Path, PathBuf};

/// One folder that is seen through a private layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// The folder, every link followed.
    pub folder: PathBuf,
    /// The agent's variable that names this folder: where no layer can be put over it, the variable leads to a copy.
    pub variable: Option<String>,
    /// Why no layer is put over it; it falls back at once.
    pub closed: Option<String>,
    /// Files elsewhere that the agent looks for in the folder once the variable is set.
    pub beside: Vec<PathBuf>,
}

/// Where a run writes what it writes to the layer of this number; a private copy lies there, too.
pub fn upper(store: &Path, number: usize) -> PathBuf {
    store.join(number.to_string()).join("upper")
}

/// What the kernel needs beside it.
pub fn work(store: &Path, number: usize) -> PathBuf {
    store.join(number.to_string()).join("work")
}
