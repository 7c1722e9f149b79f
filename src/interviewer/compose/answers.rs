//! Answers as lines: a decision with its reason and what was not chosen, a risk with what helps against it, terms with
//! what they mean, and below each of them what follow-ups came to.

use crate::domain::interview::{Answer, AnswerKind, QuestionStatus, TranscriptEntry};
use crate::domain::question::Alternative;

use super::super::catalogue::Form;
use super::super::follow_up::{Way, Withdrawn, followed, follows, is_decision, rival};
use super::super::scene::{gist, quoted};
use super::super::session_reading::SessionReading;
use super::document::GLOSSARY;
use super::prose::{bullet, lower, nested, reason, stopped};
use super::texts::Texts;

/// An answer with everything below it.
pub(super) fn answered(
    heard: &SessionReading<'_>,
    asked: &TranscriptEntry,
    answer: &Answer,
    texts: &Texts,
) -> Vec<String> {
    let mut lines = match defined(texts, answer) {
        Some(terms) => terms,
        None => head(asked, answer, texts),
    };
    if let Some(note) = &answer.note {
        lines.extend(nested(Some("Note"), note.as_str()));
    }
    lines.extend(instead(heard, asked));
    lines.extend(follow_ups(heard, asked));
    lines
}

/// An alternative stands for itself, the person's own words get a lead.
fn head(asked: &TranscriptEntry, answer: &Answer, texts: &Texts) -> Vec<String> {
    let taken = asked.question.alternatives.as_slice().iter().find(|one| one.value == answer.text);
    let mut lines = match taken {
        Some(one) if asked.question.probe.is_some() => bullet(None, one.value.as_str()),
        // What settles a contradiction is about both, and about neither by itself.
        None if matches!(follows(asked), Some(Way::Contradiction { .. })) => bullet(None, answer.text.as_str()),
        Some(_) | None => bullet(Some(&texts.lead), answer.text.as_str()),
    };
    match texts.form {
        Form::Risk => lines.extend(because("Against it", taken)),
        Form::Decision => {
            lines.extend(because("Reason", taken));
            let others: Vec<&str> = asked
                .question
                .alternatives
                .as_slice()
                .iter()
                .filter(|one| one.value != answer.text)
                .map(|one| one.label.as_str())
                .collect();
            let lead = if taken.is_some() { "Not chosen" } else { "Also considered" };
            lines.extend(nested(Some(lead), &stopped(&others.join("; "))));
        }
        Form::Statement => {}
    }
    lines
}

fn because(lead: &str, taken: Option<&Alternative>) -> Vec<String> {
    let said = taken.and_then(|one| one.description.as_ref());
    said.map(|text| nested(Some(lead), &reason(text.as_str()))).unwrap_or_default()
}

/// Terms that were fixed, when every line of the answer says `term: meaning` or `term means …`.
fn defined(texts: &Texts, answer: &Answer) -> Option<Vec<String>> {
    let own = matches!(answer.kind, AnswerKind::Own | AnswerKind::Reported | AnswerKind::Summarised);
    (texts.section == GLOSSARY && own).then(|| terms(answer.text.as_str()))?
}

fn terms(text: &str) -> Option<Vec<String>> {
    /// A longer beginning is half a sentence, and no term.
    const MOST_WORDS: usize = 4;
    let lines = text.lines().flat_map(|line| line.split(';')).map(str::trim).filter(|line| !line.is_empty());
    let terms: Option<Vec<Vec<String>>> = lines
        .map(|line| {
            let line = line.trim_start_matches(['-', '*', ' ']);
            let cut = [": ", " means ", " – ", " = "].iter().filter_map(|sign| line.split_once(sign));
            let (term, meaning) = cut.min_by_key(|(term, _)| term.len())?;
            let term = term.trim_matches(['"', '“', '”', '`', '*', ' ']);
            let fits = (1..=MOST_WORDS).contains(&term.split_whitespace().count());
            fits.then(|| bullet(Some(&format!("**{term}**")), meaning))
        })
        .collect();
    terms.map(|terms| terms.concat())
}

