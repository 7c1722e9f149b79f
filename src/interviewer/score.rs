//! What to ask next: the probe with the highest expected gain.
//!
//! ```text
//! gain = weight × need × stakes + 3000 × revisits + 900 × opened + 300 × kinds + 150 × quotes + 100 if it cites
//! ```
//!
//! - *weight* (by intent): what the dimension counts for this intent, 0 to 10, and what topic and answers added to it.
//! - *need* (coverage): 100 where nothing is known, 150 where a way of asking was refused (it is framed anew while it is
//!   fresh), 40 where something was answered, put off or not known.
//! - *stakes*: 1 to 3, the cost of a wrong guess and how hard it is to reverse.
//! - *revisits*: asks whether something holds that an earlier session decided near the topic. It goes before everything
//!   but the objective, since a contradiction with it would undo what is decided here.
//! - *opened*: conditions that name what topic and answers are about in particular (a signal, or two options named in the
//!   topic). A probe made for them goes before one that fits everything.
//! - *kinds*: a probe made for this kind of repository goes before one that fits every kind.
//! - *quotes*: earlier answers that the question builds on; what was just opened is pursued before something new.
//! - *cites*: it names a place in the repository.
//!
//! The objective comes first (× 10 while nothing is known about it), output and next steps come last (÷ 8 while anything
//! else is due; then the output before the next steps, ÷ 4). Equal gains keep the catalogue's order, so that the same inputs ask the same. Follow-ups do not compete:
//! they are asked while the answer is fresh. `budget` says how many questions there are at all.

use super::ask;
use super::catalogue::{Dimension, Probe, Turn, catalogue};
use super::ledger::Account;
use super::scene::Scene;

/// The best probe among the dimensions that are due.
pub(super) fn best(accounts: &[Account], scene: &Scene) -> Option<(&'static Dimension, &'static Probe)> {
    let mut best: Option<(u32, &'static Dimension, &'static Probe)> = None;
    let early_due = accounts.iter().any(|account| account.dimension.turn.is_early() && account.due() > 0);
    let early = if early_due { Early::Due } else { Early::Done };
    for account in accounts.iter().filter(|account| account.due() > 0) {
        for probe in account.candidates.iter().copied() {
            let gain = Gain::of(account, probe, scene, early).points();
            if best.is_none_or(|(highest, ..)| gain > highest) {
                best = Some((gain, account.dimension, probe));
            }
        }
    }
    best.map(|(_, dimension, probe)| (dimension, probe))
}

/// Whether dimensions that do not come last are still due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Early {
    Due,
    Done,
}

/// How much is known about a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    /// Nothing.
    Silent,
    /// Nothing, and one way of asking was refused.
    Refused,
    /// Something was said, put off or not known.
    Spoken,
}

/// What a probe is expected to bring, term by term.
#[derive(Clone, Copy, Debug)]
struct Gain {
    weight: u32,
    need: Need,
    stakes: u32,
    revisits: usize,
    opened: usize,
    kinds: usize,
    quotes: usize,
    cites: usize,
    turn: Turn,
    early: Early,
}

impl Gain {
    fn of(account: &Account, probe: &Probe, scene: &Scene, early: Early) -> Self {
        let need = match (account.silent(), account.refused) {
            (false, _) => Need::Spoken,
            (true, 0) => Need::Silent,
            (true, 1..) => Need::Refused,
        };
        let asked_for = |wanted: &dyn Fn(&str) -> bool| probe.when.iter().filter(|condition| wanted(condition)).count();
        let signals = &catalogue().signals;
        let wording = ask::wording(probe, scene).unwrap_or_default();
        Self {
            weight: account.weight,
            need,
            stakes: probe.stakes,
            revisits: asked_for(&|condition| condition == "earlier"),
            opened: asked_for(&|condition| {
                condition == "option_a" || signals.iter().any(|signal| signal.name == condition)
            }),
            kinds: asked_for(&|condition| condition.starts_with("kind-")),
            quotes: wording.builds_on.len(),
            cites: usize::from(!wording.evidence.is_empty()),
            turn: account.dimension.turn,
            early,
        }
    }

