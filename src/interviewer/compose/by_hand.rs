//! Decisions that somebody changed by hand: they stay, next to what debates and answers write (D17).

use crate::domain::debate::conclusions::Conclusions;
use crate::domain::debate::dossier::decisions;
use crate::domain::debate::likeness::is_near;
use crate::domain::debate::sentence::{origin, without_origin};
use crate::domain::debate::superseded::{Written, is_edited_below};
use crate::domain::debate::{Dossier, part};
use crate::domain::interview::TranscriptEntry;
use crate::domain::outline::behind_mark;
use crate::domain::session::Session;
use crate::domain::settings::Interviewer;

use super::about::{about_the_file_of, conclusions, conclusions_for, debates_for, firsts};
use super::debated::new_answer;
use super::document::{DECISIONS, document};

/// All that stands in the checkpoint without an edit by hand.
pub(super) struct AsWritten {
    pub(super) debates: Vec<Conclusions>,
    answers: Vec<String>,
}

impl AsWritten {
    pub(super) fn of(session: &Session) -> Self {
        let debates = session.own.debate.numbered();
        Self {
            debates: debates.map(|(number, debate)| conclusions(session, number, debate)).collect(),
            answers: document(session).lines(DECISIONS).to_vec(),
        }
    }

    pub(super) fn written(&self) -> Written<'_> {
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
    // What was decided again is confirmed where it stands, and there is no new one next to it.
    let is_again = |first: &String| {
        debates
            .numbered()
            .filter(|(number, _)| newly(*number))
            .any(|(number, debate)| conclusions(after, number, debate).decides(first))
    };
    by_hand.into_iter().filter(|first| is_for_it(first) && !is_again(first)).collect()
}
