//! `git grill extensions`, and the commands of extensions: their arguments and their service.

use clap::{Args, Subcommand};
use serde_json::json;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::extending;
use crate::app::extensions;
use crate::app::form::{SUCH_A_FILE, Scripted};
use crate::app::ports::extensions::{ExtensionAction, Gave, Ran};
use crate::app::reply::{Plain, Reply, Traits};
use crate::domain::harmless::harmless;
use crate::domain::ui::Name;

use super::args::{Tool, Verb};
use super::{look, lower, tool};

/// `git grill extensions`
#[derive(Args, Debug)]
pub struct Extensions {
    /// What to do; left out, the extensions are listed, and none is started
    #[command(subcommand)]
    action: Option<ExtensionsAction>,
    /// Start this extension and show its version, tools and commands
    #[arg(long, value_name = "NAME")]
    trial: Option<String>,
}

/// Whether agents can call the tools of an extension.
#[derive(Debug, Subcommand)]
enum ExtensionsAction {
    /// Let agents call an extension's tools in this clone, after you have seen its files and tools. Only you can
    Enable {
        /// The extension
        name: String,
    },
    /// No longer let agents call an extension's tools in this clone. Only you can
    Disable {
        /// The extension
        name: String,
    },
}

pub(super) fn serve(context: &mut Context<'_>, args: &Extensions) -> Result<Reply, AppError> {
    match (&args.action, &args.trial) {
        (Some(_), Some(_)) => {
            let hint = "git grill extensions --trial <name>";
            Err(lower::usage("nothing was done: --trial goes with neither enable nor disable", hint))
        }
        (Some(ExtensionsAction::Enable { name }), None) => extending::enable(context, &named(name)?),
        (Some(ExtensionsAction::Disable { name }), None) => extending::disable(context, &named(name)?),
        (None, Some(name)) => extending::greet(context, &named(name)?),
        (None, None) => extending::list(context),
    }
}

fn named(name: &str) -> Result<Name, AppError> {
    Name::parse("an extension", name).map_err(|error| {
        lower::usage(
            format!("'{}' names no extension: {error}", name.escape_debug()),
            "git grill extensions lists them",
        )
    })
}

/// The extension that the first of these words names, if there is one. Starts nothing.
pub(super) fn named_by(context: &Context<'_>, words: &[String]) -> Result<Option<Name>, AppError> {
    let name = words.first().and_then(|first| Name::parse("an extension", first).ok());
    let Some(name) = name else { return Ok(None) };
    Ok(context.extensions.is_there(&name)?.then_some(name))
}

/// Serves words that do not begin with a verb of ours: the first names an extension, the second its command. Without
/// such an extension they start nothing (G51).
pub(super) fn typed(
    context: &mut Context<'_>,
    words: &[String],
    scripted: Option<&mut Scripted>,
) -> Result<Reply, AppError> {
    let Some(name) = named_by(context, words)? else { return Err(look::no_verb(words)) };
    let Some((command, rest)) = words[1..].split_first().filter(|(word, _)| !["-h", "--help"].contains(&word.as_str()))
    else {
        return extending::commands(context, &name);
    };
    let command = Name::parse("a command", command).map_err(|error| {
        let hint = format!("git grill {name} lists its commands");
        lower::usage(format!("{name} has no command '{}': {error}", command.escape_debug()), hint)
    })?;
    ran(context, &name, &ExtensionAction::Command(command, rest.to_vec()), scripted)
}

/// Serves a verb with a file of answers (P5). The file answers what an extension asks, and nothing else.
pub fn answered(context: &mut Context<'_>, verb: Option<Verb>, file: &str) -> Result<Reply, AppError> {
    match verb {
        Some(Verb::Other(words)) => {
            let mut scripted = read(context, file)?;
            typed(context, &words, Some(&mut scripted))
        }
        Some(Verb::Tool(Tool { name: Some(name), list: false })) if name == Name::questionnaire().as_str() => {
            let mut scripted = read(context, file)?;
            tool::fill(context, &mut scripted)
        }
        Some(_) | None => Err(lower::usage(
            "nothing was done: --answers is only for the commands of extensions and for git grill tool questionnaire",
            "git grill --answers <file> <extension> <command>",
        )),
    }
}

fn read(context: &Context<'_>, file: &str) -> Result<Scripted, AppError> {
    Scripted::parse(&context.elsewhere.read_regular(file, Scripted::LARGEST, SUCH_A_FILE)?)
}

fn ran(
    context: &mut Context<'_>,
    name: &Name,
    deed: &ExtensionAction,
    scripted: Option<&mut Scripted>,
) -> Result<Reply, AppError> {
    match extensions::run(context, name, deed, scripted)? {
        Ran::Done(gave) => Ok(Reply::Plain(given(name, gave))),
        Ran::Later => Err(AppError::NeedsPerson {
            deed: format!("a question of the extension {name}"),
            why: "this command cannot wait for the answer".to_owned(),
            hint: format!("git grill {name}, at a terminal"),
        }),
    }
}

/// The result of a command, and after a failure the end of its standard error. Both are foreign.
fn given(name: &Name, gave: Gave) -> Plain {
    let mut text = gave.text.as_deref().map(|text| harmless(text.trim_end()).into_owned()).unwrap_or_default();
    if gave.failed && !gave.errors.trim().is_empty() {
        text = format!("{text}\n{}", harmless(gave.errors.trim_end()));
    }
    let fields = vec![
        ("extension", json!({"name": name})),
        ("failed", json!(gave.failed)),
        ("text", json!(gave.text)),
        ("value", gave.value),
        ("errors", json!(gave.errors)),
    ];
    Plain { text, fields, traits: Traits { exit_code: u8::from(gave.failed), ..Traits::LONG } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p7_what_failed_is_shown_with_its_complaint() {
        let plain = |failed, text: Option<&str>| {
            let errors = "no\u{7}\n".to_owned();
            given(&Name::questionnaire(), Gave { text: text.map(str::to_owned), value: json!({}), failed, errors })
        };
        assert_eq!(plain(false, Some("done\n")).text, "done");
        assert_eq!(plain(false, None).text, "");
        let failed = plain(true, Some("so"));
        assert!(!failed.text.contains('\u{7}'));
        assert!(failed.text.starts_with("so\nno"));
        assert_eq!(failed.traits.exit_code, 1);
    }
}
