//! What the configuration sets for a session. It is read before anybody is asked whether an agent may start, and again by the
//! supervisor: a setting that makes no sense begins no session.

use std::time::Duration;

use crate::app::error::AppError;
use crate::domain::agents::limits::AgentLimits;
use crate::domain::agents::profile::Profile;
use crate::repo::config::{Config, keys};

/// What makes a copy ready, with how long that may take.
type Setup = Option<(String, Duration)>;

/// What the configuration sets for a session: its limits, and what makes its copy ready.
pub(super) fn settings(config: &Config) -> Result<(impl Fn(Profile) -> AgentLimits + use<>, Setup), AppError> {
    let limits = limits(config)?;
    let setup = config.agent_setup()?.map(|line| Ok::<_, AppError>((line, config.time_limit(&keys::SETUP_TIMEOUT)?)));
    Ok((limits, setup.transpose()?))
}

/// The limits of a session by its profile, as the configuration sets them (A5).
fn limits(config: &Config) -> Result<impl Fn(Profile) -> AgentLimits + use<>, AppError> {
    let handshake = config.time_limit(&keys::HANDSHAKE_TIMEOUT)?;
    let silence = config.time_limit_if_set(&keys::SILENCE_TIMEOUT)?;
    let prompt = config.time_limit(&keys::TURN_TIMEOUT)?;
    let cancel = config.time_limit(&keys::CANCEL_TIMEOUT)?;
    let (idle, ask) = (config.time_limit(&keys::IDLE_TIMEOUT)?, config.time_limit(&keys::ASK_TIMEOUT)?);
    Ok(move |profile: Profile| {
        let silence = silence.unwrap_or(profile.terms().silence);
        AgentLimits { handshake, silence, prompt, cancel, idle, ask, ..AgentLimits::of(profile) }
    })
}
