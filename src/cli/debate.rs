//! `git grill debate`: its arguments and its service.

use clap::{Args, Subcommand, ValueEnum};

use crate::app::context::Context;
use crate::app::debate::{self, Casting, Wanted};
use crate::app::error::AppError;
use crate::app::reply::Reply;

use super::Manner;

/// `git grill debate`
#[derive(Args, Debug)]
pub struct Debate {
    /// What to do; left out, the debate goes on, or one begins over the checkpoint
    #[command(subcommand)]
    action: Option<DebateAction>,
}

#[derive(Debug, Subcommand)]
enum DebateAction {
    /// Begin a debate over the checkpoint, or over a file; you approve what is debated first
    Start(Start),
    /// Show how the debate stands, and what is next
    Status,
    /// Show the debate round by round: objections, their evidence, and what became of each
    Show,
    /// Take the next step: a role gives its text, or you are asked
    Next,
    /// Print what the role is told whose text is next
    Prompt,
    /// Answer the question that is next in this round, without a terminal
    Answer {
        /// The question that is answered, such as 1-agree; the next one when left out
        #[arg(long, value_name = "QUESTION")]
        question: Option<String>,
        /// Yes or no
        answer: YesNo,
        /// What a yes is about
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Name who plays the roles from here on
    Roles(Roles),
    /// End the debate with what there is; possible once 2 rounds are complete
    Accept,
    /// At round 5: go on, by at most 2 rounds
    Extend,
    /// End the debate as rejected; its record stays
    Kill,
    /// When no round is left: reject what there is, to begin again
    Restart,
    /// When no round is left: turn what is unresolved into open questions
    Table,
    /// List what happened, with its time
    Log,
}

/// A plain answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum YesNo {
    Yes,
    No,
}

#[derive(Args, Debug)]
struct Start {
    /// The file that is debated; the checkpoint when left out
    #[arg(long, value_name = "FILE")]
    dossier: Option<String>,
    /// The most rounds, 2 to 7; 5 when left out
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    #[command(flatten)]
    roles: Roles,
    /// A file with constraints that an attack looks at as well
    #[arg(long, value_name = "FILE")]
    constitution: Option<String>,
}

/// A role is played by cmd:<command>, file:<path> or me.
#[derive(Args, Debug)]
struct Roles {
    /// Who proposes: cmd:<command>, file:<path> or me
    #[arg(long, value_name = "R")]
    proposer: Option<String>,
    /// Who attacks
    #[arg(long, value_name = "R")]
    advocate: Option<String>,
    /// Who revises and judges
    #[arg(long, value_name = "R")]
    synthesizer: Option<String>,
}

impl From<Roles> for Casting {
    fn from(roles: Roles) -> Self {
        Self { proposer: roles.proposer, advocate: roles.advocate, synthesizer: roles.synthesizer }
    }
}

pub(super) fn debate(context: &mut Context<'_>, args: Debate, manner: Manner) -> Result<Reply, AppError> {
    match args.action {
        None => match context.session() {
            Ok(session) if session.own.debate.open().is_some() => go_on(context, manner),
            Ok(_) | Err(AppError::NoSession) => begin(context, &Wanted::default(), manner),
            Err(other) => Err(other),
        },
        Some(DebateAction::Start(start)) => {
            let wanted = Wanted {
                dossier: start.dossier,
                rounds: start.rounds,
                casting: start.roles.into(),
                constitution: start.constitution,
            };
            begin(context, &wanted, manner)
        }
        Some(DebateAction::Status) => debate::status(context),
        Some(DebateAction::Show) => debate::show(context),
        Some(DebateAction::Next) => debate::next(context),
        Some(DebateAction::Prompt) => debate::next_prompt(context),
        Some(DebateAction::Answer { question, answer, note }) => {
            debate::answer(context, question.as_deref(), answer == YesNo::Yes, note.as_deref())
        }
        Some(DebateAction::Roles(roles)) => debate::recast(context, &roles.into()),
        Some(DebateAction::Accept) => debate::accept(context),
        Some(DebateAction::Extend) => debate::extend(context),
        Some(DebateAction::Kill) => debate::kill_debate(context),
        Some(DebateAction::Restart) => debate::restart(context),
        Some(DebateAction::Table) => debate::table(context),
        Some(DebateAction::Log) => debate::log(context),
    }
}

fn begin(context: &mut Context<'_>, wanted: &Wanted, manner: Manner) -> Result<Reply, AppError> {
    let begun = debate::start(context, wanted)?;
    if manner == Manner::Single {
        return Ok(begun);
    }
    context.voice.say(&begun)?;
    debate::go_on(context)
}

fn go_on(context: &mut Context<'_>, manner: Manner) -> Result<Reply, AppError> {
    match manner {
        Manner::Conversation => debate::go_on(context),
        Manner::Single => debate::next(context),
    }
}
