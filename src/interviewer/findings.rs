//! What the gate finds against waving things through: recommendations that were taken unread, sentences of the checkpoint
//! that nobody said, and answers whose evidence has changed.

use std::collections::BTreeSet;

use crate::domain::citations::ChangedCitation;
use crate::domain::interview::{Answer, AnswerKind, Asked, Standing, gist};
use crate::domain::outline::Outline;
use crate::domain::question::Wants;
use crate::domain::selection::{Doubted, Findings};
use crate::domain::sentences::sentences;
use crate::domain::session::Session;
use crate::domain::text::{Line, words};

use super::compose::yielded;
use super::reading::{contents, shared};
use super::scene::{clipped, listed};

/// Whoever answers faster than this has not read the question; even its shortest alternative takes longer.
const UNREAD_MS: u64 = 1_000;

/// How many findings of one kind are listed; the rest is counted.
const LISTED: usize = 5;

/// How much of a sentence's content words must stand in one source, in hundredths.
const SUPPORTED: usize = 60;

/// The findings about a session as it is now.
pub fn findings(session: &Session) -> Findings {
    let answered: Vec<(&Asked, &Answer)> = session.transcript.answered().collect();
    let unread = answered.iter().filter(|(asked, answer)| waved_through(asked, answer)).count();
    let lacks = |lack: &dyn Fn(&Wants) -> bool| {
        let asked = session.transcript.asked.iter().map(|asked| &asked.question);
        let of_agents = asked.filter(|question| question.form.is_grill() && question.is_from_a_tool());
        number(of_agents.filter(|question| lack(&question.alternatives.wants())).count())
    };
    let (unsupported, unsupported_more) = first(unsupported(session));
    let (doubted, doubted_more) = first(doubted(session));
    Findings {
        answers: number(answered.len()),
        unread: number(unread),
        unrecommended: lacks(&|wants| !wants.recommendation),
        unreasoned: lacks(&|wants| !wants.unreasoned.is_empty()),
        unsupported,
        unsupported_more,
        doubted,
        doubted_more,
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The first few, and how many more there are.
fn first<T>(mut found: Vec<T>) -> (Vec<T>, u32) {
    let more = number(found.len().saturating_sub(LISTED));
    found.truncate(LISTED);
    (found, more)
}

/// Whether the recommendation was taken as it stood, faster than it can be read. Where nobody measured, nothing is said.
fn waved_through(asked: &Asked, answer: &Answer) -> bool {
    let recommended = asked.question.alternatives.recommended().is_some_and(|one| one.value == answer.text);
    recommended && answer.note.is_none() && answer.read_ms.is_some_and(|time| time < UNREAD_MS)
}

/// Sentences of the checkpoint that are neither what the session yields nor share most of their content words with
/// something that was said or seen. It compares words: a sentence that turns an answer round with the same words passes,
/// and a true summary in other words is listed.
fn unsupported(session: &Session) -> Vec<Line> {
    let yielded = yielded(session);
    let mut found = Vec::new();
    let mut sources: Option<Vec<BTreeSet<String>>> = None;
    for sentence in said(session.checkpoint.as_str(), &yielded) {
        let wanted = contents(&sentence);
        if wanted.is_empty() {
            continue;
        }
        let sources = sources.get_or_insert_with(|| self::sources(session));
        if sources.iter().all(|source| shared(&wanted, source) < SUPPORTED) {
            found.push(Line::clipped(&clipped(&sentence, 120)));
        }
    }
    found
}

/// The sentences of a document apart from headings, code blocks, the topic, and the lines that are `yielded`.
fn said(markdown: &str, yielded: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    for section in &Outline::parse(markdown).sections {
        if section.title() == "Topic" {
            continue;
        }
        let mut code = false;
        for line in section.body.iter().map(|line| line.trim()) {
            if line.starts_with("```") || line.starts_with("~~~") {
                code = !code;
                continue;
            }
            if code || yielded.contains(line) {
                continue;
            }
            let bare = line
                .trim_start_matches(['-', '*', '+', '>', '|', ' '])
                .trim_start_matches("[ ] ")
                .trim_start_matches("[x] ");
            found.extend(sentences(bare).into_iter().map(str::to_owned));
        }
    }
    found
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
    sources.extend(session.discussions.iter().map(|talk| contents(talk.summary.as_str())));
    sources.extend(session.transcript.asked.iter().filter_map(|asked| match &asked.standing {
        Standing::PushedBack { because } => Some(contents(because.as_str())),
        Standing::Open | Standing::Answered | Standing::Deferred | Standing::SetAside | Standing::Stale => None,
    }));
    sources
}

/// The words of what the repository shows.
fn seen(session: &Session) -> BTreeSet<String> {
    let facts = &session.evidence;
    let found = facts.findings().map(|finding| finding.what.clone());
    let languages = facts.languages.iter().map(|language| language.name.clone());
    let related = facts.related.iter().map(|related| related.excerpt.clone());
    let places = facts.citations().map(|place| words(&place.path).join(" "));
    let earlier = facts.earlier.iter().map(|earlier| earlier.decision.clone());
    let all: Vec<String> =
        found.chain(languages).chain(related).chain(places).chain(earlier).chain([facts.name.clone()]).collect();
    contents(&all.join(" "))
}

/// Answers whose cited places say something else by now, as the last check of the citations found.
fn doubted(session: &Session) -> Vec<Doubted> {
    let of = |(asked, places): (&Asked, Vec<&ChangedCitation>)| {
        let places: Vec<String> = places.iter().map(|changed| changed.in_words()).collect();
        let answer = asked.answer().map_or_else(|| Line::clipped(asked.question.text.first_line()), gist);
        Doubted { question: asked.number, answer, since: Line::clipped(&listed(&places)) }
    };
    session.doubted().into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_read_by_its_sentences() {
        let yielded = BTreeSet::from(["- Ours.".to_owned()]);
        let text = "# T\n\n## Topic\n\nthe topic\n\n## Decisions\n\n- Ours.\n- One. Two!\n  - Three\n\n```\nlet x\n```\n> four\n- [ ] five\n";
        assert_eq!(said(text, &yielded), ["One.", "Two!", "Three", "four", "five"]);
    }
}
