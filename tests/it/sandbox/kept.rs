//! What comes out of a run: session logs of its project, and credentials that were refreshed; nothing else, also when it
//! is killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::leftovers::wait_until_ready;
use crate::bench::{Bench, Running, wait_until};

const OLD: &str = "{\"tokens\":{\"access\":\"old\"}}";
const NEW: &str = "{\"tokens\":{\"access\":\"new\"}}";

fn home(bench: &Bench, path: &str) -> PathBuf {
    bench.root().join("home").join(path)
}

fn with_login() -> Bench {
    let bench = Bench::on_disk(Bench::new);
    fs::create_dir_all(home(&bench, ".codex")).unwrap();
    fs::write(home(&bench, ".codex/auth.json"), OLD).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o640);
    fs::set_permissions(home(&bench, ".codex/auth.json"), mode).unwrap();
    bench
}

fn login(bench: &Bench) -> String {
    fs::read_to_string(home(bench, ".codex/auth.json")).unwrap()
}

/// What lies where runs keep their layers.
fn left(bench: &Bench) -> usize {
    fs::read_dir(home(bench, ".local/state/git-grill/layers")).map_or(0, Iterator::count)
}

#[test]
fn a_refreshed_credential_is_there_at_once_in_place_and_replaced() {
    let bench = with_login();
    let third = NEW.replace("new", "newer");
    let line = format!(
        "git grill run --profile codex -- sh -c 'echo {} > ~/.codex/auth.json; read line; \
         echo {} > ~/.codex/t && mv ~/.codex/t ~/.codex/auth.json; read line'",
        NEW.replace('"', "\\\""),
        third.replace('"', "\\\""),
    );
    let mut running = bench.spawn(&line);
    wait_until("the first refresh", || login(&bench).trim() == NEW);
    running.send("\n");
    wait_until("the second refresh", || login(&bench).trim() == third);
    running.send("\n");
    running.finish().assert_code(0).assert_quiet();
    let mode =
        std::os::unix::fs::PermissionsExt::mode(&fs::metadata(home(&bench, ".codex/auth.json")).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(fs::read_dir(home(&bench, ".codex")).unwrap().count(), 1);
    assert_eq!(left(&bench), 0);
}

#[test]
fn what_is_no_refreshed_credential_stays_inside_and_is_said() {
    for (write, why) in [
        ("ln -sf /etc/passwd ~/.codex/auth.json", ""),
        ("rm ~/.codex/auth.json", ""),
        ("rm ~/.codex/auth.json; mkdir ~/.codex/auth.json", ""),
        ("rm ~/.codex/auth.json; mkfifo ~/.codex/auth.json", ""),
        ("echo no JSON > ~/.codex/auth.json", "not a JSON object"),
        ("head -c 70000 /dev/zero > ~/.codex/auth.json", "64 KiB"),
        ("echo '{\"tokens\":{\"access\":\"new\"},\"mcp\":{\"command\":\"id\"}}' > ~/.codex/auth.json", "a new entry"),
        ("echo '{\"tokens\":{\"access\":\"!id\"}}' > ~/.codex/auth.json", "not a token"),
        ("echo '{}' > ~/.codex/auth.json", "an entry is gone"),
        ("echo '{\"a\":1}' > ~/.codex/.credentials.json", "log in outside"),
        ("echo '{}' > ~/.codex/.credentials.json", ""),
    ] {
        let bench = with_login();
        bench.write("try.sh", write);
        let output = bench.run("git grill run --profile codex -- sh ./try.sh").assert_code(0);
        if why.is_empty() {
            drop(output.assert_quiet());
        } else {
            drop(output.assert_contains("was not kept").assert_contains(why));
        }
        assert_eq!(login(&bench), OLD, "{write}");
        assert!(!home(&bench, ".codex/.credentials.json").exists(), "{write}");
    }
}

#[test]
fn a_credential_that_another_process_refreshed_meanwhile_is_not_put_back() {
    let bench = with_login();
    let line = format!(
        "git grill run --profile codex -- sh -c 'touch $TMPDIR/ready; read line; echo {} > ~/.codex/auth.json'",
        NEW.replace('"', "\\\"")
    );
    let mut running = bench.spawn(&line);
    wait_until_ready(&bench);
    fs::write(home(&bench, ".codex/auth.json"), OLD.replace("old", "theirs")).unwrap();
    running.send("\n");
    running.finish().assert_code(0).assert_contains("another process changed it during the run");
    assert_eq!(login(&bench), OLD.replace("old", "theirs"));
}

#[test]
fn session_logs_of_the_project_are_kept_and_nothing_else() {
    let bench = Bench::on_disk(Bench::new);
    let project = bench.repo().to_str().unwrap().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    fs::create_dir_all(home(&bench, &format!(".claude/projects/{project}"))).unwrap();
    let [old, new] = ["01", "02"].map(|end| format!("017d9537-1b43-4cba-99d9-58e9e0f5e7{end}"));
    let entry = |name: &str| format!("{{\"sessionId\":\"{name}\",\"cwd\":\"{}\"}}\n", bench.repo().display());
    let log = home(&bench, &format!(".claude/projects/{project}/{old}.jsonl"));
    fs::write(&log, entry(&old)).unwrap();
    std::thread::sleep(Duration::from_millis(20));
    let script = format!(
        "cd ~/.claude && mkdir -p projects/-other projects/{project}/memory skills
         echo '{{\"n\":2}}' >> projects/{project}/{old}.jsonl
         echo '{}' > projects/{project}/{new}.jsonl
         for path in projects/{project}/planted.jsonl projects/-other/{new}.jsonl projects/{project}/memory/MEMORY.md \
             projects/{project}/note.txt settings.json skills/x CLAUDE.md; do echo '{{}}' > $path; done
         ln -s /etc/passwd projects/{project}/link.jsonl",
        entry(&new).trim()
    );
    bench.write("try.sh", script);
    bench.run("git grill run --profile claude -- sh ./try.sh").assert_code(0).assert_quiet();
    assert_eq!(fs::read_to_string(&log).unwrap(), format!("{}{{\"n\":2}}\n", entry(&old)));
    let list = bench.run("cd ~/.claude && find . -type f -o -type l | sort").assert_code(0).stdout().to_owned();
    assert_eq!(list, format!("./projects/{project}/{old}.jsonl\n./projects/{project}/{new}.jsonl\n"));
    // In a later run they are there.
    bench
        .run(&format!("git grill run --profile claude -- ls ../home/.claude/projects/{project}"))
        .assert_contains(&format!("{new}.jsonl"));
}

/// A run that writes a credential and a log once its keeper stands still, so that only a later command can bring them
/// out; then the keeper is killed.
fn killed(bench: &Bench, user: &dyn Fn(&str) -> Running) {
    let script = format!(
        "touch ~/.codex/started; while ! [ -e {go} ]; do sleep 0.01; done
         mkdir -p ~/.codex/sessions/2026/11/23
         echo '{{\"payload\":{{\"cwd\":\"'$PWD'\"}}}}' > ~/.codex/sessions/2026/11/23/rollout-1.jsonl
         echo planted > ~/.codex/config.toml
         echo '{NEW}' > ~/.codex/auth.json; touch ~/.codex/written; exec sleep 600",
        go = bench.root().join("go").display()
    );
    bench.write("try.sh", script);
    let running = user("exec git-grill run --profile codex -- sh ./try.sh");
    let upper = |name: &str| {
        let runs = fs::read_dir(home(bench, ".local/state/git-grill/layers")).into_iter().flatten().flatten();
        runs.flat_map(|run| (0..3).map(move |number| run.path().join(number.to_string()).join("upper")))
            .any(|upper| upper.join(name).exists())
    };
    wait_until("the start", || upper("started"));
    let keeper = Pid::from_raw(running.id().try_into().unwrap()).unwrap();
    kill_process(keeper, Signal::STOP).unwrap();
    fs::write(bench.root().join("go"), "").unwrap();
    wait_until("the refresh", || upper("written"));
    kill_process(keeper, Signal::KILL).unwrap();
    running.finish().assert_code(137);
    assert_eq!(login(bench), OLD);
}

#[test]
fn what_a_killed_run_leaves_is_brought_out_by_the_next_command() {
    for next in ["git grill status", "git grill doctor", "git grill run -- true", "git grill sessions"] {
        let bench = with_login();
        killed(&bench, &|line| bench.spawn(line));
        drop(bench.run(next));
        assert_eq!(login(&bench).trim(), NEW, "{next}");
        assert!(home(&bench, ".codex/sessions/2026/11/23/rollout-1.jsonl").exists(), "{next}");
        assert!(!home(&bench, ".codex/config.toml").exists(), "{next}");
        assert_eq!(left(&bench), 0, "{next}");
    }
}

#[test]
fn a_run_that_is_killed_at_any_moment_loses_no_login_and_leaves_nothing() {
    for moment in 0..24 {
        let bench = with_login();
        let script = format!(
            "echo x > ~/.codex/config.toml; echo '{NEW}' > ~/.codex/t; mv ~/.codex/t ~/.codex/auth.json; sleep 600"
        );
        bench.write("try.sh", script);
        let mut running = bench.spawn("exec git-grill run --profile codex -- sh ./try.sh");
        std::thread::sleep(Duration::from_millis(moment * 12));
        running.signal(Signal::KILL);
        running.finish().assert_code(137);
        drop(bench.run("git grill status"));
        // Either it was refreshed or it was not; both are whole.
        let login = login(&bench);
        assert!([OLD, NEW].contains(&login.trim()), "{moment}: {login}");
        assert_eq!(fs::read_dir(home(&bench, ".codex")).unwrap().count(), 1, "{moment}");
        assert_eq!(left(&bench), 0, "{moment}");
    }
}

#[test]
fn a_run_that_goes_on_keeps_its_layers_when_another_command_clears_up() {
    let bench = with_login();
    let mut running =
        bench.spawn("git grill run --profile codex -- sh -c 'touch ~/.codex/x $TMPDIR/ready; read line; ls ~/.codex'");
    wait_until_ready(&bench);
    drop(bench.run("git grill status"));
    bench.run("git grill run -- true").assert_code(0);
    running.send("\n");
    running.finish().assert_code(0).assert_stdout("auth.json\nx\n");
    assert_eq!(left(&bench), 0);
}

#[test]
fn a_place_that_is_open_to_others_is_neither_used_nor_cleared() {
    let bench = with_login();
    let layers = home(&bench, ".local/state/git-grill/layers");
    fs::create_dir_all(layers.join("left")).unwrap();
    fs::set_permissions(&layers, std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    fs::write(layers.join("left/record"), "format=1\0folder=~/.codex\0at=/etc\0upper=/etc\0made=/etc\0").unwrap();
    bench.run("git grill run --profile codex -- sh -c 'echo x > ~/.codex/x'").assert_code(0).assert_quiet();
    assert!(Path::new(&layers.join("left/record")).exists() && !home(&bench, ".codex/x").exists());
}
