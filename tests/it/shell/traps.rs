//! A repository that is booby-trapped in every way we could think of (`fixtures/traps`). Each trap makes a canary, a file
//! outside of the repository. The guard is asked about every command, as an agent's hook would ask it, and what it lets
//! through is run: no canary may appear.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::corpus::{CLONES, GIVEN, OURS, SECOND, read};
use crate::bench::{Bench, executable, one_of, side_by_side};

const FILES: &str = include_str!("../../../fixtures/traps/files.tsv");
const GIT: &str = include_str!("../../../fixtures/traps/git.tsv");
const HARMLESS: &str = include_str!("../../../fixtures/traps/harmless.tsv");
const READING: &str = include_str!("../../../fixtures/commands/reading.txt");

/// How long a command may take; most need milliseconds, some never end.
const LIMIT: &str = "2";
/// The longest that the first sentence of a refusal may be.
const LONGEST: usize = 200;

/// One trap.
#[derive(Default)]
struct Trap {
    files: Vec<(String, String)>,
    settings: Vec<(String, String)>,
    commands: Vec<String>,
    variable: Option<(String, String)>,
}

/// The rows of a fixture, column by column.
fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(|line| line.split('\t').collect())
}

fn commands(column: Option<&&str>) -> impl Iterator<Item = String> {
    column.copied().unwrap_or_default().split(" ;; ").filter(|command| !command.is_empty()).map(str::to_owned)
}

/// The traps that are files, by name.
fn of_files() -> BTreeMap<String, Trap> {
    let mut traps: BTreeMap<String, Trap> = BTreeMap::new();
    for row in rows(FILES) {
        assert!(row.len() <= 5, "a tab ends a column: {row:?}");
        let trap = traps.entry(row[0].to_owned()).or_default();
        if row[1] != "none" {
            trap.files.push((row[1].to_owned(), row.get(2).unwrap_or(&"").replace('␤', "\n")));
        }
        trap.commands.extend(commands(row.get(3)));
        if let Some((name, value)) = row.get(4).and_then(|variable| variable.split_once('=')) {
            trap.variable = Some((name.to_owned(), value.to_owned()));
        }
    }
    // A blank in place of a tab once made file content of the commands of forty traps. `path-late` is laid to see that
    // what comes behind the usual programs is none.
    let without: Vec<&String> = traps
        .iter()
        .filter(|(name, trap)| trap.commands.is_empty() && *name != "path-late")
        .map(|(name, _)| name)
        .collect();
    assert!(without.is_empty(), "nothing is tried with {without:?}");
    traps
}

/// The traps that are settings.
fn of_git() -> Vec<(String, Trap)> {
    let settings = |row: &[&str]| vec![(row[0].to_owned(), row[1].to_owned())];
    rows(GIT)
        .map(|row| {
            (
                row[0].to_owned(),
                Trap { settings: settings(&row), commands: commands(row.get(2)).collect(), ..Trap::default() },
            )
        })
        .collect()
}

/// A repository with something to look at, and a place for canaries beside it.
struct Field {
    bench: Bench,
    canaries: PathBuf,
    variables: Vec<(String, String)>,
}

/// The repository as it is before a trap is laid; every field is a copy of it.
fn template() -> Bench {
    let bench = Bench::new();
    for (path, text) in [
        (".gitattributes", "*.evil diff=evil filter=evil\narchived export-subst\n"),
        ("x.evil", "evil\n"),
        ("archived", "$Format:%G?$\n"),
        ("a", "a\n"),
        ("a.txt", "a\nb\n"),
        ("b.txt", "b\n"),
        ("src/main.rs", "fn main() {}\n"),
        ("Cargo.toml", "[package]\nname = \"x\"\nversion = \"1.0.0\"\nedition = \"2021\"\n"),
        ("Cargo.lock", "version = 4\n\n[[package]]\nname = \"x\"\nversion = \"1.0.0\"\n"),
    ] {
        bench.write(path, text);
    }
    bench.run("git add . && git commit -qm files").assert_code(0);
    // A commit that claims to be signed, so that there is something to verify.
    let header = "gpgsig -----BEGIN PGP SIGNATURE-----\\n \\n x\\n -----END PGP SIGNATURE-----";
    let signed =
        format!("git cat-file commit HEAD | sed '/^committer/a {header}' | git hash-object -t commit -w --stdin");
    bench.run(&format!("git reset -q --soft $({signed})")).assert_code(0);
    bench.write("x.evil", "changed\n");
    bench.write("a.txt", "changed\n");
    bench
}

