//! What one append changes in the tree: only the files whose content differs from the state before it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_yaml::Value;

use super::codec::{self, RECORD_LIMIT, STATE_LIMIT};
use super::files::{self, Broken, Files};
use super::{events, layout};
use crate::app::ports::{Batch, StoreError};
use crate::domain::ids::SessionId;
use crate::domain::interview::TranscriptEntry;
use crate::domain::production::{Draft, Drafted, ParkedDraft, Target};
use crate::domain::session::{Phase, Session};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Put(Vec<u8>),
    Remove,
}

/// The changes of one commit, by path.
pub type Changes = BTreeMap<String, Change>;

/// What a batch changes. `before` is the state at the parent commit and `parent` are its files; a first commit has
/// neither.
pub fn between(before: Option<&Session>, parent: &impl Files, batch: Batch<'_>) -> Result<Changes, StoreError> {
    let after = batch.after;
    let mut draft = Rewrite { id: &after.id, parent, found: Changes::new() };
    if before.is_none() {
        let format = format!("{}\n", layout::FORMAT);
        draft.found.insert(layout::FORMAT_FILE.to_owned(), Change::Put(format.into_bytes()));
    }
    draft.checkpoint(before, after);
    draft.state(before, after)?;
    draft.evidence(before, after)?;
    draft.questions(before, after)?;
    draft.drafts(before, after)?;
    draft.parked(before, after);
    draft.texts(before, after)?;
    draft.put(layout::EVENTS, STATE_LIMIT, events::value(batch.events, after), None)?;
    Ok(draft.found)
}

/// The changes found so far.
struct Rewrite<'a, F> {
    id: &'a SessionId,
    parent: &'a F,
    found: Changes,
}

