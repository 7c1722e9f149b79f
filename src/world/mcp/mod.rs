//! `git grill mcp`: the toolbox behind the server. Every call is a request of its own: the repository is opened, the same
//! use cases run as for the command line, and it is closed again.

mod elicited;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::app::desk::Desk;
use crate::app::error::AppError;
use crate::app::instructions::instructions;
use crate::app::reply::{Guards, Reply};
use crate::app::toolbox::{Call, Called, Described, Filled, Nature, NotSent, Resource, Said, Toolbox, Waiting};
use crate::app::tools;
use crate::cli;
use crate::domain::actor::Actor;
use crate::domain::session::{Phase, Session};
use crate::domain::tool::Tool;
use crate::render;
use crate::repo::open::{RepoEnv, open};
use crate::store::active::active;

use super::at_desk::{Seat, Sits, for_a_program};
use super::environment::Environment;
use elicited::{Asked, Elicited};

/// A client's name is part of who an answer came from; a longer one is cut.
const LONGEST_NAME: usize = 40;

/// What the prompt says where no interview is open yet.
const BEGIN: &str = "Nothing in the repository changes before you and the user mean the same thing. The user confirms the \
                     topic, and the result of the call says how to go on.";

/// Serves a client until it goes away.
pub(super) fn serve(environment: Environment) -> Result<ExitCode, AppError> {
    crate::mcp::serve(Arc::new(Desks { environment })).map(|()| ExitCode::SUCCESS).map_err(|error| {
        let causes = std::error::Error::source(&error).map(ToString::to_string).into_iter().collect();
        AppError::Environment {
            code: "mcp",
            message: error.to_string(),
            causes,
            hint: Some("git grill mcp is started by an agent: git grill agent install --list".to_owned()),
        }
    })
}

/// A desk for every call.
struct Desks {
    environment: Environment,
}

