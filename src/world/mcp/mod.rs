//! `git grill mcp`: the toolbox behind the server. Every call is a request of its own: the repository is opened, the same
//! use cases run as for the command line, and it is closed again.

mod elicited;
mod hints;
mod telling;

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::app::desk::Desk;
use crate::app::error::AppError;
use crate::app::instructions::instructions;
use crate::app::reply::{Guards, Reply, ToolResult};
use crate::app::toolbox::{Call, Called, Described, Filled, Nature, NotSent, Resource, Said, Toolbox, Waiting};
use crate::app::tools;
use crate::cli;
use crate::domain::actor::Actor;
use crate::domain::ids::QuestionId;
use crate::domain::refusal::Refusal;
use crate::domain::session::{Phase, Session};
use crate::domain::text::Topic;
use crate::domain::tool::Tool;
use crate::render;
use crate::repo::open::{Opened, RepoEnv, open};
use crate::store::active::active;
use crate::store::foreground::foreground;

use super::at_desk::{Seat, Sits, for_a_program};
use super::environment::Environment;
use crate::world::process::spawner;
use elicited::{Asked, Elicited};
use telling::{elsewhere, failed, not_sent, said, sent, undecided};

/// A client's name is part of who an answer came from; a longer one is cut.
const LONGEST_NAME: usize = 40;

/// What the prompt says where no interview is open yet.
const BEGIN: &str = "Nothing in the repository changes before you and the user mean the same thing. The user confirms the \
                     topic, and the result of the call says how to go on.";

/// Serves a client until it goes away.
pub(super) fn serve(environment: Environment) -> Result<ExitCode, AppError> {
    crate::mcp::serve(Arc::new(Desks { environment, closed: Mutex::default() })).map(|()| ExitCode::SUCCESS).map_err(
        |error| {
            let causes = std::error::Error::source(&error).map(ToString::to_string).into_iter().collect();
            AppError::Environment {
                code: "mcp",
                message: error.to_string(),
                causes,
                hint: Some("git grill mcp is started by an agent: git grill agent install --list".to_owned()),
            }
        },
    )
}

/// A desk for every call.
struct Desks {
    environment: Environment,
    /// Topics whose form came back unsent, though this client shows forms. Some close every form by themselves, with
    /// nobody there: from then on the user's yes counts as it is reported.
    closed: Mutex<BTreeSet<String>>,
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

    /// The repository alone, for what needs no desk; none where it cannot be opened.
    fn opened(&self) -> Option<Opened> {
        let var = |name: &str| self.environment.var(name);
        open(&RepoEnv { cwd: self.environment.cwd.clone(), var: &var, process: spawner() }).ok()
    }

    /// Notes that the form about a topic was not sent.
    fn note_closed(&self, call: &Call) {
        if let Some(topic) = topic(call) {
            self.closed.lock().unwrap_or_else(PoisonError::into_inner).insert(topic);
        }
    }

    /// Whether a reported yes counts: the form about this topic was closed before.
    fn believes(&self, call: &Call) -> bool {
        let closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        reported(call) && topic(call).is_some_and(|topic| closed.contains(&topic))
    }

    fn stand(&self, call: &Call) -> String {
        let now = self.at(&call.client, &mut Elicited::noting(), |desk| Ok(stand(Some(&desk.session()?))));
        now.unwrap_or_else(|_| stand(None))
    }

    /// What to say where somebody decided elsewhere what was waited for under this handle.
    fn moved_on(&self, handle: &str, call: &Call) -> Option<Said> {
        if !handle.starts_with(WAITS) || handle == self.stand(call) {
            return None;
        }
        let status = Call { tool: Tool::Status.name().to_owned(), arguments: json!({}), again: None, ..call.clone() };
        Some(elsewhere(said(self.served(&status, &mut Elicited::noting()))))
    }

    fn served(&self, call: &Call, prompter: &mut Elicited) -> Result<Reply, AppError> {
        self.at(&call.client, prompter, |desk| cli::call_tool(desk, &call.tool, &call.arguments.to_string()))
    }