/// A decision that fell to its challenge, as what holds in its place.
pub(super) fn fallen(heard: &SessionReading<'_>, asked: &TranscriptEntry, answer: &Answer) -> Vec<String> {
    let Some(rival) = rival(asked, answer) else {
        return Vec::new();
    };
    let mut lines = bullet(None, rival.value.as_str());
    lines.extend(because("Reason", Some(rival)));
    lines.extend(nested(None, &format!("It was “{}” at first, which fell to its challenge.", gist(answer))));
    lines.extend(follow_ups(heard, asked));
    lines
}

/// An answer without the sentence that was taken back; none when nothing is left of it.
pub(super) fn left(answer: &Answer, withdrawal: &Withdrawn<'_>) -> Option<Answer> {
    Some(Answer { text: withdrawal.rest(&answer.text)?, kind: AnswerKind::Own, ..answer.clone() })
}

/// What an answer holds instead of.
fn instead(heard: &SessionReading<'_>, asked: &TranscriptEntry) -> Vec<String> {
    let here = heard.withdrawn().iter().filter(|one| match one.for_the_sake_of {
        Some(question) => *question == asked.question.id,
        None => one.by.question.id == asked.question.id,
    });
    here.filter_map(|one| {
        let lost = heard.session.transcript.get(one.question)?;
        let said = match one.sentence() {
            Some(sentence) => quoted(sentence, 160),
            None => gist(lost.holding().last()?),
        };
        Some(nested(None, &format!("Taken back for it: “{said}” (question {}).", lost.number)))
    })
    .flatten()
    .collect()
}

/// What challenges, measures and second looks came to, below the answer that they follow.
fn follow_ups(heard: &SessionReading<'_>, asked: &TranscriptEntry) -> Vec<String> {
    let id = asked.question.id.as_str();
    heard
        .session
        .transcript
        .asked
        .iter()
        .filter(|later| later.question.probe.as_deref().and_then(followed) == Some(id))
        // What took an answer back is said by the answer that holds.
        .filter(|later| !heard.withdrawn().iter().any(|one| one.by.question.id == later.question.id))
        .flat_map(|later| followed_up(heard, later))
        .collect()
}

fn followed_up(heard: &SessionReading<'_>, later: &TranscriptEntry) -> Vec<String> {
    let lead = Texts::of(heard, later).lead;
    if let QuestionStatus::PushedBack { because } = &later.standing {
        return nested(Some(&format!("Not taken for granted ({})", lower(&lead))), because.as_str());
    }
    let Some(answer) = later.holding().last().filter(|answer| answer.kind != AnswerKind::Unknown) else {
        return Vec::new();
    };
    let kept = match heard.taken_back(&later.question.id) {
        Some(one) => left(answer, one),
        None => Some(answer.clone()),
    };
    let Some(answer) = kept else { return Vec::new() };
    let mut lines = nested(Some(&lead), answer.text.as_str());
    lines.extend(answer.note.iter().flat_map(|note| nested(Some("Note"), note.as_str())));
    lines.extend(instead(heard, later));
    // A vague answer to a challenge is measured in its turn.
    lines.extend(follow_ups(heard, later));
    lines
}

/// Whether what was taken back is a decision that fell, and not one of two answers that contradicted each other.
pub(super) fn fell(asked: &TranscriptEntry, withdrawal: &Withdrawn<'_>) -> bool {
    matches!(follows(withdrawal.by), Some(Way::Challenge { .. })) && is_decision(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_seen_where_every_line_defines_one() {
        for (text, expected) in [
            ("caller: whoever holds a key", Some(vec!["- **caller**: whoever holds a key."])),
            ("window means a minute; “key” = a secret", Some(vec!["- **window**: a minute.", "- **key**: a secret."])),
            (
                "- caller: a key. Or two.\n- limit – sixty",
                Some(vec!["- **caller**: a key.", "  Or two.", "- **limit**: sixty."]),
            ),
            ("caller: a key\nand the rest is clear", None),
            ("what we call a caller here in the house: a key", None),
            ("a caller is a key", None),
        ] {
            let expected = expected.map(|lines| lines.into_iter().map(str::to_owned).collect());
            assert_eq!(terms(text), expected, "{text}");
        }
    }
}
