//! The extensions of this clone: finds, enables, starts in the sandbox, talks to, and ends them.

mod calling;
mod enabling;
mod finding;
mod launching;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::app::error::AppError;
use crate::app::form::Asker;
use crate::app::ports::extensions::{Enabled, ExtensionAction, Extensions, Found, Hello, Listed, OfferedTool, Ran};
use crate::domain::session::Session;
use crate::domain::tool;
use crate::domain::ui::Name;
use crate::extension::{Ctx, Driver, Ended, Limits, SessionCtx, questionnaire};
use crate::repo::config::Config;
use crate::store::enabled;

use self::calling::{Given, Records};
use self::enabling::Record;
use self::finding::Program;
use super::environment::Environment;
use super::speak;

/// The first argument of our own program as the extension that is shipped; no verb, since nobody types it.
pub(super) const QUESTIONNAIRE: &str = "extension-questionnaire";

/// The extension that is shipped, on standard input and output.
pub(super) fn serve_questionnaire() -> ExitCode {
    match questionnaire::serve(std::io::stdin().lock(), std::io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            speak::naming(&format!("error: the questionnaire could not be served: {error}\n"));
            ExitCode::from(128)
        }
    }
}

/// An error about an extension, such as that it ended; `why` follows its name.
fn failure(name: &Name, why: &str, causes: Vec<String>, hint: String) -> AppError {
    let message = format!("the extension {name} {why}");
    AppError::Environment { code: "extension", message, causes, hint: Some(hint) }
}

/// Serves `git grill extensions`, and runs commands and tools of extensions in this clone.
pub(super) struct LocalExtensions<'a> {
    environment: &'a Environment,
    config: &'a Config,
    /// The git directory that all worktrees share.
    common: PathBuf,
}

/// The outcome of a run, before its extension was ended.
enum Went {
    Ran(Ran),
    /// It does not offer that command or tool; the names that it offers.
    Lacks(Vec<String>),
}

impl<'a> LocalExtensions<'a> {
    pub(super) fn new(environment: &'a Environment, config: &'a Config, common: PathBuf) -> Self {
        Self { environment, config, common }
    }

    fn is_shipped(name: &Name) -> bool {
        *name == Name::questionnaire()
    }

    fn named(&self, name: &Name) -> Result<Program, AppError> {
        if Self::is_shipped(name) {
            return Ok(Program::shipped(self.environment));
        }
        finding::typed(self.environment, self.config, name)?.ok_or_else(|| finding::nowhere(name))
    }

    /// The records of what was enabled here, by name. One that cannot be read enables nothing.
    fn records(&self) -> Records {
        let kept = enabled::all(&self.common).unwrap_or_else(|error| {
            speak::naming(&format!("warning: no extension counts as enabled: {error}\n"));
            BTreeMap::new()
        });
        let read =
            |(name, text): (String, String)| Some((Name::parse("an extension", &name).ok()?, Record::read(&text)));
        kept.into_iter().filter_map(read).filter(|(name, _)| !Self::is_shipped(name)).collect()
    }

    /// Whether what was enabled is what would be started now; the program, if so.
    fn same(&self, name: &Name, record: &Record) -> Result<Program, String> {
        let now = match self.config.extension_command(name.as_str()) {
            Ok(Some(command)) => finding::of_settings(self.environment, self.config, name, command),
            Ok(None) if record.found() == Found::Settings => {
                return Err(format!("grill.extension.{name}.command is no longer set"));
            }
            Ok(None) => finding::at(self.environment, self.config, name, record.program()),
            Err(error) => return Err(error.to_string()),
        };
        // The cause says what changed.
        let now = now.map_err(|error| error.causes().into_iter().next().unwrap_or_else(|| error.to_string()))?;
        record.is_of(&now)?;
        Ok(now)
    }

    /// One as it is listed; nothing of it runs.
    fn listed(&self, name: &Name, record: Option<&Result<Record, String>>) -> Result<Listed, AppError> {
        let set = self.config.extension_command(name.as_str())?;
        let walls = self.config.extension_sandboxed(name.as_str())?;
        let (enabled, known) = match record {
            None => (Enabled::No, None),
            Some(Err(why)) => (Enabled::Changed { why: format!("its record cannot be read: {why}") }, None),
            Some(Ok(record)) => match self.same(name, record) {
                Ok(_) => (Enabled::Yes, Some(record)),
                Err(why) => (Enabled::Changed { why }, Some(record)),
            },
        };
        let (command, found) = match (set, known) {
            (Some(command), _) => (command, Found::Settings),
            (None, Some(record)) => (record.command(), record.found()),
            (None, None) => (Vec::new(), Found::Path),
        };
        let tools = known.map(Record::tools).unwrap_or_default();
        Ok(Listed { name: name.clone(), command, found, enabled, tools, walls })
    }

