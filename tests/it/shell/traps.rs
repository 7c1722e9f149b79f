//! A repository that is booby-trapped in every way we could think of (`fixtures/traps`). Each trap makes a canary, a file
//! outside of the repository. The guard is asked about every command, as an agent's hook would ask it, and what it lets
//! through is run: no canary may appear.

mod field;
mod fixture;

use std::fs;
use std::path::Path;

use self::field::{Field, has_terminals, is_installed, template};
use self::fixture::{Trap, harmless, of_files, quiet};
use super::corpus::{CLONES, GIVEN, OURS, SECOND, read};
use crate::bench::{Bench, executable, one_of, side_by_side};

const READING: &str = include_str!("../../../fixtures/commands/reading.txt");
const VERSIONS: &str = include_str!("../../../fixtures/commands/versions.txt");

/// Traps that most commands see.
const ALONE: &[&str] = &["tool-versions", "python-version", "ruby-version"];

/// The longest that the first sentence of a refusal may be.
const LONGEST: usize = 200;

/// What is wrong about a trap: commands that were let through, and whether they sprang it.
fn let_through(template: &Bench, trap: &Trap) -> Vec<String> {
    let (mut field, name) = (Field::new(template), trap.name.as_str());
    field.lay(name, trap);
    let commands: Vec<String> = trap.tried().map(|command| field.filled(name, command)).collect();
    let mut wrong = Vec::new();
    for (command, told) in commands.iter().zip(field.ask(&commands)) {
        match told {
            Some(why) if why.chars().count() > LONGEST => wrong.push(format!("{name}: too long: {why}")),
            Some(_) => {}
            None => {
                field.run(command);
                let sprung = if field.sprung().is_empty() { "let through" } else { "let through, and it ran" };
                wrong.push(format!("{name}: {sprung}: {command}"));
            }
        }
    }
    wrong
}

