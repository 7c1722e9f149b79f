//! Whether a form asks for a secret (A18): what is answered here is recorded. Its texts are read as the server sent them, in
//! the letters that a reader takes them for: neither an invisible character nor a letter of another script hides a word.

use serde_json::Value;

use crate::domain::harmless::as_read;
use crate::domain::server_form::{ServerField, ServerInput};

/// Words for secrets: a field that has one of them in its name, title or description is never shown.
const SECRETS: &[&str] = &[
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "passcode",
    "secret",
    "secrets",
    "token",
    "credential",
    "credentials",
    "apikey",
    "pin",
    "otp",
    "cvv",
    "cvc",
    "ssn",
];
/// The same in two words; these say it wherever they stand.
const SECRET_PAIRS: &[&str] = &[
    "api key",
    "private key",
    "secret key",
    "access key",
    "access token",
    "card number",
    "credit card",
    "recovery code",
    "pass word",
    "pass words",
    "pass phrase",
    "pass code",
];
/// The words that say it in a message too, in what is proposed, and in a list beside a field for text.
const SECRETS_IN_A_MESSAGE: &[&str] = &["password", "passwords", "passphrase", "credentials", "apikey"];

/// Where a property has the texts of its options.
const LISTED: [&str; 5] = ["oneOf", "anyOf", "enum", "enumNames", "items"];

/// The word by which a form asks for a secret; `fields` are those that the schema was read as.
pub(super) fn secret(message: &str, schema: &Value, fields: &[ServerField]) -> Option<&'static str> {
    let properties = schema.get("properties").and_then(Value::as_object);
    // A list alone asks for nothing that its server does not know.
    let takes_text = |field: &ServerField| matches!(field.input, ServerInput::Text { .. } | ServerInput::Number { .. });
    let listed = fields.iter().any(takes_text);
    let field = |(name, property): (&String, &Value)| in_field(name, property, listed);
    named(message, SECRETS_IN_A_MESSAGE).or_else(|| properties.into_iter().flatten().find_map(field))
}

fn in_field(name: &str, property: &Value, listed: bool) -> Option<&'static str> {
    let text = |name: &str| property.get(name).and_then(Value::as_str);
    let about = ["title", "description", "format", "pattern"].into_iter().filter_map(text);
    let mut said: Vec<&str> = text("default").into_iter().collect();
    if listed {
        LISTED.iter().filter_map(|name| property.get(name)).for_each(|listed| texts(listed, &mut said));
    }
    let said = || said.into_iter().find_map(|text| named(text, SECRETS_IN_A_MESSAGE));
    std::iter::once(name).chain(about).find_map(|text| named(text, SECRETS)).or_else(said)
}

/// Every text in a value.
fn texts<'v>(value: &'v Value, into: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(values) => values.iter().for_each(|value| texts(value, into)),
        Value::Object(values) => values.values().for_each(|value| texts(value, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The one of `words`, or of the pairs, that a text has.
fn named(text: &str, words: &'static [&'static str]) -> Option<&'static str> {
    // What nobody sees may part a word, or two of them; some write digits for letters.
    let whole = as_read(text, "");
    let readings = [spaced(&with_letters(&whole)), spaced(&whole), spaced(&as_read(text, " "))];
    readings.iter().find_map(|text| {
        let spelled = spelled(text);
        let has = |word: &&&str| text.split(' ').any(|one| one == **word) || spelled.iter().any(|one| one == **word);
        let pair = |pair: &&&str| format!(" {text} ").contains(&format!(" {pair} "));
        words.iter().find(has).or_else(|| SECRET_PAIRS.iter().find(pair)).copied()
    })
}

/// A text with the letters for which some write digits and signs.
fn with_letters(text: &str) -> String {
    let letter = |character| match character {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        other => other,
    };
    text.chars().map(letter).collect()
}

/// The words that are spelled letter by letter, as in `p-i-n`.
fn spelled(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut being = String::new();
    for word in text.split(' ') {
        let mut characters = word.chars();
        match characters.next().filter(|_| characters.next().is_none()) {
            Some(only) => being.push(only),
            None => words.push(std::mem::take(&mut being)),
        }
    }
    words.push(being);
    words
}

/// The words of a text in lower case with one blank between them; `apiKey` and `api_key` are two words.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + 8);
    let mut before_lower = false;
    for character in text.chars() {
        if (character.is_uppercase() && before_lower) || !character.is_alphanumeric() {
            spaced.push(' ');
        }
        if character.is_alphanumeric() {
            spaced.extend(character.to_lowercase());
        }
        before_lower = character.is_lowercase();
    }
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn field(name: &str, property: &Value) -> Option<&'static str> {
        in_field(name, property, true)
    }

    #[test]
    fn a18_no_spelling_hides_a_word_for_a_secret() {
        for text in [
            "pass\u{200b}word",
            "pass\u{2060}word",
            "pa\u{ad}ss\u{200d}word",
            "pass\u{1b}word",
            "my\u{200b}pin",
            "ｐａｓｓｗｏｒｄ",
            "раѕѕwоrd",
            "p@ssw0rd",
            "p-a-s-s-w-o-r-d",
            "Your P I N, please",
            "pass word",
            "passWord",
            "API\u{3000}key",
        ] {
            assert!(named(text, SECRETS).is_some(), "{text:?}");
        }
        for text in ["Opinion", "spin", "max_tokens", "Passing words on", "keyboard", "a p i", "", "П і н", "plan B, C"]
        {
            assert_eq!(named(text, SECRETS), None, "{text:?}");
        }
    }

    #[test]
    fn a18_a_secret_is_asked_for_by_a_name_a_text_or_a_list_beside_a_field() {
        let hidden = "pass\u{200b}word";
        for property in [
            json!({"type": "string", "title": hidden}),
            json!({"type": "string", "description": hidden}),
            json!({"type": "string", "format": hidden}),
            json!({"type": "string", "default": hidden}),
            json!({"type": "string", "enum": ["a", hidden]}),
            json!({"type": "string", "enum": ["a"], "enumNames": [hidden]}),
            json!({"type": "string", "oneOf": [{"const": "a", "title": hidden}]}),
            json!({"type": "array", "items": {"anyOf": [{"const": "a", "description": hidden}]}}),
        ] {
            assert_eq!(field("x", &property), Some("password"), "{property}");
        }
        assert_eq!(field(hidden, &json!({"type": "string"})), Some("password"));
        let list = json!({"properties": {"how": {"type": "string", "enum": ["password", "key"]}}});
        assert_eq!(secret("How do you log in?", &list, &[]), None, "its server knows all of it");
    }
}
