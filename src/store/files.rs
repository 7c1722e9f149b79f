//! A session as files and back, without a repository: what belongs into which file of the tree.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_yaml::Value;

use super::codec::{self, RECORD_LIMIT, STATE_LIMIT};
use super::layout;
use crate::app::ports::StoreError;
use crate::domain::checkpoint::Checkpoint;
use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::interview::{Answer, QuestionStatus, TranscriptEntry};
use crate::domain::production::{Draft, Production};
use crate::domain::question::Question;
use crate::domain::session::{Phase, Session};
use crate::domain::subsystem::States;
use crate::git::Kind;
use crate::git::object::{name_of, naming_of, parsed};

/// Why the files of a tree are no session to us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    Newer {
        /// The format.
        found: String,
    },
    /// Something is missing or unreadable.
    Corrupt { what: String, why: String },
}

impl Broken {
    pub fn at(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Corrupt { what: what.into(), why: why.into() }
    }

    pub fn of(self, id: &SessionId) -> StoreError {
        match self {
            Self::Newer { found } => StoreError::NewerFormat { id: id.clone(), found, known: layout::FORMAT },
            Self::Corrupt { what, why } => StoreError::Corrupt { id: id.clone(), what, why },
        }
    }
}

/// The files of one commit.
pub trait Files {
    /// The bytes at a path; `None` when nothing stands there.
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Broken>;
    fn below(&self, folder: &str) -> Result<Vec<String>, Broken>;
}

impl Files for BTreeMap<String, Vec<u8>> {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Broken> {
        Ok(self.get(path).cloned())
    }

    fn below(&self, folder: &str) -> Result<Vec<String>, Broken> {
        let prefix = format!("{folder}/");
        Ok(self.keys().filter(|path| path.starts_with(&prefix)).cloned().collect())
    }
}

pub fn required(files: &impl Files, path: &str) -> Result<Vec<u8>, Broken> {
    files.read(path)?.ok_or_else(|| Broken::at(path, "it is missing"))
}

/// The text at a path that has to be there.
pub fn text(files: &impl Files, path: &str) -> Result<String, Broken> {
    String::from_utf8(required(files, path)?).map_err(|_| Broken::at(path, "it is not UTF-8"))
}

/// Where the selection has the output phase that is kept for it.
const KEPT: &str = "kept";
/// Where the session has the edited drafts whose output phase was left.
const PARKED: &str = "parked";

#[derive(Serialize, Deserialize)]
struct StoredQuestion {
    number: u32,
    standing: QuestionStatus,
    #[serde(default)]
    in_doubt: bool,
    #[serde(default)]
    told: bool,
    #[serde(flatten)]
    question: Question,
}

/// Checks the format before anything else is looked at.
pub fn check_format(files: &impl Files) -> Result<(), Broken> {
    let text = text(files, layout::FORMAT_FILE)?;
    match text.trim().parse::<u32>() {
        Ok(layout::FORMAT) => Ok(()),
        Ok(found) if found > layout::FORMAT => Err(Broken::Newer { found: found.to_string() }),
        Ok(_) | Err(_) => {
            Err(Broken::at(layout::FORMAT_FILE, format!("'{}' is no format", text.trim().escape_debug())))
        }
    }
}

/// `session.yaml` with everything put back in place that has a file of its own: the output phase, open or kept for the
/// gate, edited drafts whose output phase was left, and what each subsystem knows.
pub fn session_value(files: &impl Files) -> Result<Value, Broken> {
    let bytes = required(files, layout::SESSION)?;
    let mut value = codec::read(&bytes, STATE_LIMIT).map_err(|why| Broken::at(layout::SESSION, why))?;
    if let Some(all) = value.as_mapping_mut() {
        if let Some(phase) = all.get_mut("phase").and_then(Value::as_mapping_mut) {
            put_outputs(files, phase)?;
        }
        put_own(files, all)?;
        put(files, all, PARKED, layout::PARKED)?;
    }
    Ok(value)
}

