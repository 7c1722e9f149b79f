//! How a question of a question tool is put to a person, and what they said as a reply to it. The conversation and the
//! tools put it alike.

use std::time::Duration;

use crate::domain::command::Reply;
use crate::domain::question::{Alternative, Form, LETS_DISCUSS, Question, SOMETHING_ELSE};
use crate::domain::text::{Prose, TextError};

use super::prompt::{Choice, ManyPrompt, PickPrompt, Picked, Prompted, Prompter};

/// What stands around a question that is put.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// What stands above it.
    pub heading: String,
    /// Text that the editor begins with.
    pub draft: String,
    /// The one status line below.
    pub status: String,
}

/// What a person said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// The options with these numbers, and what was added.
    Chosen(Vec<usize>, Option<String>),
    /// Words of their own.
    Wrote(String),
}

impl Said {
    /// The reply, checked, with its note.
    pub fn reply(&self) -> Result<(Reply, Option<Prose>), TextError> {
        Ok(match self {
            Self::Chosen(numbers, note) => {
                let note = note.as_deref().map(|note| Prose::parse("the note", note)).transpose()?;
                (Reply::Chosen(numbers.clone()), note)
            }
            Self::Wrote(text) => (Reply::Text(Prose::parse("the reply", text)?), None),
        })
    }

    /// What was typed of it.
    pub fn typed(&self) -> Option<&str> {
        match self {
            Self::Chosen(_, note) => note.as_deref(),
            Self::Wrote(text) => Some(text),
        }
    }
}

/// Puts a selection or a multi-selection. A question of the interview has an editor of its own, and is put as a
/// selection only where somebody asks for that.
pub fn put(prompter: &mut dyn Prompter, question: &Question, around: Around) -> Prompted<Said> {
    let choices: Vec<Choice> = question.alternatives.as_slice().iter().map(choice).collect();
    match question.form {
        Form::Grill | Form::Select => {
            let talk = choices.len() + 2;
            let prompt = PickPrompt {
                heading: around.heading,
                question: question.text.to_string(),
                choices,
                other: Some(SOMETHING_ELSE.to_owned()),
                discuss: Some(LETS_DISCUSS.to_owned()),
                draft: around.draft,
                status: around.status,
            };
            prompter.pick(&prompt).map(|picked| match picked {
                Picked::Choice { index, note } => Said::Chosen(vec![index + 1], note),
                Picked::Wrote(text) => Said::Wrote(text),
                Picked::Discuss => Said::Chosen(vec![talk], None),
            })
        }
        Form::MultiSelect => {
            let heading = if around.heading.is_empty() { String::new() } else { format!("{}\n", around.heading) };
            let prompt = ManyPrompt { question: format!("{heading}{}", question.text), choices, at_least: 1 };
            prompter
                .choose_many(&prompt)
                .map(|indices| Said::Chosen(indices.into_iter().map(|index| index + 1).collect(), None))
        }
    }
}

/// An option as it is listed: what it cites stands behind its description (Q16).
fn choice(one: &Alternative) -> Choice {
    let place = one.evidence.as_ref().map(ToString::to_string);
    let description = match (one.description.as_ref(), place) {
        (Some(text), Some(place)) => Some(format!("{text} · {place}")),
        (Some(text), None) => Some(text.to_string()),
        (None, place) => place,
    };
    Choice { value: one.value.to_string(), label: one.label.to_string(), description, recommended: one.recommended }
}

/// Asks with a limit, and without one again afterwards.
pub fn within<T>(
    prompter: &mut dyn Prompter,
    limit: Option<Duration>,
    ask: impl FnOnce(&mut dyn Prompter) -> Prompted<T>,
) -> Prompted<T> {
    prompter.wait_at_most(limit);
    let ending = ask(prompter);
    prompter.wait_at_most(None);
    ending
}
