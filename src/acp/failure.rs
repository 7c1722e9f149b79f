//! What stands in the way of an agent (G56): what happened, its cause, and the sentence about it.

use std::time::Duration;

use super::sign::status_in;
use super::v1::{self, AUTHENTICATION, UNSUPPORTED, VERSION};
use super::wire::RpcError;
use crate::agents::Preset;
use crate::domain::harmless::harmless;
use crate::domain::text::Line;

/// A step of the conversation with an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Initialize,
    /// A new session.
    Open,
    /// A session of before.
    Load,
    Setting,
    Turn,
}

impl Step {
    /// Its name in the protocol.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Initialize => v1::INITIALIZE,
            Self::Open => v1::NEW,
            Self::Load => v1::LOAD,
            Self::Setting => "a setting of its session",
            Self::Turn => v1::PROMPT,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    NotStarted(String),
    NotInstalled {
        program: String,
        /// The agent's own program, where that is there and only the adapter that speaks ACP for it is not.
        adapts: Option<String>,
    },
    /// It went away; its last words.
    Gone {
        /// The last lines of its standard error.
        said: Vec<String>,
    },
    /// A step took too long.
    Silent {
        step: Step,
        after: Duration,
    },
    /// It does not stop a turn that was cancelled.
    Deaf {
        after: Duration,
    },
    /// It answered with an error.
    Refused {
        step: Step,
        error: RpcError,
    },
    NotAcp {
        /// The last line.
        said: String,
    },
    /// It speaks another version of the protocol.
    Version(String),
    /// It does not read what is sent to it.
    Unread,
    /// It did not start our tools.
    NoTools,
    /// Its provider failed, and the turn ended as if nothing were.
    Provider {
        status: Option<u16>,
    },
    /// Its model refused.
    Declined,
    /// It called our tools wrong again and again.
    WrongCalls {
        /// The tool that it called last.
        tool: String,
        why: String,
    },
    /// It ended its turns without a question.
    NoQuestion {
        said: String,
    },
}

/// The cause of a failure, which decides what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    NotInstalled,
    NotLoggedIn,
    /// The provider takes no more requests for now.
    RateLimited,
    Provider,
    NoTools,
    /// Its version does not fit.
    Version,
    /// The model refused.
    Declined,
    Other,
}

impl Failure {
    /// The cause, by the provider's status wherever it stands: the protocol's own codes say next to nothing.
    pub fn cause(&self) -> Cause {
        let by = |status: Option<u16>| match status {
            Some(401 | 403) => Cause::NotLoggedIn,
            Some(429) => Cause::RateLimited,
            Some(500..=599) => Cause::Provider,
            Some(_) | None => Cause::Other,
        };
        match self {
            Self::NotInstalled { .. } => Cause::NotInstalled,
            Self::NoTools => Cause::NoTools,
            Self::Version(_) => Cause::Version,
            Self::Declined => Cause::Declined,
            Self::Provider { status } => match by(*status) {
                Cause::Other => Cause::Provider,
                known @ (Cause::NotInstalled
                | Cause::NotLoggedIn
                | Cause::RateLimited
                | Cause::Provider
                | Cause::NoTools
                | Cause::Version
                | Cause::Declined) => known,
            },
            Self::Refused { step, error } => {
                let code = u16::try_from(error.code).ok();
                let told = code.filter(|code| (400..600).contains(code));
                let told = told.or_else(|| status_in(&format!("{} {}", error.message, error.data)));
                match (by(told), step, error.code) {
                    (Cause::Other, Step::Open | Step::Turn, AUTHENTICATION) => Cause::NotLoggedIn,
                    (Cause::Other, Step::Initialize, UNSUPPORTED) => Cause::Version,
                    (cause, ..) => cause,
                }
            }
            Self::Gone { said } => by(said.iter().rev().find_map(|line| status_in(line))),
            Self::NotStarted(_)
            | Self::Silent { .. }
            | Self::Deaf { .. }
            | Self::NotAcp { .. }
            | Self::Unread
            | Self::WrongCalls { .. }
            | Self::NoQuestion { .. } => Cause::Other,
        }
    }

