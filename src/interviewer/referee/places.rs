//! Places that the checkpoint cites and that are not there.

use crate::domain::citations::{ChangedCitation, Fate};
use crate::domain::concern::{Concern, ConcernKind};
use crate::domain::prose_places::places;
use crate::domain::session::Session;
use crate::domain::settings::Interviewer;

use super::concern;

/// The places that the last check did not find, as far as the checkpoint still cites them.
pub(super) fn missing(session: &Session) -> Vec<Concern> {
    if session.settings.interviewer == Interviewer::BuiltIn || session.citations.is_empty() {
        return Vec::new();
    }
    let cited = places(session.checkpoint.as_str());
    let absent = session.citations.iter().filter(|one| one.is_of_the_checkpoint() && cited.contains(&one.place.at));
    absent.enumerate().map(|(index, one)| missed(index + 1, one)).collect()
}

fn missed(number: usize, one: &ChangedCitation) -> Concern {
    let at = &one.place.at;
    let says = format!("the checkpoint cites {at}, and {}", not_there(&one.place.fate));
    concern(ConcernKind::Place, &number.to_string(), &at.to_string(), &says)
}

/// The state of a place that was not found.
pub fn not_there(fate: &Fate) -> &'static str {
    match fate {
        Fate::Gone => "there is no such file or commit",
        Fate::Changed | Fate::Beside | Fate::Moved { .. } | Fate::Renamed { .. } => "the file has no such line",
    }
}
