//! The course of a debate, step by step: who is next, and how it ends (D1, D5, D12 to D15, D30). A step whose role failed
//! stays the next one: failure is neither agreement nor deadlock.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::objection::{Objection, ObjectionId};
use super::rounds::{LEAST, Limit, Rounds};
use super::synthesis::Assessed;

/// What is to happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Propose,
    /// The idea is criticized from the dossier alone.
    Criticize,
    Attack,
    /// The user is heard.
    Hear,
    Synthesize,
    /// Round 5 is complete: the user accepts, extends or kills.
    Decide,
    /// The last round is complete without agreement: the user takes the best available consensus, or not.
    Settle,
    Over(Ending),
}

/// How a debate ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nobody has anything new to say.
    Nash,
    /// The user declared that it is enough.
    Declared,
    /// Its rounds were used up.
    Limit(Settlement),
    Killed,
}

/// What the user makes of a best available consensus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Settlement {
    /// It is taken, with its risks on record.
    Accepted,
    /// It is rejected, to be begun again.
    Restarted,
    /// What is unresolved becomes open questions.
    Tabled,
}

/// What the citations of an objection were found to be (D29).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cited {
    /// Nothing in it could be looked up.
    Unchecked,
    Found,
    /// One of them is not there.
    NotThere,
}

/// What the user said in a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    pub agrees: bool,
    /// A concern that the attack missed.
    pub missed: Option<String>,
    /// A part of the proposal that they override.
    pub overrides: Option<String>,
}

impl Said {
    pub fn has_concern(&self) -> bool {
        self.concerns() > 0
    }

    /// How many concerns the synthesizer has to answer.
    pub fn concerns(&self) -> usize {
        usize::from(self.missed.is_some()) + usize::from(self.overrides.is_some())
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    Proposed,
    Criticized(Vec<(Objection, Cited)>),
    Attacked(Vec<(Objection, Cited)>),
    Heard(Said),
    Synthesized {
        /// What is held of the objections.
        assessed: Vec<Assessed>,
        /// Whether the idea is another one now, so that it is attacked again (D5).
        scope_changed: bool,
    },
    /// The user accepts at round 5.
    Accepted,
    /// The user extends it to the ceiling (D13).
    Extended,
    /// The proxy goes on at round 5, within the bound that the user gave (D20).
    GoneOn,
    Declared,
    Killed,
    Settled(Settlement),
}

/// Why something cannot happen now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotNow {
    #[error(transparent)]
    Limit(#[from] Limit),
    #[error("that is not the next step of this debate")]
    OutOfTurn,
    #[error("this debate is over")]
    Over,
}

/// Where a debate stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    rounds: Rounds,
    round: u32,
    complete: u32,
    step: Step,
    /// The objections of this round.
    now: Vec<(Objection, Cited)>,
    said: Said,
    /// Whether the last synthesis changed the scope of the idea.
    scope_changed: bool,
    /// Those of earlier rounds, with the round in which each came first.
    addressed: Vec<(u32, Objection)>,
}

impl Course {
    pub fn new(rounds: Rounds) -> Self {
        Self {
            rounds,
            round: 1,
            complete: 0,
            step: Step::Propose,
            now: Vec::new(),
            said: Said::default(),
            scope_changed: false,
            addressed: Vec::new(),
        }
    }

    pub fn round(&self) -> u32 {
        self.round
    }

    pub fn step(&self) -> Step {
        self.step
    }

    /// The round in which this claim came first, if it was addressed in one.
    pub fn addressed_in(&self, id: ObjectionId) -> Option<u32> {
        self.addressed.iter().find(|(_, objection)| objection.id == id).map(|(round, _)| *round)
    }

    /// How many rounds are complete.
    pub fn complete(&self) -> u32 {
        self.complete
    }

