//! The tool by which a host brings texts of its own roles (D19): it hands them in, and answers for nobody.

use serde::Deserialize;

use super::refusal::Refusal as Own;
use super::role::Role;
use super::{Command, Submission};
use crate::domain::subsystem::{self, Call, Tooled};
use crate::domain::tool::{BadRequest, Row, Tool};

const NAME: &str = "grill_debate";

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Action {
    Next,
    Submit,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DebateRequest {
    action: Action,
    #[serde(default)]
    debate: Option<u32>,
    #[serde(default)]
    role: Option<String>,
    #[serde(default)]
    round: Option<u32>,
    #[serde(default)]
    text: Option<String>,
}

impl Tooled for Command {
    const TOOLS: &'static [Row] = &[Row {
        tool: Tool::Own(NAME),
        name: NAME,
        schema: include_str!("grill_debate.json"),
        example: r#"{"action":"next"}"#,
        records: true,
        led: false,
    }];

    fn of_call<C: Call>(_: &str, call: &C) -> Result<Self, C::Error> {
        let wrong = |refusal: Own| BadRequest::Own(Box::new(subsystem::Refusal::Debate(refusal)));
        let DebateRequest { action, debate, role, round, text } = call.read()?;
        match (action, debate, role, round, text) {
            (Action::Next, ..) => Ok(Self::Hosted(None)),
            (Action::Submit, Some(debate), Some(role), Some(round), Some(text)) => {
                // Names of agents for anything are refused by name (D25).
                let role = Role::parse(&role).map_err(|none| wrong(Own::NoRole(none)))?;
                Ok(Self::Hosted(Some(Box::new(Submission { debate, role, round, text }))))
            }
            (Action::Submit, ..) => Err(wrong(Own::HalfASubmission).into()),
        }
    }
}