    fn points(&self) -> u32 {
        let need = match self.need {
            Need::Silent => 100,
            Need::Refused => 150,
            Need::Spoken => 40,
        };
        let each = |number: usize, points: u32| u32::try_from(number).unwrap_or(0).saturating_mul(points);
        let gain = self.weight * need * self.stakes
            + each(self.revisits, 3000)
            + each(self.opened, 900)
            + each(self.kinds, 300)
            + each(self.quotes, 150)
            + each(self.cites, 100);
        match (self.turn, self.need, self.early) {
            (Turn::First, Need::Silent | Need::Refused, _) => gain * 10,
            (Turn::Late | Turn::Last, _, Early::Due) => gain / 8,
            (Turn::Last, _, Early::Done) => gain / 4,
            (Turn::First, Need::Spoken, _) | (Turn::Any, _, _) | (Turn::Late, _, Early::Done) => gain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A probe that nothing speaks for in particular.
    const PLAIN: Gain = Gain {
        weight: 5,
        need: Need::Silent,
        stakes: 2,
        revisits: 0,
        opened: 0,
        kinds: 0,
        quotes: 0,
        cites: 0,
        turn: Turn::Any,
        early: Early::Due,
    };

    #[test]
    fn g12_every_term_counts_as_it_is_documented() {
        for (gain, points) in [
            (PLAIN, 1000),
            (Gain { weight: 10, ..PLAIN }, 2000),
            (Gain { weight: 0, ..PLAIN }, 0),
            (Gain { stakes: 3, ..PLAIN }, 1500),
            (Gain { need: Need::Spoken, ..PLAIN }, 400),
            (Gain { need: Need::Refused, ..PLAIN }, 1500),
            (Gain { revisits: 1, ..PLAIN }, 4000),
            (Gain { opened: 2, ..PLAIN }, 2800),
            (Gain { kinds: 1, ..PLAIN }, 1300),
            (Gain { quotes: 2, ..PLAIN }, 1300),
            (Gain { cites: 1, ..PLAIN }, 1100),
            (Gain { turn: Turn::First, ..PLAIN }, 10_000),
            (Gain { turn: Turn::First, need: Need::Spoken, ..PLAIN }, 400),
            (Gain { turn: Turn::Late, ..PLAIN }, 125),
            (Gain { turn: Turn::Late, early: Early::Done, ..PLAIN }, 1000),
            (Gain { turn: Turn::Last, ..PLAIN }, 125),
            (Gain { turn: Turn::Last, early: Early::Done, ..PLAIN }, 250),
        ] {
            assert_eq!(gain.points(), points, "{gain:?}");
        }
    }

    #[test]
    fn g12_what_goes_before_what() {
        let heaviest = Gain { weight: 10, stakes: 3, opened: 1, cites: 1, ..PLAIN };
        let objective = Gain { weight: 8, stakes: 2, turn: Turn::First, ..PLAIN };
        let earlier = Gain { weight: 3, stakes: 3, revisits: 1, ..PLAIN };
        for (first, second, why) in [
            (objective, earlier, "the objective before everything"),
            (objective, heaviest, "the objective before everything"),
            (Gain { weight: 6, ..earlier }, heaviest, "an earlier decision before what is only heavy"),
            (Gain { opened: 1, ..PLAIN }, Gain { kinds: 1, cites: 1, quotes: 1, ..PLAIN }, "the topic before the kind"),
            (Gain { kinds: 1, ..PLAIN }, Gain { cites: 1, ..PLAIN }, "the kind before what fits everything"),
            (Gain { weight: 3, ..PLAIN }, Gain { need: Need::Spoken, ..PLAIN }, "the silent before the spoken"),
            (PLAIN, Gain { weight: 10, stakes: 3, turn: Turn::Late, ..PLAIN }, "the last things last"),
        ] {
            assert!(first.points() > second.points(), "{why}: {first:?} {second:?}");
        }
    }
}