    pub fn sentence(&self, agent: &str) -> String {
        match (self, self.cause()) {
            (Self::NotInstalled { program, adapts: None }, _) => {
                format!("{agent} was not started: there is no program '{program}'")
            }
            (Self::NotInstalled { program, adapts: Some(own) }, _) => format!(
                "{agent} was not started: '{own}' is installed, and the adapter that speaks ACP for it, '{program}', is not"
            ),
            (Self::NotStarted(why), _) => format!("{agent} was not started: {}", clean(why)),
            (Self::Refused { error, .. }, Cause::NotLoggedIn) => {
                format!("{agent} is not logged in, or its settings cannot be read: {}", clean(&error.message))
            }
            (_, Cause::NotLoggedIn) => format!("{agent} is not logged in"),
            (Self::Refused { error, .. }, Cause::RateLimited) => {
                format!("{agent}'s provider limits requests: {}", clean(&error.message))
            }
            (_, Cause::RateLimited) => format!("{agent}'s provider limits requests"),
            (Self::Provider { status: Some(status) }, _) => format!("{agent}'s provider failed ({status})"),
            (Self::Provider { status: None }, _) => format!("{agent}'s provider failed"),
            (Self::Refused { error, .. }, Cause::Version) => {
                format!("{agent} speaks another version of ACP: {}", clean(&error.message))
            }
            (Self::Refused { error, .. }, Cause::Provider) => {
                format!("{agent}'s provider failed: {}", clean(&error.message))
            }
            (Self::Refused { step, error }, _) => {
                format!("{agent} rejected ACP {}: {}", step.in_words(), clean(&error.message))
            }
            (Self::Gone { said }, _) if said.is_empty() => format!("{agent} ended unexpectedly and printed nothing"),
            (Self::Gone { said }, _) => {
                let last = &said[said.len().saturating_sub(MOST_LINES)..];
                format!("{agent} ended unexpectedly; it printed: {}", clean(&last.join(" / ")))
            }
            (Self::Silent { step, after }, _) => {
                format!("{agent} did not answer ACP {} within {} s", step.in_words(), after.as_secs())
            }
            (Self::Deaf { after }, _) => {
                format!("{agent} did not stop its turn within {} s, so git grill ended the agent", after.as_secs())
            }
            (Self::NotAcp { said }, _) => format!("{agent} printed what is not ACP: {}", clean(said)),
            (Self::Version(version), _) => {
                format!("{agent} speaks version {} of ACP, and git grill speaks version {VERSION}", clean(version))
            }
            (Self::Unread, _) => format!("{agent} does not read what is sent to it"),
            (Self::NoTools, _) => format!("{agent} did not start git grill's tools"),
            (Self::Declined, _) => format!("{agent}'s model refused to continue"),
            (Self::WrongCalls { tool, why }, _) => {
                format!(
                    "{agent} made too many calls that git grill refused; the last was {}: {}",
                    clean(tool),
                    clean(why)
                )
            }
            (Self::NoQuestion { said }, _) if said.trim().is_empty() => {
                format!("{agent} ended its turn without a question and said nothing")
            }
            (Self::NoQuestion { said }, _) => {
                format!("{agent} ended its turn without a question; it said: {}", clean(said))
            }
        }
    }

    /// What to do where nothing is known that mends it.
    pub fn advice_without_remedy(&self, name: &str) -> String {
        if self.is_of_the_start() {
            format!("git grill agent doctor {name} checks how it starts")
        } else {
            "git grill interviewer <name> has another one ask".to_owned()
        }
    }

    /// Whether it can happen before the first turn; the doctor goes no further.
    fn is_of_the_start(&self) -> bool {
        match self {
            Self::Silent { step, .. } | Self::Refused { step, .. } => *step != Step::Turn,
            Self::NotInstalled { .. }
            | Self::NotStarted(_)
            | Self::Gone { .. }
            | Self::NotAcp { .. }
            | Self::Version(_)
            | Self::Unread
            | Self::NoTools => true,
            Self::Deaf { .. }
            | Self::Provider { .. }
            | Self::Declined
            | Self::WrongCalls { .. }
            | Self::NoQuestion { .. } => false,
        }
    }

