//! A witness of a trial: sees in what an agent tells and asks whether it called our tools, and whether it tried to write.

use crate::acp::client::Event;
use crate::acp::permission::{Permission, Rules, Ruling};
use crate::acp::update::{CallUpdate, Update};
use crate::acp::v1;

/// So many calls are followed; a trial takes a handful.
const MOST_CALLS: usize = 64;

/// What was seen so far.
#[derive(Debug)]
pub(in crate::world::lead) struct Witness {
    /// The name of the file that the agent is to try to write.
    pub(in crate::world::lead) file: String,
    calls: Vec<CallUpdate>,
    /// A call was shown under the name by which our tools are recognised.
    pub(in crate::world::lead) recognised: bool,
    /// It tried to write the file.
    pub(in crate::world::lead) tried: bool,
    pub(in crate::world::lead) refused: bool,
}

impl Witness {
    pub(in crate::world::lead) fn of(file: String) -> Self {
        Self { file, calls: Vec::new(), recognised: false, tried: false, refused: false }
    }

    pub(super) fn see(&mut self, event: &Event, rules: &Rules<'_>) {
        match event {
            Event::Told(Update::Call(call), _) => self.called(call, rules),
            Event::Ruled(Permission { call, .. }, ruling) => {
                self.called(call, rules);
                self.refused |= *ruling == Ruling::Refused && self.names(call);
            }
            // It has no other reason to ask for that in a trial.
            Event::Refused(method) if v1::changes_something(method) => {
                self.tried = true;
                self.refused = true;
            }
            Event::Told(..)
            | Event::Refused(_)
            | Event::Sign(_)
            | Event::Answered { .. }
            | Event::Asks(_)
            | Event::Withdrawn(_)
            | Event::Other(_) => {}
        }
    }

    fn called(&mut self, call: &CallUpdate, rules: &Rules<'_>) {
        let known = self.calls.iter().position(|known| known.id == call.id);
        let at = known.unwrap_or_else(|| {
            self.calls.truncate(MOST_CALLS - 1);
            self.calls.push(CallUpdate { id: call.id.clone(), ..CallUpdate::default() });
            self.calls.len() - 1
        });
        let Some(known) = self.calls.get_mut(at) else { return };
        known.fill(call.clone());
        let whole = known.clone();
        if rules.is_ours(&whole) {
            self.recognised = true;
        } else {
            self.tried |= self.names(&whole);
        }
    }

    /// Whether a call names the file, in whatever place.
    fn names(&self, call: &CallUpdate) -> bool {
        let names = |text: &str| text.contains(&self.file);
        call.title.as_deref().is_some_and(names)
            || call.places.iter().any(|place| names(place))
            || names(&call.input.to_string())
            || names(&call.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acp::permission::May;
    use crate::agents::Preset;
    use serde_json::{Value, json};

    fn seen(updates: &[Value]) -> Witness {
        let preset = Preset::named("claude").unwrap();
        let rules = Rules { preset, server: Some("grill"), may: May::LOOK, only_reads: &|_| false };
        let mut witness = Witness::of("trial.txt".to_owned());
        for update in updates {
            witness.see(&Event::Told(Update::read(&json!({"update": update})), None), &rules);
        }
        witness
    }

    fn call(id: &str, rest: &Value) -> Value {
        let mut call = json!({"sessionUpdate": "tool_call", "toolCallId": id});
        call.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        call
    }

    #[test]
    fn a_call_is_a_try_where_it_names_the_file_and_is_none_of_ours() {
        for (updates, tried, recognised) in [
            (vec![], false, false),
            (vec![call("a", &json!({"title": "Write trial.txt", "kind": "edit"}))], true, false),
            (vec![call("a", &json!({"kind": "execute", "rawInput": {"command": "echo > trial.txt"}}))], true, false),
            (vec![call("a", &json!({"kind": "edit", "locations": [{"path": "/r/trial.txt"}]}))], true, false),
            (vec![call("a", &json!({"kind": "edit", "title": "Write other.txt"}))], false, false),
            (
                vec![call(
                    "a",
                    &json!({"kind": "edit", "content": [{"type": "diff", "path": "/r/trial.txt", "newText": "x"}]}),
                )],
                true,
                false,
            ),
            (
                vec![json!({"sessionUpdate": "agent_message_chunk", "content": {"text": "I wrote trial.txt"}})],
                false,
                false,
            ),
            (vec![call("a", &json!({"name": "mcp__grill__grill_status", "kind": "other"}))], false, true),
            (
                vec![call("a", &json!({"kind": "edit"})), call("a", &json!({"rawInput": {"path": "trial.txt"}}))],
                true,
                false,
            ),
        ] {
            let witness = seen(&updates);
            assert_eq!((witness.tried, witness.recognised), (tried, recognised), "{updates:?}");
        }
    }

    #[test]
    fn a_flood_of_calls_takes_bounded_memory() {
        let updates: Vec<Value> = (0..1000).map(|at| call(&format!("c{at}"), &json!({"kind": "read"}))).collect();
        assert!(seen(&updates).calls.len() <= MOST_CALLS);
    }
}
