//! Versions that are too old (G56): what a program prints of its own where it cannot tell, since an old one may not know the
//! words by which it is started.

use std::path::Path;
use std::time::Duration;

use crate::acp::client::Event;
use crate::acp::permission::{May, Rules};
use crate::agents;
use crate::app::ports::{Hindrance, Within};

use super::agent::Agent;
use super::launch::Shown;
use super::running::Stage;
use super::watch::Watch;
use super::{Agents, launch, log, program};
use crate::world::environment::Environment;
use crate::world::run::Sees;

/// How long one look waits.
const STEP: Duration = Duration::from_millis(50);
/// So long a program has to print its version.
const PRINTS: Duration = Duration::from_secs(10);

/// The version that this agent's program prints, behind the same walls. Only where the version matters, and of no command
/// of the person's own, which may do whatever with that word.
pub(super) fn printed(
    environment: &Environment,
    common: &Path,
    agent: &Agent,
    program: &Path,
    within: Within,
) -> Option<String> {
    if agent.preset.least.is_none() || !agent.command.iter().eq(agent.preset.command) {
        return None;
    }
    let asked = Agent { command: vec![program.into(), "--version".into()], ..agent.clone() };
    let sees = match within {
        Within::Walls => Sees::Nothing,
        // Without them nothing can be kept from it.
        Within::WhatThereIs => Sees::Repository,
    };
    let shown = Shown { sees, log: log::Of::Version, record: None, desk: None };
    let (process, mut client) = launch::start(environment, common, &asked, program, within, &shown).ok()?;
    let rules = Rules { preset: agent.preset, server: None, may: May::NOTHING, only_reads: &|_| false };
    let mut watch = Watch::new();
    let mut told = None;
    while told.is_none() && watch.step < PRINTS {
        match client.next(STEP, &rules) {
            Ok(Some(Event::Other(line))) => told = agents::printed(&line),
            Ok(_) => {}
            Err(_) => break,
        }
        watch.tick();
    }
    // It closes the agent's input, which asks it to leave.
    drop(client);
    process.end();
    told
}

impl Agents<'_> {
    /// That the agent which runs is too old for all that an interview needs, or the one which failed before it spoke for
    /// any of it.
    pub(super) fn outdated(&self) -> Option<Hindrance> {
        if let Some(attended) = &self.running {
            let running = attended.lock();
            return running.agent().too_old(&running.version()?, true).map(|old| old.hindrance);
        }
        let (agent, within) = {
            let failed = self.failed.as_ref()?.lock();
            if failed.stage() != Stage::Initialize {
                return None;
            }
            (failed.agent().clone(), failed.within())
        };
        let program = program(self.environment, self.config, &agent).ok()?;
        let version = printed(self.environment, &self.common, &agent, &program, within)?;
        agent.too_old(&version, false).map(|old| old.hindrance)
    }
}
