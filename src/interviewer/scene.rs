//! The scene: everything a template can name – topic, repository, earlier answers – and every condition it can ask for. A
//! template whose placeholders are not known is not used, so that no question claims something that nobody saw.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::facts::Evidence;
use crate::domain::ids::QuestionId;
use crate::domain::interview::{Answer, AnswerKind};
use crate::domain::session::Session;
use crate::domain::settings::Intensity;
use crate::domain::text::{cut_at_word, flat};

use super::follow_up::{self, Way};
use super::reading::Told;
use super::session_reading::SessionReading;
use super::shown;
use super::topic::{options, subject};

/// Something a placeholder stands for, with where it comes from.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub text: String,
    pub evidence: Vec<Evidence>,
    pub question: Option<QuestionId>,
}

/// A filled template with what it stands on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filled {
    pub text: String,
    pub evidence: Vec<Evidence>,
    pub builds_on: Vec<QuestionId>,
}

/// What is known just now.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    known: BTreeMap<&'static str, Known>,
    numbers: BTreeMap<QuestionId, u32>,
    flags: BTreeSet<&'static str>,
    order: Order,
    /// The topic in full, from which the order of alternatives is drawn.
    seed: String,
}

/// How the alternatives of a question are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// As the catalogue has them.
    AsWritten,
    /// By probe and topic, so that the place of one says nothing about it while the recommendation is hidden.
    Shuffled,
}

/// Every placeholder that a template may use; dimensions and probes come on top.
#[cfg(test)]
pub(super) const PLACEHOLDERS: &[&str] = &[
    "topic",
    "option_a",
    "option_b",
    "word_a",
    "word_b",
    "word_c",
    "repo",
    "language",
    "build",
    "build_at",
    "tests",
    "tests_at",
    "ci",
    "ci_at",
    "readme",
    "readme_at",
    "entry",
    "record",
    "record_at",
    "records",
    "dependency",
    "dependency_at",
    "dependencies",
    "related",
    "related_path",
    "code",
    "code_excerpt",
    "page",
    "pages",
    "recent",
    "earlier",
    "earlier_on",
    "earlier_topic",
    "earlier_session",
    "decision",
    "rival",
    "vague",
    "number",
    "said",
    "first",
    "second",
    "first_number",
    "second_number",
    "decision_number",
];

/// Every condition that is neither a placeholder nor a signal nor an intent.
#[cfg(test)]
pub(super) const CONDITIONS: &[&str] = &[
    "looked",
    "amount-told",
    "day-told",
    "kind-library",
    "kind-command-line",
    "kind-service",
    "kind-frontend",
    "kind-documentation",
    "kind-infrastructure",
];

impl Scene {
    pub fn of(heard: &SessionReading<'_>) -> Self {
        let session = heard.session;
        let mut scene = heard.bare().clone();
        scene.flags.extend(heard.signals());
        scene.flags.insert(heard.intent().as_str());
        scene.order = match session.settings.intensity {
            Intensity::Gentle | Intensity::Standard => Order::AsWritten,
            Intensity::Hard | Intensity::Adversarial => Order::Shuffled,
        };
        if session.evidence.looked {
            scene.flags.insert("looked");
            scene.flags.extend(shown::kinds(&session.evidence));
            scene.known.extend(shown::shown(session));
        }
        scene.listen(heard);
        scene
    }

    /// The scene that knows nothing but the topic, for texts that quote nothing else.
    pub fn bare(session: &Session) -> Self {
        let mut scene = Self {
            known: BTreeMap::new(),
            numbers: BTreeMap::new(),
            flags: BTreeSet::new(),
            order: Order::AsWritten,
            seed: session.topic.as_str().to_owned(),
        };
        scene.set_topic(session);
        scene
    }

    /// How alternatives are ordered, and from which words.
    pub fn order(&self) -> (Order, &str) {
        (self.order, &self.seed)
    }

    fn set_topic(&mut self, session: &Session) {
        let topic = session.topic.as_str();
        let subject = match subject(topic) {
            "" => topic,
            subject => subject,
        };
        let text = quoted(subject, 72);
        if let Some((first, second)) = options(subject) {
            self.set("option_a", Known { text: quoted(first, 60), ..Known::default() });
            self.set("option_b", Known { text: quoted(second, 60), ..Known::default() });
        }
        self.set("topic", Known { text, ..Known::default() });
        for (name, word) in ["word_a", "word_b", "word_c"].into_iter().zip(session.topic.keywords()) {
            self.set(name, Known { text: clipped(&word, 40), ..Known::default() });
        }
        self.note_told(topic);
    }

    /// Notes what a text of the person has already said, so that it is not asked for.
    fn note_told(&mut self, text: &str) {
        let told = Told::of(text);
        self.flags.extend(told.amount.then_some("amount-told"));
        self.flags.extend(told.day.then_some("day-told"));
    }

