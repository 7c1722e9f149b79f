//! One record as one line of JSON, and back. Nothing else in the room knows that it is JSON.

use jiff::Timestamp;
use serde::Deserialize;

use crate::domain::agents::Record;
use crate::domain::agents::event::{Event, FORMAT};
use crate::domain::harmless::one_line;
use crate::domain::text::within;

/// Characters of a reason or of a foreign name that are shown.
const SHOWN: usize = 160;

/// A line that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    Record(Record),
    /// One that a newer git grill wrote.
    Newer {
        seq: u64,
        at: Timestamp,
        /// Harmless and short.
        kind: String,
    },
}

/// The part of a line that every version has.
#[derive(Deserialize)]
struct Head {
    v: u32,
    seq: u64,
    at: Timestamp,
    event: String,
}

/// A record as a line with its end.
pub fn line(record: &Record) -> Vec<u8> {
    // No text of ours holds a line end once it is JSON.
    let mut line = serde_json::to_vec(record).expect("our records are plain data with text keys");
    line.push(b'\n');
    line
}

/// Reads a line. The error says what is wrong with it, harmless and short.
pub fn entry(line: &[u8]) -> Result<Entry, String> {
    let head: Head = serde_json::from_slice(line).map_err(|error| shown(&error.to_string()))?;
    if head.v > FORMAT || !Event::is_kind(&head.event) {
        return Ok(Entry::Newer { seq: head.seq, at: head.at, kind: shown(&head.event) });
    }
    serde_json::from_slice(line).map(Entry::Record).map_err(|error| shown(&error.to_string()))
}

