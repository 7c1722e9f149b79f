//! Copies of the newest commits' objects, in this clone's private folder, until git is sure to keep them.
//!
//! git has a race of its own. `git gc --prune=now`, `git prune` and `git repack -ad` read the refs first and delete what
//! the refs did not reach afterwards. An object that was written before the deletion, under a ref that moved after the
//! reading, is deleted, although the ref names it by then. Reading the commit back is not enough: a deletion that began
//! an hour ago may still be under way.
//!
//! The rule:
//!
//! 1. Before a session's ref moves, every object that the commit's tree does not share with its parent's, and the commit,
//!    are appended to `<common git directory>/grill/copies/<session>.<user id>` with one write. Where that fails, the
//!    ref does not move: without a copy nothing is acknowledged.
//! 2. After the ref moved and before the command says so, the same objects are read back. A missing one is written again.
//! 3. A copied object is *safe* once it is in the object database at least [`KEPT_FOR`] after its ref moved. By then every
//!    deletion that read the refs before the move has ended, and any later one finds the object reachable. Presence
//!    alone is no proof, and neither are `gc.pid` (only `git gc` takes it, and not over a network), a pack's age (a
//!    repack may be about to delete that pack), or a list of running processes (other machines and containers).
//! 4. Only safe objects leave the file. Beyond [`MOST`] bytes the oldest records leave once their objects are seen in the
//!    object database, however young they are. The newest record always stays.
//! 5. A command that misses an object of a session takes it from here and writes it into the object database, so that
//!    plain git reads it again. An object is only ever taken for the name that its bytes hash to: a foreign file here
//!    carries no authority.
//!
//! A pack with a `.keep` file would have git itself keep the objects. It was decided against: `git clone` of a path links
//! `.keep` files too, so that every local clone would hold an interview's words for good; one such pack turns off bitmaps
//! in bare repositories; each answer would be a pack, which slows every git command down, or a rewritten one; and a pack
//! that a loss of power cut off has every git command of the user complain, where this file disturbs only its reader.

mod file;
mod keep;
mod record;
mod restore;
mod trim;

use std::time::{Duration, SystemTime};

pub use keep::{Copy, tend};
pub use restore::{Reach, bring_back, bring_back_all, restored, take_told};
pub use trim::{left, sweep};

/// Age from which a copied object counts as safe, if the object database holds it. No deletion is assumed to run longer.
pub const KEPT_FOR: Duration = Duration::from_hours(24);
/// Size of a session's file above which its oldest records leave, down to half of it. Some thousand answers fit.
const MOST: u64 = 32 * 1024 * 1024;

/// Seconds since 1970, by the system's clock.
fn now() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "the age of a copy is no fact of the session")]
    let now = SystemTime::now();
    now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

fn is_older(at: i64, than: Duration) -> bool {
    now().saturating_sub(at) >= i64::try_from(than.as_secs()).unwrap_or(i64::MAX)
}
