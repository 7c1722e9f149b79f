//! Several questions as one form: the fields of each, and the answers that their values come to (P3, P18).

use serde_json::Value;

use crate::app::prompt::{FormAnswer, FormPrompt, FormQuestion, Prompted};
use crate::app::toolbox::{Field, Takes};
use crate::domain::harmless::harmless;
use crate::domain::ui::Kind;

use super::fields::{NOTE, OWN, entries, field, joined, named, text};
use super::form_prompter::{FormPrompter, Met};
use super::message::{message, one_of_several};
use super::prompting::MISSING;

/// The longest preview above a form, in characters.
const LONGEST_PREVIEW: usize = 1_000;

/// What stands above the fields of these questions: each of them with its choices, and the previews behind all of them, so
/// that a long preview hides no question.
fn above<'q>(questions: impl Iterator<Item = &'q FormQuestion> + Clone) -> impl Iterator<Item = String> {
    let asked = |question: &FormQuestion| one_of_several(&question.label, &question.prompt, &question.choices);
    questions.clone().map(asked).chain(questions.flat_map(previews))
}

/// The previews of the choices, each once, below the choices that it belongs to. The sign before each line keeps it apart
/// from what git grill says itself, as on a terminal.
fn previews(question: &FormQuestion) -> Vec<String> {
    let mut told: Vec<(&str, Vec<String>)> = Vec::new();
    for (at, (choice, preview)) in question.choices.iter().zip(&question.previews).enumerate() {
        let Some(preview) = preview.as_deref().map(str::trim_end).filter(|preview| !preview.is_empty()) else {
            continue;
        };
        let name = named(at, &choice.label);
        match told.iter_mut().find(|(known, _)| *known == preview) {
            Some((_, names)) => names.push(name),
            None => told.push((preview, vec![name])),
        }
    }
    let shown = |(preview, names): (&str, Vec<String>)| {
        let mut start: String = preview.chars().take(LONGEST_PREVIEW).collect();
        if start.len() < preview.len() {
            start.push('…');
        }
        let start = harmless(&start);
        let lines: Vec<String> = start.lines().map(|line| format!("| {line}")).collect();
        format!("More about {}, {}:\n{}", question.label, names.join(", "), lines.join("\n"))
    };
    told.into_iter().map(shown).collect()
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

impl FormPrompter {
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
            let above: Vec<String> = parts.into_iter().chain(above(prompt.questions.iter())).collect();
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
                    let missed = std::iter::once(format!("{MISSING}{}", labels.join(", ")));
                    let above: Vec<String> = missed.chain(above(gaps.iter().copied())).collect();
                    Met::Needs(message(above.iter().map(String::as_str)), missing)
                }
                None => Met::Nothing,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::form_prompter::{EMPTY, Fields, NOBODY};
    use super::*;
    use crate::app::prompt::Choice;

    fn question(label: &str, choices: &[(&str, Option<&str>)]) -> FormQuestion {
        let choice = |(label, _): &(&str, Option<&str>)| Choice {
            value: (*label).to_owned(),
            label: (*label).to_owned(),
            description: None,
            recommended: false,
        };
        FormQuestion {
            label: label.to_owned(),
            prompt: format!("{label}?"),
            choices: choices.iter().map(choice).collect(),
            previews: choices.iter().map(|(_, preview)| preview.map(str::to_owned)).collect(),
            ..FormQuestion::default()
        }
    }

    #[test]
    fn p18_a_preview_stands_once_above_a_form_with_its_choices_and_harmless() {
        let shared = Some("# Shared\r\nx\u{1b}[2J\n");
        let stores =
            [("Redis", shared), ("Files", Some("only\n3. made up")), ("Memory", shared), ("None", Some(" \n"))];
        let (store, next) = (question("Store", &stores), question("Next", &[("Yes", None)]));
        let form = FormPrompt { heading: String::new(), questions: vec![store, next] };
        let mut noting = FormPrompter::noting(Fields::Several);
        assert_eq!(noting.questions(&form), Prompted::Unavailable(NOBODY));
        let previews = "More about Store, 1. Redis, 3. Memory:\n| # Shared\n| x␛[2J\nMore about Store, 2. Files:\n| \
                        only\n| 3. made up";
        let questions = "Store: Store?\n1. Redis\n2. Files\n3. Memory\n4. None";
        assert_eq!(
            noting.asked().unwrap().message,
            format!("Please answer these questions.\n{questions}\nNext: Next?\n1. Yes\n{previews}")
        );
        let mut gap = FormPrompter::given(json!({ "q2": "1. Yes" }), Fields::Several, "");
        assert_eq!(gap.questions(&form), Prompted::Unavailable(EMPTY));
        assert_eq!(gap.asked().unwrap().message, format!("{MISSING}Store\n{questions}\n{previews}"));
    }

    #[test]
    fn p18_long_previews_hide_no_question() {
        let texts: Vec<String> = (0..20).map(|at| format!("{at}{}", "x".repeat(12_000))).collect();
        let choices: Vec<(&str, Option<&str>)> = texts.iter().map(|text| ("same", Some(text.as_str()))).collect();
        let form = FormPrompt {
            heading: String::new(),
            questions: vec![question("Store", &choices), question("Next", &[("Yes", None)])],
        };
        let mut noting = FormPrompter::noting(Fields::Several);
        assert_eq!(noting.questions(&form), Prompted::Unavailable(NOBODY));
        let message = noting.asked().unwrap().message;
        assert!(message.contains("\n20. same\nNext: Next?\n1. Yes\nMore about Store, 1. same:\n| 0xx"), "{message}");
        assert!(message.contains("x…\nMore about Store, 2. same:\n| 1xx") && message.ends_with('…'), "{message}");
    }
}
