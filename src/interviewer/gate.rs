//! The gate as it stands now: why the interview is ready or what is missing, and what could come out of it (G26).

use std::ops::RangeInclusive;

use crate::domain::question::{Alternatives, RawAlternative};
use crate::domain::selection::{Findings, Gate};
use crate::domain::session::Session;
use crate::domain::settings::{Catalogued, Destination, Intent, Strategy};
use crate::domain::text::Prose;

use super::findings::findings;
use super::ledger::{Coverage, CoverageState, Ledger, count};
use super::scene::{clipped, listed};

/// How many cited places that merely moved are named.
const MOST_MOVED: usize = 3;

/// The names of the debates whose conclusions stand in the checkpoint.
fn concluded(session: &Session) -> impl Iterator<Item = &str> {
    session.own.debate.debates.iter().filter(|debate| debate.concluded).map(|debate| debate.name.as_str())
}

/// The gate, ready or not.
pub fn gate(session: &Session) -> Gate {
    gate_of(&Ledger::of(session))
}

pub(super) fn gate_of(ledger: &Ledger<'_>) -> Gate {
    let session = ledger.heard().session;
    let readiness = Readiness::of(ledger);
    let findings = findings(session);
    let recommended = recommended(ledger);
    let topic = clipped(session.topic.as_str(), 80);
    let question = match readiness.state {
        State::Ready => format!("What should come out of “{topic}”?"),
        State::Missing => {
            format!("“{topic}” is not thought through yet. Go on, or take what is there?")
        }
    };
    Gate {
        rationale: prose(&readiness.rationale(ledger, &findings)),
        alternatives: alternatives(&readiness, &recommended),
        recommended_strategy: Some(Strategy::Known(ledger.intent().strategy())),
        recommended_outputs: recommended,
        question: prose(&question),
        findings,
    }
}

fn prose(text: &str) -> Prose {
    Prose::parse("the gate", text).expect("the gate's texts have words of their own and clip what they quote")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ready,
    Missing,
}

struct Readiness {
    state: State,
    coverage: Vec<Coverage>,
    left: RangeInclusive<u32>,
}

impl Readiness {
    fn of(ledger: &Ledger<'_>) -> Self {
        let coverage = ledger.coverage();
        let settled = coverage.iter().any(|one| matches!(one.state, CoverageState::Covered | CoverageState::Partly));
        let left = ledger.estimate();
        let state = if settled && *left.start() == 0 { State::Ready } else { State::Missing };
        Self { state, coverage, left }
    }

    fn named(&self, state: CoverageState) -> Vec<String> {
        self.coverage.iter().filter(|one| one.state == state).map(|one| one.dimension.clone()).collect()
    }

    fn rationale(&self, ledger: &Ledger<'_>, findings: &Findings) -> String {
        let session = ledger.heard().session;
        let covered = self.named(CoverageState::Covered);
        let debated: Vec<String> = concluded(session).map(|debate| format!("“{}”", clipped(debate, 60))).collect();
        let mut lines = Vec::new();
        lines.push(match (self.state, covered.is_empty()) {
            (State::Ready, false) => {
                format!("Ready: {} {} settled.", listed(&covered), is(&covered))
            }
            (State::Ready, true) => "Every question was asked, but not one dimension is fully settled.".to_owned(),
            (State::Missing, false) => format!("Not ready: only {} {} settled.", listed(&covered), is(&covered)),
            (State::Missing, true) if debated.is_empty() => "Not ready: nothing is settled yet.".to_owned(),
            (State::Missing, true) => "Not ready: the interview has settled nothing yet.".to_owned(),
        });
        if !debated.is_empty() {
            lines.push(format!("Settled in a debate: {}.", listed(&debated)));
        }
        for one in self.coverage.iter().filter(|one| one.state == CoverageState::Partly) {
            lines.push(format!("Partly clear: {} ({}).", one.dimension, one.why));
        }
        let open = self.named(CoverageState::Open);
        if !open.is_empty() {
            lines.push(format!("Still open: {}.", listed(&open)));
        }
        for one in self.coverage.iter().filter(|one| one.state == CoverageState::Deferred) {
            lines.push(format!("Left out by you: {} ({}).", one.dimension, one.why));
        }
        if self.state == State::Missing {
            lines.extend(self.waiting(ledger));
        }
        lines.extend(findings.provenance());
        lines.extend(unmarked(session));
        lines.extend(moved(session));
        lines.extend(findings.doubts());
        lines.join("\n")
    }