impl Desks {
    fn at<T>(
        &self,
        client: &str,
        prompter: &mut Elicited,
        work: impl FnOnce(&mut Desk<'_>) -> Result<T, AppError>,
    ) -> Result<T, AppError> {
        let seat = Seat { actor: Actor::Agent(name(client)), prompter };
        for_a_program(&self.environment, Sits::Client(seat), work)
    }

    fn stand(&self, call: &Call) -> String {
        let now = self.at(&call.client, &mut Elicited::Noting(None), |desk| Ok(stand(Some(&desk.session()?))));
        now.unwrap_or_else(|_| stand(None))
    }

    /// What to say where somebody decided elsewhere what was waited for under this handle.
    fn moved_on(&self, handle: &str, call: &Call) -> Option<Said> {
        if !handle.starts_with(WAITS) || handle == self.stand(call) {
            return None;
        }
        let status = Call { tool: Tool::Status.name().to_owned(), arguments: json!({}), again: None, ..call.clone() };
        let mut now = said(self.served(&status, &mut Elicited::Noting(None)));
        now.text = format!("This was decided elsewhere meanwhile, and what came back here was not used. {}", now.text);
        now.value["text"] = json!(now.text);
        Some(now)
    }

    fn served(&self, call: &Call, prompter: &mut Elicited) -> Result<Reply, AppError> {
        self.at(&call.client, prompter, |desk| cli::call_tool(desk, &call.tool, &call.arguments.to_string()))
    }
}

/// A name that can stand in a session's history.
fn name(client: &str) -> String {
    let plain: String =
        client.chars().filter(|one| one.is_ascii_alphanumeric() || "-_.".contains(*one)).take(LONGEST_NAME).collect();
    if plain.is_empty() { "unnamed".to_owned() } else { plain }
}

fn said(served: Result<Reply, AppError>) -> Said {
    match served {
        Ok(reply) => {
            let value = render::reply_json(&reply);
            let text = value.get("text").and_then(Value::as_str).unwrap_or_default();
            let remarks =
                value.get("remarks").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            let instructions = value.get("instructions").and_then(Value::as_str);
            let text = std::iter::once(text).chain(remarks).chain(instructions).collect::<Vec<_>>().join("\n");
            let failed = value.get("error").is_some_and(Value::is_object);
            Said { text, value, failed }
        }
        Err(error) => failed(&error),
    }
}

fn failed(error: &AppError) -> Said {
    let value = render::error_json(error);
    let causes = error.causes().into_iter().map(|cause| format!("caused by: {cause}"));
    let hint = error.hint().map(|hint| format!("hint: {hint}"));
    let lines = std::iter::once(format!("error: {error}")).chain(causes).chain(hint);
    Said { text: lines.collect::<Vec<_>>().join("\n"), value, failed: true }
}

/// What a handle begins with that names no question, but where the session was when a person's decision was waited for.
const WAITS: &str = "waits-";

/// Where a session is, as far as a decision that waits in it is concerned: another one after anybody decided.
fn stand(session: Option<&Session>) -> String {
    let mut hasher = DefaultHasher::new();
    match session {
        None => "none".hash(&mut hasher),
        Some(session) => {
            (session.id.as_str(), session.phase.name()).hash(&mut hasher);
            if let Phase::Selection(selection) = &session.phase {
                let gate = &selection.gate;
                (gate.rationale.as_str(), gate.question.as_str()).hash(&mut hasher);
                format!("{:?}", selection.request).hash(&mut hasher);
            }
        }
    }
    format!("{WAITS}{:016x}", hasher.finish())
}

/// Whether a decision is waited for, and no answer to a question.
fn decides(said: &Said) -> bool {
    let kind = said.value.get("kind").and_then(Value::as_str);
    matches!(kind, Some("waiting" | "approval_required"))
}

/// What names a question: its id where it was recorded, else what it was called with.
fn handle(call: &Call, said: &Said) -> String {
    if let Some(id) = said.value.pointer("/question/id").and_then(Value::as_str) {
        return id.to_owned();
    }
    let mut hasher = DefaultHasher::new();
    (&call.tool, call.arguments.to_string()).hash(&mut hasher);
    format!("form-{:016x}", hasher.finish())
}

impl Toolbox for Desks {
    fn tools(&self) -> Vec<Described> {
        let described = |schema: tools::Schema| {
            let data: Value = serde_json::from_str(schema.json).ok()?;
            Some(Described {
                name: schema.tool.name(),
                description: data.get("description")?.as_str()?.to_owned(),
                schema: data.get("inputSchema")?.clone(),
                nature: match schema.tool {
                    Tool::Questionnaire | Tool::Status => Nature::Reads,
                    Tool::AskQuestion
                    | Tool::AskMultiSelect
                    | Tool::ResumeStructured
                    | Tool::SetAlternatives
                    | Tool::RecordAnswer
                    | Tool::UpdateCheckpoint
                    | Tool::EnterSelection
                    | Tool::FinishSelection
                    | Tool::EnterOutput
                    | Tool::SubmitDraft
                    | Tool::FinishOutput
                    | Tool::Start => Nature::Records,
                },
            })
        };
        tools::schemas().into_iter().filter_map(described).collect()
    }

    fn call(&self, call: &Call) -> Called {
        // Asked for again after somebody decided elsewhere, it would undo what they decided.
        if let Some(moved) = call.again.as_deref().and_then(|handle| self.moved_on(handle, call)) {
            return Called::Done(moved);
        }
        let mut noting = Elicited::Noting(None);
        let served = self.served(call, &mut noting);
        let refused = served.is_err();
        let meanwhile = said(served);
        match noting.asked() {
            Some(Asked { message, fields }) if !refused => {
                let handle = if decides(&meanwhile) { self.stand(call) } else { handle(call, &meanwhile) };
                Called::Waiting(Box::new(Waiting { handle, message, fields, meanwhile }))
            }
            Some(_) | None => Called::Done(meanwhile),
        }
    }

