//! The dispatcher over a store with bad days: what it says was done is done, what it says was not left nothing behind.

use std::collections::VecDeque;

use git_grill::app::dispatcher::{Dispatcher, Envelope, TRIES};
use git_grill::app::error::AppError;
use git_grill::app::ports::SessionStore;
use git_grill::app::reply::Outcome;
use git_grill::domain::facts::RepoFacts;
use git_grill::domain::ids::SessionId;
use git_grill::domain::interview;
use git_grill::domain::session::Session;
use proptest::prelude::*;

use super::doubles::{Adverse, Counter, Fault, JumpyClock, Writer, begin};
use super::laws;
use super::wishes::{Wish, settings, wish};

/// One request: a wish, or the built-in interviewer's turn; and what goes wrong with each try.
#[derive(Clone, Debug)]
struct Request {
    wish: Option<Wish>,
    faults: Vec<Fault>,
}

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        2 => Just(Fault::None),
        1 => Just(Fault::Full),
        1 => Just(Fault::Late),
        2 => Just(Fault::Moved),
        2 => wish().prop_map(|wish| Fault::Rival(Box::new(wish))),
    ]
}

fn request() -> impl Strategy<Value = Request> {
    let faults = prop_oneof![
        4 => Just(Vec::new()),
        6 => proptest::collection::vec(fault(), 1..4),
        1 => (18_usize..23).prop_map(|times| vec![Fault::Moved; times]),
    ];
    (proptest::option::weighted(0.7, wish()), faults).prop_map(|(wish, faults)| Request { wish, faults })
}

fn commits_since(store: &Adverse, from: usize, writer: Writer) -> usize {
    store.commits.borrow()[from..].iter().filter(|(who, _)| *who == writer).count()
}

