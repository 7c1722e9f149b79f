//! Creating issues: however often it fails and is tried again, every approved issue exists once, byte for byte, names by
//! number what it depends on, and nothing that nobody approved exists (G32).

use git_grill::app::dispatcher::{Dispatcher, Envelope};
use git_grill::app::error::AppError;
use git_grill::app::ports::SessionStore;
use git_grill::app::settling::World;
use git_grill::domain::actor::Actor;
use git_grill::domain::command::Command;
use git_grill::domain::facts::RepoFacts;
use git_grill::domain::ids::SessionId;
use git_grill::domain::issue::{self, IssueText};
use git_grill::domain::production::{
    Command as Produce, Draft, IssueSlot, Origin, Plan, PlannedOutput, Production, Target,
};
use git_grill::domain::session::{Phase, Session};
use git_grill::domain::settings::Settings;
use proptest::prelude::*;

use super::board::Board;
use super::doubles::{Adverse, Counter, Fault, Folder, JumpyClock, Mishap, begin};
use super::laws;
use super::wishes::blob;

/// An issue to be: on which of those with a lower number it depends, and whether somebody approves it.
#[derive(Clone, Debug)]
struct Planned {
    needs: Vec<usize>,
    approved: bool,
}

fn slot(place: usize) -> IssueSlot {
    IssueSlot::new(u32::try_from(place + 1).unwrap()).unwrap()
}

fn needs(planned: &Planned, place: usize) -> impl Iterator<Item = usize> {
    planned.needs.iter().copied().filter(move |needed| *needed < place)
}

fn draft(place: usize, planned: &Planned) -> Draft {
    let depends_on = needs(planned, place).map(slot).collect();
    let (title, body) = (format!("Issue {place}"), format!("What {place} is about.\n"));
    let content = issue::write(&IssueText { title, body, depends_on, ..IssueText::default() });
    Draft {
        target: Target::Issue(slot(place)),
        destination: "github-issues".parse().unwrap(),
        blob: blob(&content),
        replaces: None,
        origin: Origin::HandedIn,
        content,
        replaced: None,
    }
}

/// A session whose plan has these issues, drafted in this order.
fn producing(dispatcher: &Dispatcher<'_>, planned: &[Planned], order: &[usize]) -> SessionId {
    let id = begin(dispatcher, Settings::default(), RepoFacts::default()).after.id;
    let say = |actor: Actor, command: Command| dispatcher.handle(&id, &Envelope { actor, command }).unwrap().after;
    let gate = git_grill::app::drafting::gate(&dispatcher.store.load(&id).unwrap().session);
    say(Actor::Human, Produce::OpenSelection(Box::new(gate)).into());
    let output = PlannedOutput {
        destination: "github-issues".parse().unwrap(),
        strategy: "vertical-slices".parse().unwrap(),
        paths: Vec::new(),
        tracker: Some("octo/links".parse().unwrap()),
    };
    say(
        Actor::Human,
        Produce::SelectOutputs(Plan { outputs: vec![output], prose: None, permitted: Vec::new() }).into(),
    );
    for place in order {
        say(Actor::System, Produce::SubmitDraft(Box::new(draft(*place, &planned[*place]))).into());
    }
    for (place, one) in planned.iter().enumerate().filter(|(_, one)| one.approved) {
        let draft = draft(place, one);
        say(Actor::Human, Produce::ApproveDraft { target: draft.target, blob: draft.blob }.into());
    }
    id
}

fn production(session: &Session) -> &Production {
    let Phase::Production(production) = &session.phase else { panic!("{:?}", session.phase) };
    production
}

/// Whether all that an issue stands on is approved, however far down.
fn complete(planned: &[Planned], place: usize) -> bool {
    planned[place].approved && needs(&planned[place], place).all(|needed| complete(planned, needed))
}

/// The places of those that can be created, drafted in this order: each time the first whose needs are there.
fn turns(planned: &[Planned], order: &[usize]) -> Vec<usize> {
    let mut turns: Vec<usize> = Vec::new();
    let can = |turns: &[usize], place: usize| {
        complete(planned, place)
            && !turns.contains(&place)
            && needs(&planned[place], place).all(|needed| turns.contains(&needed))
    };
    while let Some(next) = order.iter().find(|place| can(&turns, **place)) {
        turns.push(*next);
    }
    turns
}

