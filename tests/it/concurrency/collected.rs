//! Writers beside git's garbage collection without a grace period: `git gc --prune=now` and `git repack -ad`, over and
//! over. Nothing acknowledged is lost (promise 1), and plain git reads it (promise 4).
//!
//! `.ci/thorough collections` plays it for half a minute; `crash::pruned` and `crash::raced` prove it step by step.
//! `GRILL_COLLECT=1200x16 cargo test --test it concurrency::collected:: -- --ignored --nocapture --test-threads=1` plays
//! twenty minutes of sixteen writers in each kind of repository, and prints the figures.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::beside::over_and_over;
use crate::bench::{Bench, Output, Place, crowd, git_has_reftable};

/// What deletes objects.
const COLLECTIONS: [&str; 2] = ["git gc --prune=now --quiet", "git repack -adq"];
/// Answers of one session, at most.
const ANSWERS: usize = 8;
/// So many letters of what a command said come first in a failure.
const WIDTH: usize = 180;
/// So often each of the collections goes well at least, unless that takes very long.
const FEWEST: usize = 3;
const LONGEST: Duration = Duration::from_secs(40);
/// Writers that share a worktree, and so a session.
const TOGETHER: usize = 2;

/// How long, and how many writers.
#[derive(Clone, Copy)]
struct Size {
    seconds: u64,
    writers: usize,
}

impl Size {
    fn of_this_run(usual: Self) -> Self {
        let Some(asked) = std::env::var("GRILL_COLLECT").ok().filter(|asked| !asked.is_empty()) else { return usual };
        let (seconds, writers) = asked.split_once('x').expect("GRILL_COLLECT is <seconds>x<writers>");
        Self { seconds: seconds.parse().unwrap(), writers: writers.parse().unwrap() }
    }
}

#[derive(Default)]
struct Told {
    /// Words of which a command said that they are recorded.
    acknowledged: Vec<String>,
    sessions: usize,
    /// Objects that were brought back.
    again: usize,
    /// How commands ended that should not have ended so.
    failed: Vec<String>,
}

impl Told {
    fn hear(&mut self, output: &Output) {
        let lost = output.stderr.lines().filter_map(|line| line.split_once("git had lost ")?.1.split(' ').next());
        self.again += lost.map(|number| number.parse::<usize>().unwrap()).sum::<usize>();
        // A race was lost, the session's state forbade it, or the other writer has ended the session.
        let expected = matches!(output.code, 0 | 1 | 3 | 4 | 6);
        // git deleted the commit that the trial of the hooks names: the session is recorded, and `resume` arms it.
        if !expected && !output.stdout.contains("\"trial_failed\"") {
            self.failed.push(format!("{}\n{output}", why(output)));
        }
    }
}

/// Begins sessions, answers and stops, one after the other; the second of two writers only answers.
fn write(at: &Place<'_>, backend: &str, writer: usize, over: &AtomicBool) -> Told {
    let mut told = Told::default();
    let mut number = 0;
    let run = |told: &mut Told, line: &str| {
        let output = at.run(&format!("GRILL_BACKEND={backend} git-grill {line}"));
        told.hear(&output);
        output.code
    };
    let begins = writer.is_multiple_of(TOGETHER);
    while !over.load(Ordering::Relaxed) {
        if begins && run(&mut told, &format!("start --research off --json 'topic {writer} {number}'")) == 0 {
            told.sessions += 1;
        }
        for _ in 0..ANSWERS {
            if over.load(Ordering::Relaxed) {
                break;
            }
            number += 1;
            let words = format!("w{writer:03}x{number:06}");
            if matches!(run(&mut told, &format!("answer --json {words}")), 0 | 3) {
                // The words are recorded, and the next question waits.
                told.acknowledged.push(words);
            }
        }
        if begins {
            run(&mut told, "stop --json --without-output");
        }
    }
    told
}

/// How a command ended and why, in the few letters that a log of many tests shows of each failure.
fn why(output: &Output) -> String {
    let told = serde_json::from_str::<serde_json::Value>(&output.stdout).unwrap_or_default();
    let error = &told["error"];
    let causes = error["causes"].as_array().into_iter().flatten().filter_map(|cause| cause.as_str());
    let said = error["message"].as_str().into_iter().chain(causes);
    let words = said.chain(output.stderr.lines().filter(|line| !line.trim().is_empty()));
    let words: String = words.collect::<Vec<_>>().join(" | ").chars().take(WIDTH).collect();
    let verb: String = output.line.chars().take(WIDTH / 4).collect();
    format!("{}: {words} (by `{verb}`)", output.code)
}

/// Runs a command that may take minutes after thousands of answers.
fn unhurried(bench: &Bench, line: &str) -> Output {
    let ran = bench.command(line).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&ran.stdout), text(&ran.stderr));
    let root = bench.root().display().to_string();
    Output { line: line.to_owned(), root, stdout, stderr, code: ran.status.code().unwrap_or(-1) }
}