fn shown(text: &str) -> String {
    within(&one_line(text), SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::agents::acceptance::{Acceptance, AcceptedBy};
    use crate::domain::agents::ask::{Ask, AskAnswer, AskKind};
    use crate::domain::agents::changed::ChangedFiles;
    use crate::domain::agents::event::Opening;
    use crate::domain::agents::failure::FailureCode;
    use crate::domain::agents::profile::Profile;
    use crate::domain::agents::state::Foreground;
    use crate::domain::agents::tests::{at, failure, line as text, object, picture, process, proof, started, turn};
    use crate::domain::agents::usage::UsageReport;
    use crate::domain::text::Line;
    use crate::ledger::limits::MOST_RECORD;

    /// One event of each kind, in the order of [`Event::KINDS`].
    fn one_of_each() -> Vec<Event> {
        let ask = Ask { number: 1, kind: AskKind::Permission, words: text("rm\u{1b} -rf") };
        vec![
            started(1, Profile::WorktreeEdit),
            Event::SupervisorBegan { process: process(101) },
            Event::SupervisorLeft,
            Event::SupervisorLost,
            Event::AgentLaunched { process: process(200) },
            Event::AgentEnded,
            Event::BackendOpened { backend: text("b-1"), opening: Opening::Loaded },
            Event::WorktreeProved { proof: Box::new(proof()) },
            Event::SetupEnded { how: text("ended well") },
            Event::ParentWatched,
            Event::ParentUndecided { found: text("1 change in the repository: a (new)") },
            Event::ParentRestored {
                places: ChangedFiles::new(["b".to_owned()]),
                left: 1,
                copy: Some(text("refs/grill/local/x")),
            },
            Event::ParentKept { places: ChangedFiles::new(["c".to_owned()]) },
            Event::ParentSettled { kept: ChangedFiles::new(["c".to_owned()]), unseen: true },
            Event::TurnQueued { turn: turn(1), media: vec![picture()] },
            Event::TurnSent { turn: turn(1) },
            Event::TurnStreaming { turn: turn(1) },
            Event::TurnCompleted { turn: turn(1), stop: text("end_turn") },
            Event::TurnFailed { turn: turn(1), failure: failure(FailureCode::BackendSilent) },
            Event::TurnCancelled { turn: turn(1) },
            Event::TurnDropped { turn: turn(1) },
            Event::ForegroundChanged { now: Foreground::Waits },
            Event::Asked { ask },
            Event::Answered { number: 1, answer: AskAnswer::Person { words: text("no") } },
            Event::UsageReported { report: UsageReport { context: Some(text("7 tokens")), turn: None } },
            Event::MediaMade { turn: turn(1), media: vec![picture()] },
            Event::FilesChanged { files: ChangedFiles::new(["a\nb".to_owned()]) },
            Event::WorkKept { commit: object('c') },
            Event::WorkAccepted { acceptance: accepted(AcceptedBy::Person) },
            Event::AcceptUndone { acceptance: accepted(AcceptedBy::Host { name: text("claude") }) },
            Event::SessionFailed { failure: failure(FailureCode::AgentGone) },
            Event::SessionCancelled,
            Event::SessionCleaned,
        ]
    }

    fn accepted(by: AcceptedBy) -> Acceptance {
        Acceptance { by, step: 1, files: ChangedFiles::new(["a".to_owned()]) }
    }

    #[test]
    fn a6_every_event_comes_back_from_its_line_and_its_kind_is_known() {
        let events = one_of_each();
        assert_eq!(events.len(), Event::KINDS.len());
        for (event, kind) in events.into_iter().zip(Event::KINDS) {
            let record = Record::new(7, at(1_700_000_000), event);
            let written = line(&record);
            let value: serde_json::Value = serde_json::from_slice(&written).unwrap();
            assert_eq!((value["event"].as_str(), value["v"].as_u64()), (Some(kind), Some(1)));
            assert_eq!(written.iter().position(|byte| *byte == b'\n'), Some(written.len() - 1));
            assert_eq!(entry(&written), Ok(Entry::Record(record)));
        }
        for answer in [AskAnswer::Nobody, AskAnswer::Cancelled, AskAnswer::Policy { why: text("read-only") }] {
            let record = Record::new(1, at(1), Event::Answered { number: 2, answer });
            assert_eq!(entry(&line(&record)), Ok(Entry::Record(record)));
        }
    }

    /// What stands in a ledger today is read for ever.
    #[test]
    fn a6_the_stored_form_stays() {
        let stored = r#"{"v":1,"seq":2,"at":"2026-11-28T12:00:00Z","event":"agent-launched","process":{"id":200,"started":"boot/1"}}"#;
        let Ok(Entry::Record(record)) = entry(stored.as_bytes()) else { panic!("it is not read") };
        assert_eq!(record.event, Event::AgentLaunched { process: process(200) });
        assert_eq!(line(&record), format!("{stored}\n").into_bytes());
        let settled = r#"{"v":1,"seq":2,"at":"2026-11-28T12:00:00Z","event":"parent-settled"}"#;
        let Ok(Entry::Record(record)) = entry(settled.as_bytes()) else { panic!("it is not read") };
        assert_eq!(record.event, Event::ParentSettled { kept: ChangedFiles::default(), unseen: false });
        assert_eq!(line(&record), format!("{settled}\n").into_bytes());
        let begun = String::from_utf8(line(&Record::new(1, at(0), started(12, Profile::GroundedEdit)))).unwrap();
        let id = crate::domain::ids::AgentSessionId::from_nonce(12);
        let (base, folder) = ("a".repeat(40), "/home/me/project");
        assert_eq!(
            begun,
            format!(
                "{{\"v\":1,\"seq\":1,\"at\":\"1970-01-01T00:00:00Z\",\"event\":\"started\",\"handle\":\"g12\",\"id\":\"{id}\",\
                 \"agent\":\"claude\",\"profile\":\"grounded-edit\",\"folder\":\"{folder}\",\"base\":\"{base}\",\
                 \"supervisor\":{{\"id\":100,\"started\":\"boot/1\"}}}}\n"
            )
        );
    }

    #[test]
    fn a6_a_newer_version_is_told_from_damage() {
        let with =
            |v: u32, event: &str| format!(r#"{{"v":{v},"seq":3,"at":"2026-11-28T12:00:00Z","event":"{event}"}}"#);
        for (v, event) in [(1, "session-archived"), (2, "agent-ended"), (2, "turn-sent")] {
            let read = entry(with(v, event).as_bytes());
            assert!(matches!(&read, Ok(Entry::Newer { seq: 3, kind, .. }) if kind == event), "{read:?}");
        }
        // A kind that we know lacks what it must have.
        assert!(entry(with(1, "turn-sent").as_bytes()).is_err());
        for damaged in ["", "{}", "null", "[1]", "\0\0\0", r#"{"v":1,"seq":1}"#, "{\"v\":1"] {
            assert!(entry(damaged.as_bytes()).is_err(), "{damaged:?}");
        }
        let foreign = entry(with(9, &"\\u001b[31m".repeat(1_000)).as_bytes());
        assert!(matches!(&foreign, Ok(Entry::Newer { kind, .. }) if kind.len() < 1_000 && !kind.contains('\u{1b}')));
        let process =
            r#"{"v":1,"seq":2,"at":"2026-11-28T12:00:00Z","event":"agent-launched","process":{"id":1,"started":"b"}}"#;
        assert!(entry(process.as_bytes()).unwrap_err().contains("1 is not the id"), "A30: never a process to signal");
        let handle = with(1, "turn-sent").replace('}', r#","turn":"t0"}"#);
        assert!(entry(handle.as_bytes()).is_err());
    }

    /// The largest texts of a record, each byte escaped, are a record still.
    #[test]
    fn a6_the_largest_record_fits() {
        let long = Line::parse("a text", &"\u{1}".repeat(Line::LIMIT)).unwrap();
        let answer = AskAnswer::Person { words: long.clone() };
        let usage = UsageReport { context: Some(long.clone()), turn: Some(long.clone()) };
        let paths = (0..256).map(|_| "\u{1}".repeat(32));
        for event in [
            Event::Answered { number: u32::MAX, answer },
            Event::UsageReported { report: usage },
            Event::FilesChanged { files: ChangedFiles::new(paths.clone()) },
            Event::WorkAccepted {
                acceptance: Acceptance {
                    by: AcceptedBy::Host { name: text("claude") },
                    step: u32::MAX,
                    files: ChangedFiles::new(paths),
                },
            },
        ] {
            assert!(line(&Record::new(u64::MAX, at(1), event)).len() <= MOST_RECORD);
        }
    }
}
