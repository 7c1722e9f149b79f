//! A run in the output phase: the approved paths can be written, in place, and nothing beside them.

use super::leftovers::wait_until_ready;
use crate::bench::{Bench, wait_until};

fn producing() -> (Bench, String) {
    let bench = Bench::on_disk(Bench::new);
    bench.scripts_may_approve();
    bench.run("git grill start 'cache the results'").assert_code(0);
    bench.run("git grill select design-doc").assert_code(0);
    let path = bench
        .run("git grill draft --json | sed 's/.*\"path\":\"\\([^\"]*\\)\".*/\\1/'")
        .assert_code(0)
        .stdout()
        .trim()
        .to_owned();
    (bench, path)
}

#[test]
fn g33_an_approved_file_can_be_written_and_nothing_beside_it() {
    for profile in ["agent", "command"] {
        let (bench, path) = producing();
        let waiting = format!("git grill run --profile {profile} -- sh -c 'echo x > {path}'");
        bench.run(&waiting).assert_contains("its draft is written outside of the run").assert_code(2);
        bench.run("git grill approve").assert_code(0);
        bench.write(
            "try.sh",
            format!(
                "echo more >> {path} && echo written
                 (echo x > {path}.new) && echo beside
                 (echo x > README.md) && echo other
                 rm -f {path} && echo removed
                 git add -A && echo added
                 true"
            ),
        );
        let line = format!("git grill run --profile {profile} -- sh ./try.sh");
        bench.run(&line).assert_code(0).assert_stdout("written\n");
        assert!(bench.read(&path).ends_with("more\n"));
        // And we commit it, outside.
        bench.run(&format!("git add {path} && git commit --quiet -m 'the design'")).assert_code(0);
    }
}

#[test]
fn g33_no_symlink_leads_a_run_out_of_the_approved_path() {
    let (bench, path) = producing();
    bench.run("git grill approve").assert_code(0);
    bench.run(&format!("mv {path} ../elsewhere.md && ln -s \"$PWD/README.md\" {path}")).assert_code(0);
    let line = format!("git grill run -- sh -c 'echo x >> {path}'");
    bench.run(&line).assert_code(2).assert_contains("a symlink leads there").assert_contains("Read-only file system");
}

#[test]
fn g37_before_the_output_phase_nothing_is_approved() {
    let bench = Bench::on_disk(Bench::new);
    bench.run("git grill start 'cache the results'").assert_code(0);
    bench.run("git grill run -- sh -c 'mkdir -p docs && echo x > docs/x.md'").assert_code(1);
}

#[test]
fn g33_the_output_phase_is_not_left_while_a_run_may_write_and_no_write_follows_it() {
    let (bench, path) = producing();
    bench.run("git grill approve").assert_code(0);
    bench.write("write.sh", format!("echo ready >> {path}; while :; do echo more >> {path}; sleep 0.005; done"));
    // Detached, so that it went on after the command.
    let writes =
        format!("setsid sh ./write.sh >/dev/null 2>&1 & until grep -q more {path} 2>/dev/null; do sleep 0.02; done");
    bench.run(&format!("git grill run -- sh -c '{writes}'")).assert_code(0);
    let written = bench.read(&path);
    assert!(written.contains("more\n"));
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert_eq!(bench.read(&path), written);

    let mut running = bench.spawn("exec git-grill run -- sh -c 'setsid sh ./write.sh >/dev/null 2>&1 & read line'");
    wait_until("the run", || bench.read(&path).len() > written.len());
    for line in ["git grill finish", "git grill stop", "git grill finish --json"] {
        bench
            .run(line)
            .assert_code(1)
            .assert_contains("was not left: a command in git-grill")
            .assert_contains("may still write approved files")
            .assert_contains(&format!("kill {}", running.id()));
    }
    bench.run("git grill status --porcelain").assert_contains("output");
    // Another run may begin, and one that ends lets go of nothing that this one holds.
    bench.run("git grill run -- true").assert_code(0);
    bench.run("git grill finish").assert_code(1).assert_contains("was not left");
    // Once it is killed, there is no writer before the phase can be left.
    running.signal(rustix::process::Signal::KILL);
    running.finish().assert_code(137);
    wait_until("the end of the phase", || bench.run("git grill finish").code == 0);
    let written = bench.read(&path);
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert_eq!(bench.read(&path), written);
    assert_eq!(bench.run("find .git/grill -name '*.runs.lock'").assert_code(0).stdout(), "");
}

#[test]
fn g33_a_run_of_the_interview_keeps_no_phase_from_being_left() {
    let bench = Bench::on_disk(Bench::new);
    bench.scripts_may_approve();
    bench.run("git grill start 'cache the results'").assert_code(0);
    let mut running = bench.spawn("exec git-grill run -- sh -c 'touch $TMPDIR/ready; read line'");
    wait_until_ready(&bench);
    bench.run("git grill select design-doc").assert_code(0);
    bench.run("git grill approve").assert_code(0);
    bench.run("git grill finish").assert_code(0);
    running.send("\n");
    running.finish().assert_code(0);
}
