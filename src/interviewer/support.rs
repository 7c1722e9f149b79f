//! What stands behind the sentences of a checkpoint: an answer, an exchange, or what the repository shows.

use std::collections::BTreeSet;

use crate::domain::debate::conclusions::Conclusions;
use crate::domain::interview::{AnswerKind, QuestionStatus, TranscriptEntry};
use crate::domain::outline::{Fences, Outline, Stands, behind_mark};
use crate::domain::sentences::sentences;
use crate::domain::session::Session;
use crate::domain::text::{Line, words};

use super::compose::yielded;
use super::reading::{Figures, contents, shared};
use super::scene::clipped;

/// How much of a sentence's content words must stand in one source, in hundredths.
const SUPPORTED: usize = 60;

/// Words of an entry that says that there is none.
const NONE: &[&str] = &[
    "all",
    "answered",
    "any",
    "at",
    "are",
    "currently",
    "everything",
    "for",
    "left",
    "moment",
    "more",
    "a",
    "n",
    "no",
    "none",
    "nothing",
    "now",
    "of",
    "open",
    "question",
    "questions",
    "remain",
    "remains",
    "resolved",
    "settled",
    "so",
    "far",
    "the",
    "them",
    "this",
    "yet",
];

/// Whether an entry says that there is none.
pub(super) fn says_none(text: &str) -> bool {
    words(text).iter().all(|word| NONE.contains(&word.as_str()))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    /// The sections whose headings say that they hold decisions.
    Decisions,
}

impl Part {
    /// Whether the section with this heading belongs to it.
    fn has(self, title: &str) -> bool {
        const DECIDED: &[&str] = &["decision", "decisions", "decided", "agreed"];
        const NOT_YET: &[&str] = &["be", "open", "pending", "not", "next", "missing"];
        let title = words(title);
        let says = |list: &[&str]| title.iter().any(|word| list.contains(&word.as_str()));
        match self {
            Self::Whole => true,
            Self::Decisions => says(DECIDED) && !says(NOT_YET),
        }
    }
}

/// Sentences of the checkpoint that are neither what the session yields nor share most of their content words with
/// something that was said or seen, or that have a number which stands in nothing of it. It compares words: a sentence that turns an answer round with the same words passes,
/// and a true summary in other words is listed.
pub(super) fn unsupported(session: &Session, part: Part) -> Vec<Line> {
    let mut yielded = yielded(session);
    yielded.extend(debated(session));
    let mut found = Vec::new();
    let mut sources: Option<(Vec<BTreeSet<String>>, Figures)> = None;
    for sentence in said(session.checkpoint.as_str(), part, &yielded) {
        let wanted = contents(&sentence);
        if wanted.is_empty() {
            continue;
        }
        let (sources, figures) = sources.get_or_insert_with(|| (self::sources(session), figures(session)));
        let elsewhere = || sources.iter().all(|source| shared(&wanted, source) < SUPPORTED);
        if Figures::of(&sentence).has_more_than(figures) || elsewhere() {
            found.push(Line::clipped(&clipped(&sentence, 120)));
        }
    }
    found
}

/// The lines that debates wrote: the user was heard on them.
fn debated(session: &Session) -> BTreeSet<String> {
    let debates = &session.own.debate;
    let concluded = debates.numbered().filter(|(_, debate)| debate.concluded);
    let lines = concluded.flat_map(|(number, debate)| {
        let conclusions = Conclusions::of(debates, number, debate);
        let text = conclusions.written_into("");
        text.lines().map(str::to_owned).chain(conclusions.confirmations()).collect::<Vec<_>>()
    });
    lines.map(|line| line.trim().to_owned()).collect()
}

/// The sentences of a part of a document, apart from headings, code blocks, the topic, and the lines that are `yielded`.
fn said(markdown: &str, part: Part, yielded: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    for section in &Outline::parse(markdown).sections {
        if section.title() == "Topic" || !part.has(section.title()) {
            continue;
        }
        let mut code = Fences::new(Stands::Anywhere);
        for line in section.body.iter().map(|line| line.trim()) {
            if code.holds(line) || yielded.contains(line) {
                continue;
            }
            let bare = line
                .trim_start_matches(['-', '*', '+', '>', '|', ' '])
                .trim_start_matches("[ ] ")
                .trim_start_matches("[x] ");
            let bare = behind_mark(bare).map_or(bare, str::trim_start);
            found.extend(sentences(bare).into_iter().filter(|sentence| !says_none(sentence)).map(str::to_owned));
        }
    }
    found
}

