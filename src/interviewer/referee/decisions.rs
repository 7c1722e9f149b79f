//! Decisions that nothing put to the test. A question of the catalogue says whether it is one; of an agent's question only
//! its wording tells, so that some are overlooked, and few that are none are taken for one.

use crate::domain::interview::{Answer, AnswerKind, QuestionStatus, TranscriptEntry};
use crate::domain::purpose::Purpose;
use crate::domain::question::Form;
use crate::domain::session::Session;
use crate::domain::settings::Intensity;
use crate::domain::text::words;

use super::super::follow_up;
use super::super::reading::last_sentence;
use super::super::session_reading::SessionReading;
use super::areas;

/// Words by which a question asks for a decision.
const DECIDING: &[&str] = &["should", "shall", "ought", "want", "prefer", "choose", "pick"];

/// Areas whose answers are facts, or nothing that a challenge would turn round.
const FACTUAL: &[&str] = &["objective", "audience", "unknowns", "verification", "terms", "precedent", "next"];

/// Decisions that hold and that no question challenged, at `hard` and above (G13).
pub(super) fn unchallenged<'s>(heard: &SessionReading<'s>) -> Vec<&'s TranscriptEntry> {
    match heard.session.settings.intensity {
        Intensity::Gentle | Intensity::Standard => return Vec::new(),
        Intensity::Hard | Intensity::Adversarial => {}
    }
    let open = |(asked, answer): &(&TranscriptEntry, &Answer)| {
        (follow_up::is_decision(asked) || asks_for_a_decision(asked))
            && answer.kind != AnswerKind::Unknown
            && !is_challenged(heard.session, asked)
    };
    heard.holding().filter(open).map(|(asked, _)| asked).collect()
}

/// Whether an agent's question asks for a decision: by its wording, or because it recommends one of its alternatives, since
/// no one can recommend a fact.
fn asks_for_a_decision(asked: &TranscriptEntry) -> bool {
    let question = &asked.question;
    let puts_one = match question.form {
        Form::Grill | Form::Select => question.is_from_a_tool(),
        Form::MultiSelect => false,
    };
    let new = match question.purpose {
        None | Some(Purpose::Deepen) => true,
        Some(Purpose::Measure | Purpose::Challenge | Purpose::Settle | Purpose::PreMortem | Purpose::Opposite) => false,
    };
    let factual = areas::named(question.dimension.as_str()).is_some_and(|area| FACTUAL.contains(&area));
    let text = question.text.as_str();
    let recommends = || question.alternatives.recommended().is_some() && !is_about_today(text);
    puts_one && new && !factual && (is_deciding(text) || recommends())
}

/// Whether a question asks how things are, by its last sentence.
fn is_about_today(text: &str) -> bool {
    const TODAY: &[&str] =
        &["already", "currently", "did", "existing", "far", "happened", "now", "today", "was", "went", "were", "yet"];
    const ASKS: &[&str] = &["did", "have", "has", "when", "who", "whom", "whose", "why"];
    let last = words(last_sentence(text));
    last.iter().any(|word| TODAY.contains(&word.as_str()))
        || last.first().is_some_and(|word| ASKS.contains(&word.as_str()))
        || matches!(last.as_slice(), [how, much, ..] if how == "how" && matches!(much.as_str(), "many" | "much" | "often"))
}

/// Whether the question itself, which is the last of its sentences, has a word that asks for a decision.
fn is_deciding(text: &str) -> bool {
    words(last_sentence(text)).iter().any(|word| DECIDING.contains(&word.as_str()))
}

/// Whether a challenge was put, by the built-in interviewer or by an agent that said so; whatever became of it, it was
/// asked.
fn is_challenged(session: &Session, asked: &TranscriptEntry) -> bool {
    let declared = |other: &TranscriptEntry| {
        other.question.purpose == Some(Purpose::Challenge)
            && other.question.builds_on.contains(&asked.question.id)
            && is_settled(other)
    };
    follow_up::was_challenged(session, asked) || session.transcript.asked.iter().any(declared)
}

/// Whether a question came to something: an answer, a refusal or a wish to skip it. One that was overtaken is a concern of
/// its own, which names the same decision.
pub(super) fn is_settled(asked: &TranscriptEntry) -> bool {
    match asked.standing {
        QuestionStatus::Answered
        | QuestionStatus::Deferred
        | QuestionStatus::PushedBack { .. }
        | QuestionStatus::Stale => true,
        QuestionStatus::Open | QuestionStatus::SetAside => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g13_a_decision_is_known_by_the_question_itself() {
        for (text, expected) in [
            ("Where should the retry state live?", true),
            ("Which of the two do you want to keep?", true),
            ("`src/limit.rs` counts per process. Shall it count per host?", true),
            ("Would you rather pick one, or keep both?", true),
            ("Who reads the log today?", false),
            ("It should be fast. How fast is it now?", false),
            ("What must never happen?", false),
            ("You said it should stay small.", false),
            ("", false),
            ("要件?", false),
        ] {
            assert_eq!(is_deciding(text), expected, "{text}");
        }
    }
}
