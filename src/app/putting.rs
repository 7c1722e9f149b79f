//! How a question of a question tool is put to a person, and what they said as a reply to it. The conversation and the
//! tools put it alike.

use std::time::Duration;

use crate::domain::command::{Command, Reply};
use crate::domain::ids::{AnswerId, QuestionId, SessionId};
use crate::domain::interview;
use crate::domain::question::{Alternative, Alternatives, Form, LETS_DISCUSS, Question, SOMETHING_ELSE};
use crate::domain::text::{Prose, TextError};

use super::context::Context;
use super::prompt::{Choice, Many, ManyPrompt, PickPrompt, Picked, Prompted, Prompter, Slash, noted};

/// What stands around a question that is put.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// What stands above it.
    pub heading: String,
    /// Text that the editor begins with.
    pub draft: String,
    /// The one status line below.
    pub status: String,
    pub topic: String,
    /// What becomes of words that begin with `/`.
    pub slash: Slash,
}

/// The entries behind the alternatives of a question of the interview (G10).
const DONT_KNOW: &str = "I don't know";
const SKIP: &str = "Skip it for now";

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonReply {
    /// The options with these numbers, and what was added.
    Chosen(Vec<usize>, Option<String>),
    /// Words of their own.
    Wrote(String),
    /// That they do not know, and what was added.
    Unknown(Option<String>),
    /// That it can wait, and what was added.
    Skipped(Option<String>),
    Talk,
}

impl PersonReply {
    /// The reply to the question, checked, with its note; none where it is no answer.
    pub fn reply(&self) -> Result<Option<(Reply, Option<Prose>)>, TextError> {
        let noted = |note: &Option<String>| note.as_deref().map(|note| Prose::parse("the note", note)).transpose();
        Ok(match self {
            Self::Chosen(numbers, note) => Some((Reply::Chosen(numbers.clone()), noted(note)?)),
            Self::Wrote(text) => Some((Reply::Text(Prose::parse("the reply", text)?), None)),
            Self::Unknown(note) => Some((Reply::Unknown, noted(note)?)),
            Self::Skipped(_) | Self::Talk => None,
        })
    }

    /// What it comes to at a question that is recorded; an answer gets the id.
    pub fn command(&self, question: &QuestionId, id: AnswerId) -> Result<Command, TextError> {
        Ok(match self.reply()? {
            Some((reply, note)) => interview::Command::Answer { question: question.clone(), id, reply, note }.into(),
            None if *self == Self::Talk => interview::Command::Discuss.into(),
            None => interview::Command::Defer { question: question.clone() }.into(),
        })
    }

    pub fn typed(&self) -> Option<&str> {
        match self {
            Self::Chosen(_, note) | Self::Unknown(note) | Self::Skipped(note) => note.as_deref(),
            Self::Wrote(text) => Some(text),
            Self::Talk => None,
        }
    }

    /// What was typed, as a list that is put again takes it up: a note goes with its option.
    pub fn kept(&self, question: &Question) -> Option<String> {
        match (self, self.typed()) {
            (Self::Chosen(numbers, _), Some(note)) => {
                let choices = choices(&question.alternatives);
                let at = |number: usize| if numbers.first() == Some(&number) { note } else { "" };
                Some(noted::joined("", &choices, (1..=choices.len()).map(at)))
            }
            (Self::Chosen(..) | Self::Wrote(_) | Self::Unknown(_) | Self::Skipped(_) | Self::Talk, typed) => {
                typed.map(str::to_owned)
            }
        }
    }

    /// All of it as a text, for where it cannot be recorded.
    pub fn in_words(&self, question: &Question) -> String {
        let chosen = |number: &usize| {
            let label = question.alternatives.numbered(*number).map(|one| format!(" {}", one.label));
            format!("{number}.{}", label.unwrap_or_default())
        };
        let (said, note) = match self {
            Self::Chosen(numbers, note) => (numbers.iter().map(chosen).collect::<Vec<_>>().join(", "), note.as_deref()),
            Self::Wrote(text) => (text.clone(), None),
            Self::Unknown(note) => (DONT_KNOW.to_owned(), note.as_deref()),
            Self::Skipped(note) => (SKIP.to_owned(), note.as_deref()),
            Self::Talk => (LETS_DISCUSS.to_owned(), None),
        };
        note.map_or(said.clone(), |note| format!("{said}\n{note}"))
    }
}

