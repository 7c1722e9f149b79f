//! Verbs that are typed into the conversation (G11): the same grammar, without starting the program again.

use clap::Parser;

use crate::app::context::Context;
use crate::app::ending::END_NOT_RECORDED;
use crate::app::error::AppError;
use crate::app::gate;
use crate::app::reply::{Reply, Then};

use super::super::args::{Cli, Select, Verb};
use super::super::own::Own;
use super::super::{Manner, end, extensions, interview, leading, lower, serve};
use super::{Next, Talk, done, output, planned, recover, talked, unquoted};

const HELP: &str = "\
what you type is your answer; a line that begins with / is a verb:
  /why              why the question matters
  /next             the question again, if it left the screen
  /skip             put it off; /skip --because <what is wrong with it> pushes back
  /unknown          you do not know; how to find out is noted
  /discuss          talk it over first, and sum it up
  /back [number]    answer an earlier question anew; leave a discussion with nothing recorded
  /status           where the interview is; /status --questions lists the questions
  /checkpoint       the shared understanding; /checkpoint edit opens your editor
  /intensity hard   dig deeper; /intent, /research and /output are set likewise
  /select [output]  choose what comes out of it
  /stop             end it, with an output or without
  /help <verb>      what a verb takes; every verb of git grill works here
  /<name> <command> a command of the extension of that name
keys: Tab and Shift-Tab go through the alternatives, a number and Enter fills one in, Alt-Enter begins a new line;
in a list of answers, / begins a verb; Alt-P in an empty line toggles plan mode";

enum Understood {
    Verb(Box<Verb>),
    /// No verb of ours: the name of an extension and its command, or the mistake that it is where there is none.
    Other(Vec<String>, AppError),
    /// Nothing was typed but the slash.
    Nothing,
    /// Help that the grammar itself gives.
    Help(String),
    /// No verb, or not as it is typed.
    Wrong(AppError),
}

/// What a line without a meaning was taken for.
#[derive(Clone, Copy)]
enum Expected {
    /// It began with a slash.
    Verb,
    /// It stood at the gate, where words alone are choices.
    Choice,
}

/// Whether a reply is a verb: it begins with a slash, and what follows is not the rest of a path; or it is the one
/// word that opens the selection without a slash (G46).
pub(super) fn is_verb(text: &str) -> bool {
    if text.trim() == "select" {
        return true;
    }
    if !text.trim().starts_with('/') {
        return false;
    }
    // A blank before the slash makes an answer of what is no verb, such as a path.
    !text.starts_with(' ') || matches!(understand(text), Understood::Verb(_) | Understood::Help(_))
}

/// Why a line is not sent that begins with the number of an alternative and goes on with a verb, such as `1/why`: the
/// alternative was only looked at, and the line would be recorded as an answer. None for any other line.
pub(super) fn behind_a_number(text: &str, alternatives: usize) -> Option<AppError> {
    let text = text.trim();
    let (number, line) = text.split_once('/')?;
    let number = number.trim_end().parse::<usize>().ok()?;
    let verb = format!("/{line}");
    let slipped = match understand(&verb) {
        Understood::Verb(_) | Understood::Help(_) => (1..=alternatives).contains(&number),
        Understood::Other(..) | Understood::Nothing | Understood::Wrong(_) => false,
    };
    slipped.then(|| {
        lower::usage(
            format!("'{text}' was not sent: it begins with the number of an alternative and goes on with a verb"),
            format!("{verb} alone is the verb; \"{text}\", in quotation marks, is an answer"),
        )
    })
}

/// Why a text is not sent that was begun as a note on an alternative, in a list that was left: nobody chose that.
pub(super) fn noted_only(number: usize) -> AppError {
    lower::usage(
        format!("nothing was sent: this was typed as a note on alternative {number}, which was not chosen"),
        format!("/answer --choose {number} --note \"<note>\" sends both; change the text, and it is your own words"),
    )
}

/// A text that somebody else worded, so that it is an answer when it is sent as it stands.
pub(super) fn as_answer(text: &str) -> String {
    let after_a_blank = format!(" {text}");
    if !is_verb(text) {
        text.to_owned()
    } else if !is_verb(&after_a_blank) {
        after_a_blank
    } else {
        format!("“{text}”")
    }
}

