//! `git grill mcp`: the toolbox behind the server. Every call is a request of its own: the repository is opened, the same
//! use cases run as for the command line, and it is closed again.

mod consenting;
mod extended;
mod fields;
mod filling;
mod form_prompter;
mod gate_form;
mod handles;
mod held;
mod led;
mod lent;
mod message;
mod outside;
mod pending;
mod prompting;
mod question_form;
mod replaying;
mod telling;
mod told_once;
mod trial;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::{Value, json};

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::instructions::instructions;
use crate::app::prompt::Prompter;
use crate::app::reply::Reply;
use crate::app::toolbox::{Call, Called, Described, Filled, ToolText, Toolbox, Waiting};
use crate::cli;
use crate::domain::actor::Actor;
use crate::domain::ids::SessionId;
use crate::domain::tool::{Tool, rows};
use crate::repo::open::{Opened, RepoEnv, open};
use crate::store::active::active;
use crate::store::foreground::foreground;

use super::context::{Caller, Seat, for_a_program};
use super::environment::Environment;
use super::shown::Memory;
use crate::world::process::spawner;
use form_prompter::{Asked, FormPrompter};
use handles::{
    FORM, WAITS, bare, decides, fields, handle, is_of_an_extension, name, names_question, of_no_use, reported,
    session_of, stand, topic, unreported, where_it_stands,
};
use held::is_held;
use telling::{elsewhere, failed, remarking, said};

/// The most late replies that are told with one call.
const MOST_UNDELIVERED: usize = 20;

/// What the prompt says where no interview is open yet.
const BEGIN: &str = "Nothing in the repository changes before you and the user mean the same thing. The user confirms the \
                     topic, and the result of the call says how to go on.";

/// What the server is for, where no interview is open.
const PURPOSE: &str = "git grill interviews the user about a change before any file changes, and records what was agreed in \
                       git.";
const NO_INTERVIEW: &str = "No interview is open in this repository, and nothing is refused. When the user wants to be \
                            interviewed (grilled) or to think a change through first, sum the topic up in a few words, ask \
                            them whether that is it, and call grill_start; or they type git grill start \"<topic>\" at a \
                            terminal. The reply says how to go on. ask_question, ask_multi_select and questionnaire put \
                            plain questions to the user at any time.";
const NO_REPOSITORY: &str = "An interview needs a git repository that git grill can open, and there is none here; git init makes \
                             one. ask_question, ask_multi_select and questionnaire put plain questions to the user.";

/// Serves a client until it goes away.
pub(super) fn serve(environment: Environment) -> Result<ExitCode, AppError> {
    crate::mcp::serve(Arc::new(LocalToolbox {
        environment,
        closed: Mutex::default(),
        shown: Memory::default(),
        undelivered: Mutex::default(),
        greeted: OnceLock::new(),
        method: told_once::ToldOnce::default(),
        wrong: AtomicUsize::new(0),
    }))
    .map(|()| ExitCode::SUCCESS)
    .map_err(|error| {
        let causes = std::error::Error::source(&error).map(ToString::to_string).into_iter().collect();
        AppError::Environment {
            code: "mcp",
            message: error.to_string(),
            causes,
            hint: Some("git grill mcp is started by an agent: git grill agent install --list".to_owned()),
        }
    })
}

struct LocalToolbox {
    environment: Environment,
    /// Topics whose form came back unsent, though this client shows forms. Some close every form by themselves, with
    /// nobody there: from then on the user's yes counts as it is reported.
    closed: Mutex<BTreeSet<String>>,
    shown: Memory,
    /// What there was to say about a reply that came after its call had returned: it is told with the next call.
    undelivered: Mutex<Vec<String>>,
    /// Set once whoever is outside knows that a client has come.
    greeted: OnceLock<()>,
    /// The instructions that this client was told by a reply, once each.
    method: told_once::ToldOnce,
    /// So many calls in a row were refused; asking where the interview stands is none of them.
    wrong: AtomicUsize,
}

