//! Places where agents look for what they run and obey, as a list that grows (`fixtures/sandbox/places.tsv`): whatever a
//! run writes there is gone with it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::footprint::{changed, footprint, without_change_times};
use crate::bench::{Bench, one_of};

const AGENTS: [&str; 7] = ["claude", "codex", "cursor", "gemini", "grok", "opencode", "pi"];

/// Appends, creates, and renames onto every path of the list; what came of it is read outside.
const PLANT: &str = r#"
use File::Basename; use File::Path;
open(my $list, "<", "./places") or die;
for my $path (<$list>) {
    chomp $path;
    $path =~ s/^~/$ENV{HOME}/;
    eval { File::Path::make_path(dirname($path)) };
    my $file;
    for my $how (">>", ">") {
        if (open($file, $how, $path)) { print $file "planted\n"; close($file); }
    }
    if (open($file, ">", "$path.new")) { print $file "planted\n"; close($file); rename("$path.new", $path); }
    unlink("$path.new");
}
"#;

pub struct Row {
    pub agent: String,
    pub path: String,
}

pub fn rows() -> Vec<Row> {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sandbox/places.tsv");
    let text = fs::read_to_string(list).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let [agent, _kind, path] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}: three columns") };
        assert!(agent == "*" || AGENTS.contains(&agent), "{line}");
        Row { agent: agent.to_owned(), path: path.to_owned() }
    });
    rows.collect()
}

fn outside(bench: &Bench, path: &str) -> PathBuf {
    match path.strip_prefix("~/") {
        Some(rest) => bench.root().join("home").join(rest),
        None => bench.repo().join(path),
    }
}

/// What stands at a place before a run.
#[derive(Clone, Copy, Debug)]
enum Before {
    Nothing,
    AFile,
}

/// Tries the whole list in a run of this profile; the places where something was planted.
fn planted(profile: &str, before: Before, user: User) -> BTreeSet<String> {
    let bench = Bench::on_disk(Bench::new);
    let rows = rows();
    bench.write("plant.pl", PLANT);
    bench.write("places", rows.iter().map(|row| format!("{}\n", row.path)).collect::<String>());
    if matches!(before, Before::AFile) {
        for row in rows.iter().filter(|row| row.path.starts_with("~/")) {
            let path = outside(&bench, &row.path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "# kept\n").unwrap();
        }
    }
    let run = |line: &str| match user {
        User::Myself => bench.run(line),
        User::Nobody => bench.as_nobody(line),
    };
    let _ = run("true");
    let home = without_change_times(footprint(&bench.root().join("home")));
    let repo = without_change_times(footprint(bench.repo()));
    run(&format!("git grill run --profile {profile} -- perl ./plant.pl")).assert_code(0);
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for row in &rows {
        let path = outside(&bench, &row.path);
        if fs::read_to_string(&path).is_ok_and(|text| text.contains("planted")) {
            seen.insert(row.path.clone());
        }
        if !row.path.starts_with("~/") && !row.path.starts_with("./") {
            let _ = fs::remove_file(&path);
        }
    }
    // Beside the list, nothing else came to be either.
    let after = without_change_times(footprint(&bench.root().join("home")));
    seen.extend(
        changed(&home, &after).into_iter().filter(|path| !path.is_dir()).map(|path| path.display().to_string()),
    );
    assert_eq!(changed(&repo, &without_change_times(footprint(bench.repo()))), Vec::<PathBuf>::new());
    seen
}

#[derive(Clone, Copy, Debug)]
enum User {
    Myself,
    Nobody,
}

#[test]
fn g37_nothing_that_a_run_plants_is_there_afterwards() {
    let profiles: Vec<&str> = AGENTS.into_iter().chain(["agent", "command"]).collect();
    let ways = [
        (Before::Nothing, User::Myself),
        (Before::AFile, User::Nobody),
        (Before::AFile, User::Myself),
        (Before::Nothing, User::Nobody),
    ];
    let mut found = Vec::new();
    // Each profile in two of the ways in cargo test, and the next one in the other two.
    for (number, profile) in profiles.into_iter().enumerate() {
        for (before, user) in ways.into_iter().skip(number % one_of(2)).step_by(one_of(2)) {
            let planted = planted(profile, before, user);
            if !planted.is_empty() {
                found.push(format!("{profile}, {before:?} there, {user:?}: {planted:#?}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_list_names_every_place_that_an_installation_writes() {
    let bench = Bench::on_disk(Bench::new);
    let rows = rows();
    for agent in AGENTS.into_iter().chain(["vscode", "zed"]) {
        for option in ["--project", "--user"] {
            let before = footprint(bench.root());
            bench.run(&format!("git grill agent install {agent} {option}")).assert_code(0);
            for path in changed(&before, &footprint(bench.root())) {
                let listed = rows.iter().any(|row| outside(&bench, &row.path) == path);
                let own = path.starts_with(bench.repo().join(".git")) || path.is_dir();
                assert!(listed || own, "{agent} {option} writes {}, which the list does not name", path.display());
            }
        }
    }
}
