//! Killed between any two steps: whatever of a fence exists is found again, completed or taken away to the byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use git_grill::fence::{self, FenceError, FenceState, SessionState};
use git_grill::hooks::Place;

use crate::hooks::bench::{Bench, Snapshot, assert_same};

const NOTE: &str = "held-by-git-grill.lock";

fn gone(_: &Path, _: &str) -> SessionState {
    SessionState::Gone
}

fn read_only(_: &Path, _: &str) -> SessionState {
    SessionState::ReadOnly
}

/// Everything but what the bench keeps for itself.
fn all(bench: &Bench) -> Snapshot {
    bench.snapshot()
}

#[test]
fn a_kill_between_any_two_steps_is_repaired() {
    let bench = Bench::new();
    let repo = bench.repo("killed");
    bench.git(&repo, &["switch", "-q", "-c", "a/deep/branch"]);
    bench.git(&repo, &["pack-refs", "--all"]);
    let place = bench.place(&repo);
    let before = all(&bench);
    fence::raise(&place, "s").unwrap();
    let record = fs::read(repo.join(".git/grill/fence.json")).unwrap();
    let locks = fence::locks(&place).unwrap();
    assert!(locks.len() >= 8 && locks.iter().all(|lock| lock.join(NOTE).is_file()));
    assert_eq!(fence::lift(&place).unwrap(), Vec::<PathBuf>::new());
    assert_same(&all(&bench), &before, "lifted");

    // Made so far: so many locks, the last one perhaps without its note, the record perhaps half-written beside.
    for made in 0..=locks.len() {
        for note in [true, false] {
            for repaired in ["lifted", "raised", "tended away", "tended up"] {
                let name = format!("{made} made, note {note}, {repaired}");
                fs::create_dir_all(repo.join(".git/grill")).unwrap();
                fs::write(repo.join(".git/grill/fence.json"), &record).unwrap();
                fs::write(repo.join(".git/grill/fence.json.tmp"), &record[..record.len() / 2]).unwrap();
                for (at, lock) in locks.iter().take(made).enumerate() {
                    fs::create_dir_all(lock).unwrap();
                    if note || at + 1 < made {
                        fs::write(lock.join(NOTE), "whatever").unwrap();
                    }
                }
                match repaired {
                    "lifted" => drop(fence::lift(&place).unwrap()),
                    "tended away" => assert_eq!(fence::tend(&place, &gone).unwrap().len(), 1, "{name}"),
                    "raised" => fence::raise(&place, "s").unwrap(),
                    _ => drop(fence::tend(&place, &read_only).unwrap()),
                }
                if matches!(repaired, "raised" | "tended up") {
                    assert_eq!(fence::state(&place).unwrap(), FenceState::Up, "{name}");
                    drop(fence::lift(&place).unwrap());
                }
                assert_same(&all(&bench), &before, &name);
            }
        }
    }
}

/// Not a test: raises and lifts until it is killed.
#[test]
#[ignore = "started by the test below"]
fn raise_until_killed() {
    let root = PathBuf::from(std::env::var_os("GRILL_KILL_ROOT").expect("started by the test below"));
    let place = Place { binary: PathBuf::from("/opt/git-grill"), ..Bench::new().place(&root) };
    loop {
        fence::raise(&place, "s").unwrap();
        drop(fence::lower(&place, "s").unwrap());
        drop(fence::tend(&place, &read_only).unwrap());
        drop(fence::lift(&place).unwrap());
    }
}

