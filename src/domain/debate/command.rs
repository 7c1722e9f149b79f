//! What somebody wants of a debate, and what comes of it. A role's text is whoever's it is; what is decided is a person's.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::answers::{Answers, answered, replied, taken_back};
use super::attack::{Attack, Critique};
use super::deciding::decided;
use super::document::{Document, Entry, QUESTIONS};
use super::due::DebateRound;
use super::event::{Decision, Event, Opened, ProxyAnswer, Taken};
use super::faults::Faults;
use super::likeness::likeness;
use super::objection::{Objection, ObjectionId, normalised};
use super::part::Part;
use super::players::Players;
use super::position::{Position, ruling};
use super::proposal::Proposal;
use super::refusal::{LARGEST_ATTACK, LARGEST_TEXT, Refusal as Own};
use super::repeated::repeated;
use super::role::{Player, Role};
use super::round::{Cost, Find, Hearing, Looked, Raised, Round};
use super::rounds::Rounds;
use super::shown::next_in_words;
use super::state::Debate;
use super::synthesis::{LONGEST_REASON, Synthesis};
use crate::domain::actor::Actor;
use crate::domain::decide::may_approve;
use crate::domain::harmless::{harmless, harmless_but_tabs};
use crate::domain::refusal::Refusal;
use crate::domain::session::{Phase, Session};
use crate::domain::subsystem::Wanted;
use crate::domain::text::{Line, Prose, within};

/// Begins each refusal of a role's text.
pub const NOT_TAKEN: &str = "the text was not taken";
/// So many questions of one text are put to the user.
const MOST_QUESTIONS: usize = 5;

/// What somebody wants of a debate. None comes from inside of a read-only run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Begin one over the dossier that was shown.
    #[serde(skip)]
    Start(Box<Opened>),
    /// Take the text of a role.
    #[serde(skip)]
    Take(Box<Text>),
    /// Note that a role gave nothing usable.
    #[serde(skip)]
    Fail { debate: u32, part: Part, by: Player, why: Line },
    /// Answer the question that was shown.
    #[serde(skip)]
    Answer { turn: DebateRound, question: Hearing, yes: bool, words: Option<Prose> },
    /// Answer a question of a role, or leave it to the role.
    #[serde(skip)]
    Reply { turn: DebateRound, number: u32, words: Option<Prose> },
    /// Take back the last answer of a round whose answers the synthesizer has not used yet.
    #[serde(skip)]
    TakeBack { turn: DebateRound },
    /// Decide on the debate that was shown, as it stood when so many rounds were complete.
    #[serde(skip)]
    Decide { debate: u32, complete: u32, decision: Decision },
    #[serde(skip)]
    Recast { debate: u32, players: Box<Players> },
    /// Note that what came of it stands in the checkpoint.
    #[serde(skip)]
    Conclude,
    /// What a host wants: to be told what is next, or to hand a text in. It becomes another command once its citations are
    /// looked up.
    #[serde(skip)]
    Hosted(Option<Box<Submission>>),
}

/// A text that a host hands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// The debate and the round that it was asked for in.
    pub debate: u32,
    pub role: Role,
    pub round: u32,
    pub text: String,
}

/// A text as a role gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The debate that it was asked for in; in another one by now, nothing happens.
    pub debate: u32,
    /// The round that it was asked for in; in another one by now, nothing happens.
    pub round: u32,
    pub part: Part,
    pub by: Player,
    /// Byte for byte: a quotation in it is compared with a file. It is recorded in a form that does no harm.
    pub text: String,
    /// What the user had said in the round when it was asked for; in a round in which they said something else meanwhile,
    /// nothing happens.
    pub told: Answers,
    /// What a look at its citations came to, by their words.
    pub looked: BTreeMap<String, Find>,
    pub cost: Cost,
}

impl Wanted for Command {
    type Event = Event;

