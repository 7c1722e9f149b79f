//! `git grill debate`: its arguments and its service.

use clap::{Args, Subcommand, ValueEnum};

use crate::app::context::Context;
use crate::app::debate::{self, Casting, DebateView, Wanted};
use crate::app::error::AppError;
use crate::app::reply::Reply;
use crate::domain::debate::objection::ObjectionId;
use crate::domain::harmless::on_one_line;

use super::Manner;
use super::begin::named;
use super::lower::usage;

/// `git grill debate`
#[derive(Args, Debug)]
pub struct Debate {
    /// What to do; without it the open debate goes on, what a proxy answered is confirmed or rejected, or a debate begins about
    /// the checkpoint
    #[command(subcommand)]
    action: Option<DebateAction>,
}

#[derive(Debug, Subcommand)]
enum DebateAction {
    /// Begin a debate about the checkpoint or a file; shows you the text, and asks whether to debate it
    Start(Start),
    /// Show how the debate stands, and what is next
    Status,
    /// Show the debate round by round: objections, their evidence, and what became of each
    Show {
        /// What to show: an objection with the lines it cites (o-1a2b3c4d), a debate by its number, or the debate of a
        /// session by its id or the beginning of it, ended or not. Default: the newest debate
        what: Option<String>,
    },
    /// Take the next step: a role gives its text, or you are asked
    Next,
    /// Print the prompt for the next role
    Prompt,
    /// Answer the question that is next in this round, without a terminal; or take your last answer back
    Answer {
        /// The question that is answered, such as 1.2-agree (debate 1, round 2); the next one when left out
        #[arg(long, value_name = "QUESTION")]
        question: Option<String>,
        /// Yes or no; back takes back the last answer of this round, until the synthesizer has used it
        answer: Word,
        /// Your concern, your override, or your reply to a role; a yes needs it, except to agree
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Change who plays the roles
    Roles(Roles),
    /// End the debate and accept the latest proposal, once 2 rounds are complete
    Accept,
    /// At round 5: go on, to at most 7 rounds
    Extend,
    /// End the debate; the checkpoint stays as it was, and the record is kept
    Kill,
    /// Accept all that a proxy answered for you
    Confirm,
    /// Discard all that a proxy answered for you, and what came of it, once the debate has ended
    Reject,
    /// When no round is left: reject the latest proposal; git grill debate start begins a new debate
    Restart,
    /// When no round is left: decide nothing; unresolved objections become open questions of the checkpoint
    Table,
    /// List what happened, with its time
    Log,
}

/// A plain answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Word {
    Yes,
    No,
    Back,
}

#[derive(Args, Debug)]
struct Start {
    /// The file to debate; the checkpoint when left out
    #[arg(long, value_name = "FILE")]
    dossier: Option<String>,
    /// The most rounds, 2 to 7; 5 when left out
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    #[command(flatten)]
    roles: Roles,
    /// A file of constraints, which every prompt has except that of the critique
    #[arg(long, value_name = "FILE")]
    constitution: Option<String>,
    /// A proxy answers for you, and you are not asked; needs --proxy with a player other than me
    #[arg(long, requires = "proxy")]
    autonomous: bool,
}

/// A role is played by agent:<name>, cmd:<command>, file:<path>, host or me.
#[derive(Args, Debug)]
struct Roles {
    /// Who proposes: agent:<name>, cmd:<command>, file:<path>, host or me
    #[arg(long, value_name = "R")]
    proposer: Option<String>,
    /// Who attacks: agent:<name>, cmd:<command>, file:<path>, host or me
    #[arg(long, value_name = "R")]
    advocate: Option<String>,
    /// Who revises and judges: agent:<name>, cmd:<command>, file:<path>, host or me
    #[arg(long, value_name = "R")]
    synthesizer: Option<String>,
    /// Who answers for you, provisionally; "me" takes that back
    #[arg(long, value_name = "R")]
    proxy: Option<String>,
    /// Without a terminal: confirm that the agents in the roles may call their providers. Works only after you chose "Start
    /// it, and do not ask again" for each of them in this clone
    #[arg(long)]
    confirm_provider_use: bool,
}

impl From<Roles> for Casting {
    fn from(roles: Roles) -> Self {
        let Roles { proposer, advocate, synthesizer, proxy, confirm_provider_use } = roles;
        Self { proposer, advocate, synthesizer, proxy, confirmed: confirm_provider_use }
    }
}

