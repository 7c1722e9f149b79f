//! What happened in a debate, as the history says it and as a person is told.

use serde::{Deserialize, Serialize};

use super::attack::Verdict;
use super::conclusions::left_out;
use super::course::{Ending, Settlement};
use super::dossier::Dossier;
use super::part::{self, Part};
use super::players::Players;
use super::role::Player;
use super::round::{Cost, Hearing, Raised, Round};
use super::shown;
use super::synthesis::{Assessed, Recommendation};
use crate::domain::facets::{Facets, Filed, Unfilled};
use crate::domain::harmless::on_one_line;
use crate::domain::session::Phase;
use crate::domain::subsystem::Happened;
use crate::domain::text::{Line, Prose, counted};
use crate::domain::told::{Scene, Told};

/// The folder of its texts, and the name of the subsystem.
pub const NAME: &str = "debate";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", tag = "event")]
pub enum Event {
    DebateStarted(Box<Opened>),
    /// A role gave a text in which nothing is missing.
    DebateTextTaken(Box<Taken>),
    /// A role gave nothing usable; the round waits (D30).
    DebateRoleFailed {
        round: u32,
        part: Part,
        #[serde(rename = "player")]
        by: Player,
        why: Line,
    },
    /// The user answered one of the three questions of a round (D8).
    DebateAnswered {
        round: u32,
        question: Hearing,
        yes: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        words: Option<Prose>,
    },
    /// The user answered a question of a role, or leaves it to the role (D10).
    DebateReplied {
        round: u32,
        /// Its number in the round, from 1.
        number: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        words: Option<Prose>,
    },
    /// The user took back the last answer of a round; its question is asked again.
    DebateAnswerTakenBack {
        round: u32,
    },
    DebateDecided {
        decision: Decision,
    },
    /// Other players take the roles from here on.
    DebateRecast {
        players: Players,
    },
    /// What came of it stands in the checkpoint (D17).
    DebateConcluded,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    /// Its number in the session, from 1.
    pub number: u32,
    pub name: Line,
    #[serde(flatten)]
    pub from: Dossier,
    pub most: u32,
    pub players: Players,
    /// The file that the constraints come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constitution: Option<Line>,
    /// The killed debate that this one begins again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<u32>,
    /// What the user was shown and approved.
    #[serde(skip)]
    pub dossier: String,
    /// The constraints themselves.
    #[serde(skip)]
    pub constraints: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    pub debate: u32,
    pub round: u32,
    pub part: Part,
    #[serde(rename = "player")]
    pub by: Player,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub raised: Vec<Raised>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assessed: Vec<Assessed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recommends: Option<Recommendation>,
    /// What of the idea a synthesis changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_changed: Option<Line>,
    /// Questions to the user that stand in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Prose>,
    /// What a proxy answers in the user's place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<ProxyAnswer>,
    /// The proxy's replies to the roles' questions, or the synthesizer's to the user's concerns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<Prose>,
    /// What a proxy decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    #[serde(default, skip_serializing_if = "Cost::is_nothing")]
    pub cost: Cost,
    #[serde(skip)]
    pub text: String,
}

/// An answer of a proxy to one of the three questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProxyAnswer {
    pub question: Hearing,
    pub yes: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Prose>,
}

/// What the user decides of a debate as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// It is enough (D13).
    Declare,
    /// Accept what there is, at round 5.
    Accept,
    Extend,
    Kill,
    /// What becomes of the best available consensus (D14).
    Settle(Settlement),
    /// What a proxy answered counts as the user's, as a whole (D20).
    Confirm,
    /// It counts for nothing, as a whole.
    Reject,
}

impl Decision {
    /// The command by which a person makes it.
    pub const fn command(self) -> &'static str {
        match self {
            Self::Declare | Self::Accept | Self::Settle(Settlement::Accepted) => "git grill debate accept",
            Self::Extend => "git grill debate extend",
            Self::Kill => "git grill debate kill",
            Self::Settle(Settlement::Restarted) => "git grill debate restart",
            Self::Settle(Settlement::Tabled) => "git grill debate table",
            Self::Confirm => "git grill debate confirm",
            Self::Reject => "git grill debate reject",
        }
    }

    /// In words that fit behind "the debate is".
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Declare => "ended by your word",
            Self::Accept | Self::Settle(Settlement::Accepted) => "accepted, with its risks on record",
            Self::Extend => "extended beyond round 5",
            Self::Kill => "killed",
            Self::Settle(Settlement::Restarted) => "rejected",
            Self::Settle(Settlement::Tabled) => "tabled",
            Self::Confirm => "confirmed, with what the proxy answered",
            Self::Reject => "rejected, with what the proxy answered",
        }
    }
}

