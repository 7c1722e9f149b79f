//! The fields of a form: how they are called, what they offer, and what they came back with.

use serde_json::Value;

use crate::app::prompt::Choice;
use crate::app::toolbox::{Field, Takes};

/// The field that takes one of the options, several of them, words of one's own, a note.
pub(super) const CHOICE: &str = "choice";
pub(super) const OWN: &str = "own_words";
pub(super) const NOTE: &str = "note";
/// The replies to a question of yes and no.
pub(super) const YES: &str = "yes";
pub(super) const NO: &str = "no";
/// Where one field is all there is: the entry that leads to another form.
pub(super) const OTHER: &str = "other";

/// Both texts, where there are two.
pub(super) fn joined(one: Option<String>, other: Option<String>) -> Option<String> {
    match (one, other) {
        (Some(one), Some(other)) => Some(format!("{one}\n{other}")),
        (one, other) => one.or(other),
    }
}

/// The field for words of one's own, where nothing else is asked.
pub(super) fn words_alone(title: &str) -> Vec<Field> {
    vec![Field { required: true, ..field(OWN, title, Takes::Text) }]
}

/// An entry as a form names it: the number keeps two equal labels apart.
pub(super) fn named(at: usize, label: &str) -> String {
    format!("{}. {label}", at + 1)
}

pub(super) fn entries(choices: &[Choice]) -> Vec<(String, String)> {
    let entry = |(at, choice): (usize, &Choice)| {
        let name = named(at, &choice.label);
        let shown = if choice.recommended { format!("{name} (recommended)") } else { name.clone() };
        let title = match &choice.description {
            Some(description) => format!("{shown} – {description}"),
            None => shown,
        };
        (name, title)
    };
    choices.iter().enumerate().map(entry).collect()
}

pub(super) fn field(name: &str, title: &str, takes: Takes) -> Field {
    Field { name: name.to_owned(), title: title.to_owned(), takes, required: false, initial: None }
}

pub(super) fn text(values: &Value, name: &str) -> Option<String> {
    let text = values.get(name)?.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
