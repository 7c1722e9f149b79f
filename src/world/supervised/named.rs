//! What a file is called by its content.

use crate::domain::agents::media::{MOST_MADE, Media, MediaKind};
use crate::git::object::sha256;

/// The name of a copy of these bytes; none where there are too many of them.
pub(super) fn named(bytes: &[u8], kind: MediaKind) -> Option<Media> {
    let digest = (bytes.len() <= MOST_MADE).then(|| sha256(bytes).ok()).flatten()?;
    Media::new(&digest, kind)
}
