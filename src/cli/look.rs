//! The verbs that only look: status, sessions, help.

use clap::CommandFactory;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::plan;
use crate::app::reply::{Discussed, Guards, Loan, Reply};
use crate::app::supervising;
use crate::app::undoing::half_taken_back;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::ui::Name;

use super::args::{self, Cli};
use super::{leading, lower};

pub(super) fn status(context: &mut Context<'_>, args: &args::Status) -> Result<Reply, AppError> {
    // A prompt must not wait for ledgers.
    let lent = if args.short || args.questions { None } else { supervising::beside(context) };
    let mut session = match context.session() {
        Ok(session) => session,
        Err(AppError::NoSession) => {
            return Ok(lent.map_or(Reply::NoSession, |list| supervising::replied(Loan::Alone(list))));
        }
        Err(other) => return Err(other),
    };
    if args.questions {
        return Ok(Reply::Questions(Box::new(session)));
    }
    context.say_if_lost(&session.id);
    // A prompt must not wait for files.
    if !args.short {
        plan::look(context, &mut session);
    }
    let fence = context.guardian.fence()?;
    let store = context.dispatcher.store;
    let half_undone = context
        .targets
        .filter(|_| !args.short)
        .and_then(|files| half_taken_back(&session, files, |bytes| store.blob_id(bytes).ok()));
    let backend = store.backend();
    let discussion = if args.short { None } else { discussed_elsewhere(context, &session)? };
    Ok(Reply::Status(Box::new(session), Guards { backend, fence, half_undone, discussion, lent }))
}

/// The discussion with the agent that leads, where it goes on in another terminal.
fn discussed_elsewhere(context: &Context<'_>, session: &Session) -> Result<Option<Discussed>, AppError> {
    if !matches!(session.phase, Phase::Interview(Floor::Discussion { .. })) {
        return Ok(None);
    }
    let (Some(agent), Some(leading)) = (leading::chosen(context, session)?, &context.leading) else { return Ok(None) };
    let of_question = session.discussed().is_some();
    Ok(leading.claimed_elsewhere(&session.id).map(|who| Discussed { agent, who, of_question }))
}

pub(super) fn sessions(context: &mut Context<'_>) -> Result<Reply, AppError> {
    Ok(Reply::Sessions(context.dispatcher.store.list()?))
}

pub fn help(verb: Option<&str>) -> Result<String, AppError> {
    let mut grammar = Cli::command();
    let Some(verb) = verb else {
        return Ok(grammar.render_help().to_string());
    };
    grammar.build();
    match grammar.find_subcommand_mut(verb) {
        Some(found) => Ok(found.render_long_help().to_string()),
        None => Err(lower::usage(format!("'{verb}' is no verb"), "git grill help lists them")),
    }
}

/// Words that are no verb start nothing (G51).
pub(super) fn no_verb(words: &[String]) -> AppError {
    let said = words.join(" ");
    let begin = format!("git grill start \"{said}\"");
    let hint = match words.split_first().and_then(|(first, rest)| Some((near(first)?, rest))) {
        Some((verb, [])) => format!("git grill {verb}"),
        Some((verb, rest)) => format!("git grill {verb} {}; or {begin}", rest.join(" ")),
        None => {
            // An extension is called by its name and a command.
            let named = words.first().filter(|first| words.len() == 2 && Name::parse("an extension", first).is_ok());
            let extension =
                named.map(|name| format!("; the extension '{name}' would be the program git-grill-{name} on PATH"));
            begin + &extension.unwrap_or_default()
        }
    };
    lower::usage(format!("'{said}' is no verb, and nothing was started"), hint)
}

/// The verb that was probably meant.
fn near(word: &str) -> Option<String> {
    let grammar = Cli::command();
    grammar.get_subcommands().map(clap::Command::get_name).find(|verb| is_near(verb, word)).map(str::to_owned)
}

/// Whether two words differ by one letter more, less, or other, or by two neighbours that changed places.
fn is_near(verb: &str, word: &str) -> bool {
    let (verb, word): (Vec<char>, Vec<char>) = (verb.chars().collect(), word.chars().collect());
    let longer = verb.len().max(word.len());
    if longer < 3 || verb.len().abs_diff(word.len()) > 1 {
        return false;
    }
    let start = verb.iter().zip(&word).take_while(|(a, b)| a == b).count();
    let end = verb.iter().rev().zip(word.iter().rev()).take_while(|(a, b)| a == b).count();
    let swapped = verb.len() == word.len()
        && start + end + 2 == verb.len()
        && verb[start] == word[start + 1]
        && verb[start + 1] == word[start];
    swapped || start + end + 1 >= longer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g51_words_that_are_no_verb_start_nothing() {
        let hint = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            no_verb(&words).hint().unwrap()
        };
        assert_eq!(hint(&["add", "rate", "limiting"]), "git grill start \"add rate limiting\"");
        assert_eq!(hint(&["statsu"]), "git grill status");
        assert_eq!(hint(&["answre", "1"]), "git grill answer 1; or git grill start \"answre 1\"");
        assert_eq!(hint(&["staus"]), "git grill status");
        let of_an_extension = "the extension 'intake' would be the program git-grill-intake on PATH";
        assert_eq!(hint(&["intake", "new"]), format!("git grill start \"intake new\"; {of_an_extension}"));
    }

    #[test]
    fn the_grammar_is_sound() {
        Cli::command().debug_assert();
    }
}
