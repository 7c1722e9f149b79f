//! A question that was debated and is answered anew: the answer takes the place of all that debates decided for it, through
//! any chain of them, or confirms it (D17). A debate that is concluded takes the place of what was decided before for its
//! question, or about its file.

use crate::domain::debate::concluded::{Concluded, Earlier};
use crate::domain::debate::conclusions::Conclusions;
use crate::domain::debate::superseded::{Anew, Superseded, Written, confirmed_no_more, decided_by_now};
use crate::domain::debate::{Dossier, part};
use crate::domain::interview::{Answer, TranscriptEntry};
use crate::domain::outline::behind_mark;
use crate::domain::session::Session;

use super::about::{about_the_file_of, conclusions, conclusions_for, debates_for, is_overruled};
use super::by_hand::AsWritten;
use super::document::{DECISIONS, Document, UNDERSTANDING, lines_of};
use super::patch::patch;

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
            let lines = |session: &Session| lines_of(session, &asked.question.id, DECISIONS);
            let (old, new) = (lines(before), lines(after));
            if let Some(answer) = new_answer(before, asked) {
                found.take(before, after, asked, answer, [&old, &new], all.written());
            }
            let gone = old.first().filter(|first| new.first() != Some(first)).and_then(|line| behind_mark(line));
            let confirmed = gone.and_then(|first| confirmed_no_more(first, &all.debates, &found.text));
            found.text = confirmed.unwrap_or(found.text);
        }
        (found.text != after.checkpoint.as_str() || !found.confirmed.is_empty()).then_some(found)
    }

    /// Takes a new answer in. `lines` are those of the answer before, and of the new one.
    fn take(
        &mut self,
        before: &Session,
        after: &Session,
        asked: &TranscriptEntry,
        answer: &Answer,
        lines: [&[String]; 2],
        written: Written<'_>,
    ) {
        if let Some((superseded, line)) = superseded(after, asked, answer, lines, &self.text, written) {
            self.text.clone_from(&superseded.checkpoint);
            self.confirmed.extend(line.map(|line| (superseded, line)));
        }
        // The same answer again stands again.
        let understood = understood(after, asked);
        if is_overruled(before, asked) && !stands(&self.text, &understood) {
            self.text = patch(&self.text, &Document::default(), &understood);
        }
        if let Some(settled) = decided_by_now(&names(asked, answer), &self.text) {
            self.text = settled;
        }
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
pub(super) fn new_answer<'a>(before: &Session, asked: &'a TranscriptEntry) -> Option<&'a Answer> {
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
    let superseded = Superseded::by(Anew { debates: &conclusions, names: &names, instead, written }, text)
        .or_else(|| Superseded::elsewhere(old, text))?;
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
    let overruled = asked.map(|asked| understood(session, asked)).filter(|_| is_for_the_question(&debate.dossier));
    let overruled = overruled.filter(|document| is_otherwise(asked, &conclusions) && stands(text, document));
    let first = overruled.as_ref().and_then(|document| behind_mark(document.lines(UNDERSTANDING).first()?));
    let first = first.map(|first| first.trim().to_owned());
    let text = overruled.map_or_else(|| text.to_owned(), |document| patch(text, &document, &Document::default()));
    let conclusions = conclusions.over(first.clone());
    let earlier = Earlier { debates: &debates, answer, written: all.written() };
    let mut concluded = Concluded::over(&conclusions, earlier, &text);
    concluded.replaced.extend(first);
    Some(concluded)
}

fn is_for_the_question(dossier: &Dossier) -> bool {
    matches!(dossier, Dossier::Question { .. })
}

/// What the understanding has of a question's answer.
fn understood(session: &Session, asked: &TranscriptEntry) -> Document {
    let mut document = Document::default();
    document.add(UNDERSTANDING, lines_of(session, &asked.question.id, UNDERSTANDING));
    document
}

fn stands(text: &str, understood: &Document) -> bool {
    understood.lines(UNDERSTANDING).first().is_some_and(|first| text.lines().any(|line| line == first))
}

/// Whether a debate decided something else than what the answer to its question says.
fn is_otherwise(asked: Option<&TranscriptEntry>, conclusions: &Conclusions) -> bool {
    let answer = asked.and_then(|asked| Some((asked, asked.answers.last()?)));
    let is_said =
        answer.is_some_and(|(asked, answer)| names(asked, answer).into_iter().any(|name| conclusions.decides(name)));
    conclusions.has_decided() && !is_said
}
