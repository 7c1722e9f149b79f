//! What a run leaves: no process, however it detached itself, no shared memory and no message queue, also when git grill
//! is killed in the middle of it.

use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::lacking::without_mounts;
use crate::bench::{Bench, wait_until};

/// Ways to go on after the command. Each ends in a process that has the mark as an argument, and none of them holds a
/// stream open.
const DETACHED: &str = "
    exec >/dev/null 2>&1 </dev/null
    sleep $1 &
    nohup sleep $1 &
    setsid sleep $1 &
    (setsid sh -c \"(setsid sleep $1 &) & sleep $1\" &)
    perl -e 'use POSIX; fork and exit; POSIX::setsid(); fork and exit; chdir \"/\"; exec \"sleep\", $ARGV[0]' $1
    perl -e '$SIG{$_} = \"IGNORE\" for qw(HUP INT TERM); fork and exit; sleep 1 while 1' $1
    sleep 0.1";

/// Processes that have this mark among their arguments, git grill itself aside.
pub fn marked(mark: &str) -> Vec<i32> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_marked = |number: &i32| {
        let line = std::fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        let mut words = line.split(|byte| *byte == 0);
        let ours = words.clone().any(|word| word == b"sandbox-exec" || word == b"grill" || word == b"run");
        !ours && words.any(|word| word == mark.as_bytes())
    };
    numbers.filter(is_marked).collect()
}

/// A number of seconds that no other test sleeps.
pub fn mark(bench: &Bench) -> String {
    use std::hash::{BuildHasher, Hasher};
    let mut hasher = std::hash::RandomState::new().build_hasher();
    hasher.write(bench.root().as_os_str().as_encoded_bytes());
    format!("60.{:09}", hasher.finish() % 1_000_000_000)
}

/// Waits until the command of a run has said `touch $TMPDIR/ready`.
#[track_caller]
pub fn wait_until_ready(bench: &Bench) {
    wait_until("the start", || begun(bench));
}

fn begun(bench: &Bench) -> bool {
    let folders = std::fs::read_dir(bench.root().join("tmp")).into_iter().flatten().flatten();
    folders.map(|entry| entry.path().join("tmp/ready")).any(|ready| ready.exists())
}

fn pid(number: u32) -> Pid {
    Pid::from_raw(number.try_into().unwrap()).unwrap()
}

#[test]
fn g37_no_process_goes_on_after_a_run() {
    let bench = Bench::on_disk(Bench::new);
    bench.write("detach.sh", DETACHED);
    for profile in ["agent", "command"] {
        let mark = mark(&bench);
        let line = format!("git grill run --profile {profile} -- sh ./detach.sh {mark}");
        bench.run(&line).assert_code(0).assert_quiet();
        assert_eq!(marked(&mark), Vec::<i32>::new(), "{profile}");
        bench.as_nobody(&line).assert_code(0).assert_quiet();
        assert_eq!(marked(&mark), Vec::<i32>::new(), "{profile}, as nobody");
    }
}

#[test]
fn g37_no_process_goes_on_where_the_kernel_has_no_namespace_for_it() {
    let bench = Bench::on_disk(Bench::new);
    bench.write("detach.sh", DETACHED);
    let mark = mark(&bench);
    let line = format!("git grill run --profile command -- sh ./detach.sh {mark}");
    without_mounts(&bench, &line)
        .assert_code(0)
        .assert_contains("warning: a process that detaches itself can go on if git grill is killed during this run")
        .assert_contains("warning: System V shared memory and message queues that this run makes stay after it");
    assert_eq!(marked(&mark), Vec::<i32>::new());
}

/// One that forks again and again and ends, so that no number is its own for long.
const MULTIPLYING: &str = "perl -e '$SIG{CHLD} = \"IGNORE\"; close STDOUT; close STDERR; setpgrp; \
    my $until = time + 60; while (time < $until) { fork and exit }' ";

#[test]
fn g37_processes_that_multiply_end_with_the_run() {
    let bench = Bench::on_disk(Bench::new);
    let mark = mark(&bench);
    bench.write("multiply.sh", format!("{MULTIPLYING} $1 & {MULTIPLYING} $1 & sleep 0.2"));
    let line = format!("git grill run --profile command -- sh ./multiply.sh {mark}");
    bench.run(&line).assert_code(0).assert_quiet();
    assert_eq!(marked(&mark), Vec::<i32>::new());
    without_mounts(&bench, &line).assert_code(0).assert_lacks("go on: they multiply");
    assert_eq!(marked(&mark), Vec::<i32>::new());
}

#[test]
fn g37_a_run_whose_git_grill_is_killed_leaves_no_process() {
    let bench = Bench::on_disk(Bench::new);
    bench.write("detach.sh", format!("({DETACHED}); touch $TMPDIR/ready; exec sleep $1 >/dev/null 2>&1"));
    // While it begins, and when everything runs.
    for wait in [Some(0), Some(1), Some(2), Some(4), Some(8), Some(16), Some(32), None] {
        let mark = mark(&bench);
        let running = bench.spawn(&format!("exec git-grill run -- sh ./detach.sh {mark}"));
        match wait {
            Some(milliseconds) => std::thread::sleep(Duration::from_millis(milliseconds)),
            None => wait_until("the start", || begun(&bench)),
        }
        kill_process(pid(running.id()), Signal::KILL).unwrap();
        running.finish().assert_code(137);
        // Its processes are told one after the other; and one killed in the beginning leads nowhere.
        std::thread::sleep(Duration::from_millis(100));
        wait_until("the end of every process", || marked(&mark).is_empty());
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(marked(&mark), Vec::<i32>::new(), "{wait:?}");
        bench.run("git grill run -- true").assert_code(0);
    }
}

