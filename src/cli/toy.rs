//! `git grill toy`, which exists in tests alone.

use clap::Args;
use serde_json::json;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::reply::{Plain, Reply, Traits};
use crate::domain::text::Line;
use crate::domain::toy::Command;

/// `git grill toy`
#[derive(Args, Debug)]
pub struct Toy {
    /// Wind the bell up for so many rings, instead of ringing it
    #[arg(long)]
    wind: Option<u32>,
}

pub(super) fn toy(context: &mut Context<'_>, args: &Toy) -> Result<Reply, AppError> {
    let session = context.session()?;
    let command = args.wind.map_or(Command::Ring { because: Line::clipped("typed") }, |turns| Command::Wind { turns });
    let turns = context.handle(&session.id, command.into())?.after.own.toy.turns;
    let text = format!("{turns} rings are left");
    Ok(Reply::Plain(Plain { text, fields: vec![("rings", json!(turns))], traits: Traits::SHORT }))
}