    fn look(&self, waiting: &Waiting, call: &Call) -> Option<Said> {
        // What was not recorded can be answered nowhere else.
        if waiting.handle.starts_with("form-") {
            return None;
        }
        if waiting.handle.starts_with(WAITS) {
            return self.moved_on(&waiting.handle, call);
        }
        match self.call(call) {
            Called::Done(said) => Some(said),
            Called::Waiting(still) if still.handle == waiting.handle => None,
            Called::Waiting(other) => Some(other.meanwhile),
        }
    }

    fn fill(&self, waiting: &Waiting, call: &Call, filled: Filled) -> Said {
        if let Some(moved) = self.moved_on(&waiting.handle, call) {
            return moved;
        }
        match filled {
            Filled::Sent(values) => said(self.served(call, &mut Elicited::Given(values))),
            Filled::NotSent(how) => not_sent(waiting, how),
        }
    }

    fn read(&self, resource: Resource) -> Result<String, Said> {
        let read = self.at("", &mut Elicited::Noting(None), |desk| {
            let session = desk.session()?;
            Ok(match resource {
                Resource::Checkpoint => session.checkpoint.as_str().to_owned(),
                Resource::Status => {
                    let fence = desk.guardian.fence()?;
                    render::json_text(&render::reply_json(&Reply::Status(Box::new(session), Guards { fence })))
                }
            })
        });
        read.map_err(|error| failed(&error))
    }

    fn version(&self) -> Option<String> {
        let var = |name: &str| self.environment.var(name);
        let opened = open(&RepoEnv { cwd: self.environment.cwd.clone(), var: &var }).ok()?;
        active(&opened.repo).ok()?.map(|(id, tip)| format!("{id} {tip}"))
    }

    fn instructions(&self) -> Option<String> {
        let told = self.at("", &mut Elicited::Noting(None), |desk| Ok(instructions(&desk.session()?)));
        told.ok().flatten()
    }

    fn prompt(&self, topic: Option<&str>) -> String {
        match (self.instructions(), topic) {
            (Some(told), _) => told,
            (None, Some(topic)) => {
                format!("Lead a git grill interview about this: {topic}\n{BEGIN} Call grill_start with that topic.")
            }
            (None, None) => format!(
                "Lead a git grill interview about what this conversation is about.\n{BEGIN} Sum the topic up in a few \
                 words, and call grill_start with it."
            ),
        }
    }
}

/// A form that did not come back filled in says nothing about the person: some clients decline at once, with nobody
/// there. So whoever called is told what they would have been told where there is no form, which is how to go on without.
fn not_sent(waiting: &Waiting, how: NotSent) -> Said {
    let (kind, did) = match how {
        NotSent::Declined => ("declined", "declined to show or send the form"),
        NotSent::Cancelled => ("cancelled", "closed the form"),
        NotSent::Failed => ("unavailable", "could not show the form"),
    };
    let Said { text, mut value, failed } = waiting.meanwhile.clone();
    if decides(&waiting.meanwhile) {
        let nobody = format!("The client {did}; that is not the user's decision.");
        let alone = value.get("text").and_then(Value::as_str).unwrap_or_default();
        value["text"] = json!(format!("{nobody} {alone}"));
        return Said { text: format!("{nobody} {text}"), value, failed };
    }
    let otherwise = if value.pointer("/question/id").is_some() {
        "put the question to them in plain text and record what they say with grill_record_answer. It stays open: git \
         grill answer at a terminal answers it too, and the same call again returns the answer"
    } else {
        "ask them in plain text"
    };
    let text = format!("The client {did}. This is not the user's answer, and nothing was recorded: {otherwise}.");
    value["kind"] = json!(kind);
    value["text"] = json!(text);
    Said { text, value, failed: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clients_name_is_made_fit_for_the_history() {
        for (client, expected) in [
            ("claude-code", "claude-code"),
            ("Some Client\n\u{1b}[31m 1.0", "SomeClient31m1.0"),
            ("", "unnamed"),
            ("日本", "unnamed"),
        ] {
            assert_eq!(name(client), expected);
        }
        assert_eq!(name(&"x".repeat(100)).len(), LONGEST_NAME);
    }
}
