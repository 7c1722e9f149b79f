//! What the agent is doing, in one line: one record for each tool call, filled in as it comes, and the newest sentence of
//! what it thinks or says.

use std::collections::VecDeque;

use serde_json::Value;

use super::permission::Rules;
use super::update::{CallKind, CallState, CallUpdate, Update, Word};
use crate::domain::harmless::harmless;

/// So many calls are remembered; agents have few at a time.
const MOST_CALLS: usize = 32;
/// The end of a text that is kept; only its last sentence is shown.
const MOST_TEXT: usize = 4 * 1024;
/// What an agent said that is kept whole, to be shown if nothing else comes of the turn.
const MOST_SAID: usize = 16 * 1024;

/// The activity of one turn.
#[derive(Debug, Default)]
pub struct Activity {
    calls: VecDeque<CallUpdate>,
    thought: String,
    said: String,
    /// The part of what it said that [`Activity::heard`] has not handed out yet.
    fresh: String,
    plan: Option<(usize, usize)>,
    /// The steps that are over, the newest last.
    steps: VecDeque<String>,
}

impl Activity {
    pub fn note(&mut self, update: &Update, rules: &Rules<'_>, root: &str) {
        match update {
            Update::Said(text) => {
                push(&mut self.said, text, MOST_SAID);
                push(&mut self.fresh, text, MOST_SAID);
            }
            Update::Thought(text) => push(&mut self.thought, text, MOST_TEXT),
            Update::Plan { done, all } => self.plan = Some((*done, *all)),
            Update::Quiet(_) | Update::Unknown(_) => {}
            Update::Call(call) => {
                match self.calls.iter_mut().find(|known| known.id == call.id) {
                    Some(known) => known.fill((**call).clone()),
                    None => self.calls.push_back((**call).clone()),
                }
                if let Some(known) = self.calls.iter().find(|known| known.id == call.id)
                    && is_over(known)
                    && !rules.is_ours(known)
                    && let Some(step) = in_words(known, root)
                    && self.steps.back() != Some(&step)
                {
                    self.steps.push_back(step);
                }
                if self.calls.len() > MOST_CALLS {
                    self.calls.pop_front();
                }
                if self.steps.len() > MOST_CALLS {
                    self.steps.pop_front();
                }
            }
        }
    }

    /// What it is doing now: the call that goes on, else what it thinks. Our own tools are not named, their effect is
    /// seen.
    pub fn line(&self, rules: &Rules<'_>, root: &str) -> String {
        let going_on = self.calls.iter().rev().find(|call| !is_over(call) && !rules.is_ours(call));
        if let Some(words) = going_on.and_then(|call| in_words(call, root)) {
            return words;
        }
        if let Some((done, all)) = self.plan.filter(|(done, all)| done < all) {
            return format!("works through its plan, {done} of {all}");
        }
        match (last_sentence(&self.thought), last_sentence(&self.said)) {
            (Some(thought), _) => format!("thinks: {thought}"),
            (None, Some(said)) => format!("writes: {said}"),
            (None, None) => "thinks".to_owned(),
        }
    }

    /// The steps that are over, the oldest first.
    pub fn steps(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(String::as_str)
    }

    /// Hands out what it said since the last call.
    pub fn heard(&mut self) -> String {
        std::mem::take(&mut self.fresh)
    }

    pub fn said(&self) -> &str {
        self.said.trim()
    }
}

fn is_over(call: &CallUpdate) -> bool {
    matches!(call.state, Some(Word::Known(CallState::Completed | CallState::Failed)))
}

fn push(text: &mut String, piece: &str, most: usize) {
    text.push_str(piece);
    if text.len() > most {
        let from = text.ceil_char_boundary(text.len() - most);
        text.drain(..from);
    }
}

/// The call in words; `None` while nothing is known but that there is one.
fn in_words(call: &CallUpdate, root: &str) -> Option<String> {
    let verb = match &call.kind {
        Some(Word::Known(CallKind::Read)) => "reads",
        Some(Word::Known(CallKind::Search)) => "searches for",
        Some(Word::Known(CallKind::Execute)) => "runs",
        Some(Word::Known(CallKind::Fetch)) => "fetches",
        Some(Word::Known(CallKind::Think)) => return Some("thinks".to_owned()),
        Some(Word::Known(CallKind::Edit | CallKind::Delete | CallKind::Move)) => "wants to change",
        Some(Word::Known(CallKind::SwitchMode)) => "asks to change its mode:",
        Some(Word::Known(CallKind::Other) | Word::Unknown(_)) | None => "uses",
    };
    let object = object(call, root)?;
    Some(format!("{verb} {object}"))
}

/// The object of the call: what its arguments name, else a place, else the title without its verb.
fn object(call: &CallUpdate, root: &str) -> Option<String> {
    const NAMED: &[&str] = &["command", "pattern", "query", "filePath", "file_path", "path", "url"];
    let input = NAMED.iter().find_map(|name| call.input.get(name).and_then(Value::as_str));
    let place = || call.places.first().map(String::as_str);
    let title = || call.title.as_deref().map(bare).or_else(|| call.name.clone());
    let named = input.or_else(place).map(str::to_owned);
    let object = named.or_else(title).filter(|text| !text.trim().is_empty())?;
    let below = object.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&object);
    Some(one_line(below))
}