/// Serves a verb that was typed into the conversation.
pub(super) fn verb(context: &mut Context<'_>, talk: &mut Talk, text: &str) -> Result<Next, AppError> {
    let verb = match understand(text) {
        Understood::Verb(verb) => *verb,
        Understood::Nothing => return Ok(Next::On),
        Understood::Help(text) => {
            talk.in_sight = None;
            context.voice.say(&Reply::Text(text))?;
            return Ok(Next::On);
        }
        Understood::Other(words, otherwise) => match extensions::named_by(context, &words) {
            Ok(Some(_)) => Verb::Other(words),
            Ok(None) => return mistyped(context, talk, text, &otherwise),
            Err(error) => return mistyped(context, talk, text, &error),
        },
        Understood::Wrong(error) => return mistyped(context, talk, text, &error),
    };
    // Who types it looks for the question.
    let asks_again = matches!(&verb, Verb::Next);
    let writes_notes = matches!(&verb, Verb::Own(Own::Plan(plan)) if plan.writes_notes());
    let gate_wanted = matches!(&verb, Verb::Stop(stop) if !stop.without_output);
    match serve(context, Some(verb), Manner::Single) {
        Ok(reply) if reply.traits().then == Then::Ends => Ok(done(reply)),
        Ok(mut reply) => {
            if let Reply::Why { explained, .. } = &mut reply {
                let session = context.session()?;
                *explained = leading::leader(context, &session)?.is_some();
            }
            let then = reply.traits().then;
            if asks_again || matches!(then, Then::AsksAgain | Then::HoldsDrafts) {
                talk.in_sight = None;
            }
            context.voice.say(&reply)?;
            match then {
                // Notes that were recorded already were handed over.
                Then::GoesOn if writes_notes => planned::reviewed(context, talk),
                Then::Explains => talked::explained(context, talk),
                Then::HoldsDrafts => output::seen(context, talk).map(|()| Next::On),
                Then::GoesOn | Then::AsksAgain | Then::Ends => Ok(Next::On),
            }
        }
        // `/stop` shows the gate, where stopping without output can be said (G17).
        Err(AppError::NeedsPerson { .. }) if gate_wanted => {
            let session = context.session()?;
            let opened = gate::open_gate(context, &session)?;
            context.voice.say(&Reply::Text(end::NOTHING_YET.to_owned()))?;
            context.voice.say(&interview::happened(opened))?;
            Ok(Next::On)
        }
        // The session is not active any more.
        Err(error) if error.code() == END_NOT_RECORDED => Err(error),
        Err(error) => {
            // What the store could not take is worth a second try; a kept reply comes back by itself.
            if matches!(error, AppError::Usage { .. } | AppError::Store(_) | AppError::Contended(_)) {
                talk.unsent = Some(text.to_owned());
            }
            recover(context, &error)?;
            Ok(Next::On)
        }
    }
}

/// What a line selects; none where it is another verb or none.
pub(super) fn selected(line: &str) -> Option<Select> {
    let Understood::Verb(verb) = understand(line) else { return None };
    if let Verb::Select(select) = *verb { Some(select) } else { None }
}

/// A slip of the finger is mended, not typed again.
pub(super) fn mistyped(
    context: &mut Context<'_>,
    talk: &mut Talk,
    text: &str,
    error: &AppError,
) -> Result<Next, AppError> {
    talk.unsent = Some(text.to_owned());
    context.voice.complain(error)?;
    Ok(Next::On)
}

