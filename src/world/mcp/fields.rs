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

/// All input of a form, one field per line; none if every field is empty.
pub(super) fn filled_in(values: &Value) -> Option<String> {
    let Value::Object(values) = values else { return said(values) };
    let lines: Vec<(&String, String)> = values.iter().filter_map(|(name, value)| Some((name, said(value)?))).collect();
    match lines.as_slice() {
        [] => None,
        [(_, only)] => Some(only.clone()),
        several => Some(several.iter().map(|(name, said)| format!("{name}: {said}")).collect::<Vec<_>>().join("\n")),
    }
}

/// The same for an incomplete form; none if the input is only a choice, which the user can quickly make again.
pub(super) fn filled_so_far(values: &Value) -> Option<String> {
    let beside = |(name, value): (&String, &Value)| name != CHOICE && said(value).is_some();
    if values.as_object()?.iter().any(beside) { filled_in(values) } else { None }
}

/// The words of a value; none if it is empty.
fn said(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Bool(false) => None,
        Value::String(text) => Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned),
        Value::Array(all) => {
            let all: Vec<String> = all.iter().filter_map(said).collect();
            (!all.is_empty()).then(|| all.join(", "))
        }
        Value::Bool(true) | Value::Number(_) | Value::Object(_) => Some(value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn q15_all_that_is_not_empty_is_kept_of_a_form() {
        for (values, kept) in [
            (json!({ "choice": "1. we", "own_words": " from June \n" }), Some("choice: 1. we\nown_words: from June")),
            (json!({ "choice": ["1. a", "3. c"], "note": "" }), Some("1. a, 3. c")),
            (json!({ "many_001": false, "many_002": true, "own_words": null }), Some("true")),
            (json!({ "choice": [], "note": " " }), None),
            (json!({}), None),
            (json!(null), None),
            (json!("garbage"), Some("garbage")),
        ] {
            assert_eq!(filled_in(&values).as_deref(), kept, "{values}");
        }
        assert_eq!(filled_so_far(&json!({ "choice": "4. Something else" })), None);
        assert_eq!(filled_so_far(&json!({ "choice": "", "note": "so" })).as_deref(), Some("so"));
    }
}