/// Judges one request's result by what is in the store now.
fn judge(store: &Adverse, id: &SessionId, before: &Session, from: usize, result: Result<Outcome, AppError>) {
    let stored = store.load(id).unwrap().session;
    let history = store.inner.history(id).unwrap();
    assert_eq!(Session::replay(&history).as_ref(), Some(&stored), "the history does not come to the stored state");
    laws::state(&stored);
    for pair in history.windows(2) {
        assert!(pair[0].seq < pair[1].seq && pair[0].at <= pair[1].at, "the clock that jumped reordered history");
    }
    // Every commit that was acknowledged, the others' too, is there in its order.
    let committed: Vec<_> = store.commits.borrow().iter().flat_map(|(_, events)| events.clone()).collect();
    assert_eq!(committed, history);
    let ours = commits_since(store, from, Writer::Us);
    let theirs = commits_since(store, from, Writer::Rival);
    match result {
        Ok(outcome) => {
            assert_eq!(outcome.after, stored);
            laws::step(outcome.before.as_ref().unwrap(), &outcome.events, &outcome.after);
            if outcome.events.is_empty() {
                assert_eq!(ours, 0);
            } else {
                assert_eq!(ours, 1, "one request is one commit");
                assert_eq!(store.commits.borrow().last().unwrap().1, outcome.events);
            }
        }
        Err(error) => {
            assert!(!error.code().is_empty() && error.exit_code() > 0);
            match &error {
                AppError::Refused(refusal) => {
                    laws::refusal(refusal);
                    assert_eq!(ours, 0);
                }
                AppError::Contended(times) => {
                    assert_eq!((*times, error.exit_code(), error.code()), (TRIES, 4, "contended"));
                    assert!(error.hint().is_some());
                    assert_eq!(ours, 0);
                }
                // A disk that complains after the write leaves the whole commit, never a part of it.
                AppError::Store(_) => assert!(ours <= 1),
                other => panic!("{other:?}"),
            }
            if ours + theirs == 0 {
                assert_eq!(&stored, before, "{error} left something behind");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_said_to_be_done_is_done_and_nothing_is_half_done(
        settings in settings(),
        looked in any::<bool>(),
        requests in proptest::collection::vec(request(), 1..30),
    ) {
        let (store, clock, nonce) = (Adverse::default(), JumpyClock::default(), Counter::from(1 << 20));
        let dispatcher = Dispatcher { store: &store, clock: &clock, nonce: &nonce, base: None, outside: None };
        let facts = RepoFacts { looked, name: "it".to_owned(), files: 7, ..RepoFacts::default() };
        let id = begin(&dispatcher, settings, facts).after.id;
        for (place, request) in requests.iter().enumerate() {
            let before = store.load(&id).unwrap().session;
            let from = store.commits.borrow().len();
            store.faults.replace(VecDeque::from(request.faults.clone()));
            let result = match &request.wish {
                Some(wish) => {
                    let command = wish.command(&before, u64::try_from(place).unwrap() + 2);
                    dispatcher.handle(&id, &Envelope { actor: wish.actor.clone(), command })
                }
                None => dispatcher.advance(&id, &|_| Vec::new()),
            };
            store.faults.take();
            judge(&store, &id, &before, from, result);
        }
    }

    /// A session that moves every time is given up after a named number of tries, and one try fewer still does it.
    #[test]
    fn twenty_times_moved_is_contended(moved in 1_u32..30) {
        let (store, clock, nonce) = (Adverse::default(), JumpyClock::default(), Counter::from(1));
        let dispatcher = Dispatcher { store: &store, clock: &clock, nonce: &nonce, base: None, outside: None };
        let id = begin(&dispatcher, git_grill::domain::settings::Settings::default(), RepoFacts::default()).after.id;
        let before = store.load(&id).unwrap().session;
        store.faults.replace((0..moved).map(|_| Fault::Moved).collect());
        let result = dispatcher.advance(&id, &|_| Vec::new());
        prop_assert_eq!(store.moved.get(), moved.min(20));
        if moved < 20 {
            prop_assert!(result.unwrap().after.open_question().is_some());
        } else {
            let error = result.unwrap_err();
            prop_assert_eq!((error.exit_code(), error.code()), (4, "contended"));
            prop_assert_eq!(store.load(&id).unwrap().session, before);
        }
    }
}

/// An answer never moves to another question: the one it names was closed by a rival, and it is refused with exit 4.
#[test]
fn an_answer_that_comes_too_late_goes_nowhere() {
    use super::texts::prose;
    use super::wishes::Aim;
    use git_grill::domain::actor::Actor;
    use git_grill::domain::command::{Command, Reply};
    use git_grill::domain::settings::Settings;

    let (store, clock, nonce) = (Adverse::default(), JumpyClock::default(), Counter::from(1));
    let dispatcher = Dispatcher { store: &store, clock: &clock, nonce: &nonce, base: None, outside: None };
    let id = begin(&dispatcher, Settings::default(), RepoFacts::default()).after.id;
    let asked = dispatcher.advance(&id, &|_| Vec::new()).unwrap().after;
    let question = asked.open_question().unwrap().question.id.clone();
    // The rival's wish is the fifth that fits an open question: to skip it.
    let skip = Wish { aim: Aim::Fitting, kind: 4, n: 1, text: String::new(), actor: Actor::Unattended };
    store.faults.replace([Fault::Rival(Box::new(skip))].into());
    let reply = Reply::Text(prose("sqlite"));
    let command: Command =
        interview::Command::Answer { question, id: dispatcher.answer_id(), reply, note: None }.into();
    let error = dispatcher.handle(&id, &Envelope { actor: Actor::Human, command }).unwrap_err();
    assert_eq!((error.exit_code(), error.code()), (4, "question_gone"));
    let stored = store.load(&id).unwrap().session;
    assert!(stored.transcript.asked.iter().all(|asked| asked.answers.is_empty()));
    assert_eq!(store.commits.borrow().last().unwrap().0, Writer::Rival);
}
