//! The referee: what the rules see in an interview that an agent leads (G57). Two answers that cannot both hold, answers
//! that the checkpoint dropped or states otherwise, questions that were overtaken, skipped or only summed up, places and
//! entries of the checkpoint, decisions that nothing put to the test, areas that no question touched, looks at the whole
//! that nobody took, words that measure nothing. The rules judge, the agent phrases; where a rule cannot know, it says nothing.

mod areas;
mod decisions;
mod dropped;
#[cfg(test)]
pub(super) mod led;
mod listed;
mod misstated;
mod places;
mod telling;
#[cfg(test)]
mod tests;
mod unasked;
mod waiting;

use crate::domain::concern::{Concern, ConcernKind, PEOPLE};
use crate::domain::fnv::fnv1a;
use crate::domain::interview::{Answer, TranscriptEntry};
use crate::domain::session::Session;
use crate::domain::text::Line;

use super::follow_up;
use super::ledger::Ledger;
use super::scene::{clipped, listed as in_a_row, quoted};
use telling::telling;

pub(super) use areas::{Areas, area_of};
pub use listed::taken_off;
pub use places::not_there;

/// Longest quotation in a concern.
const QUOTED: usize = 160;

/// The concerns while the interview goes on: every one but for the answer whose update of the checkpoint is still to come.
pub fn concerns_so_far(session: &Session) -> Vec<Concern> {
    let mut found = concerns(session);
    if let Some(due) = dropped::due(session) {
        let due = key(ConcernKind::Dropped, due.as_str());
        found.retain(|one| one.key != due);
    }
    found
}

/// Every concern about a session as it is now, the most important first; those aside that a person waved through.
pub fn concerns(session: &Session) -> Vec<Concern> {
    let ledger = Ledger::of(session);
    let mut found = contradictions(&ledger);
    let mut misstated = misstated::misstated(ledger.heard());
    // Two answers that cannot both hold are told as that, and not once more by the lines that have them.
    misstated.retain(|one| !found.iter().any(|pair| is_about(pair, one.asked)));
    let dropped = dropped::dropped(ledger.heard()).into_iter();
    // What stands there otherwise is not missing as well.
    let missing = dropped.filter(|(asked, _)| !misstated.iter().any(|one| one.asked.number == asked.number));
    found.extend(missing.map(not_reflected));
    found.extend(misstated.iter().map(said_otherwise));
    found.extend(waiting::overtaken(session));
    found.extend(waiting::unconfirmed(session));
    found.extend(citations(session));
    found.extend(places::missing(session));
    found.extend(decisions::unchallenged(ledger.heard()).into_iter().map(untested));
    found.extend(waiting::skipped(session));
    found.extend(listed::open(session));
    found.extend(listed::unsaid(session));
    found.extend(Areas::of(&ledger).concerns());
    found.extend(unasked::unasked(session));
    found.extend(vague(&ledger));
    found.retain(|one| !session.waived.iter().any(|waiver| waiver.key == one.key));
    found
}

fn concern(kind: ConcernKind, name: &str, key: &str, says: &str) -> Concern {
    // Two quotations and a sentence fit.
    let says = Line::parse("a concern", &clipped(says, 2 * QUOTED + 100)).unwrap_or_else(|_| Line::clipped(says));
    Concern { kind, name: format!("{}:{name}", kind.word()), key: self::key(kind, key), says }
}

fn key(kind: ConcernKind, about: &str) -> String {
    format!("{}:{about}", kind.word())
}

fn sentence(text: &str) -> String {
    quoted(text.trim_end_matches('.'), QUOTED)
}

/// Whether a concern names this question by its number.
fn is_about(concern: &Concern, asked: &TranscriptEntry) -> bool {
    let number = asked.number.to_string();
    concern.name.split(':').skip(1).any(|part| part == number)
}

/// The answer that holds to a question, as part of a key.
fn key_of(asked: &TranscriptEntry) -> String {
    asked.holding().last().map_or_else(|| asked.question.id.to_string(), |answer| answer.id.to_string())
}

fn contradictions(ledger: &Ledger<'_>) -> Vec<Concern> {
    let pairs = follow_up::clashing_pairs(ledger.heard());
    pairs
        .into_iter()
        .map(|(earlier, later, clash)| {
            let (one, other) = (earlier.number, later.number);
            let says = format!(
                "answers {one} and {other} may not both hold: “{}” and “{}”",
                sentence(&clash.earlier),
                sentence(&clash.later)
            );
            let key = format!("{}:{}", key_of(earlier), key_of(later));
            concern(ConcernKind::Contradiction, &format!("{one}:{other}"), &key, &says)
        })
        .collect()
}

fn not_reflected((asked, answer): (&TranscriptEntry, &Answer)) -> Concern {
    let number = asked.number;
    let says = format!("the checkpoint does not reflect answer {number}: “{}”", telling(answer.text.as_str()));
    concern(ConcernKind::Dropped, &number.to_string(), answer.id.as_str(), &says)
}

fn said_otherwise(one: &misstated::Misstated<'_>) -> Concern {
    let number = one.asked.number;
    let (said, stated) = (sentence(&one.said), sentence(&one.stated));
    let says = format!("answer {number} says “{said}”, and the checkpoint says “{stated}”");
    let key = format!("{}:{:016x}", key_of(one.asked), fnv1a(one.stated.bytes()));
    concern(ConcernKind::Misstated, &number.to_string(), &key, &says)
}

fn citations(session: &Session) -> Vec<Concern> {
    session
        .doubted()
        .into_iter()
        .map(|(asked, changes)| {
            let places: Vec<String> = changes.iter().map(|changed| changed.in_words()).collect();
            let number = asked.number;
            let says = format!("answer {number} stands on a place that is not as it was read: {}", in_a_row(&places));
            concern(ConcernKind::Citation, &number.to_string(), &key_of(asked), &says)
        })
        .collect()
}

fn untested(asked: &TranscriptEntry) -> Concern {
    let decision = asked.answer().map(|answer| telling(answer.text.as_str())).unwrap_or_default();
    let says = format!("nothing has challenged the answer to question {} yet: “{decision}”", asked.number);
    concern(ConcernKind::Challenge, &asked.number.to_string(), &key_of(asked), &says)
}

fn vague(ledger: &Ledger<'_>) -> Vec<Concern> {
    follow_up::vague_words(ledger.heard())
        .into_iter()
        .map(|(asked, class, word)| {
            let number = asked.number;
            let lacks = if class == PEOPLE { "names nobody in particular" } else { "measures nothing" };
            let says = format!("“{}” in answer {number} {lacks}", quoted(word, 40));
            concern(ConcernKind::Vague, &format!("{number}:{class}"), &format!("{}:{class}", key_of(asked)), &says)
        })
        .collect()
}
