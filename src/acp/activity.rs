//! What the agent is doing, in one line: one record for each tool call, filled in as it comes, and the newest sentence of
//! what it thinks or says.

use std::collections::VecDeque;

use serde_json::Value;

use super::heard::Heard;
use super::permission::Rules;
use super::update::{CallKind, CallState, CallUpdate, EntryStatus, PlanEntry, Update, Word};
use super::v1;
use crate::domain::harmless::harmless;
use crate::domain::plan::heard::Turn;

/// So many calls are remembered; agents have few at a time.
const MOST_CALLS: usize = 32;
/// The end of a text that is kept; only its last sentence is shown.
const MOST_TEXT: usize = 4 * 1024;
/// What an agent said that is kept whole, to be shown if nothing else comes of the turn.
const MOST_SAID: usize = 16 * 1024;
/// So many entries of a plan are listed.
const MOST_ENTRIES: usize = 12;
/// Entries that are done and listed before the first that is not.
const DONE_BEFORE: usize = 2;
/// So many names of what is not known are kept.
const MOST_NAMES: usize = 8;
/// The most letters of a foreign text in one step.
const MOST_LETTERS: usize = 200;

/// The activity of one turn.
#[derive(Debug, Default)]
pub struct Activity {
    calls: VecDeque<CallUpdate>,
    thought: String,
    said: String,
    /// The part of what it said that [`Activity::heard`] has not handed out yet.
    fresh: String,
    /// What a plan can be read from.
    heard: Heard,
    /// Entries of its plan that are done, and all.
    planned: (usize, usize),
    /// The entries around the first that is not done.
    plan: Vec<String>,
    /// The steps that are over, the newest last.
    steps: VecDeque<String>,
    /// The call that was told last, while nothing else was told since.
    newest: Option<String>,
    /// How often it told what is not known, and the names of that.
    unknown: usize,
    names: Vec<String>,
}

impl Activity {
    pub fn note(&mut self, update: &Update, rules: &Rules<'_>, root: &str) {
        match update {
            Update::Said(text) => {
                self.newest = None;
                push(&mut self.said, text, MOST_SAID);
                push(&mut self.fresh, text, MOST_SAID);
                self.heard.say(text);
            }
            Update::Thought(text) => {
                self.newest = None;
                push(&mut self.thought, text, MOST_TEXT);
                self.heard.pause();
            }
            Update::Plan(entries) => {
                self.newest = None;
                self.planned = (entries.iter().filter(|entry| entry.is_done()).count(), entries.len());
                let next = entries.iter().position(|entry| !entry.is_done()).unwrap_or_default();
                let listed = entries.iter().skip(next.saturating_sub(DONE_BEFORE)).take(MOST_ENTRIES);
                self.plan = listed.map(entry_in_words).collect();
                self.heard.list(entries);
            }
            Update::Usage(_) | Update::Quiet(_) => {}
            Update::Unknown(update) => {
                self.note_unknown(v1::sort(update).unwrap_or("something without a name"));
            }
            Update::Call(call) => self.note_call(call, rules, root),
        }
    }

    fn note_call(&mut self, call: &CallUpdate, rules: &Rules<'_>, root: &str) {
        self.newest = Some(call.id.clone());
        if let Some(Word::Unknown(kind)) = &call.kind {
            self.note_unknown(&format!("the kind {kind}"));
        }
        if let Some(Word::Unknown(status)) = &call.state {
            self.note_unknown(&format!("the status {status}"));
        }
        let at = self.calls.iter().position(|known| known.id == call.id).unwrap_or(self.calls.len());
        if let Some(known) = self.calls.get_mut(at) {
            known.fill(call.clone());
        } else {
            self.heard.pause();
            self.calls.push_back(call.clone());
        }
        if let Some(known) = self.calls.get(at).filter(|known| !rules.is_ours(known)) {
            self.heard.work(known);
            if (known.is_over() || matches!(known.state, Some(Word::Unknown(_))))
                && let Some(step) = in_words(known, root)
                && self.steps.back() != Some(&step)
            {
                self.steps.push_back(step);
            }
        }
        if self.calls.len() > MOST_CALLS {
            self.calls.pop_front();
        }
        if self.steps.len() > MOST_CALLS {
            self.steps.pop_front();
        }
    }

    fn note_unknown(&mut self, name: &str) {
        self.unknown += 1;
        let name = short(name);
        if self.names.len() < MOST_NAMES && !self.names.contains(&name) {
            self.names.push(name);
        }
    }

    /// What it is doing now: the call that goes on, else what it thinks. Our own tools are not named, their effect is
    /// seen.
    pub fn line(&self, rules: &Rules<'_>, root: &str) -> String {
        let going_on = self.calls.iter().rev().find(|call| self.goes_on(call) && !rules.is_ours(call));
        if let Some(words) = going_on.and_then(|call| in_words(call, root)) {
            return words;
        }
        let (done, all) = self.planned;
        if done < all {
            return format!("works through its plan, {done} of {all}");
        }
        match (last_sentence(&self.thought), last_sentence(&self.said)) {
            (Some(thought), _) => format!("thinks: {thought}"),
            (None, Some(said)) => format!("writes: {said}"),
            (None, None) => "thinks".to_owned(),
        }
    }