impl LocalToolbox {
    fn at<T>(
        &self,
        client: &str,
        prompter: &mut dyn Prompter,
        work: impl FnOnce(&mut Context<'_>) -> Result<T, AppError>,
    ) -> Result<T, AppError> {
        let seat = Seat { actor: Actor::Agent(name(client)), prompter, shown: &self.shown };
        for_a_program(&self.environment, Caller::Client(seat), work)
    }

    /// The repository alone, for what needs no context; none where it cannot be opened.
    fn opened(&self) -> Option<Opened> {
        let var = |name: &str| self.environment.var(name);
        open(&RepoEnv { cwd: self.environment.cwd.clone(), var: &var, process: spawner() }).ok()
    }

    fn here(&self) -> Option<SessionId> {
        active(&self.opened()?.repo).ok().flatten().map(|(id, _)| id)
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
        let now = self
            .at(&call.client, &mut FormPrompter::noting(fields(call)), |context| Ok(stand(Some(&context.session()?))));
        now.unwrap_or_else(|_| stand(None))
    }

    /// What to say where somebody decided elsewhere what was waited for under this handle.
    fn moved_on(&self, handle: &str, call: &Call) -> Option<ToolText> {
        if !handle.starts_with(WAITS) || handle == self.stand(call) {
            return None;
        }
        let status = Call { tool: Tool::Status.name().to_owned(), arguments: json!({}), again: None, ..call.clone() };
        Some(elsewhere(said(self.served(&status, &mut FormPrompter::noting(fields(call))), &call.tool)))
    }

    fn served(&self, call: &Call, prompter: &mut FormPrompter) -> Result<Reply, AppError> {
        self.at(&call.client, prompter, |context| cli::call_tool(context, &call.tool, &call.arguments.to_string()))
    }

    /// Serves a call that waits at a question: bound to that one, whatever has become of it, and never asked anew.
    /// `None` where it is no question of this session and this call.
    fn served_again(
        &self,
        call: &Call,
        question: &str,
        prompter: &mut FormPrompter,
    ) -> Option<Result<Reply, AppError>> {
        let served = self.at(&call.client, prompter, |context| {
            cli::call_tool_again(context, &call.tool, &call.arguments.to_string(), bare(question))
        });
        served.transpose()
    }

    fn served_under(&self, call: &Call, handle: &str, prompter: &mut FormPrompter) -> Result<Reply, AppError> {
        if names_question(handle) {
            return self.served_again(call, handle, prompter).unwrap_or_else(|| {
                let mut noting = FormPrompter::noting(fields(call));
                let why =
                    self.at(&call.client, &mut noting, |context| Ok(of_no_use(handle, Some(&context.session()?))));
                Err(why.unwrap_or_else(|error| error))
            });
        }
        // Input for a question of one session does not answer a question of another session.
        if let Some(of) = session_of(handle).filter(|_| handle.starts_with(FORM)) {
            match self.here() {
                None => return Err(AppError::NoSession),
                Some(here) if here != of => return Err(of_no_use(handle, None)),
                Some(_) => {}
            }
        }
        self.served(call, prompter)
    }

    fn call_now(&self, call: &Call) -> Called {
        // Asked for again after somebody decided elsewhere, it would undo what they decided.
        if let Some(moved) = call.again.as_deref().and_then(|handle| self.moved_on(handle, call)) {
            return Called::Done(moved);
        }
        if self.believes(call) {
            return Called::Done(said(self.served(call, &mut FormPrompter::noting(fields(call))), &call.tool));
        }
        let mut noting = FormPrompter::noting(fields(call));
        let call = &unreported(call);
        let again = call.again.as_deref().filter(|handle| names_question(handle));
        let again = again.and_then(|handle| self.served_again(call, handle, &mut noting));
        // A handle that names no question of this call is as good as none.
        let served = match again {
            Some(served) => served,
            None => self.served(call, &mut noting),
        };
        self.called(call, served, noting)
    }

    /// What was said, and what could not be told before.
    fn with_undelivered(&self, said: ToolText) -> ToolText {
        let mut remarks = std::mem::take(&mut *self.undelivered.lock().unwrap_or_else(PoisonError::into_inner));
        let told = said.value.get("remarks").and_then(Value::as_array);
        remarks.retain(|one| !told.is_some_and(|told| told.iter().any(|said| said.as_str() == Some(one.as_str()))));
        if remarks.is_empty() { said } else { remarking(said, remarks) }
    }

    /// The same for a call, if it is done.
    fn told_more(&self, called: Called) -> Called {
        match called {
            Called::Done(said) => Called::Done(self.with_undelivered(said)),
            waiting @ Called::Waiting(_) => waiting,
        }
    }

    /// Notes a remark for the next call.
    fn owe(&self, remarks: impl Iterator<Item = String>) {
        self.undelivered.lock().unwrap_or_else(PoisonError::into_inner).extend(remarks.take(MOST_UNDELIVERED));
    }

    /// What a served call came to: done, or a form that waits.
    fn called(&self, call: &Call, served: Result<Reply, AppError>, noting: FormPrompter) -> Called {
        let asked = self.held(call, &served, &noting).or_else(|| Self::consent(call, &served, &noting));
        if let Some(waiting) = asked {
            return waiting;
        }
        let now = served.as_ref().ok().map(where_it_stands);
        let meanwhile = said(served, &call.tool);
        match (noting.asked(), now) {
            (Some(Asked { message, fields, within }), Some(now)) => {
                let handle = if decides(&meanwhile) { now } else { handle(call, &meanwhile, || self.here()) };
                Called::Waiting(Box::new(Waiting { handle, message, fields, within, given: Value::Null, meanwhile }))
            }
            (Some(_) | None, Some(_) | None) => Called::Done(meanwhile),
        }
    }
}

impl Toolbox for LocalToolbox {
    fn tools(&self) -> Vec<Described> {
        self.greet();
        if self.is_lent() {
            return Vec::new();
        }
        let ours = rows().filter(|row| self.lists(row)).filter_map(|row| self.described(row));
        ours.chain(self.extension_tools()).collect()
    }