/// Puts a question as a list. A question of the interview has an editor of its own in the conversation; where a tool
/// puts it, the other things that can be said to it stand behind its alternatives (G10). `keep` is given what is typed
/// whenever the person pauses.
pub fn put(
    prompter: &mut dyn Prompter,
    question: &Question,
    around: Around,
    keep: &mut dyn FnMut(&str),
) -> Prompted<PersonReply> {
    let choices = choices(&question.alternatives);
    match question.form {
        Form::Grill => {
            let of = choices.len();
            let more = [DONT_KNOW, SKIP].map(|label| Choice {
                value: label.to_owned(),
                label: label.to_owned(),
                description: None,
                recommended: false,
            });
            let prompt = PickPrompt { choices: choices.into_iter().chain(more).collect(), ..pick(question, around) };
            prompter.pick_kept(&prompt, keep).map(|picked| match picked {
                Picked::Choice { index, note } if index == of => PersonReply::Unknown(note),
                Picked::Choice { index, note } if index > of => PersonReply::Skipped(note),
                Picked::Choice { index, note } => PersonReply::Chosen(vec![index + 1], note),
                Picked::Wrote(text) => PersonReply::Wrote(text),
                Picked::Discuss => PersonReply::Talk,
            })
        }
        Form::Select => {
            let talk = choices.len() + 2;
            let prompt = PickPrompt { choices, ..pick(question, around) };
            prompter.pick_kept(&prompt, keep).map(|picked| match picked {
                Picked::Choice { index, note } => PersonReply::Chosen(vec![index + 1], note),
                Picked::Wrote(text) => PersonReply::Wrote(text),
                Picked::Discuss => PersonReply::Chosen(vec![talk], None),
            })
        }
        Form::MultiSelect => {
            let prompt = ManyPrompt {
                background: background(question, &around.topic),
                heading: around.heading,
                question: question.text.to_string(),
                choices,
                at_least: 1,
            };
            let chosen =
                |indices: Vec<usize>| PersonReply::Chosen(indices.into_iter().map(|index| index + 1).collect(), None);
            match around.slash {
                Slash::Refused => prompter.choose_many(&prompt).map(chosen),
                Slash::Verb => prompter.choose_many_or_verb(&prompt).map(|many| match many {
                    Many::Chosen(indices) => chosen(indices),
                    Many::Verb(line) => PersonReply::Wrote(line),
                }),
            }
        }
    }
}

/// Keeps what is typed at a question under it, in the place of what was kept before (Q15). Where it cannot be kept, it is
/// still in the editor. From inside a read-only run nothing takes the place of what is kept, so each pause would leave a
/// file of its own.
pub fn keeper<'d, 's>(
    context: &Context<'d>,
    session: &'s SessionId,
    question: &'s QuestionId,
) -> impl FnMut(&str) + use<'d, 's> {
    let store = context.dispatcher.store;
    let keeps = context.dispatcher.outside.is_none();
    move |text: &str| {
        if keeps {
            store.replace_draft(session, question, text).ok();
        }
    }
}

/// Alternatives as entries of a list.
pub fn choices(alternatives: &Alternatives) -> Vec<Choice> {
    alternatives.as_slice().iter().map(choice).collect()
}

/// The list without its entries.
fn pick(question: &Question, around: Around) -> PickPrompt {
    PickPrompt {
        heading: around.heading,
        question: question.text.to_string(),
        choices: Vec::new(),
        other: Some(SOMETHING_ELSE.to_owned()),
        discuss: Some(LETS_DISCUSS.to_owned()),
        draft: around.draft,
        status: around.status,
        background: background(question, &around.topic),
        slash: around.slash,
    }
}

/// Background of a question: why it is asked, the locations it cites and the topic of the session.
fn background(question: &Question, topic: &str) -> Vec<String> {
    let why = question.why.as_ref().map(|why| format!("Why it matters: {why}"));
    let places: Vec<String> = question.evidence.iter().map(ToString::to_string).collect();
    let cites = (!places.is_empty()).then(|| format!("Evidence: {}", places.join(", ")));
    let topic = (!topic.is_empty()).then(|| format!("The interview is about: {topic}"));
    why.into_iter().chain(cites).chain(topic).collect()
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
pub fn within<T>(prompter: &mut dyn Prompter, limit: Option<Duration>, ask: impl FnOnce(&mut dyn Prompter) -> T) -> T {
    prompter.wait_at_most(limit);
    let ending = ask(prompter);
    prompter.wait_at_most(None);
    ending
}
