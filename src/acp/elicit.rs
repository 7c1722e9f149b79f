//! Forms that other MCP servers show through an agent (A18, A27), in the protocol's words and in Grok's. What is not
//! understood whole is refused: a URL may do anything, and no form is shown that asks for a secret.

use serde_json::{Map, Number, Value};

use super::secret_words::secret;
use super::v1::{self, Elicited};
use crate::domain::harmless::harmless;
use crate::domain::server_form::{ServerField, ServerForm, ServerInput, ServerOption, ServerReply, ServerValue};
use crate::domain::text::cut;

/// The most fields of a form, and the most options of a field.
const MOST_FIELDS: usize = 16;
const MOST_OPTIONS: usize = 64;
/// The most characters of the message, of a label, and of a text that fits into a field.
const MOST_MESSAGE: usize = 2_000;
const MOST_LABEL: usize = 200;
const MOST_TEXT: usize = 4_000;

/// How the answer to a form looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The protocol's.
    Action,
    /// Grok's.
    Outcome,
}

/// A form that waits for an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    pub(super) id: Value,
    pub(super) shape: Shape,
    /// Which of all forms it is: an id may come again once it was answered.
    pub(super) came: u64,
    pub asked: ServerForm,
}

impl Form {
    pub(super) fn read(id: &Value, shape: Shape, params: &Value) -> Self {
        let Elicited { server, message, mode, schema } = Elicited::read(params);
        let said = message.unwrap_or_default();
        let asks = match mode {
            None | Some("form") => fields(schema),
            Some("url") => Err(
                "it wants an address to be opened, and an address can do anything; open it yourself if you trust it"
                    .to_owned(),
            ),
            Some(other) => Err(format!("it asks in a way that is not known: {}", clipped(other, MOST_LABEL))),
        };
        let asks = asks.and_then(|fields| match secret(said, schema, &fields) {
            Some(word) => Err(format!(
                "it asks for a secret ({word}), and what is answered here is recorded in git; give it to the server itself"
            )),
            None => Ok(fields),
        });
        let server = server.map(|server| clipped(server, MOST_LABEL)).filter(|server| !server.is_empty());
        let message = clipped(said, MOST_MESSAGE);
        Self { id: id.clone(), shape, came: 0, asked: ServerForm { server, message, asks } }
    }

    /// Whether both are one and the same request.
    pub fn is(&self, other: &Self) -> bool {
        self.came == other.came
    }

    /// The answer as this form's wire takes it. Values are held against what was asked for: what does not fit is not sent.
    /// Where it is cancelled by the rules, the reason goes with it.
    pub(super) fn answer(&self, reply: ServerReply) -> Value {
        let cannot = self.asked.asks.as_ref().err().map(String::as_str);
        let (word, content, because) = match reply {
            ServerReply::Sent(values) if self.asked.takes(&values) => {
                let values = values.into_iter().map(|(name, value)| (name, json_of(value)));
                ("accept", Some(values.collect::<Map<_, _>>()), None)
            }
            ServerReply::Sent(_) => {
                ("cancel", None, cannot.or(Some("what was filled in does not fit what was asked for")))
            }
            ServerReply::Declined => ("decline", None, None),
            ServerReply::Closed => ("cancel", None, cannot),
        };
        v1::filled(self.shape, word, content, because)
    }
}

fn json_of(value: ServerValue) -> Value {
    match value {
        ServerValue::Text(text) => text.into(),
        ServerValue::Number(text) => match text.parse::<Number>() {
            Ok(number) => number.into(),
            Err(_) => text.into(),
        },
        ServerValue::YesNo(yes) => yes.into(),
        ServerValue::Many(values) => values.into(),
    }
}

/// The fields of a schema; all of them, or the reason why it cannot be shown.
fn fields(schema: &Value) -> Result<Vec<ServerField>, String> {
    let properties = match schema {
        Value::Null => return Ok(Vec::new()),
        Value::Object(schema) if asks_for_nothing(schema) => return Ok(Vec::new()),
        Value::Object(schema) => schema.get("properties"),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    };
    let Some(properties) = properties.and_then(Value::as_object) else {
        return Err("it does not say what it asks for".to_owned());
    };
    if properties.len() > MOST_FIELDS {
        return Err(format!("it has {} fields, more than the {MOST_FIELDS} that are shown", properties.len()));
    }
    let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let one = |(name, property): (&String, &Value)| {
        let about = |name: &str| property.get(name).and_then(Value::as_str).map(|text| clipped(text, MOST_LABEL));
        let title = about("title").filter(|title| !title.is_empty()).unwrap_or_else(|| clipped(name, MOST_LABEL));
        let input = input(property).ok_or_else(|| format!("the field {title} takes something that cannot be typed"))?;
        let initial = match property.get("default") {
            Some(Value::String(text)) => Some(clipped(text, MOST_TEXT)),
            Some(other @ (Value::Number(_) | Value::Bool(_))) => Some(other.to_string()),
            Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => None,
        };
        let required = required.iter().any(|one| one.as_str() == Some(name));
        let about =
            [about("description"), about("format").map(|format| in_words(&format)), about("pattern").map(matching)];
        let about: Vec<String> = about.into_iter().flatten().filter(|about| !about.is_empty()).collect();
        let about = (!about.is_empty()).then(|| about.join("; "));
        Ok(ServerField { name: name.clone(), title, about, input, required, initial })
    };
    properties.iter().map(one).collect()
}

