//! Killed between any two steps, started from two worktrees at once, or kept from writing: the next call repairs it,
//! and an error leaves nothing half-made.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use git_grill::app::ports::{Process, Ran, Run};
use git_grill::hooks::{Disarmed, Guarded, HookError, Place, Rule, arm, disarm, status};

use super::bench::{Bench, Snapshot, assert_same, executable};
use crate::bench::crowd;

/// Puts the bench's files back to an earlier state.
fn rewind(bench: &Bench, wanted: &Snapshot) {
    for path in bench.snapshot().keys().rev().filter(|path| !wanted.contains_key(*path)) {
        let _ = fs::remove_file(path);
        let _ = fs::remove_dir(path);
    }
    for (path, (kind, mode, content)) in wanted {
        match kind {
            'd' => fs::create_dir_all(path).unwrap(),
            'f' => {
                let _ = fs::remove_file(path);
                fs::write(path, content).unwrap();
                fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode & 0o7777)).unwrap();
            }
            other => panic!("no {other} in this test"),
        }
    }
    assert_same(&bench.snapshot(), wanted, "rewound");
}

/// The states a kill can leave, as files over the state before: every prefix of what arming writes, in its order.
fn interrupted(place: &Place, before: &Snapshot, after: &Snapshot) -> Vec<(String, Snapshot)> {
    let rank = |path: &Path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match name.as_str() {
            "grill" => 0,
            "hooks.json" => 2,
            "config" => 8,
            "armed" => 9,
            "hooks" => 3,
            _ => 4,
        }
    };
    let mut steps: Vec<&PathBuf> = after.keys().filter(|path| before.get(*path) != after.get(*path)).collect();
    steps.sort_by_key(|path| (rank(path), *path));
    let mut states = vec![("nothing".to_owned(), before.clone())];
    let mut state = before.clone();
    let lock = (place.common_dir.join("grill/hooks.lock"), ('f', 0o100_644, Vec::new()));
    for path in steps {
        // The file that holds a hook before it gets its name, and the two that hold the configuration.
        let (kind, mode, content) = after[path].clone();
        if rank(path) == 4 {
            let fresh = path.with_file_name(format!(".{}.git-grill.tmp", path.file_name().unwrap().to_string_lossy()));
            for half in [b"#!/b".to_vec(), content.clone()] {
                let mut with_fresh = state.clone();
                with_fresh.insert(fresh.clone(), (kind, 0o100_644, half));
                states.push((format!("before {}", path.display()), with_fresh));
            }
        }
        if rank(path) == 8 {
            let mut with_lock = state.clone();
            with_lock.insert(place.common_dir.join("config.lock"), (kind, mode, content.clone()));
            with_lock.insert(place.common_dir.join("grill/config.tmp"), (kind, mode, content.clone()));
            states.push(("config.lock, not renamed".to_owned(), with_lock));
        }
        state.insert(path.clone(), (kind, mode, content));
        states.push((format!("after {}", path.display()), state.clone()));
        let mut with_lock = state.clone();
        with_lock.insert(lock.0.clone(), lock.1.clone());
        if with_lock.contains_key(&place.common_dir.join("grill")) {
            states.push((format!("after {}, lock file left", path.display()), with_lock));
        }
    }
    states
}

#[test]
fn a_kill_between_any_two_steps_is_repaired() {
    let old = Some("2.47.3");
    let set_ups = [(old, false, Rule::Beside), (old, true, Rule::Folder), (Some("2.54.0"), true, Rule::Configured)];
    for (pretends, taken, rule) in set_ups {
        let bench = Bench { pretends, ..Bench::new() };
        let repo = bench.repo("killed");
        if taken {
            executable(&repo.join(".git/hooks/reference-transaction"), "#!/bin/sh\n");
            executable(&repo.join(".git/hooks/pre-commit"), "#!/bin/sh\n");
        }
        let place = bench.place(&repo);
        let before = bench.snapshot();
        assert_eq!(arm(&place, &bench).unwrap(), rule);
        let after = bench.snapshot();
        let states = interrupted(&place, &before, &after);
        assert!(states.len() > 8, "{}", states.len());
        for (name, state) in &states {
            rewind(&bench, state);
            assert_eq!(disarm(&place, &bench).unwrap(), Disarmed::Removed { left: Vec::new() }, "{name}");
            assert_same(&bench.snapshot(), &before, &format!("disarm: {name}"));
            rewind(&bench, state);
            assert_eq!(arm(&place, &bench).unwrap(), rule, "{name}");
            assert_eq!(status(&place, &bench).unwrap().worktree, Guarded::Yes, "{name}");
            assert_eq!(disarm(&place, &bench).unwrap(), Disarmed::Removed { left: Vec::new() }, "{name}");
            assert_same(&bench.snapshot(), &before, &format!("arm: {name}"));
        }
    }
}

/// Not a test: arms and disarms until it is killed.
#[test]
#[ignore = "started by the test below"]
fn arm_until_killed() {
    let root = PathBuf::from(std::env::var_os("GRILL_KILL_ROOT").expect("started by the test below"));
    let bench = Bench {
        pretends: std::env::var("GRILL_KILL_PRETENDS").ok().map(|_| "2.54.0").or(Some("2.47.3")),
        ..Bench::new()
    };
    let place = Place { binary: PathBuf::from("/opt/git-grill"), ..bench.place(&root) };
    loop {
        let _ = arm(&place, &bench).unwrap();
        let _ = disarm(&place, &bench).unwrap();
    }
}