    /// What mends it, where that is known.
    pub fn remedy(&self, preset: Preset, name: &str) -> String {
        match self.cause() {
            Cause::NotInstalled | Cause::Version if preset.install.is_empty() => {
                format!("git config --global grill.agent.{name}.command \"<a command that speaks ACP {VERSION}>\"")
            }
            Cause::NotInstalled => format!("{} installs it", preset.install),
            Cause::NotLoggedIn => format!("log in first: {}", preset.log_in),
            Cause::RateLimited => "wait, then git grill next tries again".to_owned(),
            Cause::Provider => "git grill next tries again".to_owned(),
            Cause::Version => format!("{} installs one that fits", preset.install),
            Cause::NoTools | Cause::Declined | Cause::Other => String::new(),
        }
    }
}

/// The most of its last lines that are shown.
const MOST_LINES: usize = 3;

/// One line of foreign text, harmless and short.
fn clean(text: &str) -> String {
    Line::clipped(&harmless(text.trim())).as_str().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Preset;
    use serde_json::{Value, json};

    fn refused(step: Step, code: i64, message: &str, data: Value) -> Failure {
        Failure::Refused { step, error: RpcError { code, message: message.to_owned(), data } }
    }

    #[test]
    fn g56_each_agent_s_own_way_of_failing_has_a_cause() {
        let none = Value::Null;
        for (failure, cause) in [
            (refused(Step::Turn, -32000, "Authentication required", none.clone()), Cause::NotLoggedIn),
            (
                refused(Step::Open, -32000, "Gemini API key is missing or not configured.", none.clone()),
                Cause::NotLoggedIn,
            ),
            (refused(Step::Open, -32000, "x", json!("no auth method id provided")), Cause::NotLoggedIn),
            (refused(Step::Turn, -32603, "Internal error", json!({"errorKind": "rate_limit"})), Cause::RateLimited),
            (refused(Step::Turn, -32603, "Internal error", json!({"errorKind": "server_error"})), Cause::Provider),
            (refused(Step::Turn, 401, "{}", none.clone()), Cause::NotLoggedIn),
            (
                refused(Step::Turn, -32603, "Internal error: Incorrect API key provided", none.clone()),
                Cause::NotLoggedIn,
            ),
            (refused(Step::Turn, -32603, "x", json!("Unauthorized (401) from ..")), Cause::NotLoggedIn),
            (refused(Step::Turn, -32003, "Rate limited", none.clone()), Cause::RateLimited),
            (refused(Step::Initialize, -32022, "Unsupported", none.clone()), Cause::Version),
            (refused(Step::Initialize, 1001, "Codex process has exited with code 1", none.clone()), Cause::Other),
            (refused(Step::Turn, -32603, "boom", none), Cause::Other),
            (Failure::Provider { status: None }, Cause::Provider),
            (Failure::Provider { status: Some(429) }, Cause::RateLimited),
            (Failure::Gone { said: vec!["status: 429".into(), "bye".into()] }, Cause::RateLimited),
            (Failure::Gone { said: vec!["it took 512 ms".into(), "wrote 500.rs".into()] }, Cause::Other),
            (Failure::Gone { said: vec![] }, Cause::Other),
            (Failure::Deaf { after: Duration::from_secs(10) }, Cause::Other),
        ] {
            assert_eq!(failure.cause(), cause, "{failure:?}");
            let preset = Preset::named("gemini").unwrap();
            assert!(!failure.sentence("gemini").is_empty());
            let advice = [failure.remedy(preset, "gemini"), failure.advice_without_remedy("gemini")];
            assert!(advice.iter().any(|advice| !advice.is_empty()));
        }
    }

    #[test]
    fn what_an_agent_says_is_shown_harmless() {
        let failure = Failure::Gone { said: vec!["\u{1b}[2Jgone\u{7}".into()] };
        assert!(!failure.sentence("x").contains('\u{1b}'));
        let long = Failure::NoQuestion { said: "a ".repeat(10_000) };
        assert!(long.sentence("x").len() < 1_000);
    }
}
