//! A run in the output phase: the approved paths can be written, in place, and nothing beside them.

use crate::bench::Bench;

fn producing() -> (Bench, String) {
    let bench = Bench::new();
    bench.global_config("[grill]\n\tapproval = script\n");
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
    let bench = Bench::new();
    bench.run("git grill start 'cache the results'").assert_code(0);
    bench.run("git grill run -- sh -c 'mkdir -p docs && echo x > docs/x.md'").assert_code(1);
}
