//! Answers that the checkpoint states otherwise: another number, what was ruled out, or another of the things that could be
//! chosen. Only what it states counts: open questions, rejected ideas and risks say what does not hold.

use std::collections::BTreeSet;

use crate::domain::interview::{AnswerKind, TranscriptEntry};
use crate::domain::outline::{Fences, Outline, Stands};
use crate::domain::question::Form;
use crate::domain::settings::Interviewer;
use crate::domain::text::words;

use super::super::catalogue::catalogue;
use super::super::follow_up::{against_lines, was_taken_up};
use super::super::reading::{contents, last_sentence, shared};
use super::super::session_reading::SessionReading;

/// The most lines that answers are held against.
const MOST_LINES: usize = 300;

/// The fewest words of a question that a line about it has, and how many of all of them, in hundredths.
const ASKED: usize = 2;
const SPOKEN: usize = 34;

/// Words of headings below which the checkpoint does not say what holds.
const NOT_STATED: &[&str] = &[
    "alternatives",
    "changed",
    "considered",
    "discarded",
    "dropped",
    "history",
    "ideas",
    "log",
    "open",
    "options",
    "previous",
    "previously",
    "question",
    "questions",
    "rejected",
    "risk",
    "risks",
    "superseded",
    "topic",
    "unknowns",
];

/// Words of a line that speaks of more than what was chosen.
const WEIGHING: &[&str] = &[
    "against", "avoid", "cannot", "except", "if", "instead", "later", "never", "no", "not", "once", "or", "over",
    "rather", "rejected", "than", "unless", "until", "versus", "vs", "was", "were", "without",
];

/// An answer, and the line that says otherwise.
pub(super) struct Misstated<'s> {
    pub asked: &'s TranscriptEntry,
    /// The part of the answer.
    pub said: String,
    /// The part of the checkpoint.
    pub stated: String,
}

/// Answers that hold and that the checkpoint of an agent states otherwise.
pub(super) fn misstated<'s>(heard: &SessionReading<'s>) -> Vec<Misstated<'s>> {
    let session = heard.session;
    if session.settings.interviewer == Interviewer::BuiltIn {
        return Vec::new();
    }
    let lines = stated(session.checkpoint.as_str());
    let mut found: Vec<Misstated<'s>> = against_lines(heard, &lines)
        .into_iter()
        .map(|(asked, _, clash)| Misstated { asked, said: clash.earlier, stated: clash.later })
        .collect();
    for (asked, answer) in heard.holding() {
        let known = found.iter().any(|one| one.asked.number == asked.number);
        if known || answer.kind == AnswerKind::Unknown || was_taken_up(session, asked) {
            continue;
        }
        let chosen = Chosen::of(asked, answer.text.as_str());
        if let Some(line) = lines.iter().find(|line| chosen.is_another_in(line)) {
            found.push(Misstated { asked, said: answer.text.as_str().to_owned(), stated: line.clone() });
        }
    }
    found.sort_by_key(|one| one.asked.number);
    found
}

/// The lines of a checkpoint that state something, without their bullets.
fn stated(markdown: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut left_out: Option<usize> = None;
    for section in &Outline::parse(markdown).sections {
        if left_out.is_none_or(|level| section.level() <= level) {
            let says = words(section.title()).iter().any(|word| NOT_STATED.contains(&word.as_str()));
            left_out = says.then(|| section.level());
        }
        if left_out.is_some() {
            continue;
        }
        let mut code = Fences::new(Stands::Anywhere);
        for line in section.body.iter().map(|line| line.trim()) {
            // What is struck out or asked does not hold.
            if code.holds(line) || line.is_empty() || line.contains("~~") || line.ends_with('?') {
                continue;
            }
            found.push(line.trim_start_matches(['-', '*', '+', '>', '|', ' ']).to_owned());
        }
    }
    found.truncate(MOST_LINES);
    found
}

/// What an answer chose, of things of which one is chosen.
struct Chosen {
    question: BTreeSet<String>,
    answer: BTreeSet<String>,
    /// Words of each other alternative that neither the answer nor the question has.
    others: Vec<BTreeSet<String>>,
    /// The members of a kind that the answer names, with all of that kind.
    kinds: Vec<(BTreeSet<String>, &'static [&'static str])>,
}

impl Chosen {
    fn of(asked: &TranscriptEntry, answer: &str) -> Self {
        let alternatives = asked.question.alternatives.as_slice();
        let question = contents(last_sentence(asked.question.text.as_str()));
        let taken = alternatives.iter().find(|one| one.value.as_str() == answer || one.label.as_str() == answer);
        let mut said = contents(answer);
        said.extend(taken.iter().flat_map(|one| contents(one.label.as_str())));
        let of_one = taken.is_some() && asked.question.form != Form::MultiSelect;
        let others = alternatives.iter().filter(|one| of_one && !taken.is_some_and(|taken| taken == *one));
        let others = others.map(|one| {
            let label = contents(one.label.as_str());
            label.into_iter().filter(|word| !said.contains(word) && !question.contains(word)).collect()
        });
        let others = others.filter(|words: &BTreeSet<String>| !words.is_empty()).collect();
        let kinds = catalogue().follow_ups.kinds.values().filter_map(|members| {
            let named: BTreeSet<String> = members.iter().flat_map(|one| contents(one)).collect();
            let named: BTreeSet<String> = named.intersection(&said).cloned().collect();
            (!named.is_empty()).then_some((named, members.as_slice()))
        });
        Self { answer: said.difference(&question).cloned().collect(), others, kinds: kinds.collect(), question }
    }

    /// Whether a line about the question names another one, and not the one that was chosen.
    fn is_another_in(&self, line: &str) -> bool {
        if self.others.is_empty() && self.kinds.is_empty() {
            return false;
        }
        let stated = contents(line);
        let about = self.question.intersection(&stated).count() >= ASKED && shared(&self.question, &stated) >= SPOKEN;
        if !about || words(line).iter().any(|word| WEIGHING.contains(&word.as_str())) {
            return false;
        }
        let silent = self.answer.is_disjoint(&stated);
        let another = silent && self.others.iter().any(|words| words.is_subset(&stated));
        another
            || self.kinds.iter().any(|(named, members)| {
                let others = || members.iter().flat_map(|one| contents(one)).any(|one| stated.contains(&one));
                named.is_disjoint(&stated) && others()
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_holds_is_stated() {
        let text = "# T\n\n## Decisions\n\n- One.\n- ~~Two.~~\n- Three?\n\n### Rejected\n\n- Four.\n\n## Limits\n\n> five\n\n```\nsix\n```\n\n## Open Questions\n\n### Later\n\n- Seven\n";
        assert_eq!(stated(text), ["One.", "five"]);
    }
}
