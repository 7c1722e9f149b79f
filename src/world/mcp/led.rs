//! The server of an agent that git grill leads: no more than such an agent needs. Real agents handed the method to their
//! model twice, from here and from the first prompt, and one cut ours off; so the prompt alone has it, and the status for
//! an agent that lost its beginning. Tools that it can never use are not listed.

use serde_json::{Value, json};

use super::LocalToolbox;
use crate::app::instructions::at_terminal;
use crate::app::toolbox::{Described, Nature, ToolText};
use crate::domain::session::Session;
use crate::domain::tool::{Row, Tool};
use crate::store::foreground::foreground;

/// Sentences of our tools' descriptions that are for an agent in a client of its own: the user of one that is led sees
/// nothing of its text, its first prompt has the status, and its calls return at once.
const OUTSIDE: &[&str] = &[
    " Call it first.",
    " Where nobody can be asked here, the question stands recorded: put it in plain text, and record what they say with \
     grill_record_answer.",
    " A result of the kind discuss means: talk in plain text until it is clear, then call resume_structured.",
];

/// What only a call that waits for its answer takes.
const WAITING: &str = "timeoutSeconds";

/// A tool as it is described to an agent that git grill leads.
fn for_a_led_one(mut tool: Described) -> Described {
    for sentence in OUTSIDE {
        tool.description = tool.description.replace(sentence, "");
    }
    if let Some(properties) = tool.schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.remove(WAITING);
    }
    tool
}

impl LocalToolbox {
    pub(super) fn lists(&self, row: &Row) -> bool {
        if row.tool == Tool::Agent {
            return self.lends();
        }
        !(self.asks_at_terminal() || self.is_trial()) || row.led || self.is_for_plans(row)
    }

    /// A tool as it is announced to the agent that this server is for.
    pub(super) fn described(&self, row: &Row) -> Option<Described> {
        let data: Value = serde_json::from_str(row.schema).ok()?;
        let tool = Described {
            name: row.name.to_owned(),
            description: data.get("description")?.as_str()?.to_owned(),
            schema: data.get("inputSchema")?.clone(),
            nature: match (row.tool == Tool::Agent, row.records) {
                (true, _) => Nature::Runs,
                (false, true) => Nature::Records,
                (false, false) => Nature::Reads,
            },
        };
        Some(if self.asks_at_terminal() { for_a_led_one(tool) } else { tool })
    }

    /// Whether this is a tool with which an agent hands in a plan and marks its steps, in plan mode or in a session in which
    /// nothing is asked.
    fn is_for_plans(&self, row: &Row) -> bool {
        let is_own = matches!(row.tool, Tool::Own(_)) && !self.is_trial();
        is_own && self.session().is_some_and(|session| session.phase.asks_nothing() || session.own.plan.is_on())
    }

    fn session(&self) -> Option<Session> {
        self.opened().and_then(|opened| foreground(&opened.repo).ok().flatten())
    }

    /// Where the interview stands, with how it is led from here: what an agent in a client of its own is told is more.
    pub(super) fn with_method(&self, mut said: ToolText) -> ToolText {
        let told = self.session().as_ref().and_then(at_terminal).filter(|_| !said.failed);
        let Some(told) = told else { return said };
        said.text = match said.value.get("instructions").and_then(Value::as_str) {
            Some(general) => said.text.replace(general, &told),
            None => format!("{}\n\n{told}", said.text),
        };
        said.value["instructions"] = json!(told);
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::tool::rows;

    #[test]
    fn g59_a_led_agent_is_told_of_no_way_that_it_does_not_have() {
        for sentence in OUTSIDE {
            assert!(rows().any(|row| row.schema.contains(sentence)), "nobody is told: {sentence}");
        }
        for row in rows().filter(|row| row.led) {
            let data: Value = serde_json::from_str(row.schema).unwrap();
            let described = Described {
                name: row.name.to_owned(),
                description: data["description"].as_str().unwrap().to_owned(),
                schema: data["inputSchema"].clone(),
                nature: Nature::Records,
            };
            let led = for_a_led_one(described);
            for said in ["Call it first", "plain text, and record", "kind discuss"] {
                assert!(!led.description.contains(said), "{}: {}", row.name, led.description);
            }
            assert!(led.schema.get("properties").is_some_and(|all| all.get(WAITING).is_none()), "{}", row.name);
        }
    }
}
