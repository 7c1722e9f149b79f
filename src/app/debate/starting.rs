//! The beginning of a debate (D2, D4, D19, D26): the dossier is shown and approved, and the roles are given out.

use std::collections::BTreeSet;

use crate::app::beginning::{self, Doubt};
use crate::app::context::Context;
use crate::app::error::{AppError, not_answered};
use crate::app::reply::Reply;
use crate::domain::actor::Actor;
use crate::domain::debate::course::{Ending, Settlement};
use crate::domain::debate::role::Player;
use crate::domain::debate::{self, Dossier, LARGEST_TEXT, Opened, Players, part, rounds};
use crate::domain::decide::may_approve;
use crate::domain::harmless::harmless;
use crate::domain::outline::Outline;
use crate::domain::session::Session;
use crate::domain::settings::Approval;
use crate::domain::text::{Line, Topic};

use super::playing::no_agent;

const DEED: &str = "beginning a debate";

/// Who is to play which role, as it was typed; what is left out stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Casting {
    pub proposer: Option<String>,
    pub advocate: Option<String>,
    pub synthesizer: Option<String>,
}

impl Casting {
    pub(super) fn over(&self, players: &Players) -> Result<Players, AppError> {
        let player = |typed: &Option<String>, before: &Player| match typed {
            None => Ok(before.clone()),
            Some(typed) => match Player::parse(typed) {
                Ok(Player::Agent(_)) => Err(no_agent()),
                Ok(player) => Ok(player),
                Err(none) => Err(debate::Refusal::NoPlayer(none).into()),
            },
        };
        Ok(Players {
            proposer: player(&self.proposer, &players.proposer)?,
            devils_advocate: player(&self.advocate, &players.devils_advocate)?,
            synthesizer: player(&self.synthesizer, &players.synthesizer)?,
        })
    }
}

/// What a debate is to begin with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// A file; without one it is the checkpoint.
    pub dossier: Option<String>,
    pub rounds: Option<u32>,
    pub casting: Casting,
    /// A file with constraints that an attack looks at as well.
    pub constitution: Option<String>,
}

/// Begins a debate. Without a session one begins.
pub fn start(context: &mut Context<'_>, wanted: &Wanted) -> Result<Reply, AppError> {
    let session = match context.session() {
        Ok(session) => Some(session),
        Err(AppError::NoSession) => None,
        Err(other) => return Err(other),
    };
    if let Some((number, _)) = session.as_ref().and_then(|session| session.own.debate.open()) {
        return Err(debate::Refusal::GoesOn { number }.into());
    }
    let players = wanted.casting.over(&Players::ME)?;
    let most = wanted.rounds.unwrap_or(rounds::DEFAULT);
    rounds::Rounds::bounded(most).map_err(|limit| debate::Refusal::Limited { deed: "no debate was begun", limit })?;
    let (from, dossier) = dossier(context, session.as_ref(), wanted.dossier.as_deref())?;
    let constraints = match &wanted.constitution {
        Some(file) => read(context, file)?,
        None => String::new(),
    };
    let name = name(&dossier, session.as_ref(), &from);
    approved(context, session.as_ref(), &dossier)?;
    let (session, begun) = if let Some(session) = session {
        (session, None)
    } else {
        let begun = begin(context, &name)?;
        (context.session()?, Some(begun))
    };
    let opened = Opened {
        number: 0,
        again: again(&session, &dossier),
        name,
        from,
        most,
        players,
        constitution: wanted.constitution.as_deref().map(Line::clipped),
        dossier,
        constraints,
    };
    let outcome = context.handle(&session.id, debate::Command::Start(Box::new(opened)).into())?;
    match begun {
        Some(mut begun) => {
            if let Reply::Arrived { outcome: arrived, .. } = &mut begun {
                **arrived = arrived.as_ref().clone().then(outcome);
            }
            Ok(begun)
        }
        None => Ok(Reply::Happened(Box::new(outcome))),
    }
}

fn dossier(
    context: &Context<'_>,
    session: Option<&Session>,
    file: Option<&str>,
) -> Result<(Dossier, String), AppError> {
    match (file, session) {
        (Some(file), _) => Ok((Dossier::File { path: Line::parse("the path", file)? }, read(context, file)?)),
        (None, Some(session)) => Ok((Dossier::Checkpoint, session.checkpoint.as_str().to_owned())),
        (None, None) => Err(debate::Refusal::NoDossier.into()),
    }
}

fn read(context: &Context<'_>, file: &str) -> Result<String, AppError> {
    context.elsewhere.read_regular(file, LARGEST_TEXT as u64, "git grill debate start --dossier <file>")
}

/// The first heading of a file, or the topic of the session.
fn name(dossier: &str, session: Option<&Session>, from: &Dossier) -> Line {
    let outline = Outline::parse(dossier);
    let heading = outline.sections.iter().map(|section| section.title().trim()).find(|title| !title.is_empty());
    match (from, session) {
        (Dossier::Checkpoint, Some(session)) => Line::clipped(session.topic.as_str()),
        (Dossier::File { path }, _) => Line::clipped(heading.unwrap_or(path.as_str())),
        (Dossier::Checkpoint, None) => Line::clipped(heading.unwrap_or("the checkpoint")),
    }
}

/// The user is shown what is debated, and says so (D4, D26).
fn approved(context: &mut Context<'_>, session: Option<&Session>, dossier: &str) -> Result<(), AppError> {
    if dossier.trim().is_empty() {
        return Err(debate::Refusal::NoDossier.into());
    }
    let may = match session {
        Some(session) => may_approve(session, &context.actor),
        None => context.actor == Actor::Unattended && context.defaults.approval != Approval::Person,
    };
    if context.can_ask().is_err() && may {
        return Ok(());
    }
    context.need_person(DEED, "git grill debate start, at a terminal")?;
    context.voice.say(&Reply::Text(harmless(dossier.trim_end()).into_owned()))?;
    let question = "Is this what is to be debated?";
    let yes = context.prompter.confirm(question).answered().map_err(not_answered(DEED))?;
    if yes { Ok(()) } else { Err(AppError::Cancelled(DEED)) }
}

fn begin(context: &mut Context<'_>, name: &Line) -> Result<Reply, AppError> {
    let wanted = beginning::Wanted {
        topic: Some(Topic::parse(name.as_str())?),
        settings: context.defaults.clone(),
        allowed: BTreeSet::new(),
        fencing: context.fencing,
        reported: None,
    };
    beginning::begin(context, wanted, Doubt::Refuses)
}

/// The debate over the same dossier that was killed, or rejected, last (D23).
fn again(session: &Session, dossier: &str) -> Option<u32> {
    let (number, before) = session.own.debate.newest()?;
    let is_over = matches!(before.ending(), Some(Ending::Killed | Ending::Limit(Settlement::Restarted)));
    (is_over && session.own.debate.text(&part::dossier(number)) == Some(dossier)).then_some(number)
}
