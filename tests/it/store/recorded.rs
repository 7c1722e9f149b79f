//! The stored format stays readable: sessions of every kind as an earlier build wrote them, in `fixtures/format`. Each is
//! read, replayed and written back to the byte, and the program says of it what that build said.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use git_grill::app::ports::Batch;
use git_grill::domain::session::Session;
use git_grill::git::Repo;
use git_grill::git::object::parsed;
use git_grill::store::changes::{self, Change};
use git_grill::store::files::{self, Files as _};
use git_grill::store::tree::CommitFiles;
use git_grill::store::{events, layout};
use serde_json::Value;

use super::bench::repo_in;
use crate::bench::{Bench, adopt, side_by_side};

/// What `status --json` works out anew each time, from the rules of the build and from the clone that it is in.
const NOT_OF_THE_SESSION: &[&str] = &["backend", "fence", "inferredIntent", "questionsLeft"];

/// What there may be of a kind, by extension, and whether each kind has it.
const PARTS: &[(&str, bool)] = &[("export", true), ("json", true), ("granted", false)];

/// The largest that all recordings together may be.
const LIMIT: u64 = 400 * 1024;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/format")
}

fn names(folder: &Path) -> BTreeSet<String> {
    folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn formats() -> Vec<PathBuf> {
    let beside = [".gitattributes", "README.md", "record"];
    let names = names(&folder()).into_iter().filter(|name| !beside.contains(&name.as_str()));
    names.map(|name| folder().join(name)).collect()
}

/// Each recording, as the path of its files without their extensions.
fn recordings() -> BTreeSet<PathBuf> {
    let stems = |format: PathBuf| names(&format).into_iter().map(move |name| format.join(name).with_extension(""));
    formats().into_iter().flat_map(stems).collect()
}

#[test]
fn g39_no_recorded_file_is_left_unread() {
    let each: Vec<PathBuf> = (1..=layout::FORMAT).map(|format| folder().join(format!("v{format}"))).collect();
    assert_eq!(formats(), each);
    let mut size = 0;
    for format in formats() {
        for name in names(&format) {
            let extension = Path::new(&name).extension().unwrap_or_default();
            assert!(PARTS.iter().any(|(part, _)| extension == *part), "nothing reads {name} in {}", format.display());
            size += fs::metadata(format.join(&name)).unwrap().len();
        }
    }
    for recording in recordings() {
        for (part, _) in PARTS.iter().filter(|(_, required)| *required) {
            assert!(recording.with_extension(part).is_file(), "{} has no {part}", recording.display());
        }
    }
    assert!(size <= LIMIT, "the recordings have {size} bytes");
}

#[test]
fn g39_a_recorded_session_is_the_same_session_to_this_build() {
    let all: Vec<PathBuf> = recordings().into_iter().collect();
    assert!(all.len() >= 21, "{all:?}");
    side_by_side(&all, |recording| {
        let bench = planted(recording);
        let commits = bench.run("git rev-list --reverse GRILL_HEAD").assert_code(0).stdout().to_owned();
        assert_kept(recording, &repo_in(bench.repo()), &commits);

        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let said = read(&fs::read_to_string(recording.with_extension("json")).unwrap());
        let now = read(bench.run("git grill status --json").assert_code(0).stdout());
        let mut lost = Vec::new();
        for (key, value) in said.as_object().unwrap() {
            if !NOT_OF_THE_SESSION.contains(&key.as_str()) {
                compare(key, value, now.get(key), &mut lost);
            }
        }
        assert!(lost.is_empty(), "{}: status says otherwise:\n{}", recording.display(), lost.join("\n"));
        // A session that is over is no worktree's.
        if said["active"] == false {
            bench.run("rm .git/GRILL_HEAD").assert_code(0);
        }
        bench.run("git grill fsck").assert_code(0).assert_contains("nothing is wrong here");
    });
}

/// A world in which the recorded session is the worktree's own, and what was granted in it counts.
fn planted(recording: &Path) -> Bench {
    let bench = Bench::new();
    let export = fs::read_to_string(recording.with_extension("export")).unwrap();
    bench.run_with_input("git fast-import --quiet", &export).assert_code(0);
    let listed = bench.run("git for-each-ref '--format=%(refname) %(objectname)' refs/grill/sessions").assert_code(0);
    let (name, tip) = listed.stdout().trim_end().split_once(' ').unwrap();
    assert_eq!(export.lines().next(), Some(format!("# {tip}").as_str()), "{}: other objects", recording.display());
    bench.run(&format!("git symbolic-ref GRILL_HEAD {name}")).assert_code(0);
    if let Ok(granted) = fs::read(recording.with_extension("granted")) {
        // Where files have no time of birth, a record is known by the file beside it.
        bench.write(".git/grill/granted/here", "");
        bench.write(&format!(".git/grill/granted/{}", name.rsplit('/').next().unwrap()), granted);
        adopt(bench.root());
    }
    bench
}

/// Checks that each commit is read, that its events lead to its state, and that this state is written as it was.
fn assert_kept(recording: &Path, repo: &Repo, commits: &str) {
    let mut before: Option<Session> = None;
    for commit in commits.lines() {
        let at = format!("{} at {commit}", recording.display());
        let files = CommitFiles::of(repo, parsed(commit).unwrap()).unwrap_or_else(|error| panic!("{at}: {error:?}"));
        let stored = files::read_session(&files).unwrap_or_else(|error| panic!("{at}: {error:?}"));
        let events = events::read(&files).unwrap_or_else(|error| panic!("{at}: {error:?}"));
        let replayed = match before {
            None => Session::replay(&events),
            Some(before) => Some(events.iter().fold(before, Session::evolve)),
        };
        assert_eq!(replayed.as_ref(), Some(&stored), "{at}: its events lead to another state");

        let batch = Batch { events: &events, after: &stored, base: None };
        let written = changes::between(None, &BTreeMap::<String, Vec<u8>>::new(), batch).unwrap();
        let there: BTreeSet<String> = files.below(layout::ROOT).unwrap().into_iter().collect();
        assert_eq!(written.keys().cloned().collect::<BTreeSet<_>>(), there, "{at}: it would have other files");
        for (path, change) in written {
            let Change::Put(bytes) = change else { panic!("{at}: {path} would be removed") };
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            assert_eq!(text(&bytes), text(&files.read(&path).unwrap().unwrap()), "{at}: {path}");
        }
        before = Some(stored);
    }
    assert!(before.is_some(), "{} holds no commit", recording.display());
}

/// Notes where `now` lacks or contradicts what was said. A later build may say more.
fn compare(place: &str, said: &Value, now: Option<&Value>, lost: &mut Vec<String>) {
    match (said, now) {
        (Value::Object(said), Some(Value::Object(now))) => {
            for (key, value) in said {
                compare(&format!("{place}.{key}"), value, now.get(key), lost);
            }
        }
        (Value::Array(said), Some(Value::Array(now))) if said.len() == now.len() => {
            for (index, (said, now)) in said.iter().zip(now).enumerate() {
                compare(&format!("{place}[{index}]"), said, Some(now), lost);
            }
        }
        _ if now == Some(said) => {}
        _ => lost.push(format!("{place}: said {said}, says {now:?}")),
    }
}

#[test]
fn g39_the_comparison_finds_what_is_missing_and_what_differs_and_lets_more_be_said() {
    let said = serde_json::json!({"a": [{"b": 1}, {"c": null}], "d": "x"});
    let lost = |now: Value| {
        let mut lost = Vec::new();
        compare("it", &said, Some(&now), &mut lost);
        lost.len()
    };
    assert_eq!(lost(serde_json::json!({"a": [{"b": 1, "new": 1}, {"c": null}], "d": "x", "e": 1})), 0);
    assert_eq!(lost(serde_json::json!({"a": [{"b": 2}, {}], "d": "x"})), 2);
    assert_eq!(lost(serde_json::json!({"a": [{"b": 1}]})), 2);
}
