//! The reply to an update of the checkpoint: what is wrong with it comes first.

use crate::domain::checkpoint::Checkpoint;
use crate::domain::harmless::harmless;
use crate::domain::session::Session;
use crate::domain::settings::Interviewer;
use crate::domain::text::Line;
use crate::interviewer::{self, Judged, not_there, taken_off};

use super::super::context::Context;

/// The most places that are named.
const MOST: usize = 6;

/// The first words of the reply, and what the rules see. An update with faults is recorded, and is not called up to date.
/// `before` is the text that it replaced.
pub(super) fn judgement(
    context: &Context<'_>,
    session: &Session,
    before: &Checkpoint,
    summary: &Line,
) -> (String, Vec<String>) {
    if session.settings.interviewer == Interviewer::BuiltIn {
        return (format!("The checkpoint is up to date: {summary}"), Vec::new());
    }
    let judged = interviewer::judged(session);
    let seen = remarked(context, session, before, &judged);
    let answers = match judged.dropped {
        0 if seen.is_empty() => return (format!("The checkpoint is up to date: {summary}"), seen),
        0 => return (format!("The checkpoint is saved: {summary}. It has faults, which the rules list."), seen),
        1 => "1 answer that holds".to_owned(),
        more => format!("{more} answers that hold"),
    };
    let lines = judged.lines.join("\n- ");
    let text = format!(
        "The checkpoint leaves out {answers}:\n- {lines}\nThe rules compare words: update it again, with words of those \
         answers or of their questions. It is saved as it is: {summary}"
    );
    (text, seen)
}

/// What it says otherwise or without an answer, what it no longer asks, and places that are not there.
fn remarked(context: &Context<'_>, session: &Session, before: &Checkpoint, judged: &Judged) -> Vec<String> {
    let mut lines = judged.others.clone();
    lines.extend(taken_off(before, session).iter().map(|line| harmless(line).into_owned()));
    let absent = context.scout.recheck(&session.cited_by_the_checkpoint());
    let told =
        absent.iter().take(MOST).map(|one| format!("the checkpoint cites {}, and {}", one.at, not_there(&one.fate)));
    lines.extend(told.map(|line| harmless(&line).into_owned()));
    if absent.len() > MOST {
        lines.push(format!("and {} more places that are not there", absent.len() - MOST));
    }
    lines
}
