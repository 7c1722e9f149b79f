//! Many writers at once, some of them killed, with git tidying up meanwhile: nothing acknowledged is lost.

use std::any::Any;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use git_grill::app::ports::{Appended, Batch, SessionStore, StoreError};
use git_grill::domain::actor::Actor;
use git_grill::domain::ids::{QuestionId, SessionId};
use git_grill::domain::session::Session;
use git_grill::files::in_vain;

use super::bench::*;
use super::matrix::by_program;
use crate::bench::crowd;

/// No single question takes this long to be recorded, however busy the machine is; a writer that is still trying then
/// would try for ever.
const LONGEST: Duration = Duration::from_mins(2);

/// Appends `count` questions of its own, as often as it takes, and acknowledges each. Only that somebody else is busy
/// with the session may keep one waiting: whatever git does meanwhile is no error.
fn write_questions(
    (store, dir): (&dyn SessionStore, &Path),
    id: &SessionId,
    writer: u64,
    count: u64,
    mut done: impl FnMut(&QuestionId),
) {
    for n in 0..count {
        let number = writer * 1_000 + n;
        let begun = Instant::now();
        for attempt in 0.. {
            let here = || format!("writer {writer}, question {n}, attempt {attempt}, {:?}", begun.elapsed());
            assert!(begun.elapsed() < LONGEST, "never got through: {}", here());
            let loaded =
                store.load(id).unwrap_or_else(|error| panic!("load: {}: {error:?}\n{}", here(), autopsy(dir, id)));
            let (state, events) = after(&loaded.session, vec![(Actor::System, question(number, "Which?"))]);
            let batch = Batch { events: &events, after: &state, base: None };
            match store.append(&loaded.head, batch) {
                Ok(Appended::At(_)) => break,
                Ok(Appended::Moved) | Err(StoreError::Busy { .. }) => {
                    std::thread::sleep(Duration::from_millis(attempt % 7));
                }
                Err(error) => panic!("append: {}: {error:?}", here()),
            }
        }
        done(&QuestionId::from_nonce(number));
    }
}

/// What git itself sees of a session that could not be loaded, and where its objects lie.
fn autopsy(dir: &Path, id: &SessionId) -> String {
    let (_, tip) = try_git(dir, &["rev-parse", &id.ref_name()]);
    let (_, kind) = try_git(dir, &["cat-file", "-t", tip.trim()]);
    let (_, objects) = try_git(dir, &["rev-parse", "--path-format=absolute", "--git-path", "objects"]);
    let objects = PathBuf::from(objects.trim());
    let packs: Vec<_> = std::fs::read_dir(objects.join("pack")).unwrap().flatten().map(|one| one.file_name()).collect();
    let loose = tip.get(..2).zip(tip.trim().get(2..)).map(|(folder, file)| objects.join(folder).join(file).exists());
    let descriptors = std::fs::read_dir("/proc/self/fd").map(Iterator::count);
    format!("tip {tip} is {kind}, loose: {loose:?}, descriptors: {descriptors:?}, packs: {packs:?}")
}

fn said_by(panic: &dyn Any) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked").to_owned()
}

fn check(bench: &Bench, id: &SessionId, acknowledged: &BTreeSet<QuestionId>) {
    let store = bench.store();
    let session = store.load(id).unwrap().session;
    let there: BTreeSet<QuestionId> = session.transcript.asked.iter().map(|one| one.question.id.clone()).collect();
    let lost: Vec<_> = acknowledged.difference(&there).collect();
    assert!(lost.is_empty(), "lost {lost:?}");
    let history = store.history(id).unwrap();
    assert_eq!(Session::replay(&history), Some(session));
    assert!(history.windows(2).all(|pair| pair[0].seq < pair[1].seq));
    let (code, said) = try_git(&bench.path(), &["fsck", "--no-dangling"]);
    assert_eq!((code, said.trim()), (0, ""));
}

#[test]
fn sixteen_writers_and_git_tidying_up_lose_nothing() {
    beside_git(Duration::from_millis(400));
}

/// Git tidying up without a pause. Once a tip was seen to vanish in it, when git's library wrote the objects.
#[test]
fn sixteen_writers_beside_a_git_that_never_rests() {
    beside_git(Duration::from_millis(5));
}

