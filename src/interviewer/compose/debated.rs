//! A question that was debated and is answered anew: the answer takes the place of all that debates decided for it, through
//! any chain of them, or confirms it (D17). A debate that is concluded takes the place of what was decided before for its
//! question, or about its file.

use crate::domain::debate::concluded::{Concluded, Earlier};
use crate::domain::debate::conclusions::Conclusions;
use crate::domain::debate::dossier::decisions;
use crate::domain::debate::likeness::is_near;
use crate::domain::debate::superseded::{
    Anew, Superseded, Written, confirmed_no_more, decided_by_now, is_edited_below,
};
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
    /// None where no new answer touches what a debate wrote.
    pub fn of(before: &Session, after: &Session) -> Option<Self> {
        if after.own.debate.debates.is_empty() {
            return None;
        }
        let all = AsWritten::of(after);
        let mut found = Self { text: after.checkpoint.as_str().to_owned(), confirmed: Vec::new() };
        for asked in &after.transcript.asked {
            let Some(answer) = new_answer(before, asked) else { continue };
            let lines = |session: &Session| lines_of(session, &asked.question.id, DECISIONS);
            let (old, new) = (lines(before), lines(after));
            if let Some((superseded, line)) = superseded(after, asked, answer, [&old, &new], &found.text, all.written())
            {
                found.text.clone_from(&superseded.checkpoint);
                found.confirmed.extend(line.map(|line| (superseded, line)));
            }
            let settled = decided_by_now(&names(asked, answer), &found.text);
            found.text = settled.unwrap_or(found.text);
            let gone = old.first().filter(|first| new.first() != Some(first)).and_then(|line| behind_mark(line));
            let confirmed = gone.and_then(|first| confirmed_no_more(first, &all.debates, &found.text));
            found.text = confirmed.unwrap_or(found.text);
        }
        (found.text != after.checkpoint.as_str() || !found.confirmed.is_empty()).then_some(found)
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

/// What an answer is called, and what it says.
fn names<'a>(asked: &'a TranscriptEntry, answer: &'a Answer) -> Vec<&'a str> {
    let alternatives = asked.question.alternatives.as_slice().iter();
    let taken = alternatives.filter(|one| one.value == answer.text).map(|one| one.label.as_str());
    taken.chain(std::iter::once(answer.text.first_line())).collect()
}

/// `lines` are those of the answer before, and of the new one.
fn superseded(
    after: &Session,
    asked: &TranscriptEntry,
    answer: &Answer,
    lines: [&[String]; 2],
    text: &str,
    written: Written<'_>,
) -> Option<(Superseded, Option<String>)> {
    let conclusions = conclusions_for(after, asked);
    if conclusions.is_empty() {
        return None;
    }
    let [old, new] = lines;
    let stands = |line: &String| text.lines().any(|one| one == line);
    // The same answer again leaves what is decided where it stands.
    if old == new && old.first().is_some_and(stands) {
        return Superseded::settled(&conclusions, text).map(|settled| (settled, None));
    }
    let names = names(asked, answer);
    let instead = if old.is_empty() { new } else { old };
    let superseded = Superseded::by(Anew { debates: &conclusions, names: &names, instead, written }, text)?;
    let line = new.first().filter(|_| superseded.confirmed.is_some()).cloned();
    Some((superseded, line))
}

/// The checkpoint with what came of a debate that has ended. It takes the place of an answer to its question that was given
/// meanwhile, and of what earlier debates about the same question or file decided.
pub fn concluded(session: &Session, number: u32) -> Option<Concluded> {
    let debates = &session.own.debate;
    let debate = debates.debate(number)?;
    let conclusions = conclusions(session, number, debate);
    let (all, text) = (AsWritten::of(session), session.checkpoint.as_str());
    let mut questions = session.transcript.asked.iter();
    let asked = questions.find(|asked| debates_for(session, asked, Some(number)).contains(&number));
    let lines = asked.map(|asked| lines_of(session, &asked.question.id, DECISIONS)).unwrap_or_default();
    let answer = lines.first();
    let (debates, answer) = match (&debate.dossier, asked) {
        (Dossier::Decision { .. }, _) => {
            // What stood there when the debate began stands beside the decision that was debated.
            let dossier = debates.text(&part::dossier(number)).unwrap_or_default();
            let stood = |line: &str| dossier.lines().any(|quoted| quoted.strip_prefix("> ") == Some(line));
            (Vec::new(), answer.filter(|line| !stood(line)))
        }
        (Dossier::Question { .. }, Some(asked)) => (conclusions_for(session, asked), answer),
        (Dossier::File { .. }, _) => (about_the_file_of(session, debate), None),
        (Dossier::Question { .. } | Dossier::Checkpoint, _) => (Vec::new(), None),
    };
    let debates: Vec<Conclusions> = debates.into_iter().filter(|one| !one.is_number(number)).collect();
    let answer = answer.and_then(|line| behind_mark(line));
    Some(Concluded::over(&conclusions, Earlier { debates: &debates, answer, written: all.written() }, text))
}

/// The concluded debates about the file of a debate, and about what one of them decided, the oldest first.
fn about_the_file_of(session: &Session, debate: &Debate) -> Vec<Conclusions> {
    let mut found: Vec<Conclusions> = Vec::new();
    for (number, other) in session.own.debate.numbered().filter(|(_, other)| other.concluded) {
        let is_about_it = match &other.dossier {
            Dossier::File { .. } => (&other.dossier, &other.name) == (&debate.dossier, &debate.name),
            Dossier::Decision { decision } => {
                origin(decision.as_str()).is_some_and(|before| found.iter().any(|one| one.is_number(before)))
            }
            Dossier::Checkpoint | Dossier::Question { .. } => false,
        };
        if is_about_it {
            found.push(conclusions(session, number, other));
        }
    }
    found
}

/// All that stands in the checkpoint without an edit by hand.
struct AsWritten {
    debates: Vec<Conclusions>,
    answers: Vec<String>,
}

impl AsWritten {
    fn of(session: &Session) -> Self {
        let debates = session.own.debate.numbered();
        Self {
            debates: debates.map(|(number, debate)| conclusions(session, number, debate)).collect(),
            answers: document(session).lines(DECISIONS).to_vec(),
        }
    }

    fn written(&self) -> Written<'_> {
        Written { debates: &self.debates, answers: &self.answers }
    }

    /// First lines of decisions that stand in the checkpoint, and that no answer and no debate wrote so, or with other lines
    /// below them.
    fn by_hand(&self, checkpoint: &str) -> Vec<String> {
        let own: Vec<&str> = self.answers.iter().filter_map(|line| behind_mark(line)).map(str::trim).collect();
        let is_as_written = |first: &str| {
            self.debates.iter().any(|one| one.wrote(first)) && !is_edited_below(checkpoint, first, self.written())
        };
        let firsts = decisions(checkpoint).into_iter().map(|line| line.as_str().trim().to_owned());
        firsts.filter(|first| !own.contains(&first.as_str()) && !is_as_written(first)).collect()
    }
}

