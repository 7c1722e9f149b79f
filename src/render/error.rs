//! Errors in git's manner: what did not happen, why, and a command to type.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::error::AppError;

use super::harmless;
use super::palette::Look;

pub fn error_text(error: &AppError, look: &Look) -> String {
    // A person who said no, or broke off, made no error.
    if matches!(
        error,
        AppError::Cancelled(_)
            | AppError::PutOff
            | AppError::Stopped(_)
            | AppError::Interrupted
            | AppError::InterruptedWith(_)
    ) {
        return format!("{}\n", harmless(&error.to_string()));
    }
    lines(&look.error("error:"), error, look)
}

/// An error that did not stop the request, as lines for people.
pub fn warning_text(error: &AppError, look: &Look) -> String {
    lines(&look.warning("warning:"), error, look)
}

fn lines(label: &str, error: &AppError, look: &Look) -> String {
    let mut text = format!("{label} {}\n", harmless(&error.to_string()));
    for cause in error.causes() {
        let _ = writeln!(text, "{} {}", look.error("caused by:"), harmless(&cause));
    }
    if let Some(hint) = error.hint() {
        let _ = writeln!(text, "{} {}", look.warning("hint:"), harmless(&hint));
    }
    text
}

/// An error as one object for an agent: what to do stands first.
pub fn agent_error_json(error: &AppError, todo: &str, example: Option<&str>) -> Value {
    let mut value = error_json(error);
    value["do"] = json!(todo);
    value["error"]["hint"] = json!(todo);
    if let Some(example) = example {
        value["error"]["example"] = json!(example);
    }
    value
}

pub fn error_json(error: &AppError) -> Value {
    json!({
        "error": {
            "code": error.code(),
            "message": error.to_string(),
            "causes": error.causes(),
            "hint": error.hint(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::palette::{Asked, Links};
    use super::*;

    #[test]
    fn g30_the_persons_own_no_or_interrupt_is_told_and_is_no_error() {
        let look = Look { colours: false, terminal: true, asked: Asked::InText, links: Links::Spelled };
        let told = error_text(&AppError::Cancelled("starting"), &look);
        assert_eq!(told, "starting was cancelled, and nothing changed\n");
        assert_eq!(error_text(&AppError::Interrupted, &look), "interrupted\n");
        let told = error_text(&AppError::InterruptedWith("git grill next goes on".into()), &look);
        assert_eq!(told, "interrupted; git grill next goes on\n");
    }
}
