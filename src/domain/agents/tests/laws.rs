//! Laws about any sequence of commands.

use proptest::prelude::*;

use super::*;
use crate::domain::agents::acceptance::{Acceptance, AcceptedBy};
use crate::domain::agents::ask::{AskAnswer, AskKind};
use crate::domain::agents::changed::ChangedFiles;
use crate::domain::agents::parent_watch::ParentWatch;
use crate::domain::agents::reconcile::{Presence, reconcile};
use crate::domain::agents::state::SessionState;
use crate::domain::agents::usage::UsageReport;

/// A command, or the death of the supervisor.
#[derive(Clone, Debug)]
enum Step {
    Command(Command),
    Death,
}

fn commands() -> impl Strategy<Value = Command> {
    let numbered = 1..6_u32;
    prop_oneof![
        2 => Just(launch(200)),
        2 => Just(open()),
        1 => Just(Command::RecordProof { proof: Box::new(proof()) }),
        5 => Just(send()),
        5 => Just(Command::RecordSent),
        3 => Just(Command::RecordRunning),
        3 => Just(rest()),
        1 => Just(Command::FailTurn { failure: failure(FailureCode::Refused) }),
        1 => Just(Command::Fail { failure: failure(FailureCode::ProtocolFailure) }),
        2 => numbered.clone().prop_map(|number| Command::CancelTurn { turn: turn(number) }),
        1 => Just(Command::Cancel),
        3 => Just(Command::Ask { kind: AskKind::Question, words: line("which?") }),
        3 => numbered.prop_map(|number| Command::Answer { number, answer: AskAnswer::Nobody }),
        2 => Just(Command::Rule { kind: AskKind::Permission, words: line("rm"), why: line("read-only") }),
        1 => Just(Command::ReportUsage { report: UsageReport { context: Some(line("1 token")), turn: None } }),
        1 => (0..3_u64).prop_map(|more| Command::RecordChanges { files: ChangedFiles { more, ..ChangedFiles::default() } }),
        1 => Just(Command::RecordKept { commit: object('c') }),
        1 => Just(Command::RecordAccept { acceptance: accepted(), rest: Some(ChangedFiles::default()) }),
        1 => Just(Command::RecordUndo { acceptance: accepted(), rest: Some(ChangedFiles::default()) }),
        4 => Just(Command::RecordWatch),
        1 => Just(Command::RecordParentChange { found: line("1 change") }),
        1 => Just(settle()),
        1 => Just(Command::RecordEnd),
        1 => Just(Command::Leave),
        2 => Just(Command::Supervise { process: process(101) }),
        1 => Just(Command::CleanUp),
    ]
}

fn accepted() -> Acceptance {
    Acceptance { by: AcceptedBy::Person, step: 1, files: ChangedFiles::default() }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![12 => commands().prop_map(Step::Command), 1 => Just(Step::Death)];
    prop::collection::vec(step, 0..60)
}

/// What holds of every session at every moment.
fn check(session: &AgentSession) -> Result<(), TestCaseError> {
    let active = session.turns.iter().filter(|turn| turn.state.is_active()).count();
    prop_assert!(active <= 1, "one turn at a time");
    prop_assert_eq!(active == 1, session.state == SessionState::TurnActive);
    if session.state.is_terminal() || session.supervisor.is_none() {
        prop_assert!(session.open_turns().next().is_none() && session.asks.is_empty(), "nothing stays open");
    }
    for (place, turn) in (1..).zip(&session.turns) {
        prop_assert_eq!(turn.handle.number(), place);
    }
    // Prompts are sent in order: none that waits stands before one that was sent.
    let first = session.queue().next().map(|first| first.handle);
    let sent = session.active_turn().map(|active| active.handle);
    prop_assert!(first.is_none() || sent.is_none() || sent < first);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// A6, A7, A10, A25: commands end in events or in a refusal with a reason, replay equals the state, what is over stays
    /// over, and the numbers have no gap.
    #[test]
    fn a7_any_sequence_of_commands_keeps_the_laws(steps in steps(), profile in 0..6_usize, bare in any::<bool>()) {
        let profile = crate::domain::agents::profile::TERMS[profile].profile;
        let mut played = Played::with(if bare { unwalled(1, profile) } else { started(1, profile) });
        for step in &steps {
            let before = played.session.clone();
            let events = match step {
                Step::Command(command) => decide(&before, command),
                Step::Death => Ok(reconcile(&before, Presence::Gone)),
            };
            match events {
                Ok(events) => for event in events {
                    let sends = matches!(event, Event::TurnSent { .. });
                    let watched = played.session.parent == Some(ParentWatch::Stands);
                    prop_assert!(!sends || !bare || watched, "an agent without walls is watched");
                    prop_assert!(played.record(event).is_ok(), "what was decided fits");
                    check(&played.session)?;
                },
                Err(refusal) => {
                    prop_assert!(!refusal.code().is_empty() && !refusal.hint().is_empty());
                    prop_assert!(refusal.to_string().contains("g1"), "{}", refusal);
                }
            }
            let after = &played.session;
            for (old, new) in before.turns.iter().zip(&after.turns) {
                prop_assert!(!old.state.is_over() || old == new, "a turn that is over stays as it is");
            }
            if before.state.is_terminal() {
                prop_assert!(after.state == before.state || after.state == SessionState::Cleaned);
                prop_assert_eq!(&before.turns, &after.turns);
            }
        }
        let replayed = AgentSession::fold(&played.records);
        prop_assert_eq!(replayed.as_ref(), Ok(&played.session));
        for (place, record) in (1..).zip(&played.records) {
            prop_assert_eq!(record.seq, place);
        }
    }

    /// A ledger with a record lost, repeated or swapped is not believed.
    #[test]
    fn a6_a_gap_in_the_numbers_is_refused(steps in steps(), place in any::<prop::sample::Index>()) {
        let mut played = Played::begin(1, Profile::LocalReview);
        for step in steps {
            if let Step::Command(command) = step {
                // A refusal leaves it as it is.
                let _ = played.obey(&command);
            }
        }
        let place = place.index(played.records.len());
        let mut lost = played.records.clone();
        lost.remove(place);
        prop_assert_eq!(AgentSession::fold(&lost).is_err(), place + 1 < played.records.len() || place == 0);
        let mut twice = played.records.clone();
        twice.insert(place, twice[place].clone());
        prop_assert!(AgentSession::fold(&twice).is_err());
    }
}
