//! The verbs that only look: status, sessions, help.

use clap::CommandFactory;

use crate::app::desk::Desk;
use crate::app::error::AppError;
use crate::app::reply::Reply;

use super::args::{self, Cli};
use super::lower;

/// `git grill status`
pub(super) fn status(desk: &mut Desk<'_>, args: &args::Status) -> Result<Reply, AppError> {
    // A shell prompt asks at every Enter: it reads, and takes nothing in.
    let found = if args.short { desk.pointed_to() } else { desk.session() };
    let session = match found {
        Ok(session) => session,
        Err(AppError::NoSession) => return Ok(Reply::NoSession),
        Err(other) => return Err(other),
    };
    Ok(if args.questions { Reply::Questions(Box::new(session)) } else { Reply::Status(Box::new(session)) })
}

/// `git grill sessions`
pub(super) fn sessions(desk: &mut Desk<'_>) -> Result<Reply, AppError> {
    Ok(Reply::Sessions(desk.dispatcher.store.list()?))
}

/// `git grill help [verb]`
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
    let grammar = Cli::command();
    let near = words.first().filter(|_| words.len() == 1).and_then(|word| {
        grammar
            .get_subcommands()
            .map(clap::Command::get_name)
            .filter(|verb| strsim_close(verb, word))
            .map(str::to_owned)
            .next()
    });
    let hint = match near {
        Some(verb) => format!("git grill {verb}"),
        None => format!("git grill start \"{said}\""),
    };
    lower::usage(format!("'{said}' is no verb, and nothing was started"), hint)
}

/// Whether two words differ by one letter more, less, or other.
fn strsim_close(verb: &str, word: &str) -> bool {
    let (verb, word): (Vec<char>, Vec<char>) = (verb.chars().collect(), word.chars().collect());
    let same_start = verb.iter().zip(&word).take_while(|(a, b)| a == b).count();
    let same_end = verb.iter().rev().zip(word.iter().rev()).take_while(|(a, b)| a == b).count();
    let longer = verb.len().max(word.len());
    verb.len().abs_diff(word.len()) <= 1 && longer > 2 && same_start + same_end + 1 >= longer
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
        assert_eq!(hint(&["statsu"]), "git grill start \"statsu\"");
        assert_eq!(hint(&["staus"]), "git grill status");
    }

    #[test]
    fn the_grammar_is_sound() {
        Cli::command().debug_assert();
    }
}
