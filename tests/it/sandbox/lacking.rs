//! What happens where the kernel does not let us. That this kernel does is checked first: a wall that could stand and
//! does not would otherwise look like one that cannot.

use crate::bench::Bench;

/// Runs a line where neither mounts nor user namespaces can be made, as an unprivileged user on a hardened system.
pub(super) fn without_mounts(bench: &Bench, line: &str) -> crate::bench::Output {
    bench.write("../line.sh", line);
    bench.as_nobody(
        "unshare --user --map-root-user sh -c 'echo 0 > /proc/sys/user/max_user_namespaces && \
         exec setpriv --bounding-set=-sys_admin --inh-caps=-all sh ../line.sh'",
    )
}

#[test]
fn what_this_kernel_has_is_used_and_what_it_lacks_is_refused() {
    let bench = Bench::on_disk(Bench::new);
    let probed = bench.run("git-grill sandbox-probe").assert_code(0).stdout().to_owned();
    let run = bench.run("git grill run -- grep -e NoNewPrivs -e Seccomp: /proc/self/status");
    if probed.contains("\nmounts\t") {
        run.assert_code(0).assert_stdout("NoNewPrivs:\t1\nSeccomp:\t2\n").assert_quiet();
    } else {
        run.assert_code(128).assert_contains("private mounts");
    }
    // As somebody else it may look different.
    let probed = bench.as_nobody("git-grill sandbox-probe").assert_code(0).stdout().to_owned();
    let run = bench.as_nobody("git grill run --profile command -- true");
    if probed.contains("\nmounts\t") || probed.starts_with("landlock\t") {
        run.assert_code(0).assert_quiet();
    } else {
        run.assert_code(128).assert_contains("private mounts").assert_contains("Landlock");
    }
}

#[test]
fn an_agent_is_refused_without_private_mounts_and_the_reason_names_them() {
    let bench = Bench::on_disk(Bench::new);
    without_mounts(&bench, "git-grill sandbox-probe")
        .assert_code(0)
        .assert_contains("no mounts\tcannot make a user namespace");
    without_mounts(&bench, "git grill run -- echo ran")
        .assert_code(128)
        .assert_stdout("")
        .assert_contains("private mounts (cannot make a user namespace")
        .assert_contains("--best-effort");
}

#[test]
fn with_best_effort_it_runs_and_says_what_is_missing() {
    let bench = Bench::on_disk(Bench::new);
    without_mounts(&bench, "git grill run --best-effort -- sh -c '(echo x > new) || echo kept'")
        .assert_code(0)
        .assert_stdout("kept\n")
        .assert_contains("warning: this run goes without private mounts");
}

#[test]
fn a_single_command_is_kept_from_writing_by_landlock_alone() {
    let bench = Bench::on_disk(Bench::new);
    let tries = "
        (echo x > new) && echo created
        (echo x >> README.md) && echo appended
        rm -f README.md && echo removed
        mv README.md other && echo renamed
        ln README.md linked && echo linked
        truncate -s 0 README.md && echo truncated
        chmod 777 README.md && echo modes
        touch README.md && echo times
        chown $(id -u) README.md && echo owners
        (echo x > $TMPDIR/x) && cat $TMPDIR/x
        true";
    bench.write("try.sh", tries);
    without_mounts(&bench, "git grill run --profile command -- sh ./try.sh").assert_code(0).assert_stdout("x\n");
}