    /// Whether a call of its own tools goes on, which may take its time without a word.
    pub fn is_at_work(&self, rules: &Rules<'_>) -> bool {
        self.calls.iter().any(|call| self.goes_on(call) && !rules.is_ours(call))
    }

    /// Whether its model has sent nothing yet.
    pub fn is_nothing(&self) -> bool {
        let (_, planned) = self.planned;
        self.said.is_empty() && self.thought.is_empty() && self.calls.is_empty() && planned + self.unknown == 0
    }

    fn goes_on(&self, call: &CallUpdate) -> bool {
        match call.state {
            Some(Word::Known(CallState::Pending | CallState::InProgress)) | None => true,
            Some(Word::Known(CallState::Completed | CallState::Failed)) => false,
            // It may be over: it goes on until something else is told, and no longer than the turn.
            Some(Word::Unknown(_)) => self.newest.as_ref() == Some(&call.id),
        }
    }

    /// The steps that are over, the oldest first; then its plan, and what it told that is not known.
    pub fn steps(&self) -> Vec<String> {
        let plan = self.plan.iter().cloned();
        let unknown = (self.unknown > 0)
            .then(|| format!("sent what git grill does not know ({}): {}", self.unknown, self.names.join(", ")));
        self.steps.iter().cloned().chain(plan).chain(unknown).collect()
    }

    /// Hands out what it said since the last call.
    pub fn heard(&mut self) -> String {
        std::mem::take(&mut self.fresh)
    }

    /// Hands out what a plan can be read from, of what was told since the last call.
    pub fn turn(&mut self) -> Turn {
        self.heard.take()
    }

    pub fn said(&self) -> &str {
        self.said.trim()
    }
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
    let (kind, status) = (unknown("kind", call.kind.as_ref()), unknown("status", call.state.as_ref()));
    Some(format!("{verb} {object}{kind}{status}"))
}

/// What is told behind a call whose kind or status is not known.
fn unknown<T>(what: &str, word: Option<&Word<T>>) -> String {
    match word {
        Some(Word::Unknown(word)) => format!(" (unknown {what}: {})", short(word)),
        Some(Word::Known(_)) | None => String::new(),
    }
}

fn entry_in_words(entry: &PlanEntry) -> String {
    let status = match &entry.status {
        Word::Known(EntryStatus::Pending) => "to do".to_owned(),
        Word::Known(EntryStatus::InProgress) => "in progress".to_owned(),
        Word::Known(EntryStatus::Completed) => "done".to_owned(),
        Word::Unknown(word) => format!("unknown status {}", short(word)),
    };
    let priority = entry.priority.as_deref().map(|word| format!(" ({} priority)", short(word))).unwrap_or_default();
    format!("plan, {status}: {}{priority}", short(&entry.text))
}

/// The object of the call: what its arguments name, else a place, else the title without its verb.
pub fn object(call: &CallUpdate, root: &str) -> Option<String> {
    const NAMED: &[&str] = &["command", "pattern", "query", "filePath", "file_path", "path", "url"];
    let input = NAMED.iter().find_map(|name| call.input.get(name).and_then(Value::as_str));
    let place = || call.places.first().map(String::as_str);
    let title = || call.title.as_deref().map(bare).or_else(|| call.name.clone());
    let named = input.or_else(place).map(str::to_owned);
    let object = named.or_else(title).filter(|text| !text.trim().is_empty())?;
    let below = object.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&object);
    Some(short(below))
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

/// The beginning of a foreign text, as one harmless line.
pub fn short(text: &str) -> String {
    let text = text.trim_start();
    match text.char_indices().nth(MOST_LETTERS) {
        Some((at, _)) => format!("{}…", one_line(&text[..at])),
        None => one_line(text),
    }
}