/// Decisions for a question that came from a debate and were changed by hand, and whether others of them stand unchanged.
/// An answer takes the place of these alone.
pub fn edited_for(session: &Session, asked: &TranscriptEntry) -> (Vec<String>, bool) {
    let (numbers, debates) = (debates_for(session, asked, None), conclusions_for(session, asked));
    if numbers.is_empty() {
        return (Vec::new(), false);
    }
    let (all, text) = (AsWritten::of(session), session.checkpoint.as_str());
    let names = debates.iter().filter(|one| !one.stands_in(text)).flat_map(Conclusions::names);
    let names: Vec<&str> = names.collect();
    let is_for_it = |first: &String| match origin(first) {
        Some(_) => debates.iter().any(|one| one.may_have_written(first)),
        None => names.iter().any(|name| is_near(first, name)),
    };
    let edited = all.by_hand(text).into_iter().filter(is_for_it).collect();
    (edited, debates.iter().any(|one| one.stands_as_written(text, all.written())))
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
    let (all, text) = (AsWritten::of(after), after.checkpoint.as_str());
    let is_new = |number: u32| before.own.debate.debate(number).is_none_or(|debate| !debate.concluded);
    let newly = |number: u32| is_new(number) && debates.debate(number).is_some_and(|debate| debate.concluded);
    let new: Vec<u32> = debates.numbered().map(|(number, _)| number).filter(|number| newly(*number)).collect();
    // A rejected option that still stands was changed by hand, also where its first line is an answer's.
    let is_rejected = |first: &str| {
        all.debates.iter().any(|one| one.rejects(first) && new.iter().any(|number| one.is_number(*number)))
    };
    let by_hand = all.by_hand(text);
    let firsts_there = decisions(text).into_iter().map(|line| line.as_str().trim().to_owned());
    let by_hand: Vec<String> = firsts_there.filter(|first| by_hand.contains(first) || is_rejected(first)).collect();
    if by_hand.is_empty() {
        return Vec::new();
    }
    let (mut said, mut stood, mut concerned) = (Vec::new(), Vec::new(), Vec::new());
    for (number, debate) in debates.numbered().filter(|(number, _)| newly(*number)) {
        if let Dossier::Decision { decision } = &debate.dossier {
            said.push(decision.to_string());
        }
        // What stood there beside it is no edit of it.
        let dossier = debates.text(&part::dossier(number)).unwrap_or_default();
        let quoted = dossier.lines().filter_map(|line| line.strip_prefix("> ").and_then(behind_mark));
        stood.extend(quoted.map(str::trim));
        concerned.push(conclusions(after, number, debate));
        if matches!(debate.dossier, Dossier::File { .. }) {
            concerned.extend(about_the_file_of(after, debate));
        }
    }
    // An agent that leads writes the decisions itself.
    let leads = after.settings.interviewer == Interviewer::BuiltIn;
    let is_answered = |asked: &TranscriptEntry| leads && new_answer(before, asked).is_some();
    for asked in &after.transcript.asked {
        let of_it = debates_for(after, asked, None);
        if of_it.iter().any(|number| is_new(*number)) || !of_it.is_empty() && is_answered(asked) {
            said.extend(firsts(after, asked));
            concerned.extend(conclusions_for(after, asked));
        }
    }
    said.extend(concerned.iter().flat_map(|one| one.names().map(str::to_owned)));
    let is_for_it = |first: &String| {
        let is_alike = || said.iter().any(|one| is_near(without_origin(first), without_origin(one)));
        is_rejected(first)
            || concerned.iter().any(|one| one.may_have_written(first))
            || !stood.contains(&first.as_str()) && is_alike()
    };
    by_hand.into_iter().filter(is_for_it).collect()
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
    let of = |(number, debate): (u32, &Debate)| match debate.dossier {
        Dossier::Question { .. } | Dossier::Decision { .. } => conclusions(session, number, debate),
        Dossier::Checkpoint | Dossier::File { .. } => in_place_of(session, &firsts(session, asked), number, debate),
    };
    found.map(of).collect()
}

/// What a debate about more than a question decided in the place of one of these answers to it.
fn in_place_of(session: &Session, firsts: &[String], number: u32, debate: &Debate) -> Conclusions {
    conclusions(session, number, debate).in_place_of(firsts, session.checkpoint.as_str())
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
    // Whatever else such a debate decided is about another question.
    let is_in_part = |number: u32| {
        let debate = session.own.debate.debate(number);
        debate.is_some_and(|debate| matches!(debate.dossier, Dossier::Checkpoint | Dossier::File { .. }))
    };
    let mut found = Vec::new();
    for (number, debate) in concluded {
        let is_for_it = match &debate.dossier {
            Dossier::Question { question } => *question == asked.question.id,
            Dossier::Decision { decision } => {
                firsts.iter().any(|first| first == decision.as_str())
                    || origin(decision.as_str()).is_some_and(|before| found.contains(&before) && !is_in_part(before))
            }
            Dossier::Checkpoint | Dossier::File { .. } => {
                in_place_of(session, &firsts, number, debate).names().next().is_some()
            }
        };
        if is_for_it {
            found.push(number);
        }
    }
    found
}
