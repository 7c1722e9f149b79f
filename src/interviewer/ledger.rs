//! The ledger: how much every dimension wants at this intent and intensity, and how much of it was given. Coverage,
//! progress, the next question and the gate all read the same numbers.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use crate::domain::interview::{AnswerKind, QuestionStatus, TranscriptEntry};
use crate::domain::session::Session;
use crate::domain::settings::{Intensity, Intent};

use super::ask;
use super::budget::{self, wanted};
use super::catalogue::{Dimension, Form, Probe, catalogue};
use super::follow_up::{self, Opened, is_follow_up};
use super::referee;
use super::session_reading::SessionReading;

/// How far a dimension is understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CoverageState {
    /// Everything that was wanted is answered.
    Covered,
    /// Something is answered, and something is not known or still wanted.
    Partly,
    Open,
    /// Put off or refused by the person.
    Deferred,
}

/// A dimension with how far it is understood, for progress and the gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Coverage {
    /// What it is called, such as `scope and non-goals`.
    pub dimension: String,
    /// How far it is understood.
    pub state: CoverageState,
    /// Why it counts as that, in a few words.
    pub why: String,
}

pub(super) struct Account {
    pub dimension: &'static Dimension,
    /// Its weight with what signals add, at most 10.
    pub weight: u32,
    /// How many questions it is worth.
    pub wanted: u32,
    pub answered: u32,
    pub unknown: u32,
    pub deferred: u32,
    pub refused: u32,
    /// Open, set aside or stale.
    pub waiting: u32,
    /// Questions that could still be asked.
    pub candidates: Vec<&'static Probe>,
}

impl Account {
    /// Questions that count against what is wanted. A first refusal does not: the dimension is framed anew.
    pub fn spent(&self) -> u32 {
        self.answered + self.unknown + self.deferred + self.waiting + self.refused.saturating_sub(1)
    }

    pub fn due(&self) -> u32 {
        let possible = u32::try_from(self.candidates.len()).unwrap_or(u32::MAX);
        self.wanted.saturating_sub(self.spent()).min(possible)
    }

    /// Whether the person has said nothing about it yet, apart from refusing a question.
    pub fn silent(&self) -> bool {
        self.answered + self.unknown + self.deferred == 0
    }

    /// Whether it is worth a question at this intent and intensity.
    pub fn is_wanted(&self) -> bool {
        self.wanted > 0
    }

    pub fn touched(&self) -> bool {
        self.spent() + self.refused > 0
    }

    fn coverage(&self) -> Coverage {
        let (state, why) = if self.waiting > 0 && self.answered == 0 {
            (CoverageState::Open, "a question about it waits for an answer".to_owned())
        } else if self.answered > 0 {
            let mut missing = Vec::new();
            missing.extend((self.unknown > 0).then_some("something is not known yet"));
            missing.extend((self.waiting > 0).then_some("a question waits for an answer"));
            missing.extend((self.due() > 0).then_some("worth one more question"));
            match missing.as_slice() {
                [] => (CoverageState::Covered, count(self.answered, "answer")),
                reasons => (CoverageState::Partly, reasons.join(", ")),
            }
        } else if self.unknown > 0 {
            (CoverageState::Partly, "asked, and not known yet".to_owned())
        } else if self.due() > 0 && self.refused > 0 {
            (CoverageState::Open, "to be asked in another way".to_owned())
        } else if self.refused > 0 {
            (CoverageState::Deferred, "its questions were refused".to_owned())
        } else if self.deferred > 0 {
            (CoverageState::Deferred, "put off".to_owned())
        } else {
            (CoverageState::Open, "not asked yet".to_owned())
        };
        Coverage { dimension: self.dimension.name.to_owned(), state, why }
    }
}

/// `1 answer`, `2 answers`.
pub(super) fn count(number: u32, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// The account of every dimension, with what a session opens beside them. It is made once for a state of a session, and
/// only as far as somebody asks for it.
pub struct Ledger<'s> {
    heard: SessionReading<'s>,
    opened: OnceCell<Opened<'s>>,
    entries: OnceCell<Entries>,
}

/// What is asked of the catalogue.
struct Entries {
    accounts: Vec<Account>,
    lenses: Vec<(&'static Dimension, &'static Probe)>,
}

impl<'s> Ledger<'s> {
    pub fn of(session: &'s Session) -> Self {
        Self { heard: SessionReading::of(session), opened: OnceCell::new(), entries: OnceCell::new() }
    }

