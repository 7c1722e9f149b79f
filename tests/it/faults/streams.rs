//! Standard streams and surroundings that are not what they should be: exit codes of DESIGN section 7, never a panic.

use crate::bench::Bench;

fn active() -> Bench {
    let bench = Bench::new();
    bench.run("git grill start 'a faster search' --research off").assert_code(0);
    bench
}

#[test]
fn a_reader_that_goes_away() {
    let bench = active();
    for verb in ["status", "next", "--json status", "checkpoint", "sessions", "help"] {
        // The reader is gone before anything is written, since the writer waits for it to say so.
        let line = format!(
            "mkfifo ../gone; exec 3<>../gone; {{ read _ <&3; git grill {verb}; echo $? >../code; }} | \
            (exec 0<&-; echo go >&3); cat ../code; rm ../gone"
        );
        bench.run(&line).assert_stdout("141\n").assert_quiet();
    }
}

/// What was recorded stays recorded, whoever reads the reply.
#[test]
fn an_answer_whose_reader_goes_away_is_recorded() {
    let bench = active();
    let line = "mkfifo ../gone; exec 3<>../gone; { read _ <&3; git grill answer words; echo $? >../code; } | \
        (exec 0<&-; echo go >&3); cat ../code";
    bench.run(line).assert_stdout("141\n").assert_quiet();
    bench.run("git grill status --short").assert_stdout("grill:interview q2 1/1/0\n");
}

#[test]
fn a_full_device_behind_standard_output() {
    let bench = active();
    let said = bench.run("git grill status >/dev/full").assert_code(128);
    said.assert_contains("error: the output could not be written").assert_contains("caused by: No space left");
}

#[test]
fn closed_streams() {
    let bench = active();
    bench.run("git grill status <&-").assert_code(0).assert_quiet();
    bench.run("git grill status >&- 2>&-").assert_code(0);
    bench.run("git grill answer words <&- >&- 2>&-").assert_code(0);
    bench.run("git grill answer - <&-").assert_code(2).assert_contains("the reply is empty");
    bench.run("git grill status --short").assert_stdout("grill:interview q2 1/1/0\n");
}

#[test]
fn without_a_name_for_the_user() {
    let bench = Bench::new();
    let nameless = "env -u GIT_AUTHOR_NAME -u GIT_AUTHOR_EMAIL -u GIT_COMMITTER_NAME -u GIT_COMMITTER_EMAIL git grill";
    let started = bench.run(&format!("{nameless} start 'a faster search'")).assert_code(0);
    started
        .assert_contains("warning: git knows no name for you")
        .assert_contains("hint: git config --global user.name");
    bench.run(&format!("{nameless} answer words")).assert_code(0).assert_quiet();
    bench.run("git log -1 --skip=1 --format=%an GRILL_HEAD").assert_stdout("git-grill\n");
    bench.run(&format!("{nameless} stop --without-output")).assert_code(0).assert_quiet();
}

#[test]
fn without_a_home_or_a_terminal_type() {
    let bench = Bench::new();
    bench.run("env -u HOME -u TERM -u LC_ALL -u GIT_CONFIG_GLOBAL git-grill start 'a faster search'").assert_code(0);
    bench.run("git grill status --short").assert_stdout("grill:interview q1 0/1/0\n");
}

/// A folder that was removed under our feet.
#[test]
fn in_a_folder_that_is_gone() {
    let bench = Bench::new();
    let said = bench.run("mkdir ../gone && cd ../gone && rmdir ../gone && git-grill status").assert_code(128);
    said.assert_contains("error: ").assert_lacks("panicked");
}
