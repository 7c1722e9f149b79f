//! Paths of a record that stay true when the repository is moved, copied or seen at another path.
//!
//! Everything of ours lies inside the directory that the worktrees share, so records name it from there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::hooks::place::Place;
use crate::hooks::record::Bytes;

/// How a path is noted: from the shared directory if it lies inside, else as it is.
pub(crate) fn noted(place: &Place, path: &Bytes) -> Bytes {
    let path = path.path();
    let real = fs::canonicalize(&place.common_dir).unwrap_or_else(|_| place.common_dir.clone());
    match path.strip_prefix(&place.common_dir).or_else(|_| path.strip_prefix(&real)) {
        Ok(inside) if inside.as_os_str().is_empty() => Bytes::of(Path::new(".")),
        Ok(inside) => Bytes::of(inside),
        Err(_) => Bytes::of(&path),
    }
}

/// The path that was noted, where the repository is now. An absolute one is taken from `home`, where it was written.
pub(crate) fn found(place: &Place, noted: &Bytes, home: Option<&Path>) -> Bytes {
    let path = noted.path();
    let inside = match home {
        Some(home) if !is_inside(place, &path) => path.strip_prefix(home).unwrap_or(&path),
        Some(_) | None => &path,
    };
    if inside.as_os_str().is_empty() || inside == Path::new(".") {
        Bytes::of(&place.common_dir)
    } else {
        Bytes::of(&place.common_dir.join(inside))
    }
}

/// Whether a path is inside this repository's own directory, however it is spelled. A record never says more than
/// that about a path: one that leads out of it may be another repository's.
pub(crate) fn is_inside(place: &Place, path: &Path) -> bool {
    let real = fs::canonicalize(&place.common_dir).unwrap_or_else(|_| place.common_dir.clone());
    let climbs = path.components().any(|part| part == std::path::Component::ParentDir);
    !climbs && (path.starts_with(&place.common_dir) || path.starts_with(real))
}

/// Whether two spellings name one directory.
pub(crate) fn same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
    one == other || real(one) == real(other)
}
