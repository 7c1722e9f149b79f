//! Reviewing a plan before it is approved: notes on its steps, from the editor or from the command line (P23).

use crate::domain::command::Command;
use crate::domain::plan::notes::{self, Notes};
use crate::domain::plan::{self, Steps};
use crate::domain::session::Session;

use super::super::context::{Context, Subject};
use super::super::error::AppError;
use super::super::reply::Reply;
use super::super::revising::kept;
use super::{allowed, told};

/// Where the notes of a review come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Review {
    Editor,
    /// The command line: step numbers, each with a note. Notes on other steps are kept.
    Notes(Vec<(u32, String)>),
    /// Nowhere: the notes are withdrawn.
    Drop,
}

/// Records a person's notes on the steps of the plan; the agent gets them before the plan can be executed.
pub fn review(context: &mut Context<'_>, review: Review) -> Result<Reply, AppError> {
    let session = context.session()?;
    let plan = &session.own.plan;
    let shown = plan.plan().ok_or(plan::Refusal::NoPlan)?;
    match review {
        Review::Editor => edit(context, &session, shown),
        Review::Notes(given) => record(context, &session, shown, Notes::with(plan, given)?),
        Review::Drop => record(context, &session, shown, Notes::default()),
    }
}

fn edit(context: &mut Context<'_>, session: &Session, shown: Steps) -> Result<Reply, AppError> {
    // If the rules refuse any note, the person does not write one first.
    let plan = &session.own.plan;
    allowed(context, session, &command(shown.clone(), Notes::with(plan, Vec::new())?))?;
    context.need_person("reviewing the plan", "git grill plan review --note \"2: <what you have to say>\"")?;
    let subject = Subject { what: "the plan with its notes".to_owned(), ending: "-review.md".to_owned() };
    let sheet = context.editor.edit(&subject, &notes::sheet(plan))?;
    if sheet.trim().is_empty() {
        context.editor.forget(&subject);
        return Err(AppError::Cancelled("reviewing the plan"));
    }
    let reply = notes::read(plan, &sheet)
        .map_err(AppError::from)
        .and_then(|notes| record(context, session, shown, notes))
        .map_err(|error| kept(context, &subject, &sheet, error))?;
    context.editor.forget(&subject);
    Ok(reply)
}

fn record(context: &mut Context<'_>, session: &Session, shown: Steps, notes: Notes) -> Result<Reply, AppError> {
    let same = if notes.list().is_empty() {
        "there is no note; git grill plan execute approves the plan"
    } else {
        "these notes are recorded already"
    };
    told(context, session, command(shown, notes), same)
}

fn command(shown: Steps, notes: Notes) -> Command {
    plan::Command::Review { shown, notes }.into()
}
