//! Wishes as they travel: plain data, checked again on arrival, since whoever is behind the walls may send anything.

use serde::{Deserialize, Serialize};

use crate::domain::checkpoint::{Checkpoint, CheckpointSource};
use crate::domain::command::{Command, Ending, Reply};
use crate::domain::ids::{AnswerId, ObjectId, QuestionId};
use crate::domain::production::{Draft, Origin, Plan, Target};
use crate::domain::question::{Alternatives, Question, RawAlternative};
use crate::domain::selection::{Findings, Gate, Request};
use crate::domain::settings::{Destination, Setting};
use crate::domain::text::{Line, Prose};

/// What is asked of the broker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the command that each wish stands for")]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Wish {
    /// Several wishes, each a command, that are recorded as one or not at all.
    Each { wishes: Vec<Wish> },
    /// The built-in interviewer is to go on.
    Advance,
    /// Our MCP server inside has been greeted by its client.
    Greet,
    /// The agent inside has called our tools wrong again and again; the last call and its refusal.
    Stuck { tool: String, why: String },
    /// The agent inside has called this tool of ours, in a trial.
    Called { tool: String },
    /// A reply that was not recorded is to be kept.
    Keep { question: QuestionId, text: String },
    /// A reply that this run has had kept is recorded now, and is to be taken away.
    DropKept { question: QuestionId, text: String },
    /// [`Command::Ask`]
    Ask { question: Box<Question>, unchanged: Option<String> },
    /// [`Command::Reopen`]
    Reopen { question: Box<Question> },
    /// [`Command::Answer`]; with neither text nor numbers, "I don't know". The answer's id is made outside.
    Answer { question: QuestionId, text: Option<String>, chosen: Option<Vec<usize>>, note: Option<String> },
    /// [`Command::Defer`]
    Defer { question: QuestionId },
    /// [`Command::PushBack`]
    PushBack { question: QuestionId, because: String },
    /// [`Command::Discuss`]
    Discuss,
    /// [`Command::EndDiscussion`]; the answer's id is made outside.
    EndDiscussion { summary: String },
    /// [`Command::Tell`]
    Tell { question: QuestionId },
    /// [`Command::Back`]
    Back { to: QuestionId },
    /// [`Command::UpdateCheckpoint`]; where it came from is said outside.
    UpdateCheckpoint { markdown: String, base: String, summary: String },
    /// [`Command::Configure`]
    Configure { setting: Setting },
    /// [`Command::OpenSelection`]
    OpenSelection { gate: Box<Gate> },
    /// [`Command::ContinueInterview`]
    ContinueInterview { summary: Option<String> },
    /// [`Command::SelectOutputs`]
    SelectOutputs { plan: Plan },
    /// [`Command::GrantRequest`]
    GrantRequest { shown: Box<Request> },
    /// [`Command::SubmitDraft`]; its id is computed outside.
    SubmitDraft {
        #[serde(rename = "path")]
        target: Target,
        destination: Destination,
        replaces: Option<ObjectId>,
        replaced: Option<String>,
        origin: Origin,
        content: String,
    },
    /// [`Command::DropDraft`]
    DropDraft { target: Target },
    /// [`Command::ApproveDraft`]
    ApproveDraft {
        #[serde(rename = "path")]
        target: Target,
        blob: ObjectId,
    },
    /// [`Command::FinishProduction`]
    FinishProduction { summary: Option<String> },
    /// [`Command::Stop`]
    Stop { ending: Ending, summary: Option<String> },
}

/// A wish that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadWish(pub String);

/// What a wish means outside, where ids are made.
pub struct Outside<'a> {
    /// Makes an answer's id.
    pub answer: &'a dyn Fn() -> AnswerId,
    /// The blob id of a text.
    pub blob: &'a dyn Fn(&str) -> Option<ObjectId>,
}

impl Wish {
    /// The most wishes that are recorded as one: more than any call of a tool has.
    pub const MOST: usize = 16;

