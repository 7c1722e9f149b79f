//! One commit's events. A text that has a file of its own in the same commit is only named here, so that
//! `git log -p` shows it once; a text that the same commit already replaced again stands in full.

use std::collections::BTreeMap;

use serde_yaml::{Mapping, Value};

use super::codec::{self, STATE_LIMIT};
use super::files::{self, Broken, Files};
use super::layout;
use crate::domain::checkpoint::Checkpoint;
use crate::domain::event::{Event, Recorded};
use crate::domain::facets::{self, Filed, Unfilled};
use crate::domain::ids::{AnswerId, QuestionId};
use crate::domain::production::Draft;
use crate::domain::session::{Phase, Session};

/// The key of a text that is not in a file of its own.
const INLINE: &str = "in-full";
/// The same for what a draft would replace.
const REPLACED: &str = "replaced-in-full";

/// `events.yaml` of a commit whose tree holds `after`.
pub fn value(events: &[Recorded], after: &Session) -> Value {
    Value::Sequence(events.iter().map(|recorded| one_value(recorded, after)).collect())
}

fn one_value(recorded: &Recorded, after: &Session) -> Value {
    let mut map = codec::into_mapping(codec::to_value(recorded));
    match recorded.event.facets().filed {
        Some(Filed::Question(question)) => {
            let filed = after.transcript.get(&question.id);
            if filed.is_some_and(|asked| asked.question == *question) {
                set(&mut map, "question", question.id.as_str());
            }
        }
        Some(Filed::Answer(answer)) => {
            let filed = after.transcript.get(&answer.question);
            if filed.is_some_and(|asked| asked.answers.contains(answer)) {
                set(&mut map, "question", answer.question.as_str());
                set(&mut map, "answer", answer.id.as_str());
            }
        }
        Some(Filed::Checkpoint(checkpoint)) if *checkpoint != after.checkpoint => {
            set(&mut map, INLINE, checkpoint.as_str());
        }
        Some(Filed::Evidence(facts)) if *facts != after.evidence || !facts.looked => {
            map.insert(Value::from(INLINE), codec::to_value(facts));
        }
        Some(Filed::Draft(draft)) if !is_filed(draft, after) => {
            set(&mut map, INLINE, &draft.content);
            if let Some(replaced) = &draft.replaced {
                set(&mut map, REPLACED, replaced);
            }
        }
        Some(Filed::Texts { of, texts }) => {
            let filed = after.own.texts().into_iter().find(|(name, _)| *name == of).map(|(_, filed)| filed);
            let is_filed =
                |path: &str, text: &str| filed.is_some_and(|filed| filed.get(path).is_some_and(|is| is == text));
            let inline: BTreeMap<String, &str> =
                texts.into_iter().filter(|(path, text)| !is_filed(path, text)).collect();
            if !inline.is_empty() {
                map.insert(Value::from(INLINE), codec::to_value(&inline));
            }
        }
        Some(Filed::Checkpoint(_) | Filed::Evidence(_) | Filed::Draft(_)) | None => {}
    }
    Value::Mapping(map)
}

fn set(map: &mut Mapping, key: &str, text: &str) {
    map.insert(Value::from(key), Value::from(text));
}

/// Whether the commit's tree holds these very bytes as the draft for their path.
fn is_filed(draft: &Draft, after: &Session) -> bool {
    match &after.phase {
        Phase::Production(production) => production
            .draft(&draft.target)
            .is_some_and(|drafted| drafted.draft.content == draft.content && drafted.draft.replaced == draft.replaced),
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => false,
    }
}

/// Reads a commit's events, with every text that stands in a file of its own.
pub fn read(files: &impl Files) -> Result<Vec<Recorded>, Broken> {
    let at = |why: String| Broken::at(layout::EVENTS, why);
    let bytes = files::required(files, layout::EVENTS)?;
    let Value::Sequence(list) = codec::read(&bytes, STATE_LIMIT).map_err(at)? else {
        return Err(at("it is no list".to_owned()));
    };
    list.into_iter().map(|value| one(files, value)).collect()
}

fn one(files: &impl Files, value: Value) -> Result<Recorded, Broken> {
    let at = |why: String| Broken::at(layout::EVENTS, why);
    let mut map = codec::into_mapping(value);
    let in_full = map.shift_remove(INLINE);
    let replaced = map.shift_remove(REPLACED);
    let name = map.get("event").and_then(Value::as_str).unwrap_or_default().to_owned();
    if facets::QUESTION_IS_FILED.contains(&name.as_str())
        && let Some(id) = map.get("question").and_then(Value::as_str)
    {
        let id = QuestionId::parse(id).map_err(|error| at(error.to_string()))?;
        let asked = files::read_question(files, &layout::question(&id))?;
        map.insert(Value::from("question"), codec::to_value(&asked.question));
    }
    if facets::ANSWER_IS_FILED.contains(&name.as_str())
        && let Some(id) = map.get("answer").and_then(Value::as_str)
    {
        let id = AnswerId::parse(id).map_err(|error| at(error.to_string()))?;
        let question = map.get("question").and_then(Value::as_str);
        let question = QuestionId::parse(question.unwrap_or_default()).map_err(|error| at(error.to_string()))?;
        let answer = files::read_answer(files, &layout::answer(&question, &id))?;
        map.insert(Value::from("answer"), codec::to_value(&answer));
    }
    let mut recorded: Recorded = codec::from_value(Value::Mapping(map)).map_err(at)?;
    fill(files, &mut recorded.event, in_full, replaced)?;
    Ok(recorded)
}

/// Puts the texts back that an event does not carry itself.
fn fill(files: &impl Files, event: &mut Event, in_full: Option<Value>, replaced: Option<Value>) -> Result<(), Broken> {
    let at = |why: String| Broken::at(layout::EVENTS, why);
    match event.unfilled() {
        Some(Unfilled::Checkpoint(checkpoint)) => {
            *checkpoint = Checkpoint::stored(match in_full {
                Some(text) => codec::from_value(text).map_err(at)?,
                None => files::text(files, layout::CHECKPOINT)?,
            });
        }
        Some(Unfilled::Evidence(facts)) => {
            *facts = match in_full {
                Some(value) => codec::from_value(value).map_err(at)?,
                None => codec::decode(&files::required(files, layout::EVIDENCE)?, STATE_LIMIT)
                    .map_err(|why| Broken::at(layout::EVIDENCE, why))?,
            };
        }
        Some(Unfilled::Draft(draft)) => {
            if let Some(text) = in_full {
                draft.content = codec::from_value(text).map_err(at)?;
                draft.replaced = replaced.map(codec::from_value).transpose().map_err(at)?;
            } else {
                draft.content = files::text(files, &layout::draft(&draft.target))?;
                draft.replaced = files::read_replaced(files, draft)?;
            }
        }
        Some(Unfilled::Texts { of, texts }) => {
            let inline: Option<BTreeMap<String, String>> = in_full.map(codec::from_value).transpose().map_err(at)?;
            let mut inline = inline.unwrap_or_default();
            for (path, text) in texts {
                *text = match inline.remove(&path) {
                    Some(text) => text,
                    None => files::text(files, &layout::text(of, &path))?,
                };
            }
        }
        None => {}
    }
    Ok(())
}
