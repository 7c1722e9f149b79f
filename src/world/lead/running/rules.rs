//! The rules by which the agent's requests are answered.

use crate::acp::permission::{May, Rules};
use crate::app::ports::Within;
use crate::policy::shell::{self, Allowed};
use crate::policy::surroundings::Empty;

use super::super::SERVER;
use super::super::agent::Agent;

pub(super) fn rules(agent: &Agent, ours: bool, may: May, within: Within) -> Rules<'static> {
    let only_reads: &dyn Fn(&str) -> bool = match within {
        Within::Walls => &only_reads,
        Within::WhatThereIs => &|_| false,
    };
    Rules { preset: agent.preset, server: ours.then_some(SERVER), may, only_reads }
}

/// Whether a shell command only reads. What lies around it is not looked at: behind walls nothing it runs can write, and
/// without them it is asked about every command and refused each.
fn only_reads(command: &str) -> bool {
    shell::judge(command, &Allowed::default(), &Empty).is_ok()
}
