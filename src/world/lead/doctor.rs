//! `git grill agent doctor <name>`: what can be said beforehand of an agent that is to lead, without calling its provider.
//! It is started behind the walls as for an interview, as far as the first turn, and ended again. Nothing that it does
//! meanwhile is recorded, as in a trial.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::acp::failure::Failure;
use crate::acp::limits::Limits;
use crate::acp::permission::May;
use crate::acp::v1::VERSION;
use crate::agents::acp::Elicits;
use crate::app::error::AppError;
use crate::app::ports::{Hindrance, Leading, Looked, Walls, Within};
use crate::app::reply::{Plain, Reply, Traits};
use crate::domain::harmless::harmless;
use crate::domain::text::Line;
use crate::repo::config::Config;
use crate::repo::open::{RepoEnv, open};
use crate::store::led;
use crate::text::shell::word_of_path;

use super::agent::Agent;
use super::launch::Shown;
use super::running::{GoesOn, Running, Stage, Task, Tools};
use super::{Agents, hindered, launch, limits, log, login, program, version};
use crate::world::environment::Environment;
use crate::world::process::spawner;
use crate::world::run::Sees;

/// How long one look waits.
const STEP: Duration = Duration::from_millis(50);

pub(in crate::world) fn doctor(environment: &Environment, name: &str) -> Result<Reply, AppError> {
    let var = |name: &str| environment.var(name);
    let opened = open(&RepoEnv { cwd: environment.cwd.clone(), var: &var, process: spawner() })?;
    let config = Config::load(Some(&opened), &var, &environment.account)?;
    let common = &opened.common_dir;
    let agents = Agents::new(environment, &config, common.clone());
    let agent = agents.agent(name)?;
    let limits = limits(environment, &config)?;
    let mut report = Report::default();
    report.is("agent", &agent.title());
    let program = program(environment, &config, &agent);
    match &program {
        Ok(program) => report.is("program", &program.display().to_string()),
        Err(failure) => report.fails("program", &agent.hindrance(failure)),
    }
    let (within, walls) = match agents.walls() {
        Walls::Hold => (Within::Walls, "the kernel keeps it from changing the repository".to_owned()),
        Walls::Missing(why) => (Within::WhatThereIs, format!("nothing here keeps it from changing files: {why}")),
    };
    report.is("walls", &walls);
    let Ok(program) = program else {
        report.steps(&Met::default());
        return Ok(report.reply());
    };
    let start = Start { environment, common, agent: &agent, program: &program, within };
    let met = start.meet(limits);
    for without in &met.without {
        report.is("without", without);
    }
    report.steps(&met);
    report.version(&agent, met.version.as_deref(), met.went > SPEAKS);
    report.is("forms", &forms(environment, &agent));
    if met.went > SPEAKS {
        report.is("loads", loads(met.goes_on));
        report.is("proved", &proved(&agents, &agent.name, met.version.as_deref())?);
    }
    if agents.agreed(&agent.name)? {
        let record = led::consents(common);
        let takes_back = format!("rm {} takes it back", word_of_path(&record));
        report.is("consent", &format!("remembered in this clone; {takes_back}"));
    }
    report.is("login", &login::seen(environment, &agent, &program));
    let last = log::place(common, &agent.name, log::Of::Interview);
    if last.is_file() {
        let what = "has its last conversation, of a long one the beginning and the end; up to two before are beside it";
        report.is("log", &format!("{} {what}", last.display()));
    }
    Ok(report.reply())
}

/// The steps of a start in their order, each with what it is where it went well.
const STEPS: [(&str, &str); 4] = [
    ("starts", "yes"),
    ("speaks", "ACP"),
    ("session", "opened, with git grill's tools"),
    ("tools", "it started git grill's tools"),
];
/// The places of the first two.
const STARTS: usize = 0;
const SPEAKS: usize = 1;

/// What came of a start.
#[derive(Debug, Default)]
struct Met {
    /// How many steps went well.
    went: usize,
    /// What stood in the way of the next one.
    hindrance: Option<Hindrance>,
    version: Option<String>,
    /// What it goes on with after a pause.
    goes_on: GoesOn,
    /// What its run goes without.
    without: Vec<String>,
}

/// What is started, and where.
struct Start<'a> {
    environment: &'a Environment,
    common: &'a Path,
    agent: &'a Agent,
    program: &'a Path,
    within: Within,
}

impl Start<'_> {
    /// Starts it, and goes with it as far as the first turn.
    fn meet(&self, limits: Limits) -> Met {
        let Self { environment, common, agent, program, within } = *self;
        let shown = Shown { sees: Sees::Repository, log: log::Of::Doctor, record: None, desk: None };
        let started = match launch::start(environment, common, agent, program, within, &shown) {
            Ok(started) => started,
            Err(error) => return Met { hindrance: Some(hindered(&error)), ..Met::default() },
        };
        let task = Task { may: May::NOTHING, tools: Tools::Ours, before: None, within, limits, witness: None };
        let mut running = Running::new(environment, agent.clone(), started, task);
        let failure = loop {
            match running.look() {
                Ok(Looked::Idle) => break None,
                Ok(
                    Looked::On { .. } | Looked::Recorded | Looked::Asks(_) | Looked::Ended { .. } | Looked::Failed(_),
                ) => std::thread::sleep(STEP),
                Ok(Looked::Overdue(_)) => break running.missed(),
                Err(failure) => break Some(failure),
            }
        };
        let went = match (running.stage(), &failure) {
            (Stage::Initialize, Some(Failure::Gone { .. })) => STARTS,
            (Stage::Initialize, _) => SPEAKS,
            (Stage::Session, _) => 2,
            (Stage::Tools, _) => 3,
            (Stage::Ready, _) => STEPS.len(),
        };
        let told = running.version();
        let (goes_on, without) = (running.goes_on(), running.goes_without());
        running.end();
        let printed = || version::printed(environment, common, agent, program, within);
        let version = told.or_else(|| if went <= SPEAKS { printed() } else { None });
        Met { went, hindrance: failure.map(|failure| self.hindrance(&failure)), version, goes_on, without }
    }

    /// What stands in the way, and what to do about it.
    fn hindrance(&self, failure: &Failure) -> Hindrance {
        let Agent { name, preset, .. } = self.agent;
        self.agent.hindrance_or(failure, || {
            let log = log::place(self.common, name, log::Of::Doctor);
            let newest = match preset.install {
                "" => format!("git config --global grill.agent.{name}.command sets another command"),
                install => format!("{install} installs the newest version"),
            };
            format!("cat {} prints what it said; {newest}", word_of_path(&log))
        })
    }
}