    fn call(&self, call: &Call) -> Called {
        if self.is_trial() {
            return Called::Done(self.call_in_trial(call));
        }
        if is_of_an_extension(call) {
            return self.told_more(self.call_extension(call));
        }
        let alone = match self.alone() {
            Ok(alone) => alone,
            Err(error) => return Called::Done(failed(&error, &call.tool)),
        };
        if let Some(pending) = self.pending(call) {
            return Called::Done(pending);
        }
        let served = self.call_now(call);
        drop(alone);
        let called = match served {
            // At the terminal outside stands no form for it: the refusal names the command.
            Called::Waiting(waiting) if self.asks_at_terminal() && is_held(&waiting.meanwhile) => {
                Called::Done(waiting.meanwhile)
            }
            called @ (Called::Done(_) | Called::Waiting(_)) => called,
        };
        if self.asks_at_terminal() {
            match &called {
                Called::Done(said) => self.note_wrong(call, said),
                // A question that waits was asked rightly.
                Called::Waiting(_) => self.wrong.store(0, Ordering::SeqCst),
            }
        }
        match called {
            // The terminal outside asks, whatever this client could show.
            Called::Waiting(waiting) if self.asks_at_terminal() => {
                Called::Done(self.with_undelivered(pending::pending(&waiting.meanwhile)))
            }
            Called::Done(said) => {
                let leads = self.asks_at_terminal() && call.tool == Tool::Status.name();
                let said = if leads { self.with_method(said) } else { said };
                Called::Done(self.with_undelivered(self.method.shortened(said, call)))
            }
            waiting @ Called::Waiting(_) => waiting,
        }
    }

    fn look(&self, waiting: &Waiting, call: &Call) -> Option<ToolText> {
        if waiting.handle.starts_with(WAITS) {
            return self.moved_on(&waiting.handle, call);
        }
        // What was not recorded can be answered nowhere else.
        if !names_question(&waiting.handle) {
            return None;
        }
        let mut noting = FormPrompter::noting(fields(call));
        let served = self.served_under(call, &waiting.handle, &mut noting);
        match self.called(call, served, noting) {
            Called::Done(said) => Some(said),
            Called::Waiting(_) => None,
        }
    }

    fn fill(&self, waiting: &Waiting, call: &Call, filled: Filled) -> Called {
        self.told_more(self.filled(waiting, call, filled))
    }

    fn late(&self, waiting: &Waiting, call: &Call, values: Value) {
        self.owe(self.left(waiting, call, values).into_iter());
    }

    fn undelivered(&self, said: ToolText) {
        // What a person wrote stands in the reply itself.
        let wrote = said.value.get("kind").is_some_and(|kind| kind == "wrote");
        let wrote = said.value.get("text").filter(|_| wrote);
        let remarks = said.value.get("remarks").and_then(Value::as_array).into_iter().flatten();
        self.owe(wrote.into_iter().chain(remarks).filter_map(Value::as_str).map(str::to_owned));
    }

    fn version(&self) -> Option<String> {
        active(&self.opened()?.repo).ok()?.map(|(id, tip)| format!("{id} {tip}"))
    }

    fn instructions(&self) -> Option<String> {
        self.greet();
        if self.is_lent() {
            return Some(lent::NOTHING.to_owned());
        }
        if self.is_trial() || self.asks_at_terminal() {
            return None;
        }
        // A client waits for them before it can do anything else, so nothing more is read than they say.
        let Some(opened) = self.opened() else { return Some(format!("{PURPOSE} {NO_REPOSITORY}")) };
        match foreground(&opened.repo).ok()? {
            Some(session) => instructions(&session),
            None => Some(format!("{PURPOSE} {NO_INTERVIEW}")),
        }
    }

    fn has_prompt(&self) -> bool {
        !self.is_lent()
    }

    fn prompt(&self, topic: Option<&str>) -> String {
        let session = self.opened().and_then(|opened| foreground(&opened.repo).ok().flatten());
        match (session.as_ref().and_then(instructions), topic) {
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
    use super::handles::LONGEST_NAME;
    use super::*;

    #[test]
    fn a_clients_name_is_made_fit_for_the_history() {
        for (client, expected) in [
            ("claude-code", "claude"),
            ("codex-mcp-client", "codex"),
            ("grok-shell-grill", "grok"),
            ("gemini-cli-mcp-client", "gemini"),
            ("grok-shell-git-grill-7", "grok"),
            ("some-mcp-client", "some"),
            ("-mcp-client", "-mcp-client"),
            ("mcp-client-x", "mcp-client-x"),
            ("my-grok-shell-x", "my-grok-shell-x"),
            ("Some Client\n\u{1b}[31m 1.0", "SomeClient31m1.0"),
            ("", "unnamed"),
            ("日本", "unnamed"),
        ] {
            assert_eq!(name(client), expected);
        }
        assert_eq!(name(&"x".repeat(100)).len(), LONGEST_NAME);
    }
}