    /// Serves a call that waits at a question: bound to that one, whatever has become of it, and never asked anew.
    /// `None` where it is no question of this session and this call.
    fn served_again(&self, call: &Call, question: &str, prompter: &mut Elicited) -> Option<Result<Reply, AppError>> {
        let served = self.at(&call.client, prompter, |desk| {
            cli::call_tool_again(desk, &call.tool, &call.arguments.to_string(), question)
        });
        served.transpose()
    }

    /// Serves a call that waits under this handle.
    fn served_under(&self, call: &Call, handle: &str, prompter: &mut Elicited) -> Result<Reply, AppError> {
        if names_question(handle) {
            return self.served_again(call, handle, prompter).unwrap_or_else(|| Err(gone(handle)));
        }
        self.served(call, prompter)
    }

    /// What a served call came to: done, or a form that waits.
    fn called(call: &Call, served: Result<Reply, AppError>, noting: Elicited) -> Called {
        let now = served.as_ref().ok().map(where_it_stands);
        let meanwhile = said(served);
        match (noting.asked(), now) {
            (Some(Asked { message, fields, within }), Some(now)) => {
                let handle = if decides(&meanwhile) { now } else { handle(call, &meanwhile) };
                Called::Waiting(Box::new(Waiting { handle, message, fields, within, meanwhile }))
            }
            (Some(_) | None, Some(_) | None) => Called::Done(meanwhile),
        }
    }
}

/// A name that can stand in a session's history.
fn name(client: &str) -> String {
    let plain: String =
        client.chars().filter(|one| one.is_ascii_alphanumeric() || "-_.".contains(*one)).take(LONGEST_NAME).collect();
    if plain.is_empty() { "unnamed".to_owned() } else { plain }
}

/// The argument under which the user's yes is reported.
const REPORTED: &str = "confirmed";

/// What a handle begins with that names a form of which nothing is recorded.
const FORM: &str = "form-";

/// What a handle begins with that names no question, but where the session was when a person's decision was waited for.
const WAITS: &str = "waits-";

/// Where a session is, as far as a decision that waits in it is concerned: another one after anybody decided.
fn stand(session: Option<&Session>) -> String {
    let mut hasher = DefaultHasher::new();
    match session {
        None => "none".hash(&mut hasher),
        Some(session) => {
            // A gate is opened after a question at the earliest, so that the same gate again is another one.
            (session.id.as_str(), session.phase.name(), session.transcript.asked.len()).hash(&mut hasher);
            if let Phase::Selection(selection) = &session.phase {
                let gate = &selection.gate;
                (gate.rationale.as_str(), gate.question.as_str()).hash(&mut hasher);
                format!("{:?}", selection.request).hash(&mut hasher);
            }
        }
    }
    format!("{WAITS}{:016x}", hasher.finish())
}

/// Where the session of a reply is: what a decision that is waited for is bound to.
fn where_it_stands(reply: &Reply) -> String {
    if let Reply::Tool(tool) = reply
        && let ToolResult::Done(done) = &tool.result
    {
        return stand(done.session.as_ref());
    }
    stand(None)
}

/// Whether a decision is waited for, and no answer to a question.
fn decides(said: &Said) -> bool {
    let kind = said.value.get("kind").and_then(Value::as_str);
    matches!(kind, Some("waiting" | "approval_required"))
}

/// The topic that a session is to begin with.
fn topic(call: &Call) -> Option<String> {
    let topic = call.arguments.get("topic").and_then(Value::as_str)?;
    (call.tool == Tool::Start.name()).then(|| Topic::parse(topic).ok().map(|topic| topic.normalised())).flatten()
}

/// Whether a call brings the user's yes as its caller reports it. Whoever can be asked is asked first, and only where
/// nobody can be, or the form about this topic came back unsent, does the report count.
fn reported(call: &Call) -> bool {
    call.tool == Tool::Start.name() && call.arguments.get(REPORTED).is_some()
}