/// The title without the verb that some agents put before it, and without quotes.
fn bare(title: &str) -> String {
    const VERBS: &[&str] = &["Read file ", "Read ", "Execute ", "Search for ", "List files in ", "List ", "Fetch "];
    let rest = VERBS.iter().find_map(|verb| title.strip_prefix(verb)).unwrap_or(title);
    let rest = rest.trim();
    // Behind what is quoted there may be more, as in `'Link' in src`.
    let quoted = ['`', '\'', '"'].into_iter().find_map(|quote| rest.strip_prefix(quote)?.split_once(quote));
    quoted.map_or_else(|| rest.to_owned(), |(inside, behind)| format!("{inside}{behind}"))
}

/// The last whole sentence, or what there is of one.
fn last_sentence(text: &str) -> Option<String> {
    let line = one_line(text).replace('*', "");
    // A full stop within a word, as in a path, ends nothing.
    let padded = format!("{line} ");
    let ends: Vec<usize> =
        padded.match_indices(' ').map(|(at, _)| at).filter(|at| padded[..*at].ends_with(['.', '!', '?'])).collect();
    let (from, to) = match ends.as_slice() {
        [] => (0, line.len()),
        [one] => (0, *one),
        [.., before, last] => (*before, *last),
    };
    let sentence = line.get(from..to)?.trim();
    (!sentence.is_empty()).then(|| sentence.to_owned())
}

/// Foreign text as one harmless line.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    harmless(&words.join(" ")).replace('`', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acp::agents;
    use crate::domain::settings::Research;
    use serde_json::json;

    fn lines(agent: &str, updates: &[Value]) -> Vec<String> {
        let preset = agents::known(agent).unwrap();
        let rules = Rules { preset, server: "grill", research: Research::Auto, only_reads: &|_| false };
        let mut activity = Activity::default();
        let mut line = |update: &Value| {
            activity.note(&Update::read(&json!({"update": update})), &rules, "/repo");
            activity.line(&rules, "/repo")
        };
        updates.iter().map(&mut line).collect()
    }

    fn call(rest: &Value) -> Value {
        let mut call = json!({"sessionUpdate": "tool_call", "toolCallId": "c"});
        call.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        call
    }

    #[test]
    fn one_line_says_what_it_does() {
        for (agent, updates, last) in [
            (
                "claude",
                vec![
                    call(&json!({"title": "Read File", "kind": "read", "status": "pending"})),
                    call(
                        &json!({"title": "Read src/link.rs", "locations": [{"path": "/repo/src/link.rs", "line": 3}]}),
                    ),
                ],
                "reads src/link.rs",
            ),
            (
                "codex",
                vec![call(&json!({"title": "Search for 'Link' in src", "kind": "search", "status": "in_progress"}))],
                "searches for Link in src",
            ),
            (
                "opencode",
                vec![call(&json!({"title": "read", "kind": "read", "rawInput": {"filePath": "/repo/a.rs"}}))],
                "reads a.rs",
            ),
            ("grok", vec![call(&json!({"title": "Execute `git log`", "kind": "execute"}))], "runs git log"),
            (
                "claude",
                vec![call(&json!({"name": "mcp__grill__ask_question", "kind": "other", "title": "x"}))],
                "thinks",
            ),
            (
                "claude",
                vec![
                    call(&json!({"title": "Read a", "kind": "read"})),
                    call(&json!({"sessionUpdate": "tool_call_update", "status": "completed"})),
                ],
                "thinks",
            ),
            (
                "claude",
                vec![json!({"sessionUpdate": "agent_thought_chunk",
                "content": {"text": "**Looking** at a.rs first. Then the li"}})],
                "thinks: Looking at a.rs first.",
            ),
            (
                "claude",
                vec![json!({"sessionUpdate": "agent_thought_chunk", "content": {"text": "\u{1b}[2J half"}})],
                "thinks: ␛[2J half",
            ),
            ("claude", vec![call(&json!({"kind": "warp", "title": "engine"}))], "uses engine"),
            (
                "claude",
                vec![json!({"sessionUpdate": "plan", "entries": [{"status": "completed"}, {"status": "x"}]})],
                "works through its plan, 1 of 2",
            ),
        ] {
            assert_eq!(lines(agent, &updates).last().unwrap(), last);
        }
    }

    #[test]
    fn a_flood_takes_no_more_than_a_bounded_memory() {
        let updates: Vec<Value> = (0..10_000)
            .map(|at| json!({"sessionUpdate": "tool_call", "toolCallId": format!("c{at}"), "title": "t", "kind": "read"}))
            .collect();
        let preset = agents::known("claude").unwrap();
        let rules = Rules { preset, server: "grill", research: Research::Auto, only_reads: &|_| false };
        let mut activity = Activity::default();
        for update in &updates {
            activity.note(&Update::read(&json!({"update": update})), &rules, "/repo");
            activity.note(&Update::Said("x".repeat(100)), &rules, "/repo");
        }
        assert!(activity.calls.len() <= MOST_CALLS && activity.said.len() <= MOST_SAID);
    }
}
