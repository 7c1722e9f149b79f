//! What a run has had kept outside. It may have that taken away again, and nothing else that is kept there; the process that
//! serves a wish ends with it, so whoever holds the run together remembers.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::domain::ids::{QuestionId, SessionId};
use crate::sandbox::broker::frame::{Answer, Request};
use crate::sandbox::broker::request::BrokerRequest;

/// Most replies that are remembered; no session keeps more of a run's.
const MOST: usize = 200;
/// The most bytes of a reply that is remembered; a longer one is not kept whole.
const LONGEST: usize = 64 * 1024;

/// The replies of one run that were kept and not taken away.
#[derive(Default)]
pub(in crate::world) struct Kept(Mutex<BTreeSet<(SessionId, QuestionId, String)>>);

impl Kept {
    fn replies(&self) -> MutexGuard<'_, BTreeSet<(SessionId, QuestionId, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to a wish that is about what this run has not had kept.
    pub(super) fn refused(&self, Request { v: _, session, wish }: &Request) -> Option<Answer> {
        let BrokerRequest::DropKept { question, text } = wish else { return None };
        let known = self.replies().contains(&(session.clone(), question.clone(), text.clone()));
        (!known).then(|| Answer::refused("not_kept_here", 1, "nothing was removed: this run has kept no such reply"))
    }

    /// Takes in how a wish was answered. A text that was kept before, whoever sent it, is not this run's.
    pub(super) fn note(&self, Request { v: _, session, wish }: Request, answer: &Answer) {
        let Answer::Done { made, .. } = answer else { return };
        let mut replies = self.replies();
        if let BrokerRequest::Keep { question, text } = wish {
            if *made && text.len() <= LONGEST && replies.len() < MOST {
                replies.insert((session, question, text));
            }
        } else if let BrokerRequest::DropKept { question, text } = wish {
            replies.remove(&(session, question, text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::broker::frame::VERSION;

    fn request(wish: BrokerRequest) -> Request {
        Request { v: VERSION, session: SessionId::parse("20261121-auth-k3f9q").unwrap(), wish }
    }

    fn keep(text: &str) -> Request {
        request(BrokerRequest::Keep { question: QuestionId::from_nonce(1), text: text.to_owned() })
    }

    fn dropped(text: &str) -> Request {
        request(BrokerRequest::DropKept { question: QuestionId::from_nonce(1), text: text.to_owned() })
    }

    #[test]
    fn q15_a_run_takes_away_what_it_has_had_kept_itself_and_once() {
        let kept = Kept::default();
        let mut other = dropped("mine");
        other.session = SessionId::parse("20261121-auth-aaaaa").unwrap();
        kept.note(keep("theirs"), &Answer::kept("a".into(), false));
        kept.note(keep("mine"), &Answer::kept("b".into(), true));
        kept.note(keep("nobody's"), &Answer::refused("io", 128, "the disk is full"));
        for refused in [dropped("theirs"), dropped("nobody's"), dropped("min"), other] {
            assert!(kept.refused(&refused).is_some(), "{refused:?}");
        }
        assert!(kept.refused(&dropped("mine")).is_none() && kept.refused(&keep("theirs")).is_none());
        kept.note(dropped("mine"), &Answer::refused("io", 128, "a failure leaves it there"));
        assert!(kept.refused(&dropped("mine")).is_none());
        kept.note(dropped("mine"), &Answer::done(&[], None));
        assert!(kept.refused(&dropped("mine")).is_some());
    }

    #[test]
    fn q15_what_is_remembered_is_bounded() {
        let kept = Kept::default();
        kept.note(keep(&"x".repeat(LONGEST + 1)), &Answer::kept("a".into(), true));
        for at in 0..=MOST {
            kept.note(keep(&at.to_string()), &Answer::kept("a".into(), true));
        }
        assert_eq!(kept.replies().len(), MOST);
    }
}
