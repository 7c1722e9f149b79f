//! Who is named when a lock is not let go, and that nobody's lock is taken from them while they live.

use std::fs::{File, read_to_string};
use std::process::{Command, id};
use std::time::{Duration, SystemTime};

use git_grill::app::ports::{Appended, Batch, Holder, SessionStore, StoreError};
use git_grill::domain::actor::Actor;
use git_grill::git::holder;

use super::bench::*;

#[cfg(target_os = "linux")]
#[test]
fn who_took_the_lock_is_named_and_who_inherited_it_when_that_one_is_gone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.lock");
    let file = File::create(&path).unwrap();
    assert_eq!(holder::of(&path), None, "open is not held");
    file.try_lock().unwrap();
    assert_eq!(holder::of(&path).unwrap().process, id());
    drop(file);
    // A program that another test starts has every open file until it runs.
    while holder::of(&path).is_some() {
        std::thread::yield_now();
    }

    // A shell that takes the lock, leaves it to a child and ends.
    let script = r#"exec 9>"$1"; flock 9; exec sleep 60 & echo $! >"$2""#;
    let pid = dir.path().join("pid");
    assert!(Command::new("sh").args(["-c", script, "sh"]).args([&path, &pid]).status().unwrap().success());
    let process: u32 = read_to_string(&pid).unwrap().trim().parse().unwrap();
    // It is a shell still for a moment.
    let name = || read_to_string(format!("/proc/{process}/comm")).unwrap();
    while name() != "sleep\n" {
        std::thread::yield_now();
    }
    assert_eq!(holder::of(&path), Some(Holder { process, name: "sleep".to_owned() }));
    Command::new("kill").arg(process.to_string()).status().unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_lock_that_a_living_process_has_open_stays_however_old_it_is() {
    let bench = Bench::new();
    if bench.cell.reftable {
        // The one lock of all its refs is never removed.
        return;
    }
    let (id, store) = (session_id(1), bench.store());
    let (session, head) = begin(&store, &id);
    let lock = bench.common().join(format!("{}.lock", id.ref_name()));
    let script = r#"exec 9>"$1"; kill -STOP $$; exec sleep 60"#;
    let mut holds = Command::new("sh").args(["-c", script, "sh"]).arg(&lock).spawn().unwrap();
    let status = || read_to_string(format!("/proc/{}/stat", holds.id())).unwrap();
    while !status().contains(") T ") {
        std::thread::yield_now();
    }
    let hour_ago = SystemTime::now() - Duration::from_hours(1);
    File::options().write(true).open(&lock).unwrap().set_modified(hour_ago).unwrap();
    let (state, events) = after(&session, vec![(Actor::System, question(1, "Which?"))]);
    let batch = Batch { events: &events, after: &state, base: None };
    let error = store.append(&head, batch).unwrap_err();
    let named = matches!(&error, StoreError::Busy { holder: Some(holder), .. } if holder.process == holds.id());
    assert!(named && lock.exists(), "{error}");
    assert!(error.to_string().contains(&holds.id().to_string()), "{error}");
    assert!(store.take_notices().is_empty());
    holds.kill().unwrap();
    holds.wait().unwrap();
    assert!(matches!(store.append(&head, batch).unwrap(), Appended::At(_)));
    assert_eq!(store.take_notices().len(), 1);
}