impl Happened for Event {
    fn facets(&self) -> Facets<'_> {
        match self {
            Self::DebateStarted(opened) => {
                let mut texts = vec![(part::dossier(opened.number), opened.dossier.as_str())];
                if opened.constitution.is_some() {
                    texts.push((part::constitution(opened.number), opened.constraints.as_str()));
                }
                let again = opened.again.map(|number| format!(", again after debate {number}")).unwrap_or_default();
                let subject = format!("debate {}: {}{again}", opened.number, Line::clipped(opened.name.as_str()));
                Facets::of("debate-start", subject).filed(Filed::Texts { of: NAME, texts })
            }
            Self::DebateTextTaken(taken) => {
                let texts = vec![(taken.part.path(taken.debate, taken.round), taken.text.as_str())];
                let subject = format!("debate {}, round {}: {}", taken.debate, taken.round, taken.in_words());
                Facets::of("debate-text", subject).filed(Filed::Texts { of: NAME, texts })
            }
            Self::DebateRoleFailed { round, part, why, .. } => {
                let why = Line::clipped(why.as_str());
                Facets::of("debate-failed", format!("debate, round {round}: no {}: {why}", part.in_words()))
            }
            Self::DebateAnswered { round, question, yes, words } => {
                let said = if *yes { "yes" } else { "no" };
                let subject = format!("debate, round {round}: {}: {said}", question.name());
                Facets { note: words.as_ref(), ..Facets::of("debate-answer", subject) }
            }
            Self::DebateReplied { round, number, words } => {
                let subject = match words {
                    Some(_) => format!("debate, round {round}: reply to question {number}"),
                    None => format!("debate, round {round}: question {number} left to the role"),
                };
                Facets { note: words.as_ref(), ..Facets::of("debate-reply", subject) }
            }
            Self::DebateAnswerTakenBack { round } => {
                Facets::of("debate-take-back", format!("debate, round {round}: the last answer is taken back"))
            }
            Self::DebateDecided { decision } => {
                Facets::of("debate-decide", format!("the debate is {}", decision.in_words()))
            }
            Self::DebateRecast { players } => {
                Facets::of("debate-roles", Line::clipped(&format!("debate roles: {}", players.in_words())).to_string())
            }
            Self::DebateConcluded => Facets::of("debate-conclude", "what came of the debate is in the checkpoint"),
        }
    }

    fn told(&self, scene: Scene<'_>) -> Told<'_> {
        let state = &scene.after.own.debate;
        let next = state.newest().map(|(_, debate)| shown::next_in_words(debate)).unwrap_or_default();
        Told::Line(match self {
            Self::DebateStarted(opened) => {
                format!("debate {} begins: {}; {next}", opened.number, on_one_line(opened.name.as_str()))
            }
            Self::DebateTextTaken(taken) => {
                let gone = match taken.part {
                    Part::Synthesis => left_out(state, taken.debate, taken.round),
                    Part::Proposal | Part::Critique | Part::Attack | Part::Position | Part::Ruling => Vec::new(),
                };
                let gone: Vec<String> = gone.iter().map(|decision| format!("“{}”", on_one_line(decision))).collect();
                let gone = if gone.is_empty() { String::new() } else { format!("; it omits {}", gone.join(", ")) };
                format!("round {}: {}{gone}; {next}", taken.round, taken.in_words())
            }
            Self::DebateRoleFailed { part, why, .. } => {
                format!("no {} was taken: {}", part.in_words(), on_one_line(why.as_str()))
            }
            Self::DebateAnswered { round, .. } | Self::DebateReplied { round, .. } => {
                let is_last = state.newest().is_some_and(|(_, debate)| {
                    let played =
                        usize::try_from(*round).ok().and_then(|round| debate.rounds.get(round.checked_sub(1)?));
                    played.is_some_and(|played| is_last_answer(played, self))
                });
                if !is_last {
                    return Told::Nothing;
                }
                format!("your answers are recorded; {next}")
            }
            // The question is asked again at once.
            Self::DebateAnswerTakenBack { .. } => return Told::Nothing,
            Self::DebateDecided { decision } => match state.newest().and_then(|(_, debate)| debate.ending()) {
                Some(Ending::Killed) if *decision != Decision::Reject => {
                    "the debate is killed; its record stays, and git grill debate start begins a new one".to_owned()
                }
                Some(_) if *decision == Decision::Confirm => format!("confirmed; {next}"),
                Some(_) => next,
                None => format!("the debate is {}; {next}", decision.in_words()),
            },
            Self::DebateRecast { players } => format!("from here on: {}", on_one_line(&players.in_words())),
            Self::DebateConcluded => {
                let next = match scene.after.phase {
                    Phase::Interview(_) => "; git grill select chooses outputs, and git grill next goes on asking",
                    Phase::Selection(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => "",
                };
                format!("the outcome is in the checkpoint (git grill checkpoint){next}")
            }
        })
    }

    fn unfilled(&mut self) -> Option<Unfilled<'_>> {
        match self {
            Self::DebateStarted(opened) => {
                let Opened { number, constitution, dossier, constraints, .. } = &mut **opened;
                let mut texts = vec![(part::dossier(*number), dossier)];
                if constitution.is_some() {
                    texts.push((part::constitution(*number), constraints));
                }
                Some(Unfilled::Texts { of: NAME, texts })
            }
            Self::DebateTextTaken(taken) => {
                let path = taken.part.path(taken.debate, taken.round);
                Some(Unfilled::Texts { of: NAME, texts: vec![(path, &mut taken.text)] })
            }
            Self::DebateRoleFailed { .. }
            | Self::DebateAnswered { .. }
            | Self::DebateReplied { .. }
            | Self::DebateAnswerTakenBack { .. }
            | Self::DebateDecided { .. }
            | Self::DebateRecast { .. }
            | Self::DebateConcluded => None,
        }
    }
}

