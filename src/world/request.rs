//! One request: read the arguments, serve the verb in a context, show the reply.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::error::advice::{example, what_to_do};
use crate::app::interrupting;
use crate::app::reply::Reply;
use crate::cli::args::agent::{Agent, AgentAction};
use crate::cli::args::{Cli, Status, Verb};
use crate::cli::own::Own;
use crate::cli::plan::Todos;
use crate::cli::{self, Manner};
use crate::render::{self, Asked};

use super::context::{Caller, Occasion, with_context};
use super::environment::Environment;
#[cfg(feature = "mcp")]
use super::mcp;
use super::painting::{Painting, Shown};
use super::screen::Screen;
use super::{demo, guard, install, prompt_line, run, speak};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Json,
    /// One object from a question tool, which asks at the terminal all the same.
    Tool,
    /// For scripts, a line each.
    Porcelain,
}

pub(super) fn answer(environment: &Environment) -> ExitCode {
    let program = std::iter::once("git-grill".into()).chain(environment.args.iter().cloned());
    let cli = match asked_plainly(&environment.args).map_or_else(|| Cli::try_parse_from(program), Ok) {
        Ok(cli) => cli,
        Err(error) => return grammar_error(environment, &error),
    };
    let form = match &cli.verb {
        Some(Verb::Tool(_)) => Form::Tool,
        _ if cli.json => Form::Json,
        Some(Verb::Status(status)) if status.porcelain => Form::Porcelain,
        Some(Verb::Status(status)) if status.short && cli.answers.is_none() => {
            return prompt_line::answer(environment, status.width);
        }
        Some(_) | None => Form::Text,
    };
    let tool = match &cli.verb {
        Some(Verb::Tool(tool)) => tool.name.clone().unwrap_or_default(),
        Some(_) | None => String::new(),
    };
    recover(environment);
    let screen = Screen::of(environment, &cli);
    let colours = screen.colours;
    let answers = cli.answers;
    let served = match cli.verb {
        verb if answers.is_some() && !reads_a_terminal(verb.as_ref()) => {
            serve(environment, verb, answers.as_deref(), form, screen).map(ExitCode::from)
        }
        Some(Verb::Demo(_)) if form == Form::Json => Err(AppError::Usage {
            message: "the demo is a story to read, and has no JSON".to_owned(),
            hint: "git grill demo".to_owned(),
        }),
        Some(Verb::Demo(demo)) => {
            let story = match (demo.plan, demo.debate) {
                (true, _) => demo::Story::Plan,
                (false, true) => demo::Story::Debate,
                (false, false) => demo::Story::Interview,
            };
            demo::run(environment, demo.keep.as_deref(), story, &colours.out(Asked::InText, Shown::AtOnce))
                .map(|()| ExitCode::SUCCESS)
        }
        Some(Verb::Run(_)) if form == Form::Json => Err(AppError::Usage {
            message: "what a run prints is its command's, and no JSON of ours".to_owned(),
            hint: "git grill run -- <command>".to_owned(),
        }),
        Some(Verb::Run(args)) => run::run(environment, &args),
        Some(Verb::Guard(guard)) => {
            let form = if form == Form::Json { guard::Form::Json } else { guard::Form::Text };
            guard::typed(environment, &guard, form)
        }
        Some(Verb::Instructions(args)) if args.hook.is_some() => guard::typed_instructions(environment, &args),
        #[cfg(feature = "mcp")]
        Some(Verb::Mcp) => mcp_server(environment),
        Some(Verb::Agent(args)) if !asks_somebody(&args) => {
            install::serve(environment, &args).and_then(|reply| shown(&reply, form, &screen)).map(ExitCode::from)
        }
        Some(Verb::Help(help)) => cli::help(help.verb.as_deref())
            .map(Reply::Text)
            .and_then(|text| show(&text, form, &screen))
            .map(|()| ExitCode::SUCCESS),
        Some(Verb::Tool(tool)) if tool.list => show(&cli::tools(), form, &screen).map(|()| ExitCode::SUCCESS),
        // Whoever sits there would wait for us while we wait for them.
        Some(Verb::Tool(_)) if Environment::stdin_is_terminal() => Err(AppError::Usage {
            message: "a question tool reads its request from standard input, and that is the terminal".to_owned(),
            hint: "git grill tool ask_question < request.json; git grill tool --list prints what each tool takes"
                .to_owned(),
        }),
        verb => serve(environment, verb, None, form, screen).map(ExitCode::from),
    };
    served.unwrap_or_else(|error| {
        complain(&error, form, &tool, &colours);
        ExitCode::from(error.exit_code())
    })
}

/// Whether a verb would wait for a request that somebody types.
fn reads_a_terminal(verb: Option<&Verb>) -> bool {
    matches!(verb, Some(Verb::Tool(tool)) if !tool.list) && Environment::stdin_is_terminal()
}

/// What a killed run left is brought out by the next command that is typed, whatever it is: a credential that was
/// refreshed in it is needed soon. Where nothing was left, this looks for a handful of folders that are not there.
fn recover(environment: &Environment) {
    if run::within(environment).is_none() {
        for said in run::recover(environment) {
            speak::naming(&format!("warning: {said}\n"));
        }
    }
}

