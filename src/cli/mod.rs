//! The command line: grammar, lowering to commands, one file per verb family.
//!
//! A verb takes the context and its arguments, and returns a reply or an error; it prints nothing. The conversation at
//! a terminal is the one exception that shows replies on the way, through the context's voice.

mod approving;
pub mod args;
mod begin;
mod conversation;
pub mod debate;
pub mod doctor;
mod document;
mod drafts;
mod end;
mod extensions;
mod interview;
mod leading;
mod lending;
mod look;
mod lower;
pub mod own;
mod parent;
pub mod plan;
#[cfg(feature = "acp")]
mod preflight;
mod production;
mod research;
mod settings;
mod tool;
#[cfg(test)]
mod toy;
mod verify;
mod waive;
mod whose;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::instructions::instructions_for;
use crate::app::interrupting::Matter;
use crate::app::reply::Reply;

use args::{CheckpointAction, Instructions, Verb};

pub use extensions::answered;
pub use interview::came_too_late;
pub use look::help;
pub use tool::{call as call_tool, call_again as call_tool_again, list as tools};

/// Whether a verb may go on as a conversation at the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// One request, one reply: from a script, or from within a conversation.
    Single,
    /// A conversation, if somebody is there to talk to.
    Conversation,
}

/// The kind of request that a verb makes; without one, an interview begins or goes on.
pub fn matter(verb: Option<&Verb>) -> Matter {
    match verb {
        Some(Verb::Agent(_)) => Matter::Agent,
        Some(Verb::Own(own::Own::Debate(_))) => Matter::Debate,
        Some(_) | None => Matter::Interview,
    }
}

/// Serves one verb. A value that it does not take is explained by its own help.
pub fn serve(context: &mut Context<'_>, verb: Option<Verb>, manner: Manner) -> Result<Reply, AppError> {
    let name = verb.as_ref().and_then(takes_a_value);
    serve_unnamed(context, verb, manner).map_err(|error| match name {
        Some(name) => lower::naming(name, error),
        None => error,
    })
}

/// The name of a verb that takes one of several values.
fn takes_a_value(verb: &Verb) -> Option<&'static str> {
    [
        ("start", matches!(verb, Verb::Start(_))),
        ("intensity", matches!(verb, Verb::Intensity(_))),
        ("intent", matches!(verb, Verb::Intent(_))),
        ("output", matches!(verb, Verb::Output(_))),
        ("research", matches!(verb, Verb::Research(_))),
        ("interviewer", matches!(verb, Verb::Interviewer(_))),
        ("select", matches!(verb, Verb::Select(_))),
        ("instructions", matches!(verb, Verb::Instructions(_))),
    ]
    .into_iter()
    .find_map(|(name, is_it)| is_it.then_some(name))
}