impl Field {
    fn new(template: &Bench) -> Self {
        let bench = Bench::nowhere();
        let copied = Command::new("cp").arg("-R").arg(template.repo().join(".")).arg(bench.repo()).status();
        assert!(copied.unwrap().success());
        let canaries = bench.root().join("canaries");
        fs::create_dir(&canaries).unwrap();
        Self { bench, canaries, variables: Vec::new() }
    }

    fn filled(&self, name: &str, text: &str) -> String {
        let canary = self.canaries.join(name);
        text.replace("{script}", "#!/bin/sh\ntouch {canary}\n")
            .replace("{canary}", canary.to_str().unwrap())
            .replace("{repo}", self.bench.repo().to_str().unwrap())
    }

    fn lay(&mut self, name: &str, trap: &Trap) {
        for (path, content) in &trap.files {
            let at = self.bench.repo().join(path);
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            if let Some(target) = content.strip_prefix("->") {
                symlink(self.bench.repo().join(target), &at).unwrap();
                continue;
            }
            let (before, content) = match content.strip_prefix('+') {
                Some(more) => (fs::read_to_string(&at).unwrap(), more),
                None => (String::new(), content.as_str()),
            };
            executable(&at, before + &self.filled(name, content));
        }
        for (key, value) in &trap.settings {
            self.set(name, key, value);
        }
        if let Some((name, value)) = &trap.variable {
            let path = std::env::var("PATH").unwrap();
            self.variables.push((name.clone(), value.replace("{path}", &path)));
        }
    }

    /// Written by git's own means from elsewhere, so that nothing is sprung on the way.
    fn set(&self, name: &str, key: &str, value: &str) {
        let file = self.bench.repo().join(".git/config");
        let mut command = Command::new("git");
        command.current_dir(self.bench.root()).env("GIT_CONFIG_NOSYSTEM", "1");
        let key = self.filled(name, key);
        let status =
            command.args(["config", "--file"]).arg(file).args(["--add", &key, &self.filled(name, value)]).status();
        assert!(status.unwrap().success(), "{key}");
    }

    fn in_field(&self, mut command: Command) -> Command {
        command.current_dir(self.bench.repo()).env_clear().envs(self.bench.environment());
        // The toolchains of this machine, without what the person configured for them.
        if let Some(home) = std::env::home_dir() {
            command.env("RUSTUP_HOME", std::env::var_os("RUSTUP_HOME").unwrap_or_else(|| home.join(".rustup").into()));
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// What the guard says to each command: nothing, or why not.
    fn ask(&self, commands: &[String]) -> Vec<Option<String>> {
        let mut guard = self.in_field(Command::new(env!("CARGO_BIN_EXE_git-grill")));
        let mut child = guard.args(["guard", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = commands.iter().map(|command| format!("{command}\0")).collect::<String>();
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let lines = String::from_utf8(output.stdout).unwrap();
        let told: Vec<Option<String>> = lines
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["reason"].as_str().map(str::to_owned))
            .collect();
        assert_eq!(told.len(), commands.len(), "each command is answered");
        told
    }

    /// Runs the command without a terminal, a network, or much time.
    fn run(&self, command: &str) {
        let mut words: Vec<&str> = vec!["-k", "1", "-s", "KILL", LIMIT];
        words.extend(without_network());
        words.extend(["bash", "-c", command]);
        let mut runner = self.in_field(Command::new("timeout"));
        runner.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        runner.status().unwrap();
    }

    fn sprung(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.canaries).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    }
}

/// The words that take the network away, where this machine lets us.
fn without_network() -> &'static [&'static str] {
    static WORDS: OnceLock<&'static [&'static str]> = OnceLock::new();
    WORDS.get_or_init(|| {
        let works = |words: &&&[&str]| {
            Command::new(words[0])
                .args(&words[1..])
                .arg("true")
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|it| it.success())
        };
        [&["unshare", "-n"] as &[&str], &["unshare", "-rn"]].iter().find(works).copied().unwrap_or(&[])
    })
}