#[test]
fn g37_killing_the_process_that_watches_a_run_ends_it() {
    let bench = Bench::on_disk(Bench::new);
    bench.write("detach.sh", format!("({DETACHED}); touch $TMPDIR/ready; exec sleep $1 >/dev/null 2>&1"));
    let mark = mark(&bench);
    let running = bench.spawn(&format!("exec git-grill run -- sh ./detach.sh {mark}"));
    wait_until("the start", || begun(&bench));
    let children = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", running.id())).unwrap();
    let warden: u32 = children.split_whitespace().next().unwrap().parse().unwrap();
    kill_process(pid(warden), Signal::KILL).unwrap();
    running.finish().assert_code(137);
    wait_until("the end of every process", || marked(&mark).is_empty());
}

#[test]
fn g37_what_runs_in_a_run_cannot_keep_it_from_ending() {
    let bench = Bench::on_disk(Bench::new);
    // The first process of its namespace, and every process that it sees.
    let tries = "kill -9 1; kill -STOP 1; kill -9 -1; exit 3";
    for profile in ["agent", "command"] {
        let line = format!("git grill run --profile {profile} -- sh -c '{tries}'");
        bench.run(&line).assert_code(3);
        bench.as_nobody(&line).assert_code(3);
        // Nor is there anything of ours to be looked into.
        let line =
            format!("git grill run --profile {profile} -- sh -c 'ls /proc/1/fd /proc/1/cwd/; cat /proc/1/environ'");
        assert_eq!(bench.as_nobody(&line).stdout, "");
    }
}

#[test]
fn a_run_has_its_own_numbers_for_processes() {
    let bench = Bench::on_disk(Bench::new);
    let outside = format!(
        "test -e /proc/{} && echo seen; test $(ls -d /proc/[0-9]* | wc -l) -lt 6 && echo few",
        std::process::id()
    );
    for profile in ["agent", "command"] {
        let line = format!("git grill run --profile {profile} -- sh -c '{outside}'");
        bench.run(&line).assert_contains("few").assert_lacks("seen");
        bench.as_nobody(&line).assert_contains("few").assert_lacks("seen");
    }
}

#[test]
fn g37_shared_memory_and_message_queues_go_with_a_run() {
    let bench = Bench::on_disk(Bench::new);
    let key = 0x4600_0000 + std::process::id();
    let queue = format!("/git-grill-{key}");
    // IPC_CREAT; and `mq_open`, which has no other name in perl.
    let posix = if cfg!(target_arch = "x86_64") {
        format!("my $n = \"{}\"; syscall(240, $n, 0102, 0666, 0) >= 0 or $ARGV[0] or die;", &queue[1..])
    } else {
        String::new()
    };
    bench.write(
        "make.pl",
        format!(
            "defined shmget({key}, 4096, 01666) or die; defined msgget({key}, 01666) or die; \
             defined semget({key}, 1, 01666) or die; {posix} print \"made\\n\""
        ),
    );
    let posix = if cfg!(target_arch = "x86_64") {
        format!("my $n = \"{}\"; print \"queue\\n\" if syscall(240, $n, 0, 0, 0) >= 0; syscall(241, $n);", &queue[1..])
    } else {
        String::new()
    };
    bench.write(
        "look.pl",
        format!(
            "my ($m, $q, $s) = (shmget({key}, 0, 0), msgget({key}, 0), semget({key}, 0, 0)); \
             print \"memory\\n\" if defined $m; print \"messages\\n\" if defined $q; print \"semaphore\\n\" if defined $s; \
             shmctl($m, 0, 0) if defined $m; msgctl($q, 0, 0) if defined $q; semctl($s, 0, 0, 0) if defined $s; {posix}"
        ),
    );
    // Landlock refuses queues with names.
    for (profile, may_fail) in [("agent", ""), ("command", "1")] {
        let line = format!("git grill run --profile {profile} -- perl ./make.pl {may_fail}");
        bench.run(&line).assert_code(0).assert_stdout("made\n");
        bench.run("perl ./look.pl").assert_code(0).assert_stdout("");
        bench.as_nobody(&line).assert_code(0).assert_stdout("made\n");
        bench.run("perl ./look.pl").assert_code(0).assert_stdout("");
    }
    // And the look sees what is there.
    bench.run("perl ./make.pl").assert_code(0);
    bench.run("perl ./look.pl").assert_contains("memory\nmessages\nsemaphore\n");
    bench.run("perl ./look.pl").assert_stdout("");
    assert!(!Path::new("/dev/mqueue").join(&queue[1..]).exists());
}

#[test]
fn a_signal_reaches_the_command_once_and_an_ignored_one_never() {
    let bench = Bench::on_disk(Bench::new);
    let script = "trap 'echo told' USR1; touch $TMPDIR/ready; while read line; do :; done; for i in 1 2 3 4 5 6 7 8; do sleep 0.02; done; exit 4";
    bench.write("told.sh", script);
    for profile in ["agent", "command"] {
        let running = bench.spawn(&format!("exec git-grill run --profile {profile} -- sh ./told.sh"));
        wait_until("the start", || begun(&bench));
        kill_process(pid(running.id()), Signal::USR1).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        running.finish().assert_code(4).assert_stdout("told\n");
    }
    bench.write("hung.sh", "touch $TMPDIR/ready; read line; echo here");
    let mut running = bench.spawn("trap '' HUP; exec git-grill run -- sh ./hung.sh");
    wait_until("the start", || begun(&bench));
    kill_process(pid(running.id()), Signal::HUP).unwrap();
    std::thread::sleep(Duration::from_millis(50));
    running.send("x\n");
    running.finish().assert_code(0).assert_stdout("here\n");
}