    /// The course after something happened; what cannot happen now changes nothing.
    pub fn after(mut self, happened: Happened) -> Result<Self, NotNow> {
        match (self.step, happened) {
            (Step::Over(_), _) => return Err(NotNow::Over),
            (_, Happened::Killed) => self.step = Step::Over(Ending::Killed),
            (_, Happened::Declared) => {
                Rounds::may_agree(self.complete())?;
                self.step = Step::Over(Ending::Declared);
            }
            (Step::Propose, Happened::Proposed) => self.step = Step::Criticize,
            (Step::Criticize, Happened::Criticized(objections)) => {
                self.now = objections;
                self.step = Step::Attack;
            }
            (Step::Attack, Happened::Attacked(objections)) => {
                self.now.extend(objections);
                self.step = Step::Hear;
            }
            (Step::Hear, Happened::Heard(said)) => {
                self.said = said;
                self.step = Step::Synthesize;
            }
            (Step::Synthesize, Happened::Synthesized { assessed, scope_changed }) => {
                self.scope_changed = scope_changed;
                self.completed(&assessed);
            }
            (Step::Decide, Happened::Accepted) => self.step = Step::Over(Ending::Limit(Settlement::Accepted)),
            (Step::Decide, Happened::Extended) => {
                self.rounds = self.rounds.extended(self.round)?;
                self.begin(self.round + 1);
            }
            (Step::Decide, Happened::GoneOn) if self.rounds.allows_a_proxy_to_extend() => self.begin(self.round + 1),
            (Step::Settle, Happened::Settled(settlement)) => self.step = Step::Over(Ending::Limit(settlement)),
            (_, Happened::Extended) => {
                return Err(self.rounds.extended(self.round).err().map_or(NotNow::OutOfTurn, NotNow::Limit));
            }
            (_, _) => return Err(NotNow::OutOfTurn),
        }
        Ok(self)
    }

    /// The objections of this round that count: new, not cited from nowhere, and held to stand.
    pub fn new_and_valid<'s>(&'s self, assessed: &'s [Assessed]) -> impl Iterator<Item = &'s Objection> {
        let before: BTreeSet<ObjectionId> = self.addressed.iter().map(|(_, objection)| objection.id).collect();
        self.now.iter().filter_map(move |(objection, cited)| {
            let assessed = assessed.iter().find(|one| one.objection == objection.id)?;
            let repeats = before.contains(&objection.id) || assessed.repeats.is_some_and(|id| before.contains(&id));
            (!repeats && *cited != Cited::NotThere && assessed.assessment.stands()).then_some(objection)
        })
    }

    fn completed(&mut self, assessed: &[Assessed]) {
        self.complete = self.round;
        let is_quiet = self.new_and_valid(assessed).next().is_none() && !self.said.has_concern();
        self.step = if is_quiet && self.round >= LEAST {
            Step::Over(Ending::Nash)
        } else if self.rounds.asks(self.round) {
            Step::Decide
        } else if self.rounds.is_last(self.round) {
            Step::Settle
        } else {
            return self.begin(self.round + 1);
        };
        self.address();
    }

    fn begin(&mut self, round: u32) {
        self.address();
        self.round = round;
        self.said = Said::default();
        self.step = if std::mem::take(&mut self.scope_changed) { Step::Criticize } else { Step::Attack };
    }

