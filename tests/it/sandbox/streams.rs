//! Standard streams of a run: what the caller opened for reading stays as it is, and reads as without a run.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use crate::bench::Bench;

/// Ways to change the file on standard input.
const TRIES: &str = "
    (echo x >> /proc/self/fd/0) && echo appended
    (echo x >> /dev/stdin) && echo appended too
    (: > /proc/self/fd/0) && echo emptied
    (echo x 1<>/proc/self/fd/0 >&1) >/dev/null && echo opened
    chmod 600 /proc/self/fd/0 && echo modes
    touch /proc/self/fd/0 && echo times
    truncate -s 0 /proc/self/fd/0 && echo truncated
    perl -e 'chmod(0600, *STDIN) and print qq(modes too\\n); utime(1, 1, *STDIN) and print qq(times too\\n)'
    perl -e 'truncate(STDIN, 0) and print qq(truncated too\\n)'
    cat";

#[test]
fn g37_a_file_on_standard_input_stays_as_it_is() {
    let bench = Bench::on_disk(Bench::new);
    bench.write("tries.sh", TRIES);
    bench.write("../outside.txt", "outside\n");
    fs::write("/dev/shm/git-grill-stream", "hidden\n").unwrap();
    fs::set_permissions("/dev/shm/git-grill-stream", fs::Permissions::from_mode(0o666)).unwrap();
    let cases = [("README.md", "# demo\n"), ("../outside.txt", "outside\n"), ("/dev/shm/git-grill-stream", "hidden\n")];
    for profile in ["agent", "command"] {
        for (path, text) in cases {
            let line = format!("git grill run --profile {profile} -- sh ./tries.sh < {path} 2>/dev/null");
            let file = bench.repo().join(path);
            drop(bench.as_nobody("true"));
            let seen = || {
                let about = fs::metadata(&file).unwrap();
                (fs::read(&file).unwrap(), about.mode(), about.mtime(), about.mtime_nsec())
            };
            let before = seen();
            // A copy has a mode and times of its own, which no one else sees.
            let expected = if path.starts_with("/dev/shm") {
                format!("modes\ntimes\nmodes too\ntimes too\n{text}")
            } else {
                text.to_owned()
            };
            bench.run(&line).assert_code(0).assert_stdout(&expected);
            assert_eq!(seen(), before, "{profile} {path}");
            bench.as_nobody(&line).assert_code(0).assert_stdout(&expected);
            assert_eq!(seen(), before, "{profile} {path} as nobody");
        }
    }
    fs::remove_file("/dev/shm/git-grill-stream").unwrap();
}

#[test]
fn a_stream_reads_on_where_it_was_and_the_next_command_reads_on_from_there() {
    let bench = Bench::on_disk(Bench::new);
    bench.write("../lines", "one\ntwo\nthree\n");
    for profile in ["agent", "command"] {
        // The shell reads no further than the line.
        let line = format!(
            "(read a; git grill run --profile {profile} -- sh -c 'read b; echo inside $b'; read c; echo $a $c) < ../lines"
        );
        bench.run(&line).assert_code(0).assert_stdout("inside two\none three\n");
    }
    // One that has no name any more is read all the same.
    bench
        .run("(rm ../lines; read a; git grill run -- sh -c 'cat; (echo x > /proc/self/fd/0) 2>/dev/null || echo held') < ../lines")
        .assert_code(0)
        .assert_stdout("two\nthree\nheld\n");
}

#[test]
fn what_has_no_stand_in_is_refused_with_a_command_that_works() {
    let bench = Bench::on_disk(Bench::new);
    // Sparse, and behind the cover of the run's shared memory.
    let large = "/dev/shm/git-grill-large";
    fs::File::create(large).unwrap().set_len(65 << 20).unwrap();
    let refused = bench.run(&format!("git grill run -- true < {large}"));
    fs::remove_file(large).unwrap();
    refused
        .assert_code(128)
        .assert_contains("standard stream 0 is /dev/shm/git-grill-large")
        .assert_contains("it has more than 64 MiB")
        .assert_contains("hint: cat '/dev/shm/git-grill-large' | git grill run -- <command>");
    // One of any size is read where it can be opened again.
    bench
        .run("truncate -s 65M ../large && git grill run -- wc -c < ../large")
        .assert_code(0)
        .assert_stdout("68157440\n");
    if rustix::process::geteuid().is_root() && fs::metadata("/dev/kmsg").is_ok() {
        bench
            .run("git grill run -- true < /dev/kmsg")
            .assert_code(128)
            .assert_contains("standard stream 0 is /dev/kmsg")
            .assert_contains("cat '/dev/kmsg' | git grill run");
    }
}

#[test]
fn pipes_terminals_and_harmless_devices_pass_as_they_are() {
    let bench = Bench::on_disk(Bench::new);
    for source in ["/dev/null", "/dev/zero", "/dev/urandom"] {
        bench.run(&format!("git grill run -- head -c 0 < {source}")).assert_code(0).assert_quiet();
    }
    let modes = || fs::metadata("/dev/null").unwrap().mode();
    let before = modes();
    bench
        .run("git grill run -- sh -c 'chmod 600 /proc/self/fd/0; chmod 600 /proc/self/fd/2' </dev/null 2>/dev/null")
        .assert_code(1);
    assert_eq!(modes(), before);
    bench.run("git grill run -- sh -c 'echo out; echo err >&2' <&- ").assert_code(0).assert_stdout("out\n");
    bench.run("echo through | git grill run -- cat | cat").assert_code(0).assert_stdout("through\n");
    bench.run("mkfifo ../fifo; (echo named > ../fifo &); git grill run -- cat < ../fifo").assert_stdout("named\n");
    // What the caller opened for writing is written, and at the place where the caller's next command goes on.
    bench.run("{ echo a; git grill run -- echo b; echo c; } > ../out; cat ../out").assert_stdout("a\nb\nc\n");
    bench.run("git grill run -- sh -c 'echo more' >> ../out; cat ../out").assert_stdout("a\nb\nc\nmore\n");
}