    /// The wish for a command; `None` for what only we ourselves record.
    pub fn of(command: &Command) -> Option<Self> {
        let text = |line: &Option<Line>| line.as_ref().map(|line| line.as_str().to_owned());
        Some(match command {
            Command::Ask { question, unchanged } => {
                Self::Ask { question: question.clone(), unchanged: text(unchanged) }
            }
            Command::Reopen { question } => Self::Reopen { question: question.clone() },
            Command::Answer { question, id: _, reply, note } => Self::Answer {
                question: question.clone(),
                text: match reply {
                    Reply::Text(text) => Some(text.as_str().to_owned()),
                    Reply::Unknown | Reply::Chosen(_) => None,
                },
                chosen: match reply {
                    Reply::Chosen(numbers) => Some(numbers.clone()),
                    Reply::Unknown | Reply::Text(_) => None,
                },
                note: note.as_ref().map(|note| note.as_str().to_owned()),
            },
            Command::Defer { question } => Self::Defer { question: question.clone() },
            Command::PushBack { question, because } => {
                Self::PushBack { question: question.clone(), because: because.as_str().to_owned() }
            }
            Command::Discuss => Self::Discuss,
            Command::EndDiscussion { summary, answer: _ } => {
                Self::EndDiscussion { summary: summary.as_str().to_owned() }
            }
            Command::Tell { question } => Self::Tell { question: question.clone() },
            Command::Back { to } => Self::Back { to: to.clone() },
            Command::UpdateCheckpoint { checkpoint, base, summary, source: _, answer: _ } => Self::UpdateCheckpoint {
                markdown: checkpoint.as_str().to_owned(),
                base: base.as_str().to_owned(),
                summary: summary.as_str().to_owned(),
            },
            Command::Configure(setting) => Self::Configure { setting: setting.clone() },
            Command::OpenSelection(gate) => Self::OpenSelection { gate: gate.clone() },
            Command::ContinueInterview { summary } => Self::ContinueInterview { summary: text(summary) },
            Command::SelectOutputs(plan) => Self::SelectOutputs { plan: plan.clone() },
            Command::GrantRequest { shown } => Self::GrantRequest { shown: shown.clone() },
            Command::SubmitDraft(draft) => Self::SubmitDraft {
                target: draft.target.clone(),
                destination: draft.destination.clone(),
                replaces: draft.replaces.clone(),
                replaced: draft.replaced.clone(),
                origin: draft.origin,
                content: draft.content.clone(),
            },
            Command::DropDraft { target } => Self::DropDraft { target: target.clone() },
            Command::ApproveDraft { target, blob } => Self::ApproveDraft { target: target.clone(), blob: blob.clone() },
            Command::FinishProduction { summary } => Self::FinishProduction { summary: text(summary) },
            Command::Stop { ending, summary } => Self::Stop { ending: *ending, summary: text(summary) },
            // A person's decision is not taken from inside.
            Command::Waive { .. }
            | Command::RecordEvidence(_)
            | Command::RecordWritten { .. }
            | Command::RecordCreated(_)
            | Command::RecordCommitted { .. }
            | Command::RecordOutside(_)
            | Command::RecordUndone { .. }
            | Command::RecordVerification(_)
            | Command::RecordCitations(_)
            | Command::RecordServerQuestion(_)
            | Command::Of(_) => return None,
        })
    }

    /// The commands of one wish or of several, all of them checked; none for what is no command.
    pub fn commands(self, outside: &Outside<'_>) -> Result<Vec<Command>, BadWish> {
        let Self::Each { wishes } = self else { return Ok(self.command(outside)?.into_iter().collect()) };
        if wishes.is_empty() || wishes.len() > Self::MOST {
            return Err(BadWish(format!("1 to {} wishes are recorded as one", Self::MOST)));
        }
        let none = || BadWish("one of several wishes is no command".to_owned());
        wishes.into_iter().map(|wish| wish.command(outside)?.ok_or_else(none)).collect()
    }

