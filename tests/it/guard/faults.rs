//! A hook that fails must not be taken for a yes: garbage, floods, silence, broken sessions, closed streams.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{guard, interview, says};
use crate::bench::{Bench, Output};

const RM: &str = r#"{"cwd":"$REPO","tool_name":"Bash","tool_input":{"command":"rm x"}}"#;
const LS: &str = r#"{"cwd":"$REPO","tool_name":"Bash","tool_input":{"command":"ls"}}"#;

fn ask(bench: &Bench, payload: impl AsRef<[u8]>) -> Output {
    guard(bench, Path::new("."), "claude", payload.as_ref())
}

#[test]
fn what_is_too_long_or_too_deep_is_refused_while_a_session_is_active() {
    let long = [LS.trim_end_matches('}').as_bytes(), b"},\"x\":\"", &vec![b'x'; 5 * 1024 * 1024], b"\"}"].concat();
    let deep =
        format!(r#"{{"cwd":"$REPO","tool_name":"Read","tool_input":{}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    let fits =
        format!(r#"{{"cwd":"$REPO","tool_name":"Read","tool_input":{{"x":"{}"}}}}"#, "x".repeat(4 * 1024 * 1024));
    let nested = format!(
        r#"{{"cwd":"$REPO","tool_name":"Bash","tool_input":{{"command":"{}ls{}"}}}}"#,
        "(".repeat(50_000),
        ")".repeat(50_000)
    );
    let (free, held) = (Bench::new(), interview());
    for payload in [long.as_slice(), deep.as_bytes(), nested.as_bytes()] {
        assert_eq!(says("claude", &ask(&free, payload)), "pass");
        assert_eq!(says("claude", &ask(&held, payload)), "refuse");
    }
    assert_eq!(says("claude", &ask(&held, fits)), "pass");
}

#[test]
fn an_agent_that_never_ends_its_sentence_is_refused_in_time() {
    for (bench, expected) in [(interview(), "refuse"), (Bench::new(), "pass")] {
        let began = Instant::now();
        let mut running = bench.spawn("git-grill guard --for claude; echo \"[$?]\" >&2; exec 0<&-; exit 0");
        running.send(&RM.as_bytes()[..20]);
        // The stream stays open until the guard has given up by itself.
        while running.is_running() {
            assert!(began.elapsed() < Duration::from_mins(2), "it waits for ever");
            std::thread::sleep(Duration::from_millis(20));
        }
        let output = running.finish();
        match expected {
            "refuse" => output.assert_contains("longer than 4 s").assert_contains("[2]"),
            _ => output.assert_contains("[0]").assert_lacks("git grill"),
        };
    }
}

#[test]
fn a_session_that_cannot_be_read_refuses_even_reading() {
    let broken = [
        "echo nonsense > .git/GRILL_HEAD",
        "echo 'ref: refs/grill/sessions/20260101-gone-aaaaa' > .git/GRILL_HEAD",
        "rm -rf .git/objects .git/grill/copies && mkdir .git/objects",
        "echo '[core' > .git/config",
        "rm .git/HEAD",
    ];
    for breaks in broken {
        let bench = interview();
        bench.run(breaks).assert_code(0);
        let output = ask(&bench, LS.replace("$REPO", bench.repo().to_str().unwrap()));
        assert_eq!(says("claude", &output), "refuse", "{breaks}: {output}");
    }
    // Without the mark nothing of it matters.
    let bench = interview();
    bench.run("rm .git/GRILL_HEAD .git/HEAD").assert_code(0);
    assert_eq!(says("claude", &ask(&bench, RM)), "pass");
}

#[test]
fn a_place_that_cannot_be_looked_at_is_refused() {
    let bench = interview();
    bench.run("mkdir -p ../shut/in && chmod 0 ../shut").assert_code(0);
    bench.write("call.json", RM.replace("$REPO", bench.root().join("shut/in").to_str().unwrap()));
    let output = bench.as_nobody("cd / && git-grill guard --for claude < \"$OLDPWD/call.json\"");
    let said = says("claude", &output);
    bench.run("chmod 755 ../shut").assert_code(0);
    assert_eq!(said, "refuse", "{output}");
}

#[test]
fn a_folder_that_was_deleted_under_us_does_not_matter_where_the_agent_names_its_own() {
    let bench = interview();
    let payload = RM.replace("$REPO", bench.repo().to_str().unwrap());
    let nameless = r#"{"tool_name":"Bash","tool_input":{"command":"rm x"}}"#;
    let line = "mkdir ../gone && cd ../gone && rmdir ../gone && git-grill guard --for claude";
    assert_eq!(says("claude", &bench.run_with_input(line, payload)), "refuse");
    assert_eq!(says("claude", &bench.run_with_input(line, nameless)), "refuse");
    let elsewhere = RM.replace("$REPO", bench.root().to_str().unwrap());
    assert_eq!(says("claude", &bench.run_with_input(line, elsewhere)), "pass");
}

#[test]
fn closed_streams_change_nothing_about_a_no() {
    let bench = interview();
    bench.write("call.json", RM.replace("$REPO", bench.repo().to_str().unwrap()));
    bench.write("read.json", LS.replace("$REPO", bench.repo().to_str().unwrap()));
    for line in [
        "git-grill guard --for claude < call.json 2>&-",
        "git-grill guard --for claude < call.json >&-",
        "git-grill guard --for claude < call.json >&- 2>&-",
        "git-grill guard --for claude < call.json 2>/dev/full",
        "git-grill guard --for claude <&-",
        "{ git-grill guard --for claude < call.json; echo $? > code; } 2>&1 | true; exit $(cat code)",
        // A yes that cannot be said is a no.
        "git-grill guard --for cursor < /dev/null >/dev/full",
    ] {
        bench.run(line).assert_code(2);
    }
    bench.run("git-grill guard --for claude < read.json >&- 2>&-").assert_code(0);
}

#[test]
fn a_mistyped_hook_line_is_a_no_too() {
    let bench = Bench::new();
    for line in
        ["git-grill guard --for bogus", "git-grill guard --fro claude", "git-grill guard", "git-grill guard --for"]
    {
        bench.run_with_input(line, RM).assert_code(2);
    }
}