/// What is told, and what is to be done.
#[derive(Default)]
struct Report {
    text: String,
    is_hindered: bool,
    to_do: Vec<String>,
}

impl Report {
    fn is(&mut self, what: &str, is: &str) {
        self.text.extend([format!("{what:<9}").as_str(), is, "\n"]);
    }

    fn fails(&mut self, what: &str, hindrance: &Hindrance) {
        self.is(what, &format!("failed: {}", hindrance.sentence));
        self.is_hindered = true;
        self.to_do.extend(Some(hindrance.advice.clone()).filter(|advice| !advice.is_empty()));
    }

    /// Each step with its outcome.
    fn steps(&mut self, met: &Met) {
        for (at, (what, good)) in STEPS.into_iter().enumerate() {
            let failed = met.hindrance.as_ref().filter(|_| at == met.went);
            if at == SPEAKS && at < met.went {
                self.is(what, &format!("{good} {VERSION}"));
            } else if at < met.went {
                self.is(what, good);
            } else if let Some(hindrance) = failed {
                self.fails(what, hindrance);
            } else {
                self.is(what, "not tried");
            }
        }
    }

    /// Its version: whether it will do, and whether it is the one that an interview was led with.
    fn version(&mut self, agent: &Agent, told: Option<&str>, speaks: bool) {
        let version = Line::clipped(&harmless(told.unwrap_or("unknown"))).as_str().to_owned();
        if let Some(old) = told.and_then(|told| agent.too_old(told, speaks)) {
            self.is("version", &old.why);
            self.is_hindered = true;
            self.to_do.push(old.hindrance.advice);
            return;
        }
        let tried = match agent.preset.tried {
            Some(tried) if told == Some(tried) => ", with which git grill was tested".to_owned(),
            Some(tried) => format!("; git grill was tested with {tried}"),
            None => "; git grill was not tested with this agent".to_owned(),
        };
        self.is("version", &(version + &tried));
    }

    /// An agent that cannot be started now is told by the exit code too.
    fn reply(mut self) -> Reply {
        for one in std::mem::take(&mut self.to_do) {
            self.is("to do", &one);
        }
        let text = self.text.trim_end().to_owned();
        let fields = vec![("text", json!(text)), ("ready", json!(!self.is_hindered))];
        let traits = Traits { exit_code: u8::from(self.is_hindered), ..Traits::LONG };
        Reply::Plain(Plain { text, fields, traits })
    }
}

/// Whether what it asks in a form, or another server through it, comes to the terminal.
fn forms(environment: &Environment, agent: &Agent) -> String {
    const NEEDS_NONE: &str = "git grill's questions need none";
    match agent.preset.elicits {
        Elicits::Yes => "its forms, and those of its other MCP servers, are shown at your terminal".to_owned(),
        Elicits::WithVariable(name) if environment.text(name).is_some() => {
            format!("{name} is set, so its forms are shown at your terminal")
        }
        Elicits::WithVariable(name) => format!("it shows none unless {name}=1 is set; {NEEDS_NONE}"),
        Elicits::No => format!("it shows none; {NEEDS_NONE}"),
        Elicits::Unknown => format!("not known whether it shows any; {NEEDS_NONE}"),
    }
}

/// What it goes on with after a pause.
fn loads(goes_on: GoesOn) -> &'static str {
    match goes_on {
        GoesOn::Before => "after a pause, the agent loads its earlier conversation",
        GoesOn::Perhaps => {
            "after a pause, the agent loads its earlier conversation if it still has it (git grill keeps no copy of this \
             agent's logs); otherwise a new one begins, with everything the session recorded"
        }
        GoesOn::Anew => "after a pause, a new conversation begins, with everything the session recorded",
    }
}

/// What is kept of its last good trial, and whether that says something of this version.
fn proved(agents: &Agents<'_>, name: &str, version: Option<&str>) -> Result<String, AppError> {
    let again = format!("git grill agent preflight {name} tries it, which calls its provider");
    let Some(proof) = agents.proof(name)? else { return Ok(format!("not in this clone; {again}")) };
    let on = proof.at.strftime("%Y-%m-%d");
    let then = proof.version.as_deref().map(|version| Line::clipped(&harmless(version)).as_str().to_owned());
    let bare = match proof.within {
        Within::Walls => "",
        Within::WhatThereIs => ", without the kernel's walls",
    };
    Ok(match (then, version) {
        (Some(then), Some(_)) if proof.version.as_deref() == version => format!("on {on} with version {then}{bare}"),
        (Some(then), _) => format!("unproven with this version: proved on {on} with version {then}; {again}"),
        (None, None) => format!("on {on}{bare}; it tells no version, so a newer one is not noticed"),
        (None, Some(_)) => format!("unproven with this version: proved on {on} with one that told none; {again}"),
    })
}
