//! A run as a command: streams, exit codes, signals, its temporary folder, and what it refuses.

use std::fs;
use std::path::PathBuf;

use rustix::process::Signal;

use super::leftovers::{mark, marked, wait_until_ready};
use crate::bench::{Bench, wait_until};

fn scratch(bench: &Bench) -> Vec<PathBuf> {
    let all = fs::read_dir(bench.root().join("tmp")).unwrap().flatten().map(|entry| entry.path());
    all.filter(|path| path.to_string_lossy().contains("git-grill-run-")).collect()
}

#[test]
fn streams_arguments_and_exit_codes_are_the_command_s() {
    let bench = Bench::on_disk(Bench::spaced);
    bench.run_with_input("git grill run -- cat", "in\n").assert_code(0).assert_stdout("in\n");
    bench
        .run("git grill run -- printf '%s|' '' 'a  b' --json \"$(printf '\\377')\" | od -An -c")
        .assert_contains("|   a           b   |");
    for code in [0, 1, 3, 42, 255] {
        bench.run(&format!("git grill run -- sh -c 'exit {code}'")).assert_code(code).assert_quiet();
    }
    bench.run("git grill run -- sh -c 'kill -9 $$'").assert_code(137);
    bench.run("git grill run -- git-does-not-exist").assert_code(127).assert_contains("git-does-not-exist was not run");
    bench.run("git grill run -- ./README.md").assert_code(126);
    bench.run("git grill run -- yes | head -1").assert_code(0).assert_stdout("y\n");
}

#[test]
fn a_program_of_the_repository_is_not_taken_from_a_relative_path() {
    let bench = Bench::on_disk(Bench::new);
    bench.run("printf '#!/bin/sh\\necho planted\\n' > claude-x && chmod +x claude-x").assert_code(0);
    for path in [".:$PATH", ":$PATH", "$PATH:."] {
        let tried = bench.run(&format!("PATH=\"{path}\" git grill run -- claude-x"));
        tried.assert_code(127).assert_contains("claude-x was not run").assert_contains("entries of PATH are left out");
    }
    bench.run("git grill run -- ./claude-x").assert_code(0).assert_stdout("planted\n");
}

#[test]
fn git_reads_without_locks_and_says_why_it_does_not_write() {
    let bench = Bench::on_disk(Bench::new);
    bench.write("README.md", "# changed\n");
    bench.run("git grill run -- git status --short").assert_code(0).assert_stdout(" M README.md\n").assert_quiet();
    bench.run("git grill run -- git log --format=%s").assert_stdout("add README.md\n");
    bench.run("git grill run -- git diff --stat").assert_contains("1 file changed");
    bench.run("git grill run -- git add README.md").assert_code(128).assert_contains("Read-only file system");
}

