//! What came of one try, in the words of the fixture.

use std::collections::BTreeSet;

use super::fingerprint::Letter;
use crate::bench::Output;

/// What git exits with when it does not know an option.
const USAGE: i32 = 129;

/// Letter and name of what differs.
pub type Changes = BTreeSet<(Letter, String)>;

/// The letters of changes, each once, in their order.
pub fn letters(changes: &Changes) -> String {
    let letters: BTreeSet<Letter> = changes.iter().map(|(letter, _)| *letter).collect();
    letters.into_iter().collect()
}

/// Says how a try ended: whether the command went through, and what differs from before.
pub fn happened(output: &Output, changes: &Changes) -> String {
    let no = match output.code {
        0 if changes.is_empty() => return "nothing changes".to_owned(),
        0 => return format!("done {}", letters(changes)),
        USAGE => return "no such option".to_owned(),
        _ => "refused",
    };
    if changes.is_empty() { no.to_owned() } else { format!("{no}, leaves {}", letters(changes)) }
}
