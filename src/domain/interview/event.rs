//! What happened in the interview, as the history says it and as a person is told.

use serde::{Deserialize, Serialize};

use super::{Answer, AnswerKind, gist};
use crate::domain::checkpoint::{Checkpoint, CheckpointSource};
use crate::domain::citations::{self, ChangedCitation};
use crate::domain::concern::Waiver;
use crate::domain::facets::{Facets, Filed, Unfilled};
use crate::domain::facts::RepoFacts;
use crate::domain::harmless::harmless;
use crate::domain::ids::QuestionId;
use crate::domain::question::Question;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::subsystem::Happened;
use crate::domain::text::{Line, Prose};
use crate::domain::told::{Scene, Told};

/// The way out of a discussion that comes to nothing, where verbs are typed with a slash.
const LEAVES: &str = "/back leaves it with nothing recorded";

/// Large texts (`serde(skip)`) are kept in files of their own beside the event and put back when it is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    /// The repository was looked at.
    EvidenceRecorded {
        #[serde(skip)]
        facts: Box<RepoFacts>,
    },
    QuestionAsked {
        question: Box<Question>,
        /// Why the answer before it changed nothing in the checkpoint.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unchanged: Option<Line>,
    },
    /// An earlier question was put again.
    QuestionReopened {
        /// The question, as it is worded now.
        question: Box<Question>,
    },
    QuestionAnswered {
        answer: Box<Answer>,
    },
    QuestionDeferred {
        question: QuestionId,
    },
    /// The open question's premise was refused.
    QuestionPushedBack {
        question: QuestionId,
        /// What the person said.
        because: Prose,
    },
    DiscussionOpened {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<QuestionId>,
    },
    DiscussionEnded {
        summary: Prose,
    },
    /// Whoever asked a question through a tool was told what became of it.
    AnswerTold {
        question: QuestionId,
    },
    /// The person returned to an earlier question.
    WentBack {
        to: QuestionId,
    },
    CheckpointUpdated {
        #[serde(skip)]
        checkpoint: Checkpoint,
        summary: Line,
        source: CheckpointSource,
        /// True if it was made from an older text and merged with newer changes.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        merged: bool,
    },
    /// A person waved concerns of the referee through.
    ConcernsWaived {
        concerns: Vec<Waiver>,
    },
    /// The places that questions name were looked at again, and what was found is not what was found before.
    CitationsChecked {
        /// Those that are not as they were read.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changed: Vec<ChangedCitation>,
    },
}

