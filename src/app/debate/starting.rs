//! The beginning of a debate (D2, D4, D19, D26): the dossier is shown and approved, and the roles are given out.

use std::collections::BTreeSet;

use crate::app::beginning::{self, Doubt};
use crate::app::context::Context;
use crate::app::error::{AppError, not_answered};
use crate::app::ports::{Supervising, Walls};
use crate::app::prompt::Choice;
use crate::app::reply::Reply;
use crate::domain::actor::Actor;
use crate::domain::debate::dossier::{decisions, of_decision, of_question};
use crate::domain::debate::role::Player;
use crate::domain::debate::sentence::without_origin;
use crate::domain::debate::{self, Dossier, LARGEST_TEXT, Opened, Players, part, rounds};
use crate::domain::decide::may_approve;
use crate::domain::harmless::{harmless, on_one_line};
use crate::domain::outline::Outline;
use crate::domain::session::Session;
use crate::domain::settings::Approval;
use crate::domain::text::{Line, Topic};

use super::playing::PROFILE;
use crate::app::supervising::answering;

const DEED: &str = "beginning a debate";
/// So many decisions are offered, the first ones of the checkpoint.
const MOST_DECISIONS: usize = 12;

/// Who is to play which role, as it was typed; what is left out stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Casting {
    pub proposer: Option<String>,
    pub advocate: Option<String>,
    pub synthesizer: Option<String>,
    /// Who answers in the user's place; `me` is nobody (D20).
    pub proxy: Option<String>,
    /// Whether the caller says that the providers of agents may be used (A11).
    pub confirmed: bool,
}

impl Casting {
    pub(super) fn over(&self, players: &Players) -> Result<Players, AppError> {
        let player = |typed: &Option<String>, before: &Player| match typed {
            None => Ok(before.clone()),
            Some(typed) => Player::parse(typed).map_err(debate::Refusal::NoPlayer),
        };
        let proxy = match &self.proxy {
            None => players.proxy.clone(),
            Some(_) => Some(player(&self.proxy, &Player::Me)?).filter(|proxy| *proxy != Player::Me),
        };
        Ok(Players {
            proposer: player(&self.proposer, &players.proposer)?,
            devils_advocate: player(&self.advocate, &players.devils_advocate)?,
            synthesizer: player(&self.synthesizer, &players.synthesizer)?,
            proxy,
        })
    }

