//! What a leading agent finds again in the next run of its interview, what is brought out of the run at once, and what is
//! thrown away.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::{ESCAPE, agent, agree, asks, jotted, knows, lets, play, story, until};
use crate::bench::{Bench, wait_until};
use crate::conversation::Sitting;

const OWN: &str = ".local/share/opencode";
const OLD: &str = "{\"x\":{\"type\":\"oauth\",\"refresh\":\"old\"}}";
const NEW: &str = "{\"x\":{\"type\":\"oauth\",\"refresh\":\"new\"}}";

/// A world whose agent is opencode by the name of its program: all conversations of a person are in one database there.
fn world(script: &Value) -> Bench {
    let bench = Bench::on_disk(Bench::new);
    bench.with_account();
    play(&bench, script);
    let program = bench.root().join("opencode");
    symlink(agent(), &program).unwrap();
    knows(&bench, "scripted", &program);
    fs::create_dir_all(home(&bench, OWN)).unwrap();
    fs::write(home(&bench, &format!("{OWN}/auth.json")), OLD).unwrap();
    bench
}

fn home(bench: &Bench, path: &str) -> PathBuf {
    bench.root().join("home").join(path)
}

/// Starts without git in between, so that a signal hits the program itself.
fn started(bench: &Bench) -> Sitting {
    let line = "exec git-grill start --research off --interviewer scripted 'add rate limiting'";
    let mut sitting = Sitting::of_a_line(bench, line);
    agree(&mut sitting);
    sitting
}

/// The places where runs keep their layers, and where something is held between two runs.
fn places(bench: &Bench) -> Vec<PathBuf> {
    let places = fs::read_dir(home(bench, ".local/state/git-grill/layers")).into_iter().flatten().flatten();
    places.map(|place| place.path()).collect()
}

/// Waits until a run has written this into one of its layers.
fn written(bench: &Bench, name: &str) {
    wait_until("what the agent writes", || {
        let uppers =
            places(bench).into_iter().flat_map(|run| (0..8).map(move |layer| run.join(format!("{layer}/upper"))));
        uppers.into_iter().any(|upper| upper.join(name).exists())
    });
}

/// A turn that runs a shell line, and goes on for a long time.
fn stays(line: &str) -> Value {
    json!([[{ "shell": line }, {"sleep": 600_000}]])
}

/// A turn that copies what it finds, and asks.
fn finds(question: &str) -> Value {
    let look = format!("cat ~/{OWN}/opencode.db ~/{OWN}/opencode.db-wal ~/{OWN}/config.json > $TMPDIR/found 2>&1");
    let mut turn = asks(question);
    turn.as_array_mut().unwrap().insert(0, json!({ "shell": look }));
    json!([turn])
}

/// Goes on, and sees what the agent found.
fn goes_on(bench: &Bench) -> (Sitting, String) {
    let sitting = Sitting::at(bench, &["next"], 50, 100, &[]);
    sitting.pty.wait_for("Again?");
    let found = jotted(bench, "found");
    (sitting, found)
}

#[test]
fn g55_an_agent_finds_its_own_conversations_after_a_pause_and_nothing_is_left_at_the_end() {
    if !story::walled() {
        return;
    }
    let write = format!(
        "cd ~/{OWN}; echo mine > opencode.db; echo log > opencode.db-wal; echo planted > config.json; touch done"
    );
    let bench = world(&json!({"turns": stays(&write), "loaded": finds("Again?")}));
    fs::write(home(&bench, &format!("{OWN}/opencode.db")), "everybody's\n").unwrap();
    let mut sitting = started(&bench);
    written(&bench, "done");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    // It is held while the session is paused, and out of nobody's reach but its own.
    assert_eq!(places(&bench).len(), 1);
    bench.run("git grill status; git grill doctor; git grill run --profile opencode -- true").assert_code(0);
    bench.run(&format!("cat ~/{OWN}/opencode.db; ls ~/{OWN}")).assert_stdout("everybody's\nauth.json\nopencode.db\n");
    bench
        .run(&format!("git grill run --profile opencode -- cat ../home/{OWN}/opencode.db"))
        .assert_stdout("everybody's\n");
    let (mut sitting, found) = goes_on(&bench);
    assert!(found.starts_with("mine\nlog\n") && !found.contains("planted"), "{found}");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    assert_eq!(places(&bench).len(), 1);
    bench.run("git grill stop --without-output").assert_code(0);
    assert_eq!(places(&bench), Vec::<PathBuf>::new());
    bench.run(&format!("cat ~/{OWN}/opencode.db")).assert_stdout("everybody's\n");
}

#[test]
fn g37_g55_after_a_kill_the_next_command_brings_a_led_agent_s_login_out_and_it_finds_its_own_again() {
    if !story::walled() {
        return;
    }
    let bench = world(&json!({}));
    let write = format!("cd ~/{OWN}; echo mine > opencode.db; echo '{NEW}' > auth.json; touch done");
    let begin = format!("touch ~/{OWN}/begun");
    let turn = json!([{"shell": begin}, until(&bench, "go"), {"shell": write}, {"sleep": 600_000}]);
    play(&bench, &json!({"turns": [turn], "loaded": finds("Again?")}));
    let mut sitting = started(&bench);
    written(&bench, "begun");
    wait_until("the note of its session", || bench.run("grep -r scripted-session .git/grill/led").code == 0);
    let keeper = Pid::from_raw(sitting.pty.pid().try_into().unwrap()).unwrap();
    // So that only a later command can bring it out.
    kill_process(keeper, Signal::STOP).unwrap();
    lets(&bench, "go");
    written(&bench, "done");
    kill_process(keeper, Signal::KILL).unwrap();
    assert_eq!(sitting.pty.exit_code(), 128 + 9);
    let login = || fs::read_to_string(home(&bench, &format!("{OWN}/auth.json"))).unwrap();
    assert_eq!(login(), OLD);
    wait_until("the end of the run, and the next command", || {
        drop(bench.run("git grill status"));
        login().trim() == NEW
    });
    assert!(!home(&bench, &format!("{OWN}/opencode.db")).exists());
    let (sitting, found) = goes_on(&bench);
    assert!(found.starts_with("mine\n") && !found.contains("planted"), "{found}");
    drop(sitting);
}

#[test]
fn g37_a_led_agent_s_refreshed_login_is_brought_out_at_once() {
    if !story::walled() {
        return;
    }
    let bench = world(&json!({"turns": stays(&format!("echo '{NEW}' > ~/{OWN}/auth.json"))}));
    let sitting = started(&bench);
    let login = home(&bench, &format!("{OWN}/auth.json"));
    wait_until("the refreshed login", || fs::read_to_string(&login).is_ok_and(|login| login.trim() == NEW));
    drop(sitting);
}