/// The same for minutes: `cargo test --test it -- --ignored git_that_never_rests`
#[test]
#[ignore = "takes minutes"]
fn sixteen_writers_beside_a_git_that_never_rests_for_minutes() {
    for _ in 0..20 {
        beside_git(Duration::from_millis(5));
    }
}

fn beside_git(pause: Duration) {
    let bench = Bench::new();
    let id = session_id(1);
    begin(&bench.store(), &id);
    let over = AtomicBool::new(false);
    let path = bench.path();
    let (mut acknowledged, mut failed) = (BTreeSet::new(), Vec::new());
    let _crowd = crowd();
    std::thread::scope(|scope| {
        for args in [&["pack-refs", "--all", "--prune"][..], &["gc", "--quiet"]] {
            let (over, path) = (&over, &path);
            scope.spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    // Git itself may find a ref locked by us and say so.
                    try_git(path, args);
                    std::thread::sleep(pause);
                }
            });
        }
        let writers: Vec<_> = (1..=16)
            .map(|writer| {
                let (id, path) = (&id, &path);
                scope.spawn(move || {
                    let mut mine = Vec::new();
                    write_questions((&store_in(path), path), id, writer, 6, |one| mine.push(one.clone()));
                    mine
                })
            })
            .collect();
        for writer in writers {
            match writer.join() {
                Ok(mine) => acknowledged.extend(mine),
                Err(panic) => failed.push(said_by(&*panic)),
            }
        }
        // The tidying threads are waited for by the scope.
        over.store(true, Ordering::Relaxed);
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(acknowledged.len(), 96);
    check(&bench, &id, &acknowledged);
}

/// What a child process is told: folder, number, how many questions.
const ORDERS: &str = "GRILL_TEST_WRITER";

/// Runs as a child of the tests below; by itself there is nothing to do.
#[test]
fn child_writer() {
    let Ok(orders) = std::env::var(ORDERS) else {
        return;
    };
    let mut parts = orders.splitn(3, ' ');
    let writer = parts.next().unwrap().parse().unwrap();
    let count = parts.next().unwrap().parse().unwrap();
    let dir = PathBuf::from(parts.next().unwrap());
    let mut acks = std::fs::File::create(dir.parent().unwrap().join(format!("acks-{writer}"))).unwrap();
    write_questions((&store_in(&dir), &dir), &session_id(1), writer, count, |one| {
        writeln!(acks, "{one}").unwrap();
    });
}

fn spawn(path: &Path, writer: u64, count: u64) -> Child {
    child_of(Command::new(std::env::current_exe().unwrap()), path, writer, count)
}

fn child_of(mut command: Command, path: &Path, writer: u64, count: u64) -> Child {
    command
        .args(["--exact", "store::races::child_writer"])
        .env(ORDERS, format!("{writer} {count} {}", path.display()))
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// What the children acknowledged; a line that was cut off was not.
fn acknowledged(bench: &Bench) -> BTreeSet<QuestionId> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(bench.dir.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_str().unwrap().starts_with("acks-") {
            let text = std::fs::read_to_string(path).unwrap();
            found
                .extend(text.split_inclusive('\n').filter_map(|line| QuestionId::parse(line.strip_suffix('\n')?).ok()));
        }
    }
    found
}

#[test]
fn sixteen_processes_lose_nothing() {
    let bench = Bench::new();
    let id = session_id(1);
    begin(&bench.store(), &id);
    let _crowd = crowd();
    let children: Vec<Child> = (1..=16).map(|writer| spawn(&bench.path(), writer, 4)).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let acknowledged = acknowledged(&bench);
    assert_eq!(acknowledged.len(), 64);
    check(&bench, &id, &acknowledged);
}