#[test]
#[ignore = "killed at moments of the clock: .ci/thorough kills"]
fn a_real_kill_at_any_moment_is_repaired() {
    let bench = Bench::new();
    let repo = bench.repo("killed");
    let place = Place { binary: PathBuf::from("/opt/git-grill"), ..bench.place(&repo) };
    let before = all(&bench);
    let mut interrupted = 0;
    for round in 0..25_u64 {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "fence::crash::raise_until_killed", "--ignored"]).env("GRILL_KILL_ROOT", &repo);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Until it has begun, so that the kill meets the work and not the start of the program.
        while !repo.join(".git/grill").exists() {
            assert_eq!(child.try_wait().unwrap(), None, "it runs until it is killed");
            thread::sleep(Duration::from_micros(200));
        }
        thread::sleep(Duration::from_micros(round * 137));
        child.kill().unwrap();
        child.wait().unwrap();
        interrupted += usize::from(all(&bench) != before);
        if round % 2 == 0 {
            fence::raise(&place, "s").unwrap();
            assert_eq!(fence::state(&place).unwrap(), FenceState::Up);
        }
        fence::tend(&place, &gone).unwrap();
        drop(fence::lift(&place).unwrap());
        let _ = fs::remove_file(repo.join(".git/grill/fence.lock"));
        let _ = fs::remove_dir(repo.join(".git/grill"));
        assert_same(&all(&bench), &before, &format!("round {round}"));
    }
    assert!(interrupted > 0, "no kill came while something was held");
}

#[test]
fn locks_of_others_are_never_touched() {
    let bench = Bench::new();
    let repo = bench.repo("busy");
    let place = bench.place(&repo);
    // A living git's lock, and a folder that somebody else made.
    fs::write(repo.join(".git/index.lock"), "theirs").unwrap();
    fs::create_dir_all(repo.join(".git/refs/stash.lock/something")).unwrap();
    let before = all(&bench);
    // They stay for good: how long they are waited for is no matter here.
    let soon = Duration::from_millis(60);
    assert!(matches!(fence::ready(&place, soon), Err(FenceError::Busy { .. })));
    assert!(matches!(fence::raise_within(&place, "s", soon), Err(FenceError::Busy { .. })));
    assert_same(&all(&bench), &before, "nothing half-made");
    fs::remove_file(repo.join(".git/index.lock")).unwrap();
    let error = fence::raise_within(&place, "s", soon).unwrap_err();
    assert!(matches!(error, FenceError::Busy { path, .. } if path.ends_with("stash.lock")));
    fs::remove_dir_all(repo.join(".git/refs/stash.lock")).unwrap();
    fence::raise(&place, "s").unwrap();

    // A git that got past us, and a file in one of our folders.
    fs::remove_dir_all(repo.join(".git/index.lock")).unwrap();
    fs::write(repo.join(".git/index.lock"), "theirs").unwrap();
    fs::write(repo.join(".git/config.lock/theirs"), "x").unwrap();
    assert_eq!(fence::lift(&place).unwrap(), [repo.join(".git/config.lock")]);
    assert_eq!(fs::read_to_string(repo.join(".git/index.lock")).unwrap(), "theirs");
    assert!(repo.join(".git/config.lock/theirs").exists());
}

#[test]
fn it_is_lowered_for_our_own_work_and_comes_back() {
    let bench = Bench::new();
    let repo = bench.repo("lowered");
    let place = bench.place(&repo);
    fence::raise(&place, "s").unwrap();
    assert!(!bench.try_git(&repo, &["config", "a.b", "c"]).status.success());
    drop(fence::lower(&place, "s").unwrap());
    assert_eq!(fence::state(&place).unwrap(), FenceState::Down);
    bench.git(&repo, &["config", "a.b", "c"]);
    drop(fence::tend(&place, &read_only).unwrap());
    assert_eq!(fence::state(&place).unwrap(), FenceState::Up);

    // Lifted meanwhile: then it does not come back.
    drop(fence::lower(&place, "s").unwrap());
    drop(fence::lift(&place).unwrap());
    drop(fence::tend(&place, &read_only).unwrap());
    assert_eq!(fence::state(&place).unwrap(), FenceState::None);
}

#[test]
fn a_reftable_repository_is_refused_with_a_reason() {
    let bench = Bench::new();
    if !bench.try_git(&bench.at("."), &["init", "-q", "--ref-format=reftable", "refs"]).status.success() {
        return;
    }
    let place = bench.place(&bench.at("refs"));
    let error = fence::raise(&place, "s").unwrap_err();
    assert!(matches!(error, FenceError::Reftable));
    assert!(error.hint().unwrap().contains("without --fence"));
}