/// A format of text. Whether a text is of it, the server decides.
fn in_words(format: &str) -> String {
    match format {
        "email" => "an email address".to_owned(),
        "uri" => "an address, such as https://example.org".to_owned(),
        "date" => "a date, such as 2026-11-28".to_owned(),
        "date-time" => "a date and time, such as 2026-11-28T19:26:33Z".to_owned(),
        "" => String::new(),
        other => format!("in the format {other}"),
    }
}

fn matching(pattern: String) -> String {
    if pattern.is_empty() { pattern } else { format!("it has to match {pattern}") }
}

/// Whether nothing but a yes fits into a schema. In the protocol null says as much as nothing.
fn asks_for_nothing(schema: &Map<String, Value>) -> bool {
    const SAY_NOTHING: &[&str] = &["title", "description", "additionalProperties", "$schema", "_meta"];
    schema.iter().all(|(name, value)| match (name.as_str(), value) {
        (_, Value::Null) => true,
        ("type", kind) => kind == "object",
        ("required", Value::Array(names)) => names.is_empty(),
        (name, _) => SAY_NOTHING.contains(&name),
    })
}

/// The values that fit; none where they are not understood.
fn input(property: &Value) -> Option<ServerInput> {
    let size =
        |name: &str| property.get(name).and_then(Value::as_u64).map(|size| usize::try_from(size).unwrap_or(usize::MAX));
    let bound = |name: &str| property.get(name).and_then(Value::as_f64);
    match property.get("type")?.as_str()? {
        "string" => match options(property).ok()? {
            Some(options) => Some(ServerInput::One(options)),
            None => Some(ServerInput::Text {
                least: size("minLength").unwrap_or_default(),
                most: size("maxLength").unwrap_or(MOST_TEXT).min(MOST_TEXT),
            }),
        },
        kind @ ("number" | "integer") => {
            Some(ServerInput::Number { whole: kind == "integer", least: bound("minimum"), most: bound("maximum") })
        }
        "boolean" => Some(ServerInput::YesNo),
        "array" => {
            let options = options(property.get("items")?).ok()??;
            let most = size("maxItems").unwrap_or(options.len());
            Some(ServerInput::Many { options, least: size("minItems").unwrap_or_default(), most })
        }
        _ => None,
    }
}

/// Options that are not understood.
struct Odd;

/// The options of a field; none where it has none.
fn options(property: &Value) -> Result<Option<Vec<ServerOption>>, Odd> {
    let listed =
        ["oneOf", "anyOf", "enum"].iter().find_map(|name| property.get(name).filter(|listed| !listed.is_null()));
    let Some(listed) = listed else { return Ok(None) };
    let names = property.get("enumNames").and_then(Value::as_array);
    let one = |(at, option): (usize, &Value)| {
        let value = option.as_str().or_else(|| option.get("const")?.as_str())?;
        let title = option.get("title").or_else(|| names?.get(at)).and_then(Value::as_str).unwrap_or(value);
        let about = option.get("description").and_then(Value::as_str).map(|text| clipped(&one_line(text), MOST_LABEL));
        let about = about.filter(|about| !about.is_empty());
        Some(ServerOption { value: value.to_owned(), label: clipped(title, MOST_LABEL), about })
    };
    let fits = |listed: &&Vec<Value>| !listed.is_empty() && listed.len() <= MOST_OPTIONS;
    let listed = listed.as_array().filter(fits).ok_or(Odd)?;
    listed.iter().enumerate().map(one).collect::<Option<Vec<_>>>().map(Some).ok_or(Odd)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Foreign text, harmless and short.
fn clipped(text: &str, most: usize) -> String {
    cut(&harmless(text.trim()), most)
}

#[cfg(test)]
#[path = "elicit_tests.rs"]
mod tests;
