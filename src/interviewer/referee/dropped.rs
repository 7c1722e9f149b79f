//! Answers that the checkpoint does not reflect. Words are compared by their stems with the whole document: whoever puts
//! an answer into other words keeps some of its nouns, and one of which next to nothing is left was dropped. A short
//! answer lives in a line about what was asked.

use std::collections::BTreeSet;

use crate::domain::actor::Actor;
use crate::domain::ids::AnswerId;
use crate::domain::interview::{Answer, AnswerKind, TranscriptEntry};
use crate::domain::session::Session;
use crate::domain::settings::Interviewer;

use super::super::reading::{Figures, contents, last_sentence, shared};
use super::super::session_reading::SessionReading;
use super::telling::FILLERS;

/// The fewest content words of an answer that is looked for by its own words alone.
const FEWEST: usize = 3;

/// The fewest content words of a question by which it is recognised.
const ASKED: usize = 2;

/// Hundredths of a question's words in a line that speaks of it.
const SPOKEN: usize = 34;

/// Hundredths of the words that have to be there. Whoever sums an answer up in other words keeps one of its names.
const KEPT: usize = 10;

/// Answers that hold and of which next to nothing is in the checkpoint, and the newest one while its update is due. The
/// built-in interviewer enters each answer itself, so what is missing there a person took out.
pub(super) fn dropped<'s>(heard: &SessionReading<'s>) -> Vec<(&'s TranscriptEntry, &'s Answer)> {
    let session = heard.session;
    if session.settings.interviewer == Interviewer::BuiltIn {
        return Vec::new();
    }
    let document = Document::of(session);
    let answered = heard.holding().filter(|(_, answer)| says_something(answer));
    let due = due(session);
    answered.filter(|(asked, answer)| due == Some(&answer.id) || !document.reflects(asked, answer)).collect()
}

/// The answer whose update of the checkpoint is still to come: the newest one, while an update is due.
pub(super) fn due(session: &Session) -> Option<&AnswerId> {
    let newest = || session.transcript.answered().max_by_key(|(_, answer)| answer.at);
    session.checkpoint_due.then(newest).flatten().map(|(_, answer)| &answer.id)
}

fn says_something(answer: &Answer) -> bool {
    match answer.kind {
        AnswerKind::Alternative | AnswerKind::Own | AnswerKind::Reported => answer.by != Actor::System,
        // Not knowing decides nothing, and what was summed up is the agent's own sentence.
        AnswerKind::Unknown | AnswerKind::Summarised => false,
    }
}

/// The checkpoint, as far as answers are looked for in it.
struct Document {
    topic: BTreeSet<String>,
    words: BTreeSet<String>,
    figures: Figures,
    /// The words of each line that states something.
    stated: Vec<BTreeSet<String>>,
}

impl Document {
    fn of(session: &Session) -> Self {
        let text = session.checkpoint.as_str();
        let stated = text.lines().map(str::trim_end).filter(|line| !line.starts_with('#') && !line.ends_with('?'));
        Self {
            topic: contents(session.topic.as_str()),
            words: contents(text),
            figures: Figures::of(text),
            stated: stated.map(contents).collect(),
        }
    }

    /// Whether one of the ways to say an answer is there: its text, or the label of what was taken.
    fn reflects(&self, asked: &TranscriptEntry, answer: &Answer) -> bool {
        let taken = asked.question.alternatives.as_slice().iter().find(|one| one.value == answer.text);
        let mut texts = [Some(answer.text.as_str()), taken.map(|one| one.label.as_str())].into_iter().flatten();
        texts.any(|text| {
            // Whoever sums an answer up in other words keeps one of its numbers.
            let figures = Figures::of(text);
            if !figures.is_empty() && !figures.meet(&self.figures) {
                return false;
            }
            let way = self.beside_the_topic(text);
            if way.len() >= FEWEST {
                return shared(&way, &self.words) >= KEPT;
            }
            let whole = asked.question.text.as_str();
            let mut question = self.beside_the_topic(last_sentence(whole));
            // `Is that right?` asks for what stands in front of it.
            if question.len() < ASKED {
                question = self.beside_the_topic(whole);
            }
            // Where neither has words to look for, nothing is missed.
            let telling = question.len() >= ASKED;
            way.iter().any(|word| self.words.contains(word))
                || telling && self.speaks_of(&question)
                || !telling && way.is_empty()
        })
    }

    /// Whether a line states something about what was asked.
    fn speaks_of(&self, question: &BTreeSet<String>) -> bool {
        self.stated.iter().any(|line| question.intersection(line).count() >= ASKED && shared(question, line) >= SPOKEN)
    }

    fn beside_the_topic(&self, text: &str) -> BTreeSet<String> {
        let says = |word: &String| !FILLERS.contains(&word.as_str());
        contents(text).difference(&self.topic).filter(|word| says(word)).cloned().collect()
    }
}