/// A call without such a report.
fn unreported(call: &Call) -> Call {
    let mut call = call.clone();
    if reported(&call)
        && let Value::Object(arguments) = &mut call.arguments
    {
        arguments.remove(REPORTED);
    }
    call
}

/// Whether a handle names a question of a session.
fn names_question(handle: &str) -> bool {
    !handle.starts_with(WAITS) && !handle.starts_with(FORM)
}

/// A question that this session does not have.
fn gone(handle: &str) -> AppError {
    match QuestionId::parse(handle) {
        Ok(question) => AppError::Refused(Refusal::NoSuchQuestion { question }),
        Err(_) => AppError::Refused(Refusal::NoQuestion),
    }
}

/// What names a question: its id where it was recorded, else what it was called with.
fn handle(call: &Call, said: &Said) -> String {
    if let Some(id) = said.value.pointer("/question/id").and_then(Value::as_str) {
        return id.to_owned();
    }
    let mut hasher = DefaultHasher::new();
    (&call.tool, call.arguments.to_string()).hash(&mut hasher);
    format!("{FORM}{:016x}", hasher.finish())
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
        if self.believes(call) {
            return Called::Done(said(self.served(call, &mut Elicited::noting())));
        }
        let mut noting = Elicited::noting();
        let call = &unreported(call);
        let again = call.again.as_deref().filter(|handle| names_question(handle));
        let again = again.and_then(|handle| self.served_again(call, handle, &mut noting));
        // A handle that names no question of this call is as good as none.
        let served = match again {
            Some(served) => served,
            None => self.served(call, &mut noting),
        };
        Self::called(call, served, noting)
    }

    fn look(&self, waiting: &Waiting, call: &Call) -> Option<Said> {
        if waiting.handle.starts_with(WAITS) {
            return self.moved_on(&waiting.handle, call);
        }
        // What was not recorded can be answered nowhere else.
        if !names_question(&waiting.handle) {
            return None;
        }
        let mut noting = Elicited::noting();
        let served = self.served_under(call, &waiting.handle, &mut noting);
        match Self::called(call, served, noting) {
            Called::Done(said) => Some(said),
            Called::Waiting(_) => None,
        }
    }

    fn fill(&self, waiting: &Waiting, call: &Call, filled: Filled) -> Said {
        if let Some(moved) = self.moved_on(&waiting.handle, call) {
            return moved;
        }
        match filled {
            Filled::Sent(values) => {
                let served = self.served_under(&unreported(call), &waiting.handle, &mut Elicited::Given(values));
                let now = sent(served);
                if decides(&now) { undecided(now) } else { now }
            }
            // Where nobody can be asked here, what the user said in plain text counts, as reported.
            Filled::NotSent(NotSent::Failed | NotSent::NoForms | NotSent::TimedOut) if reported(call) => {
                said(self.served(call, &mut Elicited::noting()))
            }
            Filled::NotSent(NotSent::NoForms) => waiting.meanwhile.clone(),
            Filled::NotSent(how) => {
                self.note_closed(call);
                not_sent(waiting, how)
            }
        }
    }

    fn read(&self, resource: Resource) -> Result<String, Said> {
        let read = self.at("", &mut Elicited::noting(), |desk| {
            let session = desk.session()?;
            Ok(match resource {
                Resource::Checkpoint => session.checkpoint.as_str().to_owned(),
                Resource::Status => {
                    let guards = Guards { backend: desk.dispatcher.store.backend(), fence: desk.guardian.fence()? };
                    render::json_text(&render::reply_json(&Reply::Status(Box::new(session), guards)))
                }
            })
        });
        read.map_err(|error| failed(&error))
    }

    fn version(&self) -> Option<String> {
        active(&self.opened()?.repo).ok()?.map(|(id, tip)| format!("{id} {tip}"))
    }

    fn instructions(&self) -> Option<String> {
        // A client waits for them before it can do anything else, so nothing more is read than they say.
        let session = foreground(&self.opened()?.repo).ok()??;
        instructions(&session)
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