    /// Asks the person about each agent among these players, once for the whole debate, unless they agreed for good (A11).
    pub(super) fn agreed(&self, context: &mut Context<'_>, players: &Players) -> Result<(), AppError> {
        let agents = players.all().filter_map(|player| match player {
            Player::Agent(name) => Some(name.as_str()),
            Player::Command(_) | Player::File(_) | Player::Host | Player::Me => None,
        });
        if players.all().any(|player| matches!(player, Player::Command(_)))
            && let Some(Walls::Missing(why)) = context.supervising.map(Supervising::walls)
        {
            context.voice.warn(&AppError::Declined {
                code: "no_walls",
                message: "the command of a role can change any of your files: this machine has no sandbox".to_owned(),
                causes: vec![why],
                hint: "git grill doctor says what is missing".to_owned(),
            });
        }
        for agent in agents.collect::<BTreeSet<&str>>() {
            answering::agree(context, agent, PROFILE, self.confirmed)?;
        }
        Ok(())
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
    if let Some(session) = &session {
        debate::may_begin(session)?;
    }
    let players = wanted.casting.over(&Players::ME)?;
    let most = wanted.rounds.unwrap_or(rounds::DEFAULT);
    rounds::Rounds::bounded(most).map_err(|limit| debate::Refusal::Limited { deed: "no debate was begun", limit })?;
    let (from, dossier) = dossier(context, session.as_ref(), wanted.dossier.as_deref())?;
    let constraints = match &wanted.constitution {
        Some(file) => read(context, "--constitution", file)?,
        None => String::new(),
    };
    let name = name(&dossier, session.as_ref(), &from);
    approved(context, session.as_ref(), &players, &dossier)?;
    wanted.casting.agreed(context, &players)?;
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
    context: &mut Context<'_>,
    session: Option<&Session>,
    file: Option<&str>,
) -> Result<(Dossier, String), AppError> {
    match (file, session) {
        (None, Some(session)) if context.can_ask().is_ok() => chosen(context, session),
        (Some(file), _) => {
            Ok((Dossier::File { path: Line::parse("the path", file)? }, read(context, "--dossier", file)?))
        }
        (None, Some(session)) => Ok((Dossier::Checkpoint, session.checkpoint.as_str().to_owned())),
        (None, None) => Err(debate::Refusal::NothingToDebate.into()),
    }
}

/// What of the interview is debated: the open question, one decision, or all of it.
fn chosen(context: &mut Context<'_>, session: &Session) -> Result<(Dossier, String), AppError> {
    let checkpoint = session.checkpoint.as_str();
    let mut all: Vec<(Choice, Dossier, String)> = Vec::new();
    if let Some(asked) = session.open_question() {
        let question = &asked.question;
        let label = on_one_line(question.text.first_line());
        let choice = Choice::of("question", &label, "the question that is open; it waits for the debate's end");
        all.push((choice, Dossier::Question { question: question.id.clone() }, of_question(question, checkpoint)));
    }
    for decision in decisions(checkpoint).into_iter().take(MOST_DECISIONS) {
        let choice = Choice::of("decision", &on_one_line(decision.as_str()), "a decision of the checkpoint");
        let text = of_decision(&decision, checkpoint);
        all.push((choice, Dossier::Decision { decision }, text));
    }
    if let Some((number, debate)) = session.own.debate.newest()
        && let Some(text) = session.own.debate.text(&part::dossier(number))
        && debate.is_to_be_begun_again()
    {
        let name = on_one_line(debate.name.as_str());
        let choice =
            Choice::of("again", &format!("Debate {number} again: {name}"), "the same dossier, from the beginning");
        all.insert(0, (choice, debate.dossier.clone(), text.to_owned()));
    }
    if all.is_empty() {
        return Ok((Dossier::Checkpoint, checkpoint.to_owned()));
    }
    let whole = Choice::of("checkpoint", "The checkpoint as a whole", "all that is understood so far");
    all.push((whole, Dossier::Checkpoint, checkpoint.to_owned()));
    let choices: Vec<Choice> = all.iter().map(|(choice, ..)| choice.clone()).collect();
    let chosen = context.prompter.choose("What is to be debated?", &choices).answered().map_err(not_answered(DEED))?;
    let (_, from, text) = all.swap_remove(chosen.min(choices.len() - 1));
    Ok((from, text))
}

/// A file that an option names.
fn read(context: &Context<'_>, option: &str, file: &str) -> Result<String, AppError> {
    context.elsewhere.read_regular(file, LARGEST_TEXT as u64, &format!("git grill debate start {option} <file>"))
}

/// The first heading of a file, or the topic of the session.
fn name(dossier: &str, session: Option<&Session>, from: &Dossier) -> Line {
    let outline = Outline::parse(dossier);
    let heading = outline.sections.iter().map(|section| section.title().trim()).find(|title| !title.is_empty());
    match (from, session) {
        (Dossier::Checkpoint, Some(session)) => Line::clipped(session.topic.as_str()),
        (Dossier::File { path }, _) => Line::clipped(heading.unwrap_or(path.as_str())),
        (Dossier::Checkpoint, None) => Line::clipped(heading.unwrap_or("the checkpoint")),
        (Dossier::Question { .. }, _) => Line::clipped(heading.unwrap_or("a question")),
        // Which debate it came from is no part of what is debated.
        (Dossier::Decision { decision }, _) => Line::clipped(without_origin(decision.as_str())),
    }
}

/// The user is shown what is debated, and says so (D4, D26).
fn approved(
    context: &mut Context<'_>,
    session: Option<&Session>,
    players: &Players,
    dossier: &str,
) -> Result<(), AppError> {
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
    context.need_person(DEED, "type it at a terminal")?;
    context.voice.say(&Reply::Text(harmless(dossier.trim_end()).into_owned()))?;
    let begins =
        if session.is_some() { "" } else { " A session begins, and the repository is read-only until git grill stop." };
    context.voice.say(&Reply::Text(format!("Roles: {}.{begins}", on_one_line(&players.in_words()))))?;
    let question = "Debate this text?";
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
    (before.is_to_be_begun_again() && session.own.debate.text(&part::dossier(number)) == Some(dossier))
        .then_some(number)
}
