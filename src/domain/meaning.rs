//! What a reply means: the same words or numbers come to the same, whether they are recorded or only handed back.

use super::command::Reply;
use super::interview::{self, AnswerKind, says_unknown};
use super::question::{Alternative, Form, LETS_DISCUSS, Question};
use super::refusal::Refusal;
use super::text::Prose;

/// What a reply means at a question of its form.
pub enum ParsedReply {
    Answer {
        /// The words that are recorded.
        text: Prose,
        kind: AnswerKind,
        /// The numbers of the options, where the question is one of a tool.
        chosen: Vec<usize>,
    },
    /// A conversation is wanted instead (Q12).
    Talk,
}

pub fn meant(question: &Question, reply: &Reply) -> Result<ParsedReply, Refusal> {
    match reply {
        Reply::Unknown => Ok(ParsedReply::Answer { text: unknown(), kind: AnswerKind::Unknown, chosen: vec![] }),
        Reply::Chosen(numbers) => chosen(question, numbers),
        Reply::Text(text) => {
            if question.form == Form::Select && text.as_str() == LETS_DISCUSS {
                return Ok(ParsedReply::Talk);
            }
            let is_unknown = says_unknown(text.as_str());
            let sends = |number| question.alternatives.numbered(number).is_some_and(|one| one.value == *text);
            // Who does not know is taken at their word, unless it is to the letter what an alternative sends (G10).
            let taken = question.alternatives.taken_by(text.as_str()).filter(|number| !is_unknown || sends(*number));
            if let Some(number) = taken {
                return chosen(question, &[number]);
            }
            let kind = if is_unknown { AnswerKind::Unknown } else { AnswerKind::Own };
            Ok(ParsedReply::Answer { text: text.clone(), kind, chosen: vec![] })
        }
    }
}

/// What the alternatives with these numbers come to. One that opens a conversation does so whatever else was taken.
fn chosen(question: &Question, numbers: &[usize]) -> Result<ParsedReply, Refusal> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    let one = match (question.form, numbers.as_slice()) {
        (_, []) => return Err(interview::Refusal::NothingChosen.into()),
        (Form::Grill | Form::Select, [_, _, ..]) => {
            return Err(interview::Refusal::OneOption { chosen: numbers.len() }.into());
        }
        (Form::Grill | Form::Select, [one]) => Some(*one),
        (Form::MultiSelect, _) => None,
    };
    if one.is_some() && one == question.lets_discuss() {
        return Ok(ParsedReply::Talk);
    }
    if one.is_some() && one == question.something_else() {
        return Err(interview::Refusal::WordsMissing.into());
    }
    let mut taken: Vec<&Alternative> = Vec::with_capacity(numbers.len());
    for number in &numbers {
        let of = question.alternatives.as_slice().len();
        taken.push(
            question.alternatives.numbered(*number).ok_or(interview::Refusal::NoSuchOption { number: *number, of })?,
        );
    }
    if taken.iter().any(|one| one.discuss) {
        return Ok(ParsedReply::Talk);
    }
    let text = match (question.form, taken.as_slice()) {
        (Form::Grill | Form::Select, [one, ..]) => one.value.clone(),
        (Form::Grill | Form::Select | Form::MultiSelect, several) => {
            let labels: Vec<&str> = several.iter().map(|one| one.label.as_str()).collect();
            Prose::parse("the reply", &labels.join(", ")).map_err(|_| interview::Refusal::ChoiceTooLong)?
        }
    };
    let chosen = if question.form.is_grill() { vec![] } else { numbers };
    Ok(ParsedReply::Answer { text, kind: AnswerKind::Alternative, chosen })
}

fn unknown() -> Prose {
    Prose::parse("the reply", "I don't know").expect("a constant that is not blank")
}
