//! A round as it is stored: who gave which text, what was raised and how it was assessed, and what the user said.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::attack::{IDEA, Verdict};
use super::course::{Cited, Said};
use super::due::Due;
use super::evidence::Evidence;
use super::objection::{Objection, ObjectionId, Severity};
use super::part::Part;
use super::role::Player;
use super::synthesis::{Assessed, Recommendation};
use crate::domain::actor::Actor;
use crate::domain::text::{Line, Prose};

/// What was given, raised and said in a round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Round {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Given>,
    /// What the advocate held of the idea (D7).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub raised: Vec<Raised>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub heard: Vec<Heard>,
    /// Questions of roles to the user, in their order (D10).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<Asked>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assessed: Vec<Assessed>,
    /// What the synthesizer answers to the user's concerns, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answered: Vec<Prose>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommends: Option<Recommendation>,
    /// What of the idea the synthesis changed, so that it is attacked again (D5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope_changed: Option<Line>,
    /// Tries of roles that gave nothing usable (D30).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failed>,
    /// Answers that the user took back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub withdrawn: Vec<Withdrawn>,
}

/// That a text was given; the text itself has a file of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    pub part: Part,
    pub by: Player,
    pub at: Timestamp,
    #[serde(default, skip_serializing_if = "Cost::is_nothing")]
    pub cost: Cost,
}

/// What a text cost (D32).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cost {
    pub seconds: u64,
    /// How often the role was asked.
    pub tries: u32,
    /// What the agent reported, in its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Line>,
}

/// A question of a role to the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The text that it stands in.
    pub part: Part,
    pub question: Prose,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<Reply>,
}

/// What came of such a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// None where the user leaves it to the role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Prose>,
    pub by: Actor,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy: Option<Player>,
    pub at: Timestamp,
}

/// An objection as it was raised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raised {
    pub id: ObjectionId,
    /// What it is about.
    pub facet: String,
    pub claim: String,
    pub severity: Severity,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Looked>,
    /// An objection of an earlier round that is worded much like it; the synthesizer decides whether it is a repeat (D15).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<ObjectionId>,
}

/// Evidence, and the result of checking it (D29).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looked {
    pub evidence: String,
    #[serde(flatten)]
    pub find: Find,
}

/// What a look at a citation came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "find")]
pub enum Find {
    Found,
    /// The quotation stands there, in other lines.
    Moved {
        /// The first of them, from 1.
        line: u32,
    },
    NotThere {
        why: String,
    },
    /// The lines are there, and too little is quoted to compare them with.
    Unquoted,
    /// There is nothing in it that can be looked up.
    Unchecked,
}

/// One of the three questions that the user is asked in each round, in their order (D8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hearing {
    Agree,
    Missed,
    Override,
}

/// An answer to one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heard {
    pub question: Hearing,
    pub yes: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Prose>,
    pub by: Actor,
    /// The proxy that answered in the user's place; never the user's own word (D20).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy: Option<Player>,
    pub at: Timestamp,
}

/// An answer that was taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withdrawn {
    #[serde(flatten)]
    pub answer: WithdrawnAnswer,
    /// When it was taken back.
    pub withdrawn: Timestamp,
}

/// What the answer was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WithdrawnAnswer {
    Heard(Heard),
    Reply(Reply),
}

/// A try that came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    pub part: Part,
    pub by: Player,
    pub why: Line,
    pub at: Timestamp,
}

impl Hearing {
    pub const ALL: [Self; 3] = [Self::Agree, Self::Missed, Self::Override];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Missed => "missed",
            Self::Override => "override",
        }
    }

    /// The question as it is asked.
    pub const fn question(self) -> &'static str {
        match self {
            Self::Agree => "Do you agree with the attack?",
            Self::Missed => "Do you have a concern that the attack missed?",
            Self::Override => "Do you override any part of the proposal?",
        }
    }

    /// What choosing yes, and no, means (D11).
    pub const fn meanings(self) -> (&'static str, &'static str) {
        match self {
            Self::Agree => ("The objections are mostly right", "The proposal holds"),
            Self::Missed => ("I say what it is, and the synthesizer answers it", "Nothing is missing"),
            Self::Override => ("I name the part, and what replaces it", "The proposal stays as it is"),
        }
    }

    /// Whether a yes has to say what it is about.
    pub const fn needs_words(self) -> bool {
        match self {
            Self::Agree => false,
            Self::Missed | Self::Override => true,
        }
    }
}

impl Cost {
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// In words, such as `12 s, 2 tries`; empty where nothing was counted.
    pub fn in_words(&self) -> String {
        let mut words = Vec::new();
        if self.tries > 0 {
            words.push(format!("{} s", self.seconds));
        }
        if self.tries > 1 {
            words.push(format!("{} tries", self.tries));
        }
        words.extend(self.usage.as_ref().map(ToString::to_string));
        words.join(", ")
    }
}

/// Who gave an answer, so that a proxy's is never taken for the user's.
pub fn answered_by(by: &Actor, proxy: Option<&Player>) -> String {
    match proxy {
        Some(proxy) => format!("the proxy {proxy}"),
        None => by.in_words(),
    }
}