/// Whether this is the answer with which a round is heard.
fn is_last_answer(round: &Round, event: &Event) -> bool {
    let last_asked = u32::try_from(round.asked.len()).unwrap_or(u32::MAX);
    round.due().is_none()
        && match event {
            Event::DebateAnswered { question, .. } => *question == Hearing::Override && last_asked == 0,
            Event::DebateReplied { number, .. } => *number == last_asked,
            Event::DebateStarted(_)
            | Event::DebateTextTaken(_)
            | Event::DebateRoleFailed { .. }
            | Event::DebateAnswerTakenBack { .. }
            | Event::DebateDecided { .. }
            | Event::DebateRecast { .. }
            | Event::DebateConcluded => false,
        }
}

impl Taken {
    /// Which text it is, by whom, and what is in it.
    fn in_words(&self) -> String {
        let objections = counted(self.raised.len(), "objection");
        let by = Line::clipped(&on_one_line(&self.by.to_string()));
        match (self.part, self.verdict, self.recommends) {
            (Part::Proposal, ..) => format!("proposal by {by}"),
            (Part::Critique, Some(verdict), _) => {
                format!("critique of the idea by {by}: {}, {objections}", verdict.name())
            }
            (Part::Critique | Part::Attack, ..) => format!("{} by {by}: {objections}", self.part.in_words()),
            (Part::Synthesis, _, Some(recommended)) => {
                let scope = if self.scope_changed.is_some() { ", and the scope of the idea changes" } else { "" };
                format!("synthesis by {by}: {}{scope}", recommended.name())
            }
            (Part::Synthesis, _, None) => format!("synthesis by {by}"),
            (Part::Position, ..) => format!("answers by the proxy {by}"),
            (Part::Ruling, ..) => match self.decision {
                Some(decision) => format!("the proxy {by}: the debate is {}", decision.in_words()),
                None => format!("ruling by the proxy {by}"),
            },
        }
    }
}
