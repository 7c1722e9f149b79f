//! What to ask next: the probe with the highest expected gain.
//!
//! ```text
//! gain = weight × need × stakes + 900 × signals + 150 × quotes + 100 if it cites the repository
//! ```
//!
//! - *weight*: what the dimension counts for this intent, 0 to 10, and what topic and answers added to it.
//! - *need*: 100 where nothing is known, 150 where a way of asking was refused (it is framed anew while it is fresh), 40
//!   where something was answered, put off or not known.
//! - *stakes*: 1 to 3, the cost of a wrong guess and how hard it is to reverse.
//! - *signals*: a probe made for what topic and answers are about in particular (two options named in the topic count as
//!   that) goes before one that fits everything.
//! - *quotes*: earlier answers that the question builds on; what was just opened is pursued before something new.
//!
//! The objective comes first (× 10), output and next steps come last (÷ 8, while anything else is due). Equal gains keep
//! the catalogue's order, so that the same inputs ask the same.

use super::ask;
use super::catalogue::{Dimension, Probe, Turn, catalogue};
use super::ledger::Account;
use super::scene::Scene;

/// The best probe among the dimensions that are due.
pub(super) fn best(accounts: &[Account], scene: &Scene) -> Option<(&'static Dimension, &'static Probe)> {
    let mut best: Option<(u32, &'static Dimension, &'static Probe)> = None;
    let early_due = accounts.iter().any(|account| account.dimension.turn != Turn::Late && account.due() > 0);
    for account in accounts.iter().filter(|account| account.due() > 0) {
        for probe in account.candidates.iter().copied() {
            let gain = turn(account, early_due.into(), gain(account, probe, scene));
            if best.is_none_or(|(highest, ..)| gain > highest) {
                best = Some((gain, account.dimension, probe));
            }
        }
    }
    best.map(|(_, dimension, probe)| (dimension, probe))
}

/// Whether dimensions that do not come last are still due.
#[derive(Clone, Copy)]
enum Early {
    Due,
    Done,
}

impl From<bool> for Early {
    fn from(due: bool) -> Self {
        if due { Self::Due } else { Self::Done }
    }
}

fn turn(account: &Account, early: Early, gain: u32) -> u32 {
    match (account.dimension.turn, early) {
        (Turn::First, Early::Due | Early::Done) if account.silent() => gain * 10,
        (Turn::Late, Early::Due) => gain / 8,
        (Turn::First | Turn::Any, Early::Due | Early::Done) | (Turn::Late, Early::Done) => gain,
    }
}

fn gain(account: &Account, probe: &Probe, scene: &Scene) -> u32 {
    let need = if !account.silent() {
        40
    } else if account.refused > 0 {
        150
    } else {
        100
    };
    let signals = &catalogue().signals;
    let particular = probe
        .when
        .iter()
        .filter(|condition| *condition == "option_a" || signals.iter().any(|signal| signal.name == **condition))
        .count();
    let wording = ask::wording(probe, scene).unwrap_or_default();
    let points = |number: usize, each: u32| u32::try_from(number).unwrap_or(0) * each;
    account.weight * need * probe.stakes
        + points(particular, 900)
        + points(wording.builds_on.len(), 150)
        + points(usize::from(!wording.evidence.is_empty()), 100)
}
