//! What a run has of its own where everybody else shares: terminals, shared memory, temporary files.

use std::fs;

use crate::bench::Bench;
use crate::pty::Pty;

fn both(bench: &Bench, line: &str, check: impl Fn(crate::bench::Output)) {
    check(bench.run(line));
    check(bench.as_nobody(line));
}

#[test]
fn a_program_in_a_run_gets_a_terminal() {
    let bench = Bench::on_disk(Bench::new);
    // `script` asks for one, and so do agents for every command that they run.
    let line = "git grill run -- script --quiet --return --command 'tty; test -t 1' /dev/null";
    both(&bench, line, |output| drop(output.assert_code(0).assert_contains("/dev/pts/0")));
    // Those of others are not seen.
    both(&bench, "git grill run -- sh -c 'ls /dev/pts'", |output| drop(output.assert_code(0).assert_stdout("ptmx\n")));
}

#[test]
fn a_run_at_a_terminal_has_it_still() {
    let bench = Bench::on_disk(Bench::new);
    let line = "git grill run -- sh -c 'test -t 0 && test -t 1 && echo to the terminal > /dev/tty && stty size'";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", line]).current_dir(bench.repo()).envs(bench.environment());
    let pty = Pty::spawn(&command, 24, 80);
    pty.wait_for("to the terminal");
    pty.wait_for("24 80");
}

#[test]
fn shared_memory_and_temporary_files_are_the_run_s_own() {
    let bench = Bench::on_disk(Bench::new);
    let there = tempfile::Builder::new().prefix("git-grill-there-").tempdir_in("/tmp").unwrap();
    fs::write(there.path().join("note"), "read").unwrap();
    fs::write("/tmp/git-grill-file", "file").unwrap();
    let name = there.path().file_name().unwrap().to_str().unwrap().to_owned();
    let script = format!(
        "cat /tmp/{name}/note /tmp/git-grill-file && echo && ls -A /dev/shm &&
         echo x > /dev/shm/git-grill-new && echo x > /tmp/git-grill-new && mkdir /tmp/git-grill-dir && echo x > $TMPDIR/x &&
         ! (echo y > /tmp/{name}/note) 2>/dev/null && ! rm -rf /tmp/{name} 2>/dev/null && ! mv /tmp/{name} /tmp/away 2>/dev/null"
    );
    bench.write("try.sh", &script);
    let modes: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(there.path(), modes).unwrap();
    both(&bench, "git grill run -- sh ./try.sh", |output| drop(output.assert_code(0).assert_stdout("readfile\n")));
    for left in ["/dev/shm/git-grill-new", "/tmp/git-grill-new", "/tmp/git-grill-dir"] {
        assert!(fs::symlink_metadata(left).is_err(), "{left}");
    }
    assert_eq!(fs::read_to_string(there.path().join("note")).unwrap(), "read");
    fs::remove_file("/tmp/git-grill-file").unwrap();
}

#[test]
fn what_an_agent_left_in_the_folder_for_temporary_files_is_not_seen() {
    let bench = Bench::on_disk(Bench::new);
    let left = tempfile::Builder::new().prefix("codex-daemon-").tempdir_in("/tmp").unwrap();
    fs::write(left.path().join("socket"), "").unwrap();
    let line = format!("git grill run --profile codex -- sh -c 'ls {0} 2>/dev/null; mkdir {0}'", left.path().display());
    bench.run(&line).assert_code(0).assert_stdout("");
    bench.run(&line.replace("codex --", "claude --")).assert_code(1).assert_stdout("socket\n");
    assert!(left.path().join("socket").exists());
}
