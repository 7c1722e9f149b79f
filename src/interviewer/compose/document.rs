//! What the session says, as the sections of a document: pure, complete and in a stable order. It is never shown itself;
//! the difference between two of them is laid onto the real checkpoint.

use std::collections::BTreeSet;

use crate::domain::ids::QuestionId;
use crate::domain::interview::{AnswerKind, QuestionStatus, TranscriptEntry};
use crate::domain::session::Session;

use super::super::follow_up::{Way, find, followed, way};
use super::super::session_reading::SessionReading;
use super::about::{decided_by, is_confirmed};
use super::answers::{answered, fallen, fell, left};
use super::prose::{bullet, code, lower};
use super::shown::shown;
use super::texts::{Texts, root_lead};

/// The sections that answers can reach, in the order in which missing ones are created.
pub(in super::super) const SECTIONS: &[&str] = &[
    "Topic",
    "Current Understanding",
    "Glossary",
    "What the Repository Shows",
    "Non-goals",
    "Decisions",
    "Assumptions",
    "Constraints",
    "Risks / Unknowns",
    "How We Will Know",
    "Open Questions",
    "Next Steps",
    "Likely Output Strategy",
];

pub(super) const UNDERSTANDING: &str = "Current Understanding";
pub(super) const GLOSSARY: &str = "Glossary";
const SHOWN: &str = "What the Repository Shows";
const ASSUMPTIONS: &str = "Assumptions";
pub(super) const DECISIONS: &str = "Decisions";
const RISKS: &str = "Risks / Unknowns";
const OPEN: &str = "Open Questions";

/// Lines by section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Document {
    sections: Vec<(&'static str, Vec<String>)>,
}

impl Document {
    pub fn lines(&self, title: &str) -> &[String] {
        self.sections.iter().find(|(name, _)| *name == title).map_or(&[], |(_, lines)| lines)
    }

    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().flat_map(|(_, lines)| lines).map(String::as_str)
    }

    pub fn add(&mut self, title: &'static str, lines: impl IntoIterator<Item = String>) {
        match self.sections.iter_mut().find(|(name, _)| *name == title) {
            Some((_, existing)) => existing.extend(lines),
            None => self.sections.push((title, lines.into_iter().collect())),
        }
    }
}

pub(super) fn document(session: &Session) -> Document {
    document_without(session, &BTreeSet::new())
}

/// The same without what some questions yield.
pub(super) fn document_without(session: &Session, questions: &BTreeSet<QuestionId>) -> Document {
    let mut document = Document::default();
    document.add(SHOWN, shown(session));
    let heard = SessionReading::of(session);
    for asked in session.transcript.asked.iter().filter(|asked| !questions.contains(&asked.question.id)) {
        enter(&mut document, &heard, asked);
    }
    for talk in &session.discussions {
        let about = talk.about.as_ref().and_then(|id| session.transcript.get(id)).map(|asked| root_lead(&heard, asked));
        let lead = match about {
            Some(about) => format!("From the conversation about “{}”", lower(&about)),
            None => "From the conversation".to_owned(),
        };
        document.add(UNDERSTANDING, bullet(Some(&lead), talk.summary.as_str()));
    }
    document.sections.retain(|(_, lines)| !lines.is_empty());
    document
}

/// The lines of a section that one question yields.
pub(super) fn lines_of(session: &Session, question: &QuestionId, title: &str) -> Vec<String> {
    let mut document = Document::default();
    if let Some(asked) = session.transcript.get(question) {
        enter(&mut document, &SessionReading::of(session), asked);
    }
    document.lines(title).to_vec()
}

