//! Authority does not travel: two clones, real `git fetch`, and hostile sessions of many kinds, over which every acting
//! command and tool is tried. Nothing is written, committed, created or launched that this clone's person did not
//! grant. A new kind of hostility is a row in `authority/rows.rs`, a new command one in `authority/commands.rs`.

mod carried;
mod commands;
mod forge;
mod local_refs;
mod record;
mod rows;
mod stories;
mod verbs;

use crate::bench::{Bench, one_of, side_by_side};
use crate::tracker::stand_in::StandIn;
use forge::Forge;
use rows::{Row, rows};

/// So many lanes share the rows.
const LANES: usize = 2;

/// Every seventeenth command over each row, and so each command over a seventeenth of the rows, unless all are asked for.
#[test]
fn no_command_acts_on_what_was_granted_elsewhere() {
    let all = rows();
    assert!(all.len() >= 30, "{} kinds", all.len());
    let stride = one_of(17);
    let lanes: Vec<usize> = (0..LANES).collect();
    let broken = side_by_side(&lanes, |lane| {
        let rows: Vec<(usize, &Row)> = all.iter().enumerate().skip(*lane).step_by(LANES).collect();
        tried(&rows, stride)
    });
    let broken = broken.concat();
    assert!(broken.is_empty(), "{} acted on a foreign word:\n{}", broken.len(), broken.join("\n"));
}

/// A read-only run may write the files of a plan: of one that was granted here. On a disk, since a run guards no repository
/// in memory; where the kernel cannot keep it from writing, it is refused.
#[test]
fn p3_a_run_writes_no_file_that_was_granted_elsewhere() {
    let bench = Bench::on_disk(Bench::new);
    let gh = StandIn::new(bench.root());
    let forge = Forge::new(&bench, &gh);
    let writable = [
        "docs/api.md approved by nobody",
        "a file that stands here is overwritten",
        "a person permitted another file than the plan's",
        "what stood at a new file",
    ];
    let all = rows();
    for name in writable {
        let row = all.iter().find(|row| row.name == name).expect("it is a row");
        forge.make(row);
        let active = format!("printf 'ref: refs/grill/sessions/%s\\n' {} > .git/GRILL_HEAD", forge.id(row.base));
        bench.run(&active).assert_code(0);
        let ran = bench.run("git-grill run -- sh -c 'mkdir -p docs; echo x > docs/api.md; echo x > Makefile'");
        assert_ne!(ran.code, 0, "{name}: {ran}");
        bench.run("rm .git/GRILL_HEAD && git status --porcelain -uall").assert_code(0).assert_stdout("");
    }
}

/// Tries commands over these rows; what acted on what nobody granted here.
fn tried(rows: &[(usize, &Row)], stride: usize) -> Vec<String> {
    let bench = Bench::new();
    let gh = StandIn::new(bench.root());
    let forge = Forge::new(&bench, &gh);
    let mut broken = Vec::new();
    for (number, row) in rows {
        forge.make(row);
        let script = commands::script(&bench, &gh, &forge.id(row.base), *number, stride);
        let said = bench.run(&script).assert_code(0).stdout().to_owned();
        assert!(said.contains("every command was tried"), "{}: {said}", row.name);
        let acted = said.lines().filter_map(|line| line.strip_prefix("BROKEN "));
        broken.extend(acted.map(|what| format!("{}: {what}", row.name)));
        let requests = gh.requests();
        let sent = requests.iter().filter(|one| !one.starts_with("GET"));
        broken.extend(sent.map(|one| format!("{}: {one}", row.name)));
        gh.set("requests", "");
    }
    broken
}
