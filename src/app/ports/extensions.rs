//! The port of the extensions: other people's programs that ask a person through our UI, and offer tools and commands
//! (P6).

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::super::error::AppError;
use super::super::form::Asker;
use crate::domain::session::Session;
use crate::domain::ui::Name;

/// The command or tool that an extension is started for.
#[derive(Clone, Debug, PartialEq)]
pub enum ExtensionAction {
    /// One of its tools, with these arguments, an object.
    Tool(Name, Value),
    /// One of its commands, with the words that were typed after it.
    Command(Name, Vec<String>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Ran {
    Done(Gave),
    /// It asked something that is answered later (see [`super::super::form::Met::Later`]), and was ended. It is run
    /// again from the beginning then, with the same answers up to that point.
    Later,
}

/// The result of an extension.
#[derive(Clone, Debug, PartialEq)]
pub struct Gave {
    /// Text for a person.
    pub text: Option<String>,
    /// The whole result, an object.
    pub value: Value,
    pub failed: bool,
    /// The end of its standard error, unchanged.
    pub errors: String,
}

/// What an extension offers: its answer to `initialize`.
#[derive(Clone, Debug, PartialEq)]
pub struct Hello {
    pub version: Option<String>,
    /// The version of the UI API for which it was written.
    pub ui_api_version: u32,
    /// The tools that agents can call.
    pub tools: Vec<OfferedTool>,
    /// The commands that a person can type.
    pub commands: Vec<OfferedCommand>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct OfferedTool {
    /// Its name within the extension.
    pub name: Name,
    /// Its description, for agents.
    pub description: String,
    /// The JSON schema of its arguments, an object.
    pub schema: Value,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedCommand {
    /// Its name within the extension.
    pub name: Name,
    /// Its description, for people.
    pub description: String,
}

/// An extension as it is listed; it was not started for that.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    pub name: Name,
    /// Its program and that program's first arguments.
    pub command: Vec<String>,
    pub found: Found,
    /// Whether agents get its tools.
    pub enabled: Enabled,
    /// Its tools, as they were when it was enabled.
    pub tools: Vec<OfferedTool>,
    /// Whether it runs in the sandbox of a read-only run.
    pub walls: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    Shipped,
    /// By `grill.extension.<name>.command`.
    Settings,
    /// By its file's name on `PATH`.
    Path,
}

/// Whether agents get the tools of an extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enabled {
    /// A person enabled it, and its files have not changed since.
    Yes,
    No,
    /// A person enabled it, and it has changed since: its tools are left out until it is enabled again.
    Changed {
        /// What changed, as the rest of the sentence "it was enabled, but …".
        why: String,
    },
}

pub trait Extensions {
    /// The extensions that are shipped, set in the account's configuration, or enabled here. Starts nothing.
    fn list(&self) -> Result<Vec<Listed>, AppError>;

    /// The tool that agents call by this name, and its extension, as it was when it was enabled. Starts nothing, and does
    /// not say that the extension is unchanged: [`Extensions::run`] checks that.
    fn tool(&self, called: &str) -> Result<Option<(Name, OfferedTool)>, AppError>;

    /// Whether a person can start an extension of this name. Starts nothing.
    fn is_there(&self, _name: &Name) -> Result<bool, AppError> {
        Ok(true)
    }

    /// The files of an extension that are checked for changes, each with its content's blob id. Starts nothing.
    fn files(&self, _name: &Name) -> Result<Vec<(PathBuf, String)>, AppError> {
        Ok(Vec::new())
    }

    /// Whether an extension runs in the sandbox. Starts nothing.
    fn is_sandboxed(&self, _name: &Name) -> Result<bool, AppError> {
        Ok(true)
    }

    /// How long an extension may take to answer `initialize`, and how long it may run after that; none where nothing is
    /// started.
    fn waits(&self) -> Option<(Duration, Duration)> {
        None
    }

    /// Starts the extension that a person named, gets what it offers, and ends it.
    fn greet(&self, name: &Name) -> Result<(PathBuf, Hello), AppError>;

    /// Lets agents call the tools that an extension offers now, as long as its files stay as they are now. A person has
    /// agreed.
    fn enable(&self, name: &Name) -> Result<Listed, AppError>;

    /// No longer lets them. Returns whether it was enabled.
    fn disable(&self, name: &Name) -> Result<bool, AppError>;

    /// Runs a command or tool: starts the extension, lets it ask through `asker`, and ends it in any case. A tool runs
    /// only if its extension is enabled and unchanged; a command runs if a person typed it.
    fn run(
        &self,
        name: &Name,
        deed: &ExtensionAction,
        session: Option<&Session>,
        asker: &mut dyn Asker,
    ) -> Result<Ran, AppError>;
}
