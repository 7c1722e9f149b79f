//! The UI methods: their parameters become a checked [`Call`], or an error that names the mistake (P1, P2, P18).

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::ended::shown;
use crate::domain::ui::{BadCall, Call, ConfirmParams, FormParams, Kind, ListParams, NotifyParams};

pub(super) enum NoCall {
    UnknownMethod,
    Bad(String),
}

impl From<BadCall> for NoCall {
    fn from(bad: BadCall) -> Self {
        Self::Bad(bad.to_string())
    }
}

pub(super) fn call(method: &str, params: Value) -> Result<Call, NoCall> {
    Ok(match method {
        "ui.select" => read::<ListParams>(params)?.check(Kind::One)?,
        "ui.multi_select" => read::<ListParams>(params)?.check(Kind::Many)?,
        "ui.form" => read::<FormParams>(params)?.check()?,
        "ui.confirm" => read::<ConfirmParams>(params)?.check()?,
        "ui.notify" => read::<NotifyParams>(params)?.check()?,
        _ => return Err(NoCall::UnknownMethod),
    })
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, NoCall> {
    if let Some(what) = positional(&params, "the parameters") {
        return Err(NoCall::Bad(format!("{what} must be an object")));
    }
    serde_json::from_value(params).map_err(|error| NoCall::Bad(shown(&error.to_string())))
}

/// The part that should be an object and is not. serde would read a list as the fields in order, which no version
/// promises.
fn positional(value: &Value, what: &'static str) -> Option<&'static str> {
    let Value::Object(object) = value else { return Some(what) };
    let below = [("questions", "each question"), ("options", "each option")].into_iter();
    below
        .flat_map(|(key, each)| {
            object.get(key).and_then(Value::as_array).into_iter().flatten().map(move |one| (one, each))
        })
        .find_map(|(one, each)| positional(one, each))
}
