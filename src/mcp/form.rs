//! Forms as clients show them: a flat schema of text and choices, and its values read back.

use rmcp::model::{ElicitRequestParams, ElicitationSchema};
use serde_json::{Map, Value, json};

use crate::app::toolbox::{Field, Takes, Waiting};

use super::era::Shows;

/// The request that shows a waiting question; `None` for a client that shows nothing.
pub(super) fn request(waiting: &Waiting, shows: Shows) -> Option<ElicitRequestParams> {
    let mut properties = Map::new();
    let mut order = Vec::new();
    let mut required = Vec::new();
    for field in &waiting.fields {
        for (name, schema) in property(field, shows)? {
            order.push(name.clone());
            // A list that became one box for each entry needs none of them.
            if field.required && name == field.name {
                required.push(name.clone());
            }
            properties.insert(name, schema);
        }
    }
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    let Value::Object(schema) = schema else { return None };
    let mut schema = ElicitationSchema::from_json_schema(schema).ok()?;
    schema.property_order = Some(order);
    Some(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: waiting.message.clone(),
        requested_schema: schema,
    })
}

fn property(field: &Field, shows: Shows) -> Option<Vec<(String, Value)>> {
    let title = &field.title;
    let titled = |choices: &[(String, String)]| -> Vec<Value> {
        choices.iter().map(|(value, title)| json!({ "const": value, "title": title })).collect()
    };
    Some(match (&field.takes, shows) {
        (_, Shows::Nothing) => return None,
        (Takes::Text, Shows::Lists | Shows::Choices) => {
            let mut schema = json!({ "type": "string", "title": title });
            if let Some(initial) = &field.initial {
                schema["default"] = json!(initial);
            }
            vec![(field.name.clone(), schema)]
        }
        (Takes::One(choices), Shows::Choices) => {
            vec![(field.name.clone(), json!({ "type": "string", "title": title, "oneOf": titled(choices) }))]
        }
        (Takes::One(choices), Shows::Lists) => {
            let values: Vec<&String> = choices.iter().map(|(value, _)| value).collect();
            let names: Vec<&String> = choices.iter().map(|(_, title)| title).collect();
            vec![(field.name.clone(), json!({ "type": "string", "title": title, "enum": values, "enumNames": names }))]
        }
        (Takes::Many(choices), Shows::Choices) => {
            let items = json!({ "anyOf": titled(choices) });
            let schema = json!({ "type": "array", "title": title, "minItems": 1, "items": items });
            vec![(field.name.clone(), schema)]
        }
        (Takes::Many(choices), Shows::Lists) => choices
            .iter()
            .enumerate()
            .map(|(at, (_, title))| (boxed(&field.name, at), json!({ "type": "boolean", "title": title })))
            .collect(),
    })
}

/// The name of the box for one entry of a list.
fn boxed(field: &str, at: usize) -> String {
    format!("{field}_{:03}", at + 1)
}

/// What a form came back with, with lists that were shown as boxes as lists again.
pub(super) fn values(waiting: &Waiting, sent: Value) -> Value {
    let Value::Object(mut sent) = sent else { return sent };
    for field in &waiting.fields {
        let Takes::Many(choices) = &field.takes else { continue };
        if sent.contains_key(&field.name) {
            continue;
        }
        let mut ticked = Vec::new();
        for (at, (value, _)) in choices.iter().enumerate() {
            if sent.remove(&boxed(&field.name, at)) == Some(Value::Bool(true)) {
                ticked.push(Value::String(value.clone()));
            }
        }
        sent.insert(field.name.clone(), Value::Array(ticked));
    }
    Value::Object(sent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::toolbox::ToolText;

    fn waiting() -> Waiting {
        let choices = vec![("a".to_owned(), "A – why".to_owned()), ("b".to_owned(), "B".to_owned())];
        Waiting {
            handle: "q-1".to_owned(),
            message: "Which?".to_owned(),
            fields: vec![
                Field {
                    name: "one".into(),
                    title: "One".into(),
                    takes: Takes::One(choices.clone()),
                    required: true,
                    initial: None,
                },
                Field {
                    name: "many".into(),
                    title: "Many".into(),
                    takes: Takes::Many(choices),
                    required: true,
                    initial: None,
                },
                Field { name: "also".into(), title: "Also".into(), takes: Takes::Text, required: false, initial: None },
            ],
            within: None,
            given: Value::Null,
            meanwhile: ToolText { text: String::new(), value: Value::Null, failed: false },
        }
    }

    fn shown(shows: Shows) -> Value {
        serde_json::to_value(request(&waiting(), shows).unwrap()).unwrap()
    }

    #[test]
    fn a_client_with_choices_gets_titles_and_lists() {
        let shown = shown(Shows::Choices);
        assert_eq!(shown["message"], "Which?");
        let schema = &shown["requestedSchema"];
        assert_eq!(schema["required"], json!(["one", "many"]));
        assert_eq!(schema["properties"]["one"]["oneOf"][0], json!({ "const": "a", "title": "A – why" }));
        assert_eq!(schema["properties"]["many"]["items"]["anyOf"][1]["const"], "b");
        assert_eq!(schema["properties"]["also"]["type"], "string");
    }

    #[test]
    fn an_older_client_gets_names_and_boxes() {
        let shown = shown(Shows::Lists);
        let properties = &shown["requestedSchema"]["properties"];
        assert_eq!(properties["one"]["enum"], json!(["a", "b"]));
        assert_eq!(properties["one"]["enumNames"], json!(["A – why", "B"]));
        assert_eq!(properties["many_001"]["type"], "boolean");
        assert_eq!(shown["requestedSchema"]["required"], json!(["one"]));
        assert_eq!(request(&waiting(), Shows::Nothing), None);
    }

    #[test]
    fn boxes_come_back_as_a_list() {
        let sent = json!({ "one": "a", "many_001": false, "many_002": true });
        assert_eq!(values(&waiting(), sent), json!({ "one": "a", "many": ["b"] }));
        let sent = json!({ "one": "a", "many": ["a"] });
        assert_eq!(values(&waiting(), sent.clone()), sent);
        assert_eq!(values(&waiting(), json!("garbage")), json!("garbage"));
    }
}