    fn shipped(&self) -> Listed {
        Listed {
            name: Name::questionnaire(),
            command: vec![self.environment.program.to_string_lossy().into_owned(), QUESTIONNAIRE.to_owned()],
            found: Found::Shipped,
            enabled: Enabled::Yes,
            tools: Vec::new(),
            walls: false,
        }
    }

    /// Greets a program, has `work` done by it, and ends it, whatever came of it.
    fn with<T>(
        &self,
        name: &Name,
        program: &Program,
        ctx: &Ctx,
        work: impl FnOnce(&mut Driver) -> Result<T, Ended>,
    ) -> Result<T, AppError> {
        let (process, streams) = launching::launch(self.environment, name, program)?;
        let met = Driver::greet(streams, name, ctx, Limits::default()).map(|mut driver| {
            let done = work(&mut driver);
            (done, driver.close())
        });
        drop(process);
        let trial = format!("git grill extensions --trial {name} starts it, and shows what it offers");
        match met {
            Ok((Ok(done), _)) => Ok(done),
            Ok((Err(ended), said)) => Err(failure(name, &ended.to_string(), launching::last_lines(&said), trial)),
            Err(ended) => Err(failure(
                name,
                &ended.to_string(),
                Vec::new(),
                launching::without_walls(self.environment, name, program).unwrap_or(trial),
            )),
        }
    }

    fn ctx(&self, session: Option<&Session>, ui: Result<(), String>) -> Ctx {
        let session = session.map(|session| SessionCtx {
            id: session.id.as_str().to_owned(),
            topic: session.topic.as_str().to_owned(),
            phase: session.phase.name().to_owned(),
            plan_mode: session.own.plan.is_on(),
        });
        Ctx { cwd: self.environment.cwd.to_string_lossy().into_owned(), session, ui }
    }

    /// Refuses tools whose names git grill or another extension has already.
    fn collision(&self, name: &Name, hello: &Hello) -> Result<(), AppError> {
        let mut taken: BTreeMap<String, String> = BTreeMap::new();
        for row in tool::rows() {
            taken.insert(row.name.to_owned(), "git grill".to_owned());
        }
        for other in self.list()?.into_iter().filter(|other| other.name != *name && other.enabled == Enabled::Yes) {
            for tool in &other.tools {
                taken.insert(other.name.tool(&tool.name), format!("the extension {}", other.name));
            }
        }
        for tool in &hello.tools {
            let called = name.tool(&tool.name);
            if let Some(whose) = taken.get(&called) {
                return Err(AppError::Declined {
                    code: "extension_collision",
                    message: format!("the extension {name} was not enabled: {whose} already has a tool {called}"),
                    causes: Vec::new(),
                    hint: "git grill extensions lists the extensions and their tools".to_owned(),
                });
            }
        }
        Ok(())
    }
}

fn offered<'n>(names: impl Iterator<Item = &'n Name>) -> Vec<String> {
    names.map(ToString::to_string).collect()
}