    pub(super) fn heard(&self) -> &SessionReading<'s> {
        &self.heard
    }

    /// The follow-ups that the answers so far have opened.
    pub(super) fn opened(&self) -> &Opened<'s> {
        self.opened.get_or_init(|| Opened::of(&self.heard))
    }

    /// Every dimension's account, in the catalogue's order.
    pub(super) fn accounts(&self) -> &[Account] {
        &self.entries().accounts
    }

    /// The lenses that are still to be asked, in the catalogue's order.
    pub(super) fn lenses(&self) -> &[(&'static Dimension, &'static Probe)] {
        &self.entries().lenses
    }

    fn entries(&self) -> &Entries {
        self.entries.get_or_init(|| Entries::of(&self.heard, self.opened().number()))
    }

    /// The intent that the questions follow: the one that was set, or the inferred one; never `auto` (G54).
    pub fn intent(&self) -> Intent {
        self.heard.intent()
    }

    /// Every dimension that matters for the intent or was spoken about, with how far it is understood.
    pub(super) fn coverage(&self) -> Vec<Coverage> {
        let matters = |account: &&Account| account.wanted > 0 || account.touched();
        self.accounts().iter().filter(matters).map(Account::coverage).collect()
    }

    /// How many questions are left, the open one included: from what is due now to what the answers may still open (G14).
    pub fn estimate(&self) -> RangeInclusive<u32> {
        let session = self.heard.session;
        let due: u32 = self.accounts().iter().map(Account::due).sum();
        let waiting = session
            .transcript
            .asked
            .iter()
            .filter(|asked| {
                matches!(asked.standing, QuestionStatus::Open | QuestionStatus::SetAside | QuestionStatus::Stale)
            })
            .count();
        let certain = waiting + self.opened().number() + self.lenses().len();
        let certain = due + u32::try_from(certain).unwrap_or(u32::MAX);
        if certain == 0 {
            return 0..=0;
        }
        let decisions: u32 = self
            .accounts()
            .iter()
            .filter(|account| account.candidates.iter().any(|probe| probe.form == Form::Decision))
            .map(Account::due)
            .sum();
        let may_open = match session.settings.intensity {
            Intensity::Gentle => 0,
            Intensity::Standard => due.div_ceil(4),
            Intensity::Hard | Intensity::Adversarial => decisions + due.div_ceil(2),
        };
        certain..=(certain + may_open).min(budget::left(session)).max(certain)
    }
}

impl Entries {
    /// Every dimension's account and the lenses; `opened` is how many follow-ups are due.
    fn of(heard: &SessionReading<'_>, opened: usize) -> Self {
        let asked: BTreeSet<&str> = follow_up::probes(heard.session).collect();
        let counting = heard.session.transcript.asked.iter().filter(|asked| counts(asked));
        let areas: Vec<_> = counting.filter_map(|asked| Some((referee::area_of(asked)?, asked))).collect();
        let possible = |lens| catalogue().dimensions.iter().map(move |dimension| (dimension, lens));
        let mut accounts: Vec<Account> = possible(Lens::Without)
            .map(|(dimension, lens)| account(heard, &areas, dimension, candidates(heard, &asked, dimension, lens)))
            .collect();
        let lenses: Vec<_> = possible(Lens::Only)
            .flat_map(|(dimension, lens)| {
                candidates(heard, &asked, dimension, lens).into_iter().map(move |probe| (dimension, probe))
            })
            .collect();
        budget::fit(&mut accounts, budget::room(heard.session, lenses.len() + opened));
        Self { accounts, lenses }
    }
}

fn account(
    heard: &SessionReading<'_>,
    areas: &[(&str, &TranscriptEntry)],
    dimension: &'static Dimension,
    candidates: Vec<&'static Probe>,
) -> Account {
    let signals = catalogue().signals.iter().filter(|signal| heard.signals().contains(signal.name));
    let raises: u32 = signals.filter_map(|signal| signal.raises.get(dimension.id)).sum();
    let base = catalogue().weight(heard.intent(), dimension.id);
    let weight = (base + raises).min(10);
    let mut account = Account {
        dimension,
        weight,
        wanted: wanted(heard.session.settings.intensity, base, weight),
        answered: 0,
        unknown: 0,
        deferred: 0,
        refused: 0,
        waiting: 0,
        candidates,
    };
    let about = areas.iter().filter(|(area, _)| *area == dimension.id);
    for (_, asked) in about {
        match &asked.standing {
            QuestionStatus::Answered if asked.answer().is_some_and(|one| one.kind == AnswerKind::Unknown) => {
                account.unknown += 1;
            }
            QuestionStatus::Answered => account.answered += 1,
            QuestionStatus::Deferred => account.deferred += 1,
            QuestionStatus::PushedBack { .. } => account.refused += 1,
            QuestionStatus::Open | QuestionStatus::SetAside | QuestionStatus::Stale => account.waiting += 1,
        }
    }
    account
}

/// Whether a question counts for its dimension: follow-ups and lenses come on top.
fn counts(asked: &TranscriptEntry) -> bool {
    match asked.question.probe.as_deref() {
        None => true,
        Some(probe) if is_follow_up(probe) => false,
        Some(probe) => catalogue().probe(probe).is_none_or(|(_, probe)| probe.from.is_none()),
    }
}

/// Which probes are looked for: the usual ones or the lenses of higher intensities.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lens {
    Without,
    Only,
}

fn candidates(
    heard: &SessionReading<'_>,
    asked: &BTreeSet<&str>,
    dimension: &'static Dimension,
    lens: Lens,
) -> Vec<&'static Probe> {
    let allowed = |probe: &Probe| match (probe.from, lens) {
        (None, Lens::Without) => true,
        (Some(least), Lens::Only) => heard.session.settings.intensity >= least,
        (None, Lens::Only) | (Some(_), Lens::Without) => false,
    };
    let scene = heard.scene();
    dimension
        .probes
        .iter()
        .filter(|probe| {
            allowed(probe) && !asked.contains(probe.id) && scene.holds(&probe.when) && ask::possible(probe, scene)
        })
        .collect()
}
