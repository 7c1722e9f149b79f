//! What is known of the debates of a session, round by round.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::course::{Course, Ending, Happened, Settlement, Step};
use super::dossier::Dossier;
use super::due::Due;
use super::event::{Decision, Event, Opened, Taken};
use super::objection::{Objection, ObjectionId};
use super::part::{self, Part};
use super::players::{Players, casting};
use super::proxied::answer_for_the_user;
use super::role::Player;
use super::round::{Asked, Failed, Given, Heard, Raised, Reply, Round};
use super::rounds::Rounds;
use crate::domain::actor::Actor;
use crate::domain::subsystem::{Folded, Hold};
use crate::domain::text::Line;

/// All debates of a session, the oldest first; at most the last one is open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub debates: Vec<Debate>,
    /// Their texts, by their paths below `.grill/debate/`.
    #[serde(skip)]
    pub texts: BTreeMap<String, String>,
}

/// A decision of the user's that is made, and by whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    pub decision: Decision,
    pub by: Actor,
    /// The proxy that decided in the user's place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy: Option<Player>,
    pub at: Timestamp,
}

/// One debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Debate {
    pub name: Line,
    #[serde(flatten)]
    pub dossier: Dossier,
    /// The most rounds that it may have, before it is extended.
    pub most: u32,
    pub players: Players,
    /// The file that the constraints come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constitution: Option<Line>,
    /// The number of a killed debate that this one begins again (D23).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<u32>,
    pub by: Actor,
    pub at: Timestamp,
    #[serde(default)]
    pub rounds: Vec<Round>,
    /// What the last synthesis asks, for the next round, if there is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_next: Vec<Asked>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<Decided>,
    /// Whether what came of it stands in the checkpoint.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub concluded: bool,
}

impl Debate {
    fn begin(opened: &Opened, by: &Actor, at: Timestamp) -> Self {
        Self {
            name: opened.name.clone(),
            dossier: opened.from.clone(),
            most: opened.most,
            players: opened.players.clone(),
            constitution: opened.constitution.clone(),
            again: opened.again,
            by: by.clone(),
            at,
            rounds: vec![Round::default()],
            asked_next: Vec::new(),
            decided: Vec::new(),
            concluded: false,
        }
    }

    /// Where it stands, by everything that happened in it.
    pub fn course(&self) -> Course {
        let mut course = Course::new(Rounds::bounded(self.most).unwrap_or_default());
        let mut take = |happened: Happened| {
            if let Ok(after) = course.clone().after(happened) {
                course = after;
            }
        };
        for round in &self.rounds {
            for given in &round.given {
                match given.part {
                    Part::Proposal => take(Happened::Proposed),
                    Part::Critique => take(Happened::Criticized(round.objections(Part::Critique))),
                    Part::Attack => take(Happened::Attacked(round.objections(Part::Attack))),
                    Part::Synthesis | Part::Position | Part::Ruling => {}
                }
            }
            if let Some(said) = round.said() {
                take(Happened::Heard(said));
            }
            if round.has(Part::Synthesis) {
                let scope_changed = round.scope_changed.is_some();
                take(Happened::Synthesized { assessed: round.assessed.clone(), scope_changed });
            }
            if let Some(extension) = self.extension() {
                // It fits after one round alone.
                take(extension);
            }
        }
        for decided in &self.decided {
            match decided.decision {
                Decision::Declare => take(Happened::Declared),
                Decision::Accept => take(Happened::Accepted),
                Decision::Kill => take(Happened::Killed),
                Decision::Settle(settlement) => take(Happened::Settled(settlement)),
                Decision::Extend | Decision::Confirm | Decision::Reject => {}
            }
        }
        course
    }

    /// The text that is next; none where the user is asked, or nothing is next.
    pub fn awaits(&self) -> Option<Part> {
        Part::of(self.step(), self.players.proxy.is_some())
    }

    pub(super) fn has_decided(&self, wanted: Decision) -> bool {
        self.decided.iter().any(|decided| decided.decision == wanted)
    }

    /// How it goes on after round 5, once the user or the proxy said so.
    fn extension(&self) -> Option<Happened> {
        let decided = self.decided.iter().find(|decided| decided.decision == Decision::Extend)?;
        // Records exist in which a proxy went beyond a bound of 5; they are not judged anew.
        let is_within = decided.proxy.is_some() && self.rounds().allows_a_proxy_to_extend();
        Some(if is_within { Happened::GoneOn } else { Happened::Extended })
    }

    /// The bound that it began with.
    pub fn rounds(&self) -> Rounds {
        Rounds::bounded(self.most).unwrap_or_default()
    }

