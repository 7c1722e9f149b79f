//! The verbs that print or change a setting (G20, G21).

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::reply::Reply;
use crate::domain::command::Command;
use crate::domain::session::Session;
use crate::domain::settings::{Destination, Setting, destinations};

use super::interview::happened;

pub(super) fn intensity(context: &mut Context<'_>, value: Option<&str>) -> Result<Reply, AppError> {
    let Some(value) = value else {
        let session = context.session()?;
        return Ok(Reply::setting("intensity", &session.settings.intensity.to_string()));
    };
    change(context, Setting::Intensity(value.parse()?))
}

pub(super) fn intent(context: &mut Context<'_>, value: Option<&str>) -> Result<Reply, AppError> {
    let Some(value) = value else {
        let session = context.session()?;
        return Ok(Reply::setting("intent", &session.settings.intent.to_string()));
    };
    change(context, Setting::Intent(value.parse()?))
}

pub(super) fn output(context: &mut Context<'_>, outputs: &[String]) -> Result<Reply, AppError> {
    if outputs.is_empty() {
        let session = context.session()?;
        return Ok(Reply::setting("output", &preference(&session)));
    }
    change(context, Setting::OutputPreference(parse_outputs(outputs)?))
}

/// Outputs as typed, comma-separated or repeated; `none` is the empty list.
pub(super) fn parse_outputs(outputs: &[String]) -> Result<Vec<Destination>, AppError> {
    if outputs.len() == 1 && outputs[0] == "none" {
        return Ok(Vec::new());
    }
    Ok(destinations(&outputs.join(","))?)
}

fn preference(session: &Session) -> String {
    let names: Vec<String> = session.settings.output_preference.iter().map(ToString::to_string).collect();
    if names.is_empty() { "(none set)".to_owned() } else { names.join(",") }
}

fn change(context: &mut Context<'_>, setting: Setting) -> Result<Reply, AppError> {
    let session = context.session()?;
    context.handle(&session.id, Command::Configure(setting)).map(happened)
}
