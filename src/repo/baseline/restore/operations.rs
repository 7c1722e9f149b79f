//! What operations in progress left in the git directory: taken away, or put back.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::super::kept::Kept;
use super::super::snapshot::{Scene, Snapshot};
use crate::app::ports::BaselineError;
use crate::files::regular;

/// Makes the files of operations in progress what they were.
pub(super) fn restore(scene: &Scene<'_>, base: &Kept, now: &Snapshot) -> Result<(), BaselineError> {
    let failed = |name: &str, error: std::io::Error| BaselineError::failed(format!("bringing {name} back"), error);
    for name in now.operations.keys().filter(|name| !base.operations.contains_key(*name)) {
        let path = scene.git.dir.join(name);
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(failed(name, error)),
        }
        // The folders of a rebase go with their last file.
        let mut folder = Path::new(name).parent();
        while let Some(above) = folder.filter(|above| !above.as_os_str().is_empty()) {
            if fs::remove_dir(scene.git.dir.join(above)).is_err() {
                break;
            }
            folder = above.parent();
        }
    }
    for (name, id) in &base.operations {
        if now.operations.get(name) == Some(id) {
            continue;
        }
        let path = scene.git.dir.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| failed(name, error))?;
        }
        let blob = scene.repo.blob(*id).map_err(|error| BaselineError::failed(format!("reading {name}"), error))?;
        regular::write(&path, blob).map_err(|error| failed(name, error))?;
    }
    Ok(())
}