    fn deed(&self) -> &'static str {
        match self {
            Self::Start(_) => "beginning a debate",
            Self::Take(_) => "taking a role's text",
            Self::Fail { .. } => "noting that a role failed",
            Self::Answer { .. } | Self::Reply { .. } | Self::TakeBack { .. } => "answering in a debate",
            Self::Decide { .. } => "deciding on a debate",
            Self::Recast { .. } => "naming who plays the roles",
            Self::Conclude => "concluding a debate",
            Self::Hosted(_) => "bringing a role's text",
        }
    }

    fn decide(&self, session: &Session, actor: &Actor, _: Timestamp) -> Result<Vec<Event>, Refusal> {
        match self {
            Self::Start(opened) => self.start(session, actor, opened),
            Self::Take(text) => {
                // Only git grill itself says that an agent gave a text, and which one.
                let is_its_own = match (actor, &text.by) {
                    (Actor::Agent(name), Player::Agent(role)) => name == role,
                    (Actor::Agent(_), Player::Host) => is_hosted(session, text.part),
                    (Actor::Human | Actor::Unattended | Actor::System | Actor::Agent(_), _) => false,
                };
                if !is_its_own {
                    self.not_for_agents(actor)?;
                }
                Ok(vec![Event::DebateTextTaken(Box::new(taken(session, text)?))])
            }
            Self::Fail { debate: of, part, by, why } => {
                self.not_for_agents(actor)?;
                let (number, debate) = open(session)?;
                if number != *of || debate.awaits() != Some(*part) {
                    return Err(Own::OutOfTurn { deed: NOT_TAKEN, next: next_in_words(debate) }.into());
                }
                let round = debate.course().round();
                Ok(vec![Event::DebateRoleFailed { round, part: *part, by: by.clone(), why: why.clone() }])
            }
            Self::Answer { turn, question, yes, words } => {
                self.not_for_agents(actor)?;
                answered(session, *turn, *question, *yes, words.as_ref())
            }
            Self::Reply { turn, number, words } => {
                self.not_for_agents(actor)?;
                replied(session, *turn, *number, words.as_ref())
            }
            Self::TakeBack { turn } => {
                self.not_for_agents(actor)?;
                taken_back(session, *turn)
            }
            Self::Decide { debate, complete, decision } => {
                // What no person can decide either is refused as such.
                let decided = decided(session, *debate, *complete, *decision)?;
                self.for_a_person(session, actor, decision.command())?;
                Ok(decided)
            }
            Self::Recast { debate: of, players } => {
                let debate = shown(session, *of, "the roles were not changed")?;
                self.for_a_person(session, actor, "git grill debate roles")?;
                let same = debate.players == **players;
                Ok(if same { vec![] } else { vec![Event::DebateRecast { players: (**players).clone() }] })
            }
            Self::Conclude => match session.own.debate.newest() {
                Some((_, debate)) if debate.concluded => Ok(vec![]),
                Some((number, debate)) if debate.is_provisional() => Err(Own::Provisional { number }.into()),
                Some((_, debate)) if debate.ending().is_some() => Ok(vec![Event::DebateConcluded]),
                Some((_, debate)) => {
                    Err(Own::OutOfTurn { deed: "nothing was concluded", next: next_in_words(debate) }.into())
                }
                None => Err(Own::NoDebate.into()),
            },
            Self::Hosted(_) => Ok(vec![]),
        }
    }
}

/// Whether the user said that a host brings this text.
fn is_hosted(session: &Session, part: Part) -> bool {
    let open = session.own.debate.open();
    open.is_some_and(|(_, debate)| debate.players.of(part.role()) == Some(&Player::Host))
}

impl Command {
    fn start(&self, session: &Session, actor: &Actor, opened: &Opened) -> Result<Vec<Event>, Refusal> {
        match &session.phase {
            Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } => {}
            Phase::Production(_) | Phase::Closed { .. } => {
                return Err(crate::domain::decide::wrong_phase(session, self.deed()));
            }
        }
        may_begin(session)?;
        self.for_a_person(session, actor, "git grill debate start")?;
        let limited = |limit| Own::Limited { deed: "no debate was begun", limit };
        Rounds::bounded(opened.most).map_err(limited)?;
        if opened.dossier.trim().is_empty() {
            return Err(Own::NoDossier.into());
        }
        fits("no debate was begun; the dossier", &opened.dossier, LARGEST_TEXT)?;
        fits("no debate was begun; the constraints", &opened.constraints, LARGEST_TEXT)?;
        let number = session.own.debate.newest().map_or(0, |(number, _)| number) + 1;
        let opened = Opened { number, ..opened.clone() };
        Ok(vec![Event::DebateStarted(Box::new(opened))])
    }

    fn for_a_person(&self, session: &Session, actor: &Actor, command: &'static str) -> Result<(), Refusal> {
        if may_approve(session, actor) {
            return Ok(());
        }
        Err(Refusal::ApprovalRequired { deed: self.deed(), by: actor.clone(), command })
    }

    /// A host's agent answers for nobody, and its words are no role's.
    fn not_for_agents(&self, actor: &Actor) -> Result<(), Refusal> {
        match actor {
            Actor::Human | Actor::Unattended | Actor::System => Ok(()),
            Actor::Agent(_) => Err(Refusal::NotYours { deed: self.deed(), by: actor.clone() }),
        }
    }
}

