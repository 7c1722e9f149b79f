//! What a proxy answers and decides, and what the user makes of that (D20).

use jiff::Timestamp;

use super::dossier::Dossier;
use super::event::{Decision, ProxyAnswer, Taken};
use super::round::{Heard, Reply, Round};
use super::state::{Debate, Decided, State};
use crate::domain::actor::Actor;
use crate::domain::ids::QuestionId;

/// Takes a proxy's answers for those of the round: as the proxy's, and never as the user's. What the user answered before the
/// proxy was named stays theirs.
pub(super) fn answer_for_the_user(round: &mut Round, taken: &Taken, by: &Actor, at: Timestamp) {
    let proxy = Some(taken.by.clone());
    for ProxyAnswer { question, yes, words } in &taken.answers {
        if round.heard.iter().any(|heard| heard.question == *question) {
            continue;
        }
        let (proxy, by, words) = (proxy.clone(), by.clone(), words.clone());
        round.heard.push(Heard { question: *question, yes: *yes, words, by, proxy, at });
    }
    let mut replies = taken.replies.iter().cloned();
    for asked in round.asked.iter_mut().filter(|asked| asked.reply.is_none()) {
        asked.reply = Some(Reply { words: replies.next(), by: by.clone(), proxy: proxy.clone(), at });
    }
}

impl State {
    /// The debate that the user has something to say in: it goes on, or it has ended and what a proxy answered is provisional.
    pub fn unsettled(&self) -> Option<(u32, &Debate)> {
        self.newest().filter(|(_, debate)| debate.ending().is_none() || debate.is_provisional())
    }

    /// That a debate which a proxy answered waits for the user's word, with its number, for whoever is asked a question of the
    /// interview meanwhile.
    pub fn waits_in_words(&self, question: &QuestionId) -> Option<(u32, String)> {
        let (number, debate) = self.newest().filter(|(_, debate)| debate.is_provisional())?;
        let is_about_it = debate.dossier == (Dossier::Question { question: question.clone() });
        let about = if is_about_it { " about this question" } else { "" };
        Some((number, format!("debate {number}{about} waits for you: git grill debate")))
    }
}

impl Debate {
    /// Whether a proxy answered or decided in it.
    pub fn is_by_proxy(&self) -> bool {
        self.rounds.iter().any(Round::is_by_proxy) || self.decided.iter().any(|decided| decided.proxy.is_some())
    }

    /// Whether a proxy's decision ended it.
    pub fn is_ended_by_proxy(&self) -> bool {
        // What the user says to all of it comes behind that.
        let ends = |decided: &&Decided| match decided.decision {
            Decision::Declare | Decision::Accept | Decision::Kill | Decision::Settle(_) => true,
            Decision::Extend | Decision::Confirm | Decision::Reject => false,
        };
        self.decided.iter().rfind(ends).is_some_and(|decided| decided.proxy.is_some())
    }

    /// Whether it has ended, and waits for the user's word on what the proxy answered (D20).
    pub fn is_provisional(&self) -> bool {
        // Once the user decided how it ends, it stands on their word.
        let by_the_user = |decided: &Decided| {
            decided.proxy.is_none()
                && match decided.decision {
                    Decision::Declare
                    | Decision::Accept
                    | Decision::Kill
                    | Decision::Settle(_)
                    | Decision::Confirm
                    | Decision::Reject => true,
                    Decision::Extend => false,
                }
        };
        self.ending().is_some() && self.is_by_proxy() && !self.decided.iter().any(by_the_user)
    }

    /// Whether the user confirmed what the proxy answered.
    pub fn is_confirmed(&self) -> bool {
        self.has_decided(Decision::Confirm)
    }

    /// Whether the user rejected what the proxy answered.
    pub fn is_rejected(&self) -> bool {
        self.has_decided(Decision::Reject)
    }
}
