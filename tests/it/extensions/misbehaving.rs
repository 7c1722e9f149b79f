//! Extensions that misbehave: each ends with an error that names it, and leaves the session and no process (P7).

use std::fs;

use super::{HEAD, hello, typed, world, write};
use crate::bench::{Bench, wait_until};

/// What of the clone tells whether something was recorded.
fn refs(bench: &Bench) -> String {
    bench.run("git for-each-ref; cat .git/GRILL_HEAD").assert_code(0).stdout().to_owned()
}

/// The script that greets, and then does `deed` in the place of answering.
fn greeted(deed: &str) -> String {
    format!(
        "{HEAD}IFS= read -r line\nid=$(id)\nanswer '{}'\nIFS= read -r line || exit 0\nid=$(id)\n{deed}\n",
        hello("intake")
    )
}

#[test]
fn p7_one_that_misbehaves_is_named_and_the_session_is_as_it_was() {
    let bench = world("intake", "answer '{}'");
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    let before = refs(&bench);
    let wrong = hello("other");
    let other = format!("{HEAD}IFS= read -r line\nid=$(id)\nanswer '{wrong}'\ncat >/dev/null\n");
    let early = format!(
        "{HEAD}IFS= read -r line\nprintf '%s\\n' '{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ui.notify\",\
         \"params\":{{\"message\":\"x\"}}}}'\ncat >/dev/null\n"
    );
    for (what, content) in [
        ("garbage in the place of a greeting", "#!/bin/sh\necho hello\ncat >/dev/null\n".to_owned()),
        ("death in the place of a greeting", "#!/bin/sh\necho 'no disk' >&2\nexit 3\n".to_owned()),
        ("another name", other),
        ("a call before the greeting", early),
        ("garbage in the place of an answer", greeted("echo '{'; cat >/dev/null")),
        ("death in the place of an answer", greeted("exit 3")),
        (
            "an error",
            greeted("printf '{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":1,\"message\":\"no\"}}\\n' \"$id\""),
        ),
    ] {
        write(&bench, "bin", "intake", &content);
        let failed = bench.run(&typed("git grill intake new"));
        assert_eq!(failed.code, 128, "{what}: {failed}");
        assert!(failed.stderr.contains("the extension intake"), "{what}: {failed}");
        assert_eq!(refs(&bench), before, "{what}");
    }
}

#[test]
fn p7_one_that_says_nothing_is_ended() {
    let bench = world("intake", "answer '{}'");
    write(&bench, "bin", "intake", "#!/bin/sh\nexec sleep 100000\n");
    bench.run(&typed("git grill intake new")).assert_code(128).assert_contains("the extension intake");
}

/// Whether a process runs whose command line has this word.
fn runs(word: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|process| fs::read(process.path().join("cmdline")).ok())
        .any(|line| line.split(|byte| *byte == 0).any(|part| part == word.as_bytes()))
}

#[cfg(target_os = "linux")]
#[test]
fn p7_no_process_of_it_stays() {
    let word = format!("1{:07}", std::process::id());
    let sleeps = format!("sleep {word} </dev/null >/dev/null 2>&1 &\n");
    let fork = format!("{sleeps}setsid {sleeps}answer '{{\"text\":\"forked\"}}'");
    let bench = world("intake", &fork);
    bench.run(&typed("git grill intake new")).assert_code(0).assert_contains("forked");
    wait_until("the end of what it left behind walls", || !runs(&word));
    bench.with_account().global_config("[grill \"extension.intake\"]\n\tsandbox = false\n");
    bench.run(&typed("git grill intake new")).assert_code(0).assert_contains("forked");
    wait_until("the end of what it left without walls", || !runs(&word));
}
