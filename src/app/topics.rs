//! The topic of an interview when the user typed none (G2): a topic that the repository suggests, or the topic of an
//! unfinished session to continue. git grill only proposes them; the user confirms or edits one.

use crate::domain::harmless::harmless;
use crate::domain::ids::SessionId;
use crate::domain::text::{Line, Topic};

use super::context::Context;
use super::error::{AppError, not_answered};
use super::ports::{Listed, ListedState};
use super::prompt::{Choice, ReplyPrompt};

/// The most unfinished sessions that are offered.
const MOST_OFFERED: usize = 3;

/// The most sessions that are read to find unfinished ones, newest first; a repository may have very many.
const MOST_READ: usize = 50;

/// Begins what is sent to continue a session. A topic decides nothing about a session: it may have been fetched.
const RESUME: &str = "/resume ";

/// The user's choice.
pub(super) enum Confirmed {
    Topic(Topic),
    Unfinished(SessionId),
}

struct Unfinished {
    id: SessionId,
    /// Whether it was begun or continued in this clone.
    here: bool,
    choice: Choice,
}

impl Unfinished {
    /// The topic may have been fetched from anywhere, so it becomes one short line without control characters.
    fn of(id: SessionId, state: &ListedState, here: bool) -> Self {
        let topic = Line::clipped(&harmless(state.topic.as_str()));
        let from = if here { "" } else { " from another clone" };
        let because = format!("unfinished session ({}){from}; continues {id}", state.in_words());
        Self { choice: Choice::of(&format!("{RESUME}{id}"), topic.as_str(), &because), id, here }
    }
}

/// Proposes the suggested topic and the unfinished sessions, and has the user confirm or edit one.
pub(super) fn confirm(context: &mut Context<'_>) -> Result<Confirmed, AppError> {
    let unfinished = unfinished(context)?;
    let hint = match unfinished.iter().find(|one| one.here) {
        Some(newest) => {
            format!(
                "git grill resume {} continues the newest unfinished session; git grill start \"<topic>\"",
                newest.id
            )
        }
        None => "git grill start \"<topic>\"".to_owned(),
    };
    context.need_person("choosing a topic", &hint)?;
    let prompt = prompt((context.inference)(), &unfinished);
    let text = context.prompter.reply(&prompt).answered().map_err(not_answered("starting"))?;
    let text = text.trim();
    if text.is_empty() {
        return Err(AppError::Cancelled("starting"));
    }
    match text.strip_prefix(RESUME).map(SessionId::parse) {
        Some(Ok(id)) => Ok(Confirmed::Unfinished(id)),
        Some(Err(_)) | None => Ok(Confirmed::Topic(Topic::parse(text)?)),
    }
}

/// The sessions that are not closed and can be resumed here: those of this clone first, whatever date others bear, and of
/// each kind the latest changed first.
fn unfinished(context: &Context<'_>) -> Result<Vec<Unfinished>, AppError> {
    let store = context.dispatcher.store;
    let mut ids = store.ids()?;
    ids.sort_by_cached_key(|id| !store.recorded_here(id));
    ids.truncate(MOST_READ);
    let mut offered: Vec<Unfinished> = Vec::new();
    for Listed { id, state, active_in } in store.list_entries(&ids)? {
        let (Ok(state), None) = (state, active_in) else {
            continue;
        };
        if state.phase != "closed" {
            let here = store.recorded_here(&id);
            offered.push(Unfinished::of(id, &state, here));
        }
    }
    offered.sort_by_key(|one| !one.here);
    offered.truncate(MOST_OFFERED);
    Ok(offered)
}

/// The suggested topic is in the editor; the unfinished sessions are listed after it. Without one, a session of this clone
/// is, and never one from another.
fn prompt(inferred: Option<(String, String)>, unfinished: &[Unfinished]) -> ReplyPrompt {
    let asked = ReplyPrompt {
        heading: "a new interview".to_owned(),
        question: "What is it about?".to_owned(),
        ..ReplyPrompt::default()
    };
    if unfinished.is_empty() {
        let (draft, help) = inferred.unwrap_or_default();
        return ReplyPrompt { draft, help, keys: "Enter starts, Esc cancels".to_owned(), ..asked };
    }
    let listed = unfinished.iter().map(|one| one.choice.clone());
    let suggested = inferred.map(|(topic, source)| Choice::of(&topic, &topic, &source));
    let own = unfinished.iter().find(|one| one.here).map(|one| &one.choice);
    let draft = suggested.as_ref().or(own).map(|first| first.value.clone()).unwrap_or_default();
    let choices: Vec<Choice> = suggested.into_iter().chain(listed).collect();
    let keys = "Enter starts or continues, Tab shows the next, Esc cancels".to_owned();
    ReplyPrompt { choices, draft, keys, ..asked }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unfinished(id: &str, topic: &str, here: bool) -> Unfinished {
        let state = ListedState {
            topic: Topic::parse(topic).unwrap(),
            phase: "interview",
            called: None,
            updated_at: jiff::Timestamp::UNIX_EPOCH,
        };
        Unfinished::of(SessionId::parse(id).unwrap(), &state, here)
    }

    fn suggested(topic: &str) -> (String, String) {
        (topic.to_owned(), "from the branch".to_owned())
    }

    #[test]
    fn g2_what_is_unfinished_stands_behind_what_the_repository_suggests() {
        let earlier = [unfinished("20261121-limit-k3f9q", "limit requests", true)];
        let values = |prompt: &ReplyPrompt| prompt.choices.iter().map(|one| one.value.clone()).collect::<Vec<_>>();
        let both = prompt(Some(suggested("brace expansion")), &earlier);
        assert_eq!(both.draft, "brace expansion");
        assert_eq!(values(&both), ["brace expansion", "/resume 20261121-limit-k3f9q"]);
        assert_eq!(both.choices[1].label, "limit requests");
        let because = both.choices[1].description.as_deref().unwrap();
        assert_eq!(because, "unfinished session (interview); continues 20261121-limit-k3f9q");
        let alone = prompt(None, &earlier);
        assert_eq!(alone.draft, "/resume 20261121-limit-k3f9q");
        assert_eq!(values(&alone), ["/resume 20261121-limit-k3f9q"]);
        let none = prompt(Some(suggested("brace expansion")), &[]);
        assert_eq!((none.choices, none.help.as_str()), (Vec::new(), "from the branch"));
    }

    #[test]
    fn g2_a_fetched_session_takes_no_place_and_is_called_one() {
        let fetched = [unfinished("20991231-own-aaaa2", "brace expansion", false)];
        let both = prompt(Some(suggested("brace expansion")), &fetched);
        assert_eq!((both.draft.as_str(), both.choices.len()), ("brace expansion", 2));
        let because = both.choices[1].description.as_deref().unwrap();
        assert_eq!(because, "unfinished session (interview) from another clone; continues 20991231-own-aaaa2");
        assert_eq!(prompt(None, &fetched).draft, "", "Enter continues nobody else's session unchosen");
    }

    #[test]
    fn g2_a_fetched_topic_is_offered_harmless_and_short() {
        let one = unfinished("20261121-x-k3f9q", &format!("red\u{1b}[31m \u{202e}{}", "long ".repeat(100)), false);
        assert!(one.choice.label.starts_with("red␛[31m \\u{202e}long long"), "{}", one.choice.label);
        assert!(one.choice.label.len() <= 203, "{}", one.choice.label);
        assert_eq!(one.choice.value, "/resume 20261121-x-k3f9q");
    }
}
