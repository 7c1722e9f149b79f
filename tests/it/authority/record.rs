//! The record of what was granted here: only this git grill's own, whatever else stands in its place.

use std::fs;
use std::path::PathBuf;

use crate::bench::Bench;

/// A session in the output phase, and its record.
fn recorded(bench: &Bench) -> PathBuf {
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    bench.run("git grill select design-doc --path docs/api.md").assert_code(0);
    let mut records = fs::read_dir(bench.repo().join(".git/grill/granted")).unwrap();
    records.next().expect("there is a record").unwrap().path()
}

#[test]
fn a_record_is_private_and_goes_with_what_it_marks() {
    let bench = Bench::new();
    let record = recorded(&bench);
    let modes = bench.run("stat -c %a .git/grill/granted .git/grill/granted/*").assert_code(0);
    modes.assert_stdout("700\n600\n");
    let text = fs::read_to_string(&record).unwrap();
    assert!(text.contains("\n+ plan "), "{text}");
    bench.run("git grill approve").assert_code(0);
    let text = fs::read_to_string(&record).unwrap();
    assert!(text.contains("\n- approved ") && text.contains("\n+ written "), "{text}");
    bench.run("git grill produce --undo && git grill finish && git grill stop --without-output").assert_code(0);
    bench.run("test ! -e .git/grill/granted").assert_code(0);
}

#[test]
fn what_is_no_record_of_ours_grants_nothing() {
    let spoils = [
        "rm $R",
        ": > $R",
        "printf 'git-grill granted 1 1 born 1.0\\n' > $R",
        "sed -i 1d $R",
        "cp $R $R.2 && mv $R.2 $R",
        "mv $R ../r && ln -s \"$PWD/../r\" $R",
        "rm $R && mkfifo $R",
        "rm $R && mkdir $R",
        "head -c 5000000 /dev/zero >> $R",
        "printf '\\377\\n' >> $R",
    ];
    let bench = Bench::new();
    let record = recorded(&bench);
    let kept = bench.root().join("kept");
    fs::rename(&record, &kept).unwrap();
    let tip = bench.run("git rev-parse GRILL_HEAD").assert_code(0).stdout().trim().to_owned();
    for spoil in spoils {
        // The very file comes back: a copy is none.
        let put = format!(
            "rm -rf $R; ln {0} $R; git -c core.hooksPath=/dev/null update-ref $(git symbolic-ref GRILL_HEAD) {tip}",
            kept.display()
        );
        let line = |line: &str| format!("R='{}'; {line}", record.display());
        bench.run(&line(&put)).assert_code(0);
        bench.run("git grill status").assert_code(0).assert_contains("phase        output\n");
        let text = fs::read(&kept).unwrap();
        bench.run(&line(spoil)).assert_code(0);
        let said = bench.run("git grill approve").assert_code(3);
        said.assert_contains("does not count here");
        bench.run("test ! -e docs").assert_code(0);
        // What a line wrote into the file through its other name is taken back in place.
        fs::write(&kept, text).unwrap();
    }
}
