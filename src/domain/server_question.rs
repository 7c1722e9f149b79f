//! A question of another MCP server, shown to the user through the agent that leads. It is no question of the interview:
//! it is recorded with what became of it, and changes nothing else.

use serde::{Deserialize, Serialize};

use super::text::{Line, Prose};

/// A question of another MCP server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerQuestion {
    /// The agent that it came through.
    pub agent: Line,
    /// The server, as the agent names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<Line>,
    pub message: Prose,
    pub outcome: ServerOutcome,
}

/// What became of a server's question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum ServerOutcome {
    Sent {
        /// What was sent; empty where only a yes was asked for.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        values: Vec<SentValue>,
    },
    Declined,
    Closed,
    /// It was closed because it could not be shown to the user.
    Unasked,
    /// The server took it back before the user was done.
    Withdrawn,
    /// The agent ended, or leads no more, before the user was done.
    Ended,
    Refused {
        because: Line,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentValue {
    pub field: Line,
    pub value: Prose,
}

impl ServerOutcome {
    /// Whether only the user can have decided so.
    pub fn is_the_users(&self) -> bool {
        match self {
            Self::Sent { .. } | Self::Declined | Self::Closed => true,
            Self::Unasked | Self::Withdrawn | Self::Ended | Self::Refused { .. } => false,
        }
    }

    pub fn in_words(&self) -> &'static str {
        match self {
            Self::Sent { .. } => "answered",
            Self::Declined => "declined",
            Self::Closed => "closed",
            Self::Unasked => "closed, not shown to the user",
            Self::Withdrawn => "withdrawn",
            Self::Ended => "closed when its agent ended",
            Self::Refused { .. } => "refused",
        }
    }
}

impl ServerQuestion {
    /// The server and the agent, as a heading names them.
    pub fn asker(&self) -> String {
        match &self.server {
            Some(server) => format!("server {server}, through {}", self.agent),
            None => format!("a server of {}", self.agent),
        }
    }

    pub fn in_words(&self) -> String {
        let asked = Line::clipped(self.message.first_line());
        format!("{} asked: {asked} ({})", self.asker(), self.outcome.in_words())
    }
}

#[cfg(test)]
impl ServerQuestion {
    /// The wish to record some question with this outcome, for tables.
    pub fn command(outcome: ServerOutcome) -> super::command::Command {
        let agent = Line::clipped("claude");
        let message = Prose::parse("the question", "Which project?").unwrap();
        super::command::Command::RecordServerQuestion(Box::new(Self { agent, server: None, message, outcome }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_says_who_asked_and_what_became_of_it() {
        let line = |text: &str| Line::parse("text", text).unwrap();
        let mut question = ServerQuestion {
            agent: line("claude"),
            server: Some(line("jira")),
            message: Prose::parse("text", "Which project?\nThe default is APP.").unwrap(),
            outcome: ServerOutcome::Declined,
        };
        assert_eq!(question.in_words(), "server jira, through claude asked: Which project? (declined)");
        question.server = None;
        question.outcome = ServerOutcome::Unasked;
        let told = "a server of claude asked: Which project? (closed, not shown to the user)";
        assert_eq!(question.in_words(), told);
    }

    #[test]
    fn a36_nobody_closed_a_form_whose_agent_ended() {
        assert!(!ServerOutcome::Ended.is_the_users());
        assert_eq!(ServerOutcome::Ended.in_words(), "closed when its agent ended");
    }
}
