//! What a person does with extensions: sees which there are, tries one, lets agents have its tools, or takes that back.
//! What an extension does is done in `extensions`.

use std::path::PathBuf;
use std::time::Duration;

use crate::domain::actor::Actor;
use crate::domain::ui::Name;

use super::desk::Desk;
use super::error::{AppError, not_answered};
use super::ports::extensions::{Gave, Hello, Listed};
use super::reply::Reply;

/// What came of it.
#[derive(Clone, Debug)]
pub enum Extending {
    /// The extensions.
    Listed(Vec<Listed>),
    /// Agents can call the tools of one.
    Enabled(Box<Listed>),
    /// They no longer can.
    Disabled {
        /// Its name.
        name: Name,
        /// Whether they could.
        was: bool,
    },
    /// What one says of itself.
    Greeted(Box<Greeted>),
    /// The commands of one, for a person who typed its name alone.
    Commands {
        /// Its name.
        name: Name,
        /// What it says of itself.
        hello: Hello,
    },
    /// A command of one was run.
    Ran {
        /// Its name.
        name: Name,
        /// What it gave back.
        gave: Gave,
    },
}

/// An extension that was greeted.
#[derive(Clone, Debug, PartialEq)]
pub struct Greeted {
    /// Its name.
    pub name: Name,
    /// Its program.
    pub program: PathBuf,
    /// The files by which it is known, each with the id of its content.
    pub files: Vec<(PathBuf, String)>,
    /// What it says of itself.
    pub hello: Hello,
    /// How long it may take to be greeted, and how long it may compute.
    pub waits: Option<(Duration, Duration)>,
}

/// The extensions; none is started.
pub fn list(desk: &Desk<'_>) -> Result<Reply, AppError> {
    Ok(Reply::Extensions(Extending::Listed(desk.extensions.list()?)))
}

/// Starts one, and shows what it says of itself.
pub fn greet(desk: &Desk<'_>, name: &Name) -> Result<Reply, AppError> {
    if let Actor::Agent(agent) = &desk.actor {
        return Err(AppError::NeedsPerson {
            deed: "trying an extension".to_owned(),
            why: format!("this runs under {agent}"),
            hint: format!("git grill extensions --trial {name}, in another terminal"),
        });
    }
    Ok(Reply::Extensions(Extending::Greeted(Box::new(greeted(desk, name)?))))
}

fn greeted(desk: &Desk<'_>, name: &Name) -> Result<Greeted, AppError> {
    // Before it is started, so that no later file is taken for the one that said this.
    let files = desk.extensions.files(name)?;
    let (program, hello) = desk.extensions.greet(name)?;
    Ok(Greeted { name: name.clone(), program, files, hello, waits: desk.extensions.waits() })
}

/// The commands of one.
pub fn commands(desk: &Desk<'_>, name: &Name) -> Result<Reply, AppError> {
    let (_, hello) = desk.extensions.greet(name)?;
    Ok(Reply::Extensions(Extending::Commands { name: name.clone(), hello }))
}

/// Lets agents call the tools of one, after a person has seen its files and what it offers.
pub fn enable(desk: &mut Desk<'_>, name: &Name) -> Result<Reply, AppError> {
    desk.need_person("enabling an extension", &format!("git grill extensions enable {name}, at a terminal"))?;
    let shown = greeted(desk, name)?;
    desk.voice.say(&Reply::Extensions(Extending::Greeted(Box::new(shown.clone()))))?;
    let question = format!(
        "Let agents call the tools of {name} in this clone? It may ask you questions and read the repository. If one of \
         these files changes, its tools are left out until you enable it again."
    );
    let yes = desk.prompter.confirm(&question).answered().map_err(not_answered("enabling the extension"))?;
    if !yes {
        return Err(AppError::Cancelled("enabling the extension"));
    }
    let listed = desk.extensions.enable(name)?;
    if desk.extensions.files(name)? == shown.files && listed.tools == shown.hello.tools {
        return Ok(Reply::Extensions(Extending::Enabled(Box::new(listed))));
    }
    desk.extensions.disable(name)?;
    Err(AppError::Declined {
        code: "extension_changed",
        message: format!("the extension {name} was not enabled: it is not what you were shown any more"),
        causes: Vec::new(),
        hint: format!("git grill extensions enable {name} shows it as it is now"),
    })
}

/// Takes that back.
pub fn disable(desk: &Desk<'_>, name: &Name) -> Result<Reply, AppError> {
    desk.need_person("disabling an extension", &format!("git grill extensions disable {name}, at a terminal"))?;
    let was = desk.extensions.disable(name)?;
    Ok(Reply::Extensions(Extending::Disabled { name: name.clone(), was }))
}
