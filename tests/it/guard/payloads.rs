//! `fixtures/guard`: what each agent sends, and what is said to it in each posture.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{guard, interview, produce, says};
use crate::bench::Bench;

struct Row {
    agent: String,
    file: PathBuf,
    interview: String,
    output: String,
    contains: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/guard")
}

fn rows() -> Vec<Row> {
    let table = std::fs::read_to_string(folder().join("expected.tsv")).unwrap();
    let rows = table.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        Row {
            agent: cells[0].split('/').next().unwrap().to_owned(),
            file: folder().join(format!("{}.json", cells[0])),
            interview: cells[1].to_owned(),
            output: cells[2].to_owned(),
            contains: cells.get(3).copied().unwrap_or_default().to_owned(),
        }
    });
    rows.collect()
}

fn wrong(bench: &Bench, expected: impl Fn(&Row) -> (&str, &str)) -> Vec<String> {
    let rows = rows();
    let answers = rows.iter().filter_map(|row| {
        let output = guard(bench, Path::new("."), &row.agent, &std::fs::read(&row.file).unwrap());
        let (verdict, contains) = expected(row);
        let right = says(&row.agent, &output) == verdict && (verdict == "pass" || output.stderr.contains(contains));
        (!right).then(|| format!("{}: not {verdict} {contains:?}: {output}", row.file.display()))
    });
    answers.collect()
}

#[test]
fn every_payload_stands_in_the_table() {
    let listed: BTreeSet<PathBuf> = rows().into_iter().map(|row| row.file).collect();
    let agents = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let agents = agents.filter(|path| path.is_dir() && !path.ends_with("recorded"));
    let files = agents.flat_map(|agent| std::fs::read_dir(agent).unwrap().map(|entry| entry.unwrap().path()));
    assert_eq!(files.collect::<BTreeSet<PathBuf>>(), listed);
}

/// Asks about every payload while nothing may change.
#[track_caller]
pub fn reading_alone_passes(bench: &Bench) {
    let wrong = wrong(bench, |row| (&row.interview, &row.contains));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Asks about every payload while nothing is refused. What cannot be understood is refused in any session.
#[track_caller]
pub fn whatever_is_understood_passes(bench: &Bench) {
    let answers = rows().into_iter().filter_map(|row| {
        let output = guard(bench, Path::new("."), &row.agent, &std::fs::read(&row.file).unwrap());
        let refused = says(&row.agent, &output) == "refuse" && !output.stderr.contains("could not be understood");
        refused.then(|| format!("{}: {output}", row.file.display()))
    });
    let refused: Vec<String> = answers.collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn g37_outside_of_a_session_every_payload_passes() {
    let wrong = wrong(&Bench::new(), |_| ("pass", ""));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn g37_in_the_interview_reading_passes_and_the_rest_is_refused() {
    reading_alone_passes(&interview());
}

#[test]
fn g33_in_the_output_phase_the_plan_passes_too() {
    let bench = interview();
    produce(&bench);
    let wrong = wrong(&bench, |row| (&row.output, ""));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