    /// What has to be asked before it is ready; the number may grow with the answers.
    fn waiting(&self, ledger: &Ledger<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some((earlier, later)) = ledger.opened().clashing(ledger.heard().session) {
            lines.push(format!("Questions {earlier} and {later} were answered in ways that do not go together."));
        }
        lines.extend(match (*self.left.start(), *self.left.end()) {
            (0, 0) => None,
            (least, most) if least == most => {
                Some(format!("{} would be asked first; answers may add more.", count(least, "question")))
            }
            (least, most) => Some(format!("{least} to {most} questions would be asked first; answers may add more.")),
        });
        lines
    }
}

fn is(names: &[String]) -> &'static str {
    if names.len() == 1 { "is" } else { "are" }
}

/// The number of questions without a recommendation, whoever asked them.
fn unmarked(session: &Session) -> Option<String> {
    let asked = session.transcript.asked.iter();
    let bare = asked.filter(|asked| asked.question.alternatives.recommended().is_none()).count();
    let questions = count(u32::try_from(bare).unwrap_or(u32::MAX), "question");
    (bare > 0).then(|| format!("{questions} asked without a recommendation."))
}

/// Cited places that merely moved; those that say something else by now are among the findings.
fn moved(session: &Session) -> Option<String> {
    let quiet = session.citations.iter().filter(|changed| !changed.place.fate.alarms());
    let mut named: Vec<String> = quiet.map(|changed| clipped(&changed.in_words(), 120)).collect();
    let all = named.len();
    if all == 0 {
        return None;
    }
    named.truncate(MOST_MOVED);
    if all > MOST_MOVED {
        named.push(format!("{} more", all - MOST_MOVED));
    }
    let places = count(u32::try_from(all).unwrap_or(u32::MAX), "cited place");
    Some(format!("{places} moved or changed around the cited lines; what they say is the same: {}.", listed(&named)))
}

/// What the user prefers, or else what the intent suggests.
fn recommended(ledger: &Ledger<'_>) -> Vec<Destination> {
    let preferred = &ledger.heard().session.settings.output_preference;
    if preferred.is_empty() {
        suiting(ledger.intent()).iter().copied().map(Destination::Known).collect()
    } else {
        preferred.clone()
    }
}

/// Issues are for those who asked for them: not every repository has a tracker, and others see them at once.
fn suiting(intent: Intent) -> &'static [Catalogued] {
    match intent {
        Intent::Auto | Intent::Plan => &[Catalogued::DesignDoc, Catalogued::ImplementationPlan],
        Intent::Learn => &[Catalogued::Tutorial, Catalogued::Summary],
        Intent::Research => &[Catalogued::ResearchBrief, Catalogued::Summary],
        Intent::Content => &[Catalogued::Tutorial, Catalogued::Readme],
        Intent::Decide => &[Catalogued::Adr, Catalogued::Summary],
    }
}

fn alternatives(readiness: &Readiness, recommended: &[Destination]) -> Alternatives {
    let choice = |value: &str, label: &str, because: String, favourite: bool| RawAlternative {
        value: value.to_owned(),
        label: label.to_owned(),
        description: because,
        recommended: favourite,
    };
    let ready = readiness.state == State::Ready;
    let open = readiness.named(CoverageState::Open);
    let mut list = Vec::new();
    for (index, output) in recommended.iter().take(2).enumerate() {
        let because = "Drafted from the checkpoint and shown first; nothing is written before you approve it.";
        list.push(choice(
            &output.typed(),
            &clipped(&format!("Produce {output}"), 80),
            because.to_owned(),
            ready && index == 0,
        ));
    }
    let because = match (ready, open.is_empty()) {
        (true, _) => "If something is missing, this is the time to say it.".to_owned(),
        (false, true) => "Some questions still wait for an answer.".to_owned(),
        (false, false) => format!("Nothing is known yet about {}.", listed(&open)),
    };
    list.push(choice("continue", "Go on with the interview", because, !ready));
    list.push(choice(
        "review",
        "Review the checkpoint",
        "Read the shared understanding first; this choice stays open.".to_owned(),
        false,
    ));
    list.push(choice(
        "stop",
        "Stop without output",
        "The understanding stays in git; no file is written.".to_owned(),
        false,
    ));
    Alternatives::parse(&list).expect("three to five choices, one of them recommended")
}