    pub fn step(&self) -> Step {
        self.course().step()
    }

    /// How it ended, if it did.
    pub fn ending(&self) -> Option<Ending> {
        if let Step::Over(ending) = self.step() { Some(ending) } else { None }
    }

    /// Whether it was killed or rejected, so that another one begins over its dossier.
    pub fn is_to_be_begun_again(&self) -> bool {
        self.is_rejected() || matches!(self.ending(), Some(Ending::Killed | Ending::Limit(Settlement::Restarted)))
    }

    /// The most rounds that it may have by now.
    pub fn bound(&self) -> u32 {
        let is_lifted = self.extension().is_some_and(|extension| matches!(extension, Happened::Extended));
        if is_lifted { super::rounds::CEILING } else { self.rounds().most() }
    }

    /// The round that goes on, or the last one.
    pub fn last(&self) -> Option<&Round> {
        self.rounds.last()
    }

    /// The question that the user is asked next.
    pub fn due(&self) -> Option<Due<'_>> {
        self.last().filter(|_| self.step() == Step::Hear).and_then(Round::due)
    }

    /// The last answer of the round that goes on, as long as it can be taken back.
    pub fn last_answered(&self) -> Option<Due<'_>> {
        let open = self.last().filter(|round| !round.has(Part::Synthesis));
        open.and_then(|round| round.last_answered(self.players.proxy.is_some()))
    }

    /// The objections of rounds before the one that goes on, with the number of the round, each once.
    pub fn earlier(&self) -> Vec<(u32, Objection)> {
        let before = self.rounds.len().saturating_sub(1);
        let mut found: Vec<(u32, Objection)> = Vec::new();
        for (number, round) in (1..).zip(&self.rounds[..before]) {
            for raised in &round.raised {
                if !found.iter().any(|(_, known)| known.id == raised.id) {
                    found.push((number, raised.objection()));
                }
            }
        }
        found
    }

    /// Its rounds with their numbers, from 1.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &Round)> {
        (1..).zip(&self.rounds)
    }

    /// An objection that was raised, with the number of its first round.
    pub fn raised(&self, id: ObjectionId) -> Option<(u32, &Raised)> {
        let mut all = self.numbered().flat_map(|(number, round)| round.raised.iter().map(move |one| (number, one)));
        all.find(|(_, raised)| raised.id == id)
    }

    /// Tries in a row in which a role gave nothing usable, in the round that goes on.
    pub fn tries(&self, part: Part) -> usize {
        self.last().map_or(0, |round| round.failures.iter().rev().take_while(|failed| failed.part == part).count())
    }

    fn take(&mut self, taken: &Taken, by: &Actor, at: Timestamp) {
        let Some(round) = self.rounds.last_mut() else { return };
        let cost = taken.cost.clone();
        round.given.push(Given { part: taken.part, by: taken.by.clone(), at, cost });
        if taken.part == Part::Position {
            answer_for_the_user(round, taken, by, at);
        }
        if let Some(decision) = taken.decision.filter(|_| taken.part == Part::Ruling) {
            self.decided.push(Decided { decision, by: by.clone(), proxy: Some(taken.by.clone()), at });
            return;
        }
        let asked = taken.questions.iter().cloned().map(|question| Asked { part: taken.part, question, reply: None });
        match taken.part {
            // What the synthesizer asks is asked in the round that follows.
            Part::Synthesis => self.asked_next = asked.collect(),
            Part::Proposal | Part::Critique | Part::Attack | Part::Position | Part::Ruling => round.asked.extend(asked),
        }
        round.raised.extend(taken.raised.iter().cloned());
        if taken.verdict.is_some() {
            round.verdict = taken.verdict;
        }
        if taken.part == Part::Synthesis {
            round.assessed.clone_from(&taken.assessed);
            round.answered.clone_from(&taken.replies);
            round.recommends = taken.recommends;
            round.scope_changed.clone_from(&taken.scope_changed);
        }
    }

    /// Adds the round that is to be played by now.
    fn go_on(&mut self) {
        let course = self.course();
        let number = usize::try_from(course.round()).unwrap_or(usize::MAX);
        if !matches!(course.step(), Step::Over(_)) && self.rounds.len() < number {
            let asked = std::mem::take(&mut self.asked_next);
            self.rounds.push(Round { asked, ..Round::default() });
        }
    }
}

impl State {
    /// The debate that goes on.
    pub fn open(&self) -> Option<(u32, &Debate)> {
        self.newest().filter(|(_, debate)| debate.ending().is_none())
    }

