//! Several questions as one form: the fields of each, and the answers that their values come to (P3, P18).

use serde_json::Value;

use crate::app::prompt::{Choice, FormAnswer, FormPrompt, FormQuestion, Prompted};
use crate::app::toolbox::{Field, Takes};
use crate::domain::ui::Kind;

use super::elicited::{Elicited, Met};
use super::fields::{NOTE, OWN, entries, field, joined, named, text};
use super::message::{message, one_of_several};
use super::prompting::MISSING;

/// The longest preview above a form, in characters.
const LONGEST_PREVIEW: usize = 1_000;

/// The previews of the choices.
fn previews(question: &FormQuestion) -> Vec<String> {
    let both = question.choices.iter().zip(&question.previews).enumerate();
    let preview = |(at, (choice, preview)): (usize, (&Choice, &Option<String>))| {
        let preview = preview.as_ref()?;
        let mut start: String = preview.chars().take(LONGEST_PREVIEW).collect();
        if start.len() < preview.len() {
            start.push('…');
        }
        Some(format!("More about {}:\n{}", named(at, &choice.label), start.trim_end()))
    };
    both.filter_map(preview).collect()
}

/// The chosen values: one, or a list.
fn all(values: &Value, name: &str, kind: Kind) -> Vec<String> {
    match kind {
        Kind::One => text(values, name).into_iter().collect(),
        Kind::Many => {
            let taken = values.get(name).and_then(Value::as_array).into_iter().flatten();
            taken.filter_map(Value::as_str).map(str::to_owned).collect()
        }
    }
}

impl Elicited {
    /// Asks all of them at once; a form with a gap is asked for the rest.
    pub(super) fn questions(&mut self, prompt: &FormPrompt) -> Prompted<Vec<FormAnswer>> {
        let one_field = self.one_field();
        let own = |at: usize| format!("q{}_{OWN}", at + 1);
        let noted = |at: usize| format!("q{}_{NOTE}", at + 1);
        let offered = |question: &FormQuestion| {
            let mut choices = entries(&question.choices);
            let other = question.other.as_ref().filter(|_| one_field && !choices.is_empty());
            let other = other.map(|label| named(choices.len(), label));
            choices.extend(other.iter().map(|name| (name.clone(), name.clone())));
            (choices, other)
        };
        let shown = |question: &FormQuestion| {
            let asked = one_of_several(&question.label, &question.prompt, &question.choices);
            std::iter::once(asked).chain(previews(question)).collect::<Vec<_>>().join("\n")
        };
        let words = |at: usize, question: &FormQuestion, title: String| {
            let required = one_field || question.choices.is_empty();
            Field { required, ..field(&own(at), &title, Takes::Text) }
        };
        let fields = |at: usize, question: &FormQuestion| -> Vec<Field> {
            let title = format!("{}: {}", question.label, question.prompt);
            let takes = || match question.kind {
                Kind::One => Takes::One(offered(question).0),
                Kind::Many => Takes::Many(offered(question).0),
            };
            let choice = (!question.choices.is_empty()).then(|| field(&format!("q{}", at + 1), &title, takes()));
            let note = (question.note && !one_field)
                .then(|| field(&noted(at), &format!("{}: a note on your choice", question.label), Takes::Text));
            let words = match &question.other {
                Some(_) if question.choices.is_empty() => Some(words(at, question, title)),
                Some(other) if !one_field => Some(words(at, question, format!("{}: {other}", question.label))),
                Some(_) | None => None,
            };
            choice.into_iter().chain(words).chain(note).collect()
        };
        let asked = || {
            let fields = prompt.questions.iter().enumerate().flat_map(|(at, question)| fields(at, question));
            let parts = [prompt.heading.clone(), "Please answer these questions.".to_owned()];
            let above: Vec<String> = parts.into_iter().chain(prompt.questions.iter().map(shown)).collect();
            (message(above.iter().map(String::as_str)), fields.collect::<Vec<_>>())
        };
        self.meet(asked, |values| {
            let (mut missing, mut gaps, mut begun) = (Vec::new(), Vec::new(), false);
            let answers: Vec<Option<FormAnswer>> = prompt
                .questions
                .iter()
                .enumerate()
                .map(|(at, question)| {
                    let (choices, other) = offered(question);
                    let wrote = text(values, &own(at)).filter(|_| question.other.is_some());
                    let note = text(values, &noted(at)).filter(|_| question.note);
                    let taken = all(values, &format!("q{}", at + 1), question.kind);
                    let wants_words = wrote.is_none() && other.as_ref().is_some_and(|other| taken.contains(other));
                    let taken = taken.iter().filter(|taken| Some(*taken) != other.as_ref());
                    let index = |taken: &String| choices.iter().position(|(name, _)| name == taken);
                    let chosen: Option<Vec<usize>> = taken.map(index).collect();
                    let mut chosen = chosen.unwrap_or_default();
                    chosen.sort_unstable();
                    chosen.dedup();
                    let answer = match question.kind {
                        // Whatever was filled in is kept: beside a choice it is the note to it.
                        Kind::One if chosen.is_empty() => {
                            FormAnswer { other: joined(wrote, note), ..FormAnswer::default() }
                        }
                        Kind::One => FormAnswer { chosen, note: joined(wrote, note), ..FormAnswer::default() },
                        Kind::Many => FormAnswer { chosen, other: wrote, note },
                    };
                    // Words that were announced and did not come yet are a gap, beside whatever is chosen.
                    let answer = Some(answer).filter(|answer| !wants_words && question.takes(answer));
                    begun |= wants_words || answer.is_some();
                    if wants_words {
                        missing.push(words(at, question, format!("{}: {}", question.label, question.prompt)));
                    } else if answer.is_none() {
                        missing.extend(fields(at, question));
                    }
                    if answer.is_none() {
                        gaps.push(question);
                    }
                    answer
                })
                .collect();
            // A form with a gap is not recorded (P3): it is asked for what is missing.
            match answers.into_iter().collect::<Option<Vec<_>>>() {
                Some(answers) => Met::Answer(answers, None),
                None if begun => {
                    let labels: Vec<&str> = gaps.iter().map(|question| question.label.as_str()).collect();
                    let above = std::iter::once(format!("{MISSING}{}", labels.join(", ")));
                    let above: Vec<String> = above.chain(gaps.into_iter().map(shown)).collect();
                    Met::Needs(message(above.iter().map(String::as_str)), missing)
                }
                None => Met::Nothing,
            }
        })
    }
}
