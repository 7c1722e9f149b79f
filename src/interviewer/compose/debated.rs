//! A question that was debated and is answered anew: the answer takes the place of all that debates decided for it, through
//! any chain of them, or confirms it (D17).

use crate::domain::debate::conclusions::Conclusions;
use crate::domain::debate::superseded::{Anew, Superseded};
use crate::domain::debate::written::origin;
use crate::domain::debate::{Debate, Dossier};
use crate::domain::interview::{Answer, TranscriptEntry};
use crate::domain::outline::behind_mark;
use crate::domain::session::Session;

use super::super::session_reading::SessionReading;
use super::answers::answered;
use super::document::{DECISIONS, lines_of};
use super::texts::Texts;

/// The checkpoint into which the new answers are to be written, and what they confirm.
pub(super) struct Superseding {
    text: String,
    /// What a debate decided, with the line of the answer that says the same.
    confirmed: Vec<(Superseded, String)>,
}

impl Superseding {
    /// None where no question with a new answer was debated.
    pub fn of(before: &Session, after: &Session) -> Option<Self> {
        if after.own.debate.debates.is_empty() {
            return None;
        }
        let mut found: Option<Self> = None;
        for asked in &after.transcript.asked {
            let known = before.transcript.get(&asked.question.id).map_or(0, |earlier| earlier.answers.len());
            let new = asked.answers.last().filter(|_| asked.answers.len() != known);
            let Some(answer) = new else { continue };
            let text = found.as_ref().map_or(after.checkpoint.as_str(), |found| &found.text);
            let Some((superseded, line)) = superseded(before, after, asked, answer, text) else { continue };
            let found = found.get_or_insert_with(|| Self { text: String::new(), confirmed: Vec::new() });
            found.text.clone_from(&superseded.checkpoint);
            found.confirmed.extend(line.map(|line| (superseded, line)));
        }
        found
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The checkpoint in which the answers stand, with what they confirm.
    pub fn confirming(&self, text: String) -> String {
        let confirmed = self.confirmed.iter().filter_map(|(one, line)| Some((one.confirmed.as_ref()?, line)));
        confirmed.fold(text, |text, ((debate, decision), line)| debate.confirming(&text, line, decision))
    }
}

fn superseded(
    before: &Session,
    after: &Session,
    asked: &TranscriptEntry,
    answer: &Answer,
    text: &str,
) -> Option<(Superseded, Option<String>)> {
    let debates = &after.own.debate;
    let numbers = debates_for(after, asked);
    if numbers.is_empty() {
        return None;
    }
    let (old, new) = (lines_of(before, &asked.question.id, DECISIONS), lines_of(after, &asked.question.id, DECISIONS));
    let stands = |line: &String| text.lines().any(|one| one == line);
    // The same answer again changes nothing where it stands.
    if old == new && old.first().is_some_and(stands) {
        return None;
    }
    let conclusions = numbers.iter().filter_map(|number| Some((*number, debates.debate(*number)?)));
    let conclusions: Vec<Conclusions> =
        conclusions.map(|(number, debate)| Conclusions::of(debates, number, debate)).collect();
    let alternatives = asked.question.alternatives.as_slice().iter();
    let taken = alternatives.filter(|one| one.value == answer.text).map(|one| one.label.as_str());
    let said = std::iter::once(answer.text.first_line()).filter(|_| !new.is_empty());
    let names: Vec<&str> = taken.filter(|_| !new.is_empty()).chain(said).collect();
    let instead = if old.is_empty() { &new } else { &old };
    let superseded = Superseded::by(Anew { debates: &conclusions, names: &names, instead }, text)?;
    let line = new.first().filter(|_| superseded.confirmed.is_some()).cloned();
    Some((superseded, line))
}

/// The debates that were about a question, about an answer to it that stood in the checkpoint, or about what one of these
/// debates decided, the oldest first.
fn debates_for(session: &Session, asked: &TranscriptEntry) -> Vec<u32> {
    let heard = SessionReading::of(session);
    let first = |answer: &Answer| {
        let lines = answered(&heard, asked, answer, &Texts::of(&heard, asked));
        lines.first().and_then(|line| behind_mark(line)).map(str::trim).map(str::to_owned)
    };
    let firsts: Vec<String> = asked.answers.iter().filter_map(first).collect();
    let mut found = Vec::new();
    let concluded = (1..).zip(&session.own.debate.debates).filter(|(_, debate)| debate.concluded);
    for (number, Debate { dossier, .. }) in concluded {
        let is_for_it = match dossier {
            Dossier::Question { question } => *question == asked.question.id,
            Dossier::Decision { decision } => {
                firsts.iter().any(|first| first == decision.as_str())
                    || origin(decision.as_str()).is_some_and(|before| found.contains(&before))
            }
            Dossier::Checkpoint | Dossier::File { .. } => false,
        };
        if is_for_it {
            found.push(number);
        }
    }
    found
}
