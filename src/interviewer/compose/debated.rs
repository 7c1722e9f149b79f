//! A question that was debated and is answered anew: the answer takes the place of all that debates decided for it, through
//! any chain of them, or confirms it (D17). A debate that is concluded takes the place of what was decided before for its
//! question.

use crate::domain::debate::conclusions::Conclusions;
use crate::domain::debate::dossier::decisions;
use crate::domain::debate::likeness::is_near;
use crate::domain::debate::superseded::{Anew, Concluded, Superseded, is_edited_below};
use crate::domain::debate::written::{origin, without_origin};
use crate::domain::debate::{Debate, Dossier, part};
use crate::domain::interview::{Answer, TranscriptEntry};
use crate::domain::outline::behind_mark;
use crate::domain::session::Session;
use crate::domain::settings::Interviewer;

use super::super::session_reading::SessionReading;
use super::answers::answered;
use super::document::{DECISIONS, document, lines_of};
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
            let Some(answer) = new_answer(before, asked) else { continue };
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

/// The answer that a question got in between.
fn new_answer<'a>(before: &Session, asked: &'a TranscriptEntry) -> Option<&'a Answer> {
    let known = before.transcript.get(&asked.question.id).map_or(0, |earlier| earlier.answers.len());
    asked.answers.last().filter(|_| asked.answers.len() != known)
}

fn superseded(
    before: &Session,
    after: &Session,
    asked: &TranscriptEntry,
    answer: &Answer,
    text: &str,
) -> Option<(Superseded, Option<String>)> {
    let conclusions = conclusions_for(after, asked);
    if conclusions.is_empty() {
        return None;
    }
    let (old, new) = (lines_of(before, &asked.question.id, DECISIONS), lines_of(after, &asked.question.id, DECISIONS));
    let stands = |line: &String| text.lines().any(|one| one == line);
    // The same answer again leaves what is decided where it stands.
    if old == new && old.first().is_some_and(stands) {
        return Superseded::settled(&conclusions, text).map(|settled| (settled, None));
    }
    let alternatives = asked.question.alternatives.as_slice().iter();
    let taken = alternatives.filter(|one| one.value == answer.text).map(|one| one.label.as_str());
    let said = std::iter::once(answer.text.first_line()).filter(|_| !new.is_empty());
    let names: Vec<&str> = taken.filter(|_| !new.is_empty()).chain(said).collect();
    let instead = if old.is_empty() { &new } else { &old };
    let superseded = Superseded::by(Anew { debates: &conclusions, names: &names, instead }, text)?;
    let line = new.first().filter(|_| superseded.confirmed.is_some()).cloned();
    Some((superseded, line))
}

/// The checkpoint with what came of a debate that has ended. It takes the place of an answer to its question that was given
/// meanwhile, and of what earlier debates about the same question decided.
pub fn concluded(session: &Session, number: u32) -> Option<Concluded> {
    let debates = &session.own.debate;
    let debate = debates.debate(number)?;
    let conclusions = conclusions(session, number, debate);
    let text = session.checkpoint.as_str();
    let mut all = session.transcript.asked.iter();
    let Some(asked) = all.find(|asked| debates_for(session, asked, Some(number)).contains(&number)) else {
        return Some(Concluded::over(&conclusions, &[], None, text));
    };
    let lines = lines_of(session, &asked.question.id, DECISIONS);
    let answer = lines.first();
    Some(match &debate.dossier {
        Dossier::Decision { .. } => {
            // What stood there when the debate began stands beside the decision that was debated.
            let dossier = debates.text(&part::dossier(number)).unwrap_or_default();
            let stood = |line: &str| dossier.lines().any(|quoted| quoted.strip_prefix("> ") == Some(line));
            let meanwhile = answer.filter(|line| !stood(line)).and_then(|line| behind_mark(line));
            Concluded::over(&conclusions, &[], meanwhile, text)
        }
        Dossier::Question { .. } | Dossier::Checkpoint | Dossier::File { .. } => {
            let mut earlier = conclusions_for(session, asked);
            earlier.retain(|one| !one.is_number(number));
            Concluded::over(&conclusions, &earlier, answer.and_then(|line| behind_mark(line)), text)
        }
    })
}

/// The newest debate of which a decision for a question stands in the checkpoint.
pub fn decided_by(session: &Session, asked: &TranscriptEntry) -> Option<u32> {
    let stands = |one: &&Conclusions| one.stands_in(session.checkpoint.as_str());
    let (numbers, all) = (debates_for(session, asked, None), conclusions_for(session, asked));
    let newest = all.iter().rev().find(stands)?;
    numbers.into_iter().find(|number| newest.is_number(*number))
}

/// The debate that whoever is asked a question is told of: the newest one of which a decision for it stands, else the newest
/// one that was about it or about its answer.
pub fn debate_about(session: &Session, asked: &TranscriptEntry) -> Option<u32> {
    decided_by(session, asked).or_else(|| debates_for(session, asked, None).last().copied())
}