impl<F: Files> Rewrite<'_, F> {
    /// Puts a record. `known` is what we would have written for the parent's version; whatever else stands in it is
    /// carried over.
    fn put(&mut self, path: &str, limit: usize, new: Value, known: Option<&Value>) -> Result<(), StoreError> {
        let value = match known {
            Some(known) => {
                let broken = |broken: Broken| broken.of(self.id);
                let bytes = files::required(self.parent, path).map_err(broken)?;
                let stored = codec::read(&bytes, limit).map_err(|why| broken(Broken::at(path, why)))?;
                codec::carry_over(new, &stored, known)
            }
            None => new,
        };
        let bytes = codec::write(&value);
        if bytes.len() > limit {
            return Err(StoreError::TooLarge { what: path.to_owned(), bytes: bytes.len(), limit });
        }
        self.found.insert(path.to_owned(), Change::Put(bytes));
        Ok(())
    }

    fn remove(&mut self, path: String) {
        self.found.insert(path, Change::Remove);
    }

    fn checkpoint(&mut self, before: Option<&Session>, after: &Session) {
        if before.is_none_or(|before| before.checkpoint != after.checkpoint) {
            self.found
                .insert(layout::CHECKPOINT.to_owned(), Change::Put(after.checkpoint.as_str().as_bytes().to_vec()));
        }
    }

    fn state(&mut self, before: Option<&Session>, after: &Session) -> Result<(), StoreError> {
        let known = before.map(files::split).unwrap_or_default();
        let new = files::split(after);
        for gone in known.keys().filter(|path| !new.contains_key(*path)) {
            self.remove(gone.clone());
        }
        for (path, value) in new {
            let known = known.get(&path);
            if known != Some(&value) {
                self.put(&path, STATE_LIMIT, value, known)?;
            }
        }
        Ok(())
    }

    fn evidence(&mut self, before: Option<&Session>, after: &Session) -> Result<(), StoreError> {
        let before = before.map(|before| &before.evidence).filter(|evidence| evidence.looked);
        match before {
            _ if before.is_none() && !after.evidence.looked => Ok(()),
            Some(before) if *before == after.evidence => Ok(()),
            Some(_) if !after.evidence.looked => {
                self.remove(layout::EVIDENCE.to_owned());
                Ok(())
            }
            Some(_) | None => {
                let known = before.map(codec::to_value);
                let new = codec::to_value(&after.evidence);
                self.put(layout::EVIDENCE, STATE_LIMIT, new, known.as_ref())
            }
        }
    }

    fn questions(&mut self, before: Option<&Session>, after: &Session) -> Result<(), StoreError> {
        let earlier: &[TranscriptEntry] = before.map_or(&[], |before| &before.transcript.asked);
        for (place, asked) in after.transcript.asked.iter().enumerate() {
            // Questions are only ever added at the end, so the place is right unless two clones were merged.
            let known = earlier
                .get(place)
                .filter(|one| one.question.id == asked.question.id)
                .or_else(|| earlier.iter().find(|one| one.question.id == asked.question.id));
            if known == Some(asked) {
                continue;
            }
            let new = files::question_value(asked);
            let known_value = known.map(files::question_value);
            if known_value.as_ref() != Some(&new) {
                let path = layout::question(&asked.question.id);
                self.put(&path, RECORD_LIMIT, new, known_value.as_ref())?;
            }
            for answer in &asked.answers {
                if known.is_none_or(|known| !known.answers.contains(answer)) {
                    let path = layout::answer(&answer.question, &answer.id);
                    self.put(&path, RECORD_LIMIT, codec::to_value(answer), None)?;
                }
            }
        }
        Ok(())
    }

    fn drafts(&mut self, before: Option<&Session>, after: &Session) -> Result<(), StoreError> {
        let earlier = before.map_or(&[][..], drafts_of);
        let later = drafts_of(after);
        let names: BTreeSet<String> = later.iter().map(|one| one.draft.target.to_string()).collect();
        for name in &names {
            let mut above = name.match_indices('/').map(|(slash, _)| &name[..slash]);
            if let Some(file) = above.find(|above| names.contains(*above)) {
                return Err(StoreError::Git {
                    doing: format!("keeping the draft of {name}"),
                    why: format!("{file} is drafted as a file"),
                });
            }
        }
        for gone in earlier {
            self.remove(layout::draft(&gone.draft.target));
            if gone.draft.replaced.is_some() {
                self.remove(layout::replaced(&gone.draft.target));
            }
        }
        let earlier: HashMap<&Target, &Draft> = earlier.iter().map(|one| (&one.draft.target, &one.draft)).collect();
        for Drafted { draft, .. } in later {
            let known = earlier.get(&draft.target);
            self.text(layout::draft(&draft.target), known.map(|one| &one.content), &draft.content);
            if let Some(replaced) = &draft.replaced {
                self.text(layout::replaced(&draft.target), known.and_then(|one| one.replaced.as_ref()), replaced);
            }
        }
        Ok(())
    }

    /// The texts of edited drafts whose output phase was left, each under the name of its bytes.
    fn parked(&mut self, before: Option<&Session>, after: &Session) {
        let earlier: &[ParkedDraft] = before.map_or(&[], |before| &before.parked);
        for gone in earlier {
            self.remove(layout::parked(&gone.draft.blob));
        }
        for ParkedDraft { draft, .. } in &after.parked {
            let known = earlier.iter().find(|one| one.draft.blob == draft.blob);
            self.text(layout::parked(&draft.blob), known.map(|one| &one.draft.content), &draft.content);
        }
    }

    /// The texts of the subsystems.
    fn texts(&mut self, before: Option<&Session>, after: &Session) -> Result<(), StoreError> {
        let earlier: BTreeMap<&str, &BTreeMap<String, String>> =
            before.map(|before| before.own.texts()).unwrap_or_default().into_iter().collect();
        for (name, texts) in after.own.texts() {
            let known = earlier.get(name);
            for gone in known.into_iter().flat_map(|known| known.keys()).filter(|path| !texts.contains_key(*path)) {
                self.remove(layout::text(name, gone));
            }
            for (path, text) in texts {
                let place = layout::text(name, path);
                let known = known.and_then(|known| known.get(path));
                if known != Some(text) {
                    if text.len() > STATE_LIMIT {
                        return Err(StoreError::TooLarge { what: place, bytes: text.len(), limit: STATE_LIMIT });
                    }
                    self.text(place, known, text);
                }
            }
        }
        Ok(())
    }

    /// A text under its path, unless it stands there already.
    fn text(&mut self, path: String, known: Option<&String>, text: &str) {
        if known.is_some_and(|known| known == text) {
            self.found.remove(&path);
        } else {
            self.found.insert(path, Change::Put(text.as_bytes().to_vec()));
        }
    }
}

fn drafts_of(session: &Session) -> &[Drafted] {
    match &session.phase {
        Phase::Production(production) => &production.drafts,
        Phase::Selection(selection) => selection.kept.as_ref().map_or(&[], |kept| &kept.drafts),
        Phase::Interview(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => &[],
    }
}