/// What is wrong about a trap: commands that were let through, and whether they sprang it.
fn let_through(template: &Bench, name: &str, trap: &Trap) -> Vec<String> {
    let mut field = Field::new(template);
    field.lay(name, trap);
    let commands: Vec<String> = trap.commands.iter().map(|command| field.filled(name, command)).collect();
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
fn a_trap_is_seen_by_every_command_that_would_spring_it() {
    let template = template();
    let wrong: Vec<String> = of_files().iter().flat_map(|(name, trap)| let_through(&template, name, trap)).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_setting_of_the_repository_that_names_a_program_is_seen() {
    let template = template();
    let wrong: Vec<String> = of_git().iter().flat_map(|(name, trap)| let_through(&template, name, trap)).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The traps of git need git alone, so on every machine most of them must be live: else the tests above show nothing.
#[test]
fn the_traps_are_real() {
    let template = template();
    let mut dead = Vec::new();
    let mut sprung = 0;
    for (name, trap) in of_git().into_iter().chain(of_files()) {
        if sprung >= 25 && one_of(2) > 1 {
            return;
        }
        let mut field = Field::new(&template);
        field.lay(&name, &trap);
        let alive = |command: &String| {
            field.run(&field.filled(&name, command));
            !field.sprung().is_empty()
        };
        let _tried = trap.commands.iter().any(alive);
        if field.sprung().is_empty() { dead.push(name) } else { sprung += 1 }
    }
    assert!(sprung >= 25, "only {sprung} were sprung; not these: {}", dead.join(", "));
}

/// Everything at once, but what would have every git command refused: of what is let through every fifth is run, or all
/// that is.
#[test]
fn nothing_that_is_let_through_springs_a_trap() {
    let template = template();
    let mut field = Field::new(&template);
    for (name, trap) in of_files() {
        let closes_git = trap.files.iter().any(|(path, _)| path.starts_with(".git/") || path.starts_with(".githooks/"));
        // A variable or a PATH would have whole families refused, and is laid alone above.
        if !closes_git && trap.variable.is_none() {
            let files = trap.files.into_iter().filter(|(path, _)| !field.bench.repo().join(path).exists()).collect();
            field.lay(&name, &Trap { files, ..Trap::default() });
        }
    }
    for row in rows(HARMLESS) {
        let name = row[0].replace(['/', ' '], "-");
        field.lay(&name, &Trap { settings: vec![(row[0].to_owned(), row[1].to_owned())], ..Trap::default() });
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
    let mut commands: Vec<String> =
        corpora.chain(reading).chain(of_files().into_values().flat_map(|trap| trap.commands)).collect();
    commands.sort_unstable();
    commands.dedup();
    let told = field.ask(&commands);
    let allowed: Vec<&String> =
        commands.iter().zip(&told).filter(|(_, told)| told.is_none()).map(|(line, _)| line).collect();
    assert!(allowed.len() > 1000, "{} are let through, so little would be shown", allowed.len());
    let allowed: Vec<&String> = allowed.into_iter().step_by(one_of(5)).collect();
    side_by_side(&allowed, |command| field.run(command));
    assert!(field.sprung().is_empty(), "sprung: {}", field.sprung().join(", "));
}