/// Foreign text as one harmless line.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    harmless(&words.join(" ")).replace('`', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acp::permission::May;
    use crate::agents::Preset;
    use serde_json::json;

    fn rules(agent: &str) -> Rules<'static> {
        let preset = Preset::named(agent).unwrap();
        Rules { preset, server: Some("grill"), may: May::LOOK, only_reads: &|_| false }
    }

    /// What comes of these updates.
    fn after(updates: &[Value]) -> Activity {
        let mut activity = Activity::default();
        for update in updates {
            activity.note(&Update::read(&json!({"update": update})), &rules("claude"), "/repo");
        }
        activity
    }

    fn lines(agent: &str, updates: &[Value]) -> Vec<String> {
        let rules = rules(agent);
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
            ("claude", vec![call(&json!({"kind": "warp", "title": "engine"}))], "uses engine (unknown kind: warp)"),
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
    fn a5_a_call_of_its_own_tools_is_work_until_it_is_over() {
        let ours = json!({"sessionUpdate": "tool_call", "toolCallId": "o", "name": "mcp__grill__grill_status"});
        let thought = json!({"sessionUpdate": "agent_thought_chunk", "content": {"text": "Hm."}});
        for (updates, at_work) in [
            (vec![], false),
            (vec![thought.clone()], false),
            (vec![ours], false),
            (vec![call(&json!({"kind": "execute"}))], true),
            (vec![call(&json!({"kind": "execute", "status": "pending"})), thought.clone()], true),
            (vec![call(&json!({"status": "in_progress"})), call(&json!({"status": "completed"}))], false),
            (vec![call(&json!({"status": "in_progress"})), call(&json!({"status": "failed"}))], false),
            (vec![call(&json!({"status": "entangled"}))], true),
            (vec![call(&json!({"status": "entangled"})), thought], false),
        ] {
            assert_eq!(after(&updates).is_at_work(&rules("claude")), at_work, "{updates:?}");
        }
    }

    #[test]
    fn a31_what_is_unknown_is_shown_as_unknown_and_counted() {
        let activity = after(&[
            json!({"sessionUpdate": "hologram"}),
            json!({"sessionUpdate": "hologram", "x": 1}),
            call(&json!({"kind": "read", "title": "Read a.rs", "status": "entangled"})),
            call(&json!({"kind": "warp"})),
            json!([]),
        ]);
        assert_eq!(
            activity.steps(),
            [
                "reads a.rs (unknown status: entangled)",
                "uses a.rs (unknown kind: warp) (unknown status: entangled)",
                "sent what git grill does not know (5): hologram, the status entangled, the kind warp, something without a name"
            ]
        );
    }

    #[test]
    fn a_plan_is_listed_entry_by_entry_from_what_is_to_be_done() {
        let entry = |at: usize, status: &str| json!({"content": format!("step {at}"), "status": status});
        let mut entries: Vec<Value> = (0..30).map(|at| entry(at, "completed")).collect();
        entries.push(json!({"content": "ask\u{1b}", "status": "in_progress", "priority": "high"}));
        entries.push(entry(31, "parked"));
        entries.push(entry(32, "pending"));
        let activity = after(&[json!({"sessionUpdate": "plan", "entries": entries})]);
        assert_eq!(
            activity.steps(),
            [
                "plan, done: step 28",
                "plan, done: step 29",
                "plan, in progress: ask␛ (high priority)",
                "plan, unknown status parked: step 31",
                "plan, to do: step 32"
            ]
        );
        assert_eq!(activity.line(&rules("claude"), "/repo"), "works through its plan, 30 of 33");
    }

    #[test]
    fn p20_what_a_plan_is_read_from_has_no_thoughts_and_ends_a_message_at_a_call() {
        let said =
            |text: &str| json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}});
        let thought = json!({"sessionUpdate": "agent_thought_chunk", "content": {"text": "[DONE:1]"}});
        let mut activity = after(&[
            said("I loo"),
            said("k."),
            call(&json!({"kind": "edit", "title": "Edit a", "status": "in_progress"})),
            said("Plan:"),
            call(&json!({"status": "completed"})),
            said("\n1. a"),
            thought,
            said("So."),
            json!({"sessionUpdate": "plan", "entries": [{"content": "a", "status": "pending"}]}),
        ]);
        let turn = activity.turn();
        assert_eq!(turn.messages, ["I look.", "Plan:\n1. a", "So."]);
        assert!(turn.worked && !turn.is_cut);
        assert_eq!(turn.entries.len(), 1);
        assert_eq!(activity.turn(), Turn::default());
    }

    #[test]
    fn a_flood_takes_no_more_than_a_bounded_memory() {
        let updates: Vec<Value> = (0..10_000)
            .map(|at| json!({"sessionUpdate": "tool_call", "toolCallId": format!("c{at}"), "title": "t", "kind": "read"}))
            .collect();
        let rules = rules("claude");
        let mut activity = Activity::default();
        for (at, update) in updates.iter().enumerate() {
            activity.note(&Update::read(&json!({"update": update})), &rules, "/repo");
            activity.note(&Update::Said("x".repeat(100)), &rules, "/repo");
            activity.note(&Update::Unknown(json!({"sessionUpdate": format!("u{at}")})), &rules, "/repo");
        }
        assert!(activity.calls.len() <= MOST_CALLS && activity.said.len() <= MOST_SAID);
        assert!(activity.names.len() <= MOST_NAMES);
        let entry = json!({"content": "x".repeat(10_000), "status": "y".repeat(10_000)});
        let plan = json!({"update": {"sessionUpdate": "plan", "entries": vec![entry; 1000]}});
        activity.note(&Update::read(&plan), &rules, "/repo");
        assert!(activity.steps().len() <= MOST_CALLS + MOST_ENTRIES + 1);
        assert!(activity.steps().iter().all(|step| step.len() < 4 * MOST_LETTERS * MOST_NAMES));
    }
}