/// Whether the last answer to a question stands no longer, since a debate decided otherwise.
pub fn is_overruled(session: &Session, asked: &TranscriptEntry) -> bool {
    match lines_of(session, &asked.question.id, DECISIONS).first() {
        Some(first) => {
            let stands = session.checkpoint.as_str().lines().any(|line| line == first);
            !stands && !debates_for(session, asked, None).is_empty()
        }
        None => decided_by(session, asked).is_some(),
    }
}

/// Decisions that somebody changed by hand, so that they stand in the checkpoint next to what was decided in between for
/// their question.
pub fn kept_by_hand(before: &Session, after: &Session) -> Vec<String> {
    let debates = &after.own.debate;
    if debates.debates.is_empty() || before.checkpoint == after.checkpoint {
        return Vec::new();
    }
    let all: Vec<Conclusions> = debates.numbered().map(|(number, debate)| conclusions(after, number, debate)).collect();
    let own = document(after);
    let own: Vec<&str> = own.lines(DECISIONS).iter().filter_map(|line| behind_mark(line)).map(str::trim).collect();
    let texts = decisions(after.checkpoint.as_str());
    let by_hand = texts.iter().map(|line| line.as_str().trim());
    let is_as_written = |first: &str| {
        all.iter().any(|one| one.wrote(first)) && !is_edited_below(after.checkpoint.as_str(), first, &all)
    };
    let by_hand: Vec<&str> = by_hand.filter(|first| !own.contains(first) && !is_as_written(first)).collect();
    if by_hand.is_empty() {
        return Vec::new();
    }
    let is_new = |number: u32| before.own.debate.debate(number).is_none_or(|debate| !debate.concluded);
    let (mut numbers, mut said, mut stood) = (Vec::new(), Vec::new(), Vec::new());
    for (number, debate) in debates.numbered().filter(|(number, debate)| debate.concluded && is_new(*number)) {
        if let Dossier::Decision { decision } = &debate.dossier {
            said.push(decision.to_string());
        }
        // What stood there beside it is no edit of it.
        let dossier = debates.text(&part::dossier(number)).unwrap_or_default();
        let quoted = dossier.lines().filter_map(|line| line.strip_prefix("> ").and_then(behind_mark));
        stood.extend(quoted.map(str::trim));
        numbers.push(number);
    }
    // An agent that leads writes the decisions itself.
    let leads = after.settings.interviewer == Interviewer::BuiltIn;
    let is_answered = |asked: &TranscriptEntry| leads && new_answer(before, asked).is_some();
    for asked in &after.transcript.asked {
        let of_it = debates_for(after, asked, None);
        if of_it.iter().any(|number| is_new(*number)) || !of_it.is_empty() && is_answered(asked) {
            said.extend(firsts(after, asked));
            numbers.extend(of_it);
        }
    }
    let concerned = all.iter().filter(|one| numbers.iter().any(|number| one.is_number(*number)));
    said.extend(concerned.flat_map(|one| one.names().map(str::to_owned)));
    let is_for_it = |first: &&str| {
        origin(first).is_some_and(|number| numbers.contains(&number))
            || !stood.contains(first) && said.iter().any(|one| is_near(without_origin(first), without_origin(one)))
    };
    by_hand.into_iter().filter(is_for_it).map(str::to_owned).collect()
}

/// The first lines of all answers to a question, as the checkpoint has them.
fn firsts(session: &Session, asked: &TranscriptEntry) -> Vec<String> {
    let heard = SessionReading::of(session);
    let first = |answer: &Answer| {
        let lines = answered(&heard, asked, answer, &Texts::of(&heard, asked));
        lines.first().and_then(|line| behind_mark(line)).map(str::trim).map(str::to_owned)
    };
    asked.answers.iter().filter_map(first).collect()
}

fn conclusions_for(session: &Session, asked: &TranscriptEntry) -> Vec<Conclusions> {
    let debates = &session.own.debate;
    let numbers = debates_for(session, asked, None);
    let found = numbers.into_iter().filter_map(|number| Some((number, debates.debate(number)?)));
    found.map(|(number, debate)| conclusions(session, number, debate)).collect()
}

fn conclusions(session: &Session, number: u32, debate: &Debate) -> Conclusions {
    let offered = session.transcript.asked.iter().flat_map(|asked| asked.question.alternatives.as_slice());
    Conclusions::of(&session.own.debate, number, debate).knowing(offered.map(|one| one.label.to_string()))
}

/// The debates that were about a question, about an answer to it that stood in the checkpoint, or about what one of these
/// debates decided, the oldest first: those that are concluded, and one that is to be.
fn debates_for(session: &Session, asked: &TranscriptEntry, ended: Option<u32>) -> Vec<u32> {
    let debates = session.own.debate.numbered();
    let concluded: Vec<(u32, &Debate)> =
        debates.filter(|(number, debate)| debate.concluded || ended == Some(*number)).collect();
    if concluded.is_empty() {
        return Vec::new();
    }
    let firsts = firsts(session, asked);
    let mut found = Vec::new();
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
