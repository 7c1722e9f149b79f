//! A proxy's answers in a round (D20).

use jiff::Timestamp;

use super::event::{ProxyAnswer, Taken};
use super::round::{Heard, Reply, Round};
use crate::domain::actor::Actor;

/// Takes a proxy's answers for those of the round: as the proxy's, and never as the user's.
pub(super) fn answer_for_the_user(round: &mut Round, taken: &Taken, by: &Actor, at: Timestamp) {
    let proxy = Some(taken.by.clone());
    for ProxyAnswer { question, yes, words } in &taken.answers {
        let (proxy, by, words) = (proxy.clone(), by.clone(), words.clone());
        round.heard.push(Heard { question: *question, yes: *yes, words, by, proxy, at });
    }
    let mut replies = taken.replies.iter().cloned();
    for asked in round.asked.iter_mut().filter(|asked| asked.reply.is_none()) {
        asked.reply = Some(Reply { words: replies.next(), by: by.clone(), proxy: proxy.clone(), at });
    }
}
