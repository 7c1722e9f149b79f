//! Damages of a session whose newest commits have copies: whatever of its objects is missing or broken, nothing is lost.

use super::table::{ROWS, Refs, Row};
use super::{WORDS, copied_sessions};
use crate::bench::{Bench, git_has_reftable, one_of, side_by_side};

/// Every object of the session, and the file of one of its copies cut off.
const MORE: [(&str, &str); 3] = [
    ("no object at all", "for one in $(git rev-list --objects $ref | cut -d' ' -f1); do rm -f $(loose $one); done"),
    ("every object cut off", "for one in $(git rev-list --objects $ref | cut -d' ' -f1); do sever $one; done"),
    ("every object spoilt", "for one in $(git rev-list --objects $ref | cut -d' ' -f1); do spoil $one; done"),
];

fn history(bench: &Bench) -> String {
    bench.run(&format!("{WORDS} git log -p --format=fuller $ref")).assert_code(0).stdout().to_owned()
}

fn played(name: &str, by: &str, format: &str) {
    let when = format!("{name} ({format})");
    let bench = copied_sessions(format);
    let before = history(&bench);
    bench.run(&format!("{WORDS} {by}")).assert_code(0);
    let fixed = bench.run("git grill doctor --fix");
    assert_eq!(fixed.code, 0, "{when}: {fixed}");
    assert_eq!(before, history(&bench), "{when}: {fixed}");
    for check in ["git grill status", "git grill fsck", "git gc --quiet", "git fsck --no-dangling", "git grill next"] {
        let ran = bench.run(check);
        assert_eq!(ran.code, 0, "{when}, {check}: {ran}\n{fixed}");
    }
}

/// Plays a third of the rows, another third in each format, or all of them.
fn all(format: &str, refs: Refs) {
    let first = 2 * usize::from(refs == Refs::Reftable) + 4 * usize::from(format.contains("sha256"));
    let of_sessions = |row: &&Row| row.code.starts_with("session_") && (row.refs == Refs::Any || row.refs == refs);
    let rows = ROWS.iter().filter(of_sessions).map(|row| (row.name, row.by)).chain(MORE);
    let rows: Vec<(&str, &str)> = rows.skip(first % one_of(9)).step_by(one_of(9)).collect();
    side_by_side(&rows, |(name, by)| played(name, by, format));
}

#[test]
fn p1_what_has_a_copy_is_not_lost() {
    all("", Refs::Files);
}

#[test]
fn p1_what_has_a_copy_is_not_lost_where_refs_are_reftable() {
    if git_has_reftable("copies where refs are reftable") {
        all("--ref-format=reftable", Refs::Reftable);
    }
}

#[test]
fn p1_what_has_a_copy_is_not_lost_where_objects_are_sha256() {
    all("--object-format=sha256", Refs::Files);
}

/// Bytes of another name, a link and a pipe in the copies' place are neither taken nor waited for, and a copy that was cut
/// off costs what was cut off.
#[test]
fn a_foreign_file_among_the_copies_carries_no_authority() {
    let bench = copied_sessions("");
    let mine = ".git/grill/copies/$(basename $ref).$(id -u)";
    let forge = format!(
        "{WORDS} sed -i 's/requests per client/requests per planet/' {mine} && rm -f $(loose $(git rev-parse $(git grep \
         -l 'requests per client' $tip -- .grill/answers)))"
    );
    bench.run(&forge).assert_code(0);
    let said = bench.run("git grill status");
    assert!(!said.stdout.contains("planet") && said.code == 128, "{said}");
    bench.run("git grill doctor --fix").assert_code(0);
    assert!(!history(&bench).contains("planet"));
    for foreign in ["rm MINE && mkfifo MINE", "rm MINE && ln -s /dev/zero MINE", "rm MINE && mkdir MINE"] {
        bench.run(&format!("{WORDS} {}", foreign.replace("MINE", mine))).assert_code(0);
        bench.run("git grill status").assert_code(0);
        // Without a copy nothing is acknowledged, and the words are kept.
        let refused = bench.run("git grill answer 'nine per second'");
        assert!(refused.code != 0 && refused.stderr.contains("keeping a copy"), "{foreign}: {refused}");
        assert!(!history(&bench).contains("nine per second"), "{foreign}");
        bench.run(&format!("{WORDS} rm -r {mine} && : > {mine}")).assert_code(0);
    }
    bench.run("git grill answer 'nine per second'").assert_code(0);
    assert!(history(&bench).contains("nine per second"));
}

/// Copies of a session that is gone are told, and removed.
#[test]
fn copies_of_a_session_that_is_gone_are_left_overs() {
    let bench = copied_sessions("");
    bench.run("git grill stop --without-output").assert_code(0);
    bench.run("git grill doctor").assert_code(0).assert_contains("nothing is wrong here");
    let gone = bench.run("git for-each-ref --format='%(refname)' refs/grill/sessions | grep rate").assert_code(0);
    bench.run(&format!("git update-ref -d {}", gone.stdout().trim())).assert_code(0);
    bench.run("git grill doctor").assert_contains("grill/copies/").assert_contains("--fix");
    bench.run("git grill doctor --fix").assert_code(0);
    bench.run("ls .git/grill/copies | grep rate").assert_code(1);
    bench.run("ls .git/grill/copies | grep search").assert_code(0);
    bench.run("git grill doctor").assert_code(0).assert_contains("nothing is wrong here");
}