    /// Enters the newest answer of every dimension, to be quoted.
    fn listen(&mut self, heard: &SessionReading<'_>) {
        for (asked, answer) in heard.holding() {
            self.numbers.insert(asked.question.id.clone(), asked.number);
            match answer.kind {
                AnswerKind::Own | AnswerKind::Reported | AnswerKind::Summarised => self.note_told(answer.text.as_str()),
                AnswerKind::Alternative | AnswerKind::Unknown => {}
            }
            // Whoever made a word measurable has named the amount, or said how it is found.
            if follow_up::follows(asked) == Some(Way::Measure { class: "speed" }) {
                self.flags.insert("amount-told");
            }
            if let Some(dimension) = super::catalogue::catalogue().dimension(asked.question.dimension.as_str())
                && answer.kind != AnswerKind::Unknown
                && asked.question.probe.as_deref().is_none_or(|probe| !follow_up::is_follow_up(probe))
            {
                let known =
                    Known { text: gist(answer), evidence: Vec::new(), question: Some(asked.question.id.clone()) };
                if let Some((_, probe)) =
                    asked.question.probe.as_deref().and_then(|id| super::catalogue::catalogue().probe(id))
                {
                    self.set(probe.id, known.clone());
                }
                self.set(dimension.id, known);
            }
        }
    }

    /// Enters something that belongs to one question only.
    pub fn with(mut self, name: &'static str, known: Known) -> Self {
        self.set(name, known);
        self
    }

    fn set(&mut self, name: &'static str, known: Known) {
        self.known.insert(name, known);
    }

    /// A scene that knows nothing but this topic.
    #[cfg(test)]
    pub fn named(topic: &str) -> Self {
        let mut scene = Self {
            known: BTreeMap::new(),
            numbers: BTreeMap::new(),
            flags: BTreeSet::new(),
            order: Order::AsWritten,
            seed: topic.to_owned(),
        };
        scene.set("topic", Known { text: topic.to_owned(), ..Known::default() });
        scene
    }

    #[cfg(test)]
    pub fn shuffled(mut self) -> Self {
        self.order = Order::Shuffled;
        self
    }

    #[cfg(test)]
    pub fn flagged(mut self, condition: &'static str) -> Self {
        self.flags.insert(condition);
        self
    }

    /// Whether every condition holds: a placeholder that is known, a signal, an intent, a kind of project and what else
    /// the catalogue's README lists; `!` negates.
    pub fn holds(&self, conditions: &[&str]) -> bool {
        conditions.iter().all(|condition| match condition.strip_prefix('!') {
            Some(absent) => !self.has(absent),
            None => self.has(condition),
        })
    }

    fn has(&self, condition: &str) -> bool {
        self.known.contains_key(condition) || self.flags.contains(condition)
    }

    /// Whether everything that a template names is known.
    pub fn can_fill(&self, template: &str) -> bool {
        let mut rest = template;
        while let Some((_, name, after)) = placeholder(rest) {
            if !self.known.contains_key(name) {
                return false;
            }
            rest = after;
        }
        true
    }

    /// The template with its placeholders filled; `None` when one of them is not known.
    pub fn fill(&self, template: &str) -> Option<Filled> {
        self.filled(template, |_| None)
    }

    /// As [`Self::fill`], and behind an earlier answer in quotation marks stands the number of its question.
    pub fn put(&self, template: &str) -> Option<Filled> {
        self.filled(template, |known| self.numbers.get(known.question.as_ref()?).copied())
    }

    fn filled(&self, template: &str, number: impl Fn(&Known) -> Option<u32>) -> Option<Filled> {
        let mut filled = Filled::default();
        let mut rest = template;
        while let Some((before, name, mut after)) = placeholder(rest) {
            let known = self.known.get(name)?;
            filled.text.push_str(before);
            filled.text.push_str(&known.text);
            if let (Some(number), Some(behind)) = (number(known), after.strip_prefix('”')) {
                filled.text.push_str("” (question ");
                filled.text.push_str(&number.to_string());
                filled.text.push(')');
                after = behind;
            }
            filled.evidence.extend(known.evidence.iter().cloned());
            filled.builds_on.extend(known.question.clone());
            rest = after;
        }
        filled.text.push_str(rest);
        filled.text = filled.text.trim().to_owned();
        Some(filled)
    }
}

/// The first `{placeholder}` of a template with what stands around it.
pub(super) fn placeholder(template: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = template.split_once('{')?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

/// The first sentence of an answer, short enough to be quoted, without its full stop.
pub(super) fn gist(answer: &Answer) -> String {
    let line = answer.text.first_line();
    let sentence = line.split_inclusive(". ").next().unwrap_or(line);
    quoted(sentence.trim().trim_end_matches('.'), 150)
}

/// A text that stands between quotation marks: no marks of its own kind, no control characters, clipped.
pub(super) fn quoted(text: &str, limit: usize) -> String {
    clipped(&text.replace(['“', '”'], "\""), limit)
}

/// At most `limit` characters, cut at a word where there is one.
pub(super) fn clipped(text: &str, limit: usize) -> String {
    cut_at_word(&flat(text), limit)
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipping_cuts_at_words() {
        assert_eq!(clipped("a  b\n c", 10), "a b c");
        assert_eq!(clipped("one two\nthree", 9), "one two…");
        assert_eq!(clipped("a\u{1b}[31mb", 20), "a [31mb");
    }

    #[test]
    fn lists_read_as_prose() {
        let names: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        assert_eq!(listed(&names), "a, b and c");
        assert_eq!(listed(&names[..1]), "a");
    }
}
