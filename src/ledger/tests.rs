//! Ledgers on a disk: crashes at every byte, two writers, damage, newer versions and foreign files.

mod lost;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use super::limits::MOST_RECORD;
use super::texts::TurnText;
use super::writer::is_held;
use super::{Ledger, LedgerError, Ledgers, SessionFolder, Writer, reader};
use crate::domain::agents::event::{Event, Started};
use crate::domain::agents::preview::MOST_CHARACTERS;
use crate::domain::agents::profile::Profile;
use crate::domain::agents::reconcile::{Presence, reconcile};
use crate::domain::agents::state::SessionState;
use crate::domain::agents::tests::{agent, at, launch, open, rest, send, started, turn};
use crate::domain::agents::{AgentHandle, Command, decide};
use crate::files::fresh::OnDisk;
use crate::files::patience::until;

/// A process that another test is just starting holds a lock as well, until it becomes its program.
const LONG: Duration = Duration::from_secs(20);

fn beginning(number: u32) -> Started {
    let Event::Started(started) = started(number, Profile::LocalReview) else { panic!("it begins a session") };
    *started
}

fn home() -> (TempDir, Ledgers) {
    let dir = tempfile::tempdir().unwrap();
    let ledgers = Ledgers::make(dir.path()).unwrap();
    (dir, ledgers)
}

/// A ledger with these commands carried out, and its writer gone.
fn written(ledgers: &Ledgers, commands: &[Command]) -> AgentHandle {
    let folder = ledgers.claim(0).unwrap();
    let handle = folder.handle();
    let mut writer = Writer::begin(folder, at(1), beginning(handle.number()), OnDisk::Later).unwrap();
    obey(&mut writer, commands);
    handle
}

fn obey(writer: &mut Writer, commands: &[Command]) {
    for command in commands {
        let events = decide(writer.session(), command).unwrap();
        writer.append(at(2), events).unwrap();
    }
}

fn file(ledgers: &Ledgers, handle: AgentHandle) -> PathBuf {
    ledgers.path().join(handle.to_string()).join("ledger.jsonl")
}

fn read(ledgers: &Ledgers, handle: AgentHandle) -> Result<Ledger, LedgerError> {
    reader::read(&ledgers.session(handle)?)
}

fn reopened(ledgers: &Ledgers, handle: AgentHandle) -> Result<Writer, LedgerError> {
    Writer::open(ledgers.session(handle)?, LONG, OnDisk::Later)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a6_an_append_is_whole_or_absent_after_a_kill_at_any_byte() {
    let (_dir, ledgers) = home();
    let handle = written(&ledgers, &[launch(200), open(), send(), Command::RecordSent]);
    let path = file(&ledgers, handle);
    let whole = fs::read(&path).unwrap();
    let before = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    let all = read(&ledgers, handle).unwrap().session;
    for cut in before..=whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let found = read(&ledgers, handle).unwrap();
        let is_whole = cut == whole.len();
        assert_eq!(found.session.seq, if is_whole { all.seq } else { all.seq - 1 }, "cut at {cut}");
        assert_eq!(found.unfinished, if is_whole { 0 } else { (cut - before) as u64 });
        assert_eq!(fs::read(&path).unwrap(), &whole[..cut], "a reader changes nothing");
        let mut writer = reopened(&ledgers, handle).unwrap();
        let command = if is_whole { rest() } else { Command::RecordSent };
        obey(&mut writer, &[command]);
        drop(writer);
        let again = read(&ledgers, handle).unwrap();
        assert_eq!((again.unfinished, again.newer), (0, None));
        assert!(fs::read(&path).unwrap().starts_with(&whole[..if is_whole { cut } else { before }]));
        let expected = if is_whole { SessionState::Idle } else { SessionState::TurnActive };
        assert_eq!(again.session.state, expected, "cut at {cut}");
    }
}