/// Refuses another debate while one goes on, or waits for the user's word on what a proxy answered.
pub fn may_begin(session: &Session) -> Result<(), Own> {
    match session.own.debate.unsettled() {
        None => Ok(()),
        Some((number, debate)) if debate.is_provisional() => Err(Own::Provisional { number }),
        Some((number, _)) => Err(Own::GoesOn { number }),
    }
}

/// The debate that goes on; else why none does.
pub fn open(session: &Session) -> Result<(u32, &Debate), Own> {
    match session.own.debate.newest() {
        None => Err(Own::NoDebate),
        Some((number, debate)) if debate.is_provisional() => Err(Own::Provisional { number }),
        Some((_, debate)) if debate.ending().is_some() => Err(Own::Over),
        Some(open) => Ok(open),
    }
}

/// The debate that goes on, if it is the one that somebody was shown, or wrote for.
pub(super) fn shown<'s>(session: &'s Session, number: u32, deed: &'static str) -> Result<&'s Debate, Own> {
    let (now, debate) = open(session)?;
    if now == number { Ok(debate) } else { Err(Own::superseded(deed, number, (now, debate))) }
}

fn fits(what: &'static str, text: &str, most: usize) -> Result<(), Own> {
    let bytes = text.len();
    if bytes > most { Err(Own::TooLarge { what, bytes, most }) } else { Ok(()) }
}

/// The objections that a text raises, with their facets, before anybody looked at their citations; none in a text that
/// raises none, or that is not whole.
pub fn raised_in(part: Part, text: &str) -> Vec<(&'static str, Objection)> {
    let attack = match part {
        Part::Critique => Critique::parse(text).map(|critique| critique.attack),
        Part::Attack => Attack::parse(text),
        Part::Proposal | Part::Synthesis | Part::Position | Part::Ruling => return Vec::new(),
    };
    let facets = attack.map(|attack| attack.facets).unwrap_or_default();
    facets.into_iter().flat_map(|(facet, all)| all.into_iter().map(move |one| (facet, one))).collect()
}

/// Reads a text strictly: everything that is missing is named.
fn taken(session: &Session, given: &Text) -> Result<Taken, Own> {
    let Text { debate: of, round, part, by, text, told, cost, .. } = given;
    let debate = shown(session, *of, NOT_TAKEN)?;
    let course = debate.course();
    if debate.awaits() != Some(*part) || course.round() != *round {
        return Err(Own::OutOfTurn { deed: NOT_TAKEN, next: next_in_words(debate) });
    }
    let meanwhile = if debate.players.of(part.role()) != Some(by) {
        Some("another player has this role by now")
    } else if Answers::of(debate) != *told {
        Some("what you answered changed while it was written")
    } else {
        None
    };
    if let Some(why) = meanwhile {
        return Err(Own::OutOfTurn { deed: NOT_TAKEN, next: format!("{why}; {}", next_in_words(debate)) });
    }
    let most = match part {
        Part::Critique | Part::Attack => LARGEST_ATTACK,
        Part::Proposal | Part::Synthesis | Part::Position | Part::Ruling => LARGEST_TEXT,
    };
    // Whoever reads it with plain git has it on their terminal.
    let shown = harmless_but_tabs(text);
    fits(NOT_TAKEN, &shown, most)?;
    // What is compared with files is read byte for byte.
    let read: &str = match part {
        Part::Critique | Part::Attack => text,
        Part::Proposal | Part::Synthesis | Part::Position | Part::Ruling => &shown,
    };
    let faults = repeated(*part, read);
    let mut taken = Taken {
        debate: *of,
        round: *round,
        part: *part,
        by: by.clone(),
        raised: Vec::new(),
        verdict: None,
        assessed: Vec::new(),
        recommends: None,
        scope_changed: None,
        questions: questions(&shown),
        answers: Vec::new(),
        replies: Vec::new(),
        decision: None,
        cost: cost.clone(),
        text: shown.to_string(),
    };
    let incomplete = |found: Faults| Own::Incomplete { part: *part, faults: faults.clone().and(found) };
    match part {
        Part::Position => {
            let position = Position::parse(read).map_err(incomplete)?;
            let answer = |(question, yes, words)| ProxyAnswer { question, yes, words };
            taken.answers = position.answers.into_iter().map(answer).collect();
            taken.replies = position.replies;
        }
        Part::Ruling => taken.decision = Some(ruling(read, course.step(), debate.rounds()).map_err(incomplete)?),
        Part::Proposal => drop(Proposal::parse(read).map_err(incomplete)?),
        Part::Critique => taken.verdict = Some(Critique::parse(read).map_err(incomplete)?.verdict),
        Part::Attack => drop(Attack::parse(read).map_err(incomplete)?),
        Part::Synthesis => {
            let objections: Vec<Objection> =
                debate.last().map(|round| round.raised.iter().map(Raised::objection).collect()).unwrap_or_default();
            let concerns = debate.last().and_then(Round::said).map_or(0, |said| said.concerns());
            let objections: Vec<&Objection> = objections.iter().collect();
            let synthesis = Synthesis::parse(read, &objections, concerns).map_err(incomplete)?;
            taken.assessed = synthesis.assessed;
            let reply = |said: &String| Prose::parse("the answer", &within(said, LONGEST_REASON)).ok();
            taken.replies = synthesis.replies.iter().filter_map(reply).collect();
            taken.recommends = Some(synthesis.recommendation);
            taken.scope_changed = synthesis.scope_changed.as_deref().map(Line::clipped);
        }
    }
    if !faults.is_empty() {
        return Err(incomplete(Faults::default()));
    }
    let raised = raised(debate, *part, given).map_err(incomplete)?;
    Ok(Taken { raised, ..taken })
}

