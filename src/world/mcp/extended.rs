//! The tools of extensions: a call runs the extension, and each form that it needs is a round of the same call.

use serde_json::{Value, json};

use crate::app::error::AppError;
use crate::app::extensions::{AgentTool, Offered, offered, remarking, run_noting, tool_called};
use crate::app::ports::extensions::{ExtensionAction, Gave, Ran};
use crate::app::toolbox::{Call, Called, Described, Filled, Nature, ToolText, Waiting};
use crate::domain::ids::SessionId;

use super::LocalToolbox;
use super::filling::{GONE, UNFINISHED};
use super::form_prompter::{Asked, Fields};
use super::handles::{fields, handle, session_of, together};
use super::replaying::{Replayed, Replaying, Rounds};
use super::telling::{failed, remarking as said_with};

/// Why the input of a form is not recorded.
const NO_ANSWER: &str = "it does not answer what the extension asks now";

impl LocalToolbox {
    /// The tools of the extensions that a person enabled. An agent that git grill leads gets none: it is asked for at a
    /// terminal outside, which shows no form.
    pub(super) fn extension_tools(&self) -> Vec<Described> {
        if self.asks_at_terminal() || self.is_trial() {
            return Vec::new();
        }
        let mut nobody = Replaying::new(Rounds::default(), Fields::Several);
        let found = self.at("", &mut nobody, |context| offered(context.extensions));
        let Offered { tools, left_out } = found.unwrap_or_else(|error| {
            // Without a repository no extension is enabled.
            let why = self.opened().map(|_| format!("the tools of all extensions are left out: {error}"));
            Offered { tools: Vec::new(), left_out: why.into_iter().collect() }
        });
        self.owe(left_out.into_iter());
        let described = |AgentTool { called, description, schema, .. }| Described {
            name: called,
            description,
            schema,
            nature: Nature::Runs,
        };
        tools.into_iter().map(described).collect()
    }

    /// Runs the tool of an extension, with the rounds that the client brings back.
    pub(super) fn call_extension(&self, call: &Call) -> Called {
        self.run_extension(call, Replaying::new(Rounds::of(&call.given), fields(call)), |_| None)
    }

    /// Runs it again with what a form came back with.
    pub(super) fn fill_extension(&self, waiting: &Waiting, call: &Call, filled: Filled) -> Called {
        let rounds = Rounds::of(&waiting.given);
        // Input for one session is recorded in no other.
        if let Some(of) = session_of(&waiting.handle)
            && self.here().as_ref() != Some(&of)
        {
            let values = match filled {
                Filled::Sent(values) => together(&rounds.so_far(), values),
                Filled::NotSent(_) => rounds.so_far(),
            };
            let said = failed(&another_session(&of), &call.tool);
            let kept = self.kept(waiting, call, &values, "the session that it was for is not active any more");
            return Called::Done(said_with(said, kept.into_iter().collect()));
        }
        let because = if matches!(filled, Filled::Sent(_)) { NO_ANSWER } else { UNFINISHED };
        let replaying = Replaying::filled(rounds, filled, fields(call));
        self.run_extension(call, replaying, |values| self.kept(waiting, call, values, because))
    }

    /// Keeps the input of a form that no call waits for; the remark for the agent.
    pub(super) fn left_by_extension(&self, waiting: &Waiting, call: &Call, values: Value) -> Option<String> {
        let values = together(&Rounds::of(&waiting.given).so_far(), values);
        self.kept(waiting, call, &values, GONE)
    }

    /// Runs the tool; input that answered nothing is kept.
    fn run_extension(
        &self,
        call: &Call,
        mut replaying: Replaying,
        keep: impl FnOnce(&Value) -> Option<String>,
    ) -> Called {
        let mut remarks = Vec::new();
        let ran = self.at(&call.client, &mut replaying, |context| {
            let tool = tool_called(context.extensions, &call.tool)?.ok_or_else(|| no_tool(&call.tool))?;
            run_noting(
                context,
                &tool.extension,
                &ExtensionAction::Tool(tool.tool, call.arguments.clone()),
                None,
                &mut remarks,
            )
        });
        let Replayed { rounds, asked, unused, notices } = replaying.ended();
        remarks.extend(unused.and_then(|values| keep(&values)));
        match (ran, asked) {
            (Ok(Ran::Done(gave)), _) => {
                remarks.extend(notices);
                Called::Done(said(remarking(gave, remarks)))
            }
            (Ok(Ran::Later), Some(_)) if rounds.are_too_large() => {
                Called::Done(said_with(failed(&too_large(), &call.tool), remarks))
            }
            (Ok(Ran::Later), Some(asked)) => {
                // What is told with the result of the call is not told with each form of it.
                self.owe(remarks.into_iter());
                Called::Waiting(Box::new(self.waiting(call, &rounds, asked)))
            }
            (Ok(Ran::Later), None) => Called::Done(said_with(failed(&nothing_asked(), &call.tool), remarks)),
            (Err(error), _) => Called::Done(said_with(failed(&error, &call.tool), remarks)),
        }
    }

    fn waiting(&self, call: &Call, rounds: &Rounds, asked: Asked) -> Waiting {
        let text =
            "The extension asked the user something, and no answer came back. Call the tool again when they are there.";
        let value = json!({ "kind": "unanswered", "text": text });
        let meanwhile = ToolText { text: text.to_owned(), value, failed: false };
        let handle = handle(call, &meanwhile, || self.here());
        let Asked { message, fields, within } = asked;
        Waiting { handle, message, fields, within, given: rounds.to_value(), meanwhile }
    }
}

/// What an extension gave back. Its value is handed on as it is; whoever shows the words makes them harmless.
fn said(gave: Gave) -> ToolText {
    let Gave { text, value, failed, errors: _ } = gave;
    let text = text.unwrap_or_else(|| value.to_string());
    let value = if value.is_object() { value } else { json!({ "value": value }) };
    ToolText { text, value, failed }
}

fn no_tool(called: &str) -> AppError {
    AppError::Usage {
        message: format!("there is no tool {called} any more: no extension that the user enabled offers it"),
        hint: "git grill extensions lists them; git grill extensions enable <name> lets agents call their tools"
            .to_owned(),
    }
}

fn another_session(of: &SessionId) -> AppError {
    AppError::Declined {
        code: "another_session",
        message: format!("the extension was not run: its form belongs to the session {of}, which is not active here"),
        causes: Vec::new(),
        hint: format!("git grill resume {of} continues that session"),
    }
}

fn too_large() -> AppError {
    AppError::Declined {
        code: "too_large",
        message: "the extension was ended: it asked for more than 256 KiB of answers in one call".to_owned(),
        causes: vec!["answers given in a session are recorded".to_owned()],
        hint: "git grill <extension> lists its commands, which have no such limit at a terminal".to_owned(),
    }
}

fn nothing_asked() -> AppError {
    AppError::Environment {
        code: "mcp",
        message: "the extension was ended: it asked something that no form can ask".to_owned(),
        causes: Vec::new(),
        hint: Some("git grill <extension> lists its commands, which ask at a terminal".to_owned()),
    }
}
