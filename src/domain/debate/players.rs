//! Who plays which role in a debate (D19, D20, D28).

use serde::{Deserialize, Serialize};

use super::role::{Player, Role};

/// Who plays which role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Players {
    pub proposer: Player,
    pub devils_advocate: Player,
    pub synthesizer: Player,
    /// Who answers in the user's place, if anybody does (D20).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy: Option<Player>,
}

impl Players {
    /// The user in every role, for whom nothing is run and nothing read.
    pub const ME: Self =
        Self { proposer: Player::Me, devils_advocate: Player::Me, synthesizer: Player::Me, proxy: None };

    pub fn of(&self, role: Role) -> Option<&Player> {
        match role {
            Role::Proposer => Some(&self.proposer),
            Role::DevilsAdvocate => Some(&self.devils_advocate),
            Role::Synthesizer => Some(&self.synthesizer),
            Role::Proxy => self.proxy.as_ref(),
        }
    }

    /// All of them, the proxy last.
    pub fn all(&self) -> impl Iterator<Item = &Player> {
        [&self.proposer, &self.devils_advocate, &self.synthesizer].into_iter().chain(&self.proxy)
    }

    /// Whether one player judges what they said themselves (D28).
    pub fn judge_themselves(&self) -> bool {
        self.synthesizer == self.proposer || self.synthesizer == self.devils_advocate
    }

    /// All of them, each behind its role.
    pub fn in_words(&self) -> String {
        let proxy = self.proxy.as_ref().map(|proxy| format!(", proxy {proxy}")).unwrap_or_default();
        format!(
            "proposer {}, devil's advocate {}, synthesizer {}{proxy}",
            self.proposer, self.devils_advocate, self.synthesizer
        )
    }
}

/// The words of a grant: everything that names who plays, since commands are run and files are read for them.
pub fn casting(number: u32, players: &Players) -> String {
    let said: Vec<String> =
        players.all().map(ToString::to_string).map(|text| format!("{}:{text}", text.len())).collect();
    format!("roles {number} {}", said.join(" "))
}