/// What programs ask again and again, read without building the grammar; whatever else is asked is for the grammar.
fn asked_plainly(args: &[OsString]) -> Option<Cli> {
    let words: Vec<&str> = args.iter().map(|word| word.to_str()).collect::<Option<_>>()?;
    let plain = Cli { json: false, color: None, no_pager: false, answers: None, verb: None };
    match *words {
        ["status", "--json"] | ["--json", "status"] => {
            Some(Cli { json: true, verb: Some(Verb::Status(Status::default())), ..plain })
        }
        ["todos"] => Some(Cli { verb: Some(Verb::Own(Own::Todos(Todos::default()))), ..plain }),
        #[cfg(feature = "mcp")]
        ["mcp"] => Some(Cli { verb: Some(Verb::Mcp), ..plain }),
        _ => None,
    }
}

fn complain(error: &AppError, form: Form, tool: &str, colours: &Painting) {
    match form {
        _ if matches!(error, AppError::ReaderGone) => {}
        // Nothing can be said to who reads neither stream.
        Form::Json => drop(speak::out(&render::json_text(&render::error_json(error)))),
        Form::Tool => {
            let told = render::agent_error_json(error, &what_to_do(error, tool), example(error, tool).as_deref());
            drop(speak::out(&render::json_text(&told)));
        }
        Form::Text | Form::Porcelain => speak::err(&speak::error_text(error, &colours.err())),
    }
}

/// The grammar's own errors and help, through our writer and with our exit codes.
fn grammar_error(environment: &Environment, error: &clap::Error) -> ExitCode {
    let json = environment.args.iter().any(|arg| arg == "--json");
    if error.use_stderr() && json {
        let usage = AppError::Usage {
            message: error.to_string().trim().to_owned(),
            hint: "git grill help lists the verbs".to_owned(),
        };
        let _ = speak::out(&render::json_text(&render::error_json(&usage)));
        return ExitCode::from(2);
    }
    if error.use_stderr() {
        speak::err(&error.to_string());
        return ExitCode::from(2);
    }
    match speak::out(&error.to_string()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => ExitCode::from(error.exit_code()),
    }
}

/// Whether a verb of an agent asks a person, and so is served in a context.
fn asks_somebody(args: &Agent) -> bool {
    #[cfg(feature = "acp")]
    if matches!(args.action, AgentAction::Preflight(_)) {
        return true;
    }
    matches!(args.action, AgentAction::Lending(_))
}

/// Serves one verb, with the file of answers that was given.
fn serve(
    environment: &Environment,
    verb: Option<Verb>,
    answers: Option<&str>,
    form: Form,
    screen: Screen,
) -> Result<u8, AppError> {
    let occasion = Occasion::of(verb.as_ref(), form);
    let matter = cli::matter(verb.as_ref());
    let work = |context: &mut Context<'_>| {
        let served = match answers {
            Some(file) => cli::answered(context, verb, file),
            None => cli::serve(context, verb, Manner::Conversation),
        };
        served.map_err(|error| interrupting::told(context, matter, error))
    };
    let (reply, screen) = with_context(environment, occasion, form, screen, Caller::Whoever, work)?;
    shown(&reply, form, &screen)
}

/// Shows a reply; the exit code is what it says of itself.
fn shown(reply: &Reply, form: Form, screen: &Screen) -> Result<u8, AppError> {
    show(reply, form, screen)?;
    Ok(reply.traits().exit_code)
}

fn show(reply: &Reply, form: Form, screen: &Screen) -> Result<(), AppError> {
    let status = if let Reply::Status(session, guards) = reply { Some((&**session, guards)) } else { None };
    match form {
        Form::Text => screen.show(reply),
        Form::Json | Form::Tool => speak::out(&render::json_text(&render::reply_json(reply))),
        Form::Porcelain => speak::out(&render::porcelain(status)),
    }
}

/// Serves a client here, or is the way to the server outside where an agent sees nothing of the repository.
#[cfg(feature = "mcp")]
fn mcp_server(environment: &Environment) -> Result<ExitCode, AppError> {
    #[cfg(feature = "acp")]
    if let Some(socket) = environment.var(super::lead::HOST) {
        return Ok(super::lead::relay(std::path::Path::new(&socket)));
    }
    mcp::serve(environment.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::interrupting::Matter;

    #[test]
    fn a11_d8_a_verb_about_agents_or_a_debate_is_interrupted_as_such() {
        for (words, matter) in [
            (&["agent", "start", "look"][..], Matter::Agent),
            (&["agent", "answer", "g1"], Matter::Agent),
            (&["debate"], Matter::Debate),
            (&["debate", "accept"], Matter::Debate),
            (&["plan", "execute"], Matter::Interview),
            (&[], Matter::Interview),
        ] {
            let verb = Cli::try_parse_from(["git-grill"].iter().chain(words)).unwrap().verb;
            assert_eq!(cli::matter(verb.as_ref()), matter, "{words:?}");
        }
    }

    #[test]
    fn what_is_read_without_the_grammar_means_what_it_means_with_it() {
        for (words, plain) in [
            (&["status", "--json"][..], true),
            (&["--json", "status"], true),
            (&["todos"], true),
            (&["todos", "--outside"], false),
            (&["mcp"], cfg!(feature = "mcp")),
            (&["mcp", "--json"], false),
            (&["status"], false),
            (&["status", "--json", "--questions"], false),
            (&["--json", "status", "--json"], false),
            (&["answer", "--json"], false),
            (&[], false),
        ] {
            let args: Vec<OsString> = words.iter().map(OsString::from).collect();
            let read = asked_plainly(&args);
            assert_eq!(read.is_some(), plain, "{words:?}");
            if let Some(read) = read {
                let with_it = Cli::try_parse_from(std::iter::once(OsString::from("git-grill")).chain(args)).unwrap();
                assert_eq!(format!("{read:?}"), format!("{with_it:?}"), "{words:?}");
            }
        }
    }
}
