//! What an agent tells during a turn, read leniently (A31): a word that is not known is kept as it came, and an update
//! that is not understood is an update all the same.

use serde_json::Value;

/// A word of the protocol, or one that it did not have when this was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word<T> {
    /// One of the protocol's.
    Known(T),
    /// Another one.
    Unknown(String),
}

macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$said:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$said])* $variant),+ }

        impl $name {
            /// The word, or what it is if it is none of these.
            pub fn word(text: &str) -> Word<Self> {
                match text {
                    $($word => Word::Known(Self::$variant),)+
                    other => Word::Unknown(other.to_owned()),
                }
            }
        }
    };
}

words! {
    CallKind {
        Read = "read",
        Edit = "edit",
        Delete = "delete",
        Move = "move",
        Search = "search",
        Execute = "execute",
        Think = "think",
        Fetch = "fetch",
        SwitchMode = "switch_mode",
        /// Everything else; tools of MCP servers are this.
        Other = "other",
    }
}

words! {
    CallState {
        Pending = "pending",
        InProgress = "in_progress",
        Completed = "completed",
        Failed = "failed",
    }
}

words! {
    EntryStatus {
        Pending = "pending",
        InProgress = "in_progress",
        Completed = "completed",
    }
}

words! {
    StopReason {
        /// The agent had said what it wanted to.
        EndTurn = "end_turn",
        MaxTokens = "max_tokens",
        MaxTurnRequests = "max_turn_requests",
        Refusal = "refusal",
        /// It was cancelled, by us or by a refusal of ours.
        Cancelled = "cancelled",
    }
}

/// What is told of a tool call; every part may be missing, and a later update fills in more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallUpdate {
    pub id: String,
    pub title: Option<String>,
    /// The tool's own name.
    pub name: Option<String>,
    pub kind: Option<Word<CallKind>>,
    pub state: Option<Word<CallState>>,
    /// The files that it touches.
    pub places: Vec<String>,
    /// Its arguments.
    pub input: Value,
    /// Text that came out of it.
    pub text: String,
}

/// One entry of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanEntry {
    pub text: String,
    pub status: Word<EntryStatus>,
    /// In the agent's own word.
    pub priority: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    Said(String),
    Thought(String),
    /// A tool call, new or further on.
    Call(Box<CallUpdate>),
    /// Its whole plan, each time anew.
    Plan(Vec<PlanEntry>),
    /// What it reports of its use of a model, as it came.
    Usage(Value),
    /// A sign of life that is not shown, by its name: modes, commands, what a loaded session replays.
    Quiet(String),
    /// One that is not understood, as it came.
    Unknown(Value),
}

impl PlanEntry {
    pub fn is_done(&self) -> bool {
        self.status == Word::Known(EntryStatus::Completed)
    }
}

impl CallUpdate {
    pub fn is_over(&self) -> bool {
        matches!(self.state, Some(Word::Known(CallState::Completed | CallState::Failed)))
    }

    /// Takes over what a later update says; what it does not say stays.
    pub fn fill(&mut self, later: Self) {
        fn newer<T>(now: &mut Option<T>, later: Option<T>) {
            if later.is_some() {
                *now = later;
            }
        }
        newer(&mut self.title, later.title);
        newer(&mut self.name, later.name);
        newer(&mut self.kind, later.kind);
        newer(&mut self.state, later.state);
        if !later.places.is_empty() {
            self.places = later.places;
        }
        if later.input.as_object().is_some_and(|input| !input.is_empty()) {
            self.input = later.input;
        }
        if !later.text.is_empty() {
            self.text = later.text;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(update: &Value) -> Update {
        Update::read(&json!({"sessionId": "s", "update": update}))
    }

    #[test]
    fn a31_an_unknown_word_is_kept_and_the_rest_is_read() {
        let call = json!({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "Warp", "kind": "teleport",
            "status": "entangled", "locations": [{"path": "a"}, {"line": 2}, 7]});
        let Update::Call(call) = read(&call) else { panic!("no call") };
        assert_eq!(call.kind, Some(Word::Unknown("teleport".into())));
        assert_eq!(call.state, Some(Word::Unknown("entangled".into())));
        assert_eq!(call.places, ["a"]);
        assert_eq!(StopReason::word("sleepy"), Word::Unknown("sleepy".into()));
    }

    #[test]
    fn a31_what_is_not_understood_is_kept_as_it_came() {
        for odd in [
            json!({"sessionUpdate": "hologram", "x": 1}),
            json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "image"}}),
            json!({"sessionUpdate": "agent_message_chunk", "content": "plain"}),
            json!({"sessionUpdate": "tool_call"}),
            json!({"sessionUpdate": 7}),
            json!({"sessionUpdate": "plan", "entries": 3}),
            json!({"sessionUpdate": "usage_update", "used": "much"}),
            json!([]),
            json!("x"),
        ] {
            assert_eq!(read(&odd), Update::Unknown(odd));
        }
        assert_eq!(Update::read(&json!(3)), Update::Unknown(json!(3)));
    }

    #[test]
    fn a31_a_plan_is_read_entry_by_entry_with_the_words_that_it_came_in() {
        let plan = json!({"sessionUpdate": "plan", "entries": [
            {"content": "Read", "status": "completed", "priority": "high"},
            {"content": "Ask", "status": "parked", "priority": "someday"}, 7]});
        let Update::Plan(entries) = read(&plan) else { panic!("no plan") };
        let entry = |text: &str, status: Word<EntryStatus>, priority: Option<&str>| PlanEntry {
            text: text.to_owned(),
            status,
            priority: priority.map(str::to_owned),
        };
        let unknown = |word: &str| Word::Unknown(word.to_owned());
        assert_eq!(
            entries,
            [
                entry("Read", Word::Known(EntryStatus::Completed), Some("high")),
                entry("Ask", unknown("parked"), Some("someday")),
                entry("", unknown("nothing"), None),
            ]
        );
    }

    #[test]
    fn a_later_update_fills_in_and_takes_nothing_away() {
        let first = json!({"toolCallId": "c", "title": "read", "kind": "read", "rawInput": {"filePath": "a.rs"}});
        let mut call = CallUpdate::read(&first).unwrap();
        call.fill(CallUpdate::read(&json!({"toolCallId": "c", "status": "completed", "rawInput": {}})).unwrap());
        assert_eq!(call.title.as_deref(), Some("read"));
        assert_eq!(call.input["filePath"], "a.rs");
        assert_eq!(call.state, Some(Word::Known(CallState::Completed)));
    }
}