/// The objections that a text raises, each once, with what a look at their evidence came to. Evidence is kept as it was
/// given: it is what was compared.
fn raised(debate: &Debate, part: Part, given: &Text) -> Result<Vec<Raised>, Faults> {
    let earlier = debate.earlier();
    let (mut raised, mut faults): (Vec<Raised>, _) = (Vec::new(), Faults::default());
    for (facet, objection) in raised_in(part, &given.text) {
        let Objection { claim, severity, evidence, .. } = objection;
        let objection = Objection::new(&harmless(&claim), severity, evidence);
        let is_it = |one: &&Raised| one.id == objection.id;
        let (here, last) = (raised.iter().find(is_it), debate.last().and_then(|last| last.raised.iter().find(is_it)));
        let before = earlier.iter().find(|(_, known)| known.id == objection.id).map(|(_, known)| &known.claim);
        // Two claims of one name would be taken for one.
        let is_other = |claim: &String| normalised(claim) != normalised(&objection.claim);
        if here.or(last).map(|one| &one.claim).into_iter().chain(before).any(is_other) {
            faults.does(format!("gives “{}” the name of another objection; use other words", objection.claim));
        } else if here.is_some() {
            faults.does(format!("raises “{}” several times; keep one, with all of its evidence", objection.claim));
        }
        if here.or(last).is_some() {
            continue;
        }
        let look = |evidence: String| {
            let find = given.looked.get(&evidence).cloned().unwrap_or(Find::Unchecked);
            Looked { evidence, find }
        };
        let evidence = objection.evidence.iter().map(ToString::to_string).map(look).collect();
        raised.push(Raised::new(facet, &objection, evidence, nearest(&earlier, &objection)));
    }
    if faults.is_empty() { Ok(raised) } else { Err(faults) }
}

/// The earlier objection that is worded most like this one, if it is near (D15).
fn nearest(earlier: &[(u32, Objection)], objection: &Objection) -> Option<ObjectionId> {
    let near = earlier.iter().map(|(_, known)| (likeness(&known.claim, &objection.claim), known.id));
    near.filter(|(likeness, _)| *likeness >= super::likeness::NEAR)
        .max_by_key(|(likeness, _)| *likeness)
        .map(|(_, id)| id)
        // The same objection is told as such, and not as one that is near.
        .filter(|id| *id != objection.id)
}

/// Questions to the user that stand in a text, in their order: a list below a heading of its own.
fn questions(text: &str) -> Vec<Prose> {
    let entries = Document::of(text).entries(QUESTIONS).unwrap_or_default();
    let whole =
        |entry: &Entry| std::iter::once(&entry.first).chain(&entry.rest).cloned().collect::<Vec<_>>().join("\n");
    let asked = entries.iter().map(whole).filter_map(|question| Prose::parse("the question", &question).ok());
    asked.take(MOST_QUESTIONS).collect()
}