fn enter(document: &mut Document, heard: &SessionReading<'_>, asked: &TranscriptEntry) {
    // What stands below another answer is worded there.
    let texts = || Texts::of(heard, asked);
    match &asked.standing {
        // An answer holds until another one replaces it, also while the person looks at the question again.
        QuestionStatus::Answered | QuestionStatus::Open | QuestionStatus::SetAside if !asked.in_doubt => {
            match asked.holding().last() {
                Some(answer) if answer.kind == AnswerKind::Unknown => {
                    // A follow-up that nobody can answer leaves its decision standing, and only its question open.
                    let texts = texts();
                    if asked.question.probe.as_deref().and_then(followed).is_none() {
                        document.add(RISKS, not_known(&texts.lead));
                    }
                    let begin = begin(heard.session, asked);
                    document.add(OPEN, vec![format!("{} To find out: {}{begin}", texts.open_bullet(), texts.find_out)]);
                }
                Some(answer) => match heard.taken_back(&asked.question.id) {
                    Some(one) if fell(asked, one) => {
                        document.add(texts().section, fallen(heard, asked, answer));
                    }
                    Some(_) | None if attached(heard, asked) => {}
                    Some(one) => {
                        if let Some(kept) = left(answer, one) {
                            let texts = texts();
                            document.add(texts.section, answered(heard, asked, &kept, &texts));
                        }
                    }
                    None => {
                        let texts = texts();
                        document.add(texts.section, answered(heard, asked, answer, &texts));
                    }
                },
                None => {}
            }
        }
        QuestionStatus::Answered | QuestionStatus::Open | QuestionStatus::SetAside | QuestionStatus::Stale => document
            .add(
                OPEN,
                vec![format!("{} To be confirmed, since an answer it stood on changed.", texts().open_bullet())],
            ),
        // The decision of a debate is left as it is by who skips its question.
        QuestionStatus::Deferred if decided_by(heard.session, asked).is_some() => {}
        // So is one that it confirmed.
        QuestionStatus::Deferred if is_confirmed(heard.session, asked) => {
            if let Some(answer) = asked.answers.last() {
                let texts = texts();
                document.add(texts.section, answered(heard, asked, answer, &texts));
            }
        }
        QuestionStatus::Deferred => document.add(OPEN, vec![format!("{} Put off for now.", texts().open_bullet())]),
        QuestionStatus::PushedBack { .. } if attached(heard, asked) => {}
        QuestionStatus::PushedBack { because } => {
            let lead = format!("Not taken for granted ({})", lower(&texts().lead));
            document.add(ASSUMPTIONS, bullet(Some(&lead), because.as_str()));
        }
    }
}

/// That something is not known, by what its question is about.
fn not_known(lead: &str) -> Vec<String> {
    const ASKING: &[&str] = &["How", "What", "When", "Where", "Which", "Who", "Whom", "Why"];
    if lead.split(' ').next().is_some_and(|word| ASKING.contains(&word)) {
        return bullet(None, &format!("Nobody knows yet {}", lower(lead)));
    }
    bullet(Some("Not known yet"), &lower(lead))
}

/// Where this repository has something to begin with, as far as the question cited something that touches the topic.
fn begin(session: &Session, asked: &TranscriptEntry) -> String {
    let related = |path: &str| session.evidence.related.iter().any(|one| one.at.path == path);
    let place = asked.question.evidence.iter().find(|place| related(&place.path));
    place.map_or_else(String::new, |place| format!(" Begin at {}.", code(&place.to_string())))
}

/// Whether an answer stands below the answer that it follows, or is said by it.
fn attached(heard: &SessionReading<'_>, asked: &TranscriptEntry) -> bool {
    let Some((way, of)) = asked.question.probe.as_deref().and_then(way) else {
        return false;
    };
    // What settles a contradiction in words of its own stands by itself, since neither answer does.
    let mut settles = heard.withdrawn().iter().filter(|one| one.by.question.id == asked.question.id);
    if settles.any(|one| one.for_the_sake_of.is_none() && one.question.as_str() == of) {
        return matches!(way, Way::Challenge { .. });
    }
    find(heard.session, of).is_some_and(|of| match of.standing {
        QuestionStatus::Answered | QuestionStatus::Open | QuestionStatus::SetAside if !of.in_doubt => {
            of.holding().last().is_some_and(|answer| answer.kind != AnswerKind::Unknown)
        }
        // That an answer stands says nothing without it.
        QuestionStatus::Deferred | QuestionStatus::PushedBack { .. } => matches!(way, Way::Challenge { .. }),
        QuestionStatus::Answered | QuestionStatus::Open | QuestionStatus::SetAside | QuestionStatus::Stale => false,
    })
}