/// What the subsystems know, without the rest of the session.
pub fn read_own(files: &impl Files) -> Result<States, Broken> {
    let mut all = serde_yaml::Mapping::new();
    put_own(files, &mut all)?;
    codec::from_value(Value::Mapping(all)).map_err(|why| at_fault(files, why))
}

/// The file in which something cannot be read, for this reason: that of a subsystem which cannot be read by itself, or else
/// `session.yaml`.
pub fn at_fault(files: &impl Files, why: String) -> Broken {
    for name in States::NAMES {
        let (mut alone, path) = (serde_yaml::Mapping::new(), layout::own(name));
        if let Err(broken) = put(files, &mut alone, name, &path) {
            return broken;
        }
        if let Err(why) = codec::from_value::<States>(Value::Mapping(alone)) {
            return Broken::at(path, why);
        }
    }
    Broken::at(layout::SESSION, why)
}

/// Puts what each subsystem knows in its place.
fn put_own(files: &impl Files, all: &mut serde_yaml::Mapping) -> Result<(), Broken> {
    States::NAMES.iter().try_for_each(|name| put(files, all, name, &layout::own(name)))
}

/// Puts what a state file holds in its place, where there is one.
fn put(files: &impl Files, all: &mut serde_yaml::Mapping, key: &str, path: &str) -> Result<(), Broken> {
    if let Some(bytes) = files.read(path)? {
        let value: Value = codec::read(&bytes, STATE_LIMIT).map_err(|why| Broken::at(path, why))?;
        if value.is_null() {
            return Err(Broken::at(path, "it is empty"));
        }
        all.insert(Value::from(key), value);
    }
    Ok(())
}

/// What `session.yaml` says of the phase; the rest of it is passed over.
#[derive(Deserialize)]
struct StoredPhase {
    #[serde(default)]
    phase: Value,
}

/// The phase alone, with the output phase put back in place.
pub fn phase_value(files: &impl Files) -> Result<Value, Broken> {
    let bytes = required(files, layout::SESSION)?;
    let StoredPhase { mut phase } =
        codec::decode(&bytes, STATE_LIMIT).map_err(|why| Broken::at(layout::SESSION, why))?;
    if let Some(phase) = phase.as_mapping_mut() {
        put_outputs(files, phase)?;
    }
    Ok(phase)
}

/// Puts the output phase, open or kept for the gate, in its place.
fn put_outputs(files: &impl Files, phase: &mut serde_yaml::Mapping) -> Result<(), Broken> {
    let outputs = |bytes: &[u8]| codec::read(bytes, STATE_LIMIT).map_err(|why| Broken::at(layout::OUTPUTS, why));
    match phase.get("phase").and_then(Value::as_str) {
        Some("output") => {
            let outputs = outputs(&required(files, layout::OUTPUTS)?)?;
            phase.extend(codec::into_mapping(outputs));
        }
        Some("output-selection") => {
            if let Some(kept) = files.read(layout::OUTPUTS)? {
                phase.insert(Value::from(KEPT), outputs(&kept)?);
            }
        }
        Some(_) | None => {}
    }
    Ok(())
}