    /// The command, with every text checked as if it had been typed; `None` for what is no command.
    pub fn command(self, outside: &Outside<'_>) -> Result<Option<Command>, BadWish> {
        Ok(Some(match self {
            Self::Each { .. }
            | Self::Advance
            | Self::Greet
            | Self::Stuck { .. }
            | Self::Called { .. }
            | Self::Keep { .. }
            | Self::DropKept { .. } => {
                return Ok(None);
            }
            Self::Ask { question, unchanged } => {
                Command::Ask { question: asked(*question)?, unchanged: line("the reason", unchanged)? }
            }
            Self::Reopen { question } => Command::Reopen { question: asked(*question)? },
            Self::Answer { question, text, chosen, note } => Command::Answer {
                question,
                id: (outside.answer)(),
                reply: match (text, chosen) {
                    (Some(_), Some(_)) => return Err(BadWish("an answer is words or numbers".to_owned())),
                    (Some(text), None) => Reply::Text(prose("the reply", &text)?),
                    (None, Some(numbers)) => Reply::Chosen(numbers),
                    (None, None) => Reply::Unknown,
                },
                note: note.map(|note| prose("the note", &note)).transpose()?,
            },
            Self::Defer { question } => Command::Defer { question },
            Self::PushBack { question, because } => {
                Command::PushBack { question, because: prose("the objection", &because)? }
            }
            Self::Discuss => Command::Discuss,
            Self::EndDiscussion { summary } => {
                Command::EndDiscussion { summary: prose("the summary", &summary)?, answer: (outside.answer)() }
            }
            Self::Tell { question } => Command::Tell { question },
            Self::Back { to } => Command::Back { to },
            Self::UpdateCheckpoint { markdown, base, summary } => Command::UpdateCheckpoint {
                base: Checkpoint::parse(&base).map_err(|error| BadWish(error.to_string()))?,
                checkpoint: Checkpoint::parse(&markdown).map_err(|error| BadWish(error.to_string()))?,
                summary: Line::parse("the summary", &summary).map_err(|error| BadWish(error.to_string()))?,
                source: CheckpointSource::Tool,
                answer: Some((outside.answer)()),
            },
            Self::Configure { setting } => Command::Configure(setting),
            Self::OpenSelection { gate } => Command::OpenSelection(Box::new(Gate {
                rationale: prose("the rationale", gate.rationale.as_str())?,
                question: prose("the question", gate.question.as_str())?,
                alternatives: alternatives(&gate.alternatives)?,
                recommended_outputs: gate.recommended_outputs,
                recommended_strategy: gate.recommended_strategy,
                // What speaks against it is found by whoever records it, not by whoever asks.
                findings: Findings::default(),
            })),
            Self::ContinueInterview { summary } => {
                Command::ContinueInterview { summary: line("the summary", summary)? }
            }
            Self::SelectOutputs { plan } => Command::SelectOutputs(Plan {
                prose: plan.prose.map(|text| prose("the plan", text.as_str())).transpose()?,
                outputs: plan.outputs,
                // Nobody types at a terminal through a broker.
                permitted: Vec::new(),
            }),
            // Compared with what waits, and recorded nowhere.
            Self::GrantRequest { shown } => Command::GrantRequest { shown },
            Self::SubmitDraft { target, destination, replaces, replaced, origin, content } => {
                let blob = (outside.blob)(&content).ok_or_else(|| BadWish("the draft has no id".to_owned()))?;
                if replaced.as_deref().is_some_and(|text| (outside.blob)(text) != replaces) {
                    return Err(BadWish("the file that the draft replaces is another one".to_owned()));
                }
                Command::SubmitDraft(Box::new(Draft { target, destination, blob, replaces, origin, content, replaced }))
            }
            Self::DropDraft { target } => Command::DropDraft { target },
            Self::ApproveDraft { target, blob } => Command::ApproveDraft { target, blob },
            Self::FinishProduction { summary } => Command::FinishProduction { summary: line("the summary", summary)? },
            Self::Stop { ending, summary } => Command::Stop { ending, summary: line("the summary", summary)? },
        }))
    }
}

fn prose(what: &'static str, text: &str) -> Result<Prose, BadWish> {
    Prose::parse(what, text).map_err(|error| BadWish(error.to_string()))
}

fn line(what: &'static str, text: Option<String>) -> Result<Option<Line>, BadWish> {
    text.map(|text| Line::parse(what, &text)).transpose().map_err(|error| BadWish(error.to_string()))
}

/// A question of an agent, every part of it checked; it comes from no catalogue of ours.
fn asked(question: Question) -> Result<Box<Question>, BadWish> {
    /// How many places or questions one may refer to.
    const MOST: usize = 64;
    if question.evidence.len() > MOST || question.builds_on.len() > MOST {
        return Err(BadWish(format!("the question refers to more than {MOST} others")));
    }
    let of_options = question.alternatives.as_slice().iter().filter_map(|one| one.evidence.as_ref());
    if question.evidence.iter().chain(of_options).any(|place| place.path.len() > Line::LIMIT) {
        return Err(BadWish("the question names a path that is too long".to_owned()));
    }
    Ok(Box::new(Question {
        text: prose("the question", question.text.as_str())?,
        dimension: Line::parse("the dimension", question.dimension.as_str())
            .map_err(|error| BadWish(error.to_string()))?,
        why: question.why.map(|why| prose("the reason", why.as_str())).transpose()?,
        // Checked against the form when the frame was read.
        alternatives: question.alternatives,
        probe: None,
        form: question.form,
        id: question.id,
        evidence: question.evidence,
        builds_on: question.builds_on,
        purpose: question.purpose,
    }))
}

fn alternatives(given: &Alternatives) -> Result<Alternatives, BadWish> {
    let raw: Vec<RawAlternative> = given
        .as_slice()
        .iter()
        .map(|one| RawAlternative {
            value: one.value.as_str().to_owned(),
            label: one.label.as_str().to_owned(),
            description: one.description.as_ref().map(|text| text.as_str().to_owned()).unwrap_or_default(),
            recommended: one.recommended,
        })
        .collect();
    Alternatives::parse(&raw).map_err(|error| BadWish(error.to_string()))
}