#[test]
fn two_back_ends_at_once_lose_nothing() {
    let bench = Bench::new();
    if by_program() {
        // Only what both can open can be written by both.
        return;
    }
    let id = session_id(1);
    begin(&bench.store(), &id);
    let _crowd = crowd();
    let children: Vec<Child> = (1..=8)
        .map(|writer| {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.env("GRILL_BACKEND", if writer % 2 == 0 { "git" } else { "libgit2" });
            child_of(command, &bench.path(), writer, 4)
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let acknowledged = acknowledged(&bench);
    assert_eq!(acknowledged.len(), 32);
    check(&bench, &id, &acknowledged);
}

#[test]
#[ignore = "killed at moments of the clock: .ci/thorough kills"]
fn a_writer_that_is_killed_loses_nothing_it_acknowledged() {
    let bench = Bench::new();
    let id = session_id(1);
    begin(&bench.store(), &id);
    for round in 0_u64..240 {
        // On a busy machine the first ones may not have come to recording anything.
        if round >= 24 && !acknowledged(&bench).is_empty() {
            break;
        }
        let mut child = spawn(&bench.path(), round + 1, 500);
        // Spread over start-up and many commits; primes keep the moments from falling into step.
        std::thread::sleep(Duration::from_millis(15 + (round * 37) % 83 + round / 24 * 200));
        child.kill().unwrap();
        child.wait().unwrap();
        age_locks(&bench, &id);
    }
    let acknowledged = acknowledged(&bench);
    assert!(!acknowledged.is_empty());
    check(&bench, &id, &acknowledged);
    let (session, head) = {
        let loaded = bench.store().load(&id).unwrap();
        (loaded.session, loaded.head)
    };
    go_on(&bench.store(), &session, &head, vec![(Actor::System, question(999_000, "Still?"))]);
}

fn ref_lock(bench: &Bench, id: &SessionId) -> PathBuf {
    // A reftable repository has one lock for all refs.
    let name = if bench.cell.reftable { "reftable/tables.list".to_owned() } else { id.ref_name() };
    bench.common().join(format!("{name}.lock"))
}

/// Makes a lock that a killed writer left look as old as it would be for the next person.
fn age_locks(bench: &Bench, id: &SessionId) {
    if let Ok(file) = std::fs::File::options().write(true).open(ref_lock(bench, id)) {
        file.set_modified(std::time::SystemTime::now() - Duration::from_mins(1)).unwrap();
    }
}

#[test]
fn a_lock_left_by_a_crash_is_removed_and_a_fresh_one_is_respected() {
    let bench = Bench::new();
    let (id, store) = (session_id(1), bench.store());
    let (session, head) = begin(&store, &id);
    std::fs::write(ref_lock(&bench, &id), "").unwrap();
    let (state, events) = after(&session, vec![(Actor::System, question(1, "Which?"))]);
    let batch = Batch { events: &events, after: &state, base: None };
    let error = store.append(&head, batch).unwrap_err();
    assert!(matches!(&error, StoreError::Busy { path, .. } if *path == ref_lock(&bench, &id)), "{error}");
    assert_eq!(in_vain::left(&ref_lock(&bench, &id), Duration::from_secs(1)), Duration::ZERO, "once in a command");
    assert!(store.take_notices().is_empty());
    if bench.cell.reftable {
        // It may be the user's own git that holds this one, however old it is.
        age_locks(&bench, &id);
        assert!(matches!(store.append(&head, batch), Err(StoreError::Busy { .. })));
        std::fs::remove_file(ref_lock(&bench, &id)).unwrap();
        assert!(matches!(store.append(&head, batch).unwrap(), Appended::At(_)));
        return;
    }

    age_locks(&bench, &id);
    assert!(matches!(store.append(&head, batch).unwrap(), Appended::At(_)));
    let notices = store.take_notices();
    assert!(notices.len() == 1 && notices[0].contains(".lock"), "{notices:?}");
}

#[test]
fn a_session_that_somebody_holds_is_waited_for_but_not_for_ever() {
    let bench = Bench::new();
    let (id, holder) = (session_id(1), bench.store());
    let (session, head) = begin(&holder, &id);
    let guard = holder.lock(&id).unwrap();
    let mut options = options();
    options.patience = Duration::from_millis(30);
    let other = git_grill::store::git::GitStore::open(repo_in(&bench.path()), options);
    let (state, events) = after(&session, vec![(Actor::System, question(1, "Which?"))]);
    let batch = Batch { events: &events, after: &state, base: None };
    assert!(matches!(other.append(&head, batch), Err(StoreError::Busy { .. })));
    assert_eq!(other.load(&id).unwrap().session, session, "reading needs no lock");
    drop(guard);
    // A process that another test is just starting holds the lock as well, until it becomes its program.
    assert!(matches!(bench.store().append(&head, batch).unwrap(), Appended::At(_)));
}