impl Happened for Event {
    fn facets(&self) -> Facets<'_> {
        match self {
            Self::EvidenceRecorded { facts } => {
                Facets::of("evidence", "look at the repository").filed(Filed::Evidence(facts))
            }
            Self::QuestionAsked { question, .. } => {
                let subject = format!("ask {}: {}", question.id, Line::clipped(question.text.first_line()));
                Facets::of("ask", subject).about(&question.id).filed(Filed::Question(question))
            }
            Self::QuestionReopened { question } => {
                let facets = Facets::of("reopen", format!("ask {} again", question.id));
                facets.about(&question.id).filed(Filed::Question(question))
            }
            Self::QuestionAnswered { answer } => {
                let subject = format!("answer {}: {}", answer.question, gist(answer));
                let facets = Facets::of("answer", subject).about(&answer.question).filed(Filed::Answer(answer));
                Facets { answer: Some(&answer.id), note: answer.note.as_ref(), ..facets }
            }
            Self::QuestionDeferred { question } => Facets::of("defer", format!("skip {question}")).about(question),
            Self::QuestionPushedBack { question, because } => {
                let subject = format!("push back on {question}: {}", Line::clipped(because.first_line()));
                Facets { note: Some(because), ..Facets::of("push-back", subject).about(question) }
            }
            Self::DiscussionOpened { about: Some(question) } => {
                Facets::of("discuss", format!("discuss {question}")).about(question)
            }
            Self::DiscussionOpened { about: None } => Facets::of("discuss", "discuss"),
            Self::DiscussionEnded { summary } => {
                Facets::of("resume-questions", format!("resume: {}", Line::clipped(summary.first_line())))
            }
            Self::AnswerTold { question } => {
                Facets::of("tell", format!("tell what became of {question}")).about(question)
            }
            Self::WentBack { to } => Facets::of("back", format!("go back to {to}")).about(to),
            Self::CheckpointUpdated { checkpoint, summary, merged, .. } => {
                let what = if *merged { "checkpoint, merged" } else { "checkpoint" };
                let subject = format!("{what}: {}", Line::clipped(summary.as_str()));
                Facets::of("checkpoint", subject).filed(Filed::Checkpoint(checkpoint))
            }
            Self::ConcernsWaived { concerns } => {
                let names: Vec<&str> = concerns.iter().map(|one| one.name.as_str()).collect();
                Facets::of("waive", format!("waive {}", names.join(", ")))
            }
            Self::CitationsChecked { changed } => {
                Facets::of("citations", format!("citations: {}", citations::summary(changed)))
            }
        }
    }

    fn told(&self, scene: Scene<'_>) -> Told<'_> {
        let numbered = |question: &QuestionId| scene.after.transcript.get(question).map_or(0, |asked| asked.number);
        Told::Line(match self {
            Self::QuestionAsked { .. } | Self::AnswerTold { .. } => return Told::Nothing,
            Self::QuestionReopened { question } => format!("question {} is asked again", numbered(&question.id)),
            Self::QuestionAnswered { answer } if scene.by_prompt && answer.kind != AnswerKind::Unknown => {
                format!("answered {}", numbered(&answer.question))
            }
            Self::QuestionAnswered { answer } => {
                format!("answered {}: {}", numbered(&answer.question), harmless(gist(answer).as_str()))
            }
            Self::QuestionDeferred { question } => {
                format!("question {} is put off; it stands among the open questions", numbered(question))
            }
            Self::QuestionPushedBack { question, .. } => {
                format!("noted why question {} is the wrong one", numbered(question))
            }
            Self::DiscussionOpened { about } => discussing(about.as_ref(), scene),
            Self::DiscussionEnded { summary } => format!("discussion summed up: {}", harmless(summary.first_line())),
            Self::WentBack { to } if scene.before.is_some_and(is_talking) => {
                format!("nothing of the discussion was recorded; question {} is open again", numbered(to))
            }
            Self::WentBack { .. } => "back at an earlier question; the answers stay in the history".to_owned(),
            Self::CheckpointUpdated { checkpoint, summary, source, merged } => {
                return Told::Checkpoint { checkpoint, summary: summary.as_str(), source: *source, merged: *merged };
            }
            Self::EvidenceRecorded { facts } => facts.in_words(),
            Self::ConcernsWaived { concerns } => {
                let names: Vec<&str> = concerns.iter().map(|one| one.name.as_str()).collect();
                format!("waived: {}", harmless(&names.join(", ")))
            }
            Self::CitationsChecked { changed } => return Told::Cited(changed),
        })
    }

    fn unfilled(&mut self) -> Option<Unfilled<'_>> {
        if let Self::CheckpointUpdated { checkpoint, .. } = self {
            return Some(Unfilled::Checkpoint(checkpoint));
        }
        if let Self::EvidenceRecorded { facts } = self { Some(Unfilled::Evidence(facts)) } else { None }
    }
}

fn discussing(about: Option<&QuestionId>, scene: Scene<'_>) -> String {
    if !scene.by_prompt {
        let leaves = about.map(|_| "; git grill back leaves it with nothing recorded");
        let sums_up = "in discussion; git grill discuss --done \"<what it came to>\" returns to the questions";
        return format!("{sums_up}{}", leaves.unwrap_or_default());
    }
    match about.and_then(|id| scene.after.transcript.get(id)) {
        // Whoever asked it goes on from what the discussion came to (Q12).
        Some(asked) if asked.question.is_from_a_tool() => {
            format!("in discussion; what it comes to answers question {}; {LEAVES}", asked.number)
        }
        Some(_) => format!("in discussion; the question stays open; {LEAVES}"),
        None => "in discussion".to_owned(),
    }
}

fn is_talking(session: &Session) -> bool {
    matches!(session.phase, Phase::Interview(Floor::Discussion { .. }))
}