/// Reads a line; the slash before it can be left out where nothing else is expected.
fn understand(text: &str) -> Understood {
    let (line, expected) = match text.trim().strip_prefix('/') {
        Some(line) => (line, Expected::Verb),
        None => (text.trim(), Expected::Choice),
    };
    let Ok(words) = unquoted::words(line).map_or_else(|| shell_words::split(line), Ok) else {
        let hint = "close the quotation mark, or write \\' for an apostrophe";
        return Understood::Wrong(lower::usage("a quotation mark is open, and nothing was done", hint));
    };
    let cli = match Cli::try_parse_from(std::iter::once("git grill".to_owned()).chain(words)) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            let message = error.to_string();
            let said = message.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
            return Understood::Wrong(lower::usage(said, "/help <verb> says what a verb takes"));
        }
        Err(help) => return Understood::Help(help.to_string()),
    };
    match cli.verb {
        None => Understood::Nothing,
        Some(_) if cli.json => {
            let hint = "pause this session first, then type it at the shell";
            Understood::Wrong(lower::usage("a conversation has no use for --json", hint))
        }
        Some(_) if cli.answers.is_some() => {
            let hint = "git grill --answers <file> <extension> <command>, in another terminal";
            Understood::Wrong(lower::usage("a conversation has no use for --answers", hint))
        }
        Some(Verb::Start(_) | Verb::Resume(_) | Verb::Demo(_)) => {
            let hint = "pause this session first, then type it at the shell";
            Understood::Wrong(lower::usage("a session is open in this conversation", hint))
        }
        // It reads its request from standard input, which the conversation has.
        Some(Verb::Tool(_)) => {
            let hint = "git grill tool ask_question < request.json, in another terminal";
            Understood::Wrong(lower::usage("a question tool is called from a command line of its own", hint))
        }
        Some(Verb::Help(help)) if help.verb.is_none() => Understood::Help(HELP.to_owned()),
        Some(Verb::Other(words)) => {
            let wrong = |kind: &str, hint: &str| {
                lower::usage(format!("'{}' is {kind}, and nothing was done", words.join(" ")), hint)
            };
            match expected {
                Expected::Verb => {
                    let hint =
                        "/help lists the verbs; a line that begins with a blank is an answer even if a / follows";
                    let wrong = wrong("no verb", hint);
                    Understood::Other(words, wrong)
                }
                Expected::Choice => Understood::Wrong(wrong(
                    "none of the choices",
                    "Tab goes through the choices; /help lists the verbs",
                )),
            }
        }
        Some(verb) => Understood::Verb(Box::new(verb)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g11_a_slash_begins_a_verb_and_a_blank_before_it_allows_a_path() {
        for (text, verb) in [
            ("/status", true),
            ("/statsu", true),
            ("/etc/passwd is read", true),
            (" /etc/passwd is read", false),
            (" /status", true),
            ("/intake new", true),
            (" /intake new", false),
            ("status", false),
            ("select", true),
            ("select sqlite", false),
            ("either / or", false),
        ] {
            assert_eq!(is_verb(text), verb, "{text:?}");
        }
    }

    #[test]
    fn g11_a_verb_behind_the_number_of_an_alternative_is_no_answer() {
        for (text, slipped) in [
            ("1/why", true),
            (" 2 /why ", true),
            ("3/skip --because no", true),
            ("1/help", true),
            ("4/why", false),
            ("0/why", false),
            ("1/3", false),
            ("1/3 of the requests", false),
            ("1/day", false),
            ("1/", false),
            ("1/why not", false),
            ("\"1/why\"", false),
            ("src/why", false),
            ("/why", false),
            ("1", false),
        ] {
            let refused = behind_a_number(text, 3);
            assert_eq!(refused.is_some(), slipped, "{text:?}");
            let hint = refused.and_then(|error| error.hint()).unwrap_or_default();
            assert!(!slipped || hint.starts_with('/') && hint.contains("in quotation marks"), "{text:?}: {hint}");
        }
    }

    #[test]
    fn what_somebody_else_worded_is_an_answer_as_it_stands() {
        for (text, sent) in [
            ("yes", "yes"),
            ("/stop --without-output", "“/stop --without-output”"),
            ("/verify --restore --yes", "“/verify --restore --yes”"),
            (" /skip", "“ /skip”"),
            ("select", "“select”"),
            ("/help", "“/help”"),
            ("/etc/passwd is read", " /etc/passwd is read"),
            ("/intake new", " /intake new"),
        ] {
            assert_eq!(as_answer(text), sent);
            assert!(!is_verb(&as_answer(text)), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_says_what_to_type() {
        for (line, message) in [
            ("/statsu", "'statsu' is no verb"),
            ("statsu", "'statsu' is none of the choices"),
            ("/skip --because \"no", "a quotation mark is open"),
            ("/checkpoint --zzz", "unexpected argument '--zzz'"),
            ("/start another", "a session is open"),
            ("/status --json", "no use for --json"),
            ("/status --answers x", "no use for --answers"),
            ("/intake new", "'intake new' is no verb"),
        ] {
            let (Understood::Wrong(error) | Understood::Other(_, error)) = understand(line) else {
                panic!("{line:?} is understood")
            };
            assert!(error.to_string().contains(message), "{line:?}: {error}");
        }
    }
}
