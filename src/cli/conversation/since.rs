//! What an agent recorded while it was waited for, as the person has to know it: answers of theirs that it replaced, what it
//! made of a discussion, the output selection that it opened, and the checkpoint.

use std::fmt::Write as _;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::reply::{Outcome, Reply};
use crate::domain::actor::Actor;
use crate::domain::harmless::harmless;
use crate::domain::session::{Phase, Session};

/// Shows it; the session as it is now.
pub(super) fn show(context: &mut Context<'_>, before: &Session, agent: &str) -> Result<Session, AppError> {
    let now = context.dispatcher.store.load(&before.id)?.session;
    let told = replaced(before, &now, agent) + &summed_up(before, &now, agent);
    if !told.is_empty() {
        context.voice.say(&Reply::Text(harmless(told.trim_end()).into_owned()))?;
    }
    if now.checkpoint != before.checkpoint {
        context.voice.say(&Reply::CheckpointDiff {
            from: "checkpoint (before)".to_owned(),
            old: before.checkpoint.clone(),
            to: "checkpoint (after)".to_owned(),
            new: now.checkpoint.clone(),
            in_passing: true,
        })?;
    }
    // Whoever decides there has to see why it was opened, and what the rules see.
    if matches!(now.phase, Phase::Selection(_)) && now.phase != before.phase {
        context.voice.say(&Reply::Happened(Box::new(Outcome::nothing(now.clone()))))?;
    }
    Ok(now)
}

/// The answers of the person in whose place the agent put others meanwhile.
fn replaced(before: &Session, now: &Session, agent: &str) -> String {
    let mut text = String::new();
    for asked in &now.transcript.asked {
        let known = before.transcript.get(&asked.question.id).and_then(|was| was.answer()).map(|answer| &answer.id);
        if let Some(answer) = asked.replaced_by_report().filter(|answer| known != Some(&answer.id)) {
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "! {agent} replaced your answer to question {}: {}\n  /back {} brings the question back",
                asked.number, answer.text, asked.number
            );
        }
    }
    text
}

/// What the agent says that a discussion came to.
fn summed_up(before: &Session, now: &Session, agent: &str) -> String {
    let mut text = String::new();
    for discussed in now.discussions.iter().skip(before.discussions.len()) {
        if !matches!(discussed.by, Actor::Agent(_)) {
            continue;
        }
        let _ = writeln!(text, "{agent} summed the discussion up: {}", discussed.summary);
        if let Some(asked) = discussed.about.as_ref().and_then(|about| now.transcript.get(about))
            && asked.answer().is_some()
        {
            let _ = writeln!(text, "  that answers question {}; /back {} brings it back", asked.number, asked.number);
        }
    }
    text
}