pub fn read_session(files: &impl Files) -> Result<Session, Broken> {
    check_format(files)?;
    let mut session: Session = codec::from_value(session_value(files)?).map_err(|why| at_fault(files, why))?;
    session.checkpoint = Checkpoint::stored(text(files, layout::CHECKPOINT)?);
    if let Some(bytes) = files.read(layout::EVIDENCE)? {
        session.evidence = codec::decode(&bytes, STATE_LIMIT).map_err(|why| Broken::at(layout::EVIDENCE, why))?;
    }
    session.transcript.asked = read_questions(files)?;
    match &mut session.phase {
        Phase::Production(production) => read_drafts(files, production)?,
        Phase::Selection(selection) => selection.kept.iter_mut().try_for_each(|kept| read_drafts(files, kept))?,
        Phase::Interview(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {}
    }
    for (name, texts) in session.own.texts_mut() {
        let folder = layout::texts(name);
        for path in files.below(&folder)? {
            let below = path[folder.len() + 1..].to_owned();
            let text = text(files, &path)?;
            if text.len() > STATE_LIMIT {
                return Err(Broken::at(path, format!("it has {} bytes, more than {STATE_LIMIT}", text.len())));
            }
            texts.insert(below, text);
        }
    }
    if let Some((name, path)) = session.own.lacks() {
        required(files, &layout::text(name, &path))?;
    }
    for parked in &mut session.parked {
        parked.draft.content = read_content(files, &layout::parked(&parked.draft.blob), &parked.draft.blob)?;
    }
    Ok(session)
}

/// Reads one question without its answers.
pub fn read_question(files: &impl Files, path: &str) -> Result<TranscriptEntry, Broken> {
    let stored: StoredQuestion =
        codec::decode(&required(files, path)?, RECORD_LIMIT).map_err(|why| Broken::at(path, why))?;
    if layout::question(&stored.question.id) != path {
        return Err(Broken::at(path, format!("it holds {}", stored.question.id)));
    }
    Ok(TranscriptEntry {
        question: stored.question,
        number: stored.number,
        standing: stored.standing,
        in_doubt: stored.in_doubt,
        told: stored.told,
        answers: Vec::new(),
    })
}

pub fn read_answer(files: &impl Files, path: &str) -> Result<Answer, Broken> {
    let answer: Answer = codec::decode(&required(files, path)?, RECORD_LIMIT).map_err(|why| Broken::at(path, why))?;
    if layout::answer(&answer.question, &answer.id) != path {
        return Err(Broken::at(path, format!("it holds {}", answer.id)));
    }
    Ok(answer)
}

fn read_questions(files: &impl Files) -> Result<Vec<TranscriptEntry>, Broken> {
    let mut asked: Vec<TranscriptEntry> =
        files.below(layout::QUESTIONS)?.iter().map(|path| read_question(files, path)).collect::<Result<_, _>>()?;
    let mut answers: BTreeMap<_, Vec<Answer>> = BTreeMap::new();
    for path in files.below(layout::ANSWERS)? {
        let answer = read_answer(files, &path)?;
        answers.entry(answer.question.clone()).or_default().push(answer);
    }
    asked.sort_by(|a, b| (a.number, &a.question.id).cmp(&(b.number, &b.question.id)));
    for one in &mut asked {
        one.answers = in_order(answers.remove(&one.question.id).unwrap_or_default());
    }
    match answers.into_keys().next() {
        Some(orphan) => Err(Broken::at(layout::question(&orphan), "it is missing, and there are answers to it")),
        None => Ok(asked),
    }
}

/// The oldest answer first: by time, and never before one that it replaces.
fn in_order(mut left: Vec<Answer>) -> Vec<Answer> {
    left.sort_by(|a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
    let mut placed: Vec<Answer> = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let free = left.iter().position(|one| !left.iter().any(|other| one.supersedes.contains(&other.id)));
        // Answers that replace each other in a circle were written by hand; the oldest goes first.
        placed.push(left.remove(free.unwrap_or(0)));
    }
    placed
}

fn read_drafts(files: &impl Files, production: &mut Production) -> Result<(), Broken> {
    for drafted in &mut production.drafts {
        let draft = &mut drafted.draft;
        draft.content = read_content(files, &layout::draft(&draft.target), &draft.blob)?;
        draft.replaced = read_replaced(files, draft)?;
    }
    Ok(())
}

/// The text of a draft. An approval names these bytes by their id; nothing else may ever be written in its name.
fn read_content(files: &impl Files, path: &str, blob: &ObjectId) -> Result<String, Broken> {
    let content = text(files, path)?;
    if is_named(path, &content, blob.as_str())? {
        return Ok(content);
    }
    Err(Broken::at(path, "its bytes are not those that were drafted"))
}

/// What a draft would replace; none where nothing stood there, or nobody kept it.
pub fn read_replaced(files: &impl Files, draft: &Draft) -> Result<Option<String>, Broken> {
    let path = layout::replaced(&draft.target);
    let (Some(id), true) = (&draft.replaces, files.read(&path)?.is_some()) else {
        return Ok(None);
    };
    let replaced = text(files, &path)?;
    if !is_named(&path, &replaced, id.as_str())? {
        return Err(Broken::at(path, "its bytes are not those that stood there"));
    }
    Ok(Some(replaced))
}

/// Whether a text is the blob of that name. The name itself says how it was made, so that a session is read alike in
/// whatever repository it was written.
fn is_named(path: &str, text: &str, name: &str) -> Result<bool, Broken> {
    let Some(naming) = naming_of(name) else {
        return Ok(false);
    };
    let id = name_of(naming, Kind::Blob, text.as_bytes()).map_err(|error| Broken::at(path, error.0))?;
    Ok(parsed(name) == Some(id))
}

/// The state files by their paths: `session.yaml`; `outputs.yaml` with what the open output phase consists of, or the one
/// that waits at the gate to be granted here; the edited drafts whose output phase was left; and the file of each
/// subsystem that knows something.
pub fn split(session: &Session) -> BTreeMap<String, Value> {
    let mut value = codec::to_value(session);
    let mut found = BTreeMap::new();
    let phase = value.get_mut("phase").and_then(Value::as_mapping_mut);
    let outputs = match (&session.phase, phase) {
        (Phase::Production(_), Some(phase)) => {
            let name = phase.get("phase").cloned().unwrap_or_default();
            let mut outputs = std::mem::take(phase);
            outputs.shift_remove("phase");
            phase.insert(Value::from("phase"), name);
            Some(Value::Mapping(outputs))
        }
        (Phase::Selection(_), Some(phase)) => phase.shift_remove(KEPT),
        (
            Phase::Production(_)
            | Phase::Interview(_)
            | Phase::Selection(_)
            | Phase::NoInterview { .. }
            | Phase::Closed { .. },
            _,
        ) => None,
    };
    found.extend(outputs.map(|outputs| (layout::OUTPUTS.to_owned(), outputs)));
    if let Some(all) = value.as_mapping_mut() {
        let own = States::NAMES.iter().filter_map(|name| Some((layout::own(name), all.shift_remove(*name)?)));
        found.extend(own);
        found.extend(all.shift_remove(PARKED).map(|parked| (layout::PARKED.to_owned(), parked)));
    }
    found.insert(layout::SESSION.to_owned(), value);
    found
}

pub fn question_value(asked: &TranscriptEntry) -> Value {
    let mut question = codec::into_mapping(codec::to_value(&asked.question));
    let mut value = serde_yaml::Mapping::new();
    if let Some(id) = question.shift_remove("id") {
        value.insert(Value::from("id"), id);
    }
    value.insert(Value::from("number"), Value::from(asked.number));
    value.insert(Value::from("standing"), codec::to_value(&asked.standing));
    if asked.in_doubt {
        value.insert(Value::from("in_doubt"), Value::from(true));
    }
    if asked.told {
        value.insert(Value::from("told"), Value::from(true));
    }
    value.extend(question);
    Value::Mapping(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_named_by_the_file_in_which_it_stands() {
        let debate = "debates:\n- name: x\n  rounds:\n  - raised:\n    - id: ../../x\n";
        let files = BTreeMap::from([(layout::own("debate"), debate.as_bytes().to_vec())]);
        let Err(Broken::Corrupt { what, .. }) = read_own(&files) else { panic!("it is no debate") };
        assert_eq!(what, ".grill/debate.yaml");
        let Broken::Corrupt { what, .. } = at_fault(&BTreeMap::new(), "no topic".to_owned()) else {
            panic!("it is no format")
        };
        assert_eq!(what, layout::SESSION);
    }
}
