//! What a run may have recorded, and what nobody gets recorded through its socket.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bench::{Bench, Running, crowd};

/// A run that waits for a line on its standard input, with a session around it.
struct Sitting<'a> {
    bench: &'a Bench,
    run: Running,
    socket: PathBuf,
}

fn started() -> Bench {
    let bench = Bench::on_disk(Bench::new);
    bench.run("git grill start 'cache the results'").assert_code(0);
    bench
}

impl<'a> Sitting<'a> {
    fn begin(bench: &'a Bench) -> Self {
        let run = bench.spawn("git grill run -- sh -c 'read line; echo it went on'");
        let begun = Instant::now();
        loop {
            let socket =
                std::fs::read_dir(bench.root().join("tmp")).unwrap().flatten().map(|one| one.path().join("broker"));
            // It is there a moment before anybody listens at it.
            if let Some(socket) = socket.into_iter().find(|path| UnixStream::connect(path).is_ok()) {
                return Self { bench, run, socket };
            }
            assert!(begun.elapsed() < Duration::from_mins(2), "there is no broker");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn session(&self) -> String {
        let status = self.bench.run("git grill status --json").assert_code(0);
        serde_json::from_str::<Value>(status.stdout()).unwrap()["session"].as_str().unwrap().to_owned()
    }

    /// Sends bytes and gives what comes back; nothing when the connection is closed.
    fn send(&self, bytes: &[u8]) -> Option<Value> {
        let mut stream = UnixStream::connect(&self.socket).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        // The broker may have heard enough before everything is sent.
        let _ = stream.write_all(bytes).and_then(|()| stream.shutdown(Shutdown::Write));
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        serde_json::from_str(&text).ok()
    }

    fn refused(&self, frame: &Value, code: &str) {
        let answer = self.send(frame.to_string().as_bytes()).unwrap();
        assert_eq!(answer["answer"]["refused"]["code"], code, "{frame} was answered {answer}");
    }

    fn end(mut self) {
        self.run.send("\n");
        self.run.finish().assert_code(0).assert_stdout("it went on\n");
    }
}

fn tip(bench: &Bench) -> String {
    bench.run("git rev-parse GRILL_HEAD").assert_code(0).stdout().to_owned()
}

#[test]
fn what_an_agent_may_have_recorded_goes_through_and_is_its_own() {
    let bench = started();
    let line = "git grill run -- sh -c 'git grill answer --choose 1 && git grill checkpoint show'";
    bench.run(line).assert_code(0).assert_contains("✓ answered 1").assert_contains("## Topic");
    bench
        .run("git log -1 --format='%an%n%b' --grep='Grill-Op: answer' GRILL_HEAD")
        .assert_contains("sh (via git grill)")
        .assert_contains("Grill-Actor: agent:sh");
    // An agent that runs us has the name; a forged variable inside changes nothing.
    bench
        .run("CLAUDECODE=1 git grill run -- env -u CLAUDECODE GRILL_RUN=human git grill answer --choose 1")
        .assert_code(0);
    bench.run("git log --format=%b -3 GRILL_HEAD").assert_contains("Grill-Actor: agent:claude");
    bench.run("cat .grill/status").assert_contains("2 answered");
}

#[test]
fn nobody_inside_decides_for_the_person() {
    let bench = started();
    let decided = [
        ("git grill select design-doc", "choosing outputs needs a person's word"),
        ("git grill approve", "granting a request needs a person's word"),
        ("git grill stop --without-output", "needs a person's word"),
        ("git grill intensity hard", "changing a setting is not for the agent env"),
        ("git grill start again", "a session about"),
    ];
    for (line, refusal) in decided {
        let line = format!("git grill run -- env {line}");
        let refused = bench.run(&line);
        assert_ne!(refused.code, 0, "{refused}");
        refused.assert_contains(refusal);
    }
    bench.run("git grill status --porcelain").assert_contains("waiting\tthe agent env asks for a decision");
}

#[test]
fn a_reply_that_comes_too_late_is_kept_outside() {
    let bench = started();
    let question =
        bench.run("git grill status --porcelain | sed -n 's/^question\t//p'").assert_code(0).stdout().trim().to_owned();
    bench.run("git grill answer --choose 1").assert_code(0);
    bench
        .run(&format!("git grill run -- git grill answer --question {question} 'half a second'"))
        .assert_code(4)
        .assert_contains("is not open any more; its text is kept in");
    assert_eq!(bench.read(&format!(".git/grill/replies/{}/{question}.1.sent.txt", session(&bench))), "half a second");
}

fn session(bench: &Bench) -> String {
    let name = bench
        .run("git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions")
        .assert_code(0)
        .stdout()
        .to_owned();
    name.trim().to_owned()
}

#[test]
fn hostile_frames_are_refused_and_the_run_goes_on() {
    let bench = started();
    let sitting = Sitting::begin(&bench);
    let (before, session) = (tip(&bench), sitting.session());
    let good = json!({"v": 2, "session": session, "wish": {"commands": ["discuss"]}});
    let with = |key: &str, value: Value| {
        let mut frame = good.clone();
        frame[key] = value;
        frame
    };
    for garbage in [&b""[..], b"\n", b"{", b"null", b"[]", b"\xff\xfe\0", b"{\"v\":2}", &b"[".repeat(100_000)] {
        let answer = sitting.send(garbage).unwrap();
        assert_eq!(answer["answer"]["refused"]["code"], "bad_frame", "{answer}");
    }
    sitting.refused(&with("v", json!(1)), "bad_version");
    sitting.refused(&with("v", json!("1")), "bad_frame");
    sitting.refused(&with("session", json!("20260101-other-aaaaa")), "another_session");
    sitting.refused(&with("session", json!("../../x")), "bad_frame");
    sitting.refused(&with("actor", json!("human")), "bad_frame");
    sitting.refused(&with("wish", json!("record-written")), "bad_frame");
    let command = |command: Value| with("wish", json!({"commands": [command]}));
    sitting.refused(&command(json!({"record-undone": {"round": 1}})), "bad_frame");
    sitting.refused(&command(json!({"waive": {"concerns": []}})), "bad_frame");
    sitting.refused(&with("wish", json!({"commands": []})), "bad_wish");
    sitting.refused(&command(json!({"run": {"argv": ["sh", "-c", "id"]}})), "bad_frame");
    for summary in ["  ".to_owned(), "x".repeat(20_000)] {
        let ended = json!({"end-discussion": {"summary": summary, "answer": "a-aaaaaa"}});
        sitting.refused(&command(ended), "bad_frame");
    }
    let update = json!({"checkpoint": "x".repeat(600_000), "base": "x", "summary": "s", "source": "tool"});
    sitting.refused(&command(json!({"update-checkpoint": update})), "bad_frame");
    let elsewhere = json!({"keep": {"question": "../../x", "text": "x"}});
    sitting.refused(&with("wish", elsewhere), "bad_frame");
    let nowhere =
        json!({"v": 2, "session": "20260101-other-aaaaa", "wish": {"keep": {"question": "q-aaaaaa", "text": "x"}}});
    sitting.refused(&nowhere, "no_such_session");
    let huge = [b"{\"v\":2,\"session\":\"".to_vec(), vec![b'a'; 5 << 20]].concat();
    // It hangs up on what does not end; whether its reason still arrives is the socket's business.
    let answer = sitting.send(&huge);
    assert!(answer.is_none_or(|answer| answer["answer"]["refused"]["code"] == "bad_frame"));
    assert_eq!(tip(&bench), before);
    // After all that it still serves, and a second line is not looked at.
    let answer = sitting.send(format!("{good}\n{good}").as_bytes()).unwrap();
    assert!(answer["answer"]["done"]["events"].is_array(), "{answer}");
    assert_ne!(tip(&bench), before);
    sitting.end();
}

/// What others had kept stays, however it is wished away, and a run's own goes once.
#[test]
fn q15_a_run_takes_away_nothing_that_it_has_not_had_kept() {
    let bench = started();
    let sitting = Sitting::begin(&bench);
    let session = sitting.session();
    let theirs = format!(".git/grill/replies/{session}/q-aaaaaa.1.sent.txt");
    bench.write(&theirs, "their words");
    bench.write(&format!(".git/grill/replies/{session}/q-aaaaaa.1.txt"), "typed words");
    let of = |session: &str, name: &str, question: &str, text: &str| {
        let reply = json!({"question": question, "text": text});
        json!({"v": 2, "session": session, "wish": {name: reply}})
    };
    let wish = |name: &str, question: &str, text: &str| of(&session, name, question, text);
    for (question, text) in
        [("q-aaaaaa", "their words"), ("q-aaaaaa", "typed words"), ("q-aaaaaa", ""), ("q-bbbbbb", "their words")]
    {
        sitting.refused(&wish("drop-kept", question, text), "not_kept_here");
    }
    for question in ["../../x", "", "q-aaaaaa.1.sent.txt"] {
        sitting.refused(&wish("drop-kept", question, "their words"), "bad_frame");
    }
    sitting.refused(&json!({"v": 2, "session": session, "wish": {"drop-kept": {"text": "x"}}}), "bad_frame");
    let done = |frame: Value| {
        let answer = sitting.send(frame.to_string().as_bytes()).unwrap();
        assert!(answer["answer"]["done"].is_object(), "{frame} was answered {answer}");
        answer["answer"]["done"]["kept"].clone()
    };
    // The same words again are kept where they are, and are no more its own by that.
    let kept = done(wish("keep", "q-aaaaaa", "their words"));
    assert!(kept.as_str().unwrap().ends_with("q-aaaaaa.1.sent.txt"), "{kept}");
    sitting.refused(&wish("drop-kept", "q-aaaaaa", "their words"), "not_kept_here");
    let kept = done(wish("keep", "q-aaaaaa", "its own words"));
    assert_eq!(std::fs::read_to_string(kept.as_str().unwrap()).unwrap(), "its own words");
    let elsewhere = of("20260101-other-aaaaa", "drop-kept", "q-aaaaaa", "its own words");
    sitting.refused(&elsewhere, "not_kept_here");
    done(wish("drop-kept", "q-aaaaaa", "its own words"));
    assert!(!std::path::Path::new(kept.as_str().unwrap()).exists());
    sitting.refused(&wish("drop-kept", "q-aaaaaa", "its own words"), "not_kept_here");
    assert_eq!(bench.read(&theirs), "their words");
    sitting.end();
    // Another run is another one.
    let sitting = Sitting::begin(&bench);
    sitting.refused(&wish("drop-kept", "q-aaaaaa", "their words"), "not_kept_here");
    sitting.end();
    bench.run(&format!("ls .git/grill/replies/{session}")).assert_stdout("q-aaaaaa.1.sent.txt\nq-aaaaaa.1.txt\n");
}

#[test]
fn a_flood_and_half_frames_stop_nobody() {
    let bench = started();
    let sitting = Sitting::begin(&bench);
    let session = sitting.session();
    // More than are served at once, each with half a frame, held open.
    let held: Vec<UnixStream> = (0..40)
        .map(|_| {
            let mut stream = UnixStream::connect(&sitting.socket).unwrap();
            stream.write_all(b"{\"v\":2,").unwrap();
            stream
        })
        .collect();
    drop(held);
    // All of them from the same version: the first changes it, and the others bring what it says already.
    let base = bench.run("git show GRILL_HEAD:.grill/checkpoint.md").assert_code(0);
    let update = json!({"checkpoint": "# x", "base": base.stdout(), "summary": "s", "source": "tool"});
    let frame = json!({"v": 2, "session": session, "wish": {"commands": [{"update-checkpoint": update}]}});
    let _crowd = crowd();
    let done = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..12).map(|_| scope.spawn(|| sitting.send(frame.to_string().as_bytes()))).collect();
        clients
            .into_iter()
            .filter_map(|client| client.join().unwrap())
            .filter(|answer| answer["answer"]["done"].is_object())
            .count()
    });
    assert_eq!(done, 12);
    sitting.end();
}