fn serve_unnamed(context: &mut Context<'_>, verb: Option<Verb>, manner: Manner) -> Result<Reply, AppError> {
    // Without anybody to talk to, every request is a single one.
    let manner = if context.prompter.available().is_ok() { manner } else { Manner::Single };
    let Some(verb) = verb else {
        return begin::start_or_go_on(context, manner);
    };
    if carries_on(&verb, manner) {
        conversation::behind::decided(context)?;
    }
    match verb {
        Verb::Start(start) => begin::start(context, &start, manner),
        Verb::Stop(stop) => end::stop(context, &stop, manner),
        Verb::Resume(resume) => begin::resume(context, &resume, manner),
        Verb::Checkpoint(checkpoint) => match checkpoint.action.unwrap_or(CheckpointAction::Show { version: None }) {
            CheckpointAction::Show { version } => document::show(context, version.as_deref()),
            CheckpointAction::Edit => document::edit(context),
            CheckpointAction::Diff { from, to } => document::diff(context, from.as_deref(), to.as_deref()),
            CheckpointAction::Log { limit } => document::log(context, limit),
            CheckpointAction::Restore { version } => document::restore(context, &version),
        },
        Verb::Status(status) => look::status(context, &status),
        Verb::Intensity(value) => settings::intensity(context, value.value.as_deref()),
        Verb::Intent(value) => settings::intent(context, value.value.as_deref()),
        Verb::Research(value) => research::research(context, &value),
        Verb::Interviewer(value) => leading::interviewer(context, value.value.as_deref()),
        Verb::Output(preference) => settings::output(context, &preference.outputs),
        Verb::Answer(answer) => interview::answer(context, &answer),
        Verb::Next => interview::next(context, manner),
        Verb::Skip(skip) => interview::skip(context, &skip),
        Verb::Unknown(unknown) => interview::unknown(context, &unknown),
        Verb::Why => interview::why(context),
        Verb::Discuss(discuss) => interview::discuss(context, discuss.done.as_deref()),
        Verb::Back(back) => interview::back(context, &back, manner),
        Verb::Waive(args) => waive::waive(context, &args),
        Verb::Select(select) => production::select(context, &select, manner),
        Verb::Approve(approve) => production::approve(context, &approve),
        Verb::Draft(draft) => drafts::draft(context, &draft),
        Verb::Produce(args) if args.undo => production::undo(context, args.round),
        Verb::Produce(args) => production::produce(context, &args.commit),
        Verb::Finish(finish) => production::finish(context, &finish.summary.join(" "), manner),
        Verb::Verify(args) => verify::verify(context, &args),
        Verb::Sessions => look::sessions(context),
        Verb::Hooks(hooks) => doctor::hooks(context, &hooks),
        Verb::Doctor(args) => doctor::doctor(context, &args),
        Verb::Fsck(args) => doctor::fsck(context, &args),
        Verb::Help(help) => look::help(help.verb.as_deref()).map(Reply::Text),
        Verb::Run(_) => Err(AppError::Usage {
            message: "a command is not run from within a conversation".to_owned(),
            hint: "git grill run -- <command>, in another terminal".to_owned(),
        }),
        Verb::Guard(_) => Err(AppError::Usage {
            message: "the guard is asked from a command line of its own".to_owned(),
            hint: "git grill guard --explain \"<command>\"".to_owned(),
        }),
        Verb::Tool(tool) => tool::serve(context, &tool),
        #[cfg(feature = "mcp")]
        Verb::Mcp => Err(AppError::Usage {
            message: "the server is started by an agent, from a command line of its own".to_owned(),
            hint: "git grill agent install --list".to_owned(),
        }),
        Verb::Instructions(args) => instructions(context, &args),
        #[cfg(feature = "acp")]
        Verb::Agent(args::agent::Agent { action: args::agent::AgentAction::Preflight(args) }) => {
            preflight::preflight(context, &args.name, args.confirm_provider_use)
        }
        Verb::Agent(args::agent::Agent { action: args::agent::AgentAction::Lending(lending) }) => {
            lending::serve(context, lending)
        }
        Verb::Agent(_) => Err(AppError::Usage {
            message: "an agent is set up from a command line of its own".to_owned(),
            hint: "git grill agent install --list".to_owned(),
        }),
        Verb::Demo(_) => Err(AppError::Usage {
            message: "the demo does not run inside a session".to_owned(),
            hint: "git grill demo".to_owned(),
        }),
        Verb::Own(own) => own::serve(context, own, manner),
        Verb::Extensions(args) => extensions::serve(context, &args),
        Verb::Other(words) => extensions::typed(context, &words, None),
    }
}

/// Whether a verb carries the session on, which waits while a change is nobody's yet (A25). A conversation asks by itself.
fn carries_on(verb: &Verb, manner: Manner) -> bool {
    let next = matches!(verb, Verb::Next) && manner == Manner::Single;
    next || matches!(
        verb,
        Verb::Answer(_)
            | Verb::Skip(_)
            | Verb::Unknown(_)
            | Verb::Discuss(_)
            | Verb::Back(_)
            | Verb::Waive(_)
            | Verb::Select(_)
            | Verb::Approve(_)
            | Verb::Produce(_)
            | Verb::Finish(_)
    )
}

/// `git grill instructions`: nothing where no session is active, so that a hook can hand on whatever comes out.
fn instructions(context: &mut Context<'_>, args: &Instructions) -> Result<Reply, AppError> {
    if args.hook.is_some() {
        return Err(AppError::Usage {
            message: "a hook is served from a command line of its own".to_owned(),
            hint: "git grill instructions".to_owned(),
        });
    }
    match context.session() {
        Ok(mut session) => {
            crate::app::plan::look(context, &mut session);
            let told = match &args.agent {
                Some(agent) => instructions_for(&session, agent)?,
                None => crate::app::instructions::instructions(&session),
            };
            Ok(Reply::Text(told.unwrap_or_default()))
        }
        Err(AppError::NoSession) => Ok(Reply::Text(String::new())),
        Err(other) => Err(other),
    }
}
