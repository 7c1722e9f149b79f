//! The lock of a ledger's writer, between processes.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use git_grill::domain::agents::Event;
use git_grill::domain::agents::event::Started;
use git_grill::domain::agents::process::KnownProcess;
use git_grill::domain::agents::profile::Profile;
use git_grill::domain::ids::{AgentSessionId, ObjectId};
use git_grill::domain::text::Line;
use git_grill::files::fresh::OnDisk;
use git_grill::ledger::{LedgerError, Ledgers, Writer};
use jiff::Timestamp;

const LONG: Duration = Duration::from_mins(1);

#[test]
fn a6_the_writers_lock_ends_with_its_process_however_that_ends() {
    let dir = tempfile::tempdir().unwrap();
    let ledgers = Ledgers::make(dir.path()).unwrap();
    let folder = ledgers.claim().unwrap();
    let handle = folder.handle();
    let started = Started {
        handle,
        id: AgentSessionId::from_nonce(1),
        agent: Line::parse("the agent", "claude").unwrap(),
        profile: Profile::LocalReview,
        folder: "/project".to_owned(),
        base: ObjectId::parse(&"a".repeat(40)).unwrap(),
        supervisor: KnownProcess::new(std::process::id(), "boot/1").unwrap(),
    };
    let lock = folder.path().join("writer.lock");
    drop(Writer::begin(folder, Timestamp::UNIX_EPOCH, started, OnDisk::Later).unwrap());

    // A shell that takes the lock and is killed while it holds it.
    let script = r#"exec 9>"$1"; flock 9; echo held; exec sleep 600"#;
    let shell = || Command::new("sh").args(["-c", script, "sh"]).arg(&lock).stdout(Stdio::piped()).spawn().unwrap();
    let mut holds = shell();
    let mut said = String::new();
    BufReader::new(holds.stdout.take().unwrap()).read_line(&mut said).unwrap();
    assert_eq!(said, "held\n");
    let open = |patience| Writer::open(ledgers.session(handle).unwrap(), patience, OnDisk::Later);
    assert!(matches!(open(Duration::ZERO), Err(LedgerError::Busy { .. })));
    holds.kill().unwrap();
    holds.wait().unwrap();

    // And nothing that we start while we hold it holds it as well.
    let mut writer = open(LONG).unwrap();
    let mut outlives = Command::new("sleep").arg("600").spawn().unwrap();
    writer.append(Timestamp::UNIX_EPOCH, vec![Event::SessionCancelled]).unwrap();
    drop(writer);
    let next = open(LONG);
    outlives.kill().unwrap();
    outlives.wait().unwrap();
    assert!(next.is_ok(), "{:?}", next.err());
}
