//! A repository in which traps are laid, and commands asked about and run.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::fixture::Trap;
use crate::bench::{Bench, executable, side_by_side};

/// How long a command may take; most need milliseconds, some never end.
const LIMIT: &str = "2";

/// A repository with something to look at, and a place for canaries beside it.
pub struct Field {
    pub bench: Bench,
    canaries: PathBuf,
    variables: Vec<(String, String)>,
}

/// The repository as it is before a trap is laid; every field is a copy of it.
pub fn template() -> Bench {
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
    pub fn new(template: &Bench) -> Self {
        let bench = Bench::nowhere();
        let copied = Command::new("cp").arg("-R").arg(template.repo().join(".")).arg(bench.repo()).status();
        assert!(copied.unwrap().success());
        let canaries = bench.root().join("canaries");
        fs::create_dir(&canaries).unwrap();
        Self { bench, canaries, variables: Vec::new() }
    }

    pub fn filled(&self, name: &str, text: &str) -> String {
        let canary = self.canaries.join(name);
        text.replace("{script}", "#!/bin/sh\ntouch {canary}\n")
            .replace("{canary}", canary.to_str().unwrap())
            .replace("{repo}", self.bench.repo().to_str().unwrap())
    }

    /// Lays the trap; its canary has this name.
    pub fn lay(&mut self, name: &str, trap: &Trap) {
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
        let path = std::env::var("PATH").unwrap();
        for (variable, value) in &trap.variables {
            self.variables.push((variable.clone(), self.filled(name, value).replace("{path}", &path)));
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
    pub fn ask(&self, commands: &[String]) -> Vec<Option<String>> {
        side_by_side(commands, |command| {
            let mut guard = self.in_field(Command::new(env!("CARGO_BIN_EXE_git-grill")));
            let said = guard.args(["guard", "--json", &format!("--explain={command}")]).output().unwrap();
            let told: serde_json::Value = serde_json::from_slice(&said.stdout)
                .unwrap_or_else(|error| panic!("{command}: {error}: {}", String::from_utf8_lossy(&said.stderr)));
            told["reason"].as_str().map(str::to_owned)
        })
    }

    /// Runs the command without a terminal, a network, or much time.
    pub fn run(&self, command: &str) {
        self.started(&["bash", "-c", command], &[]);
    }

    /// The same at a terminal, for what pagers are needed for; nothing where none can be made.
    pub fn run_at_a_terminal(&self, command: &str) {
        if has_terminals() {
            let shown = [("LINE", command), ("TERM", "xterm")];
            self.started(&["script", "-qec", "bash -c \"$LINE\"", "/dev/null"], &shown);
        }
    }

    fn started(&self, command: &[&str], variables: &[(&str, &str)]) {
        let mut words: Vec<&str> = vec!["-k", "1", "-s", "KILL", LIMIT];
        words.extend(without_network());
        words.extend(command);
        let mut runner = self.in_field(Command::new("timeout"));
        runner.args(words).envs(variables.iter().copied());
        runner.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        runner.status().unwrap();
    }

    /// The canaries that sang.
    pub fn sprung(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.canaries).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    }
}

/// Whether `script` of util-linux can make a terminal.
pub fn has_terminals() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        let said = Command::new("script").arg("--version").output();
        said.is_ok_and(|said| String::from_utf8_lossy(&said.stdout).contains("util-linux"))
    })
}

/// Whether the program of the command is on this machine; what stands before it may be assignments.
pub fn is_installed(command: &str) -> bool {
    let program = command.split_ascii_whitespace().find(|word| !word.contains('='));
    let path = std::env::var_os("PATH").unwrap();
    program.is_some_and(|program| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
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