/// Plays it in a repository.
fn play(bench: &Bench, usual: Size, backends: &[&str]) {
    let Size { seconds, writers } = Size::of_this_run(usual);
    let places: Vec<Place<'_>> =
        (0..writers.div_ceil(TOGETHER)).map(|number| bench.worktree(&format!("w{number}"))).collect();
    let over = AtomicBool::new(false);
    let well = COLLECTIONS.map(|_| AtomicUsize::new(0));
    let _crowd = crowd();
    let begun = Instant::now();
    let (told, collected) = std::thread::scope(|scope| {
        let over = &over;
        let beside: Vec<_> = COLLECTIONS
            .iter()
            .zip(&well)
            .map(|(line, well)| scope.spawn(move || over_and_over(bench, ".", line, over, well)))
            .collect();
        let writing: Vec<_> = (0..writers)
            .map(|writer| {
                let (at, backend) = (&places[writer / TOGETHER], backends[writer % backends.len()]);
                scope.spawn(move || write(at, backend, writer, over))
            })
            .collect();
        // A machine that has other things to do goes on until something was deleted while somebody wrote.
        let met = || well.iter().all(|well| well.load(Ordering::Relaxed) >= FEWEST);
        while begun.elapsed() < Duration::from_secs(seconds) || !met() && begun.elapsed() < LONGEST {
            std::thread::sleep(Duration::from_millis(50));
        }
        over.store(true, Ordering::Relaxed);
        let told: Vec<Told> = writing.into_iter().map(|thread| thread.join().unwrap()).collect();
        (told, beside.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>())
    });
    // The next command, whichever it is.
    let [checked, mended] = ["git grill sessions", "git grill doctor --fix"].map(|line| unhurried(bench, line));
    let failed: Vec<&String> = told.iter().flat_map(|one| &one.failed).collect();
    let acknowledged: Vec<&String> = told.iter().flat_map(|one| &one.acknowledged).collect();
    let history = bench.run("git log -p --format=%B --glob=refs/grill/sessions");
    let there: BTreeSet<&str> =
        history.stdout.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| word.len() == 11).collect();
    let lost: Vec<&&String> = acknowledged.iter().filter(|words| !there.contains(words.as_str())).collect();
    let again: usize = told.iter().map(|one| one.again).sum();
    let sessions: usize = told.iter().map(|one| one.sessions).sum();
    let refs = bench.run("git for-each-ref refs/grill/sessions | wc -l");
    let commits = bench.run("git rev-list --count --glob=refs/grill/sessions");
    eprintln!(
        "{writers} writers, {:.0?}: {sessions} sessions begun, {} refs, {} commits, {} answers acknowledged, {} lost, {again} \
         objects brought back",
        begun.elapsed(),
        refs.stdout.trim(),
        commits.stdout.trim(),
        acknowledged.len(),
        lost.len(),
    );
    let well = well.map(AtomicUsize::into_inner);
    for ((line, well), said) in COLLECTIONS.iter().zip(&well).zip(&collected) {
        eprintln!("{well:5} times  {line}; {} times not: {:?}", said.len(), said.first());
    }
    assert!(lost.is_empty(), "{} acknowledged and lost: {lost:?}\n{checked}\n{mended}", lost.len());
    assert!(failed.is_empty(), "{} failed: {}", failed.len(), failed[0]);
    for ((line, well), said) in COLLECTIONS.iter().zip(&well).zip(&collected) {
        assert!(*well > 0, "never well: {line}: {:?}; {said:?}", said.last());
    }
    assert!(!acknowledged.is_empty(), "nothing was acknowledged, so nothing was tested");
    for ran in [&checked, &mended, &history] {
        assert!(ran.code == 0, "afterwards {}\n{ran}", why(ran));
    }
    for line in ["git rev-list --objects --glob=refs/grill", "git gc --prune=now --quiet", "git grill sessions"] {
        let ran = bench.run(line);
        assert!(ran.code == 0, "at last {}\n{ran}", why(&ran));
    }
    assert!(!bench.run("git grill sessions").stdout.contains("cannot be read"));
}

#[test]
#[ignore = "beside collections for as long as it is told: .ci/thorough collections"]
fn p1_one_writer_beside_collections() {
    play(&Bench::new(), Size { seconds: 4, writers: 1 }, &["libgit2"]);
}

#[test]
#[ignore = "beside collections for as long as it is told: .ci/thorough collections"]
fn p1_many_writers_beside_collections() {
    play(&Bench::new(), Size { seconds: 4, writers: 4 }, &["libgit2", "git"]);
}

#[test]
#[ignore = "beside collections for as long as it is told: .ci/thorough collections"]
fn p1_writers_beside_collections_in_a_reftable_repository() {
    if git_has_reftable("writers beside collections in a reftable repository") {
        play(&Bench::with_init("--ref-format=reftable --object-format=sha256"), Size { seconds: 4, writers: 2 }, &[""]);
    }
}