impl Find {
    pub fn in_words(&self) -> String {
        match self {
            Self::Found => "found".to_owned(),
            Self::Moved { line } => format!("found at line {line}, not at the lines cited"),
            Self::NotThere { why } => format!("not there: {why}"),
            Self::Unquoted => "the lines are there, and nothing is quoted".to_owned(),
            Self::Unchecked => "unchecked".to_owned(),
        }
    }
}

impl Raised {
    pub fn new(facet: &str, objection: &Objection, looked: Vec<Looked>, near: Option<ObjectionId>) -> Self {
        Self {
            id: objection.id,
            facet: facet.to_owned(),
            claim: objection.claim.clone(),
            severity: objection.severity,
            evidence: looked,
            near,
        }
    }

    /// As the rules of a debate see it.
    pub fn objection(&self) -> Objection {
        let evidence = self.evidence.iter().map(|looked| Evidence::parse(&looked.evidence)).collect();
        Objection { id: self.id, claim: self.claim.clone(), severity: self.severity, evidence }
    }

    /// What its citations came to: one that is not there outweighs any that is.
    pub fn cited(&self) -> Cited {
        let any = |wanted: fn(&Find) -> bool| self.evidence.iter().any(|looked| wanted(&looked.find));
        if any(|find| matches!(find, Find::NotThere { .. })) {
            Cited::NotThere
        } else if any(|find| matches!(find, Find::Found | Find::Moved { .. })) {
            Cited::Found
        } else {
            Cited::Unchecked
        }
    }

    /// Whether it is about the idea, and not about the proposal.
    pub fn is_of_the_idea(&self) -> bool {
        IDEA.contains(&self.facet.as_str())
    }
}

impl Round {
    pub fn has(&self, part: Part) -> bool {
        self.given.iter().any(|given| given.part == part)
    }

    /// Whether a proxy gave one of the three answers.
    pub fn is_by_proxy(&self) -> bool {
        self.heard.iter().any(|heard| heard.proxy.is_some())
    }

    /// The question that the user is asked next; none once all are answered.
    pub fn due(&self) -> Option<Due<'_>> {
        if let Some(hearing) = Hearing::ALL.get(self.heard.len()) {
            return Some(Due::Hearing(*hearing));
        }
        (1..).zip(&self.asked).find(|(_, asked)| asked.reply.is_none()).map(|(number, asked)| Due::Role(number, asked))
    }

    /// The question that was answered last; none where a proxy did, unless the proxy plays no more.
    pub fn last_answered(&self, has_proxy: bool) -> Option<Due<'_>> {
        let replied = (1..).zip(&self.asked).filter(|(_, asked)| asked.reply.is_some()).last();
        if let Some((number, asked)) = replied {
            let may = asked.reply.as_ref().is_some_and(|reply| reply.proxy.is_none() || !has_proxy);
            return may.then_some(Due::Role(number, asked));
        }
        let last = self.heard.last().filter(|heard| heard.proxy.is_none() || !has_proxy);
        last.map(|heard| Due::Hearing(heard.question))
    }

    /// Takes the last answer back.
    pub fn take_back(&mut self, at: Timestamp) {
        let reply = self.asked.iter_mut().rev().find_map(|asked| asked.reply.take());
        let answer = match reply {
            Some(reply) => Some(WithdrawnAnswer::Reply(reply)),
            None => self.heard.pop().map(WithdrawnAnswer::Heard),
        };
        self.withdrawn.extend(answer.map(|answer| Withdrawn { answer, withdrawn: at }));
    }

    /// The words of the answer to this question that was taken back last. A reply to a role is known for the last one alone.
    pub fn words_withdrawn(&self, due: &Due<'_>) -> Option<&Prose> {
        let mut newest = self.withdrawn.iter().rev().map(|one| &one.answer);
        match due {
            Due::Hearing(question) => newest.find_map(|answer| match answer {
                WithdrawnAnswer::Heard(heard) if heard.question == *question => Some(heard.words.as_ref()),
                WithdrawnAnswer::Heard(_) | WithdrawnAnswer::Reply(_) => None,
            })?,
            Due::Role(..) => match newest.next()? {
                WithdrawnAnswer::Reply(reply) => reply.words.as_ref(),
                WithdrawnAnswer::Heard(_) => None,
            },
        }
    }

    /// What the user said, once all questions are answered.
    pub fn said(&self) -> Option<Said> {
        if self.due().is_some() {
            return None;
        }
        let [agree, missed, overrides] = self.heard.as_slice() else { return None };
        let concern = |heard: &Heard| {
            heard.yes.then(|| heard.words.as_ref().map_or_else(String::new, |words| words.as_str().to_owned()))
        };
        Some(Said { agrees: agree.yes, missed: concern(missed), overrides: concern(overrides) })
    }

    /// The objections of the critique, or of the attack, with what their citations came to.
    pub fn objections(&self, part: Part) -> Vec<(Objection, Cited)> {
        let of_the_idea = part == Part::Critique;
        let fits = |raised: &&Raised| raised.is_of_the_idea() == of_the_idea;
        self.raised.iter().filter(fits).map(|raised| (raised.objection(), raised.cited())).collect()
    }

    /// What the synthesizer holds of an objection.
    pub fn assessment(&self, id: ObjectionId) -> Option<&Assessed> {
        self.assessed.iter().find(|assessed| assessed.objection == id)
    }
}
