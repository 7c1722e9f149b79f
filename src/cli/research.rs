//! What may be looked at: permission kind by kind (G15), and `git grill research`.

use std::collections::BTreeSet;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::reply::Reply;
use crate::app::research::everything;
use crate::domain::command::Command;
use crate::domain::facts::Inspection;
use crate::domain::settings::{Research, Setting};

use super::interview::happened;
use super::{args, lower};

/// The kinds of inspection as typed; `all` is all of them.
fn parse(allow: &[String]) -> Result<BTreeSet<Inspection>, AppError> {
    let mut allowed = BTreeSet::new();
    for one in allow {
        match one.trim() {
            "all" => allowed.extend(Inspection::ALL),
            name => {
                allowed.insert(name.parse()?);
            }
        }
    }
    Ok(allowed)
}

/// What was allowed on the command line. Only `ask` asks for permission, so anything else leaves nothing to allow.
pub(super) fn typed(research: Research, allow: &[String]) -> Result<BTreeSet<Inspection>, AppError> {
    let allowed = parse(allow)?;
    match research {
        Research::Ask => Ok(allowed),
        Research::Auto | Research::Off if allowed.is_empty() => Ok(allowed),
        Research::Auto | Research::Off => Err(lower::usage(
            format!("--allow belongs to research ask, and this is research {research}"),
            "git grill research ask --allow layout,contents",
        )),
    }
}

/// `git grill research`. Permission that is given is used at once; what was allowed before stays allowed.
pub(super) fn research(context: &mut Context<'_>, args: &args::Research) -> Result<Reply, AppError> {
    let Some(value) = &args.value else {
        let session = context.session()?;
        return Ok(Reply::setting("research", &session.settings.research.to_string()));
    };
    let research: Research = value.parse()?;
    let typed = typed(research, &args.allow)?;
    let session = context.session()?;
    let outcome = context.handle(&session.id, Command::Configure(Setting::Research(research)))?;
    let known = &outcome.after.evidence.inspected;
    // What was looked at before kinds were noted was everything that there was to look at.
    let all = outcome.after.evidence.looked && known.is_empty();
    let allowed: BTreeSet<Inspection> = match research {
        Research::Off => BTreeSet::new(),
        Research::Auto => everything(),
        Research::Ask if !typed.is_empty() => typed,
        Research::Ask if all => BTreeSet::new(),
        Research::Ask => context.ask_permission(known, "changing what is looked at")?,
    };
    let wanted: BTreeSet<Inspection> = known.union(&allowed).copied().collect();
    // Nothing new is allowed, and what questions cite is as it was read: there is nothing to look at again.
    let nothing_new = allowed.is_empty() || all || (wanted == *known && outcome.after.citations.is_empty());
    if nothing_new {
        return Ok(happened(outcome));
    }
    let session = outcome.after.clone();
    Ok(happened(outcome.then(context.look(&session, &wanted)?)))
}