/// The first record as well: what was never acknowledged never began.
#[test]
fn a6_a_session_whose_first_record_is_unfinished_never_began() {
    let (_dir, ledgers) = home();
    let handle = written(&ledgers, &[]);
    let path = file(&ledgers, handle);
    let whole = fs::read(&path).unwrap();
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        assert!(matches!(read(&ledgers, handle), Err(LedgerError::Empty { .. })), "cut at {cut}");
        assert!(matches!(reopened(&ledgers, handle), Err(LedgerError::Empty { .. })));
    }
    fs::remove_file(&path).unwrap();
    let error = read(&ledgers, handle).unwrap_err();
    assert_eq!(error.to_string(), "agent session g1 never began: its ledger has no record");
    let folder = ledgers.session(handle).unwrap();
    drop(Writer::begin(folder, at(1), beginning(1), OnDisk::First).unwrap());
    assert_eq!(fs::read(&path).unwrap(), whole);
    let again = Writer::begin(ledgers.session(handle).unwrap(), at(1), beginning(1), OnDisk::Later);
    assert!(matches!(again, Err(LedgerError::Refused(_))), "it begins once");
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn a6_a_second_writer_is_refused_while_the_first_holds_the_lock_and_readers_are_not() {
    let (_dir, ledgers) = home();
    let handle = written(&ledgers, &[launch(200)]);
    let mut first = reopened(&ledgers, handle).unwrap();
    let second = Writer::open(ledgers.session(handle).unwrap(), Duration::ZERO, OnDisk::Later);
    let refused = second.unwrap_err();
    assert_eq!(refused.to_string(), "nothing was appended to the ledger of g1: another process writes it");
    assert!(is_held(&ledgers.session(handle).unwrap()).unwrap());
    obey(&mut first, &[open()]);
    assert_eq!(read(&ledgers, handle).unwrap().session, *first.session());
    drop(first);
    let mut second = reopened(&ledgers, handle).unwrap();
    obey(&mut second, &[send()]);
}

