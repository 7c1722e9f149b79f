//! What became of an objection (D12, D14, D15, D33).

use super::course::Cited;
use super::objection::ObjectionId;
use super::round::{Raised, Round};
use super::state::Debate;

/// Fate of an objection, as far as the debate has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was raised before: this one, in this round if it is known.
    Repeated(ObjectionId, Option<u32>),
    /// The synthesizer has not spoken.
    NotAssessed,
    /// It cites something that is not there, whatever was held of it.
    Miscited,
    /// It was raised in the last round, for the first time or again, and holds there.
    Stands,
    /// It holds, and nobody raised it in the last round.
    TakenIn,
    /// The synthesizer held it to be invalid.
    Invalid,
}

impl Fate {
    /// That of an objection which was raised in a round, by its number from 1.
    pub fn of(debate: &Debate, round: u32, played: &Round, raised: &Raised) -> Self {
        let assessed = played.assessment(raised.id);
        let first = |id: ObjectionId| debate.raised(id).map(|(first, _)| first);
        if let Some(before) = assessed.and_then(|assessed| assessed.repeats) {
            return Self::Repeated(before, first(before));
        }
        if first(raised.id).is_some_and(|first| first < round) {
            return Self::Repeated(raised.id, first(raised.id));
        }
        let Some(assessed) = assessed else { return Self::NotAssessed };
        match (raised.cited(), assessed.assessment.stands()) {
            (Cited::NotThere, _) => Self::Miscited,
            (_, true) if stands_at_last(debate, raised.id) => Self::Stands,
            (_, true) => Self::TakenIn,
            (_, false) => Self::Invalid,
        }
    }

    /// As a cell of a table has it.
    pub fn in_words(self) -> String {
        match self {
            Self::Repeated(_, Some(first)) => format!("repeats one of round {first}"),
            Self::Repeated(id, None) => format!("repeats {id}"),
            Self::NotAssessed => "not assessed yet".to_owned(),
            Self::Miscited => "does not count: what it cites is not there".to_owned(),
            Self::Stands => "stands".to_owned(),
            Self::TakenIn => "taken in".to_owned(),
            Self::Invalid => "held to be invalid".to_owned(),
        }
    }
}

/// The flag of an objection that is raised again, after this round (D15), and whether it holds all the same.
pub fn addressed(debate: &Debate, first: u32, id: ObjectionId) -> String {
    let played = usize::try_from(first).ok().and_then(|first| debate.rounds.get(first.checked_sub(1)?));
    let stands = played
        .zip(debate.raised(id))
        .is_some_and(|(played, (_, raised))| Fate::of(debate, first, played, raised) == Fate::Stands);
    format!("This objection was addressed in Round {first}{}", if stands { ". It stands." } else { "" })
}

/// Whether the last round raised an objection, or repeated it, and the synthesizer held that to be valid or did not speak.
fn stands_at_last(debate: &Debate, id: ObjectionId) -> bool {
    let Some(last) = debate.last() else { return false };
    last.raised.iter().any(|raised| {
        let assessed = last.assessment(raised.id);
        let is_it = raised.id == id || assessed.is_some_and(|assessed| assessed.repeats == Some(id));
        is_it && assessed.is_none_or(|assessed| assessed.assessment.stands())
    })
}
