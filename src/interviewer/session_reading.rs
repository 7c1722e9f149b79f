//! What was heard: a session with what a reading of it yields – which answers were taken back, which intent it has, what
//! topic and answers reveal, what can be quoted. Each is worked out once, when somebody asks for it first, and everything
//! that is decided about one state of a session looks at the same.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::domain::ids::QuestionId;
use crate::domain::interview::{Answer, AnswerKind, TranscriptEntry};
use crate::domain::session::Session;
use crate::domain::settings::Intent;

use super::follow_up::{Withdrawn, withdrawn};
use super::scene::Scene;
use super::signals;

/// A session that was listened to.
pub(super) struct SessionReading<'s> {
    pub session: &'s Session,
    withdrawn: Vec<Withdrawn<'s>>,
    intent: OnceCell<Intent>,
    signals: OnceCell<BTreeSet<&'static str>>,
    bare: OnceCell<Scene>,
    scene: OnceCell<Scene>,
}

impl<'s> SessionReading<'s> {
    pub fn of(session: &'s Session) -> Self {
        Self {
            session,
            withdrawn: withdrawn(session),
            intent: OnceCell::new(),
            signals: OnceCell::new(),
            bare: OnceCell::new(),
            scene: OnceCell::new(),
        }
    }

    /// Every answer that was taken back.
    pub fn withdrawn(&self) -> &[Withdrawn<'s>] {
        &self.withdrawn
    }

    /// What took the answer to a question back, if anything did.
    pub fn taken_back(&self, question: &QuestionId) -> Option<&Withdrawn<'s>> {
        self.withdrawn.iter().find(|one| one.question == question)
    }

    /// Answers that were not taken back, in the order of asking.
    pub fn holding(&self) -> impl Iterator<Item = (&'s TranscriptEntry, &'s Answer)> {
        self.session.transcript.answered().filter(|(asked, _)| self.taken_back(&asked.question.id).is_none())
    }

    /// What the person said in words of their own and still holds: answers, notes and discussion summaries.
    pub fn own_words(&self) -> impl Iterator<Item = &'s str> {
        let answers = self.holding().flat_map(|(asked, answer)| own(asked, answer));
        answers.chain(self.session.discussions.iter().map(|talk| talk.summary.as_str()))
    }

    /// The intent that the questions follow: the one that was set, or the inferred one; never `auto` (G54).
    pub fn intent(&self) -> Intent {
        *self.intent.get_or_init(|| match self.session.settings.intent {
            Intent::Auto => signals::infer(self),
            set @ (Intent::Plan | Intent::Learn | Intent::Research | Intent::Content | Intent::Decide) => set,
        })
    }

    pub fn signals(&self) -> &BTreeSet<&'static str> {
        self.signals.get_or_init(|| signals::signals(self))
    }

    /// The scene that knows nothing but the topic, for texts that quote nothing else.
    pub fn bare(&self) -> &Scene {
        self.bare.get_or_init(|| Scene::bare(self.session))
    }

    /// Everything that a template can name.
    pub fn scene(&self) -> &Scene {
        self.scene.get_or_init(|| Scene::of(self))
    }
}

/// Whether an answer is one of the question's alternatives, word for word, whoever passed it on.
pub(super) fn took_one(asked: &TranscriptEntry, answer: &Answer) -> bool {
    !answer.chosen.is_empty() || asked.question.alternatives.taken_by(answer.text.as_str()).is_some()
}

/// What of an answer is the person's own: its text, unless it was offered, and its note.
pub(super) fn own<'a>(asked: &TranscriptEntry, answer: &'a Answer) -> impl Iterator<Item = &'a str> {
    let text = match answer.kind {
        AnswerKind::Own | AnswerKind::Reported | AnswerKind::Summarised if !took_one(asked, answer) => {
            Some(answer.text.as_str())
        }
        AnswerKind::Own
        | AnswerKind::Reported
        | AnswerKind::Summarised
        | AnswerKind::Alternative
        | AnswerKind::Unknown => None,
    };
    text.into_iter().chain(answer.note.as_ref().map(crate::domain::text::Prose::as_str))
}
