//! `git grill agent doctor <name>`: what can be said beforehand of an agent that is to lead, without calling its provider.
//! It is started behind the walls as for an interview, greeted, and ended again.

use std::time::Duration;

use serde_json::Value;

use crate::acp::client::{Client, Event, Offers, VERSION};
use crate::acp::failure::{Failure, Step};
use crate::acp::permission::Rules;
use crate::app::error::AppError;
use crate::app::ports::{Leading, Walls, Within};
use crate::app::reply::Reply;
use crate::domain::harmless::harmless;
use crate::domain::settings::Research;
use crate::domain::text::Line;
use crate::repo::config::Config;
use crate::repo::open::{RepoEnv, open};
use crate::store::led;
use crate::text::shell::word;

use super::agent::Agent;
use super::launch::Shown;
use super::running::told_version;
use super::watch::Watch;
use super::{Agents, SERVER, launch, limits, log, login, program};
use crate::world::environment::Environment;
use crate::world::process::spawner;
use crate::world::run::Sees;

/// How long one look waits.
const STEP: Duration = Duration::from_millis(50);

pub(in crate::world) fn doctor(environment: &Environment, name: &str) -> Result<Reply, AppError> {
    let var = |name: &str| environment.var(name);
    let opened = open(&RepoEnv { cwd: environment.cwd.clone(), var: &var, process: spawner() })?;
    let config = Config::load(Some(&opened), &var, &environment.account)?;
    let agents = Agents::new(environment, &config, opened.common_dir.clone());
    let agent = agents.agent(name)?;
    let mut text = String::new();
    let mut line = |what: &str, is: &str| text.extend([format!("{what:<9}"), is.to_owned(), "\n".to_owned()]);
    line("agent", &agent.title());
    let program = program(environment, &config, &agent).map_err(|failure| hindered(&agent, &failure))?;
    line("program", &program.display().to_string());
    let (within, walls) = match agents.walls() {
        Walls::Hold => (Within::Walls, "the kernel keeps it from changing the repository".to_owned()),
        Walls::Missing(why) => (Within::WhatThereIs, format!("nothing here keeps it from changing files: {why}")),
    };
    line("walls", &walls);
    let limit = limits(environment, &config)?.handshake;
    let shown = Shown { sees: Sees::Repository, log: log::Of::Doctor };
    let (process, client) = launch::start(environment, &opened.common_dir, &agent, &program, within, shown)?;
    // The client goes with it, and closes the agent's input, which asks it to leave.
    let greeted = greeted(client, &agent, limit);
    process.end();
    let answer = greeted.map_err(|failure| hindered(&agent, &failure))?;
    line("speaks", &format!("ACP {VERSION}"));
    line("version", &version(&agent, &answer));
    let loads = answer.pointer("/agentCapabilities/loadSession").is_some_and(|loads| *loads == true);
    // Its conversation is where its own logs are, which have to outlive the run.
    let kept = within == Within::WhatThereIs || login::keeps_logs(&agent, &program);
    line(
        "loads",
        match (loads, kept) {
            (true, true) => "its conversation of before, after a pause",
            (true, false) => {
                "nothing: its logs are not kept, so after a pause it begins anew, with all that is recorded"
            }
            (false, _) => "nothing: after a pause it begins anew, with all that is recorded",
        },
    );
    line("proved", &proved(&agents, &agent.name, told_version(&answer).as_deref())?);
    if agents.agreed(&agent.name)? {
        let record = led::consents(&opened.common_dir);
        line("consent", &format!("remembered in this clone; rm {} takes it back", word(&record.to_string_lossy())));
    }
    line("login", &login::seen(environment, &agent, &program));
    let last = log::place(&opened.common_dir, &agent.name, log::Of::Interview);
    if last.is_file() {
        let what = "has its last conversation, of a long one the beginning and the end; up to two before are beside it";
        line("log", &format!("{} {what}", last.display()));
    }
    Ok(Reply::Text(text.trim_end().to_owned()))
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

/// Its version, and whether it is the one that an interview was led with.
fn version(agent: &Agent, answer: &Value) -> String {
    let told = told_version(answer);
    let told = told.as_deref();
    let version = Line::clipped(&harmless(told.unwrap_or("not told"))).as_str().to_owned();
    match agent.preset.tried {
        Some(tried) if told == Some(tried) => format!("{version}, with which git grill was tested"),
        Some(tried) => format!("{version}; git grill was tested with {tried}"),
        None => format!("{version}; git grill was not tested with this agent"),
    }
}

fn greeted(mut client: Client, agent: &Agent, limit: Duration) -> Result<Value, Failure> {
    let rules = Rules { preset: agent.preset, server: SERVER, research: Research::Off, only_reads: &|_| false };
    let asked = client.initialize(Offers::Nothing)?;
    let mut watch = Watch::new();
    while watch.step < limit {
        if let Some(Event::Answered { id, result }) = client.next(STEP, &rules)?
            && id == asked
        {
            let answer = result.map_err(|error| Failure::Refused { step: Step::Initialize, error })?;
            return match answer.get("protocolVersion") {
                Some(version) if version.as_i64() == Some(VERSION) => Ok(answer),
                other => Err(Failure::Version(other.map(ToString::to_string).unwrap_or_default())),
            };
        }
        watch.tick();
    }
    Err(Failure::Silent { step: Step::Initialize, after: limit })
}

fn hindered(agent: &Agent, failure: &Failure) -> AppError {
    let hindrance = agent.hindrance(failure);
    AppError::Environment {
        code: "agent",
        message: hindrance.sentence,
        causes: Vec::new(),
        hint: Some(failure.remedy(agent.preset, &agent.name)).filter(|hint| !hint.is_empty()),
    }
}