#[test]
#[ignore = "killed at moments of the clock: .ci/thorough kills"]
fn a_real_kill_at_any_moment_is_repaired() {
    for (taken, pretends) in [(false, Some("2.47.3")), (true, Some("2.47.3")), (true, Some("2.54.0"))] {
        let bench = Bench { pretends, ..Bench::new() };
        let repo = bench.repo("killed");
        if taken {
            executable(&repo.join(".git/hooks/reference-transaction"), "#!/bin/sh\n");
        }
        let place = Place { binary: PathBuf::from("/opt/git-grill"), ..bench.place(&repo) };
        let before = bench.snapshot();
        let mut interrupted = 0;
        for round in 0..25_u64 {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", "hooks::crash::arm_until_killed", "--ignored"]).env("GRILL_KILL_ROOT", &repo);
            if pretends == Some("2.54.0") {
                command.env("GRILL_KILL_PRETENDS", "yes");
            }
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            // Until it has begun, so that the kill meets the work and not the start of the program.
            while !repo.join(".git/grill").exists() {
                assert_eq!(child.try_wait().unwrap(), None, "it runs until it is killed");
                thread::sleep(Duration::from_micros(200));
            }
            thread::sleep(Duration::from_micros(round * 1_370));
            child.kill().unwrap();
            child.wait().unwrap();
            interrupted += usize::from(bench.snapshot() != before);
            if round % 2 == 0 {
                let _ = arm(&place, &bench).unwrap();
                assert_eq!(status(&place, &bench).unwrap().worktree, Guarded::Yes);
            }
            assert_eq!(disarm(&place, &bench).unwrap(), Disarmed::Removed { left: Vec::new() });
            assert_same(&bench.snapshot(), &before, &format!("round {round}"));
        }
        assert!(interrupted > 0, "no kill came while something was installed");
    }
}

#[test]
fn worktrees_arm_and_disarm_at_once() {
    let bench = Bench::new();
    let main = bench.repo("main");
    let mut places = vec![bench.place(&main)];
    for name in ["one", "two", "three"] {
        bench.git(&main, &["worktree", "add", "-q", "--detach", &format!("../{name}")]);
        places.push(bench.place(&bench.at(name)));
    }
    let before = bench.snapshot();
    let _crowd = crowd();
    thread::scope(|scope| {
        for place in &places {
            let bench = &bench;
            scope.spawn(move || {
                for _ in 0..15 {
                    assert_eq!(arm(place, bench).unwrap(), Rule::Beside);
                    assert_eq!(status(place, bench).unwrap().worktree, Guarded::Yes, "nobody else disarms us");
                    let _ = disarm(place, bench).unwrap();
                }
            });
        }
    });
    assert_same(&bench.snapshot(), &before, "afterwards");
}

#[test]
fn what_cannot_be_written_is_an_error_with_nothing_half_made() {
    let bench = Bench::new();
    let repo = bench.repo("blocked");
    let place = bench.place(&repo);

    fs::write(repo.join(".git/grill"), "a file in the way").unwrap();
    let before = bench.snapshot();
    assert!(matches!(arm(&place, &bench), Err(HookError::File { .. })));
    assert_same(&bench.snapshot(), &before, "afterwards");
    fs::remove_file(repo.join(".git/grill")).unwrap();

    // The marker comes last: a folder in its place undoes everything.
    fs::create_dir_all(repo.join(".git/grill/armed")).unwrap();
    let before = bench.snapshot();
    assert!(matches!(arm(&place, &bench), Err(HookError::File { .. })));
    assert_same(&bench.snapshot(), &before, "afterwards");
    fs::remove_dir_all(repo.join(".git/grill")).unwrap();

    // Somebody holds the configuration, and it is not us.
    executable(&repo.join(".git/hooks/pre-push"), "#!/bin/sh\n");
    fs::write(repo.join(".git/config.lock"), "[theirs]\n").unwrap();
    let before = bench.snapshot();
    assert!(matches!(arm(&place, &bench), Err(HookError::Busy { .. })));
    assert_same(&bench.snapshot(), &before, "afterwards");
    fs::remove_file(repo.join(".git/config.lock")).unwrap();

    // A record that we cannot read is never overwritten.
    fs::create_dir_all(repo.join(".git/grill")).unwrap();
    for text in
        ["{", "{\"format\":3,\"rule\":\"beside\",\"binary\":\"\",\"files\":[],\"made_dirs\":[],\"config\":null}"]
    {
        fs::write(repo.join(".git/grill/hooks.json"), text).unwrap();
        let before = bench.snapshot();
        assert!(matches!(arm(&place, &bench), Err(HookError::Record { .. })));
        assert!(matches!(disarm(&place, &bench), Err(HookError::Record { .. })));
        assert_same(&bench.snapshot(), &before, "afterwards");
    }
}

/// A git that cannot be started, or says something else.
struct Broken(Option<&'static str>);

impl Process for Broken {
    fn run(&self, run: &Run) -> std::io::Result<Ran> {
        match self.0 {
            Some(text) if run.args == ["version"] => {
                Ok(Ran { code: 0, stdout: text.as_bytes().to_vec(), stderr: Vec::new() })
            }
            Some(_) => Ok(Ran { code: 128, stdout: Vec::new(), stderr: b"fatal: bad config line 1\n".to_vec() }),
            None => Err(std::io::Error::other("no git")),
        }
    }
}

#[test]
fn without_a_git_that_answers_nothing_is_installed() {
    let bench = Bench::new();
    let repo = bench.repo("no git");
    let place = bench.place(&repo);
    let before = bench.snapshot();
    for (broken, says) in [
        (Broken(None), "'git version' failed: no git"),
        (Broken(Some("zsh: command")), "is not a version"),
        (Broken(Some("git version 2.47.3\n")), "fatal: bad config line 1"),
    ] {
        let error = arm(&place, &broken).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
        assert_same(&bench.snapshot(), &before, "afterwards");
    }
}