pub(super) fn debate(context: &mut Context<'_>, args: Debate, manner: Manner) -> Result<Reply, AppError> {
    served(context, args, manner).map_err(|error| {
        let AppError::NoSession = error else { return error };
        AppError::Declined {
            code: "no_session",
            message: error.to_string(),
            causes: Vec::new(),
            hint: "git grill debate start --dossier <file> begins a debate; git grill debate show <session> prints one that \
                   has ended"
                .to_owned(),
        }
    })
}

fn served(context: &mut Context<'_>, args: Debate, manner: Manner) -> Result<Reply, AppError> {
    match args.action {
        None => match context.session() {
            Ok(session) if session.own.debate.unsettled().is_some() => go_on(context, manner),
            Ok(_) | Err(AppError::NoSession) => begin(context, &Wanted::default(), manner),
            Err(other) => Err(other),
        },
        Some(DebateAction::Start(start)) => {
            if start.autonomous && start.roles.proxy.as_deref() == Some("me") {
                return Err(usage(
                    "no debate was begun: --autonomous needs --proxy with a player other than me",
                    "git grill debate start --autonomous --proxy cmd:<command>",
                ));
            }
            if start.roles.proxy.is_some() != start.autonomous {
                return Err(usage(
                    "no debate was begun: a proxy answers for you only with --autonomous",
                    "git grill debate start --autonomous --proxy cmd:<command>",
                ));
            }
            let wanted = Wanted {
                dossier: start.dossier,
                rounds: start.rounds,
                casting: start.roles.into(),
                constitution: start.constitution,
            };
            begin(context, &wanted, manner)
        }
        Some(DebateAction::Status) => debate::status(context),
        Some(DebateAction::Show { what }) => {
            let view = view(context, what.as_deref())?;
            debate::show(context, &view)
        }
        Some(DebateAction::Next) => debate::next(context).map_err(paused),
        Some(DebateAction::Prompt) => debate::next_prompt(context),
        Some(DebateAction::Answer { question, answer, note }) => match (answer, &note) {
            (Word::Back, None) => debate::take_back(context, question.as_deref()),
            (Word::Back, Some(_)) => {
                Err(usage("no answer was taken back: back takes no --note", "git grill debate answer back"))
            }
            (Word::Yes | Word::No, _) => {
                debate::answer(context, question.as_deref(), answer == Word::Yes, note.as_deref())
            }
        },
        Some(DebateAction::Roles(roles)) => debate::recast(context, &roles.into()),
        Some(DebateAction::Accept) => debate::accept(context),
        Some(DebateAction::Extend) => debate::extend(context),
        Some(DebateAction::Kill) => debate::kill_debate(context),
        Some(DebateAction::Confirm) => debate::confirm(context),
        Some(DebateAction::Reject) => debate::reject(context),
        Some(DebateAction::Restart) => debate::restart(context),
        Some(DebateAction::Table) => debate::table(context),
        Some(DebateAction::Log) => debate::log(context),
    }
}

/// What of the debates is meant.
fn view(context: &Context<'_>, what: Option<&str>) -> Result<DebateView, AppError> {
    let Some(what) = what else { return Ok(DebateView::Newest) };
    match (ObjectionId::parse(what), what.parse()) {
        (None, _) if what.starts_with("o-") => Err(usage(
            format!("nothing was shown: '{}' is no objection; one is named like o-1a2b3c4d", on_one_line(what)),
            "git grill debate show",
        )),
        (Some(id), _) => Ok(DebateView::Objection(id)),
        (None, Ok(number)) if what.len() < 6 => Ok(DebateView::Number(number)),
        (None, Ok(_) | Err(_)) => named(context, what).map(DebateView::Of),
    }
}

fn begin(context: &mut Context<'_>, wanted: &Wanted, manner: Manner) -> Result<Reply, AppError> {
    let begun = debate::start(context, wanted)?;
    if manner == Manner::Single {
        return Ok(begun);
    }
    context.voice.say(&begun)?;
    debate::go_on(context).map_err(paused)
}

fn go_on(context: &mut Context<'_>, manner: Manner) -> Result<Reply, AppError> {
    match manner {
        Manner::Conversation => debate::go_on(context),
        Manner::Single => debate::next(context),
    }
    .map_err(paused)
}

/// The user left a step of a debate: it waits for them.
fn paused(error: AppError) -> AppError {
    if let AppError::Cancelled(_) = error {
        AppError::Stopped("stopped; git grill debate asks again".into())
    } else {
        error
    }
}
