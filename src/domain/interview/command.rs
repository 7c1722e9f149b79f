//! What somebody wants of the interview.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Event, answering, asking, checkpoints, waiving};
use crate::domain::actor::Actor;
use crate::domain::checkpoint::{Checkpoint, CheckpointSource};
use crate::domain::citations::{self, Rechecked};
use crate::domain::command::Reply;
use crate::domain::concern::Waiver;
use crate::domain::decide::{Decision, only_system};
use crate::domain::event;
use crate::domain::facts::RepoFacts;
use crate::domain::from_inside::{BadWish, Outside};
use crate::domain::ids::{AnswerId, QuestionId};
use crate::domain::question::Question;
use crate::domain::session::Session;
use crate::domain::settings::Research;
use crate::domain::subsystem::Wanted;
use crate::domain::text::{Line, Prose};

/// The skipped ones are recorded only by git grill itself or by a person; they are never read from what a caller sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Command {
    Ask {
        question: Box<Question>,
        /// Why the answer before it changed nothing in the checkpoint (G24).
        unchanged: Option<Line>,
    },
    /// Put an earlier question again: contested, stale or set aside.
    Reopen {
        /// The question under its old id; a stale one may be worded anew, since what it quoted has changed.
        question: Box<Question>,
    },
    Answer {
        /// The question that was shown; if another is open by now, nothing happens.
        question: QuestionId,
        id: AnswerId,
        reply: Reply,
        note: Option<Prose>,
    },
    /// Put the open question off.
    Defer {
        /// The question that was shown.
        question: QuestionId,
    },
    /// Refuse the open question's premise.
    PushBack {
        /// The question that was shown.
        question: QuestionId,
        because: Prose,
    },
    /// Leave the questions for a conversation.
    Discuss,
    EndDiscussion {
        summary: Prose,
        /// The id of the answer that it becomes, where it was about a question of a question tool.
        answer: AnswerId,
    },
    /// Note that whoever asked a question knows what became of it.
    Tell {
        question: QuestionId,
    },
    Back {
        to: QuestionId,
    },
    UpdateCheckpoint {
        checkpoint: Checkpoint,
        /// The text that it was made from; where another one stands by now, it is merged or refused.
        base: Checkpoint,
        /// What changed, in one line (G25).
        summary: Line,
        source: CheckpointSource,
        /// The id of the answer that the open question of an agent becomes when the agent hands in a checkpoint instead
        /// of the answer (G24); nobody else's update closes one.
        answer: Option<AnswerId>,
    },
    /// Wave concerns of the referee through.
    #[serde(skip)]
    Waive {
        concerns: Vec<Waiver>,
    },
    #[serde(skip)]
    RecordEvidence(Box<RepoFacts>),
    /// Enter which cited places are not as they were read; none when all of them are (G15).
    #[serde(skip)]
    RecordCitations(Vec<Rechecked>),
}

impl Wanted for Command {
    type Event = event::Event;

    fn deed(&self) -> &'static str {
        match self {
            Self::Ask { .. } => "asking a question",
            Self::Reopen { .. } => "asking a question again",
            Self::Answer { .. } => "answering",
            Self::Defer { .. } => "skipping a question",
            Self::PushBack { .. } => "pushing back on a question",
            Self::Discuss => "opening a discussion",
            Self::EndDiscussion { .. } => "ending a discussion",
            Self::Tell { .. } => "telling what became of a question",
            Self::Back { .. } => "going back",
            Self::UpdateCheckpoint { .. } => "changing the checkpoint",
            Self::Waive { .. } => "waving a concern through",
            Self::RecordEvidence(_) => "entering evidence",
            Self::RecordCitations(_) => "recording a check of citations",
        }
    }

    fn decide(&self, session: &Session, actor: &Actor, at: Timestamp) -> Decision {
        let deed = self.deed();
        let events = match self {
            Self::Ask { question, unchanged } => asking::ask(session, actor, question, unchanged.as_ref()),
            Self::Reopen { question } => asking::reopen(session, actor, question),
            Self::Answer { question, id, reply, note } => {
                let given = answering::Given { question, id, reply, note: note.as_ref() };
                answering::answer(session, actor, at, &given)
            }
            Self::Defer { question } => answering::close_question(
                session,
                actor,
                question,
                deed,
                Event::QuestionDeferred { question: question.clone() },
            ),
            Self::PushBack { question, because } => {
                let event = Event::QuestionPushedBack { question: question.clone(), because: because.clone() };
                answering::close_question(session, actor, question, deed, event)
            }
            Self::Discuss => answering::discuss(session, actor),
            Self::EndDiscussion { summary, answer } => answering::end_discussion(session, actor, at, summary, answer),
            Self::Tell { question } => asking::tell(session, actor, question),
            Self::Back { to } => answering::back(session, actor, to),
            Self::UpdateCheckpoint { checkpoint, base, summary, source, answer } => {
                let mut events = vec![];
                if let (Actor::Agent(_), CheckpointSource::Tool, Some(id)) = (actor, source, answer) {
                    events = answering::told_by_an_update(session, actor, at, id, summary)?;
                }
                let due = session.checkpoint_due || !events.is_empty();
                events.extend(checkpoints::update(session, base, checkpoint, summary, *source, due)?);
                Ok(events)
            }
            Self::Waive { concerns } => waiving::waive(session, actor, concerns),
            Self::RecordEvidence(facts) => {
                only_system(actor, deed)?;
                Ok(if session.evidence == **facts {
                    vec![]
                } else {
                    vec![Event::EvidenceRecorded { facts: facts.clone() }]
                })
            }
            Self::RecordCitations(found) => {
                only_system(actor, deed)?;
                let changed = citations::changed(session, found);
                // Where nothing may be looked at, nothing was; what was known before stays known.
                let unseen = session.settings.research == Research::Off;
                Ok(if unseen || session.citations == changed {
                    vec![]
                } else {
                    vec![Event::CitationsChecked { changed }]
                })
            }
        };
        Ok(events?.into_iter().map(event::Event::from).collect())
    }

    fn settle(&mut self, outside: &Outside<'_>) -> Result<(), BadWish> {
        match self {
            Self::Ask { question, unchanged: _ } | Self::Reopen { question } => settle_question(question)?,
            Self::Answer { question: _, id, reply: _, note: _ } => *id = (outside.answer)(),
            Self::EndDiscussion { summary: _, answer } => *answer = (outside.answer)(),
            Self::UpdateCheckpoint { checkpoint: _, base: _, summary: _, source, answer } => {
                *source = CheckpointSource::Tool;
                *answer = Some((outside.answer)());
            }
            Self::Defer { .. } | Self::PushBack { .. } | Self::Discuss | Self::Tell { .. } | Self::Back { .. } => {}
            Self::Waive { .. } | Self::RecordEvidence(_) | Self::RecordCitations(_) => {
                return Err(BadWish::ours(self.deed()));
            }
        }
        Ok(())
    }
}

/// A question of an agent is bounded, and comes from no catalogue of ours.
fn settle_question(question: &mut Question) -> Result<(), BadWish> {
    /// How many places or questions one may refer to.
    const MOST: usize = 64;
    if question.evidence.len() > MOST || question.builds_on.len() > MOST {
        return Err(BadWish(format!("the question refers to more than {MOST} others")));
    }
    let of_options = question.alternatives.as_slice().iter().filter_map(|one| one.evidence.as_ref());
    if question.evidence.iter().chain(of_options).any(|place| place.path.len() > Line::LIMIT) {
        return Err(BadWish("the question names a path that is too long".to_owned()));
    }
    question.probe = None;
    Ok(())
}
