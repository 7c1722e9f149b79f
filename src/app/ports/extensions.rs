//! The port of the extensions: programs of others that ask a person through our surface and offer tools and commands (P6).

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::super::error::AppError;
use super::super::form::Asker;
use crate::domain::session::Session;
use crate::domain::ui::Name;

/// What an extension is started for.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// A tool of its own, called with these arguments, an object.
    Tool(Name, Value),
    /// A command of its own, with the words that were typed behind it.
    Command(Name, Vec<String>),
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Ran {
    /// It came to an end.
    Done(Gave),
    /// It asked something that is answered later (see [`super::super::form::Met::Later`]), and was ended: the whole deed is
    /// done again then, with the same answers up to there.
    Later,
}

/// What an extension gave back.
#[derive(Clone, Debug, PartialEq)]
pub struct Gave {
    /// For a person to read.
    pub text: Option<String>,
    /// All of it, an object.
    pub value: Value,
    /// Whether it says of itself that it failed.
    pub failed: bool,
    /// What it wrote to standard error, the end of it; as it came.
    pub errors: String,
}

/// What an extension says of itself when it is greeted.
#[derive(Clone, Debug, PartialEq)]
pub struct Hello {
    /// The version it calls itself, if any.
    pub version: Option<String>,
    /// The version of the surface for which it was written.
    pub ui_api_version: u32,
    /// What agents can call.
    pub tools: Vec<OfferedTool>,
    /// What a person can type.
    pub commands: Vec<OfferedCommand>,
}

/// A tool of an extension.
#[derive(Clone, Debug, PartialEq)]
pub struct OfferedTool {
    /// Its name within the extension.
    pub name: Name,
    /// What it is for, as an agent reads it.
    pub description: String,
    /// The JSON schema of its arguments, an object.
    pub schema: Value,
}

/// A command of an extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedCommand {
    /// Its name within the extension.
    pub name: Name,
    /// What it is for, as a person reads it.
    pub description: String,
}

/// An extension as it is listed; nothing of it was run for that.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Its name.
    pub name: Name,
    /// Its program and the words before ours.
    pub command: Vec<String>,
    /// How its file is found.
    pub found: Found,
    /// Whether agents get its tools.
    pub enabled: Enabled,
    /// Its tools, as they were when it was enabled.
    pub tools: Vec<OfferedTool>,
    /// Whether it runs behind the walls of a read-only run.
    pub walls: bool,
}

/// How an extension is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It is shipped with the tool.
    Shipped,
    /// By `grill.extension.<name>.command`.
    Settings,
    /// By its file's name on `PATH`.
    Path,
}

/// Whether agents get the tools of an extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enabled {
    /// A person enabled it, and it is the same file still.
    Yes,
    /// Nobody enabled it here.
    No,
    /// A person enabled it, and the file is another one by now: its tools are left out until it is enabled again.
    Changed {
        /// What changed, in words that go on "it was enabled, but …".
        why: String,
    },
}

/// The extensions of this clone.
pub trait Extensions {
    /// Those that are shipped, stand in the settings of the account, or were enabled here. Runs nothing.
    fn list(&self) -> Result<Vec<Listed>, AppError>;

    /// Whether there is one of this name that a person can start. Runs nothing.
    fn is_there(&self, _name: &Name) -> Result<bool, AppError> {
        Ok(true)
    }

    /// The files by which one that a person named is known, each with the id of its content as git has it. Runs nothing.
    fn files(&self, _name: &Name) -> Result<Vec<(PathBuf, String)>, AppError> {
        Ok(Vec::new())
    }

    /// How long one may take to be greeted, and how long it may compute; none where nothing is started.
    fn waits(&self) -> Option<(Duration, Duration)> {
        None
    }

    /// Greets one that a person named, and ends it again.
    fn greet(&self, name: &Name) -> Result<(PathBuf, Hello), AppError>;

    /// Lets agents have the tools of one, as its file is now and as it says them now; a person wants it.
    fn enable(&self, name: &Name) -> Result<Listed, AppError>;

    /// Takes that back; whether it was enabled.
    fn disable(&self, name: &Name) -> Result<bool, AppError>;

    /// Does a deed of one: greets it, lets it ask through `asker`, and ends it, whatever came of it. A tool is done for an
    /// extension that is enabled and the same still; a command for whichever a person typed.
    fn run(&self, name: &Name, deed: &Deed, session: Option<&Session>, asker: &mut dyn Asker) -> Result<Ran, AppError>;
}