#[test]
fn a_client_that_sends_a_byte_now_and_then_does_not_hold_its_place() {
    let bench = started();
    let sitting = Sitting::begin(&bench);
    let mut slow: Vec<UnixStream> = (0..8).map(|_| UnixStream::connect(&sitting.socket).unwrap()).collect();
    let begun = Instant::now();
    while !slow.is_empty() {
        slow.retain_mut(|stream| stream.write_all(b" ").is_ok());
        assert!(begun.elapsed() < Duration::from_mins(2), "they still hold their places");
        std::thread::sleep(Duration::from_millis(50));
    }
    sitting.refused(&json!({"v": 9, "session": "x", "wish": "discuss"}), "bad_version");
    sitting.end();
}

#[test]
fn without_a_session_a_run_is_read_only_too_and_records_nothing() {
    let bench = Bench::on_disk(Bench::new);
    bench
        .run("git grill run -- sh -c '(echo x > new) 2>/dev/null || echo kept; git grill answer x'")
        .assert_code(6)
        .assert_contains("kept");
}

#[test]
fn a_broker_that_is_gone_is_named() {
    let bench = started();
    bench
        .run("GRILL_BROKER=$TMPDIR/none git grill answer --choose 1")
        .assert_code(128)
        .assert_contains("the process outside does not answer");
}
