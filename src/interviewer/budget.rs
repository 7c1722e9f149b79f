//! The budget: how many questions an interview of each intensity may have, and which dimensions give way when all of them
//! together want more.
//!
//! A person should know what they agreed to. So every intensity has a most: `gentle` 6, `standard` 12, `hard` 20,
//! `adversarial` 26. Everything that was put counts, also what was skipped or refused, and so do follow-ups and lenses.
//! Only a follow-up that one of the last answers opens, and the next step after it, may come on top, since an interview
//! must not end on a word that nobody understood.

use crate::domain::interview::QuestionStatus;
use crate::domain::session::Session;
use crate::domain::settings::Intensity;

use super::catalogue::Turn;
use super::ledger::Account;

pub(super) const fn most(intensity: Intensity) -> u32 {
    match intensity {
        Intensity::Gentle => 6,
        Intensity::Standard => 12,
        Intensity::Hard => 20,
        Intensity::Adversarial => 26,
    }
}

/// How many questions a dimension is worth, by its weight for the intent (`base`) and with what signals added (`weight`).
/// Signals alone never make it worth three, or a topic that touches everything would be asked about for an hour.
pub(super) fn wanted(intensity: Intensity, base: u32, weight: u32) -> u32 {
    let from = |two: u32| match (weight, base) {
        (10.., 9..) => 3,
        (at, _) if at >= two => 2,
        (3.., _) => 1,
        (..3, _) => 0,
    };
    match intensity {
        Intensity::Gentle => u32::from(weight >= 7),
        Intensity::Standard => from(9),
        Intensity::Hard | Intensity::Adversarial => from(8),
    }
}

/// How many more questions of dimensions fit, when `besides` others are certain.
pub(super) fn room(session: &Session, besides: usize) -> u32 {
    let put = session.transcript.asked.len() + besides;
    most(session.settings.intensity).saturating_sub(u32::try_from(put).unwrap_or(u32::MAX))
}

/// How many questions may be answered yet, those included that wait for it.
pub(super) fn left(session: &Session) -> u32 {
    let settled = session.transcript.asked.iter().filter(|asked| match &asked.standing {
        QuestionStatus::Answered | QuestionStatus::Deferred | QuestionStatus::PushedBack { .. } => true,
        QuestionStatus::Open | QuestionStatus::SetAside | QuestionStatus::Stale => false,
    });
    most(session.settings.intensity).saturating_sub(u32::try_from(settled.count()).unwrap_or(u32::MAX))
}

/// Takes back what dimensions want until the questions that are due fit into `room`: the lightest dimension first, where
/// a second question weighs half, and the last of the catalogue among equals. What comes last of all stays: an interview
/// that ends without a next step was a conversation.
pub(super) fn fit(accounts: &mut [Account], room: u32) {
    loop {
        let due: u32 = accounts.iter().map(Account::due).sum();
        if due <= room {
            return;
        }
        let lightest = accounts
            .iter_mut()
            .rev()
            .filter(|account| account.due() > 0 && account.dimension.turn != Turn::Last)
            .min_by_key(|account| rank(account));
        let Some(lightest) = lightest else { return };
        lightest.wanted = lightest.spent() + lightest.due() - 1;
    }
}

/// How much the question that a dimension would lose is worth: the only one twice a second one.
fn rank(account: &Account) -> u32 {
    let only = account.spent() == 0 && account.due() == 1;
    account.weight * if only { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g13_a_heavier_dimension_is_worth_more_and_gentle_asks_about_few() {
        for (intensity, base, weight, expected) in [
            (Intensity::Gentle, 7, 7, 1),
            (Intensity::Gentle, 6, 6, 0),
            (Intensity::Gentle, 9, 10, 1),
            (Intensity::Standard, 2, 2, 0),
            (Intensity::Standard, 3, 3, 1),
            (Intensity::Standard, 8, 8, 1),
            (Intensity::Standard, 9, 9, 2),
            (Intensity::Standard, 7, 10, 2),
            (Intensity::Standard, 9, 10, 3),
            (Intensity::Hard, 8, 8, 2),
            (Intensity::Adversarial, 7, 7, 1),
        ] {
            assert_eq!(wanted(intensity, base, weight), expected, "{intensity} {base} {weight}");
        }
    }
}