/// The numbers of everything that was said or seen.
fn figures(session: &Session) -> Figures {
    let mut text = format!("{}\n{}", session.topic, shown(session));
    let mut add = |more: &str| {
        text.push('\n');
        text.push_str(more);
    };
    for asked in &session.transcript.asked {
        add(asked.question.text.as_str());
        for alternative in asked.question.alternatives.as_slice() {
            add(alternative.value.as_str());
            alternative.description.iter().for_each(|reason| add(reason.as_str()));
        }
        for answer in &asked.answers {
            add(answer.text.as_str());
            answer.note.iter().for_each(|note| add(note.as_str()));
        }
        match &asked.standing {
            QuestionStatus::PushedBack { because } => add(because.as_str()),
            QuestionStatus::Open
            | QuestionStatus::Answered
            | QuestionStatus::Deferred
            | QuestionStatus::SetAside
            | QuestionStatus::Stale => {}
        }
    }
    session.discussions.iter().for_each(|talk| add(talk.summary.as_str()));
    Figures::of(&text)
}

/// The content words of everything that was said or seen, one source at a time.
fn sources(session: &Session) -> Vec<BTreeSet<String>> {
    /// An answer with fewer content words says `yes` to its question, so the question's words count with it.
    const SHORT: usize = 3;
    let mut sources = vec![contents(session.topic.as_str()), seen(session)];
    for (asked, answer) in session.transcript.answered().filter(|(_, answer)| answer.kind != AnswerKind::Unknown) {
        let taken = asked.question.alternatives.as_slice().iter().find(|one| one.value == answer.text);
        let mut words = contents(answer.text.as_str());
        if words.len() < SHORT {
            words.extend(contents(asked.question.text.as_str()));
        }
        words
            .extend(taken.and_then(|one| one.description.as_ref()).iter().flat_map(|reason| contents(reason.as_str())));
        sources.push(words);
        sources.extend(answer.note.iter().map(|note| contents(note.as_str())));
    }
    sources.extend(session.transcript.asked.iter().filter(|asked| asked.question.is_from_a_tool()).map(exchange));
    sources.extend(session.discussions.iter().map(|talk| contents(talk.summary.as_str())));
    sources.extend(session.transcript.asked.iter().filter_map(|asked| match &asked.standing {
        QuestionStatus::PushedBack { because } => Some(contents(because.as_str())),
        QuestionStatus::Open
        | QuestionStatus::Answered
        | QuestionStatus::Deferred
        | QuestionStatus::SetAside
        | QuestionStatus::Stale => None,
    }));
    sources
}

/// The words of an agent's question with everything that was said to it: an agent enters what it found, and what the answer
/// made of it, as one sentence. An earlier answer counts, too, since a sentence may say what was corrected.
fn exchange(asked: &TranscriptEntry) -> BTreeSet<String> {
    let mut words = contents(asked.question.text.as_str());
    for answer in &asked.answers {
        words.extend(contents(answer.text.as_str()));
        words.extend(answer.note.iter().flat_map(|note| contents(note.as_str())));
    }
    words.extend(asked.question.evidence.iter().flat_map(|at| contents(&at.to_string())));
    words
}

/// The words of what the repository shows.
fn seen(session: &Session) -> BTreeSet<String> {
    contents(&shown(session))
}

fn shown(session: &Session) -> String {
    let facts = &session.evidence;
    let found = facts.findings().map(|finding| finding.what.clone());
    let languages = facts.languages.iter().map(|language| language.name.clone());
    let related = facts.related.iter().map(|related| related.excerpt.clone());
    let places = facts.citations().map(|place| words(&place.path).join(" "));
    let earlier = facts.earlier.iter().map(|earlier| earlier.decision.clone());
    let all: Vec<String> =
        found.chain(languages).chain(related).chain(places).chain(earlier).chain([facts.name.clone()]).collect();
    all.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_read_by_its_sentences() {
        let yielded = BTreeSet::from(["- Ours.".to_owned()]);
        let text = "# T\n\n## Topic\n\nthe topic\n\n## Decisions\n\n- Ours.\n- One. Two!\n  - Three\n\n```\nlet x\n```\n> four\n- [ ] five\n1. six\n20 sevens\n- none\n- Nothing so far.\n";
        assert_eq!(said(text, Part::Whole, &yielded), ["One.", "Two!", "Three", "four", "five", "six", "20 sevens"]);
    }

    #[test]
    fn decisions_stand_below_headings_that_say_so() {
        for (title, expected) in [
            ("Decisions", true),
            ("Key decisions so far", true),
            ("What we decided", true),
            ("Agreed", true),
            ("Open Questions", false),
            ("Undecided", false),
            ("Decisions to be made", false),
            ("", false),
        ] {
            assert_eq!(Part::Decisions.has(title), expected, "{title}");
        }
    }
}