#[test]
fn signals_reach_the_command_once_it_runs() {
    let bench = Bench::on_disk(Bench::new);
    let line = "exec git-grill run -- sh -c 'trap \"echo told; exit 7\" TERM; touch $TMPDIR/ready; while :; do sleep 0.01; done'";
    let running = bench.spawn(line);
    wait_until_ready(&bench);
    let process = rustix::process::Pid::from_raw(running.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(process, Signal::TERM).unwrap();
    running.finish().assert_code(7).assert_stdout("told\n");
    assert_eq!(scratch(&bench), Vec::<PathBuf>::new());
}

#[test]
fn a_run_that_is_killed_takes_its_command_along_and_the_next_one_clears_up() {
    let bench = Bench::on_disk(Bench::new);
    let mark = mark(&bench);
    let line = format!(
        "exec git-grill run -- sh -c 'mkdir $TMPDIR/shut; touch $TMPDIR/shut/x; chmod 0 $TMPDIR/shut; exec sleep {mark}'"
    );
    let running = bench.spawn(&line);
    wait_until("the start", || scratch(&bench).iter().any(|path| path.join("tmp/shut").exists()));
    wait_until("the command", || !marked(&mark).is_empty());
    let process = rustix::process::Pid::from_raw(running.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(process, Signal::KILL).unwrap();
    running.finish().assert_code(137);
    wait_until("the end of the command", || marked(&mark).is_empty());
    assert_eq!(scratch(&bench).len(), 1);
    bench.run("git grill run -- true").assert_code(0);
    assert_eq!(scratch(&bench), Vec::<PathBuf>::new());
}

#[test]
fn a_run_that_goes_on_keeps_its_folder_when_another_one_clears_up() {
    let bench = Bench::on_disk(Bench::new);
    let mut running = bench.spawn("git grill run -- sh -c 'touch $TMPDIR/ready; read line; ls $TMPDIR'");
    wait_until_ready(&bench);
    bench.run("git grill run -- true").assert_code(0);
    running.send("\n");
    running.finish().assert_code(0).assert_stdout("ready\n");
}

#[test]
fn a_run_within_a_run_goes_through_and_a_forged_variable_does_not() {
    let bench = Bench::on_disk(Bench::new);
    bench.run("git grill run -- git grill run -- sh -c 'echo in; echo x > new'").assert_code(2).assert_stdout("in\n");
    bench
        .run("GRILL_RUN=me git grill run -- sh -c 'echo x > new'")
        .assert_code(2)
        .assert_contains("Read-only file system");
}

#[test]
fn what_makes_no_sense_is_refused_with_a_way_out() {
    let bench = Bench::on_disk(Bench::new);
    bench.run("git grill run").assert_code(2);
    bench.run("git grill run true").assert_code(2);
    bench.run("git grill run --profile yolo -- true").assert_code(2).assert_contains("agent|command|claude|codex");
    bench.run("git grill run --json -- true").assert_code(2).assert_contains("\"code\":\"usage\"");
    bench.run("git grill run -- true < .").assert_code(128).assert_contains("standard stream 0 is a folder");
    Bench::on_disk(Bench::nowhere)
        .run("git grill run -- true")
        .assert_code(128)
        .assert_contains("not in a git repository");
}

#[test]
fn an_agent_has_its_own_folders_and_caches_and_nothing_else_at_home() {
    let bench = Bench::on_disk(Bench::new);
    let home = bench.root().join("home");
    fs::create_dir_all(home.join(".cache")).unwrap();
    fs::create_dir_all(bench.root().join("agents")).unwrap();
    let script = "#!/bin/sh\nfor path in .cache/c .codex/c .claude/c .bashrc c; do (echo x > ~/$path) 2>/dev/null && echo $path; done; true\n";
    bench.write("../agents/codex", script);
    bench.run("chmod +x ../agents/codex").assert_code(0);
    bench.run("git grill run -- ../agents/codex").assert_code(0).assert_stdout(".cache/c\n.codex/c\n");
    bench.run("git grill run --profile command -- ../agents/codex").assert_code(0).assert_stdout(".cache/c\n");
    bench
        .run("git grill run --profile claude -- sh ../agents/codex")
        .assert_code(0)
        .assert_stdout(".cache/c\n.claude/c\n");
}

#[test]
fn doors_to_programs_that_would_write_are_covered() {
    let bench = Bench::on_disk(Bench::new);
    let user = rustix::process::geteuid().as_raw();
    let folder = bench.root().join(format!("tmp/tmux-{user}"));
    fs::create_dir(&folder).unwrap();
    let _door = std::os::unix::net::UnixListener::bind(folder.join("default")).unwrap();
    let knock = format!(
        "perl -MIO::Socket::UNIX -e 'exit !IO::Socket::UNIX->new(Peer => \"{}\")'",
        folder.join("default").display()
    );
    bench.write("knock.sh", &knock);
    bench.run("sh ./knock.sh").assert_code(0);
    bench.run("TMUX_TMPDIR=$TMPDIR git grill run -- sh ./knock.sh").assert_code(1);
}
