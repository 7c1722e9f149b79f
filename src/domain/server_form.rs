//! A form of another MCP server, shown through the agent that leads: what it asks for, and what fits into it.

use serde::{Deserialize, Serialize};

/// A form of another server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServerForm {
    /// The server, where the agent names it. Foreign text, as everything in a form.
    pub server: Option<String>,
    /// The text above the fields.
    pub message: String,
    /// Its fields; none asks for a plain yes. Or the reason why it is refused without being shown.
    pub asks: Result<Vec<ServerField>, String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServerField {
    /// Its name in the reply.
    pub name: String,
    /// Its name as it is shown.
    pub title: String,
    pub about: Option<String>,
    /// The values that fit.
    pub input: ServerInput,
    pub required: bool,
    /// The value that the server proposes, as text.
    pub initial: Option<String>,
}

/// The values that fit into a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ServerInput {
    /// Text of so many characters.
    Text {
        least: usize,
        most: usize,
    },
    Number {
        whole: bool,
        least: Option<f64>,
        most: Option<f64>,
    },
    YesNo,
    One(Vec<ServerOption>),
    Many {
        options: Vec<ServerOption>,
        least: usize,
        /// The greatest number of them.
        most: usize,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerOption {
    /// Its value in the reply.
    pub value: String,
    pub label: String,
    /// What the server says of it.
    pub about: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ServerValue {
    /// Text, or the value of one option.
    Text(String),
    /// A number, in JSON's spelling.
    Number(String),
    YesNo(bool),
    /// Values of several options.
    Many(Vec<String>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ServerReply {
    /// The user sent these values, by the names of their fields.
    Sent(Vec<(String, ServerValue)>),
    /// The user declined.
    Declined,
    /// The user closed it, or it could not be shown.
    Closed,
}

impl ServerForm {
    /// Whether these values are what it asks for: values of its fields, each once, that fit, and all that are required.
    pub fn takes(&self, values: &[(String, ServerValue)]) -> bool {
        let Ok(fields) = &self.asks else { return false };
        let fits = |field: &ServerField| {
            let mut given = values.iter().filter(|(name, _)| *name == field.name);
            match (given.next(), given.next()) {
                (None, _) => !field.required,
                (Some((_, value)), None) => field.takes(value),
                (Some(_), Some(_)) => false,
            }
        };
        fields.iter().all(fits) && values.iter().all(|(name, _)| fields.iter().any(|field| field.name == *name))
    }
}

impl ServerField {
    /// Whether a value is one that fits.
    pub fn takes(&self, value: &ServerValue) -> bool {
        match &self.input {
            ServerInput::Text { .. } => matches!(value, ServerValue::Text(text) if self.typed(text).is_ok()),
            ServerInput::Number { .. } => {
                matches!(value, ServerValue::Number(text) if self.typed(text).is_ok_and(|fits| fits == *value))
            }
            ServerInput::YesNo => matches!(value, ServerValue::YesNo(_)),
            ServerInput::One(options) => matches!(value, ServerValue::Text(taken) if is_offered(options, taken)),
            ServerInput::Many { options, least, most } => {
                matches!(value, ServerValue::Many(taken) if (*least..=*most).contains(&taken.len())
                    && taken.iter().all(|taken| is_offered(options, taken)))
            }
        }
    }

    /// The value that a typed text comes to, or what is wrong with it.
    pub fn typed(&self, text: &str) -> Result<ServerValue, String> {
        match &self.input {
            ServerInput::Text { least, most } => match text.chars().count() {
                short if short < *least => Err(format!("{}: at least {least} characters", self.title)),
                long if long > *most => Err(format!("{}: at most {most} characters", self.title)),
                _ => Ok(ServerValue::Text(text.to_owned())),
            },
            ServerInput::Number { whole, least, most } => number(text.trim(), *whole, *least, *most)
                .map(ServerValue::Number)
                .map_err(|why| format!("{}: {why}", self.title)),
            ServerInput::YesNo | ServerInput::One(_) | ServerInput::Many { .. } => {
                Err(format!("{}: it is chosen from a list", self.title))
            }
        }
    }
}

impl ServerValue {
    pub fn as_text(&self) -> String {
        match self {
            Self::Text(text) | Self::Number(text) => text.clone(),
            Self::YesNo(true) => "yes".to_owned(),
            Self::YesNo(false) => "no".to_owned(),
            Self::Many(values) => values.join(", "),
        }
    }
}

fn is_offered(options: &[ServerOption], value: &str) -> bool {
    options.iter().any(|option| option.value == value)
}

fn number(text: &str, whole: bool, least: Option<f64>, most: Option<f64>) -> Result<String, String> {
    let spelled = if whole {
        text.parse::<i64>().map(|number| number.to_string()).map_err(|_| "a whole number".to_owned())?
    } else {
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        number.map(|number| number.to_string()).ok_or_else(|| "a number".to_owned())?
    };
    let value = spelled.parse::<f64>().unwrap_or_default();
    if let Some(least) = least.filter(|least| value < *least) {
        return Err(format!("at least {least}"));
    }
    if let Some(most) = most.filter(|most| value > *most) {
        return Err(format!("at most {most}"));
    }
    Ok(spelled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(input: ServerInput) -> ServerField {
        ServerField { name: "n".to_owned(), title: "N".to_owned(), about: None, input, required: true, initial: None }
    }

    #[test]
    fn only_what_fits_is_a_value() {
        let whole = || ServerInput::Number { whole: true, least: Some(1.0), most: Some(9.0) };
        let any = || ServerInput::Number { whole: false, least: None, most: None };
        for (input, text, expected) in [
            (whole(), " 7 ", Ok("7")),
            (whole(), "7.5", Err("N: a whole number")),
            (whole(), "0", Err("N: at least 1")),
            (whole(), "10", Err("N: at most 9")),
            (whole(), "", Err("N: a whole number")),
            (any(), "1e3", Ok("1000")),
            (any(), "-0.5", Ok("-0.5")),
            (any(), "NaN", Err("N: a number")),
            (any(), "inf", Err("N: a number")),
            (ServerInput::Text { least: 2, most: 3 }, "ä", Err("N: at least 2 characters")),
            (ServerInput::Text { least: 2, most: 3 }, "äöü", Ok("äöü")),
            (ServerInput::Text { least: 2, most: 3 }, "äöüß", Err("N: at most 3 characters")),
            (ServerInput::YesNo, "yes", Err("N: it is chosen from a list")),
        ] {
            let value = field(input).typed(text).map(|value| value.as_text());
            assert_eq!(value.as_deref().map_err(String::as_str), expected, "{text}");
        }
    }

    #[test]
    fn a36_only_what_was_offered_fits_into_a_form() {
        let options = || {
            ["a", "b"].map(|value| ServerOption { value: value.to_owned(), label: String::new(), about: None }).to_vec()
        };
        let named = |name: &str, required: bool, input: ServerInput| ServerField {
            name: name.to_owned(),
            required,
            ..field(input)
        };
        let asks = vec![
            named("text", true, ServerInput::Text { least: 1, most: 3 }),
            named("number", false, ServerInput::Number { whole: true, least: Some(1.0), most: None }),
            named("one", false, ServerInput::One(options())),
            named("many", false, ServerInput::Many { options: options(), least: 1, most: 2 }),
            named("yes", false, ServerInput::YesNo),
        ];
        let form = ServerForm { server: None, message: String::new(), asks: Ok(asks) };
        let text = |value: &str| ServerValue::Text(value.to_owned());
        let number = |value: &str| ServerValue::Number(value.to_owned());
        let many = |values: &[&str]| ServerValue::Many(values.iter().map(|value| (*value).to_owned()).collect());
        let value = |name: &str, value: ServerValue| (name.to_owned(), value);
        let with = |more: Option<(String, ServerValue)>| {
            let values: Vec<_> = [value("text", text("x"))].into_iter().chain(more).collect();
            form.takes(&values)
        };
        assert!(with(None) && !form.takes(&[]), "the one that is required");
        for (name, fits, other) in [
            ("number", number("7"), number("0")),
            ("number", number("8"), number("7.5")),
            ("number", number("9"), text("9")),
            ("one", text("b"), text("c")),
            ("many", many(&["a", "b"]), many(&["a", "c"])),
            ("many", many(&["a"]), many(&[])),
            ("many", many(&["b"]), many(&["a", "b", "a"])),
            ("yes", ServerValue::YesNo(false), text("yes")),
        ] {
            assert!(with(Some(value(name, fits.clone()))), "{name}: {fits:?}");
            assert!(!with(Some(value(name, other.clone()))), "{name}: {other:?}");
        }
        assert!(!form.takes(&[value("text", text("long"))]));
        assert!(!with(Some(value("text", text("y")))), "one of them twice");
        assert!(!with(Some(value("more", text("y")))), "none of its fields");
        let refused = ServerForm { asks: Err("why".to_owned()), ..form };
        assert!(!refused.takes(&[]));
    }
}
