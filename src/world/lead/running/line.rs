//! What the agent is doing, in one line and in its steps.

use std::time::Duration;

use super::{Running, State};
use crate::acp::failure::Failure;
use crate::acp::sign::{Sign, status_in};
use crate::acp::update::Update;

/// After this time without a sign of life, the line offers to leave.
const LONG_QUIET: Duration = Duration::from_mins(2);

/// The most letters of what it does: the seconds behind them stay in sight in a window of 80 columns.
const MOST: usize = 60;

impl Running {
    /// Whether it has a turn, and nothing was heard of it for so long that the user was told.
    pub(in crate::world::lead) fn is_silent(&self) -> bool {
        matches!(self.state, State::Turn(_)) && self.waits()
    }

    /// Whether it has sent nothing for long, and no tool runs that may take its time.
    fn waits(&self) -> bool {
        let rules = self.rules();
        self.watch.silence >= self.limits.quiet && !self.activity.is_at_work(&rules)
    }

    pub(super) fn told(&mut self, update: &Update, sign: Option<Sign>) -> Result<(), Failure> {
        if self.trouble.as_ref().is_some_and(|trouble| trouble.is_over_with(update)) {
            self.trouble = None;
        }
        if let Update::Usage(report) = update {
            self.usage.note(report);
        }
        let rules = self.rules();
        self.activity.note(update, &rules, &self.root);
        sign.map_or(Ok(()), |sign| self.troubled(sign))
    }

    pub(super) fn troubled(&mut self, sign: Sign) -> Result<(), Failure> {
        if sign == Sign::ToolsFailed {
            return Err(Failure::NoTools);
        }
        self.trouble = Some(sign);
        Ok(())
    }

    /// What it did before, and what it told that is no step.
    pub(super) fn steps(&self) -> Vec<String> {
        self.activity.steps().into_iter().chain(self.usage.lines()).collect()
    }

    /// The provider's status that it told last, if only on its standard error.
    pub(super) fn hint(&self) -> String {
        let status = self.client.errors().iter().rev().find_map(|line| status_in(line));
        status.map(|status| format!(", after an error {status}")).unwrap_or_default()
    }

    pub(super) fn line(&self) -> String {
        let name = &self.agent.name;
        let seconds = self.watch.step.as_secs();
        let silence = self.watch.silence;
        match (&self.state, &self.trouble) {
            (State::Asked(..), _) => format!("{name} is starting, {seconds} s"),
            (State::Greeting, _) => format!("{name} is starting git grill's tools, {seconds} s"),
            (State::Cancelling(_), _) => format!("{name} is being stopped, {seconds} s"),
            (_, Some(Sign::Retrying { status } | Sign::Provider { status })) => {
                let status = status.map(|status| format!(" ({status})")).unwrap_or_default();
                format!("{name}'s provider failed{status}; it tries again, {seconds} s")
            }
            _ if self.waits() && silence >= LONG_QUIET => {
                let minutes = silence.as_secs() / 60;
                format!("{name} has sent nothing for {minutes} min; your answers are saved")
            }
            _ if self.waits() => {
                format!("{name} waits for the model ({} s{})", silence.as_secs(), self.hint())
            }
            _ => {
                let rules = self.rules();
                format!("{name} {}, {seconds} s", brief(&self.activity.line(&rules, &self.root)))
            }
        }
    }
}

/// The beginning of what it does, without a full stop before the seconds.
fn brief(doing: &str) -> String {
    let doing = doing.trim_end_matches('.');
    match doing.char_indices().nth(MOST - 1) {
        Some((at, _)) if doing.chars().count() > MOST => format!("{}…", doing[..at].trim_end()),
        _ => doing.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_room_for_the_seconds() {
        assert_eq!(brief("thinks: Looking at a.rs first."), "thinks: Looking at a.rs first");
        assert_eq!(brief(""), "");
        let exact = "ä".repeat(MOST);
        assert_eq!(brief(&exact), exact);
        let long = brief(&"ä".repeat(MOST + 1));
        assert!(long.ends_with('…') && long.chars().count() == MOST, "{long}");
    }
}