    fn address(&mut self) {
        for (objection, _) in std::mem::take(&mut self.now) {
            if self.addressed_in(objection.id).is_none() {
                self.addressed.push((self.round, objection));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::objection::Severity;
    use super::super::synthesis::Assessment;
    use super::*;

    fn objection(claim: &str) -> Objection {
        Objection::new(claim, Severity::High, Vec::new())
    }

    fn synthesis(assessed: &[(&str, Assessment, Option<&str>)]) -> Happened {
        let assessed = assessed.iter().map(|(claim, assessment, repeats)| Assessed {
            objection: ObjectionId::of(claim),
            assessment: *assessment,
            why: "so".to_owned(),
            mitigation: None,
            repeats: repeats.map(ObjectionId::of),
        });
        Happened::Synthesized { assessed: assessed.collect(), scope_changed: false }
    }

    /// A whole round behind the attack that is next: one objection, what its citation is, and how it is assessed.
    fn round(course: Course, claim: &str, cited: Cited, assessment: Assessment, said: Said) -> Course {
        let course = course.after(Happened::Attacked(vec![(objection(claim), cited)])).unwrap();
        let course = course.after(Happened::Heard(said)).unwrap();
        course.after(synthesis(&[(claim, assessment, None)])).unwrap()
    }

    fn begun(most: u32) -> Course {
        let course = Course::new(Rounds::bounded(most).unwrap());
        course.after(Happened::Proposed).unwrap().after(Happened::Criticized(Vec::new())).unwrap()
    }

    fn quiet(course: Course) -> Course {
        round(course, "it is new", Cited::Unchecked, Assessment::Invalid, Said { agrees: true, ..Said::default() })
    }

    fn loud(course: Course) -> Course {
        let claim = format!("the part {} is missing", course.round());
        round(course, &claim, Cited::Found, Assessment::Valid, Said::default())
    }

    #[test]
    fn d12_agreement_needs_both_halves_and_comes_after_round_two() {
        let first = quiet(begun(5));
        assert_eq!((first.round(), first.step()), (2, Step::Attack), "however quiet the first round is");
        assert_eq!(quiet(first.clone()).step(), Step::Over(Ending::Nash));
        let concern = Said { missed: Some("costs".to_owned()), ..Said::default() };
        assert_eq!(round(first.clone(), "x y", Cited::Found, Assessment::Invalid, concern).step(), Step::Attack);
        assert_eq!(loud(first.clone()).step(), Step::Attack);
        // What is cited from nowhere does not count, nor what was addressed before.
        let nowhere =
            round(first.clone(), "a line that is not there", Cited::NotThere, Assessment::Valid, Said::default());
        assert_eq!(nowhere.step(), Step::Over(Ending::Nash));
        let again = loud(begun(5));
        let repeated = round(again.clone(), "The part 1 is missing!", Cited::Found, Assessment::Valid, Said::default());
        assert_eq!(
            (again.addressed_in(ObjectionId::of("the part 1 is missing")), repeated.step()),
            (Some(1), Step::Over(Ending::Nash))
        );
        let near = again.after(Happened::Attacked(vec![(objection("part one lacks"), Cited::Found)])).unwrap();
        let near = near.after(Happened::Heard(Said::default())).unwrap();
        let near =
            near.after(synthesis(&[("part one lacks", Assessment::Valid, Some("the part 1 is missing"))])).unwrap();
        assert_eq!(near.step(), Step::Over(Ending::Nash));
    }

    #[test]
    fn d3_d13_d14_whatever_limit_is_reached_ends_it_and_nobody_goes_past_seven() {
        for most in 2..=4 {
            let mut course = begun(most);
            for _ in 0..most {
                course = loud(course);
            }
            assert_eq!((course.round(), course.step()), (most, Step::Settle));
            assert_eq!(course.clone().after(Happened::Extended), Err(NotNow::Limit(Limit::NotNow { round: most })));
            let over = course.after(Happened::Settled(Settlement::Tabled)).unwrap();
            assert_eq!(over.step(), Step::Over(Ending::Limit(Settlement::Tabled)));
        }
        for most in 5..=7 {
            let mut course = begun(most);
            for _ in 0..5 {
                course = loud(course);
            }
            assert_eq!((course.round(), course.step()), (5, Step::Decide), "at round 5 the user is asked");
            let accepted = course.clone().after(Happened::Accepted).unwrap();
            assert_eq!(accepted.step(), Step::Over(Ending::Limit(Settlement::Accepted)));
            let extended = course.after(Happened::Extended).unwrap();
            let last = loud(loud(extended));
            assert_eq!((last.round(), last.step()), (7, Step::Settle));
            assert_eq!(last.after(Happened::Extended), Err(NotNow::Limit(Limit::Ceiling)));
        }
    }

    #[test]
    fn d1_d20_a_proxy_goes_on_only_within_the_bound_that_the_user_gave() {
        for most in 5..=7 {
            let mut course = begun(most);
            for _ in 0..5 {
                course = loud(course);
            }
            match course.after(Happened::GoneOn) {
                Ok(mut course) => {
                    for _ in 5..most {
                        course = loud(course);
                    }
                    assert_eq!((course.round(), course.step()), (most, Step::Settle));
                }
                Err(why) => assert_eq!((most, why), (5, NotNow::OutOfTurn)),
            }
        }
    }

    #[test]
    fn d13_consensus_is_declared_only_once_two_rounds_are_complete() {
        let early = begun(5);
        assert_eq!(early.clone().after(Happened::Declared), Err(NotNow::Limit(Limit::TooEarly { round: 0 })));
        let second = loud(early);
        assert_eq!(second.clone().after(Happened::Declared), Err(NotNow::Limit(Limit::TooEarly { round: 1 })));
        let third = loud(second);
        let over = third.after(Happened::Declared).unwrap();
        assert_eq!(over.step(), Step::Over(Ending::Declared));
        assert_eq!(over.after(Happened::Killed), Err(NotNow::Over));
    }

    #[test]
    fn d5_the_idea_is_attacked_again_only_if_its_scope_changed() {
        let first = begun(5).after(Happened::Attacked(Vec::new())).unwrap().after(Happened::Heard(Said::default()));
        let synthesized = |course: Course, scope_changed| {
            course.after(Happened::Synthesized { assessed: Vec::new(), scope_changed }).unwrap()
        };
        assert_eq!(synthesized(first.clone().unwrap(), false).step(), Step::Attack);
        let second = synthesized(first.unwrap(), true);
        assert_eq!((second.round(), second.step()), (2, Step::Criticize));
        assert_eq!(second.clone().after(Happened::Attacked(Vec::new())), Err(NotNow::OutOfTurn));
        // What is held against the idea counts as any other objection of the round.
        let idea = vec![(objection("the scope is too wide"), Cited::Found)];
        let third = second.after(Happened::Criticized(idea)).unwrap().after(Happened::Attacked(Vec::new())).unwrap();
        let third = third.after(Happened::Heard(Said::default())).unwrap();
        let third = third.after(synthesis(&[("the scope is too wide", Assessment::Valid, None)])).unwrap();
        assert_eq!((third.round(), third.step()), (3, Step::Attack));
        // An extension begins a round as well.
        let mut last = begun(5);
        for _ in 0..4 {
            last = loud(last);
        }
        let claim = vec![(objection("it is the fifth"), Cited::Found)];
        let last = last.after(Happened::Attacked(claim)).unwrap().after(Happened::Heard(Said::default())).unwrap();
        let mut held = synthesis(&[("it is the fifth", Assessment::Valid, None)]);
        if let Happened::Synthesized { scope_changed, .. } = &mut held {
            *scope_changed = true;
        }
        let sixth = last.after(held).unwrap().after(Happened::Extended).unwrap();
        assert_eq!((sixth.round(), sixth.step()), (6, Step::Criticize));
    }

    /// Whatever is played, in whatever order.
    #[test]
    fn d1_d5_random_play_stays_within_the_limits() {
        let mut seed = 7_u64;
        let mut dice = |sides: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % sides
        };
        for _ in 0..2_000 {
            let mut course = Course::new(Rounds::bounded(2 + u32::try_from(dice(6)).unwrap()).unwrap());
            for _ in 0..80 {
                let claim = format!("claim {}", dice(4));
                let happened = match dice(11) {
                    0 => Happened::Proposed,
                    1 => Happened::Criticized(vec![(objection(&claim), Cited::Found)]),
                    2 | 3 => Happened::Attacked(vec![(objection(&claim), Cited::Unchecked)]),
                    4 | 5 => Happened::Heard(Said {
                        agrees: true,
                        missed: (dice(2) == 0).then(|| claim.clone()),
                        overrides: None,
                    }),
                    6 | 7 => {
                        let assessment = Assessment::ALL[usize::try_from(dice(3)).unwrap()];
                        let mut held = synthesis(&[(&claim, assessment, None)]);
                        if let Happened::Synthesized { scope_changed, .. } = &mut held {
                            *scope_changed = dice(2) == 0;
                        }
                        held
                    }
                    8 => Happened::Extended,
                    9 => Happened::Settled(Settlement::Restarted),
                    _ if dice(8) == 0 => Happened::Declared,
                    _ => Happened::Accepted,
                };
                let before = course.clone();
                if let Ok(after) = course.clone().after(happened) {
                    assert!(
                        after.round() <= 7 && after.round() >= before.round() && after.round() <= before.round() + 1
                    );
                    if let Step::Over(ending) = after.step() {
                        assert!(ending == Ending::Killed || after.complete() >= 2, "{before:?} {after:?}");
                    }
                    course = after;
                }
            }
        }
    }
}
