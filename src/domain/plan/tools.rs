//! The tools with which an agent hands in a plan and marks its steps (P16, P20).

use serde::Deserialize;

use super::{Command, PlanSource, Steps};
use crate::domain::subsystem::{self, Call, Tooled};
use crate::domain::text::Line;
use crate::domain::tool::{BadRequest, Row, Tool};

const SET: &str = "grill_set_plan";
const DONE: &str = "grill_step_done";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetPlanRequest {
    steps: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepDoneRequest {
    step: u32,
    #[serde(default)]
    note: Option<String>,
}

impl Tooled for Command {
    const TOOLS: &'static [Row] = &[
        Row {
            tool: Tool::Own(SET),
            name: SET,
            schema: include_str!("grill_set_plan.json"),
            example: r#"{"steps":["Add `Limiter` in src/limiter.rs","Call it in src/server.rs"]}"#,
            records: true,
            led: false,
        },
        Row {
            tool: Tool::Own(DONE),
            name: DONE,
            schema: include_str!("grill_step_done.json"),
            example: r#"{"step":1,"note":"with a test"}"#,
            records: true,
            led: false,
        },
    ];

    fn of_call<C: Call>(tool: &str, call: &C) -> Result<Self, C::Error> {
        if tool == SET {
            let SetPlanRequest { steps } = call.read()?;
            let steps =
                Steps::parse(&steps).map_err(|refusal| BadRequest::Own(Box::new(subsystem::Refusal::Plan(refusal))))?;
            return Ok(Self::SetPlan { steps, source: source() });
        }
        let StepDoneRequest { step, note } = call.read()?;
        let note = note.filter(|note| !note.trim().is_empty());
        let note = note.map(|note| Line::parse("the note", &note)).transpose().map_err(BadRequest::from)?;
        Ok(Self::StepDone { step, note })
    }
}

/// Where a plan comes from that an agent hands in.
pub(super) fn source() -> PlanSource {
    PlanSource::Tool { name: Line::clipped(SET) }
}