#[test]
fn a6_damage_is_told_with_its_line_and_nothing_is_appended_or_deleted() {
    let (_dir, ledgers) = home();
    let handle = written(&ledgers, &[launch(200), open(), send(), Command::RecordSent]);
    let path = file(&ledgers, handle);
    let whole = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let with = |place: usize, text: &str| {
        let mut all: Vec<&str> = lines.clone();
        all[place] = text;
        all.join("\n") + "\n"
    };
    let moved = lines[1].replace("\"seq\":2", "\"seq\":9");
    let other = lines[0].replace("\"g1\"", "\"g2\"");
    let long = format!("{{\"x\":\"{}\"}}", "y".repeat(MOST_RECORD));
    let cases = [
        (3, with(2, "{\"v\":1,"), "EOF while parsing"),
        (3, with(2, "\0\0\0\0"), "expected value"),
        (2, with(1, &moved), "its number is 9, and the next one is 2"),
        (1, with(0, &other), "it is of session g2"),
        (4, with(3, &long), "it has 65536 bytes or more"),
        (5, with(4, lines[3]), "its number is 4, and the next one is 5"),
        (2, with(1, lines[0]), "its number is 1, and the next one is 2"),
        (1, with(0, lines[1]), "a session begins once, with its first record"),
        // A last line with its end was no append that was broken off.
        (5, with(4, "{}"), "missing field"),
    ];
    for (line, text, why) in cases {
        fs::write(&path, &text).unwrap();
        let told = read(&ledgers, handle).unwrap_err().to_string();
        let start = format!("the ledger of g1 is damaged at line {line}, and nothing was appended or deleted: ");
        assert!(told.starts_with(&start) && told.contains(why), "{told}");
        assert!(matches!(reopened(&ledgers, handle), Err(LedgerError::Damaged { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    // No transition that is in no table is believed either (A7).
    let queued_twice = format!("{whole}{}\n", lines[4].replace("\"seq\":5", "\"seq\":6"));
    fs::write(&path, queued_twice).unwrap();
    let told = read(&ledgers, handle).unwrap_err().to_string();
    assert!(
        told.ends_with("line 6, and nothing was appended or deleted: cannot send t1 of g1: it was sent to the agent"),
        "{told}"
    );
}

#[test]
fn a6_a_ledger_of_a_newer_version_is_read_and_not_written() {
    let (_dir, ledgers) = home();
    let handle = written(&ledgers, &[launch(200), open()]);
    let path = file(&ledgers, handle);
    let known = fs::read_to_string(&path).unwrap();
    let newer = |seq: u64, v: u32, event: &str| {
        format!("{{\"v\":{v},\"seq\":{seq},\"at\":\"2026-11-28T12:00:00Z\",\"event\":\"{event}\",\"new\":[1]}}\n")
    };
    let queued = "{\"v\":1,\"seq\":5,\"at\":\"2026-11-28T12:00:00Z\",\"event\":\"turn-queued\",\"turn\":\"t1\"}\n";
    let unfitting =
        "{\"v\":1,\"seq\":6,\"at\":\"2026-11-28T12:00:00Z\",\"event\":\"turn-streaming\",\"turn\":\"t7\"}\n";
    let text = format!("{known}{}{queued}{unfitting}{}", newer(4, 1, "agent-merged"), newer(7, 2, "turn-sent"));
    fs::write(&path, &text).unwrap();
    let found = read(&ledgers, handle).unwrap();
    let first = found.newer.unwrap();
    assert_eq!((first.line, first.kind.as_str()), (4, "agent-merged"));
    assert_eq!((found.session.seq, found.session.queue().count()), (7, 1), "it shows what we understand");
    let refused = reopened(&ledgers, handle).unwrap_err().to_string();
    assert_eq!(refused, "nothing was appended to the ledger of g1: line 4 is of a newer git grill (agent-merged)");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    // A gap is damage in any version.
    fs::write(&path, format!("{known}{}", newer(9, 2, "agent-merged"))).unwrap();
    assert!(matches!(read(&ledgers, handle), Err(LedgerError::Damaged { line: 4, .. })));
    fs::write(&path, newer(1, 2, "started")).unwrap();
    assert!(matches!(read(&ledgers, handle), Err(LedgerError::Newer { line: 1, .. })));
}

#[test]
fn a6_a_ledger_that_is_too_large_is_refused_unread() {
    let (_dir, ledgers) = home();
    let handle = written(&ledgers, &[]);
    let ledger = fs::OpenOptions::new().write(true).open(file(&ledgers, handle)).unwrap();
    ledger.set_len(1 << 30).unwrap();
    let refused = read(&ledgers, handle).unwrap_err().to_string();
    assert!(refused.starts_with("the ledger of g1 was not read: it has 1073741824 bytes, more than"), "{refused}");
}

#[test]
fn a6_what_the_gate_refuses_is_not_written() {
    let (_dir, ledgers) = home();
    let handle = written(&ledgers, &[launch(200)]);
    let before = fs::read(file(&ledgers, handle)).unwrap();
    let mut writer = reopened(&ledgers, handle).unwrap();
    let session = writer.session().clone();
    // The first would fit; the append is all of them or none.
    let events = vec![Event::AgentEnded, Event::TurnSent { turn: turn(1) }];
    assert!(matches!(writer.append(at(3), events), Err(LedgerError::Refused(_))));
    assert_eq!((writer.session(), fs::read(file(&ledgers, handle)).unwrap()), (&session, before));
}

#[test]
fn a6_folders_are_private_and_claimed_once() {
    let (dir, ledgers) = home();
    assert_eq!(ledgers.path(), dir.path().join("grill/agents"));
    let first = ledgers.claim(0).unwrap();
    assert_eq!((first.handle(), mode(ledgers.path()), mode(first.path())), (agent(1), 0o700, 0o700));
    let held: Vec<SessionFolder> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| claims(&ledgers))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let claimed: BTreeSet<AgentHandle> = held.iter().map(SessionFolder::handle).collect();
    assert_eq!(claimed, (2..=41).map(agent).collect::<BTreeSet<_>>());
    // Foreign names are passed over, and a place that something else takes is not ours.
    fs::write(ledgers.path().join("g42"), "theirs").unwrap();
    fs::create_dir(ledgers.path().join("g043")).unwrap();
    fs::remove_dir(ledgers.path().join("g3")).unwrap();
    assert_eq!(ledgers.claim(0).unwrap().handle(), agent(43), "the number after the highest");
    assert_eq!(ledgers.claim(76).unwrap().handle(), agent(77), "and after those that refs name");
    fs::create_dir(ledgers.path().join("g999999")).unwrap();
    fs::write(ledgers.path().join("g999999/ledger.jsonl"), "begun").unwrap();
    assert_eq!(ledgers.claim(0).unwrap().handle(), agent(3), "the lowest that is free");
    assert!(matches!(ledgers.session(agent(700)), Err(LedgerError::NotFound { .. })));
    // Rights that somebody gave to others are taken away.
    fs::set_permissions(ledgers.path(), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(Ledgers::find(dir.path()).unwrap().is_some());
    assert_eq!(mode(ledgers.path()), 0o700);
}

fn claims(ledgers: &Ledgers) -> Vec<SessionFolder> {
    (0..10).map(|_| ledgers.claim(0).unwrap()).collect()
}

#[test]
fn a6_another_place_can_be_named_and_nothing_is_made_by_looking() {
    let dir = tempfile::tempdir().unwrap();
    assert!(Ledgers::find(dir.path()).unwrap().is_none() && Ledgers::find_at(&dir.path().join("x")).unwrap().is_none());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    let ledgers = Ledgers::make_at(&dir.path().join("x")).unwrap();
    assert_eq!(ledgers.claim(0).unwrap().path(), dir.path().join("x/g1"));
    assert!(Ledgers::find_at(&dir.path().join("x")).unwrap().is_some());
}

#[test]
fn a6_no_symlink_is_followed_to_a_folder_or_a_file() {
    let (dir, ledgers) = home();
    let handle = written(&ledgers, &[launch(200)]);
    let elsewhere = dir.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, ledgers.path().join("g9")).unwrap();
    let refused = ledgers.session(agent(9)).unwrap_err();
    assert!(
        matches!(&refused, LedgerError::Io { source, .. } if source.to_string() == "it is not a folder of its own")
    );
    // The file of events, the lock and a text.
    let folder = ledgers.path().join("g1");
    let text = ledgers.session(handle).unwrap().write_text(turn(1), TurnText::Prompt, b"hello", OnDisk::Later).unwrap();
    for path in [folder.join("ledger.jsonl"), folder.join("writer.lock"), text] {
        let there = elsewhere.join("moved");
        fs::rename(&path, &there).unwrap();
        symlink(&there, &path).unwrap();
        let session = ledgers.session(handle).unwrap();
        let is_text = path.ends_with("prompt.md");
        assert_eq!(session.preview(turn(1), TurnText::Prompt).is_err(), is_text);
        assert_eq!(Writer::open(session, LONG, OnDisk::Later).is_err(), !is_text, "{}", path.display());
        fs::rename(&there, &path).unwrap();
    }
    // A text replaces a link, and writes nothing behind it.
    let session = ledgers.session(handle).unwrap();
    fs::remove_file(folder.join("turns/t1/prompt.md")).unwrap();
    symlink(elsewhere.join("target"), folder.join("turns/t1/prompt.md")).unwrap();
    session.write_text(turn(1), TurnText::Prompt, b"again", OnDisk::Later).unwrap();
    assert_eq!(fs::read(folder.join("turns/t1/prompt.md")).unwrap(), b"again");
    fs::rename(folder.join("turns"), elsewhere.join("turns")).unwrap();
    symlink(elsewhere.join("turns"), folder.join("turns")).unwrap();
    assert!(session.write_text(turn(1), TurnText::Prompt, b"out", OnDisk::Later).is_err());
    assert_eq!(fs::read(elsewhere.join("turns/t1/prompt.md")).unwrap(), b"again");
    // The way to the folder itself.
    let other = dir.path().join("other");
    fs::create_dir(&other).unwrap();
    symlink(dir.path().join("grill"), other.join("grill")).unwrap();
    assert!(Ledgers::make(&other).is_err() && Ledgers::find(&other).is_err());
}

#[test]
fn a9_a_result_is_previewed_and_all_of_it_stays_in_its_file() {
    let (_dir, ledgers) = home();
    let session: SessionFolder = ledgers.claim(0).unwrap();
    assert_eq!(session.preview(turn(1), TurnText::Result).unwrap(), None);
    let text = "ä".repeat(MOST_CHARACTERS + 3);
    let path = session.write_text(turn(1), TurnText::Result, text.as_bytes(), OnDisk::First).unwrap();
    assert_eq!((path.clone(), mode(&path)), (ledgers.path().join("g1/turns/t1/result.md"), 0o600));
    assert_eq!((fs::read_to_string(&path).unwrap(), mode(path.parent().unwrap())), (text, 0o700));
    let shown = session.preview(turn(1), TurnText::Result).unwrap().unwrap();
    assert_eq!((shown.preview.text, shown.preview.cut, shown.path), ("ä".repeat(MOST_CHARACTERS), 6, path));
    let long = vec![b'x'; super::limits::MOST_TEXT + 1];
    let refused = session.write_text(turn(2), TurnText::Result, &long, OnDisk::Later).unwrap_err();
    assert!(refused.to_string().starts_with("the text was not written for g1: it has 16777217 bytes"), "{refused}");
    assert!(!session.text_path(turn(2), TurnText::Result).exists());
}

/// Reconciling on a disk: the next writer finds what the last one left, and brings it into a state that is true.
#[test]
fn a10_the_next_writer_reconciles_what_a_dead_one_left() {
    let (_dir, ledgers) = home();
    let handle = written(&ledgers, &[launch(200), open(), send(), Command::RecordSent, send()]);
    let mut writer = reopened(&ledgers, handle).unwrap();
    let events = reconcile(writer.session(), Presence::Gone);
    let session = writer.append(at(9), events).unwrap();
    assert_eq!((session.state, session.open_turns().count()), (SessionState::Idle, 0));
    assert_eq!(read(&ledgers, handle).unwrap().session, *writer.session());
}