    /// The debates with their numbers, from 1.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &Debate)> {
        (1..).zip(&self.debates)
    }

    /// The newest debate with its number, from 1.
    pub fn newest(&self) -> Option<(u32, &Debate)> {
        let number = u32::try_from(self.debates.len()).ok()?;
        self.debates.last().map(|debate| (number, debate))
    }

    pub fn debate(&self, number: u32) -> Option<&Debate> {
        self.debates.get(usize::try_from(number).ok()?.checked_sub(1)?)
    }
}

impl Folded<Event> for State {
    const LAPSED: &'static str = "you play every role of the debate here: no command is run, no file is read and no agent is \
                                  started until you name others: git grill debate roles --proposer cmd:<command> (or \
                                  --advocate, --synthesizer)";

    fn grants(&self) -> Vec<String> {
        let acts = self.open().filter(|(_, debate)| debate.players != Players::ME);
        acts.map(|(number, debate)| casting(number, &debate.players)).into_iter().collect()
    }

    fn lapse(&mut self, grants: &[&str]) {
        for (number, debate) in (1..).zip(&mut self.debates) {
            if grants.contains(&casting(number, &debate.players).as_str()) {
                debate.players = Players::ME;
            }
        }
    }

    fn hold(&self) -> Option<Hold> {
        self.open().map(|_| Hold::ReadOnly)
    }

    fn texts(&self) -> Option<&BTreeMap<String, String>> {
        Some(&self.texts)
    }

    fn texts_mut(&mut self) -> Option<&mut BTreeMap<String, String>> {
        Some(&mut self.texts)
    }

    fn lacks(&self) -> Option<String> {
        self.expected().find(|path| !self.texts.contains_key(path))
    }

    fn evolve(&mut self, by: &Actor, at: Timestamp, event: &Event) {
        match event {
            Event::DebateStarted(opened) => {
                if self.open().is_some() {
                    return;
                }
                self.debates.push(Debate::begin(opened, by, at));
                let number = opened.number;
                self.texts.insert(part::dossier(number), opened.dossier.clone());
                if opened.constitution.is_some() {
                    self.texts.insert(part::constitution(number), opened.constraints.clone());
                }
            }
            Event::DebateTextTaken(taken) => {
                let Some(debate) = self.going_on() else { return };
                let course = debate.course();
                if debate.awaits() != Some(taken.part) || course.round() != taken.round {
                    return;
                }
                debate.take(taken, by, at);
                debate.go_on();
                self.texts.insert(taken.part.path(taken.debate, taken.round), taken.text.clone());
            }
            Event::DebateRoleFailed { part, by, why, .. } => {
                let Some(round) = self.going_on().and_then(|debate| debate.rounds.last_mut()) else { return };
                round.failures.push(Failed { part: *part, by: by.clone(), why: why.clone(), at });
            }
            Event::DebateAnswered { question, yes, words, .. } => {
                let due = Some(Due::Hearing(*question));
                let Some(debate) = self.going_on().filter(|debate| debate.due() == due) else { return };
                let Some(round) = debate.rounds.last_mut() else { return };
                let (by, words) = (by.clone(), words.clone());
                round.heard.push(Heard { question: *question, yes: *yes, words, by, proxy: None, at });
            }
            Event::DebateReplied { number, words, .. } => {
                let Some(round) = self.going_on().and_then(|debate| debate.rounds.last_mut()) else { return };
                let place = usize::try_from(*number).ok().and_then(|number| number.checked_sub(1));
                if let Some(asked) = place.and_then(|place| round.asked.get_mut(place)) {
                    asked.reply = Some(Reply { words: words.clone(), by: by.clone(), proxy: None, at });
                }
            }
            Event::DebateAnswerTakenBack { .. } => {
                let Some(debate) = self.going_on().filter(|debate| debate.last_answered().is_some()) else { return };
                if let Some(round) = debate.rounds.last_mut() {
                    round.take_back(at);
                }
            }
            Event::DebateDecided { decision } => {
                let Some(debate) = self.debates.last_mut() else { return };
                debate.decided.push(Decided { decision: *decision, by: by.clone(), proxy: None, at });
                debate.go_on();
            }
            Event::DebateRecast { players } => {
                let Some(debate) = self.going_on() else { return };
                debate.players = players.clone();
            }
            Event::DebateConcluded => {
                let Some(debate) = self.debates.last_mut().filter(|debate| debate.ending().is_some()) else { return };
                debate.concluded = true;
            }
        }
        self.write_down(at);
    }
}

impl State {
    fn going_on(&mut self) -> Option<&mut Debate> {
        self.debates.last_mut().filter(|debate| debate.ending().is_none())
    }
}