impl Extensions for LocalExtensions<'_> {
    fn list(&self) -> Result<Vec<Listed>, AppError> {
        let records = self.records();
        let mut names: BTreeSet<Name> = records.keys().cloned().collect();
        for set in self.config.extensions()? {
            // One that only the repository sets was passed over.
            if self.config.extension_command(&set)?.is_some() {
                names.insert(finding::set_name(&set)?);
            }
        }
        let mut listed = vec![self.shipped()];
        let mut given = Given::ours();
        for name in names.iter().filter(|name| !Self::is_shipped(name)) {
            let mut one = self.listed(name, records.get(name))?;
            if one.enabled == Enabled::Yes
                && let Err(why) = given.give(calling::names(name, &one.tools), || Ok(()))
            {
                one.enabled = Enabled::Changed { why };
            }
            listed.push(one);
        }
        Ok(listed)
    }

    fn tool(&self, called: &str) -> Result<Option<(Name, OfferedTool)>, AppError> {
        Ok(calling::tool_called(&self.records(), called, |name, record| self.same(name, record)))
    }

    fn is_there(&self, name: &Name) -> Result<bool, AppError> {
        Ok(Self::is_shipped(name) || finding::typed(self.environment, self.config, name)?.is_some())
    }

    fn is_sandboxed(&self, name: &Name) -> Result<bool, AppError> {
        Ok(self.config.extension_sandboxed(name.as_str())?)
    }

    fn waits(&self) -> Option<(Duration, Duration)> {
        let limits = Limits::default();
        Some((limits.handshake, limits.own_time))
    }

    fn files(&self, name: &Name) -> Result<Vec<(PathBuf, String)>, AppError> {
        let record = Record::of(&self.named(name)?).map_err(|why| not_enabled(name, why))?;
        Ok(record.files())
    }

    fn greet(&self, name: &Name) -> Result<(PathBuf, Hello), AppError> {
        let program = self.named(name)?;
        let hello = self.with(name, &program, &self.ctx(None, Ok(())), |driver| Ok(driver.hello().clone()))?;
        Ok((program.file().to_owned(), hello))
    }

    fn enable(&self, name: &Name) -> Result<Listed, AppError> {
        if Self::is_shipped(name) {
            return Ok(self.shipped());
        }
        let program = self.named(name)?;
        // Before it is started: what is enabled is what the person was shown, or an older file.
        let record = Record::of(&program).map_err(|why| not_enabled(name, why))?;
        let hello = self.with(name, &program, &self.ctx(None, Ok(())), |driver| Ok(driver.hello().clone()))?;
        self.collision(name, &hello)?;
        let text = record.offering(&hello).map_err(|why| not_enabled(name, why))?;
        enabled::keep(&self.common, name.as_str(), Some(&text))?;
        let records = self.records();
        self.listed(name, records.get(name))
    }

    fn disable(&self, name: &Name) -> Result<bool, AppError> {
        Ok(enabled::keep(&self.common, name.as_str(), None)?)
    }

    fn run(
        &self,
        name: &Name,
        deed: &ExtensionAction,
        session: Option<&Session>,
        asker: &mut dyn Asker,
    ) -> Result<Ran, AppError> {
        let program = match deed {
            ExtensionAction::Command(..) => self.named(name)?,
            ExtensionAction::Tool(..) if Self::is_shipped(name) => Program::shipped(self.environment),
            ExtensionAction::Tool(..) => self.enabled(name)?,
        };
        let ctx = self.ctx(session, asker.available());
        let went = self.with(name, &program, &ctx, |driver| {
            let hello = driver.hello();
            let lacks = match deed {
                ExtensionAction::Command(command, _) if hello.commands.iter().all(|one| one.name != *command) => {
                    Some(offered(hello.commands.iter().map(|one| &one.name)))
                }
                ExtensionAction::Tool(tool, _) if hello.tools.iter().all(|one| one.name != *tool) => {
                    Some(offered(hello.tools.iter().map(|one| &one.name)))
                }
                ExtensionAction::Command(..) | ExtensionAction::Tool(..) => None,
            };
            match lacks {
                Some(instead) => Ok(Went::Lacks(instead)),
                None => driver.run(deed, asker).map(Went::Ran),
            }
        })?;
        match went {
            Went::Ran(ran) => Ok(ran),
            Went::Lacks(instead) => Err(lacking(name, deed, &instead)),
        }
    }
}

impl LocalExtensions<'_> {
    /// The program of an extension whose tools a person lets agents have.
    fn enabled(&self, name: &Name) -> Result<Program, AppError> {
        let refused = |why: String| AppError::Declined {
            code: "extension_not_enabled",
            message: format!("the extension {name} was not started: {why}"),
            causes: Vec::new(),
            hint: format!("a person has to run git grill extensions enable {name} at a terminal"),
        };
        calling::enabled(&self.records(), name, |name, record| self.same(name, record)).map_err(refused)
    }
}

fn not_enabled(name: &Name, why: String) -> AppError {
    let hint = format!("git grill extensions --trial {name}");
    failure(name, "was not enabled", vec![why], hint)
}

/// The error of a command or tool that the extension does not have.
fn lacking(name: &Name, deed: &ExtensionAction, instead: &[String]) -> AppError {
    let (kind, wanted) = match deed {
        ExtensionAction::Command(command, _) => ("command", command),
        ExtensionAction::Tool(tool, _) => ("tool", tool),
    };
    let has = if instead.is_empty() { "it has none".to_owned() } else { format!("it has {}", instead.join(", ")) };
    AppError::Usage {
        message: format!("the extension {name} has no {kind} '{wanted}'; {has}"),
        hint: format!("git grill {name} lists its commands; git grill extensions --trial {name} shows all of it"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn p6_a_deed_that_is_not_offered_is_named_with_what_is() {
        let name = |raw| Name::parse("a tool", raw).unwrap();
        let hello = [OfferedTool { name: name("ask"), description: String::new(), schema: Value::Null }];
        let instead = offered(hello.iter().map(|one| &one.name));
        let error = lacking(&name("intake"), &ExtensionAction::Tool(name("aks"), Value::Null), &instead);
        assert_eq!(error.to_string(), "the extension intake has no tool 'aks'; it has ask");
        let none = lacking(&name("intake"), &ExtensionAction::Command(name("new"), Vec::new()), &[]);
        assert_eq!(none.to_string(), "the extension intake has no command 'new'; it has none");
    }
}
