//! The topic of an interview when the user typed none (G2): a topic that the repository suggests, or the topic of an
//! unfinished session to continue. git grill only proposes them; the user confirms or edits one.

use crate::domain::harmless::harmless;
use crate::domain::ids::SessionId;
use crate::domain::text::{Line, Topic};

use super::desk::Desk;
use super::error::{AppError, not_answered};
use super::ports::{Listed, ListedState};
use super::prompt::{Choice, ReplyPrompt};

/// The most unfinished sessions that are offered.
const MOST_OFFERED: usize = 3;

/// The most sessions that are read to find unfinished ones, newest first; a repository may have very many.
const MOST_READ: usize = 50;

/// The user's choice.
pub(super) enum Confirmed {
    /// Start with this topic.
    Topic(Topic),
    /// Continue this session.
    Unfinished(SessionId),
}

/// An unfinished session as it is offered.
struct Unfinished {
    id: SessionId,
    choice: Choice,
}

impl Unfinished {
    /// The topic may have been fetched from anywhere, so it becomes one short line without control characters.
    fn of(id: SessionId, ListedState { topic, phase, .. }: &ListedState) -> Self {
        let topic = Line::clipped(&harmless(topic.as_str()));
        let because = format!("unfinished session ({phase}); continues {id}");
        Self { choice: Choice::of(topic.as_str(), topic.as_str(), &because), id }
    }
}

/// Proposes the suggested topic and the unfinished sessions, and has the user confirm or edit one.
pub(super) fn confirm(desk: &mut Desk<'_>) -> Result<Confirmed, AppError> {
    let unfinished = unfinished(desk)?;
    let hint = match unfinished.first() {
        Some(newest) => {
            format!(
                "git grill resume {} continues the newest unfinished session; git grill start \"<topic>\"",
                newest.id
            )
        }
        None => "git grill start \"<topic>\"".to_owned(),
    };
    desk.need_person("choosing a topic", &hint)?;
    let prompt = prompt((desk.inference)(), &unfinished);
    let text = desk.prompter.reply(&prompt).answered().map_err(not_answered("starting"))?.text;
    let text = text.trim();
    if text.is_empty() {
        return Err(AppError::Cancelled("starting"));
    }
    match unfinished.into_iter().find(|one| one.choice.value == text) {
        Some(one) => Ok(Confirmed::Unfinished(one.id)),
        None => Ok(Confirmed::Topic(Topic::parse(text)?)),
    }
}

/// The sessions that are not closed and can be resumed here, the latest changed first.
fn unfinished(desk: &Desk<'_>) -> Result<Vec<Unfinished>, AppError> {
    let store = desk.dispatcher.store;
    let mut ids = store.ids()?;
    ids.truncate(MOST_READ);
    let mut offered: Vec<Unfinished> = Vec::new();
    for Listed { id, state, active_in } in store.glance(&ids)? {
        let (Ok(state), None) = (state, active_in) else {
            continue;
        };
        let one = Unfinished::of(id, &state);
        // The sent text could not distinguish two equal topics.
        if state.phase != "closed" && offered.iter().all(|other| other.choice.value != one.choice.value) {
            offered.push(one);
        }
    }
    offered.truncate(MOST_OFFERED);
    Ok(offered)
}

/// The suggested topic is in the editor; the unfinished sessions are listed after it.
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
    // A topic with an unfinished session is not offered as a new one.
    let suggested = suggested.filter(|topic| unfinished.iter().all(|one| one.choice.value != topic.value));
    let choices: Vec<Choice> = suggested.into_iter().chain(listed).collect();
    let draft = choices.first().map(|first| first.value.clone()).unwrap_or_default();
    let keys = "Enter starts or continues, Tab shows the next, Esc cancels".to_owned();
    ReplyPrompt { choices, draft, keys, ..asked }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unfinished(id: &str, topic: &str) -> Unfinished {
        let state = ListedState {
            topic: Topic::parse(topic).unwrap(),
            phase: "interview",
            updated_at: jiff::Timestamp::UNIX_EPOCH,
        };
        Unfinished::of(SessionId::parse(id).unwrap(), &state)
    }

    fn suggested(topic: &str) -> (String, String) {
        (topic.to_owned(), "from the branch".to_owned())
    }

    #[test]
    fn g2_what_is_unfinished_stands_behind_what_the_repository_suggests() {
        let earlier = [unfinished("20261121-limit-k3f9q", "limit requests")];
        let values = |prompt: &ReplyPrompt| prompt.choices.iter().map(|one| one.value.clone()).collect::<Vec<_>>();
        let both = prompt(Some(suggested("brace expansion")), &earlier);
        assert_eq!(both.draft, "brace expansion");
        assert_eq!(values(&both), ["brace expansion", "limit requests"]);
        let because = both.choices[1].description.as_deref().unwrap();
        assert_eq!(because, "unfinished session (interview); continues 20261121-limit-k3f9q");
        for same in [Some(suggested("limit requests")), None] {
            let alone = prompt(same, &earlier);
            assert_eq!(alone.draft, "limit requests");
            assert_eq!(values(&alone), ["limit requests"]);
        }
        let none = prompt(Some(suggested("brace expansion")), &[]);
        assert_eq!((none.choices, none.help.as_str()), (Vec::new(), "from the branch"));
    }

    #[test]
    fn g2_a_fetched_topic_is_offered_harmless_and_short() {
        let one = unfinished("20261121-x-k3f9q", &format!("red\u{1b}[31m \u{202e}{}", "long ".repeat(100)));
        assert!(one.choice.value.starts_with("red␛[31m \\u{202e}long long"), "{}", one.choice.value);
        assert!(one.choice.value.len() <= 203, "{}", one.choice.value);
        assert_eq!(one.choice.label, one.choice.value);
    }
}
