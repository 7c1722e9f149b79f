//! Limits of a supervised agent, as data (A5): how long each step may take, and how much there may be of each
//! thing.

use std::time::Duration;

use super::profile::Profile;

/// The most turns of one session.
pub const MOST_TURNS: usize = 10_000;
/// The most prompts that wait behind an active turn (A8).
pub const MOST_QUEUED: usize = 32;
/// The most questions and permission requests of one session that wait at once.
pub const MOST_ASKS: usize = 64;
/// The longest path that a ledger keeps, in bytes.
pub const LONGEST_PATH: usize = 4_096;

/// Limits of one session. The defaults are the contract's; configuration may set each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentLimits {
    /// Each step of the handshake.
    pub handshake: Duration,
    /// Time without a sign of activity until turn and session fail with `backend_silent`.
    pub silence: Duration,
    /// One prompt, from sending it to the end of its turn.
    pub prompt: Duration,
    /// From a cancel to the end of the turn.
    pub cancel: Duration,
    /// Time without a sign of activity after which `status` calls the agent silent (A38).
    pub quiet: Duration,
    /// Time without a turn after which the agent ends; the next prompt loads its session again.
    pub idle: Duration,
    /// Time that a question waits for a person before the answer is a refusal (A18).
    pub ask: Duration,
    /// Lines in a row that are not JSON until the session fails with `protocol_failure`.
    pub junk_lines: usize,
}

impl AgentLimits {
    /// The limits that hold unless configuration says otherwise.
    pub const fn of(profile: Profile) -> Self {
        Self {
            handshake: Duration::from_mins(1),
            silence: profile.terms().silence,
            prompt: Duration::from_mins(30),
            cancel: Duration::from_secs(10),
            quiet: Duration::from_secs(20),
            idle: Duration::from_mins(30),
            ask: Duration::from_mins(30),
            junk_lines: 10,
        }
    }

    /// The limit that a clock runs against.
    pub const fn of_clock(&self, clock: LimitClock) -> Duration {
        match clock {
            LimitClock::Handshake => self.handshake,
            LimitClock::Silence => self.silence,
            LimitClock::Prompt => self.prompt,
            LimitClock::Cancel => self.cancel,
        }
    }
}

/// A clock that ends something when it runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitClock {
    Handshake,
    Silence,
    Prompt,
    Cancel,
}

/// Occupation of the agent, as far as clocks depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupation {
    Works,
    RunsTool,
    /// A person is being asked for it.
    AsksPerson,
}

impl LimitClock {
    /// Whether the clock runs meanwhile. None does while a person is asked, and a tool that runs counts against the
    /// prompt limit only. While the machine sleeps no clock runs either; that is a property of the clock that `world`
    /// hands in.
    pub const fn runs(self, occupation: Occupation) -> bool {
        match (self, occupation) {
            (_, Occupation::AsksPerson) | (Self::Silence, Occupation::RunsTool) => false,
            (_, Occupation::Works) | (Self::Handshake | Self::Prompt | Self::Cancel, Occupation::RunsTool) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::agents::profile::TERMS;

    #[test]
    fn a5_limits_are_those_of_the_contract() {
        let seconds = |profile| AgentLimits::of(profile).silence.as_secs();
        assert_eq!(TERMS.map(|terms| seconds(terms.profile)), [60, 90, 120, 90, 120, 120]);
        for terms in TERMS {
            let limits = AgentLimits::of(terms.profile);
            assert_eq!(limits.of_clock(LimitClock::Handshake), Duration::from_mins(1));
            assert_eq!(limits.of_clock(LimitClock::Prompt), Duration::from_mins(30));
            assert_eq!(limits.of_clock(LimitClock::Cancel), Duration::from_secs(10));
            assert_eq!(limits.of_clock(LimitClock::Silence), terms.silence);
            assert_eq!((limits.junk_lines, limits.idle), (10, Duration::from_mins(30)));
            assert!(limits.quiet < limits.silence, "silence is told before it ends the session");
        }
    }

    #[test]
    fn a5_clocks_stand_still_while_a_person_is_asked_and_a_tool_counts_against_the_prompt_only() {
        use LimitClock::{Cancel, Handshake, Prompt, Silence};
        for clock in [Handshake, Silence, Prompt, Cancel] {
            assert!(clock.runs(Occupation::Works) && !clock.runs(Occupation::AsksPerson), "{clock:?}");
        }
        assert!(Prompt.runs(Occupation::RunsTool) && !Silence.runs(Occupation::RunsTool));
    }
}
