//! A person's commands for extensions: list them, start one on trial, and enable or disable its tools for agents.
//! `extensions` runs an extension.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use crate::domain::actor::Actor;
use crate::domain::ui::Name;

use super::context::Context;
use super::error::{AppError, not_answered};
use super::ports::extensions::{Hello, Listed};
use super::reply::{Plain, Reply, Traits};

#[derive(Clone, Debug)]
pub enum Extending {
    Listed(Vec<Listed>),
    /// Agents can call the tools of one.
    Enabled(Box<Listed>),
    /// The answer of an extension to `initialize`.
    Greeted(Box<Greeted>),
    /// The commands of one, for a person who typed its name alone.
    Commands {
        name: Name,
        /// Its tools and commands.
        hello: Hello,
    },
}

/// An extension that was started to see what it offers.
#[derive(Clone, Debug, PartialEq)]
pub struct Greeted {
    pub name: Name,
    pub program: PathBuf,
    /// The files that are checked for changes, each with the id of its content.
    pub files: Vec<(PathBuf, String)>,
    /// Its tools and commands.
    pub hello: Hello,
    /// How long it may take to answer `initialize`, and how long a command or a tool may run.
    pub waits: Option<(Duration, Duration)>,
}

/// The extensions; none is started.
pub fn list(context: &Context<'_>) -> Result<Reply, AppError> {
    Ok(Reply::Extensions(Extending::Listed(context.extensions.list()?)))
}

/// Starts one, and shows what it offers.
pub fn greet(context: &Context<'_>, name: &Name) -> Result<Reply, AppError> {
    if let Actor::Agent(agent) = &context.actor {
        return Err(AppError::NeedsPerson {
            deed: "trying an extension".to_owned(),
            why: format!("this runs under {agent}"),
            hint: format!("git grill extensions --trial {name}, in another terminal"),
        });
    }
    Ok(Reply::Extensions(Extending::Greeted(Box::new(greeted(context, name)?))))
}

fn greeted(context: &Context<'_>, name: &Name) -> Result<Greeted, AppError> {
    // Before it is started, so that no later file is taken for the one that answered.
    let files = context.extensions.files(name)?;
    let (program, hello) = context.extensions.greet(name)?;
    Ok(Greeted { name: name.clone(), program, files, hello, waits: context.extensions.waits() })
}

pub fn commands(context: &Context<'_>, name: &Name) -> Result<Reply, AppError> {
    let (_, hello) = context.extensions.greet(name)?;
    Ok(Reply::Extensions(Extending::Commands { name: name.clone(), hello }))
}

/// Lets agents call the tools of one, after a person has seen its files and what it offers.
pub fn enable(context: &mut Context<'_>, name: &Name) -> Result<Reply, AppError> {
    context.need_person("enabling an extension", &format!("git grill extensions enable {name}, at a terminal"))?;
    let shown = greeted(context, name)?;
    context.voice.say(&Reply::Extensions(Extending::Greeted(Box::new(shown.clone()))))?;
    let writes = if context.extensions.is_sandboxed(name)? {
        ""
    } else {
        " It runs without the sandbox, as your configuration says, so it can write to the repository and to your files."
    };
    let question = format!(
        "Let agents call the tools of {name} in this clone? It may ask you questions and read the repository.{writes} If \
         one of these files changes, agents lose the tools until you enable it again."
    );
    let yes = context.prompter.confirm(&question).answered().map_err(not_answered("enabling the extension"))?;
    if !yes {
        return Err(AppError::Cancelled("enabling the extension"));
    }
    let listed = context.extensions.enable(name)?;
    if context.extensions.files(name)? == shown.files && listed.tools == shown.hello.tools {
        return Ok(Reply::Extensions(Extending::Enabled(Box::new(listed))));
    }
    context.extensions.disable(name)?;
    Err(AppError::Declined {
        code: "extension_changed",
        message: format!("the extension {name} was not enabled: it changed while you were asked"),
        causes: Vec::new(),
        hint: format!("git grill extensions enable {name} shows it as it is now, and asks again"),
    })
}

/// No longer lets agents call the tools of one.
pub fn disable(context: &Context<'_>, name: &Name) -> Result<Reply, AppError> {
    context.need_person("disabling an extension", &format!("git grill extensions disable {name}, at a terminal"))?;
    let was = context.extensions.disable(name)?;
    let text =
        if was { format!("agents can no longer call the tools of {name}") } else { format!("{name} was not enabled") };
    let fields = vec![("enabled", json!(false)), ("was", json!(was)), ("extension", json!({"name": name}))];
    Ok(Reply::Plain(Plain { text, fields, traits: Traits::LONG }))
}
