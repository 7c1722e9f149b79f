//! A discussion where no agent takes part: what is said is collected turn by turn, and nothing of it is recorded until it is
//! summed up. The summary is filled in from it, so that no thought has to be typed twice.

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::prompt::{Choice, ReplyPrompt, Slash};
use crate::domain::ids::QuestionId;
use crate::domain::session::Session;

use super::{Next, Talk, typed, unsent};

const KEYS_FIRST: &str = "Enter adds a thought, Esc pauses";
const KEYS: &str = "Enter adds a thought, Tab fills in the summary, Esc pauses";
const HELP: &str = "/discuss --done \"<what it came to>\" sums it up";
const HELP_LEAVES: &str = "/discuss --done \"<what it came to>\" sums it up; /back leaves, nothing recorded";

/// One turn of it.
pub(super) fn discuss(
    context: &mut Context<'_>,
    session: &Session,
    about: Option<&QuestionId>,
    talk: &mut Talk,
) -> Result<Next, AppError> {
    talk.in_sight = None;
    let said = talk.thoughts.join("\n");
    let place = unsent::discussion(about);
    let place = Some(&place);
    let draft = if talk.thoughts.is_empty() {
        unsent::recall(context, session, place, talk)?
    } else {
        unsent::hold(context, session, place, &said);
        talk.unsent.take().unwrap_or_default()
    };
    let prompt = ReplyPrompt {
        heading: match talk.thoughts.len() {
            0 => "discussion".to_owned(),
            1 => "discussion · 1 thought so far".to_owned(),
            many => format!("discussion · {many} thoughts so far"),
        },
        question: if talk.thoughts.is_empty() { "Talk it over, one thought at a time." } else { "" }.to_owned(),
        choices: sums_up(&talk.thoughts),
        draft,
        status: talk.status(context, session),
        keys: if talk.thoughts.is_empty() { KEYS_FIRST } else { KEYS }.to_owned(),
        help: if about.is_some() { HELP_LEAVES } else { HELP }.to_owned(),
        slash: Slash::Verb,
    };
    match unsent::ask_after(context, session, place, &said, &prompt).answered() {
        Ok(text) if typed::is_verb(&text) => {
            unsent::forget(context, session, place)?;
            typed::verb(context, talk, &text)
        }
        Ok(text) => {
            talk.thoughts.push(text);
            Ok(Next::On)
        }
        Err(unanswered) => unsent::leave_after(context, session, place, &said, unanswered),
    }
}

/// The verb that ends the discussion with all that was said, to be edited before it is sent.
fn sums_up(thoughts: &[String]) -> Vec<Choice> {
    if thoughts.is_empty() {
        return Vec::new();
    }
    let summary = shell_words::quote(&thoughts.join("\n")).into_owned();
    vec![Choice::of(&format!("/discuss --done {summary}"), "Sum it up", "in these words; edit them first if you like")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_that_is_filled_in_is_a_verb_with_every_word() {
        let thoughts = ["it's \"fast\"; $HOME".to_owned(), "/back is no verb here".to_owned()];
        let choice = sums_up(&thoughts).remove(0);
        assert!(typed::is_verb(&choice.value));
        let words = shell_words::split(choice.value.strip_prefix('/').unwrap()).unwrap();
        assert_eq!(words, ["discuss", "--done", "it's \"fast\"; $HOME\n/back is no verb here"]);
        assert!(sums_up(&[]).is_empty());
    }
}
