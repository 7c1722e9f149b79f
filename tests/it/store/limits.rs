//! Large sessions, full disks and read-only repositories: what was there stays.

use std::path::Path;
use std::process::Command;

use git_grill::app::ports::{Appended, Batch, SessionStore, StoreError};
use git_grill::domain::actor::Actor;

use super::bench::*;
use super::matrix::by_program;

#[test]
fn a_thousand_questions_are_loaded() {
    let bench = Bench::new();
    let (session, head) = begin(&bench.store(), &session_id(1));
    let many = (0..1_000).map(|n| (Actor::System, question(n, "Which?\n\nOne of them."))).collect();
    let (session, head) = go_on(&bench.store(), &session, &head, many);
    let store = bench.store();
    assert_eq!(store.load(&session.id).unwrap().session, session);
    let (_, _) = go_on(&store, &session, &head, vec![(Actor::Human, answer(7, 1, "sqlite", at(9)))]);
    let touched = bench.git(&["diff", "--name-only", &format!("{0}~1", session.id.ref_name()), &session.id.ref_name()]);
    assert_eq!(touched.lines().count(), 4, "{touched}");
}

/// What a child process is to try; by itself there is nothing to do.
const ORDERS: &str = "GRILL_TEST_FAULT";

/// Runs as a child of the tests below: reads the session, then appends; what came of it is its exit code.
#[test]
fn child_appender() {
    let Ok(dir) = std::env::var(ORDERS) else {
        return;
    };
    let store = store_in(Path::new(&dir));
    let loaded = store.load(&session_id(1)).unwrap();
    let text = format!("# S\n\n{}", "a line of text that takes room\n".repeat(4_000));
    let events = vec![(Actor::Human, checkpoint(&text)), (Actor::System, question(50, "Next?"))];
    let (state, events) = after(&loaded.session, events);
    let batch = Batch { events: &events, after: &state, base: None };
    std::process::exit(match store.append(&loaded.head, batch) {
        Ok(Appended::At(_)) => 40,
        Ok(Appended::Moved) => 41,
        Err(StoreError::Io { .. } | StoreError::Git { .. } | StoreError::Busy { .. }) => 42,
        Err(_) => 43,
    });
}

/// Runs the child under a shell script, which ends in `exec "$@"`.
fn child(bench: &Bench, script: &str) -> i32 {
    let exe = bench.dir.path().join("child");
    if !exe.exists() {
        // The build folder need not be readable for everybody. Copied by another process: while ours holds the copy open
        // for writing, a fork of a neighbouring test would inherit it, and the kernel executes no file that is written to.
        let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&exe).status().unwrap();
        assert!(copied.success());
    }
    let ran = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(&exe)
        .args(["--exact", "store::limits::child_appender"])
        .env(ORDERS, bench.path())
        .env("HOME", "/")
        .current_dir("/")
        .output()
        .unwrap();
    let code = ran.status.code().unwrap_or(128);
    assert_ne!(code, 101, "{}", String::from_utf8_lossy(&ran.stdout));
    code
}

#[test]
fn a_full_disk_loses_nothing() {
    let bench = Bench::new();
    let (session, head) = asked(&bench);
    // A block is 512 bytes or a kilobyte; the checkpoint compresses to about one, the events to less.
    for blocks in [0, 1] {
        let code = child(&bench, &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\""));
        assert!(code == 42 || (blocks == 1 && code == 40), "{blocks}: {code}");
        if code == 42 {
            let loaded = bench.store().load(&session.id).unwrap();
            assert_eq!((loaded.session, loaded.head), (session.clone(), head.clone()));
        }
    }
    assert_eq!(bench.git(&["fsck", "--no-dangling"]).trim(), "");
    // Killed by the limit instead of told about it.
    let killed = child(&bench, "ulimit -f 0; exec \"$@\"");
    // Where git writes, git is killed, and we are told.
    assert!(if by_program() { killed == 42 } else { killed >= 100 }, "{killed}");
    assert_eq!(child(&bench, "exec \"$@\""), 40);
}

#[test]
fn a_read_only_repository_is_read_and_not_written() {
    let bench = Bench::new();
    if bench.cell.linked {
        // Whose worktree it is makes no difference to who may write.
        return;
    }
    let (session, head) = asked(&bench);
    let root = rustix::process::geteuid().is_root();
    let nobody = "setpriv --reuid=4242 --regid=4243 --clear-groups --";
    let script = if root { format!("exec {nobody} \"$@\"") } else { "exec \"$@\"".to_owned() };
    let shell = |line: &str| {
        assert!(
            Command::new("sh").args(["-c", line]).current_dir(bench.dir.path()).status().unwrap().success(),
            "{line}"
        );
    };
    shell("chmod 755 .");
    if root {
        shell("chown -R 4242:4243 repo");
    }
    let refs = if bench.cell.reftable { "reftable" } else { "refs/grill/sessions" };
    for part in ["objects", refs, "."] {
        shell(&format!("find repo/.git/{part} -type d -exec chmod a-w {{}} +"));
        assert_eq!(child(&bench, &script), 42, "{part}");
        shell("chmod -R u+w repo");
        if root {
            shell("chown -R 0:0 repo");
        }
        let loaded = bench.store().load(&session.id).unwrap();
        assert_eq!((loaded.session, loaded.head), (session.clone(), head.clone()), "{part}");
        if root {
            shell("chown -R 4242:4243 repo");
        }
    }
    assert_eq!(child(&bench, &script), 40);
}