/// What exists was approved, and exists once.
fn check(session: &Session, board: &Board, planned: &[Planned]) {
    laws::state(session);
    let issues = board.issues.borrow();
    let titles: Vec<&str> = issues.iter().map(|(new, _)| new.title.as_str()).collect();
    for (place, _) in planned.iter().enumerate() {
        let title = format!("Issue {place}");
        let count = titles.iter().filter(|one| **one == title).count();
        assert!(count <= usize::from(complete(planned, place)), "{title} is there {count} times");
    }
    for created in production(session).created() {
        let (new, _) = issues.iter().find(|(_, there)| there.number == created.number).unwrap();
        assert_eq!(new.title, format!("Issue {}", created.slot.number() - 1));
    }
}

fn planned() -> impl Strategy<Value = Vec<Planned>> {
    let one = (proptest::collection::vec(0usize..6, 0..3), proptest::bool::weighted(0.8))
        .prop_map(|(needs, approved)| Planned { needs, approved });
    proptest::collection::vec(one, 1..6)
}

fn mishap() -> impl Strategy<Value = Mishap> {
    proptest::sample::select(&[Mishap::None, Mishap::None, Mishap::Before, Mishap::After][..])
}

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![3 => Just(Fault::None), 1 => Just(Fault::Full), 1 => Just(Fault::Late), 1 => Just(Fault::Moved)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn g32_creating_bears_any_mishap_and_being_done_again(
        planned in planned(),
        order in Just((0usize..6).collect::<Vec<_>>()).prop_shuffle(),
        mishaps in proptest::collection::vec(mishap(), 0..10),
        faults in proptest::collection::vec(fault(), 0..8),
    ) {
        let (store, clock, nonce) = (Adverse::default(), JumpyClock::default(), Counter::from(1));
        let dispatcher = Dispatcher { store: &store, clock: &clock, nonce: &nonce, base: None, outside: None };
        let order: Vec<usize> = order.into_iter().filter(|place| *place < planned.len()).collect();
        let id = producing(&dispatcher, &planned, &order);
        let (folder, board) = (Folder::default(), Board::default());
        store.faults.replace(faults.clone().into());
        board.mishaps.replace(mishaps.clone().into());
        let mut told = Vec::new();
        let mut settled = None;
        for _ in 0..=mishaps.len() + faults.len() {
            let mut progress = |step: &git_grill::app::reply::Progress| told.push(step.number);
            let mut world = World { files: &folder, tracker: &board, progress: &mut progress };
            let result = dispatcher.settle(&id, &mut world);
            let session = store.load(&id).unwrap().session;
            check(&session, &board, &planned);
            match result {
                Ok(_) => {
                    settled = Some(session);
                    break;
                }
                Err(AppError::Environment { code: "tracker_unreachable", .. } | AppError::Store(_)) => {}
                Err(other) => panic!("{other:?}"),
            }
        }
        let settled = settled.expect("every mishap is over by now");
        prop_assert!(settled.pending().is_empty());
        let created: Vec<_> = production(&settled).created().collect();
        let expected = (0..planned.len()).filter(|place| complete(&planned, *place)).count();
        prop_assert_eq!(created.len(), expected);
        // One whose note got lost on its way to us is created all the same.
        prop_assert!(told.len() <= expected, "each is told of once at most");
        // They are created in the order in which they were drafted, each after what it depends on.
        let slots: Vec<IssueSlot> = board.issues.borrow().iter().map(|(new, _)| {
            slot(new.title.trim_start_matches("Issue ").parse().unwrap())
        }).collect();
        let wanted: Vec<IssueSlot> = turns(&planned, &order).into_iter().map(slot).collect();
        prop_assert_eq!(slots, wanted);
        // Each names by number all that it depends on from the first, and can be found again.
        for one in &created {
            let issues = board.issues.borrow();
            let (_, there) = issues.iter().find(|(_, there)| there.number == one.number).unwrap();
            let place = one.slot.number() as usize - 1;
            let body = format!("What {place} is about.");
            prop_assert!(there.body.starts_with(&body), "{}", there.body);
            for needed in needs(&planned[place], place) {
                let number = created.iter().find(|other| other.slot == slot(needed)).unwrap().number;
                prop_assert!(there.body.contains(&format!("#{number}")), "{}", there.body);
            }
        }
        // Once more: nothing is owed, and nobody is asked.
        store.faults.take();
        let calls = board.calls.get();
        let mut world = World { files: &folder, tracker: &board, progress: &mut |_| {} };
        prop_assert!(dispatcher.settle(&id, &mut world).unwrap().events.is_empty());
        prop_assert_eq!(board.calls.get(), calls);
    }
}
