//! Bytes that wait to be decoded, bounded while a paste is on its way.

use super::keys::{PASTE_END_LEN, is_unfinished_paste};

/// The longest paste that is kept. It is far more than a reply may hold, so a longer one is refused later in any case;
/// here only the memory is bounded.
const MAX_PASTE: usize = 1024 * 1024;

/// Takes in what was read.
pub fn take_in(pending: &mut Vec<u8>, bytes: &[u8]) {
    pending.extend_from_slice(bytes);
    if pending.len() > MAX_PASTE && is_unfinished_paste(pending) {
        // The last bytes stay, because the end of the paste may have begun in them.
        let keep = pending.len() - PASTE_END_LEN;
        pending.drain(MAX_PASTE - PASTE_END_LEN..keep);
    }
}
