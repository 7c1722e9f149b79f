//! Parts of what somebody waits for, within one process and each beside a yardstick: `benches/run parts`. A measurement,
//! never a test: it prints, and judges nothing.
#![expect(clippy::print_stdout, reason = "a measurement is printed")]
#![expect(clippy::disallowed_methods, reason = "a measurement starts programs, and is its own yardstick")]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made has failed")]

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use criterion::Criterion;
use git_grill::domain::ids::SessionId;
use git_grill::policy::shell::{Allowed, judge};
use git_grill::policy::surroundings::Empty;
use git_grill::repo::open::open_exactly;
use git_grill::store::posture::posture_source;
use git_grill::world::spawner;
use git2::{Repository, RepositoryOpenFlags};

const ANSWERS: usize = 8;
/// A command as agents write them.
const LINE: &str = "git log --oneline -20 | head -5 && grep -rn 'fn main' src --include='*.rs' || echo none";
/// The parts, and how their yardstick is called.
const PARTS: [(&str, &str); 3] = [
    ("open the repository", "libgit2 opens it"),
    ("what a hook reads", "libgit2 opens it and reads one file"),
    ("judge a shell command", "split it into words"),
];
const OURS: &str = "ours";
const THEIRS: &str = "yardstick";

fn main() {
    let temp = tempfile::tempdir().unwrap();
    let repository = &temp.path().join("repository");
    let figures = temp.path().join("figures");
    make(repository);
    let mut criterion = Criterion::default()
        .output_directory(&figures)
        .without_plots()
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args();
    let id = posture_source(&open_exactly(repository, &spawner()).unwrap().repo).unwrap().unwrap().1;
    let [open, posture, shell] = PARTS.map(|(part, _)| part);
    both(&mut criterion, open, || ours(repository), || theirs(repository));
    both(
        &mut criterion,
        posture,
        || posture_source(&ours(repository).repo).unwrap(),
        || one_file(&theirs(repository), &id),
    );
    let allowed = Allowed::default();
    both(
        &mut criterion,
        shell,
        || judge(black_box(LINE), &allowed, &Empty).is_ok(),
        || shell_words::split(black_box(LINE)),
    );
    ratios(&figures);
}

/// One part, ours and the yardstick one after the other.
fn both<A, B>(criterion: &mut Criterion, name: &str, mut mine: impl FnMut() -> A, mut other: impl FnMut() -> B) {
    let mut group = criterion.benchmark_group(name);
    group.bench_function(THEIRS, |bencher| bencher.iter(&mut other));
    group.bench_function(OURS, |bencher| bencher.iter(&mut mine));
    group.finish();
}

fn ours(folder: &Path) -> git_grill::repo::open::Opened {
    open_exactly(folder, &spawner()).unwrap()
}

fn theirs(folder: &Path) -> Repository {
    let nowhere: [&Path; 0] = [];
    Repository::open_ext(folder, RepositoryOpenFlags::NO_SEARCH, nowhere).unwrap()
}

/// The file that says in which phase a session is.
fn one_file(repository: &Repository, id: &SessionId) -> usize {
    let tree = repository.find_reference(&id.ref_name()).unwrap().peel_to_tree().unwrap();
    let entry = tree.get_path(Path::new(".grill/session.yaml")).unwrap();
    repository.find_blob(entry.id()).unwrap().size()
}

/// A session with some answers.
fn make(repository: &Path) {
    fs::create_dir(repository).unwrap();
    let run = |program: &str, words: &[&str]| {
        let mut command = Command::new(program);
        command.args(words).current_dir(repository).stdin(Stdio::null()).stdout(Stdio::null());
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        assert!(command.status().unwrap().success(), "{program} {words:?}");
    };
    run("git", &["init", "-q", "-b", "main"]);
    run("git", &["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "one"]);
    let grill = env!("CARGO_BIN_EXE_git-grill");
    run(grill, &["start", "--research", "off", "rate limiting"]);
    for number in 0..ANSWERS {
        run(grill, &["answer", &format!("at most {number}0 requests each second for each key")]);
    }
}

/// The medians of what was measured, beside one another.
fn ratios(figures: &Path) {
    println!("| part | µs | yardstick | µs | ratio |\n|---|--:|---|--:|--:|");
    for (part, yardstick) in PARTS {
        let median = |which: &str| {
            // Whoever asks for one part has no figures of the others.
            let text = fs::read_to_string(figures.join(part).join(which).join("new/estimates.json")).ok()?;
            let read: serde_json::Value = serde_json::from_str(&text).unwrap();
            Some(read["median"]["point_estimate"].as_f64().unwrap() / 1e3)
        };
        if let (Some(mine), Some(other)) = (median(OURS), median(THEIRS)) {
            println!("| {part} | {mine:.1} | {yardstick} | {other:.1} | {:.2} |", mine / other);
        }
    }
}