#[test]
fn g37_a_trap_is_seen_by_every_command_that_would_spring_it() {
    let template = template();
    let wrong: Vec<String> = fixture::all().iter().flat_map(|trap| let_through(&template, trap)).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A command that is refused anyway says nothing about the trap: it stands in a list of its own, with the rule.
#[test]
fn g37_each_command_of_the_traps_is_allowed_where_there_is_none() {
    let field = Field::new(&template());
    let traps = fixture::all();
    let told = |commands: Vec<(&str, &String)>| -> Vec<(String, Option<String>)> {
        let filled: Vec<String> = commands.iter().map(|(name, command)| field.filled(name, command)).collect();
        filled.iter().cloned().zip(field.ask(&filled)).collect()
    };
    let allowed =
        told(traps.iter().flat_map(|trap| trap.commands.iter().map(|one| (trap.name.as_str(), one))).collect());
    let refused =
        told(traps.iter().flat_map(|trap| trap.refused.iter().map(|one| (trap.name.as_str(), one))).collect());
    assert!(allowed.len() > 200 && refused.len() > 50, "{} and {}", allowed.len(), refused.len());
    let mut wrong: Vec<String> = Vec::new();
    wrong.extend(allowed.into_iter().filter_map(|(command, why)| why.map(|why| format!("refused: {command}: {why}"))));
    wrong
        .extend(refused.into_iter().filter(|(_, why)| why.is_none()).map(|(command, _)| format!("allowed: {command}")));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Each trap whose program is on this machine is sprung by a command that it is laid for: else the tests here show nothing.
#[test]
fn g37_the_traps_are_real() {
    let template = template();
    let (traps, quiet) = (fixture::all(), quiet());
    let live: Vec<&Trap> = traps.iter().filter(|trap| !quiet.contains(&trap.name.as_str())).collect();
    let live: Vec<&Trap> = live.into_iter().filter(|trap| trap.tried().any(|one| is_installed(one))).collect();
    assert!(live.len() > 30, "few could be sprung: {}", live.len());
    let tried: Vec<&Trap> = live.into_iter().step_by(one_of(4)).collect();
    let sprung = side_by_side(&tried, |trap| {
        let mut field = Field::new(&template);
        field.lay(&trap.name, trap);
        let commands: Vec<String> =
            trap.tried().filter(|one| is_installed(one)).map(|one| field.filled(&trap.name, one)).collect();
        let sings = |run: &dyn Fn(&str)| {
            commands.iter().any(|command| {
                run(command);
                !field.sprung().is_empty()
            })
        };
        sings(&|command: &str| field.run(command)) || sings(&|command: &str| field.run_at_a_terminal(command))
    });
    let dead: Vec<&str> =
        tried.iter().zip(&sprung).filter(|(_, sprung)| !**sprung).map(|(trap, _)| trap.name.as_str()).collect();
    // Pagers are only met at a terminal.
    let may_be_dead = if has_terminals() { 0 } else { tried.len() / 4 };
    assert!(dead.len() <= may_be_dead, "laid, and not sprung: {dead:?}");
}

/// The examples of the sheets that are let through, and a line of every program, as far as they are on this machine.
fn of_the_sheets() -> Vec<String> {
    let sheets = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/policy/commands/sheets");
    let texts = fs::read_dir(sheets).unwrap().map(|sheet| fs::read_to_string(sheet.unwrap().path()).unwrap());
    let mut lines: Vec<String> = texts
        .flat_map(|text| {
            text.lines().filter_map(|line| line.strip_prefix("    ok ")).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    assert!(lines.len() > 700, "the sheets have more examples than {}", lines.len());
    lines.extend(VERSIONS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(str::to_owned));
    lines.retain(|line| is_installed(line));
    lines
}

/// Everything at once, but what would have every git command refused: every fifth command is asked about, or all, and what
/// is let through is run.
#[test]
fn g37_nothing_that_is_let_through_springs_a_trap() {
    let template = template();
    let mut field = Field::new(&template);
    for trap in of_files() {
        let closes_git = trap.files.iter().any(|(path, _)| path.starts_with(".git/") || path.starts_with(".githooks/"));
        // A variable, a PATH or a version manager would have whole families refused, and is laid alone above.
        if !closes_git && trap.variables.is_empty() && !ALONE.contains(&trap.name.as_str()) {
            let files = trap.files.into_iter().filter(|(path, _)| !field.bench.repo().join(path).exists()).collect();
            field.lay(&trap.name, &Trap { files, ..Trap::default() });
        }
    }
    for (key, value) in harmless() {
        let name = key.replace(['/', ' '], "-");
        field.lay(&name, &Trap { settings: vec![(key, value)], ..Trap::default() });
    }
    for hook in ["pre-commit", "post-checkout", "reference-transaction", "pre-push", "fsmonitor-watchman", "post-merge"]
    {
        let script = field.filled(&format!("hook-{hook}"), "{script}");
        for folder in ["hooks", ".git/hooks"] {
            let at = field.bench.repo().join(folder).join(hook);
            executable(&at, &script);
        }
    }
    let corpora = [GIVEN, OURS, CLONES, SECOND].into_iter().flat_map(read).map(|line| line.command);
    let reading = READING.lines().filter(|line| !line.starts_with("# ") && !line.is_empty()).map(str::to_owned);
    let laid = of_files().into_iter().flat_map(|trap| trap.commands);
    let mut commands: Vec<String> = corpora.chain(reading).chain(laid).chain(of_the_sheets()).collect();
    commands.sort_unstable();
    commands.dedup();
    let commands: Vec<String> = commands.into_iter().step_by(one_of(10)).collect();
    let told = field.ask(&commands);
    let allowed: Vec<&String> =
        commands.iter().zip(&told).filter(|(_, told)| told.is_none()).map(|(line, _)| line).collect();
    assert!(allowed.len() * one_of(10) > 1000, "{} are let through, so little would be shown", allowed.len());
    side_by_side(&allowed, |command| field.run(command));
    assert!(field.sprung().is_empty(), "sprung: {}", field.sprung().join(", "));
}
