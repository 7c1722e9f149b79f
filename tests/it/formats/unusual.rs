//! Repositories that are laid out in another way than most. Each is opened by the library, and then again by the program.

use super::{interview, status};
use crate::bench::{Bench, Place};

/// The same interview through both.
#[track_caller]
fn through_both(at: &Place<'_>) {
    interview(at, "libgit2");
    let forced = |line: &str| at.run(&format!("GRILL_BACKEND=git; export GRILL_BACKEND; {line}"));
    forced("git grill start 'caching'").assert_code(0);
    let told = forced("git grill status --json").assert_code(0).stdout().to_owned();
    assert!(told.contains("\"backend\":\"git\""), "{told}");
    forced("git grill answer 1").assert_code(0);
    forced("git grill verify").assert_code(0).assert_contains("nothing drifted");
    // The library goes on where the program stopped.
    assert_eq!(status(at)["backend"], "libgit2");
    at.run("git grill answer 1").assert_code(0);
    forced("git grill stop --without-output").assert_code(0);
    at.run("git fsck --no-dangling").assert_code(0);
}

fn origin(bench: &Bench) {
    for n in 0..4 {
        bench.commit(&format!("folder{n}/file.txt"), format!("{n}\n"));
    }
    bench.run("git config uploadpack.allowFilter true").assert_code(0);
}

#[test]
fn bare() {
    for backend in ["libgit2", "git"] {
        let bench = Bench::bare();
        bench.run(&format!("GRILL_BACKEND={backend} git grill start 'rate limiting'")).assert_code(0);
        bench.run(&format!("GRILL_BACKEND={backend} git grill answer 1")).assert_code(0);
        bench.run(&format!("GRILL_BACKEND={backend} git grill verify")).assert_code(0);
        bench.run(&format!("GRILL_BACKEND={backend} git grill stop --without-output")).assert_code(0);
        bench.run("git fsck --no-dangling").assert_code(0);
    }
    let bench = Bench::bare();
    bench.run("git init -q --bare --object-format=sha256 ../long.git").assert_code(0);
    let long = bench.at("../long.git");
    long.run("git grill start 'rate limiting'").assert_code(0);
    assert_eq!(status(&long)["backend"], "git");
    long.run("git grill answer 1").assert_code(0);
    long.run("git grill stop --without-output").assert_code(0);
}

#[test]
fn shallow() {
    let bench = Bench::new();
    origin(&bench);
    bench.run("git clone -q --depth 1 \"file://$PWD\" ../clone").assert_code(0);
    through_both(&bench.at("../clone"));
}

#[test]
fn partial() {
    let bench = Bench::new();
    origin(&bench);
    bench.run("git clone -q --filter=blob:none --no-checkout \"file://$PWD\" ../clone").assert_code(0);
    let clone = bench.at("../clone");
    clone.run("git sparse-checkout set folder1 && git checkout -q main").assert_code(0);
    through_both(&clone);
    // Nothing was fetched for it: what was left out still is.
    let missing = clone.run("git rev-list --objects --all --missing=print | grep -c '^?'");
    assert!(missing.stdout.trim().parse::<u32>().unwrap() > 0, "{missing:?}");
}

#[test]
fn sparse_with_a_sparse_index() {
    let bench = Bench::new();
    origin(&bench);
    bench.run("git sparse-checkout set --cone --sparse-index folder1").assert_code(0);
    through_both(&bench.at("."));
    assert!(!bench.repo().join("folder2").exists());
}

#[test]
fn split_index() {
    let bench = Bench::new();
    origin(&bench);
    bench.run("git update-index --split-index").assert_code(0);
    through_both(&bench.at("."));
    bench.run("git rev-parse --shared-index-path").assert_code(0).assert_contains("sharedindex");
}

#[test]
fn borrowed_objects() {
    let bench = Bench::new();
    origin(&bench);
    bench.run("git clone -q --shared . ../clone").assert_code(0);
    let clone = bench.at("../clone");
    through_both(&clone);
    clone.run("cat .git/objects/info/alternates").assert_code(0);
}

#[test]
fn submodules() {
    let bench = Bench::new();
    origin(&bench);
    bench.run("git init -q -b main ../outer").assert_code(0);
    let outer = bench.at("../outer");
    outer.run("git -c protocol.file.allow=always submodule --quiet add ../repo inner").assert_code(0);
    outer.run("git commit -qm first").assert_code(0);
    through_both(&outer);
    // And within it.
    through_both(&bench.at("../outer/inner"));
}
